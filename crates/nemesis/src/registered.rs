//! Registered memory: memory of the program that other processes put into and get from ("Design and
//! Evaluation of Nemesis", §2.3).
//!
//! A process registers memory and gets a [`Key`], plain data that it may send to other processes.
//! [`Registered::put`] and [`Registered::get`] begin an operation with a key. [`Registered::state`]
//! tells whether the operation has completed; a process that waits for it polls the endpoint and
//! calls [`progress`](Registered::progress).
//!
//! # Examples
//!
//! A process puts into its own registered memory:
//!
//! ```
//! use nemesis::registered::{Registered, State};
//! use nemesis::{Endpoint, Packet, Sink, Span, Tunables};
//! use nemesis_wireup::Wireup;
//!
//! /// Passes packets of registered memory on.
//! struct Packets<'a>(&'a mut Registered);
//!
//! impl Sink for Packets<'_> {
//!     fn packet(&mut self, packet: Packet<'_>) {
//!         self.0.take(&packet);
//!     }
//! }
//!
//! let mut wireup = Wireup::connect()?;
//! let mut endpoint = Endpoint::join(&mut wireup, &Tunables::default())?;
//! let mut memory = endpoint.take_memory().expect("an endpoint hands out its memory once");
//! let mut registered = Registered::default();
//!
//! let target = Span::of_shared(memory.allocate(64, 64)?.shared);
//! let key = registered.register(&mut endpoint, &mut memory, target.clone())?;
//! let source = Span::of_shared(memory.allocate(4, 64)?.shared).first(4);
//! assert!(source.write(0, b"data"));
//! let put = registered.put(&mut endpoint, &memory, &key, key.address + 8, source)?;
//! while registered.state(put) == State::UnderWay {
//!     endpoint.poll(None, &mut Packets(&mut registered));
//!     registered.progress(&mut endpoint);
//! }
//!
//! let mut copied = [0; 4];
//! assert!(target.read(8, &mut copied));
//! assert_eq!(&copied, b"data");
//! registered.deregister(&mut endpoint, &key)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Mechanisms
//!
//! Three mechanisms carry out an operation:
//!
//! - To a process of the node, the kernel copies (CMA). The operation has completed when it has
//!   begun.
//! - To another node, the network of the pair carries it out if its module reaches memory
//!   (`nemesis_netmod::optional`). The target takes no part: registering registers the memory with
//!   all networks that reach memory, and the key contains theirs. A get completes when the module
//!   reports it; a put completes when the flush behind it has completed.
//! - Otherwise, and where the kernel refuses, packets of the endpoint carry it out. The target
//!   handles them when it polls:
//!
//! ```text
//!   put    PUT (token, address) bytes … PUT, last ──>     <── DONE, or REFUSED
//!   get    GET (token, address, length) ──>               <── DATA (offset) bytes … DATA, last,
//!                                                             or REFUSED
//! ```
//!
//! A process lists its registered memory in its directory. An initiator on the node reads the
//! target's directory before it begins. A target checks each packet against its own list: a
//! registration with the key's token must contain all of the bytes, and nothing else is touched. So
//! a key reaches the bytes of its own registration only, and not those of an adjacent one: the
//! initiator may not have been given that one's key.
//! The target counts the requests that it refuses, and a refused operation fails.

mod network;
#[cfg(test)]
mod tests;

use crate::PACKET_MAX_BYTES;
use crate::directory::{Directory, Reader};
use crate::endpoint::Endpoint;
use crate::memory::Memory;
use crate::networks::{NetworkKey, Registrations};
use crate::packet::Packet;
use nemesis_netmod::Region;
use nemesis_shm::span::Span;
use nemesis_wire::{Header, kind, word, words};
use rustix::io::Errno;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

/// The key of registered memory: what another process needs to reach it. Plain data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Key {
    /// Index of the process that registered the memory.
    pub process: u64,
    /// Offset of the process's directory in its heap.
    pub directory: u64,
    /// Address of the memory in that process.
    pub address: u64,
    /// Length of the memory in bytes.
    pub bytes: u64,
    /// A random number. A process that was not given the key cannot guess it.
    pub token: u64,
    /// The keys by which networks reach the memory.
    pub network: NetworkKey,
}

/// Registered memory of this process.
#[derive(Debug)]
struct Own {
    token: u64,
    region: Span,
    registrations: Registrations,
}

/// State of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The operation has not completed. Its local memory must not be used.
    UnderWay,
    /// The operation has completed. The bytes of a put are in the target's memory.
    Done,
    /// The bytes are not registered, or not any more, or the process is lost. Reported once.
    Failed,
}

/// Error of an operation that does not begin, or of a registration that does not begin or end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegisteredError {
    /// The bytes are not registered at the target, or not any more.
    NotRegistered,
    /// The target's directory cannot be read, or this process cannot make one or enter the memory
    /// in it. The text says why.
    NoDirectory(String),
    /// The kernel cannot reach registered memory: the process has unmapped it.
    Unmapped(Errno),
    /// The network refuses to deregister the memory. The text says why.
    InUse(String),
}

impl fmt::Display for RegisteredError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegisteredError::NotRegistered => {
                f.write_str("the bytes are not registered under this key, or not any more")
            }
            RegisteredError::NoDirectory(why) => f.write_str(why),
            RegisteredError::Unmapped(errno) => {
                write!(f, "registered memory cannot be reached, perhaps it was unmapped: {errno}")
            }
            RegisteredError::InUse(why) => write!(
                f,
                "the memory stays registered, because the network refuses to deregister it; try \
                 again later: {why}"
            ),
        }
    }
}

impl std::error::Error for RegisteredError {}

/// Direction of an operation, from the initiator's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Direction {
    Put,
    Get,
}

/// Flag of the last packet of an operation.
const LAST: u8 = 1;
/// Most refused puts that a target remembers, each until its last packet arrives.
const REFUSED_PUTS_MAX: usize = 4096;
/// Bytes before the data in a PUT packet: token and address.
const PUT_HEADER_BYTES: usize = 2 * 8;
/// Bytes before the data in a DATA packet: the offset.
const DATA_HEADER_BYTES: usize = 8;

/// An operation that packets carry out.
#[derive(Debug)]
struct Operation {
    direction: Direction,
    to: u32,
    token: u64,
    address: u64,
    local: Span,
    done: usize,
}

/// Data that another process gets, and how much of it is sent.
#[derive(Debug)]
struct Reply {
    to: u32,
    operation: u64,
    region: Span,
    offset: usize,
    bytes: usize,
    sent: usize,
}

/// The registered memory of this process, and its operations on the memory of other processes.
#[derive(Debug, Default)]
pub struct Registered {
    directory: Option<Directory>,
    own: Vec<Own>,
    readers: HashMap<(u32, u64), Reader>,
    /// Processes whose memory the kernel refuses to reach.
    refused: Vec<u32>,
    /// Number of the latest operation.
    next: u64,
    operations: BTreeMap<u64, Operation>,
    /// Operations that the network carries out, by number.
    network_operations: HashMap<u64, network::NetworkOperation>,
    /// Operations with packets to send, in the order in which they began.
    sending: VecDeque<u64>,
    replies: VecDeque<Reply>,
    /// Operations of other processes that have ended here: process, number, and whether they are to
    /// be confirmed or refused.
    confirmations: VecDeque<(u32, u64, bool)>,
    /// Puts of which a packet was refused, until their last packet.
    refused_puts: HashSet<(u32, u64)>,
    /// Failed operations whose failure `state` has not reported.
    failed: HashSet<u64>,
    /// Processes that have become unreachable.
    lost: HashSet<u32>,
    refused_requests: u64,
}

impl Registered {
    /// Registers `region`: other processes may put into it and get from it with the key that this
    /// function returns.
    ///
    /// # Errors
    ///
    /// [`RegisteredError::NoDirectory`] if shared memory or the directory is exhausted.
    pub fn register(
        &mut self,
        endpoint: &mut Endpoint,
        memory: &mut Memory,
        region: Span,
    ) -> Result<Key, RegisteredError> {
        let directory = match &mut self.directory {
            Some(directory) => directory,
            none => none.insert(
                Directory::new(memory)
                    .map_err(|refusal| RegisteredError::NoDirectory(refusal.to_string()))?,
            ),
        };
        let (address, bytes) = (region.address() as u64, region.bytes());
        directory.offer(address, bytes).map_err(|_| {
            RegisteredError::NoDirectory("its directory of registered regions is full".into())
        })?;
        let token = RandomState::new().build_hasher().finish();
        let registrations = endpoint.register_memory(|| Region::of_span(&region, 0, bytes));
        let network = endpoint.network_key(&registrations);
        self.own.push(Own { token, region, registrations });
        Ok(Key {
            process: u64::from(memory.me()),
            directory: directory.offset(),
            address,
            bytes: bytes as u64,
            token,
            network,
        })
    }

    /// Deregisters memory: no process touches the bytes any more.
    ///
    /// # Errors
    ///
    /// [`RegisteredError::NotRegistered`] if the key is not one of this process's, and
    /// [`RegisteredError::InUse`] if the network refuses. Then nothing has changed, and the call
    /// may be repeated.
    pub fn deregister(
        &mut self,
        endpoint: &mut Endpoint,
        key: &Key,
    ) -> Result<(), RegisteredError> {
        let bytes = usize::try_from(key.bytes).map_err(|_| RegisteredError::NotRegistered)?;
        let is_it = |own: &Own| {
            own.token == key.token
                && own.region.address() as u64 == key.address
                && own.region.bytes() == bytes
        };
        let index = self.own.iter().position(is_it).ok_or(RegisteredError::NotRegistered)?;
        endpoint
            .deregister_memory(&mut self.own[index].registrations)
            .map_err(|failure| RegisteredError::InUse(failure.why))?;
        self.own.swap_remove(index);
        if let Some(directory) = &mut self.directory {
            directory.withdraw(key.address, bytes);
        }
        Ok(())
    }

    /// Begins to copy `local` to `address` in the memory registered under `key`, and returns the
    /// operation's number. `address` is one of the owner.
    ///
    /// # Errors
    ///
    /// Each [`RegisteredError`] but `InUse`. Nothing has begun then.
    pub fn put(
        &mut self,
        endpoint: &mut Endpoint,
        memory: &Memory,
        key: &Key,
        address: u64,
        local: Span,
    ) -> Result<u64, RegisteredError> {
        self.begin(endpoint, memory, key, address, local, Direction::Put)
    }

    /// Begins to copy from `address` in the memory registered under `key` to `local`, and returns
    /// the operation's number. `address` is one of the owner.
    ///
    /// # Errors
    ///
    /// As of [`put`](Self::put).
    pub fn get(
        &mut self,
        endpoint: &mut Endpoint,
        memory: &Memory,
        key: &Key,
        address: u64,
        local: Span,
    ) -> Result<u64, RegisteredError> {
        self.begin(endpoint, memory, key, address, local, Direction::Get)
    }

    fn begin(
        &mut self,
        endpoint: &mut Endpoint,
        memory: &Memory,
        key: &Key,
        address: u64,
        local: Span,
        direction: Direction,
    ) -> Result<u64, RegisteredError> {
        let process = u32::try_from(key.process).map_err(|_| RegisteredError::NotRegistered)?;
        let local_process = memory.is_local(process);
        if process >= memory.processes() || !lies_inside(key, address, local.bytes()) {
            return Err(RegisteredError::NotRegistered);
        }
        if local_process {
            self.look_up(memory, process, key, address, local.bytes())?;
        }
        self.next += 1;
        let is_begun = if local_process {
            !self.refused.contains(&process)
                && self.copy(memory, process, address, &local, direction)?
        } else {
            self.begin_by_network(endpoint, process, key, address, &local, direction)
        };
        if !is_begun {
            self.begin_by_packets(Operation {
                direction,
                to: process,
                token: key.token,
                address,
                local,
                done: 0,
            });
        }
        Ok(self.next)
    }

    /// Begins the latest operation by packets. An operation on a lost process fails at once,
    /// because no reply would come.
    fn begin_by_packets(&mut self, operation: Operation) {
        if self.lost.contains(&operation.to) {
            self.failed.insert(self.next);
            return;
        }
        self.operations.insert(self.next, operation);
        self.sending.push_back(self.next);
    }

    /// Checks in the directory of a process of the node that the bytes are registered.
    fn look_up(
        &mut self,
        memory: &Memory,
        process: u32,
        key: &Key,
        address: u64,
        bytes: usize,
    ) -> Result<(), RegisteredError> {
        let reader = match self.readers.entry((process, key.directory)) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                let reader = Reader::new(memory, process, key.directory)
                    .map_err(|refusal| RegisteredError::NoDirectory(refusal.to_string()))?;
                new.insert(reader)
            }
        };
        if reader.find(address, bytes).is_some() {
            Ok(())
        } else {
            Err(RegisteredError::NotRegistered)
        }
    }

    /// Lets the kernel copy. Returns false if the kernel refuses to reach that process.
    fn copy(
        &mut self,
        memory: &Memory,
        process: u32,
        address: u64,
        local: &Span,
        direction: Direction,
    ) -> Result<bool, RegisteredError> {
        let (mut done, mut through) = (0, vec![0; local.bytes().min(256 << 10)]);
        while done < local.bytes() {
            let part = through.len().min(local.bytes() - done);
            let piece = std::iter::once((address + done as u64, part));
            let moved = match direction {
                Direction::Put => {
                    local.read(done, &mut through[..part]);
                    memory.write(process, piece, &through[..part])
                }
                Direction::Get => memory.read(process, piece, &mut through[..part]),
            };
            match moved {
                Ok(()) => {}
                Err(Errno::PERM | Errno::SRCH | Errno::NOSYS | Errno::ACCESS) => {
                    self.refused.push(process);
                    return Ok(false);
                }
                Err(errno) => return Err(RegisteredError::Unmapped(errno)),
            }
            if direction == Direction::Get {
                local.write(done, &through[..part]);
            }
            done += part;
        }
        Ok(true)
    }

    /// Returns the state of an operation. If it is not under way any more, the program may use its
    /// local memory again. A failure is reported once; later calls return [`State::Done`].
    pub fn state(&mut self, operation: u64) -> State {
        if self.operations.contains_key(&operation)
            || self.network_operations.contains_key(&operation)
        {
            State::UnderWay
        } else if self.failed.remove(&operation) {
            State::Failed
        } else {
            State::Done
        }
    }

    /// Returns how many requests of other processes this process has refused.
    pub fn refused_requests(&self) -> u64 {
        self.refused_requests
    }

    /// Handles the loss of a process: its operations fail, those under way and those that begin
    /// later.
    pub fn lose(&mut self, process: u32) {
        let Registered { operations, network_operations, failed, lost, .. } = self;
        lost.insert(process);
        // The module has released the memory of its operations before it reported the loss.
        failed.extend(
            network_operations
                .extract_if(|_, operation| operation.to == process)
                .map(|(number, _)| number),
        );
        failed.extend(
            operations
                .iter()
                .filter(|(_, operation)| operation.to == process)
                .map(|(&number, _)| number),
        );
        operations.retain(|_, operation| operation.to != process);
        self.replies.retain(|reply| reply.to != process);
        self.confirmations.retain(|&(to, ..)| to != process);
        self.refused_puts.retain(|&(from, _)| from != process);
    }

    /// Returns whether nothing is left to send.
    pub fn is_idle(&self) -> bool {
        self.sending.is_empty() && self.replies.is_empty() && self.confirmations.is_empty()
    }

    /// Handles a packet of registered memory. Returns false for a packet of another kind. Ignores
    /// an invalid packet.
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

    /// Returns the registered region that contains these bytes, and their offset in it.
    fn find_own(&self, token: u64, address: u64, bytes: usize) -> Option<(&Span, usize)> {
        self.own.iter().filter(|own| own.token == token).find_map(|Own { region, .. }| {
            let offset = usize::try_from(address.checked_sub(region.address() as u64)?).ok()?;
            (offset.checked_add(bytes)? <= region.bytes()).then_some((region, offset))
        })
    }

    #[cold]
    fn refuse(&mut self, origin: u32, operation: u64) {
        self.refused_requests += 1;
        self.confirmations.push_back((origin, operation, false));
    }

    fn take_put(&mut self, origin: u32, header: &Header, payload: &[u8]) {
        let name = (origin, header.context);
        if !self.refused_puts.contains(&name) && self.write(payload).is_none() {
            self.refuse(origin, header.context);
            if self.refused_puts.len() == REFUSED_PUTS_MAX {
                // The last packets of these puts have never come. If one comes, it is refused
                // again.
                self.refused_puts.clear();
            }
            self.refused_puts.insert(name);
        }
        if header.flags & LAST != 0 && !self.refused_puts.remove(&name) {
            self.confirmations.push_back((origin, header.context, true));
        }
    }

    /// Writes the data of a PUT packet, if they lie in registered memory.
    fn write(&self, payload: &[u8]) -> Option<()> {
        let (token, address, bytes) =
            (word(payload, 0)?, word(payload, 1)?, payload.get(PUT_HEADER_BYTES..)?);
        let (region, offset) = self.find_own(token, address, bytes.len())?;
        region.write(offset, bytes).then_some(())
    }

    fn take_get(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let (token, address, bytes) =
            (word(payload, 0)?, word(payload, 1)?, usize::try_from(word(payload, 2)?).ok()?);
        let (region, offset) = self.find_own(token, address, bytes)?;
        let reply = Reply {
            to: origin,
            operation: header.context,
            region: region.clone(),
            offset,
            bytes,
            sent: 0,
        };
        self.replies.push_back(reply);
        Some(())
    }

    fn take_data(&mut self, origin: u32, header: &Header, payload: &[u8]) -> Option<()> {
        let operation = self
            .operations
            .get(&header.context)
            .filter(|operation| operation.to == origin && operation.direction == Direction::Get)?;
        let offset = usize::try_from(word(payload, 0)?).ok()?;
        operation.local.write(offset, payload.get(DATA_HEADER_BYTES..)?);
        if header.flags & LAST != 0 {
            self.operations.remove(&header.context);
        }
        Some(())
    }

    /// Sends as many packets as the endpoint accepts. To be called after every poll.
    pub fn progress(&mut self, endpoint: &mut Endpoint) {
        while let Some(&(to, operation, good)) = self.confirmations.front() {
            let kind = if good { kind::MEMORY_DONE } else { kind::MEMORY_REFUSED };
            let header = Header { kind, context: operation, ..Header::default() };
            if !endpoint.try_send(to, header, &[]) {
                return;
            }
            self.confirmations.pop_front();
        }
        while let Some(reply) = self.replies.front_mut() {
            if !reply.send(endpoint) {
                return;
            }
            self.replies.pop_front();
        }
        while let Some(&number) = self.sending.front() {
            // An operation that has ended in the meantime has nothing to send.
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

/// Sends `bytes` bytes of a region from `start` on, each packet behind the words of `words_of`, as
/// long as the endpoint accepts packets. Returns true when all are sent.
fn send_pieces<const N: usize>(
    endpoint: &mut Endpoint,
    to: u32,
    mut header: Header,
    (region, start, bytes): (&Span, usize, usize),
    sent: &mut usize,
    words_of: impl Fn(usize) -> [u64; N],
) -> bool {
    let mut packet = [0; PACKET_MAX_BYTES];
    let packet_max = endpoint.packet_max(to).min(PACKET_MAX_BYTES);
    let (front, piece) = (N * 8, packet_max - N * 8);
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

/// Returns whether the bytes lie in the memory of a key.
fn lies_inside(key: &Key, address: u64, bytes: usize) -> bool {
    address
        .checked_sub(key.address)
        .and_then(|offset| offset.checked_add(bytes as u64))
        .is_some_and(|end| end <= key.bytes)
}

impl Reply {
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
        match self.direction {
            Direction::Put => {
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
            Direction::Get => {
                let header =
                    Header { kind: kind::MEMORY_GET, context: number, ..Header::default() };
                endpoint.try_send(self.to, header, words([token, address, bytes as u64]).as_bytes())
            }
        }
    }
}
