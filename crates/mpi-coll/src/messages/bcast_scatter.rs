//! The broadcast of long data: a scatter, then an allgather (van de Geijn; Barnett et al. 1994).
//! Every byte leaves the root once instead of log2(n) times.
//!
//! A *place* is a rank counted from the root, which has place 0.

use crate::error::Outcome;
use crate::{Steps, scratch_bytes};
use nemesis_datatype::Buffer;

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

/// Performs the broadcast.
pub fn bcast(steps: &mut Steps<'_>, buffer: &Buffer, root: u32) -> Outcome {
    let place = steps.before(root);
    let contiguous = buffer.flattened();
    let bytes = contiguous.clone().map_or_else(|| scratch_bytes(buffer.bytes()), Ok)?;
    if contiguous.is_none() && place == 0 {
        steps.copy(buffer, &bytes);
    }
    let pieces = Pieces::new(bytes, steps.size);
    scatter_pieces(steps, &pieces, place, root);
    allgather_pieces(steps, &pieces, place);
    if contiguous.is_none() && place != 0 {
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
