//! Network modules: packets to and from the processes of other nodes.
//!
//! A process has one or more networks, and of each one or more modules, its *rails*. For each other
//! process it chooses the first network that leads there (`choice`). All packets to the process
//! take the first rail of that network, so they stay in order, including packets with an *eager*
//! bulk payload. A bulk payload that names its destination takes any rail of the network that can
//! accept it (its sequence number is 0: no order).
//!
//! ```text
//!   try_send ────────────────> first rail ── packets ──> poll ──> Sink::packet
//!   try_send_eager_bulk ─────> first rail ── with bulk payloads ──> Sink::place, then packet
//!   try_send_bulk ─────────┬─> first rail ── bulk payloads ───────> Sink::place, then packet
//!                          └─> further rail …
//! ```

mod choice;
mod drivers;
mod hosts;
mod lanes;
mod memory;

use crate::limits::REMOTE_PACKET_MAX_BYTES;
use crate::packet::{Sink, Token};
use crate::peer::{Outbound, Peer, Peers};
pub use choice::describe;
pub use drivers::provide;
pub use hosts::ForeignEvent;
use hosts::{BulkSend, Deferred, DeferringHost, HostState, PollingHost, lose_all};
use lanes::Lanes;
pub use memory::{NetworkKey, Registrations, RemoteMemory};
use nemesis_netmod::{
    Costs, Failure, Fault, Finalized, Foreign, Interest, Limits, Module, Pool, Region, Rest, Sent,
};
use nemesis_sys::bell::{Bell, PollInterest};
use nemesis_sys::{share, virtual_process};
use nemesis_wire::{Header, kind};
use nemesis_wireup::WireupError;
use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

/// Most rails of a network.
const RAILS_MAX: usize = 4;
/// Most bulk payloads under way to one process on one rail: one moves, and the next is ready.
const BULK_AT_ONCE: usize = 2;
/// Length of the pieces in which a bulk payload travels if there are several rails. The packet of
/// such a piece costs little beside the piece.
const STRIPE_BYTES: usize = 512 << 10;
/// Number of polls for a process of this node per check of the networks. A check costs a system
/// call, about as much as a message takes.
const LOCAL_POLLS: u32 = 16;
/// Most packets that a process sends without a check of the networks. A process that only sends
/// must receive throttle requests, too.
const UNPOLLED_SENDS: u32 = 64;
/// Bytes of an eager bulk payload that count as one more such packet.
const UNPOLLED_BYTES: usize = 64 << 10;
/// Most bytes of eager bulk payloads that wait to be written to one process. A throttle request
/// cannot stop them, so longer messages are announced.
const EAGER_WAITING_BYTES: usize = 1 << 20;
/// Number of polls after a further rail has brought a bulk payload during which every poll checks
/// it.
const BUSY_POLLS: u32 = 1000;
/// Number of polls per poll of a network that no chosen process uses. Another process may connect
/// by it.
const UNUSED_POLLS: u32 = 256;
/// Number of checks of the connection in a poll that waits for a process of another node.
const REMOTE_CHECKS: u32 = 3;
/// How long the first packet to a process waits with its sender for the connection. The other
/// process may be computing, for an unknown time.
const CONNECT_WAIT: Duration = Duration::from_secs(1);
/// Most cells lent to modules.
const CELLS: usize = 64;
/// Longest time that [`Networks::deliver_all`] waits for processes that do not answer.
const DELIVERY_TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the card that a process has published for a network.
pub type Cards = Box<dyn Fn(u32, &str) -> Result<Option<Vec<u8>>, WireupError> + Send>;

/// A network module and its properties.
struct Rail {
    name: String,
    module: Box<dyn Module>,
    limits: Limits,
    /// Longest payload of a packet.
    packet_max: usize,
    /// Index of the first rail of its network.
    first: usize,
    /// Whether the network has several rails.
    has_siblings: bool,
}

/// A first rail that is not chosen, or not connected yet.
const NONE: u8 = u8::MAX;

/// The network modules of a process.
pub struct Networks {
    rails: Vec<Rail>,
    /// By process: bits of the rails that lead to it. All are set until a rail fails to connect.
    usable: Vec<u8>,
    /// By process: the first rail if packets may take it, else [`NONE`]. They may when it has
    /// connected, or when `CONNECT_WAIT` has passed.
    connected: Vec<u8>,
    /// First rails of the networks among which the process chooses, in order of preference.
    candidates: Vec<usize>,
    /// Networks that the user has named and that this host lacks, and why.
    missing: Vec<(String, String)>,
    /// Longest payload of a packet by any network.
    least_packet_max: usize,
    /// By process: when the wait for the connection of the first rail began.
    connecting_since: HashMap<u32, Instant>,
    state: HostState,
    bell: Option<Bell>,
    polls: u32,
    /// Packets sent since the last check of the networks.
    unpolled_sends: u32,
    /// Whether the last packet was refused, and whether a sleeping thread knows it.
    refused: bool,
    reported: bool,
    /// Remaining polls that check all rails, since a further rail has brought something.
    busy_polls: u32,
    next_bulk: u64,
    /// Number of checks of the network in the last poll.
    checks: u32,
    /// Registered pieces of the program's memory, by address.
    pieces: HashMap<usize, Registrations>,
    /// The rail that connects processes of several jobs, and this process's card for it.
    foreign: Option<(usize, Vec<u8>)>,
    /// The networks of the process's other lanes, if the job has several nodes.
    lanes: Option<Lanes>,
}

impl Networks {
    /// Returns the networks of process `me`, without any module.
    pub fn new(me: u32, processes: u32, cards: Cards, verbose: bool) -> Networks {
        let state = HostState {
            me,
            cards,
            chosen: vec![NONE; processes as usize],
            users: Vec::new(),
            registered: Vec::new(),
            pool: Pool::new(CELLS, u16::MAX.into()),
            bulk_sends: HashMap::new(),
            rma_operations: HashMap::new(),
            deferred: VecDeque::new(),
            pending_controls: Vec::new(),
            foreign_events: Vec::new(),
            verbose,
            warns: false,
            reporter: None,
        };
        Networks {
            rails: Vec::new(),
            usable: vec![u8::MAX; processes as usize],
            connected: vec![NONE; processes as usize],
            candidates: Vec::new(),
            missing: Vec::new(),
            least_packet_max: REMOTE_PACKET_MAX_BYTES,
            connecting_since: HashMap::new(),
            state,
            bell: Bell::new().ok(),
            polls: 0,
            unpolled_sends: 0,
            refused: false,
            reported: false,
            busy_polls: 0,
            next_bulk: 0,
            checks: 1,
            pieces: HashMap::new(),
            foreign: None,
            lanes: None,
        }
    }

    /// Returns this process's card for the network that connects processes of several jobs.
    pub fn card(&self) -> &[u8] {
        self.foreign.as_ref().map_or(&[], |(_, card)| card)
    }

    /// Calls the module of a rail.
    #[inline(always)]
    fn rail(&mut self, rail: usize) -> (&mut dyn Module, DeferringHost<'_>) {
        let Rail { name, module, .. } = &mut self.rails[rail];
        (&mut **module, DeferringHost { rail, name, state: &mut self.state })
    }

    /// Makes a process of another job known to the rail that connects several jobs, which alone
    /// leads to it.
    pub fn meet(&mut self, process: u32, foreign: Foreign) -> Result<(), Failure> {
        let none = || Failure::new(Fault::Unreachable, "this process has no network");
        let rail = self.foreign.as_ref().ok_or_else(none)?.0;
        let index = process as usize;
        if index >= self.connected.len() {
            self.connected.resize(index + 1, NONE);
            self.usable.resize(index + 1, 0);
            self.state.chosen.resize(index + 1, NONE);
        }
        self.connected[index] = NONE;
        self.usable[index] = 1 << rail;
        self.connecting_since.remove(&process);
        self.state.begin_anew(process);
        self.state.choose(process, rail);
        let (module, mut host) = self.rail(rail);
        module.meet(&mut host, process, foreign)
    }

    /// Begins to connect with a process of another job.
    pub fn begin_connecting(&mut self, process: u32) {
        if let Some(&(rail, _)) = self.foreign.as_ref() {
            let (module, mut host) = self.rail(rail);
            // The first packet to the process reports a failure.
            let _ = module.reaches(&mut host, process);
        }
    }

    /// Returns whether nothing connects this process with a dismissed one any more.
    pub fn has_parted(&self, process: u32) -> bool {
        self.foreign.as_ref().is_none_or(|&(rail, _)| self.rails[rail].module.has_parted(process))
    }

    /// Ends the connection with a process of another job.
    pub fn dismiss(&mut self, process: u32) {
        self.state.pending_controls.retain(|(to, ..)| *to != process);
        if let Some(&(rail, _)) = self.foreign.as_ref() {
            let (module, mut host) = self.rail(rail);
            module.dismiss(&mut host, process);
        }
    }

    /// Returns a bulk payload with the id of the registration with the rail's module that covers
    /// it.
    fn with_registration(&self, rail: usize, bulk: Region) -> Region {
        if self.state.registered.is_empty() {
            return bulk;
        }
        let (address, bytes) = (bulk.address().as_ptr().addr(), bulk.len());
        bulk.registered(self.state.registration_of(rail, address, bytes))
    }

    /// Returns the number of the bell by which processes of the node wake this one; 0 if there is
    /// none.
    pub fn bell(&self) -> u64 {
        self.bell.as_ref().map_or(0, Bell::number)
    }

    /// Sends a packet to a process of another node. Returns false if no module accepts it now, or
    /// if the module finds the process lost, of which the next poll tells. A packet to a process
    /// that is known to be lost is dropped.
    pub fn send(&mut self, peers: &mut Peers, to: u32, header: &Header, payload: &[u8]) -> bool {
        let sent = self.try_send(peers, to, header, payload);
        self.note_sent(sent);
        sent
    }

    /// Notes whether a packet was sent or refused.
    fn note_sent(&mut self, sent: bool) {
        if self.refused == sent {
            (self.refused, self.reported) = (!sent, false);
        }
    }

    /// Returns whether a packet was refused without the knowledge of a thread that sleeps. The
    /// caller wakes that thread.
    pub fn must_wake_sleeper(&mut self) -> bool {
        self.refused && !std::mem::replace(&mut self.reported, true)
    }

    fn try_send(&mut self, peers: &mut Peers, to: u32, header: &Header, payload: &[u8]) -> bool {
        if let Outbound::Lost = peers[to as usize].outbound {
            return true;
        }
        if self.unpolled_sends >= UNPOLLED_SENDS {
            return false;
        }
        let Some(rail) = self.connected_rail(to) else { return false };
        let (module, mut host) = self.rail(rail);
        match module.send(&mut host, to, nemesis_netmod::Packet::new(header, payload), 0) {
            Ok(Sent::Full) => false,
            Ok(Sent::Done | Sent::Pending) => {
                self.unpolled_sends += 1;
                true
            }
            // The sender keeps the packet until the next poll tells it of the loss.
            Err(failure) => {
                self.state.deferred.push_back(Deferred::Lost(to, failure));
                false
            }
        }
    }

    /// Returns the length of the longest payload of a packet to a process. The value never
    /// decreases.
    pub fn packet_max(&self, to: u32) -> usize {
        match self.state.chosen[to as usize] {
            NONE => self.least_packet_max,
            rail => self.rails[usize::from(rail)].packet_max,
        }
    }

    /// Returns what packets to a process cost; unknown before a network is chosen.
    pub fn costs_to(&self, to: u32) -> Costs {
        let rail =
            self.state.chosen.get(to as usize).and_then(|&rail| self.rails.get(usize::from(rail)));
        rail.map_or(Costs::UNKNOWN, |rail| rail.module.costs())
    }

    /// Returns the length of the longest payload of a packet to any process; 0 if it depends on the
    /// process's network.
    pub fn common_packet_max(&self) -> usize {
        let mut limits = self
            .rails
            .iter()
            .enumerate()
            .filter(|(index, rail)| rail.first == *index)
            .map(|(_, rail)| rail.packet_max);
        let Some(first) = limits.next() else { return 0 };
        if limits.all(|other| other == first) { first } else { 0 }
    }

    /// Returns the length of the longest payload of a packet that every network carries.
    pub fn least_packet_max(&self) -> usize {
        self.least_packet_max
    }

    /// Returns the length of the longest bulk payload to a process; 0 if there is none, or if no
    /// network is chosen yet. A longer message takes several.
    pub fn bulk_max(&self, to: u32) -> usize {
        let Some(rail) = self.rails.get(usize::from(self.state.chosen[to as usize])) else {
            return 0;
        };
        let limit = usize::try_from(rail.limits.bulk).unwrap_or(usize::MAX);
        if rail.has_siblings { limit.min(STRIPE_BYTES) } else { limit }
    }

    /// Sends a packet with a bulk payload, in no order with other packets, over the rail that has
    /// the fewest under way.
    pub fn send_bulk(
        &mut self,
        to: u32,
        header: &Header,
        payload: &[u8],
        bulk: Region,
        token: Token,
    ) -> Result<Sent, Failure> {
        let Some(rail) = self.choose(to) else { return Ok(Sent::Full) };
        let own = self.next_bulk;
        let bulk = Some(self.with_registration(rail, bulk));
        let packet = nemesis_netmod::Packet { header, payload, bulk, ordered: false };
        let (module, mut host) = self.rail(rail);
        let sent = module.send(&mut host, to, packet, own)?;
        if sent == Sent::Pending {
            self.next_bulk += 1;
            self.state.bulk_sends.insert(own, BulkSend { token, rail, to, eager_bytes: 0 });
        }
        Ok(sent)
    }

    /// Sends a packet with a bulk payload in the order of the packets to its process. Returns
    /// [`Sent::Full`] also if so much waits that the message is better announced.
    pub fn send_eager_bulk(
        &mut self,
        peers: &Peers,
        to: u32,
        header: &Header,
        payload: &[u8],
        bulk: Region,
        token: Token,
    ) -> Sent {
        let sent = self.try_send_eager_bulk(peers, to, header, payload, bulk, token);
        self.note_sent(sent != Sent::Full);
        sent
    }

    fn try_send_eager_bulk(
        &mut self,
        peers: &Peers,
        to: u32,
        header: &Header,
        payload: &[u8],
        bulk: Region,
        token: Token,
    ) -> Sent {
        if let Outbound::Lost = peers[to as usize].outbound {
            return Sent::Done;
        }
        let bytes = bulk.len();
        if self.unpolled_sends >= UNPOLLED_SENDS {
            return Sent::Full;
        }
        let Some(rail) = self.connected_rail(to) else { return Sent::Full };
        if !self.may_queue_eager(rail, to, bytes) {
            return Sent::Full;
        }
        let own = self.next_bulk;
        let bulk = Some(self.with_registration(rail, bulk));
        let packet = nemesis_netmod::Packet { header, payload, bulk, ordered: true };
        let (module, mut host) = self.rail(rail);
        let sent = match module.send(&mut host, to, packet, own) {
            Ok(sent) => sent,
            Err(failure) => {
                // The next poll reports the end of the bulk payload.
                self.state.deferred.push_back(Deferred::Lost(to, failure));
                return Sent::Pending;
            }
        };
        if sent == Sent::Pending {
            self.next_bulk += 1;
            self.state.bulk_sends.insert(own, BulkSend { token, rail, to, eager_bytes: bytes });
        }
        if sent != Sent::Full {
            self.unpolled_sends += 1 + (bytes / UNPOLLED_BYTES) as u32;
        }
        sent
    }

    /// Returns whether an eager bulk payload may join those that wait. If the network has several
    /// rails none may: announced messages use all rails.
    fn may_queue_eager(&self, rail: usize, to: u32, bytes: usize) -> bool {
        if self.state.bulk_sends.is_empty() {
            return true;
        }
        let waiting: usize = self
            .state
            .bulk_sends
            .values()
            .filter(|bulk| bulk.to == to)
            .map(|bulk| bulk.eager_bytes)
            .sum();
        waiting == 0 || !self.rails[rail].has_siblings && waiting + bytes <= EAGER_WAITING_BYTES
    }

    /// Returns the rail of the process's network with the fewest bulk payloads under way to it;
    /// `None` if all have enough.
    fn choose(&mut self, to: u32) -> Option<usize> {
        let first = usize::from(self.state.chosen[to as usize]);
        let mut best: Option<(usize, usize)> = None;
        for rail in first..self.rails.len() {
            if rail > first && (self.rails[rail].first != first || !self.leads_to(rail, to)) {
                continue;
            }
            let busy = self
                .state
                .bulk_sends
                .values()
                .filter(|bulk| bulk.rail == rail && bulk.to == to)
                .count();
            if busy < BULK_AT_ONCE && best.is_none_or(|(_, least)| busy < least) {
                best = Some((rail, busy));
            }
        }
        best.map(|(rail, _)| rail)
    }

    /// Returns the first rail to a process if packets may be sent to it. A module would keep the
    /// first packets until the connection exists. Their sender would regard them as sent and might
    /// leave MPI for hours, and nothing would complete the connection that the receiver waits for.
    #[inline]
    fn connected_rail(&mut self, to: u32) -> Option<usize> {
        match self.connected[to as usize] {
            NONE => self.check_connection(to),
            rail => Some(rail.into()),
        }
    }

    #[cold]
    fn check_connection(&mut self, to: u32) -> Option<usize> {
        if !self.know_cards_of(to) {
            return None;
        }
        let rail = match self.choose_network(to) {
            Ok(rail) => rail,
            Err(failure) => {
                if !self.state.has_failed(to) {
                    self.state.deferred.push_back(Deferred::Lost(to, failure));
                }
                return None;
            }
        };
        let (module, mut host) = self.rail(rail);
        // The next packet that is sent reports a failure.
        let reached = module.reaches(&mut host, to).unwrap_or(true);
        if !reached
            && virtual_process::since(
                *self.connecting_since.entry(to).or_insert_with(virtual_process::now),
            ) < CONNECT_WAIT
        {
            return None;
        }
        self.connecting_since.remove(&to);
        self.connected[to as usize] = rail as u8;
        Some(rail)
    }

    /// Returns whether a further rail leads to a process now. The first call begins to connect.
    fn leads_to(&mut self, rail: usize, to: u32) -> bool {
        if self.usable[to as usize] & 1 << rail == 0 {
            return false;
        }
        let (module, mut host) = self.rail(rail);
        match module.reaches(&mut host, to) {
            Ok(reached) => reached,
            Err(_) => {
                self.usable[to as usize] &= !(1 << rail);
                false
            }
        }
    }

    /// Asks a process of another node to hold back its messages, or to go on.
    pub fn throttle(&mut self, peers: &mut Peers, origin: u32, hold_back: bool) {
        self.send_control(peers, origin, kind::THROTTLE, vec![u64::from(hold_back)]);
    }

    /// Sends a control packet with these words to a process, now or in a later poll.
    pub fn send_control(&mut self, peers: &mut Peers, to: u32, kind: u8, payload: Vec<u64>) {
        // Those to one process arrive in the order in which they were sent.
        let is_behind = self.state.pending_controls.iter().any(|(other, ..)| *other == to);
        if is_behind || !self.try_send_control(peers, to, kind, &payload) {
            self.state.pending_controls.push((to, kind, payload));
        }
    }

    /// Sends a control packet. Returns false if no module accepts it now. A process that has left
    /// or is lost needs none, and nothing else reports that.
    fn try_send_control(&mut self, peers: &mut Peers, to: u32, kind: u8, payload: &[u64]) -> bool {
        let peer = &peers[to as usize];
        if let Outbound::Lost = peer.outbound {
            return true;
        }
        let Some(rail) = self.connected_rail(to) else { return false };
        let payload: Vec<u8> = payload.iter().flat_map(|word| word.to_le_bytes()).collect();
        let size = payload.len() as u16;
        let header = Header { seq: peer.next_seq, kind, size, ..Header::default() };
        let (module, mut host) = self.rail(rail);
        match module.send(&mut host, to, nemesis_netmod::Packet::new(&header, &payload), 0) {
            Ok(Sent::Full) => return false,
            Ok(Sent::Done | Sent::Pending) => peers[to as usize].sent_by_network(),
            Err(_) => {}
        }
        true
    }

    /// Notes that a process has closed its foreign fastbox to this one.
    pub fn note_closed(&mut self, process: u32) {
        self.state.foreign_events.push(ForeignEvent::Closed(process));
    }

    /// Reports a process lost in the next poll, because it has sent an invalid packet.
    pub fn refuse(&mut self, from: u32, header: &Header) {
        self.state.refuse(from, header);
    }

    /// Returns whether something concerns the foreign fastboxes.
    #[inline]
    pub fn has_foreign_events(&self) -> bool {
        !self.state.foreign_events.is_empty()
    }

    /// Takes what concerns the foreign fastboxes.
    pub fn take_foreign_events(&mut self) -> Vec<ForeignEvent> {
        std::mem::take(&mut self.state.foreign_events)
    }

    /// Tells the modules whether one thread may sleep while another polls.
    pub fn share(&mut self, shared: bool) {
        for rail in &mut self.rails {
            rail.module.share(shared);
        }
    }

    /// Returns the number of checks of the network in the last poll.
    #[inline]
    pub fn checks(&self) -> u32 {
        self.checks
    }

    /// Moves the packets that wait and delivers those that have arrived. `expected` is the process
    /// whose packet the caller waits for. Returns the number of packets delivered, plus 1 if
    /// something moved.
    pub fn poll<S: Sink>(&mut self, peers: &mut Peers, expected: Option<u32>, sink: &mut S) -> u32 {
        let is_remote = |peer: &Peer| peer.slot.is_none() && peer.inbox.is_disconnected();
        let remote = expected.filter(|&process| peers.get(process as usize).is_some_and(is_remote));
        self.polls = self.polls.wrapping_add(1);
        self.checks = if remote.is_some() { REMOTE_CHECKS } else { 1 };
        let checks_all =
            self.polls.is_multiple_of(LOCAL_POLLS) || self.unpolled_sends >= UNPOLLED_SENDS;
        if expected.is_some() && remote.is_none() && !checks_all {
            return 0;
        }
        // A sender that was refused for want of a check may send now, and must not fall asleep.
        let mut taken = u32::from(self.unpolled_sends >= UNPOLLED_SENDS);
        self.unpolled_sends = 0;
        if self.have_news_of_lanes() {
            self.handle_news_of_lanes(peers);
            taken = 1;
        }
        if !self.state.pending_controls.is_empty() {
            for (to, kind, payload) in std::mem::take(&mut self.state.pending_controls) {
                self.send_control(peers, to, kind, payload);
            }
        }
        let first = remote.map_or(NONE, |process| self.expected_rail(process));
        for (index, rail) in self.rails.iter_mut().enumerate() {
            let is_further = rail.first != index;
            let waits = match is_further {
                true => self.state.bulk_sends.is_empty() && self.busy_polls == 0 && !checks_all,
                // The processes that wait for each other have chosen another network.
                false if first != NONE && usize::from(first) != index => !checks_all,
                false => false,
            };
            let unused = !is_further && self.state.users[index] == 0;
            if waits || unused && !self.polls.is_multiple_of(UNUSED_POLLS) {
                continue;
            }
            let mut host = PollingHost {
                rail: index,
                name: &rail.name,
                peers,
                state: &mut self.state,
                exchange: self.lanes.as_ref().and_then(Lanes::exchange_of_first),
                sink,
            };
            rail.module.expect(remote);
            let sent = rail.module.poll_send(&mut host);
            let moved = sent
                .and_then(|sent| rail.module.poll_recv(&mut host).map(|packets| (sent, packets)));
            match moved {
                Ok((sent, packets)) => {
                    // A caller that waits for something that moves must not fall asleep.
                    taken += packets + u32::from(sent > 0);
                    if is_further {
                        self.busy_polls = if packets > 0 {
                            BUSY_POLLS
                        } else {
                            self.busy_polls.saturating_sub(1)
                        };
                    }
                }
                Err(failure) => lose_all(rail.first, host.peers, host.state, &failure),
            }
        }
        if !self.state.deferred.is_empty() {
            self.report_deferred(peers, sink);
            // A caller that waits for an end must not fall asleep after it.
            taken = taken.max(1);
        }
        taken
    }

    /// Returns the first rail to a process for which the caller waits; [`NONE`] if no network leads
    /// there.
    #[inline]
    fn expected_rail(&mut self, process: u32) -> u8 {
        match self.state.chosen[process as usize] {
            NONE => self.choose_network(process).map_or(NONE, |rail| rail as u8),
            rail => rail,
        }
    }

    /// Reports the deferred events to the sink.
    fn report_deferred<S: Sink>(&mut self, peers: &mut Peers, sink: &mut S) {
        while let Some(deferred) = self.state.deferred.pop_front() {
            match deferred {
                Deferred::Completed(token, outcome) => sink.completed(token, outcome),
                Deferred::Lost(process, failure) => {
                    let peer = &mut peers[process as usize];
                    if !matches!(peer.outbound, Outbound::Lost) {
                        peer.drain(process, None, sink);
                        self.state.foreign_events.push(ForeignEvent::Lost(process));
                        peer.outbound = Outbound::Lost;
                        // A send to the process takes the slow path.
                        peer.hold_back(true);
                        // All modules, whichever found the loss: none uses memory of an operation
                        // that ends now.
                        for rail in 0..self.rails.len() {
                            let (module, mut host) = self.rail(rail);
                            module.forget(&mut host, failure.clone().about(process));
                        }
                        self.tell_lanes_of_loss(process, &failure);
                        sink.lost(process, &failure);
                    }
                }
            }
        }
    }

    /// Reports a process lost that the launcher has told to be dead.
    #[cold]
    pub fn lose(&mut self, process: u32, failure: Failure) {
        self.state.deferred.push_back(Deferred::Lost(process, failure.about(process)));
    }

    /// Returns what a process may sleep on besides its doorbell, and for how long at most; `None`
    /// if it must keep polling.
    pub fn rest(&mut self) -> Option<(Vec<PollInterest>, Duration)> {
        let (mut interests, mut limit) = self.rest_without_bell()?;
        match &self.bell {
            Some(bell) => {
                bell.silence();
                interests.push(PollInterest::to_read(bell));
            }
            // Processes of the node cannot wake this one.
            None => limit = limit.min(Duration::from_millis(1)),
        }
        Some((interests, limit))
    }

    /// Returns what a thread may sleep on that waits for the networks only. Processes of the node
    /// do not wake it.
    pub fn rest_without_bell(&mut self) -> Option<(Vec<PollInterest>, Duration)> {
        if !self.state.deferred.is_empty() || self.have_news_of_lanes() {
            return None;
        }
        self.reported = self.refused;
        let mut interests: Vec<Interest> = Vec::new();
        let mut limit = Duration::MAX;
        for rail in &mut self.rails {
            match rail.module.rest(&mut interests) {
                Rest::Poll => return None,
                Rest::Sleep(longest) => limit = limit.min(longest),
            }
        }
        let poll_interest = |interest: Interest| PollInterest {
            descriptor: interest.descriptor,
            readable: interest.readable,
            writable: interest.writable,
        };
        Some((interests.into_iter().map(poll_interest).collect(), limit))
    }

    /// Sends everything that waits to other hosts. Returns when all is sent, or after
    /// `DELIVERY_TIMEOUT`.
    pub fn deliver_all<S: Sink>(&mut self, peers: &mut Peers, sink: &mut S) {
        let start = virtual_process::now();
        loop {
            let mut busy = false;
            for index in 0..self.rails.len() {
                let rail = &mut self.rails[index];
                let mut host = PollingHost {
                    rail: index,
                    name: &rail.name,
                    peers,
                    state: &mut self.state,
                    exchange: self.lanes.as_ref().and_then(Lanes::exchange_of_first),
                    sink,
                };
                busy |= !matches!(rail.module.pause(&mut host), Ok(Finalized::Done) | Err(_));
            }
            if !busy || virtual_process::since(start) > DELIVERY_TIMEOUT {
                return;
            }
            if self.poll(peers, None, sink) == 0 {
                share::yield_now();
            }
        }
    }
}

#[cfg(test)]
mod tests;
