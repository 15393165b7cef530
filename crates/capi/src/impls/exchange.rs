//! Sending and receiving in one call (MPI 5.0 §3.10).

use super::arguments::{hand_out, report};
use super::pt2pt::message;
use crate::params::{Out, StatusOut, UserBuffer};
use nemesis_datatype::Buffer;
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
    let mut mpi = lanes::enter_for_data(comm, &[sendtype, recvtype])?;
    let (sent, envelope) =
        message((sendbuf, sendcount, sendtype), (dest, sendtag, comm)).outgoing(&mpi)?;
    let (received, wanted) =
        message((recvbuf, recvcount, recvtype), (source, recvtag, comm)).incoming(&mpi)?;
    let completion = exchange(&mut mpi, (&sent, envelope), (&received, wanted))?;
    report(status, &completion);
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
    let mut mpi = lanes::enter_for_data(comm, &[datatype])?;
    let (whole, envelope) =
        message((buf, count, datatype), (dest, sendtag, comm)).outgoing(&mpi)?;
    let wanted = mpi.comms.wanted(comm, source, recvtag)?;
    let copy = packed_copy(&whole)?;
    let completion = exchange(&mut mpi, (&copy, envelope), (&whole, wanted))?;
    report(status, &completion);
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
    let mut mpi = lanes::enter_for_data(comm, &[sendtype, recvtype])?;
    let request = request.require("request")?;
    let (sent, envelope) =
        message((sendbuf, sendcount, sendtype), (dest, sendtag, comm)).outgoing(&mpi)?;
    let (received, wanted) =
        message((recvbuf, recvcount, recvtype), (source, recvtag, comm)).incoming(&mpi)?;
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
    let mut mpi = lanes::enter_for_data(comm, &[datatype])?;
    let request = request.require("request")?;
    let (whole, envelope) =
        message((buf, count, datatype), (dest, sendtag, comm)).outgoing(&mpi)?;
    let wanted = mpi.comms.wanted(comm, source, recvtag)?;
    let copy = packed_copy(&whole)?;
    let started = compound::isendrecv(&mut mpi, comm, (&copy, envelope), (&whole, wanted))?;
    hand_out(&mut mpi, request, started)
}
