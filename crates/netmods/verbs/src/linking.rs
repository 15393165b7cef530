//! Connecting queue pairs of iWARP devices, and their ends.
//!
//! ```text
//!   A ── Connect ────> B      by TCP: each side gives the other one a nonce
//!   A <── Connect ──── B
//!   A == request ====> B      by the connection manager; with B's nonce
//!   A <== answer ===== B      with A's nonce
//!   A -- message ----> B      by the queue pair: from now on B sends, too
//! ```
//!
//! An iWARP connection is one of TCP, which the device speaks. The process with the lower index
//! connects, and must send first (RFC 5044, section 7.1), so the other one sends nothing before a
//! message has arrived. Whoever does not know the nonce gets no queue pair. It went over the
//! authenticated TCP connection.
//!
//! A request of iWARP completes when its message has left, not when it has arrived. Before a
//! process finalizes or pauses, it reads a word of each other process by the queue pair: the answer
//! comes after everything sent before has arrived. The end of a connection is seen at once, maybe
//! before the goodbye of the process or the end of its TCP connection, so a failure counts as a
//! loss only after [`GRACE`].
//!
//! Puts and gets are not offered, because a flush would have to read behind each write, and because
//! the devices have no atomic operations.

use crate::control::{Control, NONCE_BYTES, Offer, Purpose};
use crate::iwarp::Link;
use crate::layout::Sge;
use crate::link_state::POLLS_PER_LINK;
use crate::manager::{Connector, Event};
use crate::manager_layout::event;
use crate::member::Member;
use crate::objects::Request;
use crate::peer::{Posted, State, Status};
use nemesis_netmod::{Fault, Host};
use std::time::{Duration, Instant};

/// Time for which a failed connection waits for the TCP connection to tell why it has ended.
const GRACE: Duration = Duration::from_secs(2);
/// Bytes of a request: index of the process, nonce.
const REQUEST_BYTES: usize = 4 + NONCE_BYTES;
/// Bytes of the word that confirms messages.
const WORD_BYTES: usize = 8;

/// Compares secrets in a time that does not depend on where they differ.
fn are_equal(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len()
        && std::hint::black_box(one.iter().zip(other).fold(0, |sum, (a, b)| sum | (a ^ b))) == 0
}

/// Returns what a request shows.
fn encode_request(me: u32, nonce: &[u8; NONCE_BYTES]) -> [u8; REQUEST_BYTES] {
    let mut bytes = [0; REQUEST_BYTES];
    bytes[..4].copy_from_slice(&me.to_le_bytes());
    bytes[4..].copy_from_slice(nonce);
    bytes
}

/// Returns the words of a failed attempt.
fn failure(event: &Event) -> String {
    let words = match event.kind {
        event::ADDR_ERROR => "its address leads to no device",
        event::ROUTE_ERROR => "there is no route",
        event::UNREACHABLE => "it does not answer",
        event::REJECTED => "it refuses the connection",
        event::DISCONNECTED => "the connection has ended",
        _ => "connecting has failed",
    };
    match event.status {
        0 => words.to_owned(),
        status => format!("{words}: {}", std::io::Error::from_raw_os_error(status.abs())),
    }
}

impl Member {
    /// Prepares an offer: returns the nonce and the word that it names.
    pub fn begin_link(
        &mut self,
        to: u32,
        purpose: Purpose,
    ) -> Result<([u8; NONCE_BYTES], (u64, u32)), String> {
        let mut nonce = [0; NONCE_BYTES];
        let Some(iwarp) = &self.device.iwarp else { return Ok((nonce, (0, 0))) };
        let flags = rustix::rand::GetRandomFlags::empty();
        let filled = rustix::rand::getrandom(&mut nonce[..], flags);
        if filled != Ok(NONCE_BYTES) {
            return Err("the kernel gives no random numbers".to_owned());
        }
        self.peers[to as usize].connection(purpose).link.nonce = nonce;
        Ok((nonce, iwarp.word.place()))
    }

    /// Begins to connect, or answers a request that has come before the offer.
    pub fn take_offer(
        &mut self,
        host: &mut dyn Host,
        from: u32,
        offer: Offer,
    ) -> Result<(), String> {
        let peer = &mut self.peers[from as usize];
        let link = &mut peer.packets.link;
        if link.offer.replace(offer).is_some() {
            return Err("it offers a second connection".to_owned());
        }
        if self.me > from {
            if link.connector.is_some() {
                self.accept(host, from);
            }
            return Ok(());
        }
        let (own, theirs) =
            (self.device.port.address.endpoints, peer.address.unwrap_or(self.device.port.address));
        for theirs in theirs.endpoints.iter() {
            let same_kind = own.iter().filter(|own| own.is_ipv4() == theirs.is_ipv4());
            link.routes.extend(same_kind.map(|own| (own, theirs)));
        }
        self.try_next_route(host, from, "the hosts have no addresses of the same kind".to_owned());
        Ok(())
    }

    /// Tries the next pair of addresses. `why` tells why the last one has failed.
    fn try_next_route(&mut self, host: &mut dyn Host, to: u32, mut why: String) {
        while let Some((own, theirs)) = self.peers[to as usize].packets.link.routes.pop_front() {
            if self.peers[to as usize].packets.link.place.is_some() {
                // A queue pair of a failed attempt is not used again.
                if let Err(reason) = self.renew_pair(to) {
                    why = reason;
                    break;
                }
            }
            let Some(iwarp) = &mut self.device.iwarp else { return };
            let link = &mut self.peers[to as usize].packets.link;
            link.place = Some(theirs);
            match Connector::resolve(&iwarp.manager, own, theirs) {
                Ok(connector) => {
                    iwarp.links.insert(connector.key(), to);
                    link.connector = Some(connector);
                    return;
                }
                Err(reason) => why = format!("connecting to {theirs}: {reason}"),
            }
        }
        self.give_link_up(host, to, why);
    }

    /// Makes a new queue pair and ends the attempt of the old one.
    fn renew_pair(&mut self, to: u32) -> Result<(), String> {
        let pair = self.device.pair(to, Purpose::Packets)?;
        let connection = &mut self.peers[to as usize].packets;
        if let Some(old) = connection.pair.replace(pair) {
            self.device.owners.remove(&old.number());
        }
        let connector = connection.link.connector.take();
        self.forget(connector);
        Ok(())
    }

    /// Ends a connection.
    fn forget(&mut self, connector: Option<Connector>) {
        if let (Some(iwarp), Some(connector)) = (&mut self.device.iwarp, connector) {
            iwarp.links.remove(&connector.key());
            // The next connection may get the same address, by which events are matched.
            iwarp.events.retain(|event| event.key != connector.key());
        }
    }

    /// Ends the connection of a queue pair that is gone.
    pub fn unlink(&mut self, link: Link) {
        self.forget(link.connector);
    }

    /// Lets the packets of a process travel by TCP, and tells it.
    fn give_link_up(&mut self, host: &mut dyn Host, to: u32, why: String) {
        self.stay_on_tcp(host, to, Purpose::Packets, &why);
        self.say(host, to, Control::Refuse(Purpose::Packets, why));
    }

    /// Handles events of the connection manager, and failures whose time has come.
    pub fn settle_iwarp(&mut self, host: &mut dyn Host, receives: bool) {
        let Some(iwarp) = &mut self.device.iwarp else { return };
        if self.needs_tcp || self.polls.is_multiple_of(POLLS_PER_LINK) {
            iwarp.read_events();
        }
        while let Some(event) =
            self.device.iwarp.as_mut().and_then(|iwarp| iwarp.events.pop_front())
        {
            self.handle_event(host, event);
        }
        for (peer, since, why) in std::mem::take(&mut self.suspects) {
            let state = &self.peers[peer as usize];
            if !matches!(state.status, Status::Open) || state.packets.state != State::Failed {
                continue;
            }
            self.needs_tcp = true;
            let is_due = since.elapsed() >= GRACE || self.has_ended(peer);
            if !is_due || !receives || !self.deliver_last(host, peer) {
                self.suspects.push((peer, since, why));
            } else {
                self.note_broken(peer, Purpose::Packets, Fault::Lost, why);
            }
        }
    }

    fn handle_event(&mut self, host: &mut dyn Host, mut event: Event) {
        if let Some(request) = event.request.take() {
            self.take_request(host, request, &event.data);
            return;
        }
        if event.kind == event::DEVICE_REMOVAL {
            let why = format!(
                "the device {} is being removed; try: `dmesg` on {}, which tells the cause",
                self.device.domain.context.name,
                nemesis_sys::host::hostname()
            );
            self.fail_all(&why);
            return;
        }
        let links = self.device.iwarp.as_ref().map(|iwarp| &iwarp.links);
        let Some(&peer) = links.and_then(|links| links.get(&event.key)) else { return };
        let connects = self.me < peer;
        let connection = &self.peers[peer as usize].packets;
        let reads = connection.link.offer.map_or(1, |offer| self.device.reads.min(offer.reads));
        match (event.kind, connection.state) {
            (event::ADDR_RESOLVED, State::Offered) => {
                let connector = connection.link.connector.as_ref();
                if let Some(Err(why)) = connector.map(Connector::resolve_route) {
                    self.try_next_route(host, peer, why);
                }
            }
            (event::ROUTE_RESOLVED, State::Offered) => {
                let link = &connection.link;
                let (Some(connector), Some(pair), Some(offer)) =
                    (&link.connector, &connection.pair, &link.offer)
                else {
                    return;
                };
                let request = encode_request(self.me, &offer.nonce);
                if let Err(why) = connector.connect(pair.number(), reads.max(1), &request) {
                    self.try_next_route(host, peer, why);
                }
            }
            (event::ESTABLISHED, State::Offered) if connects => self.greet(host, peer, &event.data),
            (event::ESTABLISHED, _) => {}
            (
                event::ADDR_ERROR
                | event::ROUTE_ERROR
                | event::CONNECT_ERROR
                | event::UNREACHABLE
                | event::REJECTED
                | event::DISCONNECTED,
                state,
            ) => {
                let place = connection.link.place.map_or(String::new(), |it| format!("{it}: "));
                let why = format!("{place}{}", failure(&event));
                match state {
                    State::Offered if connects => self.try_next_route(host, peer, why),
                    // The other side may have sent already.
                    State::Connected | State::Ready => self.suspect(peer, &failure(&event)),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    /// Uses a connection that this side has asked for.
    fn greet(&mut self, host: &mut dyn Host, to: u32, answer: &[u8]) {
        let peer = &mut self.peers[to as usize];
        let nonce = peer.packets.link.nonce;
        let Some(offer) = peer.packets.link.offer else { return };
        if !answer.get(..NONCE_BYTES).is_some_and(|answer| are_equal(answer, &nonce)) {
            let why = "another program listens at its address and port".to_owned();
            self.try_next_route(host, to, why);
            return;
        }
        peer.open_window(offer.window);
        peer.packets.link.owes_greeting = true;
        (peer.packets.state, peer.packets.is_awaited) = (State::Connected, true);
        self.finish_connecting(to, Purpose::Packets);
    }

    /// Takes the request of a process that shows this side's nonce, and refuses others.
    fn take_request(&mut self, host: &mut dyn Host, request: Connector, data: &[u8]) {
        let shown = data.split_first_chunk::<4>();
        let from = shown.map_or(u32::MAX, |(from, _)| u32::from_le_bytes(*from));
        let is_right = from < self.me.min(self.job_processes)
            && shown.and_then(|(_, rest)| rest.get(..NONCE_BYTES)).is_some_and(|nonce| {
                let packets = &self.peers[from as usize].packets;
                matches!(packets.state, State::Offered | State::Connected)
                    && are_equal(nonce, &packets.link.nonce)
            });
        if !is_right {
            host.note("a request for an iWARP connection that shows no proof is refused");
            return request.reject();
        }
        // The other side may have given an answer up and tried again.
        if self.peers[from as usize].packets.state == State::Connected
            && let Err(why) = self.renew_pair(from)
        {
            request.reject();
            return self.give_link_up(host, from, why);
        }
        let Some(iwarp) = &mut self.device.iwarp else { return };
        iwarp.links.insert(request.key(), from);
        let before = self.peers[from as usize].packets.link.connector.replace(request);
        self.forget(before);
        if self.peers[from as usize].packets.link.offer.is_some() {
            self.accept(host, from);
        }
    }

    /// Accepts a request.
    fn accept(&mut self, host: &mut dyn Host, from: u32) {
        let peer = &mut self.peers[from as usize];
        let connection = &mut peer.packets;
        let (Some(connector), Some(pair), Some(offer)) =
            (&connection.link.connector, &connection.pair, connection.link.offer)
        else {
            return;
        };
        let reads = self.device.reads.min(offer.reads).max(1);
        let accepted = connector.accept(pair.number(), reads, &offer.nonce);
        // Messages may arrive at once.
        connection.state = State::Connected;
        peer.open_window(offer.window);
        if let Err(why) = accepted {
            self.give_link_up(host, from, format!("accepting its connection: {why}"));
        }
    }

    /// Notes that a message has arrived by the queue pair: this side may send, too.
    pub fn hear(&mut self, from: u32) {
        let connection = &mut self.peers[from as usize].packets;
        if connection.state == State::Connected && self.device.iwarp.is_some() {
            connection.is_awaited = true;
            self.finish_connecting(from, Purpose::Packets);
        }
    }

    /// Notes that the queue pair of a process has failed.
    pub fn suspect(&mut self, peer: u32, words: &str) {
        let connection = &mut self.peers[peer as usize].packets;
        if connection.state == State::Failed {
            return;
        }
        connection.state = State::Failed;
        let (device, port) = (&self.device.domain.context.name, self.device.port.number);
        let endpoints = self.peers[peer as usize].address.map(|address| address.endpoints);
        let there = endpoints.and_then(|them| them.iter().next());
        let there = there.map_or("it".to_owned(), |place| place.ip().to_string());
        let why = format!(
            "{device} port {port} has lost its connection to {there} ({words}): the process has \
             ended, or a link between the hosts is down; try: `rdma link` and `ip link` on both \
             hosts, or NEMESIS_NETWORKS=tcp for another network"
        );
        self.suspects.push((peer, Instant::now(), why));
    }

    /// Makes sure that all messages have arrived. Returns whether they have.
    pub fn confirm(&mut self) -> bool {
        if self.device.iwarp.is_none() {
            return true;
        }
        let mut is_confirmed = true;
        for to in self.peers.made() {
            let peer = &mut self.peers[to as usize];
            let connection = &mut peer.packets;
            if !matches!(peer.status, Status::Open)
                || !connection.is_ready()
                || !connection.link.is_unconfirmed
            {
                continue;
            }
            is_confirmed = false;
            let Ok(buffer) = self.device.outbound.take() else { continue };
            connection.link.is_unconfirmed = false;
            let word = connection.next_word();
            let (address, key) = connection.link.offer.map_or((0, 0), |offer| offer.word);
            let part: Sge = self.device.outbound.lend(buffer, WORD_BYTES);
            let pair = connection.pair.as_ref().ok_or_else(|| "it is gone".to_owned());
            let posted =
                pair.and_then(|pair| pair.post(word, Request::Read { address, key }, part));
            self.device.requests += 1;
            connection.note_posted(word, Posted::Confirmation { buffer });
            if let Err(why) = posted {
                self.note_broken(to, Purpose::Packets, Fault::Broken, why);
            }
        }
        is_confirmed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_equal_only_as_a_whole() {
        assert!(are_equal(b"abc", b"abc") && are_equal(b"", b""));
        assert!(!are_equal(b"abc", b"abd") && !are_equal(b"abc", b"xbc"));
        assert!(!are_equal(b"abc", b"abcd") && !are_equal(b"abc", b""));
    }
}
