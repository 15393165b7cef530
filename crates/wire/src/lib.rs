//! Defines the packet header that begins every packet, in a fastbox, in a cell and on a network.
//!
//! ```text
//!   0        4      5      6      8                 16       20       24
//!   | seq    | kind | flags| size | context         | tag    | rank   |  payload …
//! ```
//!
//! The header is little endian and has 24 bytes, so that a 64-byte cache line carries 40 bytes of
//! payload. It is plain data: every bit pattern is a header, and the reader checks what it means.
//! Kinds below [`FIRST_SERVICE_KIND`] belong to the subsystem, kinds from [`FIRST_CLIENT_KIND`] on
//! to its client (MPI).

#![warn(missing_docs)]

/// Sequence number of a packet within its ordered pair of processes. Numbers are odd, so that they
/// wrap around without becoming 0, which marks an empty line.
pub type Seq = u32;

/// Sequence number of the first packet of a pair.
pub const FIRST_SEQ: Seq = 1;

/// Header of a packet.
///
/// # Examples
/// A header is followed by its payload, on a network in the byte order of [`encode`](Self::encode):
/// ```
/// use nemesis_wire::{FIRST_CLIENT_KIND, FIRST_SEQ, HEADER_BYTES, Header};
///
/// let payload = b"hello";
/// let header = Header {
///     seq: FIRST_SEQ,
///     kind: FIRST_CLIENT_KIND,
///     size: payload.len() as u16,
///     tag: 7,
///     ..Header::default()
/// };
/// let packet = [&header.encode()[..], payload].concat();
///
/// assert_eq!(Header::decode(&packet), Some(header));
/// assert_eq!(Header::decode(&packet[..HEADER_BYTES - 1]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(C)]
pub struct Header {
    /// Sequence number of the packet within its pair of processes.
    pub seq: Seq,
    /// What the packet is: one of [`kind`], or a kind of the client.
    pub kind: u8,
    /// Flags, the meaning of which depends on the kind.
    pub flags: u8,
    /// Bytes of payload in this packet.
    pub size: u16,
    /// For a message of the client its context (communicator); otherwise it depends on the kind.
    pub context: u64,
    /// Tag of the message.
    pub tag: i32,
    /// Rank of the sender in the communicator of `context`.
    pub rank: u32,
}

/// Bytes of a header.
pub const HEADER_BYTES: usize = 24;
/// Bytes of a cache line of x86-64 and most aarch64 processors. Processes lay out shared memory by
/// it.
pub const CACHE_LINE_BYTES: usize = 64;
/// Bytes of payload that fit into the cache line of the header.
pub const LINE_PAYLOAD_BYTES: usize = CACHE_LINE_BYTES - HEADER_BYTES;

const _: () = assert!(size_of::<Header>() == HEADER_BYTES && align_of::<Header>() == 8);
const _: () =
    assert!(std::mem::offset_of!(Header, seq) == 0 && std::mem::offset_of!(Header, kind) == 4);
const _: () =
    assert!(std::mem::offset_of!(Header, size) == 6 && std::mem::offset_of!(Header, context) == 8);
const _: () =
    assert!(std::mem::offset_of!(Header, tag) == 16 && std::mem::offset_of!(Header, rank) == 20);

/// Kinds of packets that the subsystem itself sends.
pub mod kind {
    /// Not a packet: the remaining lines of the fastbox's ring are unused, and the next packet
    /// begins at the start of the ring.
    pub const SKIP: u8 = 0;
    /// The sender has created a fastbox; payload: its offset in the segment (u64).
    pub const BOX_OPEN: u8 = 1;
    /// Flow control over a network; payload (u64): 1 asks the receiver of this packet to hold short
    /// messages back, 0 lets it continue.
    pub const THROTTLE: u8 = 2;
    /// The sender is writing a long packet into a cell. Context, tag and rank are those of the long
    /// packet; the payload holds the cell's offset in the segment (u64), and its length (low half),
    /// kind and flags (u64). In a foreign fastbox, which has no cells, it is the last packet: the
    /// sender has disconnected.
    pub const CELL: u8 = 3;
    /// The sender has made a foreign fastbox, which the receiver of this packet shall open. Payload
    /// (u64 each): the sender's process id, descriptor and offset of its slot, descriptor and key
    /// (two words) of the memory, the processor on which the sender runs.
    pub const FOREIGN_BOX: u8 = 4;
    /// Answer to `FOREIGN_BOX`. Payload (u64 each): 1 if the fastbox is open, process id,
    /// descriptor and offset of the slot of this packet's sender.
    pub const FOREIGN_BOX_ANSWER: u8 = 5;
    /// Cards of the sender's networks in a lane, over its first lane. Payload (u64 each): the lane,
    /// with 256 added if the sender asks for those of the receiver; bytes of the cards; offset of
    /// this piece. Then the piece, filled up to whole words.
    pub const LANE_CARDS: u8 = 6;

    /// A request to access memory that its owner's process carries out. Payload: the number of the
    /// request among those of the pair (u64), what the client adds, the begin of its stream.
    pub const AM_ASK: u8 = super::FIRST_SERVICE_KIND;
    /// More of a request's stream; the context is its number, the first word of the payload the
    /// offset in the stream.
    pub const AM_DATA: u8 = super::FIRST_SERVICE_KIND + 1;
    /// Bytes of a request's result; the context is its number, the first word of the payload the
    /// offset in the result.
    pub const AM_RESULT: u8 = super::FIRST_SERVICE_KIND + 2;
    /// All requests of the pair up to the number in the context are done.
    pub const AM_DONE: u8 = super::FIRST_SERVICE_KIND + 3;
    /// The request with the number in the context is refused; the payload is the client's.
    pub const AM_REFUSED: u8 = super::FIRST_SERVICE_KIND + 4;
}

/// First kind that goes to the caller of poll. Kinds below [`FIRST_CLIENT_KIND`] are for services
/// of the subsystem.
pub const FIRST_SERVICE_KIND: u8 = 8;

/// First kind that is free for the client of the subsystem.
pub const FIRST_CLIENT_KIND: u8 = 16;

/// Returns the sequence number that follows `seq`.
///
/// # Examples
/// ```
/// use nemesis_wire::{FIRST_SEQ, next_seq};
///
/// assert_eq!(next_seq(FIRST_SEQ), 3);
/// assert_eq!(next_seq(u32::MAX), FIRST_SEQ);
/// ```
#[inline(always)]
pub fn next_seq(seq: Seq) -> Seq {
    seq.wrapping_add(2)
}

impl Header {
    /// Returns the header's 24 bytes in the order of the network.
    pub fn encode(&self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[0..4].copy_from_slice(&self.seq.to_le_bytes());
        bytes[4] = self.kind;
        bytes[5] = self.flags;
        bytes[6..8].copy_from_slice(&self.size.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.context.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.tag.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.rank.to_le_bytes());
        bytes
    }

    /// Reads a header from the first bytes of a packet; `None` if there are fewer than 24.
    pub fn decode(bytes: &[u8]) -> Option<Header> {
        let bytes: &[u8; HEADER_BYTES] = bytes.get(..HEADER_BYTES)?.try_into().ok()?;
        let (seq, rest) = bytes.split_first_chunk::<4>()?;
        let (&[kind, flags], rest) = rest.split_first_chunk::<2>()?;
        let (size, rest) = rest.split_first_chunk::<2>()?;
        let (context, rest) = rest.split_first_chunk::<8>()?;
        let (tag, rest) = rest.split_first_chunk::<4>()?;
        let (rank, _) = rest.split_first_chunk::<4>()?;
        Some(Header {
            seq: Seq::from_le_bytes(*seq),
            kind,
            flags,
            size: u16::from_le_bytes(*size),
            context: u64::from_le_bytes(*context),
            tag: i32::from_le_bytes(*tag),
            rank: u32::from_le_bytes(*rank),
        })
    }
}

/// Returns the 64-bit word `index` of a payload of control words; `None` if the payload ends before
/// it.
#[inline]
pub fn word(payload: &[u8], index: usize) -> Option<u64> {
    let bytes = payload.get(index * 8..index * 8 + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

/// Makes a payload of `N` control words.
///
/// # Examples
/// ```
/// use nemesis_wire::{word, words};
///
/// let payload = words([4096, 2]);
/// assert_eq!(word(payload.as_bytes(), 1), Some(2));
/// assert_eq!(word(payload.as_bytes(), 2), None);
/// ```
#[inline]
pub fn words<const N: usize>(values: [u64; N]) -> Words<N> {
    Words(values.map(u64::to_le_bytes))
}

/// Control words, encoded for the network.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Words<const N: usize>([[u8; 8]; N]);

impl<const N: usize> Words<N> {
    /// Returns the payload.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_flattened()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_header_survives_the_wire() {
        let header = Header {
            seq: 7,
            kind: 17,
            flags: 3,
            size: 40,
            context: 1 << 40 | 5,
            tag: i32::MAX,
            rank: 3,
        };
        assert_eq!(Header::decode(&header.encode()), Some(header));
        assert_eq!(Header::decode(&header.encode()[..23]), None);
    }

    #[test]
    fn sequence_numbers_wrap_around_without_zero() {
        assert_eq!(next_seq(FIRST_SEQ), 3);
        assert_eq!(next_seq(u32::MAX), FIRST_SEQ);
    }

    #[test]
    fn words_are_checked_when_read() {
        let words = words([1, u64::MAX]);
        assert_eq!(word(words.as_bytes(), 1), Some(u64::MAX));
        assert_eq!(word(words.as_bytes(), 2), None);
    }

    proptest! {
        #[test]
        fn a_decoded_header_encodes_to_its_bytes(
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
        ) {
            match Header::decode(&bytes) {
                Some(header) => prop_assert_eq!(&header.encode()[..], &bytes[..HEADER_BYTES]),
                None => prop_assert!(bytes.len() < HEADER_BYTES),
            }
        }

        #[test]
        fn a_word_exists_if_the_payload_reaches_its_end(
            bytes in proptest::collection::vec(any::<u8>(), 0..60),
            index in 0usize..9,
        ) {
            prop_assert_eq!(word(&bytes, index).is_some(), index * 8 + 8 <= bytes.len());
        }
    }
}
