//! `MPI_Alltoall`, `MPI_Alltoallv` and `MPI_Alltoallw` (MPI 5.0 §6.8).
//!
//! Everybody sends to everybody and receives from everybody, [`PARTNERS_AT_ONCE`] of them at a time, each process beginning with its own neighbours so that
//! nobody is flooded. Tiny blocks in large groups go by Bruck's algorithm (Bruck et al. 1997), log2(n) messages of n / 2 blocks each.
//!
//! With `MPI_IN_PLACE`, processes meet two by two: the outgoing block is copied first, then both exchange.

use super::choice::{self, PARTNERS_AT_ONCE};
use super::{Blocks, Schedule, scratch_bytes};
use crate::error::Outcome;

/// Blocks of one size.
pub fn alltoall(schedule: &mut Schedule, sent: &Blocks, received: &Blocks) -> Outcome {
    let each = received.bytes_of(schedule.rank);
    if each > 0 && choice::alltoall_by_bruck(each, schedule.size) {
        return bruck(schedule, sent, received, each);
    }
    alltoallv(schedule, sent, received);
    Ok(())
}

/// Blocks of any sizes and types.
pub fn alltoallv(schedule: &mut Schedule, sent: &Blocks, received: &Blocks) {
    let rank = schedule.rank;
    schedule.copy(&sent.of(rank), &received.of(rank));
    for first in (1..schedule.size).step_by(PARTNERS_AT_ONCE as usize) {
        let steps = first..schedule.size.min(first + PARTNERS_AT_ONCE);
        for step in steps.clone() {
            let from = schedule.before(step);
            schedule.receive_some(from, &received.of(from));
        }
        for step in steps {
            let to = schedule.after(step);
            schedule.send_some(to, &sent.of(to));
        }
        schedule.wait();
    }
}

/// Every block is replaced by what its rank has for us (`MPI_IN_PLACE`).
///
/// In round r, the ranks whose sum is r modulo n meet: everybody has one partner at a time, and all pairs come up.
pub fn in_place(schedule: &mut Schedule, blocks: &Blocks) -> Outcome {
    let (rank, size) = (schedule.rank, schedule.size);
    let partners = (0..size).map(|round| (round + size - rank) % size).filter(|&partner| partner != rank);
    let largest = partners.clone().map(|partner| blocks.bytes_of(partner)).max().unwrap_or(0);
    let outgoing = scratch_bytes(largest)?;
    for partner in partners {
        let block = blocks.of(partner);
        let bytes = block.bytes();
        if bytes > 0 {
            let copy = outgoing.part(0, bytes);
            schedule.copy(&block, &copy);
            schedule.send(partner, &copy);
            schedule.receive(partner, &block);
            schedule.wait();
        }
    }
    Ok(())
}

/// Bruck: block i, counted from our own rank, is for the rank i ahead; in the round of each bit of i, the blocks that have it travel that far.
///
/// The blocks of a round lie in runs; they are copied into one message and out of another.
fn bruck(schedule: &mut Schedule, sent: &Blocks, received: &Blocks, each: usize) -> Outcome {
    let (rank, size) = (schedule.rank, schedule.size);
    let travelling = scratch_bytes(size as usize * each)?;
    let message_bytes = size.next_power_of_two() as usize / 2 * each;
    let (outgoing, incoming) = (scratch_bytes(message_bytes)?, scratch_bytes(message_bytes)?);
    let part = |first: u32, end: u32| travelling.part(first as usize * each, (end - first) as usize * each);

    if let (Some(behind), Some(front)) = (sent.range(rank, size - rank), sent.range(0, rank)) {
        schedule.copy(&behind, &part(0, size - rank));
        schedule.copy(&front, &part(size - rank, size));
    }
    let mut distance = 1;
    while distance < size {
        let runs = (distance..size).step_by(2 * distance as usize).map(|first| (first, (first + distance).min(size)));
        let mut bytes = 0;
        for (first, end) in runs.clone() {
            let length = (end - first) as usize * each;
            schedule.copy(&part(first, end), &outgoing.part(bytes, length));
            bytes += length;
        }
        schedule.send(schedule.after(distance), &outgoing.part(0, bytes));
        schedule.receive(schedule.before(distance), &incoming.part(0, bytes));
        schedule.wait();
        bytes = 0;
        for (first, end) in runs {
            let length = (end - first) as usize * each;
            schedule.copy(&incoming.part(bytes, length), &part(first, end));
            bytes += length;
        }
        distance *= 2;
    }
    // What has arrived at place i comes from the rank i back.
    for index in 0..size {
        schedule.copy(&part(index, index + 1), &received.of(schedule.before(index)));
    }
    Ok(())
}
