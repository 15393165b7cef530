//! Symbols that Fortran libraries made for MPICH (`libmpichfort.so.12`, `libmpifort.so.12`) need of
//! the C library, beside MPI itself.
//!
//! | symbols | contract |
//! |---|---|
//! | `MPI_F_STATUS[ES]_IGNORE` | the Fortran library stores addresses here before MPI starts |
//! | `MPI_F08_STATUS[ES]_IGNORE` | point to `MPIR_F08_MPI_STATUS[ES]_IGNORE_OBJ` |
//! | `MPIR_F08_MPI_IN_PLACE`, `MPIR_F08_MPI_BOTTOM` | known by address |
//! | `MPIR_C_MPI_UNWEIGHTED`, `MPIR_C_MPI_WEIGHTS_EMPTY` | hold C's values after loading |
//! | `MPII_…` | attributes and generalized requests: [`attributes`], [`requests`] |
//!
//! A Fortran library may define the `MPIR_` objects again. The dynamic linker then takes the first
//! definition for the whole process, so
//! every access here goes by the exported symbol.

mod attributes;
mod requests;

use crate::status::Status;
use nemesis_mpi::abi;
use nemesis_mpi::error::{Error, Outcome};
use std::cell::UnsafeCell;
use std::ffi::{c_int, c_void};
use std::ptr::without_provenance_mut;

/// A pointer that programs and Fortran libraries read and write by name.
#[repr(transparent)]
pub struct Writable(UnsafeCell<*mut c_void>);

// SAFETY: it is written before MPI starts, by one thread, and only read afterwards.
unsafe impl Sync for Writable {}

impl Writable {
    const fn new(pointer: *mut c_void) -> Writable {
        Writable(UnsafeCell::new(pointer))
    }

    fn get(&self) -> *mut c_void {
        // SAFETY: nothing writes it at the same time, see `Sync`.
        unsafe { self.0.get().read_volatile() }
    }
}

/// An object that is known by its address. Its contents are never read, and the Fortran library may
/// declare it writable.
#[repr(C)]
pub struct Known<T>(UnsafeCell<T>);

// SAFETY: the contents are never read.
unsafe impl<T> Sync for Known<T> {}

impl<T> Known<T> {
    const fn address(&'static self) -> *mut c_void {
        self.0.get().cast()
    }
}

/// Holds 1, this ABI's `MPI_STATUS_IGNORE`, until a Fortran library stores its own address.
#[unsafe(no_mangle)]
pub static MPI_F_STATUS_IGNORE: Writable = Writable::new(without_provenance_mut(1));
#[unsafe(no_mangle)]
pub static MPI_F_STATUSES_IGNORE: Writable = Writable::new(without_provenance_mut(1));
#[unsafe(no_mangle)]
pub static MPI_F08_STATUS_IGNORE: Writable =
    Writable::new(MPIR_F08_MPI_STATUS_IGNORE_OBJ.address());
#[unsafe(no_mangle)]
pub static MPI_F08_STATUSES_IGNORE: Writable =
    Writable::new(MPIR_F08_MPI_STATUSES_IGNORE_OBJ.address());

#[unsafe(no_mangle)]
pub static MPIR_F08_MPI_STATUS_IGNORE_OBJ: Known<[c_int; 5]> = Known(UnsafeCell::new([0; 5]));
/// An array of one status.
#[unsafe(no_mangle)]
pub static MPIR_F08_MPI_STATUSES_IGNORE_OBJ: Known<[c_int; 5]> = Known(UnsafeCell::new([0; 5]));
#[unsafe(no_mangle)]
pub static MPIR_F08_MPI_IN_PLACE: Known<c_int> = Known(UnsafeCell::new(0));
#[unsafe(no_mangle)]
pub static MPIR_F08_MPI_BOTTOM: Known<c_int> = Known(UnsafeCell::new(0));

#[unsafe(no_mangle)]
pub static MPIR_C_MPI_UNWEIGHTED: Writable =
    Writable::new(without_provenance_mut(abi::MPI_UNWEIGHTED));
#[unsafe(no_mangle)]
pub static MPIR_C_MPI_WEIGHTS_EMPTY: Writable =
    Writable::new(without_provenance_mut(abi::MPI_WEIGHTS_EMPTY));

/// Sets the two pointers to C's values, because a Fortran library may define them again as null.
extern "C" fn fill_weights() {
    for (place, value) in [
        (&MPIR_C_MPI_UNWEIGHTED, abi::MPI_UNWEIGHTED),
        (&MPIR_C_MPI_WEIGHTS_EMPTY, abi::MPI_WEIGHTS_EMPTY),
    ] {
        // SAFETY: the dynamic linker calls this before any function of the library, in one thread.
        unsafe { place.0.get().write_volatile(without_provenance_mut(value)) };
    }
}

/// The function that the dynamic linker calls when it has loaded the library.
#[used]
// SAFETY: the section is a list of functions without results, which may take no arguments.
#[unsafe(link_section = ".init_array")]
static FILL_WEIGHTS: extern "C" fn() = fill_weights;

/// Converts between C's, Fortran's and Fortran 2008's status, which are five integers each.
///
/// # Safety
/// Both are null or places for a status.
pub unsafe fn copy_status(from: *const Status, to: *mut Status) -> Outcome {
    if is_ignored(from) || is_ignored(to) {
        let why = "MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE and their forms in Fortran cannot be \
                   converted: there is no status";
        return Err(Error::new(abi::MPI_ERR_ARG, why));
    }
    // SAFETY: the caller's promise; a byte-wise copy cares for no field.
    unsafe { to.copy_from(from, 1) };
    Ok(())
}

/// Whether a status is null, or one that C, Fortran or Fortran 2008 ignores.
fn is_ignored(status: *const Status) -> bool {
    let ignored = [
        &MPI_F_STATUS_IGNORE,
        &MPI_F_STATUSES_IGNORE,
        &MPI_F08_STATUS_IGNORE,
        &MPI_F08_STATUSES_IGNORE,
    ];
    status.is_null()
        || status as usize == 1
        || ignored.iter().any(|place| std::ptr::eq(place.get(), status.cast()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_statuses_are_not_converted() {
        let mut place = Status::from_standard(&nemesis_capi::types::Status::EMPTY);
        for ignored in [
            MPI_F08_STATUS_IGNORE.get(),
            MPI_F08_STATUSES_IGNORE.get(),
            MPI_F_STATUS_IGNORE.get(),
            std::ptr::null_mut(),
        ] {
            // SAFETY: an ignored status is recognised and not read; the other is a local variable.
            assert!(unsafe { copy_status(ignored.cast(), &mut place) }.is_err());
            // SAFETY: as above.
            assert!(unsafe { copy_status(&place, ignored.cast()) }.is_err());
        }
    }
}
