//! Memory that networks reach: registrations, and access to the registered memory of processes of
//! other nodes by the network itself.

use super::Endpoint;
use crate::networks::{NetworkKey, Registrations, RemoteMemory};
use crate::packet::Token;
use nemesis_netmod::optional::Change;
use nemesis_netmod::{Failure, Fault, Region, RegionMut};

/// Makes the failure of an access to a process to which no network leads.
fn no_network() -> Failure {
    Failure::new(Fault::Unreachable, "no network leads to the process")
}

impl Endpoint {
    /// Registers memory with the networks that reach memory, so that they send from it and receive
    /// into it without a copy, and other processes reach it by [`network_key`](Self::network_key).
    /// Does nothing without such a network. `memory` returns the region, for each network anew.
    pub fn register_memory(&mut self, memory: impl Fn() -> Option<Region>) -> Registrations {
        let networks = self.networks.as_mut();
        networks.map_or_else(Registrations::default, |networks| networks.register(memory))
    }

    /// Ends registrations, before the memory is freed.
    ///
    /// # Errors
    ///
    /// A network refuses, and may still use the memory.
    pub fn deregister_memory(&mut self, memory: &mut Registrations) -> Result<(), Failure> {
        self.networks.as_mut().map_or(Ok(()), |networks| networks.deregister(memory))
    }

    /// Registers a piece of the program's memory as [`register_memory`](Self::register_memory)
    /// does, until [`deregister_piece`](Self::deregister_piece) names its address.
    pub fn register_piece(&mut self, memory: impl Fn() -> Option<Region>) {
        if let Some(networks) = &mut self.networks {
            networks.register_piece(memory);
        }
    }

    /// Ends the registration of the piece at an address, if there is one.
    pub fn deregister_piece(&mut self, address: usize) {
        if let Some(networks) = &mut self.networks {
            networks.deregister_piece(address);
        }
    }

    /// Returns the key by which processes of other nodes reach registered memory.
    pub fn network_key(&self, memory: &Registrations) -> NetworkKey {
        self.networks.as_ref().map_or(NetworkKey::NONE, |networks| networks.key_of(memory))
    }

    /// Returns whether the network that leads to a process of another node reaches memory by this
    /// key.
    pub fn reaches_memory(&mut self, process: u32, key: &NetworkKey) -> bool {
        let networks = self.networks.as_mut();
        networks.is_some_and(|networks| networks.reaches_memory(process, key))
    }

    /// Returns whether the network that leads to a process of another node has atomic operations on
    /// memory with this key.
    pub fn changes_words(&mut self, process: u32, key: &NetworkKey) -> bool {
        let networks = self.networks.as_mut();
        networks.is_some_and(|networks| networks.changes_words(process, key))
    }

    /// Begins to write `from` to the memory of a process of another node. `Sink::completed` reports
    /// `token` when `from` may change.
    ///
    /// # Errors
    ///
    /// The network does not carry the access out. Nothing has begun.
    pub fn put(&mut self, from: Region, to: RemoteMemory<'_>, token: Token) -> Result<(), Failure> {
        self.networks.as_mut().ok_or_else(no_network)?.put(from, to, token)
    }

    /// Begins to read from the memory of a process of another node. `Sink::completed` reports
    /// `token` when the bytes are in `to`.
    ///
    /// # Errors
    ///
    /// As of [`put`](Self::put).
    pub fn get(
        &mut self,
        to: RegionMut,
        from: RemoteMemory<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.networks.as_mut().ok_or_else(no_network)?.get(to, from, token)
    }

    /// Begins to change an aligned word of 8 bytes in the memory of a process of another node,
    /// atomically towards all processes and the instructions of processors, in the order of the
    /// calls. `Sink::completed` reports `token` when the word before is in `old`.
    ///
    /// # Errors
    ///
    /// As of [`put`](Self::put).
    pub fn change(
        &mut self,
        change: Change,
        old: RegionMut,
        at: RemoteMemory<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.networks.as_mut().ok_or_else(no_network)?.change(change, old, at, token)
    }

    /// Begins a flush: `Sink::completed` reports `token` when every access to the process that
    /// began before is complete there.
    ///
    /// # Errors
    ///
    /// As of [`put`](Self::put).
    pub fn flush(&mut self, process: u32, token: Token) -> Result<(), Failure> {
        self.networks.as_mut().ok_or_else(no_network)?.flush(process, token)
    }
}
