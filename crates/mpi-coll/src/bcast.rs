//! `MPI_Bcast` (MPI 5.0 §6.4).

use super::selection::{DataPath, RootedDataPath};
use super::shm::{Delivery, ShmOperation};
use super::{Steps, hierarchical, messages};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// Performs a broadcast.
pub fn bcast(steps: &mut Steps<'_>, buffer: &Buffer, root: u32) -> Outcome {
    let bytes = buffer.bytes();
    if bytes == 0 || steps.size == 1 {
        return Ok(());
    }
    let is_root = steps.rank == root;
    if let Some((node_comm, mpi)) = steps.node_comm() {
        let delivery = match node_comm.site().bcast(bytes) {
            RootedDataPath::Messages => Delivery::AsMessage,
            RootedDataPath::SingleCopy => node_comm.bcast_direct(mpi, buffer, root)?,
            RootedDataPath::DeferredToPt2pt if is_root => node_comm.defer_to_pt2pt(mpi, bytes),
            RootedDataPath::DeferredToPt2pt | RootedDataPath::Staged => {
                node_comm.bcast(mpi, buffer, root)?
            }
        };
        if delivery == Delivery::Done {
            return Ok(());
        }
    }
    if let Some((nodes, mpi, whole)) = steps.nodes()
        && nodes.takes(bytes)
    {
        return hierarchical::bcast(nodes, mpi, whole, buffer, root);
    }
    let way = steps.later_site().map_or(DataPath::Messages, |site| site.later_rooted(bytes));
    if way != DataPath::Messages
        && steps.shm_operation(ShmOperation::Bcast {
            buffer: buffer.clone(),
            root,
            direct: way == DataPath::SingleCopy,
        })
    {
        return Ok(());
    }
    messages::bcast(steps, buffer, root)
}
