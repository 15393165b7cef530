//! How two processes arrive at one connection: connecting, accepting, and crossed connects.
//!
//! [`ConnectionSetup`] owns everything up to the moment at which a connection is authenticated on
//! both sides; then it hands the connection to its owner as [`Made`].
//!
//! The process with the lower index wins (between two jobs, that of the job with the lower number),
//! and only if it matters. A process whose own attempt has not sent its proof yet accepts the
//! peer's connection and gives its own attempt up. If it has sent its proof, the peer may be
//! accepting its candidate at this moment: then the lower process refuses the peer's connection,
//! and the higher one accepts it, so that both keep the connection that the lower one made.

use crate::acceptor::{AcceptedConnection, Acceptor, Entrance};
use crate::address::Card;
use crate::connector::{Attempt, Outcome, differs, words};
use crate::descriptors::Room;
use crate::foreigners::Foreigners;
use crate::handshake::{HELLO_BYTES, HandshakeReply, Hello, KEY_BYTES, NONCE_BYTES, no_room};
use crate::link;
use crate::options::Options;
use crate::pending::{Heard, PENDING_MAX, PendingConnection};
use crate::poller::{Poller, Source};
use crate::socket;
use crate::stream::Stream;
use nemesis_netmod::{Failure, Fault, NO_CARD, Setup};
use nemesis_sys::choice::{Ports, same_network};
use nemesis_sys::descriptors;
use nemesis_sys::interfaces::{self, Interface, is_link_local};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use std::io::IoSlice;
use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

/// Outcome of connecting with a process.
pub enum Made {
    /// The connection, authenticated on both sides; the poller reports it as [`Source::Link`].
    Connection(u32, Stream),
    /// The process is unreachable.
    Failed(u32, Failure),
}

/// The connections of a process that are not authenticated yet.
pub struct ConnectionSetup {
    pub me: u32,
    key: [u8; KEY_BYTES],
    /// Number of processes of the job.
    processes: u32,
    pub foreigners: Foreigners,
    pub options: Options,
    /// Number in the hello, by which modules and rails that share a port are told apart.
    channel: u8,
    /// Published addresses of this process.
    own: Vec<Interface>,
    /// The only network of a further rail.
    rail: Option<Interface>,
    pub poller: Poller,
    entrance: Entrance,
    room: Room,
    /// Attempts to connect, by process.
    attempts: Vec<(u32, Attempt)>,
    pending_connections: Vec<(u32, PendingConnection)>,
    next_pending: u32,
    /// Number of connections dropped because they failed to authenticate.
    dropped: u64,
    made: Vec<Made>,
}

/// Returns one address of each network of the host, in order.
pub fn rails(own: &[Interface]) -> Vec<Interface> {
    let mut rails: Vec<Interface> = Vec::new();
    for interface in own.iter().filter(|interface| !interface.loopback) {
        if rails.iter().all(|rail| rail.name != interface.name) {
            rails.push(interface.clone());
        }
    }
    rails
}

/// Explains why the module cannot listen on a port.
fn no_port(ports: &Ports, errno: Errno) -> String {
    match ports.0 {
        Some(_) if errno == Errno::ADDRINUSE => {
            format!("all ports of {ports} are taken on {}", nemesis_sys::host::hostname())
        }
        Some(_) => format!("ports {ports}: {}", words(errno)),
        None => words(errno),
    }
}

/// Tells the other end of a connection that no descriptor is free for it.
fn turn_away(socket: &OwnedFd) {
    // The kernel would discard the message if the hello were unread when the socket is closed.
    socket::read_plain(socket, &mut [0; HELLO_BYTES]);
    // If this fails, the other end sees the connection end and tries again.
    socket::write_plain(socket, &[IoSlice::new(&no_room(descriptors::most()))]);
}

fn refused(what: &str, why: &str) -> Failure {
    Failure::new(Fault::Resources, format!("{what}: {why}"))
}

impl ConnectionSetup {
    /// Starts to accept connections. Returns the card by which other processes connect to this one.
    pub fn open(
        setup: &Setup,
        options: &Options,
        channel: u8,
    ) -> Result<(ConnectionSetup, Card), Failure> {
        let all = interfaces::list()
            .map_err(|error| refused("the addresses of this host", &error.to_string()))?;
        let mut own = options.choice.of(all.clone());
        let mut rail = None;
        if options.rail > 0 {
            rail = rails(&own).get(options.rail).cloned();
            own = rail.iter().cloned().collect();
        }
        if own.is_empty() {
            return Err(Failure::new(Fault::Unreachable, options.choice.why_none(&all)));
        }
        let (entrance, port) = match &options.acceptor {
            Some(acceptor) => {
                (Entrance::Node(Acceptor::join(acceptor, channel), channel), acceptor.port())
            }
            None => {
                let listening = socket::listen(&options.ports);
                let (listener, port) = listening
                    .map_err(|errno| refused("listening", &no_port(&options.ports, errno)))?;
                (Entrance::Own(listener), port)
            }
        };
        let poller = Poller::new().map_err(|errno| refused("epoll", &words(errno)))?;
        if let Some(descriptor) = entrance.descriptor() {
            poller
                .add(descriptor, Source::Listener, false)
                .map_err(|errno| refused("epoll", &words(errno)))?;
        }
        let card = Card {
            port,
            addresses: own.iter().map(|interface| interface.address).collect(),
            encrypts: options.encrypt,
        };
        let this = ConnectionSetup {
            me: setup.me,
            key: setup.job_key,
            processes: setup.processes,
            foreigners: Foreigners::new(&setup.job_key, setup.processes),
            options: options.clone(),
            channel,
            own,
            rail,
            room: Room::new(&poller),
            poller,
            entrance,
            attempts: Vec::new(),
            pending_connections: Vec::new(),
            next_pending: 0,
            dropped: 0,
            made: Vec::new(),
        };
        Ok((this, card))
    }

    /// Starts to connect to a process that has published `card`.
    pub fn connect(&mut self, to: u32, card: Option<&[u8]>) -> Result<(), Failure> {
        let unreachable = |why: &str| Failure::new(Fault::Unreachable, why).about(to);
        let foreign = self.foreigners.get(to);
        let card = foreign
            .map(|foreign| foreign.card.as_slice())
            .or(card)
            .ok_or_else(|| unreachable(NO_CARD))?;
        let card = Card::decode(card).ok_or_else(|| unreachable("its card makes no sense"))?;
        let addresses = self.candidates(&card);
        if addresses.is_empty() {
            let all: Vec<String> = card.addresses.iter().map(IpAddr::to_string).collect();
            return Err(unreachable(&format!(
                "none of its addresses can be called from here: {}",
                all.join(", ")
            )));
        }
        let (index, key) = foreign.map_or((to, self.key), |foreign| (foreign.index, foreign.key));
        let hello = Hello {
            from: self.me,
            to: index,
            job: self.foreigners.own_job(),
            nonce: [0; NONCE_BYTES],
            channel: self.channel,
            encrypt: self.options.encrypt,
        };
        let source = self.rail.as_ref().map(|rail| rail.socket_address(0));
        let is_foreign = foreign.is_some();
        let attempt = Attempt::new(hello, key, addresses, source);
        self.attempts.push((to, if is_foreign { attempt.for_foreigner() } else { attempt }));
        self.poll_attempts();
        Ok(())
    }

    /// Returns the outcomes since the last call. The caller gives each process whose connection it
    /// refuses, or that has failed, up by [`abandon`](Self::abandon).
    pub fn take_made(&mut self) -> Vec<Made> {
        std::mem::take(&mut self.made)
    }

    /// Gives the attempt to connect to a process up.
    pub fn abandon(&mut self, peer: u32) {
        self.attempts.retain(|(other, _)| *other != peer);
    }

    /// Returns the processes to which this one is connecting.
    pub fn connecting(&self) -> impl Iterator<Item = u32> {
        self.attempts.iter().map(|(peer, _)| *peer)
    }

    /// Returns whether no connection is being made.
    pub fn is_idle(&self) -> bool {
        self.attempts.is_empty() && self.pending_connections.is_empty()
    }

    /// Returns when there is work to do even if no socket is ready.
    pub fn due(&self) -> Option<Instant> {
        let attempts = self.attempts.iter().map(|(_, attempt)| attempt.due());
        attempts.chain(self.room.resumes_at()).min()
    }

    /// Returns once what the user has to be told of missing descriptors.
    pub fn take_shortage(&mut self) -> Option<String> {
        self.room.take_shortage()
    }

    /// Returns whether this process precedes `peer` in the order that both derive alike.
    fn precedes(&self, peer: u32) -> bool {
        self.foreigners.get(peer).map_or(self.me < peer, |foreign| foreign.follows)
    }

    /// Returns why the module cannot connect with a process that has published `card`.
    pub fn connects(&self, card: &[u8]) -> Result<(), String> {
        let card = Card::decode(card).ok_or("its card makes no sense")?;
        match self.candidates(&card).is_empty() {
            false => Ok(()),
            true => Err("none of its addresses can be called from here".to_owned()),
        }
    }

    /// Checks the card of a process of another job: both processes encrypt, or neither does.
    pub fn check_foreign(&self, card: &[u8]) -> Result<(), String> {
        let card = Card::decode(card).ok_or("its card makes no sense")?;
        let encrypt = self.options.encrypt;
        if card.encrypts == encrypt { Ok(()) } else { Err(differs(encrypt)) }
    }

    /// Returns the addresses to try, in this order: those in a network of this host, those behind a
    /// router, those that this host has itself (different hosts' container bridges may have equal
    /// addresses), link-local ones. A further rail has only its own network.
    fn candidates(&self, card: &Card) -> Vec<SocketAddr> {
        let mut scopes: Vec<u32> =
            self.own.iter().filter(|own| own.is_link_local()).map(|own| own.scope).collect();
        scopes.dedup();
        let mut places = card.places(&scopes);
        let near = |own: &Interface, place: &SocketAddr| {
            same_network(&place.ip(), &own.address, own.prefix)
        };
        if let Some(rail) = &self.rail {
            places.retain(|place| near(rail, place) && place.ip() != rail.address);
        }
        places.sort_by_key(|place| {
            let ours = self.own.iter().any(|own| own.address == place.ip());
            (is_link_local(&place.ip()), ours, !self.own.iter().any(|own| near(own, place)))
        });
        places
    }

    /// Checks the clocks of all attempts.
    pub fn poll_attempts(&mut self) {
        let now = Instant::now();
        let outcomes: Vec<(u32, Outcome)> = self
            .attempts
            .iter_mut()
            .map(|(peer, attempt)| {
                let (peer, poller) = (*peer, &self.poller);
                // If a socket cannot be watched, the attempt handles it when its time-out ends.
                let watch = |socket: &OwnedFd, number| {
                    let _ = poller.add(socket, Source::Candidate(peer, number), true);
                };
                (peer, attempt.poll(now, watch))
            })
            .collect();
        if let Some(errno) = self.attempts.iter().find_map(|(_, attempt)| attempt.own_shortage()) {
            self.room.note_shortage(errno, self.processes);
        }
        for (peer, outcome) in outcomes {
            self.handle_outcome(peer, outcome);
        }
    }

    /// Gives the candidates up whose hosts no longer answer.
    pub fn drop_silent(&mut self) {
        for (_, attempt) in &mut self.attempts {
            attempt.drop_silent(|socket| link::is_silent(socket));
        }
    }

    /// Handles an event on a candidate's socket.
    pub fn step_candidate(&mut self, peer: u32, number: u16) {
        let Some((_, attempt)) = self.attempts.iter_mut().find(|(other, _)| *other == peer) else {
            return;
        };
        let outcome = attempt.step(number, self.options.send_buffer);
        attempt.watch_for_reading(|socket, number| {
            let _ = self.poller.change(socket, Source::Candidate(peer, number), false);
        });
        self.handle_outcome(peer, outcome);
    }

    fn handle_outcome(&mut self, peer: u32, outcome: Outcome) {
        match outcome {
            Outcome::Going => {}
            Outcome::Reached(socket) => {
                if self.poller.change(&socket, Source::Link(peer), false).is_ok() {
                    self.make(peer, Ok(socket));
                } else {
                    let why = "its connection cannot be watched";
                    self.make(peer, Err(Failure::new(Fault::Resources, why)));
                }
            }
            Outcome::Failed(why) => self.make(peer, Err(Failure::new(Fault::Unreachable, why))),
        }
    }

    /// Reports the connection with a process, or its failure, and ends the attempt to connect.
    fn make(&mut self, peer: u32, made: Result<Stream, Failure>) {
        self.abandon(peer);
        self.made.push(match made {
            Ok(stream) => Made::Connection(peer, stream),
            Err(failure) => Made::Failed(peer, failure.about(peer)),
        });
    }

    /// Accepts the next connection, unless there is none. Turns connections away while no
    /// descriptor is free, and looks for further ones later if not even that is possible.
    fn next_connection(&mut self, note: &mut dyn FnMut(&str)) -> Option<AcceptedConnection> {
        while !self.room.is_paused() {
            self.room.give_up_spare();
            let next = self.entrance.next();
            let spare = self.room.keep_spare(&self.poller);
            match (next, spare) {
                (Ok(None), _) => return None,
                (Ok(Some(connection)), Ok(())) => return Some(connection),
                (Ok(Some(AcceptedConnection { socket, from, .. })), Err(errno)) => {
                    turn_away(&socket);
                    drop(socket);
                    self.drop_connection(note, from, "no descriptor is free");
                    self.room.note_shortage(errno, self.processes);
                }
                (Err(errno), _) => {
                    note(&format!("no connection can be taken in for now: {}", words(errno)));
                    if descriptors::are_exhausted(errno) {
                        self.room.note_shortage(errno, self.processes);
                    }
                    self.pause();
                }
            }
        }
        None
    }

    /// Lets the descriptor that announces connections alone for a while.
    fn pause(&mut self) {
        self.room.pause();
        if let Some(descriptor) = self.entrance.descriptor() {
            // If this fails, connections are announced that `next_connection` does not look for.
            let _ = self.poller.ignore(descriptor, Source::Listener);
        }
    }

    /// Watches the descriptor that announces connections again after a pause.
    fn end_pause(&mut self, now: Instant) {
        if self.room.resumes(now)
            && let Some(descriptor) = self.entrance.descriptor()
            && self.poller.change(descriptor, Source::Listener, false).is_err()
        {
            self.room.pause();
        }
    }

    /// Accepts all new connections. `is_known` tells whether there is or was a connection with a
    /// process.
    pub fn admit(&mut self, note: &mut dyn FnMut(&str), is_known: &dyn Fn(u32) -> bool) {
        while let Some(AcceptedConnection { socket, from, hello }) = self.next_connection(note) {
            let here = socket::own_address(&socket);
            if self.options.choice.is_explicit()
                && !self.own.iter().any(|own| Some(own.address) == here)
            {
                self.drop_connection(note, from, "it came over a network that is not used");
                continue;
            }
            socket::tune(&socket, self.options.send_buffer);
            let number = self.next_pending;
            self.next_pending = self.next_pending.wrapping_add(1);
            if self.poller.add(&socket, Source::PendingConnection(number), false).is_err() {
                continue;
            }
            if self.pending_connections.len() >= PENDING_MAX + self.processes as usize {
                let (_, oldest) = self.pending_connections.remove(0);
                self.drop_connection(note, oldest.from, "too many wait to prove themselves");
            }
            self.pending_connections.push((number, PendingConnection::new(socket, from, hello)));
            if hello.is_some() {
                self.step_pending(note, number, is_known);
            }
        }
    }

    /// Continues the handshake of a pending connection.
    pub fn step_pending(
        &mut self,
        note: &mut dyn FnMut(&str),
        number: u32,
        is_known: &dyn Fn(u32) -> bool,
    ) {
        let Some(place) = self.pending_connections.iter().position(|(other, _)| *other == number)
        else {
            return;
        };
        let (me, key, foreigners) = (self.me, self.key, &self.foreigners);
        match self.pending_connections[place].1.listen(|hello| foreigners.identify(hello, me, &key))
        {
            Heard::Waiting => {}
            Heard::Stranger(why) => {
                let (_, pending) = self.pending_connections.remove(place);
                self.drop_connection(note, pending.from, why);
            }
            Heard::Proved { peer, encrypt } => {
                let (_, pending) = self.pending_connections.remove(place);
                if encrypt != self.options.encrypt {
                    pending.judge(HandshakeReply::Differs);
                    // In a crossed connect, the other connection has told this already.
                    if !is_known(peer) && !self.has_made(peer) {
                        let why = differs(self.options.encrypt);
                        self.make(peer, Err(Failure::new(Fault::Unreachable, why)));
                    }
                    return;
                }
                let reply = self.reply(peer, is_known);
                if let Some(socket) = pending.judge(reply)
                    && self.poller.change(&socket, Source::Link(peer), false).is_ok()
                {
                    self.make(peer, Ok(socket));
                }
            }
        }
    }

    fn reply(&self, peer: u32, is_known: &dyn Fn(u32) -> bool) -> HandshakeReply {
        if is_known(peer) || self.has_made(peer) {
            return HandshakeReply::Already;
        }
        let attempt = self.attempts.iter().find(|(other, _)| *other == peer);
        match attempt {
            Some((_, attempt)) if attempt.has_answered() && self.precedes(peer) => {
                HandshakeReply::MineWins
            }
            _ => HandshakeReply::Welcome,
        }
    }

    /// Returns whether the owner has still to learn about a process.
    fn has_made(&self, peer: u32) -> bool {
        self.made.iter().any(|made| match made {
            Made::Connection(other, _) | Made::Failed(other, _) => *other == peer,
        })
    }

    fn drop_connection(&mut self, note: &mut dyn FnMut(&str), from: Option<SocketAddr>, why: &str) {
        self.dropped += 1;
        let from = from.map_or("an unknown address".to_owned(), |from| {
            SocketAddr::new(from.ip().to_canonical(), from.port()).to_string()
        });
        note(&format!("a connection from {from} is dropped: {why} ({} so far)", self.dropped));
    }

    /// Checks the clocks. Accepts connections that no descriptor announces.
    pub fn tick(
        &mut self,
        note: &mut dyn FnMut(&str),
        now: Instant,
        is_known: &dyn Fn(u32) -> bool,
    ) {
        self.poll_attempts();
        self.end_pause(now);
        if self.entrance.descriptor().is_none() {
            self.admit(note, is_known);
        }
        self.drop_late(note, now);
    }

    /// Drops pending connections whose time limit has passed.
    fn drop_late(&mut self, note: &mut dyn FnMut(&str), now: Instant) {
        while let Some(place) =
            self.pending_connections.iter().position(|(_, pending)| pending.is_late(now))
        {
            let (_, pending) = self.pending_connections.remove(place);
            self.drop_connection(note, pending.from, "it has not proved itself in time");
        }
    }
}
