//! The windows and registered memory of this process, and its operations on the memory of others.

use crate::failure::{Failure, argument};
use crate::types::Counter;
use std::collections::BTreeMap;
use std::ffi::c_int;
use subsystem::registered::{Registered, State};
use subsystem::window::{Attached, Window};
use subsystem::{Endpoint, Memory};

/// Value of the counter of an operation that the target has refused, or whose target is lost.
const FAILED: c_int = -1;

/// Windows and registered memory of this process, and its operations.
pub struct RemoteMemory {
    pub memory: Option<Memory>,
    pub windows: BTreeMap<usize, Window>,
    pub attached: Vec<Option<Attached>>,
    pub registered: Registered,
    /// Operations under way, and their counters in the program.
    pub counters: Vec<(u64, Counter)>,
}

impl RemoteMemory {
    pub fn new(memory: Option<Memory>) -> RemoteMemory {
        RemoteMemory {
            memory,
            windows: BTreeMap::new(),
            attached: Vec::new(),
            registered: Registered::default(),
            counters: Vec::new(),
        }
    }

    pub fn memory(&mut self) -> Result<&mut Memory, Failure> {
        self.memory.as_mut().ok_or_else(|| Failure::Memory("this process has no segment".into()))
    }

    /// To be called after a poll. Sends packets of registered memory, and updates the counters of
    /// operations that have ended.
    pub fn progress(&mut self, endpoint: &mut Endpoint) {
        if !self.registered.is_idle() {
            self.registered.progress(endpoint);
        }
        if self.counters.is_empty() {
            return;
        }
        let registered = &mut self.registered;
        self.counters.retain(|(operation, counter)| {
            let left = match registered.state(*operation) {
                State::UnderWay => return true,
                State::Done => 0,
                State::Failed => FAILED,
            };
            counter.set(left);
            false
        });
    }

    pub fn attached(&self, window: c_int) -> Result<&Attached, Failure> {
        let found =
            usize::try_from(window).ok().and_then(|index| self.attached.get(index)?.as_ref());
        found.ok_or_else(|| argument(format!("no window {window} is attached")))
    }
}
