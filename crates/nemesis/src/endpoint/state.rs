//! What an endpoint tells of itself and of its peers, and flow control of unexpected messages.

use super::Endpoint;
use crate::backoff::{Backoff, BackoffStep};
use crate::endpoint::Sink;
use crate::peer::Outbound;
use crate::traffic::{Counted, Traffic, bytes_of};
use nemesis_shm::am_slot::AmSlot;
use nemesis_shm::doorbell;
use nemesis_shm::segment::Slot;
use nemesis_shm::status::Answer;
use nemesis_sync::Ordering;

impl Endpoint {
    /// Whether one thread of the process may sleep while another polls; it may until told otherwise. Alone, a wait for a process of another node is shorter.
    pub fn share(&mut self, shared: bool) {
        if let Some(networks) = &mut self.networks {
            networks.share(shared);
        }
    }

    /// After a poll that found nothing: what to do now.
    #[inline]
    pub fn advise(&self, backoff: &mut Backoff) -> BackoffStep {
        let weight = self.networks.as_ref().map_or(1, |networks| networks.looks());
        backoff.advise(self.shared_processors, weight)
    }

    /// Whether somebody wants to know what this process is doing.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.report.status().is_asked()
    }

    /// Tells whoever asked.
    #[cold]
    pub fn answer(&self, answer: &Answer) {
        self.report.status().answer(answer);
    }

    /// Before processes wait for each other again and again: this one takes its place beside the others of the node, once. The kernel puts processes that
    /// wake each other onto one processor, and sees no difference between those that yield. Only where processes are as many as processors, or more: where
    /// some are left over, we do not know which of them belong together, nor which another job has taken.
    pub fn take_place(&mut self) {
        if !std::mem::replace(&mut self.placed, true) {
            // Where this is refused they wait a little longer.
            let _ = nemesis_sys::host::begin_on_core(self.segment.slot_index_of(&self.slot));
        }
    }

    /// The line by which a neighbour may carry out an access of ours to its memory; `None` where it is better not asked, since it has no processor of its own.
    pub fn am_slot_to(&self, process: u32) -> Option<&'static AmSlot> {
        let worthwhile = !self.shared_processors && process != self.me && !self.is_far(process);
        worthwhile.then(|| self.slot.am_slot())
    }

    /// That of a neighbour.
    pub fn am_slot_of(&self, owner: u32) -> Option<&'static AmSlot> {
        self.peers.get(owner as usize)?.slot.as_ref().map(Slot::am_slot)
    }

    /// Whether process `to` sleeps, so that a packet wakes it.
    #[inline]
    pub fn is_asleep(&self, to: u32) -> bool {
        doorbell::is_asleep(self.peers[to as usize].doorbell)
    }

    /// Whether processes of the node share processors, as far as we know.
    pub fn shares_processors(&self) -> bool {
        self.shared_processors
    }

    /// What has passed so far, for tools.
    pub fn traffic(&mut self) -> Traffic {
        let Counted {
            queue_packets_sent,
            queue_packets_received,
            memory_bytes_read,
            memory_bytes_written,
        } = self.counted;
        let mut traffic = Traffic {
            queue_packets_sent,
            queue_packets_received,
            memory_bytes_read,
            memory_bytes_written,
            ..Traffic::default()
        };
        for (peer, [sent, received]) in self.peers.iter().zip(&mut self.widened) {
            let (sent, received) = (sent.packets(peer.next_seq), received.packets(peer.expected));
            traffic.packets_sent += sent;
            traffic.packets_received += received;
            if peer.slot.is_none() {
                traffic.network_packets_sent += sent;
                traffic.network_packets_received += received;
            }
            if let Outbound::Open = peer.outbound {
                traffic.fastbox_bytes_sent += bytes_of(peer.outbox.lines_used());
                traffic.fastboxes_sending += 1;
            }
            if !peer.inbox.is_nowhere() {
                traffic.fastbox_bytes_received += bytes_of(peer.inbox.lines_used());
                traffic.fastboxes_receiving += 1;
            }
        }
        traffic
    }

    /// Whether `to` asks us to hold back small messages (it keeps more unexpected ones than it likes).
    #[inline(always)]
    pub fn is_throttled(&self, to: u32) -> bool {
        // Relaxed: advice; a little more or less makes no difference.
        self.peers[to as usize].throttle.load(Ordering::Relaxed) != 0
    }

    /// The next packet to `to` does not take the [shortest way](Self::send_fast), which does not ask whether it is welcome.
    pub fn take_care(&mut self, to: u32) {
        let peer = &mut self.peers[to as usize];
        if let Outbound::Open = peer.outbound {
            peer.outbox.take_care();
        }
    }

    /// Asks process `origin` to hold back small messages, or to go on.
    pub fn throttle(&mut self, origin: u32, hold_back: bool) {
        match (&self.peers[origin as usize].slot, &mut self.networks) {
            (Some(slot), _) => {
                let slot = self.segment.slot_index_of(slot);
                // Relaxed: as in `is_throttled`.
                self.slot.throttle(slot).store(u8::from(hold_back), Ordering::Relaxed);
            }
            (None, Some(networks)) => networks.throttle(&mut self.peers, origin, hold_back),
            (None, None) => {}
        }
    }

    /// Before a time without polls, perhaps the last one: what was sent to other nodes is there when this returns, and should the process end now,
    /// nobody takes it for lost.
    pub fn settle(&mut self, sink: &mut impl Sink) {
        if let Some(networks) = &mut self.networks {
            networks.settle(&mut self.peers, sink);
        }
    }
}
