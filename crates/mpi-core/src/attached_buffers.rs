//! Attached buffers of the buffered mode: the space that messages take in them, and the flushes
//! that wait until messages have left (MPI 5.0 §3.6).
//!
//! A process has one set of them, whatever lanes its messages travel in ([`Shared`]). Flushes are
//! requests of the first lane; one that another lane completes is left to it ([`Shared::collect`]).

use crate::abi;
use crate::handle;
use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The object to which a buffer is attached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    Process,
    Comm(handle::Comm),
    Session(handle::Session),
}

/// Identifies an attached buffer. A number is never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BufferNumber(u64);

/// All attached buffers, and detached ones with messages that have not left yet.
#[derive(Default)]
pub struct AttachedBuffers {
    buffers: BTreeMap<BufferNumber, AttachedBuffer>,
    drawn: u64,
    /// The buffer of each object that has one: a few.
    attached: Vec<(Level, BufferNumber)>,
    /// Flushes that are complete, and that the first lane has not collected yet.
    complete: Vec<handle::Request>,
}

/// The attached buffers of a process, which its lanes share. They exist from the first use on.
pub struct Shared(OnceLock<Arc<Mutex<AttachedBuffers>>>);

impl Shared {
    pub const fn new() -> Shared {
        Shared(OnceLock::new())
    }

    fn all(&self) -> &Arc<Mutex<AttachedBuffers>> {
        self.0.get_or_init(Arc::default)
    }

    pub fn lock(&self) -> MutexGuard<'_, AttachedBuffers> {
        self.all().lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Detaches the buffer of an object that is about to be freed, if it has one.
    pub fn abandon(&self, level: Level) {
        if self.0.get().is_some() {
            self.lock().detach(level);
        }
    }

    /// Shares the buffers with another lane.
    pub(crate) fn share(&self) -> Shared {
        Shared(OnceLock::from(self.all().clone()))
    }

    /// Returns the flushes that are complete, for the first lane, and whether messages of some
    /// buffer have not left yet.
    pub(crate) fn collect(&self) -> (Vec<handle::Request>, bool) {
        if self.0.get().is_none() {
            return (Vec::new(), false);
        }
        let mut all = self.lock();
        (mem::take(&mut all.complete), !all.are_empty())
    }
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

/// What keeps a message from being buffered.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    Buffer,
    /// The buffer has `all` bytes, of which `free` are free.
    Space {
        free: i64,
        all: i64,
    },
}

impl AttachedBuffer {
    fn has_space(&self, needed: i64) -> bool {
        self.automatic || self.bytes - self.used >= needed
    }
}

impl AttachedBuffers {
    /// Returns the buffer of an object.
    pub(crate) fn of(&self, level: Level) -> Option<BufferNumber> {
        self.attached.iter().find(|(of, _)| *of == level).map(|(_, number)| *number)
    }

    /// Attaches memory of `bytes` bytes to an object that has no buffer.
    pub(crate) fn attach(&mut self, level: Level, address: usize, bytes: i64) -> BufferNumber {
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
        self.attached.push((level, number));
        number
    }

    /// Detaches the buffer of an object and returns its address and size. Its messages are still
    /// delivered.
    pub fn detach(&mut self, level: Level) -> Option<(usize, i64)> {
        let place = self.attached.iter().position(|(of, _)| *of == level)?;
        let (_, number) = self.attached.swap_remove(place);
        let attached = self.buffers.get_mut(&number)?;
        attached.abandoned = true;
        let memory = (attached.address, attached.bytes);
        if attached.pending == 0 {
            self.buffers.remove(&number);
        }
        Some(memory)
    }

    /// Takes `bytes` bytes for a message of the first of these objects that has a buffer.
    pub(crate) fn charge(
        &mut self,
        levels: impl IntoIterator<Item = Level>,
        bytes: i64,
    ) -> Result<Charge, Lack> {
        let number = levels.into_iter().find_map(|level| self.of(level)).ok_or(Lack::Buffer)?;
        let attached = self.buffers.get_mut(&number).ok_or(Lack::Buffer)?;
        if !attached.has_space(bytes) {
            let (free, all) = (attached.bytes - attached.used, attached.bytes);
            return Err(Lack::Space { free, all });
        }
        attached.used += bytes;
        attached.pending += 1;
        attached.begun += 1;
        Ok(Charge { buffer: number, bytes, number: attached.begun })
    }

    /// Releases the space of a message that has left. Returns whether flushes are complete.
    pub(crate) fn give_back(&mut self, charge: &Charge) -> bool {
        let Some(attached) = self.buffers.get_mut(&charge.buffer) else { return false };
        attached.used -= charge.bytes;
        attached.pending -= 1;
        let complete = &mut self.complete;
        attached.flushes.retain_mut(|flush| {
            flush.remaining -= usize::from(charge.number <= flush.before);
            if flush.remaining == 0 {
                complete.push(flush.request);
            }
            flush.remaining > 0
        });
        if attached.abandoned && attached.pending == 0 {
            self.buffers.remove(&charge.buffer);
        }
        !self.complete.is_empty()
    }

    /// Returns whether all messages of all buffers have left.
    pub(crate) fn are_empty(&self) -> bool {
        self.buffers.values().all(|attached| attached.pending == 0)
    }

    /// Adds a flush, which waits for the messages that are in the buffer now. Returns whether there
    /// are any.
    pub(crate) fn add_flush(&mut self, number: BufferNumber, request: handle::Request) -> bool {
        let Some(attached) = self.buffers.get_mut(&number) else { return false };
        let (before, remaining) = (attached.begun, attached.pending);
        if remaining > 0 {
            attached.flushes.push(Flush { request, before, remaining });
        }
        remaining > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Handle;

    const PROCESS: [Level; 1] = [Level::Process];

    fn request(index: usize) -> handle::Request {
        handle::Request::from_bits(index)
    }

    #[test]
    fn space_is_taken_and_given_back() {
        let mut buffers = AttachedBuffers::default();
        assert_eq!(buffers.charge(PROCESS, 1).unwrap_err(), Lack::Buffer);
        let number = buffers.attach(Level::Process, 0x1000, 100);
        assert_eq!(buffers.of(Level::Process), Some(number));
        assert!(buffers.charge(PROCESS, 101).is_err());
        let (one, two) =
            (buffers.charge(PROCESS, 60).unwrap(), buffers.charge(PROCESS, 40).unwrap());
        assert!(buffers.charge(PROCESS, 1).is_err() && !buffers.are_empty());
        buffers.give_back(&two);
        let lack = buffers.charge(PROCESS, 41).unwrap_err();
        assert_eq!(lack, Lack::Space { free: 40, all: 100 });
        buffers.give_back(&one);
        assert!(buffers.are_empty());
        let whole = buffers.charge(PROCESS, 100).unwrap();
        buffers.give_back(&whole);
        assert_eq!(buffers.detach(Level::Process), Some((0x1000, 100)));
        assert_eq!(buffers.of(Level::Process), None);
    }

    #[test]
    fn the_automatic_buffer_never_ends() {
        let mut buffers = AttachedBuffers::default();
        buffers.attach(Level::Process, abi::MPI_BUFFER_AUTOMATIC, 0);
        buffers.charge(PROCESS, i64::MAX / 2).unwrap();
        buffers.charge(PROCESS, i64::MAX / 2).unwrap();
    }

    #[test]
    fn a_flush_waits_only_for_the_messages_before_it() {
        let mut buffers = AttachedBuffers::default();
        let number = buffers.attach(Level::Process, 4096, 1000);
        assert!(!buffers.add_flush(number, request(2)));
        let charges: Vec<Charge> = (0..3).map(|_| buffers.charge(PROCESS, 100).unwrap()).collect();
        assert!(buffers.add_flush(number, request(1)));
        let later = buffers.charge(PROCESS, 100).unwrap();
        assert!(!buffers.give_back(&charges[1]));
        assert!(!buffers.give_back(&later));
        assert!(!buffers.give_back(&charges[0]));
        assert_eq!(buffers.complete, []);
        assert!(buffers.give_back(&charges[2]));
        assert_eq!(buffers.complete, [request(1)]);
        assert!(buffers.are_empty());
    }

    #[test]
    fn a_detached_buffer_is_removed_when_its_last_message_has_left() {
        let mut buffers = AttachedBuffers::default();
        let of_self = Level::Comm(abi::MPI_COMM_SELF);
        buffers.attach(Level::Process, 4096, 10);
        buffers.attach(of_self, 8192, 200);
        // The first object that has a buffer is charged, and no other.
        let charge = buffers.charge([of_self, Level::Process], 200).unwrap();
        assert!(buffers.charge([of_self, Level::Process], 1).is_err());
        assert_eq!(buffers.detach(Level::Process), Some((4096, 10)));
        assert_eq!(buffers.detach(of_self), Some((8192, 200)));
        assert_eq!(buffers.detach(of_self), None);
        assert_eq!(buffers.buffers.len(), 1);
        buffers.give_back(&charge);
        assert!(buffers.buffers.is_empty());
    }

    #[test]
    fn lanes_share_the_buffers_of_a_process() {
        let first = Shared::new();
        assert_eq!(first.collect(), (Vec::new(), false));
        let other = first.share();
        let number = first.lock().attach(Level::Process, 4096, 100);
        let charge = other.lock().charge(PROCESS, 100).unwrap();
        assert!(first.lock().add_flush(number, request(1)));
        assert_eq!(first.collect(), (Vec::new(), true));
        other.lock().give_back(&charge);
        assert_eq!(first.collect(), (vec![request(1)], false));
        assert_eq!(first.collect(), (Vec::new(), false));
    }
}
