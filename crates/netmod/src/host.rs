//! What a module may ask of the process that it serves.

use crate::{Cell, Failure, RegionMut, Token};
use nemesis_wire::{HEADER_BYTES, Header};

/// The process, seen from its module. It is lent for the length of a call.
pub trait Host {
    /// The business card that the same module gave out in `process`; `None` when it has none there. May be slow the first time.
    fn card(&mut self, process: u32) -> Option<Vec<u8>>;

    /// A cell with room for `payload` bytes; `None` when there is none now: leave the packet where it is and come again.
    fn alloc(&mut self, payload: usize) -> Option<Cell>;

    /// Hands over a packet that lies in the module's own memory, without a cell, if the host takes it in now: false leaves it with the module, which
    /// comes again. Its body, if it has one, lies in the place that was given for it.
    fn offer(&mut self, from: u32, header: &Header, payload: &[u8]) -> bool {
        let Some(mut cell) = self.alloc(payload.len()) else { return false };
        let (head, rest) = cell.frame_mut().split_at_mut(HEADER_BYTES);
        head.copy_from_slice(&header.encode());
        rest[..payload.len()].copy_from_slice(payload);
        self.deliver(from, cell);
        true
    }

    /// Hands a packet over. Its frame lies in the cell, its body, if any, in the place that was given for it.
    fn deliver(&mut self, from: u32, cell: Cell);

    /// Returns a cell that was not used.
    fn give_back(&mut self, cell: Cell);

    /// Where to write the body of `bytes` bytes that follows this packet; `None`: nowhere, read it and throw it away. Asked once for each packet with a
    /// body, when all that `from` sent before has been handed over; the module lets go of the place before it hands the packet over.
    fn place(
        &mut self,
        from: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut>;

    /// The send that was answered [`Sent::Pending`](crate::Sent::Pending) for this token has left the process, or never will. Once per token.
    fn completed(&mut self, token: Token, outcome: Result<(), Failure>);

    /// `process` is not to be reached any more. Once per process.
    fn lost(&mut self, process: u32, failure: Failure);

    /// Something that only whoever asks for a log wants to know.
    fn note(&mut self, _what: &str) {}
}
