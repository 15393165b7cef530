//! Images of a part of a file in memory: the bytes lie as they do in the file.
//!
//! A [`RemoteTarget`] describes the data of a view by their offsets in the file. If a memory region
//! holds an image of a part of the file, the data in that part are copied between the region and a
//! packed stream by the kernels of `pack_kernels`. Every range is checked against the region, so
//! the file's offsets need not be trusted.
#![allow(unsafe_code)]

use std::ops::Range;
use std::ptr::with_exposed_provenance_mut;
use std::slice;

use crate::pack_kernels::{PackSink, UnpackSink};
use crate::plan::Block;
use crate::region::MemoryRegion;
use crate::remote::RemoteTarget;
use crate::walk::Sink;

impl MemoryRegion {
    /// Copies bytes `range` of the packed stream of `target` from the image to `out`, which has
    /// their length. The byte at offset `origin` of the file is the first of the region. Returns
    /// false, with arbitrary bytes in `out`, if some byte lies outside the region.
    pub fn pack_image(
        &self,
        origin: u64,
        target: &RemoteTarget,
        range: Range<usize>,
        out: &mut [u8],
    ) -> bool {
        if range.len() != out.len() || range.end > target.bytes() {
            return false;
        }
        // SAFETY: M1: `Inside` gives the sink only ranges in the region (A1); M2 by the lengths,
        // since a walk visits `range.len()` bytes; M3: `out` is exclusively borrowed.
        let sink = unsafe { PackSink::new(out.as_mut_ptr()) };
        self.visit_image(origin, target, range, sink)
    }

    /// Copies `bytes`, which are bytes `range` of the packed stream of `target`, to the image. The
    /// byte at offset `origin` of the file is the first of the region. Returns false, with
    /// arbitrary bytes in the image, if some byte lies outside the region.
    pub fn unpack_image(
        &self,
        origin: u64,
        target: &RemoteTarget,
        range: Range<usize>,
        bytes: &[u8],
    ) -> bool {
        if range.len() != bytes.len() || range.end > target.bytes() {
            return false;
        }
        // SAFETY: M1: `Inside` gives the sink only ranges in the region (A1); M2 by the lengths;
        // M3: no reference to the region exists.
        let sink = unsafe { UnpackSink::new(bytes.as_ptr()) };
        self.visit_image(origin, target, range, sink)
    }

    fn visit_image(
        &self,
        origin: u64,
        target: &RemoteTarget,
        range: Range<usize>,
        sink: impl Sink,
    ) -> bool {
        let mut sink =
            Inside { sink, region: self.address()..self.address() + self.bytes(), all: true };
        let base = self.address().wrapping_add(target.address()).wrapping_sub(origin as usize);
        target.copies().visit(base, range.start, range.end, &mut sink);
        sink.all
    }

    /// Calls `act` with `bytes` bytes from `offset` on, unless they lie outside the region.
    ///
    /// The processes that map the region take turns: while `act` runs, no other thread or process
    /// accesses these bytes. A process that breaks this rule changes values, which are the data of
    /// a file and mean nothing here.
    pub fn with_bytes<R>(
        &self,
        offset: usize,
        bytes: usize,
        act: impl FnOnce(&mut [u8]) -> R,
    ) -> Option<R> {
        if offset.checked_add(bytes)? > self.bytes() {
            return None;
        }
        let first = with_exposed_provenance_mut(self.address() + offset);
        // SAFETY: the bytes lie in the region, so they are readable and writable (A1), and nothing
        // else accesses them meanwhile, as the comment above asks.
        Some(act(unsafe { slice::from_raw_parts_mut(first, bytes) }))
    }
}

/// A sink that passes on the ranges inside a region, and notes that others have come.
struct Inside<S> {
    sink: S,
    region: Range<usize>,
    all: bool,
}

impl<S> Inside<S> {
    /// Returns whether `count` blocks lie in the region: each at `at` bytes from a multiple of
    /// `stride` beyond `address`.
    fn holds(&mut self, address: usize, at: Range<i128>, stride: isize, count: usize) -> bool {
        let last = stride as i128 * (count as i128 - 1).max(0);
        let (low, high) = (last.min(0) + at.start, last.max(0) + at.end);
        let inside = address as i128 + low >= self.region.start as i128
            && address as i128 + high <= self.region.end as i128;
        self.all &= inside;
        inside
    }
}

impl<S: Sink> Sink for Inside<S> {
    #[inline]
    fn run(&mut self, address: usize, len: usize) {
        if self.holds(address, 0..len as i128, 0, 1) {
            self.sink.run(address, len);
        }
    }

    fn strided(&mut self, address: usize, block: usize, stride: isize, count: usize) {
        if self.holds(address, 0..block as i128, stride, count) {
            self.sink.strided(address, block, stride, count);
        }
    }

    fn structs(
        &mut self,
        address: usize,
        blocks: &[Block],
        size: usize,
        stride: isize,
        count: usize,
    ) {
        let (mut low, mut high, mut start) = (i128::MAX, i128::MIN, 0);
        for block in blocks {
            low = low.min(block.at as i128);
            high = high.max(block.at as i128 + (block.end - start) as i128);
            start = block.end;
        }
        if self.holds(address, low..high.max(low), stride, count) {
            self.sink.structs(address, blocks, size, stride, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datatype::Datatype;

    /// Returns a region whose byte `n` is `n`.
    fn region(bytes: usize) -> MemoryRegion {
        let region = MemoryRegion::owned(bytes, 64).expect("memory");
        let fill = |bytes: &mut [u8]| bytes.iter_mut().zip(0..).for_each(|(byte, n)| *byte = n);
        region.with_bytes(0, bytes, fill).expect("inside");
        region
    }

    #[test]
    fn data_are_found_at_their_offsets_in_the_file() {
        let byte = Datatype::predefined(0x247).expect("MPI_BYTE");
        let columns = Datatype::vector(10, 2, 5, byte).expect("valid");
        let lists = Datatype::indexed(&[1, 3], &[2, 7], byte).expect("valid");
        for layout in [columns, Datatype::resized(&lists, 0, 12).expect("valid")] {
            // The file's view begins at offset 1000, the image at offset 990.
            let view = RemoteTarget::new(1000, 4, &layout);
            let offsets: Vec<u8> = view
                .runs(0)
                .flat_map(|run| (run.address - 990) as u8..(run.address - 990 + run.len) as u8)
                .collect();
            let region = region(230);
            for range in [0..8, 3..8, 1..2, 5..5] {
                let mut out = vec![0; range.len()];
                assert!(region.pack_image(990, &view, range.clone(), &mut out));
                assert_eq!(out, offsets[range.clone()]);
                assert!(region.unpack_image(990, &view, range.clone(), &vec![255; range.len()]));
                region.with_bytes(0, 230, |bytes| {
                    for &at in &offsets[range] {
                        assert_eq!(std::mem::replace(&mut bytes[at as usize], at), 255);
                    }
                    assert!(bytes.iter().zip(0..).all(|(byte, n)| *byte == n));
                });
            }
        }
    }

    #[test]
    fn bytes_outside_the_region_are_left_alone() {
        let byte = Datatype::predefined(0x247).expect("MPI_BYTE");
        let every_other = Datatype::vector(100, 1, 2, byte).expect("valid");
        let view = RemoteTarget::new(50, 1, &every_other);
        let (region, mut out) = (region(100), [0; 10]);
        // The stream leaves the region at its end, or begins before it.
        assert!(!region.pack_image(0, &view, 20..30, &mut out));
        assert!(!region.pack_image(51, &view, 0..10, &mut out));
        assert!(!region.unpack_image(51, &view, 0..10, &out));
        assert!(!region.pack_image(50, &view, 0..10, &mut out[..9]));
        assert!(!region.pack_image(50, &view, 95..105, &mut out));
        assert!(region.pack_image(50, &view, 0..10, &mut out));
        assert_eq!(region.with_bytes(91, 10, |_| ()), None);
    }
}
