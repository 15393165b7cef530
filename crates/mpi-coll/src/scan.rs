//! `MPI_Scan` and `MPI_Exscan` (MPI 5.0 §6.11).
//!
//! Recursive doubling (Hillis and Steele 1986): in the round with distance d every rank sends its
//! value, which covers the d ranks up to its own, to the rank d ahead, and reduces from the left
//! what it receives from the rank d behind. After log2(size) rounds the value covers all ranks up
//! to its own. Every step reduces neighbouring runs of ranks in their order.

use super::operator::Reduction;
use super::rows::Need;
use super::selection::{DataPath, Site};
use super::shm::Results;
use super::table::{self, Algorithm, Operation};
use super::{Steps, scratch};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// The arguments of a scan, or of an exscan unless `inclusive`.
pub struct Args<'a> {
    own: &'a Buffer,
    /// May be the memory of `own`.
    result: &'a Buffer,
    reduction: Reduction,
    inclusive: bool,
}

/// `MPI_Scan` and `MPI_Exscan` as an operation with algorithms.
pub struct Scan;

impl Operation for Scan {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "scan";
    const INDEX: usize = 5;
    const ALGORITHMS: &'static [Algorithm<Scan>] = &[
        Algorithm::new(
            "staged",
            "every process copies its vector in, and reduces those of lower ranks",
            &[Need::ReduceSegment, Need::Predefined, Need::Staging],
            |case| case.uses(DataPath::Staged, Site::scan),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.scan(mpi, args.own, args.result, &kernel, args.inclusive)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "pipelined",
            "chunks through rings or a pair ring",
            &[Need::ReduceSegment, Need::Predefined, Need::Rings],
            |case| case.uses(DataPath::Pipelined, Site::scan),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.scan_pipelined(mpi, args.own, args.result, &kernel, args.inclusive)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "single_copy",
            "every process reduces a segment for all; the kernel copies",
            &[Need::ReduceSegment, Need::Predefined, Need::SingleCopy],
            |case| case.uses(DataPath::SingleCopy, Site::scan),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    let results =
                        if args.inclusive { Results::Prefixes } else { Results::PrefixesBefore };
                    node_comm.reduce_direct(mpi, args.own, Some(args.result), &kernel, results)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "agreed_messages",
            "messages, after all processes have announced the length",
            &[Need::ReduceSegment, Need::Predefined],
            |case| case.uses(DataPath::AgreedMessages, Site::scan),
            |steps, args| {
                if let Some((node_comm, mpi, _)) =
                    steps.reducing_node_comm(args.reduction, args.own)
                {
                    node_comm.agree(mpi, args.own.bytes())?;
                }
                by_messages(steps, args)
            },
        ),
        Algorithm::new(
            "recursive_doubling",
            "messages: log2(n) rounds",
            &[],
            |_| true,
            |steps, args| by_messages(steps, args),
        ),
    ];
}

/// Performs a scan. `own` is this process's contribution; `result` may be the memory of `own`.
pub fn scan(steps: &mut Steps<'_>, own: &Buffer, result: &Buffer, reduction: Reduction) -> Outcome {
    if own.bytes() == 0 {
        return Ok(());
    }
    let case = steps.case_of(reduction, own);
    table::perform::<Scan>(steps, &case, &Args { own, result, reduction, inclusive: true })
}

/// Performs an exscan: a scan without this process's own contribution. Rank 0's result is not
/// written.
pub fn exscan(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    if own.bytes() == 0 || steps.size == 1 {
        return Ok(());
    }
    let case = steps.case_of(reduction, own);
    table::perform::<Scan>(steps, &case, &Args { own, result, reduction, inclusive: false })
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let &Args { own, result, reduction, inclusive } = args;
    if inclusive {
        if own.address() != result.address() {
            steps.copy(own, result);
        }
        if steps.size > 1 {
            let received = scratch(own.count(), own.datatype())?;
            rounds(steps, result, &received, reduction, |_, _| {});
        }
        return Ok(());
    }
    let value = scratch(own.count(), own.datatype())?;
    let received = scratch(own.count(), own.datatype())?;
    steps.copy(own, &value);
    rounds(steps, &value, &received, reduction, |steps, distance| match distance {
        1 => steps.copy(&received, result),
        _ => steps.reduce(reduction.operator, &received, result),
    });
    Ok(())
}

/// Performs the rounds: `value` grows, contributions arrive in `received`, and `see` is called with
/// each.
fn rounds(
    steps: &mut Steps<'_>,
    value: &Buffer,
    received: &Buffer,
    reduction: Reduction,
    mut see: impl FnMut(&mut Steps<'_>, u32),
) {
    let (rank, size) = (steps.rank, steps.size);
    let mut distance = 1;
    while distance < size {
        if rank + distance < size {
            steps.send(rank + distance, value);
        }
        if rank >= distance {
            steps.receive(rank - distance, received);
            steps.wait();
            see(steps, distance);
            steps.reduce(reduction.operator, received, value);
        } else {
            steps.wait();
        }
        distance *= 2;
    }
}
