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
use std::cell::UnsafeCell;
use std::hint::cold_path;
use std::mem::replace;

/// Places of the table of addresses: a power of two. Of the multipliers, one in sixteen gives each
/// of a hundred objects a place of its own.
const PLACES: usize = 2048;

/// Multipliers that are tried.
const TRIES: usize = 4096;

/// The objects by their addresses, each in the place that [`place`] gives.
struct Found {
    multiplier: usize,
    /// The address and the number.
    places: [[usize; 2]; PLACES],
}

impl Found {
    const NOTHING: Found = Found { multiplier: 0, places: [[0; 2]; PLACES] };
}

/// What is written once, before any function of the library is called.
struct AtLoad(UnsafeCell<Found>);

// SAFETY: the dynamic linker calls `fill`, which alone writes, before others use the library.
unsafe impl Sync for AtLoad {}

static FOUND: AtLoad = AtLoad(UnsafeCell::new(Found::NOTHING));

/// The place of an address: the upper bits of a product, which depend on all of its bits.
#[inline(always)]
fn place(address: usize, multiplier: usize) -> usize {
    address.wrapping_mul(multiplier) >> (usize::BITS - PLACES.ilog2())
}

/// Returns a multiplier that gives each address a place of its own, so that a search is one
/// comparison. The addresses are known when the library is loaded, and differ from run to run.
fn separating(addresses: &[usize]) -> usize {
    // Multiples of the golden ratio are spread over all numbers.
    let multipliers = (1..=TRIES).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let separates = |&multiplier: &usize| {
        let mut taken = [false; PLACES];
        addresses.iter().all(|&address| !replace(&mut taken[place(address, multiplier)], true))
    };
    multipliers.into_iter().find(separates).expect("one of many multipliers separates the objects")
}

impl Found {
    fn new() -> Found {
        let addresses: Vec<usize> = ADDRESSES.iter().map(|(_, address)| address).collect();
        let mut found = Found { multiplier: separating(&addresses), ..Found::NOTHING };
        for (number, address) in ADDRESSES.iter() {
            found.places[place(address, found.multiplier)] = [address, number];
        }
        found
    }

    /// The number of the object at an address.
    #[inline(always)]
    fn number(&self, address: usize) -> Option<usize> {
        let [here, number] = self.places[place(address, self.multiplier)];
        (here == address).then_some(number)
    }
}

/// The number of the object at an address.
#[inline(always)]
fn object_number(address: usize) -> Option<usize> {
    // SAFETY: nothing changes after the library has been loaded (`AtLoad`).
    unsafe { &*FOUND.0.get() }.number(address)
}

extern "C" fn fill() {
    // SAFETY: no other function of the library has been called (`AtLoad`).
    unsafe { *FOUND.0.get() = Found::new() };
}

/// The function that the dynamic linker calls when it has loaded the library.
#[used]
// SAFETY: the section is a list of functions without results, which may take no arguments.
#[unsafe(link_section = ".init_array")]
static FILL: extern "C" fn() = fill;

/// Our handle behind the program's one; 0, which is no handle, for what is none. Most communicators
/// and datatypes of programs are predefined.
#[inline(always)]
pub fn number_of(handle: RawHandle) -> usize {
    if let Some(number) = object_number(handle.addr()) {
        return number;
    }
    cold_path();
    own_number(handle.addr()).unwrap_or(0)
}

/// As [`number_of`], for kinds whose objects are the program's.
#[inline(always)]
pub fn number_of_own(handle: RawHandle) -> usize {
    match own_number(handle.addr()) {
        Some(number) => number,
        None => object_number(handle.addr()).unwrap_or(0),
    }
}

/// The number of a handle that is no address.
#[inline(always)]
fn own_number(bits: usize) -> Option<usize> {
    (bits >> 30 == 0b10 || bits < NUMBERS).then_some(bits)
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
    fn objects_at_any_addresses_have_places_of_their_own() {
        // The sizes of objects, from addresses that differ as those of programs do.
        for base in (0..64).map(|n: usize| 0x5555_5555_4000 + n * 0x1234_5000) {
            let addresses: Vec<usize> = (0..120).map(|n| base + n * 512 + n % 3 * 32).collect();
            let multiplier = separating(&addresses);
            let mut places: Vec<usize> = addresses.iter().map(|a| place(*a, multiplier)).collect();
            places.sort_unstable();
            places.dedup();
            assert_eq!(places.len(), addresses.len());
        }
    }

    #[test]
    fn numbers_of_the_programs_objects_are_negative() {
        let request = std::ptr::without_provenance_mut(0xac00_0007);
        let number = toint(request);
        assert!(number < 0);
        assert_eq!(fromint::<Request>(number).addr(), request.addr());
    }
}
