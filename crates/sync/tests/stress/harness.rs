//! Runs the threads of a stress test, and stops them by signals between any two instructions.
//!
//! A model explores a few steps of a few threads in all orders. A stress test complements it: many
//! steps, with threads that stop for as long as the others need to go round many times. Here a
//! further thread sends signals to the threads of a test. The signal's handler yields or sleeps, so
//! a thread stops wherever it is, also where its code has no call.
//!
//! `STRESS_SECONDS` is the duration of each test, one second by default.

#![allow(unsafe_code)]

use nemesis_sync::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Barrier, Mutex, Once};
use std::time::{Duration, Instant};

/// Longest wait for another thread of the test. What takes longer is lost.
const LOST_AFTER: Duration = Duration::from_secs(60);
/// Signal that stops a thread.
const STOP: libc::c_int = libc::SIGUSR1;

/// Nanoseconds for which the next signal stops its thread; 0: it yields.
static PAUSE_NS: AtomicU64 = AtomicU64::new(0);

/// The time of a test, as its threads see it.
pub struct Clock {
    end: Instant,
    has_failed: AtomicBool,
}

/// A thread of a test.
pub struct Worker<'a> {
    run: Box<dyn FnOnce(&Clock) + Send + 'a>,
    is_stopped: bool,
}

impl<'a> Worker<'a> {
    /// A thread that is stopped at random moments.
    pub fn new(run: impl FnOnce(&Clock) + Send + 'a) -> Self {
        Worker { run: Box::new(run), is_stopped: true }
    }

    /// A thread that gets no signals, because one would end its sleep.
    pub fn sleeper(run: impl FnOnce(&Clock) + Send + 'a) -> Self {
        Worker { run: Box::new(run), is_stopped: false }
    }
}

impl Clock {
    /// Whether the test is to go on.
    pub fn goes_on(&self) -> bool {
        // Relaxed: a hint.
        Instant::now() < self.end && !self.has_failed.load(Ordering::Relaxed)
    }

    /// Panics if another thread has failed.
    pub fn check(&self) {
        // Relaxed: a hint.
        assert!(!self.has_failed.load(Ordering::Relaxed), "another thread has failed");
    }

    /// Waits until `is_so`, for something that another thread does, and executes `meanwhile`
    /// between two looks. Panics if it takes so long that it must have been lost.
    pub fn wait(&self, what: &str, mut is_so: impl FnMut() -> bool, mut meanwhile: impl FnMut()) {
        let mut began = None;
        for round in 0_u32.. {
            if is_so() {
                return;
            }
            meanwhile();
            if !round.is_multiple_of(64) {
                std::hint::spin_loop();
                continue;
            }
            self.check();
            let waited = began.get_or_insert_with(Instant::now).elapsed();
            assert!(waited < LOST_AFTER, "lost: {what}");
            std::thread::yield_now();
        }
    }

    /// Waits as [`wait`](Self::wait) does and does nothing meanwhile.
    pub fn wait_for(&self, what: &str, is_so: impl FnMut() -> bool) {
        self.wait(what, is_so, || {});
    }
}

/// A sequence of numbers that looks random.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    /// Makes the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }

    /// Whether an event happens that happens once in `times` times.
    pub fn once_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

/// Returns the duration of a test.
pub fn duration() -> Duration {
    let seconds = std::env::var("STRESS_SECONDS").map(|text| text.parse());
    Duration::from_secs_f64(seconds.unwrap_or(Ok(1.0)).expect("STRESS_SECONDS: a number"))
}

extern "C" fn pause(_: libc::c_int) {
    // Relaxed: a number.
    let ns = PAUSE_NS.load(Ordering::Relaxed);
    // SAFETY: both calls may be made in a signal handler; the time lies on this stack, and `errno`
    // is this thread's.
    unsafe {
        let errno = *libc::__errno_location();
        if ns == 0 {
            libc::sched_yield();
        } else {
            let time = libc::timespec { tv_sec: 0, tv_nsec: ns as libc::c_long };
            libc::nanosleep(&time, std::ptr::null_mut());
        }
        *libc::__errno_location() = errno;
    }
}

fn install_handler() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: the structure is valid when zero, and the handler makes no call that a handler
        // must not make.
        let failed = unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = pause as extern "C" fn(libc::c_int) as usize;
            action.sa_flags = libc::SA_RESTART;
            libc::sigaction(STOP, &action, std::ptr::null_mut())
        };
        assert_eq!(failed, 0, "the handler is installed");
    });
}

/// Runs the workers, each in a thread of its own, for [`duration`], and panics if one of them does.
pub fn stress(workers: Vec<Worker<'_>>) {
    stress_for(duration(), workers);
}

/// Runs the workers as [`stress`] does, for a given time.
pub fn stress_for(time: Duration, workers: Vec<Worker<'_>>) {
    install_handler();
    let clock = Clock { end: Instant::now() + time, has_failed: AtomicBool::new(false) };
    let (begin, end) = (Barrier::new(workers.len() + 1), Barrier::new(workers.len() + 1));
    let (all, finished) = (workers.len(), AtomicUsize::new(0));
    let stopped = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        let threads: Vec<_> = workers
            .into_iter()
            .map(|worker| {
                let (clock, begin, end) = (&clock, &begin, &end);
                let (finished, stopped) = (&finished, &stopped);
                scope.spawn(move || {
                    if worker.is_stopped {
                        // SAFETY: returns this thread's number.
                        stopped.lock().unwrap().push(unsafe { libc::pthread_self() });
                    }
                    begin.wait();
                    let outcome = catch_unwind(AssertUnwindSafe(|| (worker.run)(clock)));
                    // Relaxed: hints to other threads.
                    clock.has_failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
                    finished.fetch_add(1, Ordering::Relaxed);
                    // The thread exists until no signal is sent any more.
                    end.wait();
                    outcome
                })
            })
            .collect();
        begin.wait();
        stop_threads(&stopped.lock().unwrap(), || finished.load(Ordering::Relaxed) == all);
        end.wait();
        let outcomes: Vec<_> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        // The first failure is that of a thread that did not fail because of another one.
        let is_own = |panic: &Box<dyn std::any::Any + Send>| {
            panic.downcast_ref::<&str>() != Some(&"another thread has failed")
        };
        let mut panics: Vec<_> = outcomes.into_iter().filter_map(Result::err).collect();
        panics.sort_by_key(|panic| !is_own(panic));
        if let Some(panic) = panics.into_iter().next() {
            resume_unwind(panic);
        }
    });
}

/// Stops one of the threads after the other until `are_over`.
fn stop_threads(threads: &[libc::pthread_t], are_over: impl Fn() -> bool) {
    let mut random = Random::new(std::process::id().into());
    while !are_over() {
        let ns = match random.below(16) {
            0 => 1_000_000 + random.below(4_000_000),
            1..12 => 10_000 + random.below(200_000),
            _ => 0,
        };
        // Relaxed: a number; a handler may read an older one.
        PAUSE_NS.store(ns, Ordering::Relaxed);
        if !threads.is_empty() {
            let thread = threads[random.below(threads.len() as u64) as usize];
            // SAFETY: the thread exists until this function has returned.
            assert_eq!(unsafe { libc::pthread_kill(thread, STOP) }, 0, "the thread exists");
        }
        std::thread::sleep(Duration::from_micros(random.below(40)));
    }
}
