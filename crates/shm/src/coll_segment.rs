//! The collective segment: shared memory by which the members of a communicator on one node carry
//! out collective calls.
//!
//! Members make collective calls in one order, so calls have numbers. A call uses one of [`SLOTS`]
//! slots in turn. In a slot, every member and all members together have a *row*: two lines on which
//! something is published, each with the number of its call, and a *staging buffer* for data that
//! does not fit into a line. The number carries the *history* of the calls (see `history.rs`), so
//! that members in different operations do not take each other's data.
//!
//! ```text
//!   slot 0:   [counter A] [counter B]  common: [A] [B]  row 0: [A] [B]  row 1: [A] [B] …
//!   slot 1:   …
//!   retired:  [row 0] [row 1] …
//!   staging:  common: buffer 0, buffer 1, …   row 0: …
//!   rings:    row 0: | chunk | chunk | free …   row 1: …
//!
//!   a line:    | history and call | length | 48 bytes |
//!   counter A: | arrived | sleepers |
//!   retired:   | call | history and call in which the member waits |
//! ```
//!
//! The words of a call are adjacent, so a process that runs while the others do not finds them in
//! one or two pages.
//!
//! A call may have two phases, A and B. In each phase a member may publish on its line, or arrive
//! at the phase's arrival counter, which tells the last member that it is the last. The algorithm
//! determines what follows, and which member writes a row: usually the row's own.
//!
//! *Reuse.* No member accesses a slot before all have retired from the call that used it last,
//! [`SLOTS`] calls ago. A large staging buffer is reused sooner. A call in which every member hears
//! from every member proves that all have retired from the call before. The words of retirement are
//! read only when such proofs are missing. A member need not publish that it retires from a proving
//! call: the next call proves it.
//!
//! A collective segment may have *rings* (see `rings.rs`) for data that staging buffers do not
//! hold.
//!
//! Ordering edges:
//! * E1 *publication*: writes to line and staging buffer → Release store of the call's number →
//!   Acquire load in [`CollSegment::is_published`].
//! * E2 *arrival*: what a member published → its arrival → the arrival of the last member, AcqRel
//!   each, which sees what all have published.
//! * E3 *reuse*: a member's reads → Release store of `retired` → Acquire load in
//!   [`CollSegment::is_free`], before the slot is written again.
//!
//! Other members write all words, too, and no word becomes an address: lengths are clamped to the
//! size of a line or of a staging buffer.

use crate::PAGE_BYTES;
use nemesis_sync::{AtomicU64, Ordering, light_barrier};
use nemesis_wire::CACHE_LINE_BYTES;
use std::cell::Cell;

/// Number of calls that may be under way at once: a root may be that far ahead of the other
/// members.
#[cfg(not(loom))]
pub const SLOTS: u64 = 16;
#[cfg(loom)]
pub const SLOTS: u64 = 2;
/// Data that a line carries besides the number of its call and a length.
pub const INLINE_BYTES: usize = 48;
/// Longest data that a call may publish in a row. Data that does not fit into a line is published
/// in a staging buffer.
pub const STAGING_BYTES: usize = 64 << 10;
/// Bytes of a short staging buffer. A row has as many of them as there are slots, or a few large
/// ones in the same memory. A second-level cache holds the memory of a few members.
pub const SHORT_STAGING_BYTES: usize = 16 << 10;
/// Number of large staging buffers of a row.
pub const LARGE_STAGING_BUFFERS: usize = 4;
const ALL_STAGING_BYTES: usize = LARGE_STAGING_BUFFERS * STAGING_BYTES;
/// Longest chunk in a ring.
pub const RING_CHUNK_MAX_BYTES: usize = 256 << 10;
/// Words that a line carries where it has no data.
pub const INLINE_WORDS: usize = INLINE_BYTES / 8;
/// Length of a line that contains words instead of data.
const WORDS: usize = usize::MAX;
/// Length of a line if its writer failed.
const FAILED: usize = usize::MAX - 1;

/// Bits of an arrival counter that hold the number of members that have arrived.
const ARRIVED_BITS: u32 = 16;
/// Offset of the number of sleepers in the line of the first arrival counter.
const SLEEPERS: usize = 8;
/// Offset of the length in a line.
const LENGTH: usize = 8;
/// Offset of the data in a line.
const PAYLOAD: usize = CACHE_LINE_BYTES - INLINE_BYTES;

/// The two phases of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The first phase.
    A = 0,
    /// The second phase.
    B = 1,
}

/// The state of one of several calls that are under way at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallState {
    call: u64,
    slot: usize,
    depth: u64,
    staging: usize,
    published: u64,
}

impl CallState {
    /// Returns the number of the call.
    #[inline]
    pub fn number(self) -> u64 {
        self.call
    }
}

/// The memory in which the words of a collective segment lie: the segment, or a test's memory. New
/// memory is zero.
pub trait SharedWords {
    /// Returns the word at `offset`, a multiple of 8.
    fn word(&self, offset: usize) -> &AtomicU64;
}

/// One member's view of a collective segment.
///
/// # Examples
/// A broadcast of root 0 to one other member, here in one process:
/// ```
/// use nemesis_shm::coll_segment::{CollSegment, Phase, bytes_for};
/// use nemesis_shm::{heap::Heap, layout::Layout};
/// use nemesis_sys::memfd;
///
/// let memory = memfd::sparse(1 << 40, 1 << 40).unwrap();
/// let layout = Layout::new(1 << 40, 2).unwrap();
/// let mut heap = Heap::new(memory.descriptor, memory.backing, layout, 0);
/// let shared = heap.allocate(bytes_for(2, 0), 1).unwrap().shared;
/// let mut root = CollSegment::on(shared.clone(), 2, 0, 0).unwrap();
/// let mut other = CollSegment::on(shared, 2, 1, 0).unwrap();
///
/// root.begin(5);
/// assert!(root.is_free());
/// root.post(0, Phase::A, b"hello");
/// root.retire();
///
/// other.begin(5);
/// assert!(other.is_published(0, Phase::A));
/// assert_eq!(other.content(0, Phase::A), b"hello");
/// other.retire();
/// ```
#[derive(Clone, Debug)]
pub struct CollSegment<S> {
    memory: S,
    members: u32,
    me: u32,
    /// Number of the call under way, or of the last one.
    call: u64,
    /// The history of the calls that begin from now on.
    history: u64,
    /// The word by which this member publishes a row of the call under way. A wait that finds a
    /// contradiction changes it.
    published: Cell<u64>,
    /// All members are known to have retired from this call and from those before.
    retired: u64,
    /// Bytes of a slot.
    slot_bytes: usize,
    /// Offset of the slot of the call under way.
    slot: usize,
    /// Number of calls after which the resources of this call are used again.
    depth: u64,
    /// Bytes of the staging buffer of this call, or of the last call that had one.
    staging_bytes: usize,
    /// Offset of that staging buffer in the staging memory of a row.
    staging: usize,
    /// Numbers of the calls that used the large staging buffers last.
    large: [u64; LARGE_STAGING_BUFFERS],
    rings: Rings,
}

impl<S: SharedWords> CollSegment<S> {
    /// Creates the view of member number `me` of `members`. The memory is all zero when the first
    /// member does so. Each row has a ring of `ring_bytes` bytes, or none if that is 0.
    ///
    /// # Panics
    /// If `me` is no member.
    pub fn new(memory: S, members: u32, me: u32, ring_bytes: usize) -> CollSegment<S> {
        assert!(me < members, "a member is one of them");
        CollSegment {
            memory,
            members,
            me,
            call: 0,
            history: 0,
            published: Cell::new(0),
            retired: 0,
            slot_bytes: slot_bytes(members),
            slot: 0,
            depth: SLOTS,
            staging_bytes: SHORT_STAGING_BYTES,
            staging: 0,
            large: [0; LARGE_STAGING_BUFFERS],
            rings: Rings::new(ring_bytes),
        }
    }

    /// Returns the number of members.
    #[inline(always)]
    pub fn members(&self) -> u32 {
        self.members
    }

    /// Returns the number of this member, which is also its row.
    #[inline(always)]
    pub fn me(&self) -> u32 {
        self.me
    }

    /// Returns the common row, which the members write together.
    #[inline(always)]
    pub fn common(&self) -> u32 {
        self.members
    }

    /// Returns the arrival counter of a phase of this call.
    #[inline(always)]
    fn arrival_counter(&self, phase: Phase) -> &AtomicU64 {
        self.memory.word(self.slot + phase as usize * CACHE_LINE_BYTES)
    }

    /// Returns the number of members that wait in this call and may sleep. The member that arrives
    /// last in phase A has the line in its cache already.
    #[inline(always)]
    fn sleepers(&self) -> &AtomicU64 {
        self.memory.word(self.slot + SLEEPERS)
    }

    /// Returns the index of a row in the slot; the common row comes first.
    #[inline(always)]
    fn index(&self, row: u32) -> usize {
        assert!(row <= self.members, "row {row} of {}", self.members);
        if row == self.members { 0 } else { row as usize + 1 }
    }

    /// Returns the offset of a row's line.
    #[inline(always)]
    fn line(&self, row: u32, phase: Phase) -> usize {
        self.slot + (2 * (1 + self.index(row)) + phase as usize) * CACHE_LINE_BYTES
    }

    /// Returns the word of the last call from which the member with row `row` has retired.
    fn retired_word(&self, row: u32) -> &AtomicU64 {
        self.memory.word(SLOTS as usize * self.slot_bytes + row as usize * CACHE_LINE_BYTES)
    }

    /// Begins the next call, in which a member publishes up to `bytes` bytes in a row. Nothing of
    /// the call may be accessed before [`is_free`](CollSegment::is_free) returns true.
    #[inline]
    pub fn begin(&mut self, bytes: usize) {
        self.call += 1;
        self.published.set(self.history.wrapping_add(self.call));
        self.slot = (self.call % SLOTS) as usize * self.slot_bytes;
        self.depth = SLOTS;
        self.rings.location = Location::OwnRing;
        if bytes > INLINE_BYTES {
            self.choose_staging_buffer(if bytes <= SHORT_STAGING_BYTES {
                SHORT_STAGING_BYTES
            } else {
                STAGING_BYTES
            });
        }
    }

    /// Whether the next call may publish up to `bytes` bytes, which a short staging buffer holds,
    /// as soon as it begins.
    #[inline(always)]
    pub fn may_begin(&mut self, bytes: usize) -> bool {
        (self.retired + SLOTS > self.call || self.has_free_slot())
            && (bytes <= INLINE_BYTES || self.staging_bytes == SHORT_STAGING_BYTES)
    }

    /// Whether all members have retired from the call that had the next call's slot, according to
    /// their words.
    #[inline(never)]
    fn has_free_slot(&mut self) -> bool {
        self.update_retired();
        self.retired + SLOTS > self.call
    }

    /// Assigns a staging buffer of `staging_bytes` bytes to this call. Buffers of one length are
    /// used in turn; there are as many short ones as slots.
    #[inline]
    fn choose_staging_buffer(&mut self, staging_bytes: usize) {
        let index = (self.call % (ALL_STAGING_BYTES / staging_bytes) as u64) as usize;
        self.staging = index * staging_bytes;
        if staging_bytes != self.staging_bytes {
            self.change_staging_length(staging_bytes);
        } else if staging_bytes == STAGING_BYTES {
            self.depth = (self.call - self.large[index]).min(SLOTS);
        }
        if staging_bytes == STAGING_BYTES {
            self.large[index] = self.call;
        }
    }

    /// Changes the length of staging buffers. All members must have left the buffers of the other
    /// length, so each publishes that it has come to this call.
    #[cold]
    fn change_staging_length(&mut self, staging_bytes: usize) {
        self.depth = 1;
        self.staging_bytes = staging_bytes;
        self.large = [0; LARGE_STAGING_BUFFERS];
        self.retire_from_last();
    }

    /// Whether all members have left the slot of this call, and its staging buffer if it has one.
    #[inline]
    pub fn is_free(&mut self) -> bool {
        self.retired + self.depth >= self.call || self.update_retired()
    }

    /// Whether so many slots or staging buffers are free that a member that found one in use need
    /// not check again in each call.
    pub fn has_staging(&mut self) -> bool {
        self.update_retired();
        self.retired + self.depth.div_ceil(2) >= self.call
    }

    /// Reads the members' words of retirement; true if the resources of this call are free.
    fn update_retired(&mut self) -> bool {
        // Acquire (E3): the members' reads from the slot come before our writes.
        let words = (0..self.members).map(|row| self.retired_word(row).load(Ordering::Acquire));
        self.retired = self.retired.max(words.min().unwrap_or(0));
        self.retired + self.depth >= self.call
    }

    /// Publishes a row of this call with a length. The data lie in the row's line or staging
    /// buffer, or elsewhere, as the algorithm determines.
    #[inline]
    pub fn publish(&self, row: u32, phase: Phase, length: usize) {
        let line = self.line(row, phase);
        // Relaxed: ordered by the number that follows.
        self.memory.word(line + LENGTH).store(length as u64, Ordering::Relaxed);
        // Release (E1): publishes line and staging buffer; pairs with the Acquire in
        // `is_published`.
        self.memory.word(line).store(self.published.get(), Ordering::Release);
    }

    /// Whether a row has been published in this call.
    #[inline]
    pub fn is_published(&self, row: u32, phase: Phase) -> bool {
        // Acquire (E1): pairs with the Release in `publish`.
        self.memory.word(self.line(row, phase)).load(Ordering::Acquire) == self.published.get()
    }

    /// Whether a row has been published in this call with `bytes` bytes.
    #[inline(always)]
    pub fn is_published_with(&self, row: u32, phase: Phase, bytes: usize) -> bool {
        self.is_published(row, phase) && self.length(row, phase) == bytes
    }

    /// Returns the length with which a row was published.
    #[inline]
    pub fn length(&self, row: u32, phase: Phase) -> usize {
        // Relaxed: ordered by the call's number, which the caller has seen.
        self.memory.word(self.line(row, phase) + LENGTH).load(Ordering::Relaxed) as usize
    }

    /// Publishes up to [`INLINE_WORDS`] words in this member's line. The line's length marks them
    /// as words.
    #[inline]
    pub fn set_words(&self, phase: Phase, words: &[u64]) {
        self.set_words_of(self.me, phase, words);
    }

    /// Publishes words as [`set_words`](Self::set_words) does, in a row that the caller may write.
    #[inline]
    pub fn set_words_of(&self, row: u32, phase: Phase, words: &[u64]) {
        assert!(words.len() <= INLINE_WORDS, "a line has {INLINE_WORDS} words");
        let line = self.line(row, phase) + PAYLOAD;
        for (index, &word) in words.iter().enumerate() {
            // Relaxed: as in `publish`, which follows.
            self.memory.word(line + 8 * index).store(word, Ordering::Relaxed);
        }
        self.publish(row, phase, WORDS);
    }

    /// Publishes that the row's writer failed, for the reason that `reason` numbers.
    #[cold]
    pub fn fail(&self, row: u32, phase: Phase, reason: u32) {
        // Relaxed: as in `publish`, which follows.
        self.memory
            .word(self.line(row, phase) + PAYLOAD)
            .store(u64::from(reason), Ordering::Relaxed);
        self.publish(row, phase, FAILED);
    }

    /// Returns the reason for which a row's writer failed, if it did.
    #[inline]
    pub fn failure(&self, row: u32, phase: Phase) -> Option<u64> {
        (self.length(row, phase) == FAILED).then(|| self.word(row, phase, 0))
    }

    /// Whether a row was published with words.
    #[inline]
    pub fn has_words(&self, row: u32, phase: Phase) -> bool {
        self.length(row, phase) == WORDS
    }

    /// Returns word `index` of a row that was published with words.
    #[inline]
    pub fn word(&self, row: u32, phase: Phase, index: usize) -> u64 {
        assert!(index < INLINE_WORDS, "a line has {INLINE_WORDS} words");
        // Relaxed: ordered by the call's number, which the caller has seen.
        self.memory.word(self.line(row, phase) + PAYLOAD + 8 * index).load(Ordering::Relaxed)
    }

    /// Arrives at a phase's arrival counter, at which `expected` members arrive. Returns true to
    /// the last one, which sees what the others published before, unless a member has another
    /// history. The counter's upper part is the sum of the histories.
    #[inline]
    pub fn arrive(&self, phase: Phase, expected: u32) -> bool {
        let arrival_counter = self.arrival_counter(phase);
        let share = 1 + (self.published.get() >> 32 << ARRIVED_BITS);
        // AcqRel (E2): the last member sees what this one has published. If this one is the last,
        // it sees what all others have published.
        let sum = arrival_counter.fetch_add(share, Ordering::AcqRel).wrapping_add(share);
        if sum % (1 << ARRIVED_BITS) < u64::from(expected) {
            return false;
        }
        // Relaxed: the next member that arrives here does so when all have retired from this call
        // (E3).
        arrival_counter.store(0, Ordering::Relaxed);
        sum == share.wrapping_mul(expected.into())
    }

    /// Announces that this member waits in this call and may sleep. Before it sleeps, it polls once
    /// more after the full barrier with which every sleep begins ([`doorbell`](crate::doorbell)).
    pub fn begin_sleep(&self) {
        // Relaxed: ordered by the barrier (E1 of `doorbell`: this word precedes it, as the
        // sleeper's flag does).
        self.sleepers().fetch_add(1, Ordering::Relaxed);
    }

    /// Announces that this member waits no longer.
    pub fn end_sleep(&self) {
        // Relaxed: a member that misses this reads doorbell flags that are down.
        self.sleepers().fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether a member may sleep. The caller has published something before.
    #[inline]
    pub fn has_sleepers(&self) -> bool {
        // Light (E1 of `doorbell`): the publication stays before the load of the number of
        // sleepers.
        light_barrier();
        // Relaxed: ordered by the two barriers.
        self.sleepers().load(Ordering::Relaxed) > 0
    }

    /// Notes that this member has heard from all members in this call, so that all have retired
    /// from the call before.
    #[inline]
    pub fn heard_from_all(&mut self) {
        self.retired = self.call - 1;
    }

    /// Publishes that this member accesses nothing of this call any more.
    #[inline]
    pub fn retire(&self) {
        // Release (E3): our reads come before it; pairs with the Acquire in `update_retired`.
        self.retired_word(self.me).store(self.call, Ordering::Release);
    }

    /// Publishes that this member has retired from the calls before this one. A member that waits
    /// long does so: calls without a proof may have ended meanwhile, and others may wait for their
    /// staging buffers.
    pub fn retire_from_last(&self) {
        self.retire_up_to(self.call - 1);
    }

    /// Publishes that this member has retired from all calls up to number `call`, of several that
    /// are under way at once. The number must not decrease.
    pub fn retire_up_to(&self, call: u64) {
        // Release (E3): as in `retire`.
        self.retired_word(self.me).store(call, Ordering::Release);
    }

    /// Returns the state of the call under way, with which [`resume`](Self::resume) continues it
    /// after others have begun.
    #[inline]
    pub fn call_state(&self) -> CallState {
        CallState {
            call: self.call,
            slot: self.slot,
            depth: self.depth,
            staging: self.staging,
            published: self.published.get(),
        }
    }

    /// Continues a call, or, if it was the last to begin, the one after it. The length of staging
    /// buffers must not have changed since.
    #[inline]
    pub fn resume(&mut self, state: CallState) {
        let published;
        CallState {
            call: self.call,
            slot: self.slot,
            depth: self.depth,
            staging: self.staging,
            published,
        } = state;
        self.published.set(published);
    }

    /// Publishes that this member will make no more calls.
    pub fn leave(&self) {
        // Release (E3): as in `retire`.
        self.retired_word(self.me).store(u64::MAX, Ordering::Release);
    }

    /// Whether all members have left.
    pub fn have_all_left(&self) -> bool {
        // Acquire (E3): the caller reuses the memory next.
        (0..self.members).all(|row| self.retired_word(row).load(Ordering::Acquire) == u64::MAX)
    }
}

/// Returns the bytes of a collective segment for `members` members, with a ring of `ring_bytes`
/// bytes for each.
pub const fn bytes_for(members: u32, ring_bytes: usize) -> usize {
    rings_from(members) + members as usize * ring_bytes
}

/// Returns the bytes of a slot: arrival counters and rows, two lines each.
const fn slot_bytes(members: u32) -> usize {
    (members as usize + 2) * 2 * CACHE_LINE_BYTES
}

/// Returns the offset of the staging buffers.
const fn staging_from(members: u32) -> usize {
    (SLOTS as usize * slot_bytes(members) + members as usize * CACHE_LINE_BYTES)
        .next_multiple_of(PAGE_BYTES)
}

/// Returns the offset of the rings, which follow the staging buffers.
const fn rings_from(members: u32) -> usize {
    staging_from(members) + (members as usize + 1) * ALL_STAGING_BYTES
}

mod history;
mod rings;
pub use rings::{
    EXCHANGE_MAX_BYTES, PAIR_BUFFERS_BYTES, PAIR_RING_CHUNK_BYTES, PAIR_RING_CHUNKS,
    RING_MIN_BYTES, SHORT_CHUNKS_BYTES,
};
use rings::{Location, Rings};

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
        let memory = memfd::sparse(1 << 36, 1 << 36).unwrap();
        let mut heap =
            Heap::new(memory.descriptor, memory.backing, Layout::new(1 << 36, 1).unwrap(), 0);
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
    fn of_a_member_that_quits_the_others_see_only_that_it_has_retired() {
        let memory = memfd::sparse(1 << 36, 1 << 36).unwrap();
        let layout = Layout::new(1 << 36, 1).unwrap();
        let mut heap = Heap::new(memory.descriptor, memory.backing, layout, 0);
        let block = heap.allocate(bytes_for(2, 0), 1).unwrap();
        let mapped = [block.shared, heap.attach(0, block.offset, block.bytes).unwrap()];
        let mut members = mapped.into_iter().zip(0..);
        let mut members = [(); 2]
            .map(|()| members.next().unwrap())
            .map(|(shared, me)| CollSegment::on(shared, 2, me, 0).unwrap());
        let bytes = SHORT_STAGING_BYTES;
        members.iter_mut().for_each(|member| member.begin(bytes));
        let [quitter, reader] = &mut members;
        quitter.buffer(0, Phase::A, bytes).fill(1);
        quitter.publish(0, Phase::A, bytes);
        assert!(reader.is_published(0, Phase::A));
        quitter.quit();
        assert!(!quitter.is_published(0, Phase::A), "nothing is published in its own memory");
        // What is left of the call, and calls in slots that the other still reads.
        for _ in 0..2 * SLOTS {
            quitter.buffer(0, Phase::A, bytes).fill(2);
            quitter.publish(0, Phase::A, bytes);
            quitter.fail(quitter.common(), Phase::A, 1);
            quitter.begin(bytes);
        }
        assert_eq!(reader.content(0, Phase::A), vec![1; bytes]);
        assert!(!reader.is_published(reader.common(), Phase::A) && !reader.is_contradicted());
        for _ in 0..2 * SLOTS {
            reader.retire();
            reader.begin(bytes);
            assert!(!reader.is_published(0, Phase::A), "an earlier row is none of this call");
        }
        assert!(reader.is_free(), "a member that has left holds nobody up");
    }

    #[test]
    fn no_two_buffers_overlap() {
        let mut coll_segment = coll_segments(3).remove(0);
        let mut ranges = Vec::new();
        for _ in 0..SLOTS {
            coll_segment.begin(STAGING_BYTES);
            for row in 0..=3 {
                ranges.push((
                    coll_segment.buffer(row, Phase::A, INLINE_BYTES).as_ptr() as usize,
                    INLINE_BYTES,
                ));
                ranges.push((
                    coll_segment.buffer(row, Phase::B, INLINE_BYTES).as_ptr() as usize,
                    INLINE_BYTES,
                ));
                ranges.push((
                    coll_segment.buffer(row, Phase::A, STAGING_BYTES).as_ptr() as usize,
                    STAGING_BYTES,
                ));
                let words = [
                    coll_segment.line(row, Phase::A),
                    coll_segment.line(row, Phase::B),
                    coll_segment.line(row, Phase::A) + LENGTH,
                ];
                ranges.extend(words.map(|offset| {
                    (coll_segment.memory.word(offset) as *const AtomicU64 as usize, 8)
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
        let base = coll_segment.memory.base as usize;
        assert!(
            ranges
                .iter()
                .all(|&(start, length)| start >= base && start + length <= base + rings_from(3))
        );
    }

    #[test]
    fn all_members_see_what_is_published_and_only_in_its_call() {
        let mut coll_segments = coll_segments(2);
        for length in [0, 1, INLINE_BYTES, INLINE_BYTES + 1, STAGING_BYTES] {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(STAGING_BYTES));
            assert!(coll_segments.iter_mut().all(|coll_segment| coll_segment.is_free()));
            assert!(!coll_segments[1].is_published(0, Phase::A));
            coll_segments[0].buffer(0, Phase::A, length).fill(length as u8);
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
        coll_segments[1].heard_from_all();
        assert_eq!(coll_segments[1].retired, 1);
    }

    #[test]
    fn a_call_that_may_not_begin_at_once_has_no_effect() {
        let mut coll_segments = coll_segments(2);
        for _ in 0..SLOTS {
            assert!(coll_segments[0].may_begin(INLINE_BYTES + 1));
            coll_segments[0].begin(INLINE_BYTES + 1);
            coll_segments[0].retire();
        }
        let before = coll_segments[0].call_state();
        assert!(!coll_segments[0].may_begin(0), "the slot is taken");
        assert_eq!(
            (coll_segments[0].call_state().call, coll_segments[0].call_state().slot),
            (before.call, before.slot)
        );
        coll_segments[1].begin(0);
        coll_segments[1].retire();
        coll_segments[0].staging_bytes = STAGING_BYTES;
        assert!(
            !coll_segments[0].may_begin(INLINE_BYTES + 1),
            "staging buffers of another length wait for all members"
        );
        assert!(coll_segments[0].may_begin(INLINE_BYTES));
        coll_segments[0].begin(INLINE_BYTES);
        coll_segments[0].post(0, Phase::A, &[7; INLINE_BYTES]);
        (1..SLOTS).for_each(|_| coll_segments[1].begin(0));
        coll_segments[1].begin(0);
        assert!(coll_segments[1].is_published(0, Phase::A));
        assert_eq!(coll_segments[1].content(0, Phase::A), [7; INLINE_BYTES]);
    }

    #[test]
    fn staging_buffers_are_reused_before_slots() {
        let mut coll_segments = coll_segments(2);
        coll_segments[0].staging_bytes = STAGING_BYTES;
        for _ in 0..ALL_STAGING_BYTES / STAGING_BYTES {
            coll_segments[0].begin(STAGING_BYTES);
            assert!(coll_segments[0].is_free());
            coll_segments[0].retire();
        }
        coll_segments[0].begin(0);
        assert!(coll_segments[0].is_free(), "a line needs no staging buffer");
        coll_segments[0].retire();
        coll_segments[0].begin(STAGING_BYTES);
        assert!(!coll_segments[0].is_free());
    }

    #[test]
    fn calls_without_a_staging_buffer_leave_all_buffers_to_the_next() {
        let mut coll_segments = coll_segments(2);
        coll_segments
            .iter_mut()
            .for_each(|coll_segment| coll_segment.staging_bytes = STAGING_BYTES);
        for _ in 0..3 {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(0));
            coll_segments.iter_mut().for_each(CollSegment::heard_from_all);
            for _ in 0..LARGE_STAGING_BUFFERS {
                coll_segments[0].begin(STAGING_BYTES);
                assert!(
                    coll_segments[0].retired + coll_segments[0].depth >= coll_segments[0].call,
                    "no word of retirement is needed"
                );
            }
            coll_segments[0].begin(STAGING_BYTES);
            assert!(!coll_segments[0].is_free());
            (0..=LARGE_STAGING_BUFFERS).for_each(|_| coll_segments[1].begin(STAGING_BYTES));
        }
    }

    #[test]
    fn staging_buffers_of_another_length_wait_for_all_members() {
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
        assert!(coll_segments[0].is_free(), "a member that begins a call has left those before");
    }

    #[test]
    fn the_last_member_to_arrive_knows_it_every_time() {
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
    fn impossible_lengths_lead_to_no_data() {
        let mut coll_segments = coll_segments(1);
        coll_segments[0].begin(0);
        coll_segments[0].publish(0, Phase::A, usize::MAX);
        assert_eq!(coll_segments[0].content(0, Phase::A), []);
    }

    #[test]
    fn a_failure_has_its_reason_and_no_data() {
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
    fn a_member_that_waits_frees_the_staging_buffers_of_the_call_before() {
        let mut coll_segments = coll_segments(2);
        for _ in 0..3 {
            coll_segments.iter_mut().for_each(|coll_segment| coll_segment.begin(INLINE_BYTES + 1));
            coll_segments.iter_mut().for_each(CollSegment::heard_from_all);
        }
        coll_segments[0].begin(STAGING_BYTES);
        coll_segments[1].begin(INLINE_BYTES + 1);
        assert!(!coll_segments[0].is_free(), "the other member has not published that it left");
        coll_segments[1].retire_from_last();
        assert!(coll_segments[0].is_free());
    }

    #[test]
    fn a_segment_is_left_when_the_last_member_has_left() {
        let coll_segments = coll_segments(2);
        coll_segments[0].leave();
        assert!(!coll_segments[0].have_all_left());
        coll_segments[1].leave();
        assert!(coll_segments[0].have_all_left());
    }
}
