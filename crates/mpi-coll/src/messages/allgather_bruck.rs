//! The allgather of short blocks by Bruck's algorithm (Bruck et al. 1997).

use crate::error::Outcome;
use crate::steps::Steps;
use crate::{Blocks, scratch_bytes};
use nemesis_datatype::Buffer;

/// Performs the allgather; this process's block is in place. Every process collects, packed, the
/// blocks of the ranks that follow it. In each round it receives them from the rank that has the
/// next ones.
pub fn allgather(steps: &mut Steps<'_>, blocks: &Blocks) -> Outcome {
    let (rank, size) = (steps.rank, steps.size);
    // The offset of the block of each rank from this one on, and the end.
    let mut offsets = vec![0; size as usize + 1];
    for index in 0..size {
        offsets[index as usize + 1] = offsets[index as usize] + blocks.bytes_of(steps.after(index));
    }
    let packed = scratch_bytes(offsets[size as usize])?;
    let part = |first: u32, end: u32| {
        let (from, to) = (offsets[first as usize], offsets[end as usize]);
        packed.part(from, to - from)
    };
    steps.copy(&blocks.of(rank), &part(0, 1));
    let mut have = 1;
    while have < size {
        let more = have.min(size - have);
        steps.send_some(steps.before(have), &part(0, more));
        steps.receive_some(steps.after(have), &part(have, have + more));
        steps.wait();
        have += more;
    }
    put_in_order(steps, blocks, &part);
    Ok(())
}

/// Unpacks the blocks of all other ranks. Blocks of equal length are two runs: from the next rank
/// to the last, and from the first rank on.
fn put_in_order(steps: &mut Steps<'_>, blocks: &Blocks, part: &dyn Fn(u32, u32) -> Buffer) {
    let (rank, size) = (steps.rank, steps.size);
    if let (Some(behind), Some(front)) =
        (blocks.range(rank + 1, size - rank - 1), blocks.range(0, rank))
    {
        steps.copy(&part(1, size - rank), &behind);
        steps.copy(&part(size - rank, size), &front);
        return;
    }
    for index in 1..size {
        steps.copy(&part(index, index + 1), &blocks.of(steps.after(index)));
    }
}
