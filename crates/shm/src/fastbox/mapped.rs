//! The ring in the segment's memory.

use super::*;
use crate::copy;
use nemesis_sys::processor;
use nemesis_wire::CACHE_LINE_BYTES;
use std::ptr::NonNull;

/// Lines of a ring in the segment: 16 KiB, two bursts of 64 one-line messages and room to spare.
pub const BOX_LINES: u64 = 256;
/// The receiver's line and the ring.
const RING_BYTES: usize = (1 + BOX_LINES as usize) * CACHE_LINE_BYTES;
/// Bytes of a whole fastbox: behind the ring lie the lines that are asked for ahead of its last ones, and are nobody's. And one more, so that neighbouring
/// boxes start in different cache sets.
pub const BOX_BYTES: usize = RING_BYTES + (AHEAD + 1) * CACHE_LINE_BYTES;

/// Where lines pass fast, so many behind the first are asked for while a packet is awaited. With as many as eight, those that the sender is still to write
/// are taken away from it.
const EXPECTED_LINES: u64 = 4;

/// A ring at a fixed place in mapped memory: the receiver's line first, then `BOX_LINES` lines.
#[derive(Debug)]
pub struct MappedLines {
    base: NonNull<u8>,
}

/// Where a line of the ring is.
#[derive(Clone, Copy, Debug)]
pub struct Place(*mut u8);

// SAFETY: as for the lines themselves.
unsafe impl Send for Place {}

// SAFETY: the memory belongs to the process for good, and the two roles' protocol orders all access to it.
unsafe impl Send for MappedLines {}

impl MappedLines {
    /// # Safety
    /// `base` is 64-byte aligned and `BOX_BYTES` of memory behind it, zero at the beginning, stay mapped as long as the value lives; one
    /// producer and one consumer use them as fastbox, and nobody uses them otherwise.
    pub unsafe fn new(base: *mut u8) -> Self {
        // SAFETY: memory that is mapped does not begin at zero.
        MappedLines { base: unsafe { NonNull::new_unchecked(base) } }
    }

    /// The length of a long payload, cut at the end of the ring, which its producer never lets it pass.
    #[cold]
    fn clamp(&self, size: usize, place: Place) -> usize {
        size.min(self.base.as_ptr().addr() + RING_BYTES - place.0.addr() - HEADER_BYTES)
    }

    #[inline(always)]
    fn at(&self, index: u64) -> *mut u8 {
        let index = (index & (BOX_LINES - 1)) as usize;
        // SAFETY: the index is below BOX_LINES, so the line lies within BOX_BYTES (contract of `new`).
        unsafe { self.base.as_ptr().add((index + 1) * CACHE_LINE_BYTES) }
    }
}

/// The memory of rings that are nowhere: always zero.
#[repr(align(64))]
struct Nowhere([AtomicU64; BOX_BYTES / 8]);

static NOWHERE: Nowhere = Nowhere([const { AtomicU64::new(0) }; BOX_BYTES / 8]);

impl MappedLines {
    fn nowhere() -> Self {
        // SAFETY: aligned memory of that size, there for good. That its ends are many does no harm: nobody has lines there, and all access is atomic.
        unsafe { MappedLines::new(NOWHERE.0.as_ptr().cast_mut().cast()) }
    }

    #[inline(always)]
    fn is_nowhere(&self) -> bool {
        self.base.as_ptr().cast_const().cast() == NOWHERE.0.as_ptr()
    }
}

impl Producer<MappedLines> {
    /// The end of a ring that is nowhere, where nothing can be sent.
    pub fn nowhere() -> Self {
        Producer { ready: 0, ..Producer::new(MappedLines::nowhere()) }
    }
}

impl Consumer<MappedLines> {
    /// The end of a ring that is nowhere, where nothing comes.
    pub fn nowhere() -> Self {
        Consumer::new(MappedLines::nowhere())
    }

    pub fn is_nowhere(&self) -> bool {
        self.lines.is_nowhere()
    }

    /// The ring, if it is somewhere.
    #[inline(always)]
    pub fn existing(&mut self) -> Option<&mut Self> {
        if self.lines.is_nowhere() { None } else { Some(self) }
    }
}

impl Lines for MappedLines {
    type Place = Place;

    #[inline(always)]
    fn place(&self, index: u64) -> Place {
        Place(self.at(index))
    }

    #[inline(always)]
    fn behind(&self, place: Place) -> Place {
        Place(place.0.wrapping_add(CACHE_LINE_BYTES))
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        BOX_LINES
    }

    #[inline(always)]
    fn stamp(&self, place: Place) -> &AtomicU32 {
        // SAFETY: an aligned word of the ring, mapped as long as `self` (contract of `new`).
        unsafe { AtomicU32::from_ptr(place.0.cast()) }
    }

    #[inline(always)]
    fn prepare(&self, index: u64) {
        copy::prefetch_for_write(self.at(index));
    }

    #[inline(always)]
    fn prepare_ahead(&self, place: Place) {
        copy::prefetch_for_write_behind::<{ AHEAD * CACHE_LINE_BYTES }>(place.0);
    }

    #[inline(always)]
    fn expect(&self, place: Place, lines: usize) {
        copy::prefetch_for_read(place.0.wrapping_add(lines * CACHE_LINE_BYTES));
    }

    #[inline(always)]
    fn worth_expecting(&self) -> u64 {
        if processor::passes_lines_slowly() { 0 } else { EXPECTED_LINES }
    }

    #[inline(always)]
    unsafe fn take(&self, place: Place, lines: u64) {
        if processor::passes_lines_slowly() {
            let left = self.base.as_ptr().addr() + RING_BYTES - place.0.addr();
            // SAFETY: the lines are the consumer's (contract of `take`) and lie within the ring. What is written back lies behind the stamp.
            unsafe {
                copy::take(place.0.add(HEADER_BYTES), (lines as usize * CACHE_LINE_BYTES).min(left))
            }
        }
    }

    #[inline(always)]
    fn consumed(&self) -> &AtomicU64 {
        // SAFETY: the first word of the box's first line (contract of `new`).
        unsafe { AtomicU64::from_ptr(self.base.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn fill(&self, place: Place, header: &Header, payload: &[u8]) -> &AtomicU32 {
        let line = place.0;
        // The receiver looks at the first line all the time and takes it away from us between two stores: whatever lies in other lines
        // is written before, so that the first line's stores stand together.
        // SAFETY: the lines are the producer's (contract of `fill`): 24 bytes of header, the first four left to the stamp, then the payload,
        // which ends within the ring. The payload is the caller's memory, not the ring's.
        unsafe {
            if payload.len() > LINE_PAYLOAD_BYTES {
                copy::to_common(
                    payload.as_ptr().add(LINE_PAYLOAD_BYTES),
                    line.add(CACHE_LINE_BYTES),
                    payload.len() - LINE_PAYLOAD_BYTES,
                );
            }
            line.add(4).cast::<[u8; 2]>().write([header.kind, header.flags]);
            line.add(6).cast::<u16>().write(header.size);
            line.add(8).cast::<u64>().write(header.context);
            line.add(16).cast::<i32>().write(header.tag);
            line.add(20).cast::<u32>().write(header.rank);
            copy::short(
                payload.as_ptr(),
                line.add(HEADER_BYTES),
                payload.len().min(LINE_PAYLOAD_BYTES),
            );
            AtomicU32::from_ptr(line.cast())
        }
    }

    #[inline(always)]
    unsafe fn line(&self, place: Place, kind: u8, most: usize) -> Option<(Header, &[u8])> {
        let line = place.0;
        // SAFETY: a published header (contract of `packet`) on an aligned line.
        let header = unsafe { line.cast::<Header>().read() };
        // Kind, flags and size are one word, from which one comparison tells: with another kind, or flags, the size seems to be enormous.
        let word =
            u32::from(header.kind) | u32::from(header.flags) << 8 | u32::from(header.size) << 16;
        let size = word.wrapping_sub(u32::from(kind)).rotate_left(16) as usize;
        if size > most {
            cold_path();
            return None;
        }
        if size > LINE_PAYLOAD_BYTES {
            cold_path();
            return None;
        }
        // SAFETY: the bytes behind the header that lie in its line; the producer leaves them alone until they are given back.
        Some((header, unsafe { std::slice::from_raw_parts(line.add(HEADER_BYTES), size) }))
    }

    #[inline(always)]
    unsafe fn packet(&self, place: Place) -> (Header, &[u8]) {
        let line = place.0;
        // SAFETY: a published header (contract of `packet`) on an aligned line.
        let header = unsafe { line.cast::<Header>().read() };
        let mut size = header.size as usize;
        if size > LINE_PAYLOAD_BYTES {
            size = self.clamp(size, place);
        }
        // SAFETY: `size` bytes behind the header lie within the ring; the producer leaves them alone until they are given back.
        (header, unsafe { std::slice::from_raw_parts(line.add(HEADER_BYTES), size) })
    }
}
