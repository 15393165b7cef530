//! Collectives on intercommunicators (MPI 5.0 §6.2.2, §6.2.3): what one group has goes to the other.
//!
//! | file | what |
//! |---|---|
//! | this one | barrier and bcast, and what all share |
//! | `data` | gather, scatter, allgather, alltoall |
//! | `reduce` | reduce, allreduce, reduce_scatter |
//!
//! Mostly a group collects at its first process, the *leader*, by the builder of intracommunicators; the two leaders, or a leader and the root,
//! exchange; and the leader hands out. Large blocks, and those whose sizes only one side knows, go straight from everybody to
//! everybody. `MPI_IN_PLACE` has no meaning here.
//!
//! A choice depends on what both sides of one direction know alike; the two directions of an operation may choose differently.

mod data;
mod reduce;

pub use data::{allgather, allgatherv, alltoall, gather, gatherv, scatter, scatterv};
pub use reduce::{allreduce, reduce, reduce_scatter};

use super::{Steps, bcast as local_bcast};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// What a process is in an operation with a root (MPI 5.0 §6.2.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// `MPI_ROOT`
    Root,
    /// In the root's group without being it: `MPI_PROC_NULL`.
    Bystander,
    /// In the other group; the root's rank.
    Opposite(u32),
}

/// The first of each group.
const LEADER: u32 = 0;

/// The leaders give each other what they have; for others nothing happens. Nothing to say is left out on both sides.
pub(super) fn swap(steps: &mut Steps<'_>, outgoing: &Buffer, incoming: &Buffer) {
    if steps.rank != LEADER {
        return;
    }
    receive_some_across(steps, LEADER, incoming);
    send_some_across(steps, LEADER, outgoing);
    steps.wait();
}

fn send_some_across(steps: &mut Steps<'_>, to: u32, buffer: &Buffer) {
    if buffer.bytes() > 0 {
        steps.send_across(to, buffer);
    }
}

fn receive_some_across(steps: &mut Steps<'_>, from: u32, buffer: &Buffer) {
    if buffer.bytes() > 0 {
        steps.receive_across(from, buffer);
    }
}

/// When a leader knows that its group is here it tells the other; when it has heard from the other it lets its own group go.
pub fn barrier(steps: &mut Steps<'_>) -> Outcome {
    super::barrier(steps)?;
    if steps.rank == LEADER {
        let nothing = Buffer::empty();
        steps.receive_across(LEADER, &nothing);
        steps.send_across(LEADER, &nothing);
        steps.wait();
    }
    super::barrier(steps)
}

/// The root sends to the other group's leader, which spreads the message there.
pub fn bcast(steps: &mut Steps<'_>, buffer: &Buffer, part: Part) -> Outcome {
    match part {
        Part::Root => send_some_across(steps, LEADER, buffer),
        Part::Bystander => {}
        Part::Opposite(root) => {
            if steps.rank == LEADER {
                receive_some_across(steps, root, buffer);
                steps.wait();
            }
            local_bcast::bcast(steps, buffer, LEADER)?;
        }
    }
    Ok(())
}

/// From the leader of one group, the one that `leads`, to everybody of both.
pub fn spread(steps: &mut Steps<'_>, buffer: &Buffer, leads: bool) -> Outcome {
    if steps.rank == LEADER {
        match leads {
            true => steps.send_across(LEADER, buffer),
            false => steps.receive_across(LEADER, buffer),
        }
        steps.wait();
    }
    local_bcast::bcast(steps, buffer, LEADER)
}
