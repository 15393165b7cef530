//! `MPI_Scan` and `MPI_Exscan` (MPI 5.0 §6.11).
//!
//! Recursive doubling (Hillis and Steele 1986): in the round with distance d every rank sends its
//! value, which covers the d ranks up to its own, to the rank d ahead, and reduces from the left
//! what it receives from the rank d behind. After log2(size) rounds the value covers all ranks up
//! to its own. Every step reduces neighbouring runs of ranks in their order.

use super::operator::Reduction;
use super::selection::DataPath;
use super::shm::Results;
use super::{Steps, scratch};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// Performs a scan. `own` is this process's contribution; `result` may be the memory of `own`.
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

/// Performs an exscan: a scan without this process's own contribution. Rank 0's result is not
/// written.
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

/// Performs a scan or an exscan in a collective segment, if the processes use one.
fn at_coll_segment(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
    inclusive: bool,
) -> Option<Outcome> {
    let (node_comm, mpi, kernel) = steps.reducing_node_comm(reduction, own)?;
    match node_comm.site().scan(own.bytes()) {
        DataPath::Staged => Some(node_comm.scan(mpi, own, result, &kernel, inclusive)),
        DataPath::SingleCopy => {
            let results = if inclusive { Results::Prefixes } else { Results::PrefixesBefore };
            Some(node_comm.reduce_direct(mpi, own, Some(result), &kernel, results))
        }
        DataPath::Pipelined => Some(node_comm.scan_pipelined(mpi, own, result, &kernel, inclusive)),
        DataPath::AgreedMessages => node_comm.agree(mpi, own.bytes()).err().map(Err),
        DataPath::Messages => None,
    }
}

/// Performs the rounds: `value` grows, contributions arrive in `received`, and `see` is called with
/// each.
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
