//! A contribution that is joined as it comes: each piece of a long packet while the next is being written, from where it lies. That saves copying it to a
//! place of its own first, and reading it from there. Where contributions cross, both processes have written before they read, and a copy, which asks for the
//! lines ahead, is as fast.

use super::Operator;
use super::shm::{self, ReduceKernel};
use crate::matching::Pattern;
use crate::protocol::unpack_pieces;
use crate::receive::Place;
use crate::request::Completion;
use nemesis::{Pieces, copy_slice};
use nemesis_datatype::Buffer;

/// What is joined at a time: the value stays in the first-level cache between being copied and being joined.
const BLOCK_BYTES: usize = 2 << 10;
/// Pieces are whole lines, but for the last.
const LINE_BYTES: usize = 64;

/// Where a contribution goes.
pub struct Joined<'a> {
    kernel: ReduceKernel<'a>,
    /// A place for all of it, if it does not come in pieces.
    place: &'a Buffer,
    /// The value so far, if it is not to be changed, and where the new one goes: `into = value op contribution`, or `into = contribution op into`.
    value: Option<&'a Buffer>,
    into: &'a Buffer,
    is_done: bool,
}

impl<'a> Joined<'a> {
    /// `None` if it cannot be joined so: all elements are of a predefined type, lie one behind the other, and lines hold whole ones.
    pub fn new(
        operator: Operator,
        place: &'a Buffer,
        value: Option<&'a Buffer>,
        into: &'a Buffer,
    ) -> Option<Joined<'a>> {
        let kernel = shm::kernel(operator, into)
            .filter(|kernel| LINE_BYTES.is_multiple_of(kernel.element_bytes()))?;
        let is_even = value.is_none_or(|value| value.bytes() == into.bytes())
            && place.bytes() == into.bytes();
        (is_even && kernel.join(&mut [], &[]).is_ok()).then_some(Joined {
            kernel,
            place,
            value,
            into,
            is_done: false,
        })
    }

    /// Whether it was joined; otherwise it lies in its place.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Joins all pieces; `None`, and nothing is read, if there is no place for the value.
    fn join(&self, pieces: &mut Pieces) -> Option<()> {
        let mut into = self.into.clone();
        let mut rest = into.as_bytes_mut()?;
        let mut value = match self.value {
            Some(value) => Some(value.as_bytes()?),
            None => None,
        };
        loop {
            let piece = pieces.next_piece();
            if piece.is_empty() {
                return Some(());
            }
            for block in piece.chunks(BLOCK_BYTES) {
                let (part, behind) = rest.split_at_mut(block.len());
                if let Some(from) = value {
                    let (from, behind) = from.split_at(block.len());
                    copy_slice(part, from);
                    value = Some(behind);
                }
                // It was tried on nothing, and the types are the same.
                let _ = self.kernel.join(part, block);
                rest = behind;
            }
        }
    }
}

impl Place for &mut Joined<'_> {
    fn put(&mut self, payload: &[u8]) -> usize {
        self.place.unpack_at(0, payload)
    }

    fn put_pieces(&mut self, pattern: &Pattern, pieces: &mut Pieces) -> Completion {
        let bytes = pieces.len();
        if bytes != self.into.bytes() || self.join(pieces).is_none() {
            return unpack_pieces(&mut self.place.clone(), pattern, pieces);
        }
        self.is_done = true;
        Completion::message(pattern, bytes as u64)
    }

    fn as_buffer(&self) -> Buffer {
        self.place.clone()
    }
}
