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
//! A process has one set of buffers, and all its lanes take space of them.

use crate::abi;
use crate::attached_buffers::Lack;
pub use crate::attached_buffers::Level;
use crate::completion;
use crate::engine::Mpi;
use crate::envelope::{Envelope, Mode};
use crate::error::{Error, Outcome};
use crate::group::Owner;
use crate::handle;
use crate::request::{Activity, Charge, Completion, Holder, Request};
use crate::scratch::scratch_packed;
use nemesis_datatype::Buffer;
use nemesis_mpi_check::buffers::{self, Access};

/// Bytes of the buffer that a message takes in addition to its data. Programs calculate with the
/// MPI_BSEND_OVERHEAD of their mpi.h, which is 512 in the standard ABI and 96 in MPICH's: the
/// smaller one satisfies both.
const OVERHEAD_BYTES: i64 = 96;
const _: () = assert!(OVERHEAD_BYTES <= abi::MPI_BSEND_OVERHEAD as i64);

/// Fails if the object does not exist to which a buffer is, or would be, attached.
fn check(mpi: &Mpi, level: Level) -> Outcome {
    match level {
        Level::Process => Ok(()),
        Level::Comm(comm) => mpi.comm(comm).map(drop),
        Level::Session(session) => mpi.session(session).map(drop),
    }
}

/// `MPI_Buffer_attach`, `MPI_Comm_attach_buffer`, `MPI_Session_attach_buffer`.
pub fn attach(mpi: &mut Mpi, level: Level, address: usize, bytes: i64) -> Outcome {
    check(mpi, level)?;
    let mut buffers = mpi.pt2pt.core.attached_buffers.lock();
    if buffers.of(level).is_some() {
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
    if nemesis_mpi_check::is_on() {
        nemesis_mpi_check::bounds::window(address, bytes as usize);
    }
    buffers.attach(level, address, bytes);
    Ok(())
}

/// `MPI_Buffer_detach` and its variants: waits until the buffered messages have left, and returns
/// the buffer's address and size.
pub fn detach(mpi: &mut Mpi, level: Level) -> Outcome<(usize, i64)> {
    flush(mpi, level)?;
    Ok(mpi.pt2pt.core.attached_buffers.lock().detach(level).unwrap_or_default())
}

/// `MPI_Buffer_flush` and its variants: waits until the messages in the buffer have left.
pub fn flush(mpi: &mut Mpi, level: Level) -> Outcome {
    let mut request = iflush(mpi, level)?;
    completion::wait(mpi, &mut request).map(drop)
}

/// `MPI_Buffer_iflush` and its variants: returns a request that completes when the messages that
/// are in the buffer now have left.
pub fn iflush(mpi: &mut Mpi, level: Level) -> Outcome<handle::Request> {
    check(mpi, level)?;
    let number = mpi.pt2pt.core.attached_buffers.lock().of(level);
    let Some(number) = number else { return mpi.pt2pt.completed_request(Completion::EMPTY) };
    let comm = if let Level::Comm(comm) = level { comm } else { abi::MPI_COMM_SELF };
    let request = mpi.pt2pt.new_request(Request::new(comm, Activity::Flushing))?;
    let waits = mpi.pt2pt.core.attached_buffers.lock().add_flush(number, request);
    if !waits {
        mpi.pt2pt.core.finish(request);
    }
    Ok(request)
}

/// Waits until all messages of all buffers have left, those of freed communicators included.
pub fn flush_all(mpi: &mut Mpi) {
    mpi.wait_until(None, |mpi| !mpi.pt2pt.core.collect_flushes());
}

/// The objects whose buffers a send on `comm` uses: that of the first which has one.
fn levels(mpi: &Mpi, handle: handle::Comm) -> impl Iterator<Item = Level> + Clone + use<> {
    let owner = mpi.comm(handle).map(|comm| comm.group.owner());
    let of_session = match owner {
        Ok(Owner::Session(session)) => Some(Level::Session(session)),
        _ => None,
    };
    [Some(Level::Comm(handle)), of_session, Some(Level::Process)].into_iter().flatten()
}

/// `MPI_Bsend`: returns when the message has been copied.
pub fn send(mpi: &mut Mpi, buffer: &Buffer, envelope: Envelope) -> Outcome {
    let bytes = buffer.bytes();
    if nemesis_mpi_check::is_on() {
        buffers::touch(buffer, Access::Read);
    }
    let charge = take_space(mpi, envelope.comm, bytes as i64 + OVERHEAD_BYTES)?;
    match start(mpi, buffer, bytes, envelope) {
        Ok(Some(request)) => {
            mpi.pt2pt.request_mut(request)?.holder = Holder::Buffer(Box::new(charge));
            Ok(())
        }
        left => {
            mpi.pt2pt.core.message_left(&charge);
            left.map(drop)
        }
    }
}

/// Sends a copy of a message. Returns its request unless it has left.
fn start(
    mpi: &mut Mpi,
    buffer: &Buffer,
    bytes: usize,
    envelope: Envelope,
) -> Outcome<Option<handle::Request>> {
    let mut copy = scratch_packed(bytes)?;
    if let Some(bytes) = copy.as_bytes_mut() {
        buffer.pack_at(0, bytes);
    }
    if nemesis_mpi_check::is_on() {
        return mpi.pt2pt.start_checked_copy(&copy, buffer.datatype(), envelope);
    }
    mpi.pt2pt.start_send(&copy, envelope, Mode::Standard)
}

/// Takes space for a message of the buffer that a send on `comm` uses.
fn take_space(mpi: &mut Mpi, comm: handle::Comm, needed: i64) -> Outcome<Charge> {
    let levels = levels(mpi, comm);
    let charge = |mpi: &Mpi, levels| mpi.pt2pt.core.attached_buffers.lock().charge(levels, needed);
    let mut charged = charge(mpi, levels.clone());
    if let Err(Lack::Space { .. }) = charged {
        mpi.progress_in_every_lane();
        charged = charge(mpi, levels);
    }
    charged.map_err(|lack| refused(lack, needed))
}

#[cold]
fn refused(lack: Lack, needed: i64) -> Box<Error> {
    match lack {
        Lack::Buffer => Error::new(abi::MPI_ERR_BUFFER, "no buffer is attached")
            .advise("call MPI_Comm_attach_buffer or MPI_Buffer_attach before buffered sends"),
        Lack::Space { free, all } => {
            let why = format!(
                "the message needs {needed} bytes of the attached buffer, of which {free} of {all} \
                 are free"
            );
            Error::new(abi::MPI_ERR_BUFFER, why)
                .advise("attach a larger buffer, or MPI_BUFFER_AUTOMATIC")
        }
    }
}
