//! Large messages within the node: copies from one process's memory to another's.
//!
//! A large message is read by its receiver, where the kernel allows that. Where sender and receiver each have a processor, the sender helps: see
//! [`nemesis_shm::cooperative`] for how they divide the work.

use crate::endpoint::Endpoint;
use crate::kernel_copy;
use crate::peer::Reach;
use nemesis_shm::cooperative::{self, CooperativeCopy};
use nemesis_shm::segment::Slot;
use nemesis_sync::Ordering;
use std::ops::Range;

/// A copy from here on is worth a packet each way: two processors save more than that.
const COOPERATIVE_MIN_BYTES: usize = 24 * 1024;

/// Bytes that one call of the kernel reads: it pins the pages of a call, up to some mebibytes, before it copies the first. Half of it and twice as much are
/// as good on one machine or the other (0003).
const READ_BYTES: usize = 1024 * 1024;

/// What a helper did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Help {
    /// So many bytes are copied.
    Copied(u64),
    /// The kernel refused, or there are no such bytes, and a part that nobody else will copy is not copied.
    Refused,
}

impl Endpoint {
    /// Reads `into.len()` bytes at `address` in the memory of process `from`; false when the kernel refuses, and then it is not tried again.
    pub fn read_memory(&mut self, from: u32, address: u64, into: &mut [u8]) -> bool {
        let Some(pid) = self.pid_of(from) else { return false };
        let mut parts = (address..).step_by(READ_BYTES).zip(into.chunks_mut(READ_BYTES));
        let read = parts.all(|(address, part)| kernel_copy::read(pid, address, part).is_ok());
        self.peers[from as usize].reach = if read { Reach::Granted } else { Reach::Refused };
        self.counted.memory_bytes_read += if read { into.len() as u64 } else { 0 };
        read
    }

    /// Whether a copy of `bytes` bytes from process `from` is better made by both.
    pub fn shares_copies(&self, from: u32, bytes: usize) -> bool {
        let worthwhile =
            bytes >= COOPERATIVE_MIN_BYTES && !self.shared_processors && from != self.me();
        worthwhile && self.peers[from as usize].reach == Reach::Granted
    }

    /// Begins such a copy, which comes to its end before another is begun.
    pub fn begin_cooperative(&self, bytes: usize) -> cooperative::Copy {
        self.slot.cooperative().begin(bytes as u64)
    }

    /// The owner's part of a copy, until nothing of it is left to begin: how many bytes it read from `address` on into their places in `into`. `None`
    /// when the kernel refuses.
    pub fn read_cooperatively(
        &mut self,
        copy: &cooperative::Copy,
        from: u32,
        address: u64,
        into: &mut [u8],
    ) -> Option<usize> {
        let cooperative = self.slot.cooperative();
        let mut done = 0;
        while let Some(chunk) = cooperative.claim(copy) {
            let into = &mut into[chunk.start as usize..chunk.end as usize];
            if !self.read_memory(from, address + chunk.start, into) {
                cooperative.claim_rest(copy);
                return None;
            }
            done += into.len();
        }
        Some(done)
    }

    /// The helper's part: writes what is left to begin from `bytes`, which the owner reads otherwise, to its place from `address` on in the memory of
    /// process `owner`.
    pub fn help(
        &mut self,
        owner: u32,
        copy: &cooperative::Copy,
        address: u64,
        bytes: &[u8],
    ) -> Help {
        let (Some(slot), Some(pid)) = (&self.peers[owner as usize].slot, self.pid_of(owner)) else {
            return Help::Copied(0);
        };
        let cooperative = slot.cooperative();
        let mut done = 0;
        while let Some(chunk) = cooperative.claim(copy) {
            let Some(bytes) = bytes.get(chunk.start as usize..chunk.end as usize) else {
                return Help::Refused;
            };
            if kernel_copy::write(pid, address + chunk.start, bytes).is_err() {
                // From now on nothing is claimed that others could copy.
                self.peers[owner as usize].reach = Reach::Refused;
                return Help::Refused;
            }
            done += chunk.end - chunk.start;
        }
        self.counted.memory_bytes_written += done;
        Help::Copied(done)
    }

    /// Begins a cooperative copy of which this process reads one chunk after the other, until the
    /// sender claims the rest and sends it in packets, or until [`end_reading`](Self::end_reading).
    /// Returns `None` if the kernel refuses to copy.
    pub fn begin_reading(&mut self, from: u32, bytes: usize) -> Option<cooperative::Copy> {
        self.is_reading = self.shares_copies(from, bytes);
        self.is_reading.then(|| self.begin_cooperative(bytes))
    }

    /// Whether nothing is left of such a copy for either process to begin.
    pub fn is_claimed(&self, copy: &cooperative::Copy) -> bool {
        self.slot.cooperative().is_closed(copy)
    }

    /// Reads the next chunk from its place behind `address` to its place in `into`: which bytes, and whether the kernel let us. `None` when none is left.
    pub fn read_chunk(
        &mut self,
        copy: &cooperative::Copy,
        from: u32,
        address: u64,
        into: &mut [u8],
    ) -> Option<(Range<usize>, bool)> {
        let chunk = self.slot.cooperative().claim(copy)?;
        let bytes = chunk.start as usize..chunk.end as usize;
        let read = self.read_memory(from, address + chunk.start, &mut into[bytes.clone()]);
        Some((bytes, read))
    }

    /// Nothing of the copy is left to be begun when this returns; whether something was.
    pub fn end_reading(&mut self, copy: &cooperative::Copy) -> bool {
        self.is_reading = false;
        self.slot.cooperative().claim_rest(copy).is_some()
    }

    /// The sender's part of such a copy: takes what is left to begin, which the owner will not read. Where it begins; `None` when nothing is left.
    pub fn claim_rest(&self, owner: u32, copy: &cooperative::Copy) -> Option<usize> {
        let begin = self.cooperative_of(owner)?.claim_rest(copy)?;
        Some(begin as usize)
    }

    /// The word by which we and a process that helps divide a copy of ours that both make by load and store; `None` when it is better made alone.
    pub fn cooperative_with(&self, helper: u32) -> Option<&'static CooperativeCopy> {
        let worthwhile = !self.shared_processors
            && helper != self.me()
            && !self.is_far(helper)
            && !self.is_reading;
        worthwhile.then(|| self.slot.cooperative())
    }

    /// That of a neighbour.
    pub fn cooperative_of(&self, owner: u32) -> Option<&'static CooperativeCopy> {
        self.peers.get(owner as usize)?.slot.as_ref().map(Slot::cooperative)
    }

    /// The process whose memory may be within reach.
    fn pid_of(&self, process: u32) -> Option<i32> {
        let peer = &self.peers[process as usize];
        let slot = peer.slot.as_ref().filter(|_| peer.reach != Reach::Refused)?;
        // Relaxed: the packet that told us of the memory came after the store.
        Some(slot.pid().load(Ordering::Relaxed) as i32)
    }
}
