//! Processes that die in a job that goes on (`mpiexec -ft`).
//!
//! The launcher of the node records deaths in the segment ([`nemesis_shm::deaths`]). A process that
//! waits compares the number of deaths with that of those it has handled. It handles a death by
//! taking the packets that the process has sent before, which are whole: a packet is announced by
//! its last store, a long one is found torn. Then it reports the process lost, as a network does.
//!
//! What the process held of this one is taken back:
//!
//! | what | when |
//! |---|---|
//! | its fastboxes, its handoff buffers of the pair | never used again |
//! | long packets in the copy ring that it had to read | at once: nobody else uses them |
//! | cells of this process in its queue | when all of the node know it: none links to them then |
//!
//! A process that dies between the two stores by which it appends a cell to a queue leaves that
//! queue incomplete. In a job that goes on, each process tells in its head what it appends. The
//! queue's owner waits until no living process appends to the queue. If the queue is incomplete
//! then, the dead process has left it so, and the owner links the cell.

use crate::endpoint::Endpoint;
use crate::packet::Sink;
use crate::peer::{ALWAYS_AWAKE, Outbound};
use nemesis_netmod::{Failure, Fault};
use nemesis_shm::deaths::Deaths;
use nemesis_shm::fastbox;
use nemesis_shm::layout::CELLS;
use nemesis_shm::queue;
use nemesis_shm::segment::{Appending, Slot};
use nemesis_shm::word_wait;
use nemesis_sync::Ordering;
use nemesis_sys::share;

/// The deaths that this process knows of.
#[derive(Debug, Default)]
pub(super) struct KnownDeaths {
    /// The record; `None` if the job ends when a process dies.
    record: Option<Deaths>,
    handled: u64,
    /// Processes of this node that hold cells of this process, with the numbers of deaths by which
    /// they are recorded.
    holders: Vec<(u32, u64)>,
}

impl KnownDeaths {
    /// Returns whether the job goes on when a process dies.
    #[inline]
    pub(super) fn is_on(&self) -> bool {
        self.record.is_some()
    }
}

/// Looks for a living process in the midst of an append before the queue is given up. One that has
/// no processor needs some milliseconds.
const LOOKS_MAX: u32 = 100_000;

impl Endpoint {
    /// Appends a cell to a queue of another process, or of this one, and tells so meanwhile.
    #[cold]
    pub(super) fn append_safely(&self, slot: &Slot, is_free: bool, cell: u64) {
        let slot = self.segment.slot_index_of(slot);
        self.segment.append_safely(&self.slot, Appending { slot, is_free, cell });
    }

    /// Returns whether a living process appends to a queue of this process.
    fn is_appended_to(&self, is_free: bool) -> bool {
        let own = self.segment.slot_index_of(&self.slot);
        self.peers.met().filter_map(|(_, peer)| peer.slot).any(|slot| {
            // Acquire: pairs with the Releases of `Segment::append_safely`.
            let word = slot.appending().load(Ordering::Acquire);
            Appending::of_word(word)
                .is_some_and(|other| other.slot == own && other.is_free == is_free)
        })
    }

    /// Completes the queue of this process that a process has left incomplete, whose slot is known
    /// to be dead and is none of the peers any more.
    fn complete_queue(&mut self, dead: &Slot) {
        // Acquire: as in `is_appended_to`.
        let Some(left) = Appending::of_word(dead.appending().load(Ordering::Acquire)) else {
            return;
        };
        if left.slot != self.segment.slot_index_of(&self.slot) {
            return;
        }
        for _ in 0..LOOKS_MAX {
            let segment = self.segment;
            let (consumer, ends) = match left.is_free {
                true => (self.free.returned(), self.slot.free_queue()),
                false => (&mut self.receive, self.slot.receive_queue()),
            };
            if !consumer.is_incomplete(ends, &segment) {
                return;
            }
            if self.is_appended_to(left.is_free) {
                share::yield_now();
                continue;
            }
            // A living process that was in the midst at the first look has ended by now.
            let (consumer, ends) = match left.is_free {
                true => (self.free.returned(), self.slot.free_queue()),
                false => (&mut self.receive, self.slot.receive_queue()),
            };
            if consumer.is_incomplete(ends, &segment)
                && queue::Consumer::has_come(ends, &segment, left.cell)
            {
                consumer.complete(ends, &segment, left.cell);
            }
            return;
        }
    }

    /// Looks for deaths from now on, in `record` or in that of the segment, if the launcher tells
    /// them.
    pub(super) fn look_for_deaths(&mut self, record: Option<Deaths>) {
        if self.known_deaths.record.is_some() {
            return;
        }
        let record = record.unwrap_or_else(|| self.segment.deaths());
        if record.is_tolerant() {
            self.known_deaths.record = Some(record);
            word_wait::look_at(record);
        }
    }

    /// Returns whether the job goes on when a process dies.
    pub fn is_tolerant(&self) -> bool {
        self.known_deaths.record.is_some()
    }

    /// Returns whether processes have died since the last call of
    /// [`handle_deaths`](Self::handle_deaths).
    #[inline]
    pub fn has_deaths(&self) -> bool {
        self.known_deaths.record.is_some_and(|record| record.count() != self.known_deaths.handled)
    }

    /// Delivers the packets of processes that have died, and reports the processes lost. Returns
    /// whether there were any.
    #[cold]
    pub fn handle_deaths(&mut self, sink: &mut impl Sink) -> bool {
        let Some(record) = self.known_deaths.record else { return false };
        let count = record.count();
        let are_new = self.known_deaths.handled != count;
        while self.known_deaths.handled < count {
            let process = record.rank(self.known_deaths.handled);
            self.known_deaths.handled += 1;
            let is_other = process != self.me && (process as usize) < self.peers.len();
            if is_other && !matches!(self.peers[process as usize].outbound, Outbound::Lost) {
                self.lose(process, sink);
            }
        }
        // Release: pairs with the Acquire of `take_back_cells`. This process links no cell to the
        // queues of the dead any more.
        self.slot.deaths_handled().store(self.known_deaths.handled, Ordering::Release);
        are_new
    }

    fn lose(&mut self, process: u32, sink: &mut impl Sink) {
        let failure = Failure::new(Fault::Lost, "it has died; try: what mpiexec says of its end");
        if self.peers[process as usize].slot.is_none() {
            if let Some(networks) = &mut self.networks {
                networks.lose(process, failure);
                networks.poll(&mut self.peers, None, sink);
            } else {
                self.peers[process as usize].outbound = Outbound::Lost;
                sink.lost(process, &failure.about(process));
            }
            return;
        }
        let slot = self.peers[process as usize].slot;
        self.drain(process, sink);
        self.peers[process as usize].slot = None;
        slot.iter().for_each(|slot| self.complete_queue(slot));
        self.peers[process as usize].slot = slot;
        self.drain(process, sink);
        self.active.retain(|&other| other != process);
        self.full.retain(|&other| other != process);
        self.copy_ring.forget(process);
        self.known_deaths.holders.push((process, self.known_deaths.handled));
        let peer = &mut self.peers[process as usize];
        peer.outbound = Outbound::Lost;
        (peer.outbox, peer.inbox) =
            (fastbox::Producer::disconnected(), fastbox::Consumer::disconnected());
        (peer.slot, peer.doorbell, peer.pair) = (None, &ALWAYS_AWAKE, 0);
        peer.hold_back(true);
        sink.lost(process, &failure.about(process));
    }

    /// Takes what a process of this node has sent before it died. Its cells are among those that
    /// the queue has now.
    fn drain(&mut self, process: u32, sink: &mut impl Sink) {
        for _ in 0..=CELLS * self.peers.len() {
            let in_box = self.poll_box(process, u32::MAX, sink);
            if in_box + self.poll_queue(sink) == 0 {
                return;
            }
        }
    }

    /// Takes back the cells that processes held that have died, as soon as no other process can
    /// append to their queues, in which the cells are linked.
    #[cold]
    pub(super) fn take_back_cells(&mut self) {
        if self.known_deaths.holders.is_empty() {
            return;
        }
        let others = self.peers.met().filter_map(|(_, peer)| peer.slot);
        // Acquire: pairs with the Release of `handle_deaths`.
        let least = others.map(|slot| slot.deaths_handled().load(Ordering::Acquire)).min();
        let (segment, slot, free) = (&self.segment, &self.slot, &mut self.free);
        self.known_deaths.holders.retain(|&(process, number)| {
            let is_linked = least.is_some_and(|least| least < number);
            if !is_linked {
                free.take_back(segment, slot, process);
            }
            is_linked
        });
    }
}
