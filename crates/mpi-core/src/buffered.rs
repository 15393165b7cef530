//! Buffered mode (MPI 5.0 §3.6).
//!
//! A buffered send copies the message and returns; the copy is sent like any other message. The
//! library does not store copies in the program's buffer. It accounts for the buffer's space as
//! §3.6.1 models it (packed size and an overhead for each message) and keeps the copies in memory
//! of its own, so a message never fails for lack of contiguous space where the model lets it pass.
//!
//! A communicator, a session and the process may have a buffer each. A send uses the first of them
//! that exists, in this order, and never two of them (§3.6.2). The copy's request belongs to the
//! buffer ([`Holder::Buffer`]): when the message has left, the protocol releases its space and
//! completes the flushes that waited for it.
//!
//! The buffers of the program belong to the first lane. The others keep as many copies as they get,
//! without a limit: see [`check_attached`].

use crate::abi;
use crate::attached_buffers::BufferNumber;
use crate::comm::Comm;
use crate::completion;
use crate::engine::Mpi;
use crate::envelope::{Envelope, Mode};
use crate::error::{Error, Outcome};
use crate::group::Owner;
use crate::handle;
use crate::request::{Activity, Completion, Holder, Request};
use crate::scratch::scratch_packed;
use nemesis_datatype::Buffer;

/// The object to which a buffer is attached.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    Process,
    Comm(handle::Comm),
    Session(handle::Session),
}

/// Bytes of the buffer that a message takes in addition to its data. Programs calculate with the
/// MPI_BSEND_OVERHEAD of their mpi.h, which is 512 in the standard ABI and 96 in MPICH's: the
/// smaller one satisfies both.
const OVERHEAD_BYTES: i64 = 96;
const _: () = assert!(OVERHEAD_BYTES <= abi::MPI_BSEND_OVERHEAD as i64);

/// Returns the field that holds the buffer of a level.
fn slot(mpi: &mut Mpi, level: Level) -> Outcome<&mut Option<BufferNumber>> {
    match level {
        Level::Process => Ok(&mut mpi.pt2pt.core.attached_buffers.of_process),
        Level::Comm(comm) => Ok(&mut mpi.comm_mut(comm)?.buffer),
        Level::Session(session) => {
            let session = mpi
                .sessions
                .get_mut(session)
                .map_err(|dead| Error::dead(abi::MPI_ERR_SESSION, dead))?;
            Ok(&mut session.buffer)
        }
    }
}

/// `MPI_Buffer_attach`, `MPI_Comm_attach_buffer`, `MPI_Session_attach_buffer`.
pub fn attach(mpi: &mut Mpi, level: Level, address: usize, bytes: i64) -> Outcome {
    if slot(mpi, level)?.is_some() {
        return Err(Error::new(abi::MPI_ERR_BUFFER, "a buffer is already attached")
            .advise("detach it first"));
    }
    if address == 0 && bytes > 0 {
        return Err(Error::new(
            abi::MPI_ERR_BUFFER,
            format!("the buffer is a null pointer, and its size is {bytes}"),
        )
        .advise("attach memory that the program has allocated, or MPI_BUFFER_AUTOMATIC"));
    }
    let number = mpi.pt2pt.core.attached_buffers.insert(address, bytes);
    *slot(mpi, level)? = Some(number);
    Ok(())
}

/// `MPI_Buffer_detach` and its variants: waits until the buffered messages have left, and returns
/// the buffer's address and size.
pub fn detach(mpi: &mut Mpi, level: Level) -> Outcome<(usize, i64)> {
    flush(mpi, level)?;
    let Some(number) = slot(mpi, level)?.take() else { return Ok((0, 0)) };
    let attached = mpi.pt2pt.core.attached_buffers.memory(number).unwrap_or_default();
    mpi.pt2pt.core.attached_buffers.abandon(number);
    Ok(attached)
}

/// `MPI_Buffer_flush` and its variants: waits until the messages in the buffer have left.
pub fn flush(mpi: &mut Mpi, level: Level) -> Outcome {
    // A lane tells only whether all copies have left.
    match level {
        Level::Comm(comm) => mpi.in_lane_of(comm, flush_all),
        Level::Process | Level::Session(_) => mpi.in_each_lane(flush_all),
    }
    let mut request = iflush(mpi, level)?;
    completion::wait(mpi, &mut request).map(drop)
}

/// `MPI_Buffer_iflush` and its variants: returns a request that completes when the messages that
/// are in the buffer now have left.
pub fn iflush(mpi: &mut Mpi, level: Level) -> Outcome<handle::Request> {
    let number = *slot(mpi, level)?;
    let pending = number.filter(|&number| mpi.pt2pt.core.attached_buffers.is_pending(number));
    let Some(number) = pending else { return mpi.pt2pt.completed_request(Completion::EMPTY) };
    let comm = if let Level::Comm(comm) = level { comm } else { abi::MPI_COMM_SELF };
    let request = mpi.pt2pt.new_request(Request::new(comm, Activity::Flushing))?;
    mpi.pt2pt.core.attached_buffers.add_flush(number, request);
    Ok(request)
}

/// Waits until all messages of all buffers have left, those of freed communicators included.
pub fn flush_all(mpi: &mut Mpi) {
    mpi.wait_until(None, |mpi| mpi.pt2pt.core.attached_buffers.are_empty());
}

/// Fails unless a buffer is attached that a send on `comm` can use.
pub fn check_attached(mpi: &Mpi, comm: handle::Comm) -> Outcome {
    buffer_for(mpi, comm).map(drop).ok_or_else(no_buffer)
}

/// Returns the buffer that a send on `comm` uses.
fn buffer_for(mpi: &Mpi, comm: handle::Comm) -> Option<BufferNumber> {
    let of_session = |comm: &Comm| match comm.group.owner() {
        Owner::Session(session) => mpi.session(session).ok()?.buffer,
        Owner::World => None,
    };
    mpi.comm(comm).ok().and_then(|comm| comm.buffer.or_else(|| of_session(comm))).or(mpi
        .pt2pt
        .core
        .attached_buffers
        .of_process)
}

/// `MPI_Bsend`: returns when the message has been copied.
pub fn send(mpi: &mut Mpi, buffer: &Buffer, envelope: Envelope) -> Outcome {
    let bytes = buffer.bytes();
    let needed = bytes as i64 + OVERHEAD_BYTES;
    let Some(number) = buffer_for(mpi, envelope.comm) else { return Err(no_buffer()) };
    let has_space = |mpi: &Mpi| mpi.pt2pt.core.attached_buffers.has_space(number, needed);
    if !has_space(mpi) {
        mpi.progress();
        if !has_space(mpi) {
            return Err(buffer_is_full(mpi, number, needed));
        }
    }
    let mut copy = scratch_packed(bytes)?;
    if let Some(bytes) = copy.as_bytes_mut() {
        buffer.pack_at(0, bytes);
    }
    if let Some(request) = mpi.pt2pt.start_send(&copy, envelope, Mode::Standard)?
        && let Some(charge) = mpi.pt2pt.core.attached_buffers.charge(number, needed)
    {
        mpi.pt2pt.request_mut(request)?.holder = Holder::Buffer(Box::new(charge));
    }
    Ok(())
}

#[cold]
fn no_buffer() -> Box<Error> {
    Error::new(abi::MPI_ERR_BUFFER, "no buffer is attached")
        .advise("call MPI_Comm_attach_buffer or MPI_Buffer_attach before buffered sends")
}

#[cold]
fn buffer_is_full(mpi: &Mpi, number: BufferNumber, needed: i64) -> Box<Error> {
    let Some((free, all)) = mpi.pt2pt.core.attached_buffers.space(number) else {
        return no_buffer();
    };
    let why = format!(
        "the message needs {needed} bytes of the attached buffer, of which {free} of {all} are free"
    );
    Error::new(abi::MPI_ERR_BUFFER, why).advise("attach a larger buffer, or MPI_BUFFER_AUTOMATIC")
}
