//! Memory of others: what a process of the same node can reach without the other's help.
//!
//! Two ways lead there. A *block* of the other's heap is mapped and then read and written like one's own (`nemesis_shm::heap`); any other memory is
//! copied by the kernel (`process_vm_readv` and `process_vm_writev`), where it permits that. Both are done when the call returns, and the other
//! process takes no part.
//!
//! [`Memory`] is handed out by the endpoint once ([`Endpoint::take_memory`](crate::Endpoint::take_memory)) and stands beside it from then on: it holds
//! the way to the segment and knows which process has which slot.

use crate::arena::{Arena, Found};
use crate::kernel_copy;
use nemesis_shm::heap::{Block, Heap, Refusal, Shared};
use nemesis_shm::segment::{Segment, Slot};
use nemesis_sync::Ordering;
use nemesis_sys::cma;
use rustix::io::Errno;
use std::sync::Arc;

/// A piece of another process's memory: address there, length in bytes.
pub use nemesis_sys::cma::Remote;

/// Ways to the memory of the processes of this node.
#[derive(Debug)]
pub struct Memory {
    heap: Heap,
    arena: Arena,
    me: u32,
    /// By process: its slot, if it runs on this node.
    slots: Vec<Option<(usize, Slot)>>,
    segment: Segment,
    /// `NEMESIS_CMA`
    pub(crate) cma: bool,
}

impl Memory {
    pub(crate) fn new(
        heap: Heap,
        me: u32,
        slots: Vec<Option<(usize, Slot)>>,
        segment: Segment,
    ) -> Memory {
        Memory { heap, arena: Arena::default(), me, slots, segment, cma: true }
    }

    /// Index of this process.
    pub fn me(&self) -> u32 {
        self.me
    }

    /// Number of processes, on this node and elsewhere.
    pub fn processes(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Whether a process runs on this node.
    pub fn is_near(&self, process: u32) -> bool {
        self.slots.get(process as usize).is_some_and(Option::is_some)
    }

    /// Orders the loads and stores of all processes of this node around this call (the expensive side of `nemesis_sync::light_barrier`); false where the kernel
    /// does not do that for all of them.
    pub fn order_all(&self) -> bool {
        self.segment.is_orderable() && nemesis_sys::membarrier::global()
    }

    /// Whether shared memory costs nothing until it is touched, so that there is enough for more than windows.
    pub fn is_spare(&self) -> bool {
        self.heap.is_spare()
    }

    /// Allocates shared memory, all zero; others reach it by [`map`](Memory::map).
    pub fn allocate(&mut self, bytes: usize, alignment: usize) -> Result<Block, Refusal> {
        self.heap.allocate(bytes, alignment)
    }

    /// Gives shared memory back.
    pub fn free(&mut self, block: Block) {
        self.heap.free(block);
    }

    /// Allocates memory for the program, which it may make a window of: the address of `bytes` bytes at a multiple of `alignment`, a power of two. `None`
    /// when there is no shared memory to spare.
    pub fn allocate_piece(&mut self, bytes: usize, alignment: usize) -> Option<usize> {
        if self.is_spare() { self.arena.allocate(&mut self.heap, bytes, alignment) } else { None }
    }

    /// Frees what [`allocate_piece`](Memory::allocate_piece) gave; false when it did not.
    pub fn free_piece(&mut self, address: usize) -> bool {
        self.arena.free(&mut self.heap, address)
    }

    /// Where memory of the program lies in the segment, if it came from [`allocate_piece`](Memory::allocate_piece).
    pub fn find_piece(&self, address: usize, bytes: usize) -> Option<Found> {
        self.arena.find(address, bytes)
    }

    /// Maps a block that `process` has allocated. The numbers came from that process and are checked.
    pub fn map(&self, process: u32, offset: u64, bytes: usize) -> Result<Arc<Shared>, Refusal> {
        let (slot, _) = self
            .slots
            .get(process as usize)
            .copied()
            .flatten()
            .ok_or(Refusal::Outside { slot: usize::MAX, offset, bytes })?;
        self.heap.attach(slot, offset, bytes)
    }

    /// Fills `into` from pieces of the memory of `process`, one after the other.
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

    /// Writes `from` to pieces of the memory of `process`, which expects it there.
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

    fn pid(&self, process: u32) -> Result<i32, Errno> {
        if !self.cma {
            return Err(Errno::PERM);
        }
        let (_, slot) = self.slots.get(process as usize).copied().flatten().ok_or(Errno::SRCH)?;
        // Relaxed: whoever told us an address of that process stored its pid long before.
        match slot.pid().load(Ordering::Relaxed) {
            0 => Err(Errno::SRCH),
            pid => Ok(pid as i32),
        }
    }
}
