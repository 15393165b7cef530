//! Copies of sections that live until their operation is complete.
//!
//! The C library keeps them with the request. It has them filled when a persistent operation
//! starts, and the bytes that an operation has changed copied back when it is complete, whichever
//! language completes it.

use super::{Descriptor, Packed, Place};
use crate::abi::keep_copies;
use crate::abi::number;
use crate::c;
use crate::kind::REQUEST;
use crate::types::{Fint, finish, give, handle};
use std::ffi::{c_int, c_void};

/// A buffer of an operation that goes on after the call.
pub struct Deferred(Place);

impl Deferred {
    /// Copies a section with gaps. `is_written`: the operation writes the buffer.
    ///
    /// # Safety
    /// `descriptor` describes memory of the program, until the operation is complete.
    pub unsafe fn new(descriptor: *const Descriptor, is_written: bool) -> Result<Deferred, c_int> {
        // SAFETY: the caller's promise.
        Ok(Deferred(unsafe { Place::new(descriptor, is_written)? }))
    }

    pub fn address(&mut self) -> *mut c_void {
        self.0.address()
    }
}

/// What the C library asks for ([`serve`]).
const FILL: c_int = 0;
const RETURN: c_int = 1;
const RELEASE: c_int = 2;

/// The buffers of an operation.
type Places = Vec<Place>;

/// Keeps the copies, if there are some, until the operation is complete. The request becomes that
/// of the operation with its copies.
///
/// # Safety
/// `request` points to the request that the call has made, or to the null request. `ierror` is null
/// or points to an INTEGER.
pub unsafe fn keep<const N: usize>(request: *mut Fint, buffers: [Deferred; N], ierror: *mut Fint) {
    let copied = buffers.iter().any(|buffer| buffer.0.packed.is_some());
    // SAFETY: the caller's promise.
    if !copied || unsafe { *request } == number(c::MPI_REQUEST_NULL) {
        return;
    }
    let places: Box<Places> = Box::new(buffers.map(|buffer| buffer.0).into());
    // SAFETY: the caller's promise; the function is the one for these copies.
    unsafe {
        let mut kept = handle::<REQUEST>(request);
        let code = keep_copies(&mut kept, serve, Box::into_raw(places).cast());
        give(request, kept);
        if code != 0 {
            finish(ierror, code);
        }
    }
}

/// Does with copies what the C library asks for.
///
/// # Safety
/// `copies` points to the buffers of an operation, which are not used after [`RELEASE`].
unsafe extern "C" fn serve(copies: *mut c_void, what: c_int) {
    let places = copies.cast::<Places>();
    // SAFETY: the caller's promise.
    unsafe {
        match what {
            FILL => {
                let copied = (&mut *places).iter_mut().filter_map(|place| place.packed.as_mut());
                copied.for_each(Packed::pack);
            }
            RETURN => (&*places).iter().for_each(Place::unpack),
            RELEASE => drop(Box::from_raw(places)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Dimension;
    use super::*;

    #[test]
    fn copies_are_filled_returned_and_released() {
        let mut memory = [1u8, 2, 3];
        let base = memory.as_mut_ptr();
        let dimensions = vec![Dimension { extent: 2, stride: 2 }];
        let before = Some(Vec::new());
        let packed = Some(Packed { base, element_bytes: 1, dimensions, bytes: vec![0], before });
        let place = Place { base: base.cast(), packed };
        let places: *mut Places = Box::into_raw(Box::new(vec![place]));
        // SAFETY: the buffer is a local variable, and the copies are released once.
        unsafe {
            serve(places.cast(), FILL);
            let copy = (&mut *places)[0].address().cast::<[u8; 2]>();
            assert_eq!(copy.read(), [1, 3]);
            copy.write([7, 3]);
            // The operation has not written this element; the program has, meanwhile.
            base.add(2).write(9);
            serve(places.cast(), RETURN);
            serve(places.cast(), RELEASE);
        }
        assert_eq!(memory, [7, 2, 9]);
    }
}
