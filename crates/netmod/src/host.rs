//! Defines what a module may ask of the process that it serves.

use crate::{Cell, Failure, RegionMut};
use nemesis_wire::{HEADER_BYTES, Header};

/// Names a pending send; the caller chooses it.
pub type Token = u64;

/// Why a module cannot reach a process that has no card for it, and what the user may try.
pub const NO_CARD: &str = "it has no card for this network: its NEMESIS_NETWORKS does not name it, \
                           or its host cannot use it; try: the same NEMESIS_NETWORKS for all \
                           processes, and `nemesis info` on that host";

/// The process, as its module sees it. A module borrows it for the length of a call.
pub trait Host {
    /// Returns the business card of this kind of module in `process`; `None` if it has none there.
    /// The first call for a process may be slow.
    fn card(&mut self, process: u32) -> Option<Vec<u8>>;

    /// Returns a cell for `payload` bytes of payload. `None` if none is free: the module leaves the
    /// packet in the network and tries again in a later poll.
    fn alloc(&mut self, payload: usize) -> Option<Cell>;

    /// Delivers a packet that lies in the module's own memory, without a cell, and returns true.
    /// Returns false if the host cannot take it now: the module keeps it and offers it again. The
    /// packet's bulk payload, if any, lies in the memory that `place` returned for it.
    fn offer(&mut self, from: u32, header: &Header, payload: &[u8]) -> bool {
        let Some(mut cell) = self.alloc(payload.len()) else { return false };
        let (head, rest) = cell.frame_mut().split_at_mut(HEADER_BYTES);
        head.copy_from_slice(&header.encode());
        rest[..payload.len()].copy_from_slice(payload);
        self.deliver(from, cell);
        true
    }

    /// Delivers a packet from process `from`. Its frame lies in the cell, its bulk payload, if any,
    /// in the memory that `place` returned for it.
    fn deliver(&mut self, from: u32, cell: Cell);

    /// Returns an unused cell.
    fn give_back(&mut self, cell: Cell);

    /// Returns the memory for the bulk payload of `bytes` bytes that follows this packet; `None` if
    /// the module shall read and discard the bulk payload. The module asks once for each packet
    /// with a bulk payload; if the packet is [ordered](crate::Packet::ordered), after it has
    /// delivered all earlier ordered packets of `from`. It drops the region before it delivers the
    /// packet.
    fn place(
        &mut self,
        from: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut>;

    /// Reports that the send with this token, which returned
    /// [`Sent::Pending`](crate::Sent::Pending), has left the process, or has failed. Called once
    /// per token.
    fn completed(&mut self, token: Token, outcome: Result<(), Failure>);

    /// Reports that `process` has become unreachable. Called once per process.
    fn lost(&mut self, process: u32, failure: Failure);

    /// Takes a message for the log.
    fn note(&mut self, _what: &str) {}

    /// Takes a message for the user: the module does less than it was asked to, and nobody else
    /// says so. A module says each thing once, because every process may have it to say.
    fn warn(&mut self, what: &str) {
        self.note(what);
    }

    /// Takes a message for the user that concerns the whole job: of the processes that have
    /// something to say about `subject`, one says it.
    fn warn_job(&mut self, subject: &str, what: &str) {
        let _ = subject;
        self.warn(what);
    }
}
