//! `MPI_Scatter` and `MPI_Scatterv` (MPI 5.0 §6.6).
//!
//! Short blocks of equal length go down the binomial tree of [`gather`](super::gather), the blocks
//! of a subtree as one packed message. The root sends other blocks directly.

use super::costs::Work;
use super::gather::{children, copies, levels_lengths, parent, subtree, tree_lengths};
use super::rows::{Lengths, Need};
use super::shm::Delivery;
use super::site::{Crowd, PAIR_ROOTED_STAGED_MAX_BYTES};
use super::table::{self, Algorithm, Operation};
use super::{Blocks, Steps, hierarchical, scratch_bytes};
use crate::error::Outcome;
use nemesis::coll_segment::{LARGE_STAGING_BUFFERS, SHORT_STAGING_BYTES, STAGING_BYTES};
use nemesis_datatype::Buffer;

/// Members with a processor each above which a root that writes blocks into several staging buffers
/// takes longer than the members take to read them from its memory.
const MANY_PARTS_MAX_MEMBERS: u32 = 11;
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
        Algorithm::<Scatter>::segment(
            "staged",
            "the root copies in, the others copy out; long blocks in chunks",
            &[Need::Segment, Need::Blocking],
            |case| {
                case.site().map_or(Lengths::NONE, |site| match site.crowd() {
                    Crowd::Pair => Lengths::to(PAIR_ROOTED_STAGED_MAX_BYTES),
                    Crowd::Many if site.members <= MANY_PARTS_MAX_MEMBERS => Lengths::ALL,
                    // Blocks in parts, which take as long as copies by the kernel, would make
                    // members wait for ever if lengths do not agree.
                    Crowd::Many | Crowd::Shared => Lengths::to(STAGING_BYTES),
                })
            },
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm()
                    && node_comm.scatter(mpi, args.blocks, args.own, args.root, args.block_bytes)?
                        == Delivery::Done
                {
                    return Ok(());
                }
                by_messages(steps, args)
            },
        )
        .carries(|case| {
            Lengths::to(match case.site() {
                Some(site) if !site.is_pair() => LARGE_STAGING_BUFFERS * STAGING_BYTES,
                _ => SHORT_STAGING_BYTES,
            })
        })
        .costs(|members, bytes| Work::shared((members - 1.0) * bytes, (members - 1.0) * bytes)),
        Algorithm::<Scatter>::segment(
            "single_copy",
            "the others read the root's memory through the kernel",
            &[Need::Segment, Need::Blocking, Need::SingleCopy],
            copies,
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm()
                    && node_comm.scatter_direct(mpi, args.blocks, args.own, args.root)?
                        == Delivery::Done
                {
                    return Ok(());
                }
                by_messages(steps, args)
            },
        )
        .costs(|_, bytes| Work::by_kernel(bytes, 1.0)),
        Algorithm::<Scatter>::levels(&[Need::Levels], levels_lengths, |steps, args| {
            let &Args { own, blocks, root, block_bytes } = args;
            let Some((nodes, mpi, whole)) = steps.nodes() else { return by_messages(steps, args) };
            let even = nodes.hierarchy().even;
            let (buffers, of_root) = ((blocks, own), (root, block_bytes));
            hierarchical::scatter(
                nodes,
                mpi,
                whole,
                buffers,
                of_root,
                |steps, blocks, own, root| {
                    // At the root the blocks of its node are in place.
                    let (own, block_bytes) = (Some(own).filter(|_| blocks.is_none()), own.bytes());
                    if even {
                        return by_messages(steps, &Args { own, blocks, root, block_bytes });
                    }
                    scatterv(steps, blocks, own, root);
                    Ok(())
                },
            )
        }),
        Algorithm::<Scatter>::messages(
            "binomial_tree",
            "messages: packed blocks along a binomial tree",
            &[],
            tree_lengths,
            tree,
        ),
        Algorithm::<Scatter>::messages(
            "linear",
            "messages: every process with the root",
            &[],
            |_| Lengths::ALL,
            |steps, args| {
                scatterv(steps, args.blocks, args.own, args.root);
                Ok(())
            },
        ),
    ];

    fn announce(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome<Delivery> {
        let is_root = args.blocks.is_some();
        match steps.node_comm() {
            Some((node_comm, mpi)) if node_comm.site().is_pair() => match is_root {
                true => Ok(node_comm.defer_to_pt2pt(mpi, args.block_bytes)),
                false => node_comm.scatter(mpi, args.blocks, args.own, args.root, args.block_bytes),
            },
            _ => Ok(Delivery::AsMessage),
        }
    }
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
    let case = steps.case();
    table::perform::<Scatter>(steps, &case, block_bytes, &Args { own, blocks, root, block_bytes })
}

/// Performs a scatter by messages.
fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let case = steps.case();
    table::by_messages::<Scatter>(steps, &case, args.block_bytes, args)
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
