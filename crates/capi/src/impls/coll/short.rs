//! Fast paths of the blocking collectives: short data of a predefined contiguous type, a predefined
//! operation, and a communicator with a collective segment (`nemesis_mpi::coll::shm`).
//!
//! A fast path that returns `None` has changed nothing. The slow path then begins from the
//! arguments, checks them in the standard's order and explains errors. If a fast path has begun the
//! operation, its arguments are correct, and the slow path (`*_rest`) continues the operation.

use super::arguments::reduction;
use super::{Call, Form};
use crate::params::{IntArray, UserBuffer};
use nemesis_datatype::{Buffer, Contiguous, ReduceKernel};
use nemesis_mpi::coll::shm::{FastCall, SHORT_MAX_BYTES, Short};
use nemesis_mpi::coll::{self, Reduction, Shares, Steps};
use nemesis_mpi::engine::{Engine, enter_open};
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype, Op};
use nemesis_sync::biased_lock::ShortGuard;
use std::ffi::c_int;

/// The result of a fast path; `rest` continues an operation that has begun.
#[inline(always)]
fn outcome(short: Short, rest: impl FnOnce() -> Outcome) -> Option<Outcome> {
    match short {
        Short::No => None,
        Short::Done => Some(Ok(())),
        Short::Begun => Some(rest()),
    }
}

/// This process's part of the communicator's collective segment, if a fast path may use it.
#[inline(always)]
fn fast_call<'a>(mpi: &'a mut ShortGuard<'_, Engine>, comm: Comm) -> Option<FastCall<'a>> {
    let alone = mpi.is_alone();
    coll::fast::fast_call(mpi, comm, alone)
}

/// A buffer of 1 to [`SHORT_MAX_BYTES`] bytes that is not `MPI_IN_PLACE`.
#[inline(always)]
fn contiguous(address: UserBuffer, count: i64, datatype: Datatype) -> Option<Contiguous> {
    address
        .contiguous_within(SHORT_MAX_BYTES, count, datatype)
        .filter(|contiguous| !contiguous.is_empty() && !address.is_in_place())
}

pub fn barrier(comm: Comm) -> Option<Outcome> {
    let short = fast_call(&mut enter_open()?, comm)?.barrier();
    outcome(short, || barrier_rest(comm))
}

#[inline(never)]
fn barrier_rest(comm: Comm) -> Outcome {
    Call::enter(comm, Form::Blocking)?.go_on(coll::barrier::barrier_begun)
}

pub fn bcast(
    buffer: UserBuffer,
    count: i64,
    datatype: Datatype,
    root: c_int,
    comm: Comm,
) -> Option<Outcome> {
    let data = contiguous(buffer, count, datatype)?;
    let short = fast_call(&mut enter_open()?, comm)?.bcast(data, root as u32);
    outcome(short, || bcast_rest(buffer, count, datatype, root, comm))
}

#[inline(never)]
fn bcast_rest(
    buffer: UserBuffer,
    count: i64,
    datatype: Datatype,
    root: c_int,
    comm: Comm,
) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    let data = call.data(buffer, count, datatype)?;
    let root = call.root(root)?;
    call.go_on(|steps| coll::bcast::bcast_begun(steps, &data, root))
}

/// Count, type and operation of a reduction.
type Elements = (i64, Datatype, Op);

/// Reduces to the root, which combines its contribution where it lies. With `MPI_IN_PLACE` the root
/// takes the slow path.
pub fn reduce(
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
    root: c_int,
    comm: Comm,
) -> Option<Outcome> {
    let own = contiguous(sendbuf, count, datatype)?;
    let joining = ReduceKernel::find(op.0, datatype.0)?;
    let mut mpi = enter_open()?;
    let fast_call = fast_call(&mut mpi, comm)?;
    if fast_call.rank() != root as u32 {
        return outcome(fast_call.give(own, root as u32), || Ok(()));
    }
    if sendbuf == recvbuf {
        return None;
    }
    let result = contiguous(recvbuf, count, datatype)?;
    let short = fast_call.reduce(own, result, joining);
    drop(mpi);
    outcome(short, || {
        reduction_rest(coll::reduce::reduce_begun, sendbuf, recvbuf, (count, datatype, op), comm)
    })
}

/// The function that continues a reduction that has begun.
type Begun = fn(&mut Steps<'_>, &Buffer, &Buffer, Reduction) -> Outcome;

#[inline(never)]
fn reduction_rest(
    begun: Begun,
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    (count, datatype, op): Elements,
    comm: Comm,
) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    let (own, result) = call.operands(sendbuf, recvbuf, count, datatype)?;
    let reduction = reduction(op, datatype, &own)?;
    call.go_on(|steps| begun(steps, &own, &result, reduction))
}

/// The contribution and the buffer of the result, which are one buffer with `MPI_IN_PLACE`.
#[inline(always)]
fn operands(
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
) -> Option<(Contiguous, Contiguous)> {
    let result = contiguous(recvbuf, count, datatype)?;
    if sendbuf.is_in_place() {
        return Some((result, result));
    }
    let own = contiguous(sendbuf, count, datatype)?;
    (sendbuf != recvbuf).then_some((own, result))
}

pub fn allreduce(
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Option<Outcome> {
    let (own, result) = operands(sendbuf, recvbuf, count, datatype)?;
    let joining = ReduceKernel::find(op.0, datatype.0)?;
    let short = fast_call(&mut enter_open()?, comm)?.allreduce(own, result, joining);
    outcome(short, || {
        reduction_rest(
            coll::allreduce::allreduce_begun,
            sendbuf,
            recvbuf,
            (count, datatype, op),
            comm,
        )
    })
}

pub fn scan(
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Option<Outcome> {
    let (own, result) = operands(sendbuf, recvbuf, count, datatype)?;
    let joining = ReduceKernel::find(op.0, datatype.0)?;
    let short = fast_call(&mut enter_open()?, comm)?.scan(own, result, joining);
    outcome(short, || {
        reduction_rest(coll::scan::scan_begun, sendbuf, recvbuf, (count, datatype, op), comm)
    })
}

pub fn reduce_scatter_block(
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Option<Outcome> {
    let joining = ReduceKernel::find(op.0, datatype.0)?;
    let mut mpi = enter_open()?;
    let fast_call = fast_call(&mut mpi, comm)?;
    let (members, rank) = (fast_call.members(), fast_call.rank());
    let total = count.checked_mul(members.into())?;
    let (own, result) = shared_out((sendbuf, total), (recvbuf, count), datatype)?;
    let short = fast_call.reduce_scatter(own, rank as usize * result.len(), result, joining);
    drop(mpi);
    let shares = Shares::Even(count as usize);
    outcome(short, || {
        reduce_scatter_rest((sendbuf, total), &shares, (recvbuf, count), (datatype, op), comm)
    })
}

pub fn reduce_scatter(
    sendbuf: UserBuffer,
    recvbuf: UserBuffer,
    recvcounts: IntArray<'_>,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Option<Outcome> {
    if recvcounts.is_null() {
        return None;
    }
    let joining = ReduceKernel::find(op.0, datatype.0)?;
    let mut mpi = enter_open()?;
    let fast_call = fast_call(&mut mpi, comm)?;
    let (members, rank) = (fast_call.members(), fast_call.rank());
    let recvcounts = recvcounts.get(members as usize)?;
    let count = recvcounts.get(rank as usize);
    let (mut start, mut total) = (0_i64, 0_i64);
    for (member, count) in recvcounts.iter().enumerate() {
        if count < 0 {
            return None;
        }
        if member == rank as usize {
            start = total;
        }
        total = total.checked_add(count)?;
    }
    let (own, result) = shared_out((sendbuf, total), (recvbuf, count), datatype)?;
    let start = start as usize * (own.len() / total as usize);
    let short = fast_call.reduce_scatter(own, start, result, joining);
    drop(mpi);
    let shares = || {
        let ends = recvcounts.iter().scan(0, |end, count| {
            *end += count as usize;
            Some(*end)
        });
        Shares::Ends(ends.collect())
    };
    outcome(short, || {
        reduce_scatter_rest((sendbuf, total), &shares(), (recvbuf, count), (datatype, op), comm)
    })
}

/// The vector of a reduce_scatter and the buffer of this process's part, which may be empty.
/// Both are given as address and count.
#[inline(always)]
fn shared_out(
    own: (UserBuffer, i64),
    result: (UserBuffer, i64),
    datatype: Datatype,
) -> Option<(Contiguous, Contiguous)> {
    if own.0 == result.0 || result.0.is_in_place() {
        return None;
    }
    Some((
        contiguous(own.0, own.1, datatype)?,
        result.0.contiguous_within(SHORT_MAX_BYTES, result.1, datatype)?,
    ))
}

#[inline(never)]
fn reduce_scatter_rest(
    own: (UserBuffer, i64),
    shares: &Shares,
    result: (UserBuffer, i64),
    (datatype, op): (Datatype, Op),
    comm: Comm,
) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    let (own, result) =
        (call.data(own.0, own.1, datatype)?, call.data(result.0, result.1, datatype)?);
    let reduction = reduction(op, datatype, &own)?;
    call.go_on(|steps| {
        coll::reduce_scatter::reduce_scatter_begun(steps, &own, shares, &result, reduction)
    })
}

/// The blocks of all members, of `each` elements each; their sum has any length.
#[inline(always)]
fn blocks(address: UserBuffer, each: i64, datatype: Datatype, members: u32) -> Option<Contiguous> {
    address
        .contiguous(each.checked_mul(i64::from(members))?, datatype)
        .filter(|_| !address.is_in_place())
}

/// Address, count and type of a buffer.
type Data = (UserBuffer, i64, Datatype);

/// The block of this process; `Some(None)` for `MPI_IN_PLACE`. `None` if its length is not `each`,
/// or if it begins at its place among `blocks` or where they begin: the slow path refuses such
/// calls.
#[inline(always)]
fn own_block(own: Data, blocks: Contiguous, each: usize, rank: u32) -> Option<Option<Contiguous>> {
    if own.0.is_in_place() {
        return Some(None);
    }
    let place = blocks.part(rank as usize * each, each);
    let own = contiguous(own.0, own.1, own.2)?;
    let is = |other: &Contiguous| own.as_bytes().as_ptr() == other.as_bytes().as_ptr();
    (own.len() == each && !is(&place) && !is(&blocks)).then_some(Some(own))
}

pub fn gather(
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
    root: c_int,
    comm: Comm,
) -> Option<Outcome> {
    let mut mpi = enter_open()?;
    let fast_call = fast_call(&mut mpi, comm)?;
    let (members, rank) = (fast_call.members(), fast_call.rank());
    if rank != root as u32 {
        let own = contiguous(sendbuf, sendcount, sendtype)?;
        return outcome(fast_call.give(own, root as u32), || Ok(()));
    }
    let (each, blocks, own) =
        sides((sendbuf, sendcount, sendtype), (recvbuf, recvcount, recvtype), (members, rank))?;
    let short = fast_call.gather(own, blocks, each);
    drop(mpi);
    outcome(short, || {
        gather_rest((sendbuf, sendcount, sendtype), (recvbuf, recvcount, recvtype), comm)
    })
}

/// The bytes of one block, all blocks, and the block of this process, for a process that has a
/// block for each member.
#[inline(always)]
fn sides(
    own: Data,
    all: Data,
    (members, rank): (u32, u32),
) -> Option<(usize, Contiguous, Option<Contiguous>)> {
    let each = contiguous(all.0, all.1, all.2)?.len();
    let blocks = blocks(all.0, all.1, all.2, members)?;
    Some((each, blocks, own_block(own, blocks, each, rank)?))
}

#[inline(never)]
fn gather_rest(own: Data, all: Data, comm: Comm) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    let root = call.rank;
    let (own, blocks) = {
        let blocks = call.blocks(all.0, all.1, all.2)?;
        (call.own_block(own, &blocks)?, blocks)
    };
    call.go_on(|steps| coll::gather::gather_begun(steps, own.as_ref(), &blocks, root))
}

pub fn scatter(
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
    root: c_int,
    comm: Comm,
) -> Option<Outcome> {
    let mut mpi = enter_open()?;
    let fast_call = fast_call(&mut mpi, comm)?;
    let (members, rank) = (fast_call.members(), fast_call.rank());
    let place = (recvbuf, recvcount, recvtype);
    if rank == root as u32 {
        let (each, blocks, own) = sides(place, (sendbuf, sendcount, sendtype), (members, rank))?;
        return outcome(fast_call.scatter(blocks, own, each), || Ok(()));
    }
    let own = contiguous(place.0, place.1, place.2)?;
    let short = fast_call.get(own, root as u32);
    drop(mpi);
    outcome(short, || scatter_rest(place, root, comm))
}

#[inline(never)]
fn scatter_rest(own: Data, root: c_int, comm: Comm) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    let own = call.data(own.0, own.1, own.2)?;
    let root = call.root(root)?;
    call.go_on(|steps| coll::scatter::scatter_begun(steps, &own, root))
}

pub fn allgather(
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
    comm: Comm,
) -> Option<Outcome> {
    let mut mpi = enter_open()?;
    let fast_call = fast_call(&mut mpi, comm)?;
    let all = (recvbuf, recvcount, recvtype);
    let (each, blocks, own) =
        sides((sendbuf, sendcount, sendtype), all, (fast_call.members(), fast_call.rank()))?;
    let short = fast_call.allgather(own, blocks, each);
    drop(mpi);
    outcome(short, || allgather_rest(all, comm))
}

#[inline(never)]
fn allgather_rest(all: Data, comm: Comm) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    let blocks = call.blocks(all.0, all.1, all.2)?;
    call.go_on(|steps| coll::allgather::allgather_begun(steps, &blocks))
}

pub fn alltoall(
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
    comm: Comm,
) -> Option<Outcome> {
    if sendbuf == recvbuf {
        return None;
    }
    let mut mpi = enter_open()?;
    let fast_call = fast_call(&mut mpi, comm)?;
    let members = fast_call.members();
    let (each, sent, received) = {
        let each = contiguous(sendbuf, sendcount, sendtype)?.len();
        (
            each,
            blocks(sendbuf, sendcount, sendtype, members)?,
            blocks(recvbuf, recvcount, recvtype, members)?,
        )
    };
    if sent.len() != received.len() || sent.len() > SHORT_MAX_BYTES as usize {
        return None;
    }
    let short = fast_call.alltoall(sent, received, each);
    drop(mpi);
    outcome(short, || alltoall_rest((recvbuf, recvcount, recvtype), comm))
}

#[inline(never)]
fn alltoall_rest(all: Data, comm: Comm) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    let received = call.blocks(all.0, all.1, all.2)?;
    call.go_on(|steps| coll::alltoall::alltoall_begun(steps, &received))
}
