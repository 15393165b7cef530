//! `MPI_Barrier` (MPI 5.0 §6.3).

use super::shm::ShmOperation;
use super::{Steps, hierarchical, messages};
use crate::error::Outcome;

/// Performs a barrier.
pub fn barrier(steps: &mut Steps<'_>) -> Outcome {
    if let Some((node_comm, mpi)) = steps.node_comm() {
        return node_comm.barrier(mpi);
    }
    if let Some((nodes, mpi, whole)) = steps.nodes() {
        return hierarchical::barrier(nodes, mpi, whole);
    }
    if steps.size > 1 && steps.later_site().is_some() && steps.shm_operation(ShmOperation::Barrier)
    {
        return Ok(());
    }
    messages::barrier(steps)
}
