//! What the waits of a process's threads have to know of each other.

use std::time::Instant;

/// State of polls and sleeps.
pub struct Waiting {
    /// Whether deferred work remains for the next call. Fast paths are closed while it is set
    /// (`Mpi::defer_tasks`).
    pub(crate) has_deferred: bool,
    /// Number of polls by calls of the program, which tells a progress thread whether the program
    /// polls itself.
    pub polls: u64,
    /// Number of tests and probes that have found nothing.
    pub(crate) tests: u64,
    /// Number of yields of waits.
    pub(crate) yields: u32,
    /// Number of threads that wait in this lane and have yielded their processor.
    pub(crate) yielding: u32,
    /// Whether a thread of this process sleeps at the doorbell.
    pub sleeper: bool,
    /// Number of further threads of this process that sleep in
    /// [`Waiters`](crate::waiters::Waiters).
    pub(crate) resting: u32,
    /// Number of calls that wait for something other than the processes of this job, such as the
    /// other end of a socket.
    pub outside: u32,
    /// Whether a call waits for processes of this job only, although other jobs may send.
    pub within_job: bool,
    /// Whether other processes probably wait until this one has carried out accesses to its memory:
    /// waits poll packets at once.
    pub serves_accesses: bool,
    /// The number of finished operations when a process that tests was asked last, and the time
    /// since when it has not changed.
    pub(crate) unchanged: Option<(u64, Instant)>,
    /// The number of operations and packets when a thread of another lane looked last, and the time
    /// since when it has not changed.
    pub(crate) quiet: Option<(u64, Instant)>,
    /// Since when the thread has had no news that has slept last. For state reports.
    pub(crate) asleep_since: Option<Instant>,
}

impl Waiting {
    /// Whether deferred work remains, which the next round of progress goes on with.
    pub fn has_deferred(&self) -> bool {
        self.has_deferred
    }

    pub(crate) const fn new() -> Waiting {
        Waiting {
            has_deferred: false,
            polls: 0,
            sleeper: false,
            resting: 0,
            outside: 0,
            within_job: false,
            serves_accesses: false,
            unchanged: None,
            quiet: None,
            asleep_since: None,
            yields: 0,
            yielding: 0,
            tests: 0,
        }
    }

    /// Returns whether other threads of this process sleep in MPI.
    #[inline(always)]
    pub(crate) fn others_sleep(&self) -> bool {
        self.sleeper || self.resting > 0
    }
}
