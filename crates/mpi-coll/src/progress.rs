//! Operations in progress: their start, and what the engine's progress does for them.

use super::schedule::UserCall;
use super::shm::{Call, Nonblocking, ShmOperation};
use super::state::{COLLECTIVES, Running, collectives};
use super::{Progress, Schedule};
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::request::{Activity, Completion, Repeatable, Request};
use std::any::Any;

impl Repeatable for Schedule {
    fn duplicate(&self) -> Box<dyn Repeatable> {
        Box::new(self.clone())
    }
}

/// Starts a persistent operation and returns the request of the started operation.
pub(crate) fn start_again(
    mpi: &mut Mpi,
    operation: Box<dyn Repeatable>,
) -> Outcome<handle::Request> {
    let operation: Box<dyn Any> = operation;
    let schedule = operation.downcast().expect("every persistent collective is a schedule");
    start(mpi, schedule)
}

/// Starts a schedule and returns the operation's request.
pub fn start(mpi: &mut Mpi, schedule: Box<Schedule>) -> Outcome<handle::Request> {
    let request = mpi.new_request(Request::new(schedule.comm, Activity::Collective))?;
    collectives(mpi).running.push(Running { request, schedule });
    mpi.core.upper.collectives += 1;
    advance(mpi);
    while run_callback(mpi) {}
    mpi.defer_tasks();
    Ok(request)
}

/// Advances every operation in progress as far as it can go without waiting.
pub(crate) fn advance(engine: &mut Engine) {
    let state = collectives(engine);
    // Starting a receive may take a rendezvous message that has arrived, and so call this function.
    if std::mem::replace(&mut state.advancing, true) {
        return;
    }
    let mut running = std::mem::take(&mut state.running);
    running.retain_mut(|operation| !advance_one(engine, operation));
    engine.core.upper.collectives = running.len();
    let state = collectives(engine);
    state.running = running;
    state.advancing = false;
}

/// Advances one operation and returns true when it is complete.
fn advance_one(engine: &mut Engine, Running { request, schedule }: &mut Running) -> bool {
    let done = schedule.advance(engine) == Progress::Done;
    let Ok(object) = engine.core.requests.get_mut(*request) else { return true };
    if done {
        object.completion = Completion { error: schedule.take_error(), ..Completion::EMPTY };
        engine.core.finish(*request);
    }
    done
}

/// Returns whether an operation in a collective segment can proceed. Called before sleeping,
/// because the doorbell may have rung before this process announced its sleep.
pub(crate) fn have_news(engine: &Engine) -> bool {
    any_call(engine, |nonblocking, call, operation| call.has_news(nonblocking, operation))
}

/// Returns whether an operation waits for a slot of a collective segment. No doorbell announces
/// that a slot is free.
pub(crate) fn wait_for_slot(engine: &Engine) -> bool {
    any_call(engine, |_, call, _| call.waits_for_slot())
}

fn any_call(engine: &Engine, any: impl Fn(&mut Nonblocking, &Call, &ShmOperation) -> bool) -> bool {
    COLLECTIVES.get(&engine.core.token).running.iter().any(|Running { schedule, .. }| {
        schedule.call_under_way().is_some_and(|(mut nonblocking, call, operation)| {
            any(&mut nonblocking, call, operation)
        })
    })
}

/// Runs the user's reduction function that a schedule waits for, if any, and advances the schedule.
/// Returns whether a function ran.
pub(crate) fn run_callback(mpi: &mut Mpi) -> bool {
    let running = &mut collectives(mpi).running;
    let waiting = running
        .iter_mut()
        .find_map(|Running { request, schedule }| Some((*request, schedule.begin_callback()?)));
    let Some((request, call)) = waiting else { return false };
    call_user(mpi, &call);
    let mut running = collectives(mpi).running.iter_mut();
    if let Some(operation) = running.find(|operation| operation.request == request) {
        operation.schedule.end_callback();
    }
    advance(mpi);
    true
}

/// Calls a user's reduction function with the global lock released.
///
/// The function's datatype may have been freed since the operation began (MPI 5.0 §5.1.9). In that
/// case the function gets a new handle of an equal type.
pub(crate) fn call_user(mpi: &mut Mpi, call: &UserCall) {
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
