//! The attendant: a thread that serves others' accesses while the program computes (MPI 5.0 §12.7.3).
//!
//! It exists only while there is a window whose accesses somebody else has to ask us for. As long as it does, the engine is entered by its lock, as
//! under MPI_THREAD_MULTIPLE; before and after, nothing is different from a process without.
//!
//! ```text
//!   the program calls MPI   nap for NAP, look again: whoever waits in a call takes in what comes
//!   it does not             take in what comes; when nothing comes, sleep on the networks' descriptors
//! ```
//!
//! It asleep, neighbours do not ring for it: they reach our memory themselves. Only where the kernel keeps them away from it, it sits at the doorbell.
//! It calls no function of the program: signals are blocked in it, and neither callbacks nor tools' events happen there.

use crate::abi;
use crate::engine::{Engine, Mpi, enter};
use crate::error::{Error, Outcome};
use nemesis::Asleep;
use nemesis_sync::{AtomicBool, Ordering, spin_hint};
use nemesis_sys::bell::{self, Bell, Wish};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

/// How long it leaves a program alone that calls MPI: so long may the first access wait after the program's last call.
const NAP: Duration = Duration::from_micros(500);
/// How often it looks for room, for the locks that neighbours give back, and for word that could not be sent.
const TICK: Duration = Duration::from_millis(1);
/// A sleep's limit, after which it looks whether all is as it was.
const SLEEP: Duration = Duration::from_millis(200);
/// Pauses between two looks, in which whoever waits for the engine gets it.
const GIVE_WAY: u32 = 50;
/// Looks that find nothing before it sleeps.
const LOOKS: u32 = 3;

/// Who attends to others' accesses.
#[derive(Debug)]
pub struct ProgressService {
    /// Windows that need it, and those that neighbours cannot reach.
    windows: usize,
    beside: usize,
    /// Calls that have polled.
    pub(crate) calls: u64,
    progress_thread: Option<ProgressThread>,
}

#[derive(Debug)]
struct ProgressThread {
    thread: JoinHandle<()>,
    bell: Arc<Bell>,
    over: Arc<AtomicBool>,
}

/// What there is to do for the attendant.
enum Turn {
    /// The program is in the library, or comes and goes.
    Leave,
    /// Something came.
    Again,
    Sleep(Vec<Wish>, Duration),
    Doze(Asleep, Duration),
}

impl ProgressService {
    pub const fn new() -> ProgressService {
        ProgressService { windows: 0, beside: 0, calls: 0, progress_thread: None }
    }
}

/// One more window needs attendance.
pub fn begin(mpi: &mut Mpi) -> Outcome {
    if mpi.progress_service.progress_thread.is_none() {
        let refused = |why: std::io::Error| {
            Error::new(
                abi::MPI_ERR_NO_MEM,
                format!("no thread can be started that serves the accesses of other hosts: {why}"),
            )
        };
        let (bell, over) =
            (Arc::new(Bell::new().map_err(refused)?), Arc::new(AtomicBool::new(false)));
        mpi.share(true);
        let (its_bell, its_over) = (bell.clone(), over.clone());
        match nemesis_sys::process::spawn_quietly("nemesis-rma", move || {
            attend(&its_bell, &its_over)
        }) {
            Ok(thread) => {
                mpi.progress_service.progress_thread = Some(ProgressThread { thread, bell, over })
            }
            Err(why) => {
                unshare(mpi);
                return Err(refused(why));
            }
        }
    }
    mpi.progress_service.windows += 1;
    Ok(())
}

/// `beside`: a window that is attended needs it by neighbours, too.
pub fn serve_neighbours(mpi: &mut Mpi, beside: bool) {
    mpi.progress_service.beside += usize::from(beside);
    if let Some(ProgressThread { bell, .. }) =
        mpi.progress_service.progress_thread.as_ref().filter(|_| beside)
    {
        // It may sleep where they do not ring.
        bell::ring(bell.number());
    }
}

/// One fewer; `beside` as above.
pub fn end(mpi: &mut Mpi, beside: bool) {
    mpi.progress_service.windows -= 1;
    mpi.progress_service.beside -= usize::from(beside);
    if mpi.progress_service.windows > 0 {
        return;
    }
    dismiss(mpi);
}

/// Ends the thread, whatever windows there are.
pub fn dismiss(mpi: &mut Mpi) {
    let Some(ProgressThread { thread, bell, over }) = mpi.progress_service.progress_thread.take()
    else {
        return;
    };
    // Relaxed: the lock that both take orders it.
    over.store(true, Ordering::Relaxed);
    bell::ring(bell.number());
    mpi.wake_others();
    mpi.unlocked(|| {
        // It cannot have panicked: that ends the process.
        let _ = thread.join();
    });
    unshare(mpi);
}

fn unshare(mpi: &mut Mpi) {
    if mpi.thread_level != abi::MPI_THREAD_MULTIPLE
        && mpi.progress_service.progress_thread.is_none()
    {
        mpi.share(false);
    }
}

fn attend(bell: &Bell, over: &AtomicBool) {
    let (mut seen, mut idle) = (0, 0);
    // Relaxed: seen after the lock was ours, at the latest.
    while !over.load(Ordering::Relaxed) {
        let Ok(mut mpi) = enter() else { return };
        let turn = if over.load(Ordering::Relaxed) {
            Turn::Again
        } else {
            mpi.attend(&mut seen, &mut idle)
        };
        drop(mpi);
        match turn {
            // A yield would give the processor to whoever computes; who waits for the engine spins.
            Turn::Again => (0..GIVE_WAY).for_each(|_| spin_hint()),
            Turn::Leave => bell::wait(&[Wish::to_read(bell)], NAP),
            Turn::Sleep(mut wishes, limit) => {
                wishes.push(Wish::to_read(bell));
                bell::wait(&wishes, limit);
            }
            Turn::Doze(asleep, limit) => {
                asleep.sleep(limit);
                drop(asleep);
                if let Ok(mut mpi) = enter() {
                    mpi.sleeper = false;
                    // It may have been rung for what another thread waits for.
                    mpi.wake_others();
                }
            }
        }
    }
}

impl Mpi {
    fn attend(&mut self, seen: &mut u64, idle: &mut u32) -> Turn {
        let calls = self.progress_service.calls;
        if calls != *seen || self.sleeper {
            *seen = calls;
            *idle = 0;
            return Turn::Leave;
        }
        let finished = self.core.finished;
        let arrived = self.poll(None);
        self.perform_pending();
        if arrived > 0 || self.core.finished != finished {
            self.wake_others();
            *idle = 0;
            return Turn::Again;
        }
        *idle += 1;
        if *idle < LOOKS {
            return Turn::Again;
        }
        self.prepare_rest()
    }

    fn prepare_rest(&mut self) -> Turn {
        let limit = if self.served.is_busy() || self.core.origin.is_busy() { TICK } else { SLEEP };
        let Engine { endpoint: Some(endpoint), progress_service, sleeper, .. } = &mut **self else {
            return Turn::Leave;
        };
        if progress_service.beside > 0 {
            let Some(asleep) = endpoint.prepare_sleep() else { return Turn::Again };
            *sleeper = true;
            return Turn::Doze(asleep, limit);
        }
        match endpoint.rest_on_networks() {
            Some((wishes, longest)) => Turn::Sleep(wishes, limit.min(longest)),
            None => Turn::Again,
        }
    }
}
