//! Sleeping on the descriptor of a completion queue.

#![allow(unsafe_code)]

use super::{COMPLETIONS, Completion, Endpoint};
use std::ffi::c_int;
use std::os::fd::RawFd;
use std::ptr::null;

/// How long the call that settles a descriptor waits.
const SETTLE_MILLISECONDS: c_int = 1;

impl Endpoint {
    /// Returns the descriptor that becomes readable when the queue has work, if the process may
    /// sleep on it now; `None` within the result if there is no descriptor. `Err` if there is work,
    /// or if operations have ended, which are appended.
    pub fn sleeps_on(&mut self, ended: &mut Vec<Completion>) -> Result<Option<RawFd>, ()> {
        let (Some(descriptor), Some(try_wait)) = (self.descriptor, self.calls.try_wait) else {
            return Ok(None);
        };
        let mut objects = [self.queue.0];
        // SAFETY: an array of one open object of this fabric.
        if unsafe { try_wait(self.fabric.0, objects.as_mut_ptr(), 1) } != 0 {
            return Err(());
        }
        if self.slept && is_readable(descriptor) {
            self.settle_descriptor(ended);
            return Err(());
        }
        self.slept = true;
        Ok(Some(descriptor))
    }

    /// Makes the descriptor unreadable after completions that have been read. `net` of 1.17 writes
    /// to a part of it for each completion, and reads that back only within a call that waits:
    /// without it no process would sleep any more.
    fn settle_descriptor(&mut self, ended: &mut Vec<Completion>) {
        let Some(wait) = self.calls.wait_for_completions else { return };
        // A failure of the queue shows in the next poll. No time at all would be no wait.
        let _ = self.take_completions(ended, |_, queue, entries| {
            // SAFETY: the queue writes at most this many entries of its format.
            unsafe { wait(queue, entries, COMPLETIONS, null(), SETTLE_MILLISECONDS) }
        });
        self.slept = false;
    }
}

/// Returns whether a descriptor is readable.
fn is_readable(descriptor: RawFd) -> bool {
    let mut entry = libc::pollfd { fd: descriptor, events: libc::POLLIN, revents: 0 };
    // SAFETY: one entry, which lives during the call.
    unsafe { libc::poll(&mut entry, 1, 0) == 1 }
}
