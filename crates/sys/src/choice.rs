//! The interfaces and ports that a job may use: what users specify, and what a host has of it.

use crate::host;
use crate::interfaces::Interface;
use std::fmt;
use std::net::IpAddr;
use std::ops::RangeInclusive;

/// Most addresses that a choice returns.
pub const ADDRESSES_MAX: usize = 16;

/// A choice of interfaces, as in `eth0,10.1.0.0/16,^docker0`. If it has names or networks, only
/// those are used, in this order. An item behind `^` is not used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    only: Vec<Pattern>,
    not: Vec<Pattern>,
    /// The text from which the choice was parsed.
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Pattern {
    Name(String),
    Network(IpAddr, u8),
}

impl Choice {
    /// Parses a list. The error names the item that is invalid.
    pub fn parse(text: &str) -> Result<Choice, String> {
        let mut choice = Choice { text: text.to_owned(), ..Choice::default() };
        for item in text.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            match item.strip_prefix('^') {
                Some(item) => choice.not.push(Pattern::parse(item)?),
                None => choice.only.push(Pattern::parse(item)?),
            }
        }
        Ok(choice)
    }

    /// Returns whether the user has chosen. Then only the chosen interfaces are used, also for
    /// incoming connections.
    pub fn is_explicit(&self) -> bool {
        !self.only.is_empty() || !self.not.is_empty()
    }

    /// Returns the interfaces to use, the best first and those with a link-local address last. The
    /// loopback interface is used only if the choice names it or no other exists. An interface with
    /// only a link-local address is used only if the choice names it or no interface has another
    /// address: it may be a port of a bridge.
    pub fn of(&self, interfaces: Vec<Interface>) -> Vec<Interface> {
        let allowed = |interface: &Interface| {
            !self.not.iter().any(|pattern| pattern.fits(interface))
                && !interface.address.is_unspecified()
        };
        let mut chosen: Vec<Interface> = interfaces.into_iter().filter(allowed).collect();
        let place =
            |interface: &Interface| self.only.iter().position(|pattern| pattern.fits(interface));
        if !self.only.is_empty() {
            chosen.retain(|interface| place(interface).is_some());
            chosen.sort_by_key(place);
        } else if chosen.iter().any(|interface| !interface.loopback) {
            chosen.retain(|interface| !interface.loopback);
            let named: Vec<String> = chosen
                .iter()
                .filter(|interface| !interface.is_link_local())
                .map(|interface| interface.name.clone())
                .collect();
            chosen.retain(|interface| named.is_empty() || named.contains(&interface.name));
        }
        chosen.sort_by_key(Interface::is_link_local);
        chosen.truncate(ADDRESSES_MAX);
        chosen
    }

    /// Returns a text that says why the choice has no interface, and which interfaces exist.
    pub fn why_none(&self, interfaces: &[Interface]) -> String {
        let host = host::hostname();
        let all: Vec<String> = interfaces.iter().map(Interface::to_string).collect();
        let all = if all.is_empty() { "none that is up".to_owned() } else { all.join(", ") };
        match self.is_explicit() {
            true => format!("no interface of {host} fits \"{}\"; there are: {all}", self.text),
            false => format!("{host} has no interface with an address; there are: {all}"),
        }
    }
}

impl Pattern {
    fn parse(text: &str) -> Result<Pattern, String> {
        let Some((address, prefix)) = text.split_once('/') else {
            return match text.parse::<IpAddr>() {
                Ok(address) => {
                    Ok(Pattern::Network(address, if address.is_ipv4() { 32 } else { 128 }))
                }
                Err(_) if text.is_empty() => Err("\"^\" with nothing behind it".to_owned()),
                Err(_) => Ok(Pattern::Name(text.to_owned())),
            };
        };
        let address: IpAddr =
            address.parse().map_err(|_| format!("\"{text}\" does not begin with an address"))?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = prefix.parse().ok().filter(|&prefix| prefix <= longest);
        Ok(Pattern::Network(
            address,
            prefix.ok_or_else(|| format!("\"{text}\" does not end with a prefix length"))?,
        ))
    }

    fn fits(&self, interface: &Interface) -> bool {
        match self {
            Pattern::Name(name) => *name == interface.name,
            Pattern::Network(network, prefix) => same_network(network, &interface.address, *prefix),
        }
    }
}

/// Returns whether two addresses agree in their first `prefix` bits.
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

/// The ports to listen on, as in `7000:7099`. `None`: the kernel chooses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ports(pub Option<RangeInclusive<u16>>);

impl Ports {
    /// Parses `FIRST:LAST`, `FIRST-LAST` or one port; empty text leaves the choice to the kernel.
    pub fn parse(text: &str) -> Result<Ports, String> {
        if text.is_empty() {
            return Ok(Ports(None));
        }
        let (first, last) = text.split_once([':', '-']).unwrap_or((text, text));
        match (first.trim().parse::<u16>(), last.trim().parse::<u16>()) {
            (Ok(first), Ok(last)) if first > 0 && first <= last => Ok(Ports(Some(first..=last))),
            _ => Err(format!("\"{text}\" is not FIRST:LAST, two port numbers from 1 to 65535")),
        }
    }
}

impl fmt::Display for Ports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_ref().map_or(Ok(()), |range| write!(f, "{}:{}", range.start(), range.end()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interface(name: &str, address: &str, prefix: u8) -> Interface {
        let address: IpAddr = address.parse().unwrap();
        let scope = u32::from(crate::interfaces::is_link_local(&address));
        Interface { name: name.into(), address, prefix, scope, loopback: address.is_loopback() }
    }

    fn host() -> Vec<Interface> {
        vec![
            interface("lo", "127.0.0.1", 8),
            interface("eth0", "fe80::1", 64),
            interface("eth0", "10.1.0.5", 16),
            interface("docker0", "172.17.0.1", 16),
            interface("veth7", "fe80::7", 64),
            interface("ib0", "fd00::5", 64),
        ]
    }

    fn names(text: &str) -> Vec<String> {
        Choice::parse(text)
            .unwrap()
            .of(host())
            .into_iter()
            .map(|interface| interface.address.to_string())
            .collect()
    }

    #[test]
    fn interfaces_are_chosen_by_name_and_network_in_the_order_asked_for() {
        assert_eq!(names(""), ["10.1.0.5", "172.17.0.1", "fd00::5", "fe80::1"]);
        assert_eq!(names("^docker0"), ["10.1.0.5", "fd00::5", "fe80::1"]);
        assert_eq!(names("ib0, eth0"), ["fd00::5", "10.1.0.5", "fe80::1"]);
        assert_eq!(names("10.0.0.0/8,fd00::/16,^ib0"), ["10.1.0.5"]);
        assert_eq!(names("veth7"), ["fe80::7"]);
        assert_eq!(names("fe80::/10"), ["fe80::1", "fe80::7"]);
        assert_eq!(names("lo"), ["127.0.0.1"]);
        assert_eq!(names("eth7"), [""; 0]);
    }

    #[test]
    fn loopback_and_link_local_addresses_are_used_if_there_is_nothing_better() {
        let of = |interfaces: &[Interface]| Choice::default().of(interfaces.to_vec()).len();
        assert_eq!(of(&[interface("lo", "127.0.0.1", 8)]), 1);
        assert_eq!(
            of(&[
                interface("lo", "::1", 128),
                interface("eth0", "fe80::1", 64),
                interface("eth1", "fe80::2", 64)
            ]),
            2
        );
    }

    #[test]
    fn a_choice_without_an_interface_tells_what_exists() {
        let why = Choice::parse("eth7,^lo").unwrap().why_none(&host());
        assert!(
            why.contains("fits \"eth7,^lo\"")
                && why.contains("eth0 10.1.0.5/16")
                && why.contains("lo 127.0.0.1/8"),
            "{why}"
        );
    }

    #[test]
    fn invalid_items_are_refused() {
        for text in ["10.1.0.0/33", "x/8", "^", "10.1.0.0/"] {
            assert!(Choice::parse(text).is_err(), "{text}");
        }
        for text in ["0:5", "9:5", "x", "1:2:3", "70000"] {
            assert!(Ports::parse(text).is_err(), "{text}");
        }
        for text in ["7000:7001", "7000-7001", " 7000 : 7001"] {
            assert_eq!(Ports::parse(text).unwrap().0, Some(7000..=7001));
        }
        assert_eq!(Ports::parse("7000").unwrap().0, Some(7000..=7000));
        assert_eq!(Ports::parse("7000-7001").unwrap().to_string(), "7000:7001");
    }

    #[test]
    fn networks_are_compared_by_their_prefix() {
        let same = |one: &str, other: &str, prefix| {
            same_network(&one.parse().unwrap(), &other.parse().unwrap(), prefix)
        };
        assert!(
            same("10.1.0.5", "10.1.255.1", 16)
                && !same("10.1.0.5", "10.2.0.5", 16)
                && same("1.2.3.4", "9.9.9.9", 0)
        );
        assert!(
            same("fd00::1", "fd00::2", 64)
                && !same("fd00::1", "fd00::2", 128)
                && !same("fd00::1", "10.0.0.1", 0)
        );
    }
}
