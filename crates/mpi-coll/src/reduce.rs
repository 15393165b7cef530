//! `MPI_Reduce` and `MPI_Reduce_local` (MPI 5.0 §6.9.1, §6.9.7).

use super::costs::Work;
use super::gather::TREE_MIN_RANKS;
use super::messages::{circulant, halving, reduce_tree};
use super::operator::{Operator, Reduction, UserCall, call_user};
use super::rows::{Lengths, Need};
use super::shm::{Delivery, Results};
use super::site::{
    Crowd, MANY_CHUNKS_MAX_BYTES, PAIR_CHUNKS_MAX_BYTES, PAIR_ROOTED_STAGED_MAX_BYTES, Site,
};
use super::table::{self, Algorithm, Operation};
use super::{Steps, hierarchical};
use crate::abi;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use nemesis::coll_segment::STAGING_BYTES;
use nemesis_datatype::Buffer;

/// Bytes up to which passing the whole vector up a tree takes less time than dividing it, by the
/// model of networks: at 32 KiB half of the vectors' time is saved over InfiniBand, and a fifth is
/// lost over Ethernet. Results depend on it, so it is not measured.
pub const WHOLE_MAX_BYTES: usize = 16 << 10;

/// The arguments of a reduce.
pub struct Args<'a> {
    own: &'a Buffer,
    /// At the root only; may be the memory of `own`.
    result: Option<&'a Buffer>,
    reduction: Reduction,
    root: u32,
}

/// `MPI_Reduce` as an operation with algorithms.
pub struct Reduce;

impl Operation for Reduce {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "reduce";
    const INDEX: usize = 2;
    const ALGORITHMS: &'static [Algorithm<Reduce>] = &[
        Algorithm::<Reduce>::segment(
            "staged",
            "the others copy in, the root reduces",
            &[Need::Rings, Need::Predefined],
            |case| match case.site().is_some_and(Site::is_pair) {
                true => Lengths::to(PAIR_ROOTED_STAGED_MAX_BYTES),
                false => Lengths::ALL,
            },
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.reduce(mpi, args.own, args.result, &kernel, args.root)
                }
                None => by_messages(steps, args),
            },
        )
        .carries(|_| Lengths::to(STAGING_BYTES))
        .costs(|members, bytes| Work::shared(bytes, (members - 1.0) * bytes)),
        Algorithm::<Reduce>::segment(
            "pipelined",
            "chunks through rings or a pair ring",
            &[Need::Rings, Need::Predefined],
            |case| {
                case.site().map_or(Lengths::NONE, |site| match site.crowd() {
                    Crowd::Pair if site.long_packets => Lengths::to(PAIR_CHUNKS_MAX_BYTES),
                    Crowd::Pair => Lengths::to(site.pair_ring_max()),
                    Crowd::Many if site.direct => Lengths::to(MANY_CHUNKS_MAX_BYTES),
                    Crowd::Many | Crowd::Shared => Lengths::ALL,
                })
            },
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.reduce_pipelined(mpi, args.own, args.result, &kernel, args.root)
                }
                None => by_messages(steps, args),
            },
        )
        .costs(|_, bytes| Work::shared(bytes, 2.0 * bytes)),
        Algorithm::<Reduce>::segment(
            "single_copy",
            "every process reduces a segment; the kernel copies",
            &[Need::Rings, Need::Predefined, Need::SingleCopy],
            |case| Lengths::ALL.only_if(case.site().is_some_and(Site::is_many)),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => node_comm.reduce_direct(
                    mpi,
                    args.own,
                    args.result,
                    &kernel,
                    Results::At(args.root),
                ),
                None => by_messages(steps, args),
            },
        )
        .costs(|members, bytes| Work::by_kernel(bytes, members)),
        Algorithm::<Reduce>::levels(
            &[Need::Levels, Need::Predefined],
            hierarchical::reduced,
            |steps, args| match steps.nodes() {
                Some((nodes, mpi, whole)) => {
                    let &Args { own, result, reduction, root } = args;
                    hierarchical::reduce(
                        nodes,
                        mpi,
                        whole,
                        (own, result),
                        (reduction, root),
                        |steps, own, root| {
                            by_messages(steps, &Args { own, result, reduction, root })
                        },
                    )
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::<Reduce>::messages(
            "binomial_tree",
            "messages: the whole vector up a binomial tree",
            &[],
            |case| match case.ranks < TREE_MIN_RANKS || !case.divisible {
                true => Lengths::ALL,
                false => Lengths::to(WHOLE_MAX_BYTES),
            },
            |steps, args| {
                reduce_tree::reduce(steps, args.own, args.result, args.reduction, args.root)
            },
        ),
        Algorithm::<Reduce>::messages(
            "circulant",
            "messages: reduce-scatter on a circulant graph, then gather",
            &[Need::Commutative],
            |case| Lengths::ALL.only_if(circulant::is_chosen(case)),
            |steps, args| {
                circulant::reduce(steps, args.own, args.result, args.reduction, args.root)
            },
        ),
        Algorithm::<Reduce>::messages(
            "halving",
            "messages: reduce-scatter by recursive halving, then gather",
            &[Need::Elements],
            |_| Lengths::ALL,
            |steps, args| halving::reduce(steps, args.own, args.result, args.reduction, args.root),
        ),
    ];

    fn announce(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome<Delivery> {
        steps.agree(args.own.bytes())
    }
}

/// Performs a reduce by messages.
fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    let case = steps.case_of(args.reduction, args.own);
    table::by_messages::<Reduce>(steps, &case, args.own.bytes(), args)
}

/// Performs a reduce. `own` is this process's contribution; `result`, at the root only, takes the
/// value and may be the memory of `own`.
pub fn reduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: Option<&Buffer>,
    reduction: Reduction,
    root: u32,
) -> Outcome {
    if own.bytes() == 0 {
        return Ok(());
    }
    let case = steps.case_of(reduction, own);
    table::perform::<Reduce>(steps, &case, own.bytes(), &Args { own, result, reduction, root })
}

/// Performs `MPI_Reduce_local`: `inout[i] = input[i] op inout[i]`.
pub fn reduce_local(mpi: &mut Mpi, input: &Buffer, inout: &Buffer, operator: Operator) -> Outcome {
    match operator {
        Operator::Predefined(op) => {
            inout.reduce_from(op, input).map_err(|error| Error::new(abi::MPI_ERR_OP, error.why))
        }
        Operator::User(function, datatype) => {
            call_user(
                mpi,
                &UserCall { function, datatype, input: input.clone(), inout: inout.clone() },
            );
            Ok(())
        }
    }
}
