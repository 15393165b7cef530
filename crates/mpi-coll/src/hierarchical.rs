//! Communicators of several nodes: the members of a node use a collective segment, and one process
//! of each node, its *leader*, exchanges messages with the other leaders.
//!
//! ```text
//!   node 0            node 1
//!   0  1  2  3        4  5  6  7
//!   └──┴──┴──┤ segment└──┴──┴──┤     reduce to the leader
//!            0 ════════════════4     messages between leaders
//!   ┌──┬──┬──┤        ┌──┬──┬──┤     from the leader to all
//! ```
//!
//! Each byte so crosses the network once for a node instead of once for a process. The leader of a
//! node is the operation's root if it is on the node, otherwise the node's first member. This file
//! implements barrier, bcast, reduce and allreduce with predefined operators. These are
//! commutative, so the partial results of nodes may be reduced in any order. A leader that cannot
//! reach another tells the members of its node.

use crate::engine::Mpi;
use crate::error::Outcome;
use crate::operator::Reduction;
use crate::schedule::Schedule;
use crate::shm::Nodes;
use crate::{Steps, messages, scratch};
use nemesis_datatype::Buffer;

/// Performs the messages between the leaders, of which this process is one. If the members of its
/// node could not reduce their contributions, its messages tell the other leaders so.
fn between(
    nodes: &Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    root: Option<u32>,
    combined: &Outcome,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    messages::perform_among(mpi, whole, (&nodes.leaders(root), nodes.node()), combined, build)
}

/// Performs `MPI_Barrier`.
pub fn barrier(nodes: &mut Nodes, mpi: &mut Mpi, whole: &Schedule) -> Outcome {
    nodes.arrive(mpi);
    let crossed = if nodes.is_leader(None) {
        between(nodes, mpi, whole, None, &Ok(()), messages::barrier)
    } else {
        Ok(())
    };
    nodes.release(mpi, crossed)
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
    let leader = nodes.leader(Some(root));
    nodes.spread(mpi, buffer, leader, crossed)
}

/// Performs `MPI_Reduce`. `result`, at the root only, may be the memory of `own`. `between_leaders`
/// reduces the values of nodes by messages at the leader with the index that it gets.
pub fn reduce(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (own, result): (&Buffer, Option<&Buffer>),
    (reduction, root): (Reduction, u32),
    between_leaders: impl FnOnce(&mut Steps<'_>, &Buffer, u32) -> Outcome,
) -> Outcome {
    let leader = nodes.leader(Some(root));
    if !nodes.is_leader(Some(root)) {
        return nodes.combine(mpi, own, None, reduction, leader);
    }
    let value = result.cloned().map_or_else(|| scratch(own.count(), own.datatype()), Ok);
    let combined = nodes.combine(mpi, own, value.as_ref().ok(), reduction, leader);
    let combined = value.as_ref().map_or_else(|error| Err(error.clone()), |_| combined);
    let (node, value) = (nodes.node_of(root), value.as_ref().unwrap_or(own));
    let crossed = between(nodes, mpi, whole, Some(root), &combined, |steps| {
        between_leaders(steps, value, node)
    });
    combined.and(crossed)
}

/// Performs `MPI_Allreduce`. `result` may be the memory of `own`. `between_leaders` reduces the
/// values of nodes, which lie there, by messages.
pub fn allreduce(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (own, result): (&Buffer, &Buffer),
    reduction: Reduction,
    between_leaders: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    let speaks = nodes.is_leader(None);
    let combined = nodes.combine(mpi, own, speaks.then_some(result), reduction, 0);
    let mut crossed = Ok(());
    if speaks {
        crossed = between(nodes, mpi, whole, None, &combined, between_leaders);
        crossed = combined.and(crossed);
    }
    nodes.spread(mpi, result, 0, crossed)
}
