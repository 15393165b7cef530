//! Registered memory and remote access to it, by the modules that support it.

use super::hosts::RegisteredRange;
use super::{DeferringHost, NONE, Networks, Rail, Token};
use nemesis_netmod::optional::{Change, Registration, Rma, Target};
use nemesis_netmod::{Failure, Fault, Region, RegionMut};

/// Most bytes of the networks' names and keys that a [`NetworkKey`] can hold. A network whose name
/// and key do not fit reaches the memory by packets.
const NETWORK_KEY_MAX_BYTES: usize = 128;

/// The registrations of memory with the modules of a process: one for each rail that reaches
/// memory and accepts it.
#[derive(Debug, Default)]
pub struct Registrations(Vec<OnRail>);

/// Memory that is registered with the module of one rail.
#[derive(Debug)]
struct OnRail {
    rail: usize,
    registration: Registration,
    /// Whether the module has atomic operations ([`Rma::has_atomics`]).
    has_atomics: bool,
}

/// What another process needs to reach registered memory by networks: the name and the key of each
/// network that reaches it. Plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct NetworkKey {
    /// Bytes of `told` in use; 0 if no network reaches the memory.
    bytes: u64,
    /// For each network, the length of its name, that of its key, and whether it has atomic
    /// operations, in a byte each; the name, and the key.
    told: [u8; NETWORK_KEY_MAX_BYTES],
}

impl NetworkKey {
    /// The key of memory that no network reaches.
    pub const NONE: NetworkKey = NetworkKey { bytes: 0, told: [0; NETWORK_KEY_MAX_BYTES] };

    /// Number of words of a key.
    pub const WORDS: usize = 1 + NETWORK_KEY_MAX_BYTES / 8;

    /// Adds the key of a network; does nothing if name and key do not fit.
    fn add(&mut self, name: &str, key: &[u8], has_atomics: bool) {
        let (Ok(name_bytes), Ok(key_bytes)) = (u8::try_from(name.len()), u8::try_from(key.len()))
        else {
            return;
        };
        let told = [&[name_bytes, key_bytes, has_atomics.into()], name.as_bytes(), key].concat();
        let used = self.bytes as usize;
        if let Some(place) = self.told.get_mut(used..used + told.len()) {
            place.copy_from_slice(&told);
            self.bytes += told.len() as u64;
        }
    }

    /// Whether no network reaches the memory.
    pub fn is_none(&self) -> bool {
        self.bytes == 0
    }

    /// Returns for each network its name, its key, and whether it has atomic operations.
    fn networks(&self) -> impl Iterator<Item = (&[u8], &[u8], bool)> {
        let bytes = usize::try_from(self.bytes).ok();
        let mut told = bytes.and_then(|bytes| self.told.get(..bytes)).unwrap_or_default();
        std::iter::from_fn(move || {
            let (&[name_bytes, key_bytes, has_atomics], rest) = told.split_first_chunk()?;
            let (name, rest) = rest.split_at_checked(name_bytes.into())?;
            let (key, rest) = rest.split_at_checked(key_bytes.into())?;
            told = rest;
            Some((name, key, has_atomics != 0))
        })
    }

    /// Returns the key of a network, and whether it has atomic operations; `None` if that network
    /// does not reach the memory.
    fn of(&self, network: &str) -> Option<(&[u8], bool)> {
        let mut networks = self.networks().filter(|(name, ..)| *name == network.as_bytes());
        networks.next().map(|(_, key, has_atomics)| (key, has_atomics))
    }

    /// Returns whether the atomic operations of some network may change the memory.
    pub fn has_atomics(&self) -> bool {
        self.networks().any(|(.., has_atomics)| has_atomics)
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
                    let has_atomics = rma.has_atomics();
                    all.0.push(OnRail { rail: index, registration, has_atomics });
                }
                Err(failure) => self.state.note(&rail.name, &failure.why),
            }
        }
        all
    }

    /// Deregisters memory. If a module refuses, it may still read and write the memory; `memory`
    /// then holds what is left, and the call may be repeated.
    pub fn deregister(&mut self, memory: &mut Registrations) -> Result<(), Failure> {
        while let Some(OnRail { rail, registration, .. }) = memory.0.last() {
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

    /// Returns the key by which other processes reach the memory: that of every network whose first
    /// rail registered it, because accesses take the first rail of a network.
    pub fn key_of(&self, memory: &Registrations) -> NetworkKey {
        let mut key = NetworkKey::NONE;
        for OnRail { rail, registration, has_atomics } in &memory.0 {
            let Rail { name, first, .. } = &self.rails[*rail];
            if first == rail {
                key.add(name, &registration.key, *has_atomics);
            }
        }
        key
    }

    /// Returns the target of an access by the network that leads to its process.
    fn target<'a>(&self, memory: RemoteMemory<'a>) -> Result<Target<'a>, Failure> {
        let chosen = usize::from(self.state.chosen[memory.process as usize]);
        let rail = self.rails.get(chosen).ok_or_else(no_memory)?;
        let (key, _) = memory.key.of(&rail.name).ok_or_else(no_memory)?;
        Ok(Target { process: memory.process, address: memory.address, key })
    }

    /// Returns whether the network that leads to a process reaches memory by this key.
    pub fn reaches_memory(&mut self, process: u32, key: &NetworkKey) -> bool {
        if key.is_none() {
            return false;
        }
        self.choose_network(process).is_ok_and(|rail| {
            let rail = &mut self.rails[rail];
            key.of(&rail.name).is_some() && rail.module.rma().is_some()
        })
    }

    /// Returns whether the network that leads to a process has atomic operations on memory with
    /// this key.
    pub fn changes_words(&mut self, process: u32, key: &NetworkKey) -> bool {
        key.has_atomics()
            && self.choose_network(process).is_ok_and(|rail| {
                let rail = &mut self.rails[rail];
                let theirs = key.of(&rail.name).is_some_and(|(_, has_atomics)| has_atomics);
                theirs && rail.module.rma().is_some_and(|rma| rma.has_atomics())
            })
    }

    /// Begins to write `from` to the target. `Sink::completed` reports `token` when `from` may
    /// change.
    pub fn put(&mut self, from: Region, to: RemoteMemory<'_>, token: Token) -> Result<(), Failure> {
        let target = self.target(to)?;
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
        let target = self.target(from)?;
        let rail = self.state.chosen[target.process as usize].into();
        let id = self.state.registration_of(rail, to.address().as_ptr().addr(), to.len());
        let to = to.registered(id);
        self.reach(target.process, token, |rma, host, own| rma.get(host, to, target, own))
    }

    /// Begins to change an aligned word of 8 bytes of the target, atomically towards all processes
    /// and processors. `Sink::completed` reports `token` when the word before is in `old`.
    pub fn change(
        &mut self,
        change: Change,
        old: RegionMut,
        at: RemoteMemory<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        let target = self.target(at)?;
        self.reach(target.process, token, |rma, host, own| {
            rma.atomic(host, change, old, target, own)
        })
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
    fn the_keys_of_several_networks_survive_a_message() {
        let mut key = NetworkKey::NONE;
        key.add("ofi:tcp", &[], false);
        assert!(!key.has_atomics());
        let first = key;
        key.add("long", &[0; NETWORK_KEY_MAX_BYTES - 16], true);
        assert_eq!(key, first, "it does not fit");
        key.add("verbs", &[1, 2, 3, 250], true);
        assert!(key.has_atomics());
        assert_eq!(key.of("verbs"), Some((&[1, 2, 3, 250][..], true)));
        assert_eq!((key.of("ofi:tcp"), key.of("verb")), (Some((&[][..], false)), None));
        assert_eq!(NetworkKey::from_words(key.words()), key);
        let mut words = key.words();
        for wrong in [u64::MAX, 1, 7] {
            words[0] = wrong;
            assert_eq!(NetworkKey::from_words(words).of("verbs"), None, "the length was changed");
        }
        assert_eq!(NetworkKey::NONE.of("verbs"), None);
    }
}
