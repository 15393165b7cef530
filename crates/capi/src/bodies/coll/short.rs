//! The blocking collectives once more, for arguments as they mostly are: short data of a predefined dense type, a predefined operator, a communicator
//! whose processes meet at a board (`nemesis_mpi::coll::near`).
//!
//! `None`: nothing has happened, and the general way begins from the arguments, checks them in the standard's order and says what is wrong. Of what has
//! begun the arguments were in order, so the general way finds no fault with them before it goes on.

use super::arguments::{is_in_place, reduction};
use super::{Call, Form};
use nemesis_datatype::{Dense, Joining};
use nemesis_mpi::coll::near::{SHORT_MAX_BYTES, Short};
use nemesis_mpi::coll::{self};
use nemesis_mpi::engine::enter_open;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype, Op};
use std::ffi::{c_int, c_void};

/// What the call has come to, of which `rest` does what is left.
#[inline(always)]
fn outcome(short: Short, rest: impl FnOnce() -> Outcome) -> Option<Outcome> {
    match short {
        Short::No => None,
        Short::Done => Some(Ok(())),
        Short::Begun => Some(rest()),
    }
}

/// Some bytes, but not too many, and not `MPI_IN_PLACE`.
///
/// # Safety
/// As for `Dense::within`.
#[inline(always)]
unsafe fn dense(address: *const c_void, count: i64, datatype: Datatype) -> Option<Dense> {
    // SAFETY: the caller's buffer.
    unsafe { Dense::within(SHORT_MAX_BYTES, address, count, datatype.0) }.filter(|dense| !dense.is_empty() && !is_in_place(address))
}

pub unsafe fn barrier(comm: Comm) -> Option<Outcome> {
    let short = enter_open()?.barrier_short(comm);
    outcome(short, || barrier_rest(comm))
}

#[inline(never)]
fn barrier_rest(comm: Comm) -> Outcome {
    Call::enter(comm, Form::Blocking)?.go_on(coll::barrier::barrier_begun)
}

pub unsafe fn bcast(buffer: *mut c_void, count: i64, datatype: Datatype, root: c_int, comm: Comm) -> Option<Outcome> {
    // SAFETY: the caller's buffer.
    let data = unsafe { dense(buffer, count, datatype) }?;
    let short = enter_open()?.bcast_short(comm, data, root as u32);
    // SAFETY: the caller's buffer.
    outcome(short, || unsafe { bcast_rest(buffer, count, datatype, root, comm) })
}

#[inline(never)]
unsafe fn bcast_rest(buffer: *mut c_void, count: i64, datatype: Datatype, root: c_int, comm: Comm) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    // SAFETY: the caller's buffer.
    let data = unsafe { call.data(buffer, count, datatype) }?;
    let root = call.root(root)?;
    call.go_on(|steps| coll::bcast::bcast_begun(steps, &data, root))
}

/// What a vector's elements are, and how they are joined.
type Elements = (i64, Datatype, Op);

/// A root joins its contribution from where it lies; in place it takes the general way.
pub unsafe fn reduce(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    root: c_int,
    comm: Comm,
) -> Option<Outcome> {
    // SAFETY: the caller's buffer.
    let own = unsafe { dense(sendbuf, count, datatype) }?;
    let joining = Joining::find(op.0, datatype.0)?;
    let mut mpi = enter_open()?;
    if mpi.rank_fast(comm)? != root as u32 {
        return outcome(mpi.contribute_short(comm, own, root as u32), || Ok(()));
    }
    if sendbuf == recvbuf.cast_const() {
        return None;
    }
    // SAFETY: the caller's buffer.
    let result = unsafe { dense(recvbuf, count, datatype) }?;
    let short = mpi.reduce_short(comm, own, result, joining);
    drop(mpi);
    // SAFETY: the caller's buffers.
    outcome(short, || unsafe { reduce_rest(sendbuf, recvbuf, (count, datatype, op), comm) })
}

#[inline(never)]
unsafe fn reduce_rest(sendbuf: *const c_void, recvbuf: *mut c_void, (count, datatype, op): Elements, comm: Comm) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    // SAFETY: the caller's buffers.
    let (own, result) = unsafe { call.operands(sendbuf, recvbuf, count, datatype) }?;
    let reduction = reduction(op, datatype, &own)?;
    call.go_on(|steps| coll::reduce::reduce_begun(steps, &own, &result, reduction))
}

pub unsafe fn allreduce(
    sendbuf: *const c_void,
    recvbuf: *mut c_void,
    count: i64,
    datatype: Datatype,
    op: Op,
    comm: Comm,
) -> Option<Outcome> {
    // SAFETY: the caller's buffer.
    let result = unsafe { dense(recvbuf, count, datatype) }?;
    let own = match () {
        () if is_in_place(sendbuf) => result,
        () if sendbuf == recvbuf.cast_const() => return None,
        // SAFETY: the caller's buffer.
        () => unsafe { dense(sendbuf, count, datatype) }?,
    };
    let joining = Joining::find(op.0, datatype.0)?;
    let short = enter_open()?.allreduce_short(comm, own, result, joining);
    // SAFETY: the caller's buffers.
    outcome(short, || unsafe { allreduce_rest(sendbuf, recvbuf, (count, datatype, op), comm) })
}

#[inline(never)]
unsafe fn allreduce_rest(sendbuf: *const c_void, recvbuf: *mut c_void, (count, datatype, op): Elements, comm: Comm) -> Outcome {
    let call = Call::enter(comm, Form::Blocking)?;
    // SAFETY: the caller's buffers.
    let (own, result) = unsafe { call.operands(sendbuf, recvbuf, count, datatype) }?;
    let reduction = reduction(op, datatype, &own)?;
    call.go_on(|steps| coll::allreduce::allreduce_begun(steps, &own, &result, reduction))
}
