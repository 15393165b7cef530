//! Spans: ranges of memory that are copied from and to on behalf of another process or thread.
//!
//! * **R1** (promised at construction) every byte is readable and writable as long as the span
//!   exists.
//! * **R2** others may access the bytes concurrently; a program that lets this happen reads bytes
//!   of one writer or another. No reference to the memory is ever made.

#![allow(unsafe_code)]

use crate::copy;
use crate::heap::Shared;
use nemesis_wire::CACHE_LINE_BYTES;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::Arc;

/// A range of memory with a guarantee (R1), which it checks each access against.
///
/// # Examples
/// ```
/// use nemesis_shm::span::Span;
///
/// let mut window = [0u8; 16];
/// // SAFETY: the array outlives the span, and nothing else uses it meanwhile.
/// let span = unsafe { Span::of_program(window.as_mut_ptr(), window.len()) };
/// assert!(span.write(4, b"put"));
/// assert!(!span.write(14, b"put"), "it would exceed the span");
/// let mut got = [0; 3];
/// assert!(span.read(4, &mut got));
/// assert_eq!(&got, b"put");
/// ```
#[derive(Clone, Debug)]
pub struct Span {
    address: usize,
    bytes: usize,
    owner: Option<Arc<Shared>>,
}

impl Span {
    /// A span of the program's memory.
    ///
    /// # Safety
    /// R1.
    pub unsafe fn of_program(address: *const u8, bytes: usize) -> Span {
        Span { address: address.expose_provenance(), bytes, owner: None }
    }

    /// Shortens the span to its first `bytes` bytes, if it is longer.
    #[must_use]
    pub fn first(mut self, bytes: usize) -> Span {
        self.bytes = self.bytes.min(bytes);
        self
    }

    /// A span of a whole shared allocation, which the span keeps alive.
    pub fn of_shared(shared: Arc<Shared>) -> Span {
        Span { address: shared.address(), bytes: shared.bytes(), owner: Some(shared) }
    }

    /// Returns the address at which the span begins.
    pub fn address(&self) -> usize {
        self.address
    }

    /// Returns the length in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The shared allocation that the span keeps alive, if any.
    pub fn owner(&self) -> Option<Arc<Shared>> {
        self.owner.clone()
    }

    /// Returns the cache lines of `bytes` bytes from `offset`, as far as they lie inside the span.
    #[inline]
    pub fn lines(&self, offset: usize, bytes: usize) -> SpanLines {
        let end = offset.saturating_add(bytes).min(self.bytes);
        match offset < end {
            true => SpanLines {
                first: (self.address + offset) & !(CACHE_LINE_BYTES - 1),
                end: self.address + end,
            },
            false => SpanLines::default(),
        }
    }

    /// Whether `bytes` bytes from `offset` lie inside the span.
    #[inline(always)]
    pub fn has(&self, offset: usize, bytes: usize) -> bool {
        offset.checked_add(bytes).is_some_and(|end| end <= self.bytes)
    }

    /// Copies `from` to `offset`. Returns false and copies nothing if it does not fit.
    pub fn write(&self, offset: usize, from: &[u8]) -> bool {
        let fits = self.has(offset, from.len());
        if fits {
            // SAFETY: inside the span (R1); `from` may overlap it, which `overlapping` permits.
            unsafe {
                copy::overlapping(
                    from.as_ptr(),
                    with_exposed_provenance_mut(self.address + offset),
                    from.len(),
                )
            };
        }
        fits
    }

    /// Fills `into` from `offset`. Returns false and copies nothing if the span ends before.
    pub fn read(&self, offset: usize, into: &mut [u8]) -> bool {
        let fits = self.has(offset, into.len());
        if fits {
            // SAFETY: as in `write`.
            unsafe {
                copy::overlapping(
                    with_exposed_provenance(self.address + offset),
                    into.as_mut_ptr(),
                    into.len(),
                )
            };
        }
        fits
    }

    /// Copies `bytes` bytes from `offset` to `to_offset` of `to`. Returns false and copies nothing
    /// if either range leaves its span.
    #[inline(always)]
    pub fn copy(&self, offset: usize, to: &Span, to_offset: usize, bytes: usize) -> bool {
        let fits = self.has(offset, bytes) && to.has(to_offset, bytes);
        if fits {
            let (from, to) = (
                with_exposed_provenance::<u8>(self.address + offset),
                with_exposed_provenance_mut(to.address + to_offset),
            );
            // SAFETY: inside both spans (R1); they may overlap.
            unsafe { copy::overlapping_inline(from, to, bytes) };
        }
        fits
    }
}

/// Cache lines that another process will write and this one will read.
#[derive(Clone, Copy, Debug, Default)]
pub struct SpanLines {
    first: usize,
    end: usize,
}

impl SpanLines {
    /// Whether there are at most four lines.
    #[inline(always)]
    pub fn are_few(&self) -> bool {
        self.end - self.first <= 4 * CACHE_LINE_BYTES
    }

    /// Prefetches the lines, which will be read soon.
    #[inline(always)]
    pub fn prefetch(&self) {
        let mut line = self.first;
        while line < self.end {
            copy::prefetch_for_read(with_exposed_provenance(line));
            line += CACHE_LINE_BYTES;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_cover_the_bytes() {
        let mut memory = [0u8; 512];
        // SAFETY: an array that outlives it.
        let span = unsafe { Span::of_program(memory.as_mut_ptr(), 512) };
        let count = |lines: SpanLines| (lines.first..lines.end).step_by(CACHE_LINE_BYTES).count();
        let start = span.address().wrapping_neg() % CACHE_LINE_BYTES;
        assert_eq!(
            [(start, 64), (start, 65), (start + 60, 8), (start, 0), (512, 1)]
                .map(|(at, bytes)| count(span.lines(at, bytes))),
            [1, 2, 2, 0, 0]
        );
        assert!(
            span.lines(usize::MAX, 9).end == 0
                && span.lines(500, usize::MAX).end == span.address() + 512
        );
    }

    #[test]
    fn accesses_outside_of_the_span_are_refused() {
        let mut memory = [7u8; 32];
        // SAFETY: the middle of an array that outlives it.
        let span = unsafe { Span::of_program(memory.as_mut_ptr().wrapping_add(8), 16) };
        assert!(
            span.write(12, &[1; 4]) && !span.write(13, &[1; 4]) && !span.write(usize::MAX, &[1])
        );
        let mut back = [0; 4];
        assert!(span.read(12, &mut back) && !span.read(17, &mut []));
        assert_eq!(back, [1; 4]);
        assert!(span.copy(12, &span, 0, 4) && !span.copy(0, &span, 13, 4));
        assert_eq!(
            (&memory[..8], &memory[8..12], &memory[24..]),
            (&[7; 8][..], &[1; 4][..], &[7; 8][..])
        );
    }
}
