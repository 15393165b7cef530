//! What the module knows of another process.

use crate::endpoint::{Address, Remote};
use crate::memory::Buffer;
use crate::message::Kind;
use nemesis_netmod::{Failure, Region, RegionMut, Token};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::Instant;

/// A message that waits to be sent: its body lies behind the space for the prefix.
pub struct Queued {
    pub kind: Kind,
    pub buffer: Buffer,
    /// Length with the prefix.
    pub bytes: usize,
}

/// A bulk payload whose packet has arrived.
pub struct Incoming {
    /// The announcement, which holds the packet.
    pub message: Buffer,
    pub bytes: usize,
    pub ordered: bool,
}

/// The memory of this process that an access uses.
pub enum Memory {
    /// What a put writes to the peer's memory.
    Source(Region),
    /// Where a get writes what it reads there.
    Destination(RegionMut),
}

impl Memory {
    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Memory::Source(region) => region.len(),
            Memory::Destination(region) => region.len(),
        }
    }
}

/// An access to the memory of a process that the provider has not taken yet.
pub struct Access {
    pub label: u64,
    pub memory: Memory,
    /// The peer's endpoint for memory.
    pub address: Address,
    pub there: Remote,
    pub token: Token,
}

/// State of the connection with another process.
#[derive(Debug, Default)]
pub enum State {
    /// Nothing was sent to it or received from it.
    #[default]
    Unknown,
    /// The lifeline connects, or hellos are under way.
    Meeting,
    /// Its address is known.
    Linked,
    Lost(Failure),
}

/// What two processes know of the arrival of each other's messages, where the provider reports a
/// message as sent before it has left. Numbers are those of the message behind the last one.
#[derive(Default)]
pub struct Delivery {
    /// The messages that this process has sent, up to the last one that the peer may wait for.
    pub sent: u32,
    /// The peer has received the messages before this one.
    pub arrived: u32,
    /// The last question to the peer.
    pub asked: Option<u32>,
    /// A question of the peer that has not been answered.
    pub question: Option<u32>,
    /// The peer waits for a farewell.
    pub owes_farewell: bool,
}

impl Delivery {
    /// Returns whether the peer has received everything.
    pub fn is_done(&self) -> bool {
        reaches(self.arrived, self.sent)
    }

    /// Returns whether this process owes the peer an answer or a farewell.
    pub fn owes(&self) -> bool {
        self.owes_farewell || self.question.is_some()
    }
}

/// Returns whether the numbers of messages have come as far as `goal`.
pub fn reaches(number: u32, goal: u32) -> bool {
    number.wrapping_sub(goal) as i32 >= 0
}

/// Another process.
#[derive(Default)]
pub struct Peer {
    /// Counts the processes that have had this index, so that the end of a message to an earlier
    /// one is not taken for the end of one to this.
    pub incarnation: u32,
    pub state: State,
    /// Whether this process greets first. The provider connects the two only once.
    pub leads: bool,
    /// Whether the hello has been sent.
    pub told: bool,
    /// The token that the peer has to present; 0 as long as it has none.
    pub token_in: u64,
    /// Buffers that are posted for it.
    pub granted: u16,
    pub address: Option<Address>,
    /// The peer's index of this process.
    pub index_there: u32,
    /// The token that this process presents.
    pub token_out: u64,
    /// Whether the peer has greeted.
    pub greeted: bool,
    /// Messages that this process may have under way, and may send now.
    pub window: u16,
    pub credits: u16,
    /// Number of the next message.
    pub number_out: u32,
    /// Messages of the module, which go first.
    pub urgent: VecDeque<(Kind, Vec<u8>)>,
    pub queue: VecDeque<Queued>,
    /// Messages in the hands of the provider.
    pub under_way: usize,
    /// Whether the provider may still hold injected messages, whose end it does not report.
    pub injected: bool,
    /// What is known of the arrival of messages that the provider reports as sent too early.
    pub delivery: Delivery,
    /// Announced bulk payloads, by number.
    pub announced: HashMap<u64, (Region, Token)>,
    /// Bulk payloads that are asked for, and wait for the provider.
    pub asked: VecDeque<(Region, u64, Token)>,
    /// Bulk payloads that the provider sends.
    pub bulk_under_way: usize,
    /// Accesses to its memory that wait for the provider.
    pub accesses: VecDeque<Access>,
    /// Names and addresses of its endpoints for memory, as keys tell them. A process that has lost
    /// another one may have opened a further endpoint.
    pub memory_addresses: Vec<(Vec<u8>, Address)>,
    /// Labels of the accesses that have not ended.
    pub open: BTreeSet<u64>,
    /// Flushes: the label from which on accesses are later ones, and the token.
    pub flushes: VecDeque<(u64, Token)>,
    /// Why an access failed that no flush has reported.
    pub access_failure: Option<Failure>,
    /// Number of the next message that comes.
    pub number_in: u32,
    /// Messages that came before their predecessors.
    pub early: BTreeMap<u32, (Buffer, usize)>,
    /// Packets that wait for their delivery.
    pub arrived: VecDeque<(Buffer, usize)>,
    /// Whether an ordered bulk payload is being received, which holds up the packets behind it.
    pub is_held_up: bool,
    /// Bulk payloads that have arrived, and wait for their delivery.
    pub done: VecDeque<Incoming>,
    /// Processed messages that the peer does not know of yet.
    pub owed: u16,
    /// This process has sent its goodbye.
    pub said: bool,
    /// The peer has received everything before the goodbye.
    pub acknowledged: bool,
    /// The peer has sent its goodbye or has left.
    pub heard: bool,
    /// The lifeline has been told that an end is regular.
    pub resting: bool,
    /// The provider failed to reach the peer: since when, and why.
    pub suspect: Option<(Instant, String)>,
}

impl Peer {
    /// Returns whether messages may be sent.
    pub fn may_send(&self) -> bool {
        matches!(self.state, State::Linked) && (self.leads || self.greeted)
    }

    /// Returns the credits that only messages of the module use.
    pub fn reserve(&self) -> u16 {
        self.window / 4
    }

    /// Returns whether enough credits are owed to send them in a message of their own.
    pub fn owes_much(&self) -> bool {
        self.owed >= (self.granted / 4).max(1)
    }

    /// Returns whether nothing waits for the peer or the provider.
    pub fn is_idle(&self) -> bool {
        self.urgent.is_empty()
            && self.queue.is_empty()
            && self.under_way == 0
            && self.announced.is_empty()
            && self.asked.is_empty()
            && self.bulk_under_way == 0
            && self.open.is_empty()
    }

    /// Returns whether `transmit` has something to try.
    pub fn wants_to_send(&self) -> bool {
        !self.urgent.is_empty()
            || !self.queue.is_empty()
            || !self.asked.is_empty()
            || !self.accesses.is_empty()
            || self.owes_much()
    }

    /// Returns whether a message of the peer, with credits, is all that sending waits for.
    pub fn waits_for_credits(&self) -> bool {
        self.credits <= self.reserve()
            && self.asked.is_empty()
            && self.accesses.is_empty()
            && (self.urgent.is_empty() || self.credits == 0)
            && !self.owes_much()
    }
}
