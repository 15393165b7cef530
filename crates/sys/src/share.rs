//! A share of the processors that is given up when somebody else uses it, and waiting beside those who do not yield.
//!
//! A launcher may give each process of a job its share. While the job is alone that is best. When another program gets busy on one of the processors, each
//! yield of the process there gives it a turn of the scheduler, milliseconds, each time that the process waits a moment for another. So a thread whose yields
//! come back late does without for a while ([`yields_are_dear`]): it spins, and then sleeps, since who is woken need not wait for the end of a turn. When it
//! has waited for its processor for a quarter of that time, the kernel could have moved it, but may not: then the thread may run wherever the job may, for
//! good, as if there had been no shares. Only a thread that has the whole share still: one that the program, its user or a library has put elsewhere stays
//! there.
//!
//! Those that compute may be threads of the process itself, which would be as many anywhere else. So what is lost counts only as far as the process has not
//! used its share meanwhile. The kernel knows of threads that run elsewhere what they had used at their last tick: too much now, and too little then, so
//! both count.

use crate::process;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::cell::Cell;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A yield to nobody takes less than a microsecond, one to a rank that waits as well a few; a turn of the scheduler is several milliseconds.
const LONG: Duration = Duration::from_millis(1);
/// What one yield counts at most: a process that was stopped has not lost its processor.
const LONGEST: Duration = Duration::from_millis(4);
/// So much lost within such a time is too much.
const DEAR: Duration = Duration::from_millis(12);
const WINDOW: Duration = Duration::from_millis(200);
/// How long a thread then does without yields, at first and at most. The first one after that tells whether it goes on so.
const ABSTINENCE: Duration = Duration::from_millis(100);
const LONGEST_ABSTINENCE: Duration = Duration::from_millis(1600);

/// The share of this process, and where its threads may go when they give it up.
static SHARE: OnceLock<Share> = OnceLock::new();

struct Share {
    own: CpuSet,
    beyond: CpuSet,
}

thread_local! {
    static LOSSES: Cell<Losses> = const { Cell::new(Losses { window: None, gone: false, abstinence: None }) };
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
    /// Nobody has looked yet how it went.
    begun: Option<Moment>,
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

/// A time, what the process had used of all processors by then, and how long this thread had waited for one.
#[derive(Clone, Copy, Debug)]
struct Moment {
    at: Instant,
    used: Duration,
    waited: Option<Duration>,
}

impl Losses {
    /// A yield that took so long has ended now, on a share of so many processors; says whether too much is lost.
    fn count(&mut self, now: Moment, took: Duration, processors: u32) -> bool {
        let Some(window) = self.window.as_mut().filter(|window| now.at - window.since <= WINDOW) else {
            self.window = Some(Window { since: now.at, last: now, lost: 0 });
            return false;
        };
        let most = nanoseconds(took.min(LONGEST));
        window.lost += now.unused_since(window.last, processors).clamp(-most, most);
        window.last = now;
        window.lost >= nanoseconds(DEAR)
    }

    /// The same; when it is too much, the thread does without yields.
    fn note(&mut self, now: Moment, took: Duration, processors: u32) {
        let last = self.abstinence.filter(|last| now.at.saturating_duration_since(last.until) <= WINDOW);
        if last.is_some() || self.count(now, took, processors) {
            let length = last.map_or(ABSTINENCE, |last| (2 * last.length).min(LONGEST_ABSTINENCE));
            self.abstinence = Some(Abstinence { until: now.at + length, length, begun: Some(now) });
            self.window = None;
        }
    }
}

impl Moment {
    fn now() -> Moment {
        Moment { at: Instant::now(), used: process::processor_time(), waited: waited() }
    }

    /// Nanoseconds of so many processors that the process has not used.
    fn unused_since(self, before: Moment, processors: u32) -> i64 {
        nanoseconds((self.at - before.at) * processors) - nanoseconds(self.used.saturating_sub(before.used))
    }

    /// Whether the thread has waited for a processor for a quarter of the time, and no other thread of the process was it that had it.
    fn was_kept_waiting_since(self, before: Moment, processors: u32) -> bool {
        let (Some(waited), Some(had_waited)) = (self.waited, before.waited) else { return false };
        let lost = nanoseconds(waited.saturating_sub(had_waited)).min(self.unused_since(before, processors));
        lost >= nanoseconds(self.at - before.at) / 4
    }
}

/// How long this thread has been ready to run without a processor, if the kernel says so.
fn waited() -> Option<Duration> {
    let mut statistics = [0; 96];
    let length = File::open("/proc/thread-self/schedstat").and_then(|file| file.read_at(&mut statistics, 0)).ok()?;
    let waited = str::from_utf8(&statistics[..length]).ok()?.split_ascii_whitespace().nth(1)?;
    Some(Duration::from_nanos(waited.parse().ok()?))
}

fn nanoseconds(time: Duration) -> i64 {
    time.as_nanos().try_into().unwrap_or(i64::MAX)
}

/// This process has `own` as its share of `all` processors, which the threads of its job may use. Holds for good; a second call changes nothing.
pub fn is_of(own: &[usize], all: &[usize]) {
    SHARE.get_or_init(|| Share { own: set(own), beyond: set(all) });
}

fn set(processors: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    for &processor in processors.iter().filter(|&&processor| processor < CpuSet::MAX_CPU) {
        set.set(processor);
    }
    set
}

/// Lets others run, and looks how long that took.
pub fn yield_now() {
    let before = Instant::now();
    std::thread::yield_now();
    let took = before.elapsed();
    if took >= LONG {
        note_long(took);
    }
}

#[cold]
fn note_long(took: Duration) {
    let mut losses = LOSSES.get();
    losses.note(Moment::now(), took, processors());
    LOSSES.set(losses);
}

/// Processors of the share, or the one that a thread has that has none.
fn processors() -> u32 {
    SHARE.get().filter(|_| !LOSSES.get().gone).map_or(1, |share| share.own.count())
}

/// Whether a yield now would most likely give another program a turn of the scheduler. Who waits had better spin, and sleep if it lasts.
#[inline]
pub fn yields_are_dear() -> bool {
    LOSSES.get().abstinence.is_some_and(is_under_way)
}

#[cold]
fn is_under_way(abstinence: Abstinence) -> bool {
    let is_under_way = Instant::now() < abstinence.until;
    if let (false, Some(begun)) = (is_under_way, abstinence.begun) {
        let mut losses = LOSSES.get();
        losses.abstinence = Some(Abstinence { begun: None, ..abstinence });
        if let Some(share) = SHARE.get().filter(|_| !losses.gone && Moment::now().was_kept_waiting_since(begun, processors())) {
            give_up(share);
            losses.gone = true;
        }
        LOSSES.set(losses);
    }
    is_under_way
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

    fn moment(at: Instant, used: Duration) -> Moment {
        Moment { at, used, waited: None }
    }

    /// After how many yields of a turn each it is enough, of 1000, when the process uses so much of the share meanwhile.
    fn enough(processors: u32, used: impl Fn(u32) -> Duration) -> Option<u32> {
        let (mut losses, start) = (NONE, Instant::now());
        (1..1000).find(|&number| losses.count(moment(start + number * TURN, used(number)), TURN, processors))
    }

    #[test]
    fn yields_to_others_are_dear() {
        assert_eq!(enough(1, |_| Duration::ZERO), Some(5));
        // A thread of our own has the other processor.
        assert_eq!(enough(2, |number| number * TURN), Some(5));
        // And what it uses is told late: two ticks, every second time.
        assert!(enough(2, |number| number / 2 * 2 * TURN).is_some());
    }

    #[test]
    fn yields_to_own_threads_are_not() {
        assert_eq!(enough(1, |number| number * TURN), None);
        assert_eq!(enough(4, |number| number * TURN * 4), None);
        assert_eq!(enough(4, |number| number / 2 * 2 * TURN * 4), None);
    }

    #[test]
    fn what_passes_is_not_dear() {
        let (mut losses, start) = (NONE, Instant::now());
        let mut count = |at: Duration, took| losses.count(moment(start + at, Duration::ZERO), took, 1);
        // A stop of a minute, twice, and a disturbance now and then.
        assert!(!count(Duration::ZERO, Duration::from_secs(60)) && !count(WINDOW / 2, Duration::from_secs(60)));
        assert!((4..100).all(|number| !count(number * WINDOW / 2, LONGEST)));
    }

    #[test]
    fn a_thread_does_without_dear_yields_for_longer_and_longer() {
        let (mut losses, start) = (NONE, Instant::now());
        let mut until = |at: Duration| {
            losses.note(moment(start + at, Duration::ZERO), LONGEST, 1);
            losses.abstinence.map(|abstinence| abstinence.until - start)
        };
        // One that comes back late now and then is nothing.
        assert!((0..10).all(|number| until(number * 2 * WINDOW).is_none()));
        let begin = 30 * WINDOW;
        assert_eq!([1, 2, 3].map(|number| until(begin + number * LONGEST)), [None; 3]);
        let first = until(begin + 4 * LONGEST).unwrap();
        assert_eq!(first, begin + 4 * LONGEST + ABSTINENCE);
        // The first yield after it is as long: twice as long without.
        let second = until(first + LONGEST).unwrap();
        assert_eq!(second, first + LONGEST + 2 * ABSTINENCE);
        // The program has gone, and comes back later.
        assert_eq!(until(second + 2 * WINDOW), Some(second));
        assert!((0..10).fold(second + 4 * WINDOW, |at, _| until(at).unwrap() + LONGEST) > second + 4 * LONGEST_ABSTINENCE);
    }

    #[test]
    fn who_was_kept_waiting_by_others_knows_it() {
        let before = Moment { at: Instant::now(), used: Duration::ZERO, waited: Some(Duration::ZERO) };
        let after = |used: u32, waited: u32| Moment { at: before.at + 100 * TURN, used: used * TURN, waited: Some(waited * TURN) };
        assert!(after(50, 50).was_kept_waiting_since(before, 1));
        assert!(!after(80, 20).was_kept_waiting_since(before, 1));
        // It slept.
        assert!(!after(20, 1).was_kept_waiting_since(before, 1));
        // Threads of the process had what it waited for.
        assert!(!after(100, 50).was_kept_waiting_since(before, 1));
        assert!(!after(180, 50).was_kept_waiting_since(before, 2));
        assert!(!Moment { waited: None, ..after(50, 50) }.was_kept_waiting_since(before, 1));
    }

    #[test]
    fn the_kernel_says_how_long_a_thread_has_waited() {
        // Where it keeps account of that at all.
        if std::path::Path::new("/proc/thread-self/schedstat").exists() {
            let before = waited().unwrap();
            assert!(waited().unwrap() >= before);
        }
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
