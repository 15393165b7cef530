//! The reduce of short vectors up a binomial tree in which every place combines a run of
//! consecutive ranks, so the order of ranks is kept.
//!
//! The tree begins at the root. For an operation that is not commutative it begins at rank 0, which
//! then sends the result to the root.

use crate::Steps;
use crate::error::Outcome;
use crate::operand::Accumulator;
use crate::operator::Reduction;
use nemesis_datatype::Buffer;

/// Performs the reduce. `result`, at the root only, may be the memory of `own`.
pub fn reduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: Option<&Buffer>,
    reduction: Reduction,
    root: u32,
) -> Outcome {
    let (rank, size) = (steps.rank, steps.size);
    let top = if reduction.commutative { root } else { 0 };
    let place = steps.before(top);
    let rank_at = |place: u32| (place + top) % size;
    let span = if place == 0 { size.next_power_of_two() } else { 1 << place.trailing_zeros() };
    let mut value = Accumulator::new(reduction, own, result);
    let mut distance = 1;
    while distance < span && place + distance < size {
        value.take_next(steps, rank_at(place + distance))?;
        distance *= 2;
    }
    if place != 0 {
        steps.send(rank_at(place - span), &value.value());
    }
    if top != root && rank == top {
        steps.send(root, &value.value());
    }
    if let Some(result) = result {
        if place == 0 {
            value.finish(steps, result);
        } else {
            // The data sent to the parent may lie here.
            steps.wait();
            steps.receive(top, result);
        }
    }
    Ok(())
}
