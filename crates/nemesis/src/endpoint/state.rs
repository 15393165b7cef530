//! The state that an endpoint reports about itself and its peers, and flow control of unexpected
//! messages.

use super::Endpoint;
use crate::backoff::{Backoff, BackoffStep};
use crate::endpoint::Sink;
use crate::peer::Outbound;
use crate::traffic::{Counted, Traffic, bytes_of};
use nemesis_shm::am_slot::AmSlot;
use nemesis_shm::doorbell;
use nemesis_shm::kernel_call::KernelCall;
use nemesis_shm::segment::Slot;
use nemesis_shm::status::{Answer, Status};
use nemesis_sync::Ordering;

impl Endpoint {
    /// Declares whether one thread of the process may sleep while another polls. The default is
    /// that it may; if it may not, a wait for a process of another node is shorter.
    pub fn share(&mut self, shared: bool) {
        if let Some(networks) = &mut self.networks {
            networks.share(shared);
        }
    }

    /// Returns the next step of a wait whose latest poll found nothing.
    #[inline]
    pub fn advise(&self, backoff: &mut Backoff) -> BackoffStep {
        let weight = self.networks.as_ref().map_or(1, |networks| networks.checks());
        backoff.next_step(self.shared_processors, weight)
    }

    /// Returns whether the launcher has requested a state report.
    #[inline]
    pub fn is_asked(&self) -> bool {
        self.report.status().is_asked()
    }

    /// Returns whether all processes of the job are on this node, so that nothing is ever under way
    /// but in their memory.
    pub fn is_on_one_node(&self) -> bool {
        self.networks.is_none()
    }

    /// Answers the request for a state report.
    #[cold]
    pub fn answer(&self, answer: &Answer) {
        self.report.status().answer(answer);
    }

    /// Returns the line in which this process tells its launcher where a signal ends it.
    pub fn status(&self) -> &'static Status {
        self.report.status()
    }

    /// Returns the place where this process stores that it is in a call of the kernel that may take
    /// long.
    pub fn kernel_call(&self) -> &'static KernelCall {
        self.report.kernel_call()
    }

    /// Withdraws the last answer, so that this process is one that has not answered.
    #[cold]
    pub fn withdraw_answer(&self) {
        self.report.status().withdraw();
    }

    /// Moves this process once to a core of its own, before it exchanges messages with local
    /// processes repeatedly. The kernel tends to put processes that wake each other on one
    /// processor, and a yield does not separate them. Does nothing if the node has spare
    /// processors, because this process cannot know which of them other jobs use.
    pub fn move_to_own_core(&mut self) {
        if !std::mem::replace(&mut self.placed, true) {
            // If the kernel refuses, the processes wait a little longer.
            let _ = nemesis_sys::host::start_on_core(self.segment.slot_index_of(&self.slot));
        }
    }

    /// Returns this process's AM slot, through which local process `process` can carry out a short
    /// access to its memory. `None` on an oversubscribed node, where the target has no processor of
    /// its own, for this process itself, and for processes of other nodes.
    pub fn am_slot_to(&self, process: u32) -> Option<&'static AmSlot> {
        let worthwhile = !self.shared_processors && process != self.me && !self.is_remote(process);
        worthwhile.then(|| self.slot.am_slot())
    }

    /// Returns the AM slot of a local process.
    pub fn am_slot_of(&self, owner: u32) -> Option<&'static AmSlot> {
        self.peers.get(owner as usize)?.slot.as_ref().map(Slot::am_slot)
    }

    /// Returns whether process `to` sleeps, so that a packet wakes it.
    #[inline]
    pub fn is_asleep(&self, to: u32) -> bool {
        doorbell::is_asleep(&self.peers[to as usize].doorbell.flag)
    }

    /// Returns whether the node is oversubscribed.
    pub fn shares_processors(&self) -> bool {
        self.shared_processors
    }

    /// Returns the counters of the traffic so far, for tools.
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
        for (process, peer) in self.peers.met() {
            let [sent, received] = &mut self.widened[process as usize];
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
            if !peer.inbox.is_disconnected() {
                traffic.fastbox_bytes_received += bytes_of(peer.inbox.lines_used());
                traffic.fastboxes_receiving += 1;
            }
        }
        traffic
    }

    /// Returns whether process `to` asks this one to send no eager messages, because it stores too
    /// many unexpected ones.
    #[inline(always)]
    pub fn is_throttled(&self, to: u32) -> bool {
        // Relaxed: a hint; a late value does no harm.
        self.peers[to as usize].throttle.load(Ordering::Relaxed) != 0
    }

    /// Makes the next [`send_fast`](Self::send_fast) to process `to` fail, because that path does
    /// not read the flow control flag.
    pub fn force_slow_path(&mut self, to: u32) {
        if let Some(peer) = self.peers.glance_mut(to as usize)
            && !peer.outbox.is_disconnected()
        {
            peer.outbox.force_slow_path();
        }
    }

    /// Asks process `origin` to stop sending eager messages, or to resume.
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

    /// Waits until everything sent to other nodes has arrived there. Called before a period without
    /// polls, perhaps the last: if the process then ends, its peers do not report it as lost.
    pub fn deliver_all(&mut self, sink: &mut impl Sink) {
        if let Some(networks) = &mut self.networks {
            networks.deliver_all(&mut self.peers, sink);
            self.handle_foreign_events();
        }
    }
}
