//! `MPI_Allgather` and `MPI_Allgatherv` (MPI 5.0 §6.7).
//!
//! | algorithm | rounds | copies | when |
//! |---|---|---|---|
//! | recursive doubling | log2(n) | none | short, blocks of one size, n a power of two |
//! | Bruck et al. 1997 | log2(n) | into order at the end | short |
//! | ring | n - 1 | none | long |

use super::messages::{allgather_bruck, allgather_doubling, allgather_ring};
use super::rows::{Case, Need};
use super::selection::{self, DataPath, Site};
use super::table::{self, Algorithm, Operation};
use super::{Blocks, Steps};
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
                allgather_doubling::allgather(steps, args.blocks);
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
                allgather_bruck::allgather(steps, args.blocks)
            },
        ),
        Algorithm::new(
            "ring",
            "messages: every block around a ring of all processes",
            &[],
            |_| true,
            |steps, args| {
                keep_own(steps, args);
                allgather_ring::allgather(steps, args.blocks);
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
        selection::Allgather::Doubling => allgather_doubling::allgather(steps, args.blocks),
        selection::Allgather::Bruck => return allgather_bruck::allgather(steps, args.blocks),
        selection::Allgather::Ring => allgather_ring::allgather(steps, args.blocks),
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
    let case = Case { total_bytes, even, ..steps.case(longest) };
    table::perform::<Allgather>(steps, &case, &args)
}
