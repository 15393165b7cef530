//! `MPI_Reduce` and `MPI_Reduce_local` (MPI 5.0 §6.9.1, §6.9.7).

use super::messages::{self, halving, reduce_tree};
use super::operator::{Operator, Reduction, UserCall, call_user};
use super::rows::Need;
use super::selection::{self, DataPath, Site, Vector};
use super::shm::Results;
use super::table::{self, Algorithm, Operation};
use super::{Steps, hierarchical};
use crate::abi;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use nemesis_datatype::Buffer;

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
        Algorithm::new(
            "staged",
            "the others copy in, the root reduces",
            &[Need::ReduceSegment, Need::Predefined, Need::Staging],
            |case| case.uses(DataPath::Staged, Site::reduce),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.reduce(mpi, args.own, args.result, &kernel, args.root)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "pipelined",
            "chunks through rings or a pair ring",
            &[Need::ReduceSegment, Need::Predefined, Need::Rings],
            |case| case.uses(DataPath::Pipelined, Site::reduce),
            |steps, args| match steps.reducing_node_comm(args.reduction, args.own) {
                Some((node_comm, mpi, kernel)) => {
                    node_comm.reduce_pipelined(mpi, args.own, args.result, &kernel, args.root)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "single_copy",
            "every process reduces a segment; the kernel copies",
            &[Need::ReduceSegment, Need::Predefined, Need::SingleCopy],
            |case| case.uses(DataPath::SingleCopy, Site::reduce),
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
        ),
        Algorithm::new(
            "agreed_messages",
            "messages, after all processes have announced the length",
            &[Need::ReduceSegment, Need::Predefined],
            |case| case.uses(DataPath::AgreedMessages, Site::reduce),
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
                Some((nodes, mpi, whole)) => hierarchical::reduce(
                    nodes,
                    mpi,
                    whole,
                    (args.own, args.result),
                    args.reduction,
                    args.root,
                ),
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "binomial_tree",
            "messages: the whole vector up a binomial tree",
            &[],
            |case| selection::reduce(case.elements, case.bytes, case.ranks) == Vector::Whole,
            |steps, args| {
                reduce_tree::reduce(steps, args.own, args.result, args.reduction, args.root)
            },
        ),
        Algorithm::new(
            "halving",
            "messages: reduce-scatter by recursive halving, then gather",
            &[Need::Elements],
            |_| true,
            |steps, args| halving::reduce(steps, args.own, args.result, args.reduction, args.root),
        ),
    ];
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    messages::reduce(steps, args.own, args.result, args.reduction, args.root)
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
    table::perform::<Reduce>(steps, &case, &Args { own, result, reduction, root })
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
