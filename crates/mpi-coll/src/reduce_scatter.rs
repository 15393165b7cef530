//! `MPI_Reduce_scatter` and `MPI_Reduce_scatter_block` (MPI 5.0 §6.10).
//!
//! Short vectors: every process computes the whole vector by recursive doubling and keeps its
//! block. Long vectors: pairwise exchange; in each round a process receives one other process's
//! contribution to its block and reduces it. Contributions come in the order rank + 1, …, size - 1,
//! 0, …, rank - 1. For an operation that is not commutative, those from 0 on are reduced
//! separately, and become the left operand at the end.

use super::blocks::Shares;
use super::messages::halving::Core;
use super::operand::Accumulator;
use super::operator::Reduction;
use super::selection::DataPath;
use super::{Steps, selection};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// Performs a reduce_scatter. `own` is this process's whole vector; `result`, for this rank's part,
/// may overlap it (`MPI_IN_PLACE`).
pub fn reduce_scatter(
    steps: &mut Steps<'_>,
    own: &Buffer,
    shares: &Shares,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let bytes = own.bytes();
    if bytes == 0 {
        return Ok(());
    }
    if steps.size == 1 {
        if own.address() != result.address() {
            steps.copy(own, result);
        }
        return Ok(());
    }
    if let Some((node_comm, mpi, kernel)) = steps.reducing_node_comm(reduction, own) {
        match node_comm.site().reduce_scatter(bytes) {
            DataPath::Staged => return node_comm.reduce_scatter(mpi, own, shares, result, &kernel),
            DataPath::SingleCopy => {
                return node_comm.reduce_scatter_direct(mpi, own, shares, result, &kernel);
            }
            DataPath::Pipelined => {
                return node_comm.reduce_scatter_pipelined(mpi, own, shares, result, &kernel);
            }
            DataPath::AgreedMessages => node_comm.agree(mpi, bytes)?,
            DataPath::Messages => {}
        }
    }
    match selection::reduce_scatter_by_doubling(bytes) {
        true => doubling(steps, own, shares, result, reduction),
        false => pairwise(steps, own, shares, result, reduction),
    }
}

fn doubling(
    steps: &mut Steps<'_>,
    own: &Buffer,
    shares: &Shares,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let core = Core::new(steps.rank, steps.size, None);
    let mut value = Accumulator::new(reduction, own, None).ordered();
    core.bring_in(steps, &mut value)?;
    core.double(steps, &mut value)?;
    let (rank, other) = (steps.rank, steps.rank ^ 1);
    if core.place.is_some() && result.bytes() > 0 {
        steps.copy(&value.value_in(&shares.of(rank)), result);
    }
    if other < steps.size {
        core.hand_out(steps, &value.value_in(&shares.of(other)), result);
    }
    Ok(())
}

fn pairwise(
    steps: &mut Steps<'_>,
    whole: &Buffer,
    shares: &Shares,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let share = |rank: u32| {
        let range = shares.of(rank);
        whole.part(range.start, range.len())
    };
    let (rank, size) = (steps.rank, steps.size);
    let own = share(rank);
    // With MPI_IN_PLACE the result's memory holds contributions that are still to be sent, so the
    // value must not lie there before the end.
    let mut value = Accumulator::new(reduction, &own, None);
    let mut below: Option<Accumulator> = None;
    for step in 1..size {
        let (to, from) = (steps.before(step), steps.after(step));
        steps.send_some(to, &share(to));
        if own.bytes() == 0 {
            steps.wait();
            continue;
        }
        match &mut below {
            Some(below) => below.take_next(steps, from)?,
            None if from > rank || reduction.commutative => value.take_next(steps, from)?,
            None => {
                let received = value.place()?;
                steps.receive(from, &received);
                steps.wait();
                below = Some(Accumulator::received(reduction, received));
            }
        }
    }
    if let Some(below) = below {
        value.combine_below(steps, below.value())?;
    }
    if own.bytes() > 0 {
        value.finish(steps, result);
    }
    Ok(())
}
