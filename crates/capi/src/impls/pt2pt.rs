//! Blocking and non-blocking point-to-point communication (MPI 5.0 §3.2, §3.4, §3.7, §3.10).
//!
//! The most frequent calls have two halves. The first half (`*_first`) is the fast path: a
//! contiguous predefined type, valid arguments, and space in the queue of the peer. If it declines,
//! the second half (`*_rest`) begins from the arguments, checks them in the standard's order and
//! explains errors. The binding of the standard ABI calls both (`binding!`), so the first half
//! saves no registers for the second.

use super::arguments::report;
use crate::params::{InOut, InOutSlice, Out, StatusOut, UserBuffer};
use crate::types::Status;
use nemesis_mpi::abi;
use nemesis_mpi::buffered;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::engine::{await_shared_open, enter_alone, enter_biased, enter_open};
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype, Request};
use nemesis_mpi::persistent;
use nemesis_mpi::receive::{self, Caught, Wanted};
use nemesis_mpi::request::{Completion, Template};
use nemesis_mpi::send::{self, Envelope, Mode, SHORT_MAX_BYTES, Wait};
use std::ffi::c_int;

/// Runs a fast path inside the engine, entered either alone or by the biased lock. The code exists
/// twice, because each way to enter has its own way to leave, and a flag would cost a register.
macro_rules! fast_path {
    ($mpi:ident => $act:expr) => {
        if let Some(mut $mpi) = enter_alone() {
            $act
        } else if let Some(mut $mpi) = enter_biased() {
            $act
        } else {
            None
        }
    };
}

#[inline]
pub fn send(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    if send_first(buf, count, datatype, dest, tag, comm) {
        return Ok(());
    }
    send_rest(buf, count, datatype, dest, tag, comm)
}

#[inline(always)]
pub fn send_first(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> bool {
    let Some(contiguous) = buf.contiguous_within(SHORT_MAX_BYTES, count, datatype) else {
        return false;
    };
    fast_path!(mpi => mpi.send_cached(comm, dest, tag, contiguous.as_bytes()).then_some(()))
        .is_some()
}

/// Sends a short message on any communicator and at any thread level. `None` if the path declines.
#[inline(always)]
fn send_second(data: Data, (dest, tag, comm): Address) -> Option<Request> {
    let contiguous = data.0.contiguous_within(SHORT_MAX_BYTES, data.1, data.2)?;
    let mut mpi = enter_open()?;
    mpi.send_fast(comm, dest, tag, contiguous.as_bytes()).then(|| mpi.done_request())
}

pub fn send_rest(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    if send_second((buf, count, datatype), (dest, tag, comm)).is_some() {
        return Ok(());
    }
    send_mode((buf, count, datatype), (dest, tag, comm), Mode::Standard)
}

pub fn rsend(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    send(buf, count, datatype, dest, tag, comm)
}

pub fn ssend(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    send_mode((buf, count, datatype), (dest, tag, comm), Mode::Synchronous)
}

pub(super) type Data = (UserBuffer, i64, Datatype);
pub(super) type Address = (c_int, c_int, Comm);

/// Checks a message to send in the order communicator, count, datatype, buffer, rank, tag.
pub(super) fn outgoing(
    mpi: &Mpi,
    data: Data,
    (dest, tag, comm): Address,
) -> Outcome<(nemesis_datatype::Buffer, Option<Envelope>)> {
    mpi.comm(comm)?;
    let buffer = data.0.message(mpi, data.1, data.2)?;
    Ok((buffer, mpi.comms.envelope(comm, dest, tag)?))
}

/// Checks a receive in the order communicator, count, datatype, buffer, rank, tag.
pub(super) fn incoming(
    mpi: &Mpi,
    data: Data,
    (source, tag, comm): Address,
) -> Outcome<(nemesis_datatype::Buffer, Option<Wanted>)> {
    mpi.comm(comm)?;
    let buffer = data.0.message(mpi, data.1, data.2)?;
    Ok((buffer, mpi.comms.wanted(comm, source, tag)?))
}

/// Sends a contiguous message of several cache lines. Returns the request of complete sends, or
/// `None` if the path declines.
#[inline]
fn send_longer(data: Data, (dest, tag, comm): Address, wait: Wait) -> Option<Request> {
    let contiguous = data.0.contiguous(data.1, data.2)?;
    enter_open().or_else(await_shared_open)?.send_longer(
        comm,
        dest,
        tag,
        contiguous.as_bytes(),
        wait,
    )
}

#[inline(never)]
fn send_mode(data: Data, address: Address, mode: Mode) -> Outcome {
    if mode == Mode::Standard && send_longer(data, address, Wait::Now).is_some() {
        return Ok(());
    }
    let mut mpi = enter()?;
    match outgoing(&mpi, data, address)? {
        (buffer, Some(envelope)) => send::send(&mut mpi, &buffer, envelope, mode),
        (_, None) => Ok(()),
    }
}

pub fn bsend(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    let mut mpi = enter()?;
    match outgoing(&mpi, (buf, count, datatype), (dest, tag, comm))? {
        (buffer, Some(envelope)) => buffered::send(&mut mpi, &buffer, envelope),
        (_, None) => Ok(()),
    }
}

#[inline]
pub fn recv(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    status: StatusOut<'_>,
) -> Outcome {
    if recv_first(buf, count, datatype, source, tag, comm, status) {
        return Ok(());
    }
    recv_rest(buf, count, datatype, source, tag, comm, status)
}

/// Receives a message that has arrived. Waiting for one belongs to the second half.
#[inline(always)]
pub fn recv_first(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    status: StatusOut<'_>,
) -> bool {
    let Some(contiguous) = buf.contiguous(count, datatype) else { return false };
    let Some(bytes) = fast_path!(mpi => mpi.receive_cached(comm, source, tag, contiguous)) else {
        return false;
    };
    report_caught(status, Caught { source, tag, bytes });
    true
}

#[inline(always)]
fn report_caught(status: StatusOut<'_>, Caught { source, tag, bytes }: Caught) {
    if !status.is_ignored() {
        status.report(Status::new(source, tag, bytes as i64));
    }
}

/// Receives a message that has arrived or arrives at once, on any communicator, also a long one or
/// with a wildcard. `None` if the path declines.
#[inline(always)]
fn recv_second(data: Data, (source, tag, comm): Address) -> Option<Caught> {
    let contiguous = data.0.contiguous(data.1, data.2)?;
    let mut mpi = enter_open().or_else(await_shared_open)?;
    if let Some(bytes) = mpi.receive_fast(comm, source, tag, contiguous) {
        return Some(Caught { source, tag, bytes });
    }
    if source == abi::MPI_ANY_SOURCE || tag == abi::MPI_ANY_TAG {
        return mpi.receive_wild(comm, source, tag, contiguous);
    }
    mpi.receive_longer(comm, source, tag, contiguous).map(|bytes| Caught { source, tag, bytes })
}

pub fn recv_rest(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    status: StatusOut<'_>,
) -> Outcome {
    let (data, address) = ((buf, count, datatype), (source, tag, comm));
    if let Some(caught) = recv_second(data, address) {
        report_caught(status, caught);
        return Ok(());
    }
    recv_slow(data, address, status)
}

#[inline(never)]
fn recv_slow(data: Data, address: Address, status: StatusOut<'_>) -> Outcome {
    let mut mpi = enter()?;
    let (buffer, wanted) = incoming(&mpi, data, address)?;
    let completion = match (wanted, data.0.contiguous(data.1, data.2)) {
        (None, _) => Completion::PROC_NULL,
        (Some(wanted), Some(contiguous)) => receive::receive(&mut mpi, contiguous, wanted)?,
        (Some(wanted), None) => receive::receive(&mut mpi, &buffer, wanted)?,
    };
    report(status, &completion);
    completion.error.map_or(Ok(()), Err)
}

#[inline(never)]
fn isend_mode(data: Data, address: Address, mode: Mode, request: Out<'_, Request>) -> Outcome {
    if mode == Mode::Standard
        && let Some(request) = request.get()
        && let Some(done) = send_longer(data, address, Wait::Later)
    {
        request.write(done);
        return Ok(());
    }
    let mut mpi = enter()?;
    let request = request.require("request")?;
    let (buffer, envelope) = outgoing(&mpi, data, address)?;
    let started = send::isend(&mut mpi, &buffer, envelope, mode)?;
    request.write(started);
    Ok(())
}

#[inline]
pub fn isend(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    if isend_first(buf, count, datatype, dest, tag, comm, request) {
        return Ok(());
    }
    isend_rest(buf, count, datatype, dest, tag, comm, request)
}

#[inline(always)]
pub fn isend_first(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> bool {
    let Some(contiguous) = buf.contiguous_within(SHORT_MAX_BYTES, count, datatype) else {
        return false;
    };
    let Some(request) = request.get() else { return false };
    let sent = fast_path!(mpi => {
        mpi.send_cached(comm, dest, tag, contiguous.as_bytes()).then(|| mpi.done_request())
    });
    let Some(done) = sent else { return false };
    request.write(done);
    true
}

pub fn isend_rest(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    let (data, address) = ((buf, count, datatype), (dest, tag, comm));
    if let Some(request) = request.get()
        && let Some(done) = send_second(data, address)
    {
        request.write(done);
        return Ok(());
    }
    isend_mode(data, address, Mode::Standard, request)
}

pub fn irsend(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    isend_mode((buf, count, datatype), (dest, tag, comm), Mode::Standard, request)
}

pub fn issend(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    isend_mode((buf, count, datatype), (dest, tag, comm), Mode::Synchronous, request)
}

pub fn ibsend(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    let request = request.require("request")?;
    bsend(buf, count, datatype, dest, tag, comm)?;
    let done = enter()?.pt2pt.completed_request(Completion::EMPTY)?;
    request.write(done);
    Ok(())
}

#[inline]
pub fn irecv(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    if irecv_first(buf, count, datatype, source, tag, comm, request) {
        return Ok(());
    }
    irecv_rest(buf, count, datatype, source, tag, comm, request)
}

#[inline(always)]
pub fn irecv_first(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> bool {
    let Some(contiguous) = buf.contiguous(count, datatype) else { return false };
    let Some(request) = request.get() else { return false };
    let Some(posted) = fast_path!(mpi => mpi.irecv_cached(comm, source, tag, contiguous)) else {
        return false;
    };
    request.write(posted);
    true
}

pub fn irecv_rest(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    if let Some(contiguous) = buf.contiguous(count, datatype)
        && let Some(request) = request.get()
        && let Some(mut mpi) = enter_open().or_else(await_shared_open)
        && let Some(posted) = mpi.irecv_fast(comm, source, tag, contiguous)
    {
        request.write(posted);
        return Ok(());
    }
    irecv_slow((buf, count, datatype), (source, tag, comm), request)
}

#[inline(never)]
fn irecv_slow(data: Data, address: Address, request: Out<'_, Request>) -> Outcome {
    let mut mpi = enter()?;
    let request = request.require("request")?;
    let (buffer, wanted) = incoming(&mpi, data, address)?;
    let started = receive::irecv(&mut mpi, &buffer, wanted)?;
    request.write(started);
    Ok(())
}

fn send_template(
    data: Data,
    address: Address,
    mode: Mode,
    buffered: bool,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = enter()?;
    let request = request.require("request")?;
    let template = match outgoing(&mpi, data, address)? {
        (buffer, Some(envelope)) => {
            Template::Send { buffer, envelope, mode, buffered_on: buffered.then_some(address.2) }
        }
        (_, None) => Template::Nothing(Completion::EMPTY),
    };
    let made = persistent::init(&mut mpi, address.2, template)?;
    request.write(made);
    Ok(())
}

pub fn send_init(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    send_template((buf, count, datatype), (dest, tag, comm), Mode::Standard, false, request)
}

pub fn rsend_init(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    send_template((buf, count, datatype), (dest, tag, comm), Mode::Standard, false, request)
}

pub fn ssend_init(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    send_template((buf, count, datatype), (dest, tag, comm), Mode::Synchronous, false, request)
}

pub fn bsend_init(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    send_template((buf, count, datatype), (dest, tag, comm), Mode::Standard, true, request)
}

pub fn recv_init(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = enter()?;
    let request = request.require("request")?;
    let template = match incoming(&mpi, (buf, count, datatype), (source, tag, comm))? {
        (buffer, Some(wanted)) => Template::Receive { buffer, wanted },
        (_, None) => Template::Nothing(Completion::PROC_NULL),
    };
    let made = persistent::init(&mut mpi, comm, template)?;
    request.write(made);
    Ok(())
}

pub fn start(request: InOut<'_, Request>) -> Outcome {
    let handle = *super::arguments::request(request)?;
    persistent::start(&mut enter()?, handle)
}

pub fn startall(count: c_int, array_of_requests: InOutSlice<'_, Request>) -> Outcome {
    let mut mpi = enter()?;
    let handles = super::arguments::requests(count, array_of_requests)?;
    handles.iter().try_for_each(|&handle| persistent::start(&mut mpi, handle))
}
