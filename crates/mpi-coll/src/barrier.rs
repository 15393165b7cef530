//! `MPI_Barrier` (MPI 5.0 §6.3).

use super::rows::Need;
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
        Algorithm::new(
            "segment",
            "every process publishes that it has come",
            &[Need::Segment],
            |_| true,
            |steps, _| match steps.node_comm() {
                Some((node_comm, mpi)) => node_comm.barrier(mpi),
                None => messages::barrier(steps),
            },
        ),
        Algorithm::new(
            "hierarchical",
            "segments in nodes, messages between their leaders",
            &[Need::Nodes],
            |_| true,
            |steps, _| match steps.nodes() {
                Some((nodes, mpi, whole)) => hierarchical::barrier(nodes, mpi, whole),
                None => messages::barrier(steps),
            },
        ),
        Algorithm::new(
            "nonblocking_segment",
            "non-blocking: every process publishes that it has come",
            &[Need::RecordedSegment],
            |_| true,
            |steps, _| match steps.shm_operation(ShmOperation::Barrier) {
                true => Ok(()),
                false => messages::barrier(steps),
            },
        ),
        Algorithm::new(
            "dissemination",
            "messages: log2(n) rounds",
            &[],
            |_| true,
            |steps, _| messages::barrier(steps),
        ),
    ];
}

/// Performs a barrier.
pub fn barrier(steps: &mut Steps<'_>) -> Outcome {
    let case = steps.case(0);
    table::perform::<Barrier>(steps, &case, &())
}
