//! An authenticated connection with a process.

use crate::connector::words;
use crate::incoming::Incoming;
use crate::socket::own_address;
use crate::stream::Stream;
use nemesis_sys::{host, interfaces, tcp};
use rustix::fd::AsFd;
use rustix::io::Errno;
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

    /// Explains an error of the connection. If the peer does not answer, names the interface that
    /// leads to it.
    pub fn explain(&self, errno: Errno) -> String {
        let interface = own_address(&self.socket).and_then(interfaces::with_address);
        describe(errno, interface, &host::hostname())
    }
}

/// Returns whether what was sent over a connection has been unanswered for too long.
pub fn is_silent(socket: impl AsFd) -> bool {
    tcp::silence(socket)
        .is_some_and(|silence| silence.unanswered >= UNANSWERED && silence.since >= SILENCE)
}

/// Describes an error of a connection of `host` over an interface, of which `interface` tells the
/// name and whether its link is up.
fn describe(errno: Errno, interface: Option<(String, bool)>, host: &str) -> String {
    let is_silent = tcp::is_without_answer(errno);
    match interface {
        Some((name, false)) if is_silent => format!(
            "the link of {name} on {host} is down; try: `ip link show {name}` on {host} and its \
             cable; mpiexec -net chooses other interfaces"
        ),
        Some((name, true)) if is_silent => {
            format!("its host does not answer over {name} ({})", words(errno))
        }
        _ => format!("the connection broke: {}", words(errno)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_silent_peer_is_reported_with_the_link_that_leads_to_it() {
        let why = |errno, is_up| describe(errno, Some(("eth1".to_owned(), is_up)), "node1");
        let down = why(Errno::TIMEDOUT, false);
        assert!(down.starts_with("the link of eth1 on node1 is down; try: "), "{down}");
        assert!(why(Errno::HOSTUNREACH, true).contains("does not answer over eth1 ("));
        assert!(why(Errno::CONNRESET, false).starts_with("the connection broke: "));
        assert!(describe(Errno::TIMEDOUT, None, "node1").starts_with("the connection broke: "));
    }
}
