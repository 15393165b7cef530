//! What an endpoint remembers of one other process.
//!
//! One `Peer` is found by one index and holds both directions: the send side's words come first, since a send touches nothing else.

use nemesis_shm::doorbell;
use nemesis_shm::fastbox::{self, MappedLines};
use nemesis_shm::segment::Slot;
use nemesis_sync::{AtomicU8, AtomicU32, Ordering};
use nemesis_wire::{FIRST_SEQ, Seq};

/// Packets that a pair exchanges through the queue before the sender makes a fastbox: those that talk once need none.
const PACKETS_BEFORE_BOX: u32 = 3;

/// The doorbell of whoever cannot be rung by one: always down.
static SILENT: AtomicU32 = AtomicU32::new(0);

/// Whether there is a fastbox to send with, or what is in its place.
#[derive(Clone, Copy, Debug)]
pub enum Outbound {
    /// None yet; so many packets to go before one is made.
    Pending(u32),
    Open,
    /// None, and none to come: either process has as many as it may.
    Refused,
    /// The process is on another node: everything goes through a network.
    Network,
    /// As before, but it is not to be reached any more.
    Lost,
}

/// Whether the kernel lets us reach another process's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Found out by the first try.
    Untried,
    Granted,
    Refused,
}

/// Another process: two cache lines, so that finding one is a shift.
#[derive(Debug)]
#[repr(align(64))]
pub struct Peer {
    /// Sequence number of the next packet to it.
    pub next_seq: Seq,
    pub outbound: Outbound,
    /// Nowhere as long as it is not open, so that the hot path need not ask.
    pub outbox: fastbox::Producer<MappedLines>,
    pub doorbell: &'static AtomicU32,
    /// Its wish that we hold back small messages.
    pub throttle: &'static AtomicU8,
    /// Its place in the segment; none if it is on another node.
    pub slot: Option<Slot>,
    /// Sequence number of the next packet from it.
    pub expected: Seq,
    /// The fastbox that it sends with; nowhere before there is one.
    pub inbox: fastbox::Consumer<MappedLines>,
    pub reach: Reach,
    /// Which shuttles are this one's, of the endpoint's; the first have none.
    pub pair: u8,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Peer>() == 128);

impl Peer {
    /// A process of this node.
    pub fn near(slot: Slot, own_slot_index: usize) -> Peer {
        Peer {
            next_seq: FIRST_SEQ,
            outbound: Outbound::Pending(PACKETS_BEFORE_BOX),
            outbox: fastbox::Producer::nowhere(),
            doorbell: slot.doorbell(),
            throttle: slot.throttle(own_slot_index),
            slot: Some(slot),
            expected: FIRST_SEQ,
            inbox: fastbox::Consumer::nowhere(),
            reach: Reach::Untried,
            pair: 0,
        }
    }

    /// A process of another node, whose wish that we hold back is written down in `throttle`.
    pub fn far(throttle: &'static AtomicU8) -> Peer {
        Peer {
            next_seq: FIRST_SEQ,
            outbound: Outbound::Network,
            outbox: fastbox::Producer::nowhere(),
            doorbell: &SILENT,
            throttle,
            slot: None,
            expected: FIRST_SEQ,
            inbox: fastbox::Consumer::nowhere(),
            reach: Reach::Refused,
            pair: 0,
        }
    }

    /// We have told it of room in its fastbox.
    #[inline(always)]
    pub fn told_of_room(&self) {
        told_of_room(self.doorbell, &self.slot);
    }

    /// Wakes it: its doorbell has said that it sleeps.
    #[cold]
    pub fn wake(&self) {
        wake(self.doorbell, &self.slot);
    }
}

/// The process with that doorbell and slot has been given back room, or told of some: wakes it if it sleeps for want of that.
#[inline(always)]
pub fn told_of_room(bell: &AtomicU32, slot: &Option<Slot>) {
    if doorbell::must_wake_for_space(bell) {
        wake(bell, slot);
    }
}

/// Wakes the process with that doorbell and slot.
#[cold]
pub fn wake(bell: &AtomicU32, slot: &Option<Slot>) {
    doorbell::wake(bell);
    if let Some(slot) = slot {
        ring(slot);
    }
}

/// Rings the bell of a process that sleeps on descriptors, too.
#[cold]
pub fn ring(slot: &Slot) {
    // Relaxed: stored when its owner joined, and ordered before its first sleep by the barrier that it had then.
    let bell = slot.bell().load(Ordering::Relaxed);
    if bell != 0 {
        nemesis_sys::bell::ring(bell);
    }
}
