//! Waiter list: where threads of this process sleep while another one sleeps at the doorbell.
//!
//! The doorbell wakes one thread. A thread that takes packets, or finishes an operation, wakes all
//! waiters, because what arrived may be theirs. The thread at the doorbell wakes them when it
//! leaves, so that another one takes its place.
//!
//! A thread draws a ticket before it unlocks the engine, and sleeps until a later call. A call
//! between the two is therefore not missed.

use nemesis_sys::mutation::{self, Mutation};
use nemesis_sys::virtual_process;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The threads that sleep until another thread calls them.
pub struct Waiters {
    calls: Mutex<u64>,
    called: Condvar,
}

/// The number of calls at some moment.
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

    /// Draws a ticket.
    pub fn ticket(&self) -> Ticket {
        Ticket(*self.calls())
    }

    /// Sleeps until a call after `ticket` was drawn, at most for `limit`.
    pub fn rest(&self, ticket: Ticket, limit: Duration) {
        if virtual_process::rest(|| *self.calls() != ticket.0, limit) {
            return;
        }
        let waited =
            self.called.wait_timeout_while(self.calls(), limit, |calls| *calls == ticket.0);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    /// Wakes all waiters.
    pub fn call(&self) {
        if mutation::strikes(Mutation::RestUncalled) {
            return;
        }
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
    fn a_call_before_the_sleep_is_not_missed() {
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
    fn a_sleep_ends_at_its_limit() {
        let waiters = Waiters::new();
        waiters.rest(waiters.ticket(), Duration::from_millis(1));
    }
}
