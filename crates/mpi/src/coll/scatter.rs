//! `MPI_Scatter` and `MPI_Scatterv` (MPI 5.0 §6.6): gather backwards.
//!
//! Short blocks of one size go down the binomial tree that [`gather`](super::gather) goes up, the blocks of a subtree as one packed message. Others go straight
//! from the root.

use super::gather::{children, parent, subtree};
use super::selection::RootedWay;
use super::shm::Arrival;
use super::{Blocks, Steps, scratch_bytes, selection};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// `own` takes this process's block, `None` where it stays at the root (`MPI_IN_PLACE`). `blocks` is the root's.
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
        let arrival = match node_comm.site().scatter(block_bytes) {
            RootedWay::Messages => Arrival::AsMessage,
            RootedWay::Direct => node_comm.scatter_direct(mpi, blocks, own, root)?,
            RootedWay::DeferredToPt2pt if blocks.is_some() => {
                node_comm.defer_to_pt2pt(mpi, block_bytes)
            }
            RootedWay::DeferredToPt2pt | RootedWay::Rooms => {
                node_comm.scatter(mpi, blocks, own, root, block_bytes)?
            }
        };
        if arrival == Arrival::Here {
            return Ok(());
        }
    }
    by_messages(steps, blocks, own, root, block_bytes)
}

/// What is left of one that has begun in short, where this process is not the root.
pub fn scatter_begun(steps: &mut Steps<'_>, own: &Buffer, root: u32) -> Outcome {
    let (node_comm, mpi) = steps.begun();
    if node_comm.scatter_begun(mpi, own, root)? == Arrival::AsMessage {
        return by_messages(steps, None, Some(own), root, own.bytes());
    }
    Ok(())
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

/// The root sends to everybody.
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

/// A process below the root: blocks of the subtree, own one first.
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

/// The root: what goes to a subtree is one part of the buffer, or packed, if its ranks go around the end.
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

/// The blocks of `places` ranks from `first` on, around the end, packed.
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
