//! A shared mapping of a segment: the bytes that all processes of a node have in common.
//!
//! A [`Mapping`] owns its range of addresses and unmaps it when dropped. It hands out addresses, never references: what lies in the
//! segment, and who may touch it when, is the business of the rooms above.

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

// SAFETY: a mapping is a range of addresses that belongs to the process, not to a thread; `Mapping` itself only hands out its bounds.
unsafe impl Send for Mapping {}
// SAFETY: as above; all methods take `&self` and change nothing.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `bytes` of `file` for reading and writing. Pages appear when touched: a sparse tebibyte costs its address range only.
    pub fn shared(file: impl AsFd, bytes: usize) -> io::Result<Mapping> {
        Mapping::part(file, 0, bytes)
    }

    /// Maps `bytes` of `file` from byte `offset` on, which is a multiple of the page size.
    pub fn part(file: impl AsFd, offset: u64, bytes: usize) -> io::Result<Mapping> {
        let (access, flags) =
            (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED | MapFlags::NORESERVE);
        // SAFETY: a fresh mapping at an address of the kernel's choice touches no memory that anybody uses.
        let address = unsafe { mmap(std::ptr::null_mut(), bytes, access, flags, file, offset)? };
        let base = NonNull::new(address.cast()).ok_or(io::Errno::NOMEM)?;
        Ok(Mapping { base, bytes })
    }

    /// A core dump of this process does not contain the range: the kernel would allocate every page of
    /// a sparse file to write it.
    pub fn leave_out_of_dumps(&self) {
        // SAFETY: the advice changes what dumps contain, and nothing that anybody reads or writes.
        // A kernel that does not know it makes longer dumps.
        let _ = unsafe { madvise(self.base.as_ptr().cast(), self.bytes, Advice::LinuxDontDump) };
    }

    #[inline]
    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    #[inline]
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range was mapped by `shared` and nobody unmaps it elsewhere; whoever holds addresses into it borrows or co-owns `self`.
        let _ = unsafe { munmap(self.base.as_ptr().cast(), self.bytes) };
    }
}
