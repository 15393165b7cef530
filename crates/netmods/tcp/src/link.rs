//! An authenticated connection with a process.

use crate::incoming::Incoming;
use crate::stream::Stream;
use nemesis_sys::tcp;
use std::time::Duration;

/// A peer is silent if its host has not responded for this time, although the kernel kept
/// retransmitting.
const SILENCE: Duration = Duration::from_secs(6);
/// Minimum number of unanswered retransmissions of a silent peer. A single one is merely a lost
/// packet.
const UNANSWERED: u32 = 3;

pub struct Link {
    pub socket: Stream,
    pub incoming: Incoming,
    /// The poller watches for space in the send buffer, because this process slept with packets
    /// queued.
    pub watched: bool,
    /// This process has sent its goodbye.
    pub said: bool,
    pub acknowledged: bool,
    /// The peer has sent its goodbye.
    pub heard: bool,
    /// The peer has paused.
    pub it_rests: bool,
    pub we_rest: bool,
}

impl Link {
    pub fn new(socket: Stream) -> Link {
        Link {
            socket,
            incoming: Incoming::new(),
            watched: false,
            said: false,
            acknowledged: false,
            heard: false,
            it_rests: false,
            we_rest: false,
        }
    }

    /// Returns whether an end of the connection would be regular at this time.
    pub fn may_end(&self) -> bool {
        self.heard || self.acknowledged || self.it_rests
    }

    /// Returns whether the peer's host has received everything that was written.
    pub fn is_delivered(&self) -> bool {
        tcp::undelivered(&self.socket) == 0
    }

    /// Returns whether sent data has been unanswered for too long.
    pub fn is_silent(&self) -> bool {
        tcp::silence(&self.socket)
            .is_some_and(|silence| silence.unanswered >= UNANSWERED && silence.since >= SILENCE)
    }
}
