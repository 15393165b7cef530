//! `MPI_Scan` and `MPI_Exscan` (MPI 5.0 §6.11).
//!
//! Recursive doubling (Hillis and Steele 1986): in the round with distance d every rank sends its
//! value, which covers the d ranks up to its own, to the rank d ahead, and reduces from the left
//! what it receives from the rank d behind. After log2(size) rounds the value covers all ranks up
//! to its own. Every step reduces neighbouring runs of ranks in their order.

use super::costs::Work;
use super::operator::Reduction;
use super::rows::{Lengths, Need};
use super::shm::{Delivery, Results};
use super::site::{Crowd, PAIR_ROOTED_STAGED_MAX_BYTES, Site};
use super::table::{self, Algorithm, Operation};
use super::{Steps, scratch};
use crate::error::Outcome;
use nemesis::coll_segment::STAGING_BYTES;
use nemesis_datatype::Buffer;

/// Bytes up to which more than two members with a processor each pass vectors whole.
const MANY_STAGED_MAX_BYTES: usize = 4 << 10;
/// Bytes above which the kernel's copies take less time than rings among them, measured on sixteen.
const MANY_CHUNKS_MAX_BYTES: usize = 32 << 10;

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
        Algorithm::<Scan>::segment(
            "staged",
            "every process copies its vector in, and reduces those of lower ranks",
            &[Need::Rings, Need::Predefined],
            |case| match case.site().map(Site::crowd) {
                Some(Crowd::Pair) => Lengths::to(PAIR_ROOTED_STAGED_MAX_BYTES),
                Some(Crowd::Many) => Lengths::to(MANY_STAGED_MAX_BYTES),
                _ => Lengths::ALL,
            },
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.scan(mpi, args.own, args.result, &kernel, args.inclusive)
                }
                None => by_messages(steps, args),
            },
        )
        .carries(|_| Lengths::to(STAGING_BYTES))
        .costs(|members, bytes| Work::shared(bytes, (members - 1.0) * bytes)),
        Algorithm::<Scan>::segment(
            "pipelined",
            "chunks through rings or a pair ring",
            &[Need::Rings, Need::Predefined],
            |case| {
                case.site().map_or(Lengths::NONE, |site| match site.crowd() {
                    Crowd::Pair if site.is_pair_of_copies() => Lengths::to(site.pair_ring_max()),
                    Crowd::Many if site.direct => Lengths::to(MANY_CHUNKS_MAX_BYTES),
                    _ => Lengths::ALL,
                })
            },
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.scan_pipelined(mpi, args.own, args.result, &kernel, args.inclusive)
                }
                None => by_messages(steps, args),
            },
        )
        .costs(|members, bytes| Work::shared(bytes, (members - 1.0) * bytes)),
        Algorithm::<Scan>::segment(
            "single_copy",
            "every process reduces a segment for all; the kernel copies",
            &[Need::Rings, Need::Predefined, Need::SingleCopy],
            |_| Lengths::ALL,
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    let results =
                        if args.inclusive { Results::Prefixes } else { Results::PrefixesBefore };
                    node_comm.reduce_direct(mpi, args.own, Some(args.result), &kernel, results)
                }
                None => by_messages(steps, args),
            },
        )
        .costs(|members, bytes| {
            Work::by_kernel(2.0 * bytes * (members - 1.0) / members, 2.0 * (members - 1.0))
        }),
        Algorithm::<Scan>::messages(
            "recursive_doubling",
            "messages: log2(n) rounds",
            &[],
            |_| Lengths::ALL,
            by_messages,
        ),
    ];

    fn announce(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome<Delivery> {
        steps.agree(args.own.bytes())
    }
}

/// Performs a scan. `own` is this process's contribution; `result` may be the memory of `own`.
pub fn scan(steps: &mut Steps<'_>, own: &Buffer, result: &Buffer, reduction: Reduction) -> Outcome {
    if own.bytes() == 0 {
        return Ok(());
    }
    let case = steps.case_of(reduction, own);
    table::perform::<Scan>(
        steps,
        &case,
        own.bytes(),
        &Args { own, result, reduction, inclusive: true },
    )
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
    table::perform::<Scan>(
        steps,
        &case,
        own.bytes(),
        &Args { own, result, reduction, inclusive: false },
    )
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
