//! Combining data of one group for the other: reduce, allreduce, reduce_scatter.
//!
//! A group's value is made at its leader by the reduction of intracommunicators, in the order of its ranks.

use super::{LEADER, Part, receive_some_across, send_some_across, swap};
use crate::coll::{Blocks, Reduction, Steps, scratch};
use crate::coll::{
    bcast as local_bcast, reduce as local_reduce, reduce_scatter::Shares, scatter as local_scatter,
};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// The group's value at its leader; what others get is empty.
fn combine(steps: &mut Steps<'_>, own: &Buffer, reduction: Reduction) -> Outcome<Buffer> {
    let value =
        if steps.rank == LEADER { Some(scratch(own.count(), own.datatype())?) } else { None };
    local_reduce::reduce(steps, own, value.as_ref(), reduction, LEADER)?;
    steps.wait();
    Ok(value.unwrap_or_else(Buffer::empty))
}

/// `own` is a contribution of the other group's, `result` takes the value at the root.
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

/// Each group gets the other's value.
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

/// Each group gets the other's value, in shares.
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
