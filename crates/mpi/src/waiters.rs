//! Where threads of this process sleep when another of them sleeps at the doorbell already.
//!
//! The doorbell wakes one thread. Whichever thread takes packets in, or finishes an operation, calls all who rest here, since what came may be
//! theirs; and the one at the doorbell calls them when it leaves, so that another takes its place.
//!
//! A thread draws a ticket before it lets go of the engine and rests until the calls have gone past it, so a call in between is not missed.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub struct Waiters {
    calls: Mutex<u64>,
    called: Condvar,
}

/// The calls up to a moment.
#[derive(Clone, Copy)]
pub struct Ticket(u64);

impl Waiters {
    pub const fn new() -> Waiters {
        Waiters { calls: Mutex::new(0), called: Condvar::new() }
    }

    fn calls(&self) -> MutexGuard<'_, u64> {
        // The count is whole whenever the lock is free.
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn ticket(&self) -> Ticket {
        Ticket(*self.calls())
    }

    /// Rests until somebody has called since the ticket was drawn, at most for so long.
    pub fn rest(&self, ticket: Ticket, limit: Duration) {
        let waited =
            self.called.wait_timeout_while(self.calls(), limit, |calls| *calls == ticket.0);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Calls all who rest.
    pub fn call(&self) {
        *self.calls() += 1;
        self.called.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    const LONG: Duration = Duration::from_secs(20);

    #[test]
    fn a_call_before_the_rest_is_not_missed() {
        let (waiters, begun) = (Waiters::new(), Instant::now());
        let ticket = waiters.ticket();
        waiters.call();
        waiters.rest(ticket, LONG);
        assert!(begun.elapsed() < LONG);
    }

    #[test]
    fn a_call_wakes_all() {
        let (waiters, begun) = (&Waiters::new(), Instant::now());
        std::thread::scope(|scope| {
            for _ in 0..3 {
                let ticket = waiters.ticket();
                scope.spawn(move || waiters.rest(ticket, LONG));
            }
            waiters.call();
        });
        assert!(begun.elapsed() < LONG);
    }

    #[test]
    fn nobody_rests_for_ever() {
        let waiters = Waiters::new();
        waiters.rest(waiters.ticket(), Duration::from_millis(1));
    }
}
