//! Collectives that combine data: reduce, allreduce, reduce_scatter, scan, and the local reduction (MPI 5.0 §6.9 to §6.11).

use super::super::arguments::message_buffer;
use super::arguments::{SEND_IN_PLACE, TWO_BUFFERS, distinct, is_in_place, reduction};
use super::{Call, Form, forms, inter, short};
use crate::types::IntArray;
use nemesis_datatype::Buffer;
use nemesis_mpi::abi;
use nemesis_mpi::coll::{self, reduce_scatter::Shares};
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype, Info, Op, Request};
use std::ffi::{c_int, c_void};

impl Call {
    /// This process's contribution and the place of the result, the same with `MPI_IN_PLACE`.
    pub(super) unsafe fn operands(
        &self,
        sendbuf: *const c_void,
        recvbuf: *mut c_void,
        count: i64,
        datatype: Datatype,
    ) -> Outcome<(Buffer, Buffer)> {
        // SAFETY: the caller's buffer.
        let result = unsafe { self.data(recvbuf, count, datatype) }?;
        if is_in_place(sendbuf) {
            return Ok((result.clone(), result));
        }
        // SAFETY: the caller's buffer.
        let own = unsafe { message_buffer(&self.mpi, sendbuf, count, datatype) }?;
        distinct(&own, &result, SEND_IN_PLACE)?;
        Ok((own, result))
    }
}

unsafe fn any_reduce(
    call: Call,
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    root: c_int,
) -> Outcome {
    if call.inter {
        // SAFETY: the caller's buffers.
        return unsafe { inter::reduce(call, sendbuf, recvbuf, (count, datatype), op, root) };
    }
    // SAFETY: the caller's buffers; the receive buffer counts at the root only.
    let (own, result) = unsafe {
        if root == call.rank as c_int {
            let (own, result) = call.operands(sendbuf, recvbuf, count, datatype)?;
            (own, Some(result))
        } else {
            (call.data(sendbuf, count, datatype)?, None)
        }
    };
    let root = call.root(root)?;
    let reduction = reduction(op, datatype, &own)?;
    call.perform(|steps| coll::reduce::reduce(steps, &own, result.as_ref(), reduction, root))
}

unsafe fn any_allreduce(
    call: Call,
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    if call.inter {
        // SAFETY: the caller's buffers.
        return unsafe { inter::allreduce(call, sendbuf, recvbuf, (count, datatype), op) };
    }
    // SAFETY: the caller's buffers.
    let (own, result) = unsafe { call.operands(sendbuf, recvbuf, count, datatype) }?;
    let reduction = reduction(op, datatype, &own)?;
    call.perform(|steps| coll::allreduce::allreduce(steps, &own, &result, reduction))
}

unsafe fn any_scan(
    call: Call,
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    if call.inter {
        return Err(inter::no_order());
    }
    // SAFETY: the caller's buffers.
    let (own, result) = unsafe { call.operands(sendbuf, recvbuf, count, datatype) }?;
    let reduction = reduction(op, datatype, &own)?;
    call.perform(|steps| coll::scan::scan(steps, &own, &result, reduction))
}

unsafe fn any_exscan(
    call: Call,
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    if call.inter {
        return Err(inter::no_order());
    }
    // SAFETY: the caller's buffers. The receive buffer of rank 0 is not significant, but one buffer for
    // both sides is refused at all ranks alike: otherwise rank 0 would go on alone.
    let (own, result) = unsafe {
        if call.rank == 0 && !is_in_place(sendbuf) {
            let own = call.data(sendbuf, count, datatype)?;
            if sendbuf == recvbuf.cast_const() {
                distinct(&own, &own, SEND_IN_PLACE)?;
            }
            (own.clone(), own)
        } else {
            call.operands(sendbuf, recvbuf, count, datatype)?
        }
    };
    let reduction = reduction(op, datatype, &own)?;
    call.perform(|steps| coll::scan::exscan(steps, &own, &result, reduction))
}

/// Both reduce_scatters: the vector has `total` elements, this process gets `count` of them.
unsafe fn scatter_result(
    call: Call,
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    (total, count): (i64, i64),
    datatype: Datatype,
    op: Op,
    shares: &Shares,
) -> Outcome {
    if call.inter {
        // SAFETY: the caller's buffers.
        return unsafe {
            inter::reduce_scatter(call, sendbuf, recvbuf, (total, count), datatype, op, shares)
        };
    }
    // SAFETY: the caller's buffers; with MPI_IN_PLACE the receive buffer holds the vector.
    let (own, result) = unsafe {
        let result = call.data(recvbuf, count, datatype)?;
        if is_in_place(sendbuf) {
            (call.data(recvbuf, total, datatype)?, result)
        } else {
            let own = message_buffer(&call.mpi, sendbuf, total, datatype)?;
            distinct(&own, &result, SEND_IN_PLACE)?;
            (own, result)
        }
    };
    let reduction = reduction(op, datatype, &own)?;
    call.perform(|steps| {
        coll::reduce_scatter::reduce_scatter(steps, &own, shares, &result, reduction)
    })
}

unsafe fn any_reduce_scatter(
    call: Call,
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    recvcounts: IntArray,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    // SAFETY: the caller's array has an element for each rank.
    let count_of = |rank: usize| unsafe { recvcounts.get(rank) };
    let ranks = call.local_size()?;
    call.check_counts("recvcounts", recvcounts, ranks, count_of)?;
    let mut ends = Vec::with_capacity(ranks as usize);
    let mut total: i64 = 0;
    for rank in 0..ranks as usize {
        total = total.checked_add(count_of(rank)).ok_or_else(too_many)?;
        ends.push(total as usize);
    }
    let own_count = count_of(call.rank as usize);
    // SAFETY: the caller's buffers.
    unsafe {
        scatter_result(
            call,
            sendbuf,
            recvbuf,
            (total, own_count),
            datatype,
            op,
            &Shares::Ends(ends),
        )
    }
}

unsafe fn any_reduce_scatter_block(
    call: Call,
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    recvcount: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    if recvcount < 0 {
        return Err(super::super::arguments::negative_count(recvcount));
    }
    let total = recvcount.checked_mul(i64::from(call.local_size()?)).ok_or_else(too_many)?;
    // SAFETY: the caller's buffers.
    unsafe {
        scatter_result(
            call,
            sendbuf,
            recvbuf,
            (total, recvcount),
            datatype,
            op,
            &Shares::Even(recvcount as usize),
        )
    }
}

#[cold]
fn too_many() -> Box<Error> {
    Error::new(
        abi::MPI_ERR_COUNT,
        "the counts of all ranks together are more than 64 bits can count",
    )
}

pub unsafe fn reduce_local(
    inbuf: *const c_void,
    inoutbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's buffers.
    let (input, inout) = unsafe {
        (
            message_buffer(&mpi, inbuf, count, datatype)?,
            message_buffer(&mpi, inoutbuf, count, datatype)?,
        )
    };
    if is_in_place(inbuf) || is_in_place(inoutbuf) {
        return Err(Error::new(
            abi::MPI_ERR_BUFFER,
            "MPI_Reduce_local has no MPI_IN_PLACE: the result takes the place of the second operand anyway",
        ));
    }
    distinct(&input, &inout, TWO_BUFFERS)?;
    let reduction = reduction(op, datatype, &input)?;
    coll::reduce::reduce_local(&mut mpi, &input, &inout, reduction.operator)
}

forms!(any_reduce: reduce in short::reduce, ireduce, reduce_init(
    sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op, root: c_int));
forms!(any_allreduce: allreduce in short::allreduce, iallreduce, allreduce_init(
    sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op));
forms!(any_reduce_scatter: reduce_scatter in short::reduce_scatter, ireduce_scatter, reduce_scatter_init(
    sendbuf: *const c_void, recvbuf: *mut c_void, recvcounts: IntArray, datatype: Datatype, op: Op));
forms!(any_reduce_scatter_block: reduce_scatter_block in short::reduce_scatter_block, ireduce_scatter_block, reduce_scatter_block_init(
    sendbuf: *const c_void, recvbuf: *mut c_void, recvcount: i64, datatype: Datatype, op: Op));
forms!(any_scan: scan in short::scan, iscan, scan_init(
    sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op));
forms!(any_exscan: exscan, iexscan, exscan_init(
    sendbuf: *const c_void, recvbuf: *mut c_void, count: i64, datatype: Datatype, op: Op));
