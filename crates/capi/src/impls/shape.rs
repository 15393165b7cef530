//! Lengths and meanings of arrays that depend on an object, for the bindings of MPICH's ABI, which
//! convert these arrays.
//!
//! An invalid handle gives 0 or nothing: the function that is called next explains the error.

use nemesis_datatype::Combiner;
use nemesis_mpi::enter;
use nemesis_mpi::handle::{Comm, Datatype};
use nemesis_mpi::topology::Neighbourhood;
use std::ops::Range;
use std::sync::Arc;

/// The number of processes that a collective call has arguments for: those of the remote group in
/// an intercommunicator.
pub fn peers(comm: Comm) -> i64 {
    enter().ok().and_then(|mpi| mpi.comm(comm).ok().map(|comm| comm.peers() as i64)).unwrap_or(0)
}

/// The number of edges that end at this process, for the arrays of a neighbourhood collective.
pub fn indegree(comm: Comm) -> i64 {
    neighbourhood(comm).map_or(0, |neighbours| i64::from(neighbours.indegree))
}

/// The number of edges that begin at this process.
pub fn outdegree(comm: Comm) -> i64 {
    neighbourhood(comm).map_or(0, |neighbours| i64::from(neighbours.outdegree))
}

fn neighbourhood(comm: Comm) -> Option<Arc<Neighbourhood>> {
    enter().ok()?.comm(comm).ok()?.neighbourhood().ok()
}

/// The number of dimensions of a grid.
pub fn ndims(comm: Comm) -> i64 {
    enter()
        .ok()
        .and_then(|mpi| Some(mpi.comm(comm).ok()?.cart().ok()?.dimensions.len() as i64))
        .unwrap_or(0)
}

/// The indices of the integers of `MPI_Type_get_contents` that are named values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedIntegers {
    /// `MPI_DISTRIBUTE_…`
    pub distributions: Range<usize>,
    /// `MPI_DISTRIBUTE_DFLT_DARG` or numbers.
    pub arguments: Range<usize>,
    /// `MPI_ORDER_…`
    pub order: Option<usize>,
}

/// The number of integers in the contents of a datatype that has named ones.
pub fn named_integers_end(datatype: Datatype) -> i64 {
    named_integers(datatype).order.map_or(0, |order| order as i64 + 1)
}

pub fn named_integers(datatype: Datatype) -> NamedIntegers {
    let Ok(mpi) = enter() else { return NamedIntegers::default() };
    let Some(contents) = mpi.types.get(datatype).ok().and_then(|datatype| datatype.contents())
    else {
        return NamedIntegers::default();
    };
    let order = contents.integers.len().checked_sub(1);
    match contents.combiner {
        Combiner::Subarray => NamedIntegers { order, ..NamedIntegers::default() },
        // size, rank, ndims, gsizes (not in the large-count form), distribs, dargs, psizes, order
        Combiner::Darray => {
            let dimensions = contents.integers[2] as usize;
            let first = if contents.large_counts.is_empty() { 3 + dimensions } else { 3 };
            NamedIntegers {
                distributions: first..first + dimensions,
                arguments: first + dimensions..first + 2 * dimensions,
                order,
            }
        }
        _ => NamedIntegers::default(),
    }
}
