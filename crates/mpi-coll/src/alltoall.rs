//! `MPI_Alltoall`, `MPI_Alltoallv` and `MPI_Alltoallw` (MPI 5.0 §6.8).
//!
//! Every process exchanges with every other, [`PARTNERS_AT_ONCE`] of them at a time. Each begins
//! with its neighbours, so that no process is flooded. Very short blocks in large groups use
//! Bruck's algorithm (Bruck et al. 1997): log2(n) messages of n / 2 blocks each.
//!
//! With `MPI_IN_PLACE`, processes exchange in pairs: each copies its outgoing block first.

use super::messages::alltoall_bruck;
use super::rows::Need;
use super::selection::{self, DataPath, PARTNERS_AT_ONCE, Site};
use super::table::{self, Algorithm, Operation};
use super::{Blocks, Steps, scratch_bytes};
use crate::error::Outcome;

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
        Algorithm::new(
            "staged",
            "every process copies its blocks in, and those for it out",
            &[Need::Segment, Need::StagingOfAll],
            |case| case.uses(DataPath::Staged, Site::exchange),
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => {
                    node_comm.alltoall(mpi, args.sent, args.received, args.each)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "pipelined",
            "chunks through rings",
            &[Need::Segment, Need::Rings],
            |case| case.uses(DataPath::Pipelined, Site::exchange),
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => {
                    node_comm.alltoall_pipelined(mpi, args.sent, args.received, args.each)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "single_copy",
            "every process writes its blocks to the others through the kernel",
            &[Need::Segment, Need::SingleCopy],
            |case| case.uses(DataPath::SingleCopy, Site::exchange),
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => node_comm.alltoall_direct(mpi, args.sent, args.received),
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "agreed_messages",
            "messages, after all processes have announced the length",
            &[Need::Segment],
            |case| case.uses(DataPath::AgreedMessages, Site::exchange),
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm() {
                    node_comm.agree(mpi, args.each)?;
                }
                by_messages(steps, args)
            },
        ),
        Algorithm::new(
            "bruck",
            "messages: blocks are forwarded in log2(n) rounds",
            &[],
            |case| selection::alltoall_by_bruck(case.bytes, case.ranks),
            |steps, args| alltoall_bruck::alltoall(steps, args.sent, args.received, args.each),
        ),
        Algorithm::new(
            "pairwise",
            "messages: every process with every other, a few at a time",
            &[],
            |_| true,
            |steps, args| {
                alltoallv(steps, args.sent, args.received);
                Ok(())
            },
        ),
    ];
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    if selection::alltoall_by_bruck(args.each, steps.size) {
        return alltoall_bruck::alltoall(steps, args.sent, args.received, args.each);
    }
    alltoallv(steps, args.sent, args.received);
    Ok(())
}

/// Performs an alltoall of blocks of equal length.
pub fn alltoall(steps: &mut Steps<'_>, sent: &Blocks, received: &Blocks) -> Outcome {
    let each = received.bytes_of(steps.rank);
    if each == 0 {
        return Ok(());
    }
    let case = steps.case(each);
    table::perform::<Alltoall>(steps, &case, &Args { sent, received, each })
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
