//! The allgather of long blocks around a ring of all processes.

use crate::Blocks;
use crate::steps::Steps;

/// Performs the allgather; this process's block is in place. Each rank forwards the block that it
/// received last.
pub fn allgather(steps: &mut Steps<'_>, blocks: &Blocks) {
    for step in 0..steps.size - 1 {
        steps.send_some(steps.after(1), &blocks.of(steps.before(step)));
        steps.receive_some(steps.before(1), &blocks.of(steps.before(step + 1)));
        steps.wait();
    }
}
