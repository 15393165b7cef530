//! What the module knows about another process.

use crate::address::Address;
use crate::control::{Control, Purpose};
use crate::device::CONTROL_WINDOW;
use crate::iwarp::Link;
use crate::objects::QueuePair;
use crate::prefix::Kind;
use crate::ring::{RingIn, RingOut};
use nemesis_netmod::{Failure, OpenOperations, Region, RegionMut, Token};
use nemesis_wire::Header;
use std::collections::VecDeque;

/// Whether a process can be reached.
#[derive(Default)]
pub enum Status {
    #[default]
    Open,
    /// It has finalized.
    Gone,
    Lost(Failure),
}

/// State of a connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum State {
    #[default]
    Idle,
    /// This process has offered its queue pair.
    Offered,
    /// The queue pair is connected; the other side may not receive yet.
    Connected,
    /// Both sides are connected.
    Ready,
    /// The queue pair of an iWARP device has failed. The TCP connection may tell why.
    Failed,
}

/// A request under way.
pub enum Posted {
    /// A message, in a buffer unless the request carried it itself.
    Message { buffer: Option<u32> },
    /// A part of a transfer, in a buffer if the transfer's memory is not registered.
    Part { transfer: u32, buffer: Option<u32>, offset: usize, bytes: usize },
    /// An atomic operation.
    Atomic { operation: u32 },
    /// A read whose answer shows that all earlier messages have arrived.
    Confirmation { buffer: u32 },
}

/// Work that waits for its turn on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Transfer(u32),
    Atomic(u32),
}

/// A connection by a queue pair.
#[derive(Default)]
pub struct Connection {
    pub pair: Option<QueuePair>,
    /// How a queue pair of an iWARP device is connected.
    pub link: Link,
    pub state: State,
    /// Number of the attempt to connect; above 1 if the connection broke before.
    pub attempt: u32,
    pub own_psn: u32,
    /// The other side has connected in this attempt.
    pub is_awaited: bool,
    /// Names the queue pair in the words of its requests.
    pub serial: u32,
    /// Number of the next request.
    pub next_request: u32,
    /// Requests under way, with their numbers. They complete in order, but soft-iWARP completes a
    /// message before a read that was posted earlier.
    pub posted: VecDeque<(u32, Posted)>,
    pub work: VecDeque<Work>,
}

impl Connection {
    /// Returns the word of the next request.
    pub fn next_word(&mut self) -> u64 {
        let word = u64::from(self.serial) << 32 | u64::from(self.next_request);
        self.next_request = self.next_request.wrapping_add(1);
        word
    }

    /// Notes that the request with `word` is under way.
    pub fn note_posted(&mut self, word: u64, posted: Posted) {
        self.posted.push_back((word as u32, posted));
    }

    /// Takes the request with `word`, which has completed; `None` if it is one of an earlier queue
    /// pair with the same number.
    pub fn take_posted(&mut self, word: u64) -> Option<Posted> {
        if word >> 32 != u64::from(self.serial) {
            return None;
        }
        let number = word as u32;
        let index = self.posted.iter().position(|(posted, _)| *posted == number)?;
        self.posted.remove(index).map(|(_, posted)| posted)
    }

    pub fn is_ready(&self) -> bool {
        self.state == State::Ready
    }
}

/// A packet or the rest of a bulk payload that waits for credits.
pub enum Outgoing {
    Packet { header: Header, payload: Vec<u8>, bulk: Option<(Region, Token)>, is_ordered: bool },
    Pieces { region: Region, token: Token, offset: usize },
}

/// A message that has arrived and lies where it arrived.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The receive buffer, or the slot of the ring.
    pub buffer: u32,
    pub is_on_ring: bool,
    pub bytes: usize,
    pub kind: Kind,
    pub is_ordered: bool,
}

/// State of a packet with a bulk payload that holds back later packets.
pub enum Stage {
    /// Its pieces arrive; the region is absent if the host discards them.
    Pieces { region: Option<RegionMut>, have: usize, bytes: usize },
    /// A transfer reads it; the sender's number of the bulk payload.
    Transfer(u32),
    /// It has arrived.
    Whole,
}

/// A packet with a bulk payload.
pub struct Receiving {
    pub arrival: Arrival,
    pub stage: Stage,
}

impl Receiving {
    /// Returns whether the transfer of a bulk payload completes the packet.
    pub fn waits_for(&self, bulk: u32) -> bool {
        matches!(self.stage, Stage::Transfer(number) if number == bulk)
    }

    pub fn is_whole(&self) -> bool {
        matches!(self.stage, Stage::Whole)
    }
}

/// Another process.
#[derive(Default)]
pub struct Peer {
    pub status: Status,
    /// Its port, once its card has been read.
    pub address: Option<Address>,
    /// Why its packets stay on the TCP connection.
    pub tcp_only: Option<String>,
    pub packets: Connection,
    pub memory: Connection,
    /// This process has begun to connect.
    pub is_begun: bool,
    /// Why there is no connection for remote memory.
    pub no_memory: Option<String>,
    /// The queue pairs are connected, and packets leave by them.
    pub sends_by_pair: bool,
    /// Control messages for the TCP connection.
    pub unsaid: VecDeque<Control>,
    /// Packets that this process may send.
    pub credits: u32,
    /// The window that the other process granted.
    pub window: u32,
    /// Control messages that this process may send.
    pub control_credits: u32,
    /// Receives posted again for packets, and for control messages, that the other process does not
    /// know of.
    pub owed: u32,
    pub owed_control: u32,
    /// Slots of its ring that it does not know to be free.
    pub owed_slots: u32,
    /// The ring that it writes, and the ring that this process writes.
    pub ring_in: Option<RingIn>,
    pub ring_out: Option<RingOut>,
    /// Packets received in the shared queue since the last ring.
    pub queued_packets: u32,
    /// Number of them after which a ring is opened again; 0 before the first ring.
    pub ring_after: u32,
    /// Control messages about rings, to send.
    pub notices: VecDeque<(Kind, Vec<u8>)>,
    pub next_out: u32,
    pub next_in: u32,
    pub outbox: VecDeque<Outgoing>,
    pub outbox_bytes: usize,
    pub inbox: VecDeque<Arrival>,
    pub receiving: Option<Receiving>,
    /// Packets with bulk payloads that hold nothing back.
    pub unordered: Vec<Receiving>,
    /// Bulk payloads that this process has read.
    pub finished: VecDeque<u32>,
    /// Receives promised to the process.
    pub promised: u32,
    /// Whether the process is in the list of processes with work.
    pub is_active: bool,
    /// This process has announced a pause.
    pub knows_pause: bool,
    pub has_said_goodbye: bool,
    /// Why the other process has ended the connection for packets, as it says.
    pub reported_loss: Option<String>,
    /// Operations on its memory that are not complete, and flushes with the first operation that
    /// they do not wait for.
    pub open_operations: OpenOperations,
    pub flushes: VecDeque<(u64, Token)>,
}

impl Peer {
    pub fn connection(&mut self, purpose: Purpose) -> &mut Connection {
        match purpose {
            Purpose::Packets => &mut self.packets,
            Purpose::Memory => &mut self.memory,
        }
    }

    /// Begins to count messages and credits of a new queue pair.
    pub fn open_window(&mut self, window: u8) {
        self.window = window.into();
        self.credits = self.window;
        self.control_credits = CONTROL_WINDOW;
        // A slot of a new ring holds number 0.
        (self.next_in, self.next_out) = (1, 1);
    }

    /// Returns whether packets can leave by the queue pair: both connections are made, or there is
    /// none for remote memory.
    pub fn is_connected(&self) -> bool {
        self.packets.is_ready() && (self.memory.is_ready() || self.no_memory.is_some())
    }

    /// Returns whether its TCP connection may bring packets or control messages soon.
    pub fn needs_tcp(&self) -> bool {
        matches!(self.status, Status::Open)
            && self.is_begun
            && (!self.sends_by_pair
                || !matches!(self.memory.state, State::Idle | State::Ready)
                || !self.unsaid.is_empty())
    }

    /// Returns whether polls have something to do for the process.
    pub fn has_work(&self) -> bool {
        !self.outbox.is_empty()
            || !self.finished.is_empty()
            || !self.unsaid.is_empty()
            || !self.notices.is_empty()
            || self.packets.link.owes_greeting
            || !self.packets.work.is_empty()
            || !self.memory.work.is_empty()
            || !self.inbox.is_empty()
            || self.receiving.iter().chain(&self.unordered).any(Receiving::is_whole)
    }
}
