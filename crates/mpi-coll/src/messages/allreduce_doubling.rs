//! The allreduce of short vectors by recursive doubling: all places of a [`Core`] exchange the
//! whole vector in each round. All compute equal bits, because each reduces equal values in the
//! order of ranks.

use super::halving::Core;
use crate::Steps;
use crate::error::Outcome;
use crate::operand::Accumulator;
use crate::operator::Reduction;
use nemesis_datatype::Buffer;

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
    core.double(steps, &mut value)?;
    if core.place.is_some() {
        value.finish(steps, result);
    }
    core.hand_out(steps, result, result);
    Ok(())
}
