//! Connecting queue pairs, by control messages over the authenticated TCP connection.
//!
//! ```text
//!   A ── Connect ──> B      A and B: the queue pair exists, INIT
//!   A <── Connect ── B      both know the other's number: RTR, RTS
//!   A ── Ready ────> B
//!   A <── Ready ──── B      the other side receives
//! ```
//!
//! Both directions are symmetric, so two processes that begin at once need no decision. Each pair
//! of processes makes two connections: one for packets and one for remote memory. Packets wait
//! until both exist. If the connection for packets cannot be made, or the link of a port is down,
//! one side refuses, and all packets of the pair travel by TCP.

use crate::address::Address;
use crate::control::{Control, Offer, Purpose};
use crate::device::CONTROL_WINDOW;
use crate::inner::Event;
use crate::member::Member;
use crate::objects::Route;
use crate::peer::{Outgoing, Peer, State, Status};
use nemesis_netmod::{Failure, Fault, Host, NO_CARD, Packet, Sent};
use std::collections::VecDeque;

/// Why a module without an RMA table has no connection for it.
const NO_MEMORY: &str = "remote memory is accessed by packets";

/// Returns 24 random bits, so that packets of an earlier queue pair with the same number are
/// refused.
fn random_psn() -> u32 {
    let mut bytes = [0; 4];
    let _ = rustix::rand::getrandom(&mut bytes[..3], rustix::rand::GetRandomFlags::empty());
    u32::from_le_bytes(bytes)
}

impl Member {
    /// Fails if the process has finalized or is lost.
    pub fn check_open(&self, to: u32) -> Result<(), Failure> {
        match &self.peers[to as usize].status {
            Status::Open => Ok(()),
            Status::Gone => Err(Failure::new(Fault::Lost, "it has finalized").about(to)),
            Status::Lost(failure) => Err(failure.clone()),
        }
    }

    /// Begins to connect with a process, if that has not happened. Fails if it has no card.
    pub fn begin(&mut self, host: &mut dyn Host, to: u32) -> Result<(), Failure> {
        if self.peers[to as usize].is_begun {
            return Ok(());
        }
        if self.peers[to as usize].tcp_only.is_none() {
            let card = host.card(to).unwrap_or_default();
            let Some((address, _)) = Address::decode(&card) else {
                return Err(Failure::new(Fault::Unreachable, NO_CARD).about(to));
            };
            self.peers[to as usize].address = Some(address);
            self.offer(host, to, Purpose::Packets, 1);
            if self.peers[to as usize].tcp_only.is_none() {
                self.offer(host, to, Purpose::Memory, 1);
            }
        }
        self.peers[to as usize].is_begun = true;
        self.needs_tcp = true;
        self.speak(host, to);
        match &self.peers[to as usize].status {
            Status::Lost(failure) => Err(failure.clone()),
            _ => Ok(()),
        }
    }

    /// Makes a queue pair and offers it to the process.
    pub fn offer(&mut self, host: &mut dyn Host, to: u32, purpose: Purpose, attempt: u32) {
        match self.try_offer(to, purpose, attempt) {
            Ok(offer) => self.say(host, to, Control::Connect(purpose, offer)),
            Err(why) => {
                self.stay_on_tcp(host, to, purpose, &why);
                self.say(host, to, Control::Refuse(purpose, why));
            }
        }
    }

    /// Fails if this process's port cannot be connected to another one, whatever their links do.
    pub fn check_route(&self, to: &Address) -> Result<(), String> {
        match &self.device.iwarp {
            Some(_) => self.device.port.check_kind(to),
            None => self.device.port.route(to).map(drop),
        }
    }

    fn try_offer(&mut self, to: u32, purpose: Purpose, attempt: u32) -> Result<Offer, String> {
        let address =
            self.peers[to as usize].address.ok_or("the process has no address of this network")?;
        self.check_route(&address)?;
        if purpose == Purpose::Packets {
            self.check_own_link()?;
        }
        if purpose == Purpose::Packets && self.peers[to as usize].promised == 0 {
            let promised = self.device.window(self.options.tuning.window) + CONTROL_WINDOW;
            self.device.promise(promised)?;
            self.peers[to as usize].promised = promised;
        }
        let window = self.peers[to as usize].promised.saturating_sub(CONTROL_WINDOW);
        let own_psn = random_psn();
        if purpose == Purpose::Memory && !self.has_memory {
            return Err(NO_MEMORY.to_owned());
        }
        if self.peers[to as usize].connection(purpose).pair.is_none() {
            let pair = self.device.pair(to, purpose)?;
            self.next_serial += 1;
            let serial = self.next_serial;
            let connection = self.peers[to as usize].connection(purpose);
            (connection.pair, connection.own_psn) = (Some(pair), own_psn);
            connection.serial = serial;
        }
        let reads = self.device.reads;
        let (nonce, word) = self.begin_link(to, purpose)?;
        let connection = self.peers[to as usize].connection(purpose);
        (connection.state, connection.attempt) = (State::Offered, attempt);
        connection.is_awaited = false;
        let queue_pair = connection.pair.as_ref().map_or(0, |pair| pair.number());
        let psn = connection.own_psn;
        Ok(Offer { attempt, queue_pair, psn, reads, window: window as u8, nonce, word })
    }

    /// Gives a connection up. Packets stay on the TCP connection; operations on remote memory fail.
    pub fn stay_on_tcp(&mut self, host: &mut dyn Host, to: u32, purpose: Purpose, why: &str) {
        match purpose {
            Purpose::Packets => {
                if self.peers[to as usize].tcp_only.is_none() {
                    let what = format!("process {to} is reached by TCP: {why}");
                    self.warn_once(host, &what);
                }
                self.close_connection(to, purpose);
                let peer = &mut self.peers[to as usize];
                peer.tcp_only = Some(why.to_owned());
                let promised = std::mem::take(&mut peer.promised);
                self.device.release(promised);
            }
            Purpose::Memory => {
                if self.peers[to as usize].no_memory.is_none() && !why.contains(NO_MEMORY) {
                    let what = format!("windows of process {to} are reached by messages: {why}");
                    host.note(&what);
                }
                self.peers[to as usize].no_memory = Some(why.to_owned());
            }
        }
        let failure = Failure::new(Fault::Resources, why).about(to);
        self.fail_memory(to, &failure);
        self.use_pair(to);
    }

    /// Tells the user of the first process that is reached by TCP. The log tells of the others.
    fn warn_once(&mut self, host: &mut dyn Host, what: &str) {
        if std::mem::replace(&mut self.has_warned, true) {
            host.note(what);
        } else {
            host.warn(&format!("{what} (NEMESIS_VERBOSE=on also names further processes)"));
        }
    }

    /// Sends a control message, after earlier ones.
    pub fn say(&mut self, host: &mut dyn Host, to: u32, message: Control) {
        self.peers[to as usize].unsaid.push_back(message);
        self.speak(host, to);
    }

    /// Gives control messages to the TCP module as far as it takes them.
    pub fn speak(&mut self, host: &mut dyn Host, to: u32) {
        while let Some(message) = self.peers[to as usize].unsaid.front() {
            let (header, payload) = message.encode();
            let packet = Packet::new(&header, &payload);
            let (sent, _) = self.with_tcp(host, |tcp, inner| tcp.send(inner, to, packet, 0));
            match sent {
                Ok(Sent::Full) => {
                    self.activate(to);
                    return;
                }
                Ok(_) => {
                    self.peers[to as usize].unsaid.pop_front();
                }
                Err(failure) => {
                    // The process is unreachable, and the module has no queue pair with it yet; or
                    // it is lost, which the TCP module reports.
                    let peer = &mut self.peers[to as usize];
                    peer.unsaid.clear();
                    if !peer.is_begun {
                        peer.status = Status::Lost(failure);
                    }
                }
            }
        }
    }

    /// Handles control messages and losses that the TCP module has reported. A loss waits for the
    /// delivery of what has arrived before, and so for a call with `receives`.
    pub fn handle_events(&mut self, host: &mut dyn Host, receives: bool) {
        if self.events.is_empty() {
            return;
        }
        let mut waiting = VecDeque::new();
        while let Some(event) = self.events.pop_front() {
            match event {
                Event::Control(from, bytes) => {
                    let handled = match Control::decode(&bytes) {
                        Some(control) => self.handle_control(host, from, control),
                        None => Err("it sent a malformed control message".to_owned()),
                    };
                    if let Err(why) = handled {
                        self.note_broken(from, Purpose::Packets, Fault::Malformed, why);
                    }
                }
                Event::Lost(process, mut failure) => {
                    if !receives || !self.deliver_last(host, process) {
                        waiting.push_back(Event::Lost(process, failure));
                        continue;
                    }
                    if let Some(why) = self.peers[process as usize].reported_loss.take() {
                        failure.why = format!("its side of the connection has failed: {why}");
                    }
                    let later = Failure { fault: Fault::Lost, ..failure.clone() };
                    self.close(host, process, Status::Lost(later.clone()), &later);
                    host.lost(process, failure);
                }
            }
        }
        self.events.append(&mut waiting);
        self.needs_tcp = self.peers.iter().any(Peer::needs_tcp);
    }

    fn handle_control(
        &mut self,
        host: &mut dyn Host,
        from: u32,
        control: Control,
    ) -> Result<(), String> {
        if from >= self.job_processes {
            return Err("a process of another job connects by TCP only".to_owned());
        }
        match control {
            Control::Connect(purpose, offer) => self.handle_offer(host, from, purpose, offer),
            Control::Ready(purpose, attempt) => {
                let connection = self.peers[from as usize].connection(purpose);
                if connection.attempt == attempt {
                    connection.is_awaited = true;
                    self.finish_connecting(from, purpose);
                }
                Ok(())
            }
            Control::Refuse(purpose, why) => {
                let is_used = self.peers[from as usize].packets.state == State::Ready;
                if purpose == Purpose::Packets && is_used {
                    return Err("it refuses a connection that is made".to_owned());
                }
                self.peers[from as usize].is_begun = true;
                let why = format!("it has no queue pair: {why}");
                self.stay_on_tcp(host, from, purpose, &why);
                Ok(())
            }
            Control::Goodbye => {
                self.note_end(from);
                Ok(())
            }
            Control::Awake => Ok(()),
            Control::Lost(why) => {
                self.peers[from as usize].reported_loss = Some(why);
                Ok(())
            }
        }
    }

    fn handle_offer(
        &mut self,
        host: &mut dyn Host,
        from: u32,
        purpose: Purpose,
        offer: Offer,
    ) -> Result<(), String> {
        let peer = &mut self.peers[from as usize];
        if peer.tcp_only.is_some() || purpose == Purpose::Memory && peer.no_memory.is_some() {
            // The refusal is on its way, or was sent before; or the other side's has crossed.
            return Ok(());
        }
        if peer.address.is_none() {
            let card = host.card(from).unwrap_or_default();
            let (address, _) =
                Address::decode(&card).ok_or("it has no card of the verbs network")?;
            peer.address = Some(address);
        }
        peer.is_begun = true;
        let connection = peer.connection(purpose);
        match connection.state {
            State::Idle if offer.attempt > connection.attempt => {
                self.offer(host, from, purpose, offer.attempt);
            }
            State::Offered if offer.attempt > connection.attempt => {
                self.offer(host, from, purpose, offer.attempt);
            }
            State::Offered if offer.attempt == connection.attempt => {}
            State::Connected | State::Ready
                if offer.attempt > connection.attempt && purpose == Purpose::Memory =>
            {
                let why = "an operation accessed memory that is not registered; the connection \
                           is being made again";
                self.fail_memory(from, &Failure::new(Fault::Invalid, why).about(from));
                self.offer(host, from, purpose, offer.attempt);
            }
            // An offer of an earlier attempt; the other side sees the later one.
            _ if offer.attempt < connection.attempt => return Ok(()),
            _ => return Err("it offers a second connection".to_owned()),
        }
        // Each side offers both connections.
        if purpose == Purpose::Packets
            && self.peers[from as usize].tcp_only.is_none()
            && self.peers[from as usize].memory.state == State::Idle
        {
            self.offer(host, from, Purpose::Memory, 1);
        }
        if self.peers[from as usize].connection(purpose).state != State::Offered {
            return Ok(());
        }
        if self.device.iwarp.is_some() {
            return self.take_offer(host, from, offer);
        }
        if let Err(why) = self.connect(from, purpose, &offer) {
            self.stay_on_tcp(host, from, purpose, &why);
            self.say(host, from, Control::Refuse(purpose, why));
            return Ok(());
        }
        self.say(host, from, Control::Ready(purpose, offer.attempt));
        self.finish_connecting(from, purpose);
        Ok(())
    }

    /// Connects this side's queue pair with the offered one.
    fn connect(&mut self, from: u32, purpose: Purpose, offer: &Offer) -> Result<(), String> {
        let peer = &mut self.peers[from as usize];
        let address = peer.address.ok_or("it has no address")?;
        let (path, mtu) = self.device.port.route(&address)?;
        let route = Route {
            path,
            mtu,
            queue_pair: offer.queue_pair,
            their_psn: offer.psn,
            reads: self.device.reads.min(offer.reads).max(1),
        };
        let connection = peer.connection(purpose);
        let pair = connection.pair.as_ref().ok_or("the queue pair is gone")?;
        pair.connect(&route, connection.own_psn)?;
        connection.state = State::Connected;
        if purpose == Purpose::Packets {
            peer.open_window(offer.window);
        }
        Ok(())
    }

    /// Uses a connection when both sides are connected.
    pub fn finish_connecting(&mut self, from: u32, purpose: Purpose) {
        let connection = self.peers[from as usize].connection(purpose);
        if connection.state != State::Connected || !connection.is_awaited {
            return;
        }
        connection.state = State::Ready;
        self.use_pair(from);
    }

    /// Lets packets leave once the connections are made.
    fn use_pair(&mut self, peer: u32) {
        let state = &mut self.peers[peer as usize];
        state.sends_by_pair |= state.is_connected();
        self.activate(peer);
    }

    /// Gives packets that waited for a connection to the TCP module, if there will be none.
    pub fn send_by_tcp(&mut self, host: &mut dyn Host, to: u32) {
        if self.peers[to as usize].tcp_only.is_none() {
            return;
        }
        while let Some(Outgoing::Packet { header, payload, bulk, is_ordered }) =
            self.peers[to as usize].outbox.pop_front()
        {
            let (region, token) = match &bulk {
                Some((region, token)) => (Some(region.share()), *token),
                None => (None, 0),
            };
            let packet =
                Packet { header: &header, payload: &payload, bulk: region, ordered: is_ordered };
            let (sent, _) = self.with_tcp(host, |tcp, inner| tcp.send(inner, to, packet, token));
            match sent {
                Ok(Sent::Full) => {
                    let waiting = Outgoing::Packet { header, payload, bulk, is_ordered };
                    self.peers[to as usize].outbox.push_front(waiting);
                    return;
                }
                Ok(Sent::Done) if bulk.is_some() => self.done.push_back((token, Ok(()))),
                Ok(_) => {}
                Err(failure) => {
                    if bulk.is_some() {
                        self.done.push_back((token, Err(failure)));
                    }
                }
            }
            self.peers[to as usize].outbox_bytes -= payload.len();
        }
    }
}
