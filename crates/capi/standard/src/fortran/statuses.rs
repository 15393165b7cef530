//! Conversions of statuses (MPI 5.0 §19.3.5), which the standard ABI does not have: `mpi.h` defines
//! them in each program. The library exports them for programs and tools that look for symbols.

use nemesis_capi::c_objects;
use nemesis_capi::fortran::Writable;
use nemesis_capi::params::{In, Out};
use nemesis_capi::types::Status;
use nemesis_mpi::error::Outcome;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

c_objects! {
    /// The address of Fortran's `MPI_STATUS_IGNORE`, which `libmpifort_abi.so.1` stores when it is
    /// loaded. Null, this ABI's own `MPI_STATUS_IGNORE`, without it.
    MPI_F_STATUS_IGNORE: Writable = Writable::new(null_mut());
    MPI_F_STATUSES_IGNORE: Writable = Writable::new(null_mut());
    MPI_F08_STATUS_IGNORE: Writable = Writable::new(null_mut());
    MPI_F08_STATUSES_IGNORE: Writable = Writable::new(null_mut());
}

/// Converts between C's, Fortran's and Fortran 2008's status, which are eight integers each.
pub fn copy_status(from: In<'_, AnyStatus>, to: Out<'_, AnyStatus>) -> Outcome {
    nemesis_capi::fortran::copy_status(from, to, is_ignored)
}

/// A status whose fields may be uninitialised. A copy cares for none of them.
pub type AnyStatus = MaybeUninit<Status>;

/// Whether an address is one by which Fortran ignores a status. C's is the null pointer.
fn is_ignored(status: usize) -> bool {
    let ignored = [
        &MPI_F_STATUS_IGNORE,
        &MPI_F_STATUSES_IGNORE,
        &MPI_F08_STATUS_IGNORE,
        &MPI_F08_STATUSES_IGNORE,
    ];
    ignored.iter().any(|place| place.get().addr() == status)
}
