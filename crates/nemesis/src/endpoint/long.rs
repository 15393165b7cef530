//! Long packets within the node: the receiver reads them while the sender writes them (see
//! [`nemesis_shm::long_packet`]).
//!
//! A line of the pair's fastbox announces a long packet, which gives it a place in the pair's
//! order.

use crate::PACKET_MAX_BYTES;
use crate::endpoint::Endpoint;
use crate::handoff_buffer::Pair;
use crate::packet::{PacketHandler, Sink};
use crate::peer::{Outbound, wake, wake_for_space};
use crate::protocols::Call;
use nemesis_shm::doorbell;
use nemesis_shm::long_packet::LongPacket;
use nemesis_shm::segment::{LongPacketBuffer, Segment, Slot};
use nemesis_sys::host_model;
use nemesis_sys::panics::damaged;
use nemesis_wire::{FIRST_SERVICE_KIND, Header, kind, next_seq, word, words};

impl Endpoint {
    /// Returns the longest payload of one packet to process `to` at present. The value never
    /// decreases.
    #[inline]
    pub fn packet_max(&self, to: u32) -> usize {
        match self.peers[to as usize].outbound {
            Outbound::Open if !self.shared_processors => self.limits.long_max_bytes,
            _ if self.is_remote(to) => self.remote_packet_max(to),
            _ => PACKET_MAX_BYTES,
        }
    }

    /// Returns the length of the longest message that goes to process `to` without asking it, for a
    /// call that does `call`; [`forces_eager`](Self::forces_eager) names longer ones.
    #[inline]
    pub fn eager_max(&self, to: u32, call: Call) -> usize {
        match self.peers[to as usize].outbound {
            Outbound::Open => self.limits.eager_max_bytes[call as usize],
            _ if !self.is_remote(to) => self.limits.cell_max_bytes,
            _ if self.forcing.is_none() => self.remote_eager_max(to),
            _ => 0,
        }
    }

    /// Returns whether long packets are preferred to copies by the kernel at any length, even when
    /// several messages are under way, in both directions
    /// (`nemesis_sys::host_model::HostModel::prefers_packets`).
    pub fn prefers_packets(&self) -> bool {
        self.prefers_packets
    }

    /// Returns the length from which on a message that comes in packets is stored past the caches;
    /// `usize::MAX` if none is.
    pub fn non_temporal_min_bytes(&self) -> usize {
        host_model::choices().non_temporal_min_bytes
    }

    /// Sends a packet that is too long for a fastbox as a long packet. Returns false, without
    /// effect, if the packet does not qualify or there is no space now.
    pub(crate) fn send_long(&mut self, to: u32, header: &Header, payload: &[u8]) -> bool {
        self.goes_as_long_packet(to, payload.len()) && self.try_send_written(to, header, payload)
    }

    /// Sends a packet of several lines through a handoff buffer. Returns false, without effect, if
    /// this process holds none for the pair, or there is no space now.
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

    /// Returns whether this process holds a handoff buffer of the pair with process `to`.
    #[inline]
    pub fn holds_handoff_buffer(&self, to: u32) -> bool {
        self.pairs[usize::from(self.peers[to as usize].pair)].holds_one()
    }

    /// Returns whether a packet of `bytes` bytes to process `to` is sent as a long packet.
    #[inline]
    pub fn goes_as_long_packet(&self, to: u32, bytes: usize) -> bool {
        !self.shared_processors
            && bytes >= self.limits.box_end_bytes
            && matches!(self.peers[to as usize].outbound, Outbound::Open)
            && (self.forcing.is_none() || self.is_forced_long(to, bytes))
    }

    /// Sends a packet that [goes as a long packet](Self::goes_as_long_packet), of at most
    /// [`packet_max`](Self::packet_max) bytes, whose payload `fill` produces in place: `fill`
    /// receives the offset of a chunk and the memory to write. Sets the header's `seq` and `size`.
    /// Returns false, without effect, if there is no space now.
    pub fn try_send_filled(
        &mut self,
        to: u32,
        header: &Header,
        bytes: usize,
        fill: impl FnMut(usize, &mut [u8]),
    ) -> bool {
        let sent = self.try_send_written(to, header, Filled { bytes, fill });
        self.decide_each_packet(to);
        sent
    }

    #[inline]
    pub(super) fn try_send_written<P: Payload>(
        &mut self,
        to: u32,
        header: &Header,
        payload: P,
    ) -> bool {
        let Outbound::Open = self.peers[to as usize].outbound else { return false };
        let pair = usize::from(self.peers[to as usize].pair);
        if let Some(taken) = self.pairs[pair].take() {
            let sent = self.announce_written(
                to,
                header,
                &taken.handoff_buffer.buffer_for(payload.address()),
                payload,
            );
            if !sent {
                self.pairs[pair].put_back(taken);
            }
            return sent;
        }
        let bytes = payload.bytes();
        let Some(place) = self.copy_ring.find(&self.body, bytes, payload.address()) else {
            self.found_no_space();
            return false;
        };
        if !self.announce_written(to, header, &place, payload) {
            return false;
        }
        self.copy_ring.commit(&self.body, place, bytes, to);
        true
    }

    /// Announces a packet and writes its payload to `place`. Returns false, without effect, if the
    /// fastbox has no space for the announcement.
    #[inline]
    fn announce_written<P: Payload>(
        &mut self,
        to: u32,
        header: &Header,
        place: &LongPacketBuffer,
        payload: P,
    ) -> bool {
        let peer = &mut self.peers[to as usize];
        let what =
            payload.bytes() as u64 | u64::from(header.kind) << 32 | u64::from(header.flags) << 40;
        let bell = peer.doorbell;
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
            if announced && doorbell::must_wake(&bell.flag) {
                wake(bell);
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

    /// Receives a long packet that process `from` has announced, as
    /// [`receive_fast`](Self::receive_fast) does a short one.
    pub fn receive_pieces_fast(&mut self, from: u32, handler: impl PacketHandler) -> Option<usize> {
        let peer = self.peers.glance_mut(from as usize)?;
        let ring = peer.inbox.connected()?;
        let (line, payload) = ring.wait(peer.expected, 0)?;
        if line.kind != kind::CELL {
            return None;
        }
        let (size, place) = (payload.len(), Announcement::read(payload));
        let slot = peer.slot?;
        let pair = &mut self.pairs[usize::from(peer.pair)];
        let (header, mut packet, buffer_index) =
            announced(&self.segment, pair, (&slot, from), &line, place);
        let bytes = packet.len();
        if !handler.take_long_packet(&header, &mut packet) {
            return None;
        }
        let told = ring.release(size);
        peer.expected = next_seq(peer.expected);
        if told {
            peer.wake_for_space();
        }
        give_back(packet, buffer_index, pair, &slot);
        Some(bytes)
    }

    /// Delivers the long packet that a line of process `origin`'s fastbox has announced.
    #[inline(never)]
    pub(crate) fn receive_long(
        &mut self,
        origin: u32,
        line: &Header,
        place: Announcement,
        sink: &mut impl Sink,
    ) {
        let peer = &self.peers[origin as usize];
        let Some(slot) = peer.slot else { return self.found_foreign_control(origin, line) };
        let pair = &mut self.pairs[usize::from(peer.pair)];
        let (header, mut packet, buffer_index) =
            announced(&self.segment, pair, (&slot, origin), line, place);
        sink.long_packet(origin, &header, &mut packet);
        give_back(packet, buffer_index, pair, &slot);
    }
}

/// Payload of a long packet.
pub(super) trait Payload {
    fn bytes(&self) -> usize;
    /// Returns the payload's address, or 0 if it has none.
    fn address(&self) -> usize;
    /// Calls `announce`, then writes the payload to `place`. Returns false, and writes nothing, if
    /// `announce` fails.
    fn write(self, place: &LongPacketBuffer, announce: impl FnOnce(u32) -> bool) -> bool;
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
    fn write(self, place: &LongPacketBuffer, announce: impl FnOnce(u32) -> bool) -> bool {
        place.write_bytes(self, announce)
    }
}

/// A payload that a function produces in place.
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
    fn write(self, place: &LongPacketBuffer, announce: impl FnOnce(u32) -> bool) -> bool {
        place.write(self.bytes, self.fill, announce)
    }
}

/// The words of a line that announces a long packet: its offset in the segment; length, kind and
/// flags; and the base of the word that counts the bytes written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Announcement([Option<u64>; 3]);

impl Announcement {
    #[inline(always)]
    pub fn read(payload: &[u8]) -> Announcement {
        Announcement([word(payload, 0), word(payload, 1), word(payload, 2)])
    }
}

/// Checks an announcement by the process `writer`, of `slot`. Returns the packet's header, its
/// payload, and the index of the handoff buffer that carries it. An invalid announcement ends the
/// process.
#[inline]
fn announced(
    segment: &Segment,
    pair: &Pair,
    (slot, writer): (&Slot, u32),
    line: &Header,
    Announcement(place): Announcement,
) -> (Header, LongPacket, Option<usize>) {
    let found = place[0].zip(place[1]).zip(place[2]).and_then(|((offset, rest), base)| {
        let bytes = rest & u64::from(u32::MAX);
        let (packet, handoff_buffer) = match pair.long_packet(offset, bytes, base) {
            Some((packet, handoff_buffer)) => (packet, Some(handoff_buffer)),
            None => (segment.long_packet_of(segment.slot_index_of(slot), offset, bytes)?, None),
        };
        Some((packet, handoff_buffer, (rest >> 32) as u8, (rest >> 40) as u8))
    });
    let Some((mut packet, handoff_buffer, kind, flags)) =
        found.filter(|(_, _, kind, _)| *kind >= FIRST_SERVICE_KIND)
    else {
        damaged(format_args!(
            "an announcement of a long packet, from the process in slot {}, is invalid: {line:?}, \
             {place:x?}",
            segment.slot_index_of(slot)
        ))
    };
    packet.set_writer(writer);
    (
        Header { kind, flags, size: u16::try_from(packet.len()).unwrap_or(u16::MAX), ..*line },
        packet,
        handoff_buffer,
    )
}

/// Releases a packet that has been read: keeps its handoff buffer, or returns its part of the copy
/// ring to the process of `slot`, which may sleep until it has space.
#[inline]
fn give_back(packet: LongPacket, handoff_buffer: Option<usize>, pair: &mut Pair, slot: &Slot) {
    if let Some(handoff_buffer) = handoff_buffer {
        packet.take_ownership();
        return pair.arrived(handoff_buffer);
    }
    packet.give_back();
    wake_for_space(slot.doorbell());
}
