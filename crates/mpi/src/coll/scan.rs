//! `MPI_Scan` and `MPI_Exscan` (MPI 5.0 §6.11).
//!
//! Recursive doubling (Hillis and Steele 1986): in the round with distance d every rank hands its value, which covers the d ranks up to its own, to the rank d ahead,
//! and joins from the left what comes from d behind. After log2(size) rounds the value covers all ranks up to its own. Joins are always of
//! neighbouring runs of ranks, in their order.

use super::operand::Reduction;
use super::{Schedule, scratch};
use crate::error::Outcome;
use nemesis_datatype::Buffer;

/// `own` is this process's contribution; `result` may be the same memory.
pub fn scan(schedule: &mut Schedule, own: &Buffer, result: &Buffer, reduction: Reduction) -> Outcome {
    if own.bytes() == 0 {
        return Ok(());
    }
    if own.address() != result.address() {
        schedule.copy(own, result);
    }
    if schedule.size > 1 {
        let received = scratch(own.count(), own.datatype())?;
        rounds(schedule, result, &received, reduction, |_, _| {});
    }
    Ok(())
}

/// The same without this process's own contribution; rank 0's result is left alone.
pub fn exscan(schedule: &mut Schedule, own: &Buffer, result: &Buffer, reduction: Reduction) -> Outcome {
    if own.bytes() == 0 || schedule.size == 1 {
        return Ok(());
    }
    let value = scratch(own.count(), own.datatype())?;
    let received = scratch(own.count(), own.datatype())?;
    schedule.copy(own, &value);
    rounds(schedule, &value, &received, reduction, |schedule, distance| match distance {
        1 => schedule.copy(&received, result),
        _ => schedule.reduce(reduction.operator, &received, result),
    });
    Ok(())
}

/// The rounds: `value` grows, contributions come into `received`, and `see` is told of each.
fn rounds(schedule: &mut Schedule, value: &Buffer, received: &Buffer, reduction: Reduction, mut see: impl FnMut(&mut Schedule, u32)) {
    let (rank, size) = (schedule.rank, schedule.size);
    let mut distance = 1;
    while distance < size {
        if rank + distance < size {
            schedule.send(rank + distance, value);
        }
        if rank >= distance {
            schedule.receive(rank - distance, received);
            schedule.wait();
            see(schedule, distance);
            schedule.reduce(reduction.operator, received, value);
        } else {
            schedule.wait();
        }
        distance *= 2;
    }
}
