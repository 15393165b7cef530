//! `MPI_Barrier` (MPI 5.0 §6.3).

use super::Steps;
use super::shm::ShmOperation;
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// Performs the rest of a barrier that the fast path has begun.
pub fn barrier_begun(steps: &mut Steps<'_>) -> Outcome {
    let (node_comm, mpi) = steps.begun();
    node_comm.barrier_begun(mpi)
}

/// Performs the dissemination barrier (Hensgen, Finkel, Manber 1988): in round k, every rank sends
/// to the rank 2^k ahead and receives from the rank 2^k behind.
pub fn barrier(steps: &mut Steps<'_>) -> Outcome {
    if let Some((node_comm, mpi)) = steps.node_comm() {
        return node_comm.barrier(mpi);
    }
    if let Some((nodes, mpi, whole)) = steps.nodes() {
        return nodes.barrier(mpi, whole);
    }
    if steps.size > 1 && steps.later_site().is_some() && steps.shm_operation(ShmOperation::Barrier)
    {
        return Ok(());
    }
    let nothing = Buffer::empty();
    let mut distance = 1;
    while distance < steps.size {
        steps.send(steps.after(distance), &nothing);
        steps.receive(steps.before(distance), &nothing);
        steps.wait();
        distance *= 2;
    }
    Ok(())
}
