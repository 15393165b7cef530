//! The first card of every process under the launchers of others: the node it is on, and how its
//! node's first rank hands the segment over.
//!
//! ```text
//!   nemesis-2 LF build LF place LF socket name (hex) LF job key (hex; of rank 0 only, else "-")
//! ```
//!
//! Two processes are on one node if their *places* are equal: host name, kernel (boot id), network
//! namespace (which abstract sockets belong to) and pid namespace (in which process ids are valid).
//! Placement as launchers report it is not used: some report none, others count one host twice.

use crate::key::{JobKey, fill_random};
use crate::{build, hex};
use nemesis_sys::host;
use std::collections::HashMap;

const FORM: &str = "nemesis-2";

pub const SOCKET_NAME_BYTES: usize = 16;

#[derive(Clone, Debug)]
pub struct Card {
    pub place: String,
    /// Abstract socket name on which this process hands the segment over if it is the first of its
    /// node.
    pub socket: [u8; SOCKET_NAME_BYTES],
    pub key: Option<JobKey>,
}

impl Card {
    /// Makes the card of this process. Rank 0 adds the job's key.
    pub fn of_this_process(rank: u32) -> Result<Card, std::io::Error> {
        let mut socket = [0; SOCKET_NAME_BYTES];
        fill_random(&mut socket)?;
        let key = if rank == 0 { Some(JobKey::random()?) } else { None };
        Ok(Card { place: place(), socket, key })
    }

    pub fn encode(&self) -> Vec<u8> {
        let key = self.key.as_ref().map_or("-".to_owned(), JobKey::to_hex);
        let (build, socket) = (build::own(), hex::encode(&self.socket));
        format!("{FORM}\n{build}\n{}\n{socket}\n{key}", self.place).into_bytes()
    }

    /// Returns the [build] of the process whose card these bytes are; `None` if they
    /// are no card, or one without a build.
    pub fn build_of(bytes: &[u8]) -> Option<&str> {
        let mut lines = std::str::from_utf8(bytes).ok()?.split('\n');
        lines.next().filter(|form| *form == FORM).and_then(|_| lines.next())
    }

    /// Decodes a card; `None` if the bytes are not a card of this build.
    pub fn decode(bytes: &[u8]) -> Option<Card> {
        let mut lines = std::str::from_utf8(bytes).ok()?.split('\n');
        let mut next = || lines.next();
        if next()? != FORM || next()? != build::own() {
            return None;
        }
        let place = next()?.to_owned();
        let socket = hex::decode(next()?)?.try_into().ok()?;
        let key = match next()? {
            "-" => None,
            key => Some(JobKey::from_hex(key)?),
        };
        Some(Card { place, socket, key })
    }
}

fn place() -> String {
    let told = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
    let boot = host::boot_id().unwrap_or_else(|| "-".to_owned());
    [
        host::hostname().replace('\n', "_"),
        boot,
        told(host::namespace("net")),
        told(host::namespace("pid")),
    ]
    .join("/")
}

/// Returns a number of the place of this process and of its user, never 0. Two processes with one
/// number may share memory.
pub fn place_number() -> u64 {
    let user = rustix::process::geteuid().as_raw();
    let hash = blake3::hash(format!("{}/{user}", place()).as_bytes());
    let number = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
    u64::from_le_bytes(*number).max(1)
}

/// Numbers the nodes in the order of their first appearance, and returns the node of every rank.
pub fn nodes(cards: &[Card]) -> Vec<u32> {
    let mut places: HashMap<&str, u32> = HashMap::new();
    let mut nodes = Vec::with_capacity(cards.len());
    for card in cards {
        let next = places.len() as u32;
        nodes.push(*places.entry(&card.place).or_insert(next));
    }
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_card_comes_back_as_it_was() {
        for rank in [0, 1] {
            let card = Card::of_this_process(rank).unwrap();
            let read = Card::decode(&card.encode()).unwrap();
            assert_eq!((&read.place, read.socket), (&card.place, card.socket));
            assert_eq!(read.key.map(|key| key.to_hex()), card.key.map(|key| key.to_hex()));
        }
    }

    #[test]
    fn foreign_cards_are_refused() {
        for text in [
            "",
            "nemesis-1\nx\n00000000000000000000000000000000\n-",
            "nemesis-2",
            "nemesis-2\nBUILD\nx\n00\n-",
            "nemesis-2\nBUILD\nx\nzz\n-",
            "nemesis-2\nBUILD\nx\n00000000000000000000000000000000\nshort",
            "nemesis-2\n0.0.1-0\nx\n00000000000000000000000000000000\n-",
        ] {
            let text = text.replace("BUILD", build::own());
            assert!(Card::decode(text.as_bytes()).is_none(), "{text:?}");
        }
    }

    #[test]
    fn a_card_of_another_build_tells_which() {
        let card = Card::of_this_process(1).unwrap().encode();
        assert_eq!(Card::build_of(&card), Some(build::own()));
        let other = "nemesis-2\n0.0.1-0\nx\n00000000000000000000000000000000\n-";
        assert_eq!(Card::build_of(other.as_bytes()), Some("0.0.1-0"));
        assert_eq!(Card::build_of(b"nemesis-1\nx\n00\n-"), None);
    }

    #[test]
    fn nodes_are_numbered_as_they_appear() {
        let at = |place: &str| Card {
            place: place.to_owned(),
            socket: [0; SOCKET_NAME_BYTES],
            key: None,
        };
        assert_eq!(nodes(&[at("b"), at("a"), at("b"), at("c")]), [0, 1, 0, 2]);
    }

    proptest! {
        #[test]
        fn nonsense_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = Card::decode(&bytes);
        }

        #[test]
        fn a_damaged_card_is_refused_or_read(at in 0usize..200, byte: u8, cut in 0usize..200) {
            let mut bytes = Card::of_this_process(0).unwrap().encode();
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(length - cut % length);
            if let Some(card) = Card::decode(&bytes) {
                prop_assert!(card.key.is_none_or(|key| key.to_hex().len() == 64));
            }
        }
    }
}
