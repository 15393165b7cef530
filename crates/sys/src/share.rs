//! A share of the processors that is given up when somebody else uses it.
//!
//! A launcher may give each process of a job its share. While the job is alone that is best; when another program gets busy on one of the processors,
//! the process there waits for its turn, milliseconds with each yield, and the kernel, which would move it, may not. So a thread counts what its
//! yields cost: one that comes back after a millisecond has been passed over for a program that computes. When that is a quarter of the time, the
//! thread may run wherever the job may, for good, as if there had been no shares. Only a thread that has the whole share still: one that the program, its
//! user or a library has put elsewhere stays there.

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

/// The share of this process, and where its threads may go when they give it up.
static SHARE: OnceLock<Share> = OnceLock::new();

struct Share {
    own: CpuSet,
    beyond: CpuSet,
}

thread_local! {
    static LOSSES: Cell<Losses> = const { Cell::new(Losses { since: None, lost: Duration::ZERO, gone: false }) };
}

/// What a thread has lost to others lately.
#[derive(Clone, Copy, Debug)]
struct Losses {
    since: Option<Instant>,
    lost: Duration,
    /// It has given up its share.
    gone: bool,
}

impl Losses {
    /// A yield at `now` took so long; says whether it is enough.
    fn count(&mut self, now: Instant, took: Duration) -> bool {
        if took < LONG {
            return false;
        }
        if self.since.is_none_or(|since| now - since > WINDOW) {
            (self.since, self.lost) = (Some(now), Duration::ZERO);
        }
        self.lost += took.min(LONGEST);
        self.lost >= TOO_MUCH
    }
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

/// Lets others run, and gives up the share when these are other programs.
pub fn yield_now() {
    match SHARE.get() {
        None => std::thread::yield_now(),
        Some(share) => yield_within(share),
    }
}

fn yield_within(share: &Share) {
    let mut losses = LOSSES.get();
    if losses.gone {
        return std::thread::yield_now();
    }
    let before = Instant::now();
    std::thread::yield_now();
    let took = before.elapsed();
    if took >= LONG {
        losses.gone = losses.count(before, took);
        if losses.gone {
            give_up(share);
        }
        LOSSES.set(losses);
    }
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

    fn losses() -> Losses {
        Losses { since: None, lost: Duration::ZERO, gone: false }
    }

    #[test]
    fn a_share_that_somebody_uses_is_given_up() {
        let (mut losses, start) = (losses(), Instant::now());
        let turn = Duration::from_millis(3);
        let enough = (1..).find(|&number| losses.count(start + number * turn, turn)).unwrap();
        assert_eq!(enough, 17);
    }

    #[test]
    fn a_share_is_kept_for_what_passes() {
        let (mut losses, start) = (losses(), Instant::now());
        // Yields to those who wait as well, a stop of a minute, and a disturbance now and then.
        assert!((0..1000).all(|number| !losses.count(start + number * LONG, LONG / 2)));
        assert!(!losses.count(start, Duration::from_secs(60)));
        assert!((1..100).all(|number| !losses.count(start + number * WINDOW / 8, LONGEST)));
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
    fn without_a_share_it_only_yields() {
        yield_now();
        assert!(!LOSSES.get().gone);
    }
}
