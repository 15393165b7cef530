//! `MPI_Reduce_scatter` and `MPI_Reduce_scatter_block` (MPI 5.0 §6.10).
//!
//! Short vectors: every process computes the whole vector by recursive doubling and keeps its
//! block. Long vectors: pairwise exchange; in each round a process receives one other process's
//! contribution to its block and reduces it. Contributions come in the order rank + 1, …, size - 1,
//! 0, …, rank - 1. For an operation that is not commutative, those from 0 on are reduced
//! separately, and become the left operand at the end.

use super::blocks::Shares;
use super::messages::halving::Core;
use super::operand::Accumulator;
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
            &[Need::Segment, Need::Predefined, Need::Staging],
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
            &[Need::Segment, Need::Predefined, Need::Rings],
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
            &[Need::Segment, Need::Predefined, Need::SingleCopy],
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
            &[Need::Segment, Need::Predefined],
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
            |steps, args| doubling(steps, args.own, args.shares, args.result, args.reduction),
        ),
        Algorithm::new(
            "pairwise",
            "messages: every process receives its block of every vector",
            &[],
            |_| true,
            |steps, args| pairwise(steps, args.own, args.shares, args.result, args.reduction),
        ),
    ];
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    match selection::reduce_scatter_by_doubling(args.own.bytes()) {
        true => doubling(steps, args.own, args.shares, args.result, args.reduction),
        false => pairwise(steps, args.own, args.shares, args.result, args.reduction),
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

fn doubling(
    steps: &mut Steps<'_>,
    own: &Buffer,
    shares: &Shares,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let core = Core::new(steps.rank, steps.size, None);
    let mut value = Accumulator::new(reduction, own, None).ordered();
    core.bring_in(steps, &mut value)?;
    core.double(steps, &mut value)?;
    let (rank, other) = (steps.rank, steps.rank ^ 1);
    if core.place.is_some() && result.bytes() > 0 {
        steps.copy(&value.value_in(&shares.of(rank)), result);
    }
    if other < steps.size {
        core.hand_out(steps, &value.value_in(&shares.of(other)), result);
    }
    Ok(())
}

fn pairwise(
    steps: &mut Steps<'_>,
    whole: &Buffer,
    shares: &Shares,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let share = |rank: u32| {
        let range = shares.of(rank);
        whole.part(range.start, range.len())
    };
    let (rank, size) = (steps.rank, steps.size);
    let own = share(rank);
    // With MPI_IN_PLACE the result's memory holds contributions that are still to be sent, so the
    // value must not lie there before the end.
    let mut value = Accumulator::new(reduction, &own, None);
    let mut below: Option<Accumulator> = None;
    for step in 1..size {
        let (to, from) = (steps.before(step), steps.after(step));
        steps.send_some(to, &share(to));
        if own.bytes() == 0 {
            steps.wait();
            continue;
        }
        match &mut below {
            Some(below) => below.take_next(steps, from)?,
            None if from > rank || reduction.commutative => value.take_next(steps, from)?,
            None => {
                let received = value.place()?;
                steps.receive(from, &received);
                steps.wait();
                below = Some(Accumulator::received(reduction, received));
            }
        }
    }
    if let Some(below) = below {
        value.combine_below(steps, below.value())?;
    }
    if own.bytes() > 0 {
        value.finish(steps, result);
    }
    Ok(())
}
