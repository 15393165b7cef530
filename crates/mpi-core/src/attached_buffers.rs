//! Attached buffers of the buffered mode: the space that messages take in them, and the flushes
//! that wait until messages have left (MPI 5.0 §3.6).

use crate::abi;
use crate::handle;
use std::collections::BTreeMap;

/// Identifies an attached buffer. A number is never used again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct BufferNumber(u64);

/// All attached buffers, and detached ones with messages that have not left yet.
pub struct AttachedBuffers {
    buffers: BTreeMap<BufferNumber, AttachedBuffer>,
    drawn: u64,
    /// The process's own buffer.
    pub(crate) of_process: Option<BufferNumber>,
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

impl AttachedBuffer {
    fn has_space(&self, needed: i64) -> bool {
        self.automatic || self.bytes - self.used >= needed
    }
}

impl AttachedBuffers {
    pub const fn new() -> AttachedBuffers {
        AttachedBuffers { buffers: BTreeMap::new(), drawn: 0, of_process: None }
    }

    /// Attaches memory of `bytes` bytes.
    pub(crate) fn insert(&mut self, address: usize, bytes: i64) -> BufferNumber {
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
    pub(crate) fn charge(&mut self, number: BufferNumber, bytes: i64) -> Option<Charge> {
        let attached = self.buffers.get_mut(&number)?;
        attached.used += bytes;
        attached.pending += 1;
        attached.begun += 1;
        Some(Charge { buffer: number, bytes, number: attached.begun })
    }

    /// Releases the space of a message that has left, and returns the flushes that are complete.
    pub(crate) fn give_back(&mut self, charge: &Charge) -> Vec<handle::Request> {
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
    pub(crate) fn are_empty(&self) -> bool {
        self.buffers.values().all(|attached| attached.pending == 0)
    }

    /// Returns the address and the size of a buffer.
    pub(crate) fn memory(&self, number: BufferNumber) -> Option<(usize, i64)> {
        self.buffers.get(&number).map(|attached| (attached.address, attached.bytes))
    }

    /// Returns whether a buffer has space for `needed` bytes.
    pub(crate) fn has_space(&self, number: BufferNumber, needed: i64) -> bool {
        self.buffers.get(&number).is_some_and(|attached| attached.has_space(needed))
    }

    /// Returns the free bytes of a buffer, and all its bytes.
    pub(crate) fn space(&self, number: BufferNumber) -> Option<(i64, i64)> {
        let attached = self.buffers.get(&number)?;
        Some((attached.bytes - attached.used, attached.bytes))
    }

    /// Returns whether messages of a buffer have not left yet.
    pub(crate) fn is_pending(&self, number: BufferNumber) -> bool {
        self.buffers.get(&number).is_some_and(|attached| attached.pending > 0)
    }

    /// Adds a flush, which waits for the messages that are in the buffer now.
    pub(crate) fn add_flush(&mut self, number: BufferNumber, request: handle::Request) {
        if let Some(attached) = self.buffers.get_mut(&number) {
            let (before, remaining) = (attached.begun, attached.pending);
            attached.flushes.push(Flush { request, before, remaining });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::handle::Handle;

    fn request(index: usize) -> handle::Request {
        handle::Request::from_bits(index)
    }

    #[test]
    fn space_is_taken_and_given_back() {
        let mut buffers = AttachedBuffers::new();
        let number = buffers.insert(0x1000, 100);
        assert!(buffers.has_space(number, 100) && !buffers.has_space(number, 101));
        let (one, two) = (buffers.charge(number, 60).unwrap(), buffers.charge(number, 40).unwrap());
        assert!(!buffers.has_space(number, 1) && buffers.is_pending(number));
        buffers.give_back(&two);
        assert_eq!(buffers.space(number), Some((40, 100)));
        buffers.give_back(&one);
        assert!(buffers.has_space(number, 100) && buffers.are_empty());
        assert_eq!(buffers.memory(number), Some((0x1000, 100)));
    }

    #[test]
    fn the_automatic_buffer_never_ends() {
        let mut buffers = AttachedBuffers::new();
        let number = buffers.insert(abi::MPI_BUFFER_AUTOMATIC, 0);
        buffers.charge(number, i64::MAX / 2).unwrap();
        assert!(buffers.has_space(number, i64::MAX / 2));
    }

    #[test]
    fn a_flush_waits_only_for_the_messages_before_it() {
        let mut buffers = AttachedBuffers::new();
        let number = buffers.insert(4096, 1000);
        let charges: Vec<Charge> = (0..3).filter_map(|_| buffers.charge(number, 100)).collect();
        buffers.add_flush(number, request(1));
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
