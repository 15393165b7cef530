//! Where chunks lie that staging buffers do not hold: in rings, in exchange buffers, and in the
//! pair ring.
//!
//! ```text
//!   a row's ring:       | chunk | chunk | free …          | chunk | chunk …
//!                         calls in which all synchronise    calls with a root
//!
//!   of two members:     | exchange buffer | pair ring (only in row 0) | chunk | chunk | free …
//! ```
//!
//! *Rings.* Chunks follow one another and wrap around. The row's line says where a chunk lies. A
//! ring is longer than all chunks that may be under way together. It may have two partitions: one
//! for calls in which all members synchronise on each chunk, of which few are under way, and one
//! for calls with a root, for which the other members need not wait. Or short chunks take turns in
//! a few buffers at its front: their pages exist after a few calls, while a whole ring has a new
//! page for each of the first calls, and for each member.
//!
//! *Exchange buffers.* In calls in which two members publish for each other, each writes its chunk
//! into the buffer from which it has read the other's last one, because its own caches hold those
//! lines. No other member reads that buffer, and by having read it a member knows that it may write
//! it, so no words are read.
//!
//! *Pair ring.* Chunks that one of two members sends to the other go through buffers that both
//! write. If the other member was the last to send, this one writes where it has read that, because
//! its own caches hold those lines. If it was the last to send itself, it continues after its last
//! chunk, and wraps around. A buffer is written again when both have retired from the call that
//! used it last.

use super::{CollSegment, RING_CHUNK_MAX_BYTES, SLOTS, SharedWords};
use crate::PAGE_BYTES;

/// Shortest ring: it holds the chunks of two calls wherever they lie. With space for one, a call
/// could wait for ever if it follows a call in which all synchronised and from which no member
/// publishes that it has retired.
pub const RING_MIN_BYTES: usize = 3 * RING_CHUNK_MAX_BYTES;
/// Longest chunk in the buffers of short chunks.
const SHORT_CHUNK_BYTES: usize = 8 << 10;
/// Bytes of the buffers of short chunks: one more than calls may be under way, so that a buffer is
/// written again when all members have left the call that used it last.
pub const SHORT_CHUNKS_BYTES: usize = (SLOTS as usize + 1) * SHORT_CHUNK_BYTES;
/// Longest chunk that two members exchange. The exchange buffers lie at the front of the rings, and
/// a chunk begins in the first page of one.
pub const EXCHANGE_MAX_BYTES: usize = 128 << 10;
const EXCHANGE_BUFFER_BYTES: usize = EXCHANGE_MAX_BYTES + 2 * PAGE_BYTES;
/// Longest chunk in the pair ring.
pub const PAIR_RING_CHUNK_BYTES: usize = 18 << 10;
/// Most chunks of one message in the pair ring. There are twice as many buffers. A chunk
/// begins in the first page of one.
pub const PAIR_RING_CHUNKS: usize = 8;
const PAIR_RING_BUFFERS: usize = 2 * PAIR_RING_CHUNKS;
const PAIR_RING_BUFFER_BYTES: usize = PAIR_RING_CHUNK_BYTES + 2 * PAGE_BYTES;
/// Bytes of an exchange buffer and the pair ring, which precede the chunks in a ring of two
/// members.
pub const PAIR_BUFFERS_BYTES: usize =
    EXCHANGE_BUFFER_BYTES + PAIR_RING_BUFFERS * PAIR_RING_BUFFER_BYTES;

/// What a member knows of the rings.
#[derive(Clone, Debug)]
pub(super) struct Rings {
    /// Bytes of each ring; 0 if there are none.
    pub(super) bytes: usize,
    /// The buffers of short chunks; of no length if there are none.
    short: RingPartition,
    partitions: [RingPartition; 2],
    /// Index of the partition that the call uses.
    partition: usize,
    pub(super) location: Location,
    /// Whether each of two members writes into the exchange buffer in the other's ring.
    swapped: bool,
    pair_ring: PairRing,
}

/// The state of the pair ring, which both members know.
#[derive(Clone, Debug, Default)]
struct PairRing {
    /// The member that has sent last.
    producer: Option<u32>,
    /// Index of the buffer of its first chunk.
    first: usize,
    /// Index of the buffer after its last chunk.
    next: usize,
    /// Numbers of the calls that used the buffers last.
    calls: [u64; PAIR_RING_BUFFERS],
}

impl PairRing {
    /// Returns the index of the buffer of chunk number `chunk` of what `producer` sends.
    #[inline]
    fn buffer(&mut self, chunk: usize, producer: u32) -> usize {
        if chunk == 0 && self.producer.replace(producer) == Some(producer) {
            self.first = self.next;
        }
        let buffer = (self.first + chunk) % PAIR_RING_BUFFERS;
        self.next = (buffer + 1) % PAIR_RING_BUFFERS;
        buffer
    }
}

/// Where the chunks of a call lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Location {
    /// Each row's chunk lies in its own ring, if there are rings.
    OwnRing,
    /// In the exchange buffers.
    ExchangeBuffer,
    /// In the buffer of that index of the pair ring.
    PairRing(usize),
}

/// A part of a ring, from `begin` to `end`, and where in it this member's next chunk begins.
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

    /// Returns where the next chunk of `length` bytes lies.
    #[cfg(not(loom))]
    #[inline]
    fn next(&mut self, length: usize) -> usize {
        assert!(length <= RING_CHUNK_MAX_BYTES, "a chunk of {length} bytes");
        let begin = if self.head + length <= self.end { self.head } else { self.begin };
        // The processor prefetches within a page.
        self.head = (begin + length).next_multiple_of(PAGE_BYTES);
        begin
    }
}

impl Rings {
    pub(super) fn new(bytes: usize) -> Rings {
        assert!(bytes == 0 || bytes >= RING_MIN_BYTES, "a ring of {bytes} bytes");
        let partitions = [RingPartition::new(0, bytes), RingPartition::default()];
        Rings {
            bytes,
            short: RingPartition::default(),
            partitions,
            partition: 0,
            location: Location::OwnRing,
            swapped: false,
            pair_ring: PairRing::default(),
        }
    }
}

impl<S: SharedWords> CollSegment<S> {
    /// Gives chunks of calls with a root a partition of their own in each ring, if the ring has
    /// space for two. All members call this at once.
    pub fn split_rings(&mut self) {
        let rings = &mut self.rings;
        if rings.bytes >= 2 * RING_MIN_BYTES {
            rings.partitions = [
                RingPartition::new(0, RING_MIN_BYTES),
                RingPartition::new(RING_MIN_BYTES, rings.bytes),
            ];
        }
    }

    /// Gives short chunks buffers of their own at the front of this member's ring. Readers find a
    /// chunk by the row's line, wherever it lies.
    ///
    /// # Panics
    /// If the ring has less than [`RING_MIN_BYTES`] + [`SHORT_CHUNKS_BYTES`].
    pub fn allow_short_chunks(&mut self) {
        let rings = &mut self.rings;
        assert!(rings.bytes >= RING_MIN_BYTES + SHORT_CHUNKS_BYTES, "a long ring");
        rings.short = RingPartition::new(0, SHORT_CHUNKS_BYTES);
        rings.partitions[0] = RingPartition::new(SHORT_CHUNKS_BYTES, rings.bytes);
    }

    /// Lets two members use exchange buffers and the pair ring. Both members call this at once.
    ///
    /// # Panics
    /// If there are not two members with rings of [`RING_MIN_BYTES`] + [`PAIR_BUFFERS_BYTES`] or
    /// more.
    pub fn allow_exchange(&mut self) {
        let bytes = self.rings.bytes;
        assert!(
            self.members == 2 && bytes >= RING_MIN_BYTES + PAIR_BUFFERS_BYTES,
            "two members with long rings"
        );
        self.rings.partitions[0] = RingPartition::new(PAIR_BUFFERS_BYTES, bytes);
    }

    /// Whether each row has a ring.
    #[inline]
    pub fn has_rings(&self) -> bool {
        self.rings.bytes > 0
    }

    /// Begins a call, as [`begin`](Self::begin) does, in which rows publish chunks in their rings:
    /// either with a root, or such that all members synchronise. The chunks of all calls that may
    /// be under way fit into their partition, the end of which may stay unused.
    #[inline]
    pub fn begin_in_ring(&mut self, rooted: bool) {
        self.begin(0);
        let rings = &mut self.rings;
        rings.partition = usize::from(rooted && rings.partitions[1].end > 0);
        let partition = rings.partitions[rings.partition];
        self.depth = (((partition.end - partition.begin) / RING_CHUNK_MAX_BYTES).saturating_sub(1)
            as u64)
            .clamp(1, SLOTS);
    }

    /// Begins a call, as [`begin`](Self::begin) does, in which two members exchange chunks.
    #[inline]
    pub fn begin_exchange(&mut self) {
        self.begin(0);
        self.rings.location = Location::ExchangeBuffer;
        self.rings.swapped = !self.rings.swapped;
    }

    /// Begins a call, as [`begin`](Self::begin) does, in which `producer`, one of two members,
    /// sends chunk number `chunk` of a message to the other.
    #[inline]
    pub fn begin_in_pair_ring(&mut self, chunk: usize, producer: u32) {
        self.begin(0);
        self.use_pair_ring(chunk, producer);
    }

    /// Turns the call that has begun into one that sends a chunk through the pair ring. Both
    /// members do so in the same calls.
    #[inline]
    pub fn use_pair_ring(&mut self, chunk: usize, producer: u32) {
        let buffer = self.rings.pair_ring.buffer(chunk, producer);
        let last = std::mem::replace(&mut self.rings.pair_ring.calls[buffer], self.call);
        self.depth = (self.call - last).min(SLOTS);
        self.rings.location = Location::PairRing(buffer);
    }

    /// Returns the row in the ring of which the chunk of `row` lies in this call.
    #[inline]
    pub fn ring_of(&self, row: u32) -> u32 {
        match self.rings.location {
            Location::OwnRing => row,
            Location::ExchangeBuffer if self.rings.swapped => 1 - row,
            Location::ExchangeBuffer => row,
            Location::PairRing(_) => 0,
        }
    }

    /// Returns where in the ring the next chunk of `length` bytes lies.
    #[cfg(not(loom))]
    #[inline]
    pub(super) fn next_in_ring(&mut self, length: usize) -> usize {
        match length <= SHORT_CHUNK_BYTES && self.rings.short.end > 0 {
            true => self.rings.short.next(SHORT_CHUNK_BYTES),
            false => self.rings.partitions[self.rings.partition].next(length),
        }
    }

    /// Returns where the exchange buffer or pair ring buffer of this call begins in the ring, and
    /// the length of the longest chunk.
    #[inline]
    pub fn pair_buffer(&self) -> (usize, usize) {
        match self.rings.location {
            Location::OwnRing => (0, 0),
            Location::ExchangeBuffer => (0, EXCHANGE_MAX_BYTES),
            Location::PairRing(buffer) => {
                (EXCHANGE_BUFFER_BYTES + buffer * PAIR_RING_BUFFER_BYTES, PAIR_RING_CHUNK_BYTES)
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
    fn chunks_in_a_ring_stay_until_all_have_left_their_calls() {
        chunks_stay(coll_segments(2), |_| false);
    }

    #[test]
    fn chunks_in_two_partitions_stay_until_all_have_left_their_calls() {
        for period in [1, 2, 5] {
            let mut coll_segments = coll_segments_with_rings(2, 3 * RING_MIN_BYTES);
            coll_segments.iter_mut().for_each(CollSegment::split_rings);
            chunks_stay(coll_segments, |number| number / period % 2 == 0);
        }
    }

    #[test]
    fn short_chunks_stay_until_all_have_left_their_calls() {
        let mut coll_segments = coll_segments_with_rings(2, RING_MIN_BYTES + SHORT_CHUNKS_BYTES);
        coll_segments.iter_mut().for_each(CollSegment::allow_short_chunks);
        chunks_stay(coll_segments, |_| false);
    }

    #[test]
    fn short_chunks_take_turns_in_their_buffers() {
        let mut coll_segments = coll_segments_with_rings(3, RING_MIN_BYTES + SHORT_CHUNKS_BYTES);
        let segment = &mut coll_segments[0];
        segment.allow_short_chunks();
        let begins: Vec<usize> = (0..3 * SLOTS).map(|_| segment.next_in_ring(1)).collect();
        assert!(begins.iter().all(|begin| begin + SHORT_CHUNK_BYTES <= SHORT_CHUNKS_BYTES));
        let is_new = |run: &[usize]| run[1..].iter().all(|begin| *begin != run[0]);
        assert!(begins.windows(SLOTS as usize + 1).all(is_new));
        assert!(segment.next_in_ring(SHORT_CHUNK_BYTES + 1) >= SHORT_CHUNKS_BYTES);
    }

    #[test]
    fn a_partition_for_roots_holds_four_chunks_after_a_call_in_which_all_synchronised() {
        let mut coll_segments =
            coll_segments_with_rings(2, RING_MIN_BYTES + 6 * RING_CHUNK_MAX_BYTES);
        coll_segments.iter_mut().for_each(CollSegment::split_rings);
        for _ in 0..3 {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(0));
            coll_segments.iter_mut().for_each(CollSegment::heard_from_all);
            for _ in 0..4 {
                coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin_in_ring(true));
                assert!(coll_segments[0].is_free());
                coll_segments[0].next_chunk(RING_CHUNK_MAX_BYTES);
                coll_segments.iter().for_each(CollSegment::retire);
            }
        }
    }

    fn chunks_stay(mut coll_segments: Vec<CollSegment<Mapped>>, rooted: impl Fn(usize) -> bool) {
        let (mut lying, mut waits): (Vec<(u64, usize, usize)>, _) = (Vec::new(), 0);
        for (number, length) in
            (1..400).map(|number| (number, 1 + number * 7919 % RING_CHUNK_MAX_BYTES))
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
            let (begin, buffer) = coll_segments[0].next_chunk(length);
            buffer.fill(call as u8);
            assert!(
                lying
                    .iter()
                    .all(|&(_, other, bytes)| begin + length <= other || other + bytes <= begin),
                "chunk {call} overlaps another"
            );
            lying.push((call, begin, length));
            assert_eq!(coll_segments[1].chunk(0, begin, length), vec![call as u8; length]);
        }
        assert!(waits > 10, "{waits}");
    }

    #[test]
    fn chunks_need_no_word_of_retirement_after_calls_in_which_all_synchronised() {
        let mut coll_segments = coll_segments(2);
        for _ in 0..2 * SLOTS {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin_in_ring(false));
            assert!(coll_segments.iter_mut().all(|coll_segment| coll_segment.is_free()));
            coll_segments.iter_mut().for_each(CollSegment::heard_from_all);
        }
    }

    #[test]
    fn two_members_write_where_they_have_read() {
        let mut coll_segments = coll_segments_with_rings(2, RING_MIN_BYTES + PAIR_BUFFERS_BYTES);
        coll_segments.iter_mut().for_each(CollSegment::allow_exchange);
        let mut read_by_first = None;
        for call in 1..100usize {
            let length = if call.is_multiple_of(3) { EXCHANGE_MAX_BYTES } else { call };
            coll_segments.iter_mut().for_each(CollSegment::begin_exchange);
            assert!(coll_segments.iter_mut().all(CollSegment::is_free));
            let mut begins = [0; 2];
            for (me, coll_segment) in coll_segments.iter_mut().enumerate() {
                let (begin, buffer) = coll_segment.pair_chunk(call * 24, length);
                let distance = (begin + 8192 - call * 24 % PAGE_BYTES) % PAGE_BYTES;
                assert!(
                    distance <= PAGE_BYTES / 2 && distance > PAGE_BYTES / 2 - CACHE_LINE_BYTES,
                    "{distance}"
                );
                assert!(
                    me > 0
                        || read_by_first.is_none_or(|read: usize| read
                            .abs_diff(buffer.as_ptr().addr())
                            < PAGE_BYTES)
                );
                buffer.fill((2 * call + me) as u8);
                begins[me] = begin;
            }
            for (me, coll_segment) in coll_segments.iter_mut().enumerate() {
                let other = 1 - me;
                let chunk = coll_segment.chunk(other as u32, begins[other], length);
                assert_eq!(chunk, vec![(2 * call + other) as u8; length]);
                if me == 0 {
                    read_by_first = Some(chunk.as_ptr().addr());
                }
                coll_segment.heard_from_all();
            }
            if call.is_multiple_of(5) {
                // Chunks of other calls lie after the exchange buffers.
                coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin_in_ring(false));
                let (begin, buffer) = coll_segments[0].next_chunk(RING_CHUNK_MAX_BYTES);
                assert!(
                    begin >= PAIR_BUFFERS_BYTES
                        && begin + RING_CHUNK_MAX_BYTES <= RING_MIN_BYTES + PAIR_BUFFERS_BYTES
                );
                buffer.fill(0);
                coll_segments.iter_mut().for_each(CollSegment::heard_from_all);
            }
        }
    }

    #[test]
    fn a_member_that_sends_after_the_other_writes_where_it_has_read() {
        let mut coll_segments = coll_segments_with_rings(2, RING_MIN_BYTES + PAIR_BUFFERS_BYTES);
        coll_segments.iter_mut().for_each(CollSegment::allow_exchange);
        let (mut last, mut addresses, mut waits): (_, Vec<usize>, _) = (2, Vec::new(), 0);
        // The calls in which each line was sent last: no member may still read it when it is
        // written again.
        let mut lines = vec![0; PAIR_BUFFERS_BYTES / CACHE_LINE_BYTES];
        for message in 1..200usize {
            let (producer, chunks) = (message / 3 * 7919 % 2, 1 + message * 31 % PAIR_RING_CHUNKS);
            let (mut before, address) = (std::mem::take(&mut addresses), message * 24);
            for chunk in 0..chunks {
                let length =
                    if message.is_multiple_of(2) { PAIR_RING_CHUNK_BYTES } else { message };
                coll_segments.iter_mut().for_each(|coll_segment| {
                    coll_segment.begin_in_pair_ring(chunk, producer as u32)
                });
                if !coll_segments[producer].is_free() {
                    waits += 1;
                    coll_segments.iter().for_each(CollSegment::retire_from_last);
                    assert!(coll_segments[producer].is_free());
                }
                let (call, retired) =
                    (coll_segments[producer].call, coll_segments[producer].retired);
                let (begin, buffer) = coll_segments[producer].pair_chunk(address, length);
                let distance = (begin + 2 * PAGE_BYTES - address % PAGE_BYTES) % PAGE_BYTES;
                assert!(
                    distance <= PAGE_BYTES / 2 && distance > PAGE_BYTES / 2 - CACHE_LINE_BYTES,
                    "{distance}"
                );
                buffer.fill(call as u8);
                addresses.push(buffer.as_ptr().addr());
                for line in &mut lines
                    [begin / CACHE_LINE_BYTES..(begin + length).div_ceil(CACHE_LINE_BYTES)]
                {
                    assert!(
                        *line <= retired,
                        "call {call} writes what call {line} sent, {retired} have ended"
                    );
                    *line = call;
                }
                assert_eq!(
                    coll_segments[1 - producer].chunk(producer as u32, begin, length),
                    vec![call as u8; length]
                );
            }
            before.truncate(chunks);
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
    fn chunks_outside_a_ring_lead_to_no_data() {
        let coll_segments = coll_segments(2);
        for (row, begin, length) in
            [(0, RING_MIN_BYTES, 1), (1, usize::MAX, 2), (1, RING_MIN_BYTES - 5, 6), (2, 0, 1)]
        {
            assert_eq!(coll_segments[0].chunk(row, begin, length), []);
        }
        assert_eq!(coll_segments[0].chunk(1, RING_MIN_BYTES - 5, 5), [0; 5]);
    }
}
