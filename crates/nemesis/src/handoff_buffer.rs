//! Handoff buffers: memory for long packets that changes its owner with the packet.
//!
//! The processor that has read a packet has its lines in its caches. If its process writes a packet
//! back into those lines, it finds them there, and each line is transferred once for a packet. In a
//! [copy ring](crate::copy_ring) each line is transferred twice: to be written, and to be read. So
//! a pair has two handoff buffers beside the copy rings, one in the slot of each process, and a
//! packet hands its buffer over to the receiver:
//!
//! ```text
//!   A writes packet into a ── B reads it and owns a ── B writes its answer into a ── A reads it …
//!   B owns b meanwhile; if both send at the same time, a and b change sides
//! ```
//!
//! No message says that a buffer is free: its owner knows. If packets go one way only, the receiver
//! soon owns both buffers, and the sender uses its copy ring. Of two buffers, the one that arrived
//! last is used first, since its lines are in the nearest caches.
//!
//! On an oversubscribed node no process uses a handoff buffer.

use nemesis_shm::long_packet::LongPacket;
use nemesis_shm::segment::HandoffBuffer;

/// The handoff buffers of this process and one other.
#[derive(Debug, Default)]
pub struct Pair {
    /// The buffer in this process's slot, and the one in the other's.
    handoff_buffers: [Option<HandoffBuffer>; 2],
    /// Which of them this process owns.
    held: [bool; 2],
    /// Index of the buffer that arrived last.
    last: usize,
}

const OWN: usize = 0;
const PEERS: usize = 1;

/// A buffer that is about to carry a packet.
#[derive(Clone, Copy, Debug)]
pub struct TakenBuffer {
    pub handoff_buffer: HandoffBuffer,
    index: usize,
}

impl Pair {
    /// Adds the buffer of this process's slot, which this process owns at first.
    pub fn add_own(&mut self, ours: HandoffBuffer) {
        self.handoff_buffers[OWN] = Some(ours);
        self.held[OWN] = true;
    }

    /// Adds the buffer of the other process's slot, which the other owns at first.
    pub fn add_peers(&mut self, theirs: HandoffBuffer) {
        self.handoff_buffers[PEERS] = Some(theirs);
    }

    /// Returns whether this process owns a buffer.
    #[inline]
    pub fn holds_one(&self) -> bool {
        self.held[OWN] || self.held[PEERS]
    }

    /// Takes a buffer that this process owns; the packet in it passes the ownership on.
    #[inline]
    pub fn take(&mut self) -> Option<TakenBuffer> {
        let index = if self.held[self.last] { self.last } else { 1 - self.last };
        let handoff_buffer = self.handoff_buffers[index].filter(|_| self.held[index])?;
        self.held[index] = false;
        Some(TakenBuffer { handoff_buffer, index })
    }

    /// Returns a buffer whose packet was not sent.
    pub fn put_back(&mut self, taken: TakenBuffer) {
        self.held[taken.index] = true;
    }

    /// Returns the packet of `len` bytes, counted from `base`, that the other process announced at
    /// `offset`, and the buffer's index. `None` if `offset` lies in no buffer that the other
    /// process owns.
    #[inline]
    pub fn long_packet(&self, offset: u64, len: u64, base: u64) -> Option<(LongPacket, usize)> {
        let index = self.handoff_buffers.iter().position(|handoff_buffer| {
            handoff_buffer.is_some_and(|handoff_buffer| handoff_buffer.has(offset))
        })?;
        let handoff_buffer = self.handoff_buffers[index].filter(|_| !self.held[index])?;
        Some((handoff_buffer.long_packet(offset, len, base)?, index))
    }

    /// Takes ownership of a buffer whose packet has been read.
    #[inline]
    pub fn arrived(&mut self, index: usize) {
        self.held[index] = true;
        self.last = index;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_shm::layout::{HANDOFF_BUFFERS, long};
    use nemesis_shm::segment::Segment;

    /// Returns both ends of a pair whose processes have slots 0 and 1, and fastbox 3 to each other.
    fn pairs(segment: &Segment) -> [Pair; 2] {
        let homes = [0, 1].map(|slot| segment.handoff_buffer(slot, 3).unwrap());
        [0, 1].map(|me| {
            let mut pair = Pair::default();
            pair.add_own(homes[me]);
            pair.add_peers(homes[1 - me]);
            pair
        })
    }

    fn segment() -> Segment {
        let memory = nemesis_wireup::segment::make(2).unwrap();
        Segment::open(&memory.descriptor, memory.bytes as usize, 2).unwrap()
    }

    /// Sends `data` from one end to the other. Returns the offset of the buffer, which the receiver
    /// then owns.
    fn carry(from: &mut Pair, to: &mut Pair, data: &[u8]) -> Option<u64> {
        let place = from.take()?.handoff_buffer.buffer_for(data.as_ptr().addr());
        let mut told = 0;
        assert!(place.write_bytes(data, |base| {
            told = base;
            true
        }));
        let (mut packet, index) = to
            .long_packet(place.offset(), data.len() as u64, told.into())
            .expect("it is on its way");
        assert_eq!(packet.wait_for_all(), data);
        packet.take_ownership();
        to.arrived(index);
        Some(place.offset())
    }

    #[test]
    fn an_answer_takes_the_buffer_of_the_packet_it_answers() {
        let segment = segment();
        let [mut one, mut two] = pairs(&segment);
        let data: Vec<u8> = (0..9000).map(|at| (at * 7) as u8).collect();
        let first = carry(&mut one, &mut two, &data).unwrap();
        for answer in 0..20 {
            assert_eq!(carry(&mut two, &mut one, &data), Some(first), "{answer}");
            assert_eq!(carry(&mut one, &mut two, &data), Some(first), "{answer}");
        }
        let other = carry(&mut two, &mut one, &data).and(carry(&mut two, &mut one, &data)).unwrap();
        assert_ne!(first, other, "the one in that process's slot");
        assert_eq!(carry(&mut two, &mut one, &data), None, "the other process owns both");
        assert_eq!(
            carry(&mut one, &mut two, &data),
            Some(other),
            "the one that came last goes first"
        );
        assert_eq!(carry(&mut one, &mut two, &data), Some(first));
        assert_eq!(carry(&mut one, &mut two, &data), None);
    }

    #[test]
    fn places_begin_half_a_page_from_their_source_and_fit_their_buffer() {
        let segment = segment();
        let handoff_buffer = segment.handoff_buffer(1, 0).unwrap();
        let (add_own, next) = (
            segment.handoff_buffer(1, 0).unwrap().buffer_for(2048 + long::PAYLOAD).offset(),
            segment.handoff_buffer(1, 1).unwrap(),
        );
        for address in [0, 8, 64, 2047, 2048, 4095, 0x7fff_1234_5678] {
            let place = handoff_buffer.buffer_for(address);
            let payload = place.offset() as usize + long::PAYLOAD;
            let distance = (payload + 8192 - address % 4096) % 4096;
            assert!(distance <= 2048 && distance > 2048 - 64, "{address}: {distance}");
            assert!(
                place.offset() >= add_own
                    && place.offset() + ((long::PAYLOAD + long::PAYLOAD_BYTES) as u64)
                        < next.buffer_for(2048 + long::PAYLOAD).offset()
            );
            assert!(handoff_buffer.has(place.offset()) && !next.has(place.offset()));
        }
        assert!(segment.handoff_buffer(1, HANDOFF_BUFFERS).is_none());
    }

    #[test]
    fn impossible_announcements_are_refused() {
        let segment = segment();
        let [mut one, two] = pairs(&segment);
        let place = one.take().unwrap().handoff_buffer.buffer_for(0).offset();
        assert!(two.long_packet(place, 100, 0).is_some());
        assert!(two.long_packet(place + 1, 100, 0).is_none(), "not at a line");
        assert!(two.long_packet(place, long::PAYLOAD_BYTES as u64 + 1, 0).is_none(), "too long");
        assert!(
            two.long_packet(place + long::HANDOFF_BYTES as u64, 100, 0).is_none(),
            "in no buffer of the pair"
        );
        let own = segment.handoff_buffer(1, 3).unwrap().buffer_for(0).offset();
        assert!(two.long_packet(own, 100, 0).is_none(), "this process owns it");
        assert!(Pair::default().long_packet(0, 100, 0).is_none());
    }
}
