//! Registered memory ("Design and Evaluation of Nemesis", §2.3): memory of the program that others put into and get from without waiting.
//!
//! Registering gives a *key*, plain data that may be sent. An operation is begun with a key and is over when [`Registered::is_over`] says so; whoever
//! waits polls the endpoint and calls [`progress`](Registered::progress).
//!
//! Where the kernel copies between address spaces, an operation is over when it has begun. Where it refuses, the packets of the endpoint serve:
//!
//! ```text
//!   put    PUT (address) bytes … PUT, last ──>     <── DONE
//!   get    GET (address, length) ──>               <── DATA (offset) bytes … DATA, last
//! ```
//!
//! What a process has registered stands in its directory. An initiator on the same node looks there before it begins, and a target looks into its own
//! list for every packet: nothing else is ever touched.

use crate::PACKET_MAX_BYTES;
use crate::directory::{Directory, Reader};
use crate::endpoint::{Endpoint, Packet};
use crate::memory::Memory;
use nemesis_shm::span::Span;
use nemesis_wire::{Header, kind, word, words};
use rustix::io::Errno;
use std::collections::{BTreeMap, HashMap, VecDeque};

/// What another process must know of registered memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Key {
    pub process: u64,
    /// Of the process's directory.
    pub directory: u64,
    pub address: u64,
    pub bytes: u64,
}

/// Why an operation does not begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The bytes are not registered there, or no longer.
    NotRegistered,
    /// The key, or this process, has no shared memory to look things up in.
    NoDirectory(String),
    /// The kernel could not reach memory that is registered: it has been unmapped.
    Gone(Errno),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Put,
    Get,
}

/// The last packet of its operation.
const LAST: u8 = 1;
const PIECE_BYTES: usize = PACKET_MAX_BYTES - 8;

/// An operation under way by packets.
#[derive(Debug)]
struct Operation {
    way: Way,
    to: u32,
    address: u64,
    local: Span,
    done: usize,
}

/// Bytes that another asked for.
#[derive(Debug)]
struct Answer {
    to: u32,
    operation: u64,
    region: Span,
    offset: usize,
    bytes: usize,
    sent: usize,
}

/// Registered memory of this process, and its operations on that of others.
#[derive(Debug, Default)]
pub struct Registered {
    directory: Option<Directory>,
    own: Vec<Span>,
    readers: HashMap<(u32, u64), Reader>,
    /// Peers of whom the kernel keeps us away.
    refused: Vec<u32>,
    next: u64,
    operations: BTreeMap<u64, Operation>,
    /// Operations with packets to send, in their order.
    sending: VecDeque<u64>,
    answers: VecDeque<Answer>,
    /// Puts that have arrived and must be confirmed.
    arrived: VecDeque<(u32, u64)>,
}

impl Registered {
    /// Lets others put into and get from `region`.
    pub fn register(&mut self, memory: &mut Memory, region: Span) -> Result<Key, Trouble> {
        let directory = match &mut self.directory {
            Some(directory) => directory,
            none => none.insert(Directory::new(memory).map_err(|refusal| Trouble::NoDirectory(refusal.to_string()))?),
        };
        let (address, bytes) = (region.address() as u64, region.bytes());
        directory.offer(address, bytes).map_err(|_| Trouble::NoDirectory("as many regions are registered as there is room for".into()))?;
        self.own.push(region);
        Ok(Key { process: u64::from(memory.me()), directory: directory.offset(), address, bytes: bytes as u64 })
    }

    /// Ends that; false when it was not registered.
    pub fn deregister(&mut self, key: &Key) -> bool {
        let Ok(bytes) = usize::try_from(key.bytes) else { return false };
        let known = self.directory.as_mut().is_some_and(|directory| directory.withdraw(key.address, bytes));
        if let Some(index) = self.own.iter().position(|region| region.address() as u64 == key.address && region.bytes() == bytes) {
            self.own.swap_remove(index);
        }
        known
    }

    /// Begins to copy `local` to `address` in memory registered under `key`.
    pub fn put(&mut self, memory: &Memory, key: &Key, address: u64, local: Span) -> Result<u64, Trouble> {
        self.begin(memory, key, address, local, Way::Put)
    }

    /// Begins to copy from `address` in memory registered under `key` to `local`.
    pub fn get(&mut self, memory: &Memory, key: &Key, address: u64, local: Span) -> Result<u64, Trouble> {
        self.begin(memory, key, address, local, Way::Get)
    }

    fn begin(&mut self, memory: &Memory, key: &Key, address: u64, local: Span, way: Way) -> Result<u64, Trouble> {
        let process = u32::try_from(key.process).map_err(|_| Trouble::NotRegistered)?;
        self.check(memory, process, key, address, local.bytes())?;
        self.next += 1;
        if self.refused.contains(&process) || !self.copy(memory, process, address, &local, way)? {
            self.operations.insert(self.next, Operation { way, to: process, address, local, done: 0 });
            self.sending.push_back(self.next);
        }
        Ok(self.next)
    }

    /// The bytes lie in what the key names, and are registered still.
    fn check(&mut self, memory: &Memory, process: u32, key: &Key, address: u64, bytes: usize) -> Result<(), Trouble> {
        let inside =
            address.checked_sub(key.address).and_then(|offset| offset.checked_add(bytes as u64)).is_some_and(|end| end <= key.bytes);
        let reader = match self.readers.entry((process, key.directory)) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                let reader = Reader::new(memory, process, key.directory).map_err(|refusal| Trouble::NoDirectory(refusal.to_string()))?;
                new.insert(reader)
            }
        };
        if inside && reader.find(address, bytes).is_some() { Ok(()) } else { Err(Trouble::NotRegistered) }
    }

    /// Lets the kernel copy; false when it keeps us away from that process.
    fn copy(&mut self, memory: &Memory, process: u32, address: u64, local: &Span, way: Way) -> Result<bool, Trouble> {
        let (mut done, mut through) = (0, vec![0; local.bytes().min(256 << 10)]);
        while done < local.bytes() {
            let part = through.len().min(local.bytes() - done);
            let piece = std::iter::once((address + done as u64, part));
            let moved = match way {
                Way::Put => {
                    local.read(done, &mut through[..part]);
                    memory.write(process, piece, &through[..part])
                }
                Way::Get => memory.read(process, piece, &mut through[..part]),
            };
            match moved {
                Ok(()) => {}
                Err(Errno::PERM | Errno::SRCH | Errno::NOSYS | Errno::ACCESS) => {
                    self.refused.push(process);
                    return Ok(false);
                }
                Err(errno) => return Err(Trouble::Gone(errno)),
            }
            if way == Way::Get {
                local.write(done, &through[..part]);
            }
            done += part;
        }
        Ok(true)
    }

    /// Whether an operation is over: its local memory may be used again, a put has arrived.
    pub fn is_over(&self, operation: u64) -> bool {
        !self.operations.contains_key(&operation)
    }

    /// A process cannot be reached any more: operations on it are over, whatever has become of them.
    pub fn lose(&mut self, process: u32) {
        self.operations.retain(|_, operation| operation.to != process);
        self.answers.retain(|answer| answer.to != process);
        self.arrived.retain(|&(to, _)| to != process);
    }

    /// Whether there is something to send.
    pub fn is_idle(&self) -> bool {
        self.sending.is_empty() && self.answers.is_empty() && self.arrived.is_empty()
    }

    /// Takes a packet of these kinds in; false for one of another kind. What makes no sense is left out.
    pub fn take(&mut self, packet: &Packet<'_>) -> bool {
        let Packet { origin, header, payload } = *packet;
        match header.kind {
            kind::MEMORY_PUT => drop(self.take_put(origin, &header, payload)),
            kind::MEMORY_GET => drop(self.take_get(origin, &header, payload)),
            kind::MEMORY_DATA => drop(self.take_data(origin, &header, payload)),
            kind::MEMORY_DONE => {
                if self.operations.get(&header.context).is_some_and(|operation| operation.to == origin) {
                    self.operations.remove(&header.context);
                }
            }
            _ => return false,
        }
        true
    }

    /// The registered region that has these bytes, and where in it they lie.
    fn own_place(&self, address: u64, bytes: usize) -> Option<(&Span, usize)> {
        self.own.iter().find_map(|region| {
            let offset = usize::try_from(address.checked_sub(region.address() as u64)?).ok()?;
            (offset.checked_add(bytes)? <= region.bytes()).then_some((region, offset))
        })
    }

    fn take_put(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        if header.flags & LAST != 0 {
            self.arrived.push_back((origin, header.context));
        }
        let (address, bytes) = (word(payload, 0)?, payload.get(8..)?);
        let (region, offset) = self.own_place(address, bytes.len())?;
        region.write(offset, bytes);
        Some(())
    }

    fn take_get(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let (address, bytes) = (word(payload, 0)?, usize::try_from(word(payload, 1)?).ok()?);
        let (region, offset) = self.own_place(address, bytes)?;
        let answer = Answer { to: origin, operation: header.context, region: region.clone(), offset, bytes, sent: 0 };
        self.answers.push_back(answer);
        Some(())
    }

    fn take_data(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let operation = self.operations.get(&header.context).filter(|operation| operation.to == origin && operation.way == Way::Get)?;
        let offset = usize::try_from(word(payload, 0)?).ok()?;
        operation.local.write(offset, payload.get(8..)?);
        if header.flags & LAST != 0 {
            self.operations.remove(&header.context);
        }
        Some(())
    }

    /// Sends what there is room for. Called after every poll.
    pub fn progress(&mut self, endpoint: &mut Endpoint) {
        while let Some(&(to, operation)) = self.arrived.front() {
            let header = Header { kind: kind::MEMORY_DONE, context: operation, ..Header::default() };
            if !endpoint.try_send(to, header, &[]) {
                return;
            }
            self.arrived.pop_front();
        }
        while let Some(answer) = self.answers.front_mut() {
            if !answer.send(endpoint) {
                return;
            }
            self.answers.pop_front();
        }
        while let Some(&number) = self.sending.front() {
            // One that is over already has nothing to send.
            if self.operations.get_mut(&number).is_some_and(|operation| !operation.send(endpoint, number)) {
                return;
            }
            self.sending.pop_front();
        }
    }
}

/// Sends bytes of a region behind a word, in as many packets as there is room for; true when all are out.
fn send_pieces(
    endpoint: &mut Endpoint,
    to: u32,
    mut header: Header,
    (region, start, bytes): (&Span, usize, usize),
    sent: &mut usize,
    word_of: impl Fn(usize) -> u64,
) -> bool {
    let mut packet = [0; PACKET_MAX_BYTES];
    loop {
        let part = PIECE_BYTES.min(bytes - *sent);
        packet[..8].copy_from_slice(words([word_of(*sent)]).as_bytes());
        region.read(start + *sent, &mut packet[8..8 + part]);
        header.flags = if *sent + part == bytes { LAST } else { 0 };
        if !endpoint.try_send(to, header, &packet[..8 + part]) {
            return false;
        }
        *sent += part;
        if *sent == bytes {
            return true;
        }
    }
}

impl Answer {
    fn send(&mut self, endpoint: &mut Endpoint) -> bool {
        let header = Header { kind: kind::MEMORY_DATA, context: self.operation, ..Header::default() };
        send_pieces(endpoint, self.to, header, (&self.region, self.offset, self.bytes), &mut self.sent, |sent| sent as u64)
    }
}

impl Operation {
    fn send(&mut self, endpoint: &mut Endpoint, number: u64) -> bool {
        let bytes = self.local.bytes();
        match self.way {
            Way::Put => {
                let header = Header { kind: kind::MEMORY_PUT, context: number, ..Header::default() };
                let address = self.address;
                send_pieces(endpoint, self.to, header, (&self.local, 0, bytes), &mut self.done, |sent| address + sent as u64)
            }
            Way::Get => {
                let header = Header { kind: kind::MEMORY_GET, context: number, ..Header::default() };
                endpoint.try_send(self.to, header, words([self.address, bytes as u64]).as_bytes())
            }
        }
    }
}
