//! Memory in the node's segment through which the ranks of a file exchange data, if all of them run
//! on one node.
//!
//! Each rank allocates a block, and all ranks map all blocks. The blocks belong to a file from the
//! first view with holes on until the file is closed. Their pages cost no memory before they are
//! used.

use crate::coll;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::handle;
use nemesis::Block;
use nemesis_datatype::MemoryRegion;
use std::sync::Arc;

/// Most bytes of a rank's block: half of it is a window.
const BLOCK_MAX_BYTES: u64 = 64 << 20;
const PAGE_BYTES: u64 = 4096;

/// The blocks of all ranks of a file.
#[derive(Debug)]
pub(crate) struct NodeWindows {
    /// This rank's block.
    own: Block,
    /// Bytes of a window: half of a block.
    window_bytes: u64,
    /// The blocks of all ranks, by rank.
    pub regions: Arc<[MemoryRegion]>,
}

/// Returns the bytes of windows that are made if the hints ask for `round_bytes` in a round.
fn window_bytes(round_bytes: u64) -> u64 {
    round_bytes.min(BLOCK_MAX_BYTES / 2).next_multiple_of(PAGE_BYTES)
}

/// Allocates and maps blocks for rounds of `round_bytes` bytes. Returns `None` at all ranks if
/// some rank has no shared memory left. Collective; all ranks run on one node.
pub(crate) fn create(
    mpi: &mut Mpi,
    comm: handle::Comm,
    round_bytes: u64,
) -> Outcome<Option<NodeWindows>> {
    let window_bytes = window_bytes(round_bytes);
    let own = mpi
        .memory
        .as_mut()
        .and_then(|memory| memory.allocate(2 * window_bytes as usize, PAGE_BYTES as usize).ok());
    let words = own.as_ref().map_or([0, 0], |block| [block.offset, block.bytes as u64]);
    let regions = coll::allgather_words(mpi, comm, words).and_then(|all| {
        let regions = map(mpi, comm, &all);
        let mapped = coll::allgather_words(mpi, comm, [u64::from(regions.is_some())])?;
        Ok(regions.filter(|_| mapped.iter().all(|[mapped]| *mapped != 0)))
    });
    match (own, regions) {
        (Some(own), Ok(Some(regions))) => {
            Ok(Some(NodeWindows { own, window_bytes, regions: regions.into() }))
        }
        (own, regions) => {
            own.into_iter().for_each(|block| free_block(mpi, block));
            regions.map(|_| None)
        }
    }
}

/// Maps the blocks of all ranks; `None` if one is missing.
fn map(mpi: &Mpi, comm: handle::Comm, all: &[[u64; 2]]) -> Option<Vec<MemoryRegion>> {
    let (memory, group) = (mpi.memory.as_ref()?, &mpi.comm(comm).ok()?.group);
    let region = |(process, [offset, bytes]): (&u32, &[u64; 2])| {
        let bytes = usize::try_from(*bytes).ok().filter(|bytes| *bytes > 0)?;
        MemoryRegion::of_shared(&memory.map(*process, *offset, bytes).ok()?, 0, bytes)
    };
    group.processes().iter().zip(all).map(region).collect()
}

fn free_block(mpi: &mut Mpi, block: Block) {
    if let Some(memory) = &mut mpi.memory {
        memory.free(block);
    }
}

impl NodeWindows {
    /// Returns whether the blocks have the size for rounds of `round_bytes` bytes.
    pub fn fits(&self, round_bytes: u64) -> bool {
        self.window_bytes == window_bytes(round_bytes)
    }

    /// Frees this rank's block. No rank uses the blocks any more.
    pub fn free(self, mpi: &mut Mpi) {
        free_block(mpi, self.own);
    }
}
