//! Remote memory access by the device: the target's processor takes no part.
//!
//! Operations have a queue pair of their own, because an access to memory that is not registered
//! breaks a queue pair. A key tells what is registered, so this process refuses accesses beyond it
//! before the device does.

use crate::control::Purpose;
use crate::layout::access;
use crate::member::Member;
use crate::peer::{State, Work};
use crate::registered::Exposed;
use crate::work::{Atomic, Memory, Transfer};
use nemesis_netmod::optional::{Change, Registration, Rma, Target};
use nemesis_netmod::{Failure, Fault, Host, Region, RegionMut, Token};
use std::sync::Arc;

/// Bytes of a key: address, length, remote key, check.
const KEY_BYTES: usize = 24;
/// Length from which memory is registered for a put or a get; shorter ones pass through a buffer.
const REGISTER_MIN_BYTES: usize = 8192;

/// What a key tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    address: u64,
    bytes: u64,
    key: u32,
}

impl Key {
    fn check(&self) -> u32 {
        let words = [self.address, self.address >> 32, self.bytes, self.bytes >> 32];
        words.iter().fold(self.key, |sum, &word| {
            sum.rotate_left(5).wrapping_add(word as u32).wrapping_mul(0x9e37_79b1)
        })
    }

    fn encode(&self) -> [u8; KEY_BYTES] {
        let mut bytes = [0; KEY_BYTES];
        bytes[0..8].copy_from_slice(&self.address.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.bytes.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.key.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.check().to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Option<Key> {
        let bytes: &[u8; KEY_BYTES] = bytes.try_into().ok()?;
        let (address, rest) = bytes.split_first_chunk::<8>()?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let (key, check) = rest.split_first_chunk::<4>()?;
        let key = Key {
            address: u64::from_le_bytes(*address),
            bytes: u64::from_le_bytes(*length),
            key: u32::from_le_bytes(*key),
        };
        (check == key.check().to_le_bytes()).then_some(key)
    }

    fn contains(&self, address: u64, bytes: usize) -> bool {
        address >= self.address
            && address - self.address <= self.bytes
            && bytes as u64 <= self.bytes - (address - self.address)
    }
}

impl Member {
    /// Checks an access and prepares the connection. Returns the remote key.
    fn check_access(
        &mut self,
        host: &mut dyn Host,
        target: &Target<'_>,
        bytes: usize,
    ) -> Result<u32, Failure> {
        let to = target.process;
        let invalid = |why: &str| Failure::new(Fault::Invalid, why).about(to);
        if to as usize >= self.peers.len() || to == self.me {
            return Err(invalid("the job has no such process besides this one"));
        }
        self.check_open(to)?;
        let key = Key::decode(target.key).ok_or_else(|| invalid("the key is none of it"))?;
        if !key.contains(target.address, bytes) {
            return Err(invalid("the access lies outside the registered memory"));
        }
        self.begin(host, to)?;
        let peer = &self.peers[to as usize];
        if let Some(why) = peer.tcp_only.as_ref().or(peer.no_memory.as_ref()) {
            return Err(Failure::new(Fault::Unreachable, why.clone()).about(to));
        }
        match peer.memory.state {
            State::Ready => {}
            _ if peer.memory.attempt > 1 => {
                return Err(invalid(
                    "an access to memory that is not registered has broken the connection, which \
                     is being made again",
                ));
            }
            State::Idle => self.offer(host, to, Purpose::Memory, 1),
            State::Offered | State::Connected | State::Failed => {}
        }
        self.needs_tcp |= self.peers[to as usize].memory.state != State::Ready;
        Ok(key.key)
    }

    /// Returns the window `id` if it contains this memory.
    pub fn window(&self, id: u64, address: usize, bytes: usize) -> Option<Arc<Exposed>> {
        let window = self.windows.get(u32::try_from(id).ok()?)?.as_ref()?;
        window.registration.contains(address, bytes).then(|| Arc::clone(window))
    }

    fn begin_transfer(
        &mut self,
        host: &mut dyn Host,
        memory: Memory,
        target: &Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        let (bytes, address, id) = match &memory {
            Memory::Source(region) => (region.len(), region.address(), region.registration()),
            Memory::Destination(region) => (region.len(), region.address(), region.registration()),
        };
        let key = self.check_access(host, target, bytes)?;
        if bytes == 0 {
            self.done.push_back((token, Ok(())));
            return Ok(());
        }
        let mut window = None;
        let mut registration = None;
        if bytes >= REGISTER_MIN_BYTES {
            let address = address.as_ptr().expose_provenance();
            window = id.and_then(|id| self.window(id, address, bytes));
            if window.is_none() {
                registration = match &memory {
                    Memory::Source(region) => {
                        crate::registered::source(&self.device.domain, region).ok()
                    }
                    Memory::Destination(region) => {
                        crate::registered::destination(&self.device.domain, region).ok()
                    }
                };
            }
        }
        let operation = self.peers[target.process as usize].open_operations.begin();
        self.start(Transfer {
            peer: target.process,
            purpose: Purpose::Memory,
            registration,
            window,
            memory,
            remote: target.address,
            key,
            posted: 0,
            done: 0,
            token: Some(token),
            operation,
            bulk: 0,
        });
        Ok(())
    }

    /// Reports the flushes of a process whose operations are complete.
    pub fn end_flushes(&mut self, peer: u32) {
        let peer = &mut self.peers[peer as usize];
        while let Some(&(limit, token)) = peer.flushes.front()
            && peer.open_operations.have_ended(limit)
        {
            peer.flushes.pop_front();
            self.done.push_back((token, Ok(())));
        }
    }
}

impl Rma for Member {
    fn has_atomics(&self) -> bool {
        self.device.has_atomics
    }

    fn register(&mut self, region: Region) -> Result<Registration, Failure> {
        let (address, bytes) = (region.address().as_ptr().expose_provenance(), region.len());
        let mut key = Key { address: address as u64, bytes: bytes as u64, key: 0 };
        let window = if bytes == 0 {
            None
        } else {
            let rights = access::LOCAL_WRITE | self.device.rights();
            let exposed = Exposed::new(&self.device.domain, region, rights);
            let exposed = exposed.map_err(|(_, why)| {
                let why = format!(
                    "registering {bytes} bytes: {why}; messages carry the accesses to them"
                );
                Failure::new(Fault::Resources, why)
            })?;
            key.key = exposed.registration.remote_key();
            Some(Arc::new(exposed))
        };
        let id = self.windows.insert(window);
        Ok(Registration { id: id.into(), key: key.encode().to_vec() })
    }

    fn deregister(&mut self, registration: &Registration) -> Result<(), Failure> {
        let id = u32::try_from(registration.id).ok();
        let unknown = || Failure::new(Fault::Invalid, "no such registration");
        id.and_then(|id| self.windows.remove(id)).map(drop).ok_or_else(unknown)
    }

    fn put(
        &mut self,
        host: &mut dyn Host,
        from: Region,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.begin_transfer(host, Memory::Source(from), &target, token)
    }

    fn get(
        &mut self,
        host: &mut dyn Host,
        to: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        self.begin_transfer(host, Memory::Destination(to), &target, token)
    }

    fn atomic(
        &mut self,
        host: &mut dyn Host,
        change: Change,
        old: RegionMut,
        target: Target<'_>,
        token: Token,
    ) -> Result<(), Failure> {
        let to = target.process;
        if !self.device.has_atomics {
            let why = "the atomic operations of the device do not exclude those of processors";
            return Err(Failure::new(Fault::Unavailable, why).about(to));
        }
        if !target.address.is_multiple_of(8) || old.len() < 8 {
            let why = "an atomic operation changes an aligned word of 8 bytes";
            return Err(Failure::new(Fault::Invalid, why).about(to));
        }
        let key = self.check_access(host, &target, 8)?;
        let word = self.device.words.take();
        let word = word.map_err(|why| Failure::new(Fault::Resources, why).about(to))?;
        let operation = self.peers[to as usize].open_operations.begin();
        let number = self.atomics.insert(Atomic {
            peer: to,
            change,
            remote: target.address,
            key,
            old,
            token,
            operation,
            word,
        });
        self.peers[to as usize].memory.work.push_back(Work::Atomic(number));
        self.pump_work(to, Purpose::Memory);
        self.activate(to);
        Ok(())
    }

    fn flush(&mut self, _: &mut dyn Host, process: u32, token: Token) -> Result<(), Failure> {
        if process as usize >= self.peers.len() || process == self.me {
            let why = "the job has no such process besides this one";
            return Err(Failure::new(Fault::Invalid, why).about(process));
        }
        self.check_open(process)?;
        let peer = &mut self.peers[process as usize];
        peer.flushes.push_back((peer.open_operations.next(), token));
        // A loss that is known to the system is seen before the flush ends.
        self.needs_tcp = true;
        self.activate(process);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_survives_its_encoding_and_nothing_else_does() {
        let key = Key { address: 0x7f00_1234_5000, bytes: 4096, key: 0x0102_0304 };
        let bytes = key.encode();
        assert_eq!(Key::decode(&bytes), Some(key));
        let inverted: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
        assert_eq!(Key::decode(&inverted), None);
        assert_eq!(Key::decode(&bytes[1..]), None);
    }

    #[test]
    fn a_key_bounds_its_accesses() {
        let key = Key { address: 1000, bytes: 100, key: 1 };
        assert!(key.contains(1000, 100) && key.contains(1100, 0) && key.contains(1092, 8));
        assert!(!key.contains(999, 1) && !key.contains(1093, 8) && !key.contains(u64::MAX - 7, 16));
    }
}
