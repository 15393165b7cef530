//! The broadcast down a binomial tree.
//!
//! A *place* is a rank counted from the root, which has place 0.

use crate::Steps;
use nemesis_datatype::Buffer;

/// Performs the broadcast: receives from the place without the lowest bit, and sends to the places
/// with one lower bit more, the farthest first.
pub fn bcast(steps: &mut Steps<'_>, buffer: &Buffer, root: u32) {
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
