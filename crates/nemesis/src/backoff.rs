//! Backoff: when a wait polls, yields and sleeps.
//!
//! A message from a process that runs on another processor arrives within a fraction of a
//! microsecond, and spinning is the fastest way to receive it. If the other process has no
//! processor, spinning may keep it from running. A wait therefore yields between polls after some
//! microseconds, or almost at once if the node is oversubscribed. A long wait sleeps.
//!
//! The policy depends on the processors that the process may use and on the processes that share
//! them; `NEMESIS_OVERSUBSCRIBED` overrides that. Where yields give the processor to other
//! programs, a wait polls on instead (`nemesis_sys::share`).

use nemesis_sys::share::{note_fruitless_yield, yields_are_expensive};
use nemesis_sys::virtual_process;
use std::time::{Duration, Instant};

/// Polls before the first yield on a dedicated processor: a few microseconds, within which a
/// process that runs elsewhere answers, and some tens of microseconds if the polls check networks.
/// After that the wait yields between polls. A yield that finds no other process costs a third of a
/// microsecond. If the kernel has put both processes on one processor, which it does when others
/// keep the rest busy, spinning would delay the answer.
const DEDICATED_POLLS: u32 = 64;
/// Time of yielding before the first sleep: many times the cost of a sleep and a wake-up.
const YIELD: Duration = Duration::from_micros(400);
/// Polls before the first yield on an oversubscribed node, so that the next packet of a burst is
/// not missed.
const OVERSUBSCRIBED_POLLS: u32 = 8;
/// Yields before the first sleep on an oversubscribed node: every other process had several turns.
const OVERSUBSCRIBED_YIELDS: u32 = 200;
/// Longest sleep. A process that sleeps notices a dead launcher within this time.
pub const SLEEP: Duration = Duration::from_millis(200);
/// Longest sleep of a thread if other threads of the process may receive what it waits for. Those
/// threads wake it. A missed wake-up costs at most this time, and the polls take a thousandth of a
/// processor.
pub const THREADED_SLEEP: Duration = Duration::from_millis(20);

/// What a wait does next, after a poll that found nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackoffStep {
    /// Poll again at once.
    Poll,
    /// Yield the processor, then poll.
    Yield,
    /// Sleep until something arrives.
    Sleep,
}

/// State of the backoff of one blocking call.
///
/// # Examples
///
/// ```
/// use nemesis::{Backoff, BackoffStep};
///
/// let mut backoff = Backoff::default();
/// let oversubscribed = true;
/// assert_eq!(backoff.next_step(oversubscribed, 1), BackoffStep::Poll);
/// while backoff.next_step(oversubscribed, 1) != BackoffStep::Sleep {}
/// backoff.renew();
/// assert_eq!(backoff.next_step(oversubscribed, 1), BackoffStep::Poll);
/// ```
#[derive(Debug, Default)]
pub struct Backoff {
    polls: u32,
    since: Option<Instant>,
    /// When the first sleep began.
    asleep: Option<Instant>,
}

impl Backoff {
    /// Returns the backoff of a call that has polled already. It yields at once on an
    /// oversubscribed node.
    pub fn yielding() -> Backoff {
        Backoff { polls: OVERSUBSCRIBED_POLLS, ..Backoff::default() }
    }

    /// Restarts the backoff, because something arrived.
    #[inline(always)]
    pub fn renew(&mut self) {
        self.polls = 0;
        self.since = None;
        self.asleep = None;
    }

    /// Counts a poll that found nothing, and returns what to do next. `weight` is the duration of
    /// the poll in polls of the node's processes.
    #[inline]
    pub fn next_step(&mut self, oversubscribed: bool, weight: u32) -> BackoffStep {
        self.polls = self.polls.saturating_add(if oversubscribed { 1 } else { weight });
        if oversubscribed {
            self.step_oversubscribed()
        } else if self.polls <= DEDICATED_POLLS {
            BackoffStep::Poll
        } else {
            self.step_by_clock()
        }
    }

    /// Called before a sleep. Returns since when nothing has arrived, to within the time before the
    /// first sleep.
    pub fn sleeping_since(&mut self) -> Instant {
        *self.asleep.get_or_insert_with(virtual_process::now)
    }

    /// Returns the time since the first sleep, in which nothing has arrived; `None` before it.
    #[inline]
    pub fn asleep_for(&self) -> Option<Duration> {
        self.asleep.map(virtual_process::since)
    }

    /// Decides by the clock, on a dedicated processor: yields for [`YIELD`], then sleeps.
    #[cold]
    fn step_by_clock(&mut self) -> BackoffStep {
        let waited = match self.since {
            Some(since) => {
                note_fruitless_yield();
                virtual_process::since(since)
            }
            None => {
                self.since = Some(virtual_process::now());
                Duration::ZERO
            }
        };
        match waited < YIELD {
            true if yields_are_expensive() => BackoffStep::Poll,
            true => BackoffStep::Yield,
            false => BackoffStep::Sleep,
        }
    }

    fn step_oversubscribed(&mut self) -> BackoffStep {
        match self.polls {
            ..=OVERSUBSCRIBED_POLLS => BackoffStep::Poll,
            polls if polls <= OVERSUBSCRIBED_POLLS + OVERSUBSCRIBED_YIELDS => BackoffStep::Yield,
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
                match backoff.next_step(shared, 1) {
                    BackoffStep::Poll => {}
                    BackoffStep::Yield => yields += 1,
                    BackoffStep::Sleep => break,
                }
                assert!(start.elapsed() < Duration::from_secs(10));
            }
            assert!(yields > 0, "a wait yields before it sleeps");
            backoff.renew();
            assert_eq!(backoff.next_step(shared, 1), BackoffStep::Poll);
        }
    }
}
