//! Disconnect (MPI 5.0 §11.10.4): the end of a communicator, and of the connections that nothing
//! else uses.

use super::spawn;
use crate::abi;
use crate::coll;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;
use nemesis_mpi_core::peer_failure;

/// `MPI_Comm_disconnect`: waits until everything sent over the communicator has arrived, and frees
/// it. Ends the connections with processes of other jobs that share no other communicator.
///
/// If a process has failed, or the communicator is revoked, nothing more can arrive that the others
/// could wait for: the communicator is freed, and the error returned.
pub fn disconnect(mpi: &mut Mpi, comm: handle::Comm) -> Outcome {
    let object = mpi.comm(comm)?;
    let (is_inter, spans_jobs) = (object.is_inter(), mpi.spans_jobs(&object.everyone()));
    mpi.drain();
    mpi.in_lanes_of(comm, Mpi::drain);
    let meeting = coll::run(mpi, comm, |steps| {
        if is_inter { coll::inter::barrier(steps) } else { coll::barrier(steps) }
    });
    let failed = match meeting {
        // A process that has ended has also disconnected.
        Err(error) if error.class == abi::MPI_ERR_PROC_ABORTED => Ok(()),
        Err(error) if !peer_failure::is_one(error.class) => return Err(error),
        met => met.map(drop),
    };
    let freed = mpi.free_comm(comm)?;
    if spans_jobs {
        let engine = &mut **mpi;
        let Some(endpoint) = &mut engine.pt2pt.endpoint else { return failed };
        for &process in freed.everyone().iter() {
            if endpoint.is_foreign(process) && !engine.comms.contain(process) {
                endpoint.dismiss(process);
                engine.pt2pt.core.losses.forget(process);
            }
        }
    }
    if spans_jobs {
        spawn::release(mpi);
    }
    failed
}
