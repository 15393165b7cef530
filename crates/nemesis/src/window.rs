//! Windows on a node ("Design and Evaluation of Nemesis", §2.3): memory that a process allocates
//! and other processes of the node access by load and store.
//!
//! ```text
//!   owner                                        initiator
//!   Window::allocate ──> description ── sent ──> Attached::attach
//!                                                put, get: addresses are the owner's
//!   free                                         dropped: detached
//! ```
//!
//! # Examples
//!
//! A process attaches its own window:
//!
//! ```
//! use nemesis::window::{Attached, Window};
//! use nemesis::{Endpoint, Tunables};
//! use nemesis_wireup::Wireup;
//!
//! let mut wireup = Wireup::connect()?;
//! let mut endpoint = Endpoint::join(&mut wireup, &Tunables::default())?;
//! let mut memory = endpoint.take_memory().expect("an endpoint hands out its memory once");
//!
//! let window = Window::allocate(&mut memory, 4096)?;
//! let attached = Attached::attach(&memory, &window.description(&memory))?;
//! assert!(window.span().write(0, b"data"));
//! let target = window.address() as u64;
//! assert!(attached.put(target + 100, &window.span(), 0, 4));
//!
//! let mut copied = [0; 4];
//! assert!(window.span().read(100, &mut copied));
//! assert_eq!(&copied, b"data");
//! assert!(!attached.put(target + 4095, &window.span(), 0, 4), "outside the window");
//! drop(attached);
//! window.free(&mut memory);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A description is plain data and may be sent in any packet. Attaching checks it: its numbers must
//! name memory of the heap of the process that it names. Put and get are complete when they return;
//! the owner takes no part.

use crate::memory::Memory;
use nemesis_shm::heap::{Block, Refusal};
use nemesis_shm::span::Span;

/// The description of a window: what another process needs to attach it. Plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Description {
    /// Index of the process that owns the window.
    pub process: u64,
    /// Offset of the window in the owner's heap.
    pub offset: u64,
    /// Length of the window in bytes.
    pub bytes: u64,
    /// Address of the window in its owner's address space.
    pub address: u64,
}

/// A window of this process.
#[derive(Debug)]
pub struct Window {
    block: Block,
    bytes: usize,
}

impl Window {
    /// Allocates a window of `bytes` bytes, all zero.
    ///
    /// # Errors
    ///
    /// The heap refuses memory.
    pub fn allocate(memory: &mut Memory, bytes: usize) -> Result<Window, Refusal> {
        Ok(Window { block: memory.allocate(bytes, 1)?, bytes })
    }

    /// Frees the window. No process may access it any more.
    pub fn free(self, memory: &mut Memory) {
        memory.free(self.block);
    }

    /// Returns the address of the window in this process.
    pub fn address(&self) -> usize {
        self.block.shared.address()
    }

    /// Returns the memory of the window.
    pub fn span(&self) -> Span {
        Span::of_shared(self.block.shared.clone())
    }

    /// Returns the description of the window, to be sent to other processes.
    pub fn description(&self, memory: &Memory) -> Description {
        Description {
            process: u64::from(memory.me()),
            offset: self.block.offset,
            bytes: self.bytes as u64,
            address: self.address() as u64,
        }
    }
}

/// Another process's window, mapped into this process until it is dropped.
#[derive(Debug)]
pub struct Attached {
    region: Span,
    /// Address of the window in the owner's address space.
    address: u64,
    bytes: usize,
}

impl Attached {
    /// Maps the window of a description.
    ///
    /// # Errors
    ///
    /// The description does not name memory of its process's heap.
    pub fn attach(memory: &Memory, description: &Description) -> Result<Attached, Refusal> {
        let &Description { process, offset, bytes, address } = description;
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let process = u32::try_from(process).map_err(|_| Refusal::Outside {
            slot: usize::MAX,
            offset,
            bytes,
        })?;
        // A window of 0 bytes has a page, too.
        let shared = memory.map(process, offset, bytes.max(1))?;
        Ok(Attached { region: Span::of_shared(shared), address, bytes })
    }

    /// Returns the offset in the window of `bytes` bytes at the owner's `address`; `None` if the
    /// window does not contain them.
    #[inline]
    pub fn translate(&self, address: u64, bytes: usize) -> Option<usize> {
        let offset = usize::try_from(address.checked_sub(self.address)?).ok()?;
        (offset.checked_add(bytes)? <= self.bytes).then_some(offset)
    }

    /// Copies bytes of `from` to the owner's `address`. Returns false, without effect, if the
    /// window or `from` does not contain the bytes.
    #[inline]
    pub fn put(&self, address: u64, from: &Span, from_offset: usize, bytes: usize) -> bool {
        self.translate(address, bytes)
            .is_some_and(|offset| from.copy(from_offset, &self.region, offset, bytes))
    }

    /// Copies bytes at the owner's `address` to `to`. Returns false as [`put`](Attached::put) does.
    #[inline]
    pub fn get(&self, address: u64, to: &Span, to_offset: usize, bytes: usize) -> bool {
        self.translate(address, bytes)
            .is_some_and(|offset| self.region.copy(offset, to, to_offset, bytes))
    }
}
