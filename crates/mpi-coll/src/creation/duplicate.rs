//! Duplicates (MPI 5.0 §7.4.2). The caller copies the attributes, because their copy functions
//! belong to the program.

use crate::comm::Comm;
use crate::comm::signature::{Creator, Signature};
use crate::engine::Mpi;
use crate::engine::lanes::Choice;
use crate::error::Outcome;
use crate::handle;
use crate::{Steps, bcast, inter, note, put_words, run_for, scratch_bytes, start};
use nemesis_datatype::Buffer;

/// Duplicates a communicator: `MPI_Comm_dup`, and the calls that make an object with a duplicate of
/// its own.
pub fn duplicate(
    mpi: &mut Mpi,
    comm: handle::Comm,
    creator: Creator,
    lane: Choice,
) -> Outcome<handle::Comm> {
    let (twin, context, leads) = begin(mpi, comm, lane)?;
    mpi.look_for_devices();
    let new = mpi.add_comm(comm, twin)?;
    let signature = Signature::creating(creator);
    let told = run_for(mpi, comm, signature, |steps| tell(steps, new, &context, leads));
    if let Err(error) = told {
        mpi.free_comm(new)?;
        return Err(error);
    }
    Ok(new)
}

/// Duplicates a communicator (`MPI_Comm_idup`). The handle of the duplicate names it when the
/// request is complete.
pub fn iduplicate(
    mpi: &mut Mpi,
    comm: handle::Comm,
    lane: Choice,
) -> Outcome<(handle::Comm, handle::Request)> {
    let (twin, context, leads) = begin(mpi, comm, lane)?;
    let new = mpi.add_pending_comm(comm, twin)?;
    let signature = Signature::creating(Creator::CommIdup);
    let schedule = note(mpi, comm, signature, |steps| tell(steps, new, &context, leads));
    let started = schedule.and_then(|schedule| start(mpi, schedule));
    match started {
        Ok(request) => {
            mpi.set_pending_request(new, request);
            Ok((new, request))
        }
        Err(error) => {
            mpi.free_comm(new)?;
            Err(error)
        }
    }
}

/// Returns the duplicate that waits for its context, the word that will hold it, and whether the
/// local group draws it.
fn begin(mpi: &mut Mpi, comm: handle::Comm, lane: Choice) -> Outcome<(Comm, Buffer, bool)> {
    let parent = mpi.comm(comm)?;
    let (leads, draws) = (parent.leads(), parent.leads() && parent.rank == 0);
    let twin: Comm = parent.twin(Comm::UNNAMED);
    let context = scratch_bytes(8)?;
    if draws {
        put_words(&context, &[mpi.draw_context_from(comm, lane)?.0]);
    }
    Ok((twin, context, leads))
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
