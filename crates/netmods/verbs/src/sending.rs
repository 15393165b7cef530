//! Messages from this process to others: credits, piggybacking and eager poking.
//!
//! A message needs a credit of its receiver, which stands for a receive in the shared queue there.
//! Each message carries the credits that its sender owes; if none is sent, a control message
//! carries them. Control messages have credits of their own, and their receives are posted again at
//! once, so the end of a bulk payload can always be told. The last of these credits is kept for a
//! message that returns at least half a window of them. Two processes that use their last credits
//! at once thus give each other new ones, and neither waits forever.

use crate::control::Purpose;
use crate::device::CONTROL_WINDOW;
use crate::layout::access;
use crate::member::{ExposedSend, Member};
use crate::objects::Request;
use crate::peer::{Outgoing, Posted, Status};
use crate::prefix::{Bulk, Kind, OVERHEAD_BYTES, PREFIX_BYTES, Prefix};
use crate::registered::{Exposed, Readable};
use crate::ring::{MESSAGE_MAX_BYTES, SLOT_BYTES, SLOTS, Trailer, WORD_BYTES, next_number};
use nemesis_netmod::{Fault, Region, Token};
use nemesis_wire::{HEADER_BYTES, Header};

/// Requests of a queue pair that only control messages use.
const RESERVED_REQUESTS: usize = 8;

impl Member {
    /// Returns whether a message to the process may be posted now.
    fn may_post(&self, to: u32, is_control: bool) -> bool {
        let reserved = if is_control { 0 } else { RESERVED_REQUESTS };
        (is_control || self.peers[to as usize].credits > 0) && self.may_request(to, reserved)
    }

    /// Returns whether the queue pair takes a request and leaves `reserved` others free.
    fn may_request(&self, to: u32, reserved: usize) -> bool {
        let peer = &self.peers[to as usize];
        peer.packets.is_ready()
            && peer.sends_by_pair
            && peer.packets.posted.len() + reserved < self.device.depth()
            && self.device.requests < self.device.requests_max
    }

    /// Posts a message. Returns false if no buffer is free. The caller has checked `may_post`.
    fn post_message(&mut self, to: u32, kind: Kind, is_ordered: bool, parts: &[&[u8]]) -> bool {
        let bytes = PREFIX_BYTES + parts.iter().map(|part| part.len()).sum::<usize>();
        let inline = self.peers[to as usize]
            .packets
            .pair
            .as_ref()
            .is_some_and(|pair| bytes <= pair.inline_bytes.min(INLINE_MAX_BYTES));
        let buffer = if inline {
            None
        } else {
            match self.device.outbound.take() {
                Ok(buffer) => Some(buffer),
                Err(_) => return false,
            }
        };
        let peer = &mut self.peers[to as usize];
        let prefix = Prefix {
            kind,
            is_ordered,
            credits: peer.owed.min(u8::MAX.into()) as u8,
            control: peer.owed_control.min(u8::MAX.into()) as u8,
            slots: peer.owed_slots as u8,
            number: peer.next_out,
        };
        peer.owed_slots = 0;
        peer.packets.link.note_message();
        peer.owed -= u32::from(prefix.credits);
        peer.owed_control -= u32::from(prefix.control);
        if kind.is_control() {
            peer.control_credits -= 1;
        } else {
            peer.credits -= 1;
            peer.next_out = next_number(peer.next_out);
        }
        let word = peer.packets.next_word();
        let Some(pair) = &peer.packets.pair else { return false };
        let fill = |memory: &mut [u8]| {
            memory[..PREFIX_BYTES].copy_from_slice(&prefix.encode());
            let mut at = PREFIX_BYTES;
            for part in parts {
                memory[at..at + part.len()].copy_from_slice(part);
                at += part.len();
            }
        };
        let posted = match buffer {
            None => {
                let mut memory = [0; INLINE_MAX_BYTES];
                fill(&mut memory);
                pair.post_inline(word, Request::Send, &memory[..bytes])
            }
            Some(buffer) => {
                fill(self.device.outbound.bytes_mut(buffer));
                pair.post(word, Request::Send, self.device.outbound.lend(buffer, bytes))
            }
        };
        if let Err(why) = posted {
            self.note_broken(to, Purpose::Packets, Fault::Resources, why);
            self.activate(to);
        }
        self.device.requests += 1;
        self.peers[to as usize].packets.note_posted(word, Posted::Message { buffer });
        true
    }

    /// Posts a packet without a bulk payload. Returns false if it has to wait.
    pub fn post_packet(&mut self, to: u32, header: &Header, payload: &[u8]) -> bool {
        let posted = self.post_on_ring(to, header, payload)
            || self.may_post(to, false)
                && self.post_message(to, Kind::Packet, true, &[&header.encode(), payload]);
        self.sent += u32::from(posted);
        posted
    }

    /// Writes a packet to the receiver's ring. Returns false if it has none, or no free slot, or if
    /// the packet is too long for a slot.
    fn post_on_ring(&mut self, to: u32, header: &Header, payload: &[u8]) -> bool {
        let fits = HEADER_BYTES + payload.len() <= MESSAGE_MAX_BYTES;
        let free = self.peers[to as usize].ring_out.as_ref().map_or(0, |ring| ring.free);
        if !fits || free == 0 || !self.may_request(to, RESERVED_REQUESTS) {
            return false;
        }
        let Ok(buffer) = self.device.outbound.take() else { return false };
        let peer = &mut self.peers[to as usize];
        let word = peer.packets.next_word();
        let (Some(ring), Some(pair)) = (&mut peer.ring_out, &peer.packets.pair) else {
            return false;
        };
        let is_cached = self.options.tuning.header_caching && ring.cache.predicts(header);
        ring.cache.note(header);
        let head = if is_cached { 0 } else { HEADER_BYTES };
        let bytes = head + payload.len();
        let trailer = Trailer {
            number: peer.next_out,
            bytes: bytes as u16,
            is_cached,
            slots: peer.owed_slots as u8,
            credits: peer.owed.min(u8::MAX.into()) as u8,
        };
        peer.owed -= u32::from(trailer.credits);
        peer.owed_slots = 0;
        peer.packets.link.note_message();
        peer.next_out = next_number(peer.next_out);
        let memory = self.device.outbound.bytes_mut(buffer);
        memory[..head].copy_from_slice(&header.encode()[..head]);
        memory[head..bytes].copy_from_slice(payload);
        memory[bytes..bytes + WORD_BYTES].copy_from_slice(&trailer.encode().to_ne_bytes());
        let bytes = bytes + WORD_BYTES;
        let end = ring.address + u64::from(ring.next + 1) * SLOT_BYTES as u64;
        let request = Request::Write { address: end - bytes as u64, key: ring.key };
        ring.next = (ring.next + 1) % SLOTS;
        ring.free -= 1;
        let posted = if bytes <= pair.inline_bytes {
            pair.post_inline(word, request, &self.device.outbound.bytes(buffer)[..bytes])
        } else {
            pair.post(word, request, self.device.outbound.lend(buffer, bytes))
        };
        if let Err(why) = posted {
            self.note_broken(to, Purpose::Packets, Fault::Resources, why);
            self.activate(to);
        }
        self.device.requests += 1;
        let posted = Posted::Message { buffer: Some(buffer) };
        self.peers[to as usize].packets.note_posted(word, posted);
        true
    }

    /// Posts what waits for a process, in order, as far as credits, requests and buffers last.
    pub fn pump(&mut self, to: u32) {
        while let Some(outgoing) = self.peers[to as usize].outbox.pop_front() {
            let needs_credit = !matches!(outgoing, Outgoing::Packet { bulk: None, .. });
            if needs_credit && !self.may_post(to, false) {
                self.peers[to as usize].outbox.push_front(outgoing);
                return;
            }
            let (rest, goes_on) = match outgoing {
                Outgoing::Packet { header, payload, bulk: None, is_ordered } => {
                    if self.post_packet(to, &header, &payload) {
                        self.peers[to as usize].outbox_bytes -= payload.len();
                        continue;
                    }
                    (Outgoing::Packet { header, payload, bulk: None, is_ordered }, false)
                }
                Outgoing::Packet { header, payload, bulk: Some((region, token)), is_ordered } => {
                    match self.post_bulk(to, &header, &payload, region, token, is_ordered) {
                        Ok(pieces) => {
                            let peer = &mut self.peers[to as usize];
                            peer.outbox_bytes -= payload.len();
                            if let Some(pieces) = pieces {
                                peer.outbox.push_front(pieces);
                            }
                            continue;
                        }
                        Err(region) => {
                            let bulk = Some((region, token));
                            (Outgoing::Packet { header, payload, bulk, is_ordered }, false)
                        }
                    }
                }
                Outgoing::Pieces { region, token, offset } => {
                    let room = self.options.message_bytes - PREFIX_BYTES;
                    let piece = &region.bytes()[offset..];
                    let piece = &piece[..piece.len().min(room)];
                    let bytes = piece.len();
                    if !self.post_message(to, Kind::Piece, true, &[piece]) {
                        (Outgoing::Pieces { region, token, offset }, false)
                    } else if offset + bytes == region.len() {
                        self.sent += 1;
                        self.done.push_back((token, Ok(())));
                        continue;
                    } else {
                        (Outgoing::Pieces { region, token, offset: offset + bytes }, true)
                    }
                }
            };
            self.peers[to as usize].outbox.push_front(rest);
            if !goes_on {
                return;
            }
        }
    }

    /// Posts a packet with a bulk payload, which the receiver reads from the sender's memory, or
    /// which follows in pieces: they are returned. Returns the region if the packet has to wait.
    fn post_bulk(
        &mut self,
        to: u32,
        header: &Header,
        payload: &[u8],
        region: Region,
        token: Token,
        is_ordered: bool,
    ) -> Result<Option<Outgoing>, Region> {
        let bytes = region.len() as u64;
        let mut bulk = Bulk { bytes, ..Bulk::default() };
        let mut exposed = None;
        let mut region = Some(region);
        if bytes >= self.options.read_min_bytes as u64
            && let Some(memory) = region.take()
        {
            let address = memory.address().as_ptr().expose_provenance();
            bulk.address = address as u64;
            let window =
                memory.registration().and_then(|id| self.window(id, address, memory.len()));
            if let Some(window) = window {
                bulk.key = window.registration.remote_key();
                exposed = Some(Readable::OfWindow { region: memory, _window: window });
            } else {
                match Exposed::new(&self.device.domain, memory, access::REMOTE_READ) {
                    Ok(memory) => {
                        bulk.key = memory.registration.remote_key();
                        exposed = Some(Readable::Own(memory));
                    }
                    // The limit of locked memory is reached: copy.
                    Err((memory, _)) => {
                        bulk.address = 0;
                        region = Some(memory);
                    }
                }
            }
        }
        let kind = if exposed.is_some() { Kind::Read } else { Kind::Copy };
        if let Some(memory) = exposed {
            bulk.id = self.exposed.insert(ExposedSend { to, token, memory });
        }
        let parts: [&[u8]; 3] = [&header.encode(), &bulk.encode(), payload];
        if !self.post_message(to, kind, is_ordered, &parts) {
            return match region {
                Some(region) => Err(region),
                None => {
                    let send = self.exposed.remove(bulk.id).expect("it was just inserted");
                    Err(send.memory.into_region())
                }
            };
        }
        self.sent += 1;
        Ok(region.map(|region| Outgoing::Pieces { region, token, offset: 0 }))
    }

    /// Tells a process about bulk payloads that were read, and about credits that no packet
    /// carries.
    pub fn tell(&mut self, to: u32) {
        while matches!(self.peers[to as usize].status, Status::Open) && self.may_post(to, true) {
            let most = (self.options.message_bytes - OVERHEAD_BYTES) / 4;
            let half = self.options.tuning.window / 2;
            let peer = &mut self.peers[to as usize];
            let returns_many = peer.owed_control >= CONTROL_WINDOW / 2;
            if peer.control_credits <= u32::from(!returns_many) {
                return;
            }
            let (kind, ids): (Kind, Vec<u8>) = if !peer.finished.is_empty() {
                let count = peer.finished.len().min(most);
                let ids = peer.finished.drain(..count);
                (Kind::Finished, ids.flat_map(u32::to_le_bytes).collect())
            } else if let Some(notice) = peer.notices.pop_front() {
                notice
            } else if returns_many
                || peer.owed >= half
                || peer.owed_slots >= SLOTS / 2
                || peer.packets.link.owes_greeting
            {
                (Kind::Credit, Vec::new())
            } else {
                return;
            };
            if !self.post_message(to, kind, true, &[&ids]) {
                let peer = &mut self.peers[to as usize];
                if !matches!(kind, Kind::Credit | Kind::Finished) {
                    peer.notices.push_front((kind, ids));
                    self.activate(to);
                    return;
                }
                for id in ids.as_chunks().0.iter().rev() {
                    peer.finished.push_front(u32::from_le_bytes(*id));
                }
                self.activate(to);
                return;
            }
        }
    }

    /// Looks for completions and credits if few are left, and delivers nothing: a program that only
    /// sends gets them back, too ("eager poking" of the paper).
    pub fn poke(&mut self, to: u32) {
        let peer = &self.peers[to as usize];
        let is_low =
            peer.credits <= peer.window / 2 || peer.packets.posted.len() >= self.device.depth() / 2;
        if is_low && self.options.tuning.eager_poking {
            self.absorb();
            self.pump(to);
            self.tell(to);
        }
    }
}

/// Most bytes of a message that its request carries itself.
const INLINE_MAX_BYTES: usize = 256;
