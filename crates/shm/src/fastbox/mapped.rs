//! The fastbox's ring in the memory of the segment.

use super::*;
use crate::copy;
use nemesis_sys::host_model;
use nemesis_wire::CACHE_LINE_BYTES;
use std::ptr::NonNull;

/// Lines of a ring in the segment: 16 KiB, enough for two bursts of 64 one-line messages and more.
pub const BOX_LINES: u64 = 256;
/// Bytes of the receiver's line and the ring.
const RING_BYTES: usize = (1 + BOX_LINES as usize) * CACHE_LINE_BYTES;
/// Bytes of a whole fastbox. After the ring lie the lines that are prefetched ahead of its last
/// ones, which are not used, and one more, so that adjacent fastboxes begin in different cache
/// sets.
pub const BOX_BYTES: usize = RING_BYTES + (PREFETCH_LINES + 1) * CACHE_LINE_BYTES;

/// Lines after the first that are prefetched while a receiver waits for a packet, where lines move
/// fast between processors. With eight, it would prefetch lines that the sender has yet to write,
/// and so take them away from it.
const PREFETCH_WITH_FIRST_LINES: u64 = 4;

/// A ring at a fixed address in mapped memory: the receiver's line first, then `BOX_LINES` lines.
#[derive(Debug)]
pub struct MappedLines {
    base: NonNull<u8>,
}

/// The address of a line of the ring.
#[derive(Clone, Copy, Debug)]
pub struct Position(*mut u8);

// SAFETY: as for the lines themselves.
unsafe impl Send for Position {}

// SAFETY: the memory stays mapped as long as the value exists, and the protocol of the two roles
// orders all access to it.
unsafe impl Send for MappedLines {}

impl MappedLines {
    /// Views the memory at `base` as a fastbox.
    ///
    /// # Safety
    /// `base` is 64-byte aligned, and `BOX_BYTES` of memory from there on, all zero at the
    /// beginning, stay mapped as long as the value exists. One producer and one consumer use them
    /// as fastbox, and nothing else uses them.
    pub unsafe fn new(base: *mut u8) -> Self {
        // SAFETY: mapped memory does not begin at address 0.
        MappedLines { base: unsafe { NonNull::new_unchecked(base) } }
    }

    /// Cuts the length of a long payload at the end of the ring, which a correct producer never
    /// passes.
    #[cold]
    fn clamp(&self, size: usize, position: Position) -> usize {
        size.min(self.base.as_ptr().addr() + RING_BYTES - position.0.addr() - HEADER_BYTES)
    }

    #[inline(always)]
    fn at(&self, index: u64) -> *mut u8 {
        let index = (index & (BOX_LINES - 1)) as usize;
        // SAFETY: the index is below BOX_LINES, so the line lies within BOX_BYTES (contract of
        // `new`).
        unsafe { self.base.as_ptr().add((index + 1) * CACHE_LINE_BYTES) }
    }
}

/// The memory of disconnected rings: always zero.
#[repr(align(64))]
struct Disconnected([AtomicU64; BOX_BYTES / 8]);

static DISCONNECTED: Disconnected = Disconnected([const { AtomicU64::new(0) }; BOX_BYTES / 8]);

impl MappedLines {
    fn disconnected() -> Self {
        // SAFETY: aligned memory of that size that is never freed. All disconnected ends share it,
        // which is sound: no end owns lines there, and all access is atomic.
        unsafe { MappedLines::new(DISCONNECTED.0.as_ptr().cast_mut().cast()) }
    }

    #[inline(always)]
    fn is_disconnected(&self) -> bool {
        self.base.as_ptr().cast_const().cast() == DISCONNECTED.0.as_ptr()
    }

    /// Returns the first address of the fastbox.
    pub(crate) fn base(&self) -> NonNull<u8> {
        self.base
    }
}

impl Producer<MappedLines> {
    /// Returns the end of a disconnected ring, on which nothing can be sent.
    pub fn disconnected() -> Self {
        Producer { ready: 0, ..Producer::new(MappedLines::disconnected()) }
    }

    /// Whether this is the end of a disconnected ring.
    pub fn is_disconnected(&self) -> bool {
        self.lines.is_disconnected()
    }

    /// Returns the fastbox, which has lost this end.
    pub fn into_lines(self) -> MappedLines {
        self.lines
    }
}

impl Consumer<MappedLines> {
    /// Returns the end of a disconnected ring, on which no packet arrives.
    pub fn disconnected() -> Self {
        Consumer::new(MappedLines::disconnected())
    }

    /// Whether this is the end of a disconnected ring.
    pub fn is_disconnected(&self) -> bool {
        self.lines.is_disconnected()
    }

    /// Returns the fastbox, which has lost this end.
    pub fn into_lines(self) -> MappedLines {
        self.lines
    }

    /// Returns this end unless it is disconnected.
    #[inline(always)]
    pub fn connected(&mut self) -> Option<&mut Self> {
        if self.lines.is_disconnected() { None } else { Some(self) }
    }
}

impl Lines for MappedLines {
    type Position = Position;

    #[inline(always)]
    fn position(&self, index: u64) -> Position {
        Position(self.at(index))
    }

    #[inline(always)]
    fn following(&self, position: Position) -> Position {
        Position(position.0.wrapping_add(CACHE_LINE_BYTES))
    }

    #[inline(always)]
    fn count(&self) -> u64 {
        BOX_LINES
    }

    #[inline(always)]
    fn stamp(&self, position: Position) -> &AtomicU32 {
        // SAFETY: an aligned word of the ring, mapped as long as `self` (contract of `new`).
        unsafe { AtomicU32::from_ptr(position.0.cast()) }
    }

    #[inline(always)]
    fn prefetch_to_write(&self, index: u64) {
        copy::prefetch_for_write(self.at(index));
    }

    #[inline(always)]
    fn prefetch_ahead_to_write(&self, position: Position) {
        copy::prefetch_for_write_after::<{ PREFETCH_LINES * CACHE_LINE_BYTES }>(position.0);
    }

    #[inline(always)]
    fn prefetch_to_read(&self, position: Position, lines: usize) {
        copy::prefetch_for_read(position.0.wrapping_add(lines * CACHE_LINE_BYTES));
    }

    #[inline(always)]
    fn lines_to_prefetch(&self) -> u64 {
        if host_model::choices().prefetches_awaited_lines { PREFETCH_WITH_FIRST_LINES } else { 0 }
    }

    #[inline(always)]
    unsafe fn claim(&self, position: Position, lines: u64) {
        if host_model::choices().claims_lines {
            let left = self.base.as_ptr().addr() + RING_BYTES - position.0.addr();
            // SAFETY: the lines are the consumer's (contract of `claim`) and lie within the ring.
            // The bytes that are written back lie after the stamp.
            unsafe {
                copy::claim(
                    position.0.add(HEADER_BYTES),
                    (lines as usize * CACHE_LINE_BYTES).min(left),
                )
            }
        }
    }

    #[inline(always)]
    fn consumed(&self) -> &AtomicU64 {
        // SAFETY: the first word of the fastbox's first line (contract of `new`).
        unsafe { AtomicU64::from_ptr(self.base.as_ptr().cast()) }
    }

    #[inline(always)]
    unsafe fn fill(&self, position: Position, header: &Header, payload: &[u8]) -> &AtomicU32 {
        let line = position.0;
        // The receiver polls the first line all the time and takes it away from this cache between
        // two stores. So everything in other lines is written before, and the first line's stores
        // come directly after each other.
        // SAFETY: the lines are the producer's (contract of `fill`): 24 bytes of header, of which
        // the first four are left to the stamp, then the payload, which ends within the ring. The
        // payload is the caller's memory, not the ring's.
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
    unsafe fn peek_line(
        &self,
        position: Position,
        kind: u8,
        most: usize,
    ) -> Option<(Header, &[u8])> {
        let line = position.0;
        // SAFETY: a published header (contract of `packet`) on an aligned line.
        let header = unsafe { line.cast::<Header>().read() };
        // Kind, flags and size are one word, so one comparison checks all three: with another kind,
        // or with flags, the size seems to be enormous.
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
        // SAFETY: the bytes after the header that lie in its line; the producer leaves them alone
        // until they are given back.
        Some((header, unsafe { std::slice::from_raw_parts(line.add(HEADER_BYTES), size) }))
    }

    #[inline(always)]
    unsafe fn packet(&self, position: Position) -> (Header, &[u8]) {
        let line = position.0;
        // SAFETY: a published header (contract of `packet`) on an aligned line.
        let header = unsafe { line.cast::<Header>().read() };
        let mut size = header.size as usize;
        if size > LINE_PAYLOAD_BYTES {
            size = self.clamp(size, position);
        }
        // SAFETY: `size` bytes after the header lie within the ring; the producer leaves them alone
        // until they are given back.
        (header, unsafe { std::slice::from_raw_parts(line.add(HEADER_BYTES), size) })
    }
}
