//! Which connection a waiting process reads, and how.
//!
//! A read that finds nothing costs as much as an epoll call for all connections, and a successful
//! read needs no epoll call. The module therefore reads the connection that the caller waits for
//! directly. Two effects complicate this:
//!
//! **Watching a socket costs its sender.** With every segment the kernel notifies epoll, on the
//! sender's processor if the hosts are simulated, otherwise on the processor that the network card
//! interrupts.
//!
//! **Reading may include acknowledging.** The kernel acknowledges more than one segment at once.
//! It does so when the data arrive, in parallel with the reader, if the window can still grow or if
//! the reader waits for more data (tcp(7), `SO_RCVLOWAT`). Otherwise the reader acknowledges within
//! the read, before it returns any byte: two microseconds of nine for 4 KiB. Data that arrive
//! during an unsuccessful read are also received by the reader.
//!
//! After a streak of messages from one connection, while the caller waited for no other, the module
//! stops watching this connection: it tells the kernel that the reader waits for more than usually
//! arrives at once. Then arrivals notify nobody and are acknowledged at once. The module reads the
//! connection in every poll, with pauses if messages are longer than a segment. Before a sleep, and
//! when the caller waits for another process, any byte notifies epoll again. A connection that is
//! still watched, and that brings more than a segment, is read once; then the module polls epoll,
//! which does not hold the socket.

use crate::module::{Member, State};
use nemesis_netmod::Host;
use nemesis_sys::tcp;

/// Number of unsuccessful polls of the expected connection alone before a poll of all connections.
const IDLE_POLLS_MAX: u32 = 7;
/// Number of reads in a poll of the expected connection. The remaining work between two polls takes
/// about as long as a read that finds nothing, and the answer arrives meanwhile.
const READS_PER_POLL: u32 = 3;
/// Number of consecutive messages after which a connection is no longer watched.
const STREAK: u32 = 32;
/// Number of bytes for which the reader of an unwatched connection claims to wait: more than a
/// packet. Longer bulk payloads notify epoll, which does no harm.
const UNWATCHED_BYTES: u32 = 128 << 10;
/// Pauses between two reads while messages are longer than a segment: about two microseconds,
/// during which the reader does not delay the reception. A quarter of that was slower, more than
/// twice as much was not faster.
const PAUSES: u32 = 40;

/// State of the read policy.
#[derive(Default)]
pub struct Attention {
    pub expected: Option<u32>,
    /// The connection that is not watched.
    unwatched: Option<u32>,
    /// Number of consecutive unsuccessful polls of the expected connection alone.
    idle_polls: u32,
    /// Number of consecutive messages of the expected connection.
    streak: u32,
    /// No thread sleeps on the epoll descriptor while another polls.
    pub is_alone: bool,
}

impl Attention {
    /// Forgets a connection that has ended.
    pub fn part(&mut self, peer: u32) {
        if self.unwatched == Some(peer) {
            self.unwatched = None;
        }
    }
}

impl Member {
    /// Sets the process for which the caller waits, or none.
    pub fn set_expected(&mut self, process: Option<u32>) {
        let expected = process.filter(|&process| (process as usize) < self.peers.len());
        if self.attention.expected != expected {
            self.attention.expected = expected;
            self.attention.streak = 0;
            if self.attention.unwatched.is_some() {
                self.watch_all();
            }
        }
    }

    /// Prepares a sleep: every arrival notifies epoll. Returns false if the kernel refuses that.
    pub fn may_sleep(&mut self) -> bool {
        self.attention.idle_polls = IDLE_POLLS_MAX;
        self.attention.streak = 0;
        self.watch_all()
    }

    /// Watches all connections again; returns false if the kernel refuses.
    pub fn watch_all(&mut self) -> bool {
        let Some(peer) = self.attention.unwatched else { return true };
        if let State::Linked(link) = &self.peers[peer as usize].state
            && !tcp::set_low_watermark(&link.socket, 1)
        {
            return false;
        }
        self.attention.unwatched = None;
        true
    }

    /// Polls the expected connection if there is one, otherwise all. Returns the number of packets
    /// received.
    pub fn poll_connections(&mut self, host: &mut dyn Host) -> u32 {
        let Some(peer) = self.attention.expected else { return self.poll_all_again(host) };
        let State::Linked(link) = &self.peers[peer as usize].state else {
            return self.poll_all_again(host);
        };
        if link.incoming.long
            && !link.incoming.is_amid_bulk()
            && self.attention.unwatched != Some(peer)
        {
            return self.pull_expected_long(host, peer);
        }
        if self.attention.idle_polls == IDLE_POLLS_MAX {
            return self.poll_all_again(host);
        }
        self.pull_expected(host, peer)
    }

    fn poll_all_again(&mut self, host: &mut dyn Host) -> u32 {
        self.attention.idle_polls = 0;
        self.poll_all(host)
    }

    fn pull_expected(&mut self, host: &mut dyn Host, peer: u32) -> u32 {
        for _ in 0..READS_PER_POLL {
            let packets = self.pull(host, peer);
            if packets > 0 {
                self.attention.idle_polls = 0;
                self.count_message(peer);
                return packets;
            }
            if self.has_kept_packets() {
                break;
            }
            if let State::Linked(link) = &self.peers[peer as usize].state
                && link.incoming.long
            {
                (0..PAUSES).for_each(|_| std::hint::spin_loop());
            }
        }
        self.attention.idle_polls += 1;
        0
    }

    fn pull_expected_long(&mut self, host: &mut dyn Host, peer: u32) -> u32 {
        // If data are already there, one read suffices.
        let mut packets = if self.attention.idle_polls == 0 { self.pull(host, peer) } else { 0 };
        for _ in 0..READS_PER_POLL {
            if packets > 0 || self.has_kept_packets() {
                break;
            }
            packets = self.poll_all(host);
        }
        self.attention.idle_polls = u32::from(packets == 0);
        if packets > 0 {
            self.count_message(peer);
        }
        packets
    }

    /// Reads the connection that is not watched.
    pub fn pull_unwatched(&mut self, host: &mut dyn Host) -> u32 {
        self.attention.unwatched.map_or(0, |peer| self.pull(host, peer))
    }

    /// Counts a message of the expected connection.
    fn count_message(&mut self, peer: u32) {
        self.attention.streak += 1;
        if self.attention.streak == STREAK {
            self.unwatch(peer);
        }
    }

    /// Stops watching a connection, if one thread polls alone and no other connection is unwatched.
    #[cold]
    fn unwatch(&mut self, peer: u32) {
        if !self.attention.is_alone || self.attention.unwatched.is_some() {
            return;
        }
        if let State::Linked(link) = &self.peers[peer as usize].state
            && tcp::set_low_watermark(&link.socket, UNWATCHED_BYTES)
        {
            self.attention.unwatched = Some(peer);
        }
    }
}
