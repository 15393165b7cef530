//! Which names and addresses are this host, and which names are one host.
//!
//! The addresses of this host's interfaces and `/etc/hosts` decide. No resolver is asked, because
//! one that does not answer would hold up the start of a job for each name.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::OnceLock;

/// The file of names that every host has.
const TABLE: &str = "/etc/hosts";

/// What is known of this host and of the names of others.
#[derive(Debug, Default)]
struct Known {
    /// The node name of this host.
    hostname: String,
    /// The addresses of this host's interfaces.
    own: Vec<IpAddr>,
    /// The addresses of names, in lower case.
    addresses: HashMap<String, Vec<IpAddr>>,
}

/// Returns whether `name` is a name or an address of this host.
pub fn is_here(name: &str) -> bool {
    known().is_here(name)
}

/// Returns one text for all names and addresses of a host, as far as this host knows them.
pub fn identity(name: &str) -> String {
    known().identity(name)
}

/// Returns what is known. It is read once.
fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let interfaces = nemesis_sys::interfaces::list().unwrap_or_default();
        Known {
            hostname: nemesis_sys::host::hostname(),
            own: interfaces.iter().map(|interface| interface.address).collect(),
            addresses: table(&std::fs::read_to_string(TABLE).unwrap_or_default()),
        }
    })
}

/// Reads the lines `ADDRESS NAME NAME… # comment` of a table of hosts.
fn table(text: &str) -> HashMap<String, Vec<IpAddr>> {
    let mut addresses: HashMap<String, Vec<IpAddr>> = HashMap::new();
    for line in text.lines() {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(address) = words.next().and_then(address) else { continue };
        for name in words {
            addresses.entry(name.to_ascii_lowercase()).or_default().push(address);
        }
    }
    addresses
}

/// Reads an address, without the interface of a link-local one.
fn address(text: &str) -> Option<IpAddr> {
    text.split('%').next()?.parse().ok()
}

/// Returns whether two names are equal, or one is the other without its domain.
fn is_same_name(one: &str, other: &str) -> bool {
    let is_short =
        |long: &str, short: &str| long.split_once('.').is_some_and(|(first, _)| first == short);
    one == other || is_short(one, other) || is_short(other, one)
}

impl Known {
    fn is_here(&self, name: &str) -> bool {
        let is_own = |address: &IpAddr| address.is_loopback() || self.own.contains(address);
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        if let Some(address) = address(&name) {
            return is_own(&address);
        }
        is_same_name(&name, &self.hostname.to_ascii_lowercase())
            || name == "localhost"
            || self.addresses.get(&name).is_some_and(|addresses| addresses.iter().any(is_own))
    }

    fn identity(&self, name: &str) -> String {
        if self.is_here(name) {
            return self.hostname.clone();
        }
        let name = name.trim_end_matches('.').to_ascii_lowercase();
        let listed = || self.addresses.get(&name)?.first().copied();
        address(&name).or_else(listed).map_or(name.clone(), |address| address.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Known {
        Known {
            hostname: "Node1.cluster.org".into(),
            own: ["127.0.0.1", "10.1.0.5", "fd00::5", "fe80::5"]
                .map(|text| text.parse().unwrap())
                .to_vec(),
            addresses: table(
                "127.0.0.1 localhost\n10.1.0.5 head Head-ib # ours\n10.1.0.6 node2.x node2\nbad\n",
            ),
        }
    }

    #[test]
    fn names_and_addresses_of_this_host_are_here() {
        let known = example();
        for name in [
            "node1",
            "Node1.cluster.org",
            "localhost",
            "127.0.0.1",
            "127.0.1.1",
            "::1",
            "10.1.0.5",
            "fd00::5",
            "FD00:0::5",
            "fe80::5%eth0",
            "head",
            "head-ib",
        ] {
            assert!(known.is_here(name), "{name}");
            assert_eq!(known.identity(name), "Node1.cluster.org", "{name}");
        }
        for name in ["node2", "node", "10.1.0.6", "fd00::6", "node1x"] {
            assert!(!known.is_here(name), "{name}");
        }
    }

    #[test]
    fn names_of_another_host_are_one() {
        let known = example();
        assert_eq!(known.identity("node2"), known.identity("10.1.0.6"));
        assert_eq!(known.identity("Node2.x"), known.identity("node2"));
        assert_ne!(known.identity("node3"), known.identity("node4"));
    }

    #[test]
    fn every_address_of_an_interface_is_here() {
        for interface in nemesis_sys::interfaces::list().unwrap() {
            assert!(is_here(&interface.address.to_string()), "{interface}");
        }
        assert!(is_here(&nemesis_sys::host::hostname()));
    }
}
