//! Measuring the [host model](nemesis_sys::host_model).
//!
//! Every measurement repeats an operation of some microseconds and takes a low rank of the times,
//! because other work on the processors only makes an operation longer. All together end within
//! [`TIMEOUT`]; they take a fifth of it where two processors are free. The cost of lines comes
//! first and gets most of the time: it alone needs two processors at one time, and most choices
//! need it.

mod copies;
mod lines;
mod switches;

use nemesis_sync::{AtomicU32, Ordering, spin_hint};
use nemesis_sys::host_model::HostModel;
use nemesis_sys::{hardware, host, process, time_slice};
use std::sync::mpsc::Receiver;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Longest wait for the other thread without a pause: many times the length of its turn, so it has
/// lost its processor to other work.
const POLL: Duration = Duration::from_micros(200);
/// Length of such a pause. The kernel prefers a thread that has slept, so two threads that sleep
/// now and then run at the same time sooner than two that poll.
const PAUSE: Duration = Duration::from_micros(500);
/// Longest measurement.
pub const TIMEOUT: Duration = Duration::from_millis(40);
/// Part of that time for the cost of lines.
const LINES_TIMEOUT: Duration = Duration::from_millis(30);

/// Measures this host. Figures that cannot be measured stay 0.
pub fn host_model() -> HostModel {
    let begun = Instant::now();
    let allowed = process::allowed_processors().unwrap_or_default();
    // A launcher that binds each process to a core of its own is not bound itself.
    let two_cores = hardware::two_cores(&allowed)
        .or_else(|| hardware::two_cores(&process::parents_processors().ok()?));
    let mut model = HostModel::default();
    time_slice::shortened(|| {
        if let Some(cores) = two_cores {
            lines::measure(cores, begun + LINES_TIMEOUT, &mut model);
        }
        copies::measure(begun + TIMEOUT, &mut model);
        switches::measure(&allowed, begun + TIMEOUT, &mut model);
    });
    if let Some(&processor) = allowed.first() {
        let caches = hardware::caches(processor);
        model.private_cache_bytes = caches.private_bytes as f32;
        model.shared_cache_bytes = caches.shared_bytes as f32;
        model.shared_cache_processors = caches.sharers as f32;
    }
    // The kernel may describe caches that no real host has.
    HostModel::from_array(model.to_array()).unwrap_or_default()
}

/// Returns the element of rank `share` (0: the least, 1: the greatest) of some times; `None` if
/// there are fewer than `least` of them.
fn ranked(mut times: Vec<f64>, least: usize, share: f64) -> Option<f32> {
    if times.len() < least {
        return None;
    }
    times.sort_by(f64::total_cmp);
    Some(times[((times.len() - 1) as f64 * share) as usize] as f32)
}

/// Runs two functions, each on a thread of its own bound to its processor, and returns their
/// results; `None` if a thread cannot be started or bound.
fn on_processors<A: Send + 'static, B: Send + 'static>(
    [one, other]: [usize; 2],
    first: impl FnOnce() -> A + Send + 'static,
    second: impl FnOnce() -> B + Send + 'static,
) -> Option<(A, B)> {
    let second = on_processor(other, second);
    let first = on_processor(one, first);
    // Both are waited for, whatever became of the other.
    let (first, second) = (first?.join(), second?.join());
    Some((first?, second?))
}

/// A function that runs on its own thread.
struct Running<T> {
    thread: JoinHandle<()>,
    result: Receiver<Option<T>>,
}

/// Starts `run` on a new thread that is bound to `processor`.
fn on_processor<T: Send + 'static>(
    processor: usize,
    run: impl FnOnce() -> T + Send + 'static,
) -> Option<Running<T>> {
    let (tell, result) = std::sync::mpsc::channel();
    let thread = process::spawn_without_signals("nemesis measure", move || {
        // The starter waits for the result.
        let _ = tell.send(host::bind_to(processor).then(run));
    });
    Some(Running { thread: thread.ok()?, result })
}

impl<T> Running<T> {
    fn join(self) -> Option<T> {
        let result = self.result.recv().ok().flatten();
        let _ = self.thread.join();
        result
    }
}

/// A word by which two threads take turns: even numbers are the first one's, odd ones the second's.
#[derive(Default)]
struct Turn(AtomicU32);

impl Turn {
    /// Waits for a turn by polling; false if it does not come before `until`.
    fn poll(&self, turn: u32, until: Instant) -> bool {
        let mut sleeps_at = Instant::now() + POLL;
        // Acquire: the other thread's accesses come before; pairs with the Release in `pass_on`.
        while self.0.load(Ordering::Acquire) != turn {
            let now = Instant::now();
            if now >= until {
                return false;
            }
            if now >= sleeps_at {
                std::thread::sleep(PAUSE);
                sleeps_at = Instant::now() + POLL;
            }
            spin_hint();
        }
        true
    }

    /// Ends a turn.
    fn pass_on(&self, turn: u32) {
        // Release: as in `poll`.
        self.0.store(turn + 1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_ends_soon_and_is_plausible() {
        let begun = Instant::now();
        let model = host_model();
        assert!(begun.elapsed() < TIMEOUT + Duration::from_secs(5), "{:?}", begun.elapsed());
        assert_eq!(HostModel::from_array(model.to_array()), Some(model));
    }

    #[test]
    fn a_rank_needs_enough_times() {
        let times = || vec![5.0, 1.0, 3.0, 2.0, 900.0];
        assert_eq!(
            [0.0, 0.5, 1.0].map(|rank| ranked(times(), 5, rank)),
            [1.0, 3.0, 900.0].map(Some)
        );
        assert_eq!([ranked(times(), 6, 0.5), ranked(Vec::new(), 1, 0.5)], [None; 2]);
    }

    #[test]
    fn a_thread_without_the_other_gives_up() {
        assert!(!Turn::default().poll(1, Instant::now() + Duration::from_millis(2)));
    }
}
