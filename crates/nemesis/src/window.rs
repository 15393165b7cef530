//! Windows on a node ("Design and Evaluation of Nemesis", §2.3): memory that a process allocates and others reach by load and store.
//!
//! ```text
//!   owner                                        initiator
//!   Window::allocate ──> description ── sent ──> Attached::attach
//!                                                put, get: addresses are the owner's, translated here
//!   free                                         dropped: detached
//! ```
//!
//! A description is plain data and may be sent in any packet. Whatever it says is checked: it leads into the heap of the process that it names, or to a
//! refusal. Put and get are done when they return; the owner takes no part.

use crate::memory::Memory;
use nemesis_shm::heap::{Block, Refusal};
use nemesis_shm::span::Span;

/// What another process must know of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Description {
    pub process: u64,
    pub offset: u64,
    pub bytes: u64,
    /// Where the window lies in its owner's address space.
    pub address: u64,
}

/// A window, as its owner has it.
#[derive(Debug)]
pub struct Window {
    block: Block,
    bytes: usize,
}

impl Window {
    /// Allocates `bytes` bytes, all zero.
    pub fn allocate(memory: &mut Memory, bytes: usize) -> Result<Window, Refusal> {
        Ok(Window { block: memory.allocate(bytes, 1)?, bytes })
    }

    /// Gives the memory back; nobody accesses it any more.
    pub fn free(self, memory: &mut Memory) {
        memory.free(self.block);
    }

    /// Where it lies here.
    pub fn address(&self) -> usize {
        self.block.shared.address()
    }

    /// The memory itself.
    pub fn span(&self) -> Span {
        Span::of_shared(self.block.shared.clone())
    }

    pub fn description(&self, memory: &Memory) -> Description {
        Description {
            process: u64::from(memory.me()),
            offset: self.block.offset,
            bytes: self.bytes as u64,
            address: self.address() as u64,
        }
    }
}

/// Another process's window, mapped here until it is dropped.
#[derive(Debug)]
pub struct Attached {
    region: Span,
    /// Where it begins in the owner's address space, and how long it is.
    address: u64,
    bytes: usize,
}

impl Attached {
    pub fn attach(memory: &Memory, description: &Description) -> Result<Attached, Refusal> {
        let &Description { process, offset, bytes, address } = description;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let process = u32::try_from(process).map_err(|_| Refusal::Outside {
            slot: usize::MAX,
            offset,
            bytes,
        })?;
        // A window without bytes has a page all the same.
        let shared = memory.map(process, offset, bytes.max(1))?;
        Ok(Attached { region: Span::of_shared(shared), address, bytes })
    }

    /// Where `bytes` bytes at the owner's `address` begin in the region; `None` when they are not in the window.
    #[inline]
    pub fn translate(&self, address: u64, bytes: usize) -> Option<usize> {
        let offset = usize::try_from(address.checked_sub(self.address)?).ok()?;
        (offset.checked_add(bytes)? <= self.bytes).then_some(offset)
    }

    /// Copies bytes of ours to the owner's `address`; false when they would leave the window or our memory.
    #[inline]
    pub fn put(&self, address: u64, from: &Span, from_offset: usize, bytes: usize) -> bool {
        self.translate(address, bytes)
            .is_some_and(|offset| from.copy(from_offset, &self.region, offset, bytes))
    }

    /// Copies bytes at the owner's `address` here; false as for [`put`](Attached::put).
    #[inline]
    pub fn get(&self, address: u64, to: &Span, to_offset: usize, bytes: usize) -> bool {
        self.translate(address, bytes)
            .is_some_and(|offset| self.region.copy(offset, to, to_offset, bytes))
    }
}
