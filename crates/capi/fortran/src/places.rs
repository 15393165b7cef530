//! The constants of Fortran that are known by their addresses (MPI 5.0 §2.5.4).
//!
//! `mpif.h` and `mpi` declare them in COMMON blocks ([`crate::blocks`]), `mpi_f08` as variables
//! with names of C. Both are objects of this library, but a program has its own copies: of a COMMON
//! block by the rules of Fortran, of a variable by a copy relocation. The dynamic linker takes the
//! program's for the whole process, so the addresses are looked up by name when the library is
//! loaded.

use crate::abi::F08_CONSTANTS;
use crate::blocks::CONSTANTS;
use crate::c;
pub use crate::known_objects::Ignored;
use crate::known_objects::object;
use std::cell::UnsafeCell;
use std::ffi::{CStr, c_int, c_void};
use std::ptr::null_mut;

/// Returns name, offset and meaning of all constants, those of `mpi_f08` first: they are compared
/// first.
fn names() -> impl Iterator<Item = (&'static CStr, usize, Ignored)> {
    let f08 = F08_CONSTANTS.into_iter().map(|(name, meaning)| (name, 0, meaning));
    f08.chain(CONSTANTS)
}

/// The addresses of the constants.
struct Addresses {
    /// Whether a constant may have an address with this remainder ([`remainder`]). Nearly every
    /// buffer of a program is known by this to be none.
    candidates: [bool; REMAINDERS],
    /// The addresses of each meaning. At most four objects have one meaning.
    rows: [[usize; 4]; 8],
}

const REMAINDERS: usize = 4096;

/// Returns the number of an address in the table of candidates. The constants are integers.
#[inline]
fn remainder(place: usize) -> usize {
    place / size_of::<c_int>() % REMAINDERS
}

struct Guarded(UnsafeCell<Addresses>);

// SAFETY: it is written once, while the library is loaded, and only read afterwards.
unsafe impl Sync for Guarded {}

static ADDRESSES: Guarded =
    Guarded(UnsafeCell::new(Addresses { candidates: [false; REMAINDERS], rows: [[0; 4]; 8] }));

/// Looks all addresses up.
pub fn find() {
    // SAFETY: this runs once, while the library is loaded.
    let addresses = unsafe { &mut *ADDRESSES.0.get() };
    for (name, offset, meaning) in names() {
        let row = &mut addresses.rows[meaning as usize];
        let place = object(name) as usize + offset;
        let free = row.iter().position(|&known| known == 0).expect("a row has four places");
        row[free] = place;
        addresses.candidates[remainder(place)] = true;
    }
    // A meaning with fewer objects repeats its last one, which no null pointer equals.
    for row in &mut addresses.rows {
        let last = row.iter().copied().take_while(|&known| known != 0).last().unwrap_or(1);
        row.iter_mut().filter(|known| **known == 0).for_each(|known| *known = last);
    }
}

#[inline]
fn addresses() -> &'static Addresses {
    // SAFETY: nothing writes it any more, see `Sync`.
    unsafe { &*ADDRESSES.0.get() }
}

/// Returns whether the address may be that of a constant.
#[inline]
pub fn is_candidate(place: usize) -> bool {
    addresses().candidates[remainder(place)]
}

/// Returns whether the address is that of a constant.
#[inline]
pub fn is<T>(place: *const T, meaning: Ignored) -> bool {
    let [a, b, c, d] = addresses().rows[meaning as usize];
    let place = place as usize;
    place == a || place == b || place == c || place == d
}

/// Returns whether the address is that of a meaning's first constant.
#[inline]
pub fn is_first<T>(place: *const T, meaning: Ignored) -> bool {
    place as usize == addresses().rows[meaning as usize][0]
}

/// Returns a choice buffer as the C library takes it.
#[inline]
pub fn buffer(place: *mut c_void) -> *mut c_void {
    if is_candidate(place as usize) { constant(place) } else { place }
}

#[cold]
fn constant(place: *mut c_void) -> *mut c_void {
    if is(place, Ignored::Bottom) {
        c::MPI_BOTTOM as *mut c_void
    } else if is(place, Ignored::InPlace) {
        c::MPI_IN_PLACE as *mut c_void
    } else if is(place, Ignored::Automatic) {
        c::MPI_BUFFER_AUTOMATIC as *mut c_void
    } else {
        place
    }
}

/// Returns an array of weights as the C library takes it.
pub fn weights(place: *mut c_int) -> *mut c_int {
    if is(place, Ignored::Unweighted) {
        c::MPI_UNWEIGHTED as *mut c_int
    } else if is(place, Ignored::WeightsEmpty) {
        c::MPI_WEIGHTS_EMPTY as *mut c_int
    } else {
        place
    }
}

/// Returns an array of error codes as the C library takes it.
pub fn errcodes(place: *mut c_int) -> *mut c_int {
    if is(place, Ignored::Errcodes) { null_mut() } else { place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_meaning_has_more_objects_than_a_row() {
        for (_, _, meaning) in names() {
            let same = names().filter(|(_, _, other)| *other as usize == meaning as usize);
            assert!(same.count() <= 4);
        }
    }
}
