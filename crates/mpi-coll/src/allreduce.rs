//! `MPI_Allreduce` (MPI 5.0 §6.9.6).
//!
//! The result has equal bits on all processes: either all reduce equal values in the order of
//! ranks, or one process computes each element.

use super::costs::Work;
use super::messages::{allreduce_doubling, allreduce_multiplying, circulant, halving};
use super::operator::{Operator, Reduction};
use super::rows::{Lengths, Need};
use super::shm::{Delivery, Results, ShmOperation};
use super::site::{Crowd, EXCHANGE_STAGED_MAX_BYTES, MANY_CHUNKS_MAX_BYTES, PAIR_CHUNKS_MAX_BYTES};
use super::table::{self, Algorithm, Operation};
use super::{Steps, hierarchical};
use crate::error::Outcome;
use nemesis::coll_segment::{SHORT_STAGING_BYTES, STAGING_BYTES};
use nemesis_datatype::Buffer;

/// Bytes up to which exchanging the whole vector in each round takes less time than halving it
/// (Thakur, Rabenseifner and Gropp 2005). Results depend on it, so it is not measured.
pub const WHOLE_MAX_BYTES: usize = 16 << 10;

/// Bytes up to which exchanging the whole vector with three others at once takes less time than
/// doing so one after the other, by the model of networks ([decision
/// 0083](../../../docs/decisions/0083-four-at-once.md)).
const BY_FOUR_MAX_BYTES: usize = 4 << 10;

/// The arguments of an allreduce.
pub struct Args<'a> {
    own: &'a Buffer,
    /// May be the memory of `own`.
    result: &'a Buffer,
    reduction: Reduction,
}

/// `MPI_Allreduce` as an operation with algorithms.
pub struct Allreduce;

impl Operation for Allreduce {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "allreduce";
    const INDEX: usize = 3;
    const ALGORITHMS: &'static [Algorithm<Allreduce>] = &[
        Algorithm::<Allreduce>::segment(
            "staged",
            "every process copies its vector in, and reduces all",
            &[Need::Segment, Need::Predefined],
            |case| match case.site() {
                Some(site) if !site.oversubscribed => Lengths::to(EXCHANGE_STAGED_MAX_BYTES),
                _ => Lengths::ALL,
            },
            staged,
        )
        // More members than have rings combine in the order of the messages of this length.
        .carries(|case| match case.site() {
            Some(site) if site.has_rings() => Lengths::to(STAGING_BYTES),
            Some(site) if site.oversubscribed => Lengths::to(WHOLE_MAX_BYTES),
            Some(_) => Lengths::NONE,
            None => Lengths::to(SHORT_STAGING_BYTES),
        })
        .costs(|members, bytes| Work::shared(bytes, (members - 1.0) * bytes)),
        Algorithm::<Allreduce>::segment(
            "pipelined",
            "chunks through rings; every process reduces a segment of each chunk",
            &[Need::Rings, Need::Predefined],
            |case| {
                case.site().map_or(Lengths::NONE, |site| match site.crowd() {
                    Crowd::Pair => Lengths::to(PAIR_CHUNKS_MAX_BYTES),
                    Crowd::Many if site.direct => Lengths::to(MANY_CHUNKS_MAX_BYTES),
                    Crowd::Many | Crowd::Shared => Lengths::ALL,
                })
            },
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.allreduce_pipelined(mpi, args.own, args.result, &kernel)
                }
                None => by_messages(steps, args),
            },
        )
        .costs(|_, bytes| Work::shared(2.0 * bytes, 2.0 * bytes)),
        Algorithm::<Allreduce>::segment(
            "single_copy",
            "every process reduces a segment; the kernel copies",
            &[Need::Rings, Need::Predefined, Need::SingleCopy],
            |case| {
                case.site().map_or(Lengths::NONE, |site| {
                    Lengths::ALL.only_if(!site.is_pair() || site.is_pair_of_copies())
                })
            },
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => node_comm.reduce_direct(
                    mpi,
                    args.own,
                    Some(args.result),
                    &kernel,
                    Results::Everywhere,
                ),
                None => by_messages(steps, args),
            },
        )
        .costs(|members, bytes| {
            Work::by_kernel(2.0 * bytes * (members - 1.0) / members, 2.0 * (members - 1.0))
        }),
        Algorithm::<Allreduce>::levels(
            &[Need::Levels, Need::Predefined],
            hierarchical::reduced,
            |steps, args| match steps.nodes() {
                Some((nodes, mpi, whole)) => {
                    let &Args { own, result, reduction } = args;
                    hierarchical::allreduce(nodes, mpi, whole, (own, result), reduction, |steps| {
                        by_messages(steps, &Args { own: result, result, reduction })
                    })
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::<Allreduce>::messages(
            "recursive_multiplying",
            "messages: the whole vector to three others, in log4(n) rounds",
            &[],
            |case| Lengths::to(BY_FOUR_MAX_BYTES).only_if(allreduce_multiplying::may_gain(case)),
            |steps, args| {
                allreduce_multiplying::allreduce(steps, args.own, args.result, args.reduction)
            },
        ),
        Algorithm::<Allreduce>::messages(
            "recursive_doubling",
            "messages: the whole vector in log2(n) rounds",
            &[],
            |case| if case.divisible { Lengths::to(WHOLE_MAX_BYTES) } else { Lengths::ALL },
            |steps, args| {
                allreduce_doubling::allreduce(steps, args.own, args.result, args.reduction)
            },
        ),
        Algorithm::<Allreduce>::messages(
            "circulant",
            "messages: reduce-scatter on a circulant graph, then allgather",
            &[Need::Commutative],
            |case| Lengths::ALL.only_if(circulant::is_chosen(case)),
            |steps, args| circulant::allreduce(steps, args.own, args.result, args.reduction),
        ),
        Algorithm::<Allreduce>::messages(
            "halving",
            "messages: reduce-scatter by recursive halving, then allgather",
            &[Need::Elements],
            |_| Lengths::ALL,
            |steps, args| halving::allreduce(steps, args.own, args.result, args.reduction),
        ),
    ];

    fn announce(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome<Delivery> {
        steps.agree(args.own.bytes())
    }
}

fn staged(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    if let Some((node_comm, mpi, kernel)) = steps.reducing_node_comm(args.reduction, args.own) {
        return node_comm.allreduce(mpi, args.own, args.result, &kernel);
    }
    match args.reduction.operator {
        Operator::Predefined(op)
            if steps.shm_operation(ShmOperation::Allreduce {
                own: args.own.clone(),
                result: args.result.clone(),
                op,
            }) =>
        {
            Ok(())
        }
        _ => by_messages(steps, args),
    }
}

/// Performs an allreduce by messages.
fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let case = steps.case_of(args.reduction, args.own);
    table::by_messages::<Allreduce>(steps, &case, args.own.bytes(), args)
}

/// Performs an allreduce. `own` is this process's contribution; `result` may be the memory of
/// `own`.
pub fn allreduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    if own.bytes() == 0 {
        return Ok(());
    }
    let case = steps.case_of(reduction, own);
    table::perform::<Allreduce>(steps, &case, own.bytes(), &Args { own, result, reduction })
}
