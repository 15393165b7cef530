//! Buffered mode (MPI 5.0 §3.6).
//!
//! A buffered send copies the message and returns; the copy travels like any other send. The program's buffer is a promise of room: we
//! account for it as §3.6.1 models it (packed size and an overhead a message) and keep the copies in memory of our own, so a message
//! never fails for lack of contiguous room where the model would have let it pass.
//!
//! A communicator, a session and the process may have a buffer each. A send uses the first there is, in this order, and never two of them
//! (§3.6.2). The copy's request belongs to the buffer ([`Holder::Buffer`]): when the message has left, the protocol gives the room back and ends the
//! flushes that waited for it.

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

/// What a buffer is attached to.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    Process,
    Comm(handle::Comm),
    Session(handle::Session),
}

/// Names an attached buffer; never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RoomNumber(u64);

/// All attached buffers, and those that are not attached any more but have messages to deliver.
pub struct Rooms {
    rooms: BTreeMap<RoomNumber, Room>,
    drawn: u64,
}

/// A buffer that the program has attached, and what uses it.
struct Room {
    address: usize,
    bytes: i64,
    automatic: bool,
    used: i64,
    /// Messages that have not left, and how many there have been.
    pending: usize,
    begun: u64,
    flushes: Vec<Flush>,
    /// Nobody can find it any more: it goes with its last message.
    abandoned: bool,
}

/// Waits for all messages with a number below `before`, of which `remaining` have not left.
struct Flush {
    request: handle::Request,
    before: u64,
    remaining: usize,
}

/// What a message in a buffer gives back when it has left.
#[derive(Debug)]
pub struct Charge {
    room: RoomNumber,
    bytes: i64,
    number: u64,
}

/// What a message costs beside its bytes. Programs reckon with the MPI_BSEND_OVERHEAD of their mpi.h, which is 512 in the standard's ABI
/// and 96 in MPICH's: the smaller one lets a message pass for both.
const OVERHEAD_BYTES: i64 = 96;
const _: () = assert!(OVERHEAD_BYTES <= abi::MPI_BSEND_OVERHEAD as i64);

impl Room {
    fn has_room(&self, needed: i64) -> bool {
        self.automatic || self.bytes - self.used >= needed
    }
}

impl Rooms {
    pub const fn new() -> Rooms {
        Rooms { rooms: BTreeMap::new(), drawn: 0 }
    }

    fn insert(&mut self, address: usize, bytes: i64) -> RoomNumber {
        let automatic = address == abi::MPI_BUFFER_AUTOMATIC;
        let room = Room {
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
        let number = RoomNumber(self.drawn);
        self.rooms.insert(number, room);
        number
    }

    /// The buffer is not attached any more. Its messages go on.
    pub fn abandon(&mut self, number: RoomNumber) {
        if let Some(room) = self.rooms.get_mut(&number) {
            room.abandoned = true;
            if room.pending == 0 {
                self.rooms.remove(&number);
            }
        }
    }

    /// Charges a message that has begun.
    fn charge(&mut self, number: RoomNumber, bytes: i64) -> Option<Charge> {
        let room = self.rooms.get_mut(&number)?;
        room.used += bytes;
        room.pending += 1;
        room.begun += 1;
        Some(Charge { room: number, bytes, number: room.begun })
    }

    /// Gives back what a message took; the flushes that are done with it.
    fn give_back(&mut self, charge: &Charge) -> Vec<handle::Request> {
        let Some(room) = self.rooms.get_mut(&charge.room) else { return Vec::new() };
        room.used -= charge.bytes;
        room.pending -= 1;
        let mut done = Vec::new();
        room.flushes.retain_mut(|flush| {
            flush.remaining -= usize::from(charge.number <= flush.before);
            if flush.remaining == 0 {
                done.push(flush.request);
            }
            flush.remaining > 0
        });
        if room.abandoned && room.pending == 0 {
            self.rooms.remove(&charge.room);
        }
        done
    }

    /// Whether all messages of all buffers have left.
    fn are_empty(&self) -> bool {
        self.rooms.values().all(|room| room.pending == 0)
    }
}

impl Core {
    /// A buffered message has left.
    pub(crate) fn message_left(&mut self, charge: &Charge) {
        for flush in self.rooms.give_back(charge) {
            self.finish(flush);
        }
    }
}

/// Where a level notes its buffer.
fn slot(mpi: &mut Mpi, level: Level) -> Outcome<&mut Option<RoomNumber>> {
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

/// `MPI_Buffer_attach` and its kin
pub fn attach(mpi: &mut Mpi, level: Level, address: usize, bytes: i64) -> Outcome {
    if slot(mpi, level)?.is_some() {
        return Err(Error::new(abi::MPI_ERR_BUFFER, "a buffer is attached already")
            .advise("detach it first"));
    }
    if address == 0 && bytes > 0 {
        return Err(Error::new(
            abi::MPI_ERR_BUFFER,
            format!("the buffer is a null pointer, and its size is {bytes}"),
        )
        .advise("attach memory of the program's, or MPI_BUFFER_AUTOMATIC"));
    }
    let number = mpi.core.rooms.insert(address, bytes);
    *slot(mpi, level)? = Some(number);
    Ok(())
}

/// `MPI_Buffer_detach` and its kin: waits until the buffered messages have left; gives back address and size.
pub fn detach(mpi: &mut Mpi, level: Level) -> Outcome<(usize, i64)> {
    flush(mpi, level)?;
    let Some(number) = slot(mpi, level)?.take() else { return Ok((0, 0)) };
    let attached =
        mpi.core.rooms.rooms.get(&number).map_or((0, 0), |room| (room.address, room.bytes));
    mpi.core.rooms.abandon(number);
    Ok(attached)
}

/// `MPI_Buffer_flush` and its kin: waits until the messages that are in the buffer have left.
pub fn flush(mpi: &mut Mpi, level: Level) -> Outcome {
    let mut request = iflush(mpi, level)?;
    completion::wait(mpi, &mut request).map(drop)
}

/// `MPI_Buffer_iflush` and its kin: a request that is complete when the messages that are in the buffer now have left.
pub fn iflush(mpi: &mut Mpi, level: Level) -> Outcome<handle::Request> {
    let number = *slot(mpi, level)?;
    let pending = |mpi: &Mpi| {
        number
            .and_then(|number| mpi.core.rooms.rooms.get(&number))
            .is_some_and(|room| room.pending > 0)
    };
    if !pending(mpi) {
        return mpi.completed_request(Completion::EMPTY);
    }
    let comm = if let Level::Comm(comm) = level { comm } else { abi::MPI_COMM_SELF };
    let request = mpi.new_request(Request::new(comm, Activity::Flushing))?;
    if let Some(room) = number.and_then(|number| mpi.core.rooms.rooms.get_mut(&number)) {
        room.flushes.push(Flush { request, before: room.begun, remaining: room.pending });
    }
    Ok(request)
}

/// Waits until all messages of all buffers have left, those of freed communicators included.
pub fn flush_all(mpi: &mut Mpi) {
    mpi.wait_until(None, |mpi| mpi.core.rooms.are_empty());
}

/// The buffer that a send on `comm` uses.
fn room_for(mpi: &Mpi, comm: handle::Comm) -> Option<RoomNumber> {
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
    let Some(number) = room_for(mpi, envelope.comm) else { return Err(no_buffer()) };
    let has_room =
        |mpi: &Mpi| mpi.core.rooms.rooms.get(&number).is_some_and(|room| room.has_room(needed));
    if !has_room(mpi) {
        mpi.progress();
        if !has_room(mpi) {
            return Err(no_room(mpi, number, needed));
        }
    }
    let byte = Datatype::predefined(abi::MPI_BYTE.0).expect("MPI_BYTE is predefined");
    let mut copy = Buffer::scratch(bytes as i64, byte)
        .map_err(|error| Error::new(abi::MPI_ERR_NO_MEM, error.why.to_string()))?;
    if let Some(room) = copy.as_bytes_mut() {
        buffer.pack_at(0, room);
    }
    if let Some(request) = mpi.start_send(&copy, envelope, Mode::Standard)?
        && let Some(charge) = mpi.core.rooms.charge(number, needed)
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
fn no_room(mpi: &Mpi, number: RoomNumber, needed: i64) -> Box<Error> {
    let Some(room) = mpi.core.rooms.rooms.get(&number) else { return no_buffer() };
    let (free, all) = (room.bytes - room.used, room.bytes);
    Error::new(abi::MPI_ERR_BUFFER, format!("the message needs {needed} bytes of the attached buffer, of which {free} of {all} are free"))
        .advise("attach a larger buffer, or MPI_BUFFER_AUTOMATIC")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Handle;

    fn request(index: usize) -> handle::Request {
        handle::Request::from_bits(index)
    }

    #[test]
    fn a_flush_waits_for_the_messages_before_it_and_for_no_other() {
        let mut rooms = Rooms::new();
        let number = rooms.insert(4096, 1000);
        let charges: Vec<Charge> = (0..3).filter_map(|_| rooms.charge(number, 100)).collect();
        let room = rooms.rooms.get_mut(&number).unwrap();
        room.flushes.push(Flush {
            request: request(1),
            before: room.begun,
            remaining: room.pending,
        });
        let later = rooms.charge(number, 100).unwrap();
        assert!(rooms.give_back(&charges[1]).is_empty());
        assert!(rooms.give_back(&later).is_empty());
        assert!(rooms.give_back(&charges[0]).is_empty());
        assert_eq!(rooms.give_back(&charges[2]), [request(1)]);
        assert!(rooms.are_empty());
        assert!(rooms.rooms[&number].has_room(1000));
    }

    #[test]
    fn an_abandoned_buffer_goes_with_its_last_message() {
        let mut rooms = Rooms::new();
        let (idle, busy) = (rooms.insert(4096, 10), rooms.insert(8192, 200));
        let charge = rooms.charge(busy, 200).unwrap();
        rooms.abandon(idle);
        rooms.abandon(busy);
        assert_eq!(rooms.rooms.len(), 1);
        assert!(!rooms.rooms[&busy].has_room(1));
        assert!(rooms.give_back(&charge).is_empty());
        assert!(rooms.rooms.is_empty());
    }
}
