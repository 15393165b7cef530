//! What a module sees of the endpoint.
//!
//! While it polls it sees a [`Post`]: packets go straight to the sink, from where the module has them. While it starts or sends there is no sink
//! ([`Absent`]); what it reports then is noted and told at the next poll. Both keep their accounts in [`Books`].

use super::{Cards, Token};
use crate::endpoint::{Packet, Sink};
use crate::peer::{Outbound, Peer};
use nemesis_netmod::{Cell, Failure, Fault, Host, Pool, RegionMut};
use nemesis_sync::Ordering;
use nemesis_wire::{FIRST_CLIENT_KIND, FIRST_SERVICE_KIND, Header, kind, next_seq, word};
use std::collections::{HashMap, VecDeque};

/// Something a module told while there was nobody to listen.
pub(super) enum Noted {
    Completed(Token, Result<(), Failure>),
    Lost(u32, Failure),
}

/// A bulk payload under way.
pub(super) struct BulkSend {
    pub(super) token: Token,
    pub(super) rail: usize,
    pub(super) to: u32,
    /// Of an eager one; 0 of others, which the receiver has asked for.
    pub(super) eager_bytes: usize,
}

/// What modules may ask for, besides the sink.
pub(super) struct Books {
    pub(super) me: u32,
    pub(super) cards: Cards,
    pub(super) pool: Pool,
    pub(super) bulk_sends: HashMap<u64, BulkSend>,
    /// Operations on memory of others, by our name: the client's.
    pub(super) reaching: HashMap<u64, Token>,
    pub(super) noted: VecDeque<Noted>,
    /// Throttle requests that found no room.
    pub(super) owed: Vec<(u32, bool)>,
    pub(super) verbose: bool,
}

/// The network as a whole is gone, and everybody with it.
pub(super) fn lose_all(peers: &[Peer], books: &mut Books, failure: &Failure) {
    for process in 0..peers.len() as u32 {
        if peers[process as usize].slot.is_none() {
            books.noted.push_back(Noted::Lost(process, failure.clone().about(process)));
        }
    }
}

impl Books {
    pub(super) fn note(&self, network: &str, what: &str) {
        if self.verbose {
            eprintln!("nemesis: process {}: {network}: {what}", self.me);
        }
    }

    pub(super) fn card(&mut self, network: &str, process: u32) -> Option<Vec<u8>> {
        match (self.cards)(process, network) {
            Ok(card) => card,
            Err(error) => {
                self.note(network, &format!("no card of process {process}: {error}"));
                None
            }
        }
    }

    /// Whether a loss is known that has not been told yet.
    pub(super) fn has_failed(&self, process: u32) -> bool {
        self.noted.iter().any(|noted| matches!(noted, Noted::Lost(lost, _) if *lost == process))
    }

    pub(super) fn completed(&mut self, own: u64, outcome: Result<(), Failure>) {
        let token = self
            .bulk_sends
            .remove(&own)
            .map(|bulk| bulk.token)
            .or_else(|| self.reaching.remove(&own));
        self.noted.extend(token.map(|token| Noted::Completed(token, outcome)));
    }

    /// A rail does not reach a process any more. Without the first nothing does; with another, what was on its way there is lost.
    pub(super) fn lost(&mut self, rail: usize, process: u32, failure: Failure) {
        if rail == 0 || failure.fault != Fault::Unreachable {
            self.noted.push_back(Noted::Lost(process, failure));
        }
    }
}

/// The host of a module that starts or sends: nobody is there to take packets.
pub(super) struct Absent<'a> {
    pub(super) name: &'a str,
    pub(super) books: &'a mut Books,
}

impl Host for Absent<'_> {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        self.books.card(self.name, process)
    }
    fn alloc(&mut self, _payload: usize) -> Option<Cell> {
        None
    }
    fn deliver(&mut self, from: u32, cell: Cell) {
        self.books.pool.take_back(cell);
        let failure =
            Failure::new(Fault::Broken, "the network module delivers while it sends").about(from);
        self.books.noted.push_back(Noted::Lost(from, failure));
    }
    fn give_back(&mut self, cell: Cell) {
        self.books.pool.take_back(cell);
    }
    fn place(
        &mut self,
        _from: u32,
        _header: &Header,
        _payload: &[u8],
        _bytes: usize,
    ) -> Option<RegionMut> {
        None
    }
    fn completed(&mut self, token: u64, outcome: Result<(), Failure>) {
        self.books.completed(token, outcome);
    }
    fn lost(&mut self, process: u32, failure: Failure) {
        // A further rail that is lost while it sends has lost nothing that was accepted.
        self.books.lost(0, process, failure);
    }
    fn note(&mut self, what: &str) {
        self.books.note(self.name, what);
    }
}

/// The host of a module that polls.
pub(super) struct Post<'a, S> {
    pub(super) rail: usize,
    pub(super) name: &'a str,
    pub(super) peers: &'a mut [Peer],
    pub(super) books: &'a mut Books,
    pub(super) sink: &'a mut S,
}

impl<S: Sink> Post<'_, S> {
    /// Takes a packet in: it is from another node, and the next of its pair.
    fn take(&mut self, from: u32, header: &Header, payload: &[u8]) {
        let Some(peer) = self.peers.get_mut(from as usize).filter(|peer| peer.slot.is_none())
        else {
            return;
        };
        if header.seq != 0 && header.seq == peer.expected {
            peer.expected = next_seq(peer.expected);
        } else if header.seq != 0 || header.kind < FIRST_CLIENT_KIND {
            return self.refuse(from, header);
        }
        if header.kind >= FIRST_SERVICE_KIND {
            self.sink.packet(Packet { origin: from, header: *header, payload });
        } else if let (kind::THROTTLE, Some(hold_back)) = (header.kind, word(payload, 0)) {
            // Relaxed: our own note of its wish.
            peer.throttle.store(u8::from(hold_back != 0), Ordering::Relaxed);
        } else {
            self.refuse(from, header);
        }
    }

    #[cold]
    fn refuse(&mut self, from: u32, header: &Header) {
        let failure = Failure::new(
            Fault::Malformed,
            format!("it sent a packet that makes no sense: {header:?}"),
        )
        .about(from);
        self.books.noted.push_back(Noted::Lost(from, failure));
    }
}

impl<S: Sink> Host for Post<'_, S> {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        self.books.card(self.name, process)
    }

    fn offer(&mut self, from: u32, header: &Header, payload: &[u8]) -> bool {
        if !self.sink.wants_more() {
            return false;
        }
        self.take(from, header, payload);
        true
    }

    fn alloc(&mut self, payload: usize) -> Option<Cell> {
        if self.sink.wants_more() { self.books.pool.lend(payload) } else { None }
    }

    fn deliver(&mut self, from: u32, cell: Cell) {
        if let Some((header, payload)) = cell.packet() {
            self.take(from, &header, payload);
        }
        self.books.pool.take_back(cell);
    }

    fn give_back(&mut self, cell: Cell) {
        self.books.pool.take_back(cell);
    }

    fn place(
        &mut self,
        from: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        let peer = self
            .peers
            .get(from as usize)
            .filter(|peer| matches!(peer.outbound, Outbound::Network))?;
        let is_next =
            header.seq == 0 || header.seq == peer.expected && header.kind >= FIRST_CLIENT_KIND;
        if is_next && !self.books.has_failed(from) {
            self.sink.place(from, header, payload, bytes)
        } else {
            None
        }
    }

    fn completed(&mut self, token: u64, outcome: Result<(), Failure>) {
        self.books.completed(token, outcome);
    }

    fn lost(&mut self, process: u32, failure: Failure) {
        self.books.note(self.name, &format!("process {process} is lost: {}", failure.why));
        self.books.lost(self.rail, process, failure);
    }

    fn note(&mut self, what: &str) {
        self.books.note(self.name, what);
    }
}
