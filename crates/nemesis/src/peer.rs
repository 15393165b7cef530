//! The state that an endpoint keeps for one other process.
//!
//! One index finds a `Peer`, which holds the state of both directions. The fields of the send side
//! come first, because a send touches no others. The processes of other nodes with which nothing
//! was exchanged share one `Peer`, which is that of [`Peer::remote`].

use crate::packet::{Packet, Sink};
use nemesis_netmod::PeerTable;
use nemesis_shm::doorbell::{self, Doorbell};
use nemesis_shm::fastbox::{self, MappedLines};
use nemesis_shm::segment::Slot;
use nemesis_sync::{AtomicU8, Ordering};
use nemesis_wire::{FIRST_SEQ, FIRST_SERVICE_KIND, Seq, next_seq};

/// Number of packets that a pair sends through the queue before the sender opens a fastbox. Pairs
/// that exchange fewer packets need no fastbox.
const QUEUE_PACKETS_BEFORE_BOX: u32 = 3;

/// Doorbell of a process that has none: its flag is never raised.
pub static ALWAYS_AWAKE: Doorbell = Doorbell::never_asleep();

/// The flow control flag of a process of another node that asks for nothing.
static GOES_ON: AtomicU8 = AtomicU8::new(0);
/// The flow control flag of a process of another node that asks this one to hold back eager
/// messages, and of a lost process: sends to it take the slow path, which fails them.
static HELD_BACK: AtomicU8 = AtomicU8::new(1);

/// The processes of the job, and the processes of other jobs that this one knows.
pub type Peers = PeerTable<Peer>;

/// The slots of the processes of a job.
pub struct Slots {
    /// Number of processes of the job.
    pub processes: u32,
    /// The processes of this node, ascending, and their slots in the segment.
    pub local: Vec<(u32, usize)>,
}

impl Slots {
    /// Returns the slot of this process.
    pub fn of(&self, me: u32) -> usize {
        let place = self.local.binary_search_by_key(&me, |&(process, _)| process);
        self.local[place.expect("a process is on its own node")].1
    }
}

/// State of the outbound path to a process.
#[derive(Clone, Copy, Debug)]
pub enum Outbound {
    /// No fastbox yet. The field counts the packets that remain before the sender opens one.
    Pending(u32),
    Open,
    /// No fastbox, now or later: one of the two processes has the maximum number.
    Refused,
    /// The process is on another node, or of another job: packets go through a network, unless a
    /// foreign fastbox takes them.
    Network,
    /// The process is on another node and has become unreachable.
    Lost,
}

/// Whether the kernel permits access to another process's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// Not known yet: the first access tells.
    Untried,
    Granted,
    Refused,
}

/// State of one process. Its size is two cache lines.
#[derive(Debug)]
#[repr(align(64))]
pub struct Peer {
    /// Sequence number of the next packet to the process.
    pub next_seq: Seq,
    pub outbound: Outbound,
    /// Outbound fastbox. `Producer::disconnected` until it is open, so that the fast path need not
    /// test.
    pub outbox: fastbox::Producer<MappedLines>,
    pub doorbell: &'static Doorbell,
    /// Flow control: nonzero while the process asks this one to hold back eager messages.
    pub throttle: &'static AtomicU8,
    /// The process's slot of the segment; `None` for a process of another node or job.
    pub slot: Option<Slot>,
    /// Sequence number of the next packet from the process.
    pub expected: Seq,
    /// Inbound fastbox; `Consumer::disconnected` until the process has opened one.
    pub inbox: fastbox::Consumer<MappedLines>,
    pub reach: Reach,
    /// Index of the pair's handoff buffers in `Endpoint::pairs`; 0 is the entry without buffers.
    pub pair: u8,
}

#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<Peer>() == 128);

impl Peer {
    /// Returns the state for a process of this node.
    pub fn local(slot: Slot, own_slot_index: usize) -> Peer {
        Peer {
            next_seq: FIRST_SEQ,
            outbound: Outbound::Pending(QUEUE_PACKETS_BEFORE_BOX),
            outbox: fastbox::Producer::disconnected(),
            doorbell: slot.doorbell(),
            throttle: slot.throttle(own_slot_index),
            slot: Some(slot),
            expected: FIRST_SEQ,
            inbox: fastbox::Consumer::disconnected(),
            reach: Reach::Untried,
            pair: 0,
        }
    }

    /// Returns the state for a process of another node.
    pub fn remote() -> Peer {
        Peer {
            next_seq: FIRST_SEQ,
            outbound: Outbound::Network,
            outbox: fastbox::Producer::disconnected(),
            doorbell: &ALWAYS_AWAKE,
            throttle: &GOES_ON,
            slot: None,
            expected: FIRST_SEQ,
            inbox: fastbox::Consumer::disconnected(),
            reach: Reach::Refused,
            pair: 0,
        }
    }

    /// Wakes the process if it sleeps until its fastbox has space. Called after space was released.
    #[inline(always)]
    pub fn wake_for_space(&self) {
        wake_for_space(self.doorbell);
    }

    /// Wakes the process, whose doorbell has said that it sleeps.
    #[cold]
    pub fn wake(&self) {
        wake(self.doorbell);
    }

    /// Notes whether the process, on another node or lost, is to get no eager messages.
    pub fn hold_back(&mut self, hold_back: bool) {
        self.throttle = if hold_back { &HELD_BACK } else { &GOES_ON };
    }

    /// Notes that a network has accepted the next packet to the process.
    pub fn sent_by_network(&mut self) {
        self.outbox.bypassed(self.next_seq);
        self.next_seq = next_seq(self.next_seq);
    }

    /// Notes that the next packet of the process has come by a network.
    pub fn received_by_network(&mut self) {
        self.inbox.bypassed(self.expected);
        self.expected = next_seq(self.expected);
    }

    /// Delivers the packets in the fastbox of process `origin`, up to the one with sequence number
    /// `until`, even if the sink wants no more.
    pub fn drain(&mut self, origin: u32, until: Option<Seq>, sink: &mut impl Sink) {
        while until != Some(self.expected)
            && let Some(ring) = self.inbox.connected()
            && let Some((header, payload)) = ring.peek(self.expected)
        {
            let size = payload.len();
            if header.kind < FIRST_SERVICE_KIND {
                // The last one, which a poll takes.
                return;
            }
            sink.packet(Packet { origin, header, payload });
            let told = ring.release(size);
            self.expected = next_seq(self.expected);
            if told {
                self.wake_for_space();
            }
        }
    }
}

/// Wakes the process with doorbell `doorbell` if it sleeps until it has space. Called after space
/// was given back to it, or announced to it.
#[inline(always)]
pub fn wake_for_space(doorbell: &Doorbell) {
    if doorbell::must_wake_for_space(&doorbell.flag) {
        wake(doorbell);
    }
}

/// Wakes the process with doorbell `doorbell`, also if it sleeps on descriptors.
#[cold]
pub fn wake(doorbell: &Doorbell) {
    doorbell::wake(&doorbell.flag);
    // Relaxed: the owner stored it when it joined, and the barrier that it executed then orders the
    // store before its first sleep.
    let bell = doorbell.bell.load(Ordering::Relaxed);
    if bell != 0 {
        nemesis_sys::bell::ring(bell);
    }
}
