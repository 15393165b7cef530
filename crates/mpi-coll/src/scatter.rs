//! `MPI_Scatter` and `MPI_Scatterv` (MPI 5.0 §6.6).
//!
//! Short blocks of equal length go down the binomial tree of [`gather`](super::gather), the blocks
//! of a subtree as one packed message. The root sends other blocks directly.

use super::gather::{children, parent, subtree};
use super::selection::RootedDataPath;
use super::shm::Delivery;
use super::{Blocks, Steps, scratch_bytes, selection};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// Performs a scatter. `own` takes this process's block, or is `None` if it stays at the root
/// (`MPI_IN_PLACE`). Only the root has `blocks`.
pub fn scatter(
    steps: &mut Steps<'_>,
    blocks: Option<&Blocks>,
    own: Option<&Buffer>,
    root: u32,
) -> Outcome {
    let block_bytes = match (own, blocks) {
        (Some(own), None) => own.bytes(),
        (_, Some(blocks)) => blocks.bytes_of(root),
        (None, None) => 0,
    };
    if block_bytes == 0 {
        return Ok(());
    }
    if let Some((node_comm, mpi)) = steps.node_comm() {
        let delivery = match node_comm.site().scatter(block_bytes) {
            RootedDataPath::Messages => Delivery::AsMessage,
            RootedDataPath::SingleCopy => node_comm.scatter_direct(mpi, blocks, own, root)?,
            RootedDataPath::DeferredToPt2pt if blocks.is_some() => {
                node_comm.defer_to_pt2pt(mpi, block_bytes)
            }
            RootedDataPath::DeferredToPt2pt | RootedDataPath::Staged => {
                node_comm.scatter(mpi, blocks, own, root, block_bytes)?
            }
        };
        if delivery == Delivery::Done {
            return Ok(());
        }
    }
    by_messages(steps, blocks, own, root, block_bytes)
}

fn by_messages(
    steps: &mut Steps<'_>,
    blocks: Option<&Blocks>,
    own: Option<&Buffer>,
    root: u32,
    block_bytes: usize,
) -> Outcome {
    if !selection::tree(block_bytes, steps.size) {
        scatterv(steps, blocks, own, root);
        return Ok(());
    }
    match (blocks, own) {
        (Some(blocks), _) => distribute(steps, blocks, own, block_bytes)?,
        (None, Some(own)) => pass_down(steps, own, root)?,
        (None, None) => {}
    }
    Ok(())
}

/// Performs a scatter in which the root sends to every process.
pub fn scatterv(steps: &mut Steps<'_>, blocks: Option<&Blocks>, own: Option<&Buffer>, root: u32) {
    match (blocks, own) {
        (Some(blocks), own) => {
            for step in 1..steps.size {
                let to = steps.after(step);
                steps.send_some(to, &blocks.of(to));
            }
            if let Some(own) = own {
                steps.copy(&blocks.of(root), own);
            }
        }
        (None, Some(own)) => steps.receive_some(root, own),
        (None, None) => {}
    }
}

/// Receives the blocks of the subtree, this process's own first, and forwards those of its
/// children.
fn pass_down(steps: &mut Steps<'_>, own: &Buffer, root: u32) -> Outcome {
    let (size, each) = (steps.size, own.bytes());
    let place = steps.before(root);
    let rank_at = |place: u32| (place + root) % size;
    let places = subtree(place, size);
    if places == 1 {
        steps.receive(rank_at(parent(place)), own);
        return Ok(());
    }
    let held = scratch_bytes(each * places as usize)?;
    steps.receive(rank_at(parent(place)), &held);
    steps.wait();
    for child in children(place, size).rev() {
        let first = (child - place) as usize;
        steps.send(rank_at(child), &held.part(first * each, subtree(child, size) as usize * each));
    }
    steps.copy(&held.part(0, each), own);
    Ok(())
}

/// Sends from the root. The blocks of a subtree are one part of the buffer; if its ranks wrap
/// around, they are packed.
fn distribute(
    steps: &mut Steps<'_>,
    blocks: &Blocks,
    own: Option<&Buffer>,
    each: usize,
) -> Outcome {
    let (root, size) = (steps.rank, steps.size);
    for child in children(0, size).rev() {
        let (first, places) = ((child + root) % size, subtree(child, size));
        let direct = if first + places <= size { blocks.range(first, places) } else { None };
        let buffer = match direct {
            Some(direct) => direct,
            None => pack(steps, blocks, first, places, each)?,
        };
        steps.send(first, &buffer);
    }
    if let Some(own) = own {
        steps.copy(&blocks.of(root), own);
    }
    Ok(())
}

/// Packs the blocks of `places` ranks from `first` on, wrapping around.
fn pack(
    steps: &mut Steps<'_>,
    blocks: &Blocks,
    first: u32,
    places: u32,
    each: usize,
) -> Outcome<Buffer> {
    let packed = scratch_bytes(each * places as usize)?;
    for index in 0..places {
        steps.copy(
            &blocks.of((first + index) % steps.size),
            &packed.part(index as usize * each, each),
        );
    }
    Ok(packed)
}
