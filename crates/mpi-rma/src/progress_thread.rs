//! The progress thread: serves AM requests while the program computes (MPI 5.0 §12.7.3).
//!
//! The thread exists only while a window exists whose memory other processes access by AM requests
//! to this process, or while the program wants it (`MPIX_Start_progress_thread`). While it exists,
//! the engine is entered under its lock, as with `MPI_THREAD_MULTIPLE`. Before and after, the
//! process behaves as one that never had the thread.
//!
//! ```text
//!   the program calls MPI   sleep for NAP, check again: threads that wait in MPI calls poll
//!   it does not             poll; if nothing arrives, sleep on the networks' descriptors
//! ```
//!
//! While the thread sleeps, other processes of the node do not ring its doorbell, because they
//! access this process's memory themselves. Only if the kernel refuses them copies, the thread
//! sleeps on the doorbell. The thread calls no function of the program: signals are blocked in it,
//! and neither callbacks nor tools' events are called from it. A thread that the program wants is
//! different: it makes progress of every kind, as a call of MPI does, and sleeps on the doorbell.

use crate::abi;
use crate::engine::upper::{State, UpperState};
use crate::engine::{Engine, Mpi, enter};
use crate::error::{Error, Outcome};
use crate::pt2pt::PointToPoint;
use crate::waiting::Waiting;
use nemesis::Asleep;
use nemesis_sync::{AtomicBool, Ordering, spin_hint};
use nemesis_sys::bell::{self, Bell, PollInterest};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// Sleep of the thread while the program calls MPI. The first request after the program's last call
/// may wait this long.
const NAP: Duration = Duration::from_micros(500);
/// Limit of a sleep while replies wait for buffer space, or requests for locks that other processes
/// release in shared memory without a packet.
const BUSY_SLEEP_MAX: Duration = Duration::from_millis(1);
/// Limit of every other sleep.
const SLEEP_MAX: Duration = Duration::from_millis(200);
/// Pauses between two polls, in which other threads get the engine's lock.
const PAUSES_BETWEEN_POLLS: u32 = 50;
/// Empty polls before the thread sleeps.
const POLLS_BEFORE_SLEEP: u32 = 3;

/// The progress thread, and the number of windows that need it.
#[derive(Debug)]
struct ProgressService {
    /// Windows that need the thread.
    windows: usize,
    /// Windows that need it for other processes of this node, too.
    local_windows: usize,
    /// Calls of the program that have started the thread and were not followed by one that stops
    /// it. Each counts as a window, too.
    starts: usize,
    progress_thread: Option<ProgressThread>,
}

#[derive(Debug)]
struct ProgressThread {
    thread: JoinHandle<()>,
    bell: Arc<Bell>,
    stop: Arc<AtomicBool>,
}

/// What the progress thread does next.
enum NextAction {
    /// The program polls itself: sleep for `NAP`.
    Nap,
    /// Something arrived: poll again.
    Poll,
    /// Sleep on the networks' descriptors.
    SleepOnNetworks(Vec<PollInterest>, Duration),
    /// Sleep on the doorbell, which other processes of the node ring.
    SleepOnDoorbell(Asleep, Duration),
}

/// The progress thread of this process.
static SERVICE: UpperState<ProgressService> = UpperState::new();

impl State for ProgressService {
    const INITIAL: ProgressService =
        ProgressService { windows: 0, local_windows: 0, starts: 0, progress_thread: None };
}

/// Returns the progress thread and the windows that need it, to change them.
fn service(engine: &mut Engine) -> &mut ProgressService {
    SERVICE.get_mut(&mut engine.pt2pt.core.token)
}

/// Registers a window that needs the thread, and starts the thread if it does not run. Fails if the
/// thread cannot be started.
pub fn begin(mpi: &mut Mpi) -> Outcome {
    if service(mpi).progress_thread.is_none() {
        let refused = |why: std::io::Error| {
            Error::new(
                abi::MPI_ERR_NO_MEM,
                format!("no thread can be started to serve accesses of other processes: {why}"),
            )
            .with_limit(&why)
        };
        let (bell, stop) =
            (Arc::new(Bell::new().map_err(refused)?), Arc::new(AtomicBool::new(false)));
        mpi.share(true);
        let (its_bell, its_stop) = (bell.clone(), stop.clone());
        match nemesis_sys::process::spawn_without_signals("nemesis-rma", move || {
            serve(&its_bell, &its_stop)
        }) {
            Ok(thread) => {
                service(mpi).progress_thread = Some(ProgressThread { thread, bell, stop })
            }
            Err(why) => {
                unshare(mpi);
                return Err(refused(why));
            }
        }
    }
    service(mpi).windows += 1;
    Ok(())
}

/// Records whether a registered window needs the thread for other processes of this node, too
/// (`local`).
pub fn serve_local(mpi: &mut Mpi, local: bool) {
    service(mpi).local_windows += usize::from(local);
    if let Some(ProgressThread { bell, .. }) =
        service(mpi).progress_thread.as_ref().filter(|_| local)
    {
        // The thread may sleep where other processes do not ring, so wake it.
        bell::ring(bell.number());
    }
}

/// Removes a window; `local` as in [`serve_local`]. Ends the thread with the last window.
pub fn end(mpi: &mut Mpi, local: bool) {
    service(mpi).windows -= 1;
    service(mpi).local_windows -= usize::from(local);
    if service(mpi).windows > 0 {
        return;
    }
    dismiss(mpi);
}

/// Starts the thread for the program.
pub fn start_for_program(mpi: &mut Mpi) -> Outcome {
    begin(mpi)?;
    service(mpi).starts += 1;
    serve_local(mpi, true);
    Ok(())
}

/// Takes back one call of [`start_for_program`]. Fails if there is none.
pub fn stop_for_program(mpi: &mut Mpi) -> Outcome {
    if service(mpi).starts == 0 {
        let why = "the program has not started a progress thread";
        return Err(Error::new(abi::MPI_ERR_OTHER, why)
            .advise("call MPIX_Start_progress_thread once before each MPIX_Stop_progress_thread"));
    }
    service(mpi).starts -= 1;
    end(mpi, true);
    Ok(())
}

/// Ends the thread, also while windows need it.
pub fn dismiss(mpi: &mut Mpi) {
    let its = service(mpi);
    its.windows -= its.starts;
    its.local_windows -= its.starts;
    its.starts = 0;
    let Some(ProgressThread { thread, bell, stop }) = service(mpi).progress_thread.take() else {
        return;
    };
    // Relaxed: the engine's lock, which both threads take, orders it.
    stop.store(true, Ordering::Relaxed);
    bell::ring(bell.number());
    mpi.wake_others();
    mpi.unlocked(|| {
        // A panic of the thread ends the process, so the result needs no check.
        let _ = thread.join();
    });
    unshare(mpi);
}

/// Ends the sharing of the engine between threads, unless the program asked for it.
fn unshare(mpi: &mut Mpi) {
    if mpi.life.thread_level != abi::MPI_THREAD_MULTIPLE && service(mpi).progress_thread.is_none() {
        mpi.share(false);
    }
}

/// Runs the thread: polls and sleeps until `stop` is set.
fn serve(bell: &Bell, stop: &AtomicBool) {
    let (mut seen, mut idle) = (0, 0);
    // Relaxed: the thread sees it at the latest after it has taken the engine's lock.
    while !stop.load(Ordering::Relaxed) {
        let Ok(mut mpi) = enter() else { return };
        let next = if stop.load(Ordering::Relaxed) {
            NextAction::Poll
        } else {
            serve_once(&mut mpi, &mut seen, &mut idle)
        };
        drop(mpi);
        match next {
            // A yield would give the processor to a thread that computes; a thread that waits for
            // the engine spins.
            NextAction::Poll => (0..PAUSES_BETWEEN_POLLS).for_each(|_| spin_hint()),
            NextAction::Nap => bell::wait(&[PollInterest::to_read(bell)], NAP),
            NextAction::SleepOnNetworks(mut interests, limit) => {
                interests.push(PollInterest::to_read(bell));
                bell::wait(&interests, limit);
            }
            NextAction::SleepOnDoorbell(asleep, limit) => {
                asleep.sleep(limit);
                drop(asleep);
                if let Ok(mut mpi) = enter() {
                    mpi.waiting.sleeper = false;
                    // The doorbell may have been rung for a packet that another thread waits for.
                    mpi.wake_others();
                }
            }
        }
    }
}

/// Polls if the program does not, carries out requests, and decides what to do next. `seen` is
/// the number of calls when the thread last ran, `idle` the number of empty polls since.
fn serve_once(mpi: &mut Mpi, seen: &mut u64, idle: &mut u32) -> NextAction {
    let calls = mpi.waiting.polls;
    if calls != *seen || mpi.waiting.sleeper {
        *seen = calls;
        *idle = 0;
        return NextAction::Nap;
    }
    let finished = mpi.pt2pt.core.finished;
    let is_busy = if service(mpi).starts > 0 {
        mpi.progress();
        // The thread's own call does not count as one of the program.
        *seen = mpi.waiting.polls;
        mpi.waiting.has_deferred()
    } else {
        let arrived = mpi.pt2pt.poll(None);
        mpi.perform_pending();
        arrived > 0
    };
    if is_busy || mpi.pt2pt.core.finished != finished {
        mpi.wake_others();
        *idle = 0;
        return NextAction::Poll;
    }
    *idle += 1;
    if *idle < POLLS_BEFORE_SLEEP {
        return NextAction::Poll;
    }
    if service(mpi).starts > 0 && mpi.look_after_lanes() {
        // Each lane has a doorbell of its own.
        return NextAction::Nap;
    }
    prepare_sleep_of_thread(mpi)
}

/// Prepares the sleep that suits the windows.
fn prepare_sleep_of_thread(mpi: &mut Mpi) -> NextAction {
    let limit = if mpi.pt2pt.core.upper.busy.any() { BUSY_SLEEP_MAX } else { SLEEP_MAX };
    let Engine {
        pt2pt: PointToPoint { endpoint: Some(endpoint), core, .. },
        waiting: Waiting { sleeper, .. },
        ..
    } = &mut **mpi
    else {
        return NextAction::Nap;
    };
    if SERVICE.get(&core.token).local_windows > 0 {
        let Some(asleep) = endpoint.prepare_sleep() else { return NextAction::Poll };
        *sleeper = true;
        return NextAction::SleepOnDoorbell(asleep, limit);
    }
    match endpoint.rest_on_networks() {
        Some((interests, longest)) => NextAction::SleepOnNetworks(interests, limit.min(longest)),
        None => NextAction::Poll,
    }
}
