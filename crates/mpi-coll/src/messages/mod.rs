//! Algorithms that send messages, one file each. They serve processes of any nodes, and in a
//! communicator of several nodes the leaders of the nodes.
//!
//! | module | algorithm | data |
//! |---|---|---|
//! | `barrier_dissemination` | dissemination barriers | none |
//! | `bcast_tree` | binomial tree | short |
//! | `bcast_trees` | two binary trees, in chunks | long |
//! | `reduce_tree` | binomial tree | short |
//! | `allreduce_doubling` | recursive doubling | short |
//! | `allreduce_multiplying` | recursive multiplying by four | very short |
//! | `halving` | reduce, allreduce: recursive halving | long |
//! | `circulant` | the same and reduce_scatter, for any number of processes | long |
//! | `reduce_scatter_doubling` | recursive doubling | short |
//! | `reduce_scatter_pairwise` | pairwise exchange | long |
//! | `allgather_doubling`, `allgather_bruck` | log2(n) rounds | short |
//! | `allgather_neighbour` | neighbour exchange | long |
//! | `allgather_ring` | ring | long |
//! | `alltoall_bruck` | log2(n) rounds | very short |
//!
//! Those of gather, scatter and scan, and the pairwise alltoall, lie in the files of the
//! operations.

pub mod allgather_bruck;
pub mod allgather_doubling;
pub mod allgather_neighbour;
pub mod allgather_ring;
pub mod allreduce_doubling;
pub mod allreduce_multiplying;
pub mod alltoall_bruck;
pub mod barrier_dissemination;
pub mod bcast_tree;
pub mod bcast_trees;
pub mod circulant;
pub mod halving;
pub mod reduce_scatter_doubling;
pub mod reduce_scatter_pairwise;
pub mod reduce_tree;
#[cfg(test)]
mod tests;

use crate::engine::Mpi;
use crate::error::Outcome;
use crate::peer_failure;
use crate::schedule::Schedule;
use crate::shm::{ShmMembers, Subset};
use crate::steps::Steps;

/// Performs the messages of an operation among some of its processes, of which this one has index
/// `me`. If this process is not `able` to do its part, its messages tell the others so.
pub(crate) fn perform_among(
    mpi: &mut Mpi,
    whole: &Schedule,
    (subset, me): (&Subset, u32),
    able: &Outcome,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    let mut schedule = whole.among(subset, me);
    if able.is_err() {
        schedule.fail(peer_failure::has_failed(subset.processes[me as usize]));
    }
    let mut steps = Steps::performed(&mut schedule, mpi, ShmMembers::None);
    let built = build(&mut steps);
    steps.wait();
    built?;
    schedule.take_error().map_or(Ok(()), Err)
}
