//! What distinguishes the standard ABI from MPICH's.

use crate::c::{File, Handle};
use std::ffi::{c_int, c_void};

/// The number of integers of a status.
pub const STATUS_INTEGERS: usize = 8;

// Attributes that Fortran sets and reads, and keys whose functions are subroutines: functions of
// `libmpi_abi.so.1` that are no part of MPI.
unsafe extern "C" {
    pub fn nemesis_fortran_create_keyval(
        kind: c_int,
        is_short: c_int,
        copy: *mut c_void,
        delete: *mut c_void,
        keyval: *mut c_int,
        extra: isize,
    ) -> c_int;
    pub fn nemesis_fortran_get_attr(
        kind: c_int,
        object: Handle,
        keyval: c_int,
        value: *mut isize,
        flag: *mut c_int,
    ) -> c_int;
    pub fn nemesis_fortran_set_attr(
        kind: c_int,
        is_short: c_int,
        object: Handle,
        keyval: c_int,
        value: isize,
    ) -> c_int;
}

pub use nemesis_fortran_create_keyval as create_keyval;
pub use nemesis_fortran_get_attr as get_attr;
pub use nemesis_fortran_set_attr as set_attr;

/// The library serves `mpi_f08`.
#[macro_export]
macro_rules! abi_exports_f08 {
    ($function:path: $($name:ident)*) => { $crate::exports!($function: $($name)*); };
}

/// What else happens when the library is loaded: nothing.
pub fn loaded() {}

/// Returns the handle with this number.
pub fn handle(number: c_int) -> Handle {
    number as u32 as Handle
}

/// Reads a handle of a file.
///
/// # Safety
/// `place` points to an INTEGER.
pub unsafe fn file(place: *const c_int) -> File {
    // SAFETY: the caller's promise.
    handle(unsafe { *place })
}

/// Writes a handle of a file.
///
/// # Safety
/// `place` points to an INTEGER.
pub unsafe fn give_file(place: *mut c_int, file: File) {
    // SAFETY: the caller's promise.
    unsafe { *place = file as c_int };
}
