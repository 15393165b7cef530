//! Messages between two processes: over the provider, and over the lifeline.

use nemesis_wire::{HEADER_BYTES, Header};

/// Length of the prefix of a message over the provider.
pub const PREFIX_BYTES: usize = 24;
/// Bytes of a message besides the payload: prefix, header, the announcement of a bulk payload.
pub const OVERHEAD_BYTES: usize = PREFIX_BYTES + HEADER_BYTES + 16;
/// Longest reason in a message over the lifeline.
const REASON_MAX_BYTES: usize = 800;
/// Longest address of an endpoint.
pub const NAME_MAX_BYTES: usize = 256;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// The first message: the provider has connected the processes.
    Greeting = 1,
    /// Header and payload.
    Packet = 2,
    /// Number and length of a bulk payload, header and payload.
    Announcement = 3,
    /// The receiver has posted memory for a bulk payload: its number, and the tag to use.
    Ask = 4,
    /// The receiver does not want a bulk payload: its number.
    Skip = 5,
    /// Nothing but the credits in the prefix.
    Credits = 6,
    /// The last message of a process that finalizes.
    Goodbye = 7,
    /// The receiver has received everything before the goodbye.
    Farewell = 8,
    /// As an announcement, but in no order with the other packets.
    LooseAnnouncement = 9,
}

impl Kind {
    fn decode(byte: u8) -> Option<Kind> {
        [
            Kind::Greeting,
            Kind::Packet,
            Kind::Announcement,
            Kind::Ask,
            Kind::Skip,
            Kind::Credits,
            Kind::Goodbye,
            Kind::Farewell,
            Kind::LooseAnnouncement,
        ]
        .into_iter()
        .find(|&kind| kind as u8 == byte)
    }
}

/// The start of each message over the provider.
///
/// ```text
///   0 token, 8 bytes   8 sender, 4   12 sequence number, 4   16 credits, 2   18 kind, 1
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix {
    /// The secret that the receiver has given to this sender over the lifeline.
    pub token: u64,
    /// The receiver's index of the sender.
    pub sender: u32,
    /// Number of the message within its pair.
    pub number: u32,
    /// Messages of the receiver that the sender of this one has processed.
    pub credits: u16,
    /// The kind.
    pub kind: Kind,
}

impl Prefix {
    /// Encodes the prefix.
    pub fn encode(&self) -> [u8; PREFIX_BYTES] {
        let mut bytes = [0; PREFIX_BYTES];
        bytes[..8].copy_from_slice(&self.token.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.sender.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.number.to_le_bytes());
        bytes[16..18].copy_from_slice(&self.credits.to_le_bytes());
        bytes[18] = self.kind as u8;
        bytes
    }

    /// Decodes a prefix; `None` if the bytes are not one.
    pub fn decode(bytes: &[u8]) -> Option<Prefix> {
        let bytes = bytes.first_chunk::<PREFIX_BYTES>()?;
        Some(Prefix {
            token: word(bytes, 0)?,
            sender: word(bytes, 8)? as u32,
            number: (word(bytes, 8)? >> 32) as u32,
            credits: word(bytes, 16)? as u16,
            kind: Kind::decode(bytes[18])?,
        })
    }
}

/// Returns the 64-bit word at an offset.
fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
}

/// What follows the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body<'a> {
    /// Greeting, credits, goodbye, farewell.
    Empty,
    /// A packet, and the number and the length of its bulk payload if it has one.
    Packet(Header, &'a [u8], Option<(u64, u64)>),
    /// The number of a bulk payload, and its tag if it is wanted.
    Answer(u64, Option<u64>),
}

/// Encodes what follows the prefix of a packet into `to`. Returns its length.
pub fn encode_packet(
    to: &mut [u8],
    header: &Header,
    payload: &[u8],
    bulk: Option<(u64, u64)>,
) -> usize {
    let mut at = 0;
    if let Some((number, bytes)) = bulk {
        to[..8].copy_from_slice(&number.to_le_bytes());
        to[8..16].copy_from_slice(&bytes.to_le_bytes());
        at = 16;
    }
    to[at..at + HEADER_BYTES].copy_from_slice(&header.encode());
    at += HEADER_BYTES;
    to[at..at + payload.len()].copy_from_slice(payload);
    at + payload.len()
}

/// Encodes the answer to an announcement.
pub fn encode_answer(number: u64, tag: Option<u64>) -> Vec<u8> {
    let mut bytes = number.to_le_bytes().to_vec();
    bytes.extend(tag.into_iter().flat_map(u64::to_le_bytes));
    bytes
}

impl<'a> Body<'a> {
    /// Decodes what follows the prefix of a message of this kind; `None` if it is malformed.
    pub fn decode(kind: Kind, bytes: &'a [u8]) -> Option<Body<'a>> {
        let packet = |bytes: &'a [u8], bulk| {
            let header = Header::decode(bytes)?;
            let payload = bytes.get(HEADER_BYTES..)?;
            (payload.len() == usize::from(header.size))
                .then_some(Body::Packet(header, payload, bulk))
        };
        match kind {
            Kind::Packet => packet(bytes, None),
            Kind::Announcement | Kind::LooseAnnouncement => {
                let bulk = (word(bytes, 0)?, word(bytes, 8)?);
                if bulk.1 == 0 { None } else { packet(bytes.get(16..)?, Some(bulk)) }
            }
            Kind::Ask if bytes.len() == 16 => {
                Some(Body::Answer(word(bytes, 0)?, Some(word(bytes, 8)?)))
            }
            Kind::Skip if bytes.len() == 8 => Some(Body::Answer(word(bytes, 0)?, None)),
            Kind::Greeting | Kind::Credits | Kind::Goodbye | Kind::Farewell => {
                bytes.is_empty().then_some(Body::Empty)
            }
            Kind::Ask | Kind::Skip => None,
        }
    }
}

/// A message over the lifeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LifelineMessage {
    /// The first one.
    Hello(Hello),
    /// The sender continues: its end is a loss again.
    Resumes,
    /// Asks for an answer when all messages before this number have arrived, with their bulk
    /// payloads.
    Question(u32),
    /// The sender has received all messages before this number, and their bulk payloads.
    Arrived(u32),
    /// The receiver of a goodbye has received everything before it.
    Farewell,
    /// The sender's provider does not reach the receiver, and why. The end of the lifeline follows.
    Unreached(String),
}

impl LifelineMessage {
    /// Encodes the message: a byte that tells which one it is, and its contents.
    pub fn encode(&self) -> Vec<u8> {
        let numbered = |kind: u8, number: u32| {
            let mut bytes = vec![kind];
            bytes.extend(number.to_le_bytes());
            bytes
        };
        match self {
            LifelineMessage::Hello(hello) => hello.encode(),
            LifelineMessage::Resumes => vec![2],
            LifelineMessage::Question(number) => numbered(3, *number),
            LifelineMessage::Arrived(number) => numbered(4, *number),
            LifelineMessage::Farewell => vec![5],
            LifelineMessage::Unreached(why) => {
                let shown = &why[..why.floor_char_boundary(REASON_MAX_BYTES)];
                [&[6], shown.as_bytes()].concat()
            }
        }
    }

    /// Decodes a message; `None` if the bytes are not one.
    pub fn decode(bytes: &[u8]) -> Option<LifelineMessage> {
        let (&kind, rest) = bytes.split_first()?;
        let number = || Some(u32::from_le_bytes(rest.try_into().ok()?));
        match kind {
            Hello::FORM => Hello::decode(bytes).map(LifelineMessage::Hello),
            2 if rest.is_empty() => Some(LifelineMessage::Resumes),
            3 => number().map(LifelineMessage::Question),
            4 => number().map(LifelineMessage::Arrived),
            5 if rest.is_empty() => Some(LifelineMessage::Farewell),
            6 => Some(LifelineMessage::Unreached(str::from_utf8(rest).ok()?.to_owned())),
            _ => None,
        }
    }
}

/// The first message over the lifeline: where and how the sender is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// The sender's index of the receiver.
    pub index: u32,
    /// The secret with which the receiver begins its messages to the sender.
    pub token: u64,
    /// Messages that the receiver may have under way to the sender.
    pub window: u16,
    /// Longest message that the sender receives.
    pub message_max_bytes: u32,
    /// The provider.
    pub provider: String,
    /// The address of the sender's endpoint.
    pub name: Vec<u8>,
}

impl Hello {
    const FORM: u8 = 1;

    /// Encodes the hello.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![Hello::FORM];
        bytes.extend(self.index.to_le_bytes());
        bytes.extend(self.token.to_le_bytes());
        bytes.extend(self.window.to_le_bytes());
        bytes.extend(self.message_max_bytes.to_le_bytes());
        bytes.push(self.provider.len() as u8);
        bytes.extend(self.provider.bytes());
        bytes.extend(&self.name);
        bytes
    }

    /// Decodes a hello; `None` if the bytes are not one.
    pub fn decode(bytes: &[u8]) -> Option<Hello> {
        let (&form, rest) = bytes.split_first()?;
        let (index, rest) = rest.split_first_chunk::<4>()?;
        let (token, rest) = rest.split_first_chunk::<8>()?;
        let (window, rest) = rest.split_first_chunk::<2>()?;
        let (message_max_bytes, rest) = rest.split_first_chunk::<4>()?;
        let (&length, rest) = rest.split_first()?;
        let (provider, name) = rest.split_at_checked(length.into())?;
        let hello = Hello {
            index: u32::from_le_bytes(*index),
            token: u64::from_le_bytes(*token),
            window: u16::from_le_bytes(*window),
            message_max_bytes: u32::from_le_bytes(*message_max_bytes),
            provider: str::from_utf8(provider).ok()?.to_owned(),
            name: name.to_vec(),
        };
        (form == Hello::FORM && name.len() <= NAME_MAX_BYTES && hello.window > 0).then_some(hello)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_reason_is_cut_to_what_a_message_carries() {
        let told = LifelineMessage::Unreached("no descriptor is free".to_owned());
        assert_eq!(LifelineMessage::decode(&told.encode()), Some(told));
        let long = LifelineMessage::Unreached("\u{e9}".repeat(REASON_MAX_BYTES));
        assert!(long.encode().len() <= 1 + REASON_MAX_BYTES);
        assert!(LifelineMessage::decode(&long.encode()).is_some());
    }

    #[test]
    fn messages_survive_encoding() {
        let header = Header { size: 5, tag: 7, ..Header::default() };
        let mut bytes = [0; 100];
        for (kind, bulk) in [(Kind::Packet, None), (Kind::Announcement, Some((3, 1 << 40)))] {
            let length = encode_packet(&mut bytes, &header, b"hello", bulk);
            let body = Body::decode(kind, &bytes[..length]);
            assert_eq!(body, Some(Body::Packet(header, b"hello", bulk)));
            assert_eq!(Body::decode(kind, &bytes[..length - 1]), None);
        }
        for tag in [None, Some(9)] {
            let kind = if tag.is_some() { Kind::Ask } else { Kind::Skip };
            assert_eq!(Body::decode(kind, &encode_answer(4, tag)), Some(Body::Answer(4, tag)));
        }
        assert_eq!(Body::decode(Kind::Credits, &[]), Some(Body::Empty));
        assert_eq!(Body::decode(Kind::Credits, &[0]), None);
    }

    proptest! {
        #[test]
        fn a_prefix_survives_encoding(
            token: u64,
            sender: u32,
            number: u32,
            credits: u16,
            kind in 1_u8..=9,
        ) {
            let kind = Kind::decode(kind).unwrap();
            let prefix = Prefix { token, sender, number, credits, kind };
            prop_assert_eq!(Prefix::decode(&prefix.encode()), Some(prefix));
        }

        #[test]
        fn a_hello_survives_encoding(
            index: u32,
            token: u64,
            window in 1_u16..,
            message_max_bytes: u32,
            provider in "[a-z;_]{0,20}",
            name in proptest::collection::vec(any::<u8>(), 0..NAME_MAX_BYTES),
        ) {
            let hello = Hello { index, token, window, message_max_bytes, provider, name };
            let message = LifelineMessage::Hello(hello);
            prop_assert_eq!(LifelineMessage::decode(&message.encode()), Some(message));
        }

        #[test]
        fn a_message_over_the_lifeline_survives_encoding(number: u32, which in 0_usize..4) {
            let message = [
                LifelineMessage::Resumes,
                LifelineMessage::Question(number),
                LifelineMessage::Arrived(number),
                LifelineMessage::Farewell,
            ][which].clone();
            let bytes = message.encode();
            prop_assert_eq!(LifelineMessage::decode(&bytes), Some(message));
            prop_assert_eq!(LifelineMessage::decode(&bytes[..bytes.len() - 1]), None);
        }

        #[test]
        fn any_bytes_decode_without_a_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..100),
        ) {
            let _ = LifelineMessage::decode(&bytes);
            if let Some(prefix) = Prefix::decode(&bytes) {
                let _ = Body::decode(prefix.kind, &bytes[PREFIX_BYTES..]);
            }
        }
    }
}
