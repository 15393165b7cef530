//! Messages and bulk payloads from other processes.

use super::{Bulk, Member, RECEIVES_MAX, SHORT_WINDOW};
use crate::endpoint::NotStarted;
use crate::memory::Buffer;
use crate::message::{Body, Kind, PREFIX_BYTES, Prefix, encode_answer};
use crate::peer::{Incoming, State};
use nemesis_netmod::{Failure, Fault, Host, RegionMut};
use std::time::Instant;

/// Most messages of credits alone that a peer has under way, besides its window.
const CREDIT_MESSAGES: u16 = 4;
/// Packets of one process that one poll delivers.
const DELIVERIES: usize = 64;

impl Member {
    /// Returns the window for a further peer, for which buffers are posted.
    pub(super) fn grant(&mut self) -> Result<u16, String> {
        let window = match self.granted + self.window > self.receives_max / 2 {
            true => SHORT_WINDOW,
            false => self.window,
        } as u16;
        let more = usize::from(window + CREDIT_MESSAGES);
        self.granted += more;
        self.post_granted()?;
        let is_refused = self.granted > self.receives_max && !self.unposted.is_empty();
        if is_refused || self.granted > RECEIVES_MAX {
            self.granted -= more;
            return Err(format!(
                "libfabric's provider {} takes {} receives, too few for the processes of the job; \
                 NEMESIS_NETWORKS=tcp has no such limit",
                self.endpoint.properties().provider,
                self.posted - self.unposted.len()
            ));
        }
        Ok(window)
    }

    /// Returns the buffers of a peer that is gone to those that are free for others.
    pub(super) fn revoke_grant(&mut self, peer: u32) {
        let granted = std::mem::take(&mut self.peers[peer as usize].granted);
        if granted > 0 {
            self.granted -= usize::from(granted + CREDIT_MESSAGES);
        }
    }

    /// Posts as many buffers as are granted.
    pub(super) fn post_granted(&mut self) -> Result<(), String> {
        while self.posted < self.granted {
            let buffer = self.endpoint.buffer()?;
            self.posted += 1;
            self.repost(buffer);
        }
        Ok(())
    }

    /// Posts a buffer for the next message.
    pub(super) fn repost(&mut self, buffer: Buffer) {
        match self.endpoint.post(buffer) {
            Ok(()) => {}
            Err(NotStarted::Again(buffer) | NotStarted::Failed(buffer, _)) => {
                self.unposted.push(buffer);
            }
        }
    }

    /// Posts the buffers that the provider did not take before.
    pub(super) fn post_again(&mut self) {
        for buffer in std::mem::take(&mut self.unposted) {
            self.repost(buffer);
        }
    }

    /// Posts the buffer of a message that has been processed, for which its sender gets a credit.
    fn process(&mut self, from: u32, buffer: Buffer) {
        self.repost(buffer);
        let peer = &mut self.peers[from as usize];
        peer.owed += 1;
        if peer.owes_much() && !self.sending.contains(&from) {
            self.sending.push(from);
        }
    }

    /// Takes a message that the provider has received.
    pub(super) fn take_message(&mut self, host: &mut dyn Host, buffer: Buffer, bytes: usize) {
        let prefix = buffer.bytes().get(..bytes).and_then(Prefix::decode);
        let sender = prefix.and_then(|prefix| {
            let peer = self.peers.get(prefix.sender as usize)?;
            let is_proved = peer.token_in != 0 && peer.token_in == prefix.token;
            (is_proved && !matches!(peer.state, State::Lost(_))).then_some(prefix)
        });
        let Some(prefix) = sender else {
            self.dropped += 1;
            if self.dropped.is_power_of_two() {
                host.note(&format!(
                    "dropped {} messages without the token of a process of the job",
                    self.dropped
                ));
            }
            self.repost(buffer);
            return;
        };
        let from = prefix.sender;
        let peer = &mut self.peers[from as usize];
        match prefix.number.wrapping_sub(peer.number_in) {
            0 => self.accept(host, from, prefix, buffer, bytes),
            distance
                if distance <= u32::from(peer.granted + CREDIT_MESSAGES)
                    && !peer.early.contains_key(&prefix.number) =>
            {
                peer.early.insert(prefix.number, (buffer, bytes));
            }
            _ => {
                self.repost(buffer);
                self.lose_malformed(host, from, "a message has a wrong number");
            }
        }
        while let Some((buffer, bytes)) = self.next_early(from) {
            if let Some(prefix) = Prefix::decode(buffer.bytes()) {
                self.accept(host, from, prefix, buffer, bytes);
            }
        }
    }

    fn next_early(&mut self, from: u32) -> Option<(Buffer, usize)> {
        let peer = &mut self.peers[from as usize];
        peer.early.remove(&peer.number_in)
    }

    /// Takes the next message of a process.
    fn accept(
        &mut self,
        host: &mut dyn Host,
        from: u32,
        prefix: Prefix,
        buffer: Buffer,
        bytes: usize,
    ) {
        let peer = &mut self.peers[from as usize];
        peer.number_in = peer.number_in.wrapping_add(1);
        peer.credits = peer.credits.saturating_add(prefix.credits).min(peer.window);
        if prefix.credits > 0 && peer.wants_to_send() && !self.sending.contains(&from) {
            self.sending.push(from);
        }
        let Some(body) = Body::decode(prefix.kind, &buffer.bytes()[PREFIX_BYTES..bytes]) else {
            self.repost(buffer);
            self.lose_malformed(host, from, "a message is malformed");
            return;
        };
        match (prefix.kind, body) {
            (Kind::Packet | Kind::Announcement | Kind::Goodbye, _) => {
                self.peers[from as usize].arrived.push_back((buffer, bytes));
                self.mark_ready(from);
            }
            (Kind::LooseAnnouncement, _) => {
                self.begin_bulk(host, from, Incoming { message: buffer, bytes, ordered: false });
            }
            (Kind::Credits, _) => self.repost(buffer),
            (Kind::Greeting, _) => {
                self.process(from, buffer);
                self.take_greeting(from);
            }
            (_, Body::Answer(number, tag)) => {
                self.process(from, buffer);
                self.take_answer(host, from, number, tag);
            }
            (_, _) => {
                self.process(from, buffer);
                self.peers[from as usize].acknowledged = true;
            }
        }
    }

    /// Sends a bulk payload that its receiver has asked for, or ends it if it is not wanted.
    fn take_answer(&mut self, host: &mut dyn Host, from: u32, number: u64, tag: Option<u64>) {
        let Some((region, token)) = self.peers[from as usize].announced.remove(&number) else {
            return self.lose_malformed(host, from, "it asks for a bulk payload that there is not");
        };
        match tag {
            Some(tag) => {
                self.peers[from as usize].asked.push_back((region, tag, token));
                self.transmit(from);
            }
            None => {
                drop(region);
                host.completed(token, Ok(()));
            }
        }
    }

    fn mark_ready(&mut self, peer: u32) {
        if !self.ready.contains(&peer) {
            self.ready.push(peer);
        }
    }

    /// Delivers what has arrived. Returns the number of packets.
    pub(super) fn deliver_all(&mut self, host: &mut dyn Host) -> u32 {
        let mut packets = 0;
        for peer in std::mem::take(&mut self.ready) {
            packets += self.deliver(host, peer);
            let Self { peers, ready, .. } = self;
            let state = &peers[peer as usize];
            let more = !state.done.is_empty() || !state.arrived.is_empty() && !state.is_held_up;
            if more && !ready.contains(&peer) {
                ready.push(peer);
            }
        }
        packets
    }

    fn deliver(&mut self, host: &mut dyn Host, from: u32) -> u32 {
        let mut packets = 0;
        for _ in 0..self.peers[from as usize].done.len() {
            packets += u32::from(self.deliver_bulk(host, from));
        }
        for _ in 0..DELIVERIES {
            let peer = &mut self.peers[from as usize];
            if peer.is_held_up {
                break;
            }
            let Some((buffer, bytes)) = peer.arrived.pop_front() else { break };
            let Some((kind, body)) = decode(&buffer, bytes) else { continue };
            match (kind, body) {
                (_, Body::Packet(header, payload, None)) => {
                    if !host.offer(from, &header, payload) {
                        self.peers[from as usize].arrived.push_front((buffer, bytes));
                        break;
                    }
                    self.process(from, buffer);
                    packets += 1;
                }
                (_, Body::Packet(..)) => {
                    peer.is_held_up = true;
                    self.begin_bulk(host, from, Incoming { message: buffer, bytes, ordered: true });
                }
                _ => {
                    self.process(from, buffer);
                    self.take_goodbye(host, from);
                }
            }
        }
        packets
    }

    /// Delivers the packet of a bulk payload that has arrived; false if the host refuses it.
    fn deliver_bulk(&mut self, host: &mut dyn Host, from: u32) -> bool {
        let Some(incoming) = self.peers[from as usize].done.pop_front() else { return false };
        let Some((_, Body::Packet(header, payload, _))) = decode(&incoming.message, incoming.bytes)
        else {
            return false;
        };
        if !host.offer(from, &header, payload) {
            self.peers[from as usize].done.push_back(incoming);
            return false;
        }
        if incoming.ordered {
            self.peers[from as usize].is_held_up = false;
        }
        self.process(from, incoming.message);
        true
    }

    /// Asks the host where a bulk payload belongs, and its sender to send it.
    fn begin_bulk(&mut self, host: &mut dyn Host, from: u32, incoming: Incoming) {
        let Some((_, Body::Packet(header, payload, Some((number, bytes))))) =
            decode(&incoming.message, incoming.bytes)
        else {
            return;
        };
        if bytes > self.limits.bulk {
            self.repost(incoming.message);
            return self.lose_malformed(host, from, "it announces a bulk payload that is too long");
        }
        let Some(region) = host.place(from, &header, payload, bytes as usize) else {
            let peer = &mut self.peers[from as usize];
            peer.urgent.push_back((Kind::Skip, encode_answer(number, None)));
            peer.done.push_back(incoming);
            self.mark_ready(from);
            self.transmit(from);
            return;
        };
        self.ask(host, Delayed { from, incoming, region, number });
    }

    /// Posts the memory for a bulk payload, and asks its sender to send it.
    fn ask(&mut self, host: &mut dyn Host, delayed: Delayed) {
        let Delayed { from, incoming, region, number } = delayed;
        let (label, tag) = (self.unique(), self.tags.next());
        match self.endpoint.receive_tagged(region, tag, label) {
            Ok(()) => {
                self.bulk.insert(label, Bulk::Receive(from, incoming));
                self.bulk_changed = Instant::now();
                let answer = encode_answer(number, Some(tag));
                self.peers[from as usize].urgent.push_back((Kind::Ask, answer));
                self.transmit(from);
            }
            Err(NotStarted::Again(region)) => {
                self.delayed.push(Delayed { from, incoming, region, number });
            }
            Err(NotStarted::Failed(region, why)) => {
                drop(region);
                self.repost(incoming.message);
                let failure = Failure::new(Fault::Resources, format!("receiving from it: {why}"));
                self.lose(host, from, failure.about(from));
            }
        }
    }

    /// Asks for the bulk payloads whose memory the provider did not take before.
    pub(super) fn ask_again(&mut self, host: &mut dyn Host) {
        for delayed in std::mem::take(&mut self.delayed) {
            self.ask(host, delayed);
        }
    }

    /// Accounts for a bulk payload that has ended.
    pub(super) fn end_bulk(
        &mut self,
        host: &mut dyn Host,
        label: u64,
        outcome: Result<usize, String>,
    ) {
        self.bulk_changed = Instant::now();
        match self.bulk.remove(&label) {
            Some(Bulk::Send(to, token)) => {
                self.peers[to as usize].bulk_under_way -= 1;
                let outcome = outcome.map(|_| ()).map_err(|why| {
                    self.suspect(to, why.clone());
                    Failure::new(Fault::Lost, why).about(to)
                });
                host.completed(token, outcome);
            }
            Some(Bulk::Receive(from, incoming)) => match outcome {
                Ok(bytes) if announced_bytes(&incoming) == Some(bytes as u64) => {
                    self.peers[from as usize].done.push_back(incoming);
                    self.mark_ready(from);
                }
                Ok(_) => {
                    self.repost(incoming.message);
                    self.lose_malformed(host, from, "a bulk payload has another length");
                }
                Err(why) => {
                    self.repost(incoming.message);
                    self.suspect(from, why);
                }
            },
            None => {}
        }
    }
}

/// A bulk payload whose memory the provider has not taken yet.
pub(super) struct Delayed {
    pub(super) from: u32,
    pub(super) incoming: Incoming,
    region: RegionMut,
    number: u64,
}

/// Returns the announced length of a bulk payload.
fn announced_bytes(incoming: &Incoming) -> Option<u64> {
    match decode(&incoming.message, incoming.bytes)?.1 {
        Body::Packet(_, _, Some((_, bytes))) => Some(bytes),
        _ => None,
    }
}

/// Decodes a message that has been accepted.
fn decode(buffer: &Buffer, bytes: usize) -> Option<(Kind, Body<'_>)> {
    let kind = Prefix::decode(buffer.bytes())?.kind;
    Some((kind, Body::decode(kind, &buffer.bytes()[PREFIX_BYTES..bytes])?))
}
