//! `MPI_Allgather` and `MPI_Allgatherv` (MPI 5.0 §6.7).
//!
//! | algorithm | rounds | copies | when |
//! |---|---|---|---|
//! | recursive doubling | log2(n) | none | short, blocks of one size, n a power of two |
//! | Bruck et al. 1997 | log2(n) | into order at the end | short |
//! | ring | n - 1 | none | long |

use super::costs::Work;
use super::messages::{allgather_bruck, allgather_doubling, allgather_neighbour, allgather_ring};
use super::rows::{Case, Lengths, Need};
use super::shm::{Delivery, Hierarchy};
use super::site::{Crowd, EXCHANGE_STAGED_MAX_BYTES, PAIR_CHUNKS_MAX_BYTES};
use super::table::{self, Algorithm, Operation};
use super::{Blocks, Steps, hierarchical};
use crate::error::Outcome;
use nemesis::coll_segment::STAGING_BYTES;
use nemesis_datatype::Buffer;

/// Bytes of all blocks together up to which log2(n) rounds and an extra copy take less time than n
/// - 1 rounds without one.
pub const ROUNDS_MAX_BYTES: usize = 64 << 10;
/// Bytes of a block up to which the blocks of a node go to the others together, through levels. All
/// limits of blocks are modelled, not measured ([decision
/// 0079](../../../docs/decisions/0079-long-data-between-nodes.md)).
const LEVELS_BLOCK_MAX_BYTES: usize = 2 << 10;
/// Bytes of a block up to which log2(n) rounds take less time among processes each of which is
/// alone on its node: by recursive doubling, and by Bruck's algorithm, which copies more. Processes
/// that share a node's network card would send the same blocks through it.
const DOUBLING_BLOCK_MAX_BYTES: usize = 64 << 10;
const BRUCK_BLOCK_MAX_BYTES: usize = 16 << 10;
/// Number of processes from which log2(n) rounds are no more than those of neighbours or of a ring.
const MANY_ROUNDS_MIN_RANKS: u32 = 5;

/// The arguments of an allgather.
pub struct Args<'a> {
    /// This process's block, or `None` if it lies in `blocks`.
    own: Option<&'a Buffer>,
    blocks: &'a Blocks,
    /// Bytes of the longest block.
    longest: usize,
}

/// `MPI_Allgather` and `MPI_Allgatherv` as an operation with algorithms.
pub struct Allgather;

impl Operation for Allgather {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "allgather";
    const INDEX: usize = 8;
    const ALGORITHMS: &'static [Algorithm<Allgather>] = &[
        Algorithm::<Allgather>::segment(
            "staged",
            "every process copies its block in, and the others out",
            &[Need::Segment, Need::Blocking],
            |case| match case.site() {
                Some(site) if !site.oversubscribed => Lengths::to(EXCHANGE_STAGED_MAX_BYTES),
                _ => Lengths::ALL,
            },
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => {
                    node_comm.allgather(mpi, args.own, args.blocks, args.longest)
                }
                None => by_messages(steps, args),
            },
        )
        .carries(|_| Lengths::to(STAGING_BYTES))
        .costs(|members, bytes| Work::shared(bytes, (members - 1.0) * bytes)),
        Algorithm::<Allgather>::segment(
            "pipelined",
            "chunks through rings",
            &[Need::Rings],
            |case| {
                case.site().map_or(Lengths::NONE, |site| match site.crowd() {
                    Crowd::Pair if site.is_pair_of_copies() => Lengths::to(PAIR_CHUNKS_MAX_BYTES),
                    Crowd::Many if site.direct => Lengths::to(PAIR_CHUNKS_MAX_BYTES),
                    Crowd::Pair | Crowd::Many | Crowd::Shared => Lengths::ALL,
                })
            },
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => {
                    node_comm.allgather_pipelined(mpi, args.own, args.blocks, args.longest)
                }
                None => by_messages(steps, args),
            },
        )
        .costs(|members, bytes| Work::shared(bytes, (members - 1.0) * bytes)),
        Algorithm::<Allgather>::segment(
            "single_copy",
            "every process writes its block to the others through the kernel",
            &[Need::Segment, Need::Blocking, Need::SingleCopy],
            |_| Lengths::ALL,
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => node_comm.allgather_direct(mpi, args.own, args.blocks),
                None => by_messages(steps, args),
            },
        )
        .costs(|members, bytes| Work::by_kernel((members - 1.0) * bytes, members - 1.0)),
        Algorithm::<Allgather>::levels(
            &[Need::Levels],
            |case| match case.hierarchy() {
                Some(Hierarchy { nodes: 2.., .. }) => rounds(case, LEVELS_BLOCK_MAX_BYTES),
                _ => rounds(case, 0),
            },
            |steps, args| through_levels(steps, args.own, args.blocks),
        ),
        Algorithm::<Allgather>::messages(
            "recursive_doubling",
            "messages: all that a process has, in log2(n) rounds",
            &[Need::EvenPowerOfTwo],
            |case| match case.grid() {
                Some(grid) if grid.is_apart() => rounds(case, DOUBLING_BLOCK_MAX_BYTES),
                _ => rounds(case, 0),
            },
            |steps, args| {
                keep_own(steps, args);
                allgather_doubling::allgather(steps, args.blocks);
                Ok(())
            },
        ),
        Algorithm::<Allgather>::messages(
            "bruck",
            "messages: packed blocks in log2(n) rounds",
            &[],
            |case| match case.grid() {
                Some(grid) if grid.is_apart() => rounds(case, BRUCK_BLOCK_MAX_BYTES),
                _ => rounds(case, 0),
            },
            |steps, args| {
                keep_own(steps, args);
                allgather_bruck::allgather(steps, args.blocks)
            },
        ),
        Algorithm::<Allgather>::messages(
            "neighbour_exchange",
            "messages: pairs of blocks between neighbours, in n / 2 rounds",
            &[Need::EvenRanks],
            |_| Lengths::ALL,
            |steps, args| {
                keep_own(steps, args);
                allgather_neighbour::allgather(steps, args.blocks);
                Ok(())
            },
        ),
        Algorithm::<Allgather>::messages(
            "ring",
            "messages: every block around a ring of all processes",
            &[],
            |_| Lengths::ALL,
            |steps, args| {
                keep_own(steps, args);
                allgather_ring::allgather(steps, args.blocks);
                Ok(())
            },
        ),
    ];

    fn announce(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome<Delivery> {
        steps.agree(args.longest)
    }
}

/// Performs an allgather through levels. `own` is `None` if this process's block is in place.
/// Blocks may be empty.
fn through_levels(steps: &mut Steps<'_>, own: Option<&Buffer>, blocks: &Blocks) -> Outcome {
    let between_leaders = |steps: &mut Steps<'_>, blocks: &Blocks| allgather(steps, None, blocks);
    match steps.nodes() {
        Some((nodes, mpi, whole)) => {
            hierarchical::allgather(nodes, mpi, whole, (own, blocks), between_leaders)
        }
        None => allgather(steps, own, blocks),
    }
}

/// Returns the lengths of the longest block for which log2(n) rounds are chosen: at least those of
/// up to `block` bytes.
fn rounds(case: &Case, block: usize) -> Lengths {
    let among_all = ROUNDS_MAX_BYTES / case.ranks.max(1) as usize;
    let block = if case.ranks < MANY_ROUNDS_MIN_RANKS { 0 } else { block };
    Lengths::to(among_all.max(block)).only_if(case.ranks > 2)
}

fn keep_own(steps: &mut Steps<'_>, args: &Args<'_>) {
    if let Some(own) = args.own {
        steps.copy(own, &args.blocks.of(steps.rank));
    }
}

/// Performs an allgather by messages.
fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let case = case_of(steps, args.blocks);
    table::by_messages::<Allgather>(steps, &case, args.longest, args)
}

fn case_of(steps: &Steps<'_>, blocks: &Blocks) -> Case {
    Case { even: matches!(blocks, Blocks::Even { .. }), ..steps.case() }
}

/// Performs an allgather. `own` is this process's block, or `None` if it lies in `blocks`
/// (`MPI_IN_PLACE`).
pub fn allgather(steps: &mut Steps<'_>, own: Option<&Buffer>, blocks: &Blocks) -> Outcome {
    let total_bytes = blocks.bytes();
    let mut own = own;
    if let Some(long) = own.take_if(|own| own.bytes() > blocks.bytes_of(steps.rank)) {
        // Copies as much as fits and records an error.
        steps.copy(long, &blocks.of(steps.rank));
    }
    let args = Args { own, blocks, longest: blocks.longest_bytes() };
    if total_bytes == 0 || steps.size == 1 {
        keep_own(steps, &args);
        return Ok(());
    }
    let case = case_of(steps, blocks);
    table::perform::<Allgather>(steps, &case, args.longest, &args)
}
