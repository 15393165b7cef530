//! Sending and receiving in one call (MPI 5.0 §3.10).

use super::arguments::{hand_out, report_received};
use super::pt2pt::message;
use crate::params::{Out, OutRef, StatusOut, UserBuffer};
use nemesis_datatype::Buffer;
use nemesis_mpi::attempts::Use;
use nemesis_mpi::cancel;
use nemesis_mpi::completion;
use nemesis_mpi::compound;
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::{Comm, Datatype, Request};
use nemesis_mpi::lanes;
use nemesis_mpi::receive::{self, Wanted};
use nemesis_mpi::request::Completion;
use nemesis_mpi::send::{self, Envelope, Mode};
use nemesis_mpi_check::buffers::{self, Access};
use std::ffi::c_int;

#[allow(clippy::too_many_arguments)]
pub fn sendrecv(
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    dest: c_int,
    sendtag: c_int,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
    source: c_int,
    recvtag: c_int,
    comm: Comm,
    status: StatusOut<'_>,
) -> Outcome {
    let out = message((sendbuf, sendcount, sendtype), (dest, sendtag, comm));
    let incoming = message((recvbuf, recvcount, recvtype), (source, recvtag, comm));
    if out.lane() != incoming.lane() {
        let (sent, envelope) = out.outgoing(&out.enter()?, Use::SentLater)?;
        let (received, wanted) = incoming.incoming(&incoming.enter()?)?;
        let lanes = [out.lane(), incoming.lane()];
        return exchange_in_two_lanes(lanes, (&sent, envelope), (&received, wanted), status);
    }
    let mut mpi = lanes::enter_for_data(comm, sendtag, &[sendtype, recvtype])?;
    let (sent, envelope) = out.outgoing(&mpi, Use::SentLater)?;
    let (received, wanted) = incoming.incoming(&mpi)?;
    let completion = exchange(&mut mpi, (&sent, envelope), (&received, wanted))?;
    report_received(status, &completion);
    completion.error.map_or(Ok(()), Err)
}

/// Sends and receives as two concurrent threads would (MPI 5.0 §3.10): both operations start before
/// the function waits for either.
fn exchange(
    mpi: &mut Mpi,
    (sent, envelope): (&Buffer, Option<Envelope>),
    (received, wanted): (&Buffer, Option<Wanted>),
) -> Outcome<Completion> {
    let mut sending = send::isend(mpi, sent, envelope, Mode::Standard)?;
    if nemesis_mpi_check::is_on() {
        buffers::touch(received, Access::Write);
    }
    let completion = match wanted {
        Some(wanted) => receive::receive(mpi, received, wanted)?,
        None => Completion::PROC_NULL,
    };
    completion::wait(mpi, &mut sending)?;
    Ok(completion)
}

/// Does what [`exchange`] does if the tags of both messages have lanes of their own.
fn exchange_in_two_lanes(
    [to, from]: [usize; 2],
    (sent, envelope): (&Buffer, Option<Envelope>),
    (received, wanted): (&Buffer, Option<Wanted>),
    status: StatusOut<'_>,
) -> Outcome {
    let started = send::isend(&mut lanes::enter_lane(to)?, sent, envelope, Mode::Standard)?;
    let mut sending = lanes::name(to, started)?;
    if nemesis_mpi_check::is_on() {
        buffers::touch(received, Access::Write);
    }
    let completion = match wanted {
        Some(wanted) => receive::receive(&mut lanes::enter_lane(from)?, received, wanted)?,
        None => Completion::PROC_NULL,
    };
    lanes::with_request(&mut sending, |mpi, sending| completion::wait(mpi, sending).map(drop))?;
    report_received(status, &completion);
    completion.error.map_or(Ok(()), Err)
}

#[allow(clippy::too_many_arguments)]
pub fn sendrecv_replace(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    sendtag: c_int,
    source: c_int,
    recvtag: c_int,
    comm: Comm,
    status: StatusOut<'_>,
) -> Outcome {
    let out = message((buf, count, datatype), (dest, sendtag, comm));
    let mut mpi = out.enter()?;
    let (whole, envelope) = out.outgoing(&mpi, Use::Any)?;
    let copy = packed_copy(&whole)?;
    let from = lanes::lane_for(comm, recvtag);
    if from != out.lane() {
        drop(mpi);
        let wanted = lanes::enter_lane(from)?.comms.wanted(comm, source, recvtag)?;
        let lanes = [out.lane(), from];
        return exchange_in_two_lanes(lanes, (&copy, envelope), (&whole, wanted), status);
    }
    let wanted = mpi.comms.wanted(comm, source, recvtag)?;
    let completion = exchange(&mut mpi, (&copy, envelope), (&whole, wanted))?;
    report_received(status, &completion);
    completion.error.map_or(Ok(()), Err)
}

/// A copy of the packed bytes of a message.
fn packed_copy(message: &Buffer) -> Outcome<Buffer> {
    let mut copy = nemesis_mpi::scratch::scratch_packed(message.bytes())?;
    if let Some(bytes) = copy.as_bytes_mut() {
        message.pack_at(0, bytes);
    }
    Ok(copy)
}

/// Does what [`compound::isendrecv`] does if the tags of both messages have lanes of their own. A
/// request has one lane: it is that of the receive, and the message that is sent a copy, so that
/// the program can use its buffer again.
fn begin_in_two_lanes(
    [to, from]: [usize; 2],
    (sent, envelope): (&Buffer, Option<Envelope>),
    (received, wanted): (&Buffer, Option<Wanted>),
    request: OutRef<'_, Request>,
) -> Outcome {
    let mut mpi = lanes::enter_lane(to)?;
    let mut sending = send::isend(&mut mpi, sent, envelope, Mode::Standard)?;
    if nemesis_mpi_check::is_on() {
        mpi.pt2pt.core.end_watch(sending);
    }
    cancel::abandon(&mut mpi, &mut sending)?;
    drop(mpi);
    let mut mpi = lanes::enter_lane(from)?;
    let started = receive::irecv(&mut mpi, received, wanted)?;
    hand_out(&mut mpi, request, started)
}

#[allow(clippy::too_many_arguments)]
pub fn isendrecv(
    sendbuf: UserBuffer,
    sendcount: i64,
    sendtype: Datatype,
    dest: c_int,
    sendtag: c_int,
    recvbuf: UserBuffer,
    recvcount: i64,
    recvtype: Datatype,
    source: c_int,
    recvtag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    let out = message((sendbuf, sendcount, sendtype), (dest, sendtag, comm));
    let incoming = message((recvbuf, recvcount, recvtype), (source, recvtag, comm));
    if out.lane() != incoming.lane() {
        let request = request.require("request")?;
        let (sent, envelope) = out.outgoing(&out.enter()?, Use::Sent)?;
        let (received, wanted) = incoming.incoming(&incoming.enter()?)?;
        let lanes = [out.lane(), incoming.lane()];
        let copy = packed_copy(&sent)?;
        return begin_in_two_lanes(lanes, (&copy, envelope), (&received, wanted), request);
    }
    let mut mpi = lanes::enter_for_data(comm, sendtag, &[sendtype, recvtype])?;
    let request = request.require("request")?;
    let (sent, envelope) = out.outgoing(&mpi, Use::SentLater)?;
    let (received, wanted) = incoming.incoming(&mpi)?;
    let started = compound::isendrecv(&mut mpi, comm, (&sent, envelope), (&received, wanted))?;
    hand_out(&mut mpi, request, started)
}

#[allow(clippy::too_many_arguments)]
pub fn isendrecv_replace(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    dest: c_int,
    sendtag: c_int,
    source: c_int,
    recvtag: c_int,
    comm: Comm,
    request: Out<'_, Request>,
) -> Outcome {
    let out = message((buf, count, datatype), (dest, sendtag, comm));
    let mut mpi = out.enter()?;
    let request = request.require("request")?;
    let (whole, envelope) = out.outgoing(&mpi, Use::Any)?;
    let copy = packed_copy(&whole)?;
    let from = lanes::lane_for(comm, recvtag);
    if from != out.lane() {
        drop(mpi);
        let wanted = lanes::enter_lane(from)?.comms.wanted(comm, source, recvtag)?;
        let lanes = [out.lane(), from];
        return begin_in_two_lanes(lanes, (&copy, envelope), (&whole, wanted), request);
    }
    let wanted = mpi.comms.wanted(comm, source, recvtag)?;
    let started = compound::isendrecv(&mut mpi, comm, (&copy, envelope), (&whole, wanted))?;
    hand_out(&mut mpi, request, started)
}
