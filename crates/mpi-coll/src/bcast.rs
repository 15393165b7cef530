//! `MPI_Bcast` (MPI 5.0 §6.4).

use super::costs::Work;
use super::messages::{bcast_tree, bcast_trees};
use super::rows::{Lengths, Need};
use super::shm::{Delivery, ShmOperation};
use super::site::{PAIR_ROOTED_STAGED_MAX_BYTES, Site};
use super::table::{self, Algorithm, Operation};
use super::{Steps, hierarchical};
use crate::error::Outcome;
use nemesis::coll_segment::SHORT_STAGING_BYTES;
use nemesis_datatype::Buffer;

/// Bytes up to which splitting a broadcast does not pay: sending it whole log2(n) times takes less
/// time, by the model of networks ([decision
/// 0081](../../../docs/decisions/0081-any-number-of-processes.md)).
pub const TREE_MAX_BYTES: usize = 16 << 10;
/// Number of processes below which the tree is too shallow for splitting to save anything.
const SPLIT_MIN_RANKS: u32 = 4;
/// Bytes from which a non-blocking broadcast uses a collective segment. More messages may be in
/// flight than a segment has slots, so a root that calls repeatedly gets further ahead with
/// messages. On two cores among 4, 8 and 16 processes, 8 bytes took 1.2 to 1.8 times as long as
/// messages, 512 bytes as long, and 4 KiB 0.4 to 0.9 times.
const NONBLOCKING_MIN_BYTES: usize = 1 << 10;

/// The arguments of a broadcast.
pub struct Args<'a> {
    buffer: &'a Buffer,
    root: u32,
}

/// `MPI_Bcast` as an operation with algorithms.
pub struct Bcast;

impl Operation for Bcast {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "bcast";
    const INDEX: usize = 1;
    const ALGORITHMS: &'static [Algorithm<Bcast>] = &[
        Algorithm::<Bcast>::segment(
            "staged",
            "the root copies in, the others copy out",
            &[Need::Segment],
            |case| match (case.site(), case.recorded()) {
                (Some(site), _) if site.is_pair() => Lengths::to(PAIR_ROOTED_STAGED_MAX_BYTES),
                (None, Some(site)) if site.is_pair() => Lengths::NONE,
                (None, Some(_)) => Lengths::between(NONBLOCKING_MIN_BYTES, SHORT_STAGING_BYTES),
                _ => Lengths::ALL,
            },
            |steps, args| through_segment(steps, args, false),
        )
        .carries(|case| {
            Lengths::to(match case.site() {
                Some(site) if !site.is_pair() => site.bcast_whole_max(),
                _ => SHORT_STAGING_BYTES,
            })
        })
        .costs(|_, bytes| Work::shared(bytes, bytes)),
        Algorithm::<Bcast>::segment(
            "pipelined",
            "the root copies chunks in while the others copy earlier ones out",
            &[Need::Segment, Need::Blocking],
            |_| Lengths::ALL,
            |steps, args| through_segment(steps, args, false),
        )
        .carries(|case| Lengths::ALL.only_if(!case.site().is_some_and(Site::is_pair)))
        .costs(|_, bytes| Work::shared(0.0, bytes)),
        Algorithm::<Bcast>::segment(
            "single_copy",
            "the others read the root's memory through the kernel",
            &[Need::Segment, Need::SingleCopy],
            |case| match case.recorded() {
                Some(site) if !site.is_pair() => {
                    Lengths::between(SHORT_STAGING_BYTES + 1, usize::MAX)
                }
                _ => Lengths::NONE,
            },
            |steps, args| through_segment(steps, args, true),
        )
        .costs(|_, bytes| Work::by_kernel(bytes, 1.0)),
        Algorithm::<Bcast>::levels(&[Need::Levels], hierarchical::vectors, through_levels),
        Algorithm::<Bcast>::messages(
            "binomial_tree",
            "messages: down a binomial tree",
            &[],
            |case| match case.ranks < SPLIT_MIN_RANKS {
                true => Lengths::ALL,
                false => Lengths::to(TREE_MAX_BYTES),
            },
            |steps, args| {
                bcast_tree::bcast(steps, args.buffer, args.root);
                Ok(())
            },
        ),
        Algorithm::<Bcast>::messages(
            "two_trees",
            "messages: each half of the data down a binary tree, in chunks",
            &[],
            |_| Lengths::ALL,
            |steps, args| bcast_trees::bcast(steps, args.buffer, args.root),
        ),
    ];

    fn announce(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome<Delivery> {
        let is_root = steps.rank == args.root;
        match steps.node_comm() {
            Some((node_comm, mpi)) if node_comm.site().is_pair() => match is_root {
                true => Ok(node_comm.defer_to_pt2pt(mpi, args.buffer.bytes())),
                false => node_comm.bcast(mpi, args.buffer, args.root),
            },
            _ => Ok(Delivery::AsMessage),
        }
    }
}

/// Performs or records a broadcast through a segment; `direct`: by copies of the kernel.
fn through_segment(steps: &mut Steps<'_>, args: &Args<'_>, direct: bool) -> Outcome {
    let &Args { buffer, root } = args;
    if let Some((node_comm, mpi)) = steps.node_comm() {
        let delivery = match direct {
            true => node_comm.bcast_direct(mpi, buffer, root)?,
            false => node_comm.bcast(mpi, buffer, root)?,
        };
        if delivery == Delivery::Done {
            return Ok(());
        }
    } else if steps.shm_operation(ShmOperation::Bcast { buffer: buffer.clone(), root, direct }) {
        return Ok(());
    }
    by_messages(steps, args)
}

/// Performs a broadcast through levels.
fn through_levels(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let &Args { buffer, root } = args;
    match steps.nodes() {
        Some((nodes, mpi, whole)) => {
            hierarchical::bcast(nodes, mpi, whole, (buffer, root), |steps, root| {
                by_messages(steps, &Args { buffer, root })
            })
        }
        None => by_messages(steps, args),
    }
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let case = steps.case();
    table::by_messages::<Bcast>(steps, &case, args.buffer.bytes(), args)
}

/// Performs a broadcast.
pub fn bcast(steps: &mut Steps<'_>, buffer: &Buffer, root: u32) -> Outcome {
    if buffer.bytes() == 0 || steps.size == 1 {
        return Ok(());
    }
    let case = steps.case();
    table::perform::<Bcast>(steps, &case, buffer.bytes(), &Args { buffer, root })
}
