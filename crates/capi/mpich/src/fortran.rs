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
//! | `nemesis_fortran_keep_copies` | copies of array sections: [`requests`] |
//! | `nemesis_fortran_request_left` | the development checks' variables: [`requests`] |
//!
//! A Fortran library may define the `MPIR_` objects again. The dynamic linker then takes the first
//! definition for the whole process, so
//! every access here goes by the exported symbol.

mod attributes;
mod requests;

use crate::status::Status;
use nemesis_capi::c_objects;
use nemesis_capi::fortran::Writable;
use nemesis_capi::params::{In, Out};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use nemesis_sync::AtomicU32;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use std::ptr::without_provenance_mut;

/// An object that is known by its address. Its contents are never read, and the Fortran library may
/// declare it writable.
pub type Known<const N: usize> = [AtomicU32; N];

const fn unread<const N: usize>() -> Known<N> {
    [const { AtomicU32::new(0) }; N]
}

const fn address<const N: usize>(known: &'static Known<N>) -> *mut c_void {
    known.as_ptr().cast_mut().cast()
}

c_objects! {
    /// Holds 1, this ABI's `MPI_STATUS_IGNORE`, until a Fortran library stores its own address.
    MPI_F_STATUS_IGNORE: Writable = Writable::new(without_provenance_mut(1));
    MPI_F_STATUSES_IGNORE: Writable = Writable::new(without_provenance_mut(1));
    MPI_F08_STATUS_IGNORE: Writable = Writable::new(address(&MPIR_F08_MPI_STATUS_IGNORE_OBJ));
    MPI_F08_STATUSES_IGNORE: Writable = Writable::new(address(&MPIR_F08_MPI_STATUSES_IGNORE_OBJ));

    MPIR_F08_MPI_STATUS_IGNORE_OBJ: Known<5> = unread();
    /// An array of one status.
    MPIR_F08_MPI_STATUSES_IGNORE_OBJ: Known<5> = unread();
    MPIR_F08_MPI_IN_PLACE: Known<1> = unread();
    MPIR_F08_MPI_BOTTOM: Known<1> = unread();

    MPIR_C_MPI_UNWEIGHTED: Writable = Writable::new(without_provenance_mut(abi::MPI_UNWEIGHTED));
    MPIR_C_MPI_WEIGHTS_EMPTY: Writable =
        Writable::new(without_provenance_mut(abi::MPI_WEIGHTS_EMPTY));
}

/// Sets the two pointers to C's values, because a Fortran library may define them again as null.
extern "C" fn fill_weights() {
    for (place, value) in [
        (&MPIR_C_MPI_UNWEIGHTED, abi::MPI_UNWEIGHTED),
        (&MPIR_C_MPI_WEIGHTS_EMPTY, abi::MPI_WEIGHTS_EMPTY),
    ] {
        // SAFETY: the dynamic linker calls this before any function of the library, in one thread.
        unsafe { place.set(without_provenance_mut(value)) };
    }
}

/// The function that the dynamic linker calls when it has loaded the library.
#[used]
// SAFETY: the section is a list of functions without results, which may take no arguments.
#[unsafe(link_section = ".init_array")]
static FILL_WEIGHTS: extern "C" fn() = fill_weights;

/// Converts between C's, Fortran's and Fortran 2008's status, which are five integers each.
pub fn copy_status(from: In<'_, AnyStatus>, to: Out<'_, AnyStatus>) -> Outcome {
    nemesis_capi::fortran::copy_status(from, to, is_ignored)
}

/// A status whose fields may be uninitialised. A copy cares for none of them.
pub type AnyStatus = MaybeUninit<Status>;

/// Whether an address is one by which C, Fortran or Fortran 2008 ignores a status.
fn is_ignored(status: usize) -> bool {
    let ignored = [
        &MPI_F_STATUS_IGNORE,
        &MPI_F_STATUSES_IGNORE,
        &MPI_F08_STATUS_IGNORE,
        &MPI_F08_STATUSES_IGNORE,
    ];
    status == 1 || ignored.iter().any(|place| place.get().addr() == status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignored_statuses_are_not_converted() {
        let mut place = MaybeUninit::uninit();
        for ignored in [
            MPI_F08_STATUS_IGNORE.get(),
            MPI_F08_STATUSES_IGNORE.get(),
            MPI_F_STATUS_IGNORE.get(),
            std::ptr::null_mut(),
        ] {
            // SAFETY: an ignored status is recognised and not read.
            let (from, to) = unsafe { (In::new(ignored.cast()), Out::new(ignored.cast())) };
            assert!(copy_status(from, Out::from(&mut place)).is_err());
            assert!(copy_status(In::from(&place), to).is_err());
        }
    }
}
