//! What distinguishes the standard ABI from MPICH's.

use crate::c::{File, Handle};
use crate::kind::FILE;
use crate::known;
use crate::known_objects::object;
use crate::known_objects::{Ignored, Known};
use std::ffi::{CStr, c_int, c_void};

/// The name of the library, for messages.
pub const LIBRARY: &str = "libmpifort_abi.so.1";

/// The number of integers of a status.
pub const STATUS_INTEGERS: usize = 8;

// Copies of array sections, by a function of `libmpi_abi.so.1` that is no part of MPI.
unsafe extern "C" {
    /// Lets an operation use copies of the program's buffers. The function gets the copies and what
    /// to do: 0 to fill them, 1 to return the results, 2 to release them.
    pub fn nemesis_fortran_keep_copies(
        request: *mut Handle,
        function: unsafe extern "C" fn(*mut c_void, c_int),
        copies: *mut c_void,
    ) -> c_int;
}

pub use crate::beside_mpi::{create_keyval, get_attr, request_left, set_attr};
pub use crate::c::{
    PMPI_Comm_create_errhandler as comm_create_errhandler,
    PMPI_File_create_errhandler as file_create_errhandler, PMPI_Op_create as op_create,
    PMPI_Op_create_c as op_create_c, PMPI_Session_create_errhandler as session_create_errhandler,
    PMPI_Win_create_errhandler as win_create_errhandler,
};
pub use nemesis_fortran_keep_copies as keep_copies;

/// Exports a large-count procedure of `mpi_f08` under the names of the MPI standard, which come
/// first. The others are MPICH's.
#[macro_export]
macro_rules! exports_large {
    ($function:path: $($name:ident)*; $($mpich:ident)*) => {
        $crate::exports!($function: $($name)*);
    };
}

/// Exports a procedure of `mpi_f08` under the names that come first. The others are Open MPI's.
#[macro_export]
macro_rules! exports_f08 {
    ($function:path: $($name:ident)*; $plain:path: $($openmpi:ident)*) => {
        $crate::exports!($function: $($name)*);
    };
}

known! {
    nemesis_f08_bottom: c_int = 0;
    nemesis_f08_in_place: c_int = 0;
    nemesis_f08_buffer_automatic: c_int = 0;
    nemesis_f08_status_ignore: [c_int; 8] = [0; 8];
    nemesis_f08_statuses_ignore: [c_int; 8] = [0; 8];
    nemesis_f08_errcodes_ignore: c_int = 0;
    nemesis_f08_argv_null: u8 = b' ';
    nemesis_f08_argvs_null: u8 = b' ';
    nemesis_f08_unweighted: c_int = 0;
    nemesis_f08_weights_empty: c_int = 0;
}

/// The constants of `mpi_f08` that are known by their addresses.
pub const F08_CONSTANTS: [(&CStr, Ignored); 10] = [
    (c"nemesis_f08_bottom", Ignored::Bottom),
    (c"nemesis_f08_in_place", Ignored::InPlace),
    (c"nemesis_f08_status_ignore", Ignored::Statuses),
    (c"nemesis_f08_statuses_ignore", Ignored::Statuses),
    (c"nemesis_f08_errcodes_ignore", Ignored::Errcodes),
    (c"nemesis_f08_argv_null", Ignored::Argv),
    (c"nemesis_f08_argvs_null", Ignored::Argv),
    (c"nemesis_f08_unweighted", Ignored::Unweighted),
    (c"nemesis_f08_weights_empty", Ignored::WeightsEmpty),
    (c"nemesis_f08_buffer_automatic", Ignored::Automatic),
];

/// The conversion functions by which a program says that data needs no conversion.
pub const NULL_CONVERSIONS: [&CStr; 2] = [c"mpi_conversion_fn_null_", c"mpi_conversion_fn_null_c_"];

/// The pointers of the C library to the ignored statuses: COMMON blocks and offsets, and variables.
const IGNORED_STATUSES: [(&CStr, &CStr, usize); 4] = [
    (c"MPI_F_STATUS_IGNORE", c"mpipriv1_", 8),
    (c"MPI_F_STATUSES_IGNORE", c"mpipriv2_", 0),
    (c"MPI_F08_STATUS_IGNORE", c"nemesis_f08_status_ignore", 0),
    (c"MPI_F08_STATUSES_IGNORE", c"nemesis_f08_statuses_ignore", 0),
];

/// Tells the C library the addresses of Fortran's ignored statuses.
pub fn loaded() {
    for (pointer, block, offset) in IGNORED_STATUSES {
        let (pointer, block) = (object(pointer).cast::<*mut c_void>(), object(block));
        if !pointer.is_null() && !block.is_null() {
            // SAFETY: the C library has a writable pointer of this name.
            unsafe { *pointer = block.byte_add(offset) };
        }
    }
}

/// Returns the handle with this number.
#[inline]
pub fn handle<const KIND: c_int>(number: c_int) -> Handle {
    number as u32 as Handle
}

/// Returns the number of a handle.
#[inline]
pub fn number(handle: Handle) -> c_int {
    handle as c_int
}

/// Reads a handle of a file.
///
/// # Safety
/// `place` points to an INTEGER.
pub unsafe fn file(place: *const c_int) -> File {
    // SAFETY: the caller's promise.
    handle::<FILE>(unsafe { *place })
}

/// Writes a handle of a file.
///
/// # Safety
/// `place` points to an INTEGER.
pub unsafe fn give_file(place: *mut c_int, file: File) {
    // SAFETY: the caller's promise.
    unsafe { *place = file as c_int };
}
