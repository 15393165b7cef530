//! Events that happen inside the engine, recorded for tools (MPI 5.0 §15.3.8).
//!
//! The engine records an event only while a tool has registered for its kind. The tool information
//! interface delivers what is recorded, with the engine unlocked
//! ([`Hooks::deliver_events`](crate::engine::upper::Hooks)).

use std::collections::VecDeque;
use std::sync::OnceLock;
use std::time::Instant;

/// Kinds of events, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A message arrived before its receive.
    Unexpected = 0,
    /// A message was announced to its receiver.
    Rendezvous = 1,
    /// A communicator was created.
    Communicator = 2,
}

/// Number of kinds of events.
pub const EVENTS: usize = 3;

/// Maximum number of events that wait for their delivery. Further events are counted as dropped.
const PENDING_MAX: usize = 1024;

/// An event that happened.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// Index of its kind.
    pub kind: usize,
    /// Time in nanoseconds, as [`now`] returns it.
    pub time: i64,
    /// Its elements.
    pub words: [u64; 4],
}

/// The events that the engine has recorded.
pub struct Events {
    /// Number of registrations for each kind.
    listeners: [u32; EVENTS],
    pending: VecDeque<Record>,
    /// Number of dropped events of each kind.
    dropped: [u64; EVENTS],
    delivering: bool,
}

impl Events {
    pub const fn new() -> Events {
        Events {
            listeners: [0; EVENTS],
            pending: VecDeque::new(),
            dropped: [0; EVENTS],
            delivering: false,
        }
    }

    /// Returns whether a tool has registered for a kind.
    #[inline(always)]
    pub fn wanted(&self, event: Event) -> bool {
        self.listeners[event as usize] > 0
    }

    /// Returns whether events wait for their delivery.
    #[inline(always)]
    pub fn any(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Records an event, or counts it as dropped.
    #[cold]
    pub fn record(&mut self, event: Event, words: [u64; 4]) {
        if self.pending.len() == PENDING_MAX {
            self.dropped[event as usize] += 1;
        } else {
            self.pending.push_back(Record { kind: event as usize, time: now(), words });
        }
    }

    /// Sets the number of registrations for each kind.
    pub fn listen(&mut self, listeners: [u32; EVENTS]) {
        self.listeners = listeners;
    }

    /// Takes the recorded events, and the number of dropped ones of each kind. Returns `None` while
    /// an earlier delivery has not ended, so that callbacks do not nest.
    pub fn begin_delivery(&mut self) -> Option<(VecDeque<Record>, [u64; EVENTS])> {
        if self.delivering {
            return None;
        }
        self.delivering = true;
        Some((std::mem::take(&mut self.pending), std::mem::take(&mut self.dropped)))
    }

    /// Ends a delivery.
    pub fn end_delivery(&mut self) {
        self.delivering = false;
    }
}

/// Returns the nanoseconds since the first call.
pub fn now() -> i64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as i64
}
