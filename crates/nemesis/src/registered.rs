//! Registered memory ("Design and Evaluation of Nemesis", §2.3): memory of the program that others put into and get from without waiting.
//!
//! Registering gives a *key*, plain data that may be sent. An operation is begun with a key and is over when [`Registered::state`] says so; whoever
//! waits polls the endpoint and calls [`progress`](Registered::progress).
//!
//! Where the kernel copies between address spaces, an operation is over when it has begun. Where it refuses, and to other nodes, the packets of the endpoint
//! serve; the target takes them in whenever it polls:
//!
//! ```text
//!   put    PUT (token, address) bytes … PUT, last ──>     <── DONE, or REFUSED
//!   get    GET (token, address, length) ──>               <── DATA (offset) bytes … DATA, last, or REFUSED
//! ```
//!
//! A network whose module reaches memory by itself (`nemesis_netmod::optional`) does it instead, and the target takes no part: registering registers with the
//! primary network, the key has what the module gives out for others, and an operation is over when the module says so, a put when a flush behind it is.
//!
//! What a process has registered stands in its directory. An initiator on the same node looks there before it begins, and a target looks into its own
//! list for every packet, for a registration with the key's token that has all of the bytes: nothing else is ever touched. What is refused is counted, and
//! ends the operation as one that has failed.

mod network;
#[cfg(test)]
mod tests;

use crate::PACKET_MAX_BYTES;
use crate::directory::{Directory, Reader};
use crate::endpoint::{Endpoint, Packet};
use crate::memory::Memory;
use nemesis_netmod::Region;
use nemesis_netmod::optional::Registration;
use nemesis_shm::span::Span;
use nemesis_wire::{Header, kind, word, words};
use rustix::io::Errno;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasher, Hasher, RandomState};

/// Bytes of a network's own key that a key has room for; memory whose network gives out a longer one is reached by packets.
const NETWORK_KEY_MAX: usize = 64;

/// What another process must know of registered memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Key {
    pub process: u64,
    /// Of the process's directory.
    pub directory: u64,
    pub address: u64,
    pub bytes: u64,
    /// Random: who has not been given the key does not know it.
    pub token: u64,
    /// What the primary network gives out for others, where it reaches memory.
    pub network_bytes: u64,
    pub network: [u8; NETWORK_KEY_MAX],
}

/// Memory of ours that others reach.
#[derive(Debug)]
struct Own {
    token: u64,
    region: Span,
    registration: Option<Registration>,
}

/// How an operation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    UnderWay,
    Done,
    /// The bytes are not registered, or no longer, or the process is lost. Told once.
    Failed,
}

/// Why an operation does not begin, or a registration does not begin or end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The bytes are not registered there, or no longer.
    NotRegistered,
    /// The key, or this process, has no shared memory to look things up in.
    NoDirectory(String),
    /// The kernel could not reach memory that is registered: it has been unmapped.
    Gone(Errno),
    /// The network does not let go of the memory.
    Held(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Put,
    Get,
}

/// The last packet of its operation.
const LAST: u8 = 1;
/// Puts that are remembered as refused until their ends have come.
const SPOILT_MAX: usize = 4096;
/// Words before the bytes of a PUT and of a DATA.
const PUT_FRONT: usize = 2 * 8;
const DATA_FRONT: usize = 8;

/// An operation under way by packets.
#[derive(Debug)]
struct Operation {
    way: Way,
    to: u32,
    token: u64,
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
    own: Vec<Own>,
    readers: HashMap<(u32, u64), Reader>,
    /// Peers of whom the kernel keeps us away.
    refused: Vec<u32>,
    next: u64,
    operations: BTreeMap<u64, Operation>,
    /// Operations that the network carries out.
    reaching: HashMap<u64, network::Reaching>,
    /// Operations with packets to send, in their order.
    sending: VecDeque<u64>,
    answers: VecDeque<Answer>,
    /// What has arrived, by process and operation, and whether it was good: to be confirmed or refused.
    arrived: VecDeque<(u32, u64, bool)>,
    /// Puts of which a part was refused, until their last packet.
    spoilt: HashSet<(u32, u64)>,
    /// Operations that have failed, until somebody asks.
    failed: HashSet<u64>,
    /// Processes that cannot be reached any more.
    lost: HashSet<u32>,
    refused_requests: u64,
}

impl Registered {
    /// Lets others put into and get from `region`.
    pub fn register(
        &mut self,
        endpoint: &mut Endpoint,
        memory: &mut Memory,
        region: Span,
    ) -> Result<Key, Trouble> {
        let directory = match &mut self.directory {
            Some(directory) => directory,
            none => none.insert(
                Directory::new(memory)
                    .map_err(|refusal| Trouble::NoDirectory(refusal.to_string()))?,
            ),
        };
        let (address, bytes) = (region.address() as u64, region.bytes());
        directory.offer(address, bytes).map_err(|_| {
            Trouble::NoDirectory("as many regions are registered as there is room for".into())
        })?;
        let token = RandomState::new().build_hasher().finish();
        let own = Region::of_span(&region, 0, bytes).filter(|_| bytes > 0);
        let registration =
            endpoint.networks().zip(own).and_then(|(networks, own)| networks.register(own));
        let (network_bytes, network) = network::key_of(registration.as_ref());
        self.own.push(Own { token, region, registration });
        Ok(Key {
            process: u64::from(memory.me()),
            directory: directory.offset(),
            address,
            bytes: bytes as u64,
            token,
            network_bytes,
            network,
        })
    }

    /// Ends that: nobody touches the bytes any more. When the network does not let go of them ([`Trouble::Held`]) all is as before, and it may be tried again.
    pub fn deregister(&mut self, endpoint: &mut Endpoint, key: &Key) -> Result<(), Trouble> {
        let bytes = usize::try_from(key.bytes).map_err(|_| Trouble::NotRegistered)?;
        let is_it = |own: &Own| {
            own.token == key.token
                && own.region.address() as u64 == key.address
                && own.region.bytes() == bytes
        };
        let index = self.own.iter().position(is_it).ok_or(Trouble::NotRegistered)?;
        if let (Some(networks), Some(registration)) =
            (endpoint.networks(), &self.own[index].registration)
        {
            networks.deregister(registration).map_err(|failure| Trouble::Held(failure.why))?;
        }
        self.own.swap_remove(index);
        if let Some(directory) = &mut self.directory {
            directory.withdraw(key.address, bytes);
        }
        Ok(())
    }

    /// Begins to copy `local` to `address` in memory registered under `key`.
    pub fn put(
        &mut self,
        endpoint: &mut Endpoint,
        memory: &Memory,
        key: &Key,
        address: u64,
        local: Span,
    ) -> Result<u64, Trouble> {
        self.begin(endpoint, memory, key, address, local, Way::Put)
    }

    /// Begins to copy from `address` in memory registered under `key` to `local`.
    pub fn get(
        &mut self,
        endpoint: &mut Endpoint,
        memory: &Memory,
        key: &Key,
        address: u64,
        local: Span,
    ) -> Result<u64, Trouble> {
        self.begin(endpoint, memory, key, address, local, Way::Get)
    }

    fn begin(
        &mut self,
        endpoint: &mut Endpoint,
        memory: &Memory,
        key: &Key,
        address: u64,
        local: Span,
        way: Way,
    ) -> Result<u64, Trouble> {
        let process = u32::try_from(key.process).map_err(|_| Trouble::NotRegistered)?;
        let near = memory.is_near(process);
        if process >= memory.processes() || !lies_inside(key, address, local.bytes()) {
            return Err(Trouble::NotRegistered);
        }
        if near {
            self.look_up(memory, process, key, address, local.bytes())?;
        }
        self.next += 1;
        let is_begun = if near {
            !self.refused.contains(&process) && self.copy(memory, process, address, &local, way)?
        } else {
            self.begin_by_network(endpoint, process, key, address, &local, way)
        };
        if !is_begun {
            self.begin_by_packets(Operation {
                way,
                to: process,
                token: key.token,
                address,
                local,
                done: 0,
            });
        }
        Ok(self.next)
    }

    /// The latest operation goes by packets. One on a process that is lost has failed at once: nobody would answer.
    fn begin_by_packets(&mut self, operation: Operation) {
        if self.lost.contains(&operation.to) {
            self.failed.insert(self.next);
            return;
        }
        self.operations.insert(self.next, operation);
        self.sending.push_back(self.next);
    }

    /// The bytes are registered still, as a neighbour's directory says.
    fn look_up(
        &mut self,
        memory: &Memory,
        process: u32,
        key: &Key,
        address: u64,
        bytes: usize,
    ) -> Result<(), Trouble> {
        let reader = match self.readers.entry((process, key.directory)) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                let reader = Reader::new(memory, process, key.directory)
                    .map_err(|refusal| Trouble::NoDirectory(refusal.to_string()))?;
                new.insert(reader)
            }
        };
        if reader.find(address, bytes).is_some() { Ok(()) } else { Err(Trouble::NotRegistered) }
    }

    /// Lets the kernel copy; false when it keeps us away from that process.
    fn copy(
        &mut self,
        memory: &Memory,
        process: u32,
        address: u64,
        local: &Span,
        way: Way,
    ) -> Result<bool, Trouble> {
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

    /// How an operation stands. When it is under way no more, its local memory may be used again; when it is done, a put has arrived.
    pub fn state(&mut self, operation: u64) -> State {
        if self.operations.contains_key(&operation) || self.reaching.contains_key(&operation) {
            State::UnderWay
        } else if self.failed.remove(&operation) {
            State::Failed
        } else {
            State::Done
        }
    }

    /// How many requests of others have been refused.
    pub fn refused_requests(&self) -> u64 {
        self.refused_requests
    }

    /// A process cannot be reached any more: operations on it have failed, and those that are begun later fail.
    pub fn lose(&mut self, process: u32) {
        let Registered { operations, reaching, failed, lost, .. } = self;
        lost.insert(process);
        // The network has let go of their memory before it told.
        failed.extend(
            reaching.extract_if(|_, reaching| reaching.to == process).map(|(number, _)| number),
        );
        failed.extend(
            operations
                .iter()
                .filter(|(_, operation)| operation.to == process)
                .map(|(&number, _)| number),
        );
        operations.retain(|_, operation| operation.to != process);
        self.answers.retain(|answer| answer.to != process);
        self.arrived.retain(|&(to, ..)| to != process);
        self.spoilt.retain(|&(from, _)| from != process);
    }

    /// Whether there is something to send.
    pub fn is_idle(&self) -> bool {
        self.sending.is_empty() && self.answers.is_empty() && self.arrived.is_empty()
    }

    /// Takes a packet of these kinds in; false for one of another kind. What makes no sense is left out.
    pub fn take(&mut self, packet: &Packet<'_>) -> bool {
        let Packet { origin, header, payload } = *packet;
        match header.kind {
            kind::MEMORY_PUT => self.take_put(origin, &header, payload),
            kind::MEMORY_GET => {
                if self.take_get(origin, &header, payload).is_none() {
                    self.refuse(origin, header.context);
                }
            }
            kind::MEMORY_DATA => drop(self.take_data(origin, &header, payload)),
            kind::MEMORY_DONE | kind::MEMORY_REFUSED => {
                if self
                    .operations
                    .get(&header.context)
                    .is_some_and(|operation| operation.to == origin)
                {
                    self.operations.remove(&header.context);
                    if header.kind == kind::MEMORY_REFUSED {
                        self.failed.insert(header.context);
                    }
                }
            }
            _ => return false,
        }
        true
    }

    /// The registered region that has these bytes, and where in it they lie.
    fn own_place(&self, token: u64, address: u64, bytes: usize) -> Option<(&Span, usize)> {
        self.own.iter().filter(|own| own.token == token).find_map(|Own { region, .. }| {
            let offset = usize::try_from(address.checked_sub(region.address() as u64)?).ok()?;
            (offset.checked_add(bytes)? <= region.bytes()).then_some((region, offset))
        })
    }

    #[cold]
    fn refuse(&mut self, origin: u32, operation: u64) {
        self.refused_requests += 1;
        self.arrived.push_back((origin, operation, false));
    }

    fn take_put(&mut self, origin: u32, header: &Header, payload: &[u8]) {
        let name = (origin, header.context);
        if !self.spoilt.contains(&name) && self.write(payload).is_none() {
            self.refuse(origin, header.context);
            if self.spoilt.len() == SPOILT_MAX {
                // Their ends never came; should they come, they are refused once more.
                self.spoilt.clear();
            }
            self.spoilt.insert(name);
        }
        if header.flags & LAST != 0 && !self.spoilt.remove(&name) {
            self.arrived.push_back((origin, header.context, true));
        }
    }

    /// Writes the bytes of a PUT to their place, if there is one.
    fn write(&self, payload: &[u8]) -> Option<()> {
        let (token, address, bytes) =
            (word(payload, 0)?, word(payload, 1)?, payload.get(PUT_FRONT..)?);
        let (region, offset) = self.own_place(token, address, bytes.len())?;
        region.write(offset, bytes).then_some(())
    }

    fn take_get(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let (token, address, bytes) =
            (word(payload, 0)?, word(payload, 1)?, usize::try_from(word(payload, 2)?).ok()?);
        let (region, offset) = self.own_place(token, address, bytes)?;
        let answer = Answer {
            to: origin,
            operation: header.context,
            region: region.clone(),
            offset,
            bytes,
            sent: 0,
        };
        self.answers.push_back(answer);
        Some(())
    }

    fn take_data(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let operation = self
            .operations
            .get(&header.context)
            .filter(|operation| operation.to == origin && operation.way == Way::Get)?;
        let offset = usize::try_from(word(payload, 0)?).ok()?;
        operation.local.write(offset, payload.get(DATA_FRONT..)?);
        if header.flags & LAST != 0 {
            self.operations.remove(&header.context);
        }
        Some(())
    }

    /// Sends what there is room for. Called after every poll.
    pub fn progress(&mut self, endpoint: &mut Endpoint) {
        while let Some(&(to, operation, good)) = self.arrived.front() {
            let kind = if good { kind::MEMORY_DONE } else { kind::MEMORY_REFUSED };
            let header = Header { kind, context: operation, ..Header::default() };
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
            if self
                .operations
                .get_mut(&number)
                .is_some_and(|operation| !operation.send(endpoint, number))
            {
                return;
            }
            self.sending.pop_front();
        }
    }
}

/// Sends bytes of a region behind some words, in as many packets as there is room for; true when all are out.
fn send_pieces<const N: usize>(
    endpoint: &mut Endpoint,
    to: u32,
    mut header: Header,
    (region, start, bytes): (&Span, usize, usize),
    sent: &mut usize,
    words_of: impl Fn(usize) -> [u64; N],
) -> bool {
    let mut packet = [0; PACKET_MAX_BYTES];
    let (front, piece) = (N * 8, PACKET_MAX_BYTES - N * 8);
    loop {
        let part = piece.min(bytes - *sent);
        packet[..front].copy_from_slice(words(words_of(*sent)).as_bytes());
        region.read(start + *sent, &mut packet[front..front + part]);
        header.flags = if *sent + part == bytes { LAST } else { 0 };
        if !endpoint.try_send(to, header, &packet[..front + part]) {
            return false;
        }
        *sent += part;
        if *sent == bytes {
            return true;
        }
    }
}

/// Whether bytes lie in what a key names.
fn lies_inside(key: &Key, address: u64, bytes: usize) -> bool {
    address
        .checked_sub(key.address)
        .and_then(|offset| offset.checked_add(bytes as u64))
        .is_some_and(|end| end <= key.bytes)
}

impl Answer {
    fn send(&mut self, endpoint: &mut Endpoint) -> bool {
        let header =
            Header { kind: kind::MEMORY_DATA, context: self.operation, ..Header::default() };
        send_pieces(
            endpoint,
            self.to,
            header,
            (&self.region, self.offset, self.bytes),
            &mut self.sent,
            |sent| [sent as u64],
        )
    }
}

impl Operation {
    fn send(&mut self, endpoint: &mut Endpoint, number: u64) -> bool {
        let (bytes, token, address) = (self.local.bytes(), self.token, self.address);
        match self.way {
            Way::Put => {
                let header =
                    Header { kind: kind::MEMORY_PUT, context: number, ..Header::default() };
                let front = |sent| [token, address + sent as u64];
                send_pieces(
                    endpoint,
                    self.to,
                    header,
                    (&self.local, 0, bytes),
                    &mut self.done,
                    front,
                )
            }
            Way::Get => {
                let header =
                    Header { kind: kind::MEMORY_GET, context: number, ..Header::default() };
                endpoint.try_send(self.to, header, words([token, address, bytes as u64]).as_bytes())
            }
        }
    }
}
