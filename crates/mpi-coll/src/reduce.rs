//! `MPI_Reduce` and `MPI_Reduce_local` (MPI 5.0 §6.9.1, §6.9.7).
//!
//! Short vectors use a binomial tree in which every place combines a run of consecutive ranks, so
//! the order of ranks is kept. The tree begins at the root. For an operation that is not
//! commutative it begins at rank 0, which then sends the result to the root. Long vectors are
//! halved, see [`halving`].

use super::operand::{Accumulator, Reduction};
use super::progress::call_user;
use super::schedule::{Operator, UserCall};
use super::selection::DataPath;
use super::shm::{self, Results};
use super::{Steps, halving, selection};
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
    if let (Some((node_comm, mpi)), Some(kernel)) =
        (steps.node_comm(), shm::kernel(reduction.operator, own))
    {
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
        (steps.nodes(), shm::kernel(reduction.operator, own))
        && nodes.takes(bytes)
    {
        return nodes.reduce(mpi, whole, own, result, reduction, root);
    }
    match selection::reduce(own.count(), bytes, steps.size) {
        selection::Vector::Halved => halving::reduce(steps, own, result, reduction, root),
        selection::Vector::Whole => tree(steps, own, result, reduction, root),
    }
}

/// Performs the rest of a reduce that the fast path has begun, at its root.
pub fn reduce_begun(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let (node_comm, mpi) = steps.begun();
    node_comm.reduce_begun(mpi, own, result, &shm::kernel_of_short(reduction.operator, own))
}

fn tree(
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
