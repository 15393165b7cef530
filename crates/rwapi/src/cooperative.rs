//! Cooperative writes: long writes on the host, which two processors copy.
//!
//! A writer that copies alone fetches each line of the other's block to fill it, and the receiver
//! fetches it back to read it. A long write is therefore announced before it begins. If the
//! receiver is in a call of this library meanwhile, it copies a part, from the writer's block into
//! its own:
//!
//! ```text
//!   writer    JOIN ── claim, copy, claim, copy … ── no chunk left, and the receiver has copied
//! what
//!                                                   it has claimed: the call returns
//!   receiver        claim, copy, claim, copy … ── no chunk left: reports the bytes copied
//! ```
//!
//! Both claim chunks from one word in the writer's slot (`nemesis::cooperative`). If the receiver
//! does not help, only the packet is lost: the writer copies everything. The writer waits for at
//! most one chunk, so writes are not announced if processes share processors. A writer polls while
//! it copies. If the other node writes to it meanwhile, it copies its part of that write first:
//! then each processor copies into its own lines, and both write as fast as they read.
//!
//! The addresses in the packet are checked like those of a write: the bytes must lie in a block of
//! the writer and in a block of this node.

use crate::route::Copying;
use crate::{Failure, JOIN, Rwapi};
use nemesis::cooperative::Copy;
use nemesis::wire::{Header, word, words};
use nemesis::{CooperativeCopy, Span};
use nemesis_sys::host_model;

/// Returns the length from which on a cooperative write pays for a packet and for some words that
/// move between the processors. It is shorter where the part that the receiver fetches saves more
/// (`HostModel::cooperates_early`).
pub fn min_bytes() -> usize {
    if host_model::choices().cooperates_early { 4 << 10 } else { 16 << 10 }
}

/// Longest chunk: the process that ends first does not wait long for the other.
const CHUNK_MAX_BYTES: u64 = 32 << 10;
/// Checks of what the other has copied before the writer yields: as long as a chunk takes, unless
/// the other has lost its processor.
const CHECKS_BEFORE_YIELD: u32 = 10_000;

/// The announcement of a long write.
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

    /// Reads an announcement. Returns `None` if the packet is too short.
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

/// Returns the length of the chunks of a copy, which both processes compute alike.
fn chunk_bytes(copy: &Copy) -> u64 {
    (copy.bytes / 4).next_power_of_two().min(CHUNK_MAX_BYTES).max(copy.bytes >> 31)
}

impl Rwapi {
    /// Makes a long write along a known route, with the receiver's help. Returns false, without
    /// effect, if the write is short, the route is not known, or no help is to be expected.
    pub(crate) fn write_cooperatively(
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
        // If the endpoint does not accept the packet, the writer copies alone.
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

    /// Waits until the receiver has copied `bytes` bytes, its part of the write.
    fn await_help(&mut self, cooperative: &CooperativeCopy, bytes: u64) -> Result<(), Failure> {
        let mut checks = 0u32;
        while cooperative.helped() < bytes {
            checks += 1;
            if checks.is_multiple_of(CHECKS_BEFORE_YIELD) {
                if self.wireup.launcher_is_gone() {
                    return Err(Failure::Launcher);
                }
                nemesis::yield_now();
            }
            std::hint::spin_loop();
        }
        Ok(())
    }

    /// Copies parts of the announced writes.
    #[inline]
    pub(crate) fn help(&mut self) {
        while let Some(join) = self.inbox.joins.pop_front() {
            self.help_with(&join);
        }
    }

    /// Copies parts of one announced write. Returns `None` if it is complete, or invalid.
    pub(crate) fn help_with(&mut self, join: &Join) -> Option<()> {
        let Join { writer, copy, local, remote } = *join;
        let cooperative = self.endpoint.cooperative_of(writer)?;
        if !cooperative.is_open(&copy, chunk_bytes(&copy)) {
            return None;
        }
        let bytes = usize::try_from(copy.bytes).ok()?;
        let own = self.inbox.block(remote, bytes)?;
        let (to, offset) = (Span::of_shared(own.shared.clone()), (remote - own.offset) as usize);
        self.routes
            .open_directory(&self.memory, writer, self.inbox.directories[writer as usize]?)
            .ok()?;
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
