//! Collectives on intercommunicators (MPI 5.0 §6.2.2, §6.2.3): data of one group goes to the other.
//!
//! | module | contents |
//! |---|---|
//! | this one | barrier and bcast, and functions that all use |
//! | `data` | gather, scatter, allgather, alltoall |
//! | `reduce` | reduce, allreduce, reduce_scatter |
//!
//! In most operations a group collects data at its first process, the *leader*, by a builder of
//! intracommunicators; the two leaders, or a leader and the root, exchange; and the leader
//! distributes the data. Large blocks, and blocks whose lengths only one side knows, go directly
//! from sender to receiver. `MPI_IN_PLACE` has no meaning here.
//!
//! A choice depends on what both sides of one direction know alike. The two directions of an
//! operation may use different algorithms.

mod data;
mod reduce;

pub use data::{allgather, allgatherv, alltoall, gather, gatherv, scatter, scatterv};
pub use reduce::{allreduce, reduce, reduce_scatter};

use super::{Steps, bcast as local_bcast};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// The role of a process in an operation with a root (MPI 5.0 §6.2.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// `MPI_ROOT`
    Root,
    /// In the root's group, but not the root: `MPI_PROC_NULL`.
    Bystander,
    /// In the other group; holds the root's rank.
    Opposite(u32),
}

/// The first process of each group.
const LEADER: u32 = 0;

/// Exchanges data between the leaders; other processes do nothing. Both sides omit an empty
/// message.
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

/// Performs a barrier. A leader tells the other when its group has come, and releases its group
/// when it has heard from the other.
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

/// Performs a broadcast: the root sends to the other group's leader, which broadcasts there.
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

/// Broadcasts from the leader of the group that `leads` to all processes of both groups.
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
