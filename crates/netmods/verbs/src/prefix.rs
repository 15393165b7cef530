//! The module's own eight bytes in front of each message on a queue pair, and what follows them.
//!
//! ```text
//!   kind  flags  credits  control  number      credits: receives posted again
//!    u8    u8      u8       u8      u32        control: receives of control messages
//! ```
//!
//! Bit 0 of the flags marks an ordered bulk payload; the bits above it count slots of the ring that
//! are free again.

use nemesis_wire::{HEADER_BYTES, Header};

/// Bytes of the prefix.
pub const PREFIX_BYTES: usize = 8;
/// Bytes of the description of a bulk payload.
pub const BULK_BYTES: usize = 24;
/// Most bytes in front of the payload of a packet.
pub const OVERHEAD_BYTES: usize = PREFIX_BYTES + HEADER_BYTES + BULK_BYTES;

/// What follows a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Header and payload.
    Packet = 1,
    /// Header, [`Bulk`] and payload: the receiver reads the bulk payload from the sender's memory.
    Read = 2,
    /// Header, [`Bulk`] and payload: the bulk payload follows in pieces.
    Copy = 3,
    /// A piece of a bulk payload.
    Piece = 4,
    /// Nothing: the message brings credits. The number is that of no packet.
    Credit = 5,
    /// Numbers of bulk payloads (u32 each) that the sender of this message has read.
    Finished = 6,
    /// Address (u64) and key (u32) of a ring for the receiver of this message.
    RingOpen = 7,
    /// The sender of this message stops polling its ring when the other side has answered.
    RingClose = 8,
    /// No message follows on the ring.
    RingClosed = 9,
}

impl Kind {
    /// Whether the message is a control message, which has credits of its own.
    pub fn is_control(self) -> bool {
        self as u8 >= Kind::Credit as u8
    }
}

/// The eight bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    pub kind: Kind,
    /// Whether later packets wait for the bulk payload.
    pub is_ordered: bool,
    pub credits: u8,
    pub control: u8,
    /// Slots of the ring that are free again, at most 127.
    pub slots: u8,
    /// Number of the message within the pair, without control messages.
    pub number: u32,
}

impl Prefix {
    pub fn encode(&self) -> [u8; PREFIX_BYTES] {
        let [a, b, c, d] = self.number.to_le_bytes();
        let flags = u8::from(self.is_ordered) | self.slots << 1;
        [self.kind as u8, flags, self.credits, self.control, a, b, c, d]
    }

    pub fn decode(bytes: &[u8]) -> Option<Prefix> {
        let &[kind, flags, credits, control, a, b, c, d] = bytes.first_chunk::<PREFIX_BYTES>()?;
        let kind = match kind {
            1 => Kind::Packet,
            2 => Kind::Read,
            3 => Kind::Copy,
            4 => Kind::Piece,
            5 => Kind::Credit,
            6 => Kind::Finished,
            7 => Kind::RingOpen,
            8 => Kind::RingClose,
            9 => Kind::RingClosed,
            _ => return None,
        };
        let number = u32::from_le_bytes([a, b, c, d]);
        let (is_ordered, slots) = (flags & 1 != 0, flags >> 1);
        Some(Prefix { kind, is_ordered, credits, control, slots, number })
    }
}

/// Description of a bulk payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bulk {
    pub address: u64,
    pub bytes: u64,
    pub key: u32,
    /// The sender's number of the bulk payload.
    pub id: u32,
}

impl Bulk {
    pub fn encode(&self) -> [u8; BULK_BYTES] {
        let mut bytes = [0; BULK_BYTES];
        bytes[0..8].copy_from_slice(&self.address.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.bytes.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.key.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.id.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Bulk> {
        let (address, rest) = bytes.split_first_chunk::<8>()?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (key, rest) = rest.split_first_chunk::<4>()?;
        let id = rest.first_chunk::<4>()?;
        Some(Bulk {
            address: u64::from_le_bytes(*address),
            bytes: u64::from_le_bytes(*length),
            key: u32::from_le_bytes(*key),
            id: u32::from_le_bytes(*id),
        })
    }
}

/// Returns header, description of the bulk payload and payload of a message of kind `Packet`,
/// `Read` or `Copy`; `None` if the message is malformed.
pub fn packet(kind: Kind, message: &[u8]) -> Option<(Header, Bulk, &[u8])> {
    let rest = message.get(PREFIX_BYTES..)?;
    let header = Header::decode(rest)?;
    let rest = rest.get(HEADER_BYTES..)?;
    let (bulk, payload) = match kind {
        Kind::Packet => (Bulk::default(), rest),
        _ => (Bulk::decode(rest)?, rest.get(BULK_BYTES..)?),
    };
    let has_bulk = kind == Kind::Packet || bulk.bytes > 0 && usize::try_from(bulk.bytes).is_ok();
    (payload.len() == usize::from(header.size) && has_bulk).then_some((header, bulk, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_survives_its_encoding() {
        let prefix = Prefix {
            kind: Kind::Read,
            is_ordered: true,
            credits: 3,
            control: 1,
            slots: 16,
            number: 70_000,
        };
        let header = Header { size: 3, kind: 20, tag: -1, ..Header::default() };
        let bulk = Bulk { address: 1 << 40, bytes: 5, key: 77, id: 9 };
        let mut message = prefix.encode().to_vec();
        message.extend(header.encode());
        message.extend(bulk.encode());
        message.extend(b"abc");
        assert_eq!(Prefix::decode(&message), Some(prefix));
        assert_eq!(packet(Kind::Read, &message), Some((header, bulk, &b"abc"[..])));
        assert_eq!(packet(Kind::Read, &message[..message.len() - 1]), None);
        assert_eq!(packet(Kind::Packet, &message[..40]), None);
        message[0] = 99;
        assert_eq!(Prefix::decode(&message), None);
    }
}
