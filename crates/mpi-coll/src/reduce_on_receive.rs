//! Reduces a contribution while it is received: each chunk of a long packet, in place, while the
//! sender writes the next one. This saves a copy to a place of its own and the reads from there. If
//! contributions cross, both processes have written before they read, and a copy, which prefetches
//! lines, is as fast.

use super::operator::{self, Operator, SliceKernel};
use crate::matching::Pattern;
use crate::protocol::unpack_long_packet;
use crate::receive::Place;
use crate::request::Completion;
use nemesis::wire::CACHE_LINE_BYTES;
use nemesis::{LongPacket, copy_slice};
use nemesis_datatype::Buffer;

/// Bytes that are reduced at a time: the value stays in the first-level cache from its copy to its
/// reduction.
const BLOCK_BYTES: usize = 2 << 10;

/// The destination of a contribution that is reduced while it is received.
pub struct ReduceOnReceive<'a> {
    kernel: SliceKernel<'a>,
    /// A place for the whole contribution, if it does not come in chunks.
    place: &'a Buffer,
    /// The value so far, if it must not be changed, and the place of the new one: `into = value op
    /// contribution`, or `into = contribution op into`.
    value: Option<&'a Buffer>,
    into: &'a Buffer,
    is_done: bool,
}

impl<'a> ReduceOnReceive<'a> {
    /// Returns `None` unless the contribution can be reduced as it arrives: its elements are of a
    /// predefined type and contiguous, and lines hold whole elements.
    pub fn new(
        operator: Operator,
        place: &'a Buffer,
        value: Option<&'a Buffer>,
        into: &'a Buffer,
    ) -> Option<ReduceOnReceive<'a>> {
        let kernel = operator::kernel(operator, into)
            // Chunks are whole lines, except the last one.
            .filter(|kernel| CACHE_LINE_BYTES.is_multiple_of(kernel.element_bytes()))?;
        let is_even = value.is_none_or(|value| value.bytes() == into.bytes())
            && place.bytes() == into.bytes();
        (is_even && kernel.combine(&mut [], &[]).is_ok()).then_some(ReduceOnReceive {
            kernel,
            place,
            value,
            into,
            is_done: false,
        })
    }

    /// Returns whether the contribution was reduced; otherwise it lies in its place.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Reduces all chunks. Returns `None`, and reads nothing, if there is no place for the value.
    fn combine(&self, packet: &mut LongPacket) -> Option<()> {
        let mut into = self.into.clone();
        let mut rest = into.as_bytes_mut()?;
        let mut value = match self.value {
            Some(value) => Some(value.as_bytes()?),
            None => None,
        };
        loop {
            let chunk = packet.next_chunk();
            if chunk.is_empty() {
                return Some(());
            }
            for block in chunk.chunks(BLOCK_BYTES) {
                let (part, behind) = rest.split_at_mut(block.len());
                if let Some(from) = value {
                    let (from, behind) = from.split_at(block.len());
                    copy_slice(part, from);
                    value = Some(behind);
                }
                // This cannot fail: the operator was tried on an empty vector of this type.
                let _ = self.kernel.combine(part, block);
                rest = behind;
            }
        }
    }
}

impl Place for &mut ReduceOnReceive<'_> {
    fn put(&mut self, payload: &[u8]) -> usize {
        self.place.unpack_at(0, payload)
    }

    fn put_long_packet(&mut self, pattern: &Pattern, packet: &mut LongPacket) -> Completion {
        let bytes = packet.len();
        if bytes != self.into.bytes() || self.combine(packet).is_none() {
            return unpack_long_packet(&mut self.place.clone(), pattern, packet);
        }
        self.is_done = true;
        Completion::message(pattern, bytes as u64)
    }

    fn as_buffer(&self) -> Buffer {
        self.place.clone()
    }
}
