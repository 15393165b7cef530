//! The board in a block of the segment: lines, rooms, tracks and traded places as memory.

#![allow(unsafe_code)]

use super::{
    ALL_STAGING_BYTES, CollSegment, INLINE_BYTES, PAYLOAD, Phase, SLOTS, STAGING_BYTES, Surface,
    bytes_for, rings_from, rooms,
};
use crate::copy;
use crate::heap::Shared;
use nemesis_sync::AtomicU64;
use nemesis_wire::CACHE_LINE_BYTES;
use std::sync::Arc;

/// A board in a block of the segment.
#[derive(Clone, Debug)]
pub struct Mapped {
    shared: Arc<Shared>,
    pub(super) base: *mut u8,
}

// SAFETY: the mapping belongs to `shared`, and is reached through atomics and the protocol of the board.
unsafe impl Send for Mapped {}

impl Surface for Mapped {
    #[inline(always)]
    fn word(&self, offset: usize) -> &AtomicU64 {
        debug_assert!(offset.is_multiple_of(8) && offset < self.shared.bytes());
        // SAFETY: aligned and within the mapping, which has the bytes of a board (`CollSegment::on`); offsets are the board's own.
        unsafe { AtomicU64::from_ptr(self.base.add(offset).cast()) }
    }
}

impl CollSegment<Mapped> {
    /// The board in `shared`, which is all zero when the first member comes; `None` if it has not the bytes.
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

    /// Where `length` bytes of a row lie: in its line, if they fit, or in its room.
    #[inline(always)]
    fn place_of(&self, row: u32, phase: Phase, length: usize) -> *mut u8 {
        assert!(length <= self.room_bytes, "{length} bytes in row {row}");
        let offset = match length <= INLINE_BYTES {
            true => self.line(row, phase) + PAYLOAD,
            false => rooms(self.members) + self.index(row) * ALL_STAGING_BYTES + self.room,
        };
        // SAFETY: within the mapping: a line of a row, or a room of a row, of which the length is checked.
        unsafe { self.surface.base.add(offset) }
    }

    /// The place of `length` bytes, at most [`STAGING_BYTES`], that are about to be published in a row that is the caller's to write.
    #[inline(always)]
    pub fn place(&mut self, row: u32, phase: Phase, length: usize) -> &mut [u8] {
        let place = self.place_of(row, phase, length);
        // SAFETY: within the mapping (`place_of`); nobody reads what is not published, and nobody else writes the row (E3, and the agreement of the
        // call); the borrow of this view keeps it from making two.
        unsafe { std::slice::from_raw_parts_mut(place, length) }
    }

    /// Publishes up to [`INLINE_BYTES`] bytes in a row's line. The stores stand together: whoever looks at the line all the time takes it away, and between
    /// two stores it would have to be fetched back.
    #[inline(always)]
    pub fn publish_short(
        &mut self,
        row: u32,
        phase: Phase,
        bytes: &[u8; INLINE_BYTES],
        length: usize,
    ) {
        // SAFETY: the place is a line's payload (`place`), and belongs to the caller.
        unsafe { self.place_of(row, phase, 0).cast::<[u8; INLINE_BYTES]>().write(*bytes) };
        self.publish(row, phase, length);
    }

    /// Publishes bytes in a row that is the caller's to write, in its line or room, in as few instructions as can be.
    #[inline(always)]
    pub fn post(&mut self, row: u32, phase: Phase, bytes: &[u8]) {
        let place = self.place(row, phase, bytes.len());
        // SAFETY: both have as many bytes, and the place is exclusively borrowed.
        unsafe { copy::bytes(bytes.as_ptr(), place.as_mut_ptr(), bytes.len()) };
        self.publish(row, phase, bytes.len());
    }

    /// This process's line of the next call will be written soon: the processor may fetch it meanwhile.
    #[inline(always)]
    pub fn prepare_next(&self) {
        let next = ((self.call + 1) % SLOTS) as usize * self.slot_bytes;
        let line = self.line(self.me, Phase::A) - self.slot + next;
        // SAFETY: within the mapping, as the line of this call is.
        copy::prefetch_for_write(unsafe { self.surface.base.add(line) });
    }

    /// What a row was published with, which the caller has seen; of more than a room holds, nothing.
    #[inline(always)]
    pub fn content(&self, row: u32, phase: Phase) -> &[u8] {
        self.room(row, phase, self.length(row, phase))
    }

    /// Where `length` bytes of a row's track lie; nowhere if the track does not reach so far.
    #[inline]
    fn in_ring(&self, row: u32, begin: usize, length: usize) -> Option<*mut u8> {
        let end = begin
            .checked_add(length)
            .filter(|&end| end <= self.rings.bytes && row < self.members)?;
        let offset = rings_from(self.members) + row as usize * self.rings.bytes + end - length;
        // SAFETY: within the mapping (`bytes_for`): a part of a row's track.
        Some(unsafe { self.surface.base.add(offset) })
    }

    /// The next place of `length` bytes in this member's track, of which the call was told, and where it begins.
    #[inline]
    pub fn next_piece(&mut self, length: usize) -> (usize, &mut [u8]) {
        let begin = self.next_in_ring(length);
        (begin, self.own_piece(begin, length))
    }

    /// The place for a piece of `length` bytes that is copied from `address` and traded or passed in this call, and where in its first page it begins.
    #[inline]
    pub fn piece_of_pair(&mut self, address: usize, length: usize) -> (usize, &mut [u8]) {
        let (place, most) = self.place_of_pair();
        assert!(length <= most, "a piece of {length} bytes for a place of {most}");
        let begin = place + copy::apart(place, address);
        (begin, self.own_piece(begin, length))
    }

    /// Bytes of this member's track that belong to this call and that nobody reads now.
    #[inline]
    pub fn own_piece(&mut self, begin: usize, length: usize) -> &mut [u8] {
        match self.in_ring(self.home(self.me), begin, length) {
            // SAFETY: within the mapping; the last call that had these bytes is so long ago that all have left it (`begin_in_ring`, `pass`, E3), or they are
            // traded, and we have read them last. Nobody reads what is not published, or what is not its share by the agreement of the call; the borrow
            // of this view keeps it from making two.
            Some(place) => unsafe { std::slice::from_raw_parts_mut(place, length) },
            None => &mut [],
        }
    }

    /// Bytes of a row's track that it has published, and begin where it says. What the track has not leads to nothing.
    #[inline]
    pub fn piece(&self, row: u32, begin: usize, length: usize) -> &[u8] {
        match self.in_ring(self.home(row), begin, length) {
            // SAFETY: within the mapping; published memory stays as it is until we retire (E1, E3), or, traded, until we write there ourselves.
            Some(place) => unsafe { std::slice::from_raw_parts(place, length) },
            None => &[],
        }
    }

    /// A row's line will be read soon: the processor may fetch it meanwhile.
    #[inline(always)]
    pub fn prepare_row(&self, row: u32) {
        // SAFETY: within the mapping, as all lines are.
        copy::prefetch_for_read(unsafe { self.surface.base.add(self.line(row, Phase::A)) });
    }

    /// Bytes that will be read soon: the processor may fetch them meanwhile.
    #[inline]
    pub fn prepare_to_read(&self, bytes: &[u8]) {
        bytes.chunks(CACHE_LINE_BYTES).for_each(|line| copy::prefetch_for_read(line.as_ptr()));
    }

    /// The room of so many bytes of a row whose line was published with words. A length that rooms of this call have not leads to nothing.
    #[inline(always)]
    pub fn room(&self, row: u32, phase: Phase, length: usize) -> &[u8] {
        let length = if length <= self.room_bytes { length } else { 0 };
        // SAFETY: within the mapping (`place_of`); published memory stays as it is until we retire (E1, E3).
        unsafe { std::slice::from_raw_parts(self.place_of(row, phase, length), length) }
    }
}

const _: () = assert!(
    PAYLOAD + INLINE_BYTES == CACHE_LINE_BYTES && ALL_STAGING_BYTES.is_multiple_of(STAGING_BYTES)
);
