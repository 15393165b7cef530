//! Handles: pointers, for the library's predefined objects and the program's own.
//!
//! | value | object |
//! |---|---|
//! | the address of an [`crate::object::Object`] | a predefined one |
//! | bits 31 and 30 are `10`, none above | an object of the program: our handle |
//! | below 1024 | a predefined datatype that Open MPI does not have: the standard's handle |
//!
//! No program has data at the second: position-independent programs lie far above, and the linker
//! places the others from 4 MiB on.
//!
//! A handle is never dereferenced: arguments that are not significant at a process may be anything
//! (MPI 5.0 §2.5.1), and an invalid handle is an error, not the end of the program. Addresses are
//! looked up in a table that is filled when the library is loaded.

use crate::object::{NUMBERS, RawHandle};
use crate::objects::ADDRESSES;
use nemesis_sync::{AtomicUsize, Ordering};

/// Places of the table of addresses: a power of two, and several times the number of objects.
const PLACES: usize = 512;

/// The objects by their addresses: open addressing, with the number beside the address.
struct Found([[AtomicUsize; 2]; PLACES]);

static FOUND: Found = Found([const { [const { AtomicUsize::new(0) }; 2] }; PLACES]);

impl Found {
    /// The first place for an address.
    #[inline]
    fn first(address: usize) -> usize {
        // The golden ratio spreads addresses that differ in few bits.
        (address >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (usize::BITS - PLACES.ilog2())
    }

    /// Adds the objects.
    fn fill(&self) {
        for (number, address) in ADDRESSES.iter() {
            let mut place = Found::first(address);
            // Relaxed: the dynamic linker calls this before any other function of the library.
            while self.0[place][0].load(Ordering::Relaxed) != 0 {
                place = (place + 1) % PLACES;
            }
            self.0[place][0].store(address, Ordering::Relaxed);
            self.0[place][1].store(number, Ordering::Relaxed);
        }
    }

    /// The number of the object at an address; 0 if there is none.
    #[inline]
    fn number(&self, address: usize) -> usize {
        let mut place = Found::first(address);
        loop {
            // Relaxed: nothing changes after the library has been loaded.
            let [here, number] = &self.0[place];
            match here.load(Ordering::Relaxed) {
                found if found == address => return number.load(Ordering::Relaxed),
                0 => return 0,
                _ => place = (place + 1) % PLACES,
            }
        }
    }
}

extern "C" fn fill() {
    FOUND.fill();
}

/// The function that the dynamic linker calls when it has loaded the library.
#[used]
// SAFETY: the section is a list of functions without results, which may take no arguments.
#[unsafe(link_section = ".init_array")]
static FILL: extern "C" fn() = fill;

/// Our handle behind the program's one; 0, which is no handle, for what is none.
#[inline]
pub fn number_of(handle: RawHandle) -> usize {
    let bits = handle.addr();
    if bits >> 30 == 0b10 || bits < NUMBERS { bits } else { FOUND.number(bits) }
}

/// The number in Fortran: that of a predefined object, or the low half of our handle.
pub fn fortran_of(handle: RawHandle) -> i32 {
    match ADDRESSES.object(number_of(handle)) {
        Some(object) => object.fortran,
        None => handle.addr() as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objects;
    use crate::prelude::{fromint, toint};
    use nemesis_mpi::handle::{Comm, Datatype, Op, Request};

    #[test]
    fn numbers_of_fortran_count_from_zero_in_each_kind() {
        let world = (&raw const objects::ompi_mpi_comm_world).cast_mut().cast();
        assert_eq!((toint(world), fromint::<Comm>(0)), (0, world));
        let sum = (&raw const objects::ompi_mpi_op_sum).cast_mut().cast();
        assert_eq!((toint(sum), fromint::<Op>(3)), (3, sum));
        assert_eq!(number_of(fromint::<Datatype>(7)), nemesis_mpi::abi::MPI_INTEGER.0);
        assert!(fromint::<Datatype>(1000).is_null());
        // An object of a type that no version of MPI has is no handle.
        assert_eq!(number_of((&raw const objects::ompi_mpi_2cplex).cast_mut().cast()), 0);
        assert_eq!(
            (size_of_val(&objects::ompi_mpi_op_sum), size_of_val(&objects::ompi_mpi_int)),
            (2048, 512)
        );
    }

    #[test]
    fn numbers_of_the_programs_objects_are_negative() {
        let request = std::ptr::without_provenance_mut(0xac00_0007);
        let number = toint(request);
        assert!(number < 0);
        assert_eq!(fromint::<Request>(number).addr(), request.addr());
    }
}
