//! Collective operations (MPI 5.0 chapter 6).
//!
//! | module | contents |
//! |---|---|
//! | `steps` | the interface of builders: a step is recorded in a schedule or performed at once |
//! | `schedule` | an operation as a list of steps |
//! | `selection` | the choice of an algorithm by size: all thresholds |
//! | `operand`, `blocks` | arguments: vectors to reduce, and buffers with a block for every rank |
//! | `barrier`, `bcast`, `gather`, `scatter`, `allgather`, `alltoall` | data movement |
//! | `reduce`, `allreduce`, `reduce_scatter`, `scan` | reductions |
//! | `neighbour` | exchanges between the neighbours of a topology |
//! | `halving` | reduce-scatter by recursive halving, for reductions of long vectors |
//! | `reduce_on_receive` | reduces a contribution while it is received |
//! | `shm` | collectives of one node, through a collective segment instead of messages |
//! | `inter` | collectives of intercommunicators |
//! | `words` | exchanges that the library itself needs |
//! | `finalization` | the barrier of `MPI_Finalize` |
//!
//! A builder writes the steps of one operation; this file decides where they go. One builder serves
//! all three forms of an operation:
//!
//! ```text
//!   run(build)                                   blocking: steps are performed as they are written
//!   note(build) ──> Schedule ──> start           non-blocking: a request
//!                           └──> Template        persistent: started many times
//! ```
//!
//! Builders expect an intracommunicator; their callers check that. The builders of `inter` expect
//! an intercommunicator and use the others within each of its groups.

pub mod allgather;
pub mod allreduce;
pub mod alltoall;
pub mod barrier;
pub mod bcast;
pub mod blocks;
mod finalization;
pub mod gather;
mod halving;
pub mod inter;
pub mod neighbour;
pub mod operand;
pub mod reduce;
mod reduce_on_receive;
pub mod reduce_scatter;
pub mod scan;
pub mod scatter;
pub mod schedule;
pub mod selection;
pub mod shm;
pub mod steps;
mod words;

pub use barrier::barrier;
pub use blocks::Blocks;
pub use finalization::meet_all;
pub use operand::Reduction;
pub use schedule::{Operator, Progress, Schedule, Step};
pub use steps::{Later, Steps};
pub use words::{allgather_words, bcast_words, get_words, put_words, words_from_across};

use crate::abi;
use crate::comm::Comm;
use crate::context::Class;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::protocol::Core;
use crate::request::{Activity, Completion, Request};
use nemesis_datatype::{Buffer, Datatype};
use schedule::UserCall;

/// The non-blocking and persistent operations in progress.
#[derive(Default)]
pub struct Running {
    /// The requests of the operations, in the order of their start.
    requests: Vec<handle::Request>,
    /// True while [`advance`] runs. A nested call of it must return at once.
    advancing: bool,
}

impl Running {
    pub const fn new() -> Running {
        Running { requests: Vec::new(), advancing: false }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }

    pub fn len(&self) -> usize {
        self.requests.len()
    }
}

/// State that successive blocking operations on a communicator reuse.
pub struct Blocking {
    /// A schedule that stays empty, because blocking operations perform their steps at once.
    schedule: Schedule,
    shm_state: shm::ShmState,
}

impl Blocking {
    /// Returns the communicator's node comm, if all its processes share a node and use a collective
    /// segment, and the schedule that describes messages of its operations.
    #[inline(always)]
    fn node_comm(&mut self) -> Option<(&mut shm::NodeComm, &mut Schedule)> {
        match &mut self.shm_state {
            shm::ShmState::Here(node_comm) => Some((node_comm, &mut self.schedule)),
            _ => None,
        }
    }
}

impl Engine {
    /// Returns an empty schedule for the next collective operation on `comm`.
    fn new_schedule(&mut self, comm: handle::Comm) -> Outcome<Schedule> {
        let object = self.comm_mut(comm)?;
        if object.is_unnamed() {
            return Err(Error::new(abi::MPI_ERR_COMM, "the communicator is still in the making")
                .advise("complete the request of MPI_Comm_idup first"));
        }
        let tag = object.next_collective();
        Ok(Schedule::new(comm, object, Class::Collective, tag))
    }

    /// Takes the state of the next blocking operation on `comm`. The caller puts it back.
    #[inline]
    fn begin_blocking(&mut self, comm: handle::Comm) -> Outcome<Box<Blocking>> {
        let object = self.comm_mut(comm)?;
        let Some(mut blocking) = object.blocking.take() else {
            return Ok(Box::new(Blocking {
                schedule: self.new_schedule(comm)?,
                shm_state: shm::ShmState::default(),
            }));
        };
        blocking.schedule.renew(object.next_collective());
        Ok(blocking)
    }

    /// Returns an empty schedule for a persistent collective operation. Persistent operations may
    /// be started in any order.
    fn new_persistent_schedule(&mut self, comm: handle::Comm) -> Outcome<Schedule> {
        let object = self.comm_mut(comm)?;
        let tag = object.persistent_collectives;
        object.persistent_collectives = (tag + 1) & i32::MAX as u32;
        Ok(Schedule::new(comm, object, Class::Persistent, tag))
    }
}

/// Collective operations on a communicator for each one that polls. An operation that finds all its
/// data in the collective segment does not poll. Without this, a program that calls nothing else
/// would never receive other messages.
const OPERATIONS_PER_POLL: u32 = 128;

/// Returns whether the next operation on a communicator polls for messages.
#[inline(always)]
fn polls_next(comm: &Comm) -> bool {
    comm.collectives.is_multiple_of(OPERATIONS_PER_POLL)
}

/// Performs a blocking operation.
#[inline]
pub fn run(
    mpi: &mut Mpi,
    comm: handle::Comm,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    match polls_next(mpi.comm(comm)?) {
        true => mpi.progress(),
        false => mpi.run_deferred(),
    }
    let blocking = mpi.begin_blocking(comm)?;
    run_with(mpi, comm, blocking, build)
}

/// Performs the rest of an operation that the fast path (`shm::fast`) has begun.
#[inline]
pub fn go_on(
    mpi: &mut Mpi,
    comm: handle::Comm,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    match mpi.comm_mut(comm)?.blocking.take() {
        Some(blocking) => run_with(mpi, comm, blocking, build),
        None => Err(Error::new(
            abi::MPI_ERR_COMM,
            "another thread is inside a collective operation on the same communicator",
        )),
    }
}

#[inline]
fn run_with(
    mpi: &mut Mpi,
    comm: handle::Comm,
    mut blocking: Box<Blocking>,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    let met = if blocking.shm_state.is_due() {
        set_up_shm(mpi, comm, &mut blocking.shm_state)
    } else {
        Ok(())
    };
    let built = met.and_then(|()| {
        let mut steps =
            Steps::performed(&mut blocking.schedule, mpi, blocking.shm_state.shm_members());
        let built = build(&mut steps);
        steps.wait();
        built
    });
    let failed = blocking.schedule.take_error();
    match mpi.comm_mut(comm) {
        Ok(object) => object.blocking = Some(blocking),
        Err(_) => shm::part(mpi, blocking.shm_state),
    }
    built?;
    failed.map_or(Ok(()), |error| Err(error.on(comm)))
}

/// Decides whether the communicator's processes use a collective segment. If that fails, they use
/// messages, and the call that decided returns the error.
#[cold]
fn set_up_shm(mpi: &mut Mpi, comm: handle::Comm, state: &mut shm::ShmState) -> Outcome {
    *state = shm::ShmState::Never;
    *state = shm::make(mpi, comm).map_err(|error| error.on(comm))?;
    Ok(())
}

/// Releases the collective segment of a communicator that is being freed.
pub fn part(engine: &mut Engine, comm: &mut Comm) {
    if let Some(blocking) = comm.blocking.take() {
        shm::part(engine, blocking.shm_state);
    }
}

/// Returns the schedule of a non-blocking operation.
pub fn note(
    mpi: &mut Mpi,
    comm: handle::Comm,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome<Box<Schedule>> {
    let mut schedule = mpi.new_schedule(comm)?;
    let nonblocking =
        mpi.comm(comm)?.blocking.as_ref().and_then(|blocking| blocking.shm_state.nonblocking());
    let later =
        nonblocking.map_or(Later::Never, |(site, nonblocking)| Later::At(site, nonblocking));
    build(&mut Steps::noted(&mut schedule, later))?;
    Ok(Box::new(schedule))
}

/// Returns the schedule of a persistent operation.
pub fn note_persistent(
    mpi: &mut Mpi,
    comm: handle::Comm,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome<Box<Schedule>> {
    let mut schedule = mpi.new_persistent_schedule(comm)?;
    let nonblocking =
        mpi.comm(comm)?.blocking.as_ref().and_then(|blocking| blocking.shm_state.nonblocking());
    let site = nonblocking.map(|(site, _)| site);
    build(&mut Steps::noted(
        &mut schedule,
        site.map_or(Later::Never, |site| Later::Made(site, mpi)),
    ))?;
    Ok(Box::new(schedule))
}

/// Starts a schedule and returns the operation's request.
pub fn start(mpi: &mut Mpi, schedule: Box<Schedule>) -> Outcome<handle::Request> {
    let request = mpi.new_request(Request::new(schedule.comm, Activity::Collective(schedule)))?;
    mpi.core.schedules.requests.push(request);
    advance(mpi);
    while run_callbacks(mpi) {}
    mpi.defer_tasks();
    Ok(request)
}

/// Advances every operation in progress as far as it can go without waiting.
pub fn advance(engine: &mut Engine) {
    // Starting a receive may take a rendezvous message that has arrived, and so call this function.
    if std::mem::replace(&mut engine.core.schedules.advancing, true) {
        return;
    }
    let mut index = 0;
    while let Some(&handle) = engine.core.schedules.requests.get(index) {
        if advance_one(engine, handle) {
            engine.core.schedules.requests.remove(index);
        } else {
            index += 1;
        }
    }
    engine.core.schedules.advancing = false;
}

/// Returns whether an operation in a collective segment can proceed. Called before sleeping,
/// because the doorbell may have rung before this process announced its sleep.
pub fn have_news(engine: &Engine) -> bool {
    any_call(&engine.core, |nonblocking, call, operation| call.has_news(nonblocking, operation))
}

/// Returns whether an operation waits for a slot of a collective segment. No doorbell announces
/// that a slot is free.
pub fn wait_for_slot(engine: &Engine) -> bool {
    any_call(&engine.core, |_, call, _| call.waits_for_slot())
}

fn any_call(
    core: &Core,
    any: impl Fn(&mut shm::Nonblocking, &shm::Call, &shm::ShmOperation) -> bool,
) -> bool {
    core.schedules.requests.iter().any(|&handle| {
        match core.requests.get(handle).map(|request| &request.activity) {
            Ok(Activity::Collective(schedule)) => {
                schedule.call_under_way().is_some_and(|(mut nonblocking, call, operation)| {
                    any(&mut nonblocking, call, operation)
                })
            }
            _ => false,
        }
    })
}

/// Advances one operation and returns true when it is complete.
fn advance_one(engine: &mut Engine, handle: handle::Request) -> bool {
    let Ok(request) = engine.core.requests.get_mut(handle) else { return true };
    let Activity::Collective(mut schedule) =
        std::mem::replace(&mut request.activity, Activity::Done)
    else {
        return true;
    };
    let done = schedule.advance(engine) == Progress::Done;
    let Ok(request) = engine.core.requests.get_mut(handle) else { return true };
    if done {
        request.completion = Completion { error: schedule.take_error(), ..Completion::EMPTY };
        engine.core.finish(handle);
    } else {
        request.activity = Activity::Collective(schedule);
    }
    done
}

/// Runs the user's reduction function that a schedule waits for, if any, and advances the schedule.
/// Returns whether a function ran.
pub fn run_callbacks(mpi: &mut Mpi) -> bool {
    let core = &mut mpi.core;
    let standing = core.schedules.requests.iter().find_map(|&handle| {
        match &mut core.requests.get_mut(handle).ok()?.activity {
            Activity::Collective(schedule) => Some((handle, schedule.begin_callback()?)),
            _ => None,
        }
    });
    let Some((handle, call)) = standing else { return false };
    call_user(mpi, &call);
    if let Ok(request) = mpi.core.requests.get_mut(handle)
        && let Activity::Collective(schedule) = &mut request.activity
    {
        schedule.end_callback();
    }
    advance(mpi);
    true
}

/// Calls a user's reduction function with the global lock released.
///
/// The function's datatype may have been freed since the operation began (MPI 5.0 §5.1.9). In that
/// case the function gets a new handle of an equal type.
pub fn call_user(mpi: &mut Mpi, call: &UserCall) {
    let kept =
        mpi.types.get(call.datatype).is_ok_and(|datatype| datatype.is_same(call.input.datatype()));
    let replacement = if kept { None } else { mpi.types.add(call.input.datatype().clone()).ok() };
    let datatype = replacement.unwrap_or(call.datatype);
    mpi.unlocked(|| call_in_chunks(call, datatype));
    if let Some(replacement) = replacement {
        // The function must not free this handle. If it did, nothing is left to free.
        let _ = mpi.types.free(replacement);
    }
}

/// Calls the function on at most `longest` elements at a time: an `MPI_User_function` that takes an
/// `int` count accepts at most INT_MAX.
fn call_in_chunks(call: &UserCall, datatype: handle::Datatype) {
    let (total, longest) =
        (call.input.count(), usize::try_from(call.function.longest()).unwrap_or(usize::MAX));
    let mut done = 0;
    while done < total {
        let length = (total - done).min(longest);
        let (from, to) =
            (call.input.part(done, length).address(), call.inout.part(done, length).address());
        call.function.reduce(
            std::ptr::with_exposed_provenance(from),
            std::ptr::with_exposed_provenance_mut(to),
            length as i64,
            datatype,
        );
        done += length;
    }
}

/// Allocates temporary memory for `count` elements of a datatype, laid out as in the user's buffer.
pub fn scratch(count: usize, datatype: &Datatype) -> Outcome<Buffer> {
    Buffer::scratch(count as i64, datatype)
        .map_err(|error| Error::new(abi::MPI_ERR_NO_MEM, error.why))
}

/// Allocates `bytes` bytes of temporary memory.
pub fn scratch_bytes(bytes: usize) -> Outcome<Buffer> {
    scratch(bytes, Datatype::predefined(abi::MPI_BYTE.0).expect("MPI_BYTE is predefined"))
}
