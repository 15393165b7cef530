//! `MPI_Allreduce` (MPI 5.0 §6.9.6).
//!
//! Short vectors by recursive doubling, long ones by halving and doubling, see [`halving`](super::halving). The result has the same bits everywhere: either
//! everybody joins the same values in the same order, the order of ranks, or every element is computed by one process.

use super::halving::Core;
use super::operand::{Accumulator, Reduction};
use super::selection::Way;
use super::shm::{self, Meet, Results};
use super::{Operator, Steps, halving, selection};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// `own` is this process's contribution; `result` may be the same memory.
pub fn allreduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let bytes = own.bytes();
    if bytes == 0 {
        return Ok(());
    }
    if let (Some((node_comm, mpi)), Some(kernel)) =
        (steps.node_comm(), shm::kernel(reduction.operator, own))
    {
        match node_comm.site().allreduce(bytes) {
            Way::Rooms => return node_comm.allreduce(mpi, own, result, &kernel),
            Way::Direct => {
                return node_comm.reduce_direct(
                    mpi,
                    own,
                    Some(result),
                    &kernel,
                    Results::Everywhere,
                );
            }
            Way::Pieces => return node_comm.allreduce_in_pieces(mpi, own, result, &kernel),
            Way::Agreed => node_comm.agree(mpi, bytes)?,
            Way::Messages => {}
        }
    }
    if let (Some((nodes, mpi, whole)), Some(_)) =
        (steps.nodes(), shm::kernel(reduction.operator, own))
        && nodes.takes(bytes)
    {
        return nodes.allreduce(mpi, whole, own, result, reduction);
    }
    if let (Some(Way::Rooms), Some(_), Operator::Predefined(op)) = (
        steps.later_site().map(|site| site.later(bytes)),
        shm::kernel(reduction.operator, own),
        reduction.operator,
    ) && steps.meet(Meet::Allreduce { own: own.clone(), result: result.clone(), op })
    {
        return Ok(());
    }
    match selection::allreduce(own.count(), bytes, steps.size) {
        selection::Vector::Whole => whole(steps, own, result, reduction),
        selection::Vector::Halved => halving::allreduce(steps, own, result, reduction),
    }
}

/// What is left of one that has begun in short.
pub fn allreduce_begun(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let (node_comm, mpi) = steps.begun();
    node_comm.allreduce_begun(mpi, result, &shm::fold_of_short(reduction.operator, own))
}

fn whole(steps: &mut Steps<'_>, own: &Buffer, result: &Buffer, reduction: Reduction) -> Outcome {
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
