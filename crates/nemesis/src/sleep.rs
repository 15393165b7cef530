//! What a sleeper sleeps on: its doorbell's word, or, where it waits for networks as well, their descriptors and its bell.

use nemesis_shm::doorbell::Raised;
use nemesis_sys::bell::{self, Wish};
use std::time::Duration;

/// A process about to sleep: from now on whoever sends to it rings. Awake again when dropped.
#[derive(Debug)]
pub struct Asleep {
    raised: Raised,
    /// Descriptors to wait for, and for how long at most.
    rest: Option<(Vec<Wish>, Duration)>,
}

impl Asleep {
    pub(crate) fn new(raised: Raised, rest: Option<(Vec<Wish>, Duration)>) -> Asleep {
        Asleep { raised, rest }
    }

    /// Sleeps until something comes, at most for `timeout`; returns for any reason.
    pub fn sleep(&self, timeout: Duration) {
        match &self.rest {
            None => self.raised.sleep(timeout),
            Some((wishes, limit)) => bell::wait(wishes, self.raised.limit(timeout.min(*limit))),
        }
    }
}
