//! Control messages, which travel over the TCP connection of the pair.
//!
//! A control message is a TCP packet of kind `SKIP`, which no host sends. Its payload is a code and
//! the fields of [`Control`].

use nemesis_wire::{Header, kind};

/// Bytes of a nonce.
pub const NONCE_BYTES: usize = 16;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Packets and their bulk payloads.
    Packets = 0,
    /// Remote memory access. An access to memory that is not registered breaks the connection, so
    /// packets have another one.
    Memory = 1,
}

/// Arguments by which one queue pair connects to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Number of the attempt to connect. Both sides connect when they have offered equal numbers.
    pub attempt: u32,
    pub queue_pair: u32,
    pub psn: u32,
    /// Most reads and atomics under way.
    pub reads: u8,
    /// Packets that the receiver of this message may send without a credit.
    pub window: u8,
    /// iWARP: what the connecting side shows to the accepting one, or the accepting one answers.
    pub nonce: [u8; NONCE_BYTES],
    /// iWARP: address and key of a word that the receiver of this message may read.
    pub word: (u64, u32),
}

/// Bytes of an offer behind its code and purpose.
const OFFER_BYTES: usize = 14 + NONCE_BYTES + 12;

/// A control message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Control {
    Connect(Purpose, Offer),
    /// The sender receives and sends on the connection.
    Ready(Purpose, u32),
    /// The sender has no connection of this kind, and why.
    Refuse(Purpose, String),
    /// The sender finalizes.
    Goodbye,
    /// The sender sends again after a pause.
    Awake,
    /// The sender has lost the connection for packets and closes this one; why.
    Lost(String),
}

const CONNECT: u8 = 1;
const READY: u8 = 2;
const REFUSE: u8 = 3;
const GOODBYE: u8 = 4;
const AWAKE: u8 = 5;
const LOST: u8 = 6;
/// Most bytes of a reason.
const WHY_MAX_BYTES: usize = 500;

impl Control {
    /// Returns the packet: its header and payload.
    pub fn encode(&self) -> (Header, Vec<u8>) {
        let mut bytes = Vec::new();
        match self {
            Control::Connect(purpose, offer) => {
                bytes.extend([CONNECT, *purpose as u8, offer.reads, offer.window]);
                for word in [offer.attempt, offer.queue_pair, offer.psn] {
                    bytes.extend(word.to_le_bytes());
                }
                bytes.extend(offer.nonce);
                bytes.extend(offer.word.0.to_le_bytes());
                bytes.extend(offer.word.1.to_le_bytes());
            }
            Control::Ready(purpose, attempt) => {
                bytes.extend([READY, *purpose as u8]);
                bytes.extend(attempt.to_le_bytes());
            }
            Control::Refuse(purpose, why) => {
                bytes.extend([REFUSE, *purpose as u8]);
                bytes.extend(why.bytes().take(WHY_MAX_BYTES));
            }
            Control::Goodbye => bytes.push(GOODBYE),
            Control::Awake => bytes.push(AWAKE),
            Control::Lost(why) => {
                bytes.push(LOST);
                bytes.extend(why.bytes().take(WHY_MAX_BYTES));
            }
        }
        let header = Header { kind: kind::SKIP, size: bytes.len() as u16, ..Header::default() };
        (header, bytes)
    }

    /// Decodes a payload; `None` if it is malformed.
    pub fn decode(bytes: &[u8]) -> Option<Control> {
        let (&code, rest) = bytes.split_first()?;
        match (code, rest) {
            (GOODBYE, []) => return Some(Control::Goodbye),
            (AWAKE, []) => return Some(Control::Awake),
            (LOST, why) => return Some(Control::Lost(String::from_utf8_lossy(why).into_owned())),
            _ => {}
        }
        let (&purpose, rest) = rest.split_first()?;
        let purpose = match purpose {
            0 => Purpose::Packets,
            1 => Purpose::Memory,
            _ => return None,
        };
        let word = |at: usize| Some(u32::from_le_bytes(*rest.get(at..)?.first_chunk::<4>()?));
        match code {
            CONNECT if rest.len() == OFFER_BYTES => {
                let (nonce, behind) = rest[14..].split_first_chunk::<NONCE_BYTES>()?;
                let address = u64::from_le_bytes(*behind.first_chunk::<8>()?);
                let offer = Offer {
                    attempt: word(2)?,
                    queue_pair: word(6)?,
                    psn: word(10)?,
                    reads: rest[0],
                    window: rest[1],
                    nonce: *nonce,
                    word: (address, word(14 + NONCE_BYTES + 8)?),
                };
                Some(Control::Connect(purpose, offer))
            }
            READY if rest.len() == 4 => Some(Control::Ready(purpose, word(0)?)),
            REFUSE => Some(Control::Refuse(purpose, String::from_utf8_lossy(rest).into_owned())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_their_encoding() {
        let offer = Offer {
            attempt: 1,
            queue_pair: 0x123456,
            psn: 7,
            reads: 16,
            window: 64,
            nonce: [9; NONCE_BYTES],
            word: (1 << 40, 77),
        };
        for message in [
            Control::Connect(Purpose::Memory, offer),
            Control::Ready(Purpose::Packets, 9),
            Control::Refuse(Purpose::Packets, "why".into()),
            Control::Goodbye,
            Control::Awake,
            Control::Lost("why".into()),
        ] {
            let (header, bytes) = message.encode();
            assert_eq!((header.kind, usize::from(header.size)), (kind::SKIP, bytes.len()));
            assert_eq!(Control::decode(&bytes), Some(message));
        }
    }

    #[test]
    fn malformed_messages_are_refused() {
        for bytes in [&[][..], &[9], &[CONNECT, 0, 1], &[CONNECT, 7], &[READY, 0, 1], &[GOODBYE, 1]]
        {
            assert_eq!(Control::decode(bytes), None, "{bytes:?}");
        }
    }
}
