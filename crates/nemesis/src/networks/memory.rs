//! Registered memory and remote access to it, by the modules that support it.

use super::hosts::RegisteredRange;
use super::{DeferringHost, NONE, Networks, Token};
use nemesis_netmod::optional::{Registration, Rma, Target};
use nemesis_netmod::{Failure, Fault, Region, RegionMut};

/// Longest name and key of a network, in bytes, that a [`NetworkKey`] can hold. Memory with longer
/// ones is reached by packets.
const NETWORK_KEY_MAX_BYTES: usize = 64;

/// The registrations of memory with the modules of a process: one for each rail that reaches
/// memory and accepts it.
#[derive(Debug, Default)]
pub struct Registrations(Vec<(usize, Registration)>);

/// What another process needs to reach registered memory by a network: the network's name and its
/// key. Plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct NetworkKey {
    /// Length of name and key in bytes; 0 if no network reaches the memory.
    bytes: u64,
    /// The length of the network's name in a byte, the name and the key, in the first `bytes`
    /// bytes.
    told: [u8; NETWORK_KEY_MAX_BYTES],
}

impl NetworkKey {
    /// The key of memory that no network reaches.
    pub const NONE: NetworkKey = NetworkKey { bytes: 0, told: [0; NETWORK_KEY_MAX_BYTES] };

    /// Number of words of a key.
    pub const WORDS: usize = 1 + NETWORK_KEY_MAX_BYTES / 8;

    /// Makes the key of a network; returns [`NONE`](Self::NONE) if name and key are too long.
    fn new(name: &str, key: &[u8]) -> NetworkKey {
        let mut made = NetworkKey::NONE;
        if 1 + name.len() + key.len() <= made.told.len() {
            let told = [&[name.len() as u8], name.as_bytes(), key].concat();
            made.told[..told.len()].copy_from_slice(&told);
            made.bytes = told.len() as u64;
        }
        made
    }

    /// Whether no network reaches the memory.
    pub fn is_none(&self) -> bool {
        self.bytes == 0
    }

    /// Returns the network's name and key; `None` if no network reaches the memory.
    fn network(&self) -> Option<(&str, &[u8])> {
        let told = self.told.get(..usize::try_from(self.bytes).ok()?)?;
        let (&length, rest) = told.split_first()?;
        let (name, key) = rest.split_at_checked(length.into())?;
        Some((std::str::from_utf8(name).ok()?, key))
    }

    /// Returns the key as words, for a message.
    pub fn words(&self) -> [u64; NetworkKey::WORDS] {
        let mut words = [self.bytes; NetworkKey::WORDS];
        let (told, _) = self.told.as_chunks::<8>();
        for (word, bytes) in words[1..].iter_mut().zip(told) {
            *word = u64::from_ne_bytes(*bytes);
        }
        words
    }

    /// Returns the key that [`words`](Self::words) has described.
    pub fn from_words(words: [u64; NetworkKey::WORDS]) -> NetworkKey {
        let [bytes, told @ ..] = words;
        let mut key = NetworkKey { bytes, ..NetworkKey::NONE };
        for (bytes, word) in key.told.as_chunks_mut::<8>().0.iter_mut().zip(told) {
            *bytes = word.to_ne_bytes();
        }
        key
    }
}

/// Registered memory of another process.
#[derive(Clone, Copy, Debug)]
pub struct RemoteMemory<'a> {
    /// The process.
    pub process: u32,
    /// The address in its address space.
    pub address: u64,
    /// The key of the registration.
    pub key: &'a NetworkKey,
}

impl RemoteMemory<'_> {
    fn target(&self) -> Result<Target<'_>, Failure> {
        let (_, key) = self.key.network().ok_or_else(no_memory)?;
        Ok(Target { process: self.process, address: self.address, key })
    }
}

/// Makes the failure of an access that no network carries out.
fn no_memory() -> Failure {
    Failure::new(Fault::Invalid, "the network reaches no remote memory")
}

impl Networks {
    /// Registers memory with every module that reaches memory. Regions within it that the module
    /// gets from now on name the registration, so that it need not register them again. `memory`
    /// returns the region, for each module anew.
    pub fn register(&mut self, memory: impl Fn() -> Option<Region>) -> Registrations {
        self.register_with(memory, |_| true)
    }

    /// Registers memory with the modules that reach memory and satisfy a condition.
    fn register_with(
        &mut self,
        memory: impl Fn() -> Option<Region>,
        condition: impl Fn(&dyn Rma) -> bool,
    ) -> Registrations {
        let mut all = Registrations::default();
        for (index, rail) in self.rails.iter_mut().enumerate() {
            let Some(rma) = rail.module.rma().filter(|rma| condition(&**rma)) else { continue };
            let Some(region) = memory().filter(|region| !region.is_empty()) else { continue };
            let (address, bytes) = (region.address().as_ptr().addr(), region.len());
            match rma.register(region) {
                Ok(registration) => {
                    let id = registration.id;
                    self.state.registered.push(RegisteredRange { rail: index, id, address, bytes });
                    all.0.push((index, registration));
                }
                Err(failure) => self.state.note(&rail.name, &failure.why),
            }
        }
        all
    }

    /// Deregisters memory. If a module refuses, it may still read and write the memory; `memory`
    /// then holds what is left, and the call may be repeated.
    pub fn deregister(&mut self, memory: &mut Registrations) -> Result<(), Failure> {
        while let Some((rail, registration)) = memory.0.last() {
            if let Some(rma) = self.rails[*rail].module.rma() {
                rma.deregister(registration)?;
            }
            let is_it =
                |range: &RegisteredRange| range.rail == *rail && range.id == registration.id;
            self.state.registered.retain(|range| !is_it(range));
            memory.0.pop();
        }
        Ok(())
    }

    /// Registers a piece of the program's memory until [`deregister_piece`](Self::deregister_piece)
    /// names its address. A module that needs the target's process moves bulk payloads by messages,
    /// for which it needs no registration.
    pub fn register_piece(&mut self, memory: impl Fn() -> Option<Region>) {
        let Some(region) = memory() else { return };
        let registrations = self.register_with(memory, |rma| !rma.needs_target());
        if !registrations.0.is_empty() {
            self.pieces.insert(region.address().as_ptr().addr(), registrations);
        }
    }

    /// Deregisters the piece at an address, if one is registered.
    pub fn deregister_piece(&mut self, address: usize) {
        let Some(mut piece) = self.pieces.remove(&address) else { return };
        if let Err(failure) = self.deregister(&mut piece) {
            self.state.note("registered memory", &failure.why);
        }
    }

    /// Returns the key by which other processes reach the memory: that of the first network whose
    /// first rail registered it, because accesses take the first rail of a network.
    pub fn key_of(&self, memory: &Registrations) -> NetworkKey {
        let first = memory.0.iter().find(|(rail, _)| self.rails[*rail].first == *rail);
        first.map_or(NetworkKey::NONE, |(rail, registration)| {
            NetworkKey::new(&self.rails[*rail].name, &registration.key)
        })
    }

    /// Returns whether the network that leads to a process reaches memory by this key.
    pub fn reaches_memory(&mut self, process: u32, key: &NetworkKey) -> bool {
        let Some((network, _)) = key.network() else { return false };
        self.choose_network(process).is_ok_and(|rail| {
            let rail = &mut self.rails[rail];
            rail.name == network && rail.module.rma().is_some()
        })
    }

    /// Begins to write `from` to the target. `Sink::completed` reports `token` when `from` may
    /// change.
    pub fn put(&mut self, from: Region, to: RemoteMemory<'_>, token: Token) -> Result<(), Failure> {
        let target = to.target()?;
        let rail = self.state.chosen[target.process as usize].into();
        let from = self.with_registration(rail, from);
        self.reach(target.process, token, |rma, host, own| rma.put(host, from, target, own))
    }

    /// Begins to read from the target. `Sink::completed` reports `token` when the bytes are in
    /// `to`.
    pub fn get(
        &mut self,
        to: RegionMut,
        from: RemoteMemory<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        let target = from.target()?;
        let rail = self.state.chosen[target.process as usize].into();
        let id = self.state.registration_of(rail, to.address().as_ptr().addr(), to.len());
        let to = to.registered(id);
        self.reach(target.process, token, |rma, host, own| rma.get(host, to, target, own))
    }

    /// Begins a flush. `Sink::completed` reports `token` when everything begun towards `process`
    /// before the flush is done there.
    pub fn flush(&mut self, process: u32, token: Token) -> Result<(), Failure> {
        self.reach(process, token, |rma, host, own| rma.flush(host, process, own))
    }

    fn reach(
        &mut self,
        process: u32,
        token: Token,
        begin: impl FnOnce(&mut dyn Rma, &mut DeferringHost<'_>, Token) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let chosen = self.state.chosen[process as usize];
        if chosen == NONE {
            return Err(no_memory());
        }
        let own = self.next_bulk;
        let (module, mut host) = self.rail(chosen.into());
        begin(module.rma().ok_or_else(no_memory)?, &mut host, own)?;
        self.next_bulk += 1;
        self.state.rma_operations.insert(own, token);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_key_survives_a_message() {
        let key = NetworkKey::new("verbs", &[1, 2, 3, 250]);
        assert_eq!(key.network(), Some(("verbs", &[1, 2, 3, 250][..])));
        assert_eq!(NetworkKey::from_words(key.words()), key);
        assert!(NetworkKey::new("verbs", &[0; NETWORK_KEY_MAX_BYTES - 5]).is_none());
        let mut words = key.words();
        words[0] = u64::MAX;
        assert_eq!(NetworkKey::from_words(words).network(), None, "the length was changed");
        assert_eq!(NetworkKey::NONE.network(), None);
    }
}
