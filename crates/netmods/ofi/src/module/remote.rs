//! Access to the memory of other processes.
//!
//! Accesses have an endpoint of their own, which is opened when a process registers memory or first
//! accesses that of another. A provider over sockets answers an access to memory that is not
//! registered by the end of the connection, and messages must not be lost with it. A key names the
//! endpoint, and tells which bytes a registration has, so this process refuses accesses beyond
//! them.
//!
//! A write asks for `FI_DELIVERY_COMPLETE`, so a flush waits for the ends of earlier accesses, and
//! sends nothing itself.

use super::Member;
use crate::choice::{self, Chosen};
use crate::endpoint::{Address, Completion, Endpoint, Exposed, NotStarted, Remote, Sizes};
use crate::library::Library;
use crate::peer::{Access, Memory, Peer, State};
use nemesis_netmod::optional::{Registration, Rma, Target};
use nemesis_netmod::{Failure, Fault, Host, Region, RegionMut, Token};
use std::collections::{HashMap, VecDeque};
use std::os::fd::RawFd;
use std::sync::Arc;
use std::time::Instant;

/// Most accesses that the provider has in hand.
const ACCESSES_MAX: usize = 128;
/// Bytes of a key before the name of the endpoint: address, length, the provider's key, form,
/// check.
const KEY_BYTES: usize = 27;
/// Form of a key whose places are offsets from the first byte, and of one with virtual addresses.
const OFFSETS: u8 = 0xa0;
const VIRTUAL: u8 = 0xa1;

/// What a process needs to ask the library whether the provider reaches memory. `fi_getinfo` asks
/// all providers, so only a process that uses remote memory calls it again.
pub(super) struct Unasked {
    pub(super) library: Arc<Library>,
    pub(super) chosen: Chosen,
    pub(super) sizes: Sizes,
}

/// What a key tells: the bytes of the registration, what the provider calls the first one, and the
/// name of the endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key<'a> {
    address: u64,
    bytes: u64,
    key: u64,
    form: u8,
    name: &'a [u8],
}

impl Key<'_> {
    fn check(&self) -> u16 {
        let mix =
            |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let words = [self.address, self.bytes, self.key, self.form.into()];
        let name = self.name.iter().map(|&byte| byte.into());
        (words.into_iter().chain(name).fold(1, mix) >> 48) as u16
    }

    fn encode(&self) -> Vec<u8> {
        let words = [self.address, self.bytes, self.key].into_iter().flat_map(u64::to_le_bytes);
        let rest = [self.form].into_iter().chain(self.check().to_le_bytes());
        words.chain(rest).chain(self.name.iter().copied()).collect()
    }

    fn decode(bytes: &[u8]) -> Option<Key<'_>> {
        let (fixed, name) = bytes.split_first_chunk::<KEY_BYTES>()?;
        let (words, rest) = fixed.as_chunks::<8>();
        let word = |number: usize| u64::from_le_bytes(words[number]);
        let key = Key { address: word(0), bytes: word(1), key: word(2), form: rest[0], name };
        let is_key =
            rest[1..] == key.check().to_le_bytes() && matches!(key.form, OFFSETS | VIRTUAL);
        is_key.then_some(key)
    }

    /// Returns what the provider calls a place; `None` if the access leaves the registration.
    fn place(&self, address: u64, bytes: usize) -> Option<Remote> {
        let offset = address.checked_sub(self.address).filter(|&offset| offset <= self.bytes)?;
        let fits = bytes as u64 <= self.bytes - offset;
        let address = if self.form == VIRTUAL { address } else { offset };
        fits.then_some(Remote { address, key: self.key })
    }
}

/// The accesses of a process, and the memory that others reach.
pub(super) struct Remotes {
    library: Arc<Library>,
    offer: Chosen,
    sizes: Sizes,
    /// The endpoint, once it is needed, and its name.
    endpoint: Option<(Endpoint, Vec<u8>)>,
    /// Memory that other processes reach, by registration.
    exposed: HashMap<u64, Exposed>,
    /// Whether the provider may still write for a lost process into memory that was exposed to it.
    has_stray_writer: bool,
    /// Accesses in the hands of the provider, by label: process and token.
    pub(super) accesses: HashMap<u64, (u32, Token)>,
    completions: Vec<Completion>,
    /// Processes with flushes to report.
    flushing: Vec<u32>,
    /// Accesses and flushes that have ended, to be reported by the next poll.
    ended: VecDeque<(Token, Result<(), Failure>)>,
}

impl Remotes {
    /// Prepares accesses by an offer. Opens nothing. The endpoint has a descriptor to sleep on in
    /// any case: no completion tells the target of an access, so nothing would shorten its sleeps.
    pub(super) fn new(library: &Arc<Library>, offer: Chosen, sizes: Sizes) -> Remotes {
        let completions = (2 * ACCESSES_MAX).max(sizes.peers);
        Remotes {
            library: Arc::clone(library),
            offer,
            sizes: Sizes { completions, sleeps: true, ..sizes },
            endpoint: None,
            exposed: HashMap::new(),
            has_stray_writer: false,
            accesses: HashMap::new(),
            completions: Vec::new(),
            flushing: Vec::new(),
            ended: VecDeque::new(),
        }
    }

    /// Returns the endpoint and its name, and opens it if it is not open.
    fn open(&mut self) -> Result<(&mut Endpoint, &[u8]), Failure> {
        let failed = |why| Failure::new(Fault::Resources, why);
        if self.endpoint.is_none() {
            let endpoint = Endpoint::open(&self.library, &self.offer, self.sizes);
            let endpoint = endpoint.map_err(failed)?;
            if !endpoint.reaches_memory() {
                return Err(failed("the provider reaches no remote memory".to_owned()));
            }
            let name = endpoint.name().map_err(failed)?;
            self.endpoint = Some((endpoint, name));
        }
        match &mut self.endpoint {
            Some((endpoint, name)) if !endpoint.is_closed() => Ok((endpoint, name)),
            _ => Err(failed(
                "the endpoint for memory was closed after the loss of a process".to_owned(),
            )),
        }
    }

    /// Returns the descriptor to sleep on: `None` if nothing happens here, `Some(None)` if there is
    /// no descriptor. Fails if there is something to do.
    pub(super) fn sleeps_on(&mut self) -> Result<Option<Option<RawFd>>, ()> {
        if !self.ended.is_empty() || !self.completions.is_empty() {
            return Err(());
        }
        match &mut self.endpoint {
            Some((endpoint, _)) if !endpoint.is_closed() => {
                endpoint.sleeps_on(&mut self.completions).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Ends the accesses to a lost process, and returns the tokens of those that the provider had
    /// in hand. If the provider does not end them, closes the endpoint.
    pub(super) fn end(&mut self, peer: u32, addresses: &[(Vec<u8>, Address)]) -> Vec<Token> {
        self.has_stray_writer |=
            !self.exposed.is_empty() && choice::accesses_in_software(&self.offer.properties);
        self.flushing.retain(|&other| other != peer);
        let Some((endpoint, _)) = &mut self.endpoint else { return Vec::new() };
        let labels: HashMap<u64, (u32, Token)> =
            self.accesses.extract_if(|_, (to, _)| *to == peer).collect();
        let start = Instant::now();
        endpoint.cancel(|label| labels.contains_key(&label));
        while endpoint.count(|label| labels.contains_key(&label)) > 0 {
            let late = start.elapsed() > super::meeting::SETTLE_TIMEOUT;
            if late || endpoint.poll(&mut self.completions).is_err() {
                endpoint.close(&mut self.completions);
                break;
            }
        }
        let is_lost = |completion: &mut Completion| {
            completion.held.host_label().is_none_or(|label| labels.contains_key(&label))
        };
        self.completions.extract_if(.., is_lost).for_each(drop);
        if !endpoint.is_closed() {
            addresses.iter().for_each(|&(_, address)| endpoint.remove(address));
        }
        labels.into_values().map(|(_, token)| token).collect()
    }
}

impl Drop for Remotes {
    fn drop(&mut self) {
        let Some((endpoint, _)) = &mut self.endpoint else { return };
        for (_, exposed) in self.exposed.drain() {
            // What the provider does not give back here ends with the endpoint.
            let _ = endpoint.conceal(exposed);
        }
    }
}

/// Returns the failure of an access or a flush if the provider has none.
fn no_access(to: u32) -> Failure {
    Failure::new(Fault::Unavailable, "the provider reaches no remote memory").about(to)
}

impl Member {
    /// Asks the library, once, whether the provider reaches memory.
    pub(super) fn ask_for_memory(&mut self) {
        if let Some(Unasked { library, chosen, sizes }) = self.unasked.take() {
            let offer = choice::for_memory(&library, &chosen);
            self.remotes = offer.map(|offer| Remotes::new(&library, offer, sizes));
        }
    }

    /// Fails if a process is no target of accesses.
    fn check_target(&self, to: u32) -> Result<(), Failure> {
        let unknown = || Member::invalid("the job has no such process besides this one", to);
        let peer = self.peers.get(to as usize).filter(|_| to != self.me).ok_or_else(unknown)?;
        match &peer.state {
            State::Lost(failure) => Err(failure.clone()),
            _ if peer.heard => Err(Failure::new(Fault::Lost, "it has finalized").about(to)),
            _ => Ok(()),
        }
    }

    /// Returns the address of the endpoint for memory of a process, which a key names.
    fn memory_address(&mut self, to: u32, name: &[u8]) -> Result<Address, Failure> {
        let peer = &mut self.peers[to as usize];
        if let Some((_, address)) = peer.memory_addresses.iter().find(|(known, _)| known == name) {
            return Ok(*address);
        }
        let remotes = self.remotes.as_mut().ok_or_else(|| no_access(to))?;
        let (endpoint, _) = remotes.open()?;
        let address = endpoint.insert(name);
        let address = address.map_err(|why| Failure::new(Fault::Unreachable, why).about(to))?;
        peer.memory_addresses.push((name.to_vec(), address));
        Ok(address)
    }

    fn begin_access(
        &mut self,
        host: &mut dyn Host,
        memory: Memory,
        target: &Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        let (to, bytes) = (target.process, memory.len());
        self.check_target(to)?;
        let key = Key::decode(target.key);
        let key = key.ok_or_else(|| Member::invalid("the key is none of this network", to))?;
        let there = key.place(target.address, bytes);
        let there =
            there.ok_or_else(|| Member::invalid("the access leaves the registered memory", to))?;
        if bytes as u64 > self.limits.bulk {
            return Err(Member::invalid("the access is longer than the provider carries", to));
        }
        let label = self.unique();
        let remotes = self.remotes.as_mut().ok_or_else(|| no_access(to))?;
        if bytes == 0 {
            remotes.ended.push_back((token, Ok(())));
            return Ok(());
        }
        remotes.open()?;
        let address = self.memory_address(to, key.name)?;
        if let State::Unknown = self.peers[to as usize].state {
            self.begin(host, to)?;
        }
        if self.peers[to as usize].resting {
            self.revoke_rest(host, to);
        }
        let peer = &mut self.peers[to as usize];
        peer.open.insert(label);
        peer.accesses.push_back(Access { label, memory, address, there, token });
        self.transmit(to);
        Ok(())
    }

    /// Hands the next access to a process to the provider; false if there is none or it has to
    /// wait.
    pub(super) fn start_access(&mut self, to: u32) -> bool {
        let peer = &mut self.peers[to as usize];
        let Some(remotes) = &mut self.remotes else { return false };
        let Some((endpoint, _)) = &mut remotes.endpoint else { return false };
        if remotes.accesses.len() >= ACCESSES_MAX {
            return false;
        }
        let Some(Access { label, memory, address, there, token }) = peer.accesses.pop_front()
        else {
            return false;
        };
        let begun = match memory {
            Memory::Source(region) => {
                let begun = endpoint.write(address, region, there, label);
                begun.map_err(|not| again(not, Memory::Source))
            }
            Memory::Destination(region) => {
                let begun = endpoint.read(address, region, there, label);
                begun.map_err(|not| again(not, Memory::Destination))
            }
        };
        match begun {
            Ok(()) => {
                remotes.accesses.insert(label, (to, token));
                true
            }
            Err((memory, None)) => {
                peer.accesses.push_front(Access { label, memory, address, there, token });
                false
            }
            Err((memory, Some(why))) => {
                drop(memory);
                remotes.ended.push_back((token, peer.end_access((to, false), label, Err(why))));
                true
            }
        }
    }

    /// Makes progress with accesses, those of other processes to this one's memory included.
    pub(super) fn progress_memory(&mut self, host: &mut dyn Host) {
        let Some(remotes) = &mut self.remotes else { return };
        let Some((endpoint, _)) = &mut remotes.endpoint else { return };
        if endpoint.poll(&mut remotes.completions).is_err() {
            endpoint.close(&mut remotes.completions);
        }
        let is_closed = endpoint.is_closed();
        for Completion { held, outcome } in remotes.completions.drain(..) {
            let label = held.host_label().unwrap_or_default();
            // The memory is the host's again from here on.
            drop(held);
            if let Some((to, token)) = remotes.accesses.remove(&label) {
                let outcome = self.peers[to as usize].end_access((to, is_closed), label, outcome);
                host.completed(token, outcome);
            }
        }
    }

    /// Reports the flushes whose accesses have ended, and accesses that did not start.
    pub(super) fn report_ended(&mut self, host: &mut dyn Host) {
        let Some(Remotes { flushing, ended, .. }) = &mut self.remotes else { return };
        flushing.retain(|&peer| {
            let peer = &mut self.peers[peer as usize];
            while let Some(token) = peer.next_flush() {
                ended.push_back((token, peer.access_failure.take().map_or(Ok(()), Err)));
            }
            !peer.flushes.is_empty()
        });
        while let Some((token, outcome)) = ended.pop_front() {
            host.completed(token, outcome);
        }
    }
}

impl Peer {
    /// Notes the end of an access for later flushes. Returns the outcome for the host. An access
    /// that ends because its endpoint `is_closed` says nothing about the process.
    fn end_access(
        &mut self,
        (process, is_closed): (u32, bool),
        label: u64,
        outcome: Result<usize, String>,
    ) -> Result<(), Failure> {
        self.open.remove(&label);
        outcome.map(drop).map_err(|why| {
            let why = format!("libfabric did not carry out an access to its memory: {why}");
            let fault = if is_closed { Fault::Resources } else { Fault::Lost };
            let failure = Failure::new(fault, why).about(process);
            self.access_failure = Some(failure.clone());
            failure
        })
    }

    /// Removes the first flush if all accesses before it have ended.
    fn next_flush(&mut self) -> Option<Token> {
        let &(limit, token) = self.flushes.front()?;
        if self.open.first().is_some_and(|&first| first < limit) {
            return None;
        }
        self.flushes.pop_front();
        Some(token)
    }
}

/// Returns the memory of an access that did not start, and why the provider refuses it if it does.
fn again<T>(not: NotStarted<T>, memory: impl Fn(T) -> Memory) -> (Memory, Option<String>) {
    match not {
        NotStarted::Again(region) => (memory(region), None),
        NotStarted::Failed(region, why) => (memory(region), Some(why)),
    }
}

impl Rma for Member {
    fn needs_target(&self) -> bool {
        !self.endpoint.properties().progresses_by_itself
    }

    fn register(&mut self, region: Region) -> Result<Registration, Failure> {
        let (address, bytes) = (region.address().as_ptr().expose_provenance(), region.len());
        let id = self.unique();
        let remotes = self.remotes.as_mut().ok_or_else(|| no_access(self.me))?;
        let (endpoint, name) = remotes.open()?;
        let mut key =
            Key { address: address as u64, bytes: bytes as u64, key: 0, form: OFFSETS, name };
        if bytes == 0 {
            return Ok(Registration { id, key: key.encode() });
        }
        let exposed = endpoint.expose(region);
        let exposed = exposed.map_err(|why| Failure::new(Fault::Resources, why))?;
        key.key = exposed.key();
        key.form = if exposed.is_virtual { VIRTUAL } else { OFFSETS };
        let key = key.encode();
        remotes.exposed.insert(id, exposed);
        Ok(Registration { id, key })
    }

    fn deregister(&mut self, registration: &Registration) -> Result<(), Failure> {
        let Some(remotes) = &mut self.remotes else { return Ok(()) };
        let Some(exposed) = remotes.exposed.remove(&registration.id) else { return Ok(()) };
        let Some((endpoint, _)) = &mut remotes.endpoint else { return Ok(()) };
        if remotes.has_stray_writer && !endpoint.is_closed() {
            // The provider may be in the middle of a write of the lost process.
            endpoint.close(&mut remotes.completions);
        }
        if let Err((exposed, why)) = endpoint.conceal(exposed) {
            remotes.exposed.insert(registration.id, exposed);
            let why = format!("libfabric keeps registered memory: {why}");
            return Err(Failure::new(Fault::Resources, why));
        }
        // A waiting access names its target by an address of this endpoint, and fails with it.
        let waits = self.peers.iter().any(|peer| !peer.accesses.is_empty());
        let is_unused = remotes.exposed.is_empty() && remotes.completions.is_empty() && !waits;
        if endpoint.is_closed() && is_unused {
            // The next registration opens another.
            remotes.endpoint = None;
            remotes.has_stray_writer = false;
            for peer in self.peers.iter_mut() {
                peer.memory_addresses.clear();
            }
        }
        Ok(())
    }

    fn put(
        &mut self,
        host: &mut dyn Host,
        from: Region,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.begin_access(host, Memory::Source(from), &target, token)
    }

    fn get(
        &mut self,
        host: &mut dyn Host,
        to: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.begin_access(host, Memory::Destination(to), &target, token)
    }

    fn flush(&mut self, _: &mut dyn Host, process: u32, token: Token) -> Result<(), Failure> {
        self.check_target(process)?;
        let limit = self.unique();
        let remotes = self.remotes.as_mut().ok_or_else(|| no_access(process))?;
        self.peers[process as usize].flushes.push_back((limit, token));
        if !remotes.flushing.contains(&process) {
            remotes.flushing.push(process);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(unsafe_code)]

    use super::*;
    use crate::module::tests::{driver, pair, send, until};
    use nemesis_netmod::Module;
    use std::ptr::NonNull;

    #[test]
    fn a_key_survives_its_encoding_and_nothing_else_does() {
        for (form, name) in [(OFFSETS, &[2, 0, 1, 2][..]), (VIRTUAL, &[])] {
            let key = Key { address: 0x7f00_1234_5000, bytes: 4096, key: u64::MAX, form, name };
            let bytes = key.encode();
            assert_eq!(Key::decode(&bytes), Some(key));
            let inverted: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
            assert_eq!(Key::decode(&inverted), None);
            assert_eq!(Key::decode(&bytes[1..]), None);
        }
    }

    #[test]
    fn a_key_bounds_its_accesses() {
        let key = Key { address: 1000, bytes: 100, key: 1, form: OFFSETS, name: &[] };
        let at = |address, bytes| key.place(address, bytes).map(|place| place.address);
        assert_eq!(at(1000, 100), Some(0));
        assert_eq!(at(1092, 8), Some(92));
        assert_eq!(at(1100, 0), Some(100));
        assert_eq!(at(999, 1), None);
        assert_eq!(at(1093, 8), None);
        assert_eq!(at(u64::MAX - 7, 16), None);
        let place = Key { form: VIRTUAL, ..key }.place(1092, 8);
        assert_eq!(place, Some(Remote { address: 1092, key: 1 }));
    }

    #[test]
    fn an_endpoint_for_memory_has_one_address_whichever_keys_come_between() {
        let Some(mut members) = pair(&driver()) else { return };
        let names: Vec<Vec<u8>> = members
            .iter_mut()
            .map(|(member, _)| {
                member.ask_for_memory();
                let remotes = member.remotes.as_mut().expect("sockets reach memory");
                remotes.open().expect("an endpoint is opened").1.to_vec()
            })
            .collect();
        let member = &mut members[0].0;
        let mut address = |name: &[u8]| member.memory_address(1, name).expect("it is inserted");
        let first = [0, 1].map(|number| address(&names[number]));
        assert_eq!([0, 1].map(|number| address(&names[number])), first);
        assert_eq!(member.peers[1].memory_addresses.len(), 2);
    }

    #[test]
    fn an_endpoint_for_memory_is_opened_when_it_is_needed() {
        let Some(mut members) = pair(&driver()) else { return };
        send(&mut members[0]);
        until(&mut members, |members| members[1].1.packets == 1);
        let is_asked = |member: &Member| member.unasked.is_none() || member.remotes.is_some();
        assert!(!is_asked(&members[0].0) && !is_asked(&members[1].0));
        assert!(members.iter_mut().all(|(member, _)| member.rma().is_some()));
        let is_open = |member: &Member| {
            member.remotes.as_ref().expect("sockets reach memory").endpoint.is_some()
        };
        assert!(!is_open(&members[0].0) && !is_open(&members[1].0));
        let bytes = NonNull::from(Box::leak(Box::new([0_u64; 8]))).cast();
        // SAFETY: the memory is never freed, and nothing else uses it.
        let region = || unsafe { Region::new(bytes, 64) };
        let (member, host) = &mut members[1];
        let rma = member.rma().expect("the module has an RMA table");
        assert!(rma.needs_target());
        let registration = rma.register(region()).expect("the memory is registered");
        let key = &registration.key[..];
        let (address, process) = (bytes.addr().get() as u64, 0);
        let beyond = Target { process, address: address + 1, key };
        let why = rma.put(host, region(), beyond, 1).unwrap_err().why;
        assert!(why.contains("leaves the registered memory"), "{why}");
        let wrong = Target { process, address, key: &key[1..] };
        let why = rma.put(host, region(), wrong, 1).unwrap_err().why;
        assert!(why.contains("key"), "{why}");
        assert!(is_open(&members[1].0) && !is_open(&members[0].0));
    }
}
