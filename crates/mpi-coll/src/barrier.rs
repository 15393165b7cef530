//! `MPI_Barrier` (MPI 5.0 §6.3).

use super::messages::{allreduce_multiplying, barrier_dissemination};
use super::rows::{Lengths, Need};
use super::shm::ShmOperation;
use super::table::{self, Algorithm, Operation};
use super::{Steps, hierarchical};
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
                    false => by_messages(steps),
                }
            },
        ),
        Algorithm::<Barrier>::levels(
            &[Need::Levels],
            |_| Lengths::ALL,
            |steps, _| match steps.nodes() {
                Some((nodes, mpi, whole)) => hierarchical::barrier(nodes, mpi, whole, by_messages),
                None => by_messages(steps),
            },
        ),
        Algorithm::<Barrier>::messages(
            "dissemination_by_four",
            "messages: log4(n) rounds of three messages",
            &[],
            |case| Lengths::ALL.only_if(allreduce_multiplying::may_gain(case)),
            |steps, _| {
                barrier_dissemination::barrier(steps, 4);
                Ok(())
            },
        ),
        Algorithm::<Barrier>::messages(
            "dissemination",
            "messages: log2(n) rounds",
            &[],
            |_| Lengths::ALL,
            |steps, _| {
                barrier_dissemination::barrier(steps, 2);
                Ok(())
            },
        ),
    ];
}

/// Performs a barrier by messages.
fn by_messages(steps: &mut Steps<'_>) -> Outcome {
    let case = steps.case();
    table::by_messages::<Barrier>(steps, &case, 0, &())
}

/// Performs a barrier.
pub fn barrier(steps: &mut Steps<'_>) -> Outcome {
    if nemesis_mpi_check::is_on() && steps.are_performed() && steps.remote_size == 0 {
        nemesis_mpi_check::accesses::barrier(steps.processes());
    }
    let case = steps.case();
    table::perform::<Barrier>(steps, &case, 0, &())
}
