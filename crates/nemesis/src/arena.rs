//! The arena: memory of the program (`MPI_Alloc_mem`) inside this process's heap, so that other
//! processes of the node can map it.
//!
//! Small pieces share chunks; a large piece has a block of its own. The arena keeps its bookkeeping
//! outside this memory, because the program and other processes may write to it.
//!
//! ```text
//!   chunk   | piece | free | piece | piece | free …        CHUNK_BYTES, pages appear when touched
//!   block   | one large piece                     |
//! ```

use nemesis_shm::free::Free;
use nemesis_shm::heap::{Block, Heap};
use std::collections::BTreeMap;

/// Length of a chunk. The kernel allocates its pages when they are touched.
const CHUNK_BYTES: usize = 4 << 20;
/// Pieces of at least this length have a block of their own, whose pages return to the kernel when
/// the piece is freed.
const LARGE_BYTES: usize = 256 << 10;
/// Granularity of pieces: a cache line, which is aligned for every type and is not shared between
/// pieces.
const GRAIN_BYTES: usize = 64;

/// Location of a piece of the program's memory in the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Offset of the block in the segment.
    pub offset: u64,
    /// Length of the block in bytes.
    pub block_bytes: usize,
    /// Offset of the piece in the block.
    pub start: usize,
}

#[derive(Debug, Default)]
pub struct Arena {
    /// The blocks by address.
    blocks: BTreeMap<usize, ArenaBlock>,
}

/// A block of the heap and its pieces. `used` maps the first byte of a piece to its end.
#[derive(Debug)]
struct ArenaBlock {
    heap_block: Block,
    free: Free,
    used: BTreeMap<usize, usize>,
}

impl ArenaBlock {
    fn new(block: Block) -> ArenaBlock {
        let free = Free::new(0..block.bytes);
        ArenaBlock { heap_block: block, free, used: BTreeMap::new() }
    }

    /// Allocates a piece and returns its address, a multiple of `alignment`, which must divide
    /// the page size or the alignment of the block.
    fn take(&mut self, bytes: usize, alignment: usize) -> Option<usize> {
        let address = self.heap_block.shared.address();
        let first = self.free.find(bytes, address, alignment)?;
        self.free.take(first..first + bytes);
        self.used.insert(first, first + bytes);
        Some(address + first)
    }

    /// Frees the piece at offset `start`; returns false if no piece begins there.
    fn give_back(&mut self, start: usize) -> bool {
        let Some(end) = self.used.remove(&start) else { return false };
        self.free.give_back(start..end);
        true
    }
}

impl Arena {
    /// Allocates `bytes` bytes and returns their address, a multiple of `alignment` (a power of
    /// two). Returns `None` when the heap is full.
    pub fn allocate(&mut self, heap: &mut Heap, bytes: usize, alignment: usize) -> Option<usize> {
        let bytes = bytes.max(1).checked_next_multiple_of(GRAIN_BYTES)?;
        let alignment = alignment.max(GRAIN_BYTES);
        if bytes < LARGE_BYTES && alignment <= GRAIN_BYTES {
            let known =
                self.blocks.values_mut().filter(|block| block.heap_block.bytes == CHUNK_BYTES);
            if let Some(address) = known.into_iter().find_map(|block| block.take(bytes, alignment))
            {
                return Some(address);
            }
            return self.allocate_in_new(heap, CHUNK_BYTES, bytes, alignment);
        }
        // The additional bytes let the piece begin at a multiple of the alignment, wherever the
        // kernel maps the block.
        self.allocate_in_new(heap, bytes.checked_add(alignment)?, bytes, alignment)
    }

    fn allocate_in_new(
        &mut self,
        heap: &mut Heap,
        block_bytes: usize,
        bytes: usize,
        alignment: usize,
    ) -> Option<usize> {
        let mut block = ArenaBlock::new(heap.allocate(block_bytes, 1).ok()?);
        let address = block.take(bytes, alignment)?;
        self.blocks.insert(block.heap_block.shared.address(), block);
        Some(address)
    }

    /// Frees the piece that begins at `address`; returns false if the arena has no such piece.
    pub fn free(&mut self, heap: &mut Heap, address: usize) -> bool {
        let Some((&base, block)) = self.blocks.range_mut(..=address).next_back() else {
            return false;
        };
        if !block.give_back(address - base) {
            return false;
        }
        if block.used.is_empty()
            && let Some(block) = self.blocks.remove(&base)
        {
            heap.free(block.heap_block);
        }
        true
    }

    /// Returns the length in bytes of the piece that begins at `address`, with the bytes that round
    /// it up; `None` if no piece begins there.
    pub fn piece_bytes(&self, address: usize) -> Option<usize> {
        let (base, block) = self.blocks.range(..=address).next_back()?;
        let start = address - base;
        block.used.get(&start).map(|end| end - start)
    }

    /// Locates memory of the program; `None` unless one block contains all of it.
    pub fn find(&self, address: usize, bytes: usize) -> Option<Found> {
        let (base, block) = self.blocks.range(..=address).next_back()?;
        let start = address - base;
        let inside = start.checked_add(bytes)? <= block.heap_block.bytes;
        inside.then_some(Found {
            offset: block.heap_block.offset,
            block_bytes: block.heap_block.bytes,
            start,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_shm::layout::Layout;
    use nemesis_sys::memfd;

    fn heap() -> Heap {
        let memory = memfd::sparse(1 << 36, 1 << 36).unwrap();
        Heap::new(memory.descriptor, memory.backing, Layout::new(1 << 36, 2).unwrap(), 0)
    }

    #[test]
    fn pieces_are_disjoint_aligned_and_found() {
        let (mut heap, mut arena) = (heap(), Arena::default());
        let mut pieces: Vec<(usize, usize)> = Vec::new();
        for (bytes, alignment) in
            [(1, 1), (100, 64), (5000, 4096), (0, 1), (1 << 20, 1), (300 << 10, 1 << 16), (64, 64)]
        {
            let address = arena.allocate(&mut heap, bytes, alignment).unwrap();
            assert!(address.is_multiple_of(alignment.max(GRAIN_BYTES)));
            assert!(pieces.iter().all(
                |&(other, length)| address >= other + length || other >= address + bytes.max(1)
            ));
            let found = arena.find(address, bytes).unwrap();
            assert!(found.start + bytes <= found.block_bytes);
            let whole = arena.piece_bytes(address).unwrap();
            assert!(whole >= bytes.max(1) && whole < bytes + 2 * GRAIN_BYTES);
            assert_eq!(arena.piece_bytes(address + 1), None);
            pieces.push((address, bytes.max(1)));
        }
        assert!(!arena.free(&mut heap, pieces[1].0 + 64), "only the beginning of a piece frees it");
        for (address, _) in pieces {
            assert!(arena.free(&mut heap, address) && !arena.free(&mut heap, address));
        }
        assert!(arena.blocks.is_empty());
        assert_eq!(arena.find(4096, 1), None);
    }

    #[test]
    fn many_small_pieces_share_chunks() {
        let (mut heap, mut arena) = (heap(), Arena::default());
        let pieces: Vec<usize> =
            (0..100_000).map(|_| arena.allocate(&mut heap, 8, 8).unwrap()).collect();
        assert_eq!(arena.blocks.len(), 2);
        assert!(pieces.into_iter().rev().all(|address| arena.free(&mut heap, address)));
    }
}
