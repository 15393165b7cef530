//! Which connection a wait looks at, and how.
//!
//! A read that finds nothing costs as much as asking for all connections, and one that finds something is all there is to do; so the connection that is
//! waited for is read at once. Two things are not as simple:
//!
//! - **What is watched costs its sender**: with every segment the kernel tells the poller, on the sender's processor where hosts are simulated, on the one
//!   that the card interrupts elsewhere. A connection that has brought small messages one after the other, while nothing else was waited for, is
//!   *apart*: not watched, but read at every look. It is watched again before a sleep, and when something else is waited for.
//! - **A read holds the socket** while it looks. Segments that come meanwhile are taken in afterwards by the reader, and what is longer than a segment is
//!   acknowledged by it, before it has a byte. Where messages are longer than a segment, only the first look is a read; then the poller is asked, which
//!   holds nothing.

use crate::module::{Member, State};
use crate::poller::Source;
use nemesis_netmod::Host;

/// Polls that look at the one connection that is waited for, in vain, before the next asks for all.
const LOOKS_AT_ONE: u32 = 7;
/// Looks of a poll that waits for one connection: what else is done between two takes about as long as one that finds nothing, and the answer comes meanwhile.
const LOOKS_AT_ONCE: u32 = 3;
/// Small messages in a row that take a connection apart.
const EASE: u32 = 32;

/// How the connection that is waited for is looked at.
#[derive(Default)]
pub struct Attention {
    pub expected: Option<u32>,
    /// The connection that is not watched.
    apart: Option<u32>,
    /// How often the last polls looked at one connection only, and in vain.
    looked_at_one: u32,
    /// Small messages of the expected one that came by a read, one after the other.
    ease: u32,
    /// Nobody sleeps on the poller while another polls.
    pub is_alone: bool,
}

impl Attention {
    /// The connection of this process has ended.
    pub fn part(&mut self, peer: u32) {
        if self.apart == Some(peer) {
            self.apart = None;
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
            if self.attention.apart.is_some() {
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
        let Some(peer) = self.attention.apart else { return true };
        if let State::Linked(link) = &mut self.peers[peer as usize].state {
            link.apart = self.poller.add(&link.socket, Source::Link(peer), false).is_err();
            if link.apart {
                return false;
            }
        }
        self.attention.apart = None;
        true
    }

    /// Looks at the connection that is waited for, if there is one, or at all of them: how many packets came.
    pub fn look(&mut self, host: &mut dyn Host) -> u32 {
        let expected = self.attention.expected.and_then(|peer| match &self.peers[peer as usize].state {
            State::Linked(link) => Some((peer, link.incoming.long && !link.incoming.is_amid_body())),
            _ => None,
        });
        match expected {
            Some((peer, false)) if self.attention.looked_at_one < LOOKS_AT_ONE => self.look_at_one(host, peer),
            Some((peer, true)) => self.look_for_long(host, peer),
            _ => {
                self.attention.looked_at_one = 0;
                self.look_around(host)
            }
        }
    }

    fn look_at_one(&mut self, host: &mut dyn Host, peer: u32) -> u32 {
        for _ in 0..LOOKS_AT_ONCE {
            let packets = self.pull(host, peer);
            if packets > 0 {
                self.attention.looked_at_one = 0;
                self.attention.ease += 1;
                if self.attention.ease == EASE {
                    self.set_apart(peer);
                }
                return packets;
            }
            if self.must_come_again() {
                break;
            }
        }
        self.attention.looked_at_one += 1;
        0
    }

    fn look_for_long(&mut self, host: &mut dyn Host, peer: u32) -> u32 {
        self.attention.ease = 0;
        self.watch_all();
        // What is there already costs one read.
        let mut packets = if self.attention.looked_at_one == 0 { self.pull(host, peer) } else { 0 };
        for _ in 0..LOOKS_AT_ONCE {
            if packets > 0 || self.must_come_again() {
                break;
            }
            packets = self.look_around(host);
        }
        self.attention.looked_at_one = u32::from(packets == 0);
        packets
    }

    /// The connection that is not watched, besides those that are.
    pub fn look_apart(&mut self, host: &mut dyn Host) -> u32 {
        self.attention.apart.map_or(0, |peer| self.pull(host, peer))
    }

    /// Takes a connection out of the poller, if that hurts nobody.
    #[cold]
    fn set_apart(&mut self, peer: u32) {
        if !self.attention.is_alone || self.attention.apart.is_some() {
            return;
        }
        if let State::Linked(link) = &mut self.peers[peer as usize].state
            && !link.watched
            && !link.incoming.long
            && self.poller.remove(&link.socket).is_ok()
        {
            link.apart = true;
            self.attention.apart = Some(peer);
        }
    }
}
