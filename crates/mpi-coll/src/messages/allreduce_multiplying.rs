//! The allreduce of short vectors by recursive multiplying by four: two rounds of recursive
//! doubling become one, in which a place exchanges the whole vector with three others.
//!
//! ```text
//!   places           0 ─ 1   2 ─ 3        0 ─ 1        doubling: two messages of a place,
//!                    └───┼───┘   │        │ ╳ │        one after the other
//!                        └───────┘        2 ─ 3        multiplying: three at once
//! ```
//!
//! It takes half of the latencies, and half as many messages again. Values are combined as in two
//! rounds of doubling, `(a op b) op (c op d)`, so results have the same bits. If the number of
//! places is no power of four, the last round is one of doubling.

use super::halving::Core;
use crate::Steps;
use crate::error::Outcome;
use crate::grid::Grid;
use crate::operand::Accumulator;
use crate::operator::Reduction;
use crate::rows::Case;
use nemesis_datatype::Buffer;

/// Returns whether processes may gain: there are enough of them, and each has a network card of its
/// own, which would be busier with more messages.
pub fn may_gain(case: &Case) -> bool {
    case.ranks >= 4 && case.grid().as_ref().is_some_and(Grid::is_apart)
}

/// Performs the allreduce. `result` may be the memory of `own`.
pub fn allreduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let core = Core::new(steps.rank, steps.size, None);
    let mut value = Accumulator::new(reduction, own, Some(result)).ordered();
    core.bring_in(steps, &mut value)?;
    core.multiply(steps, &mut value)?;
    if core.place.is_some() {
        value.finish(steps, result);
    }
    core.hand_out(steps, result, result);
    Ok(())
}
