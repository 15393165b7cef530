//! Operations that pass through levels: the members of a node use collective segments, level by
//! level (`shm::levels`), and one process of each node, its *leader*, exchanges messages with the
//! other leaders.
//!
//! ```text
//!   node 0            node 1
//!   0  1  2  3        4  5  6  7
//!   └──┴──┴──┤ segment└──┴──┴──┤     to the leader
//!            0 ════════════════4     messages between leaders
//!   ┌──┬──┬──┤        ┌──┬──┬──┤     from the leader to all
//! ```
//!
//! Each byte so crosses the network once for a node instead of once for a process. The leader of a
//! node is the operation's root if it is on the node, otherwise the node's first member. A leader
//! that cannot reach another tells the members of its node.
//!
//! | module | operations |
//! |---|---|
//! | this one | barrier, bcast |
//! | `data` | gather, scatter, allgather, alltoall |
//! | `reductions` | reduce, allreduce, reduce_scatter |

mod data;
mod reductions;

pub use data::{allgather, alltoall, gather, scatter};
pub use reductions::{allreduce, reduce, reduce_scatter};

use crate::engine::Mpi;
use crate::error::Outcome;
use crate::rows::{Case, Lengths};
use crate::schedule::Schedule;
use crate::shm::{Hierarchy, Nodes};
use crate::{Steps, messages, mismatch};
use nemesis_datatype::Buffer;

/// Bytes of a vector up to which the members of a single node pass it through levels. Longer data
/// would pass each level in several steps; messages take one copy by the kernel for each byte.
const NODE_VECTOR_MAX_BYTES: usize = 16 << 10;

/// Returns the lengths of vectors that pass through levels. Between nodes, levels save copies of
/// all lengths.
pub fn vectors(case: &Case) -> Lengths {
    match case.hierarchy() {
        Some(Hierarchy { nodes: 1, .. }) => Lengths::to(NODE_VECTOR_MAX_BYTES),
        _ => Lengths::ALL,
    }
}

/// Bytes of a vector up to which a reduction between nodes goes by levels. Of a longer one each
/// process reduces a part, where one leader would reduce for all of its node. Results depend on it,
/// so it is modelled, not measured ([decision
/// 0079](../../../docs/decisions/0079-long-data-between-nodes.md)).
const REDUCED_BY_LEADERS_MAX_BYTES: usize = 32 << 10;

/// Returns the lengths of vectors that are reduced through levels. If the ranks of a node do not
/// follow one another, the exchanges of all processes would cross the network in each round.
pub fn reduced(case: &Case) -> Lengths {
    match case.hierarchy() {
        Some(Hierarchy { nodes: 2.., in_blocks: true, .. }) if case.divisible => {
            Lengths::to(REDUCED_BY_LEADERS_MAX_BYTES)
        }
        _ => vectors(case),
    }
}

/// Performs the messages between the leaders, of which this process is one. If the members of its
/// node could not do their part, its messages tell the other leaders so. If the communicator is
/// broken, it sends none: the other leaders learn of the same. A single node has no messages.
fn between(
    nodes: &Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    root: Option<u32>,
    able: &Outcome,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    if nodes.hierarchy().nodes == 1 {
        return able.clone();
    }
    // The leader has not waited for the members of its node, or not to the end.
    if let Some(error) = mismatch::broken(mpi, whole.comm) {
        return Err(error);
    }
    messages::perform_among(mpi, whole, (&nodes.leaders(root), nodes.node()), able, |steps| {
        steps.are_apart();
        build(steps)
    })
}

/// Performs `MPI_Barrier`. `between_leaders` performs it by messages.
pub fn barrier(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    between_leaders: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    nodes.levels().arrive(mpi);
    let crossed = if nodes.is_leader(None) {
        between(nodes, mpi, whole, None, &Ok(()), between_leaders)
    } else {
        Ok(())
    };
    nodes.levels().release(mpi, crossed)
}

/// Performs `MPI_Bcast`. `between_leaders` performs it by messages from the leader with the index
/// that it gets.
pub fn bcast(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (buffer, root): (&Buffer, u32),
    between_leaders: impl FnOnce(&mut Steps<'_>, u32) -> Outcome,
) -> Outcome {
    let mut crossed = Ok(());
    if nodes.is_leader(Some(root)) {
        let node = nodes.node_of(root);
        crossed =
            between(nodes, mpi, whole, Some(root), &Ok(()), |steps| between_leaders(steps, node));
    }
    let leader = nodes.leader_position(Some(root));
    nodes.levels().spread(mpi, buffer, leader, crossed)
}
