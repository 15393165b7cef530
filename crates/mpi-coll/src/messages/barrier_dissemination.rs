//! The dissemination barrier (Hensgen, Finkel, Manber 1988): in round k, every rank sends to the
//! rank 2^k ahead and receives from the rank 2^k behind.

use crate::Steps;
use nemesis_datatype::Buffer;
use nemesis_sys::mutation::{self, Mutation};

/// Performs the barrier.
pub fn barrier(steps: &mut Steps<'_>) {
    let nothing = Buffer::empty();
    let mut distance = 1;
    while distance < steps.size {
        steps.send(steps.after(distance), &nothing);
        steps.receive(steps.before(distance), &nothing);
        steps.wait();
        distance *= 2;
        if 2 * distance >= steps.size && mutation::strikes(Mutation::ShortBarrier) {
            return;
        }
    }
}
