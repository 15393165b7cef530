// generated from api/ by cargo xtask generate; do not edit
//! The handles and the constants of the C library.

use std::ffi::c_int;

/// A handle, which is the handle in Fortran.
pub type Handle = c_int;
/// A handle of a file, which has a number in Fortran (`MPI_File_c2f`).
pub type File = *mut std::ffi::c_void;

pub const MPI_BOTTOM: usize = 0;
pub const MPI_IN_PLACE: usize = 18446744073709551615;
pub const MPI_BUFFER_AUTOMATIC: usize = 18446744073709551614;
pub const MPI_UNWEIGHTED: usize = 10;
pub const MPI_WEIGHTS_EMPTY: usize = 11;
pub const MPI_UNDEFINED: c_int = -32766;
pub const MPI_COMM_NULL: Handle = 67108864;
pub const MPI_COMM_SELF: Handle = 1140850689;
pub const MPI_DATATYPE_NULL: Handle = 201326592;
pub const MPI_INFO_NULL: Handle = 469762048;
pub const MPI_PACKED: Handle = 1275068687;
pub const MPI_ERR_BUFFER: c_int = 1;
pub const MPI_CART: c_int = 2;
pub const MPI_GRAPH: c_int = 1;
pub const MPI_DIST_GRAPH: c_int = 3;
pub const MPI_COMBINER_NAMED: c_int = 1;
pub const MPI_REQUEST_NULL: Handle = 738197504;
pub const MPI_STATUS_IGNORE: usize = 1;
