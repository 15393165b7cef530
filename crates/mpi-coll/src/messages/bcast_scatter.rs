//! The broadcast of long data: a scatter, then an allgather (van de Geijn; Barnett et al. 1994).
//! Every byte leaves the root once instead of log2(n) times.
//!
//! A *place* is a rank counted from the root, which has place 0.

use crate::error::Outcome;
use crate::{Steps, scratch_bytes};
use nemesis_datatype::Buffer;

/// Bytes of a part from which the ring takes less time where the number of places is no power of
/// two: then a small group sends to all places of a larger one. By `cargo xtask model`, with 17 and
/// 60 nodes.
const RING_MIN_BYTES: usize = 64 << 10;

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
    if steps.size.is_power_of_two() || pieces.each < RING_MIN_BYTES {
        allgather_by_groups(steps, &pieces, place, root);
    } else {
        allgather_around(steps, &pieces, place);
    }
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

/// Allgathers around the ring: each place forwards the part that it received last. Each of the
/// n - 1 rounds takes a latency, but no place sends more than all parts once.
fn allgather_around(steps: &mut Steps<'_>, pieces: &Pieces, place: u32) {
    let size = steps.size;
    for step in 0..size - 1 {
        let (outgoing, incoming) = ((place + size - step) % size, (place + size - step - 1) % size);
        steps.send_some(steps.after(1), &pieces.range(outgoing, outgoing + 1));
        steps.receive_some(steps.before(1), &pieces.range(incoming, incoming + 1));
        steps.wait();
    }
}

/// Allgathers in log2(n) rounds: groups of 1, 2, 4, ... places have all parts of theirs, and each
/// place gets those of the neighbouring group. A group at the end may have fewer places, which then
/// send to several.
fn allgather_by_groups(steps: &mut Steps<'_>, pieces: &Pieces, place: u32, root: u32) {
    let size = steps.size;
    let rank_at = |place: u32| (place + root) % size;
    let mut distance = 1;
    while distance < size {
        let first = place & !(distance - 1);
        let group = |first: u32| first..(first + distance).min(size);
        let (own, other) = (group(first), group(first ^ distance));
        if first ^ distance < size {
            let (own_places, other_places) = (own.end - own.start, other.end - other.start);
            let offset = place - first;
            let from = other.start + offset % other_places;
            steps.receive_some(rank_at(from), &pieces.range(other.start, other.end));
            for to in (other.start + offset..other.end).step_by(own_places as usize) {
                steps.send_some(rank_at(to), &pieces.range(own.start, own.end));
            }
            steps.wait();
        }
        distance *= 2;
    }
}
