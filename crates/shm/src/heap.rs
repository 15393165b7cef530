//! The heap: memory of the segment that one process allocates and others map.
//!
//! Each process owns one range of offsets ([`Layout::heap`]) and allocates blocks in it, in whole
//! granules of mappings. A block has no name: a process that knows its offset and length maps it
//! ([`Heap::attach`]), after both numbers are checked against the owner's range. Pages come into
//! being when they are touched. A block that is freed returns its pages to the kernel, so a new
//! block is all zero.
//!
//! ```text
//!   owner                                     peer
//!   allocate ──> Block { offset, bytes }  ──>  attach(slot, offset, bytes) ──> Arc<Shared>
//!   free, when no peer uses it any more
//! ```
//!
//! A freed block that a peer still has mapped does not endanger memory safety: the peer's mapping
//! stays valid and shows zeros or the next block. The owner's own memory holds all bookkeeping, so
//! no other process can disturb it.

#![allow(unsafe_code)]

use crate::free::Free;
use crate::layout::Layout;
use nemesis_sync::{AtomicU64, Ordering};
use nemesis_sys::mapping::{GRANULE_BYTES, Mapping};
use nemesis_sys::memfd::{self, Backing};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// A part of the segment, mapped as long as this value exists.
#[derive(Debug)]
pub struct Shared {
    mapping: Mapping,
}

impl Shared {
    /// Returns the address at which the part begins in this process. The memory is readable and
    /// writable, and other processes may change it at any time.
    pub fn address(&self) -> usize {
        self.mapping.base().as_ptr().expose_provenance()
    }

    /// Returns the length in bytes.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.mapping.bytes()
    }

    /// Gives this process memory of its own in place of the part, all zero, at the same address.
    /// Returns false if the kernel refuses that.
    #[cold]
    pub fn detach(&self) -> bool {
        self.mapping.become_private().is_ok()
    }

    /// Returns the 64-bit word at `offset`.
    ///
    /// # Panics
    /// If there is no aligned word at `offset`, which is the caller's own number.
    #[inline(always)]
    pub fn word(&self, offset: usize) -> &AtomicU64 {
        assert!(
            offset.is_multiple_of(8) && offset < self.bytes(),
            "word {offset} of {} bytes",
            self.bytes()
        );
        // SAFETY: aligned and inside the mapping, the length of which is a multiple of the page;
        // the borrow keeps the mapping.
        unsafe { AtomicU64::from_ptr(self.mapping.base().as_ptr().add(offset).cast()) }
    }
}

/// An allocated block, which its owner frees with [`Heap::free`].
#[derive(Debug)]
pub struct Block {
    /// Offset in the segment.
    pub offset: u64,
    /// Length in bytes: a multiple of the page, at least what was asked for.
    pub bytes: usize,
    /// The block, mapped into this process.
    pub shared: Arc<Shared>,
}

/// Why a block cannot be allocated or mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The heap, of `heap` bytes, has no free range of `wanted` bytes.
    Full {
        /// Bytes that were asked for.
        wanted: usize,
        /// Bytes of the heap.
        heap: usize,
        /// The memory behind the segment.
        backing: Backing,
    },
    /// The numbers lie outside the heap of the process in `slot`.
    Outside {
        /// Slot of the process that sent the numbers.
        slot: usize,
        /// Offset in the segment.
        offset: u64,
        /// Length in bytes.
        bytes: usize,
    },
    /// The kernel refuses to map the block.
    Unmappable {
        /// Length of the mapping in bytes.
        bytes: usize,
        /// Why the kernel refuses it.
        errno: Errno,
    },
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Refusal::Full { wanted, heap, backing: Backing::Memfd } => {
                write!(
                    f,
                    "{wanted} bytes of shared memory are not free in this process's part of the \
                     segment, which has {heap}"
                )
            }
            Refusal::Full { wanted, heap, backing: Backing::DevShm } => write!(
                f,
                "{wanted} bytes of shared memory are not free in this process's part of the \
                 segment, which has only {heap}: the kernel refused memfd, and /dev/shm bounds the \
                 segment"
            ),
            Refusal::Outside { slot, offset, bytes } => {
                write!(
                    f,
                    "{bytes} bytes at offset {offset} of the segment do not belong to the process \
                     in slot {slot}"
                )
            }
            Refusal::Unmappable { bytes, errno } => {
                write!(f, "{bytes} bytes of shared memory cannot be mapped: {errno}")
            }
        }
    }
}

/// The heap of one process, by which it also maps blocks of other processes.
///
/// # Examples
/// ```
/// use nemesis_shm::{heap::Heap, layout::Layout};
/// use nemesis_sync::Ordering;
/// use nemesis_sys::memfd;
///
/// let memory = memfd::sparse(1 << 40, 1 << 40).unwrap();
/// let file = memory.descriptor.try_clone().unwrap();
/// let layout = Layout::new(1 << 40, 2).unwrap();
/// let mut owner = Heap::new(memory.descriptor, memory.backing, layout, 0);
/// let peer = Heap::new(file, memory.backing, layout, 1);
///
/// let block = owner.allocate(5000, 1).unwrap();
/// // The owner sends offset and length of the block to the peer.
/// let seen = peer.attach(0, block.offset, block.bytes).unwrap();
/// block.shared.word(0).store(7, Ordering::Relaxed);
/// assert_eq!(seen.word(0).load(Ordering::Relaxed), 7);
/// assert!(peer.attach(1, block.offset, block.bytes).is_err());
/// ```
#[derive(Debug)]
pub struct Heap {
    file: OwnedFd,
    layout: Layout,
    backing: Backing,
    own: Range<usize>,
    free: Free,
}

impl Heap {
    /// Creates the empty heap of the process in `slot` of the segment in `file`.
    pub fn new(file: OwnedFd, backing: Backing, layout: Layout, slot: usize) -> Heap {
        let own = layout.heap(slot);
        Heap { file, layout, backing, free: Free::new(own.clone()), own }
    }

    /// The file of the segment.
    pub fn file(&self) -> impl AsFd + '_ {
        &self.file
    }

    /// Whether memory costs nothing before it is touched, so that there is enough of it for more
    /// than windows.
    pub fn is_spare(&self) -> bool {
        self.backing == Backing::Memfd
    }

    /// Allocates at least `bytes` bytes, all zero, at a multiple of `alignment`.
    ///
    /// # Errors
    /// [`Refusal`] says why there is no such block.
    pub fn allocate(&mut self, bytes: usize, alignment: usize) -> Result<Block, Refusal> {
        let full = Refusal::Full { wanted: bytes, heap: self.own.len(), backing: self.backing };
        let alignment = alignment.max(GRANULE_BYTES).checked_next_power_of_two().ok_or(full)?;
        let bytes = bytes.max(1).checked_next_multiple_of(GRANULE_BYTES).ok_or(full)?;
        let first = self.free.find(bytes, 0, alignment).ok_or(full)?;
        let shared = self.map(first, bytes)?;
        self.free.take(first..first + bytes);
        Ok(Block { offset: first as u64, bytes, shared })
    }

    /// Frees a block. Its pages return to the kernel; if the kernel refuses, they are zeroed and
    /// kept.
    pub fn free(&mut self, block: Block) {
        if self.backing == Backing::DevShm
            || memfd::punch(&self.file, block.offset, block.bytes as u64).is_err()
        {
            for offset in (0..block.bytes).step_by(8) {
                // Relaxed: no process uses the block any more.
                block.shared.word(offset).store(0, Ordering::Relaxed);
            }
        }
        let start = block.offset as usize;
        self.free.give_back(start..start + block.bytes);
    }

    /// Maps a block of the process in `slot`, which has sent `offset` and `bytes`.
    ///
    /// # Errors
    /// [`Refusal::Outside`] if the numbers lie outside that process's heap, [`Refusal::Unmappable`]
    /// if the kernel refuses the mapping.
    pub fn attach(&self, slot: usize, offset: u64, bytes: usize) -> Result<Arc<Shared>, Refusal> {
        let outside = Refusal::Outside { slot, offset, bytes };
        if slot >= self.layout.slots {
            return Err(outside);
        }
        let heap = self.layout.heap(slot);
        let start = usize::try_from(offset).map_err(|_| outside)?;
        let end = start.checked_add(bytes).ok_or(outside)?;
        if bytes == 0
            || start < heap.start
            || end > heap.end
            || !start.is_multiple_of(GRANULE_BYTES)
        {
            return Err(outside);
        }
        self.map(start, bytes.next_multiple_of(GRANULE_BYTES))
    }

    fn map(&self, start: usize, bytes: usize) -> Result<Arc<Shared>, Refusal> {
        match Mapping::part(&self.file, start as u64, bytes) {
            Ok(mapping) => Ok(Arc::new(Shared { mapping })),
            Err(errno) => Err(Refusal::Unmappable { bytes, errno }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fd::AsFd;

    fn heaps(bytes: u64) -> [Heap; 2] {
        let memory = memfd::sparse(bytes, bytes).unwrap();
        let layout = Layout::new(bytes as usize, 2).unwrap();
        [0, 1].map(|slot| {
            Heap::new(
                memory.descriptor.as_fd().try_clone_to_owned().unwrap(),
                memory.backing,
                layout,
                slot,
            )
        })
    }

    #[test]
    fn a_block_is_seen_by_the_peer_and_zero_when_it_is_new() {
        let [mut one, two] = heaps(1 << 36);
        let block = one.allocate(5000, 1).unwrap();
        assert_eq!(block.bytes, 5000_usize.next_multiple_of(GRANULE_BYTES));
        let seen = two.attach(0, block.offset, block.bytes).unwrap();
        block.shared.word(4096).store(77, Ordering::Relaxed);
        assert_eq!(seen.word(4096).load(Ordering::Relaxed), 77);
        let (offset, block_bytes) = (block.offset, block.bytes);
        one.free(block);
        let again = one.allocate(block_bytes, 1).unwrap();
        assert_eq!((again.offset, again.shared.word(4096).load(Ordering::Relaxed)), (offset, 0));
    }

    #[test]
    fn adjacent_freed_blocks_become_one() {
        let [mut heap, _] = heaps(64 << 20);
        let whole = heap.own.len();
        let blocks: Vec<Block> =
            (1..=5).map(|pages| heap.allocate(pages * GRANULE_BYTES, 1).unwrap()).collect();
        let mut blocks = blocks.into_iter().map(Some).collect::<Vec<_>>();
        for index in [1, 3, 2, 0, 4] {
            heap.free(blocks[index].take().unwrap());
        }
        assert_eq!(
            heap.free.find(heap.own.len(), 0, 1),
            Some(heap.own.start),
            "all of it is free, in one range"
        );
        assert_eq!(heap.allocate(whole, 1).unwrap().bytes, whole);
        assert!(matches!(heap.allocate(1, 1), Err(Refusal::Full { .. })));
    }

    #[test]
    fn alignment_is_kept_and_absurd_requests_are_refused() {
        let [mut heap, _] = heaps(1 << 36);
        heap.allocate(1, 1).unwrap();
        assert!(heap.allocate(1, 1 << 21).unwrap().offset.is_multiple_of(1 << 21));
        for (bytes, alignment) in [(usize::MAX, 1), (1, usize::MAX), (1 << 45, 1)] {
            assert!(matches!(heap.allocate(bytes, alignment), Err(Refusal::Full { .. })));
        }
    }

    #[test]
    fn numbers_of_other_processes_never_lead_out_of_the_heap() {
        let [mut one, two] = heaps(1 << 36);
        let block = one.allocate(4096, 1).unwrap();
        let heap = one.own.clone();
        for (slot, offset, bytes) in [
            (1, block.offset, 4096),
            (0, block.offset + 8, 4096),
            (0, block.offset, usize::MAX),
            (0, block.offset, 0),
            (0, !(GRANULE_BYTES as u64 - 1), 4096),
            (0, (heap.end - GRANULE_BYTES) as u64, 2 * GRANULE_BYTES),
            (0, 0, 4096),
            (usize::MAX, block.offset, 4096),
        ] {
            assert!(
                matches!(two.attach(slot, offset, bytes), Err(Refusal::Outside { .. })),
                "{slot} {offset} {bytes}"
            );
        }
    }
}
