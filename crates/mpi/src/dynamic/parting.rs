//! Disconnect (MPI 5.0 §11.10.4): the end of a communicator, and of the connections that nothing
//! else uses.

use super::spawn;
use crate::abi;
use crate::coll;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;

/// `MPI_Comm_disconnect`: waits until everything sent over the communicator has arrived, and frees
/// it. Ends the connections with processes of other jobs that share no other communicator.
pub fn disconnect(mpi: &mut Mpi, comm: handle::Comm) -> Outcome {
    let object = mpi.comm(comm)?;
    let (is_inter, spans_jobs) = (object.is_inter(), mpi.spans_jobs(&object.everyone()));
    mpi.drain();
    mpi.in_lanes_of(comm, Mpi::drain);
    let meeting = coll::run(mpi, comm, |steps| {
        if is_inter { coll::inter::barrier(steps) } else { coll::barrier(steps) }
    });
    // A process that has ended has also disconnected.
    if let Err(error) = meeting
        && error.class != abi::MPI_ERR_PROC_ABORTED
    {
        return Err(error);
    }
    let freed = mpi.free_comm(comm)?;
    if spans_jobs {
        let engine = &mut **mpi;
        let Some(endpoint) = &mut engine.pt2pt.endpoint else { return Ok(()) };
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
    Ok(())
}
