//! Opening, polling and closing rings (see [`ring`]).

use crate::buffers::Slots;
use crate::member::Member;
use crate::peer::{Arrival, Status};
use crate::prefix::Kind;
use crate::ring::{
    self, BUSY_PACKETS, HeaderCache, MESSAGE_MAX_BYTES, RINGS_MAX, RingIn, RingOut, SLOT_BYTES,
    SLOTS, Trailer,
};
use nemesis_netmod::Host;

impl Member {
    /// Counts a packet in the shared queue, and opens a ring for a process that sends often.
    pub fn count_packet(&mut self, from: u32) {
        let peer = &mut self.peers[from as usize];
        peer.queued_packets = peer.queued_packets.saturating_add(1);
        if peer.queued_packets < peer.ring_after.max(BUSY_PACKETS)
            || !self.options.tuning.fast_path
            || peer.ring_in.is_some()
            || self.rings.len() >= RINGS_MAX
            || !matches!(peer.status, Status::Open)
        {
            return;
        }
        peer.queued_packets = 0;
        if !peer.packets.pair.as_ref().is_some_and(|pair| pair.places_in_order()) {
            self.options.tuning.fast_path = false;
            return;
        }
        let slots = self
            .spare_slots
            .pop()
            .map_or_else(|| Slots::new(&self.device.domain, SLOTS as usize, SLOT_BYTES), Ok);
        let Ok(slots) = slots else {
            // The limit of locked memory is reached.
            self.options.tuning.fast_path = false;
            return;
        };
        let (address, key) = slots.place();
        let mut content = address.to_le_bytes().to_vec();
        content.extend(key.to_le_bytes());
        let cache = HeaderCache::default();
        let message = Box::new([0; MESSAGE_MAX_BYTES]);
        peer.ring_in =
            Some(RingIn { slots, message, next: 0, carried: 0, cache, is_closing: false });
        peer.owed_slots = 0;
        peer.notices.push_back((Kind::RingOpen, content));
        self.rings.push(from);
        self.activate(from);
    }

    /// Handles a control message about a ring.
    pub fn handle_ring(
        &mut self,
        from: u32,
        kind: Kind,
        content: &[u8],
    ) -> Result<(), &'static str> {
        let peer = &mut self.peers[from as usize];
        match kind {
            Kind::RingOpen => {
                let place = content.split_first_chunk::<8>().and_then(|(address, key)| {
                    Some((u64::from_le_bytes(*address), u32::from_le_bytes(key.try_into().ok()?)))
                });
                let (address, key) = place.ok_or("it offered a malformed ring")?;
                let cache = HeaderCache::default();
                peer.ring_out = Some(RingOut { address, key, next: 0, free: SLOTS, cache });
            }
            Kind::RingClose => {
                peer.ring_out = None;
                peer.notices.push_back((Kind::RingClosed, Vec::new()));
            }
            _ => {
                // Every message on the ring has arrived before this one.
                self.poll_ring(from);
                self.rings.retain(|&other| other != from);
                self.end_ring(from);
            }
        }
        Ok(())
    }

    /// Frees a ring that its sender has left, once its messages are delivered. Its slots, all free,
    /// stay registered for another ring.
    fn end_ring(&mut self, from: u32) {
        let peer = &mut self.peers[from as usize];
        if !self.rings.contains(&from) && !peer.inbox.iter().any(|arrival| arrival.is_on_ring) {
            if let Some(ring) = peer.ring_in.take() {
                peer.ring_after = ring::packets_before_next(peer.ring_after, ring.carried);
                self.spare_slots.push(ring.slots);
            }
            (peer.owed_slots, peer.queued_packets) = (0, 0);
        }
    }

    /// Takes the messages that have arrived on the ring of a process.
    pub fn poll_ring(&mut self, from: u32) {
        loop {
            let peer = &mut self.peers[from as usize];
            let Some(ring) = &mut peer.ring_in else { return };
            let trailer = Trailer::decode(ring.slots.word(ring.next as usize));
            if trailer.number != peer.next_in {
                return;
            }
            let bytes = usize::from(trailer.bytes).min(MESSAGE_MAX_BYTES);
            peer.next_in = ring::next_number(peer.next_in);
            peer.inbox.push_back(Arrival {
                buffer: ring.next,
                is_on_ring: true,
                bytes,
                kind: Kind::Packet,
                is_ordered: true,
            });
            ring.next = (ring.next + 1) % SLOTS;
            ring.carried = ring.carried.saturating_add(1);
            self.found += 1;
            if self.take_credits(from, trailer.credits, 0, trailer.slots).is_err() {
                self.give_up(from);
            }
            self.activate(from);
        }
    }

    /// Delivers a message of a ring. Returns whether a packet was delivered; `None` if the host
    /// refuses it.
    pub fn deliver_from_ring(
        &mut self,
        host: &mut dyn Host,
        from: u32,
        arrival: &Arrival,
    ) -> Option<bool> {
        let peer = &mut self.peers[from as usize];
        let ring = peer.ring_in.as_mut()?;
        let slot = arrival.buffer as usize;
        let is_cached = Trailer::decode(ring.slots.word(slot)).is_cached;
        let message = &mut ring.message[..arrival.bytes];
        ring.slots.copy(slot, message);
        let Some((header, payload)) = ring::message(&ring.cache, is_cached, message) else {
            peer.inbox.pop_front();
            self.give_up(from);
            return None;
        };
        if !host.offer(from, &header, payload) {
            return None;
        }
        ring.cache.note(&header);
        ring.slots.clear_word(slot);
        peer.inbox.pop_front();
        peer.owed_slots += 1;
        self.end_ring(from);
        Some(true)
    }

    /// Asks the senders to leave the rings before this process sleeps. Returns whether all have.
    pub fn close_rings(&mut self) -> bool {
        for index in 0..self.rings.len() {
            let from = self.rings[index];
            let peer = &mut self.peers[from as usize];
            if let Some(ring) = &mut peer.ring_in
                && !std::mem::replace(&mut ring.is_closing, true)
            {
                peer.notices.push_back((Kind::RingClose, Vec::new()));
                self.tell(from);
            }
        }
        self.rings.is_empty()
    }
}
