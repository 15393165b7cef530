//! Which connection a wait looks at, and how.
//!
//! A read that finds nothing costs as much as asking for all connections, and one that finds something is all there is to do; so the connection that is
//! waited for is read at once. Two things are not as simple:
//!
//! - **What is watched costs its sender**: with every segment the kernel tells the poller, on the sender's processor where hosts are simulated, on the one
//!   that the card interrupts elsewhere.
//! - **What is read may have to be acknowledged first**: of more than a segment the kernel wants an acknowledgement at once. It is sent when the data come,
//!   beside the reader, where the window can still grow or the reader waits for more (tcp(7), `SO_RCVLOWAT`); otherwise by the reader, within the read
//!   and before it has a byte: two microseconds of nine for 4 KiB. What comes while somebody reads in vain is taken in by the reader as well.
//!
//! So a connection that has brought messages one after the other, while nothing else was waited for, is *apart*: the kernel is told that its reader waits for
//! more than mostly comes at once. Then it wakes nobody and acknowledges at once; and the connection is read at every look, with pauses where messages are
//! longer than a segment. Before a sleep, and when something else is waited for, any byte is announced again. A connection that is not apart yet and
//! brings more than a segment is read once, and then the poller is asked, which holds nothing.

use crate::module::{Member, State};
use nemesis_netmod::Host;
use nemesis_sys::tcp;

/// Polls that look at the one connection that is waited for, in vain, before the next asks for all.
const LOOKS_AT_ONE: u32 = 7;
/// Looks of a poll that waits for one connection: what else is done between two takes about as long as one that finds nothing, and the answer comes meanwhile.
const LOOKS_AT_ONCE: u32 = 3;
/// Messages in a row that take a connection apart.
const EASE: u32 = 32;
/// What the reader of a connection that is apart says it waits for: more than a packet. Longer bodies are announced, which does no harm.
const APART_BYTES: u32 = 128 << 10;
/// Between two reads of one who waits for more than a segment: some two microseconds in which what comes is not held up. A quarter of that was slower, more
/// than twice as much no faster.
const PAUSES: u32 = 40;

/// How the connection that is waited for is looked at.
#[derive(Default)]
pub struct Attention {
    pub expected: Option<u32>,
    /// The connection that wakes nobody.
    read_policy: Option<u32>,
    /// How often the last polls looked at one connection only, and in vain.
    looked_at_one: u32,
    /// Messages of the expected one that came one after the other.
    ease: u32,
    /// Nobody sleeps on the poller while another polls.
    pub is_alone: bool,
}

impl Attention {
    /// The connection of this process has ended.
    pub fn part(&mut self, peer: u32) {
        if self.read_policy == Some(peer) {
            self.read_policy = None;
        }
    }
}

impl Member {
    /// Another process is waited for, or none.
    pub fn turn_to(&mut self, process: Option<u32>) {
        let expected = process.filter(|&process| (process as usize) < self.peers.len());
        if self.attention.expected != expected {
            self.attention.expected = expected;
            self.attention.ease = 0;
            if self.attention.read_policy.is_some() {
                self.watch_all();
            }
        }
    }

    /// Before a sleep: whatever comes will be announced. False when it cannot be.
    pub fn may_sleep(&mut self) -> bool {
        self.attention.looked_at_one = LOOKS_AT_ONE;
        self.attention.ease = 0;
        self.watch_all()
    }

    /// Nobody is apart any more; false when the kernel refuses.
    pub fn watch_all(&mut self) -> bool {
        let Some(peer) = self.attention.read_policy else { return true };
        if let State::Linked(link) = &self.peers[peer as usize].state
            && !tcp::wait_for(&link.socket, 1)
        {
            return false;
        }
        self.attention.read_policy = None;
        true
    }

    /// Looks at the connection that is waited for, if there is one, or at all of them: how many packets came.
    pub fn look(&mut self, host: &mut dyn Host) -> u32 {
        let Some(peer) = self.attention.expected else { return self.look_at_all(host) };
        let State::Linked(link) = &self.peers[peer as usize].state else {
            return self.look_at_all(host);
        };
        if link.incoming.long
            && !link.incoming.is_amid_body()
            && self.attention.read_policy != Some(peer)
        {
            return self.look_for_long(host, peer);
        }
        if self.attention.looked_at_one == LOOKS_AT_ONE {
            return self.look_at_all(host);
        }
        self.look_at_one(host, peer)
    }

    fn look_at_all(&mut self, host: &mut dyn Host) -> u32 {
        self.attention.looked_at_one = 0;
        self.look_around(host)
    }

    fn look_at_one(&mut self, host: &mut dyn Host, peer: u32) -> u32 {
        for _ in 0..LOOKS_AT_ONCE {
            let packets = self.pull(host, peer);
            if packets > 0 {
                self.attention.looked_at_one = 0;
                self.ease(peer);
                return packets;
            }
            if self.must_come_again() {
                break;
            }
            if let State::Linked(link) = &self.peers[peer as usize].state
                && link.incoming.long
            {
                (0..PAUSES).for_each(|_| std::hint::spin_loop());
            }
        }
        self.attention.looked_at_one += 1;
        0
    }

    fn look_for_long(&mut self, host: &mut dyn Host, peer: u32) -> u32 {
        // What is there already costs one read.
        let mut packets = if self.attention.looked_at_one == 0 { self.pull(host, peer) } else { 0 };
        for _ in 0..LOOKS_AT_ONCE {
            if packets > 0 || self.must_come_again() {
                break;
            }
            packets = self.look_around(host);
        }
        self.attention.looked_at_one = u32::from(packets == 0);
        if packets > 0 {
            self.ease(peer);
        }
        packets
    }

    /// The connection that wakes nobody, besides those that do.
    pub fn look_apart(&mut self, host: &mut dyn Host) -> u32 {
        self.attention.read_policy.map_or(0, |peer| self.pull(host, peer))
    }

    /// Another message of the expected one has come.
    fn ease(&mut self, peer: u32) {
        self.attention.ease += 1;
        if self.attention.ease == EASE {
            self.set_apart(peer);
        }
    }

    /// Says that a connection is read anyway, if that hurts nobody.
    #[cold]
    fn set_apart(&mut self, peer: u32) {
        if !self.attention.is_alone || self.attention.read_policy.is_some() {
            return;
        }
        if let State::Linked(link) = &self.peers[peer as usize].state
            && tcp::wait_for(&link.socket, APART_BYTES)
        {
            self.attention.read_policy = Some(peer);
        }
    }
}
