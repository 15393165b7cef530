//! Duplicates (MPI 5.0 §7.4.2). The caller copies the attributes, because their copy functions
//! belong to the program.

use crate::comm::Comm;
use crate::comm::signature::{Creator, Signature};
use crate::context::Context;
use crate::engine::Mpi;
use crate::engine::lanes::Choice;
use crate::error::Outcome;
use crate::handle;
use crate::words::allgather_words;
use crate::{Steps, bcast, get_words, inter, note, put_words, run_for, scratch_bytes, start};
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
    let told = run_for(mpi, comm, signature, |steps| tell(steps, &context, leads));
    let named = told.and_then(|()| {
        agree_on_lanes(mpi, comm, &context, lane)?;
        mpi.name_comm(new, &context);
        Ok(())
    });
    if let Err(error) = named {
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
    // The exchange that lanes by tag need depends on the first one, and this one is noted before.
    let lane = if matches!(lane, Choice::ByTag { .. }) { Choice::Any } else { lane };
    let (twin, context, leads) = begin(mpi, comm, lane)?;
    let new = mpi.add_pending_comm(comm, twin)?;
    let signature = Signature::creating(Creator::CommIdup);
    let schedule = note(mpi, comm, signature, |steps| {
        tell(steps, &context, leads)?;
        steps.name(new, &context);
        Ok(())
    });
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

/// If the context names lanes by tag, limits these to those that all processes can use, of which
/// each has asserted that it names the tags of its receives: each speaks for itself (MPI 5.0
/// §7.4.4).
fn agree_on_lanes(mpi: &mut Mpi, comm: handle::Comm, context: &Buffer, lane: Choice) -> Outcome {
    let [drawn] = get_words(context, 0);
    let drawn = Context(drawn);
    let last = drawn.last_lane_by_tag();
    if last == 0 {
        return Ok(());
    }
    let asserts = matches!(lane, Choice::ByTag { .. });
    let own = [mpi.usable_lanes(comm, last) as u64, u64::from(asserts)];
    let of_all = allgather_words(mpi, comm, own)?;
    let common = of_all.iter().map(|&[lanes, _]| lanes as usize).min().unwrap_or(0);
    let all_assert = of_all.iter().all(|&[_, asserts]| asserts != 0);
    put_words(context, &[drawn.limited_to(common, all_assert).0]);
    Ok(())
}

/// Broadcasts the context from the first process.
fn tell(steps: &mut Steps<'_>, context: &Buffer, leads: bool) -> Outcome {
    if steps.remote_size == 0 {
        bcast::bcast(steps, context, 0)?;
    } else {
        inter::spread(steps, context, leads)?;
    }
    steps.wait();
    Ok(())
}
