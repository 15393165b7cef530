//! The five functions of the module.

mod foreign;
mod read_policy;

use self::read_policy::Attention;
use crate::connection_setup::{ConnectionSetup, Made, rails};
use crate::frame::{BULK_MAX, Prefix};
use crate::handshake::CHANNELS_OF_LANE;
use crate::incoming::{End, Pull, Pulled, SCRATCH_BYTES};
use crate::link::{Link, is_silent};
use crate::options::Options;
use crate::outgoing::Outgoing;
use crate::poller::Source;
use crate::stream::Stream;
use nemesis_netmod::{
    Driver, Failure, Fault, Finalized, Foreign, Host, Interest, Limits, Module, Packet, PagedTable,
    Rest, Sent, Setup, Started, Token,
};
use nemesis_sys::choice::Choice;
use nemesis_sys::interfaces;
use rustix::fd::{AsFd, AsRawFd};
use rustix::io::Errno;
use std::time::{Duration, Instant};

/// Time between two checks of the clocks.
const TICK: Duration = Duration::from_millis(20);
/// Time between two checks of whether a connection is silent.
const SILENCE_TICK: Duration = Duration::from_secs(1);
/// Connections checked for silence in one tick.
const SILENCE_BURST: usize = 64;
/// Polls of all connections between two checks of the clocks, while the caller waits and polls
/// without a pause.
const POLLS_PER_CLOCK: u32 = 16;

/// The driver of the TCP module.
#[derive(Clone, Debug)]
pub struct Tcp {
    name: String,
    options: Options,
}

impl Tcp {
    /// Makes a driver.
    pub fn new(options: Options) -> Tcp {
        let name =
            if options.rail == 0 { "tcp".to_owned() } else { format!("tcp.{}", options.rail) };
        Tcp { name, options }
    }

    /// Returns the number of rails of this host: its different networks without loopback and
    /// duplicates, at least one.
    pub fn rails(choice: &Choice) -> usize {
        interfaces::list().map_or(1, |all| rails(&choice.of(all)).len().max(1))
    }
}

impl Driver for Tcp {
    fn name(&self) -> &str {
        &self.name
    }

    fn encrypts(&self) -> bool {
        true
    }

    fn connects_jobs(&self) -> bool {
        self.options.rail == 0
    }

    fn describe(&self) -> Result<String, Failure> {
        let all = interfaces::list().map_err(|error| {
            Failure::new(Fault::Resources, format!("the addresses of this host: {error}"))
        })?;
        let own = self.options.choice.of(all.clone());
        if own.is_empty() {
            return Err(Failure::new(Fault::Unreachable, self.options.choice.why_none(&all)));
        }
        let places = own.iter().map(|own| format!("{} {}", own.name, own.address));
        Ok(places.collect::<Vec<_>>().join(", "))
    }

    fn init(&self, setup: Setup, host: &mut dyn Host) -> Result<Started, Failure> {
        let of_lane = self.options.channel.unwrap_or(self.options.rail as u8);
        let channel = setup.lane * CHANNELS_OF_LANE + of_lane;
        let (connections, card) = ConnectionSetup::open(&setup, &self.options, channel)?;
        host.note(&format!("{} listens on port {} of {:?}", self.name, card.port, card.addresses));
        let member = Member {
            me: setup.me,
            payload: self.options.payload,
            piece: self.options.piece,
            setup: connections,
            peers: PagedTable::new(setup.processes as usize),
            linked: Vec::new(),
            waiting: Vec::new(),
            loaded: Vec::new(),
            attention: Attention::default(),
            clock_in: 0,
            scratch: vec![0; SCRATCH_BYTES].into_boxed_slice(),
            next_tick: Instant::now(),
            next_silence: Instant::now(),
            asked: 0,
        };
        Ok(Started { module: Box::new(member), card: card.encode() })
    }
}

/// State of the connection with another process.
#[derive(Default)]
pub enum State {
    /// No packet has been sent to it or received from it.
    #[default]
    Unknown,
    Connecting,
    Linked(Box<Link>),
    /// It has finalized.
    Gone,
    Lost(Failure),
}

impl State {
    /// Returns whether there is or was a connection with the process.
    fn is_known(&self) -> bool {
        matches!(self, State::Linked(_) | State::Gone | State::Lost(_))
    }
}

#[derive(Default)]
pub struct Peer {
    pub state: State,
    pub outgoing: Outgoing,
}

/// The module in one process.
pub struct Member {
    pub me: u32,
    /// Maximum payload of a packet.
    payload: usize,
    /// Maximum bytes of a read and of a write.
    piece: usize,
    pub setup: ConnectionSetup,
    pub peers: PagedTable<Peer>,
    /// Processes with a connection.
    pub linked: Vec<u32>,
    /// Processes with a connection and a non-empty send queue.
    pub waiting: Vec<u32>,
    /// Processes with received packets that the host has refused, or that lie in the cipher's
    /// buffer.
    loaded: Vec<u32>,
    pub attention: Attention,
    /// Polls until the next check of the clocks.
    clock_in: u32,
    scratch: Box<[u8]>,
    next_tick: Instant,
    next_silence: Instant,
    asked: usize,
}

impl Member {
    /// Ends the communication with a process that has left, is lost or was never reached.
    pub fn part(&mut self, host: &mut dyn Host, peer: u32, state: State, failure: Failure) {
        let is_loss = matches!(state, State::Lost(_));
        self.close(host, peer, state, &failure);
        if is_loss {
            host.lost(peer, failure);
        }
    }

    fn close(&mut self, host: &mut dyn Host, peer: u32, state: State, failure: &Failure) {
        let place = &mut self.peers[peer as usize];
        // Drops the connection first, and with it the region of a bulk payload that is being
        // received.
        place.state = state;
        self.attention.part(peer);
        self.setup.abandon(peer);
        for token in place.outgoing.abandon() {
            host.completed(token, Err(failure.clone()));
        }
        for list in [&mut self.linked, &mut self.waiting, &mut self.loaded] {
            list.retain(|&other| other != peer);
        }
    }

    fn end(&mut self, host: &mut dyn Host, peer: u32, end: End) {
        let State::Linked(link) = &self.peers[peer as usize].state else { return };
        // A dismissed process may have ended before its goodbye was sent.
        let orderly = link.may_end() || self.setup.foreigners.leaving.contains(&peer);
        let (fault, why) = match end {
            End::Malformed(why) => (Fault::Malformed, why),
            _ if orderly => {
                let failure = Failure::new(Fault::Lost, "it has finalized").about(peer);
                self.part(host, peer, State::Gone, failure.clone());
                // A process of another job may end at any time, so receives from it must end, too.
                if self.setup.foreigners.is_in_use(peer) {
                    host.lost(peer, failure);
                }
                return;
            }
            End::Closed => (Fault::Lost, "it closed the connection without a goodbye".to_owned()),
            End::Failed(errno) => (Fault::Lost, link.explain(errno)),
        };
        let failure = Failure::new(fault, why).about(peer);
        // The first report distinguishes malformed data from a broken connection. Later sends to
        // the process fail because it is lost.
        let later = Failure { fault: Fault::Lost, ..failure.clone() };
        self.part(host, peer, State::Lost(later), failure);
    }

    /// Receives what a process has sent. Returns the number of packets, at least 1 if a part of a
    /// bulk payload arrived.
    #[inline]
    pub fn pull(&mut self, host: &mut dyn Host, peer: u32) -> u32 {
        let found = self.read(host, peer);
        found.packets.max(u32::from(found.moved))
    }

    /// Receives what a process has sent.
    #[inline]
    fn read(&mut self, host: &mut dyn Host, peer: u32) -> Pulled {
        let limits = self.limits();
        let Some(State::Linked(link)) =
            self.peers.get_mut(peer as usize).map(|peer| &mut peer.state)
        else {
            return Pulled::default();
        };
        let mut pull = Pull { from: peer, limits, host, found: Pulled::default() };
        let pulled = link.incoming.pull(&link.socket, &mut pull, &mut self.scratch, self.piece);
        let found = pull.found;
        link.heard |= found.goodbye;
        link.it_rests = found.rests.unwrap_or(link.it_rests);
        link.acknowledged |= found.farewell;
        if (found.refused || link.socket.holds_more()) && !self.loaded.contains(&peer) {
            self.loaded.push(peer);
        }
        if found.goodbye {
            self.peers[peer as usize].outgoing.say(Prefix::Farewell);
            self.waiting.push(peer);
            self.push(host, peer);
        }
        if let Err(end) = pulled {
            self.end(host, peer, end);
        }
        found
    }

    /// Writes the queue of a process. Returns the number of packets that left, at least 1 if a part
    /// of one did.
    pub fn push(&mut self, host: &mut dyn Host, peer: u32) -> u32 {
        let Peer { state, outgoing } = &mut self.peers[peer as usize];
        let State::Linked(link) = state else { return 0 };
        let mut completed = Vec::new();
        let pushed = outgoing.push(&link.socket, self.piece, &mut completed);
        let empty = outgoing.is_empty();
        if empty && link.watched {
            link.watched =
                self.setup.poller.change(&link.socket, Source::Link(peer), false).is_err();
        }
        for token in completed {
            host.completed(token, Ok(()));
        }
        if empty {
            self.waiting.retain(|&other| other != peer);
        }
        pushed.unwrap_or_else(|errno| {
            // Read what the peer sent before the connection broke: it may be a goodbye.
            let mut found = self.read(host, peer);
            while found.read && !found.refused {
                found = self.read(host, peer);
            }
            // While the host refuses a packet, the connection lives: the next write fails again.
            if !found.refused {
                self.end(host, peer, End::Failed(errno));
            }
            0
        })
    }

    /// Handles all sockets that epoll reports, and checks the clocks.
    pub fn poll_all(&mut self, host: &mut dyn Host) -> u32 {
        let mut packets = self.pull_unwatched(host);
        for source in self.setup.poller.poll() {
            match source {
                Source::Link(peer) => packets += self.pull(host, peer),
                other => self.continue_setup(host, other),
            }
        }
        let waits = self.attention.expected.is_some() && self.setup.is_idle();
        if self.clock_in > 0 && waits {
            self.clock_in -= 1;
            return packets;
        }
        self.clock_in = POLLS_PER_CLOCK;
        let now = Instant::now();
        if now >= self.next_tick {
            self.next_tick = now + TICK;
            self.tick(host, now);
        }
        packets
    }

    /// Continues a connection that is being made.
    fn continue_setup(&mut self, host: &mut dyn Host, source: Source) {
        let peers = &self.peers;
        let is_known = |peer: u32| peers[peer as usize].state.is_known();
        match source {
            Source::Listener => self.setup.admit(&mut |what| host.note(what), &is_known),
            Source::PendingConnection(number) => {
                self.setup.step_pending(&mut |what| host.note(what), number, &is_known)
            }
            Source::Candidate(peer, number) => self.setup.step_candidate(peer, number),
            Source::Link(_) => {}
        }
        self.adopt_made(host);
    }

    /// Starts to connect to a process whose state is unknown.
    fn connect(&mut self, host: &mut dyn Host, to: u32) -> Result<(), Failure> {
        let card = match self.setup.foreigners.get(to) {
            Some(_) => None,
            None => host.card(to),
        };
        self.setup.connect(to, card.as_deref())?;
        self.peers[to as usize].state = State::Connecting;
        self.adopt_made(host);
        Ok(())
    }

    /// Adopts the connections that have been made, and tells what keeps others from being made.
    fn adopt_made(&mut self, host: &mut dyn Host) {
        if let Some(shortage) = self.setup.take_shortage() {
            host.warn_job("descriptors", &shortage);
        }
        for made in self.setup.take_made() {
            match made {
                Made::Connection(peer, stream) => self.adopt(host, peer, stream),
                Made::Failed(peer, failure) => {
                    self.part(host, peer, State::Lost(failure.clone()), failure);
                }
            }
        }
    }

    fn adopt(&mut self, host: &mut dyn Host, peer: u32, stream: Stream) {
        self.peers[peer as usize].state = State::Linked(Box::new(Link::new(stream)));
        self.linked.push(peer);
        if !self.peers[peer as usize].outgoing.is_empty() {
            self.waiting.push(peer);
            self.push(host, peer);
        }
    }

    /// Returns whether received packets are kept that the host refused.
    pub fn has_kept_packets(&self) -> bool {
        !self.loaded.is_empty()
    }

    fn tick(&mut self, host: &mut dyn Host, now: Instant) {
        let peers = &self.peers;
        self.setup
            .tick(&mut |what| host.note(what), now, &|peer| peers[peer as usize].state.is_known());
        self.adopt_made(host);
        self.close_left(host);
        if now < self.next_silence {
            return;
        }
        self.next_silence = now + SILENCE_TICK;
        self.setup.drop_silent();
        for _ in 0..self.linked.len().min(SILENCE_BURST) {
            self.asked = (self.asked + 1) % self.linked.len().max(1);
            let Some(&peer) = self.linked.get(self.asked) else { return };
            if let State::Linked(link) = &self.peers[peer as usize].state
                && is_silent(&link.socket)
            {
                self.end(host, peer, End::Failed(Errno::TIMEDOUT));
            }
        }
    }
}

impl Module for Member {
    fn limits(&self) -> Limits {
        Limits { payload: self.payload, bulk: BULK_MAX }
    }

    fn connects(&mut self, _process: u32, card: &[u8]) -> Result<(), String> {
        self.setup.connects(card)
    }

    fn send(
        &mut self,
        host: &mut dyn Host,
        to: u32,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, Failure> {
        let invalid = |why: &str| Err(Failure::new(Fault::Invalid, why).about(to));
        if packet.payload.len() != usize::from(packet.header.size)
            || packet.payload.len() > self.payload
            || packet.bulk.as_ref().is_some_and(|bulk| bulk.len() as u64 > BULK_MAX)
        {
            return invalid("the packet is longer than TCP carries");
        }
        if to == self.me || to as usize >= self.peers.len() {
            return invalid("the job has no such process besides this one");
        }
        if let State::Unknown = self.peers[to as usize].state {
            self.connect(host, to)?;
        }
        let Peer { state, outgoing } = &mut self.peers[to as usize];
        let socket = match state {
            State::Linked(link) if !link.heard => {
                link.we_rest = false;
                Some(&link.socket)
            }
            State::Linked(_) | State::Gone => {
                return Err(Failure::new(Fault::Lost, "it has finalized").about(to));
            }
            State::Lost(failure) => return Err(failure.clone()),
            State::Connecting | State::Unknown => None,
        };
        let was_empty = outgoing.is_empty();
        let sent = outgoing.send(socket, packet, token, self.piece, &mut self.scratch);
        if socket.is_some() && was_empty && !outgoing.is_empty() {
            self.waiting.push(to);
        }
        Ok(sent)
    }

    fn poll_send(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        let mut packets = 0;
        if !self.waiting.is_empty() {
            for peer in self.waiting.clone() {
                packets += self.push(host, peer);
            }
        }
        Ok(packets)
    }

    fn poll_recv(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        let mut packets = 0;
        if !self.loaded.is_empty() {
            for peer in std::mem::take(&mut self.loaded) {
                packets += self.pull(host, peer);
            }
        }
        Ok(packets + self.poll_connections(host))
    }

    fn finalize(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        self.poll_send(host)?;
        let mut busy = false;
        for peer in self.peers.made() {
            let Peer { state, outgoing } = &mut self.peers[peer as usize];
            match state {
                State::Connecting => busy |= !outgoing.is_empty(),
                State::Linked(link) => {
                    if !link.said {
                        link.said = true;
                        outgoing.say(Prefix::Goodbye);
                        self.waiting.push(peer);
                    }
                    busy |= !link.acknowledged || !outgoing.is_empty();
                    self.push(host, peer);
                }
                State::Unknown | State::Gone | State::Lost(_) => {}
            }
        }
        Ok(if busy { Finalized::Busy } else { Finalized::Done })
    }

    fn pause(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        self.poll_send(host)?;
        let mut busy =
            self.setup.connecting().any(|peer| !self.peers[peer as usize].outgoing.is_empty());
        for peer in self.linked.clone() {
            let Peer { state: State::Linked(link), outgoing } = &mut self.peers[peer as usize]
            else {
                continue;
            };
            if !link.we_rest {
                link.we_rest = true;
                outgoing.say(Prefix::Rest);
                self.waiting.push(peer);
            }
            busy |= !outgoing.is_empty() || !link.is_delivered();
            self.push(host, peer);
        }
        Ok(if busy { Finalized::Busy } else { Finalized::Done })
    }

    fn reaches(&mut self, host: &mut dyn Host, process: u32) -> Result<bool, Failure> {
        match self.peers.get(process as usize).map(|peer| &peer.state) {
            Some(State::Unknown) if process != self.me => {
                self.connect(host, process).map(|()| false)
            }
            Some(State::Linked(link)) => Ok(!link.heard),
            Some(State::Lost(failure)) => Err(failure.clone()),
            Some(_) => Ok(false),
            None => Err(Failure::new(Fault::Invalid, "the job has no such process").about(process)),
        }
    }

    fn forget(&mut self, host: &mut dyn Host, failure: Failure) {
        let Some(peer) =
            failure.process.filter(|&peer| (peer as usize) < self.peers.len() && peer != self.me)
        else {
            return;
        };
        self.close(host, peer, State::Lost(failure.clone()), &failure);
    }

    fn meet(&mut self, host: &mut dyn Host, process: u32, foreign: Foreign) -> Result<(), Failure> {
        self.meet_foreign(host, process, foreign)
    }

    fn has_parted(&self, process: u32) -> bool {
        let peer = self.peers.get(process as usize);
        peer.is_none_or(|peer| matches!(peer.state, State::Unknown | State::Gone | State::Lost(_)))
    }

    fn dismiss(&mut self, host: &mut dyn Host, process: u32) {
        self.dismiss_foreign(host, process);
    }

    fn expect(&mut self, process: Option<u32>) {
        self.set_expected(process);
    }

    fn share(&mut self, shared: bool) {
        self.attention.is_alone = !shared;
        self.watch_all();
    }

    fn rest(&mut self, interests: &mut Vec<Interest>) -> Rest {
        if !self.loaded.is_empty() || !self.may_sleep() {
            return Rest::Poll;
        }
        self.clock_in = 0;
        for &peer in &self.waiting {
            if let State::Linked(link) = &mut self.peers[peer as usize].state
                && !link.watched
            {
                link.watched =
                    self.setup.poller.change(&link.socket, Source::Link(peer), true).is_ok();
            }
        }
        interests.push(Interest {
            descriptor: self.setup.poller.as_fd().as_raw_fd(),
            readable: true,
            writable: false,
        });
        let now = Instant::now();
        let idle = if self.is_parting() { TICK } else { SILENCE_TICK };
        let limit = self
            .setup
            .due()
            .map_or(idle, |due| due.saturating_duration_since(now).clamp(TICK, SILENCE_TICK));
        Rest::Sleep(limit)
    }
}
