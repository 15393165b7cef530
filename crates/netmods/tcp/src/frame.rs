//! The prefix of every frame: eight bytes, little endian. The highest byte is the kind of frame,
//! the others are the length of the packet's bulk payload.

use nemesis_wire::HEADER_BYTES;

pub const PREFIX_BYTES: usize = 8;
/// Prefix and header: the part of every frame that has a fixed length.
pub const HEAD_BYTES: usize = PREFIX_BYTES + HEADER_BYTES;
/// Maximum length of a bulk payload that a prefix can express.
pub const BULK_MAX: u64 = (1 << 56) - 1;

/// Kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    /// A packet, and the length of its bulk payload in bytes.
    Packet(u64),
    /// The sender leaves; this is its last frame.
    Goodbye,
    /// The sender pauses and may end meanwhile, which then counts as a regular end. Its next packet
    /// ends the pause.
    Rest,
    /// Acknowledges that the goodbye, and everything before it, was read.
    Farewell,
}

impl Prefix {
    pub fn encode(self) -> [u8; PREFIX_BYTES] {
        let (kind, bulk) = match self {
            Prefix::Packet(bulk) => (0, bulk),
            Prefix::Goodbye => (1, 0),
            Prefix::Farewell => (2, 0),
            Prefix::Rest => (3, 0),
        };
        (kind << 56 | bulk).to_le_bytes()
    }

    /// Decodes a prefix; `None` if the kind is unknown.
    pub fn decode(bytes: [u8; PREFIX_BYTES]) -> Option<Prefix> {
        let word = u64::from_le_bytes(bytes);
        match (word >> 56, word & BULK_MAX) {
            (0, bulk) => Some(Prefix::Packet(bulk)),
            (1, 0) => Some(Prefix::Goodbye),
            (2, 0) => Some(Prefix::Farewell),
            (3, 0) => Some(Prefix::Rest),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_prefix_survives_the_wire() {
        for prefix in [
            Prefix::Packet(0),
            Prefix::Packet(BULK_MAX),
            Prefix::Goodbye,
            Prefix::Farewell,
            Prefix::Rest,
        ] {
            assert_eq!(Prefix::decode(prefix.encode()), Some(prefix));
        }
    }

    proptest! {
        #[test]
        fn whatever_is_understood_means_itself(bytes: [u8; 8]) {
            if let Some(prefix) = Prefix::decode(bytes) {
                prop_assert_eq!(prefix.encode(), bytes);
            }
        }
    }
}
