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

use crate::abi;
use crate::comm::Comm;
use crate::completion;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::group::Owner;
use crate::handle;
use crate::protocol::Core;
use crate::request::{Activity, Completion, Holder, Request};
use crate::send::{Envelope, Mode};
use nemesis_datatype::{Buffer, Datatype};
use std::collections::BTreeMap;

/// The object to which a buffer is attached.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    Process,
    Comm(handle::Comm),
    Session(handle::Session),
}

/// Identifies an attached buffer. A number is never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BufferNumber(u64);

/// All attached buffers, and detached ones with messages that have not left yet.
pub struct AttachedBuffers {
    buffers: BTreeMap<BufferNumber, AttachedBuffer>,
    drawn: u64,
}

/// A buffer that the program has attached, and its use.
struct AttachedBuffer {
    address: usize,
    bytes: i64,
    automatic: bool,
    used: i64,
    /// Messages that have not left yet, and the number of all messages so far.
    pending: usize,
    begun: u64,
    flushes: Vec<Flush>,
    /// The buffer is detached: it is removed when its last message has left.
    abandoned: bool,
}

/// A flush that waits for all messages up to number `before`, of which `remaining` have not left.
struct Flush {
    request: handle::Request,
    before: u64,
    remaining: usize,
}

/// The space of a buffer that a message occupies until it has left.
#[derive(Debug)]
pub struct Charge {
    buffer: BufferNumber,
    bytes: i64,
    number: u64,
}

/// Bytes of the buffer that a message takes in addition to its data. Programs calculate with the
/// MPI_BSEND_OVERHEAD of their mpi.h, which is 512 in the standard ABI and 96 in MPICH's: the
/// smaller one satisfies both.
const OVERHEAD_BYTES: i64 = 96;
const _: () = assert!(OVERHEAD_BYTES <= abi::MPI_BSEND_OVERHEAD as i64);

impl AttachedBuffer {
    fn has_space(&self, needed: i64) -> bool {
        self.automatic || self.bytes - self.used >= needed
    }
}

impl AttachedBuffers {
    pub const fn new() -> AttachedBuffers {
        AttachedBuffers { buffers: BTreeMap::new(), drawn: 0 }
    }

    fn insert(&mut self, address: usize, bytes: i64) -> BufferNumber {
        let automatic = address == abi::MPI_BUFFER_AUTOMATIC;
        let attached = AttachedBuffer {
            address,
            bytes,
            automatic,
            used: 0,
            pending: 0,
            begun: 0,
            flushes: Vec::new(),
            abandoned: false,
        };
        self.drawn += 1;
        let number = BufferNumber(self.drawn);
        self.buffers.insert(number, attached);
        number
    }

    /// Detaches a buffer. Its messages are still delivered.
    pub fn abandon(&mut self, number: BufferNumber) {
        if let Some(attached) = self.buffers.get_mut(&number) {
            attached.abandoned = true;
            if attached.pending == 0 {
                self.buffers.remove(&number);
            }
        }
    }

    /// Charges a buffer with a message that has been started.
    fn charge(&mut self, number: BufferNumber, bytes: i64) -> Option<Charge> {
        let attached = self.buffers.get_mut(&number)?;
        attached.used += bytes;
        attached.pending += 1;
        attached.begun += 1;
        Some(Charge { buffer: number, bytes, number: attached.begun })
    }

    /// Releases the space of a message that has left, and returns the flushes that are complete.
    fn give_back(&mut self, charge: &Charge) -> Vec<handle::Request> {
        let Some(attached) = self.buffers.get_mut(&charge.buffer) else { return Vec::new() };
        attached.used -= charge.bytes;
        attached.pending -= 1;
        let mut done = Vec::new();
        attached.flushes.retain_mut(|flush| {
            flush.remaining -= usize::from(charge.number <= flush.before);
            if flush.remaining == 0 {
                done.push(flush.request);
            }
            flush.remaining > 0
        });
        if attached.abandoned && attached.pending == 0 {
            self.buffers.remove(&charge.buffer);
        }
        done
    }

    /// Returns whether all messages of all buffers have left.
    fn are_empty(&self) -> bool {
        self.buffers.values().all(|attached| attached.pending == 0)
    }
}

impl Core {
    /// Handles that a buffered message has left.
    pub(crate) fn message_left(&mut self, charge: &Charge) {
        for flush in self.attached_buffers.give_back(charge) {
            self.finish(flush);
        }
    }
}

/// Returns the field that holds the buffer of a level.
fn slot(mpi: &mut Mpi, level: Level) -> Outcome<&mut Option<BufferNumber>> {
    match level {
        Level::Process => Ok(&mut mpi.buffer),
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
    let number = mpi.core.attached_buffers.insert(address, bytes);
    *slot(mpi, level)? = Some(number);
    Ok(())
}

/// `MPI_Buffer_detach` and its variants: waits until the buffered messages have left, and returns
/// the buffer's address and size.
pub fn detach(mpi: &mut Mpi, level: Level) -> Outcome<(usize, i64)> {
    flush(mpi, level)?;
    let Some(number) = slot(mpi, level)?.take() else { return Ok((0, 0)) };
    let attached = mpi
        .core
        .attached_buffers
        .buffers
        .get(&number)
        .map_or((0, 0), |attached| (attached.address, attached.bytes));
    mpi.core.attached_buffers.abandon(number);
    Ok(attached)
}

/// `MPI_Buffer_flush` and its variants: waits until the messages in the buffer have left.
pub fn flush(mpi: &mut Mpi, level: Level) -> Outcome {
    let mut request = iflush(mpi, level)?;
    completion::wait(mpi, &mut request).map(drop)
}

/// `MPI_Buffer_iflush` and its variants: returns a request that completes when the messages that
/// are in the buffer now have left.
pub fn iflush(mpi: &mut Mpi, level: Level) -> Outcome<handle::Request> {
    let number = *slot(mpi, level)?;
    let pending = |mpi: &Mpi| {
        number
            .and_then(|number| mpi.core.attached_buffers.buffers.get(&number))
            .is_some_and(|attached| attached.pending > 0)
    };
    if !pending(mpi) {
        return mpi.completed_request(Completion::EMPTY);
    }
    let comm = if let Level::Comm(comm) = level { comm } else { abi::MPI_COMM_SELF };
    let request = mpi.new_request(Request::new(comm, Activity::Flushing))?;
    if let Some(attached) =
        number.and_then(|number| mpi.core.attached_buffers.buffers.get_mut(&number))
    {
        attached.flushes.push(Flush {
            request,
            before: attached.begun,
            remaining: attached.pending,
        });
    }
    Ok(request)
}

/// Waits until all messages of all buffers have left, those of freed communicators included.
pub fn flush_all(mpi: &mut Mpi) {
    mpi.wait_until(None, |mpi| mpi.core.attached_buffers.are_empty());
}

/// Returns the buffer that a send on `comm` uses.
fn buffer_for(mpi: &Mpi, comm: handle::Comm) -> Option<BufferNumber> {
    let of_session = |comm: &Comm| match comm.group.owner() {
        Owner::Session(session) => mpi.session(session).ok()?.buffer,
        Owner::World => None,
    };
    mpi.comm(comm).ok().and_then(|comm| comm.buffer.or_else(|| of_session(comm))).or(mpi.buffer)
}

/// `MPI_Bsend`: returns when the message has been copied.
pub fn send(mpi: &mut Mpi, buffer: &Buffer, envelope: Envelope) -> Outcome {
    let bytes = buffer.bytes();
    let needed = bytes as i64 + OVERHEAD_BYTES;
    let Some(number) = buffer_for(mpi, envelope.comm) else { return Err(no_buffer()) };
    let has_space = |mpi: &Mpi| {
        mpi.core
            .attached_buffers
            .buffers
            .get(&number)
            .is_some_and(|attached| attached.has_space(needed))
    };
    if !has_space(mpi) {
        mpi.progress();
        if !has_space(mpi) {
            return Err(buffer_is_full(mpi, number, needed));
        }
    }
    let byte = Datatype::predefined(abi::MPI_BYTE.0).expect("MPI_BYTE is predefined");
    let mut copy = Buffer::scratch(bytes as i64, byte)
        .map_err(|error| Error::new(abi::MPI_ERR_NO_MEM, error.why.to_string()))?;
    if let Some(bytes) = copy.as_bytes_mut() {
        buffer.pack_at(0, bytes);
    }
    if let Some(request) = mpi.start_send(&copy, envelope, Mode::Standard)?
        && let Some(charge) = mpi.core.attached_buffers.charge(number, needed)
    {
        mpi.request_mut(request)?.holder = Holder::Buffer(Box::new(charge));
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
    let Some(attached) = mpi.core.attached_buffers.buffers.get(&number) else { return no_buffer() };
    let (free, all) = (attached.bytes - attached.used, attached.bytes);
    let why = format!(
        "the message needs {needed} bytes of the attached buffer, of which {free} of {all} are free"
    );
    Error::new(abi::MPI_ERR_BUFFER, why).advise("attach a larger buffer, or MPI_BUFFER_AUTOMATIC")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Handle;

    fn request(index: usize) -> handle::Request {
        handle::Request::from_bits(index)
    }

    #[test]
    fn a_flush_waits_only_for_the_messages_before_it() {
        let mut buffers = AttachedBuffers::new();
        let number = buffers.insert(4096, 1000);
        let charges: Vec<Charge> = (0..3).filter_map(|_| buffers.charge(number, 100)).collect();
        let attached = buffers.buffers.get_mut(&number).unwrap();
        attached.flushes.push(Flush {
            request: request(1),
            before: attached.begun,
            remaining: attached.pending,
        });
        let later = buffers.charge(number, 100).unwrap();
        assert!(buffers.give_back(&charges[1]).is_empty());
        assert!(buffers.give_back(&later).is_empty());
        assert!(buffers.give_back(&charges[0]).is_empty());
        assert_eq!(buffers.give_back(&charges[2]), [request(1)]);
        assert!(buffers.are_empty());
        assert!(buffers.buffers[&number].has_space(1000));
    }

    #[test]
    fn a_detached_buffer_is_removed_when_its_last_message_has_left() {
        let mut buffers = AttachedBuffers::new();
        let (idle, busy) = (buffers.insert(4096, 10), buffers.insert(8192, 200));
        let charge = buffers.charge(busy, 200).unwrap();
        buffers.abandon(idle);
        buffers.abandon(busy);
        assert_eq!(buffers.buffers.len(), 1);
        assert!(!buffers.buffers[&busy].has_space(1));
        assert!(buffers.give_back(&charge).is_empty());
        assert!(buffers.buffers.is_empty());
    }
}
