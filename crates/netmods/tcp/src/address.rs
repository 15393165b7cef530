//! Which addresses of this host are published, and the card that tells them.

use nemesis_sys::interfaces::Interface;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::ops::RangeInclusive;

/// Addresses on a card at most.
const ADDRESSES_MAX: usize = 16;
const FORM: u8 = 1;

/// Which interfaces are used: `eth0,10.1.0.0/16,^docker0`. With names or networks in it only those are, in this order; what stands behind `^` is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    only: Vec<Pattern>,
    not: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Pattern {
    Name(String),
    Network(IpAddr, u8),
}

impl Choice {
    /// Reads a list; the error names the item that is none.
    pub fn parse(text: &str) -> Result<Choice, String> {
        let mut choice = Choice::default();
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            match item.strip_prefix('^') {
                Some(item) => choice.not.push(Pattern::parse(item)?),
                None => choice.only.push(Pattern::parse(item)?),
            }
        }
        Ok(choice)
    }

    /// Whether a name or a network was asked for.
    pub fn is_explicit(&self) -> bool {
        !self.only.is_empty()
    }

    /// The interfaces to use, best first. The loopback interface counts only where it is asked for or there is no other.
    pub fn of(&self, interfaces: Vec<Interface>) -> Vec<Interface> {
        let allowed = |interface: &Interface| !self.not.iter().any(|pattern| pattern.fits(interface)) && is_routable(&interface.address);
        let mut chosen: Vec<Interface> = interfaces.into_iter().filter(allowed).collect();
        if !self.only.is_empty() {
            let place = |interface: &Interface| self.only.iter().position(|pattern| pattern.fits(interface));
            chosen.retain(|interface| place(interface).is_some());
            chosen.sort_by_key(place);
        } else if chosen.iter().any(|interface| !interface.loopback) {
            chosen.retain(|interface| !interface.loopback);
        }
        chosen.truncate(ADDRESSES_MAX);
        chosen
    }
}

/// Addresses that mean the same to another host; those of a link need an interface's number beside them.
fn is_routable(address: &IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !address.is_unspecified(),
        IpAddr::V6(address) => !address.is_unspecified() && !address.is_unicast_link_local(),
    }
}

impl Pattern {
    fn parse(text: &str) -> Result<Pattern, String> {
        let Some((address, prefix)) = text.split_once('/') else {
            return match text.parse::<IpAddr>() {
                Ok(address) => Ok(Pattern::Network(address, if address.is_ipv4() { 32 } else { 128 })),
                Err(_) if text.is_empty() => Err("\"^\" with nothing behind it".to_owned()),
                Err(_) => Ok(Pattern::Name(text.to_owned())),
            };
        };
        let address: IpAddr = address.parse().map_err(|_| format!("\"{text}\" begins with no address"))?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.parse().ok().filter(|&prefix| prefix <= longest);
        Ok(Pattern::Network(address, prefix.ok_or_else(|| format!("\"{text}\" ends with no prefix length"))?))
    }

    fn fits(&self, interface: &Interface) -> bool {
        match self {
            Pattern::Name(name) => *name == interface.name,
            Pattern::Network(network, prefix) => same_network(network, &interface.address, *prefix),
        }
    }
}

/// Whether two addresses agree in their first `prefix` bits.
pub fn same_network(one: &IpAddr, other: &IpAddr, prefix: u8) -> bool {
    match (one, other) {
        (IpAddr::V4(one), IpAddr::V4(other)) => {
            let differing = u32::from(*one) ^ u32::from(*other);
            prefix == 0 || differing >> (32 - u32::from(prefix.min(32))) == 0
        }
        (IpAddr::V6(one), IpAddr::V6(other)) => {
            let differing = u128::from(*one) ^ u128::from(*other);
            prefix == 0 || differing >> (128 - u32::from(prefix.min(128))) == 0
        }
        _ => false,
    }
}

/// The ports to listen on: `7000:7099`. None: whichever the kernel gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports(pub Option<RangeInclusive<u16>>);

impl Ports {
    pub fn parse(text: &str) -> Result<Ports, String> {
        if text.is_empty() {
            return Ok(Ports(None));
        }
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        match (first.trim().parse::<u16>(), last.trim().parse::<u16>()) {
            (Ok(first), Ok(last)) if first > 0 && first <= last => Ok(Ports(Some(first..=last))),
            _ => Err(format!("\"{text}\" is not FIRST:LAST, two port numbers from 1 to 65535")),
        }
    }
}

/// Where a process is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Card {
    pub port: u16,
    pub addresses: Vec<IpAddr>,
}

impl Card {
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![FORM];
        bytes.extend(self.port.to_le_bytes());
        for address in &self.addresses {
            match address {
                IpAddr::V4(address) => {
                    bytes.push(4);
                    bytes.extend(address.octets());
                }
                IpAddr::V6(address) => {
                    bytes.push(6);
                    bytes.extend(address.octets());
                }
            }
        }
        bytes
    }

    /// The card, unless it is none of ours.
    pub fn decode(bytes: &[u8]) -> Option<Card> {
        let (&form, rest) = bytes.split_first()?;
        let (port, mut rest) = rest.split_first_chunk::<2>()?;
        let mut addresses = Vec::new();
        while let Some((&family, address)) = rest.split_first() {
            let (address, after) = match family {
                4 => address.split_first_chunk::<4>().map(|(octets, after)| (IpAddr::V4(Ipv4Addr::from(*octets)), after))?,
                6 => address.split_first_chunk::<16>().map(|(octets, after)| (IpAddr::V6(Ipv6Addr::from(*octets)), after))?,
                _ => return None,
            };
            addresses.push(address);
            rest = after;
        }
        let card = Card { port: u16::from_le_bytes(*port), addresses };
        (form == FORM && card.port != 0 && card.addresses.len() <= ADDRESSES_MAX).then_some(card)
    }

    pub fn places(&self) -> impl Iterator<Item = SocketAddr> {
        self.addresses.iter().map(|&address| SocketAddr::new(address, self.port))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn interface(name: &str, address: &str, prefix: u8) -> Interface {
        let address: IpAddr = address.parse().unwrap();
        Interface { name: name.into(), address, prefix, loopback: address.is_loopback() }
    }

    fn host() -> Vec<Interface> {
        vec![
            interface("lo", "127.0.0.1", 8),
            interface("eth0", "10.1.0.5", 16),
            interface("eth0", "fe80::1", 64),
            interface("docker0", "172.17.0.1", 16),
            interface("ib0", "fd00::5", 64),
        ]
    }

    fn names(text: &str) -> Vec<String> {
        Choice::parse(text).unwrap().of(host()).into_iter().map(|interface| interface.address.to_string()).collect()
    }

    #[test]
    fn interfaces_are_chosen_by_name_and_network_in_the_order_asked_for() {
        assert_eq!(names(""), ["10.1.0.5", "172.17.0.1", "fd00::5"]);
        assert_eq!(names("^docker0"), ["10.1.0.5", "fd00::5"]);
        assert_eq!(names("ib0, eth0"), ["fd00::5", "10.1.0.5"]);
        assert_eq!(names("10.0.0.0/8,fd00::/16,^ib0"), ["10.1.0.5"]);
        assert_eq!(names("lo"), ["127.0.0.1"]);
        assert_eq!(names("eth7"), [""; 0]);
        assert_eq!(Choice::default().of(vec![interface("lo", "127.0.0.1", 8)]).len(), 1);
    }

    #[test]
    fn nonsense_is_named() {
        for text in ["10.1.0.0/33", "x/8", "^", "10.1.0.0/"] {
            assert!(Choice::parse(text).is_err(), "{text}");
        }
        for text in ["0:5", "9:5", "x", "1:2:3", "70000"] {
            assert!(Ports::parse(text).is_err(), "{text}");
        }
        assert_eq!(Ports::parse("7000:7001").unwrap().0, Some(7000..=7001));
        assert_eq!(Ports::parse("7000").unwrap().0, Some(7000..=7000));
    }

    #[test]
    fn networks_are_compared_by_their_prefix() {
        let same = |one: &str, other: &str, prefix| same_network(&one.parse().unwrap(), &other.parse().unwrap(), prefix);
        assert!(same("10.1.0.5", "10.1.255.1", 16) && !same("10.1.0.5", "10.2.0.5", 16) && same("1.2.3.4", "9.9.9.9", 0));
        assert!(same("fd00::1", "fd00::2", 64) && !same("fd00::1", "fd00::2", 128) && !same("fd00::1", "10.0.0.1", 0));
    }

    proptest! {
        #[test]
        fn a_card_comes_back_as_it_was(port in 1u16.., four: Vec<[u8; 4]>, six: Vec<[u8; 16]>) {
            let four = four.into_iter().take(8).map(IpAddr::from);
            let addresses = four.chain(six.into_iter().take(8).map(IpAddr::from)).collect();
            let card = Card { port, addresses };
            prop_assert_eq!(Card::decode(&card.encode()), Some(card));
        }

        #[test]
        fn anything_else_is_refused_or_means_itself(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            if let Some(card) = Card::decode(&bytes) {
                prop_assert_eq!(card.encode(), bytes);
            }
        }
    }
}
