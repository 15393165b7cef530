//! Collective operations (MPI 5.0 chapter 6).
//!
//! | file | what |
//! |---|---|
//! | `schedule` | operations as lists of steps |
//! | `choice` | which algorithm for which size: all thresholds |
//! | `operand`, `blocks` | the two kinds of arguments: what is reduced, and buffers with a part for every rank |
//! | `barrier`, `bcast`, `gather`, `scatter`, `allgather`, `alltoall` | moving data |
//! | `reduce`, `allreduce`, `reduce_scatter`, `scan` | combining data |
//! | `halving` | what reductions of long vectors share |
//! | `words` | the library's own exchanges |
//!
//! A builder writes the steps of one operation into an empty schedule; this file makes such schedules and runs them. The same builder serves the
//! blocking, the non-blocking and the persistent form:
//!
//! ```text
//!   new_schedule ──> builder ──> run                      blocking
//!                           └──> start ──> Request        non-blocking
//!   new_persistent_schedule ──> builder ──> Template      persistent, started many times
//! ```
//!
//! Builders expect intracommunicators; the callers see to it.

pub mod allgather;
pub mod allreduce;
pub mod alltoall;
pub mod barrier;
pub mod bcast;
pub mod blocks;
pub mod choice;
pub mod gather;
mod halving;
pub mod operand;
pub mod reduce;
pub mod reduce_scatter;
pub mod scan;
pub mod scatter;
pub mod schedule;
mod words;

pub use barrier::barrier;
pub use blocks::Blocks;
pub use operand::Reduction;
pub use schedule::{Operator, Progress, Schedule, Step};
pub use words::{allgather_words, get_words, put_words};

use crate::abi;
use crate::context::Class;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::handle;
use crate::receive;
use crate::request::{Activity, Completion, Request};
use nemesis_datatype::{Buffer, Datatype};
use schedule::{UserCall, mismatch, user_call};

/// The operations in progress, as the engine keeps them.
#[derive(Default)]
pub struct Running {
    /// Those begun by non-blocking calls, in the order of their start.
    requests: Vec<handle::Request>,
    /// They are being advanced: whoever comes by again, from inside, must not.
    advancing: bool,
    /// The memory of an earlier list of steps, for the next one.
    spare: Vec<Step>,
}

impl Running {
    pub const fn new() -> Running {
        Running { requests: Vec::new(), advancing: false, spare: Vec::new() }
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.requests.is_empty()
    }
}

impl Engine {
    /// An empty schedule for the next collective operation on `comm`.
    pub fn new_schedule(&mut self, comm: handle::Comm) -> Outcome<Schedule> {
        let spare = std::mem::take(&mut self.core.schedules.spare);
        let object = self.comm_mut(comm)?;
        let tag = object.collectives;
        object.collectives = (tag + 1) & i32::MAX as u32;
        Ok(Schedule::new(comm, object, Class::Collective, tag, spare))
    }

    /// An empty schedule for a persistent collective operation, which may be started in any order with others.
    pub fn new_persistent_schedule(&mut self, comm: handle::Comm) -> Outcome<Schedule> {
        let object = self.comm_mut(comm)?;
        let tag = object.persistent_collectives;
        object.persistent_collectives = (tag + 1) & i32::MAX as u32;
        Ok(Schedule::new(comm, object, Class::Persistent, tag, Vec::new()))
    }
}

/// Starts a schedule; the handle of the operation.
pub fn start(mpi: &mut Mpi, schedule: Box<Schedule>) -> Outcome<handle::Request> {
    let request = mpi.new_request(Request::new(schedule.comm, Activity::Collective(schedule)))?;
    mpi.core.schedules.requests.push(request);
    advance(mpi);
    while run_callbacks(mpi) {}
    Ok(request)
}

/// Performs a schedule to its end: the blocking form.
///
/// A receive that a wait follows needs no request: it lies on the stack like that of `MPI_Recv`.
pub fn run(mpi: &mut Mpi, mut schedule: Schedule) -> Outcome {
    let mut steps = schedule.take_steps();
    for (index, step) in steps.iter().enumerate() {
        match step {
            Step::Receive { from, buffer } if matches!(steps.get(index + 1), None | Some(Step::Wait)) => {
                receive_now(mpi, &mut schedule, *from, buffer);
            }
            Step::Wait => settle(mpi, &mut schedule),
            step => match user_call(step) {
                Some(call) => call_user(mpi, &call),
                None => schedule.perform(step, mpi),
            },
        }
    }
    settle(mpi, &mut schedule);
    steps.clear();
    mpi.core.schedules.spare = steps;
    let comm = schedule.comm;
    schedule.take_error().map_or(Ok(()), |error| Err(error.on(comm)))
}

fn receive_now(mpi: &mut Mpi, schedule: &mut Schedule, from: u32, buffer: &Buffer) {
    let completion = receive::receive(mpi, buffer, schedule.wanted(from));
    if let Some(error) = completion.map_or_else(Some, |completion| completion.error) {
        schedule.fail(mismatch(from as i32, error));
    }
}

/// Waits for all sends and receives under way.
#[inline]
fn settle(mpi: &mut Mpi, schedule: &mut Schedule) {
    while let Some(mut request) = schedule.take_pending() {
        let expected = mpi.core.requests.get(request).ok().and_then(|request| request.expected);
        mpi.wait_until(expected, |mpi| mpi.is_complete(request).unwrap_or(true));
        schedule.collect(mpi, &mut request);
    }
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

/// True when the operation has come to its end.
fn advance_one(engine: &mut Engine, handle: handle::Request) -> bool {
    let Ok(request) = engine.core.requests.get_mut(handle) else { return true };
    let Activity::Collective(mut schedule) = std::mem::replace(&mut request.activity, Activity::Done) else { return true };
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
    let standing = core.schedules.requests.iter().find_map(|&handle| match &mut core.requests.get_mut(handle).ok()?.activity {
        Activity::Collective(schedule) => Some((handle, schedule.begin_callback()?)),
        _ => None,
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
    let kept = mpi.datatype(call.datatype).is_ok_and(|datatype| datatype.is_same(call.input.datatype()));
    let replacement = if kept { None } else { mpi.add_datatype(call.input.datatype().clone()).ok() };
    let datatype = replacement.unwrap_or(call.datatype);
    mpi.unlocked(|| call_in_pieces(call, datatype));
    if let Some(replacement) = replacement {
        // The function may not free the handle that it was lent; if it did, there is nothing left to do.
        let _ = mpi.free_datatype(replacement);
    }
}

/// A plain `MPI_User_function` takes at most INT_MAX elements a call.
fn call_in_pieces(call: &UserCall, datatype: handle::Datatype) {
    let (total, longest) = (call.input.count(), usize::try_from(call.function.longest()).unwrap_or(usize::MAX));
    let mut done = 0;
    while done < total {
        let length = (total - done).min(longest);
        let (from, to) = (call.input.part(done, length).address(), call.inout.part(done, length).address());
        call.function.reduce(std::ptr::with_exposed_provenance(from), std::ptr::with_exposed_provenance_mut(to), length as i64, datatype);
        done += length;
    }
}

/// Temporary memory for `count` elements of a type, laid out as the user's would be.
pub fn scratch(count: usize, datatype: &Datatype) -> Outcome<Buffer> {
    Buffer::scratch(count as i64, datatype).map_err(|error| Error::new(abi::MPI_ERR_NO_MEM, error.why))
}

/// Temporary memory of `bytes` bytes.
pub fn scratch_bytes(bytes: usize) -> Outcome<Buffer> {
    scratch(bytes, Datatype::predefined(abi::MPI_BYTE.0).expect("MPI_BYTE is predefined"))
}
