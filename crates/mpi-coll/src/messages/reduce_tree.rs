//! The reduce of short vectors up a binomial tree among the places of a [`Core`], in which the root
//! is inside: in each round a place gives the value of its run of ranks to its partner, which is
//! nearer to the root. Values of neighbouring runs are combined in the order of recursive doubling.
//! So the result does not depend on the root, and equals that of `MPI_Allreduce`.

use super::halving::Core;
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
    let core = Core::new(steps.rank, steps.size, Some(root));
    let mut value = Accumulator::new(reduction, own, result);
    core.bring_in(steps, &mut value)?;
    let Some(place) = core.place else { return Ok(()) };
    let from_root = place ^ core.place_of(root);
    let mut distance = 1;
    while distance < core.places {
        let partner = core.rank_at(place ^ distance);
        if from_root & distance != 0 {
            steps.send(partner, &value.value());
            break;
        }
        match reduction.commutative || partner > steps.rank {
            true => value.take_next(steps, partner)?,
            false => value.combine_from(steps, partner)?,
        }
        distance *= 2;
    }
    if let Some(result) = result {
        value.finish(steps, result);
    }
    Ok(())
}
