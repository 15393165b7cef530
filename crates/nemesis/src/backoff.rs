//! How long to spin, when to yield, when to sleep.
//!
//! A message from a process that runs on another processor comes within a fraction of a microsecond, and nothing beats spinning. If the
//! process that we wait for has no processor, spinning may keep it from running, so after a moment we yield between polls; if the processes of
//! the node outnumber the processors, almost at once.
//! Either way a wait that lasts ends in sleep. The choice comes from the processors we may use and the processes that share them, unless somebody says it
//! (`NEMESIS_OVERSUBSCRIBED`). Where yields give other programs turns of the scheduler, we go on polling instead (`nemesis_sys::share`).

use nemesis_sys::share::{yielded_in_vain, yields_are_dear};
use std::time::{Duration, Instant};

/// Polls before the first yield with a processor of our own: a few microseconds, in which the answer of a process that runs elsewhere comes; where networks
/// are looked at, some tens of microseconds. From
/// then on we poll between yields: a yield to nobody costs a third of a microsecond, but if the kernel has put both processes on one processor
/// (it does, when others keep the rest busy), every microsecond of spinning would be one that the answer has to wait.
const OWN_POLLS: u32 = 64;
/// Yielding before sleep: about what a sleep and a wake-up cost together, many times over.
const YIELD: Duration = Duration::from_micros(400);
/// Polls before the first yield when processors are shared: one burst in flight may just be landing.
const SHARED_POLLS: u32 = 8;
/// Yields before sleep when processors are shared: every other process had several turns.
const SHARED_YIELDS: u32 = 200;
/// A sleep's limit: how soon a dead launcher is noticed.
pub const SLEEP: Duration = Duration::from_millis(200);
/// The same where other threads of the process may take in what the sleeper waits for. Those wake it; a wake-up that is missed costs no more than
/// this, and looking so often takes a thousandth of a processor.
pub const THREADED_SLEEP: Duration = Duration::from_millis(20);

/// What to do after a poll that found nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackoffStep {
    Poll,
    Yield,
    Sleep,
}

/// The patience of one blocking call: how often it has found nothing, since when.
#[derive(Debug, Default)]
pub struct Backoff {
    polls: u32,
    since: Option<Instant>,
    /// When the first sleep began.
    asleep: Option<Instant>,
}

impl Backoff {
    /// Of a call that has polled already: where processors are shared, it yields at once.
    pub fn yielding() -> Backoff {
        Backoff { polls: SHARED_POLLS, ..Backoff::default() }
    }

    /// Something arrived: the wait begins anew.
    #[inline(always)]
    pub fn renew(&mut self) {
        self.polls = 0;
        self.since = None;
        self.asleep = None;
    }

    /// Counts a poll that found nothing, and took as long as so many of a neighbour's, and says what to do now.
    #[inline]
    pub fn advise(&mut self, shared_processors: bool, weight: u32) -> BackoffStep {
        self.polls = self.polls.saturating_add(if shared_processors { 1 } else { weight });
        if shared_processors {
            self.advise_shared()
        } else if self.polls <= OWN_POLLS {
            BackoffStep::Poll
        } else {
            self.look_at_clock()
        }
    }

    /// Before a sleep: since when nothing has come, to within the time before the first.
    pub fn sleeping_since(&mut self) -> Instant {
        *self.asleep.get_or_insert_with(Instant::now)
    }

    /// With a processor of our own, after polling: yields for a time, then sleep.
    #[cold]
    fn look_at_clock(&mut self) -> BackoffStep {
        let waited = match self.since {
            Some(since) => {
                yielded_in_vain();
                since.elapsed()
            }
            None => {
                self.since = Some(Instant::now());
                Duration::ZERO
            }
        };
        match waited < YIELD {
            true if yields_are_dear() => BackoffStep::Poll,
            true => BackoffStep::Yield,
            false => BackoffStep::Sleep,
        }
    }

    fn advise_shared(&mut self) -> BackoffStep {
        match self.polls {
            ..=SHARED_POLLS => BackoffStep::Poll,
            polls if polls <= SHARED_POLLS + SHARED_YIELDS => BackoffStep::Yield,
            _ => BackoffStep::Sleep,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_wait_ends_in_sleep() {
        for shared in [false, true] {
            let mut backoff = Backoff::default();
            let start = Instant::now();
            let mut yields = 0;
            loop {
                match backoff.advise(shared, 1) {
                    BackoffStep::Poll => {}
                    BackoffStep::Yield => yields += 1,
                    BackoffStep::Sleep => break,
                }
                assert!(start.elapsed() < Duration::from_secs(10));
            }
            assert!(yields > 0, "we yield before we sleep");
            backoff.renew();
            assert_eq!(backoff.advise(shared, 1), BackoffStep::Poll);
        }
    }
}
