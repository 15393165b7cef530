//! The reduce_scatter of short vectors by recursive doubling: every process computes the whole
//! vector and keeps its block.

use super::halving::Core;
use crate::blocks::Shares;
use crate::error::Outcome;
use crate::operand::Accumulator;
use crate::operator::Reduction;
use crate::steps::Steps;
use nemesis_datatype::Buffer;

/// Performs the reduce_scatter of the vector `own`; `result` takes this process's block.
pub fn reduce_scatter(
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
