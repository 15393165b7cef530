//! Operations on registered memory that the primary network carries out.

use super::{Direction, Key, NETWORK_KEY_MAX_BYTES, Registered};
use crate::endpoint::Endpoint;
use crate::packet::Token;
use nemesis_netmod::optional::{Registration, Target};
use nemesis_netmod::{Failure, Region, RegionMut};
use nemesis_shm::span::Span;

/// An operation that the network carries out.
#[derive(Debug)]
pub struct NetworkOperation {
    pub to: u32,
    /// Number of completions to come: one of a get; two of a put, its own and that of the flush
    /// behind it.
    parts: u32,
    failed: bool,
}

/// Returns the fields of a [`Key`] for the network: length and key.
pub fn key_of(registration: Option<&Registration>) -> (u64, [u8; NETWORK_KEY_MAX_BYTES]) {
    let mut network = [0; NETWORK_KEY_MAX_BYTES];
    let Some(Registration { key, .. }) =
        registration.filter(|registration| registration.key.len() <= NETWORK_KEY_MAX_BYTES)
    else {
        return (0, network);
    };
    network[..key.len()].copy_from_slice(key);
    (key.len() as u64, network)
}

impl Key {
    /// Returns the network's key; `None` if the network does not reach the memory.
    fn of_network(&self) -> Option<&[u8]> {
        let bytes = usize::try_from(self.network_bytes).ok().filter(|&bytes| bytes > 0)?;
        self.network.get(..bytes)
    }
}

impl Registered {
    /// Begins the latest operation by the primary network. Returns false if the network does not
    /// reach memory, or not this memory.
    pub(super) fn begin_by_network(
        &mut self,
        endpoint: &mut Endpoint,
        process: u32,
        key: &Key,
        address: u64,
        local: &Span,
        direction: Direction,
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
        let begun = match direction {
            Direction::Put => {
                let Some(from) = Region::of_span(local, 0, bytes) else { return false };
                let put = networks.put(from, target, number);
                [put.is_ok(), put.is_ok() && networks.flush(process, number).is_ok()]
            }
            Direction::Get => {
                let Some(to) = RegionMut::of_span(local, 0, bytes) else { return false };
                [networks.get(to, target, number).is_ok(), true]
            }
        };
        let parts = match (direction, begun) {
            (_, [false, _]) => 0,
            (Direction::Put, [true, true]) => 2,
            _ => 1,
        };
        let failed = begun != [true, true];
        if parts > 0 {
            self.network_operations.insert(number, NetworkOperation { to: process, parts, failed });
        } else {
            self.failed.insert(number);
        }
        true
    }

    /// Handles the completion of a part of an operation, as
    /// [`Sink::completed`](crate::Sink::completed) reports it.
    pub fn completed(&mut self, token: Token, outcome: &Result<(), Failure>) {
        let Some(operation) = self.network_operations.get_mut(&token) else { return };
        operation.parts -= 1;
        operation.failed |= outcome.is_err();
        if operation.parts > 0 {
            return;
        }
        if operation.failed {
            self.failed.insert(token);
        }
        self.network_operations.remove(&token);
    }
}
