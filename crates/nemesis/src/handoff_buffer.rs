//! Shuttles: places for long packets that go to and fro between two processes.
//!
//! Whoever has read a packet has its lines in the caches of its processor. If it sends a packet back and writes it into those lines, it finds them there, and
//! each line crosses once for a packet; in a [room](crate::room) it crosses twice, first to be written and then to be read. So a pair has two places beside the
//! rooms, one at home with either, and the packet itself hands its place over:
//!
//! ```text
//!   A writes a packet into a ── B reads it, a is B's ── B writes its answer into a ── A reads it, a is A's …
//!   B has b meanwhile; if both send at the same time, a and b change sides
//! ```
//!
//! Nobody says that a place is free: who holds it knows. Where packets go one way only, both places are soon on the other side and stay there, and the room
//! serves as if they were not. Of two, the one that came last is taken first, since its lines are nearest.
//!
//! Only where each process has a processor: elsewhere nobody takes one, and none ever comes.

use nemesis_shm::pieces::Pieces;
use nemesis_shm::segment::HandoffBuffer;

/// The shuttles of this process and another one.
#[derive(Debug, Default)]
pub struct Pair {
    /// At home with us, and with the other.
    handoff_buffers: [Option<HandoffBuffer>; 2],
    /// Which of them we hold.
    held: [bool; 2],
    /// The one that came last.
    last: usize,
}

const OURS: usize = 0;
const THEIRS: usize = 1;

/// One that is about to carry a packet.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub handoff_buffer: HandoffBuffer,
    index: usize,
}

impl Pair {
    /// Ours begins on our side.
    pub fn begin(&mut self, ours: HandoffBuffer) {
        self.handoff_buffers[OURS] = Some(ours);
        self.held[OURS] = true;
    }

    /// The other's begins on its side.
    pub fn welcome(&mut self, theirs: HandoffBuffer) {
        self.handoff_buffers[THEIRS] = Some(theirs);
    }

    /// Whether one is on our side.
    #[inline]
    pub fn holds_one(&self) -> bool {
        self.held[OURS] || self.held[THEIRS]
    }

    /// Takes one that is on our side, if there is one. The packet in it hands it over.
    #[inline]
    pub fn take(&mut self) -> Option<Taken> {
        let index = if self.held[self.last] { self.last } else { 1 - self.last };
        let handoff_buffer = self.handoff_buffers[index].filter(|_| self.held[index])?;
        self.held[index] = false;
        Some(Taken { handoff_buffer, index })
    }

    /// The packet was not sent.
    pub fn keep(&mut self, taken: Taken) {
        self.held[taken.index] = true;
    }

    /// The packet of `len` bytes, counted from `base`, that the other announced at `offset`, if it lies in a shuttle that is on the other's side, and which
    /// that is.
    #[inline]
    pub fn pieces(&self, offset: u64, len: u64, base: u64) -> Option<(Pieces, usize)> {
        let index = self.handoff_buffers.iter().position(|handoff_buffer| {
            handoff_buffer.is_some_and(|handoff_buffer| handoff_buffer.has(offset))
        })?;
        let handoff_buffer = self.handoff_buffers[index].filter(|_| !self.held[index])?;
        Some((handoff_buffer.pieces(offset, len, base)?, index))
    }

    /// The packet has been read.
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

    /// Both ends of a pair whose processes have slots 0 and 1, and box 3 to each other.
    fn pairs(segment: &Segment) -> [Pair; 2] {
        let homes = [0, 1].map(|slot| segment.handoff_buffer(slot, 3).unwrap());
        [0, 1].map(|me| {
            let mut pair = Pair::default();
            pair.begin(homes[me]);
            pair.welcome(homes[1 - me]);
            pair
        })
    }

    fn segment() -> Segment {
        let memory = nemesis_wireup::segment::make(2).unwrap();
        Segment::open(&memory.descriptor, memory.bytes as usize, 2).unwrap()
    }

    /// Sends `data` from one end to the other; the offset of the place, which then is on that side.
    fn carry(from: &mut Pair, to: &mut Pair, data: &[u8]) -> Option<u64> {
        let place = from.take()?.handoff_buffer.place(data.as_ptr().addr());
        let mut told = 0;
        assert!(place.write_bytes(data, |base| {
            told = base;
            true
        }));
        let (mut pieces, index) =
            to.pieces(place.offset(), data.len() as u64, told.into()).expect("it is on its way");
        assert_eq!(pieces.whole(), data);
        pieces.keep();
        to.arrived(index);
        Some(place.offset())
    }

    #[test]
    fn whoever_has_read_a_packet_sends_the_next_in_its_place() {
        let segment = segment();
        let [mut one, mut two] = pairs(&segment);
        let data: Vec<u8> = (0..9000).map(|at| (at * 7) as u8).collect();
        let first = carry(&mut one, &mut two, &data).unwrap();
        for answer in 0..20 {
            assert_eq!(carry(&mut two, &mut one, &data), Some(first), "{answer}");
            assert_eq!(carry(&mut one, &mut two, &data), Some(first), "{answer}");
        }
        let other = carry(&mut two, &mut one, &data).and(carry(&mut two, &mut one, &data)).unwrap();
        assert_ne!(first, other, "the one that is at home there");
        assert_eq!(carry(&mut two, &mut one, &data), None, "both are on the other side");
        assert_eq!(
            carry(&mut one, &mut two, &data),
            Some(other),
            "the one that came last goes first"
        );
        assert_eq!(carry(&mut one, &mut two, &data), Some(first));
        assert_eq!(carry(&mut one, &mut two, &data), None);
    }

    #[test]
    fn places_begin_half_a_page_from_what_they_are_copied_from_and_have_room() {
        let segment = segment();
        let handoff_buffer = segment.handoff_buffer(1, 0).unwrap();
        let (begin, next) = (
            segment.handoff_buffer(1, 0).unwrap().place(2048 + long::PAYLOAD).offset(),
            segment.handoff_buffer(1, 1).unwrap(),
        );
        for address in [0, 8, 64, 2047, 2048, 4095, 0x7fff_1234_5678] {
            let place = handoff_buffer.place(address);
            let payload = place.offset() as usize + long::PAYLOAD;
            let distance = (payload + 8192 - address % 4096) % 4096;
            assert!(distance <= 2048 && distance > 2048 - 64, "{address}: {distance}");
            assert!(
                place.offset() >= begin
                    && place.offset() + ((long::PAYLOAD + long::PAYLOAD_BYTES) as u64)
                        < next.place(2048 + long::PAYLOAD).offset()
            );
            assert!(handoff_buffer.has(place.offset()) && !next.has(place.offset()));
        }
        assert!(segment.handoff_buffer(1, HANDOFF_BUFFERS).is_none());
    }

    #[test]
    fn what_the_other_cannot_have_sent_is_refused() {
        let segment = segment();
        let [mut one, two] = pairs(&segment);
        let place = one.take().unwrap().handoff_buffer.place(0).offset();
        assert!(two.pieces(place, 100, 0).is_some());
        assert!(two.pieces(place + 1, 100, 0).is_none(), "not at a line");
        assert!(two.pieces(place, long::PAYLOAD_BYTES as u64 + 1, 0).is_none(), "too long");
        assert!(two.pieces(place + long::HANDOFF_BYTES as u64, 100, 0).is_none(), "nobody's");
        let own = segment.handoff_buffer(1, 3).unwrap().place(0).offset();
        assert!(two.pieces(own, 100, 0).is_none(), "we hold it");
        assert!(Pair::default().pieces(0, 100, 0).is_none());
    }
}
