//! `MPI_Bcast` (MPI 5.0 §6.4).

use super::messages::{self, bcast_scatter, bcast_tree};
use super::rows::Need;
use super::selection::{self, DataPath, RootedDataPath, Site};
use super::shm::{Delivery, ShmOperation};
use super::table::{self, Algorithm, Operation};
use super::{Steps, hierarchical};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// The arguments of a broadcast.
pub struct Args<'a> {
    buffer: &'a Buffer,
    root: u32,
}

/// `MPI_Bcast` as an operation with algorithms.
pub struct Bcast;

impl Operation for Bcast {
    type Args<'a> = Args<'a>;

    const NAME: &'static str = "bcast";
    const INDEX: usize = 1;
    const ALGORITHMS: &'static [Algorithm<Bcast>] = &[
        Algorithm::new(
            "staged",
            "the root copies in, the others copy out; long data in chunks",
            &[Need::Segment, Need::BcastStaging],
            |case| case.uses_rooted(RootedDataPath::Staged, Site::bcast),
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm()
                    && node_comm.bcast(mpi, args.buffer, args.root)? == Delivery::Done
                {
                    return Ok(());
                }
                by_messages(steps, args)
            },
        ),
        Algorithm::new(
            "single_copy",
            "the others read the root's memory through the kernel",
            &[Need::Segment, Need::SingleCopy],
            |case| case.uses_rooted(RootedDataPath::SingleCopy, Site::bcast),
            |steps, args| {
                if let Some((node_comm, mpi)) = steps.node_comm()
                    && node_comm.bcast_direct(mpi, args.buffer, args.root)? == Delivery::Done
                {
                    return Ok(());
                }
                by_messages(steps, args)
            },
        ),
        Algorithm::new(
            "pt2pt",
            "one message, which the segment announces",
            &[Need::Segment, Need::Pair],
            |case| case.uses_rooted(RootedDataPath::DeferredToPt2pt, Site::bcast),
            |steps, args| {
                let is_root = steps.rank == args.root;
                if let Some((node_comm, mpi)) = steps.node_comm() {
                    let delivery = match is_root {
                        true => node_comm.defer_to_pt2pt(mpi, args.buffer.bytes()),
                        false => node_comm.bcast(mpi, args.buffer, args.root)?,
                    };
                    if delivery == Delivery::Done {
                        return Ok(());
                    }
                }
                by_messages(steps, args)
            },
        ),
        Algorithm::new(
            "hierarchical",
            "messages between the leaders of nodes, segments in nodes",
            &[Need::Nodes],
            |_| true,
            |steps, args| match steps.nodes() {
                Some((nodes, mpi, whole)) => {
                    hierarchical::bcast(nodes, mpi, whole, args.buffer, args.root)
                }
                None => by_messages(steps, args),
            },
        ),
        Algorithm::new(
            "segment",
            "non-blocking: the root copies in, the others copy out",
            &[Need::RecordedSegment, Need::ShortStaging],
            |case| {
                case.recorded()
                    .is_some_and(|site| site.later_rooted(case.bytes) == DataPath::Staged)
            },
            |steps, args| {
                let (buffer, root) = (args.buffer.clone(), args.root);
                match steps.shm_operation(ShmOperation::Bcast { buffer, root, direct: false }) {
                    true => Ok(()),
                    false => by_messages(steps, args),
                }
            },
        ),
        Algorithm::new(
            "segment_single_copy",
            "non-blocking: the others read the root's memory through the kernel",
            &[Need::RecordedSegment, Need::SingleCopy],
            |case| {
                case.recorded()
                    .is_some_and(|site| site.later_rooted(case.bytes) == DataPath::SingleCopy)
            },
            |steps, args| {
                let (buffer, root) = (args.buffer.clone(), args.root);
                match steps.shm_operation(ShmOperation::Bcast { buffer, root, direct: true }) {
                    true => Ok(()),
                    false => by_messages(steps, args),
                }
            },
        ),
        Algorithm::new(
            "binomial_tree",
            "messages: down a binomial tree",
            &[],
            |case| selection::bcast(case.bytes, case.ranks) == selection::Bcast::Tree,
            |steps, args| {
                bcast_tree::bcast(steps, args.buffer, args.root);
                Ok(())
            },
        ),
        Algorithm::new(
            "scatter_allgather",
            "messages: the data are scattered, then allgathered",
            &[],
            |_| true,
            |steps, args| bcast_scatter::bcast(steps, args.buffer, args.root),
        ),
    ];
}

fn by_messages(steps: &mut Steps<'_>, args: &Args<'_>) -> Outcome {
    messages::bcast(steps, args.buffer, args.root)
}

/// Performs a broadcast.
pub fn bcast(steps: &mut Steps<'_>, buffer: &Buffer, root: u32) -> Outcome {
    if buffer.bytes() == 0 || steps.size == 1 {
        return Ok(());
    }
    let case = steps.case(buffer.bytes());
    table::perform::<Bcast>(steps, &case, &Args { buffer, root })
}
