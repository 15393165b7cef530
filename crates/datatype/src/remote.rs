//! Target elements in memory of another process, which this process does not map.
#![allow(unsafe_code)]

use std::ptr::with_exposed_provenance;

use crate::buffer::{Buffer, ByteRange};
use crate::datatype::Datatype;
use crate::plan::Block;
use crate::walk::{Copies, Sink};

/// Elements in memory that only another process can touch: their addresses there, and no access to
/// them.
#[derive(Debug)]
pub struct RemoteTarget {
    buffer: Buffer,
}

impl RemoteTarget {
    /// Describes `count` elements at `address` in the memory of the other process.
    pub fn new(address: u64, count: i64, datatype: &Datatype) -> RemoteTarget {
        // SAFETY: only the arithmetic of the runs is used; nothing is read or written through the
        // buffer.
        let buffer =
            unsafe { Buffer::new(with_exposed_provenance(address as usize), count, datatype) };
        RemoteTarget { buffer }
    }

    /// Returns the length of the packed stream in bytes.
    pub fn bytes(&self) -> usize {
        self.buffer.bytes()
    }

    /// Returns the range of bytes that the elements consist of, if it has no holes and their packed
    /// order is that of memory.
    pub fn contiguous(&self) -> Option<ByteRange> {
        self.buffer.contiguous()
    }

    pub(crate) fn address(&self) -> usize {
        self.buffer.address()
    }

    pub(crate) fn copies(&self) -> Copies<'_> {
        self.buffer.copies()
    }

    /// Returns the address ranges of the packed stream from byte `from` on, in packed order.
    pub fn runs(&self, from: usize) -> impl Iterator<Item = ByteRange> {
        self.buffer.runs(from)
    }

    /// Calls `visit` with address and length of each range of bytes `from..to` of the packed
    /// stream, in packed order. Faster than [`runs`](Self::runs) for many short ranges.
    pub fn visit(&self, from: usize, to: usize, visit: impl FnMut(usize, usize)) {
        self.copies().visit(self.address(), from, to, &mut Visits(visit));
    }
}

/// A sink that calls a function with each range.
struct Visits<F>(F);

impl<F: FnMut(usize, usize)> Sink for Visits<F> {
    fn run(&mut self, address: usize, len: usize) {
        (self.0)(address, len);
    }

    fn strided(&mut self, address: usize, block: usize, stride: isize, count: usize) {
        for index in 0..count {
            (self.0)(address.wrapping_add_signed(stride.wrapping_mul(index as isize)), block);
        }
    }

    fn structs(
        &mut self,
        address: usize,
        blocks: &[Block],
        _size: usize,
        stride: isize,
        count: usize,
    ) {
        for index in 0..count {
            let base = address.wrapping_add_signed(stride.wrapping_mul(index as isize));
            let mut start = 0;
            for block in blocks {
                (self.0)(base.wrapping_add_signed(block.at), block.end - start);
                start = block.end;
            }
        }
    }
}
