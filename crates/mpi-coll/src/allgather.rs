//! `MPI_Allgather` and `MPI_Allgatherv` (MPI 5.0 §6.7).
//!
//! | algorithm | rounds | copies | when |
//! |---|---|---|---|
//! | recursive doubling | log2(n) | none | short, blocks of one size, n a power of two |
//! | Bruck et al. 1997 | log2(n) | into order at the end | short |
//! | ring | n - 1 | none | long |

use super::rows::{Case, Need};
use super::selection::{self, DataPath, Site};
use super::table::{self, Algorithm, Operation};
use super::{Blocks, Steps, scratch_bytes};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

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
        Algorithm::new(
            "staged",
            "every process copies its block in, and the others out",
            &[Need::Segment, Need::Staging],
            |case| case.uses(DataPath::Staged, Site::allgather),
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => {
                    node_comm.allgather(mpi, args.own, args.blocks, args.longest)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "pipelined",
            "chunks through rings",
            &[Need::Segment, Need::Rings],
            |case| case.uses(DataPath::Pipelined, Site::allgather),
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => {
                    node_comm.allgather_pipelined(mpi, args.own, args.blocks, args.longest)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "single_copy",
            "every process writes its block to the others through the kernel",
            &[Need::Segment, Need::SingleCopy],
            |case| case.uses(DataPath::SingleCopy, Site::allgather),
            |steps, args| match steps.node_comm() {
                Some((node_comm, mpi)) => node_comm.allgather_direct(mpi, args.own, args.blocks),
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "agreed_messages",
            "messages, after all processes have announced the length",
            &[Need::Segment],
            |case| case.uses(DataPath::AgreedMessages, Site::allgather),
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm() {
                    node_comm.agree(mpi, args.longest)?;
                }
                by_messages(steps, args)
            },
        ),
        Algorithm::new(
            "recursive_doubling",
            "messages: all that a process has, in log2(n) rounds",
            &[Need::EvenPowerOfTwo],
            |case| {
                selection::allgather(case.total_bytes, case.ranks, case.even)
                    == selection::Allgather::Doubling
            },
            |steps, args| {
                keep_own(steps, args);
                doubling(steps, args.blocks);
                Ok(())
            },
        ),
        Algorithm::new(
            "bruck",
            "messages: packed blocks in log2(n) rounds",
            &[],
            |case| {
                selection::allgather(case.total_bytes, case.ranks, case.even)
                    == selection::Allgather::Bruck
            },
            |steps, args| {
                keep_own(steps, args);
                bruck(steps, args.blocks)
            },
        ),
        Algorithm::new(
            "ring",
            "messages: every block around a ring of all processes",
            &[],
            |_| true,
            |steps, args| {
                keep_own(steps, args);
                ring(steps, args.blocks);
                Ok(())
            },
        ),
    ];
}

fn keep_own(steps: &mut Steps<'_>, args: &Args<'_>) {
    if let Some(own) = args.own {
        steps.copy(own, &args.blocks.of(steps.rank));
    }
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    keep_own(steps, args);
    let is_even = matches!(args.blocks, Blocks::Even { .. });
    match selection::allgather(args.blocks.bytes(), steps.size, is_even) {
        selection::Allgather::Doubling => doubling(steps, args.blocks),
        selection::Allgather::Bruck => return bruck(steps, args.blocks),
        selection::Allgather::Ring => ring(steps, args.blocks),
    }
    Ok(())
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
    let longest = (0..steps.size).map(|rank| blocks.bytes_of(rank)).max().unwrap_or(0);
    let args = Args { own, blocks, longest };
    if total_bytes == 0 || steps.size == 1 {
        keep_own(steps, &args);
        return Ok(());
    }
    let even = matches!(blocks, Blocks::Even { .. });
    let case = Case { total_bytes, even, ..steps.case(longest, false) };
    table::perform::<Allgather>(steps, &case, &args)
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
