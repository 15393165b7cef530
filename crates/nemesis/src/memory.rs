//! Access to the memory of other processes of the node, without their help.
//!
//! A process maps a *block* of another process's heap and reads and writes it like its own memory
//! (`nemesis_shm::heap`). The kernel copies any other memory (`process_vm_readv`,
//! `process_vm_writev`), where it permits that. Both accesses are complete when the call returns.
//!
//! The endpoint hands out [`Memory`] once
//! ([`Endpoint::take_memory`](crate::Endpoint::take_memory)). `Memory` has its own mapping of the
//! segment, and knows the slot of each process.

use crate::arena::{Arena, Found};
use crate::kernel_copy;
use nemesis_netmod::PagedTable;
use nemesis_shm::heap::{Block, Heap, Refusal, Shared};
use nemesis_shm::segment::{Mismatch, Segment, Slot};
use nemesis_sync::Ordering;
use nemesis_sys::cma;
pub use rustix::io::Errno;
use std::sync::Arc;

/// A piece of another process's memory: its address there, and its length in bytes.
pub use nemesis_sys::cma::Remote;

/// Access to the memory of the processes of this node.
///
/// # Examples
///
/// A process maps a block of its own heap as another process would:
///
/// ```
/// use nemesis::{Endpoint, Span, Tunables};
/// use nemesis_wireup::Wireup;
///
/// let mut wireup = Wireup::connect()?;
/// let mut endpoint = Endpoint::join(&mut wireup, &Tunables::default())?;
/// let mut memory = endpoint.take_memory().expect("an endpoint hands out its memory once");
///
/// let block = memory.allocate(4096, 64)?;
/// let mapped = Span::of_shared(memory.map(memory.me(), block.offset, 4096)?);
/// assert!(mapped.write(0, b"data"));
/// let mut seen = [0; 4];
/// assert!(Span::of_shared(block.shared.clone()).read(0, &mut seen));
/// assert_eq!(&seen, b"data");
/// memory.free(block);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Memory {
    heap: Heap,
    arena: Arena,
    me: u32,
    /// By process: its slot's index and its slot, if it runs on this node.
    slots: PagedTable<Option<(usize, Slot)>>,
    segment: Segment,
    /// Whether the kernel may copy (`NEMESIS_CMA`).
    pub(crate) cma: bool,
}

/// Whether and how the loads and stores of all processes of this node are ordered.
#[derive(Debug, Clone, Copy)]
pub struct NodeOrder {
    is_orderable: bool,
}

impl NodeOrder {
    /// Orders the loads and stores of all processes of this node around this call (the expensive
    /// side of `nemesis_sync::light_barrier`). Returns false if the kernel cannot do that for all
    /// of them.
    pub fn order_all(self) -> bool {
        self.is_orderable && nemesis_sys::membarrier::global()
    }
}

impl Memory {
    pub(crate) fn new(
        heap: Heap,
        me: u32,
        slots: PagedTable<Option<(usize, Slot)>>,
        segment: Segment,
    ) -> Memory {
        Memory { heap, arena: Arena::default(), me, slots, segment, cma: true }
    }

    /// Maps the first `slots` slots of the segment.
    pub(crate) fn map_slots(&self, slots: usize) -> Result<Segment, Mismatch> {
        self.segment.wider(self.heap.file(), slots)
    }

    /// Returns the index of this process.
    pub fn me(&self) -> u32 {
        self.me
    }

    /// Returns the number of processes of the job, on this node and elsewhere.
    pub fn processes(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Returns whether a process runs on this node.
    pub fn is_local(&self, process: u32) -> bool {
        self.slots.get(process as usize).is_some_and(Option::is_some)
    }

    /// Orders the loads and stores of all processes of this node, as [`NodeOrder::order_all`] does.
    pub fn order_all(&self) -> bool {
        self.order().order_all()
    }

    /// Returns what orders the loads and stores of the node's processes.
    pub fn order(&self) -> NodeOrder {
        NodeOrder { is_orderable: self.segment.is_orderable() }
    }

    /// Returns whether shared memory costs nothing until it is touched, so that it may be used for
    /// more than windows.
    pub fn is_spare(&self) -> bool {
        self.heap.is_spare()
    }

    /// Allocates shared memory, all zero. Other processes reach it by [`map`](Memory::map).
    ///
    /// # Errors
    ///
    /// The heap is exhausted, or the node has no memory for it.
    pub fn allocate(&mut self, bytes: usize, alignment: usize) -> Result<Block, Refusal> {
        self.heap.allocate(bytes, alignment)
    }

    /// Frees a block of shared memory. No process may access it any more.
    pub fn free(&mut self, block: Block) {
        self.heap.free(block);
    }

    /// Allocates memory for the program, from which it may make a window. Returns the address of
    /// `bytes` bytes at a multiple of `alignment`, a power of two, or `None` if no shared memory is
    /// available.
    pub fn allocate_piece(&mut self, bytes: usize, alignment: usize) -> Option<usize> {
        if self.is_spare() { self.arena.allocate(&mut self.heap, bytes, alignment) } else { None }
    }

    /// Frees memory of [`allocate_piece`](Memory::allocate_piece). Returns false if `address` is
    /// not the address of such memory.
    pub fn free_piece(&mut self, address: usize) -> bool {
        self.arena.free(&mut self.heap, address)
    }

    /// Returns the length in bytes of memory of [`allocate_piece`](Memory::allocate_piece), rounded
    /// up; `None` if `address` is not the address of such memory.
    pub fn piece_bytes(&self, address: usize) -> Option<usize> {
        self.arena.piece_bytes(address)
    }

    /// Returns the place in the segment of memory of the program, if it came from
    /// [`allocate_piece`](Memory::allocate_piece).
    pub fn find_piece(&self, address: usize, bytes: usize) -> Option<Found> {
        self.arena.find(address, bytes)
    }

    /// Maps a block that `process` has allocated. `offset` and `bytes` came from that process and
    /// are checked.
    ///
    /// # Errors
    ///
    /// The process is not of this node, or the numbers do not name memory of its heap.
    pub fn map(&self, process: u32, offset: u64, bytes: usize) -> Result<Arc<Shared>, Refusal> {
        let (slot, _) = self
            .slots
            .get(process as usize)
            .copied()
            .flatten()
            .ok_or(Refusal::Outside { slot: usize::MAX, offset, bytes })?;
        self.heap.attach(slot, offset, bytes)
    }

    /// Fills `into` from pieces of the memory of `process`, in their order.
    ///
    /// # Errors
    ///
    /// `PERM` if the kernel may not copy, `SRCH` if the process is not of this node, and the errors
    /// of `process_vm_readv`.
    pub fn read(
        &self,
        process: u32,
        pieces: impl Iterator<Item = Remote>,
        into: &mut [u8],
    ) -> Result<(), Errno> {
        let (pid, mut pieces) = (self.pid(process)?, pieces.peekable());
        match pieces.peek() {
            Some(&(address, bytes)) if bytes >= into.len() => kernel_copy::read(pid, address, into),
            _ => cma::read_pieces(pid, pieces, into),
        }
    }

    /// Writes `from` to pieces of the memory of `process`, in their order. That process expects the
    /// bytes there.
    ///
    /// # Errors
    ///
    /// As of [`read`](Memory::read).
    pub fn write(
        &self,
        process: u32,
        pieces: impl Iterator<Item = Remote>,
        from: &[u8],
    ) -> Result<(), Errno> {
        let (pid, mut pieces) = (self.pid(process)?, pieces.peekable());
        match pieces.peek() {
            Some(&(address, bytes)) if bytes >= from.len() => {
                kernel_copy::write(pid, address, from)
            }
            _ => cma::write_pieces(pid, pieces, from),
        }
    }

    /// Returns the process id of a process of this node, by which this process may access it.
    ///
    /// # Errors
    /// `EPERM` if `NEMESIS_CMA=off` forbids that, `ESRCH` if the process is on another node or has
    /// not begun.
    pub fn pid(&self, process: u32) -> Result<i32, Errno> {
        if !self.cma {
            return Err(Errno::PERM);
        }
        let (_, slot) = self.slots.get(process as usize).copied().flatten().ok_or(Errno::SRCH)?;
        // Relaxed: the process stored its pid long before it told an address of its memory.
        match slot.pid().load(Ordering::Relaxed) {
            0 => Err(Errno::SRCH),
            pid => Ok(pid as i32),
        }
    }
}
