//! Collectives that combine data: reduce, allreduce, reduce_scatter, scan, and the local reduction
//! (MPI 5.0 §6.9 to §6.11).

use super::arguments::{Choice, SEND_IN_PLACE, TWO_BUFFERS, counts, distinct, reducing, reduction};
use super::memory::apart;
use super::{Call, Form, forms, inter};
use crate::params::{IntArray, Ints, UserBuffer};
use nemesis_datatype::Buffer;
use nemesis_mpi::abi;
use nemesis_mpi::coll::signature::Kind;
use nemesis_mpi::coll::{self, Shares};
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype, Info, Op, Request};
use std::ffi::c_int;

impl Call<'_> {
    /// This process's contribution and the buffer of the result, which are one buffer with
    /// `MPI_IN_PLACE`.
    pub(super) fn operands(
        &self,
        sendbuf: UserBuffer,
        recvbuf: UserBuffer,
        count: i64,
        datatype: Datatype,
    ) -> Outcome<(Buffer, Buffer)> {
        let result = self.data(recvbuf, count, datatype)?;
        if sendbuf.is_in_place() {
            return Ok((result.clone(), result));
        }
        let own = sendbuf.message(&self.mpi, count, datatype)?;
        distinct(&own, &result, SEND_IN_PLACE)?;
        Ok((own, result))
    }
}

fn any_reduce(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
    root: c_int,
) -> Outcome {
    if call.inter {
        return inter::reduce(call, sendbuf, recvbuf, (count, datatype), op, root);
    }
    let (own, result) = if root == call.rank as c_int {
        let (own, result) = call.operands(sendbuf, recvbuf, count, datatype)?;
        (own, Some(result))
    } else {
        (call.data(sendbuf, count, datatype)?, None)
    };
    let root = call.root(root)?;
    let reduction = reduction(op, datatype, &own)?;
    let sent = result.as_ref().map_or(Some(&own), |result| apart(&own, result));
    call.perform(
        reducing(Kind::Reduce, reduction, &own).rooted(root),
        (&[&sent], &[&result]),
        |steps| coll::reduce::reduce(steps, &own, result.as_ref(), reduction, root),
    )
}

fn any_allreduce(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    if call.inter {
        return inter::allreduce(call, sendbuf, recvbuf, (count, datatype), op);
    }
    let (own, result) = call.operands(sendbuf, recvbuf, count, datatype)?;
    let reduction = reduction(op, datatype, &own)?;
    call.perform(
        reducing(Kind::Allreduce, reduction, &own),
        (&[&apart(&own, &result)], &[&result]),
        |steps| coll::allreduce::allreduce(steps, &own, &result, reduction),
    )
}

fn any_scan(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    if call.inter {
        return Err(inter::no_order());
    }
    let (own, result) = call.operands(sendbuf, recvbuf, count, datatype)?;
    let reduction = reduction(op, datatype, &own)?;
    call.perform(
        reducing(Kind::Scan, reduction, &own),
        (&[&apart(&own, &result)], &[&result]),
        |steps| coll::scan::scan(steps, &own, &result, reduction),
    )
}

fn any_exscan(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    if call.inter {
        return Err(inter::no_order());
    }
    // The first process has no result.
    let only_sends = call.rank == 0 && !sendbuf.is_in_place();
    let (own, result) = if only_sends {
        let own = call.data(sendbuf, count, datatype)?;
        if sendbuf == recvbuf {
            distinct(&own, &own, SEND_IN_PLACE)?;
        }
        (own.clone(), own)
    } else {
        call.operands(sendbuf, recvbuf, count, datatype)?
    };
    let reduction = reduction(op, datatype, &own)?;
    let (sent, received) = match only_sends {
        true => (Some(&own), None),
        false => (apart(&own, &result), Some(&result)),
    };
    call.perform(reducing(Kind::Exscan, reduction, &own), (&[&sent], &[&received]), |steps| {
        coll::scan::exscan(steps, &own, &result, reduction)
    })
}

/// Both reduce_scatters: the vector has `total` elements, this process gets `count` of them.
fn scatter_result(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    (total, count): (i64, i64),
    datatype: Datatype,
    (kind, op): (Kind, Op),
    shares: &Shares,
) -> Outcome {
    if call.inter {
        return inter::reduce_scatter(
            call,
            sendbuf,
            recvbuf,
            (total, count),
            datatype,
            (kind, op),
            shares,
        );
    }
    let (own, result) = {
        let result = call.data(recvbuf, count, datatype)?;
        if sendbuf.is_in_place() {
            (call.data(recvbuf, total, datatype)?, result)
        } else {
            let own = sendbuf.message(&call.mpi, total, datatype)?;
            distinct(&own, &result, SEND_IN_PLACE)?;
            (own, result)
        }
    };
    let reduction = reduction(op, datatype, &own)?;
    // In place, the operation may use all of the vector.
    let received = if sendbuf.is_in_place() { &own } else { &result };
    call.perform(
        reducing(kind, reduction, &own),
        (&[&apart(&own, &result)], &[received]),
        |steps| coll::reduce_scatter::reduce_scatter(steps, &own, shares, &result, reduction),
    )
}

fn any_reduce_scatter(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    recvcounts: IntArray,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    let ranks = call.local_size()?;
    let recvcounts = counts("recvcounts", recvcounts, ranks as usize)?;
    let mut ends = Vec::with_capacity(ranks as usize);
    let mut total: i64 = 0;
    for count in recvcounts.iter() {
        total = total.checked_add(count).ok_or_else(too_many)?;
        ends.push(total as usize);
    }
    let own_count = recvcounts.get(call.rank as usize);
    scatter_result(
        call,
        sendbuf,
        recvbuf,
        (total, own_count),
        datatype,
        (Kind::ReduceScatter, op),
        &Shares::Ends(ends),
    )
}

fn any_reduce_scatter_block(
    call: Call,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    recvcount: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    if recvcount < 0 {
        return Err(super::super::arguments::negative_count(recvcount));
    }
    let total = recvcount.checked_mul(i64::from(call.local_size()?)).ok_or_else(too_many)?;
    scatter_result(
        call,
        sendbuf,
        recvbuf,
        (total, recvcount),
        datatype,
        (Kind::ReduceScatterBlock, op),
        &Shares::Even(recvcount as usize),
    )
}

#[cold]
fn too_many() -> Box<Error> {
    Error::new(
        abi::MPI_ERR_COUNT,
        "the counts of all ranks together are more than 64 bits can count",
    )
}

pub fn reduce_local(
    inbuf: UserBuffer,
    inoutbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
) -> Outcome {
    let mut mpi = enter()?;
    let (input, inout) =
        (inbuf.message(&mpi, count, datatype)?, inoutbuf.message(&mpi, count, datatype)?);
    if inbuf.is_in_place() || inoutbuf.is_in_place() {
        return Err(Error::new(
            abi::MPI_ERR_BUFFER,
            "MPI_Reduce_local has no MPI_IN_PLACE: \
             the result takes the place of the second operand anyway",
        ));
    }
    distinct(&input, &inout, TWO_BUFFERS)?;
    let reduction = reduction(op, datatype, &input)?;
    coll::reduce::reduce_local(&mut mpi, &input, &inout, reduction.operator)
}

forms!(
    any_reduce: reduce, ireduce,
    reduce_init(
        sendbuf: UserBuffer, recvbuf: UserBuffer, count: i64, datatype: Datatype, op: Op,
        root: c_int
    ),
    fast(comm) coll::fast::reduce(
        comm,
        (Choice::new(sendbuf, count, datatype), Choice::new(recvbuf, count, datatype)),
        (datatype, op),
        root,
    )
);
forms!(
    any_allreduce: allreduce, iallreduce,
    allreduce_init(
        sendbuf: UserBuffer, recvbuf: UserBuffer, count: i64, datatype: Datatype, op: Op
    ),
    fast(comm) coll::fast::allreduce(
        comm,
        (Choice::new(sendbuf, count, datatype), Choice::new(recvbuf, count, datatype)),
        (datatype, op),
    )
);
forms!(
    any_reduce_scatter: reduce_scatter, ireduce_scatter,
    reduce_scatter_init(
        sendbuf: UserBuffer, recvbuf: UserBuffer, recvcounts: IntArray, datatype: Datatype, op: Op
    ),
    fast(comm) coll::fast::reduce_scatter(
        comm,
        (Choice::new(sendbuf, 0, datatype), Choice::new(recvbuf, 0, datatype)),
        |members| recvcounts.get(members as usize).map(Ints::iter),
        (datatype, op),
    )
);
forms!(
    any_reduce_scatter_block: reduce_scatter_block, ireduce_scatter_block,
    reduce_scatter_block_init(
        sendbuf: UserBuffer, recvbuf: UserBuffer, recvcount: i64, datatype: Datatype, op: Op
    ),
    fast(comm) coll::fast::reduce_scatter_block(
        comm,
        (Choice::new(sendbuf, recvcount, datatype), Choice::new(recvbuf, recvcount, datatype)),
        (datatype, op),
    )
);
forms!(
    any_scan: scan, iscan,
    scan_init(
        sendbuf: UserBuffer, recvbuf: UserBuffer, count: i64, datatype: Datatype, op: Op
    ),
    fast(comm) coll::fast::scan(
        comm,
        (Choice::new(sendbuf, count, datatype), Choice::new(recvbuf, count, datatype)),
        (datatype, op),
    )
);
forms!(
    any_exscan: exscan, iexscan,
    exscan_init(
        sendbuf: UserBuffer, recvbuf: UserBuffer, count: i64, datatype: Datatype, op: Op
    )
);
