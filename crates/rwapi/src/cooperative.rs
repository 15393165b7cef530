//! Long writes on one host, which two processors copy.
//!
//! Who writes alone fetches each line of the other's block to fill it, and who receives fetches it back to read it. So a long write is told of before it
//! begins, and whoever is in a call of this library meanwhile copies a part of it, out of the writer's block into its own:
//!
//! ```text
//!   writer    JOIN ── claim, copy, claim, copy … ── none left, and the other has copied what it claimed: the call returns
//!   receiver        claim, copy, claim, copy … ── none left, tells how much
//! ```
//!
//! The chunks are claimed from one word in the writer's slot (`nemesis::cooperative`).
//! A receiver that stays away costs nothing but the packet: the writer copies all
//! of it. The writer waits inside for no more than one chunk, so where processes share processors nobody is asked. Who writes looks itself whether the other
//! does, too, and copies what comes before what goes: then each copies into its own lines, and both write at once as fast as they read.
//!
//! What the packet says is looked up as what a write says is: the bytes must lie in a block of the writer and in one of ours.

use crate::route::Copying;
use crate::{Failure, JOIN, Rwapi};
use nemesis::cooperative::Copy;
use nemesis::wire::{Header, word, words};
use nemesis::{CooperativeCopy, Span};
use nemesis_sys::processor;

/// A write from here on is worth a packet and some words that change hands: less where lines change hands slowly, of which the other then fetches its part.
pub fn min_bytes() -> usize {
    if processor::line_transfers_are_slow() { 4 << 10 } else { 16 << 10 }
}

/// How much is claimed at a time, at most: who ends first does not wait long for the other.
const CHUNK_MAX_BYTES: u64 = 32 << 10;
/// Looks at what the other has copied before the processor is given away: as long as a chunk takes, unless the other has lost its processor.
const LOOKS_BEFORE_YIELD: u32 = 10_000;

/// A write of a neighbour of which it has told.
#[derive(Debug, Clone, Copy)]
pub struct Join {
    writer: u32,
    copy: Copy,
    local: u64,
    remote: u64,
}

impl Join {
    fn packet(copy: &Copy, local: u64, remote: u64) -> (Header, [u64; 2]) {
        (
            Header { kind: JOIN, context: remote, rank: copy.generation, ..Header::default() },
            [local, copy.bytes],
        )
    }

    /// `None` where the packet has not what it should.
    pub fn read(writer: u32, header: &Header, payload: &[u8]) -> Option<Join> {
        let (local, bytes) = (word(payload, 0)?, word(payload, 1)?);
        Some(Join {
            writer,
            copy: Copy { generation: header.rank, bytes },
            local,
            remote: header.context,
        })
    }
}

/// Both count the chunks of a copy alike.
fn chunk_bytes(copy: &Copy) -> u64 {
    (copy.bytes / 4).next_power_of_two().min(CHUNK_MAX_BYTES).max(copy.bytes >> 31)
}

impl Rwapi {
    /// Writes by a way that is known, if the write is long and the other may help; false, and nothing has happened, where that is not so.
    pub(crate) fn write_jointly(
        &mut self,
        node: u32,
        local: u64,
        remote: u64,
        bytes: usize,
    ) -> Result<bool, Failure> {
        if bytes < self.cooperative_min_bytes {
            return Ok(false);
        }
        let Some(cooperative) = self.endpoint.cooperative_with(node) else { return Ok(false) };
        let Some(copying) = self.routes.copying(node, local, remote, bytes) else {
            return Ok(false);
        };
        let copy = cooperative.begin(bytes as u64);
        let (header, payload) = Join::packet(&copy, local, remote);
        // Where there is no room for the packet nobody hears of it.
        self.endpoint.try_send(node, header, words(payload).as_bytes());
        let mut left = copy.bytes;
        while let Some(part) = cooperative.claim_chunk(&copy, chunk_bytes(&copy)) {
            copying.copy(&part);
            left -= part.end - part.start;
            if self.endpoint.has_ready() {
                self.progress();
            }
        }
        self.await_help(cooperative, left)?;
        Ok(true)
    }

    fn await_help(&mut self, cooperative: &CooperativeCopy, bytes: u64) -> Result<(), Failure> {
        let mut looks = 0u32;
        while cooperative.helped() < bytes {
            looks += 1;
            if looks.is_multiple_of(LOOKS_BEFORE_YIELD) {
                if self.wireup.launcher_is_gone() {
                    return Err(Failure::Launcher);
                }
                nemesis::yield_now();
            }
            std::hint::spin_loop();
        }
        Ok(())
    }

    /// Copies parts of the writes of which neighbours have told.
    #[inline]
    pub(crate) fn help(&mut self) {
        while let Some(join) = self.inbox.joins.pop_front() {
            self.help_with(&join);
        }
    }

    pub(crate) fn help_with(&mut self, join: &Join) -> Option<()> {
        let Join { writer, copy, local, remote } = *join;
        let cooperative = self.endpoint.cooperative_of(writer)?;
        if !cooperative.is_open(&copy, chunk_bytes(&copy)) {
            return None;
        }
        let bytes = usize::try_from(copy.bytes).ok()?;
        let own = self.inbox.block(remote, bytes)?;
        let (to, offset) = (Span::of_shared(own.shared.clone()), (remote - own.offset) as usize);
        self.routes.meet(&self.memory, writer, self.inbox.directories[writer as usize]?).ok()?;
        let (from, start) = self.routes.source(&self.memory, writer, local, bytes)?;
        let copying = Copying { from, start, to, offset };
        while let Some(part) = copying
            .fits(bytes)
            .then(|| cooperative.claim_chunk(&copy, chunk_bytes(&copy)))
            .flatten()
        {
            copying.copy(&part);
            cooperative.add_helped(part.end - part.start);
        }
        Some(())
    }
}
