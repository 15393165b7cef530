//! The directory: which ranges a process offers to others, written by it alone, read by everybody who is about to touch one of them.
//!
//! ```text
//!   version | ranges | start, length | start, length | …          in a block of the owner's heap
//! ```
//!
//! The version is odd while the rest changes: a reader that saw an odd one, or another afterwards, reads again. It keeps what it read, so that an
//! access costs one look at the version. Ordering edges: E1 *ranges → version*: Release store of the even version, Acquire load of the reader.
//! E2 *odd version → ranges*, and the ranges before the reader's second look: fences.

use crate::memory::Memory;
use nemesis_shm::heap::{Block, Refusal, Shared};
use nemesis_sync::{Ordering, fence};
use std::sync::Arc;

const VERSION: usize = 0;
const COUNT: usize = 8;
const FIRST: usize = 16;
const ENTRY: usize = 16;
/// Room for 65 535 ranges; pages appear when they are needed.
const BYTES: usize = 1 << 20;
/// Room for 4095, where shared memory is scarce.
const FEW_BYTES: usize = 64 << 10;

/// How long the directories of this node are, the same for all its processes.
fn directory_bytes(memory: &Memory) -> usize {
    if memory.is_spare() { BYTES } else { FEW_BYTES }
}

/// How many ranges there is room for.
fn room(block: &Shared) -> usize {
    (block.bytes() - FIRST) / ENTRY
}

/// A process's own.
#[derive(Debug)]
pub struct Directory {
    block: Block,
    ranges: Vec<(u64, usize)>,
}

/// The directory has no room for another range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

impl Directory {
    pub fn new(memory: &mut Memory) -> Result<Directory, Refusal> {
        let bytes = directory_bytes(memory);
        Ok(Directory { block: memory.allocate(bytes, 1)?, ranges: Vec::new() })
    }

    /// Nobody reads it any more.
    pub fn close(self, memory: &mut Memory) {
        memory.free(self.block);
    }

    /// Where others find it.
    pub fn offset(&self) -> u64 {
        self.block.offset
    }

    /// Offers a range.
    pub fn offer(&mut self, start: u64, bytes: usize) -> Result<(), Full> {
        if self.ranges.len() == room(&self.block.shared) {
            return Err(Full);
        }
        self.ranges.push((start, bytes));
        self.publish(self.ranges.len() - 1);
        Ok(())
    }

    /// Withdraws an offer; false when there was none.
    pub fn withdraw(&mut self, start: u64, bytes: usize) -> bool {
        let Some(index) = self.ranges.iter().position(|&range| range == (start, bytes)) else {
            return false;
        };
        self.ranges.swap_remove(index);
        self.publish(index);
        true
    }

    /// Tells of the ranges, of which the one at `index`, if it is there, has changed.
    fn publish(&self, index: usize) {
        let block = &self.block.shared;
        // Relaxed: we are the only writer.
        let version = block.word(VERSION).load(Ordering::Relaxed);
        block.word(VERSION).store(version + 1, Ordering::Relaxed);
        // Release fence (E2): whoever sees a word of what follows sees the odd version in its second look.
        fence(Ordering::Release);
        if let Some(&(start, bytes)) = self.ranges.get(index) {
            // Relaxed: ordered by the fence before and the version behind.
            block.word(FIRST + index * ENTRY).store(start, Ordering::Relaxed);
            block.word(FIRST + index * ENTRY + 8).store(bytes as u64, Ordering::Relaxed);
        }
        // Relaxed: as above.
        block.word(COUNT).store(self.ranges.len() as u64, Ordering::Relaxed);
        // Release (E1): publishes the ranges.
        block.word(VERSION).store(version + 2, Ordering::Release);
    }
}

/// Another process's directory, as far as it was read.
#[derive(Debug)]
pub struct Reader {
    shared: Arc<Shared>,
    version: u64,
    ranges: Vec<(u64, usize)>,
}

impl Reader {
    /// The directory of `process` at `offset`.
    pub fn new(memory: &Memory, process: u32, offset: u64) -> Result<Reader, Refusal> {
        Ok(Reader {
            shared: memory.map(process, offset, directory_bytes(memory))?,
            version: 0,
            ranges: Vec::new(),
        })
    }

    /// Whether what was found last is offered still.
    #[inline]
    pub fn is_current(&self) -> bool {
        // Relaxed: whoever is told of a change is told by a packet, which orders the version; nobody else can expect it to be seen.
        self.shared.word(VERSION).load(Ordering::Relaxed) == self.version
    }

    /// The ranges that are offered now: start and length.
    #[inline]
    pub fn ranges(&mut self) -> &[(u64, usize)] {
        // Acquire (E1): the ranges that go with this version.
        if self.shared.word(VERSION).load(Ordering::Acquire) != self.version {
            self.read();
        }
        &self.ranges
    }

    /// The range that has all of `start .. start + bytes`, if one is offered now.
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
        loop {
            // Acquire (E1): as in `ranges`.
            let version = self.shared.word(VERSION).load(Ordering::Acquire);
            if version.is_multiple_of(2) {
                // Relaxed: the second look at the version tells whether these belong together.
                let count = (self.shared.word(COUNT).load(Ordering::Relaxed) as usize)
                    .min(room(&self.shared));
                let word = |index: usize, at| {
                    self.shared.word(FIRST + index * ENTRY + at).load(Ordering::Relaxed)
                };
                self.ranges =
                    (0..count).map(|index| (word(index, 0), word(index, 8) as usize)).collect();
                // Acquire fence (E2): all that was read above was read before this look.
                fence(Ordering::Acquire);
                // Relaxed: ordered by the fence.
                if self.shared.word(VERSION).load(Ordering::Relaxed) == version {
                    self.version = version;
                    return;
                }
            }
            std::thread::yield_now();
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
        let room = room(&directory.block.shared) as u64;
        for number in 0..room {
            assert_eq!(directory.offer(number * 100, 10), Ok(()));
        }
        assert_eq!(directory.offer(room * 100, 10), Err(Full));
        assert_eq!(
            (reader.find(4200, 10), reader.find(room * 100 - 95, 5)),
            (Some((4200, 10)), Some((room * 100 - 100, 10)))
        );
        assert_eq!(
            (
                reader.find(4201, 10),
                reader.find(4199, 2),
                reader.find(u64::MAX, 2),
                reader.find(room * 100, 1)
            ),
            (None, None, None, None)
        );
        // The last takes the place of one that is withdrawn, and of itself none.
        assert!(
            directory.withdraw(4200, 10)
                && !directory.withdraw(4200, 10)
                && !directory.withdraw(0, 9)
        );
        assert!(
            directory.withdraw((room - 1) * 100, 10) && directory.withdraw((room - 2) * 100, 10)
        );
        assert_eq!(
            (
                reader.find(4200, 1),
                reader.find((room - 1) * 100, 1),
                reader.find((room - 2) * 100, 1)
            ),
            (None, None, None)
        );
        assert_eq!(
            (reader.ranges().len() as u64, reader.find(4300, 10), reader.find(4100, 1)),
            (room - 3, Some((4300, 10)), Some((4100, 10)))
        );
        assert_eq!(directory.offer(4205, 1), Ok(()));
        assert_eq!(reader.find(4205, 1), Some((4205, 1)));
        directory.close(&mut memory);
    }
}
