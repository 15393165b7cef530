//! `MPI_Allgather` and `MPI_Allgatherv` (MPI 5.0 §6.7).
//!
//! | algorithm | rounds | copies | when |
//! |---|---|---|---|
//! | recursive doubling | log2(n) | none | short, blocks of one size, n a power of two |
//! | Bruck et al. 1997 | log2(n) | into order at the end | short |
//! | ring | n - 1 | none | long |

use super::selection::DataPath;
use super::{Blocks, Steps, scratch_bytes, selection};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// Performs an allgather. `own` is this process's block, or `None` if it lies in `blocks`
/// (`MPI_IN_PLACE`).
pub fn allgather(steps: &mut Steps<'_>, own: Option<&Buffer>, blocks: &Blocks) -> Outcome {
    let total = blocks.bytes();
    let mut own = own;
    if let Some(long) = own.take_if(|own| own.bytes() > blocks.bytes_of(steps.rank)) {
        // Copies as much as fits and records an error.
        steps.copy(long, &blocks.of(steps.rank));
    }
    if let (Some((node_comm, mpi)), true) = (steps.node_comm(), total > 0) {
        let longest = (0..node_comm.members()).map(|rank| blocks.bytes_of(rank)).max().unwrap_or(0);
        match node_comm.site().allgather(longest) {
            DataPath::Staged => return node_comm.allgather(mpi, own, blocks, longest),
            DataPath::SingleCopy => return node_comm.allgather_direct(mpi, own, blocks),
            DataPath::Pipelined => return node_comm.allgather_pipelined(mpi, own, blocks, longest),
            DataPath::AgreedMessages => node_comm.agree(mpi, longest)?,
            DataPath::Messages => {}
        }
    }
    if let Some(own) = own {
        steps.copy(own, &blocks.of(steps.rank));
    }
    if total == 0 || steps.size == 1 {
        return Ok(());
    }
    match selection::allgather(total, steps.size, matches!(blocks, Blocks::Even { .. })) {
        selection::Allgather::Doubling => doubling(steps, blocks),
        selection::Allgather::Bruck => return bruck(steps, blocks),
        selection::Allgather::Ring => ring(steps, blocks),
    }
    Ok(())
}

/// Recursive doubling: in round k, groups of 2^k neighbouring ranks exchange all that they have.
fn doubling(steps: &mut Steps<'_>, blocks: &Blocks) {
    let rank = steps.rank;
    let mut have = 1;
    while have < steps.size {
        let (ours, theirs) = (rank & !(have - 1), (rank ^ have) & !(have - 1));
        if let (Some(sent), Some(received)) = (blocks.range(ours, have), blocks.range(theirs, have))
        {
            steps.send(rank ^ have, &sent);
            steps.receive(rank ^ have, &received);
            steps.wait();
        }
        have *= 2;
    }
}

/// Bruck's algorithm: every process collects, packed, the blocks of the ranks that follow it. In
/// each round it receives them from the rank that has the next ones.
fn bruck(steps: &mut Steps<'_>, blocks: &Blocks) -> Outcome {
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

/// The ring algorithm: each rank forwards the block that it received last.
fn ring(steps: &mut Steps<'_>, blocks: &Blocks) {
    for step in 0..steps.size - 1 {
        steps.send_some(steps.after(1), &blocks.of(steps.before(step)));
        steps.receive_some(steps.before(1), &blocks.of(steps.before(step + 1)));
        steps.wait();
    }
}
