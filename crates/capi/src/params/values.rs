//! Values behind a `void *` that is no choice buffer: another argument tells their type.

#![allow(unsafe_code)]

use super::null;
use nemesis_mpi::error::Outcome;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::slice;

/// A value that a function reads.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct ValueIn<'a> {
    address: *const c_void,
    call: PhantomData<&'a c_void>,
}

impl<'a> ValueIn<'a> {
    /// # Safety
    /// P1, P2 and P3 hold for a value of the type that the standard or another argument names.
    #[inline(always)]
    pub unsafe fn new(address: *const c_void) -> ValueIn<'a> {
        ValueIn { address, call: PhantomData }
    }

    pub fn is_null(self) -> bool {
        self.address.is_null()
    }

    /// The `len` bytes of the value; `None` for a null pointer.
    pub fn bytes(self, len: usize) -> Option<&'a [u8]> {
        // SAFETY: not null, so P1 and P2 say that the value has as many bytes.
        (!self.is_null()).then(|| unsafe { slice::from_raw_parts(self.address.cast(), len) })
    }

    /// The value, whose type has `N` bytes; `None` for a null pointer.
    pub fn get<const N: usize>(self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    /// Reads as many bytes as `bytes` has, which are those of the value. A null pointer is
    /// `MPI_ERR_ARG`.
    pub fn require_bytes(self, name: &'static str, bytes: &mut [u8]) -> Outcome {
        bytes.copy_from_slice(self.bytes(bytes.len()).ok_or_else(|| null(name))?);
        Ok(())
    }
}

/// A value that a function writes.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct ValueOut<'a> {
    address: *mut c_void,
    call: PhantomData<&'a mut c_void>,
}

impl<'a> ValueOut<'a> {
    /// # Safety
    /// P1, P2 and P3 hold for a value of the type that the standard or another argument names.
    #[inline(always)]
    pub unsafe fn new(address: *mut c_void) -> ValueOut<'a> {
        ValueOut { address, call: PhantomData }
    }

    pub fn is_null(self) -> bool {
        self.address.is_null()
    }

    /// Writes the bytes of the value, or of a part of it that begins `offset` bytes behind the
    /// address. A null pointer stays unwritten.
    pub fn put_at(self, offset: usize, bytes: &[u8]) {
        if !self.is_null() {
            let address = self.address.cast::<u8>();
            // SAFETY: not null, so P1 and P2 say that these bytes belong to the value.
            unsafe { address.add(offset).copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        }
    }

    /// Writes the bytes of a value. A null pointer is `MPI_ERR_ARG`.
    pub fn put_bytes(self, name: &'static str, bytes: &[u8]) -> Outcome {
        if self.is_null() {
            return Err(null(name));
        }
        self.put_at(0, bytes);
        Ok(())
    }
}
