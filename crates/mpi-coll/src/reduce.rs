//! `MPI_Reduce` and `MPI_Reduce_local` (MPI 5.0 §6.9.1, §6.9.7).

use super::operator::{self, Operator, Reduction, UserCall, call_user};
use super::selection::DataPath;
use super::shm::Results;
use super::{Steps, hierarchical, messages};
use crate::abi;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use nemesis_datatype::Buffer;

/// Performs a reduce. `own` is this process's contribution; `result`, at the root only, takes the
/// value and may be the memory of `own`.
pub fn reduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: Option<&Buffer>,
    reduction: Reduction,
    root: u32,
) -> Outcome {
    let bytes = own.bytes();
    if bytes == 0 {
        return Ok(());
    }
    if let Some((node_comm, mpi, kernel)) = steps.reducing_node_comm(reduction, own) {
        match node_comm.site().reduce(bytes) {
            DataPath::Staged => return node_comm.reduce(mpi, own, result, &kernel, root),
            DataPath::SingleCopy => {
                return node_comm.reduce_direct(mpi, own, result, &kernel, Results::At(root));
            }
            DataPath::Pipelined => {
                return node_comm.reduce_pipelined(mpi, own, result, &kernel, root);
            }
            DataPath::AgreedMessages => node_comm.agree(mpi, bytes)?,
            DataPath::Messages => {}
        }
    }
    if let (Some((nodes, mpi, whole)), Some(_)) =
        (steps.nodes(), operator::kernel(reduction.operator, own))
        && nodes.takes(bytes)
        && nodes.reduces()
    {
        return hierarchical::reduce(nodes, mpi, whole, (own, result), reduction, root);
    }
    messages::reduce(steps, own, result, reduction, root)
}

/// Performs `MPI_Reduce_local`: `inout[i] = input[i] op inout[i]`.
pub fn reduce_local(mpi: &mut Mpi, input: &Buffer, inout: &Buffer, operator: Operator) -> Outcome {
    match operator {
        Operator::Predefined(op) => {
            inout.reduce_from(op, input).map_err(|error| Error::new(abi::MPI_ERR_OP, error.why))
        }
        Operator::User(function, datatype) => {
            call_user(
                mpi,
                &UserCall { function, datatype, input: input.clone(), inout: inout.clone() },
            );
            Ok(())
        }
    }
}
