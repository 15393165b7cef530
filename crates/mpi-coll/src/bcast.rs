//! `MPI_Bcast` (MPI 5.0 §6.4).
//!
//! Short messages use a binomial tree. Long ones are scattered over the processes, then allgathered
//! (van de Geijn; Barnett et al. 1994): every byte leaves the root once instead of log2(n) times.
//!
//! A *place* is a rank counted from the root, which has place 0.

use super::selection::{DataPath, RootedDataPath};
use super::shm::{Delivery, ShmOperation};
use super::{Steps, scratch_bytes, selection};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

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
        return nodes.bcast(mpi, whole, buffer, root);
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
    match selection::bcast(bytes, steps.size) {
        selection::Bcast::Tree => tree(steps, buffer, root),
        selection::Bcast::ScatterAllgather => return scatter_allgather(steps, buffer, root),
    }
    Ok(())
}

/// Performs the rest of a broadcast that the fast path has begun, at a process that is not the
/// root.
pub fn bcast_begun(steps: &mut Steps<'_>, buffer: &Buffer, root: u32) -> Outcome {
    let (node_comm, mpi) = steps.begun();
    if node_comm.bcast_begun(mpi, buffer, root)? == Delivery::AsMessage {
        // A message of this length uses the tree.
        tree(steps, buffer, root);
    }
    Ok(())
}

/// The binomial tree: receives from the place without the lowest bit, and sends to the places with
/// one lower bit more, the farthest first.
pub fn tree(steps: &mut Steps<'_>, buffer: &Buffer, root: u32) {
    let size = steps.size;
    let place = steps.before(root);
    let rank_at = |place: u32| (place + root) % size;
    let span = if place == 0 { size.next_power_of_two() } else { 1 << place.trailing_zeros() };
    if place != 0 {
        steps.receive(rank_at(place - span), buffer);
        steps.wait();
    }
    let mut distance = span / 2;
    while distance > 0 {
        if place + distance < size {
            steps.send(rank_at(place + distance), buffer);
        }
        distance /= 2;
    }
}

/// The message as bytes, cut into as many parts as there are places.
struct Pieces {
    bytes: Buffer,
    each: usize,
}

impl Pieces {
    /// Parts begin on cache lines.
    const ALIGN: usize = 64;

    fn new(bytes: Buffer, places: u32) -> Pieces {
        let each = bytes.count().div_ceil(places as usize).next_multiple_of(Self::ALIGN);
        Pieces { bytes, each }
    }

    /// Returns parts `first` to `end`; the last ones may be short or empty.
    fn range(&self, first: u32, end: u32) -> Buffer {
        let from = (first as usize * self.each).min(self.bytes.count());
        let to = (end as usize * self.each).min(self.bytes.count());
        self.bytes.part(from, to - from)
    }
}

fn scatter_allgather(steps: &mut Steps<'_>, buffer: &Buffer, root: u32) -> Outcome {
    let place = steps.before(root);
    let dense = buffer.flattened();
    let bytes = dense.clone().map_or_else(|| scratch_bytes(buffer.bytes()), Ok)?;
    if dense.is_none() && place == 0 {
        steps.copy(buffer, &bytes);
    }
    let pieces = Pieces::new(bytes, steps.size);
    scatter_pieces(steps, &pieces, place, root);
    allgather_pieces(steps, &pieces, place);
    if dense.is_none() && place != 0 {
        steps.wait();
        steps.copy(&pieces.bytes, buffer);
    }
    Ok(())
}

/// Scatters along the binomial tree: each place gets the parts of its subtree.
fn scatter_pieces(steps: &mut Steps<'_>, pieces: &Pieces, place: u32, root: u32) {
    let size = steps.size;
    let rank_at = |place: u32| (place + root) % size;
    let span = if place == 0 { size.next_power_of_two() } else { 1 << place.trailing_zeros() };
    if place != 0 {
        steps.receive_some(rank_at(place - span), &pieces.range(place, (place + span).min(size)));
        steps.wait();
    }
    let mut distance = span / 2;
    while distance > 0 {
        let child = place + distance;
        if child < size {
            steps.send_some(rank_at(child), &pieces.range(child, (child + distance).min(size)));
        }
        distance /= 2;
    }
}

/// Allgathers around the ring: each place forwards the part that it received last.
fn allgather_pieces(steps: &mut Steps<'_>, pieces: &Pieces, place: u32) {
    let size = steps.size;
    for step in 0..size - 1 {
        let (outgoing, incoming) = ((place + size - step) % size, (place + size - step - 1) % size);
        steps.send_some(steps.after(1), &pieces.range(outgoing, outgoing + 1));
        steps.receive_some(steps.before(1), &pieces.range(incoming, incoming + 1));
        steps.wait();
    }
}
