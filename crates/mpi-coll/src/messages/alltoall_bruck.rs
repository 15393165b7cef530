//! The alltoall of very short blocks in large groups by Bruck's algorithm (Bruck et al. 1997):
//! log2(n) messages of n / 2 blocks each.

use crate::error::Outcome;
use crate::steps::Steps;
use crate::{Blocks, scratch_bytes};

/// Performs the alltoall of blocks of `each` bytes. Block i, counted from this rank, is for the
/// rank i ahead. In the round of each bit, blocks whose index has that bit travel that distance.
///
/// The blocks of a round are runs; they are copied into one message and out of another.
pub fn alltoall(steps: &mut Steps<'_>, sent: &Blocks, received: &Blocks, each: usize) -> Outcome {
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
    // What has arrived at index i comes from the rank i back.
    for index in 0..size {
        steps.copy(&part(index, index + 1), &received.of(steps.before(index)));
    }
    Ok(())
}
