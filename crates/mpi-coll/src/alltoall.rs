//! `MPI_Alltoall`, `MPI_Alltoallv` and `MPI_Alltoallw` (MPI 5.0 §6.8).
//!
//! Every process exchanges with every other, [`PARTNERS_AT_ONCE`] of them at a time. Each begins
//! with its neighbours, so that no process is flooded. Very short blocks in large groups use
//! Bruck's algorithm (Bruck et al. 1997): log2(n) messages of n / 2 blocks each.
//!
//! With `MPI_IN_PLACE`, processes exchange in pairs: each copies its outgoing block first.

use super::costs::Work;
use super::messages::alltoall_bruck;
use super::rows::{Case, Lengths, Need};
use super::shm::Delivery;
use super::site::{Crowd, EXCHANGE_STAGED_MAX_BYTES, PAIR_CHUNKS_MAX_BYTES, Site};
use super::table::{self, Algorithm, Operation};
use super::{Blocks, Steps, hierarchical, scratch_bytes};
use crate::error::Outcome;
use nemesis::coll_segment::STAGING_BYTES;

/// Bytes of a block up to which Bruck's algorithm, which sends every byte log2(n) / 2 times, takes
/// less time than n - 1 messages, and the number of processes from which it does.
pub const BRUCK_MAX_BLOCK_BYTES: usize = 64;
pub const BRUCK_MIN_RANKS: u32 = 16;
/// Partners with which a process exchanges concurrently: enough to hide the wait for the slowest,
/// few enough to stay in the caches.
pub const PARTNERS_AT_ONCE: u32 = 16;
/// Bytes of all of a member's blocks up to which oversubscribed members use rings. Beyond that, no
/// processor's own cache holds the shared memory that members read, and a block has one reader, so
/// one copy takes less time than two.
const SHARED_CHUNKS_MAX_BYTES: usize = 256 << 10;

/// The arguments of an alltoall of blocks of `each` bytes.
pub struct Args<'a> {
    sent: &'a Blocks,
    received: &'a Blocks,
    each: usize,
}

/// `MPI_Alltoall` as an operation with algorithms.
pub struct Alltoall;

impl Operation for Alltoall {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "alltoall";
    const INDEX: usize = 9;
    const ALGORITHMS: &'static [Algorithm<Alltoall>] = &[
        Algorithm::<Alltoall>::segment(
            "staged",
            "every process copies its blocks in, and those for it out",
            &[Need::Segment, Need::Blocking],
            |case| match case.site().map(Site::is_pair) {
                Some(true) => Lengths::to(EXCHANGE_STAGED_MAX_BYTES),
                _ => Lengths::ALL,
            },
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => {
                    node_comm.alltoall(mpi, args.sent, args.received, args.each)
                }
                None => by_messages(steps, args),
            },
        )
        .carries(|case| Lengths::to(STAGING_BYTES / case.ranks.max(1) as usize))
        .costs(|members, bytes| Work::shared((members - 1.0) * bytes, (members - 1.0) * bytes)),
        Algorithm::<Alltoall>::segment(
            "pipelined",
            "chunks through rings",
            &[Need::Rings],
            |case| {
                case.site().map_or(Lengths::NONE, |site| match site.crowd() {
                    Crowd::Pair if site.is_pair_of_copies() => Lengths::to(PAIR_CHUNKS_MAX_BYTES),
                    Crowd::Many => Lengths::ALL.only_if(!site.direct),
                    Crowd::Shared if site.direct && !site.long_packets => {
                        Lengths::to(SHARED_CHUNKS_MAX_BYTES / site.members as usize)
                    }
                    Crowd::Pair | Crowd::Shared => Lengths::ALL,
                })
            },
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => {
                    node_comm.alltoall_pipelined(mpi, args.sent, args.received, args.each)
                }
                None => by_messages(steps, args),
            },
        )
        .costs(|members, bytes| Work::shared((members - 1.0) * bytes, (members - 1.0) * bytes)),
        Algorithm::<Alltoall>::segment(
            "single_copy",
            "every process writes its blocks to the others through the kernel",
            &[Need::Segment, Need::Blocking, Need::SingleCopy],
            |_| Lengths::ALL,
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => node_comm.alltoall_direct(mpi, args.sent, args.received),
                None => by_messages(steps, args),
            },
        )
        .costs(|members, bytes| Work::by_kernel((members - 1.0) * bytes, members - 1.0)),
        Algorithm::<Alltoall>::levels(&[Need::Levels], levels_lengths, |steps, args| {
            let &Args { sent, received, each } = args;
            let Some((nodes, mpi, whole)) = steps.nodes() else {
                return by_messages(steps, args);
            };
            hierarchical::alltoall(nodes, mpi, whole, (sent, received, each), alltoallv)
        }),
        Algorithm::<Alltoall>::messages(
            "bruck",
            "messages: blocks are forwarded in log2(n) rounds",
            &[],
            |case| Lengths::to(BRUCK_MAX_BLOCK_BYTES).only_if(case.ranks >= BRUCK_MIN_RANKS),
            |steps, args| alltoall_bruck::alltoall(steps, args.sent, args.received, args.each),
        ),
        Algorithm::<Alltoall>::messages(
            "pairwise",
            "messages: every process with every other, a few at a time",
            &[],
            |_| Lengths::ALL,
            |steps, args| {
                alltoallv(steps, args.sent, args.received);
                Ok(())
            },
        ),
    ];

    fn announce(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome<Delivery> {
        steps.agree(args.each)
    }
}

/// Returns the lengths of blocks that pass through levels: short ones, if the leader of a node
/// sends no more packets, one to each other node, than each process would by Bruck's algorithm.
fn levels_lengths(case: &Case) -> Lengths {
    let nodes = case.hierarchy().map_or(0, |hierarchy| hierarchy.nodes);
    Lengths::to(BRUCK_MAX_BLOCK_BYTES).only_if(nodes <= case.ranks.max(1).ilog2() + 1)
}

/// Performs an alltoall by messages.
fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let case = steps.case();
    table::by_messages::<Alltoall>(steps, &case, args.each, args)
}

/// Performs an alltoall of blocks of equal length.
pub fn alltoall(steps: &mut Steps<'_>, sent: &Blocks, received: &Blocks) -> Outcome {
    let each = received.bytes_of(steps.rank);
    if each == 0 {
        return Ok(());
    }
    let case = steps.case();
    table::perform::<Alltoall>(steps, &case, each, &Args { sent, received, each })
}

/// Performs an alltoall of blocks of any lengths and types.
pub fn alltoallv(steps: &mut Steps<'_>, sent: &Blocks, received: &Blocks) {
    let rank = steps.rank;
    steps.copy(&sent.of(rank), &received.of(rank));
    for first in (1..steps.size).step_by(PARTNERS_AT_ONCE as usize) {
        let partners = first..steps.size.min(first + PARTNERS_AT_ONCE);
        for step in partners.clone() {
            let from = steps.before(step);
            steps.receive_some(from, &received.of(from));
        }
        for step in partners {
            let to = steps.after(step);
            steps.send_some(to, &sent.of(to));
        }
        steps.wait();
    }
}

/// Performs an alltoall with `MPI_IN_PLACE`: replaces every block by what its rank sends to this
/// process.
///
/// In round r, the ranks whose sum is r modulo n exchange: every process has one partner at a time,
/// and every pair occurs once.
pub fn in_place(steps: &mut Steps<'_>, blocks: &Blocks) -> Outcome {
    let (rank, size) = (steps.rank, steps.size);
    let partners =
        (0..size).map(|round| (round + size - rank) % size).filter(|&partner| partner != rank);
    let largest = partners.clone().map(|partner| blocks.bytes_of(partner)).max().unwrap_or(0);
    let outgoing = scratch_bytes(largest)?;
    for partner in partners {
        let block = blocks.of(partner);
        let bytes = block.bytes();
        if bytes > 0 {
            let copy = outgoing.part(0, bytes);
            steps.copy(&block, &copy);
            steps.send(partner, &copy);
            steps.receive(partner, &block);
            steps.wait();
        }
    }
    Ok(())
}
