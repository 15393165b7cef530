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
//! use nemesis::wire::Header;
//! use nemesis::{Endpoint, Failure, Packet, RegionMut, Sink, Span, Token, Tunables};
//! use nemesis_wireup::Wireup;
//!
//! /// Passes packets of registered memory on.
//! struct Packets<'a>(&'a mut Registered);
//!
//! impl Sink for Packets<'_> {
//!     fn packet(&mut self, packet: Packet<'_>) {
//!         self.0.take(&packet);
//!     }
//!
//!     fn place(
//!         &mut self,
//!         from: u32,
//!         header: &Header,
//!         payload: &[u8],
//!         bytes: usize,
//!     ) -> Option<RegionMut> {
//!         self.0.place(from, header, payload, bytes)
//!     }
//!
//!     fn completed(&mut self, token: Token, outcome: Result<(), Failure>) {
//!         self.0.completed(token, outcome);
//!     }
//!
//!     fn lost(&mut self, process: u32, _why: &Failure) {
//!         self.0.lose(process);
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
//! - Otherwise, and where the kernel refuses, the target's process carries it out when it polls: an
//!   AM request ([`am`]) with token, address and length, and the bytes of a put.
//!
//! A process lists its registered memory in its directory. An initiator on the node reads the
//! target's directory before it begins. A target checks each part of a request against its own
//! list: a registration with the key's token must contain all of the bytes, and nothing else is
//! touched. So a key reaches the bytes of its own registration only, not an adjacent one's: the
//! initiator may not have been given that one's key.
//! The target counts the requests that it refuses, and a refused operation fails.

mod network;
mod served;
#[cfg(test)]
mod tests;

use crate::am::{self, Answered};
use crate::directory::{Directory, Reader};
use crate::endpoint::Endpoint;
use crate::memory::Memory;
use crate::networks::NetworkKey;
use crate::packet::{Packet, Token};
use nemesis_netmod::{Region, RegionMut};
use nemesis_shm::span::Span;
use nemesis_wire::Header;
use network::NetworkOperation;
use rustix::io::Errno;
use served::{Local, Own, Request, Served};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};

/// First of the tokens of bulk payloads of requests. Operations by the network have their own
/// numbers as tokens.
const FIRST_BULK_TOKEN: Token = 1 << 63;
/// First of the tokens of bulk payloads of results.
const FIRST_RESULT_TOKEN: Token = 1 << 62;

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
    /// An operation of another process is under way, or the network refuses to deregister the
    /// memory. The text says why.
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
                "the memory stays registered, because it is in use; try again after polls: {why}"
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

/// An operation that is under way.
#[derive(Debug)]
enum Operation {
    /// The network carries it out.
    Network(NetworkOperation),
    /// The target's process carries it out: an AM request.
    Request { to: u32, number: u64, direction: Direction },
}

impl Operation {
    /// Returns the target.
    fn to(&self) -> u32 {
        match *self {
            Operation::Network(NetworkOperation { to, .. }) | Operation::Request { to, .. } => to,
        }
    }
}

/// The registered memory of this process, and its operations on the memory of other processes.
pub struct Registered {
    directory: Option<Directory>,
    readers: HashMap<(u32, u64), Reader>,
    /// Processes whose memory the kernel refuses to reach.
    refused: Vec<u32>,
    /// Number of the latest operation.
    next: u64,
    operations: BTreeMap<u64, Operation>,
    /// The requests of this process.
    origin: am::Origin<Request, Local>,
    /// The requests of other processes, and the memory that they may access.
    target: am::Target<Served>,
    served: Served,
    /// Failed operations whose failure `state` has not reported.
    failed: HashSet<u64>,
    /// Processes that have become unreachable.
    lost: HashSet<u32>,
    /// Buffer in which packets are assembled.
    packing: Vec<u8>,
}

impl Default for Registered {
    fn default() -> Registered {
        Registered {
            directory: None,
            readers: HashMap::new(),
            refused: Vec::new(),
            next: 0,
            operations: BTreeMap::new(),
            origin: am::Origin::new(FIRST_BULK_TOKEN),
            target: am::Target::new(FIRST_RESULT_TOKEN),
            served: Served::default(),
            failed: HashSet::new(),
            lost: HashSet::new(),
            packing: Vec::new(),
        }
    }
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
        self.served.own.push(Own { token, region, registrations });
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
    /// [`RegisteredError::InUse`] if a bulk payload of another process arrives in it or is sent
    /// from it, or the network refuses. Then nothing has changed, and the call may be repeated.
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
        let index = self.served.own.iter().position(is_it).ok_or(RegisteredError::NotRegistered)?;
        if self.served.is_filled(key.token)
            || self.target.results().any(|result| result.token == key.token)
        {
            let why = "an operation of another process on it has begun and not ended";
            return Err(RegisteredError::InUse(why.into()));
        }
        endpoint
            .deregister_memory(&mut self.served.own[index].registrations)
            .map_err(|failure| RegisteredError::InUse(failure.why))?;
        self.served.own.swap_remove(index);
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
            self.begin_by_request(process, Request::new(direction, key.token, address, local));
        }
        Ok(self.next)
    }

    /// Begins the latest operation by an AM request. An operation on a lost process fails at once,
    /// because no answer would come.
    fn begin_by_request(&mut self, to: u32, request: Request) {
        if self.lost.contains(&to) {
            self.failed.insert(self.next);
            return;
        }
        let (direction, result) = (request.direction, request.result());
        let number = self.origin.ask(to, request, result);
        self.operations.insert(self.next, Operation::Request { to, number, direction });
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
        let is_under_way = match self.operations.get(&operation) {
            None => false,
            Some(Operation::Network(_)) => true,
            // The rest of a refused put still leaves.
            Some(&Operation::Request { to, number, .. }) if self.failed.contains(&operation) => {
                self.origin.is_leaving(to, number)
            }
            Some(&Operation::Request { to, number, direction }) => match direction {
                Direction::Put => !self.origin.is_done(to, number),
                Direction::Get => self.origin.is_open(to, number),
            },
        };
        if is_under_way {
            return State::UnderWay;
        }
        self.operations.remove(&operation);
        if self.failed.remove(&operation) { State::Failed } else { State::Done }
    }

    /// Returns how many requests of other processes this process has refused.
    pub fn refused_requests(&self) -> u64 {
        self.served.refused
    }

    /// Handles the loss of a process: its operations fail, those under way and those that begin
    /// later.
    pub fn lose(&mut self, process: u32) {
        self.lost.insert(process);
        self.origin.lose(process);
        self.target.lose(process);
        self.served.arriving.remove(&process);
        // A module has released the memory of its operations before it reported the loss.
        let Registered { operations, failed, .. } = self;
        let lost = operations.extract_if(.., |_, operation| operation.to() == process);
        failed.extend(lost.map(|(number, _)| number));
    }

    /// Returns whether nothing is left to send.
    pub fn is_idle(&self) -> bool {
        !self.origin.is_busy() && !self.target.is_busy()
    }

    /// Handles a packet of registered memory. Returns false for a packet of another kind. Ignores
    /// an invalid packet.
    pub fn take(&mut self, packet: &Packet<'_>) -> bool {
        let Packet { origin, header, payload } = *packet;
        if !am::is_packet(&header) {
            return false;
        }
        if self.target.take(&mut self.served, origin, &header, payload).is_none()
            && let Some(Answered::Refused(number, _)) = self.origin.take(origin, &header, payload)
        {
            self.fail(origin, number);
        }
        true
    }

    /// Makes the operation fail whose request a process has refused.
    #[cold]
    fn fail(&mut self, process: u32, refused: u64) {
        let named = |operation: &Operation| match *operation {
            Operation::Request { to, number, .. } => (to, number) == (process, refused),
            Operation::Network(_) => false,
        };
        let failed = self.operations.iter().filter(|(_, operation)| named(operation));
        self.failed.extend(failed.map(|(&number, _)| number));
    }

    /// Returns the memory for a bulk payload, for [`Sink::place`](crate::Sink::place).
    pub fn place(
        &mut self,
        origin: u32,
        header: &Header,
        payload: &[u8],
        bytes: usize,
    ) -> Option<RegionMut> {
        match am::is_answer(header) {
            true => self.origin.place(origin, header, payload, bytes),
            false => self.target.place(&mut self.served, origin, header, payload, bytes),
        }
    }

    /// Sends as many packets as the endpoint accepts. To be called after every poll.
    pub fn progress(&mut self, endpoint: &mut Endpoint) {
        let Registered { origin, target, served, packing, .. } = self;
        origin.send(endpoint, packing, am::Limits::NONE, drop);
        target.send(served, endpoint, packing, am::Limits::NONE);
    }
}

/// Returns whether the bytes lie in the memory of a key.
fn lies_inside(key: &Key, address: u64, bytes: usize) -> bool {
    address
        .checked_sub(key.address)
        .and_then(|offset| offset.checked_add(bytes as u64))
        .is_some_and(|end| end <= key.bytes)
}
