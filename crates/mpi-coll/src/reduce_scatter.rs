//! `MPI_Reduce_scatter` and `MPI_Reduce_scatter_block` (MPI 5.0 §6.10).

use super::blocks::Shares;
use super::costs::Work;
use super::hierarchical;
use super::messages::{circulant, halving, reduce_scatter_doubling, reduce_scatter_pairwise};
use super::operator::Reduction;
use super::rows::{Lengths, Need};
use super::shm::Delivery;
use super::site::{
    Crowd, DEDICATED_STAGED_MAX_BYTES, EXCHANGE_STAGED_MAX_BYTES, MANY_CHUNKS_MAX_BYTES,
    PAIR_CHUNKS_MAX_BYTES, Site,
};
use super::steps::Steps;
use super::table::{self, Algorithm, Operation};
use crate::error::Outcome;
use nemesis::coll_segment::STAGING_BYTES;
use nemesis_datatype::Buffer;

/// Bytes of all blocks up to which every process computes the whole vector in log2(n) rounds and
/// keeps its block. Results depend on it, so it is not measured.
pub const WHOLE_MAX_BYTES: usize = 4 << 10;

/// Number of processes from which log2(n) rounds take less time than a message from each process to
/// each other one. Results depend on this limit and the next two, so they are not measured but
/// modelled ([decision 0072](../../../docs/decisions/0072-algorithms-between-nodes-by-a-model.md)).
const ROUNDS_MIN_RANKS: u32 = 8;
/// Bytes of a block up to which that holds for halving among processes whose number is no power of
/// two: some then give their whole vector to another one first.
const HALVING_UNEVEN_BLOCK_MAX_BYTES: usize = 2 << 10;
/// Bytes of a vector above which log2(n) rounds would take too much memory: two vectors more, where
/// messages between all pairs need a block.
const ROUNDS_MAX_BYTES: usize = 64 << 20;

/// Returns the lengths of the vector for which halving is chosen.
fn halving_lengths(ranks: u32) -> Lengths {
    let most = match ranks.is_power_of_two() {
        true => ROUNDS_MAX_BYTES,
        false => ROUNDS_MAX_BYTES.min(HALVING_UNEVEN_BLOCK_MAX_BYTES * ranks as usize),
    };
    Lengths::to(most).only_if(ranks >= ROUNDS_MIN_RANKS)
}

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
        Algorithm::<ReduceScatter>::segment(
            "staged",
            "every process copies its vector in, and reduces its block",
            &[Need::Rings, Need::Predefined],
            |case| match case.site().map(Site::crowd) {
                Some(Crowd::Pair) => Lengths::to(EXCHANGE_STAGED_MAX_BYTES),
                Some(Crowd::Many) => Lengths::to(DEDICATED_STAGED_MAX_BYTES),
                _ => Lengths::ALL,
            },
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.reduce_scatter(mpi, args.own, args.shares, args.result, &kernel)
                }
                None => by_messages(steps, args),
            },
        )
        .carries(|_| Lengths::to(STAGING_BYTES))
        .costs(|_, bytes| Work::shared(bytes, bytes)),
        Algorithm::<ReduceScatter>::segment(
            "pipelined",
            "chunks through rings; every process reduces its block",
            &[Need::Rings, Need::Predefined],
            |case| {
                case.site().map_or(Lengths::NONE, |site| match site.crowd() {
                    Crowd::Pair if site.is_pair_of_copies() => Lengths::to(PAIR_CHUNKS_MAX_BYTES),
                    Crowd::Many if site.direct => Lengths::to(MANY_CHUNKS_MAX_BYTES),
                    _ => Lengths::ALL,
                })
            },
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
        )
        .costs(|_, bytes| Work::shared(bytes, bytes)),
        Algorithm::<ReduceScatter>::segment(
            "single_copy",
            "every process reads its block of all vectors through the kernel",
            &[Need::Rings, Need::Predefined, Need::SingleCopy],
            |_| Lengths::ALL,
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
        )
        .costs(|members, bytes| Work::by_kernel(bytes * (members - 1.0) / members, members - 1.0)),
        Algorithm::<ReduceScatter>::levels(
            &[Need::LevelsInNode, Need::Predefined],
            // Longer vectors are reduced in another order by messages.
            |_| Lengths::to(WHOLE_MAX_BYTES),
            |steps, args| match steps.nodes() {
                Some((nodes, mpi, _)) => {
                    let vectors = (args.own, args.shares, args.result);
                    hierarchical::reduce_scatter(nodes, mpi, vectors, args.reduction)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::<ReduceScatter>::messages(
            "recursive_doubling",
            "messages: every process reduces the whole vector in log2(n) rounds",
            &[],
            |_| Lengths::to(WHOLE_MAX_BYTES),
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
        Algorithm::<ReduceScatter>::messages(
            "circulant",
            "messages: reduce-scatter on a circulant graph",
            &[Need::Commutative],
            |case| {
                let chosen = circulant::is_chosen(case) && case.ranks >= ROUNDS_MIN_RANKS;
                Lengths::to(ROUNDS_MAX_BYTES).only_if(chosen)
            },
            |steps, args| {
                let &Args { own, shares, result, reduction } = args;
                circulant::reduce_scatter(steps, own, shares, result, reduction)
            },
        ),
        Algorithm::<ReduceScatter>::messages(
            "halving",
            "messages: recursive halving, then each block goes to its owner",
            &[],
            |case| halving_lengths(case.ranks),
            |steps, args| {
                let &Args { own, shares, result, reduction } = args;
                halving::reduce_scatter(steps, own, shares, result, reduction)
            },
        ),
        Algorithm::<ReduceScatter>::messages(
            "pairwise",
            "messages: every process receives its block of every vector",
            &[],
            |_| Lengths::ALL,
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

    fn announce(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome<Delivery> {
        steps.agree(args.own.bytes())
    }
}

/// Performs a reduce_scatter by messages.
fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let case = steps.case_of(args.reduction, args.own);
    table::by_messages::<ReduceScatter>(steps, &case, args.own.bytes(), args)
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
    table::perform::<ReduceScatter>(
        steps,
        &case,
        own.bytes(),
        &Args { own, shares, result, reduction },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_is_for_eight_and_more_and_short_blocks_of_uneven_numbers() {
        let most = |ranks| halving_lengths(ranks).max;
        assert_eq!(halving_lengths(7), Lengths::NONE);
        assert_eq!([8, 1024].map(most), [ROUNDS_MAX_BYTES; 2]);
        assert_eq!([12, 1000].map(most), [24 << 10, 2000 << 10]);
        assert_eq!(most(1_000_000), ROUNDS_MAX_BYTES);
    }
}
