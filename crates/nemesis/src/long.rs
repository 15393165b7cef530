//! Long packets within the node: written while the receiver reads them (see [`nemesis_shm::pieces`]).
//!
//! A line of the pair's fastbox announces such a packet, so it has its place among the pair's packets like any other.

use crate::PACKET_MAX_BYTES;
use crate::endpoint::{Endpoint, Sink, Taker};
use crate::handoff_buffer::Pair;
use crate::peer::{Outbound, told_of_room, wake};
use nemesis_shm::doorbell;
use nemesis_shm::pieces::Pieces;
use nemesis_shm::segment::{LongPlace, Segment, Slot};
use nemesis_wire::{FIRST_SERVICE_KIND, Header, kind, next_seq, word, words};

/// Longest payload to another node: whole words that a header's 16 bits can tell. Longer messages go as bodies, eager ones or those that are asked for.
pub(crate) const FAR_PACKET_MAX_BYTES: usize = u16::MAX as usize & !7;

impl Endpoint {
    /// Longest payload of one packet to process `to`, as things are now; it never becomes less.
    #[inline]
    pub fn packet_max(&self, to: u32) -> usize {
        match self.peers[to as usize].outbound {
            Outbound::Open if !self.shared_processors => self.room.payload_max(),
            _ if self.is_far(to) => FAR_PACKET_MAX_BYTES,
            _ => PACKET_MAX_BYTES,
        }
    }

    /// Whether a long packet is a good way also for one of several messages that are on their way at the same time, both ways even: a copy by the kernel
    /// is no faster then.
    pub fn favours_long_packets(&self) -> bool {
        self.room.has_long_rounds()
    }

    /// Sends a packet that no fastbox holds, piece by piece; false, and nothing has happened, when this is not the way or there is no room now.
    pub(crate) fn send_in_pieces(&mut self, to: u32, header: &Header, payload: &[u8]) -> bool {
        self.goes_in_pieces(to, payload.len()) && self.try_send_written(to, header, payload)
    }

    /// Sends a packet of several lines by a shuttle, if we hold one.
    #[inline(never)]
    pub(crate) fn send_by_handoff_buffer(
        &mut self,
        to: u32,
        header: &Header,
        payload: &[u8],
    ) -> bool {
        self.holds_handoff_buffer(to)
            && !self.shared_processors
            && self.try_send_written(to, header, payload)
    }

    /// Whether a packet to process `to` would go by a shuttle.
    #[inline]
    pub fn holds_handoff_buffer(&self, to: u32) -> bool {
        self.pairs[usize::from(self.peers[to as usize].pair)].holds_one()
    }

    /// Whether a packet with so long a payload goes to process `to` piece by piece.
    #[inline]
    pub fn goes_in_pieces(&self, to: u32, bytes: usize) -> bool {
        !self.shared_processors
            && bytes > self.box_max_bytes
            && matches!(self.peers[to as usize].outbound, Outbound::Open)
    }

    /// Sends a packet that [goes in pieces](Self::goes_in_pieces), of at most [`packet_max`](Self::packet_max) bytes, whose payload is made where it is
    /// sent: `fill` writes the piece that begins at the byte told. The header's `seq` and `size` are filled in here. False, and nothing has happened,
    /// when there is no room now.
    pub fn try_send_filled(
        &mut self,
        to: u32,
        header: &Header,
        bytes: usize,
        fill: impl FnMut(usize, &mut [u8]),
    ) -> bool {
        self.try_send_written(to, header, Filled { bytes, fill })
    }

    #[inline]
    fn try_send_written<P: Payload>(&mut self, to: u32, header: &Header, payload: P) -> bool {
        let Outbound::Open = self.peers[to as usize].outbound else { return false };
        let pair = usize::from(self.peers[to as usize].pair);
        if let Some(taken) = self.pairs[pair].take() {
            let sent = self.announce_written(
                to,
                header,
                &taken.handoff_buffer.place(payload.address()),
                payload,
            );
            if !sent {
                self.pairs[pair].keep(taken);
            }
            return sent;
        }
        let bytes = payload.bytes();
        let Some(place) = self.room.find(&self.slot, bytes, payload.address()) else {
            self.found_no_room();
            return false;
        };
        if !self.announce_written(to, header, &place, payload) {
            return false;
        }
        self.room.lend(&self.slot, place, bytes);
        true
    }

    /// Announces a packet and writes it to its place; false, and nothing has happened, when there is no room for the announcement.
    #[inline]
    fn announce_written<P: Payload>(
        &mut self,
        to: u32,
        header: &Header,
        place: &LongPlace,
        payload: P,
    ) -> bool {
        let peer = &mut self.peers[to as usize];
        let what =
            payload.bytes() as u64 | u64::from(header.kind) << 32 | u64::from(header.flags) << 40;
        let (bell, slot) = (peer.doorbell, &peer.slot);
        let announce = |base: u32| {
            let told = words([place.offset(), what, base.into()]);
            let line = Header {
                kind: kind::CELL,
                flags: 0,
                seq: peer.next_seq,
                size: told.as_bytes().len() as u16,
                ..*header
            };
            let announced = peer.outbox.try_send(&line, told.as_bytes());
            if announced && doorbell::must_wake(bell) {
                wake(bell, slot);
            }
            announced
        };
        if !payload.write(place, announce) {
            self.found_full(to);
            return false;
        }
        peer.next_seq = next_seq(peer.next_seq);
        true
    }

    /// As [`receive_fast`](Self::receive_fast) with a long packet that has been announced.
    pub fn receive_pieces_fast(&mut self, from: u32, taker: impl Taker) -> Option<usize> {
        let peer = self.peers.get_mut(from as usize)?;
        let ring = peer.inbox.existing()?;
        let (line, payload) = ring.wait(peer.expected, 0)?;
        if line.kind != kind::CELL {
            return None;
        }
        let (size, place) = (payload.len(), Place::read(payload));
        let slot = peer.slot.expect("who has a fastbox is on this node");
        let pair = &mut self.pairs[usize::from(peer.pair)];
        let (header, mut pieces, way) = announced(&self.segment, pair, &slot, &line, place);
        let bytes = pieces.len();
        if !taker.take_pieces(&header, &mut pieces) {
            return None;
        }
        let told = ring.release(size);
        peer.expected = next_seq(peer.expected);
        if told {
            peer.told_of_room();
        }
        give_back(pieces, way, pair, &slot);
        Some(bytes)
    }

    /// Takes in the packet that a line of process `origin`'s fastbox has announced.
    #[inline(never)]
    pub(crate) fn take_in_pieces(
        &mut self,
        origin: u32,
        line: &Header,
        place: Place,
        sink: &mut impl Sink,
    ) {
        let peer = &self.peers[origin as usize];
        let slot = peer.slot.expect("who has a fastbox is on this node");
        let pair = &mut self.pairs[usize::from(peer.pair)];
        let (header, mut pieces, way) = announced(&self.segment, pair, &slot, line, place);
        sink.packet_in_pieces(origin, &header, &mut pieces);
        give_back(pieces, way, pair, &slot);
    }
}

/// What a long packet carries.
trait Payload {
    fn bytes(&self) -> usize;
    /// Where it lies, if that makes a difference.
    fn address(&self) -> usize;
    /// Writes it to its place, announced by `announce` before it is there; false, and nothing is written, when that failed.
    fn write(self, place: &LongPlace, announce: impl FnOnce(u32) -> bool) -> bool;
}

impl Payload for &[u8] {
    #[inline(always)]
    fn bytes(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn address(&self) -> usize {
        self.as_ptr().addr()
    }

    #[inline(always)]
    fn write(self, place: &LongPlace, announce: impl FnOnce(u32) -> bool) -> bool {
        place.write_bytes(self, announce)
    }
}

/// A payload that is made where it is sent.
struct Filled<F> {
    bytes: usize,
    fill: F,
}

impl<F: FnMut(usize, &mut [u8])> Payload for Filled<F> {
    #[inline(always)]
    fn bytes(&self) -> usize {
        self.bytes
    }

    #[inline(always)]
    fn address(&self) -> usize {
        0
    }

    #[inline(always)]
    fn write(self, place: &LongPlace, announce: impl FnOnce(u32) -> bool) -> bool {
        place.write(self.bytes, self.fill, announce)
    }
}

/// What a line says of a long packet: its place in the segment; length, kind and flags; from where the word counts that tells what is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place([Option<u64>; 3]);

impl Place {
    #[inline(always)]
    pub fn read(payload: &[u8]) -> Place {
        Place([word(payload, 0), word(payload, 1), word(payload, 2)])
    }
}

/// The packet that the process in `slot` has announced, its header, and the shuttle that it has come by.
#[inline]
fn announced(
    segment: &Segment,
    pair: &Pair,
    slot: &Slot,
    line: &Header,
    Place(place): Place,
) -> (Header, Pieces, Option<usize>) {
    let found = place[0].zip(place[1]).zip(place[2]).and_then(|((offset, rest), base)| {
        let bytes = rest & u64::from(u32::MAX);
        let (pieces, handoff_buffer) = match pair.pieces(offset, bytes, base) {
            Some((pieces, handoff_buffer)) => (pieces, Some(handoff_buffer)),
            None => (segment.pieces_of(segment.slot_index_of(slot), offset, bytes)?, None),
        };
        Some((pieces, handoff_buffer, (rest >> 32) as u8, (rest >> 40) as u8))
    });
    let Some((pieces, handoff_buffer, kind, flags)) =
        found.filter(|(_, _, kind, _)| *kind >= FIRST_SERVICE_KIND)
    else {
        panic!(
            "process {} announced a long packet that makes no sense: {line:?}",
            segment.slot_index_of(slot)
        )
    };
    (
        Header { kind, flags, size: u16::try_from(pieces.len()).unwrap_or(u16::MAX), ..*line },
        pieces,
        handoff_buffer,
    )
}

/// The packet has been read: its shuttle is ours, or its place goes back to the process in `slot`, which may be asleep waiting for one.
#[inline]
fn give_back(pieces: Pieces, handoff_buffer: Option<usize>, pair: &mut Pair, slot: &Slot) {
    if let Some(handoff_buffer) = handoff_buffer {
        pieces.keep();
        return pair.arrived(handoff_buffer);
    }
    pieces.give_back();
    told_of_room(slot.doorbell(), &Some(*slot));
}
