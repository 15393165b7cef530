//! How two processes arrive at one connection: connecting, accepting, and crossed connects.
//!
//! The process with the lower index wins (between two jobs, that of the job with the lower number),
//! and only if it matters. A process whose own attempt has
//! not sent its proof yet accepts the peer's connection and gives its own attempt up. If it has
//! sent its proof, the peer may be accepting its candidate at this moment: then the lower process
//! refuses the peer's connection, and the higher one accepts it, so that both keep the connection
//! that the lower one made.

use crate::acceptor::AcceptedConnection;
use crate::address::Card;
use crate::connector::{Attempt, Outcome, differs};
use crate::handshake::{HandshakeReply, Hello, NONCE_BYTES};
use crate::link::Link;
use crate::module::{Member, State};
use crate::pending::{Heard, PENDING_MAX, PendingConnection};
use crate::poller::Source;
use crate::socket;
use crate::stream::Stream;
use nemesis_netmod::{Failure, Fault, Host};
use nemesis_sys::choice::same_network;
use nemesis_sys::interfaces::{Interface, is_link_local};
use rustix::fd::OwnedFd;
use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

impl Member {
    /// Starts to connect to a process whose state is unknown.
    pub fn connector(&mut self, host: &mut dyn Host, to: u32) -> Result<(), Failure> {
        let unreachable = |why: &str| Failure::new(Fault::Unreachable, why).about(to);
        let card = self
            .card_of(host, to)
            .ok_or_else(|| unreachable("it has no card for the TCP network"))?;
        let card = Card::decode(&card).ok_or_else(|| unreachable("its card makes no sense"))?;
        let addresses = self.candidates(&card);
        if addresses.is_empty() {
            let all: Vec<String> = card.addresses.iter().map(IpAddr::to_string).collect();
            return Err(unreachable(&format!(
                "none of its addresses can be called from here: {}",
                all.join(", ")
            )));
        }
        let (index, key) =
            self.foreigners.get(to).map_or((to, self.key), |foreign| (foreign.index, foreign.key));
        let hello = Hello {
            from: self.me,
            to: index,
            job: self.foreigners.own_job(),
            nonce: [0; NONCE_BYTES],
            rail: self.options.rail as u8,
            encrypt: self.options.encrypt,
        };
        let source = self.rail.as_ref().map(|rail| rail.socket_address(0));
        self.peers[to as usize].state =
            State::Connecting(Box::new(Attempt::new(hello, key, addresses, source)));
        self.connecting.push(to);
        self.poll_attempts(host);
        Ok(())
    }

    fn card_of(&self, host: &mut dyn Host, peer: u32) -> Option<Vec<u8>> {
        match self.foreigners.get(peer) {
            Some(foreign) => Some(foreign.card.clone()),
            None => host.card(peer),
        }
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
    pub fn poll_attempts(&mut self, host: &mut dyn Host) {
        let now = Instant::now();
        for peer in self.connecting.clone() {
            let State::Connecting(attempt) = &mut self.peers[peer as usize].state else {
                self.connecting.retain(|&other| other != peer);
                continue;
            };
            let poller = &self.poller;
            // If a socket cannot be watched, the attempt handles it when its time-out ends.
            let watch = |socket: &OwnedFd, number| {
                let _ = poller.add(socket, Source::Candidate(peer, number), true);
            };
            let outcome = attempt.poll(now, watch);
            self.handle_outcome(host, peer, outcome);
        }
    }

    /// Handles an event on a candidate's socket.
    pub fn step_candidate(&mut self, host: &mut dyn Host, peer: u32, number: u16) {
        let Some(State::Connecting(attempt)) =
            self.peers.get_mut(peer as usize).map(|peer| &mut peer.state)
        else {
            return;
        };
        let outcome = attempt.step(number, self.options.send_buffer);
        if let State::Connecting(attempt) = &self.peers[peer as usize].state {
            attempt.watch_for_reading(|socket, number| {
                let _ = self.poller.change(socket, Source::Candidate(peer, number), false);
            });
        }
        self.handle_outcome(host, peer, outcome);
    }

    fn handle_outcome(&mut self, host: &mut dyn Host, peer: u32, outcome: Outcome) {
        match outcome {
            Outcome::Going => {}
            Outcome::Reached(socket) => {
                if self.poller.change(&socket, Source::Link(peer), false).is_ok() {
                    self.join(host, peer, socket);
                } else {
                    let failure =
                        Failure::new(Fault::Resources, "its connection cannot be watched")
                            .about(peer);
                    self.part(host, peer, State::Lost(failure.clone()), failure);
                }
            }
            Outcome::Failed(why) => {
                let failure = Failure::new(Fault::Unreachable, why).about(peer);
                self.part(host, peer, State::Lost(failure.clone()), failure);
            }
        }
    }

    /// Adopts the authenticated connection with a process.
    fn join(&mut self, host: &mut dyn Host, peer: u32, socket: Stream) {
        self.peers[peer as usize].state = State::Linked(Box::new(Link::new(socket)));
        self.connecting.retain(|&other| other != peer);
        self.linked.push(peer);
        if !self.peers[peer as usize].outgoing.is_empty() {
            self.waiting.push(peer);
            self.push(host, peer);
        }
    }

    /// Accepts all new connections.
    pub fn admit(&mut self, host: &mut dyn Host) {
        loop {
            let AcceptedConnection { socket, from, hello } =
                match self.entrance.next(self.options.rail) {
                    Ok(Some(comer)) => comer,
                    Ok(None) => return,
                    Err(errno) => {
                        return host.note(&format!(
                            "no connection can be taken in: {}",
                            crate::connector::words(errno)
                        ));
                    }
                };
            let here = socket::own_address(&socket);
            if self.choice.is_explicit() && !self.own.iter().any(|own| Some(own.address) == here) {
                self.drop_connection(host, from, "it came over a network that is not used");
                continue;
            }
            socket::tune(&socket, self.options.send_buffer);
            let number = self.next_pending;
            self.next_pending = self.next_pending.wrapping_add(1);
            if self.poller.add(&socket, Source::PendingConnection(number), false).is_err() {
                continue;
            }
            if self.pending_connections.len() >= PENDING_MAX + self.peers.len() {
                let (_, oldest) = self.pending_connections.remove(0);
                self.drop_connection(host, oldest.from, "too many wait to prove themselves");
            }
            self.pending_connections.push((number, PendingConnection::new(socket, from, hello)));
            if hello.is_some() {
                self.step_pending(host, number);
            }
        }
    }

    /// Continues the handshake of a pending connection.
    pub fn step_pending(&mut self, host: &mut dyn Host, number: u32) {
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
                self.drop_connection(host, pending.from, why);
            }
            Heard::Proved { peer, encrypt } => {
                let (_, pending) = self.pending_connections.remove(place);
                if encrypt != self.options.encrypt {
                    pending.judge(HandshakeReply::Differs);
                    let failure =
                        Failure::new(Fault::Unreachable, differs(self.options.encrypt)).about(peer);
                    return self.part(host, peer, State::Lost(failure.clone()), failure);
                }
                let reply = self.reply(peer);
                if let Some(socket) = pending.judge(reply)
                    && self.poller.change(&socket, Source::Link(peer), false).is_ok()
                {
                    self.join(host, peer, socket);
                }
            }
        }
    }

    fn reply(&self, peer: u32) -> HandshakeReply {
        match &self.peers[peer as usize].state {
            State::Unknown => HandshakeReply::Welcome,
            State::Connecting(attempt) if attempt.has_answered() && self.precedes(peer) => {
                HandshakeReply::MineWins
            }
            State::Connecting(_) => HandshakeReply::Welcome,
            State::Linked(_) | State::Gone | State::Lost(_) => HandshakeReply::Already,
        }
    }

    fn drop_connection(&mut self, host: &mut dyn Host, from: Option<SocketAddr>, why: &str) {
        self.dropped += 1;
        let from = from.map_or("an unknown address".to_owned(), |from| {
            SocketAddr::new(from.ip().to_canonical(), from.port()).to_string()
        });
        host.note(&format!("a connection from {from} is dropped: {why} ({} so far)", self.dropped));
    }

    /// Drops pending connections whose time limit has passed.
    pub fn poll_pending(&mut self, host: &mut dyn Host, now: Instant) {
        while let Some(place) =
            self.pending_connections.iter().position(|(_, pending)| pending.is_late(now))
        {
            let (_, pending) = self.pending_connections.remove(place);
            self.drop_connection(host, pending.from, "it has not proved itself in time");
        }
    }
}
