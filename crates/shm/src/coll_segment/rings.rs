//! Where pieces of what rooms do not hold lie: in tracks, in traded places, and in places that two pass things through.
//!
//! ```text
//!   a row's track:        | piece | piece | free …              | piece | piece …
//!                           of calls in which all meet            of calls with a root
//!
//!   one of two members':  | traded place | passing places (only row 0's are used) | piece | piece | free …
//! ```
//!
//! *Tracks.* Pieces follow one another, round and round. The row's line tells where a piece lies. A track is longer than all pieces that may be on their way
//! together. It may have two lanes: one for calls in which all meet over each piece, where few are under way, and one for those with a root, which others need
//! not wait for.
//!
//! *Trading.* In calls in which two members publish for each other, each writes its piece into the place from which it has read the last one of the other:
//! there the lines are in its own caches. Nobody else looks at that place, and by reading a member knows that it may be written, so no words are read.
//!
//! *Passing.* What one of two members has for the other goes through places that both write, piece after piece. If it was the other one that passed something
//! last, this one writes where it has read that: there the lines are in its own caches, too. If it was itself, it goes on behind, round and round. A place is
//! written again when both have retired from the call that had it last.

use super::{CollSegment, PIECE_MAX_BYTES, SLOTS, Surface};
use crate::PAGE_BYTES;

/// The shortest track: it holds the pieces of two calls however they lie. With room for one, a call that follows one in which all met, and of which nobody says
/// that it has left it, would wait for ever.
pub const RING_MIN_BYTES: usize = 3 * PIECE_MAX_BYTES;
/// The longest piece that two members trade. Their places are at the front of the tracks, and a piece begins in the first page of one.
pub const EXCHANGE_MAX_BYTES: usize = 128 << 10;
const EXCHANGE_BYTES: usize = EXCHANGE_MAX_BYTES + 2 * PAGE_BYTES;
/// The longest piece that is passed, and how many are passed at most, half a mebibyte of elements of any length. There are places for twice as many. A piece
/// begins in the first page of one.
pub const PAIR_RING_CHUNK_BYTES: usize = 66 << 10;
pub const PAIR_RING_CHUNKS: usize = 8;
const PAIR_RING_PLACES: usize = 2 * PAIR_RING_CHUNKS;
const PAIR_RING_PLACE_BYTES: usize = PAIR_RING_CHUNK_BYTES + 2 * PAGE_BYTES;
/// What two members trade and pass lies in front of their pieces.
pub const PAIR_PLACES_BYTES: usize = EXCHANGE_BYTES + PAIR_RING_PLACES * PAIR_RING_PLACE_BYTES;

/// What a member knows of the tracks.
#[derive(Clone, Debug)]
pub(super) struct Rings {
    /// Bytes of each, 0 if there are none.
    pub(super) bytes: usize,
    partitions: [RingPartition; 2],
    /// The lane that the call uses.
    partition: usize,
    pub(super) kind: Kind,
    /// Whether each of two members that trade writes into the other's track.
    crossed: bool,
    pair_ring: PairRing,
}

/// How two members pass pieces to each other; both know it.
#[derive(Clone, Debug, Default)]
struct PairRing {
    /// Who has passed something last, where its first piece lay, and the place behind its last one.
    producer: Option<u32>,
    first: usize,
    next: usize,
    /// The calls that had the places last.
    calls: [u64; PAIR_RING_PLACES],
}

impl PairRing {
    /// The place of piece number `piece` of what `producer` passes.
    #[inline]
    fn place(&mut self, piece: usize, producer: u32) -> usize {
        if piece == 0 && self.producer.replace(producer) == Some(producer) {
            self.first = self.next;
        }
        let place = (self.first + piece) % PAIR_RING_PLACES;
        self.next = (place + 1) % PAIR_RING_PLACES;
        place
    }
}

/// Where the pieces of a call lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Each row's in its own track, if there are any.
    Own,
    Exchanged,
    /// In the passing place of that number.
    PairRing(usize),
}

/// A part of a track, from `begin` to `end`, and where in it this member's next piece begins.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(loom, allow(dead_code))]
struct RingPartition {
    begin: usize,
    end: usize,
    head: usize,
}

impl RingPartition {
    fn new(begin: usize, end: usize) -> RingPartition {
        RingPartition { begin, end, head: begin }
    }

    /// Where a piece of so many bytes lies next.
    #[cfg(not(loom))]
    #[inline]
    fn next(&mut self, length: usize) -> usize {
        assert!(length <= PIECE_MAX_BYTES, "a piece of {length} bytes");
        let begin = if self.head + length <= self.end { self.head } else { self.begin };
        // The processor reads ahead within a page.
        self.head = (begin + length).next_multiple_of(PAGE_BYTES);
        begin
    }
}

impl Rings {
    pub(super) fn new(bytes: usize) -> Rings {
        assert!(bytes == 0 || bytes >= RING_MIN_BYTES, "a track of {bytes} bytes");
        let partitions = [RingPartition::new(0, bytes), RingPartition::default()];
        Rings {
            bytes,
            partitions,
            partition: 0,
            kind: Kind::Own,
            crossed: false,
            pair_ring: PairRing::default(),
        }
    }
}

impl<S: Surface> CollSegment<S> {
    /// From now on pieces of calls with a root have a lane of their own in each track, if that has room for two; all members say so.
    pub fn split_rings(&mut self) {
        let rings = &mut self.rings;
        if rings.bytes >= 2 * RING_MIN_BYTES {
            rings.partitions = [
                RingPartition::new(0, RING_MIN_BYTES),
                RingPartition::new(RING_MIN_BYTES, rings.bytes),
            ];
        }
    }

    /// From now on two members may trade places, and pass things; both say so.
    pub fn allow_exchange(&mut self) {
        let bytes = self.rings.bytes;
        assert!(
            self.members == 2 && bytes >= RING_MIN_BYTES + PAIR_PLACES_BYTES,
            "two members with long tracks"
        );
        self.rings.partitions[0] = RingPartition::new(PAIR_PLACES_BYTES, bytes);
    }

    /// Whether each row has a track.
    #[inline]
    pub fn has_rings(&self) -> bool {
        self.rings.bytes > 0
    }

    /// As `begin`, of a call in which rows publish pieces in their tracks, with a root or so that all meet. As many calls as may be under way then fill no more
    /// than their lane, of which the end may be left out.
    #[inline]
    pub fn begin_in_ring(&mut self, rooted: bool) {
        self.begin(0);
        let rings = &mut self.rings;
        rings.partition = usize::from(rooted && rings.partitions[1].end > 0);
        let partition = rings.partitions[rings.partition];
        self.depth = (((partition.end - partition.begin) / PIECE_MAX_BYTES).saturating_sub(1)
            as u64)
            .clamp(1, SLOTS);
    }

    /// As `begin`, of a call in which two members trade places.
    #[inline]
    pub fn begin_exchange(&mut self) {
        self.begin(0);
        self.rings.kind = Kind::Exchanged;
        self.rings.crossed = !self.rings.crossed;
    }

    /// As `begin`, of a call in which `producer`, one of two members, passes piece number `piece` of something to the other.
    #[inline]
    pub fn begin_in_pair_ring(&mut self, piece: usize, producer: u32) {
        self.begin(0);
        self.pass(piece, producer);
    }

    /// The call that has begun turns out to be such a one: both members say so of the same calls.
    #[inline]
    pub fn pass(&mut self, piece: usize, producer: u32) {
        let place = self.rings.pair_ring.place(piece, producer);
        let last = std::mem::replace(&mut self.rings.pair_ring.calls[place], self.call);
        self.depth = (self.call - last).min(SLOTS);
        self.rings.kind = Kind::PairRing(place);
    }

    /// The row in whose track the piece of `row` lies in this call.
    #[inline]
    pub fn home(&self, row: u32) -> u32 {
        match self.rings.kind {
            Kind::Own => row,
            Kind::Exchanged if self.rings.crossed => 1 - row,
            Kind::Exchanged => row,
            Kind::PairRing(_) => 0,
        }
    }

    /// Where in the track a piece of so many bytes lies next.
    #[cfg(not(loom))]
    #[inline]
    pub(super) fn next_in_ring(&mut self, length: usize) -> usize {
        self.rings.partitions[self.rings.partition].next(length)
    }

    /// Where the places begin that are traded or passed in this call, and how long a piece may be.
    #[inline]
    pub fn place_of_pair(&self) -> (usize, usize) {
        match self.rings.kind {
            Kind::Own => (0, 0),
            Kind::Exchanged => (0, EXCHANGE_MAX_BYTES),
            Kind::PairRing(place) => {
                (EXCHANGE_BYTES + place * PAIR_RING_PLACE_BYTES, PAIR_RING_CHUNK_BYTES)
            }
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::super::Mapped;
    use super::super::tests::{coll_segments, coll_segments_with_rings};
    use super::*;
    use nemesis_wire::CACHE_LINE_BYTES;

    #[test]
    fn pieces_in_a_track_stay_until_all_have_left_their_calls() {
        pieces_stay(coll_segments(2), |_| false);
    }

    #[test]
    fn pieces_in_two_lanes_stay_until_all_have_left_their_calls() {
        for period in [1, 2, 5] {
            let mut coll_segments = coll_segments_with_rings(2, 3 * RING_MIN_BYTES);
            coll_segments.iter_mut().for_each(CollSegment::split_rings);
            pieces_stay(coll_segments, |number| number / period % 2 == 0);
        }
    }

    #[test]
    fn a_lane_for_roots_takes_four_pieces_behind_a_call_in_which_all_met() {
        let mut coll_segments = coll_segments_with_rings(2, RING_MIN_BYTES + 6 * PIECE_MAX_BYTES);
        coll_segments.iter_mut().for_each(CollSegment::split_rings);
        for _ in 0..3 {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(0));
            coll_segments.iter_mut().for_each(CollSegment::met_all);
            for _ in 0..4 {
                coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin_in_ring(true));
                assert!(coll_segments[0].is_free());
                coll_segments[0].next_piece(PIECE_MAX_BYTES);
                coll_segments.iter().for_each(CollSegment::retire);
            }
        }
    }

    fn pieces_stay(mut coll_segments: Vec<CollSegment<Mapped>>, rooted: impl Fn(usize) -> bool) {
        let (mut lying, mut waits): (Vec<(u64, usize, usize)>, _) = (Vec::new(), 0);
        for (number, length) in (1..400).map(|number| (number, 1 + number * 7919 % PIECE_MAX_BYTES))
        {
            coll_segments
                .iter_mut()
                .for_each(|coll_segment| coll_segment.begin_in_ring(rooted(number)));
            if !coll_segments[0].is_free() {
                waits += 1;
                coll_segments[1].retire_from_last();
                assert!(
                    coll_segments[0].is_free() || {
                        coll_segments[0].retire_from_last();
                        coll_segments[0].is_free()
                    }
                );
            }
            let (call, retired) = (coll_segments[0].call, coll_segments[0].retired);
            lying.retain(|&(call, ..)| call > retired);
            let (begin, place) = coll_segments[0].next_piece(length);
            place.fill(call as u8);
            assert!(
                lying
                    .iter()
                    .all(|&(_, other, bytes)| begin + length <= other || other + bytes <= begin),
                "piece {call} meets another"
            );
            lying.push((call, begin, length));
            assert_eq!(coll_segments[1].piece(0, begin, length), vec![call as u8; length]);
        }
        assert!(waits > 10, "{waits}");
    }

    #[test]
    fn pieces_need_nobodys_word_after_calls_in_which_all_met() {
        let mut coll_segments = coll_segments(2);
        for _ in 0..2 * SLOTS {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin_in_ring(false));
            assert!(coll_segments.iter_mut().all(|coll_segment| coll_segment.is_free()));
            coll_segments.iter_mut().for_each(CollSegment::met_all);
        }
    }

    #[test]
    fn two_write_where_they_have_read() {
        let mut coll_segments = coll_segments_with_rings(2, RING_MIN_BYTES + PAIR_PLACES_BYTES);
        coll_segments.iter_mut().for_each(CollSegment::allow_exchange);
        let mut read_by_first = None;
        for call in 1..100usize {
            let length = if call.is_multiple_of(3) { EXCHANGE_MAX_BYTES } else { call };
            coll_segments.iter_mut().for_each(CollSegment::begin_exchange);
            assert!(coll_segments.iter_mut().all(CollSegment::is_free));
            let mut begins = [0; 2];
            for (me, coll_segment) in coll_segments.iter_mut().enumerate() {
                let (begin, place) = coll_segment.piece_of_pair(call * 24, length);
                let distance = (begin + 8192 - call * 24 % PAGE_BYTES) % PAGE_BYTES;
                assert!(
                    distance <= PAGE_BYTES / 2 && distance > PAGE_BYTES / 2 - CACHE_LINE_BYTES,
                    "{distance}"
                );
                assert!(
                    me > 0
                        || read_by_first.is_none_or(|read: usize| read
                            .abs_diff(place.as_ptr().addr())
                            < PAGE_BYTES)
                );
                place.fill((2 * call + me) as u8);
                begins[me] = begin;
            }
            for (me, coll_segment) in coll_segments.iter_mut().enumerate() {
                let other = 1 - me;
                let piece = coll_segment.piece(other as u32, begins[other], length);
                assert_eq!(piece, vec![(2 * call + other) as u8; length]);
                if me == 0 {
                    read_by_first = Some(piece.as_ptr().addr());
                }
                coll_segment.met_all();
            }
            if call.is_multiple_of(5) {
                // Pieces of other calls lie behind.
                coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin_in_ring(false));
                let (begin, place) = coll_segments[0].next_piece(PIECE_MAX_BYTES);
                assert!(
                    begin >= PAIR_PLACES_BYTES
                        && begin + PIECE_MAX_BYTES <= RING_MIN_BYTES + PAIR_PLACES_BYTES
                );
                place.fill(0);
                coll_segments.iter_mut().for_each(CollSegment::met_all);
            }
        }
    }

    #[test]
    fn who_passes_after_the_other_writes_where_it_has_read() {
        let mut coll_segments = coll_segments_with_rings(2, RING_MIN_BYTES + PAIR_PLACES_BYTES);
        coll_segments.iter_mut().for_each(CollSegment::allow_exchange);
        let (mut last, mut addresses, mut waits): (_, Vec<usize>, _) = (2, Vec::new(), 0);
        // The calls in which each line was passed last: nobody may still read it when it is written again.
        let mut lines = vec![0; PAIR_PLACES_BYTES / CACHE_LINE_BYTES];
        for message in 1..200usize {
            let (producer, pieces) = (message / 3 * 7919 % 2, 1 + message * 31 % PAIR_RING_CHUNKS);
            let (mut before, address) = (std::mem::take(&mut addresses), message * 24);
            for piece in 0..pieces {
                let length =
                    if message.is_multiple_of(2) { PAIR_RING_CHUNK_BYTES } else { message };
                coll_segments.iter_mut().for_each(|coll_segment| {
                    coll_segment.begin_in_pair_ring(piece, producer as u32)
                });
                if !coll_segments[producer].is_free() {
                    waits += 1;
                    coll_segments.iter().for_each(CollSegment::retire_from_last);
                    assert!(coll_segments[producer].is_free());
                }
                let (call, retired) =
                    (coll_segments[producer].call, coll_segments[producer].retired);
                let (begin, place) = coll_segments[producer].piece_of_pair(address, length);
                let distance = (begin + 2 * PAGE_BYTES - address % PAGE_BYTES) % PAGE_BYTES;
                assert!(
                    distance <= PAGE_BYTES / 2 && distance > PAGE_BYTES / 2 - CACHE_LINE_BYTES,
                    "{distance}"
                );
                place.fill(call as u8);
                addresses.push(place.as_ptr().addr());
                for line in &mut lines
                    [begin / CACHE_LINE_BYTES..(begin + length).div_ceil(CACHE_LINE_BYTES)]
                {
                    assert!(
                        *line <= retired,
                        "call {call} writes what call {line} passed, {retired} have ended"
                    );
                    *line = call;
                }
                assert_eq!(
                    coll_segments[1 - producer].piece(producer as u32, begin, length),
                    vec![call as u8; length]
                );
            }
            before.truncate(pieces);
            let again = before
                .iter()
                .zip(&addresses)
                .all(|(before, now)| before.abs_diff(*now) < PAGE_BYTES + CACHE_LINE_BYTES);
            assert_eq!(again, producer != last || before.is_empty(), "message {message}");
            last = producer;
        }
        assert!(waits > 10, "{waits}");
    }

    #[test]
    fn places_beyond_a_track_lead_nowhere() {
        let coll_segments = coll_segments(2);
        for (row, begin, length) in
            [(0, RING_MIN_BYTES, 1), (1, usize::MAX, 2), (1, RING_MIN_BYTES - 5, 6), (2, 0, 1)]
        {
            assert_eq!(coll_segments[0].piece(row, begin, length), []);
        }
        assert_eq!(coll_segments[0].piece(1, RING_MIN_BYTES - 5, 5), [0; 5]);
    }
}
