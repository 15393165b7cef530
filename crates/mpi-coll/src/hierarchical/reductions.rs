//! Reductions that pass through levels, by predefined operators. These are commutative, so the
//! partial results of nodes may be reduced in any order; but all members of a group are reduced in
//! the order of their ranks, and the groups depend on the number of members alone, so that results
//! do not depend on how processes are bound.

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

/// Performs `MPI_Reduce_scatter`. `result` takes this process's part and may overlap `own`.
/// `between_leaders` reduces the values of nodes by messages, so that each leader gets the part of
/// its node.
pub fn reduce_scatter(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (own, shares, result): (&Buffer, &Shares, &Buffer),
    reduction: Reduction,
    between_leaders: impl FnOnce(&mut Steps<'_>, &Buffer, &Shares, &Buffer) -> Outcome,
) -> Outcome {
    let Some(kernel) = kernel(reduction.operator, own) else { return Ok(()) };
    let ranks = nodes.indices_of(nodes.node());
    let first = ranks.start;
    let offsets = nodes.offsets(|member| shares.of(first + member).len() * kernel.element_bytes());
    let speaks = nodes.is_leader(None);
    if !speaks {
        let combined = nodes.levels().combine(mpi, (own, None), &kernel, 0);
        return nodes.levels().deal(mpi, (None, Some(result)), &offsets, 0, combined);
    }
    let value = scratch(own.count(), own.datatype());
    let place = value.as_ref().ok();
    let mut combined = nodes.levels().combine(mpi, (own, place), &kernel, 0);
    let value = value.unwrap_or_else(|error| {
        combined = Err(error);
        own.clone()
    });
    let (begin, end) = (shares.of(first).start, shares.of(ranks.end - 1).end);
    let mut part = value.part(begin, end - begin);
    if nodes.hierarchy().nodes > 1 {
        let ends = (0..nodes.hierarchy().nodes)
            .map(|node| shares.of(nodes.indices_of(node).end - 1).end)
            .collect();
        part = scratch(end - begin, own.datatype()).unwrap_or_else(|error| {
            combined = Err(error);
            part.clone()
        });
        let crossed = between(nodes, mpi, whole, None, &combined, |steps| {
            between_leaders(steps, &value, &Shares::Ends(ends), &part)
        });
        combined = combined.and(crossed);
    }
    // As bytes: parts are counted in bytes.
    let part = part.flattened().unwrap_or(part);
    nodes.levels().deal(mpi, (Some(&part), Some(result)), &offsets, 0, combined)
}

/// Performs `MPI_Scan`, or `MPI_Exscan` unless `inclusive`. `between_leaders` performs an exscan of
/// the values of nodes by messages; at the first node it writes nothing.
pub fn scan(
    nodes: &mut Nodes,
    mpi: &mut Mpi,
    whole: &Schedule,
    (own, result): (&Buffer, &Buffer),
    (reduction, inclusive): (Reduction, bool),
    between_leaders: impl FnOnce(&mut Steps<'_>, &Buffer, &Buffer) -> Outcome,
) -> Outcome {
    let Some(kernel) = kernel(reduction.operator, own) else { return Ok(()) };
    let several = nodes.hierarchy().nodes > 1;
    let follows = nodes.node() > 0;
    let leaders = (nodes.leaders(None), nodes.node());
    nodes.levels().scan(
        mpi,
        (own, result),
        (&kernel, inclusive),
        (several, follows),
        |mpi, total, able| {
            let before = scratch(total.count(), total.datatype());
            let able = able.clone().and(before.as_ref().map(drop).map_err(Clone::clone));
            let before = before.unwrap_or_else(|_| total.clone());
            crate::messages::perform_among(mpi, whole, (&leaders.0, leaders.1), &able, |steps| {
                between_leaders(steps, total, &before)
            })?;
            able.map(|()| before)
        },
    )
}
