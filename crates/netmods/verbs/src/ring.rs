//! The fast path: a ring of slots in the receiver's memory, which the sender writes ("RDMA fast
//! path" of the paper), and the cache of the last header ("header caching").
//!
//! ```text
//!   slot   ........ message | word      word: bytes u16, flag and slots u8, credits u8, number u32
//! ```
//!
//! A message ends where the word begins, so one write brings both, the word last. The receiver
//! polls the word of the next slot: the message has arrived when its number is the next one of the
//! pair. The number is the end of the word, so it appears last even if a device writes the word in
//! parts. The word of a free slot is 0, and no message has the number 0. Messages on the ring and
//! in the shared queue share the numbers, which keep their order. If the header repeats that of the
//! ring's last message but for its sequence number, the message is the payload alone.
//!
//! A receiver opens a ring to a process that has sent `BUSY_PACKETS` packets, for at most
//! `RINGS_MAX` processes. A write wakes nobody, so a process closes its rings before it sleeps, and
//! the sender confirms that after its last message on the ring. Each ring that carried fewer than
//! `BUSY_PACKETS` messages doubles the number of packets before the next one, so a process that
//! sleeps between its messages soon opens none.

use crate::buffers::Slots;
use nemesis_wire::{HEADER_BYTES, Header, next_seq};

/// Slots of a ring.
pub const SLOTS: u32 = 16;
/// Bytes of a slot.
pub const SLOT_BYTES: usize = 1024;
/// Longest message: header and payload.
pub const MESSAGE_MAX_BYTES: usize = SLOT_BYTES - WORD_BYTES;
/// Bytes of the word that ends a slot.
pub const WORD_BYTES: usize = 8;
/// Packets of a process after which it gets a ring, and messages for which a ring has to serve.
pub const BUSY_PACKETS: u32 = 10;
/// Most rings of a process, because each is polled.
pub const RINGS_MAX: usize = 64;
/// Longest payload behind a header that is not repeated.
const CACHED_MAX_BYTES: usize = 255;

/// The word that ends a message on a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trailer {
    pub number: u32,
    pub bytes: u16,
    /// Whether the message has no header.
    pub is_cached: bool,
    /// Slots free again, at most 31.
    pub slots: u8,
    pub credits: u8,
}

impl Trailer {
    pub fn encode(&self) -> u64 {
        u64::from(self.bytes)
            | u64::from(self.is_cached) << 16
            | u64::from(self.slots & 31) << 17
            | u64::from(self.credits) << 24
            | u64::from(self.number) << 32
    }

    pub fn decode(word: u64) -> Trailer {
        Trailer {
            number: (word >> 32) as u32,
            bytes: word as u16,
            is_cached: word >> 16 & 1 != 0,
            slots: (word >> 17 & 31) as u8,
            credits: (word >> 24) as u8,
        }
    }
}

/// Returns the number of the message after the one with `number`. A slot without a message has the
/// number 0, so no message has it.
pub fn next_number(number: u32) -> u32 {
    number.checked_add(1).unwrap_or(1)
}

/// The header of a ring's last message, at either end.
#[derive(Clone, Copy, Debug, Default)]
pub struct HeaderCache(Option<Header>);

impl HeaderCache {
    /// Returns whether the receiver can derive a header from the last one.
    pub fn predicts(&self, header: &Header) -> bool {
        usize::from(header.size) <= CACHED_MAX_BYTES && self.derive(header.size) == Some(*header)
    }

    /// Derives the header of a message with `size` bytes of payload.
    pub fn derive(&self, size: u16) -> Option<Header> {
        self.0.map(|last| Header { seq: next_seq(last.seq), size, ..last })
    }

    /// Notes the header of a message, sent or delivered.
    pub fn note(&mut self, header: &Header) {
        self.0 = Some(*header);
    }
}

/// The receiver's end of a ring.
pub struct RingIn {
    pub slots: Slots,
    /// The message that is being delivered, as its sender cannot change it.
    pub message: Box<[u8; MESSAGE_MAX_BYTES]>,
    /// The slot of the next message.
    pub next: u32,
    pub cache: HeaderCache,
    /// Messages that have arrived on it.
    pub carried: u32,
    /// The sender has been asked to stop.
    pub is_closing: bool,
}

/// The sender's end of a ring.
pub struct RingOut {
    pub address: u64,
    pub key: u32,
    pub next: u32,
    pub free: u32,
    pub cache: HeaderCache,
}

/// Returns the number of packets before the next ring to a process, of which `last` packets led to
/// a ring that carried `carried` messages.
pub fn packets_before_next(last: u32, carried: u32) -> u32 {
    if carried < BUSY_PACKETS { last.max(BUSY_PACKETS).saturating_mul(2) } else { BUSY_PACKETS }
}

/// Returns header and payload of a message on a ring; `None` if it is malformed.
pub fn message<'a>(
    cache: &HeaderCache,
    is_cached: bool,
    bytes: &'a [u8],
) -> Option<(Header, &'a [u8])> {
    if is_cached {
        return Some((cache.derive(u16::try_from(bytes.len()).ok()?)?, bytes));
    }
    let header = Header::decode(bytes)?;
    let payload = &bytes[HEADER_BYTES..];
    (payload.len() == usize::from(header.size)).then_some((header, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trailer_survives_its_encoding() {
        for (number, bytes, is_cached, slots, credits) in
            [(1, 0, false, 0, 0), (u32::MAX, u16::MAX, true, 31, 255), (7, 1000, true, 16, 3)]
        {
            let trailer = Trailer { number, bytes, is_cached, slots, credits };
            assert_eq!(Trailer::decode(trailer.encode()), trailer);
        }
        assert_eq!((next_number(7), next_number(u32::MAX)), (8, 1));
    }

    #[test]
    fn rings_that_carry_little_become_rare() {
        let rare = (0..4).fold(0, |last, _| packets_before_next(last, BUSY_PACKETS - 1));
        assert_eq!(rare, 16 * BUSY_PACKETS);
        assert_eq!(packets_before_next(rare, BUSY_PACKETS), BUSY_PACKETS);
        assert_eq!(packets_before_next(u32::MAX, 0), u32::MAX);
    }

    #[test]
    fn a_repeated_header_is_derived() {
        let header = Header { seq: 10, kind: 20, size: 8, context: 5, tag: 3, ..Header::default() };
        let mut cache = HeaderCache::default();
        assert!(!cache.predicts(&header) && message(&cache, true, b"x").is_none());
        cache.note(&header);
        let next = Header { seq: next_seq(10), size: 3, ..header };
        assert!(cache.predicts(&next));
        assert_eq!(message(&cache, true, b"abc"), Some((next, &b"abc"[..])));
        assert!(!cache.predicts(&Header { tag: 4, ..next }));
        assert!(!cache.predicts(&Header { seq: 99, ..next }));
        assert!(!cache.predicts(&Header { size: 256, ..next }));
    }
}
