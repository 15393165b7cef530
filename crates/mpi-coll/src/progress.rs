//! Operations in progress: their start, and what the engine's progress does for them.

use super::mismatch::{ASK_AFTER, ask_all, check_unexpected, is_known};
use super::operator::call_user;
use super::schedule::{Progress, Schedule};
use super::shm::{Call, Nonblocking, ShmOperation};
use super::state::{COLLECTIVES, Running, close_fast_path, collectives, part};
use crate::engine::upper::CollectiveHooks;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::request::{Activity, Completion, Repeatable, Request};
use std::any::Any;
use std::time::Duration;

/// The functions by which the engine makes progress for collective operations.
pub const HOOKS: CollectiveHooks = CollectiveHooks {
    advance,
    start: start_again,
    run_callback,
    have_news,
    wait_for_slot,
    check_unexpected,
    sleeps,
    part,
    close: close_fast_path,
};

impl Repeatable for Schedule {
    fn duplicate(&self) -> Box<dyn Repeatable> {
        Box::new(self.clone())
    }
}

/// Starts a persistent operation and returns the request of the started operation.
fn start_again(mpi: &mut Mpi, operation: Box<dyn Repeatable>) -> Outcome<handle::Request> {
    let operation: Box<dyn Any> = operation;
    let schedule = operation.downcast().expect("every persistent collective is a schedule");
    if nemesis_mpi_check::is_on() { start_later(mpi, schedule) } else { start(mpi, schedule) }
}

/// Returns the request of an operation whose first step is left to the next call that makes
/// progress. So the development checks find what the program writes into the operation's buffers
/// until then: what it writes later cannot be told from what the operation writes.
#[cold]
pub fn start_later(mpi: &mut Mpi, schedule: Box<Schedule>) -> Outcome<handle::Request> {
    let request = mpi.pt2pt.new_request(Request::new(schedule.comm, Activity::Collective))?;
    collectives(mpi).running.push(Running { request, schedule, is_fresh: true });
    mpi.pt2pt.core.upper.collectives += 1;
    Ok(request)
}

/// Starts a schedule and returns the operation's request.
pub fn start(mpi: &mut Mpi, schedule: Box<Schedule>) -> Outcome<handle::Request> {
    let request = mpi.pt2pt.new_request(Request::new(schedule.comm, Activity::Collective))?;
    collectives(mpi).running.push(Running { request, schedule, is_fresh: false });
    mpi.pt2pt.core.upper.collectives += 1;
    advance(mpi);
    while run_callback(mpi) {}
    mpi.defer_tasks();
    Ok(request)
}

/// Advances every operation in progress as far as it can go without waiting.
fn advance(engine: &mut Engine) {
    let state = collectives(engine);
    // Starting a receive may take a rendezvous message that has arrived, and so call this function.
    if std::mem::replace(&mut state.advancing, true) {
        return;
    }
    let mut running = std::mem::take(&mut state.running);
    running.retain_mut(|operation| !advance_one(engine, operation));
    engine.pt2pt.core.upper.collectives = running.len();
    let state = collectives(engine);
    state.running = running;
    state.advancing = false;
}

/// Advances one operation and returns true when it is complete.
fn advance_one(engine: &mut Engine, operation: &mut Running) -> bool {
    let Running { request, schedule, is_fresh } = operation;
    if std::mem::take(is_fresh) {
        nemesis_mpi_check::buffers::begins(request.0);
    }
    let done = schedule.advance(engine) == Progress::Done;
    if done && is_known(engine, schedule.comm) {
        close_fast_path(engine, schedule.comm);
    }
    let Ok(object) = engine.pt2pt.core.requests.get_mut(*request) else { return true };
    if done {
        object.completion = Completion { error: schedule.take_error(), ..Completion::EMPTY };
        if nemesis_mpi_check::is_on() {
            nemesis_mpi_check::accesses::learn();
        }
        engine.pt2pt.core.finish(*request);
    }
    done
}

/// Makes operations that have waited long ask the processes that they wait for.
fn sleeps(engine: &mut Engine, asleep_for: Duration) {
    if asleep_for < ASK_AFTER {
        return;
    }
    ask_all(engine);
    let mut running = std::mem::take(&mut collectives(engine).running);
    running.iter_mut().for_each(|operation| operation.schedule.ask(engine));
    collectives(engine).running = running;
}

/// Returns whether an operation in a collective segment can proceed. Called before sleeping,
/// because the doorbell may have rung before this process announced its sleep.
fn have_news(engine: &Engine) -> bool {
    any_call(engine, |nonblocking, call, operation| call.has_news(nonblocking, operation))
}

/// Returns whether an operation waits for a slot of a collective segment. No doorbell announces
/// that a slot is free.
fn wait_for_slot(engine: &Engine) -> bool {
    any_call(engine, |_, call, _| call.waits_for_slot())
}

fn any_call(engine: &Engine, any: impl Fn(&mut Nonblocking, &Call, &ShmOperation) -> bool) -> bool {
    COLLECTIVES.get(&engine.pt2pt.core.token).running.iter().any(|Running { schedule, .. }| {
        schedule.call_under_way().is_some_and(|(mut nonblocking, call, operation)| {
            any(&mut nonblocking, call, operation)
        })
    })
}

/// Runs the user's reduction function that a schedule waits for, if any, and advances the schedule.
/// Returns whether a function ran.
fn run_callback(mpi: &mut Mpi) -> bool {
    let running = &mut collectives(mpi).running;
    let waiting = running
        .iter_mut()
        .find_map(|operation| Some((operation.request, operation.schedule.begin_callback()?)));
    let Some((request, call)) = waiting else { return false };
    call_user(mpi, &call);
    let mut running = collectives(mpi).running.iter_mut();
    if let Some(operation) = running.find(|operation| operation.request == request) {
        operation.schedule.end_callback();
    }
    advance(mpi);
    true
}
