//! Target elements in memory of another process, which this process does not map.
#![allow(unsafe_code)]

use std::ptr::with_exposed_provenance;

use crate::buffer::{Buffer, ByteRange};
use crate::datatype::Datatype;

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

    /// Returns the address ranges of the packed stream from byte `from` on, in packed order.
    pub fn runs(&self, from: usize) -> impl Iterator<Item = ByteRange> {
        self.buffer.runs(from)
    }
}
