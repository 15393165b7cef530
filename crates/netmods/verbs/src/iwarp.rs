//! Connection manager, listeners and connections of an iWARP device, and the state of a queue pair
//! that is being connected (see `linking`).

use crate::address::{ENDPOINTS_MAX, Endpoints};
use crate::buffers::Slots;
use crate::control::{NONCE_BYTES, Offer};
use crate::manager::{Connector, Event, Manager};
use crate::objects::{Context, Domain};
use crate::options::Options;
use nemesis_netmod_tcp::Ports;
use nemesis_sys::interfaces::{self, Interface};
use std::collections::{HashMap, VecDeque};
use std::net::SocketAddr;
use std::os::fd::RawFd;
use std::sync::Arc;

/// Attempts to listen at a port that the kernel chooses. Ports of TCP and of the connection manager
/// are chosen independently, so a chosen one may be in use.
const LISTEN_ATTEMPTS: usize = 8;

/// A listener, and where it listens.
type Listener = (Connector, SocketAddr);

/// Connection manager, listeners and connections of an iWARP device.
pub struct Iwarp {
    /// Processes by the numbers of their connections.
    pub links: HashMap<usize, u32>,
    listeners: Vec<Listener>,
    pub manager: Arc<Manager>,
    /// Events that have been read before a sleep.
    pub events: VecDeque<Event>,
    /// The word that other processes read.
    pub word: Slots,
}

impl Iwarp {
    pub fn new(domain: &Arc<Domain>, options: &Options) -> Result<Iwarp, String> {
        let (manager, listeners) = listen(&domain.context, options)?;
        let word = Slots::readable_word(domain)?;
        Ok(Iwarp { links: HashMap::new(), listeners, manager, events: VecDeque::new(), word })
    }

    /// Fails if the device cannot listen.
    pub fn check(context: &Context, options: &Options) -> Result<(), String> {
        listen(context, options).map(drop)
    }

    pub fn descriptor(&self) -> RawFd {
        self.manager.descriptor()
    }

    /// Returns where this process listens.
    pub fn endpoints(&self) -> Endpoints {
        let places: Vec<SocketAddr> = self.listeners.iter().map(|&(_, place)| place).collect();
        Endpoints::new(&places)
    }

    /// Reads events before a sleep. Returns whether there are any.
    pub fn read_events(&mut self) -> bool {
        while let Some(event) = self.manager.next() {
            self.events.push_back(event);
        }
        !self.events.is_empty()
    }
}

/// Listens at the addresses of a device.
fn listen(context: &Context, options: &Options) -> Result<(Arc<Manager>, Vec<Listener>), String> {
    let name = &context.name;
    let manager = Manager::open(options.tuning.library.as_deref())
        .map_err(|why| format!("{name} is an iWARP device: {why}"))?;
    let all = interfaces::list().map_err(|error| format!("the interfaces: {error}"))?;
    let (mut listeners, mut why) = (Vec::new(), None);
    for interface in in_order(all, options) {
        if listeners.len() == ENDPOINTS_MAX {
            break;
        }
        match listen_at(&manager, &interface, &options.tcp.ports, name) {
            Ok(listener) => listeners.extend(listener),
            Err(reason) => why = Some(format!("{name}: {reason}")),
        }
    }
    if listeners.is_empty() {
        return Err(why.unwrap_or_else(|| {
            format!(
                "no IP address of this host belongs to the iWARP device {name}: give its network \
                 interface one (see rdma link, ip address)"
            )
        }));
    }
    Ok((manager, listeners))
}

/// Returns the addresses that may belong to the device, those of the interfaces that the user has
/// chosen first. A link-local address means another interface on every host.
fn in_order(all: Vec<Interface>, options: &Options) -> Vec<Interface> {
    let mut ordered = options.tcp.choice.of(all.clone());
    let others: Vec<Interface> = all.into_iter().filter(|it| !ordered.contains(it)).collect();
    ordered.extend(others);
    ordered.retain(|interface| !interface.is_link_local());
    ordered
}

/// Listens at an address, if it belongs to the device.
fn listen_at(
    manager: &Arc<Manager>,
    interface: &Interface,
    ports: &Ports,
    device: &str,
) -> Result<Option<Listener>, String> {
    let ports: Vec<u16> = match &ports.0 {
        Some(range) => range.clone().collect(),
        None => vec![0; LISTEN_ATTEMPTS],
    };
    let mut failure = String::new();
    for port in ports {
        match Connector::listen(manager, interface.socket_address(port), device) {
            Ok(listener) => return Ok(listener),
            Err(why) => failure = why,
        }
    }
    Err(failure)
}

/// How a queue pair of an iWARP device is connected.
#[derive(Default)]
pub struct Link {
    pub connector: Option<Connector>,
    /// What the other side has to show.
    pub nonce: [u8; NONCE_BYTES],
    /// What the other side has offered.
    pub offer: Option<Offer>,
    /// Own and other addresses that have not been tried.
    pub routes: VecDeque<(SocketAddr, SocketAddr)>,
    /// The address that is tried or connected.
    pub place: Option<SocketAddr>,
    /// This side has connected, and has to send first.
    pub owes_greeting: bool,
    /// Messages have left since the last confirmation.
    pub is_unconfirmed: bool,
}

impl Link {
    pub fn note_message(&mut self) {
        self.owes_greeting = false;
        self.is_unconfirmed = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_that_the_user_has_chosen_come_first() {
        let interface = |name: &str, address: &str| {
            let address: std::net::IpAddr = address.parse().unwrap();
            let loopback = address.is_loopback();
            Interface { name: name.into(), address, prefix: 24, scope: 0, loopback }
        };
        let all = vec![
            interface("lo", "127.0.0.1"),
            interface("eth0", "192.0.2.1"),
            interface("eth0", "fe80::1"),
            interface("eth1", "192.0.2.65"),
        ];
        let choice = nemesis_netmod_tcp::Choice::parse("eth1").unwrap();
        let tcp = nemesis_netmod_tcp::Options { choice, ..Default::default() };
        let ordered = in_order(all, &Options { tcp, ..Options::default() });
        let names: Vec<String> = ordered.iter().map(|it| it.address.to_string()).collect();
        assert_eq!(names, ["192.0.2.65", "127.0.0.1", "192.0.2.1"]);
    }
}
