//! A connection with a process, proved on both sides.

use crate::incoming::Incoming;
use crate::socket::Stream;
use nemesis_sys::tcp;
use std::time::Duration;

/// A far end that has answered nothing for so long, although we kept asking, is gone.
const SILENCE: Duration = Duration::from_secs(6);
/// Repetitions without answer that make a silence one: a single one is a lost packet.
const UNANSWERED: u32 = 3;

pub struct Link {
    pub socket: Stream,
    pub incoming: Incoming,
    /// Room to write is watched for, because we sleep or slept with packets waiting.
    pub watched: bool,
    /// We said goodbye; the other end has read it.
    pub said: bool,
    pub acknowledged: bool,
    /// The other end said goodbye.
    pub heard: bool,
    /// The other end takes a rest, and we do.
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

    /// Whether its end, if it came now, would be in good order.
    pub fn may_end(&self) -> bool {
        self.heard || self.acknowledged || self.it_rests
    }

    /// Whether the other host has everything that we wrote.
    pub fn is_delivered(&self) -> bool {
        tcp::undelivered(&self.socket) == 0
    }

    /// Whether what we sent has been going unanswered for too long.
    pub fn is_silent(&self) -> bool {
        tcp::silence(&self.socket)
            .is_some_and(|silence| silence.unanswered >= UNANSWERED && silence.since >= SILENCE)
    }
}
