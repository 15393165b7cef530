//! A share of the processors that is given up when somebody else uses it.
//!
//! A launcher may give each process of a job its share. While the job is alone that is best; when another program gets busy on one of the processors,
//! the process there waits for its turn, milliseconds with each yield, and the kernel, which would move it, may not. So a thread counts what its
//! yields cost: one that comes back after a millisecond has been passed over for a program that computes. When that is a quarter of the time, the
//! thread may run wherever the job may, for good, as if there had been no shares. Only a thread that has the whole share still: one that the program, its
//! user or a library has put elsewhere stays there.
//!
//! Those that compute may be threads of the process itself, which would be as many anywhere else. So what is lost counts only as far as the process has not
//! used its share meanwhile. The kernel knows of threads that run elsewhere what they had used at their last tick: too much now, and too little then, so
//! both count.
//!
//! Where there is no other processor to go to, or a thread is bound to one for good, some kernels (Linux 6.18) give the program a turn with every single
//! yield, each time that the thread waits a moment for another. When long yields have followed each other at once, and none was in vain
//! ([`note_fruitless_yield`]), what the thread waits for comes from elsewhere and is there long before the turn has ended. So it does without yields for a while
//! ([`yields_are_expensive`]): it spins, and then sleeps. Not if it got on between them, by computing or by short yields to others that wait as well, another
//! job's perhaps: then a long yield lets somebody compute for whom, or beside whom, it would have waited anyway, and to go on yielding is by far the best for
//! both. Nor where the thread may run on several processors, since what it waits for may be computed on its own.
//!
//! Where the job itself has more processes than processors, they let each other compute, as they should: then nobody looks ([`processors_suffice`]).

use crate::process;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::cell::Cell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A yield to nobody takes less than a microsecond, one to a rank that waits as well a few; a turn of the scheduler is several milliseconds.
const LONG: Duration = Duration::from_millis(1);
/// What one yield counts at most: a process that was stopped has not lost its processor.
const LONGEST: Duration = Duration::from_millis(4);
/// So much lost within such a time is too much.
const TOO_MUCH: Duration = Duration::from_millis(50);
const WINDOW: Duration = Duration::from_millis(200);
/// The same for a thread that has no share to give up.
const DEAR: Duration = Duration::from_millis(12);
/// How long a thread then does without yields, at first and at most. The first one after that tells whether it goes on so.
const ABSTINENCE: Duration = Duration::from_millis(200);
const LONGEST_ABSTINENCE: Duration = Duration::from_millis(1600);

/// Who begins the next long yield so soon after the last has not got on.
const AT_ONCE: Duration = Duration::from_micros(200);

/// Set when somebody looks how long yields take.
static WATCHED: OnceLock<()> = OnceLock::new();

/// The share of this process, and where its threads may go when they give it up.
static SHARE: OnceLock<Share> = OnceLock::new();

struct Share {
    own: CpuSet,
    beyond: CpuSet,
}

thread_local! {
    static LOSSES: Cell<Losses> = const { Cell::new(Losses { window: None, gone: false, abstinence: None }) };
    /// Whether the last yield was long.
    static WAS_LONG: Cell<bool> = const { Cell::new(false) };
}

/// What a thread has lost to others lately.
#[derive(Clone, Copy, Debug)]
struct Losses {
    window: Option<Window>,
    /// It has given up its share.
    gone: bool,
    /// It does without yields, or did so lately.
    abstinence: Option<Abstinence>,
}

#[derive(Clone, Copy, Debug)]
struct Abstinence {
    until: Instant,
    length: Duration,
}

/// Begins with a long yield.
#[derive(Clone, Copy, Debug)]
struct Window {
    since: Instant,
    /// The end of the last long yield.
    last: Moment,
    /// Nanoseconds lost since it began, to other programs.
    lost: i64,
}

/// A time, and what the process had used of all processors by then.
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
    /// A yield that took so long has ended now, on a share of so many processors; says whether more than `enough` is lost.
    fn count(&mut self, now: Moment, took: Duration, processors: u32, enough: Duration) -> bool {
        let Some(window) = self.window.as_mut().filter(|window| now.at - window.since <= WINDOW)
        else {
            self.window = Some(Window { since: now.at, last: now, lost: 0 });
            return false;
        };
        let there_was = (now.at - window.last.at) * processors;
        let unused =
            nanoseconds(there_was) - nanoseconds(now.used.saturating_sub(window.last.used));
        let most = nanoseconds(took.min(LONGEST));
        window.lost += unused.clamp(-most, most);
        window.last = now;
        window.lost >= nanoseconds(enough)
    }

    /// A long yield of a thread that is bound to its processor.
    fn count_dear(&mut self, now: Moment, took: Duration) {
        let begun = now.at - took;
        if self
            .window
            .is_some_and(|window| begun.saturating_duration_since(window.last.at) > AT_ONCE)
        {
            self.window = None;
        }
        let last =
            self.abstinence.filter(|last| begun.saturating_duration_since(last.until) <= WINDOW);
        let enough = if last.is_some() { LONG } else { DEAR };
        if self.count(now, took, 1, enough) {
            let length = last.map_or(ABSTINENCE, |last| (2 * last.length).min(LONGEST_ABSTINENCE));
            self.abstinence = Some(Abstinence { until: now.at + length, length });
            self.window = None;
        }
    }
}

fn nanoseconds(time: Duration) -> i64 {
    time.as_nanos().try_into().unwrap_or(i64::MAX)
}

/// This process has `own` as its share of `all` processors, which the threads of its job may use. Holds for good; a second call changes nothing.
pub fn set_share(own: &[usize], all: &[usize]) {
    SHARE.get_or_init(|| Share { own: set(own), beyond: set(all) });
}

fn set(processors: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    for &processor in processors.iter().filter(|&&processor| processor < CpuSet::MAX_CPU) {
        set.set(processor);
    }
    set
}

/// The processes of the job on this host are no more than their processors.
pub fn processors_suffice() {
    WATCHED.get_or_init(|| ());
}

/// Lets others run: in the caller's own code, since who comes back finds all others cold.
#[inline(always)]
pub fn yield_processor() {
    rustix::thread::sched_yield();
}

/// Lets others run, and gives up the share when these are other programs.
pub fn yield_now() {
    if WATCHED.get().is_none() {
        return yield_processor();
    }
    let before = Instant::now();
    yield_processor();
    let took = before.elapsed();
    let is_long = took >= LONG;
    WAS_LONG.set(is_long);
    if is_long {
        note_long(took);
    }
}

#[cold]
fn note_long(took: Duration) {
    let (mut losses, now) = (LOSSES.get(), Moment::now());
    match SHARE.get() {
        Some(_) if losses.gone => return,
        Some(share) => {
            losses.gone = losses.count(now, took, share.own.count(), TOO_MUCH);
            if losses.gone {
                give_up(share);
            }
        }
        None if is_bound() => losses.count_dear(now, took),
        None => return,
    }
    LOSSES.set(losses);
}

/// Whether this thread may run on one processor only.
fn is_bound() -> bool {
    sched_getaffinity(None).is_ok_and(|mask| mask.count() == 1)
}

/// The thread waits still after its last yield. If that was long, what it waits for is late for another reason, perhaps since it is computed on this very
/// processor.
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

/// Whether a yield now would most likely give another program a turn of the scheduler. Who waits had better spin, and sleep if it lasts.
#[inline]
pub fn yields_are_expensive() -> bool {
    LOSSES.get().abstinence.is_some_and(is_under_way)
}

#[cold]
fn is_under_way(abstinence: Abstinence) -> bool {
    let now = Instant::now();
    if now > abstinence.until + WINDOW {
        // Nobody asks any more how long it was: nor need anybody look at the clock.
        LOSSES.set(Losses { abstinence: None, ..LOSSES.get() });
    }
    now < abstinence.until
}

/// The calling thread may run wherever the job may, if it has the whole share still. Refused, it stays where it is, and does not ask again.
fn give_up(share: &Share) {
    if sched_getaffinity(None).is_ok_and(|mask| mask == share.own) {
        let _ = sched_setaffinity(None, &share.beyond);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TURN: Duration = Duration::from_millis(3);
    const NONE: Losses = Losses { window: None, gone: false, abstinence: None };

    /// After how many yields of a turn each it is enough, of 1000, when the process uses so much of the share meanwhile.
    fn enough(processors: u32, used: impl Fn(u32) -> Duration) -> Option<u32> {
        let (mut losses, start) = (NONE, Instant::now());
        (1..1000).find(|&number| {
            losses.count(
                Moment { at: start + number * TURN, used: used(number) },
                TURN,
                processors,
                TOO_MUCH,
            )
        })
    }

    #[test]
    fn a_share_that_somebody_uses_is_given_up() {
        assert_eq!(enough(1, |_| Duration::ZERO), Some(18));
        // A thread of our own has the other processor.
        assert_eq!(enough(2, |number| number * TURN), Some(18));
        // And what it uses is told late: two ticks, every second time.
        assert!(enough(2, |number| number / 2 * 2 * TURN).is_some());
    }

    #[test]
    fn a_share_that_own_threads_use_is_kept() {
        assert_eq!(enough(1, |number| number * TURN), None);
        assert_eq!(enough(4, |number| number * TURN * 4), None);
        assert_eq!(enough(4, |number| number / 2 * 2 * TURN * 4), None);
    }

    #[test]
    fn a_share_is_kept_for_what_passes() {
        let (mut losses, start) = (NONE, Instant::now());
        let mut count = |at: Duration, took| {
            losses.count(Moment { at: start + at, used: Duration::ZERO }, took, 1, TOO_MUCH)
        };
        // A stop of a minute, twice, and a disturbance now and then.
        assert!(
            !count(Duration::ZERO, Duration::from_secs(60))
                && !count(WINDOW / 2, Duration::from_secs(60))
        );
        assert!((8..100).all(|number| !count(number * WINDOW / 8, LONGEST)));
    }

    #[test]
    fn a_bound_thread_does_without_dear_yields() {
        let (mut losses, start) = (NONE, Instant::now() + WINDOW);
        let mut until = |at: Duration| {
            losses.count_dear(Moment { at: start + at, used: Duration::ZERO }, LONGEST);
            losses.abstinence.map(|abstinence| abstinence.until - start)
        };
        // Those between which something else is done are not dear.
        assert!((0..100).all(|number| until(number * (LONGEST + 2 * AT_ONCE)).is_none()));
        let begin = 30 * WINDOW;
        assert_eq!([1, 2, 3].map(|number| until(begin + number * LONGEST)), [None; 3]);
        let first = until(begin + 4 * LONGEST).unwrap();
        assert_eq!(first, begin + 4 * LONGEST + ABSTINENCE);
        // The first two yields after it are as long: twice as long without.
        assert_eq!(until(first + LONGEST), Some(first));
        let second = until(first + 2 * LONGEST).unwrap();
        assert_eq!(second, first + 2 * LONGEST + 2 * ABSTINENCE);
        // Something is done between them again.
        assert!(
            (1..100).all(|number| until(second + number * (LONGEST + 2 * AT_ONCE)) == Some(second))
        );
    }

    #[test]
    fn who_was_put_elsewhere_stays_there() {
        let mask = sched_getaffinity(None).unwrap();
        let first = (0..CpuSet::MAX_CPU).find(|&processor| mask.is_set(processor)).unwrap();
        let (one, another) = (set(&[first]), set(&[first + 1]));
        for (own, expected) in [(mask, one), (another, mask)] {
            let after = std::thread::spawn(move || {
                give_up(&Share { own, beyond: one });
                sched_getaffinity(None).unwrap()
            });
            assert_eq!(after.join().unwrap(), expected);
        }
    }

    #[test]
    fn what_the_process_uses_is_known() {
        let (before, mut work) = (Moment::now(), 0_u64);
        while before.at.elapsed() < Duration::from_millis(20) {
            work = std::hint::black_box(work + 1);
        }
        assert!(Moment::now().used > before.used);
    }

    #[test]
    fn without_a_share_it_only_yields() {
        yield_now();
        assert!(!LOSSES.get().gone);
    }
}
