//! Blocking and non-blocking point-to-point communication (MPI 5.0 §3.2, §3.4, §3.7, §3.10).
//!
//! The calls that programs make most have two halves. The first is the one case that matters: a dense predefined type, arguments in order, room
//! at the peer. Whatever else it is goes to the rest, which checks in the standard's order and says what is wrong. A front that has the body's very
//! arguments goes from the one to the other (`front!`), and the first half pays nothing for it.

use super::arguments::{message_buffer, report};
use super::place;
use crate::types::Status;
use nemesis_datatype::Contiguous;
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
use std::ffi::{c_int, c_void};

/// What the first halves do inside: twice in the program, since each way in has its way out, and to remember which it was costs a register.
macro_rules! shortly {
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
pub unsafe fn send(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    // SAFETY: the caller's arguments.
    if unsafe { send_first(buf, count, datatype, dest, tag, comm) } {
        return Ok(());
    }
    // SAFETY: the caller's arguments.
    unsafe { send_rest(buf, count, datatype, dest, tag, comm) }
}

#[inline(always)]
pub unsafe fn send_first(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> bool {
    // SAFETY: the caller's buffer.
    let Some(dense) = (unsafe { Contiguous::within(SHORT_MAX_BYTES, buf, count, datatype.0) })
    else {
        return false;
    };
    shortly!(mpi => mpi.send_cached(comm, dest, tag, dense.as_bytes()).then_some(())).is_some()
}

/// The first half's attempt once more, with any communicator, and where threads come at any time.
#[inline(always)]
unsafe fn send_second(data: Data, (dest, tag, comm): Address) -> Option<Request> {
    // SAFETY: the caller's buffer.
    let dense = unsafe { Contiguous::within(SHORT_MAX_BYTES, data.0, data.1, data.2.0) }?;
    let mut mpi = enter_open()?;
    mpi.send_fast(comm, dest, tag, dense.as_bytes()).then(|| mpi.done_request())
}

pub unsafe fn send_rest(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    // SAFETY: the caller's arguments.
    if unsafe { send_second((buf, count, datatype), (dest, tag, comm)) }.is_some() {
        return Ok(());
    }
    // SAFETY: the caller's arguments.
    unsafe { send_mode((buf, count, datatype), (dest, tag, comm), Mode::Standard) }
}

pub unsafe fn rsend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    // SAFETY: the caller's arguments. A ready send without its receive posted is erroneous; treated as a standard send it does no harm.
    unsafe { send(buf, count, datatype, dest, tag, comm) }
}

pub unsafe fn ssend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    // SAFETY: the caller's arguments.
    unsafe { send_mode((buf, count, datatype), (dest, tag, comm), Mode::Synchronous) }
}

pub(super) type Data = (*const c_void, i64, Datatype);
pub(super) type Address = (c_int, c_int, Comm);

/// A checked message to send: communicator, count, datatype, buffer, rank, tag.
pub(super) unsafe fn outgoing(
    mpi: &Mpi,
    data: Data,
    (dest, tag, comm): Address,
) -> Outcome<(nemesis_datatype::Buffer, Option<Envelope>)> {
    mpi.comm(comm)?;
    // SAFETY: the caller's buffer.
    let buffer = unsafe { message_buffer(mpi, data.0, data.1, data.2) }?;
    Ok((buffer, mpi.envelope(comm, dest, tag)?))
}

/// A checked receive, in the same order.
pub(super) unsafe fn incoming(
    mpi: &Mpi,
    data: Data,
    (source, tag, comm): Address,
) -> Outcome<(nemesis_datatype::Buffer, Option<Wanted>)> {
    mpi.comm(comm)?;
    // SAFETY: the caller's buffer.
    let buffer = unsafe { message_buffer(mpi, data.0, data.1, data.2) }?;
    Ok((buffer, mpi.wanted(comm, source, tag)?))
}

/// Sends a message of several lines if all else is as it mostly is: the request that stands for every send that is complete.
#[inline]
unsafe fn send_longer(data: Data, (dest, tag, comm): Address, wait: Wait) -> Option<Request> {
    // SAFETY: the caller's buffer.
    let dense = unsafe { Contiguous::new(data.0, data.1, data.2.0) }?;
    enter_open().or_else(await_shared_open)?.send_longer(comm, dest, tag, dense.as_bytes(), wait)
}

#[inline(never)]
unsafe fn send_mode(data: Data, address: Address, mode: Mode) -> Outcome {
    // SAFETY: the caller's arguments.
    if mode == Mode::Standard && unsafe { send_longer(data, address, Wait::Now) }.is_some() {
        return Ok(());
    }
    let mut mpi = enter()?;
    // SAFETY: the caller's arguments.
    match unsafe { outgoing(&mpi, data, address) }? {
        (buffer, Some(envelope)) => send::send(&mut mpi, &buffer, envelope, mode),
        (_, None) => Ok(()),
    }
}

pub unsafe fn bsend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's arguments.
    match unsafe { outgoing(&mpi, (buf, count, datatype), (dest, tag, comm)) }? {
        (buffer, Some(envelope)) => buffered::send(&mut mpi, &buffer, envelope),
        (_, None) => Ok(()),
    }
}

#[inline]
pub unsafe fn recv(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    status: *mut Status,
) -> Outcome {
    // SAFETY: the caller's arguments.
    if unsafe { recv_first(buf, count, datatype, source, tag, comm, status) } {
        return Ok(());
    }
    // SAFETY: the caller's arguments.
    unsafe { recv_rest(buf, count, datatype, source, tag, comm, status) }
}

/// Takes a message that is there. To wait for one is the rest's: who waits has time for it.
#[inline(always)]
pub unsafe fn recv_first(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    status: *mut Status,
) -> bool {
    // SAFETY: the caller's buffer.
    let Some(dense) = (unsafe { Contiguous::new(buf, count, datatype.0) }) else { return false };
    let Some(bytes) = shortly!(mpi => mpi.receive_cached(comm, source, tag, dense)) else {
        return false;
    };
    // SAFETY: the caller's status.
    unsafe { report_caught(status, Caught { source, tag, bytes }) };
    true
}

#[inline(always)]
unsafe fn report_caught(status: *mut Status, Caught { source, tag, bytes }: Caught) {
    if !status.is_null() {
        // SAFETY: the caller's status.
        unsafe { Status::report(status, Status::new(source, tag, bytes as i64)) };
    }
}

/// Receives a message that is there, or comes at once: with any communicator, written piece by piece, with a wildcard.
#[inline(always)]
unsafe fn recv_second(data: Data, (source, tag, comm): Address) -> Option<Caught> {
    // SAFETY: the caller's buffer.
    let dense = unsafe { Contiguous::new(data.0, data.1, data.2.0) }?;
    let mut mpi = enter_open().or_else(await_shared_open)?;
    if let Some(bytes) = mpi.receive_fast(comm, source, tag, dense) {
        return Some(Caught { source, tag, bytes });
    }
    if source == abi::MPI_ANY_SOURCE || tag == abi::MPI_ANY_TAG {
        return mpi.receive_wild(comm, source, tag, dense);
    }
    mpi.receive_longer(comm, source, tag, dense).map(|bytes| Caught { source, tag, bytes })
}

pub unsafe fn recv_rest(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    status: *mut Status,
) -> Outcome {
    let (data, address) = ((buf.cast_const(), count, datatype), (source, tag, comm));
    // SAFETY: the caller's arguments.
    if let Some(caught) = unsafe { recv_second(data, address) } {
        // SAFETY: the caller's status.
        unsafe { report_caught(status, caught) };
        return Ok(());
    }
    // SAFETY: the caller's arguments.
    unsafe { recv_slow(data, address, status) }
}

#[inline(never)]
unsafe fn recv_slow(data: Data, address: Address, status: *mut Status) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's arguments.
    let (buffer, wanted) = unsafe { incoming(&mpi, data, address) }?;
    // SAFETY: the caller's buffer.
    let completion = match (wanted, unsafe { Contiguous::new(data.0, data.1, data.2.0) }) {
        (None, _) => Completion::PROC_NULL,
        (Some(wanted), Some(dense)) => receive::receive(&mut mpi, dense, wanted)?,
        (Some(wanted), None) => receive::receive(&mut mpi, &buffer, wanted)?,
    };
    // SAFETY: the caller's status.
    unsafe { report(status, &completion) };
    completion.error.map_or(Ok(()), Err)
}

#[inline(never)]
unsafe fn isend_mode(data: Data, address: Address, mode: Mode, request: *mut Request) -> Outcome {
    if mode == Mode::Standard
        && !request.is_null()
        // SAFETY: the caller's arguments.
        && let Some(done) = unsafe { send_longer(data, address, Wait::Later) }
    {
        // SAFETY: the caller's place, not null.
        unsafe { request.write(done) };
        return Ok(());
    }
    let mut mpi = enter()?;
    let request = place(request, "request")?;
    // SAFETY: the caller's arguments.
    let (buffer, envelope) = unsafe { outgoing(&mpi, data, address) }?;
    let started = send::isend(&mut mpi, &buffer, envelope, mode)?;
    // SAFETY: the caller's place.
    unsafe { request.write(started) };
    Ok(())
}

#[inline]
pub unsafe fn isend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's arguments.
    if unsafe { isend_first(buf, count, datatype, dest, tag, comm, request) } {
        return Ok(());
    }
    // SAFETY: the caller's arguments.
    unsafe { isend_rest(buf, count, datatype, dest, tag, comm, request) }
}

#[inline(always)]
pub unsafe fn isend_first(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> bool {
    // SAFETY: the caller's buffer.
    let Some(dense) = (unsafe { Contiguous::within(SHORT_MAX_BYTES, buf, count, datatype.0) })
    else {
        return false;
    };
    if request.is_null() {
        return false;
    }
    let sent = shortly!(mpi => mpi.send_cached(comm, dest, tag, dense.as_bytes()).then(|| mpi.done_request()));
    let Some(done) = sent else { return false };
    // SAFETY: the caller's place, not null.
    unsafe { request.write(done) };
    true
}

pub unsafe fn isend_rest(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    let (data, address) = ((buf, count, datatype), (dest, tag, comm));
    if !request.is_null()
        // SAFETY: the caller's arguments.
        && let Some(done) = unsafe { send_second(data, address) }
    {
        // SAFETY: the caller's place, not null.
        unsafe { request.write(done) };
        return Ok(());
    }
    // SAFETY: the caller's arguments.
    unsafe { isend_mode(data, address, Mode::Standard, request) }
}

pub unsafe fn irsend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's arguments.
    unsafe { isend_mode((buf, count, datatype), (dest, tag, comm), Mode::Standard, request) }
}

pub unsafe fn issend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's arguments.
    unsafe { isend_mode((buf, count, datatype), (dest, tag, comm), Mode::Synchronous, request) }
}

pub unsafe fn ibsend(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    let request = place(request, "request")?;
    // SAFETY: the caller's arguments.
    unsafe { bsend(buf, count, datatype, dest, tag, comm) }?;
    let done = enter()?.completed_request(Completion::EMPTY)?;
    // SAFETY: the caller's place.
    unsafe { request.write(done) };
    Ok(())
}

#[inline]
pub unsafe fn irecv(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's arguments.
    if unsafe { irecv_first(buf, count, datatype, source, tag, comm, request) } {
        return Ok(());
    }
    // SAFETY: the caller's arguments.
    unsafe { irecv_rest(buf, count, datatype, source, tag, comm, request) }
}

#[inline(always)]
pub unsafe fn irecv_first(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> bool {
    // SAFETY: the caller's buffer.
    let Some(dense) = (unsafe { Contiguous::new(buf, count, datatype.0) }) else { return false };
    if request.is_null() {
        return false;
    }
    let Some(posted) = shortly!(mpi => mpi.irecv_cached(comm, source, tag, dense)) else {
        return false;
    };
    // SAFETY: the caller's place, not null.
    unsafe { request.write(posted) };
    true
}

pub unsafe fn irecv_rest(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's buffer.
    if let Some(dense) = unsafe { Contiguous::new(buf, count, datatype.0) }
        && !request.is_null()
        && let Some(mut mpi) = enter_open().or_else(await_shared_open)
        && let Some(posted) = mpi.irecv_fast(comm, source, tag, dense)
    {
        // SAFETY: the caller's place, not null.
        unsafe { request.write(posted) };
        return Ok(());
    }
    // SAFETY: the caller's arguments.
    unsafe { irecv_slow((buf, count, datatype), (source, tag, comm), request) }
}

#[inline(never)]
unsafe fn irecv_slow(data: Data, address: Address, request: *mut Request) -> Outcome {
    let mut mpi = enter()?;
    let request = place(request, "request")?;
    // SAFETY: the caller's arguments.
    let (buffer, wanted) = unsafe { incoming(&mpi, data, address) }?;
    let started = receive::irecv(&mut mpi, &buffer, wanted)?;
    // SAFETY: the caller's place.
    unsafe { request.write(started) };
    Ok(())
}

unsafe fn send_template(
    data: Data,
    address: Address,
    mode: Mode,
    buffered: bool,
    request: *mut Request,
) -> Outcome {
    let mut mpi = enter()?;
    let request = place(request, "request")?;
    // SAFETY: the caller's arguments.
    let template = match unsafe { outgoing(&mpi, data, address) }? {
        (buffer, Some(envelope)) => {
            Template::Send { buffer, envelope, mode, buffered_on: buffered.then_some(address.2) }
        }
        (_, None) => Template::Nothing(Completion::EMPTY),
    };
    let made = persistent::init(&mut mpi, address.2, template)?;
    // SAFETY: the caller's place.
    unsafe { request.write(made) };
    Ok(())
}

pub unsafe fn send_init(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's arguments.
    unsafe {
        send_template((buf, count, datatype), (dest, tag, comm), Mode::Standard, false, request)
    }
}

pub unsafe fn rsend_init(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's arguments.
    unsafe {
        send_template((buf, count, datatype), (dest, tag, comm), Mode::Standard, false, request)
    }
}

pub unsafe fn ssend_init(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's arguments.
    unsafe {
        send_template((buf, count, datatype), (dest, tag, comm), Mode::Synchronous, false, request)
    }
}

pub unsafe fn bsend_init(
    buf: *const c_void,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    // SAFETY: the caller's arguments.
    unsafe {
        send_template((buf, count, datatype), (dest, tag, comm), Mode::Standard, true, request)
    }
}

pub unsafe fn recv_init(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    source: c_int,
    tag: c_int,
    comm: Comm,
    request: *mut Request,
) -> Outcome {
    let mut mpi = enter()?;
    let request = place(request, "request")?;
    // SAFETY: the caller's arguments.
    let template = match unsafe { incoming(&mpi, (buf, count, datatype), (source, tag, comm)) }? {
        (buffer, Some(wanted)) => Template::Receive { buffer, wanted },
        (_, None) => Template::Nothing(Completion::PROC_NULL),
    };
    let made = persistent::init(&mut mpi, comm, template)?;
    // SAFETY: the caller's place.
    unsafe { request.write(made) };
    Ok(())
}

pub unsafe fn start(request: *mut Request) -> Outcome {
    // SAFETY: the caller's request.
    let handle = *unsafe { super::arguments::request(request) }?;
    persistent::start(&mut enter()?, handle)
}

pub unsafe fn startall(count: c_int, array_of_requests: *mut Request) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's array.
    let handles = unsafe { super::arguments::requests(count, array_of_requests) }?;
    handles.iter().try_for_each(|&handle| persistent::start(&mut mpi, handle))
}
