//! Messages and bulk payloads to other processes.

use super::{Bulk, Member, QUEUE_MAX};
use crate::endpoint::NotStarted;
use crate::lifeline::LifelineHost;
use crate::message::{Kind, PREFIX_BYTES, Prefix, encode_packet};
use crate::peer::{Peer, Queued, State};
use nemesis_netmod::{Failure, Fault, Host, Packet, Sent, Token};
use nemesis_wire::HEADER_BYTES;
use std::time::Instant;

/// Longest message that is injected from the stack.
const INJECT_MAX_BYTES: usize = 256;

/// What became of an attempt to send.
#[derive(PartialEq, Eq)]
enum Attempt {
    Sent,
    Again,
    Failed,
}

impl Member {
    pub(super) fn send_packet(
        &mut self,
        host: &mut dyn Host,
        to: u32,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, Failure> {
        let bulk_bytes = packet.bulk.as_ref().map_or(0, |bulk| bulk.len() as u64);
        if packet.payload.len() != usize::from(packet.header.size)
            || packet.payload.len() > self.limits.payload
            || bulk_bytes > self.limits.bulk
        {
            let why = "the packet is longer than the libfabric module carries";
            return Err(Member::invalid(why, to));
        }
        if to == self.me || to as usize >= self.peers.len() {
            return Err(Member::invalid("the job has no such process besides this one", to));
        }
        if let State::Unknown = self.peers[to as usize].state {
            self.begin(host, to)?;
        }
        let peer = &self.peers[to as usize];
        if let State::Lost(failure) = &peer.state {
            return Err(failure.clone());
        }
        if peer.heard {
            return Err(Failure::new(Fault::Lost, "it has finalized").about(to));
        }
        if peer.resting {
            self.revoke_rest(host, to);
        }
        if self.peers[to as usize].queue.len() >= QUEUE_MAX {
            return Ok(Sent::Full);
        }
        if bulk_bytes == 0 && self.inject_packet(to, &packet) {
            return Ok(Sent::Done);
        }
        let Ok(mut buffer) = self.endpoint.buffer() else { return Ok(Sent::Full) };
        let mut sent = Sent::Done;
        let (mut kind, mut announced) = (Kind::Packet, None);
        if let Some(bulk) = packet.bulk.filter(|bulk| !bulk.is_empty()) {
            let number = self.unique();
            announced = Some((number, bulk_bytes));
            kind = if packet.ordered { Kind::Announcement } else { Kind::LooseAnnouncement };
            self.peers[to as usize].announced.insert(number, (bulk, token));
            self.bulk_changed = Instant::now();
            sent = Sent::Pending;
        }
        let body = &mut buffer.bytes_mut()[PREFIX_BYTES..];
        let bytes = PREFIX_BYTES + encode_packet(body, packet.header, packet.payload, announced);
        self.peers[to as usize].queue.push_back(Queued { kind, buffer, bytes });
        self.transmit(to);
        Ok(sent)
    }

    /// Sends a short packet at once, without a buffer and a completion. Returns false if that is
    /// not possible.
    fn inject_packet(&mut self, to: u32, packet: &Packet<'_>) -> bool {
        let bytes = PREFIX_BYTES + HEADER_BYTES + packet.payload.len();
        let most = self.inject_max_bytes();
        let peer = &self.peers[to as usize];
        let is_free = peer.may_send()
            && peer.queue.is_empty()
            && peer.urgent.is_empty()
            && peer.credits > peer.reserve()
            && bytes <= most;
        if !is_free {
            return false;
        }
        let mut message = [0; INJECT_MAX_BYTES];
        encode_packet(&mut message[PREFIX_BYTES..], packet.header, packet.payload, None);
        self.inject(to, Kind::Packet, &mut message[..bytes]) == Attempt::Sent
    }

    /// Returns the length of the longest message that is injected. Without order, no later message
    /// would tell that an injected one has left.
    fn inject_max_bytes(&self) -> usize {
        let properties = self.endpoint.properties();
        if properties.ordered { properties.inject_max_bytes.min(INJECT_MAX_BYTES) } else { 0 }
    }

    /// Returns the prefix of the next message.
    fn prefix(&self, to: u32, kind: Kind) -> [u8; PREFIX_BYTES] {
        let peer = &self.peers[to as usize];
        let (token, number, credits) = (peer.token_out, peer.number_out, peer.owed);
        let sender = peer.index_there;
        Prefix { token, sender, number, credits, kind }.encode()
    }

    /// Accounts for a message that the provider has taken.
    fn note_sent(&mut self, to: u32, kind: Kind) {
        let peer = &mut self.peers[to as usize];
        peer.number_out = peer.number_out.wrapping_add(1);
        peer.owed = 0;
        if kind != Kind::Credits {
            peer.credits -= 1;
        }
        // A peer that only connects does not wait for the greeting.
        if !matches!(kind, Kind::Credits | Kind::Greeting) {
            peer.delivery.sent = peer.number_out;
        }
    }

    fn inject(&mut self, to: u32, kind: Kind, message: &mut [u8]) -> Attempt {
        let Some(address) = self.peers[to as usize].address else { return Attempt::Again };
        message[..PREFIX_BYTES].copy_from_slice(&self.prefix(to, kind));
        match self.endpoint.inject(address, message) {
            Ok(()) => {
                self.note_sent(to, kind);
                self.peers[to as usize].injected = !self.reports_early;
                Attempt::Sent
            }
            Err(NotStarted::Again(())) => Attempt::Again,
            Err(NotStarted::Failed((), why)) => {
                self.suspect(to, why);
                Attempt::Failed
            }
        }
    }

    /// Sends a message of the module.
    fn send_own(&mut self, to: u32, kind: Kind, body: &[u8]) -> Attempt {
        let bytes = PREFIX_BYTES + body.len();
        // The process may end when its farewell has left.
        if bytes <= self.inject_max_bytes() && kind != Kind::Farewell {
            let mut message = [0; INJECT_MAX_BYTES];
            message[PREFIX_BYTES..bytes].copy_from_slice(body);
            return self.inject(to, kind, &mut message[..bytes]);
        }
        self.send_own_buffer(to, kind, body)
    }

    /// Sends a message of the module whose end the provider reports.
    fn send_own_buffer(&mut self, to: u32, kind: Kind, body: &[u8]) -> Attempt {
        let bytes = PREFIX_BYTES + body.len();
        let Ok(mut buffer) = self.endpoint.buffer() else { return Attempt::Again };
        buffer.bytes_mut()[PREFIX_BYTES..bytes].copy_from_slice(body);
        match self.send_buffer(to, Queued { kind, buffer, bytes }) {
            Ok(()) => Attempt::Sent,
            Err((queued, attempt)) => {
                self.endpoint.give_back(queued.buffer);
                attempt
            }
        }
    }

    /// Sends a message behind the injected ones to a process, because its end, which the provider
    /// reports, is theirs as well. Does nothing if the process has left.
    pub(super) fn follow_injected(&mut self, host: &mut dyn Host, to: u32) {
        let peer = &self.peers[to as usize];
        let stays = peer.may_send() && !peer.heard && peer.suspect.is_none();
        let again = stays && self.send_own_buffer(to, Kind::Credits, &[]) == Attempt::Again;
        // The provider refuses messages to a process whose end it has noticed.
        let mut lifeline_host = LifelineHost { host, events: &mut self.events };
        let waits = again && matches!(self.lifeline.reaches(&mut lifeline_host, to), Ok(true));
        self.peers[to as usize].injected = waits;
    }

    fn send_buffer(&mut self, to: u32, queued: Queued) -> Result<(), (Queued, Attempt)> {
        let Queued { kind, mut buffer, bytes } = queued;
        let Some(address) = self.peers[to as usize].address else {
            return Err((Queued { kind, buffer, bytes }, Attempt::Again));
        };
        buffer.bytes_mut()[..PREFIX_BYTES].copy_from_slice(&self.prefix(to, kind));
        match self.endpoint.send(address, buffer, bytes, self.label(to)) {
            Ok(()) => {
                self.note_sent(to, kind);
                let peer = &mut self.peers[to as usize];
                (peer.under_way, peer.injected) = (peer.under_way + 1, false);
                self.sends_under_way += 1;
                Ok(())
            }
            Err(NotStarted::Again(buffer)) => Err((Queued { kind, buffer, bytes }, Attempt::Again)),
            Err(NotStarted::Failed(buffer, why)) => {
                self.suspect(to, why);
                Err((Queued { kind, buffer, bytes }, Attempt::Failed))
            }
        }
    }

    /// Sends what waits for all processes. Returns the number of messages sent.
    pub(super) fn transmit_all(&mut self) -> u32 {
        let waiting = std::mem::take(&mut self.sending);
        waiting.into_iter().map(|peer| self.transmit(peer)).sum()
    }

    /// Sends what waits for a process, as far as credits and the provider allow. Returns the number
    /// of messages sent.
    pub(super) fn transmit(&mut self, to: u32) -> u32 {
        let mut sent = 0;
        while self.peers[to as usize].may_send()
            && self.peers[to as usize].suspect.is_none()
            && self.transmit_one(to)
        {
            sent += 1;
        }
        if self.peers[to as usize].wants_to_send() && !self.sending.contains(&to) {
            self.sending.push(to);
        }
        sent
    }

    /// Sends the next thing that waits for a process; false if there is none or it has to wait.
    fn transmit_one(&mut self, to: u32) -> bool {
        if self.send_asked(to) || self.start_access(to) {
            return true;
        }
        let peer = &mut self.peers[to as usize];
        if peer.credits > 0
            && let Some((kind, body)) = peer.urgent.pop_front()
        {
            let sent = self.send_own(to, kind, &body) == Attempt::Sent;
            if !sent {
                self.peers[to as usize].urgent.push_front((kind, body));
            }
            return sent;
        }
        let least = |peer: &Peer, queued: &Queued| match queued.kind {
            Kind::Goodbye => 0,
            _ => peer.reserve(),
        };
        if peer.queue.front().is_some_and(|queued| peer.credits > least(peer, queued))
            && let Some(queued) = peer.queue.pop_front()
        {
            return match self.send_buffer(to, queued) {
                Ok(()) => true,
                Err((queued, _)) => {
                    self.peers[to as usize].queue.push_front(queued);
                    false
                }
            };
        }
        peer.owes_much() && self.send_own(to, Kind::Credits, &[]) == Attempt::Sent
    }

    /// Starts to send a bulk payload that its receiver has asked for.
    fn send_asked(&mut self, to: u32) -> bool {
        let peer = &mut self.peers[to as usize];
        let Some(address) = peer.address else { return false };
        let Some((region, tag, token)) = peer.asked.pop_front() else { return false };
        let label = self.unique();
        match self.endpoint.send_tagged(address, region, tag, label) {
            Ok(()) => {
                self.bulk.insert(label, Bulk::Send(to, token));
                self.bulk_changed = Instant::now();
                self.peers[to as usize].bulk_under_way += 1;
                true
            }
            Err(NotStarted::Again(region)) => {
                self.peers[to as usize].asked.push_front((region, tag, token));
                false
            }
            Err(NotStarted::Failed(region, why)) => {
                self.peers[to as usize].asked.push_front((region, tag, token));
                self.suspect(to, why);
                false
            }
        }
    }

    /// Returns the label of messages to a process.
    pub(super) fn label(&self, to: u32) -> u64 {
        u64::from(self.peers[to as usize].incarnation) << 32 | u64::from(to)
    }

    /// Accounts for a message that the provider has sent, or failed to send.
    pub(super) fn end_send(&mut self, label: u64, failed: Option<String>) {
        let to = label as u32;
        self.sends_under_way -= 1;
        if self.label(to) != label {
            // Another process has its index now.
            return;
        }
        let peer = &mut self.peers[to as usize];
        peer.under_way = peer.under_way.saturating_sub(1);
        if let Some(why) = failed {
            self.suspect(to, why);
        }
    }
}
