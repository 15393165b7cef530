//! The business card: where a process can be reached.

use nemesis_sys::choice::ADDRESSES_MAX;
use nemesis_sys::interfaces::{self, is_link_local};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Form of the card of a process that does not encrypt its connections, and of one that does.
const FORM: u8 = 2;
const ENCRYPTED_FORM: u8 = 3;
/// Form of the next address: 4 bytes of IPv4, 16 of IPv6, or the last 8 of a link-local address,
/// which nearly always begins with [`LINK`].
const FOUR: u8 = 4;
const SIX: u8 = 6;
const OF_LINK: u8 = 10;
/// fe80::/64 (RFC 4291 §2.5.6).
const LINK: [u8; 8] = [0xfe, 0x80, 0, 0, 0, 0, 0, 0];

/// Port and addresses of a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    /// The port at which the process accepts connections.
    pub port: u16,
    /// The addresses of its host.
    pub addresses: Vec<IpAddr>,
    /// Whether the process encrypts its connections.
    pub encrypts: bool,
}

impl Card {
    /// Encodes the card, as it is published.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![if self.encrypts { ENCRYPTED_FORM } else { FORM }];
        bytes.extend(self.port.to_le_bytes());
        for address in &self.addresses {
            match address {
                IpAddr::V4(address) => {
                    bytes.push(FOUR);
                    bytes.extend(address.octets());
                }
                IpAddr::V6(address) => match address.octets().strip_prefix(&LINK) {
                    Some(rest) => {
                        bytes.push(OF_LINK);
                        bytes.extend(rest);
                    }
                    None => {
                        bytes.push(SIX);
                        bytes.extend(address.octets());
                    }
                },
            }
        }
        bytes
    }

    /// Decodes a card; `None` if the bytes are not a card of this module.
    pub fn decode(bytes: &[u8]) -> Option<Card> {
        let (&form, rest) = bytes.split_first()?;
        let (port, mut rest) = rest.split_first_chunk::<2>()?;
        let mut addresses = Vec::new();
        while let Some((&family, address)) = rest.split_first() {
            let (address, after) = match family {
                FOUR => address
                    .split_first_chunk::<4>()
                    .map(|(octets, after)| (IpAddr::V4(Ipv4Addr::from(*octets)), after))?,
                SIX if !address.starts_with(&LINK) => address
                    .split_first_chunk::<16>()
                    .map(|(octets, after)| (IpAddr::V6(Ipv6Addr::from(*octets)), after))?,
                OF_LINK => address
                    .split_first_chunk::<8>()
                    .map(|(octets, after)| (of_link(octets), after))?,
                _ => return None,
            };
            addresses.push(address);
            rest = after;
        }
        let encrypts = form == ENCRYPTED_FORM;
        let card = Card { port: u16::from_le_bytes(*port), addresses, encrypts };
        let is_known = encrypts || form == FORM;
        (is_known && card.port != 0 && card.addresses.len() <= ADDRESSES_MAX).then_some(card)
    }

    /// Returns the addresses to try. `scopes` are the numbers of this process's own interfaces: a
    /// link-local address may be on any of them.
    pub fn places(&self, scopes: &[u32]) -> Vec<SocketAddr> {
        let mut places = Vec::new();
        for &address in &self.addresses {
            match is_link_local(&address) {
                true => places.extend(
                    scopes
                        .iter()
                        .map(|&scope| interfaces::socket_address(address, self.port, scope)),
                ),
                false => places.push(SocketAddr::new(address, self.port)),
            }
        }
        places
    }
}

fn of_link(rest: &[u8; 8]) -> IpAddr {
    let mut octets = [0; 16];
    octets[..8].copy_from_slice(&LINK);
    octets[8..].copy_from_slice(rest);
    IpAddr::V6(Ipv6Addr::from(octets))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_link_local_address_is_tried_on_all_own_links() {
        let card = Card {
            port: 7,
            addresses: vec!["10.0.0.1".parse().unwrap(), "fe80::5".parse().unwrap()],
            encrypts: false,
        };
        let places = |scopes: &[u32]| {
            card.places(scopes).iter().map(SocketAddr::to_string).collect::<Vec<_>>()
        };
        assert_eq!(places(&[2, 9]), ["10.0.0.1:7", "[fe80::5%2]:7", "[fe80::5%9]:7"]);
        assert_eq!(places(&[]), ["10.0.0.1:7"]);
        assert_eq!(card.encode().len(), 3 + 5 + 9);
    }

    proptest! {
        #[test]
        fn a_card_survives_encoding(
            port in 1u16..,
            four: Vec<[u8; 4]>,
            six: Vec<[u8; 16]>,
            link: Option<[u8; 8]>,
            encrypts: bool,
        ) {
            let four = four.into_iter().take(7).map(IpAddr::from);
            let six = six.into_iter().take(8).map(IpAddr::from);
            let addresses = four.chain(six).chain(link.as_ref().map(of_link)).collect();
            let card = Card { port, addresses, encrypts };
            prop_assert_eq!(Card::decode(&card.encode()), Some(card));
        }

        #[test]
        fn a_decoded_card_encodes_to_its_bytes(
            bytes in proptest::collection::vec(any::<u8>(), 0..100),
        ) {
            if let Some(card) = Card::decode(&bytes) {
                prop_assert_eq!(card.encode(), bytes);
            }
        }
    }
}
