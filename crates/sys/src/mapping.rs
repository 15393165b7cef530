//! Shared mappings of a segment, the memory that all processes of a node have in common.
//!
//! A [`Mapping`] owns its range of addresses and unmaps it when dropped. It returns addresses,
//! never references: the crates above know what lies in the segment, and who may access it when. A
//! [`Frame`] is a short range of addresses that stays mapped until the process ends and shows
//! different memory in turn.

#![allow(unsafe_code)]

use rustix::fd::AsFd;
use rustix::io;
use rustix::mm::{
    Advice, MapFlags, MlockFlags, ProtFlags, madvise, mlock_with, mmap, mmap_anonymous, munmap,
};
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

const ACCESS: ProtFlags = ProtFlags::READ.union(ProtFlags::WRITE);

/// Mappings of a part of a file begin at multiples of this. It is a multiple of the page size of
/// every kernel for this processor: x86-64 has pages of 4 KiB, aarch64 of 4, 16 or 64 KiB. A
/// constant, because processes compute the layout of a segment from it.
pub const GRANULE_BYTES: usize = if cfg!(target_arch = "x86_64") { 4096 } else { 1 << 16 };

/// Bytes of a frame.
pub const FRAME_BYTES: usize = GRANULE_BYTES;

/// Addresses of the frames that no [`Frame`] owns.
static FREE_FRAMES: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Returns whether the process may lock this much memory beside what it has locked, by its limit or
/// by a privilege. No page is allocated for the answer.
pub fn may_lock(bytes: usize) -> bool {
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
    // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
    let Ok(address) = (unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, ACCESS, flags) })
    else {
        return false;
    };
    // SAFETY: the range was just mapped, and locking changes no contents.
    let outcome = unsafe { mlock_with(address, bytes, MlockFlags::ONFAULT) };
    // SAFETY: nothing else knows the range. Unmapping unlocks it.
    let _ = unsafe { munmap(address, bytes) };
    outcome.is_ok()
}

/// A `MAP_SHARED` mapping of a file descriptor, or of a part of it; or memory of this process
/// alone.
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

    /// Maps `bytes` bytes of `file` from byte `offset` on, a multiple of [`GRANULE_BYTES`].
    pub fn part(file: impl AsFd, offset: u64, bytes: usize) -> io::Result<Mapping> {
        let flags = MapFlags::SHARED | MapFlags::NORESERVE;
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
        let address = unsafe { mmap(std::ptr::null_mut(), bytes, ACCESS, flags, file, offset)? };
        let base = NonNull::new(address.cast()).ok_or(io::Errno::NOMEM)?;
        Ok(Mapping { base, bytes })
    }

    /// Maps `bytes` bytes of zeros that belong to this process alone. Pages exist once they are
    /// touched.
    pub fn sparse(bytes: usize) -> io::Result<Mapping> {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use.
        let address = unsafe { mmap_anonymous(std::ptr::null_mut(), bytes, ACCESS, flags)? };
        let base = NonNull::new(address.cast()).ok_or(io::Errno::NOMEM)?;
        Ok(Mapping { base, bytes })
    }

    /// Makes the range private memory, all zero: what is written there from now on reaches no file.
    ///
    /// # Errors
    /// Those of `mmap(2)`; the range is as before then.
    pub fn become_private(&self) -> io::Result<()> {
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::FIXED;
        // SAFETY: replaces the pages of this range, which stays mapped. They are shared with other
        // processes, so whoever reads them expects that they change.
        unsafe { mmap_anonymous(self.base.as_ptr().cast(), self.bytes, ACCESS, flags) }.map(drop)
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

/// [`FRAME_BYTES`] bytes of addresses. They show a part of a file while the value exists, and zeros
/// before and after. The addresses stay mapped until the process ends, so an atomic word of the
/// frame may be used for ever: a user that kept its address beyond the value's end reaches the
/// memory of no file, or the part that a later `Frame` shows there.
#[derive(Debug)]
pub struct Frame {
    base: NonNull<u8>,
}

// SAFETY: a frame is a range of addresses that belongs to the process, not to a thread; `Frame`
// only returns its address.
unsafe impl Send for Frame {}
// SAFETY: as above; all methods take `&self` and change nothing.
unsafe impl Sync for Frame {}

impl Frame {
    /// Shows the part of `file` that begins at byte `offset`, a multiple of [`FRAME_BYTES`].
    ///
    /// # Errors
    /// Those of `mmap(2)`: the file cannot be mapped, or `offset` is within a frame.
    pub fn show(file: impl AsFd, offset: u64) -> io::Result<Frame> {
        let free = FREE_FRAMES.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let frame = match free.and_then(|address| NonNull::new(address as *mut u8)) {
            Some(base) => Frame { base },
            None => Frame { base: zeros(std::ptr::null_mut(), MapFlags::empty())? },
        };
        // SAFETY: replaces the pages of this frame, which stays mapped; users of its words access
        // them by atomic operations only.
        unsafe {
            let address = frame.base.as_ptr().cast();
            mmap(address, FRAME_BYTES, ACCESS, MapFlags::SHARED | MapFlags::FIXED, file, offset)?;
        }
        Ok(frame)
    }

    /// Returns the first address.
    pub fn base(&self) -> NonNull<u8> {
        self.base
    }
}

impl Drop for Frame {
    fn drop(&mut self) {
        // If the kernel refuses, the frame goes on showing the file, and nobody uses it again.
        if zeros(self.base.as_ptr(), MapFlags::FIXED).is_ok() {
            let mut free = FREE_FRAMES.lock().unwrap_or_else(PoisonError::into_inner);
            free.push(self.base.as_ptr().expose_provenance());
        }
    }
}

/// Maps a frame of zeros, at `address` if `fixed` says so.
fn zeros(address: *mut u8, fixed: MapFlags) -> io::Result<NonNull<u8>> {
    // SAFETY: a new mapping at an address of the kernel's choice touches no memory in use; with
    // FIXED, `address` is that of a frame, whose words are accessed by atomic operations only.
    let address =
        unsafe { mmap_anonymous(address.cast(), FRAME_BYTES, ACCESS, MapFlags::PRIVATE | fixed)? };
    NonNull::new(address.cast()).ok_or(io::Errno::NOMEM)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memfd;

    #[test]
    fn mappings_can_begin_at_granules() {
        assert!(GRANULE_BYTES.is_multiple_of(rustix::param::page_size()));
    }

    #[test]
    fn a_frame_shows_a_file_then_zeros_and_its_addresses_serve_again() {
        const OFFSET: u64 = FRAME_BYTES as u64;
        let memory = memfd::sparse(1 << 20, 1 << 20).unwrap();
        rustix::io::pwrite(&memory.descriptor, b"nemesis", OFFSET).unwrap();
        let read = |base: NonNull<u8>| {
            // SAFETY: a frame is mapped for good.
            unsafe { base.cast::<[u8; 7]>().read_volatile() }
        };
        let frame = Frame::show(&memory.descriptor, OFFSET).unwrap();
        let base = frame.base();
        assert_eq!(read(base), *b"nemesis");
        drop(frame);
        assert_eq!(read(base), [0; 7]);
        let again = Frame::show(&memory.descriptor, OFFSET).unwrap();
        assert_eq!((again.base(), read(again.base())), (base, *b"nemesis"));
    }
}
