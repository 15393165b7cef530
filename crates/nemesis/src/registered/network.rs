//! Operations on registered memory that a network carries out.

use super::{Direction, Key, NETWORK_KEY_MAX_BYTES, Registered};
use crate::endpoint::Endpoint;
use crate::packet::Token;
use nemesis_netmod::optional::Target;
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

/// Returns the fields of a [`Key`] for a network with this name and key: their length, and both.
pub fn key_of(known: Option<(&str, &[u8])>) -> (u64, [u8; NETWORK_KEY_MAX_BYTES]) {
    let mut network = [0; NETWORK_KEY_MAX_BYTES];
    let Some((name, key)) = known.filter(|(name, key)| 1 + name.len() + key.len() <= network.len())
    else {
        return (0, network);
    };
    let told = [&[name.len() as u8], name.as_bytes(), key].concat();
    network[..told.len()].copy_from_slice(&told);
    (told.len() as u64, network)
}

impl Key {
    /// Returns the network's name and key; `None` if no network reaches the memory.
    fn of_network(&self) -> Option<(&str, &[u8])> {
        let told = self.network.get(..usize::try_from(self.network_bytes).ok()?)?;
        let (&length, rest) = told.split_first()?;
        let (name, key) = rest.split_at_checked(length.into())?;
        Some((std::str::from_utf8(name).ok()?, key))
    }
}

impl Registered {
    /// Begins the latest operation by the network that leads to the process. Returns false if the
    /// network does not reach memory, or not this memory.
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
        let (Some(networks), Some((name, key)), 1.., false) =
            (endpoint.networks(), key.of_network(), bytes, self.lost.contains(&process))
        else {
            return false;
        };
        if !networks.reaches_memory(process, name) {
            return false;
        }
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
