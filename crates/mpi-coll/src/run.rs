//! The three forms of an operation: blocking, non-blocking and persistent.

use super::forced;
use super::grid::Grid;
use super::mismatch;
use super::operations;
use super::schedule::Schedule;
use super::setup;
use super::shm::ShmState;
use super::state::{self, Blocking};
use super::steps::{Later, Steps};
use crate::abi;
use crate::comm::Comm;
use crate::comm::signature::{Kind, Signature};
use crate::context::Class;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use nemesis_mpi_core::Fast;

/// Collective operations on a communicator for each one that polls. An operation that finds all its
/// data in the collective segment does not poll. Without this, a program that calls nothing else
/// would never receive other messages.
const OPERATIONS_PER_POLL: u32 = 128;

/// The signature of an exchange of the library itself.
pub const INTERNAL: Signature = Signature::new(Kind::Internal);

/// Returns whether the next operation on a communicator polls for messages.
#[inline(always)]
pub(crate) fn polls_next(comm: &Comm) -> bool {
    comm.collectives.count().is_multiple_of(OPERATIONS_PER_POLL)
}

/// Returns an empty schedule for the next collective operation on `comm`.
pub fn new_schedule(
    engine: &mut Engine,
    comm: handle::Comm,
    signature: Signature,
) -> Outcome<Schedule> {
    mismatch::refuse(engine, comm)?;
    let object = object_of(engine, comm)?;
    let tag = object.begin_collective(signature);
    Ok(Schedule::new(comm, object, Class::Collective, tag))
}

/// Returns a communicator that begins an operation. The first one compares the algorithms that the
/// processes force.
fn object_of(engine: &mut Engine, comm: handle::Comm) -> Outcome<&mut Comm> {
    let object = engine.comm_mut(comm)?;
    if object.collectives.count() == 0 {
        let of_comm = operations::forced_by(object);
        if of_comm.is_some() || forced::are_any() {
            object.collectives.force(forced::digest(of_comm.as_deref()));
        }
    }
    Ok(object)
}

/// Takes the state of the next blocking operation on `comm`. The caller puts it back.
#[inline]
fn begin_blocking(
    mpi: &mut Mpi,
    comm: handle::Comm,
    signature: Signature,
) -> Outcome<Box<Blocking>> {
    mismatch::refuse(mpi, comm)?;
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::accesses::learn();
        nemesis_mpi_check::callbacks::is_collective();
    }
    match polls_next(mpi.comm(comm)?) {
        true => {
            mpi.progress();
            // A question keeps receives from their fast path until it is heard.
            mismatch::look_for_reports(mpi, comm);
        }
        false => mpi.run_deferred(),
    }
    let (object, states) = state::comm_and_states(mpi, comm)?;
    let Some(mut blocking) = states.take(object) else {
        let schedule = new_schedule(mpi, comm, signature)?;
        return Ok(Blocking::new(schedule, operations::forced_by(mpi.comm(comm)?)));
    };
    object.begin_collective(signature);
    blocking.schedule.renew(object);
    Ok(blocking)
}

/// Returns an empty schedule for a persistent collective operation. Persistent operations may be
/// started in any order.
fn new_persistent_schedule(
    engine: &mut Engine,
    comm: handle::Comm,
    signature: Signature,
) -> Outcome<Schedule> {
    mismatch::refuse(engine, comm)?;
    let object = object_of(engine, comm)?;
    let tag = object.begin_persistent(signature);
    Ok(Schedule::new(comm, object, Class::Persistent, tag))
}

/// Performs a blocking operation of the library itself.
#[inline]
pub fn run(
    mpi: &mut Mpi,
    comm: handle::Comm,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    run_for(mpi, comm, INTERNAL, build)
}

/// Performs a blocking operation of the library itself, for a call of this signature.
#[inline]
pub fn run_for(
    mpi: &mut Mpi,
    comm: handle::Comm,
    signature: Signature,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    perform(mpi, comm, Entry { fast: Fast::Declined, signature }, build)
}

/// How a blocking operation comes to its builder.
#[derive(Clone, Copy)]
pub struct Entry {
    /// What its fast path returned. The builder resumes a pending operation.
    pub fast: Fast,
    /// What all processes must agree on. The result of a reduction must not depend on the number of
    /// earlier operations, so the collective segment is created before the first one.
    pub signature: Signature,
}

/// Performs a blocking operation.
#[inline]
pub fn perform(
    mpi: &mut Mpi,
    comm: handle::Comm,
    entry: Entry,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    let mut blocking = match entry.fast {
        Fast::Pending => resume_blocking(mpi, comm)?,
        _ => begin_blocking(mpi, comm, entry.signature)?,
    };
    let met = match blocking.shm_state.is_due(entry.signature.reduces()) {
        true => set_up_shm(mpi, comm, &mut blocking),
        false => Ok(()),
    };
    let history = blocking.schedule.history();
    blocking.shm_state.set_history(comm, history);
    mpi.pt2pt.core.upper.blocking_on = comm;
    let built = met.and_then(|()| {
        let mut steps =
            Steps::performed(&mut blocking.schedule, mpi, blocking.shm_state.shm_members())
                .forcing(blocking.forced.as_deref())
                .keeping(&mut blocking.limits);
        let built = build(&mut steps);
        steps.wait();
        built
    });
    mpi.pt2pt.core.upper.blocking_on = handle::Comm::NULL;
    let failed = blocking.schedule.take_error();
    if failed.is_some() || built.is_err() {
        mpi.look_for_deaths();
        mpi.wait_until(None, |mpi| !blocking.schedule.uses_memory(mpi));
    }
    if mismatch::is_known(mpi, comm) {
        blocking.shm_state.close_fast_path();
        blocking.schedule.be_valid();
        state::put(mpi, comm, blocking);
        return Err(mismatch::await_verdict(mpi, comm));
    }
    state::put(mpi, comm, blocking);
    built?;
    failed.map_or(Ok(()), |error| Err(error.on(comm)))
}

/// Takes the state of an operation that the fast path has begun. The caller puts it back.
#[inline(never)]
fn resume_blocking(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<Box<Blocking>> {
    let (object, states) = state::comm_and_states(mpi, comm)?;
    let Some(mut blocking) = states.take(object) else {
        return Err(Error::new(
            abi::MPI_ERR_COMM,
            "another thread is inside a collective operation on the same communicator",
        ));
    };
    // The fast path has only counted the operation.
    blocking.schedule.renew(object);
    if let Some(node_comm) = blocking.fast_node_comm() {
        node_comm.resume();
    }
    Ok(blocking)
}

/// Decides whether the communicator's processes use a collective segment. If that fails, they use
/// messages, and the call that decided returns the error.
#[cold]
fn set_up_shm(mpi: &mut Mpi, comm: handle::Comm, blocking: &mut Blocking) -> Outcome {
    blocking.shm_state = ShmState::Never;
    blocking.shm_state =
        setup::make(mpi, comm, blocking.forced.as_deref()).map_err(|error| error.on(comm))?;
    Ok(())
}

/// Gives a communicator without a state one, which keeps what its calls need to know.
fn keep_state(mpi: &mut Mpi, comm: handle::Comm) -> Outcome {
    let object = mpi.comm(comm)?;
    if object.collective_state == Comm::NO_STATE {
        let schedule = Schedule::new(comm, object, Class::Collective, object.collectives.tag());
        let blocking = Blocking::new(schedule, operations::forced_by(object));
        state::put(mpi, comm, blocking);
    }
    Ok(())
}

/// Returns how the processes of a communicator stand on nodes, if these are alike. Unlike what a
/// collective segment tells, this does not depend on earlier calls.
fn grid_of(mpi: &Mpi, comm: handle::Comm, blocking: Option<&Blocking>) -> Outcome<Option<Grid>> {
    let object = mpi.comm(comm)?;
    if object.is_inter() {
        return Ok(None);
    }
    let found = || setup::grid_of(mpi, &object.everyone());
    Ok(blocking.map_or_else(found, |blocking| *blocking.grid.get_or_init(found)))
}

/// Returns the schedule of a non-blocking operation.
pub fn note(
    mpi: &mut Mpi,
    comm: handle::Comm,
    signature: Signature,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome<Box<Schedule>> {
    let mut schedule = new_schedule(mpi, comm, signature)?;
    keep_state(mpi, comm)?;
    let blocking = state::blocking(mpi, comm)?;
    let (later, grid) = match blocking.and_then(|blocking| blocking.shm_state.nonblocking()) {
        Some((site, nonblocking)) => (Later::At(site, nonblocking), None),
        None => (Later::Never, grid_of(mpi, comm, blocking)?),
    };
    let parsed;
    let forced = match blocking {
        Some(blocking) => blocking.forced.as_deref(),
        None => {
            parsed = operations::forced_by(mpi.comm(comm)?);
            parsed.as_deref()
        }
    };
    let mut steps = Steps::noted(&mut schedule, later).forcing(forced);
    steps.are_on(grid);
    build(&mut steps)?;
    drop(steps);
    Ok(Box::new(schedule))
}

/// Returns the schedule of a persistent operation.
pub fn note_persistent(
    mpi: &mut Mpi,
    comm: handle::Comm,
    signature: Signature,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome<Box<Schedule>> {
    let mut schedule = new_persistent_schedule(mpi, comm, signature)?;
    keep_state(mpi, comm)?;
    let forced = operations::forced_by(mpi.comm(comm)?);
    let blocking = state::blocking(mpi, comm)?;
    let (later, grid) = match blocking.and_then(|blocking| blocking.shm_state.nonblocking()) {
        Some((site, _)) => (Later::Made(site, mpi), None),
        None => (Later::Never, grid_of(mpi, comm, blocking)?),
    };
    let mut steps = Steps::noted(&mut schedule, later).forcing(forced.as_deref());
    steps.are_on(grid);
    build(&mut steps)?;
    drop(steps);
    if mismatch::is_known(mpi, comm) {
        return Err(mismatch::await_verdict(mpi, comm));
    }
    Ok(Box::new(schedule))
}
