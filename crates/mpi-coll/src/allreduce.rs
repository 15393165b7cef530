//! `MPI_Allreduce` (MPI 5.0 §6.9.6).
//!
//! Short vectors use recursive doubling, long ones halving and doubling, see [`halving`]. The
//! result has equal bits on all processes: either all reduce equal values in the order of ranks, or
//! one process computes each element.

use super::halving::Core;
use super::operand::{Accumulator, Reduction};
use super::selection::DataPath;
use super::shm::{self, Results, ShmOperation};
use super::{Operator, Steps, halving, selection};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// Performs an allreduce. `own` is this process's contribution; `result` may be the memory of
/// `own`.
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
            DataPath::Staged => return node_comm.allreduce(mpi, own, result, &kernel),
            DataPath::SingleCopy => {
                return node_comm.reduce_direct(
                    mpi,
                    own,
                    Some(result),
                    &kernel,
                    Results::Everywhere,
                );
            }
            DataPath::Pipelined => return node_comm.allreduce_pipelined(mpi, own, result, &kernel),
            DataPath::AgreedMessages => node_comm.agree(mpi, bytes)?,
            DataPath::Messages => {}
        }
    }
    if let (Some((nodes, mpi, whole)), Some(_)) =
        (steps.nodes(), shm::kernel(reduction.operator, own))
        && nodes.takes(bytes)
    {
        return nodes.allreduce(mpi, whole, own, result, reduction);
    }
    if let (Some(DataPath::Staged), Some(_), Operator::Predefined(op)) = (
        steps.later_site().map(|site| site.later(bytes)),
        shm::kernel(reduction.operator, own),
        reduction.operator,
    ) && steps.shm_operation(ShmOperation::Allreduce {
        own: own.clone(),
        result: result.clone(),
        op,
    }) {
        return Ok(());
    }
    match selection::allreduce(own.count(), bytes, steps.size) {
        selection::Vector::Whole => whole(steps, own, result, reduction),
        selection::Vector::Halved => halving::allreduce(steps, own, result, reduction),
    }
}

/// Performs the rest of an allreduce that the fast path has begun.
pub fn allreduce_begun(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let (node_comm, mpi) = steps.begun();
    node_comm.allreduce_begun(mpi, result, &shm::kernel_of_short(reduction.operator, own))
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
