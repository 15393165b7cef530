//! `MPI_Gather` and `MPI_Gatherv` (MPI 5.0 §6.5).
//!
//! Short blocks of equal length use a binomial tree: every process collects the blocks of its
//! subtree, packed, and sends them on as one message. Long blocks, and blocks whose lengths only
//! the root knows, are sent to the root directly.
//!
//! A *place* is a rank counted from the root, which has place 0.

use super::costs::Work;
use super::rows::{Case, Lengths, Need};
use super::shm::Delivery;
use super::site::{PAIR_CHUNKS_MAX_BYTES, PAIR_ROOTED_STAGED_MAX_BYTES, Site};
use super::table::{self, Algorithm, Operation};
use super::{Blocks, Steps, hierarchical, scratch_bytes};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// Bytes of a block up to which gather and scatter use a tree. Above, the extra copies on the way
/// cost more than the root's extra messages.
pub const TREE_MAX_BLOCK_BYTES: usize = 2 << 10;
/// Number of processes below which the root communicates directly with every process.
pub const TREE_MIN_RANKS: u32 = 4;

/// Bytes of a block up to which processes that share processors send it as a message. Calls that
/// follow one another let senders run ahead: messages further than the slots of a segment. Measured
/// on four hosts of sixteen processes: a process is scheduled 0.1 times in such a call by messages,
/// 0.4 times through segments.
const RUN_AHEAD_MAX_BYTES: usize = 64;

/// The arguments of a gather of blocks of equal length.
pub struct Args<'a> {
    /// This process's block; `None` at a root whose block is in place.
    own: Option<&'a Buffer>,
    /// All blocks, at the root only.
    blocks: Option<&'a Blocks>,
    root: u32,
    block_bytes: usize,
}

/// `MPI_Gather` as an operation with algorithms.
pub struct Gather;

impl Operation for Gather {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "gather";
    const INDEX: usize = 6;
    const ALGORITHMS: &'static [Algorithm<Gather>] = &[
        Algorithm::<Gather>::segment(
            "staged",
            "the others copy in, the root copies out; long blocks in chunks",
            &[Need::Segment, Need::Blocking],
            |case| match case.site().map(Site::is_pair) {
                Some(true) => Lengths::to(PAIR_ROOTED_STAGED_MAX_BYTES),
                _ => Lengths::ALL,
            },
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm()
                    && node_comm.gather(mpi, args.own, args.blocks, args.root, args.block_bytes)?
                        == Delivery::Done
                {
                    return Ok(());
                }
                by_messages(steps, args)
            },
        )
        .carries(|case| Lengths::to(case.site().map_or(0, Site::gather_staged_max)))
        .costs(|members, bytes| Work::shared((members - 1.0) * bytes, (members - 1.0) * bytes)),
        Algorithm::<Gather>::segment(
            "single_copy",
            "the others write to the root's memory through the kernel",
            &[Need::Segment, Need::Blocking, Need::SingleCopy],
            copies,
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm()
                    && node_comm.gather_direct(mpi, args.own, args.blocks, args.root)?
                        == Delivery::Done
                {
                    return Ok(());
                }
                by_messages(steps, args)
            },
        )
        .costs(|_, bytes| Work::by_kernel(bytes, 1.0)),
        Algorithm::<Gather>::levels(&[Need::Levels], packed_lengths, |steps, args| {
            let &Args { own, blocks, root, block_bytes } = args;
            let Some((nodes, mpi, whole)) = steps.nodes() else { return by_messages(steps, args) };
            let even = nodes.hierarchy().even;
            let (buffers, of_root) = ((own, blocks), (root, block_bytes));
            hierarchical::gather(nodes, mpi, whole, buffers, of_root, |steps, own, blocks, root| {
                // At the root the blocks of its node are in place.
                let (own, block_bytes) = (Some(own).filter(|_| blocks.is_none()), own.bytes());
                if even {
                    return by_messages(steps, &Args { own, blocks, root, block_bytes });
                }
                gatherv(steps, own, blocks, root);
                Ok(())
            })
        }),
        Algorithm::<Gather>::messages(
            "binomial_tree",
            "messages: packed blocks along a binomial tree",
            &[],
            tree_lengths,
            tree,
        ),
        Algorithm::<Gather>::messages(
            "linear",
            "messages: every process with the root",
            &[],
            |_| Lengths::ALL,
            |steps, args| {
                gatherv(steps, args.own, args.blocks, args.root);
                Ok(())
            },
        ),
    ];

    fn announce(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome<Delivery> {
        let is_root = args.blocks.is_some();
        match steps.node_comm() {
            Some((node_comm, mpi)) if node_comm.site().is_pair() => match is_root {
                false => Ok(node_comm.defer_to_pt2pt(mpi, args.block_bytes)),
                true => node_comm.gather(mpi, args.own, args.blocks, args.root, args.block_bytes),
            },
            _ => Ok(Delivery::AsMessage),
        }
    }
}

/// Returns the lengths for which the kernel's copies are chosen. Two processes with a processor
/// each use messages in between, and always if these are faster.
pub(super) fn copies(case: &Case) -> Lengths {
    match case.site() {
        Some(site) if site.is_pair() => Lengths::between(PAIR_CHUNKS_MAX_BYTES + 1, usize::MAX)
            .only_if(site.is_pair_of_copies()),
        _ => Lengths::ALL,
    }
}

/// Returns the lengths of blocks that pass through levels: those that messages would pack.
pub(super) fn levels_lengths(_: &Case) -> Lengths {
    Lengths::to(TREE_MAX_BLOCK_BYTES)
}

/// Returns the lengths of blocks that pass through levels to a root.
fn packed_lengths(case: &Case) -> Lengths {
    let shared = case.hierarchy().is_some_and(|hierarchy| hierarchy.oversubscribed);
    let min = if shared { RUN_AHEAD_MAX_BYTES + 1 } else { 0 };
    Lengths { min, ..levels_lengths(case) }
}

/// Returns the lengths of blocks for which messages along a tree are chosen.
pub(super) fn tree_lengths(case: &Case) -> Lengths {
    Lengths::to(TREE_MAX_BLOCK_BYTES).only_if(case.ranks >= TREE_MIN_RANKS)
}

/// Returns whether messages along a tree are chosen for blocks of `bytes` bytes of `ranks`
/// processes.
pub fn takes_tree(bytes: usize, ranks: u32) -> bool {
    bytes <= TREE_MAX_BLOCK_BYTES && ranks >= TREE_MIN_RANKS
}

/// Performs a gather. `own` is this process's block, or `None` if it lies in the root's `blocks`
/// (`MPI_IN_PLACE`). Only the root has `blocks`.
pub fn gather(
    steps: &mut Steps<'_>,
    own: Option<&Buffer>,
    blocks: Option<&Blocks>,
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
    let case = steps.case();
    table::perform::<Gather>(steps, &case, block_bytes, &Args { own, blocks, root, block_bytes })
}

/// Performs a gather by messages.
fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let case = steps.case();
    table::by_messages::<Gather>(steps, &case, args.block_bytes, args)
}

fn tree(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    match (args.blocks, args.own) {
        (Some(blocks), own) => collect(steps, own, blocks, args.block_bytes),
        (None, Some(own)) => pass_up(steps, own, args.root),
        (None, None) => Ok(()),
    }
}

/// Performs a gather in which every process sends to the root.
pub fn gatherv(steps: &mut Steps<'_>, own: Option<&Buffer>, blocks: Option<&Blocks>, root: u32) {
    match (blocks, own) {
        (Some(blocks), own) => {
            let last = steps.size - 1;
            (1..last).for_each(|step| receive_block(steps, step, blocks));
            if let Some(own) = own {
                steps.copy(own, &blocks.of(root));
            }
            // After the copy, because a receive that comes last needs no request.
            if last > 0 {
                receive_block(steps, last, blocks);
            }
        }
        (None, Some(own)) => steps.send_some(root, own),
        (None, None) => {}
    }
}

/// Receives the block of the rank that is `step` ranks further.
fn receive_block(steps: &mut Steps<'_>, step: u32, blocks: &Blocks) {
    let from = steps.after(step);
    steps.receive_some(from, &blocks.of(from));
}

/// Returns the number of places in the subtree of a place, of `size` in all.
pub(super) fn subtree(place: u32, size: u32) -> u32 {
    let span = if place == 0 { size.next_power_of_two() } else { 1 << place.trailing_zeros() };
    span.min(size - place)
}

/// Returns the children of a place in the binomial tree, nearest first.
pub(super) fn children(place: u32, size: u32) -> impl DoubleEndedIterator<Item = u32> {
    let span = if place == 0 { size.next_power_of_two() } else { 1 << place.trailing_zeros() };
    (0..span.trailing_zeros()).map(move |bit| place + (1 << bit)).filter(move |&child| child < size)
}

/// Returns the parent of a place other than 0.
pub(super) fn parent(place: u32) -> u32 {
    place & (place - 1)
}

/// Sends the blocks of the subtree, this process's own first, to the parent.
fn pass_up(steps: &mut Steps<'_>, own: &Buffer, root: u32) -> Outcome {
    let (size, each) = (steps.size, own.bytes());
    let place = steps.before(root);
    let rank_at = |place: u32| (place + root) % size;
    let places = subtree(place, size);
    if places == 1 {
        steps.send(rank_at(parent(place)), own);
        return Ok(());
    }
    let collected = scratch_bytes(each * places as usize)?;
    for child in children(place, size) {
        let first = (child - place) as usize;
        steps.receive(
            rank_at(child),
            &collected.part(first * each, subtree(child, size) as usize * each),
        );
    }
    steps.copy(own, &collected.part(0, each));
    steps.wait();
    steps.send(rank_at(parent(place)), &collected);
    Ok(())
}

/// Collects the subtrees at the root. A subtree whose ranks wrap around arrives packed; the blocks
/// of others are contiguous.
fn collect(steps: &mut Steps<'_>, own: Option<&Buffer>, blocks: &Blocks, each: usize) -> Outcome {
    let (root, size) = (steps.rank, steps.size);
    let mut unpack = Vec::new();
    for child in children(0, size) {
        let (first, places) = ((child + root) % size, subtree(child, size));
        let direct = if first + places <= size { blocks.range(first, places) } else { None };
        let buffer = direct.clone().map_or_else(|| scratch_bytes(each * places as usize), Ok)?;
        steps.receive(first, &buffer);
        if direct.is_none() {
            unpack.push((first, places, buffer));
        }
    }
    if let Some(own) = own {
        steps.copy(own, &blocks.of(root));
    }
    steps.wait();
    for (first, places, packed) in unpack {
        for index in 0..places {
            steps.copy(
                &packed.part(index as usize * each, each),
                &blocks.of((first + index) % size),
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subtree_is_its_root_and_the_subtrees_of_its_children() {
        for size in 1..70 {
            assert_eq!(subtree(0, size), size);
            for place in 0..size {
                let below: u32 = children(place, size).map(|child| subtree(child, size)).sum();
                assert_eq!(subtree(place, size), 1 + below, "place {place} of {size}");
                assert!(children(place, size).all(|child| parent(child) == place));
            }
        }
    }
}
