//! The pipes and their faults.

use crate::registered::Registered;
use nemesis_netmod::{Failure, Fault, Limits};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

/// Maximum payload: the header's size field has 16 bits.
const PAYLOAD_MAX: usize = u16::MAX as usize;

/// Faults of the network.
#[derive(Clone, Copy, Debug)]
pub struct Trouble {
    /// Seed of all random choices.
    pub seed: u64,
    /// Maximum delay of a chunk, in polls of any process.
    pub delay: u64,
    /// Maximum bytes that one write accepts or one read returns. Short pieces are as likely as long
    /// ones.
    pub piece: usize,
    /// Capacity of a pipe in bytes.
    pub capacity: usize,
    /// Limits that the modules report.
    pub limits: Limits,
    /// Whether the modules have an RMA table.
    pub reaches_memory: bool,
    /// Number of times that deregistering fails before it succeeds.
    pub clings: u32,
}

impl Trouble {
    /// A network without faults: accepts all bytes and delivers at once.
    pub fn none() -> Trouble {
        let limits = Limits { payload: PAYLOAD_MAX, bulk: 1 << 30 };
        Trouble {
            seed: 1,
            delay: 0,
            piece: usize::MAX,
            capacity: 1 << 20,
            limits,
            reaches_memory: true,
            clings: 0,
        }
    }

    /// A network with many faults: short pieces, delays, random order.
    pub fn plenty(seed: u64) -> Trouble {
        let limits = Limits { payload: PAYLOAD_MAX, bulk: 400_000 };
        Trouble {
            seed: seed | 1,
            delay: 40,
            piece: 5000,
            capacity: 20_000,
            limits,
            reaches_memory: true,
            clings: 0,
        }
    }
}

/// Number of pipes of an ordered pair of processes: the first carries the ordered packets, the
/// others the unordered ones.
pub(crate) const LANES: usize = 3;

/// A pipe: sender, receiver, and the lane of the pair.
pub(crate) type PipeId = (u32, u32, usize);

/// The network that the modules of a job share.
#[derive(Clone)]
pub struct Network {
    name: &'static str,
    wires: Arc<Mutex<Wires>>,
}

impl Network {
    /// Makes a network with the given faults.
    pub fn new(trouble: Trouble) -> Network {
        let (pipes, ends, registered) = (HashMap::new(), HashMap::new(), Registered::default());
        let wires = Arc::new(Mutex::new(Wires {
            trouble,
            random: trouble.seed,
            now: 0,
            pipes,
            ends,
            registered,
            registered_bulk: [0; 2],
        }));
        Network { name: "loopback", wires }
    }

    /// Returns the network under another name, for jobs with several networks.
    pub fn named(name: &'static str, network: Network) -> Network {
        Network { name, ..network }
    }

    /// Returns the number of bulk payloads sent from registered memory, and received into it.
    pub fn registered_bulk(&self) -> [u64; 2] {
        self.wires().registered_bulk
    }

    pub(crate) fn name(&self) -> &str {
        self.name
    }

    pub(crate) fn wires(&self) -> MutexGuard<'_, Wires> {
        // A test that panicked elsewhere must not fail this one.
        self.wires.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Returns the identity of this network, for the cards.
    pub(crate) fn id(&self) -> u64 {
        Arc::as_ptr(&self.wires) as usize as u64
    }
}

/// How a process left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Goodbye,
    Death,
}

/// Result of a read.
pub(crate) enum Found {
    Bytes(usize),
    Nothing,
    End(End),
}

#[derive(Default)]
struct Pipe {
    chunks: VecDeque<Chunk>,
    bytes: usize,
}

struct Chunk {
    due: u64,
    bytes: Vec<u8>,
    /// Number of bytes that were read.
    read: usize,
}

impl Chunk {
    fn left(&self) -> usize {
        self.bytes.len() - self.read
    }
}

pub(crate) struct Wires {
    trouble: Trouble,
    random: u64,
    now: u64,
    /// Created by the first write.
    pipes: HashMap<PipeId, Pipe>,
    ends: HashMap<u32, End>,
    pub registered: Registered,
    /// Number of bulk payloads sent from registered memory, and received into it.
    pub registered_bulk: [u64; 2],
}

impl Wires {
    pub fn limits(&self) -> Limits {
        self.trouble.limits
    }

    pub fn reaches_memory(&self) -> bool {
        self.trouble.reaches_memory
    }

    /// Ends a registration.
    pub fn deregister(&mut self, process: u32, key: u64) -> Result<(), Failure> {
        match self.trouble.clings.checked_sub(1) {
            None => self.registered.remove(process, key),
            Some(left) => {
                self.trouble.clings = left;
                Err(Failure::new(Fault::Resources, "somebody reads this memory now"))
            }
        }
    }

    /// Notes that a bulk payload is sent from memory of `process` (direction 0) or received into it
    /// (1), and checks the id of its registration if it has one.
    pub fn note_registered(&mut self, direction: usize, process: u32, id: Option<u64>) {
        let Some(id) = id else { return };
        assert!(self.registered.has(process, id), "process {process} has not registered {id}");
        self.registered_bulk[direction] += 1;
    }

    /// Advances the time; called in every poll.
    pub fn tick(&mut self) {
        self.now += 1;
    }

    /// Returns a random number from 0 to `most` (xorshift64: Marsaglia 2003).
    pub fn up_to(&mut self, most: u64) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        if most == u64::MAX { self.random } else { self.random % (most + 1) }
    }

    /// Returns a number of bytes from 1 to `most`; every order of magnitude is equally likely.
    fn piece(&mut self, most: usize) -> usize {
        let most = most.min(self.trouble.piece);
        if self.trouble.piece == usize::MAX || most <= 1 {
            return most;
        }
        let magnitude = self.up_to(u64::from(most.ilog2()));
        1 + self.up_to((2u64 << magnitude) - 1).min(most as u64 - 1) as usize
    }

    /// Writes the start of `bytes`. Returns the number of bytes accepted, or how the receiver left.
    pub fn write(&mut self, pipe: PipeId, bytes: &[u8]) -> Result<usize, End> {
        if let Some(&end) = self.ends.get(&pipe.1) {
            return Err(end);
        }
        let held = self.pipes.entry(pipe).or_default().bytes;
        let room = bytes.len().min(self.trouble.capacity.saturating_sub(held));
        let taken = if room == 0 { 0 } else { self.piece(room) };
        if taken == 0 {
            return Ok(0);
        }
        let due = self.due();
        let pipe = self.pipes.entry(pipe).or_default();
        let due = pipe.chunks.back().map_or(due, |last| due.max(last.due));
        pipe.chunks.push_back(Chunk { due, bytes: bytes[..taken].to_vec(), read: 0 });
        pipe.bytes += taken;
        Ok(taken)
    }

    /// Reads what has arrived in a pipe, at most `into.len()` bytes and not across chunks.
    pub fn read(&mut self, pipe: PipeId, into: &mut [u8]) -> Found {
        let now = self.now;
        let waiting = self
            .pipes
            .get(&pipe)
            .and_then(|pipe| pipe.chunks.front())
            .map(|chunk| (chunk.due, chunk.left()));
        match waiting {
            Some((due, _)) if due > now => Found::Nothing,
            Some((_, bytes)) => Found::Bytes(self.take(pipe, bytes, into)),
            // Connected processes notice that another has left when they have read everything.
            None => match self.ends.get(&pipe.0) {
                Some(&end) if self.is_over(pipe.0, pipe.1) => Found::End(end),
                _ => Found::Nothing,
            },
        }
    }

    /// Returns whether two processes are connected and nothing is left from one to the other.
    fn is_over(&self, from: u32, to: u32) -> bool {
        let lanes = || (0..LANES).map(|lane| (from, to, lane));
        let is_connected = lanes().any(|pipe| {
            self.pipes.contains_key(&pipe) || self.pipes.contains_key(&(to, from, pipe.2))
        });
        is_connected
            && lanes().all(|pipe| self.pipes.get(&pipe).is_none_or(|pipe| pipe.chunks.is_empty()))
    }

    fn take(&mut self, pipe: PipeId, bytes: usize, into: &mut [u8]) -> usize {
        let taken = self.piece(bytes.min(into.len()));
        let pipe = self.pipes.get_mut(&pipe).expect("the pipe was looked at");
        let chunk = pipe.chunks.front_mut().expect("the chunk was looked at");
        into[..taken].copy_from_slice(&chunk.bytes[chunk.read..chunk.read + taken]);
        chunk.read += taken;
        if chunk.left() == 0 {
            pipe.chunks.pop_front();
        }
        pipe.bytes -= taken;
        taken
    }

    pub fn now(&self) -> u64 {
        self.now
    }

    /// Returns the arrival time of data that leave now.
    pub fn due(&mut self) -> u64 {
        self.now + self.up_to(self.trouble.delay)
    }

    /// Removes `process` from the network. If it dies, data that have not arrived are lost.
    pub fn leave(&mut self, process: u32, end: End) {
        self.registered.forget(process);
        if self.ends.insert(process, end).is_none() && end == End::Death {
            let now = self.now;
            for (_, pipe) in self.pipes.iter_mut().filter(|((from, ..), _)| *from == process) {
                pipe.chunks.retain(|chunk| chunk.due <= now);
                pipe.bytes = pipe.chunks.iter().map(Chunk::left).sum();
            }
        }
    }

    /// Returns how a process left, if it has.
    pub fn end_of(&self, process: u32) -> Option<End> {
        self.ends.get(&process).copied()
    }
}
