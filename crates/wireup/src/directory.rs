//! The *business cards* that networks exchange before they can communicate: one per network and
//! process.
//!
//! ```text
//!   publish("tcp", bytes)   keeps the card in this process
//!   exchange()              puts all cards of this process as one value; returns when all have
//!   card_of(rank, "tcp")    asks the launcher when this process first communicates with a rank
//! ```
//!
//! A process puts its value even if it has no card, because some launchers wait forever for a key
//! that no process puts.
//!
//! ```text
//!   value = *( u8 length of the name, name, u32 length of the card, card )          little endian
//! ```

use crate::WireupError;
use crate::link::Link;
use std::sync::{Arc, Mutex, PoisonError};

/// The cards of all processes. Clones refer to one directory, and may outlive the
/// [`Wireup`](crate::Wireup) that made them.
#[derive(Clone, Debug)]
pub struct Directory {
    pub(crate) link: Arc<Mutex<Link>>,
}

impl Directory {
    /// Returns the card that process `rank` published for `network` before the exchange; `None` if
    /// it has none. It may ask the launcher on a distant host, so callers should keep cards that
    /// they need again.
    ///
    /// # Errors
    /// If the launcher does not answer, or the value is not a valid encoding.
    pub fn card_of(&self, rank: u32, network: &str) -> Result<Option<Vec<u8>>, WireupError> {
        // A thread that panics aborts the process, so that a poisoned lock protects consistent
        // data.
        let value = self.link.lock().unwrap_or_else(PoisonError::into_inner).get(&key_of(rank))?;
        let cards = decode_cards(&value).ok_or_else(|| {
            let what = format!("reading the network addresses of rank {rank}");
            WireupError::new(
                what,
                "they are incomplete, or of another version of the library",
                "making all ranks use the same library",
            )
        })?;
        Ok(cards.into_iter().find(|card| card.0 == network).map(|card| card.1.to_vec()))
    }
}

/// Returns the key under which a process puts its cards.
pub(crate) fn key_of(rank: u32) -> String {
    format!("nemesis-net-{rank}")
}

/// Encodes the cards of one process as one value. Names have at most 255 bytes.
pub fn encode_cards(cards: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut value = Vec::new();
    for (network, card) in cards {
        value.push(network.len() as u8);
        value.extend_from_slice(network.as_bytes());
        value.extend_from_slice(&(card.len() as u32).to_le_bytes());
        value.extend_from_slice(card);
    }
    value
}

/// Returns the cards in a value; `None` if it is not a valid encoding.
pub fn decode_cards(mut value: &[u8]) -> Option<Vec<(&str, &[u8])>> {
    let mut cards = Vec::new();
    while let Some((&length, rest)) = value.split_first() {
        let (network, rest) = rest.split_at_checked(length as usize)?;
        let (length, rest) = rest.split_first_chunk::<4>()?;
        let (card, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        cards.push((std::str::from_utf8(network).ok()?, card));
        value = rest;
    }
    Some(cards)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cards_survive_encoding(
            cards in proptest::collection::vec(
                ("[a-z]{0,9}", proptest::collection::vec(any::<u8>(), 0..99)),
                0..5,
            ),
        ) {
            let value = encode_cards(&cards);
            let back = decode_cards(&value).unwrap().into_iter();
            let back: Vec<(String, Vec<u8>)> =
                back.map(|(name, card)| (name.to_owned(), card.to_vec())).collect();
            prop_assert_eq!(back, cards);
        }

        #[test]
        fn invalid_values_never_panic(value in proptest::collection::vec(any::<u8>(), 0..99)) {
            let _ = decode_cards(&value);
        }
    }
}
