//! `MPI_Scatter` and `MPI_Scatterv` (MPI 5.0 §6.6).
//!
//! Short blocks of equal length go down the binomial tree of [`gather`](super::gather), the blocks
//! of a subtree as one packed message. The root sends other blocks directly.

use super::gather::{children, parent, subtree};
use super::rows::Need;
use super::selection::{self, RootedDataPath, Site};
use super::shm::Delivery;
use super::table::{self, Algorithm, Operation};
use super::{Blocks, Steps, scratch_bytes};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// The arguments of a scatter of blocks of equal length.
pub struct Args<'a> {
    /// This process's block; `None` at a root whose block is in place.
    own: Option<&'a Buffer>,
    /// All blocks, at the root only.
    blocks: Option<&'a Blocks>,
    root: u32,
    block_bytes: usize,
}

/// `MPI_Scatter` as an operation with algorithms.
pub struct Scatter;

impl Operation for Scatter {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "scatter";
    const INDEX: usize = 7;
    const ALGORITHMS: &'static [Algorithm<Scatter>] = &[
        Algorithm::new(
            "staged",
            "the root copies in, the others copy out",
            &[Need::Segment, Need::ScatterStaging],
            |case| case.uses_rooted(RootedDataPath::Staged, Site::scatter),
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm()
                    && node_comm.scatter(mpi, args.blocks, args.own, args.root, args.block_bytes)?
                        == Delivery::Done
                {
                    return Ok(());
                }
                by_messages(steps, args)
            },
        ),
        Algorithm::new(
            "single_copy",
            "the others read the root's memory through the kernel",
            &[Need::Segment, Need::SingleCopy],
            |case| case.uses_rooted(RootedDataPath::SingleCopy, Site::scatter),
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm()
                    && node_comm.scatter_direct(mpi, args.blocks, args.own, args.root)?
                        == Delivery::Done
                {
                    return Ok(());
                }
                by_messages(steps, args)
            },
        ),
        Algorithm::new(
            "pt2pt",
            "one message, which the segment announces",
            &[Need::Segment, Need::Pair],
            |case| case.uses_rooted(RootedDataPath::DeferredToPt2pt, Site::scatter),
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm() {
                    let delivery = match args.blocks.is_some() {
                        true => node_comm.defer_to_pt2pt(mpi, args.block_bytes),
                        false => node_comm.scatter(
                            mpi,
                            args.blocks,
                            args.own,
                            args.root,
                            args.block_bytes,
                        )?,
                    };
                    if delivery == Delivery::Done {
                        return Ok(());
                    }
                }
                by_messages(steps, args)
            },
        ),
        Algorithm::new(
            "binomial_tree",
            "messages: packed blocks along a binomial tree",
            &[],
            |case| selection::tree(case.bytes, case.ranks),
            |steps, args| tree(steps, args),
        ),
        Algorithm::new(
            "linear",
            "messages: every process with the root",
            &[],
            |_| true,
            |steps, args| {
                scatterv(steps, args.blocks, args.own, args.root);
                Ok(())
            },
        ),
    ];
}

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
    let case = steps.case(block_bytes);
    table::perform::<Scatter>(steps, &case, &Args { own, blocks, root, block_bytes })
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    if selection::tree(args.block_bytes, steps.size) {
        return tree(steps, args);
    }
    scatterv(steps, args.blocks, args.own, args.root);
    Ok(())
}

fn tree(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    match (args.blocks, args.own) {
        (Some(blocks), own) => distribute(steps, blocks, own, args.block_bytes),
        (None, Some(own)) => pass_down(steps, own, args.root),
        (None, None) => Ok(()),
    }
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
