//! How two processes come to have one connection: dialling, guests, and who wins when both dial.
//!
//! The one with the lower index wins, and only where it matters: a listener that has proved itself to nobody yet takes whoever comes and gives
//! up its own attempt. If it has, its own candidate may just be taken over there; then the lower one refuses the guest, and the higher
//! one takes it, so both stay with the connection that the lower one dialled.

use crate::acceptor::AcceptedConnection;
use crate::address::Card;
use crate::connector::{Attempt, Outcome, Way, differs};
use crate::handshake::Verdict;
use crate::link::Link;
use crate::module::{Member, State};
use crate::pending::{Heard, PENDING_MAX, PendingConnection};
use crate::poller::Source;
use crate::socket::{self, Stream};
use nemesis_netmod::{Failure, Fault, Host};
use nemesis_sys::choice::same_network;
use nemesis_sys::interfaces::{Interface, is_of_link};
use rustix::fd::OwnedFd;
use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

impl Member {
    /// Begins to dial a process that nothing is known of.
    pub fn connector(&mut self, host: &mut dyn Host, to: u32) -> Result<(), Failure> {
        let unreachable = |why: &str| Failure::new(Fault::Unreachable, why).about(to);
        let card =
            host.card(to).ok_or_else(|| unreachable("it has no card for the TCP network"))?;
        let card = Card::decode(&card).ok_or_else(|| unreachable("its card makes no sense"))?;
        let addresses = self.candidates(&card);
        if addresses.is_empty() {
            let all: Vec<String> = card.addresses.iter().map(IpAddr::to_string).collect();
            return Err(unreachable(&format!(
                "none of its addresses can be called from here: {}",
                all.join(", ")
            )));
        }
        let way = Way { rail: self.options.rail as u8, encrypt: self.options.encrypt };
        let source = self.rail.as_ref().map(|rail| rail.place(0));
        self.peers[to as usize].state =
            State::Dialling(Box::new(Attempt::new(self.me, to, addresses, source, way)));
        self.dialling.push(to);
        self.go_on_dialling(host);
        Ok(())
    }

    /// The addresses to try: those in a network of ours, then those behind a router, then those that we have as well, since another host's bridge of
    /// containers may be called like ours; last those of links. A further rail has but one network.
    fn candidates(&self, card: &Card) -> Vec<SocketAddr> {
        let mut scopes: Vec<u32> =
            self.own.iter().filter(|own| own.is_of_link()).map(|own| own.scope).collect();
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
            (is_of_link(&place.ip()), ours, !self.own.iter().any(|own| near(own, place)))
        });
        places
    }

    /// Lets the clocks of all attempts go on.
    pub fn go_on_dialling(&mut self, host: &mut dyn Host) {
        let now = Instant::now();
        for peer in self.dialling.clone() {
            let State::Dialling(attempt) = &mut self.peers[peer as usize].state else {
                self.dialling.retain(|&other| other != peer);
                continue;
            };
            let poller = &self.poller;
            // A socket that is not watched is looked at when the attempt's patience ends.
            let watch = |socket: &OwnedFd, number| {
                let _ = poller.add(socket, Source::Candidate(peer, number), true);
            };
            let outcome = attempt.poll(now, watch);
            self.settle_attempt(host, peer, outcome);
        }
    }

    /// Something happened on a candidate's socket.
    pub fn step_candidate(&mut self, host: &mut dyn Host, peer: u32, number: u16) {
        let Some(State::Dialling(attempt)) =
            self.peers.get_mut(peer as usize).map(|peer| &mut peer.state)
        else {
            return;
        };
        let outcome = attempt.step(number, &self.key, self.options.send_buffer);
        if let State::Dialling(attempt) = &self.peers[peer as usize].state {
            attempt.watch_for_reading(|socket, number| {
                let _ = self.poller.change(socket, Source::Candidate(peer, number), false);
            });
        }
        self.settle_attempt(host, peer, outcome);
    }

    fn settle_attempt(&mut self, host: &mut dyn Host, peer: u32, outcome: Outcome) {
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

    /// The connection with a process is there.
    fn join(&mut self, host: &mut dyn Host, peer: u32, socket: Stream) {
        self.peers[peer as usize].state = State::Linked(Box::new(Link::new(socket)));
        self.dialling.retain(|&other| other != peer);
        self.linked.push(peer);
        if !self.peers[peer as usize].outgoing.is_empty() {
            self.waiting.push(peer);
            self.push(host, peer);
        }
    }

    /// Takes in whoever has connected.
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
                self.send_away(host, from, "it came over a network that is not used");
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
                self.send_away(host, oldest.from, "too many wait to prove themselves");
            }
            self.pending_connections.push((number, PendingConnection::new(socket, from, hello)));
            if hello.is_some() {
                self.listen_to(host, number);
            }
        }
    }

    /// A guest has something to say.
    pub fn listen_to(&mut self, host: &mut dyn Host, number: u32) {
        let Some(place) = self.pending_connections.iter().position(|(other, _)| *other == number)
        else {
            return;
        };
        match self.pending_connections[place].1.listen(self.me, self.peers.len() as u32, &self.key)
        {
            Heard::Waiting => {}
            Heard::Stranger(why) => {
                let (_, pending) = self.pending_connections.remove(place);
                self.send_away(host, pending.from, why);
            }
            Heard::Proved { peer, encrypt } => {
                let (_, pending) = self.pending_connections.remove(place);
                if encrypt != self.options.encrypt {
                    pending.judge(Verdict::Differs);
                    let failure =
                        Failure::new(Fault::Unreachable, differs(self.options.encrypt)).about(peer);
                    return self.part(host, peer, State::Lost(failure.clone()), failure);
                }
                let verdict = self.verdict(peer);
                if let Some(socket) = pending.judge(verdict)
                    && self.poller.change(&socket, Source::Link(peer), false).is_ok()
                {
                    self.join(host, peer, socket);
                }
            }
        }
    }

    fn verdict(&self, peer: u32) -> Verdict {
        match &self.peers[peer as usize].state {
            State::Unknown => Verdict::Welcome,
            State::Dialling(attempt) if attempt.has_answered() && self.me < peer => {
                Verdict::MineWins
            }
            State::Dialling(_) => Verdict::Welcome,
            State::Linked(_) | State::Gone | State::Lost(_) => Verdict::Already,
        }
    }

    fn send_away(&mut self, host: &mut dyn Host, from: Option<SocketAddr>, why: &str) {
        self.sent_away += 1;
        let from = from.map_or("an unknown address".to_owned(), |from| {
            SocketAddr::new(from.ip().to_canonical(), from.port()).to_string()
        });
        host.note(&format!(
            "a connection from {from} is dropped: {why} ({} so far)",
            self.sent_away
        ));
    }

    /// Sends away those whose time is over.
    pub fn poll_pending(&mut self, host: &mut dyn Host, now: Instant) {
        while let Some(place) =
            self.pending_connections.iter().position(|(_, pending)| pending.is_late(now))
        {
            let (_, pending) = self.pending_connections.remove(place);
            self.send_away(host, pending.from, "it has not proved itself in time");
        }
    }
}
