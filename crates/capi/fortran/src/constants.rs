// generated from api/ by cargo xtask generate; do not edit
//! The handles and the constants of the C library.

use std::ffi::c_int;

/// A handle. Its low 32 bits are the handle in Fortran (`MPI_Comm_toint`).
pub type Handle = usize;
/// A handle of a file.
pub type File = usize;

pub const MPI_BOTTOM: usize = 0;
pub const MPI_IN_PLACE: usize = 1;
pub const MPI_BUFFER_AUTOMATIC: usize = 2;
pub const MPI_UNWEIGHTED: usize = 10;
pub const MPI_WEIGHTS_EMPTY: usize = 11;
pub const MPI_UNDEFINED: c_int = -32766;
pub const MPI_COMM_NULL: Handle = 256;
pub const MPI_COMM_SELF: Handle = 258;
pub const MPI_DATATYPE_NULL: Handle = 512;
pub const MPI_INFO_NULL: Handle = 304;
pub const MPI_PACKED: Handle = 519;
pub const MPI_ERR_BUFFER: c_int = 1;
pub const MPI_CART: c_int = 211;
pub const MPI_GRAPH: c_int = 212;
pub const MPI_DIST_GRAPH: c_int = 213;
pub const MPI_COMBINER_NAMED: c_int = 101;
pub const MPI_REQUEST_NULL: Handle = 384;
pub const MPI_STATUS_IGNORE: usize = 0;
