//! The collective segment in a block of the segment: lines, staging buffers, rings and exchange
//! buffers as memory.

#![allow(unsafe_code)]

use super::{
    ALL_STAGING_BYTES, CollSegment, INLINE_BYTES, PAYLOAD, Phase, SLOTS, STAGING_BYTES,
    SharedWords, bytes_for, rings_from, staging_from,
};
use crate::copy;
use crate::heap::Shared;
use nemesis_sync::AtomicU64;
use nemesis_wire::CACHE_LINE_BYTES;
use std::sync::Arc;

/// The memory of a collective segment in a block of the segment.
#[derive(Clone, Debug)]
pub struct Mapped {
    shared: Arc<Shared>,
    pub(super) base: *mut u8,
}

// SAFETY: the mapping belongs to `shared`, and is accessed through atomics and the protocol of the
// collective segment.
unsafe impl Send for Mapped {}

impl SharedWords for Mapped {
    #[inline(always)]
    fn word(&self, offset: usize) -> &AtomicU64 {
        debug_assert!(offset.is_multiple_of(8) && offset < self.shared.bytes());
        // SAFETY: aligned and within the mapping, which has the bytes of a collective segment
        // (`CollSegment::on`); this module computes the offsets.
        unsafe { AtomicU64::from_ptr(self.base.add(offset).cast()) }
    }
}

impl CollSegment<Mapped> {
    /// Creates the view of member number `me` of `members` of the collective segment in `shared`,
    /// which is all zero when the first member does so. Returns `None` if the block is too short or
    /// `me` is no member.
    pub fn on(
        shared: Arc<Shared>,
        members: u32,
        me: u32,
        ring_bytes: usize,
    ) -> Option<CollSegment<Mapped>> {
        if shared.bytes() < bytes_for(members, ring_bytes) || me >= members {
            return None;
        }
        let base = std::ptr::with_exposed_provenance_mut(shared.address());
        Some(CollSegment::new(Mapped { shared, base }, members, me, ring_bytes))
    }

    /// Leaves the segment in the midst of a call: from now on this view shows memory of this
    /// process alone, in which nothing is published. Other members see that this one has retired,
    /// and nothing else of it, whatever the call still writes. If the kernel refuses that, what
    /// this member still publishes in the call is a contradiction to all others.
    #[cold]
    pub fn quit(&self) {
        self.leave();
        if !self.memory.shared.detach() {
            self.disagree();
        }
    }

    /// Returns the address of `length` bytes of a row: in its line, if they fit, or in its staging
    /// buffer.
    #[inline(always)]
    fn address_of(&self, row: u32, phase: Phase, length: usize) -> *mut u8 {
        assert!(length <= self.staging_bytes, "{length} bytes in row {row}");
        let offset = match length <= INLINE_BYTES {
            true => self.line(row, phase) + PAYLOAD,
            false => {
                staging_from(self.members) + self.index(row) * ALL_STAGING_BYTES + self.staging
            }
        };
        // SAFETY: within the mapping: a line of a row, or a row's staging buffer, the length of
        // which is checked.
        unsafe { self.memory.base.add(offset) }
    }

    /// Returns the memory of `length` bytes, at most [`STAGING_BYTES`], that the caller is about to
    /// publish in a row that it may write.
    #[inline(always)]
    pub fn buffer(&mut self, row: u32, phase: Phase, length: usize) -> &mut [u8] {
        let address = self.address_of(row, phase, length);
        // SAFETY: within the mapping (`address_of`). No member reads what is not published, and no
        // other member writes the row (E3, and the algorithm of the call). The borrow of this view
        // excludes a second reference.
        unsafe { std::slice::from_raw_parts_mut(address, length) }
    }

    /// Publishes up to [`INLINE_BYTES`] bytes in a row's line. The stores directly follow each
    /// other, because a member that polls the line takes it away, and it would have to be fetched
    /// back between two stores.
    #[inline(always)]
    pub fn publish_short(
        &mut self,
        row: u32,
        phase: Phase,
        bytes: &[u8; INLINE_BYTES],
        length: usize,
    ) {
        // SAFETY: the address is a line's payload (`address_of`), and the caller may write the row.
        unsafe { self.address_of(row, phase, 0).cast::<[u8; INLINE_BYTES]>().write(*bytes) };
        self.publish(row, phase, length);
    }

    /// Publishes `bytes` in a row that the caller may write, in its line or staging buffer, in as
    /// few instructions as possible.
    #[inline(always)]
    pub fn post(&mut self, row: u32, phase: Phase, bytes: &[u8]) {
        let buffer = self.buffer(row, phase, bytes.len());
        // SAFETY: both have as many bytes, and the destination is exclusively borrowed.
        unsafe { copy::bytes(bytes.as_ptr(), buffer.as_mut_ptr(), bytes.len()) };
        self.publish(row, phase, bytes.len());
    }

    /// Prefetches this member's line of the next call, which will be written soon.
    #[inline(always)]
    pub fn prefetch_next_line(&self) {
        let next = ((self.call + 1) % SLOTS) as usize * self.slot_bytes;
        let line = self.line(self.me, Phase::A) - self.slot + next;
        // SAFETY: within the mapping, as the line of this call is.
        copy::prefetch_for_write(unsafe { self.memory.base.add(line) });
    }

    /// Returns the data with which a row was published; the caller has seen its number. Empty if
    /// the length is impossible.
    #[inline(always)]
    pub fn content(&self, row: u32, phase: Phase) -> &[u8] {
        self.staged(row, phase, self.length(row, phase))
    }

    /// Returns the address of `length` bytes of a row's ring; `None` if they lie outside the ring.
    #[inline]
    fn in_ring(&self, row: u32, begin: usize, length: usize) -> Option<*mut u8> {
        let end = begin
            .checked_add(length)
            .filter(|&end| end <= self.rings.bytes && row < self.members)?;
        let offset = rings_from(self.members) + row as usize * self.rings.bytes + end - length;
        // SAFETY: within the mapping (`bytes_for`): a part of a row's ring.
        Some(unsafe { self.memory.base.add(offset) })
    }

    /// Returns the next `length` bytes of this member's ring, for a call that
    /// [`begin_in_ring`](Self::begin_in_ring) has begun, and where they begin in the ring.
    #[inline]
    pub fn next_chunk(&mut self, length: usize) -> (usize, &mut [u8]) {
        let begin = self.next_in_ring(length);
        (begin, self.own_chunk(begin, length))
    }

    /// Returns the memory for a chunk of `length` bytes that is copied from `address` and goes
    /// through an exchange buffer or the pair ring in this call, and where it begins in the ring.
    #[inline]
    pub fn pair_chunk(&mut self, address: usize, length: usize) -> (usize, &mut [u8]) {
        let (buffer, most) = self.pair_buffer();
        assert!(length <= most, "a chunk of {length} bytes for a buffer of {most}");
        let begin = buffer + copy::unaliased_offset(buffer, address);
        (begin, self.own_chunk(begin, length))
    }

    /// Returns bytes of this member's chunk in this call, which no member reads now.
    #[inline]
    pub fn own_chunk(&mut self, begin: usize, length: usize) -> &mut [u8] {
        match self.in_ring(self.ring_of(self.me), begin, length) {
            // SAFETY: within the mapping. All members have left the last call that had these bytes
            // (`begin_in_ring`, `use_pair_ring`, E3), or they lie in an exchange buffer that this
            // member has read last. No member reads what is not published, or what is not its share
            // by the algorithm of the call. The borrow of this view excludes a second reference.
            Some(address) => unsafe { std::slice::from_raw_parts_mut(address, length) },
            None => &mut [],
        }
    }

    /// Returns `length` bytes of the chunk of a row that was published as beginning at `begin`.
    /// Empty if they lie outside the ring.
    #[inline]
    pub fn chunk(&self, row: u32, begin: usize, length: usize) -> &[u8] {
        match self.in_ring(self.ring_of(row), begin, length) {
            // SAFETY: within the mapping. Published memory does not change until this member
            // retires (E1, E3), or, in an exchange buffer, until this member writes there itself.
            Some(address) => unsafe { std::slice::from_raw_parts(address, length) },
            None => &[],
        }
    }

    /// Prefetches a row's line, which will be read soon.
    #[inline(always)]
    pub fn prefetch_row(&self, row: u32) {
        // SAFETY: within the mapping, as all lines are.
        copy::prefetch_for_read(unsafe { self.memory.base.add(self.line(row, Phase::A)) });
    }

    /// Prefetches bytes, which will be read soon.
    #[inline]
    pub fn prefetch_bytes(&self, bytes: &[u8]) {
        bytes.chunks(CACHE_LINE_BYTES).for_each(|line| copy::prefetch_for_read(line.as_ptr()));
    }

    /// Returns the first `length` bytes of the staging buffer of a row, the line of which was
    /// published with words. Empty if the length is impossible.
    #[inline(always)]
    pub fn staged(&self, row: u32, phase: Phase, length: usize) -> &[u8] {
        let length = if length <= self.staging_bytes { length } else { 0 };
        // SAFETY: within the mapping (`address_of`). Published memory does not change until this
        // member retires (E1, E3).
        unsafe { std::slice::from_raw_parts(self.address_of(row, phase, length), length) }
    }
}

const _: () = assert!(
    PAYLOAD + INLINE_BYTES == CACHE_LINE_BYTES && ALL_STAGING_BYTES.is_multiple_of(STAGING_BYTES)
);
