//! Reductions that pass through levels, by predefined operators. These are commutative, so the
//! partial results of nodes may be reduced in any order.
//!
//! The order within a node depends on the ranks and nodes of the communicator only: all members of
//! a group are reduced in one order ([`Order`](crate::shm::Order)), and the groups depend on the
//! number of members alone. On a single node it is that of messages, so that blocking and
//! non-blocking operations give equal bits.

use super::between;
use crate::blocks::Shares;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::operator::{Reduction, kernel};
use crate::schedule::Schedule;
use crate::shm::Nodes;
use crate::{Steps, scratch};
use nemesis_datatype::Buffer;

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
    let Some(kernel) = kernel(reduction.operator, own) else { return Ok(()) };
    let leader = nodes.leader_position(Some(root));
    if !nodes.is_leader(Some(root)) {
        return nodes.levels().combine(mpi, (own, None), &kernel, leader);
    }
    let value = result.cloned().map_or_else(|| scratch(own.count(), own.datatype()), Ok);
    let place = value.as_ref().ok();
    let combined = nodes.levels().combine(mpi, (own, place), &kernel, leader);
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
    let Some(kernel) = kernel(reduction.operator, own) else { return Ok(()) };
    let speaks = nodes.is_leader(None);
    let value = speaks.then_some(result);
    let combined = nodes.levels().combine(mpi, (own, value), &kernel, 0);
    let mut crossed = combined.clone();
    if speaks {
        crossed = between(nodes, mpi, whole, None, &combined, between_leaders);
        crossed = combined.and(crossed);
    }
    nodes.levels().spread(mpi, result, 0, crossed)
}

/// Performs `MPI_Reduce_scatter` on one node. `result` takes this process's part and may overlap
/// `own`.
pub fn reduce_scatter(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    (own, shares, result): (&Buffer, &Shares, &Buffer),
    reduction: Reduction,
) -> Outcome {
    let Some(kernel) = kernel(reduction.operator, own) else { return Ok(()) };
    let offsets = nodes.offsets(|member| shares.of(member).len() * kernel.element_bytes());
    if !nodes.is_leader(None) {
        let combined = nodes.levels().combine(mpi, (own, None), &kernel, 0);
        return nodes.levels().deal(mpi, (None, Some(result)), &offsets, 0, combined);
    }
    let value = scratch(own.count(), own.datatype());
    let mut combined = nodes.levels().combine(mpi, (own, value.as_ref().ok()), &kernel, 0);
    let value = value.unwrap_or_else(|error| {
        combined = Err(error);
        own.clone()
    });
    // As bytes: parts are counted in bytes.
    let value = value.flattened().unwrap_or(value);
    nodes.levels().deal(mpi, (Some(&value), Some(result)), &offsets, 0, combined)
}
