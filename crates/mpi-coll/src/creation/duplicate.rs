//! Duplicates (MPI 5.0 §7.4.2). The caller copies the attributes, because their copy functions
//! belong to the program.

use crate::comm::Comm;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;
use crate::{INTERNAL, Steps, bcast, inter, note, put_words, run, scratch_bytes, start};
use nemesis_datatype::Buffer;

/// Duplicates a communicator (`MPI_Comm_dup`).
pub fn duplicate(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<handle::Comm> {
    let (new, context, leads) = begin(mpi, comm)?;
    run(mpi, comm, |steps| tell(steps, new, &context, leads))?;
    Ok(new)
}

/// Duplicates a communicator (`MPI_Comm_idup`). The duplicate may be used when the request is
/// complete.
pub fn iduplicate(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<(handle::Comm, handle::Request)> {
    let (new, context, leads) = begin(mpi, comm)?;
    let schedule = note(mpi, comm, INTERNAL, |steps| tell(steps, new, &context, leads))?;
    Ok((new, start(mpi, schedule)?))
}

/// Returns the duplicate that waits for its context, the word that will hold it, and whether the
/// local group draws it.
fn begin(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<(handle::Comm, Buffer, bool)> {
    let parent = mpi.comm(comm)?;
    let (leads, draws) = (parent.leads(), parent.leads() && parent.rank == 0);
    let twin: Comm = parent.twin(Comm::UNNAMED);
    let context = scratch_bytes(8)?;
    if draws {
        put_words(&context, &[mpi.draw_context()?.0]);
    }
    Ok((mpi.add_comm(comm, twin)?, context, leads))
}

/// Broadcasts the context from the first process into the duplicate of each.
fn tell(steps: &mut Steps<'_>, new: handle::Comm, context: &Buffer, leads: bool) -> Outcome {
    if steps.remote_size == 0 {
        bcast::bcast(steps, context, 0)?;
    } else {
        inter::spread(steps, context, leads)?;
    }
    steps.wait();
    steps.name(new, context);
    Ok(())
}
