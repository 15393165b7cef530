//! The arena: memory of the program (`MPI_Alloc_mem`) inside this process's heap, so that a window on it is mapped by the others.
//!
//! Small pieces share chunks; a large piece has a block of its own. The bookkeeping is kept outside the memory it is about, which the program and other
//! processes may write.
//!
//! ```text
//!   chunk   | piece | free | piece | piece | free …        CHUNK_BYTES, pages appear when touched
//!   block   | one large piece                     |
//! ```

use nemesis_shm::free::Free;
use nemesis_shm::heap::{Block, Heap};
use std::collections::BTreeMap;

/// The range of a chunk. It costs addresses until it is touched.
const CHUNK_BYTES: usize = 4 << 20;
/// From here on a piece has a block of its own, whose pages go back when it is freed.
const LARGE_BYTES: usize = 256 << 10;
/// A cache line: enough for every type, and no line is shared with a neighbour.
const GRAIN_BYTES: usize = 64;

/// Where a piece of the program's memory lies in the segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// Offset of the block in the segment, and its length.
    pub offset: u64,
    pub block_bytes: usize,
    /// Where in the block.
    pub start: usize,
}

#[derive(Debug, Default)]
pub struct Arena {
    /// By address.
    blocks: BTreeMap<usize, HandleTable>,
}

/// A block and the pieces in it, by their beginning.
#[derive(Debug)]
struct HandleTable {
    block: Block,
    free: Free,
    used: BTreeMap<usize, usize>,
}

impl HandleTable {
    fn new(block: Block) -> HandleTable {
        let free = Free::new(0..block.bytes);
        HandleTable { block, free, used: BTreeMap::new() }
    }

    /// Takes a piece; the address is a multiple of `alignment`, which divides the page or the block's own alignment.
    fn take(&mut self, bytes: usize, alignment: usize) -> Option<usize> {
        let address = self.block.shared.address();
        let first = self.free.find(bytes, address, alignment)?;
        self.free.take(first..first + bytes);
        self.used.insert(first, first + bytes);
        Some(address + first)
    }

    /// Takes the piece at `start` back; false when none begins there.
    fn give_back(&mut self, start: usize) -> bool {
        let Some(end) = self.used.remove(&start) else { return false };
        self.free.give_back(start..end);
        true
    }
}

impl Arena {
    /// The address of `bytes` bytes at a multiple of `alignment`, a power of two; `None` when the heap has no room.
    pub fn allocate(&mut self, heap: &mut Heap, bytes: usize, alignment: usize) -> Option<usize> {
        let bytes = bytes.max(1).checked_next_multiple_of(GRAIN_BYTES)?;
        let alignment = alignment.max(GRAIN_BYTES);
        if bytes < LARGE_BYTES && alignment <= GRAIN_BYTES {
            let known = self
                .blocks
                .values_mut()
                .filter(|handle_table| handle_table.block.bytes == CHUNK_BYTES);
            if let Some(address) =
                known.into_iter().find_map(|handle_table| handle_table.take(bytes, alignment))
            {
                return Some(address);
            }
            return self.allocate_in_new(heap, CHUNK_BYTES, bytes, alignment);
        }
        // Room to begin at a multiple of the alignment, wherever the kernel maps the block.
        self.allocate_in_new(heap, bytes.checked_add(alignment)?, bytes, alignment)
    }

    fn allocate_in_new(
        &mut self,
        heap: &mut Heap,
        block_bytes: usize,
        bytes: usize,
        alignment: usize,
    ) -> Option<usize> {
        let mut handle_table = HandleTable::new(heap.allocate(block_bytes, 1).ok()?);
        let address = handle_table.take(bytes, alignment)?;
        self.blocks.insert(handle_table.block.shared.address(), handle_table);
        Some(address)
    }

    /// Frees the piece that begins at `address`; false when it is none of ours.
    pub fn free(&mut self, heap: &mut Heap, address: usize) -> bool {
        let Some((&base, handle_table)) = self.blocks.range_mut(..=address).next_back() else {
            return false;
        };
        if !handle_table.give_back(address - base) {
            return false;
        }
        if handle_table.used.is_empty()
            && let Some(handle_table) = self.blocks.remove(&base)
        {
            heap.free(handle_table.block);
        }
        true
    }

    /// Where memory of the program lies, if one block has all of it.
    pub fn find(&self, address: usize, bytes: usize) -> Option<Found> {
        let (base, handle_table) = self.blocks.range(..=address).next_back()?;
        let start = address - base;
        let inside = start.checked_add(bytes)? <= handle_table.block.bytes;
        inside.then_some(Found {
            offset: handle_table.block.offset,
            block_bytes: handle_table.block.bytes,
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
        let memory = memfd::sparse(1 << 43, 1 << 43).unwrap();
        Heap::new(memory.descriptor, memory.rung, Layout::new(1 << 43, 2).unwrap(), 0)
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
