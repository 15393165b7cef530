//! Directories: the memory ranges that a process offers to other processes of the node.
//!
//! The owner alone writes its directory. Every process reads it before it touches one of the
//! ranges. Of ranges that only their owner reaches, such as memory of a device, others read that
//! they have to ask for what lies there.
//!
//! ```text
//!   version | count | start, length | start, length | …          in a block of the owner's heap
//! ```
//!
//! # Examples
//!
//! ```
//! use nemesis::directory::{Directory, Reader};
//! use nemesis::{Endpoint, Tunables};
//! use nemesis_wireup::Wireup;
//!
//! let mut wireup = Wireup::connect()?;
//! let mut endpoint = Endpoint::join(&mut wireup, &Tunables::default())?;
//! let mut memory = endpoint.take_memory().expect("an endpoint hands out its memory once");
//!
//! let mut directory = Directory::new(&mut memory)?;
//! directory.offer(0x1000, 64)?;
//! let mut reader = Reader::new(&memory, memory.me(), directory.offset())?;
//! assert_eq!(reader.find(0x1010, 8), Some((0x1000, 64)));
//! assert!(directory.withdraw(0x1000, 64));
//! assert_eq!(reader.find(0x1010, 8), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Consistency
//!
//! The version is odd while the owner changes the rest. A reader that sees an odd version, or
//! another version after it has read, reads again. A reader keeps what it has read, so an access
//! costs one load of the version. Ordering edges: E1 *ranges → version*: the Release store of the
//! even version, the Acquire load of the reader. E2 *odd version → ranges*, and the ranges before
//! the reader's second load of the version: fences.

use crate::memory::Memory;
use nemesis_shm::heap::{Block, Refusal, Shared};
use nemesis_shm::word_wait::WordWait;
use nemesis_sync::{Ordering, fence};
use std::fmt;
use std::sync::Arc;

/// Offset of the version.
const VERSION: usize = 0;
/// Offset of the number of ranges.
const COUNT: usize = 8;
/// Offset of the first range.
const FIRST: usize = 16;
/// Bytes of a range.
const ENTRY_BYTES: usize = 16;
/// The bit of a length that says that only the owner reaches the range.
const OWNERS: usize = 1 << (usize::BITS - 1);
/// Length of a directory with 65 535 ranges. Its pages exist once they are touched.
const BYTES: usize = 1 << 20;
/// Length of a directory with 4095 ranges, where shared memory is scarce.
const FEW_BYTES: usize = 64 << 10;

/// Returns the length of all directories of this node.
fn directory_bytes(memory: &Memory) -> usize {
    if memory.is_spare() { BYTES } else { FEW_BYTES }
}

/// Returns the most ranges that a directory holds.
fn capacity(block: &Shared) -> usize {
    (block.bytes() - FIRST) / ENTRY_BYTES
}

/// The directory of this process.
#[derive(Debug)]
pub struct Directory {
    block: Block,
    ranges: Vec<(u64, usize)>,
}

/// Error: the directory is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the directory of memory ranges is full")
    }
}

impl std::error::Error for Full {}

impl Directory {
    /// Allocates an empty directory in the heap of this process.
    ///
    /// # Errors
    ///
    /// The heap refuses memory.
    pub fn new(memory: &mut Memory) -> Result<Directory, Refusal> {
        let bytes = directory_bytes(memory);
        Ok(Directory { block: memory.allocate(bytes, 1)?, ranges: Vec::new() })
    }

    /// Frees the directory. No process may read it any more.
    pub fn close(self, memory: &mut Memory) {
        memory.free(self.block);
    }

    /// Returns the offset by which other processes find the directory in the owner's heap.
    pub fn offset(&self) -> u64 {
        self.block.offset
    }

    /// Offers a range.
    ///
    /// # Errors
    ///
    /// [`Full`] if the directory holds no further range.
    pub fn offer(&mut self, start: u64, bytes: usize) -> Result<(), Full> {
        if self.ranges.len() == capacity(&self.block.shared) {
            return Err(Full);
        }
        self.ranges.push((start, bytes));
        self.publish(self.ranges.len() - 1);
        Ok(())
    }

    /// Offers a range that other processes do not reach: they ask this one for accesses to it.
    ///
    /// # Errors
    ///
    /// As of [`offer`](Self::offer).
    pub fn offer_on_request(&mut self, start: u64, bytes: usize) -> Result<(), Full> {
        self.offer(start, bytes | OWNERS)
    }

    /// Withdraws a range. Returns false if it was not offered.
    pub fn withdraw(&mut self, start: u64, bytes: usize) -> bool {
        let is_it = |range: &(u64, usize)| (range.0, range.1 & !OWNERS) == (start, bytes);
        let Some(index) = self.ranges.iter().position(is_it) else {
            return false;
        };
        self.ranges.swap_remove(index);
        self.publish(index);
        true
    }

    /// Publishes the ranges, of which the one at `index` has changed or has been removed.
    fn publish(&self, index: usize) {
        let block = &self.block.shared;
        // Relaxed: this process is the only writer.
        let version = block.word(VERSION).load(Ordering::Relaxed);
        block.word(VERSION).store(version + 1, Ordering::Relaxed);
        // Release fence (E2): a reader that sees a word stored below sees the odd version in its
        // second load.
        fence(Ordering::Release);
        if let Some(&(start, bytes)) = self.ranges.get(index) {
            // Relaxed: ordered by the fence above and the version below.
            block.word(FIRST + index * ENTRY_BYTES).store(start, Ordering::Relaxed);
            block.word(FIRST + index * ENTRY_BYTES + 8).store(bytes as u64, Ordering::Relaxed);
        }
        // Relaxed: as above.
        block.word(COUNT).store(self.ranges.len() as u64, Ordering::Relaxed);
        // Release (E1): publishes the ranges.
        block.word(VERSION).store(version + 2, Ordering::Release);
    }
}

/// A reader of another process's directory, and what it has read.
#[derive(Debug)]
pub struct Reader {
    shared: Arc<Shared>,
    /// The owner.
    process: u32,
    version: u64,
    ranges: Vec<(u64, usize)>,
    /// The ranges that only the owner reaches.
    on_request: Vec<(u64, usize)>,
}

impl Reader {
    /// Returns a reader of the directory of `process` at `offset`.
    ///
    /// # Errors
    ///
    /// The offset does not lead to such a block of that process's heap, or the block cannot be
    /// mapped.
    pub fn new(memory: &Memory, process: u32, offset: u64) -> Result<Reader, Refusal> {
        Ok(Reader {
            shared: memory.map(process, offset, directory_bytes(memory))?,
            process,
            version: 0,
            ranges: Vec::new(),
            on_request: Vec::new(),
        })
    }

    /// Returns whether the directory has not changed since the last [`ranges`](Self::ranges) or
    /// [`find`](Self::find).
    #[inline]
    pub fn is_current(&self) -> bool {
        // Relaxed: a process learns of a change by a packet, which orders the version. Without such
        // a packet, nothing says when a change becomes visible.
        self.shared.word(VERSION).load(Ordering::Relaxed) == self.version
    }

    /// Returns the ranges that are offered now: start and length in bytes.
    #[inline]
    pub fn ranges(&mut self) -> &[(u64, usize)] {
        // Acquire (E1): the ranges that go with this version.
        if self.shared.word(VERSION).load(Ordering::Acquire) != self.version {
            self.read();
        }
        &self.ranges
    }

    /// Returns the ranges that only the owner reaches, as [`ranges`](Self::ranges) returns the
    /// others.
    #[inline]
    pub fn on_request(&mut self) -> &[(u64, usize)] {
        self.ranges();
        &self.on_request
    }

    /// Returns the offered range that contains all of `start .. start + bytes`.
    #[inline]
    pub fn find(&mut self, start: u64, bytes: usize) -> Option<(u64, usize)> {
        let end = start.checked_add(bytes as u64)?;
        self.ranges()
            .iter()
            .copied()
            .find(|&(first, length)| start >= first && end <= first.saturating_add(length as u64))
    }

    #[cold]
    fn read(&mut self) {
        let mut wait = WordWait::new("a list of memory that its owner changes");
        loop {
            // Acquire (E1): as in `ranges`.
            let version = self.shared.word(VERSION).load(Ordering::Acquire);
            if version.is_multiple_of(2) {
                // Relaxed: the second load of the version tells whether these words belong
                // together.
                let count = (self.shared.word(COUNT).load(Ordering::Relaxed) as usize)
                    .min(capacity(&self.shared));
                let word = |index: usize, at| {
                    self.shared.word(FIRST + index * ENTRY_BYTES + at).load(Ordering::Relaxed)
                };
                let all = (0..count).map(|index| (word(index, 0), word(index, 8) as usize));
                (self.ranges, self.on_request) = all.partition(|&(_, bytes)| bytes & OWNERS == 0);
                self.on_request.iter_mut().for_each(|(_, bytes)| *bytes &= !OWNERS);
                // Acquire fence (E2): everything above was read before the second load of the
                // version.
                fence(Ordering::Acquire);
                // Relaxed: ordered by the fence.
                if self.shared.word(VERSION).load(Ordering::Relaxed) == version {
                    self.version = version;
                    return;
                }
            }
            if wait.pause_for(self.process) {
                // It died while it changed the list. Nobody answers for its memory any more.
                (self.ranges, self.on_request) = (Vec::new(), Vec::new());
                self.version = version;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoint::Endpoint;
    use crate::tunables::Tunables;
    use nemesis_wireup::Wireup;

    #[test]
    fn a_reader_finds_what_is_offered_and_nothing_else() {
        let mut wireup = Wireup::connect().unwrap();
        let mut endpoint =
            Endpoint::join(&mut wireup, &Tunables::from_environment().unwrap()).unwrap();
        let mut memory = endpoint.take_memory().unwrap();
        let mut directory = Directory::new(&mut memory).unwrap();
        let mut reader = Reader::new(&memory, memory.me(), directory.offset()).unwrap();
        assert!(reader.find(0, 0).is_none());
        let capacity = capacity(&directory.block.shared) as u64;
        for number in 0..capacity {
            assert_eq!(directory.offer(number * 100, 10), Ok(()));
        }
        assert_eq!(directory.offer(capacity * 100, 10), Err(Full));
        assert_eq!(
            (reader.find(4200, 10), reader.find(capacity * 100 - 95, 5)),
            (Some((4200, 10)), Some((capacity * 100 - 100, 10)))
        );
        assert_eq!(
            (
                reader.find(4201, 10),
                reader.find(4199, 2),
                reader.find(u64::MAX, 2),
                reader.find(capacity * 100, 1)
            ),
            (None, None, None, None)
        );
        // The last range takes the place of a withdrawn one.
        assert!(
            directory.withdraw(4200, 10)
                && !directory.withdraw(4200, 10)
                && !directory.withdraw(0, 9)
        );
        assert!(
            directory.withdraw((capacity - 1) * 100, 10)
                && directory.withdraw((capacity - 2) * 100, 10)
        );
        assert_eq!(
            (
                reader.find(4200, 1),
                reader.find((capacity - 1) * 100, 1),
                reader.find((capacity - 2) * 100, 1)
            ),
            (None, None, None)
        );
        assert_eq!(
            (reader.ranges().len() as u64, reader.find(4300, 10), reader.find(4100, 1)),
            (capacity - 3, Some((4300, 10)), Some((4100, 10)))
        );
        assert_eq!(directory.offer(4205, 1), Ok(()));
        assert_eq!(reader.find(4205, 1), Some((4205, 1)));
        assert!(directory.withdraw(4205, 1));
        assert_eq!(directory.offer_on_request(4200, 10), Ok(()));
        assert_eq!((reader.find(4205, 1), reader.on_request()), (None, &[(4200, 10)][..]));
        assert!(directory.withdraw(4200, 10) && reader.on_request().is_empty());
        directory.close(&mut memory);
    }
}
