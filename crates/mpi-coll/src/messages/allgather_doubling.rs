//! The allgather of short blocks of equal length by recursive doubling, among a power of two of
//! processes: in round k, groups of 2^k neighbouring ranks exchange all that they have.

use crate::Blocks;
use crate::steps::Steps;

/// Performs the allgather; this process's block is in place.
pub fn allgather(steps: &mut Steps<'_>, blocks: &Blocks) {
    let rank = steps.rank;
    let mut have = 1;
    while have < steps.size {
        let (ours, theirs) = (rank & !(have - 1), (rank ^ have) & !(have - 1));
        if let (Some(sent), Some(received)) = (blocks.range(ours, have), blocks.range(theirs, have))
        {
            steps.send(rank ^ have, &sent);
            steps.receive(rank ^ have, &received);
            steps.wait();
        }
        have *= 2;
    }
}
