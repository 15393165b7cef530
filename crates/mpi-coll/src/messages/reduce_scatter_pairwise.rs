//! The reduce_scatter of long vectors by pairwise exchange: in each round a process receives one
//! other process's contribution to its block and combines it.
//!
//! Contributions come in the order rank + 1, …, size - 1, 0, …, rank - 1. For an operation that is
//! not commutative, those from 0 on are combined separately, and become the left operand at the
//! end.

use crate::blocks::Shares;
use crate::error::Outcome;
use crate::operand::Accumulator;
use crate::operator::Reduction;
use crate::steps::Steps;
use nemesis_datatype::Buffer;

/// Performs the reduce_scatter of the vector `whole`; `result` takes this process's block.
pub fn reduce_scatter(
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
