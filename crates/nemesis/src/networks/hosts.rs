//! The hosts of network modules: what a module sees of the endpoint.
//!
//! While a module polls, its host is a [`PollingHost`]: packets go straight to the sink, from the
//! memory in which the module has them. While a module starts or sends there is no sink, and its
//! host is a [`DeferringHost`]: the next poll reports what the module reports then. Both share
//! [`HostState`].

use super::lanes::Exchange;
use super::{Cards, NONE, Token};
use crate::packet::{Packet, Sink};
use crate::peer::{Outbound, Peers};
use nemesis_netmod::{Cell, Failure, Fault, Host, Pool, RegionMut};
use nemesis_wire::{FIRST_CLIENT_KIND, FIRST_SERVICE_KIND, Header, kind, word};
use nemesis_wireup::Reporter;
use std::collections::{HashMap, VecDeque};

/// An event that a module reported while there was no sink.
pub(super) enum Deferred {
    Completed(Token, Result<(), Failure>),
    Lost(u32, Failure),
}

/// What concerns the foreign fastboxes, which the endpoint has.
pub enum ForeignEvent {
    /// A packet of this kind has come from the process.
    Packet(u32, u8, Vec<u64>),
    /// The process has closed its fastbox to this one. Everything in it is delivered.
    Closed(u32),
    /// The process is lost. Everything in its fastbox is delivered.
    Lost(u32),
}

/// A bulk payload under way.
pub(super) struct BulkSend {
    pub(super) token: Token,
    pub(super) rail: usize,
    pub(super) to: u32,
    /// Length of an eager bulk payload; 0 for one that the receiver has asked for.
    pub(super) eager_bytes: usize,
}

/// Memory that is registered with the module of a rail.
pub(super) struct RegisteredRange {
    pub(super) rail: usize,
    pub(super) id: u64,
    pub(super) address: usize,
    pub(super) bytes: usize,
}

/// State of the hosts of all modules.
pub(super) struct HostState {
    pub(super) me: u32,
    pub(super) cards: Cards,
    /// By process: the first rail of the network that is chosen for it, or [`NONE`].
    pub(super) chosen: Vec<u8>,
    /// By rail: the number of processes for which it is chosen.
    pub(super) users: Vec<u32>,
    pub(super) registered: Vec<RegisteredRange>,
    pub(super) pool: Pool,
    pub(super) bulk_sends: HashMap<u64, BulkSend>,
    /// The client's tokens of operations on remote memory, by the module's token.
    pub(super) rma_operations: HashMap<u64, Token>,
    pub(super) deferred: VecDeque<Deferred>,
    /// Control packets that no module has accepted yet: process, kind and payload.
    pub(super) pending_controls: Vec<(u32, u8, Vec<u64>)>,
    pub(super) foreign_events: Vec<ForeignEvent>,
    pub(super) verbose: bool,
    /// Whether this process tells the user what concerns its node: the first one of a node does.
    pub(super) warns: bool,
    /// The launcher's way to say something once for the job, if it has one.
    pub(super) reporter: Option<Reporter>,
}

/// Reports the processes of other nodes lost that use the network with this first rail, because
/// the network itself failed.
pub(super) fn lose_all(first: usize, peers: &Peers, state: &mut HostState, failure: &Failure) {
    for process in 0..peers.len() as u32 {
        if peers[process as usize].slot.is_none() && state.may_use(first, process) {
            state.deferred.push_back(Deferred::Lost(process, failure.clone().about(process)));
        }
    }
}

impl HostState {
    pub(super) fn note(&self, network: &str, what: &str) {
        if self.verbose {
            nemesis_sys::message::tell(format_args!(
                "nemesis: process {}: {network}: {what}",
                self.me
            ));
        }
    }

    /// Tells the user what a module cannot do. Other processes of the node say it in the log.
    fn warn(&self, network: &str, what: &str) {
        if self.warns {
            let host = nemesis_sys::host::hostname();
            nemesis_sys::message::tell(format_args!(
                "nemesis: process {} on {host}: {network}: {what}",
                self.me
            ));
        } else {
            self.note(network, what);
        }
    }

    /// Tells the user what concerns the job: by the launcher once for each subject, without our
    /// launcher as [`warn`](Self::warn) does.
    fn warn_job(&self, network: &str, subject: &str, what: &str) {
        let host = nemesis_sys::host::hostname();
        let text = format!("nemesis: process {} on {host}: {network}: {what}", self.me);
        if !self.reporter.as_ref().is_some_and(|reporter| reporter.notice(subject, &text)) {
            self.warn(network, what);
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

    /// Drops what is still to be sent to a process, and what is still to be told of it. The process
    /// is met again, or another one has its index from now on.
    pub(super) fn begin_anew(&mut self, process: u32) {
        self.pending_controls.retain(|(to, ..)| *to != process);
        self.deferred.retain(|event| !matches!(event, Deferred::Lost(lost, _) if *lost == process));
        self.foreign_events.retain(|event| {
            let (ForeignEvent::Packet(from, ..)
            | ForeignEvent::Closed(from)
            | ForeignEvent::Lost(from)) = event;
            *from != process
        });
    }

    /// Returns whether a loss of this process is deferred.
    pub(super) fn has_failed(&self, process: u32) -> bool {
        self.deferred
            .iter()
            .any(|deferred| matches!(deferred, Deferred::Lost(lost, _) if *lost == process))
    }

    pub(super) fn completed(&mut self, own: u64, outcome: Result<(), Failure>) {
        let token = self
            .bulk_sends
            .remove(&own)
            .map(|bulk| bulk.token)
            .or_else(|| self.rma_operations.remove(&own));
        self.deferred.extend(token.map(|token| Deferred::Completed(token, outcome)));
    }

    /// Chooses the network with this first rail for a process, unless one is chosen.
    pub(super) fn choose(&mut self, process: u32, rail: usize) {
        let chosen = &mut self.chosen[process as usize];
        if *chosen == NONE {
            *chosen = rail as u8;
            self.users[rail] += 1;
        }
    }

    /// Returns whether packets to or from a process take this rail, or may take it later.
    fn may_use(&self, rail: usize, process: u32) -> bool {
        match self.chosen.get(process as usize) {
            None | Some(&NONE) => true,
            Some(&chosen) => usize::from(chosen) == rail,
        }
    }

    /// Returns the id of the registration with the rail's module that covers these bytes.
    pub(super) fn registration_of(&self, rail: usize, address: usize, bytes: usize) -> Option<u64> {
        let covers = |range: &&RegisteredRange| {
            range.rail == rail
                && range.address <= address
                && address + bytes <= range.address + range.bytes
        };
        self.registered.iter().find(covers).map(|range| range.id)
    }

    /// Reports a process lost that has sent an invalid packet.
    #[cold]
    pub(super) fn refuse(&mut self, from: u32, header: &Header) {
        let failure =
            Failure::new(Fault::Malformed, format!("it sent an invalid packet: {header:?}"))
                .about(from);
        self.deferred.push_back(Deferred::Lost(from, failure));
    }

    /// Handles the loss of a process on one rail. The first rail of the process's network carries
    /// all packets, so the process is lost. On another rail, the process is lost unless it was
    /// merely unreachable: then nothing was on its way.
    pub(super) fn lost(&mut self, rail: usize, process: u32, failure: Failure) {
        if self.may_use(rail, process) || failure.fault != Fault::Unreachable {
            self.deferred.push_back(Deferred::Lost(process, failure));
        }
    }
}

/// The host of a module that starts or sends. It cannot deliver packets.
pub(super) struct DeferringHost<'a> {
    pub(super) rail: usize,
    pub(super) name: &'a str,
    pub(super) state: &'a mut HostState,
}

impl Host for DeferringHost<'_> {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        self.state.card(self.name, process)
    }
    fn alloc(&mut self, _payload: usize) -> Option<Cell> {
        None
    }
    fn deliver(&mut self, from: u32, cell: Cell) {
        self.state.pool.take_back(cell);
        let failure =
            Failure::new(Fault::Broken, "the network module delivers while it sends").about(from);
        self.state.deferred.push_back(Deferred::Lost(from, failure));
    }
    fn give_back(&mut self, cell: Cell) {
        self.state.pool.take_back(cell);
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
        self.state.completed(token, outcome);
    }
    fn lost(&mut self, process: u32, failure: Failure) {
        self.state.lost(self.rail, process, failure);
    }
    fn note(&mut self, what: &str) {
        self.state.note(self.name, what);
    }
    fn warn(&mut self, what: &str) {
        self.state.warn(self.name, what);
    }
    fn warn_job(&mut self, subject: &str, what: &str) {
        self.state.warn_job(self.name, subject, what);
    }
}

/// The host of a module that polls.
pub(super) struct PollingHost<'a, S> {
    pub(super) rail: usize,
    pub(super) name: &'a str,
    pub(super) peers: &'a mut Peers,
    pub(super) state: &'a mut HostState,
    /// Where cards of lanes go.
    pub(super) exchange: Option<&'a Exchange>,
    pub(super) sink: &'a mut S,
}

impl<S: Sink> PollingHost<'_, S> {
    /// Delivers a packet if it comes from another node or job and is the next of its pair. Packets
    /// that the process has sent before by a foreign fastbox are delivered first.
    fn take(&mut self, from: u32, header: &Header, payload: &[u8]) {
        self.drain_earlier(from, header);
        if self.peers.get(from as usize).is_none_or(|peer| peer.slot.is_some()) {
            return;
        }
        let peer = &mut self.peers[from as usize];
        if header.seq != 0 && header.seq == peer.expected {
            if self.state.chosen[from as usize] == NONE {
                self.state.choose(from, self.rail);
            }
            peer.received_by_network();
        } else if header.seq != 0 || header.kind < FIRST_CLIENT_KIND {
            return self.state.refuse(from, header);
        }
        if header.kind >= FIRST_SERVICE_KIND {
            self.sink.packet(Packet { origin: from, header: *header, payload });
        } else if let (kind::THROTTLE, Some(hold_back)) = (header.kind, word(payload, 0)) {
            peer.hold_back(hold_back != 0);
        } else if matches!(header.kind, kind::FOREIGN_BOX | kind::FOREIGN_BOX_ANSWER) {
            let words = (0..payload.len() / 8).map_while(|index| word(payload, index)).collect();
            self.state.foreign_events.push(ForeignEvent::Packet(from, header.kind, words));
        } else if header.kind != kind::LANE_CARDS
            || !self.exchange.is_some_and(|exchange| exchange.receive(from, payload))
        {
            self.state.refuse(from, header);
        }
    }

    #[inline]
    fn drain_earlier(&mut self, from: u32, header: &Header) {
        if header.seq != 0
            && let Some(peer) = self.peers.get(from as usize)
            && header.seq != peer.expected
        {
            self.peers[from as usize].drain(from, Some(header.seq), self.sink);
        }
    }
}

impl<S: Sink> Host for PollingHost<'_, S> {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        self.state.card(self.name, process)
    }

    fn offer(&mut self, from: u32, header: &Header, payload: &[u8]) -> bool {
        if !self.sink.wants_more() {
            return false;
        }
        self.take(from, header, payload);
        true
    }

    fn alloc(&mut self, payload: usize) -> Option<Cell> {
        if self.sink.wants_more() { self.state.pool.lend(payload) } else { None }
    }

    fn deliver(&mut self, from: u32, cell: Cell) {
        if let Some((header, payload)) = cell.packet() {
            self.take(from, &header, payload);
        }
        self.state.pool.take_back(cell);
    }

    fn give_back(&mut self, cell: Cell) {
        self.state.pool.take_back(cell);
    }

    fn place(
        &mut self,
        from: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        self.drain_earlier(from, header);
        let peer = self
            .peers
            .get(from as usize)
            .filter(|peer| matches!(peer.outbound, Outbound::Network))?;
        let first_kind = if header.seq == 0 { FIRST_CLIENT_KIND } else { FIRST_SERVICE_KIND };
        let is_next = (header.seq == 0 || header.seq == peer.expected) && header.kind >= first_kind;
        if is_next && !self.state.has_failed(from) {
            let region = self.sink.place(from, header, payload, bytes)?;
            let id = match self.state.registered.is_empty() {
                true => None,
                false => self.state.registration_of(
                    self.rail,
                    region.address().as_ptr().addr(),
                    region.len(),
                ),
            };
            Some(region.registered(id))
        } else {
            None
        }
    }

    fn completed(&mut self, token: u64, outcome: Result<(), Failure>) {
        self.state.completed(token, outcome);
    }

    fn lost(&mut self, process: u32, failure: Failure) {
        self.state.note(self.name, &format!("process {process} is lost: {}", failure.why));
        self.state.lost(self.rail, process, failure);
    }

    fn note(&mut self, what: &str) {
        self.state.note(self.name, what);
    }

    fn warn(&mut self, what: &str) {
        self.state.warn(self.name, what);
    }
    fn warn_job(&mut self, subject: &str, what: &str) {
        self.state.warn_job(self.name, subject, what);
    }
}
