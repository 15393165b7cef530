//! Reductions of one group's data for the other: reduce, allreduce, reduce_scatter.
//!
//! The reduction of intracommunicators computes a group's value at its leader, in the order of its
//! ranks.

use super::{LEADER, Part, receive_some_across, send_some_across, swap};
use crate::error::Outcome;
use crate::{Blocks, Reduction, Steps, scratch};
use crate::{Shares, bcast as local_bcast, reduce as local_reduce, scatter as local_scatter};
use nemesis_datatype::Buffer;

/// Reduces the group's value at its leader. Other processes get an empty buffer.
fn combine(steps: &mut Steps<'_>, own: &Buffer, reduction: Reduction) -> Outcome<Buffer> {
    let value =
        if steps.rank == LEADER { Some(scratch(own.count(), own.datatype())?) } else { None };
    local_reduce::reduce(steps, own, value.as_ref(), reduction, LEADER)?;
    steps.wait();
    Ok(value.unwrap_or_else(Buffer::empty))
}

/// Performs a reduce. `own` is a contribution of the other group; `result` takes the value at the
/// root.
pub fn reduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
    part: Part,
) -> Outcome {
    match part {
        Part::Root => receive_some_across(steps, LEADER, result),
        Part::Bystander => {}
        Part::Opposite(root) => {
            let value = combine(steps, own, reduction)?;
            send_some_across(steps, root, &value);
        }
    }
    Ok(())
}

/// Performs an allreduce: each group gets the other's value.
pub fn allreduce(
    steps: &mut Steps<'_>,
    own: &Buffer,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let value = combine(steps, own, reduction)?;
    swap(steps, &value, result);
    local_bcast::bcast(steps, result, LEADER)
}

/// Performs a reduce_scatter: each group gets the other's value, in blocks.
pub fn reduce_scatter(
    steps: &mut Steps<'_>,
    own: &Buffer,
    shares: &Shares,
    result: &Buffer,
    reduction: Reduction,
) -> Outcome {
    let value = combine(steps, own, reduction)?;
    if steps.rank != LEADER {
        local_scatter::scatterv(steps, None, Some(result), LEADER);
        return Ok(());
    }
    let all = scratch(own.count(), own.datatype())?;
    swap(steps, &value, &all);
    let parts =
        (0..steps.size).map(|rank| shares.of(rank)).map(|share| all.part(share.start, share.len()));
    local_scatter::scatterv(steps, Some(&Blocks::List(parts.collect())), Some(result), LEADER);
    Ok(())
}
