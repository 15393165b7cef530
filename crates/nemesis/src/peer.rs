//! What an endpoint remembers of one other process.
//!
//! One `Peer` is found by one index and holds both directions: the send side's words come first, since a send touches nothing else.

use nemesis_shm::fastbox::{self, MappedLines};
use nemesis_shm::segment::Slot;
use nemesis_sync::{AtomicU8, AtomicU32};
use nemesis_wire::Seq;

/// Packets that a pair exchanges through the queue before the sender makes a fastbox: those that talk once need none.
const PACKETS_BEFORE_BOX: u32 = 3;

/// The sending side's fastbox.
#[derive(Debug)]
pub enum Outbound {
    /// None yet; so many packets to go before one is made.
    Pending(u32),
    Open(fastbox::Producer<MappedLines>),
    /// None, and none to come: either process has as many as it may.
    Refused,
}

/// Another process of this node: two cache lines, so that finding one is a shift.
#[derive(Debug)]
#[repr(align(64))]
pub struct Peer {
    /// Sequence number of the next packet to it.
    pub next_seq: Seq,
    pub outbound: Outbound,
    pub doorbell: &'static AtomicU32,
    /// Its wish that we hold back small messages.
    pub throttle: &'static AtomicU8,
    pub slot: Slot,
    /// Sequence number of the next packet from it.
    pub expected: Seq,
    pub inbound: Option<fastbox::Consumer<MappedLines>>,
    /// Whether the kernel lets us read its memory; found out by the first try.
    pub readable: bool,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Peer>() == 128);

impl Peer {
    pub fn new(slot: Slot, own_slot_index: usize) -> Peer {
        Peer {
            next_seq: 1,
            outbound: Outbound::Pending(PACKETS_BEFORE_BOX),
            doorbell: slot.doorbell(),
            throttle: slot.throttle(own_slot_index),
            slot,
            expected: 1,
            inbound: None,
            readable: true,
        }
    }
}
