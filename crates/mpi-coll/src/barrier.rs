//! `MPI_Barrier` (MPI 5.0 §6.3).

use super::rows::{Lengths, Need};
use super::shm::ShmOperation;
use super::table::{self, Algorithm, Operation};
use super::{Steps, hierarchical, messages};
use crate::error::Outcome;

/// `MPI_Barrier` as an operation with algorithms.
pub struct Barrier;

impl Operation for Barrier {
    type Args<'a> = ();

    const NAME: &'static str = "barrier";
    const INDEX: usize = 0;
    const ALGORITHMS: &'static [Algorithm<Barrier>] = &[
        Algorithm::<Barrier>::segment(
            "segment",
            "every process publishes that it has come",
            &[Need::Segment],
            |_| Lengths::ALL,
            |steps, _| {
                if let Some((node_comm, mpi)) = steps.node_comm() {
                    return node_comm.barrier(mpi);
                }
                match steps.shm_operation(ShmOperation::Barrier) {
                    true => Ok(()),
                    false => messages::barrier(steps),
                }
            },
        ),
        Algorithm::<Barrier>::levels(
            &[Need::Levels],
            |_| Lengths::ALL,
            |steps, _| match steps.nodes() {
                Some((nodes, mpi, whole)) => hierarchical::barrier(nodes, mpi, whole),
                None => messages::barrier(steps),
            },
        ),
        Algorithm::<Barrier>::messages(
            "dissemination",
            "messages: log2(n) rounds",
            &[],
            |_| Lengths::ALL,
            |steps, _| messages::barrier(steps),
        ),
    ];
}

/// Performs a barrier.
pub fn barrier(steps: &mut Steps<'_>) -> Outcome {
    if nemesis_mpi_check::is_on() && steps.are_performed() && steps.remote_size == 0 {
        nemesis_mpi_check::accesses::barrier(steps.processes());
    }
    let case = steps.case();
    table::perform::<Barrier>(steps, &case, 0, &())
}
