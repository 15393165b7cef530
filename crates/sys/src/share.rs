//! Shares of the processors, which a thread gives up when other programs use them.
//!
//! A launcher may give each process of a job a share of the processors. That is best while the job
//! is alone. If another program becomes busy on one of the processors, the process there waits for
//! its turn, milliseconds with each yield, and the kernel may not move it. A thread therefore
//! measures its yields: one that takes a millisecond has given the processor to a program that
//! computes. If a quarter of the time is lost in this way, the thread may run wherever the job may,
//! from then on, as if there were no shares. This applies only to a thread that still has the whole
//! share: if the program, its user or a library has moved the thread, it stays there.
//!
//! The threads that compute may be threads of the process itself, which would compete anywhere
//! else, too. A loss therefore counts only as far as the process has not used its share in the
//! meantime. Of threads that run elsewhere, the kernel knows the time used at their last tick. That
//! is too much at one time and too little at another, so losses are negative, too.
//!
//! If there is no other processor, or if a thread is bound to one for good, some kernels (Linux
//! 6.18) give the other program a whole turn with each yield. If long yields follow each other at
//! once and none was fruitless ([`note_fruitless_yield`]), the thread waits for something that
//! comes from elsewhere, long before the turn ends. The thread then does without yields for a
//! period ([`yields_are_expensive`]): it spins, and then sleeps. There are two exceptions. If the
//! thread makes progress between long yields, by computing or by short yields to other threads that
//! wait (perhaps of another job), a long yield gives time to a thread that this one would have
//! waited for anyway, and yielding is the best for both. If the thread may run on several
//! processors, what it waits for may be computed on its own processor.
//!
//! If the job itself has more processes than processors, its processes let each other compute, and
//! no yield is measured ([`processors_suffice`]).

use crate::process;
use crate::virtual_process;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::cell::Cell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Least duration of a long yield. A yield that finds no other process takes less than a
/// microsecond, one to a rank that waits takes a few, and a turn of the scheduler takes several
/// milliseconds.
const LONG_YIELD: Duration = Duration::from_millis(1);
/// Most that one yield counts. A process that was stopped has not lost its processor.
const LOSS_MAX: Duration = Duration::from_millis(4);
/// Loss within [`WINDOW`] from which on a thread gives up its share.
const LOSS_LIMIT: Duration = Duration::from_millis(50);
/// Time within which losses are added.
const WINDOW: Duration = Duration::from_millis(200);
/// Loss within [`WINDOW`] from which on yields of a thread without a share are expensive.
const EXPENSIVE_LOSS: Duration = Duration::from_millis(12);
/// First period in which a thread does without yields. The first yield after a period tells whether
/// the next period begins.
const NO_YIELD_PERIOD: Duration = Duration::from_millis(200);
/// Longest period in which a thread does without yields.
const NO_YIELD_PERIOD_MAX: Duration = Duration::from_millis(1600);

/// Time between two long yields within which the thread has made no progress.
const AT_ONCE: Duration = Duration::from_micros(200);

/// Set if yields are measured.
static MEASURED: OnceLock<()> = OnceLock::new();

/// The share of this process, and the processors that its threads may use after they give it up.
static SHARE: OnceLock<Share> = OnceLock::new();

struct Share {
    own: CpuSet,
    all: CpuSet,
}

thread_local! {
    static LOSSES: Cell<Losses> =
        const { Cell::new(Losses { window: None, given_up: false, no_yield: None }) };
    /// Whether the last yield of this thread was long.
    static WAS_LONG: Cell<bool> = const { Cell::new(false) };
}

/// What a thread has lost to other programs lately.
#[derive(Clone, Copy, Debug)]
struct Losses {
    window: Option<Window>,
    /// Whether the thread has given up its share.
    given_up: bool,
    /// The present or last period without yields.
    no_yield: Option<NoYield>,
}

/// A period in which a thread does without yields.
#[derive(Clone, Copy, Debug)]
struct NoYield {
    until: Instant,
    length: Duration,
}

/// A sum of losses. It begins with a long yield.
#[derive(Clone, Copy, Debug)]
struct Window {
    since: Instant,
    /// The end of the last long yield.
    last: Moment,
    /// Nanoseconds lost to other programs since it began.
    lost: i64,
}

/// A time, and the processor time that the process had used by then.
#[derive(Clone, Copy, Debug)]
struct Moment {
    at: Instant,
    used: Duration,
}

impl Moment {
    fn now() -> Moment {
        Moment { at: Instant::now(), used: process::processor_time() }
    }
}

impl Losses {
    /// Counts a yield that took `took` and has ended now, on a share of this number of processors.
    /// Returns whether at least `enough` is lost.
    fn count(&mut self, now: Moment, took: Duration, processors: u32, enough: Duration) -> bool {
        let Some(window) = self.window.as_mut().filter(|window| now.at - window.since <= WINDOW)
        else {
            self.window = Some(Window { since: now.at, last: now, lost: 0 });
            return false;
        };
        let there_was = (now.at - window.last.at) * processors;
        let unused =
            nanoseconds(there_was) - nanoseconds(now.used.saturating_sub(window.last.used));
        let most = nanoseconds(took.min(LOSS_MAX));
        window.lost += unused.clamp(-most, most);
        window.last = now;
        window.lost >= nanoseconds(enough)
    }

    /// Counts a long yield of a thread that is bound to its processor.
    fn count_bound(&mut self, now: Moment, took: Duration) {
        let start = now.at - took;
        if self
            .window
            .is_some_and(|window| start.saturating_duration_since(window.last.at) > AT_ONCE)
        {
            self.window = None;
        }
        let last =
            self.no_yield.filter(|last| start.saturating_duration_since(last.until) <= WINDOW);
        let enough = if last.is_some() { LONG_YIELD } else { EXPENSIVE_LOSS };
        if self.count(now, took, 1, enough) {
            let length =
                last.map_or(NO_YIELD_PERIOD, |last| (2 * last.length).min(NO_YIELD_PERIOD_MAX));
            self.no_yield = Some(NoYield { until: now.at + length, length });
            self.window = None;
        }
    }
}

fn nanoseconds(time: Duration) -> i64 {
    time.as_nanos().try_into().unwrap_or(i64::MAX)
}

/// Sets the share of this process: `own` of the processors `all`, which the threads of its job may
/// use. A second call has no effect.
pub fn set_share(own: &[usize], all: &[usize]) {
    SHARE.get_or_init(|| Share { own: set(own), all: set(all) });
}

fn set(processors: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    for &processor in processors.iter().filter(|&&processor| processor < CpuSet::MAX_CPU) {
        set.set(processor);
    }
    set
}

/// Makes yields be measured, because the job has at most as many processes on this host as it has
/// processors.
pub fn processors_suffice() {
    MEASURED.get_or_init(|| ());
}

/// Yields the processor. Inlined, because the caches are cold when the thread runs again.
#[inline(always)]
pub fn yield_processor() {
    rustix::thread::sched_yield();
}

/// Yields the processor, and gives up the share if other programs use it.
pub fn yield_now() {
    if virtual_process::yield_now() {
        return;
    }
    if MEASURED.get().is_none() {
        return yield_processor();
    }
    let before = Instant::now();
    yield_processor();
    let took = before.elapsed();
    let is_long = took >= LONG_YIELD;
    WAS_LONG.set(is_long);
    if is_long {
        note_long(took);
    }
}

#[cold]
fn note_long(took: Duration) {
    let (mut losses, now) = (LOSSES.get(), Moment::now());
    match SHARE.get() {
        Some(_) if losses.given_up => return,
        Some(share) => {
            losses.given_up = losses.count(now, took, share.own.count(), LOSS_LIMIT);
            if losses.given_up {
                give_up(share);
            }
        }
        None if is_bound() => losses.count_bound(now, took),
        None => return,
    }
    LOSSES.set(losses);
}

/// Returns whether this thread may run on one processor only.
fn is_bound() -> bool {
    sched_getaffinity(None).is_ok_and(|mask| mask.count() == 1)
}

/// Notes that the thread still waits after its last yield. If that yield was long, what the thread
/// waits for is late for another reason; it may be computed on this very processor.
#[inline]
pub fn note_fruitless_yield() {
    if WAS_LONG.take() {
        forget_long();
    }
}

#[cold]
fn forget_long() {
    if SHARE.get().is_none() {
        LOSSES.set(Losses { window: None, ..LOSSES.get() });
    }
}

/// Returns whether a yield would probably give another program a turn of the scheduler. A thread
/// that waits should spin instead, and sleep if the wait lasts.
#[inline]
pub fn yields_are_expensive() -> bool {
    LOSSES.get().no_yield.is_some_and(is_under_way)
}

#[cold]
fn is_under_way(no_yield: NoYield) -> bool {
    let now = Instant::now();
    if now > no_yield.until + WINDOW {
        // The length of the period does not matter any more, so later calls need not read the
        // clock.
        LOSSES.set(Losses { no_yield: None, ..LOSSES.get() });
    }
    now < no_yield.until
}

/// Lets the calling thread run wherever the job may, if it still has the whole share. If the kernel
/// refuses, the thread stays where it is and does not ask again.
fn give_up(share: &Share) {
    if sched_getaffinity(None).is_ok_and(|mask| mask == share.own) {
        let _ = sched_setaffinity(None, &share.all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Duration = Duration::from_millis(3);
    const NONE: Losses = Losses { window: None, given_up: false, no_yield: None };

    /// Returns the number of yields of a turn each, of at most 1000, after which enough is lost, if
    /// the process has used `used` of the share by then.
    fn enough(processors: u32, used: impl Fn(u32) -> Duration) -> Option<u32> {
        let (mut losses, start) = (NONE, Instant::now());
        (1..1000).find(|&number| {
            losses.count(
                Moment { at: start + number * TURN, used: used(number) },
                TURN,
                processors,
                LOSS_LIMIT,
            )
        })
    }

    #[test]
    fn a_share_that_another_program_uses_is_given_up() {
        assert_eq!(enough(1, |_| Duration::ZERO), Some(18));
        // Another thread of this process has the other processor.
        assert_eq!(enough(2, |number| number * TURN), Some(18));
        // The kernel tells its time late: two ticks, every second time.
        assert!(enough(2, |number| number / 2 * 2 * TURN).is_some());
    }

    #[test]
    fn a_share_that_own_threads_use_is_kept() {
        assert_eq!(enough(1, |number| number * TURN), None);
        assert_eq!(enough(4, |number| number * TURN * 4), None);
        assert_eq!(enough(4, |number| number / 2 * 2 * TURN * 4), None);
    }

    #[test]
    fn a_share_is_kept_if_losses_are_rare() {
        let (mut losses, start) = (NONE, Instant::now());
        let mut count = |at: Duration, took| {
            losses.count(Moment { at: start + at, used: Duration::ZERO }, took, 1, LOSS_LIMIT)
        };
        // The process is stopped for a minute, twice, and other programs disturb it now and then.
        assert!(
            !count(Duration::ZERO, Duration::from_secs(60))
                && !count(WINDOW / 2, Duration::from_secs(60))
        );
        assert!((8..100).all(|number| !count(number * WINDOW / 8, LOSS_MAX)));
    }

    #[test]
    fn a_bound_thread_does_without_expensive_yields() {
        let (mut losses, start) = (NONE, Instant::now() + WINDOW);
        let mut until = |at: Duration| {
            losses.count_bound(Moment { at: start + at, used: Duration::ZERO }, LOSS_MAX);
            losses.no_yield.map(|no_yield| no_yield.until - start)
        };
        // Yields between which the thread makes progress are not expensive.
        assert!((0..100).all(|number| until(number * (LOSS_MAX + 2 * AT_ONCE)).is_none()));
        let begin = 30 * WINDOW;
        assert_eq!([1, 2, 3].map(|number| until(begin + number * LOSS_MAX)), [None; 3]);
        let first = until(begin + 4 * LOSS_MAX).unwrap();
        assert_eq!(first, begin + 4 * LOSS_MAX + NO_YIELD_PERIOD);
        // The first two yields after the period are long: the next period is twice as long.
        assert_eq!(until(first + LOSS_MAX), Some(first));
        let second = until(first + 2 * LOSS_MAX).unwrap();
        assert_eq!(second, first + 2 * LOSS_MAX + 2 * NO_YIELD_PERIOD);
        // The thread makes progress between yields again.
        assert!(
            (1..100)
                .all(|number| until(second + number * (LOSS_MAX + 2 * AT_ONCE)) == Some(second))
        );
    }

    #[test]
    fn a_thread_that_was_moved_stays_there() {
        let mask = sched_getaffinity(None).unwrap();
        let first = (0..CpuSet::MAX_CPU).find(|&processor| mask.is_set(processor)).unwrap();
        let (one, another) = (set(&[first]), set(&[first + 1]));
        for (own, expected) in [(mask, one), (another, mask)] {
            let after = std::thread::spawn(move || {
                give_up(&Share { own, all: one });
                sched_getaffinity(None).unwrap()
            });
            assert_eq!(after.join().unwrap(), expected);
        }
    }

    #[test]
    fn processor_time_of_the_process_is_measured() {
        let (before, mut work) = (Moment::now(), 0_u64);
        while before.at.elapsed() < Duration::from_millis(20) {
            work = std::hint::black_box(work + 1);
        }
        assert!(Moment::now().used > before.used);
    }

    #[test]
    fn without_a_share_it_only_yields() {
        yield_now();
        assert!(!LOSSES.get().given_up);
    }
}
