//! Operations that the primary network carries out by itself.

use super::{Key, NETWORK_KEY_MAX, Registered, Way};
use crate::endpoint::Endpoint;
use crate::networks::Token;
use nemesis_netmod::optional::{Registration, Target};
use nemesis_netmod::{Failure, Region, RegionMut};
use nemesis_shm::span::Span;

/// An operation under way.
#[derive(Debug)]
pub struct Reaching {
    pub to: u32,
    /// What the network has to complete: a get; of a put, itself and the flush behind it.
    parts: u32,
    failed: bool,
}

/// What a key says of the network.
pub fn key_of(registration: Option<&Registration>) -> (u64, [u8; NETWORK_KEY_MAX]) {
    let mut network = [0; NETWORK_KEY_MAX];
    let Some(Registration { key, .. }) =
        registration.filter(|registration| registration.key.len() <= NETWORK_KEY_MAX)
    else {
        return (0, network);
    };
    network[..key.len()].copy_from_slice(key);
    (key.len() as u64, network)
}

impl Key {
    /// The network's own; `None` where the memory is not to be reached by it.
    fn of_network(&self) -> Option<&[u8]> {
        let bytes = usize::try_from(self.network_bytes).ok().filter(|&bytes| bytes > 0)?;
        self.network.get(..bytes)
    }
}

impl Registered {
    /// Begins the latest operation by the primary network's table; false where it has none, or not for this memory.
    pub(super) fn begin_by_network(
        &mut self,
        endpoint: &mut Endpoint,
        process: u32,
        key: &Key,
        address: u64,
        local: &Span,
        way: Way,
    ) -> bool {
        let bytes = local.bytes();
        let networks =
            endpoint.networks().and_then(|networks| networks.reaches_memory().then_some(networks));
        let (Some(networks), Some(key), 1.., false) =
            (networks, key.of_network(), bytes, self.lost.contains(&process))
        else {
            return false;
        };
        let (target, number) = (Target { process, address, key }, self.next);
        let begun = match way {
            Way::Put => {
                let Some(from) = Region::of_span(local, 0, bytes) else { return false };
                let put = networks.put(from, target, number);
                [put.is_ok(), put.is_ok() && networks.flush(process, number).is_ok()]
            }
            Way::Get => {
                let Some(to) = RegionMut::of_span(local, 0, bytes) else { return false };
                [networks.get(to, target, number).is_ok(), true]
            }
        };
        let parts = match (way, begun) {
            (_, [false, _]) => 0,
            (Way::Put, [true, true]) => 2,
            _ => 1,
        };
        let failed = begun != [true, true];
        if parts > 0 {
            self.reaching.insert(number, Reaching { to: process, parts, failed });
        } else {
            self.failed.insert(number);
        }
        true
    }

    /// The network has completed a part of an operation: what `Sink::completed` tells.
    pub fn completed(&mut self, token: Token, outcome: &Result<(), Failure>) {
        let Some(reaching) = self.reaching.get_mut(&token) else { return };
        reaching.parts -= 1;
        reaching.failed |= outcome.is_err();
        if reaching.parts > 0 {
            return;
        }
        if reaching.failed {
            self.failed.insert(token);
        }
        self.reaching.remove(&token);
    }
}
