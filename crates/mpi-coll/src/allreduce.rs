//! `MPI_Allreduce` (MPI 5.0 §6.9.6).
//!
//! The result has equal bits on all processes: either all reduce equal values in the order of
//! ranks, or one process computes each element.

use super::operator::{self, Operator, Reduction};
use super::selection::DataPath;
use super::shm::{Results, ShmOperation};
use super::{Steps, hierarchical, messages};
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
    if let Some((node_comm, mpi, kernel)) = steps.reducing_node_comm(reduction, own) {
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
        (steps.nodes(), operator::kernel(reduction.operator, own))
        && nodes.takes(bytes)
        && nodes.reduces()
    {
        return hierarchical::allreduce(nodes, mpi, whole, own, result, reduction);
    }
    if let (Some(DataPath::Staged), Some(_), Operator::Predefined(op)) = (
        steps.later_site().map(|site| site.later(bytes)),
        operator::kernel(reduction.operator, own),
        reduction.operator,
    ) && steps.shm_operation(ShmOperation::Allreduce {
        own: own.clone(),
        result: result.clone(),
        op,
    }) {
        return Ok(());
    }
    messages::allreduce(steps, own, result, reduction)
}
