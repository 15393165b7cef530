//! Neighbour exchange of an even number of processes (Chen, Zhang, Zhang and Yuan 2005): n / 2
//! rounds without a copy, in each of which a process exchanges two blocks with one of its two
//! neighbours.
//!
//! Ranks 2p and 2p + 1 are pair p. They exchange their blocks first. Then every process turns to
//! its other neighbour and back, and passes on the pair of blocks that it has received last:
//!
//! ```text
//!   round 0    0 <-> 1    2 <-> 3    4 <-> 5      own blocks
//!   round 1    1 <-> 2    3 <-> 4    5 <-> 0      own pairs
//!   round 2    0 <-> 1    2 <-> 3    4 <-> 5      the pair received in round 1
//! ```

use nemesis_datatype::Buffer;

use crate::{Blocks, Steps};

/// Performs an allgather of blocks of any lengths; the number of processes is even. This process's
/// block lies in `blocks`.
pub fn allgather(steps: &mut Steps<'_>, blocks: &Blocks) {
    let (rank, size) = (steps.rank, steps.size);
    let (pairs, own_pair, is_even) = (size / 2, rank / 2, rank.is_multiple_of(2));
    let partner = rank ^ 1;
    let neighbour = if is_even { steps.before(1) } else { steps.after(1) };
    steps.receive_some(partner, &blocks.of(partner));
    steps.send_some(partner, &blocks.of(rank));
    steps.wait();
    let mut held = own_pair;
    for round in 1..pairs {
        // In odd rounds the blocks come from the neighbour's side, in even ones from the partner's.
        let from_neighbour = round % 2 == 1;
        let with = if from_neighbour { neighbour } else { partner };
        let distance = round.div_ceil(2);
        let comes = match from_neighbour == is_even {
            true => (own_pair + pairs - distance) % pairs,
            false => (own_pair + distance) % pairs,
        };
        for_each_run(blocks, comes, |run| steps.receive_some(with, &run));
        for_each_run(blocks, held, |run| steps.send_some(with, &run));
        steps.wait();
        held = comes;
    }
}

/// Passes a pair of blocks on: as one message where the blocks are of equal length, and lie side by
/// side therefore.
fn for_each_run(blocks: &Blocks, pair: u32, mut pass: impl FnMut(Buffer)) {
    let first = 2 * pair;
    match blocks.range(first, 2) {
        Some(both) => pass(both),
        None => [first, first + 1].into_iter().for_each(|block| pass(blocks.of(block))),
    }
}
