//! Collective operations (MPI 5.0 chapter 6).
//!
//! | file | what |
//! |---|---|
//! | `steps` | what builders write: noted in a schedule, or performed on the spot |
//! | `schedule` | operations as lists of steps |
//! | `choice` | which algorithm for which size: all thresholds |
//! | `operand`, `blocks` | the two kinds of arguments: what is reduced, and buffers with a part for every rank |
//! | `barrier`, `bcast`, `gather`, `scatter`, `allgather`, `alltoall` | moving data |
//! | `reduce`, `allreduce`, `reduce_scatter`, `scan` | combining data |
//! | `neighbour` | exchanges between the neighbours of a topology |
//! | `halving` | what reductions of long vectors share |
//! | `joined` | a contribution that is joined as it comes |
//! | `near` | on one node: at a board in the segment, without messages |
//! | `inter` | all of them between two groups |
//! | `words` | the library's own exchanges |
//! | `finalization` | the barrier of `MPI_Finalize` |
//!
//! A builder writes the steps of one operation; this file says where they go. The same builder serves the three forms:
//!
//! ```text
//!   run(build)                                   blocking: steps are performed as they are written
//!   note(build) ──> Schedule ──> start           non-blocking: a request
//!                           └──> Template        persistent: started many times
//! ```
//!
//! Builders expect intracommunicators, the callers see to it; those of `inter` expect intercommunicators, and use the others within each group.

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

/// The operations in progress, as the engine keeps them.
#[derive(Default)]
pub struct Running {
    /// Those begun by non-blocking calls, in the order of their start.
    requests: Vec<handle::Request>,
    /// They are being advanced: whoever comes by again, from inside, must not.
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

/// What the blocking operations on a communicator use, one after the other.
pub struct Blocking {
    /// Without steps: they are performed as they are written.
    schedule: Schedule,
    meeting: shm::Meeting,
}

impl Blocking {
    /// The circle that meets at a board, if that is where the communicator's processes meet, and what its messages would be sent by.
    #[inline(always)]
    fn node_comm(&mut self) -> Option<(&mut shm::NodeComm, &mut Schedule)> {
        match &mut self.meeting {
            shm::Meeting::Here(node_comm) => Some((node_comm, &mut self.schedule)),
            _ => None,
        }
    }
}

impl Engine {
    /// An empty schedule for the next collective operation on `comm`.
    fn new_schedule(&mut self, comm: handle::Comm) -> Outcome<Schedule> {
        let object = self.comm_mut(comm)?;
        if object.is_unnamed() {
            return Err(Error::new(abi::MPI_ERR_COMM, "the communicator is still in the making")
                .advise("complete the request of MPI_Comm_idup first"));
        }
        let tag = object.next_collective();
        Ok(Schedule::new(comm, object, Class::Collective, tag))
    }

    /// What the next blocking operation on `comm` uses; to be given back.
    #[inline]
    fn begin_blocking(&mut self, comm: handle::Comm) -> Outcome<Box<Blocking>> {
        let object = self.comm_mut(comm)?;
        let Some(mut blocking) = object.blocking.take() else {
            return Ok(Box::new(Blocking {
                schedule: self.new_schedule(comm)?,
                meeting: shm::Meeting::default(),
            }));
        };
        blocking.schedule.renew(object.next_collective());
        Ok(blocking)
    }

    /// An empty schedule for a persistent collective operation, which may be started in any order with others.
    fn new_persistent_schedule(&mut self, comm: handle::Comm) -> Outcome<Schedule> {
        let object = self.comm_mut(comm)?;
        let tag = object.persistent_collectives;
        object.persistent_collectives = (tag + 1) & i32::MAX as u32;
        Ok(Schedule::new(comm, object, Class::Persistent, tag))
    }
}

/// Whoever finds all that it needs at the board looks at nothing else. Of so many operations on a communicator one looks at what has come besides, or a
/// program that calls nothing else would never hear of it.
const OPERATIONS_TO_A_LOOK: u32 = 128;

/// Whether the next operation on a communicator looks at what has come besides.
#[inline(always)]
fn looks_round(comm: &Comm) -> bool {
    comm.collectives.is_multiple_of(OPERATIONS_TO_A_LOOK)
}

/// The blocking form: performs an operation.
#[inline]
pub fn run(
    mpi: &mut Mpi,
    comm: handle::Comm,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    match looks_round(mpi.comm(comm)?) {
        true => mpi.progress(),
        false => mpi.settle(),
    }
    let blocking = mpi.begin_blocking(comm)?;
    run_with(mpi, comm, blocking, build)
}

/// Performs what is left of an operation that has begun in short (`shm::fast`).
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
    let met =
        if blocking.meeting.is_due() { meet(mpi, comm, &mut blocking.meeting) } else { Ok(()) };
    let built = met.and_then(|()| {
        let mut steps = Steps::performed(&mut blocking.schedule, mpi, blocking.meeting.meeters());
        let built = build(&mut steps);
        steps.wait();
        built
    });
    let failed = blocking.schedule.take_error();
    match mpi.comm_mut(comm) {
        Ok(object) => object.blocking = Some(blocking),
        Err(_) => shm::part(mpi, blocking.meeting),
    }
    built?;
    failed.map_or(Ok(()), |error| Err(error.on(comm)))
}

/// Finds out where a communicator's processes meet. After an error they do not, and the call that came by has failed.
#[cold]
fn meet(mpi: &mut Mpi, comm: handle::Comm, meeting: &mut shm::Meeting) -> Outcome {
    *meeting = shm::Meeting::Never;
    *meeting = shm::make(mpi, comm).map_err(|error| error.on(comm))?;
    Ok(())
}

/// A communicator goes, and this process from where its processes meet.
pub fn part(engine: &mut Engine, comm: &mut Comm) {
    if let Some(blocking) = comm.blocking.take() {
        shm::part(engine, blocking.meeting);
    }
}

/// The schedule of a non-blocking operation.
pub fn note(
    mpi: &mut Mpi,
    comm: handle::Comm,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome<Box<Schedule>> {
    let mut schedule = mpi.new_schedule(comm)?;
    let nonblocking =
        mpi.comm(comm)?.blocking.as_ref().and_then(|blocking| blocking.meeting.nonblocking());
    let later =
        nonblocking.map_or(Later::Never, |(site, nonblocking)| Later::At(site, nonblocking));
    build(&mut Steps::noted(&mut schedule, later))?;
    Ok(Box::new(schedule))
}

/// The schedule of a persistent operation.
pub fn note_persistent(
    mpi: &mut Mpi,
    comm: handle::Comm,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome<Box<Schedule>> {
    let mut schedule = mpi.new_persistent_schedule(comm)?;
    let nonblocking =
        mpi.comm(comm)?.blocking.as_ref().and_then(|blocking| blocking.meeting.nonblocking());
    let site = nonblocking.map(|(site, _)| site);
    build(&mut Steps::noted(
        &mut schedule,
        site.map_or(Later::Never, |site| Later::Made(site, mpi)),
    ))?;
    Ok(Box::new(schedule))
}

/// Starts a schedule; the handle of the operation.
pub fn start(mpi: &mut Mpi, schedule: Box<Schedule>) -> Outcome<handle::Request> {
    let request = mpi.new_request(Request::new(schedule.comm, Activity::Collective(schedule)))?;
    mpi.core.schedules.requests.push(request);
    advance(mpi);
    while run_callbacks(mpi) {}
    mpi.leave_tasks();
    Ok(request)
}

/// Lets every operation in progress go on as far as it can.
pub fn advance(engine: &mut Engine) {
    // Beginning a receive may take up an announced message and come by here again.
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

/// Before a sleep: whether an operation at a board can go on, of which the ring may have come too early to wake us.
pub fn have_news(engine: &Engine) -> bool {
    any_call(&engine.core, |nonblocking, call, meet| call.has_news(nonblocking, meet))
}

/// Whether an operation waits for room at a board, of which no ring tells.
pub fn wait_for_room(engine: &Engine) -> bool {
    any_call(&engine.core, |_, call, _| call.waits_for_room())
}

fn any_call(
    core: &Core,
    any: impl Fn(&mut shm::Nonblocking, &shm::Call, &shm::Meet) -> bool,
) -> bool {
    core.schedules.requests.iter().any(|&handle| {
        match core.requests.get(handle).map(|request| &request.activity) {
            Ok(Activity::Collective(schedule)) => schedule
                .call_under_way()
                .is_some_and(|(mut nonblocking, call, meet)| any(&mut nonblocking, call, meet)),
            _ => false,
        }
    })
}

/// True when the operation has come to its end.
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

/// Runs a user function that a schedule stands before, if one does, and lets the schedule go on.
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

/// Calls a user's reduction function with the engine let go.
///
/// Its datatype may have been freed since the operation began (MPI 5.0 §5.1.9); then the function gets another handle for the same type.
pub fn call_user(mpi: &mut Mpi, call: &UserCall) {
    let kept =
        mpi.datatype(call.datatype).is_ok_and(|datatype| datatype.is_same(call.input.datatype()));
    let replacement =
        if kept { None } else { mpi.add_datatype(call.input.datatype().clone()).ok() };
    let datatype = replacement.unwrap_or(call.datatype);
    mpi.unlocked(|| call_in_pieces(call, datatype));
    if let Some(replacement) = replacement {
        // The function may not free the handle that it was lent; if it did, there is nothing left to do.
        let _ = mpi.free_datatype(replacement);
    }
}

/// A plain `MPI_User_function` takes at most INT_MAX elements a call.
fn call_in_pieces(call: &UserCall, datatype: handle::Datatype) {
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

/// Temporary memory for `count` elements of a type, laid out as the user's would be.
pub fn scratch(count: usize, datatype: &Datatype) -> Outcome<Buffer> {
    Buffer::scratch(count as i64, datatype)
        .map_err(|error| Error::new(abi::MPI_ERR_NO_MEM, error.why))
}

/// Temporary memory of `bytes` bytes.
pub fn scratch_bytes(bytes: usize) -> Outcome<Buffer> {
    scratch(bytes, Datatype::predefined(abi::MPI_BYTE.0).expect("MPI_BYTE is predefined"))
}
