//! Blocking and non-blocking point-to-point communication (MPI 5.0 §3.2, §3.4, §3.7, §3.10).
//!
//! [`nemesis_mpi::attempts`] carries out the calls by several attempts. The most frequent ones have
//! parts, `*_first`, `*_in_lane` and `*_rest`: the bindings call them (`binding!`).

use super::arguments::{Choice, hand_out, put_request, report_received, status_of_caught};
use crate::copies::Kept;
use crate::params::{InOut, InOutSlice, Out, StatusOut, UserBuffer};
use nemesis_mpi::attempts::{self, Answer, Attempts, Irecv, Isend, Nothing, Recv, Send, Use};
use nemesis_mpi::buffered;
use nemesis_mpi::compound;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype, Request};
use nemesis_mpi::lanes;
use nemesis_mpi::persistent;
use nemesis_mpi::receive::Caught;
use nemesis_mpi::request::{Completion, Template};
use nemesis_mpi::send::Mode;
use nemesis_mpi::{Fast, enter};
use std::ffi::c_int;
use std::sync::Arc;

pub(super) type Message = attempts::Message<Choice>;

/// Describes a message by the arguments that all calls have.
#[inline(always)]
pub(super) fn message(
    (address, count, datatype): (UserBuffer, i64, Datatype),
    (peer, tag, comm): (c_int, c_int, Comm),
) -> Message {
    Message { data: Choice::new(address, count, datatype), peer, tag, comm }
}

/// The status of a receive.
#[derive(Clone, Copy)]
struct Report<'a>(StatusOut<'a>);

impl Answer<Recv<Choice>> for Report<'_> {
    #[inline(always)]
    fn fast(self, caught: Caught) {
        if !self.0.is_ignored() {
            self.0.report(status_of_caught(caught));
        }
    }
    #[inline(always)]
    fn general(self, _: &mut Mpi, completion: Completion) -> Outcome {
        report_received(self.0, &completion);
        completion.error.map_or(Ok(()), Err)
    }
}

/// The variable for the request of a call.
#[derive(Clone, Copy)]
struct Started<'a>(Out<'a, Request>);

impl<A: Attempts<Caught = Request, Done = Request>> Answer<A> for Started<'_> {
    #[inline(always)]
    fn is_ready(self) -> bool {
        !self.0.is_null()
    }
    #[inline(always)]
    fn check(self) -> Outcome {
        self.0.require("request").map(drop)
    }
    #[inline(always)]
    fn fast(self, request: Request) {
        self.0.put_unless_null(request);
    }
    #[inline(always)]
    fn general(self, mpi: &mut Mpi, request: Request) -> Outcome {
        hand_out(mpi, self.0.require("request")?, request)
    }
}

/// Makes the functions of a call with a fast path: the whole call and its parts.
macro_rules! parts {
    (
        $whole:ident, $first:ident, $in_lane:ident, $rest:ident($($arg:ident: $type:ty),* $(,)?)
        => $call:expr, $answer:expr
    ) => {
        #[inline]
        pub fn $whole($($arg: $type),*) -> Outcome {
            attempts::whole($call, $answer)
        }

        #[inline(always)]
        pub fn $first($($arg: $type),*) -> Fast {
            attempts::first($call, $answer)
        }

        #[inline(always)]
        pub fn $in_lane($($arg: $type),*) -> Fast {
            attempts::first_in_lane($call, $answer)
        }

        pub fn $rest($($arg: $type),*) -> Outcome {
            attempts::rest($call, $answer)
        }
    };
}

parts!(send, send_first, send_in_lane, send_rest(
    buf: UserBuffer, count: i64, datatype: Datatype, dest: c_int, tag: c_int, comm: Comm
) => Send(message((buf, count, datatype), (dest, tag, comm)), Mode::Standard), Nothing);

parts!(recv, recv_first, recv_in_lane, recv_rest(
    buf: UserBuffer, count: i64, datatype: Datatype, source: c_int, tag: c_int, comm: Comm,
    status: StatusOut<'_>
) => Recv(message((buf, count, datatype), (source, tag, comm))), Report(status));

parts!(isend, isend_first, isend_in_lane, isend_rest(
    buf: UserBuffer, count: i64, datatype: Datatype, dest: c_int, tag: c_int, comm: Comm,
    request: Out<'_, Request>
) => Isend(message((buf, count, datatype), (dest, tag, comm)), Mode::Standard), Started(request));

parts!(irecv, irecv_first, irecv_in_lane, irecv_rest(
    buf: UserBuffer, count: i64, datatype: Datatype, source: c_int, tag: c_int, comm: Comm,
    request: Out<'_, Request>
) => Irecv(message((buf, count, datatype), (source, tag, comm))), Started(request));

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
    let message = message((buf, count, datatype), (dest, tag, comm));
    attempts::slow(Send(message, Mode::Synchronous), Nothing)
}

pub fn bsend(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    tag: c_int,
    comm: Comm,
) -> Outcome {
    let message = message((buf, count, datatype), (dest, tag, comm));
    let mut mpi = message.enter()?;
    match message.outgoing(&mpi, Use::Sent)? {
        (buffer, Some(envelope)) => buffered::send(&mut mpi, &buffer, envelope),
        (_, None) => Ok(()),
    }
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
    let message = message((buf, count, datatype), (dest, tag, comm));
    attempts::slow(Isend(message, Mode::Standard), Started(request))
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
    let message = message((buf, count, datatype), (dest, tag, comm));
    attempts::slow(Isend(message, Mode::Synchronous), Started(request))
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
    put_request(request, done);
    Ok(())
}

fn send_template(
    message: Message,
    mode: Mode,
    buffered: bool,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = message.enter()?;
    let request = request.require("request")?;
    let template = match message.outgoing(&mpi, Use::Sent)? {
        (buffer, Some(envelope)) => {
            Template::Send { buffer, envelope, mode, buffered_on: buffered.then_some(message.comm) }
        }
        (_, None) => Template::Nothing(Completion::EMPTY),
    };
    let made = persistent::init(&mut mpi, message.comm, template)?;
    hand_out(&mut mpi, request, made)
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
    send_template(
        message((buf, count, datatype), (dest, tag, comm)),
        Mode::Standard,
        false,
        request,
    )
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
    send_template(
        message((buf, count, datatype), (dest, tag, comm)),
        Mode::Standard,
        false,
        request,
    )
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
    send_template(
        message((buf, count, datatype), (dest, tag, comm)),
        Mode::Synchronous,
        false,
        request,
    )
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
    send_template(message((buf, count, datatype), (dest, tag, comm)), Mode::Standard, true, request)
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
    let message = message((buf, count, datatype), (source, tag, comm));
    let mut mpi = message.enter()?;
    let request = request.require("request")?;
    let template = match message.incoming(&mpi)? {
        (buffer, Some(wanted)) => Template::Receive { buffer, wanted },
        (_, None) => Template::Nothing(Completion::PROC_NULL),
    };
    let made = persistent::init(&mut mpi, comm, template)?;
    hand_out(&mut mpi, request, made)
}

fn start_one(request: &mut Request) -> Outcome {
    lanes::with_request(request, |mpi, handle| persistent::start(mpi, *handle))
}

pub fn start(request: InOut<'_, Request>) -> Outcome {
    start_one(super::arguments::request(request)?)
}

/// The operation of a request uses copies of the program's buffers, which the caller has made.
pub fn keep_copies(request: InOut<'_, Request>, copies: Kept) -> Outcome {
    lanes::with_request(super::arguments::request(request)?, |mpi, handle| {
        *handle = compound::with_copies(mpi, *handle, Arc::new(copies))?;
        Ok(())
    })
}

pub fn startall(count: c_int, array_of_requests: InOutSlice<'_, Request>) -> Outcome {
    let handles = super::arguments::requests(count, array_of_requests)?;
    if lanes::are_open() {
        return handles.iter_mut().try_for_each(start_one);
    }
    let mut mpi = enter()?;
    handles.iter().try_for_each(|&handle| persistent::start(&mut mpi, handle))
}
