//! `MPI_Allreduce` (MPI 5.0 §6.9.6).
//!
//! The result has equal bits on all processes: either all reduce equal values in the order of
//! ranks, or one process computes each element.

use super::messages::{self, allreduce_doubling, halving};
use super::operator::{Operator, Reduction};
use super::rows::Need;
use super::selection::{self, DataPath, Site, Vector};
use super::shm::{Results, ShmOperation};
use super::table::{self, Algorithm, Operation};
use super::{Steps, hierarchical};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

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
        Algorithm::new(
            "staged",
            "every process copies its vector in, and reduces all",
            &[Need::AllreduceSegment, Need::Predefined, Need::Staging],
            |case| case.uses(DataPath::Staged, Site::allreduce),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.allreduce(mpi, args.own, args.result, &kernel)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "pipelined",
            "chunks through rings; every process reduces a segment of each chunk",
            &[Need::ReduceSegment, Need::Predefined, Need::Rings],
            |case| case.uses(DataPath::Pipelined, Site::allreduce),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.allreduce_pipelined(mpi, args.own, args.result, &kernel)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "single_copy",
            "every process reduces a segment; the kernel copies",
            &[Need::ReduceSegment, Need::Predefined, Need::SingleCopy],
            |case| case.uses(DataPath::SingleCopy, Site::allreduce),
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
        ),
        Algorithm::new(
            "agreed_messages",
            "messages, after all processes have announced the length",
            &[Need::ReduceSegment, Need::Predefined],
            |case| case.uses(DataPath::AgreedMessages, Site::allreduce),
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
            "hierarchical",
            "segments in nodes, messages between their leaders",
            &[Need::ReduceNodes, Need::Predefined],
            |_| true,
            |steps, args| match steps.nodes() {
                Some((nodes, mpi, whole)) => hierarchical::allreduce(
                    nodes,
                    mpi,
                    whole,
                    args.own,
                    args.result,
                    args.reduction,
                ),
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "segment",
            "non-blocking: every process copies its vector in, and reduces all",
            &[Need::RecordedSegment, Need::Predefined, Need::ShortStaging],
            |_| true,
            |steps, args| match args.reduction.operator {
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
            },
        ),
        Algorithm::new(
            "recursive_doubling",
            "messages: the whole vector in log2(n) rounds",
            &[],
            |case| selection::allreduce(case.elements, case.bytes, case.ranks) == Vector::Whole,
            |steps, args| {
                allreduce_doubling::allreduce(steps, args.own, args.result, args.reduction)
            },
        ),
        Algorithm::new(
            "halving",
            "messages: reduce-scatter by recursive halving, then allgather",
            &[Need::Elements],
            |_| true,
            |steps, args| halving::allreduce(steps, args.own, args.result, args.reduction),
        ),
    ];
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    messages::allreduce(steps, args.own, args.result, args.reduction)
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
    table::perform::<Allreduce>(steps, &case, &Args { own, result, reduction })
}
