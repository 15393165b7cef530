//! The dissemination barrier (Hensgen, Finkel, Manber 1988): in round k, every rank sends to the
//! rank 2^k ahead and receives from the rank 2^k behind. With more *ways*, 4 for example, it sends
//! to the ranks 4^k, 2 · 4^k and 3 · 4^k ahead, so that half as many rounds remain.

use crate::Steps;
use nemesis_datatype::Buffer;
use nemesis_sys::mutation::{self, Mutation};

/// Performs the barrier. Each round multiplies the number of ranks of which a rank knows by `ways`.
pub fn barrier(steps: &mut Steps<'_>, ways: u32) {
    let nothing = Buffer::empty();
    let size = steps.size;
    let mut distance = 1;
    while distance < size {
        let others = (1..ways).map(|times| times * distance).filter(|&ahead| ahead < size);
        others.clone().for_each(|ahead| steps.send(steps.after(ahead), &nothing));
        others.for_each(|behind| steps.receive(steps.before(behind), &nothing));
        steps.wait();
        distance *= ways;
        if ways * distance >= size && mutation::strikes(Mutation::ShortBarrier) {
            return;
        }
    }
}
