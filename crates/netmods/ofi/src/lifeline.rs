//! The lifeline: a TCP connection beside the provider, for each process with which this one
//! communicates.
//!
//! It is the TCP module itself. Both ends prove on it that they know the job key before either
//! learns the other's address and token, and its end tells at once that a process has died or has
//! left, which a provider may never tell. The messages on it are
//! those of [`LifelineMessage`](crate::message::LifelineMessage).

use nemesis_netmod::{Cell, Failure, Host, RegionMut};
use nemesis_wire::Header;
use std::collections::VecDeque;

/// What has come over the lifelines.
pub enum Event {
    /// A message of a process.
    Message(u32, Vec<u8>),
    /// A process is gone.
    Lost(u32, Failure),
}

/// The host of the TCP module: it keeps what arrives, and asks the module's own host for cards.
pub struct LifelineHost<'a> {
    pub host: &'a mut dyn Host,
    pub events: &'a mut VecDeque<Event>,
}

/// Returns the module's card: the provider, and the card of the lifeline.
pub fn encode_card(provider: &str, lifeline: &[u8]) -> Vec<u8> {
    let mut card = vec![provider.len() as u8];
    card.extend(provider.bytes());
    card.extend(lifeline);
    card
}

/// Returns the provider and the lifeline's card; `None` if the bytes are not a card of the module.
pub fn decode_card(card: &[u8]) -> Option<(&str, &[u8])> {
    let (&length, rest) = card.split_first()?;
    let (provider, lifeline) = rest.split_at_checked(length.into())?;
    Some((str::from_utf8(provider).ok()?, lifeline))
}

impl Host for LifelineHost<'_> {
    fn card(&mut self, process: u32) -> Option<Vec<u8>> {
        let card = self.host.card(process)?;
        decode_card(&card).map(|(_, lifeline)| lifeline.to_vec())
    }

    fn alloc(&mut self, _payload: usize) -> Option<Cell> {
        None
    }

    fn offer(&mut self, from: u32, _header: &Header, payload: &[u8]) -> bool {
        self.events.push_back(Event::Message(from, payload.to_vec()));
        true
    }

    fn deliver(&mut self, _from: u32, cell: Cell) {
        // The TCP module offers all packets, so that none comes in a cell.
        self.host.give_back(cell);
    }

    fn give_back(&mut self, cell: Cell) {
        self.host.give_back(cell);
    }

    fn place(
        &mut self,
        _from: u32,
        _header: &Header,
        _payload: &[u8],
        _bytes: usize,
    ) -> Option<RegionMut> {
        None
    }

    fn completed(&mut self, _token: u64, _outcome: Result<(), Failure>) {}

    fn lost(&mut self, process: u32, failure: Failure) {
        self.events.push_back(Event::Lost(process, failure));
    }

    fn note(&mut self, what: &str) {
        self.host.note(what);
    }

    fn warn(&mut self, what: &str) {
        self.host.warn(what);
    }

    fn warn_job(&mut self, subject: &str, what: &str) {
        self.host.warn_job(subject, what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_names_the_provider() {
        let card = encode_card("tcp;ofi_rxm", &[2, 7, 7]);
        assert_eq!(decode_card(&card), Some(("tcp;ofi_rxm", &[2, 7, 7][..])));
        assert_eq!(decode_card(&card[..5]), None);
        assert_eq!(decode_card(&[]), None);
    }
}
