// generated from api/ by cargo xtask generate; do not edit
//! The handles and the constants of the C library.

use std::ffi::c_int;

/// A handle, which has a number of its kind in Fortran.
pub type Handle = *mut std::ffi::c_void;
/// A handle of a file.
pub type File = Handle;

pub const MPI_BOTTOM: usize = 0;
pub const MPI_IN_PLACE: usize = 1;
pub const MPI_BUFFER_AUTOMATIC: usize = 4;
pub const MPI_UNWEIGHTED: usize = 2;
pub const MPI_WEIGHTS_EMPTY: usize = 3;
pub const MPI_UNDEFINED: c_int = -32766;
pub const MPI_COMM_NULL: Handle = (&raw const ompi_mpi_comm_null).cast_mut();
pub const MPI_INFO_NULL: Handle = (&raw const ompi_mpi_info_null).cast_mut();
pub const MPI_CART: c_int = 1;
pub const MPI_GRAPH: c_int = 2;
pub const MPI_DIST_GRAPH: c_int = 3;
pub const MPI_STATUS_IGNORE: usize = 0;

// The predefined objects of the C library.
unsafe extern "C" {
    static ompi_mpi_comm_null: std::ffi::c_void;
    static ompi_mpi_info_null: std::ffi::c_void;
}
