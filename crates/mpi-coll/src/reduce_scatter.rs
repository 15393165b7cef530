//! `MPI_Reduce_scatter` and `MPI_Reduce_scatter_block` (MPI 5.0 §6.10).

use super::blocks::Shares;
use super::messages::{reduce_scatter_doubling, reduce_scatter_pairwise};
use super::operator::Reduction;
use super::rows::Need;
use super::selection::{self, DataPath, Site};
use super::steps::Steps;
use super::table::{self, Algorithm, Operation};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// The arguments of a reduce_scatter.
pub struct Args<'a> {
    /// This process's whole vector.
    own: &'a Buffer,
    shares: &'a Shares,
    /// Takes this process's block, and may overlap `own`.
    result: &'a Buffer,
    reduction: Reduction,
}

/// `MPI_Reduce_scatter` as an operation with algorithms.
pub struct ReduceScatter;

impl Operation for ReduceScatter {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "reduce_scatter";
    const INDEX: usize = 4;
    const ALGORITHMS: &'static [Algorithm<ReduceScatter>] = &[
        Algorithm::new(
            "staged",
            "every process copies its vector in, and reduces its block",
            &[Need::ReduceSegment, Need::Predefined, Need::Staging],
            |case| case.uses(DataPath::Staged, Site::reduce_scatter),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.reduce_scatter(mpi, args.own, args.shares, args.result, &kernel)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "pipelined",
            "chunks through rings; every process reduces its block",
            &[Need::ReduceSegment, Need::Predefined, Need::Rings],
            |case| case.uses(DataPath::Pipelined, Site::reduce_scatter),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => node_comm.reduce_scatter_pipelined(
                    mpi,
                    args.own,
                    args.shares,
                    args.result,
                    &kernel,
                ),
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "single_copy",
            "every process reads its block of all vectors through the kernel",
            &[Need::ReduceSegment, Need::Predefined, Need::SingleCopy],
            |case| case.uses(DataPath::SingleCopy, Site::reduce_scatter),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => node_comm.reduce_scatter_direct(
                    mpi,
                    args.own,
                    args.shares,
                    args.result,
                    &kernel,
                ),
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "agreed_messages",
            "messages, after all processes have announced the length",
            &[Need::ReduceSegment, Need::Predefined],
            |case| case.uses(DataPath::AgreedMessages, Site::reduce_scatter),
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
            "messages: every process reduces the whole vector in log2(n) rounds",
            &[],
            |case| selection::reduce_scatter_by_doubling(case.bytes),
            |steps, args| {
                reduce_scatter_doubling::reduce_scatter(
                    steps,
                    args.own,
                    args.shares,
                    args.result,
                    args.reduction,
                )
            },
        ),
        Algorithm::new(
            "pairwise",
            "messages: every process receives its block of every vector",
            &[],
            |_| true,
            |steps, args| {
                reduce_scatter_pairwise::reduce_scatter(
                    steps,
                    args.own,
                    args.shares,
                    args.result,
                    args.reduction,
                )
            },
        ),
    ];
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    match selection::reduce_scatter_by_doubling(args.own.bytes()) {
        true => reduce_scatter_doubling::reduce_scatter(
            steps,
            args.own,
            args.shares,
            args.result,
            args.reduction,
        ),
        false => reduce_scatter_pairwise::reduce_scatter(
            steps,
            args.own,
            args.shares,
            args.result,
            args.reduction,
        ),
    }
}

/// Performs a reduce_scatter. `own` is this process's whole vector; `result`, for this rank's part,
/// may overlap it (`MPI_IN_PLACE`).
pub fn reduce_scatter(
    steps: &mut Steps<'_>,
    own: &Buffer,
    shares: &Shares,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    if own.bytes() == 0 {
        return Ok(());
    }
    if steps.size == 1 {
        if own.address() != result.address() {
            steps.copy(own, result);
        }
        return Ok(());
    }
    let case = steps.case_of(reduction, own);
    table::perform::<ReduceScatter>(steps, &case, &Args { own, shares, result, reduction })
}
