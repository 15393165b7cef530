//! How many entries the arrays of a collective operation have.

use crate::c;
use crate::kind::COMM;
use crate::types::{Fint, Handle, handle};
use std::ffi::c_int;

/// Returns the number of processes that a process exchanges data with in a collective operation:
/// those of the communicator, or of its remote group. Zero for no communicator, which the C library
/// refuses.
///
/// # Safety
/// `comm` points to a handle.
pub unsafe fn members(comm: *const Fint) -> i64 {
    // SAFETY: the caller's promise; the places are local variables.
    unsafe {
        let comm = handle::<COMM>(comm);
        let (mut inter, mut size) = (0, 0);
        if comm == c::MPI_COMM_NULL || c::PMPI_Comm_test_inter(comm, &mut inter) != 0 {
            return 0;
        }
        let code = match inter {
            0 => c::PMPI_Comm_size(comm, &mut size),
            _ => c::PMPI_Comm_remote_size(comm, &mut size),
        };
        if code == 0 { size.into() } else { 0 }
    }
}

/// Returns the numbers of neighbours from which data comes and to which data goes.
unsafe fn neighbours(comm: Handle) -> (c_int, c_int) {
    let (mut kind, mut into, mut out, mut rank) = (0, 0, 0, 0);
    // SAFETY: the places are local variables.
    unsafe {
        if comm == c::MPI_COMM_NULL || c::PMPI_Topo_test(comm, &mut kind) != 0 {
            return (0, 0);
        }
        match kind {
            c::MPI_CART => {
                c::PMPI_Cartdim_get(comm, &mut into);
                (2 * into, 2 * into)
            }
            c::MPI_GRAPH => {
                c::PMPI_Comm_rank(comm, &mut rank);
                c::PMPI_Graph_neighbors_count(comm, rank, &mut into);
                (into, into)
            }
            c::MPI_DIST_GRAPH => {
                c::PMPI_Dist_graph_neighbors_count(comm, &mut into, &mut out, &mut kind);
                (into, out)
            }
            _ => (0, 0),
        }
    }
}

/// Returns the number of neighbours from which data comes.
///
/// # Safety
/// `comm` points to a handle.
pub unsafe fn sources(comm: *const Fint) -> i64 {
    // SAFETY: the caller's promise.
    unsafe { neighbours(handle::<COMM>(comm)).0.into() }
}

/// Returns the number of neighbours to which data goes.
///
/// # Safety
/// `comm` points to a handle.
pub unsafe fn destinations(comm: *const Fint) -> i64 {
    // SAFETY: the caller's promise.
    unsafe { neighbours(handle::<COMM>(comm)).1.into() }
}
