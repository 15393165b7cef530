//! Shared mappings of a segment, the memory that all processes of a node have in common.
//!
//! A [`Mapping`] owns its range of addresses and unmaps it when dropped. It returns addresses,
//! never references: the crates above know what lies in the segment, and who may access it when.

#![allow(unsafe_code)]

use rustix::fd::AsFd;
use rustix::io;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, munmap};
use std::ptr::NonNull;

/// A `MAP_SHARED` mapping of a file descriptor, or of a part of it.
#[derive(Debug)]
pub struct Mapping {
    base: NonNull<u8>,
    bytes: usize,
}

// SAFETY: a mapping is a range of addresses that belongs to the process, not to a thread; `Mapping`
// only returns its bounds.
unsafe impl Send for Mapping {}
// SAFETY: as above; all methods take `&self` and change nothing.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `bytes` bytes of `file` for reading and writing. Pages exist once they are touched: a
    /// sparse tebibyte costs its address range only.
    pub fn shared(file: impl AsFd, bytes: usize) -> io::Result<Mapping> {
        Mapping::part(file, 0, bytes)
    }

    /// Maps `bytes` bytes of `file` from byte `offset` on, a multiple of the page size.
    pub fn part(file: impl AsFd, offset: u64, bytes: usize) -> io::Result<Mapping> {
        let (access, flags) =
            (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::NORESERVE);
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
        let address = unsafe { mmap(std::ptr::null_mut(), bytes, access, flags, file, offset)? };
        let base = NonNull::new(address.cast()).ok_or(io::Errno::NOMEM)?;
        Ok(Mapping { base, bytes })
    }

    /// Excludes the range from core dumps of this process. The kernel would allocate every page of
    /// a sparse file to write it.
    pub fn leave_out_of_dumps(&self) {
        // SAFETY: the advice changes what dumps contain, and no memory. A kernel that does not know
        // it writes longer dumps.
        let _ = unsafe { madvise(self.base.as_ptr().cast(), self.bytes, Advice::LinuxDontDump) };
    }

    /// Returns the first address.
    #[inline]
    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    /// Returns the length in bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: `part` mapped the range, and nothing else unmaps it. Code that keeps addresses of
        // it borrows or co-owns `self`.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}
