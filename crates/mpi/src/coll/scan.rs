//! `MPI_Scan` and `MPI_Exscan` (MPI 5.0 §6.11).
//!
//! Recursive doubling (Hillis and Steele 1986): in the round with distance d every rank hands its value, which covers the d ranks up to its
//! own, to the rank d ahead, and joins from the left what comes from d behind. After log2(size) rounds the value covers all ranks up to
//! its own. Joins are always of neighbouring runs of ranks, in their order.

use super::operand::Reduction;
use super::selection::Way;
use super::shm::{self, Results};
use super::{Steps, scratch};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// `own` is this process's contribution; `result` may be the same memory.
pub fn scan(steps: &mut Steps<'_>, own: &Buffer, result: &Buffer, reduction: Reduction) -> Outcome {
    if own.bytes() == 0 {
        return Ok(());
    }
    if let Some(done) = at_coll_segment(steps, own, result, reduction, true) {
        return done;
    }
    if own.address() != result.address() {
        steps.copy(own, result);
    }
    if steps.size > 1 {
        let received = scratch(own.count(), own.datatype())?;
        rounds(steps, result, &received, reduction, |_, _| {});
    }
    Ok(())
}

/// What is left of one that has begun in short.
pub fn scan_begun(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let (node_comm, mpi) = steps.begun();
    node_comm.scan_begun(mpi, result, &shm::fold_of_short(reduction.operator, own))
}

/// The same as `scan` without this process's own contribution; rank 0's result is left alone.
pub fn exscan(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    if own.bytes() == 0 || steps.size == 1 {
        return Ok(());
    }
    if let Some(done) = at_coll_segment(steps, own, result, reduction, false) {
        return done;
    }
    let value = scratch(own.count(), own.datatype())?;
    let received = scratch(own.count(), own.datatype())?;
    steps.copy(own, &value);
    rounds(steps, &value, &received, reduction, |steps, distance| match distance {
        1 => steps.copy(&received, result),
        _ => steps.reduce(reduction.operator, &received, result),
    });
    Ok(())
}

/// Either of them where the processes meet at a board, if they do.
fn at_coll_segment(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
    inclusive: bool,
) -> Option<Outcome> {
    let (node_comm, mpi) = steps.node_comm()?;
    let kernel = shm::kernel(reduction.operator, own)?;
    match node_comm.site().scan(own.bytes()) {
        Way::Rooms => Some(node_comm.scan(mpi, own, result, &kernel, inclusive)),
        Way::Direct => {
            let results = if inclusive { Results::Prefixes } else { Results::PrefixesBefore };
            Some(node_comm.reduce_direct(mpi, own, Some(result), &kernel, results))
        }
        Way::Pieces => Some(node_comm.scan_in_pieces(mpi, own, result, &kernel, inclusive)),
        Way::Agreed => node_comm.agree(mpi, own.bytes()).err().map(Err),
        Way::Messages => None,
    }
}

/// The rounds: `value` grows, contributions come into `received`, and `see` is told of each.
fn rounds(
    steps: &mut Steps<'_>,
    value: &Buffer,
    received: &Buffer,
    reduction: Reduction,
    mut see: impl FnMut(&mut Steps<'_>, u32),
) {
    let (rank, size) = (steps.rank, steps.size);
    let mut distance = 1;
    while distance < size {
        if rank + distance < size {
            steps.send(rank + distance, value);
        }
        if rank >= distance {
            steps.receive(rank - distance, received);
            steps.wait();
            see(steps, distance);
            steps.reduce(reduction.operator, received, value);
        } else {
            steps.wait();
        }
        distance *= 2;
    }
}
