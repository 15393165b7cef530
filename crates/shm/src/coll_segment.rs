//! The board: where the members of a group on one node meet in their collective calls.
//!
//! Members call in the same order, so calls have numbers. A call uses one of [`SLOTS`] slots in turn, and a slot has for every member, and for all
//! together, a *row*: two lines on which something is published, each with its number, and a *room* for what does not fit a line.
//!
//! ```text
//!   slot 0:   [gate of A] [gate of B]  common: [A] [B]  row 0: [A] [B]  row 1: [A] [B] …      a line: | call | length | 48 bytes |
//!   slot 1:   …                                                                         gate of A: | arrived | dozers |
//!   retired:  [row 0] [row 1] …
//!   rooms:    common: room 0, room 1, …   row 0: …
//!   tracks:   row 0: | piece | piece | free …   row 1: …
//! ```
//!
//! The words of a call lie together, so that a process that gets the processor for it alone finds them in one or two pages.
//!
//! A call may have two phases, A and B. In each a member may publish on its line, or arrive at the phase's gate, which tells the last one that it is the
//! last; what comes of it is agreed by the algorithm, as is who writes a row: mostly its member.
//!
//! *Reuse.* Nobody touches a slot before all have retired from the call that used it last, [`SLOTS`] calls ago; a large room comes round sooner. A call in
//! which everybody hears of everybody proves that all have retired from the one before; only when such proofs are missing, the words are read. Who
//! retires from such a call itself need not say so: the next one does.
//!
//! A board may have *tracks* ([`rings`]) for what rooms do not hold.
//!
//! Ordering edges:
//! * E1 *publication*: writes to line and room → Release store of the call's number → Acquire load in [`CollSegment::is_published`].
//! * E2 *gate*: what a member published → its arrival → the last one's arrival, AcqRel each, which sees what all have published.
//! * E3 *reuse*: a member's reads → Release store of `retired` → Acquire load in [`CollSegment::is_free`], before the slot is written again.
//!
//! All words are written by others as well, and none becomes an address: lengths are clamped to what a line or a room holds.

use crate::PAGE_BYTES;
use nemesis_sync::{AtomicU64, Ordering, light_barrier};
use nemesis_wire::CACHE_LINE_BYTES;

/// Calls that may be under way at the same time: a root may be so far ahead of the others.
#[cfg(not(loom))]
pub const SLOTS: u64 = 16;
#[cfg(loom)]
pub const SLOTS: u64 = 2;
/// Data that a line carries besides the number of its call and a length.
pub const INLINE_BYTES: usize = 48;
/// What a call may publish in a row, if it is not words: more than a line holds goes to a room.
pub const STAGING_BYTES: usize = 64 << 10;
/// What a small room holds. A row has as many of them as there are slots, or a few large ones in the same memory, which a second-level cache holds for a
/// few members.
pub const SHORT_STAGING_BYTES: usize = 16 << 10;
/// Large rooms of a row.
pub const LARGE_STAGING_BUFFERS: usize = 4;
const ALL_STAGING_BYTES: usize = LARGE_STAGING_BUFFERS * STAGING_BYTES;
/// The longest piece in a track.
pub const PIECE_MAX_BYTES: usize = 256 << 10;
/// Words that a line carries where it has no data.
pub const INLINE_WORDS: usize = INLINE_BYTES / 8;
/// The length of a line that has words instead of data.
const WORDS: usize = usize::MAX;
/// The length of a line whose writer failed.
const FAILED: usize = usize::MAX - 1;

/// Offset of the number of dozers in the first gate's line.
const SLEEPERS: usize = 8;
/// Offset of the length in a line.
const LENGTH: usize = 8;
const PAYLOAD: usize = CACHE_LINE_BYTES - INLINE_BYTES;

/// The two parts of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    A = 0,
    B = 1,
}

/// A call of several that are under way at the same time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Turn {
    call: u64,
    slot: usize,
    depth: u64,
    room: usize,
}

impl Turn {
    /// The number of the call.
    #[inline]
    pub fn number(self) -> u64 {
        self.call
    }
}

/// Where a board's words lie: the segment, or a test's memory. New memory is zero.
pub trait Surface {
    fn word(&self, offset: usize) -> &AtomicU64;
}

/// A member's view of the board.
#[derive(Clone, Debug)]
pub struct CollSegment<S> {
    surface: S,
    members: u32,
    me: u32,
    /// The number of the call under way, or of the last one.
    call: u64,
    /// All are known to have retired from this call and those before.
    retired: u64,
    /// Bytes of a slot, and where that of the call begins.
    slot_bytes: usize,
    slot: usize,
    /// Calls after which what this one uses is used again.
    depth: u64,
    /// The room of this call, if it needs one, or of the last that did: its length, and where in the row's rooms it begins.
    room_bytes: usize,
    room: usize,
    /// The calls that had the large rooms last.
    large: [u64; LARGE_STAGING_BUFFERS],
    rings: Rings,
}

impl<S: Surface> CollSegment<S> {
    /// Member number `me` of `members` comes to the board, which is all zero when the first one comes and has tracks of so many bytes, or none.
    pub fn new(surface: S, members: u32, me: u32, ring_bytes: usize) -> CollSegment<S> {
        assert!(me < members, "a member is one of them");
        CollSegment {
            surface,
            members,
            me,
            call: 0,
            retired: 0,
            slot_bytes: slot_bytes(members),
            slot: 0,
            depth: SLOTS,
            room_bytes: SHORT_STAGING_BYTES,
            room: 0,
            large: [0; LARGE_STAGING_BUFFERS],
            rings: Rings::new(ring_bytes),
        }
    }

    #[inline(always)]
    pub fn members(&self) -> u32 {
        self.members
    }

    /// This process's row.
    #[inline(always)]
    pub fn me(&self) -> u32 {
        self.me
    }

    /// The row of what all publish together.
    #[inline(always)]
    pub fn common(&self) -> u32 {
        self.members
    }

    #[inline(always)]
    fn arrival_counter(&self, phase: Phase) -> &AtomicU64 {
        self.surface.word(self.slot + phase as usize * CACHE_LINE_BYTES)
    }

    /// Members that wait in this call and may sleep. Who comes to the first gate last has the line already.
    #[inline(always)]
    fn sleepers(&self) -> &AtomicU64 {
        self.surface.word(self.slot + SLEEPERS)
    }

    /// The common row comes first.
    #[inline(always)]
    fn index(&self, row: u32) -> usize {
        assert!(row <= self.members, "row {row} of {}", self.members);
        if row == self.members { 0 } else { row as usize + 1 }
    }

    #[inline(always)]
    fn line(&self, row: u32, phase: Phase) -> usize {
        self.slot + (2 * (1 + self.index(row)) + phase as usize) * CACHE_LINE_BYTES
    }

    fn retired_word(&self, row: u32) -> &AtomicU64 {
        self.surface.word(SLOTS as usize * self.slot_bytes + row as usize * CACHE_LINE_BYTES)
    }

    /// Begins the next call, in which a member publishes up to `bytes` bytes in a row. Nothing of the
    /// call may be touched before [`is_free`](CollSegment::is_free) returns true.
    #[inline]
    pub fn begin(&mut self, bytes: usize) {
        self.call += 1;
        self.slot = (self.call % SLOTS) as usize * self.slot_bytes;
        self.depth = SLOTS;
        self.rings.kind = Kind::Own;
        if bytes > INLINE_BYTES {
            self.choose_room(if bytes <= SHORT_STAGING_BYTES {
                SHORT_STAGING_BYTES
            } else {
                STAGING_BYTES
            });
        }
    }

    /// The same if up to `bytes` bytes, no more than a short room holds, may be published at once; otherwise nothing has happened.
    #[inline(always)]
    pub fn try_begin(&mut self, bytes: usize) -> bool {
        if self.retired + SLOTS <= self.call && !self.has_free_slot()
            || bytes > INLINE_BYTES && self.room_bytes != SHORT_STAGING_BYTES
        {
            return false;
        }
        self.begin(bytes);
        true
    }

    /// Whether all have left the slot of the next call, by their own words.
    #[inline(never)]
    fn has_free_slot(&mut self) -> bool {
        self.ask_all();
        self.retired + SLOTS > self.call
    }

    /// Rooms of one length come round in turn. There are as many short ones as slots.
    #[inline]
    fn choose_room(&mut self, room_bytes: usize) {
        let index = (self.call % (ALL_STAGING_BYTES / room_bytes) as u64) as usize;
        self.room = index * room_bytes;
        if room_bytes != self.room_bytes {
            self.change_rooms(room_bytes);
        } else if room_bytes == STAGING_BYTES {
            self.depth = (self.call - self.large[index]).min(SLOTS);
        }
        if room_bytes == STAGING_BYTES {
            self.large[index] = self.call;
        }
    }

    /// Where the length of rooms changes, all must have left those of the other. So all say that they have come here.
    #[cold]
    fn change_rooms(&mut self, room_bytes: usize) {
        self.depth = 1;
        self.room_bytes = room_bytes;
        self.large = [0; LARGE_STAGING_BUFFERS];
        self.retire_from_last();
    }

    /// Whether everybody has left the slot of this call, and the rooms if it needs them.
    #[inline]
    pub fn is_free(&mut self) -> bool {
        self.retired + self.depth >= self.call || self.ask_all()
    }

    /// The same for one who has found it taken: whether so much is free that it need not ask again in each call.
    pub fn has_staging(&mut self) -> bool {
        self.ask_all();
        self.retired + self.depth.div_ceil(2) >= self.call
    }

    fn ask_all(&mut self) -> bool {
        // Acquire (E3): the members' reads from the slot come before our writes.
        let words = (0..self.members).map(|row| self.retired_word(row).load(Ordering::Acquire));
        self.retired = self.retired.max(words.min().unwrap_or(0));
        self.retired + self.depth >= self.call
    }

    /// Publishes `length` bytes that lie in a row's line or room, or elsewhere, as agreed.
    #[inline]
    pub fn publish(&self, row: u32, phase: Phase, length: usize) {
        let line = self.line(row, phase);
        // Relaxed: ordered by the number that follows.
        self.surface.word(line + LENGTH).store(length as u64, Ordering::Relaxed);
        // Release (E1): publishes line and room; pairs with the Acquire in `is_published`.
        self.surface.word(line).store(self.call, Ordering::Release);
    }

    /// Whether a row has been published in this call.
    #[inline]
    pub fn is_published(&self, row: u32, phase: Phase) -> bool {
        // Acquire (E1): pairs with the Release in `publish`.
        self.surface.word(self.line(row, phase)).load(Ordering::Acquire) == self.call
    }

    /// The length with which a row was published.
    #[inline]
    pub fn length(&self, row: u32, phase: Phase) -> usize {
        // Relaxed: ordered by the number, which the caller has seen.
        self.surface.word(self.line(row, phase) + LENGTH).load(Ordering::Relaxed) as usize
    }

    /// Publishes words in this process's line, up to six; its length says that they are no data.
    #[inline]
    pub fn set_words(&self, phase: Phase, words: &[u64]) {
        self.set_words_of(self.me, phase, words);
    }

    /// The same in a row that is the caller's to write.
    #[inline]
    pub fn set_words_of(&self, row: u32, phase: Phase, words: &[u64]) {
        assert!(words.len() <= INLINE_WORDS, "a line has {INLINE_WORDS} words");
        let line = self.line(row, phase) + PAYLOAD;
        for (index, &word) in words.iter().enumerate() {
            // Relaxed: as in `publish`, which follows.
            self.surface.word(line + 8 * index).store(word, Ordering::Relaxed);
        }
        self.publish(row, phase, WORDS);
    }

    /// Publishes that there is nothing to publish: the row's writer failed, for a reason that has a number.
    #[cold]
    pub fn fail(&self, row: u32, phase: Phase, reason: u32) {
        // Relaxed: as in `publish`, which follows.
        self.surface
            .word(self.line(row, phase) + PAYLOAD)
            .store(u64::from(reason), Ordering::Relaxed);
        self.publish(row, phase, FAILED);
    }

    /// Why a row's writer failed, if the row was published so.
    #[inline]
    pub fn failure(&self, row: u32, phase: Phase) -> Option<u64> {
        (self.length(row, phase) == FAILED).then(|| self.word(row, phase, 0))
    }

    /// Whether a row was published with words.
    #[inline]
    pub fn has_words(&self, row: u32, phase: Phase) -> bool {
        self.length(row, phase) == WORDS
    }

    /// A word of a row that was published with words.
    #[inline]
    pub fn word(&self, row: u32, phase: Phase, index: usize) -> u64 {
        assert!(index < INLINE_WORDS, "a line has {INLINE_WORDS} words");
        // Relaxed: ordered by the number, which the caller has seen.
        self.surface.word(self.line(row, phase) + PAYLOAD + 8 * index).load(Ordering::Relaxed)
    }

    /// Arrives at a phase's gate, at which `expected` members arrive; true for the last one, which sees what the others published before.
    #[inline]
    pub fn arrive(&self, phase: Phase, expected: u32) -> bool {
        let arrival_counter = self.arrival_counter(phase);
        // AcqRel (E2): what we have published is seen by the last one, and what all others have, by us, if that is us.
        if arrival_counter.fetch_add(1, Ordering::AcqRel) + 1 < u64::from(expected) {
            return false;
        }
        // Relaxed: the next to arrive here does so when all have retired from this call (E3).
        arrival_counter.store(0, Ordering::Relaxed);
        true
    }

    /// This member waits for something in this call, and may sleep before it comes. It looks once more behind the full barrier that every sleep begins with
    /// ([`doorbell`](crate::doorbell)).
    pub fn sleep(&self) {
        // Relaxed: ordered by the barrier (E1 of `doorbell`: this word comes before it, as the sleeper's flag does).
        self.sleepers().fetch_add(1, Ordering::Relaxed);
    }

    /// It has come.
    pub fn wake(&self) {
        // Relaxed: whoever misses it looks at bells in vain.
        self.sleepers().fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether anybody dozes, after this member has published something.
    #[inline]
    pub fn has_sleepers(&self) -> bool {
        // Light (E1 of `doorbell`): what was published stays before the look at the dozers.
        light_barrier();
        // Relaxed: ordered by the two barriers.
        self.sleepers().load(Ordering::Relaxed) > 0
    }

    /// Everybody has been heard of in this call: so all have retired from the one before.
    #[inline]
    pub fn met_all(&mut self) {
        self.retired = self.call - 1;
    }

    /// This member touches nothing of the call any more.
    #[inline]
    pub fn retire(&self) {
        // Release (E3): our reads come before others' writes; pairs with the Acquire in `ask_all`.
        self.retired_word(self.me).store(self.call, Ordering::Release);
    }

    /// The same from the calls before: a member that waits long says so, since calls without a proof may have come to an end meanwhile, and others may
    /// wait for the rooms of those.
    pub fn retire_from_last(&self) {
        self.retire_up_to(self.call - 1);
    }

    /// The same for all calls up to this one, of those that are under way at the same time. It never goes back.
    pub fn retire_up_to(&self, call: u64) {
        // Release (E3): as in `retire`.
        self.retired_word(self.me).store(call, Ordering::Release);
    }

    /// Where the call under way is, to go on with it after others have begun.
    #[inline]
    pub fn turn(&self) -> Turn {
        Turn { call: self.call, slot: self.slot, depth: self.depth, room: self.room }
    }

    /// Goes on with a call, or, if it was the last to begin, with the one after it. Rooms have had one length ever since.
    #[inline]
    pub fn resume(&mut self, turn: Turn) {
        Turn { call: self.call, slot: self.slot, depth: self.depth, room: self.room } = turn;
    }

    /// This member has left for good.
    pub fn leave(&self) {
        // Release (E3): as in `retire`.
        self.retired_word(self.me).store(u64::MAX, Ordering::Release);
    }

    /// Whether all have left for good.
    pub fn is_deserted(&self) -> bool {
        // Acquire (E3): the memory is given away next.
        (0..self.members).all(|row| self.retired_word(row).load(Ordering::Acquire) == u64::MAX)
    }
}

/// Bytes that a board for so many members needs, with tracks of so many bytes.
pub const fn bytes_for(members: u32, ring_bytes: usize) -> usize {
    rings_from(members) + members as usize * ring_bytes
}

/// Gates and rows, two lines each.
const fn slot_bytes(members: u32) -> usize {
    (members as usize + 2) * 2 * CACHE_LINE_BYTES
}

/// Where the rooms begin.
const fn rooms(members: u32) -> usize {
    (SLOTS as usize * slot_bytes(members) + members as usize * CACHE_LINE_BYTES)
        .next_multiple_of(PAGE_BYTES)
}

/// Where the tracks begin, behind the rooms.
const fn rings_from(members: u32) -> usize {
    rooms(members) + (members as usize + 1) * ALL_STAGING_BYTES
}

mod rings;
pub use rings::{
    EXCHANGE_MAX_BYTES, PAIR_PLACES_BYTES, PAIR_RING_CHUNK_BYTES, PAIR_RING_CHUNKS, RING_MIN_BYTES,
};
use rings::{Kind, Rings};

#[cfg(not(loom))]
mod mapped;
#[cfg(not(loom))]
pub use mapped::Mapped;

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::heap::{Heap, Shared};
    use crate::layout::Layout;
    use nemesis_sys::memfd;
    use std::sync::Arc;

    fn shared(bytes: usize) -> Arc<Shared> {
        let memory = memfd::sparse(1 << 43, 1 << 43).unwrap();
        let mut heap =
            Heap::new(memory.descriptor, memory.rung, Layout::new(1 << 43, 1).unwrap(), 0);
        heap.allocate(bytes, 1).unwrap().shared
    }

    pub(super) fn coll_segments(members: u32) -> Vec<CollSegment<Mapped>> {
        coll_segments_with_rings(members, RING_MIN_BYTES)
    }

    pub(super) fn coll_segments_with_rings(
        members: u32,
        ring_bytes: usize,
    ) -> Vec<CollSegment<Mapped>> {
        let shared = shared(bytes_for(members, ring_bytes));
        (0..members)
            .map(|me| CollSegment::on(shared.clone(), members, me, ring_bytes).unwrap())
            .collect()
    }

    #[test]
    fn a_block_that_is_too_small_is_refused() {
        let block = shared(bytes_for(2, 0));
        assert!(CollSegment::on(block.clone(), 2, 1, 0).is_some());
        assert!(CollSegment::on(block.clone(), 2, 2, 0).is_none());
        assert!(CollSegment::on(block.clone(), 1000, 0, 0).is_none());
        assert!(CollSegment::on(block, 2, 0, RING_MIN_BYTES).is_none());
    }

    #[test]
    fn no_two_places_overlap() {
        let mut coll_segment = coll_segments(3).remove(0);
        let mut ranges = Vec::new();
        for _ in 0..SLOTS {
            coll_segment.begin(STAGING_BYTES);
            for row in 0..=3 {
                ranges.push((
                    coll_segment.place(row, Phase::A, INLINE_BYTES).as_ptr() as usize,
                    INLINE_BYTES,
                ));
                ranges.push((
                    coll_segment.place(row, Phase::B, INLINE_BYTES).as_ptr() as usize,
                    INLINE_BYTES,
                ));
                ranges.push((
                    coll_segment.place(row, Phase::A, STAGING_BYTES).as_ptr() as usize,
                    STAGING_BYTES,
                ));
                let words = [
                    coll_segment.line(row, Phase::A),
                    coll_segment.line(row, Phase::B),
                    coll_segment.line(row, Phase::A) + LENGTH,
                ];
                ranges.extend(words.map(|offset| {
                    (coll_segment.surface.word(offset) as *const AtomicU64 as usize, 8)
                }));
            }
            ranges.extend([Phase::A, Phase::B].map(|phase| {
                (coll_segment.arrival_counter(phase) as *const AtomicU64 as usize, 8)
            }));
        }
        ranges.extend(
            (0..3).map(|row| (coll_segment.retired_word(row) as *const AtomicU64 as usize, 8)),
        );
        ranges.sort_unstable();
        assert!(
            ranges.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0 || pair[0] == pair[1])
        );
        let base = coll_segment.surface.base as usize;
        assert!(
            ranges
                .iter()
                .all(|&(start, length)| start >= base && start + length <= base + rings_from(3))
        );
    }

    #[test]
    fn what_is_published_is_seen_by_all_and_only_in_its_call() {
        let mut coll_segments = coll_segments(2);
        for length in [0, 1, INLINE_BYTES, INLINE_BYTES + 1, STAGING_BYTES] {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(STAGING_BYTES));
            assert!(coll_segments.iter_mut().all(|coll_segment| coll_segment.is_free()));
            assert!(!coll_segments[1].is_published(0, Phase::A));
            coll_segments[0].place(0, Phase::A, length).fill(length as u8);
            coll_segments[0].publish(0, Phase::A, length);
            assert!(
                coll_segments[1].is_published(0, Phase::A)
                    && !coll_segments[1].is_published(0, Phase::B)
            );
            assert_eq!(coll_segments[1].content(0, Phase::A), vec![length as u8; length]);
            coll_segments.iter().for_each(CollSegment::retire);
        }
    }

    #[test]
    fn a_slot_is_free_when_all_have_retired() {
        let mut coll_segments = coll_segments(2);
        for _ in 0..SLOTS {
            coll_segments[0].begin(0);
            assert!(coll_segments[0].is_free());
            coll_segments[0].retire();
        }
        coll_segments[0].begin(0);
        assert!(!coll_segments[0].is_free());
        coll_segments[1].begin(0);
        coll_segments[1].retire();
        assert!(coll_segments[0].is_free());
        coll_segments[0].retire();
        coll_segments[1].begin(0);
        coll_segments[1].met_all();
        assert_eq!(coll_segments[1].retired, 1);
    }

    #[test]
    fn who_may_not_begin_at_once_has_done_nothing() {
        let mut coll_segments = coll_segments(2);
        for _ in 0..SLOTS {
            assert!(coll_segments[0].try_begin(INLINE_BYTES + 1));
            coll_segments[0].retire();
        }
        let before = coll_segments[0].turn();
        assert!(!coll_segments[0].try_begin(0), "the slot is taken");
        assert_eq!(
            (coll_segments[0].turn().call, coll_segments[0].turn().slot),
            (before.call, before.slot)
        );
        coll_segments[1].begin(0);
        coll_segments[1].retire();
        coll_segments[0].room_bytes = STAGING_BYTES;
        assert!(
            !coll_segments[0].try_begin(INLINE_BYTES + 1),
            "rooms of another length wait for all"
        );
        assert!(coll_segments[0].try_begin(INLINE_BYTES));
        coll_segments[0].post(0, Phase::A, &[7; INLINE_BYTES]);
        (1..SLOTS).for_each(|_| coll_segments[1].begin(0));
        coll_segments[1].begin(0);
        assert!(coll_segments[1].is_published(0, Phase::A));
        assert_eq!(coll_segments[1].content(0, Phase::A), [7; INLINE_BYTES]);
    }

    #[test]
    fn rooms_come_round_before_slots() {
        let mut coll_segments = coll_segments(2);
        coll_segments[0].room_bytes = STAGING_BYTES;
        for _ in 0..ALL_STAGING_BYTES / STAGING_BYTES {
            coll_segments[0].begin(STAGING_BYTES);
            assert!(coll_segments[0].is_free());
            coll_segments[0].retire();
        }
        coll_segments[0].begin(0);
        assert!(coll_segments[0].is_free(), "a line needs no room");
        coll_segments[0].retire();
        coll_segments[0].begin(STAGING_BYTES);
        assert!(!coll_segments[0].is_free());
    }

    #[test]
    fn calls_without_a_room_leave_all_rooms_to_the_next() {
        let mut coll_segments = coll_segments(2);
        coll_segments.iter_mut().for_each(|coll_segment| coll_segment.room_bytes = STAGING_BYTES);
        for _ in 0..3 {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(0));
            coll_segments.iter_mut().for_each(CollSegment::met_all);
            for _ in 0..LARGE_STAGING_BUFFERS {
                coll_segments[0].begin(STAGING_BYTES);
                assert!(
                    coll_segments[0].retired + coll_segments[0].depth >= coll_segments[0].call,
                    "nobody's word is needed"
                );
            }
            coll_segments[0].begin(STAGING_BYTES);
            assert!(!coll_segments[0].is_free());
            (0..=LARGE_STAGING_BUFFERS).for_each(|_| coll_segments[1].begin(STAGING_BYTES));
        }
    }

    #[test]
    fn rooms_of_another_length_wait_for_all() {
        let mut coll_segments = coll_segments(2);
        for _ in 0..2 {
            coll_segments[0].begin(INLINE_BYTES + 1);
            assert!(coll_segments[0].is_free());
            coll_segments[0].retire();
        }
        coll_segments[0].begin(STAGING_BYTES);
        assert!(!coll_segments[0].is_free());
        for _ in 0..2 {
            coll_segments[1].begin(INLINE_BYTES + 1);
        }
        assert!(!coll_segments[0].is_free());
        coll_segments[1].begin(STAGING_BYTES);
        assert!(coll_segments[0].is_free(), "whoever comes has left the calls before");
    }

    #[test]
    fn the_last_one_at_a_gate_knows_it_every_time() {
        let mut coll_segments = coll_segments(3);
        for _ in 0..3 * SLOTS {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(STAGING_BYTES));
            for phase in [Phase::A, Phase::B] {
                assert_eq!(
                    coll_segments
                        .iter()
                        .map(|coll_segment| coll_segment.arrive(phase, 3))
                        .collect::<Vec<_>>(),
                    [false, false, true]
                );
            }
            coll_segments.iter().for_each(CollSegment::retire);
        }
    }

    #[test]
    fn lengths_that_others_made_up_lead_nowhere() {
        let mut coll_segments = coll_segments(1);
        coll_segments[0].begin(0);
        coll_segments[0].publish(0, Phase::A, usize::MAX);
        assert_eq!(coll_segments[0].content(0, Phase::A), []);
    }

    #[test]
    fn a_failure_has_its_reason_and_no_content() {
        let mut coll_segments = coll_segments(2);
        coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(0));
        coll_segments[0].fail(0, Phase::A, 78);
        coll_segments[0].publish(0, Phase::B, 0);
        assert!(
            coll_segments[1].is_published(0, Phase::A) && !coll_segments[1].has_words(0, Phase::A)
        );
        assert_eq!(coll_segments[1].failure(0, Phase::A), Some(78));
        assert_eq!(coll_segments[1].content(0, Phase::A), []);
        assert_eq!(coll_segments[1].failure(0, Phase::B), None);
    }

    #[test]
    fn who_waits_in_a_call_lets_others_have_the_rooms_of_the_call_before() {
        let mut coll_segments = coll_segments(2);
        for _ in 0..3 {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(INLINE_BYTES + 1));
            coll_segments.iter_mut().for_each(CollSegment::met_all);
        }
        coll_segments[0].begin(STAGING_BYTES);
        coll_segments[1].begin(INLINE_BYTES + 1);
        assert!(!coll_segments[0].is_free(), "the other one has not said that it left");
        coll_segments[1].retire_from_last();
        assert!(coll_segments[0].is_free());
    }

    #[test]
    fn a_board_is_deserted_when_the_last_has_left() {
        let coll_segments = coll_segments(2);
        coll_segments[0].leave();
        assert!(!coll_segments[0].is_deserted());
        coll_segments[1].leave();
        assert!(coll_segments[0].is_deserted());
    }
}
