//! Messages from other processes.
//!
//! `absorb` takes completions: it needs no host, so `send` may call it. It handles credits and
//! control messages at once and leaves packets in their receive buffers. `advance` delivers the
//! packets of a process in order. While the host refuses a packet, its receive is not posted again,
//! so its sender runs out of credits.

use crate::control::Purpose;
use crate::device::BURST;
use crate::layout::Wc;
use crate::member::Member;
use crate::peer::{Arrival, Posted, Receiving, Stage, Status};
use crate::prefix::{Bulk, Kind, PREFIX_BYTES, Prefix, packet};
use crate::ring::{SLOTS, next_number};
use crate::work::{Memory, Transfer};
use nemesis_netmod::{Fault, Host};

impl Member {
    /// Takes all completions.
    pub fn absorb(&mut self) {
        // Nothing that handles a completion polls the queues.
        let mut completions = std::mem::take(&mut self.completions);
        let (receives, requests) = completions.split_at_mut(BURST);
        while self.absorb_burst(receives, requests) {}
        self.completions = completions;
    }

    /// Takes as many completions as the lists hold. Returns whether there may be more.
    fn absorb_burst(&mut self, receives: &mut [Wc], requests: &mut [Wc]) -> bool {
        let (received, requested) =
            match (self.device.poll_receives(receives), self.device.poll_requests(requests)) {
                (Ok(received), Ok(requested)) => (received, requested),
                (Err(why), _) | (_, Err(why)) => {
                    self.fail_all(&why);
                    return false;
                }
            };
        // Requests first: a receive may answer one of them.
        for completion in &requests[..requested] {
            self.complete(completion);
        }
        for completion in &receives[..received] {
            self.receive(completion);
        }
        for index in 0..self.rings.len() {
            self.poll_ring(self.rings[index]);
        }
        self.found += (received + requested) as u32;
        received == receives.len() || requested == requests.len()
    }

    /// Fails all connections, because the device has failed.
    pub fn fail_all(&mut self, why: &str) {
        for peer in self.peers.made() {
            if self.peers[peer as usize].packets.pair.is_some() {
                self.note_broken(peer, Purpose::Packets, Fault::Lost, why.to_owned());
            }
        }
    }

    /// Handles the end of a request.
    fn complete(&mut self, completion: &Wc) {
        let Some(&(peer, purpose)) = self.device.owners.get(&completion.qp_num) else { return };
        let connection = self.peers[peer as usize].connection(purpose);
        let Some(posted) = connection.take_posted(completion.wr_id) else { return };
        self.device.requests -= 1;
        let has_failed = completion.status != 0;
        if has_failed {
            let words = self.device.domain.context.library.words(completion.status);
            if self.device.iwarp.is_some() && purpose == Purpose::Packets {
                self.suspect(peer, &words);
            } else {
                let why = self.explain(peer, completion.status, purpose, &words);
                let fault = crate::work::fault(completion.status);
                self.note_broken(peer, purpose, fault, why);
            }
        }
        match posted {
            Posted::Message { buffer } => {
                if let Some(buffer) = buffer {
                    self.device.outbound.give_back(buffer);
                }
            }
            Posted::Part { transfer, buffer, offset, bytes } => {
                self.complete_part(transfer, buffer, offset, bytes, has_failed);
            }
            Posted::Atomic { operation } if !has_failed => self.complete_atomic(operation),
            Posted::Atomic { .. } => {}
            Posted::Confirmation { buffer } => self.device.outbound.give_back(buffer),
        }
        self.activate(peer);
    }

    /// Takes a message.
    fn receive(&mut self, completion: &Wc) {
        let buffer = completion.wr_id as u32;
        self.device.inbound.take_back(buffer);
        let owner = self.device.owners.get(&completion.qp_num).copied();
        let Some((peer, _)) = owner.filter(|_| completion.status == 0) else {
            return self.repost(buffer);
        };
        let bytes = (completion.byte_len as usize).min(self.device.inbound.buffer_bytes());
        if let Err(why) = self.take_message(peer, buffer, bytes) {
            self.note_broken(peer, Purpose::Packets, Fault::Malformed, why.to_owned());
            self.repost(buffer);
        }
        self.activate(peer);
    }

    fn take_message(&mut self, from: u32, buffer: u32, bytes: usize) -> Result<(), &'static str> {
        // Earlier messages on the ring have arrived, because the device keeps the order. They come
        // first, because a control message may open or close a ring.
        self.poll_ring(from);
        self.hear(from);
        let message = &self.device.inbound.bytes(buffer)[..bytes];
        let prefix = Prefix::decode(message).ok_or("it sent a malformed message")?;
        self.take_credits(from, prefix.credits, prefix.control, prefix.slots)?;
        if !prefix.kind.is_control() {
            let peer = &mut self.peers[from as usize];
            if prefix.number != peer.next_in {
                return Err("a message is missing");
            }
            peer.next_in = next_number(peer.next_in);
            let Prefix { kind, is_ordered, .. } = prefix;
            peer.inbox.push_back(Arrival { buffer, is_on_ring: false, bytes, kind, is_ordered });
            self.count_packet(from);
            return Ok(());
        }
        self.peers[from as usize].owed_control += 1;
        let message = &self.device.inbound.bytes(buffer)[..bytes];
        if matches!(prefix.kind, Kind::RingOpen | Kind::RingClose | Kind::RingClosed) {
            let content = message[PREFIX_BYTES..].to_vec();
            self.handle_ring(from, prefix.kind, &content)?;
        } else if prefix.kind == Kind::Finished {
            let ids: Vec<u32> = message[PREFIX_BYTES..]
                .as_chunks()
                .0
                .iter()
                .map(|id| u32::from_le_bytes(*id))
                .collect();
            for id in ids {
                if self.exposed.get(id).is_none_or(|send| send.to != from) {
                    return Err("it has read a bulk payload that was not sent");
                }
                if let Some(send) = self.exposed.remove(id) {
                    self.done.push_back((send.token, Ok(())));
                }
            }
        }
        self.repost(buffer);
        Ok(())
    }

    /// Adds the credits that a message brings.
    pub fn take_credits(
        &mut self,
        from: u32,
        credits: u8,
        control: u8,
        slots: u8,
    ) -> Result<(), &'static str> {
        let peer = &mut self.peers[from as usize];
        peer.credits += u32::from(credits);
        peer.control_credits += u32::from(control);
        let mut free = 0;
        if let Some(ring) = &mut peer.ring_out {
            ring.free += u32::from(slots);
            free = ring.free;
        }
        let is_right = peer.credits <= peer.window
            && peer.control_credits <= crate::device::CONTROL_WINDOW
            && free <= SLOTS;
        if is_right { Ok(()) } else { Err("it granted more credits than it owes") }
    }

    /// Posts a receive again.
    pub fn repost(&mut self, buffer: u32) {
        if let Err(why) = self.device.repost(buffer) {
            self.fail_all(&why);
        }
    }

    /// Ends the use of a packet's receive. The receive is a credit of its sender again.
    fn free(&mut self, from: u32, buffer: u32) {
        self.repost(buffer);
        self.peers[from as usize].owed += 1;
    }

    /// Delivers what has arrived from a process, in order, until the host refuses a packet or a
    /// bulk payload has to arrive. Returns the number of packets, at least 1 if a piece arrived.
    pub fn advance(&mut self, host: &mut dyn Host, from: u32) -> u32 {
        let (mut packets, mut moved) = (self.deliver_unordered(host, from), false);
        loop {
            let peer = &mut self.peers[from as usize];
            match peer.receiving.take() {
                Some(Receiving { arrival, stage: Stage::Whole }) => {
                    if !self.offer_whole(host, from, &arrival) {
                        let stage = Stage::Whole;
                        self.peers[from as usize].receiving = Some(Receiving { arrival, stage });
                        break;
                    }
                    packets += 1;
                }
                Some(Receiving { arrival, stage: Stage::Pieces { region, have, bytes } }) => {
                    let Some(piece) = peer.inbox.pop_front() else {
                        let stage = Stage::Pieces { region, have, bytes };
                        peer.receiving = Some(Receiving { arrival, stage });
                        break;
                    };
                    moved = true;
                    if piece.is_on_ring {
                        self.give_up(from);
                        break;
                    }
                    let message = &self.device.inbound.bytes(piece.buffer)[..piece.bytes];
                    let part = &message[PREFIX_BYTES..];
                    if piece.kind != Kind::Piece || part.is_empty() || part.len() > bytes - have {
                        self.refuse(from, piece.buffer);
                        self.peers[from as usize].inbox.push_front(arrival);
                        break;
                    }
                    let mut region = region;
                    if let Some(region) = &mut region {
                        region.write(have, part);
                    }
                    let have = have + part.len();
                    let stage = if have < bytes {
                        Stage::Pieces { region, have, bytes }
                    } else {
                        Stage::Whole
                    };
                    peer.receiving = Some(Receiving { arrival, stage });
                    self.free(from, piece.buffer);
                }
                Some(receiving) => {
                    peer.receiving = Some(receiving);
                    break;
                }
                None => match self.next_packet(host, from) {
                    Some(true) => packets += 1,
                    Some(false) => {}
                    None => break,
                },
            }
        }
        packets.max(u32::from(moved))
    }

    /// Delivers what has arrived from a process that is lost: all packets but those whose bulk
    /// payloads cannot arrive any more, and the packets behind them. Returns false if the host has
    /// refused one, so that the caller tries again.
    pub fn deliver_last(&mut self, host: &mut dyn Host, from: u32) -> bool {
        if !matches!(self.peers[from as usize].status, Status::Open) {
            return true;
        }
        self.absorb();
        self.found += self.advance(host, from);
        let peer = &self.peers[from as usize];
        let is_refused = peer.receiving.iter().chain(&peer.unordered).any(Receiving::is_whole);
        !is_refused && (peer.receiving.is_some() || peer.inbox.is_empty())
    }

    /// Offers a packet whose bulk payload has arrived. Returns false if the host refuses it.
    fn offer_whole(&mut self, host: &mut dyn Host, from: u32, arrival: &Arrival) -> bool {
        let message = &self.device.inbound.bytes(arrival.buffer)[..arrival.bytes];
        // The message was decoded when the bulk payload was placed.
        let taken = packet(arrival.kind, message)
            .is_none_or(|(header, _, payload)| host.offer(from, &header, payload));
        if taken {
            self.free(from, arrival.buffer);
        }
        taken
    }

    /// Delivers the packets without an order whose bulk payloads have arrived.
    fn deliver_unordered(&mut self, host: &mut dyn Host, from: u32) -> u32 {
        let mut packets = 0;
        let mut index = 0;
        while let Some(receiving) = self.peers[from as usize].unordered.get(index) {
            let arrival = receiving.arrival;
            if !receiving.is_whole() {
                index += 1;
            } else if self.offer_whole(host, from, &arrival) {
                self.peers[from as usize].unordered.remove(index);
                packets += 1;
            } else {
                break;
            }
        }
        packets
    }

    /// Takes the next message of a process. Returns whether it delivered a packet; `None` if the
    /// process has to wait.
    fn next_packet(&mut self, host: &mut dyn Host, from: u32) -> Option<bool> {
        let &arrival = self.peers[from as usize].inbox.front()?;
        if arrival.is_on_ring {
            return self.deliver_from_ring(host, from, &arrival);
        }
        let message = &self.device.inbound.bytes(arrival.buffer)[..arrival.bytes];
        let taken = match arrival.kind {
            Kind::Packet | Kind::Read | Kind::Copy => packet(arrival.kind, message),
            _ => None,
        };
        let Some((header, bulk, payload)) = taken else {
            self.peers[from as usize].inbox.pop_front();
            self.refuse(from, arrival.buffer);
            return None;
        };
        if arrival.kind == Kind::Packet {
            if !host.offer(from, &header, payload) {
                return None;
            }
            self.peers[from as usize].inbox.pop_front();
            self.free(from, arrival.buffer);
            return Some(true);
        }
        let bytes = bulk.bytes as usize;
        let region = host.place(from, &header, payload, bytes);
        self.peers[from as usize].inbox.pop_front();
        let stage = match (arrival.kind, region) {
            (Kind::Copy, region) => Stage::Pieces { region, have: 0, bytes },
            (_, Some(region)) => {
                self.read(from, &bulk, region);
                Stage::Transfer(bulk.id)
            }
            (_, None) => {
                self.peers[from as usize].finished.push_back(bulk.id);
                Stage::Whole
            }
        };
        let peer = &mut self.peers[from as usize];
        let receiving = Receiving { arrival, stage };
        if arrival.is_ordered || arrival.kind == Kind::Copy {
            peer.receiving = Some(receiving);
        } else {
            peer.unordered.push(receiving);
        }
        Some(false)
    }

    /// Begins to read a bulk payload.
    fn read(&mut self, from: u32, bulk: &Bulk, region: nemesis_netmod::RegionMut) {
        let address = region.address().as_ptr().expose_provenance();
        let window = region.registration().and_then(|id| self.window(id, address, region.len()));
        let registration = match window {
            Some(_) => None,
            None => crate::registered::destination(&self.device.domain, &region).ok(),
        };
        let transfer = Transfer {
            peer: from,
            purpose: Purpose::Packets,
            registration,
            window,
            memory: Memory::Destination(region),
            remote: bulk.address,
            key: bulk.key,
            posted: 0,
            done: 0,
            token: None,
            operation: 0,
            bulk: bulk.id,
        };
        self.start(transfer);
    }

    /// Gives a malformed message's sender up.
    fn refuse(&mut self, from: u32, buffer: u32) {
        self.repost(buffer);
        self.give_up(from);
    }

    /// Reports that a process sends malformed packets.
    pub fn give_up(&mut self, from: u32) {
        let why = "it sent a malformed packet".to_owned();
        self.note_broken(from, Purpose::Packets, Fault::Malformed, why);
        self.activate(from);
    }
}
