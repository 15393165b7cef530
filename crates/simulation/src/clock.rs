//! The time of a simulation.

use std::sync::{Arc, Mutex, PoisonError};

/// Nanoseconds since the start of the simulation.
pub type Time = u64;

/// The clock that all processes of a simulation share.
#[derive(Clone, Default)]
pub struct Clock(Arc<Mutex<Time>>);

impl Clock {
    /// Returns the time.
    pub fn now(&self) -> Time {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Moves the time forwards, to `time` at least.
    pub fn advance_to(&self, time: Time) {
        let mut now = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *now = time.max(*now);
    }
}
