//! Large messages within the node: single copies between the memory of two processes.
//!
//! The receiver reads a large message, if the kernel permits that. If sender and receiver each have
//! a processor, the sender helps (a cooperative copy): see [`nemesis_shm::cooperative`] for how
//! they divide the work.

use crate::endpoint::Endpoint;
use crate::kernel_copy;
use crate::peer::Reach;
use nemesis_shm::cooperative::{self, CooperativeCopy};
use nemesis_shm::segment::Slot;
use nemesis_sync::Ordering;
use nemesis_wire::CACHE_LINE_BYTES;
use std::ops::Range;
use std::time::Duration;

/// Bytes that one call of the kernel reads. A call pins its pages, up to some mebibytes, before it
/// copies the first. Half and double this length were as good on one machine or the other.
const READ_BYTES: usize = 1024 * 1024;

/// Result of a helper's part of a cooperative copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Help {
    /// The helper copied this number of bytes.
    Copied(u64),
    /// The kernel refused, or the sender has no such bytes. The helper had claimed a part that is
    /// not copied.
    Refused,
}

impl Endpoint {
    /// Reads `into.len()` bytes at `address` in the memory of process `from`. Returns false if the
    /// kernel refuses; no later read tries again.
    pub fn read_memory(&mut self, from: u32, address: u64, into: &mut [u8]) -> bool {
        let Some(pid) = self.pid_of(from) else { return false };
        let mut parts = (address..).step_by(READ_BYTES).zip(into.chunks_mut(READ_BYTES));
        let read = parts.all(|(address, part)| kernel_copy::read(pid, address, part).is_ok());
        self.peers[from as usize].reach = if read { Reach::Granted } else { Reach::Refused };
        self.counted.memory_bytes_read += if read { into.len() as u64 } else { 0 };
        read
    }

    /// Returns whether both processes should make a copy of `bytes` bytes from process `from`.
    pub fn shares_copies(&self, from: u32, bytes: usize) -> bool {
        let worthwhile = bytes >= self.limits.cooperative_min_bytes
            && !self.shared_processors
            && from != self.me()
            && !self.is_remote(from);
        worthwhile && self.peers[from as usize].reach == Reach::Granted
    }

    /// Returns whether process `to` may read messages of medium length that could go in packets:
    /// the kernel copies, each process has a processor, and packets are not always faster.
    pub fn is_read_by(&self, to: u32) -> bool {
        self.limits.fast_read_line_ns > 0.0
            && !self.shared_processors
            && self.forcing.is_none()
            && to != self.me()
            && !self.is_remote(to)
            && self.copies_by_kernel(to)
    }

    /// Returns whether a read of `bytes` bytes that took `time` was about as fast as packets are,
    /// or faster. Bytes that only the sender's caches hold take four to five times as long.
    pub fn is_fast_read(&self, bytes: usize, time: Duration) -> bool {
        let lines = bytes.div_ceil(CACHE_LINE_BYTES) as f32;
        (time.as_nanos() as f32)
            < self.limits.fast_read_call_ns + lines * self.limits.fast_read_line_ns
    }

    /// Begins a cooperative copy. It ends before this process begins another.
    pub fn begin_cooperative(&self, bytes: usize) -> cooperative::Copy {
        self.slot.cooperative().begin(bytes as u64)
    }

    /// Makes the owner's part of a cooperative copy, until no chunk is left: reads chunks from
    /// `address` on into their places in `into`. Returns the number of bytes read, or `None` if the
    /// kernel refuses.
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

    /// Makes the helper's part of a cooperative copy, until no chunk is left: writes chunks of
    /// `bytes` to their places from `address` on in the memory of process `owner`. The owner reads
    /// the other chunks.
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
                // The helper claims no further chunk, so the owner can copy all others.
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

    /// Returns whether no chunk of the copy is left for either process.
    pub fn is_claimed(&self, copy: &cooperative::Copy) -> bool {
        self.slot.cooperative().is_closed(copy)
    }

    /// Reads the next chunk from its place behind `address` to its place in `into`. Returns the
    /// chunk, and whether the kernel permitted the read; `None` if no chunk is left.
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

    /// Ends the reading: no chunk of the copy is left when this returns. Returns whether one was
    /// left.
    pub fn end_reading(&mut self, copy: &cooperative::Copy) -> bool {
        self.is_reading = false;
        self.slot.cooperative().claim_rest(copy).is_some()
    }

    /// Makes the sender's part of such a copy: claims all chunks that are left, so the owner does
    /// not read them. Returns where they begin; `None` if none is left.
    pub fn claim_rest(&self, owner: u32, copy: &cooperative::Copy) -> Option<usize> {
        let begin = self.cooperative_of(owner)?.claim_rest(copy)?;
        Some(begin as usize)
    }

    /// Returns the word by which this process and `helper` divide a copy of this process that both
    /// make by load and store; `None` if this process should copy alone.
    pub fn cooperative_with(&self, helper: u32) -> Option<&'static CooperativeCopy> {
        let worthwhile = !self.shared_processors
            && helper != self.me()
            && !self.is_remote(helper)
            && !self.is_reading;
        worthwhile.then(|| self.slot.cooperative())
    }

    /// Returns the word by which process `owner` divides such copies.
    pub fn cooperative_of(&self, owner: u32) -> Option<&'static CooperativeCopy> {
        self.peers.get(owner as usize)?.slot.as_ref().map(Slot::cooperative)
    }

    /// Returns the process identifier of a process whose memory may be reachable.
    fn pid_of(&self, process: u32) -> Option<i32> {
        let peer = &self.peers[process as usize];
        match &peer.slot {
            _ if peer.reach == Reach::Refused => None,
            // Relaxed: the packet that announced the memory came after the store.
            Some(slot) => Some(slot.pid().load(Ordering::Relaxed) as i32),
            None => self.foreigners.boxes.pid_of(process),
        }
    }
}
