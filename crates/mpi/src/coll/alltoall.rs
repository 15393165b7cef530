//! `MPI_Alltoall`, `MPI_Alltoallv` and `MPI_Alltoallw` (MPI 5.0 §6.8).
//!
//! Everybody sends to everybody and receives from everybody, [`PARTNERS_AT_ONCE`] of them at a time, each process beginning with its own neighbours so that
//! nobody is flooded. Tiny blocks in large groups go by Bruck's algorithm (Bruck et al. 1997), log2(n) messages of n / 2 blocks each.
//!
//! With `MPI_IN_PLACE`, processes meet two by two: the outgoing block is copied first, then both exchange.

use super::selection::{self, PARTNERS_AT_ONCE, Way};
use super::{Blocks, Steps, scratch_bytes};
use crate::error::Outcome;

/// Blocks of one size.
pub fn alltoall(steps: &mut Steps<'_>, sent: &Blocks, received: &Blocks) -> Outcome {
    let each = received.bytes_of(steps.rank);
    if each == 0 {
        return Ok(());
    }
    if let Some((node_comm, mpi)) = steps.node_comm() {
        match node_comm.site().exchange(each) {
            Way::Rooms => return node_comm.alltoall(mpi, sent, received, each),
            Way::Direct => return node_comm.alltoall_direct(mpi, sent, received),
            Way::Pieces => return node_comm.alltoall_in_pieces(mpi, sent, received, each),
            Way::Agreed => node_comm.agree(mpi, each)?,
            Way::Messages => {}
        }
    }
    if selection::alltoall_by_bruck(each, steps.size) {
        return bruck(steps, sent, received, each);
    }
    alltoallv(steps, sent, received);
    Ok(())
}

/// What is left of one that has begun in short.
pub fn alltoall_begun(steps: &mut Steps<'_>, received: &Blocks) -> Outcome {
    let each = received.bytes_of(steps.rank);
    let (node_comm, mpi) = steps.begun();
    node_comm.alltoall_begun(mpi, received, each)
}

/// Blocks of any sizes and types.
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

/// Every block is replaced by what its rank has for us (`MPI_IN_PLACE`).
///
/// In round r, the ranks whose sum is r modulo n meet: everybody has one partner at a time, and all pairs come up.
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

/// Bruck: block i, counted from our own rank, is for the rank i ahead; in the round of each bit of i, the blocks that have it travel that far.
///
/// The blocks of a round lie in runs; they are copied into one message and out of another.
fn bruck(steps: &mut Steps<'_>, sent: &Blocks, received: &Blocks, each: usize) -> Outcome {
    let (rank, size) = (steps.rank, steps.size);
    let travelling = scratch_bytes(size as usize * each)?;
    let message_bytes = size.next_power_of_two() as usize / 2 * each;
    let (outgoing, incoming) = (scratch_bytes(message_bytes)?, scratch_bytes(message_bytes)?);
    let part = |first: u32, end: u32| {
        travelling.part(first as usize * each, (end - first) as usize * each)
    };

    if let (Some(behind), Some(front)) = (sent.range(rank, size - rank), sent.range(0, rank)) {
        steps.copy(&behind, &part(0, size - rank));
        steps.copy(&front, &part(size - rank, size));
    }
    let mut distance = 1;
    while distance < size {
        let runs = (distance..size)
            .step_by(2 * distance as usize)
            .map(|first| (first, (first + distance).min(size)));
        let mut bytes = 0;
        for (first, end) in runs.clone() {
            let length = (end - first) as usize * each;
            steps.copy(&part(first, end), &outgoing.part(bytes, length));
            bytes += length;
        }
        steps.send(steps.after(distance), &outgoing.part(0, bytes));
        steps.receive(steps.before(distance), &incoming.part(0, bytes));
        steps.wait();
        bytes = 0;
        for (first, end) in runs {
            let length = (end - first) as usize * each;
            steps.copy(&incoming.part(bytes, length), &part(first, end));
            bytes += length;
        }
        distance *= 2;
    }
    // What has arrived at place i comes from the rank i back.
    for index in 0..size {
        steps.copy(&part(index, index + 1), &received.of(steps.before(index)));
    }
    Ok(())
}
