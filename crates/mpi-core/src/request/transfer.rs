//! State of the transfer of a long message, at its sender and at its receiver.

use nemesis_sys::virtual_process;
use std::time::{Duration, Instant};

/// State of the bytes before those with which a stream began.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefix {
    /// There are none.
    None,
    /// The receiver reads them itself, and reports when it has.
    Read,
    /// The receiver could not read them, and asked for this number of bytes.
    Requested(usize),
}

/// A message's waits for an ownership-passing buffer. After a wait that timed out the peer is busy
/// with something else, and no more waits follow until a buffer arrives.
#[derive(Clone, Copy, Debug, Default)]
pub struct HandoffWait {
    since: Option<Instant>,
    timed_out: bool,
}

/// Where long messages cross, the longest wait of a part for the ownership-passing buffer that the
/// peer's next part returns: the time to copy it in and out.
const HANDOFF_WAIT: Duration = Duration::from_micros(20);

impl HandoffWait {
    /// Returns whether to wait for a buffer now, depending on whether one `is_here`.
    pub(crate) fn is_awaited(&mut self, is_here: bool) -> bool {
        if is_here {
            *self = HandoffWait::default();
            return false;
        }
        self.timed_out = self.timed_out
            || virtual_process::since(*self.since.get_or_insert_with(virtual_process::now))
                >= HANDOFF_WAIT;
        !self.timed_out
    }
}

/// State of a cooperative copy at the receiver, until all bytes are accounted for.
#[derive(Debug, Clone, Copy)]
pub struct CooperativeCopy {
    pub(crate) generation: u32,
    /// The sender's request.
    pub(crate) sender: u64,
    /// Bytes that this process has read, if the sender sends the rest.
    pub(crate) read: usize,
}
