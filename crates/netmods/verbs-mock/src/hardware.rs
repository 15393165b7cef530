//! The device: carries out requests, in the thread that posts them or polls.
//!
//! A request accesses the target's state and memory directly, so it completes while the target
//! computes or is stopped. Requests of a queue pair are carried out in order; those of different
//! queue pairs are reordered where a device delays them.

use crate::net;
use crate::node::{ENTRIES, Entry, MrSlot, Node, QUEUE_PAIRS, QpSlot, REGISTRATIONS, Receive};
use crate::options::{ManagerTrouble, Options};
use nemesis_netmod_verbs::layout::{Wc, access, flag, opcode, state, status};
use nemesis_sync::Ordering;
use std::collections::{HashMap, VecDeque};
use std::os::fd::RawFd;
use std::time::{Duration, Instant};

/// Time for which a request waits for the other queue pair to become ready.
const CONNECT_TIME: Duration = Duration::from_secs(4);

/// Polls until a read of iWARP is carried out. Messages that are posted later overtake it.
const IWARP_READ_POLLS: u32 = 16;

/// Takes the next request of a queue pair, and its place in the queue.
fn next(pair: &mut LocalPair) -> Option<(usize, Posted)> {
    let may_overtake = |posted: &Posted| posted.opcode != opcode::READ || posted.delay == 0;
    let first = pair.pending.iter().position(may_overtake);
    let index = if pair.options.is_iwarp { first.unwrap_or(0) } else { 0 };
    pair.pending.remove(index).map(|posted| (index, posted))
}

/// A posted request.
pub struct Posted {
    pub wr_id: u64,
    pub opcode: u32,
    pub flags: u32,
    pub immediate: u32,
    pub address: u64,
    pub bytes: u32,
    pub key: u32,
    pub remote: u64,
    pub compare_add: u64,
    pub swap: u64,
    pub remote_key: u32,
    /// Bytes that the request carries itself.
    pub carried: Option<Box<[u8]>>,
    /// Polls until it is carried out.
    pub delay: u32,
    /// Whether it meets a receiver that is not ready once.
    pub not_ready: bool,
    pub since: Instant,
}

/// The part of a queue pair that only its process uses.
pub struct LocalPair {
    pub options: Options,
    pub send_queue: u32,
    pub capacity: u32,
    /// Requests whose completion has not been polled.
    pub outstanding: u32,
    /// Requests without a completion, since the last one.
    pub silent: u32,
    pub signals_all: bool,
    pub ignores_not_ready: bool,
    pub pending: VecDeque<Posted>,
    pub posted: u32,
}

/// The device in this process.
pub struct Hardware {
    pub own: Node,
    pub lid: u16,
    peers: HashMap<u16, Option<Node>>,
    pub pairs: HashMap<usize, LocalPair>,
    pub random: u64,
    serial: u32,
    /// Descriptors of the events of contexts whose link can go down.
    pub listeners: Vec<RawFd>,
    pub is_unplugged: bool,
}

/// Outcome of an attempt to carry a request out.
enum Outcome {
    Done(u32),
    Again,
    Failed(u32),
}

impl Hardware {
    pub fn new() -> Option<Hardware> {
        let own = Node::new()?;
        let start = (own.pid as u32 % 0xb000) as u16;
        let (lid, _) = (0..0xb000).find_map(|step| {
            let lid = 1 + (start + step) % 0xb000;
            net::listen(&net::place(lid)).map(|socket| (lid, socket))
        })?;
        let random = own.pid as u64;
        Some(Hardware {
            own,
            lid,
            peers: HashMap::new(),
            pairs: HashMap::new(),
            random,
            serial: 0,
            listeners: Vec::new(),
            is_unplugged: false,
        })
    }

    fn next_random(&mut self) -> u32 {
        self.random =
            self.random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.random >> 33) as u32
    }

    /// Takes a queue pair's slot. Its number differs from that of earlier users of the slot.
    pub fn new_pair(&mut self, receive_queue: u32, shared_queue: u32) -> Option<(usize, u32)> {
        self.serial = (self.serial + 1) % ((1 << 24) / QUEUE_PAIRS as u32);
        let generation = self.serial.max(1) * QUEUE_PAIRS as u32;
        self.own.locked(|shared| {
            let slot = shared.queue_pairs.iter().position(|pair| pair.number == 0)?;
            let number = generation + slot as u32;
            shared.queue_pairs[slot] = QpSlot {
                number,
                state: state::RESET,
                access: 0,
                their_number: 0,
                their_lid: 0,
                own_psn: 0,
                their_psn: 0,
                receive_queue,
                shared_queue,
                listens: 0,
            };
            Some((slot, number))
        })
    }

    /// Connects a queue pair of iWARP. Returns false if it is not new.
    pub fn link(&mut self, number: u32, their_lid: u16, their_number: u32, listens: bool) -> bool {
        self.own.locked(|shared| {
            let pair = &mut shared.queue_pairs[number as usize % QUEUE_PAIRS];
            if pair.number != number || pair.state != state::INIT {
                return false;
            }
            (pair.their_lid, pair.their_number) = (their_lid.into(), their_number);
            (pair.state, pair.listens) = (state::RTS, listens.into());
            true
        })
    }

    /// Ends the connection of a queue pair of iWARP.
    pub fn unlink(&mut self, number: u32) {
        self.own.locked(|shared| {
            let pair = &mut shared.queue_pairs[number as usize % QUEUE_PAIRS];
            if pair.number == number {
                pair.state = state::ERR;
            }
        });
    }

    /// Returns the queue pair with a number.
    fn pair(&self, number: u32) -> Option<&LocalPair> {
        let slot = number as usize % QUEUE_PAIRS;
        // SAFETY: the slot lies within the state, and its words change as a whole.
        let found = unsafe { std::ptr::read(&raw const (*self.own.shared()).queue_pairs[slot]) };
        self.pairs.get(&slot).filter(|_| number != 0 && found.number == number)
    }

    /// Returns the trouble of the connection manager with the device of a queue pair.
    pub fn manager_trouble(&self, number: u32) -> ManagerTrouble {
        self.pair(number).map_or(ManagerTrouble::None, |pair| pair.options.manager)
    }

    /// Returns whether the device of a queue pair is being removed.
    pub fn is_removed(&self, number: u32) -> bool {
        self.pair(number).is_some_and(|pair| match pair.options.manager {
            ManagerTrouble::Removal(requests) => pair.posted >= requests,
            _ => false,
        })
    }

    /// Returns the state of a queue pair.
    pub fn state(&self, slot: usize) -> u32 {
        // SAFETY: the slot lies within the state, and the word changes as a whole.
        unsafe { std::ptr::read_volatile(&raw const (*self.own.shared()).queue_pairs[slot].state) }
    }

    /// Registers memory and returns the key and the slot's number.
    pub fn register(&mut self, address: u64, bytes: u64, rights: u32) -> Option<u32> {
        self.serial = (self.serial + 1) & 0xffff;
        let generation = (self.serial + 1) << 14;
        self.own.locked(|shared| {
            let slot = shared.registrations.iter().position(|slot| slot.key == 0)?;
            let key = generation | slot as u32;
            shared.registrations[slot] = MrSlot { key: 0, access: rights, address, bytes };
            shared.registrations[slot].key = key;
            Some(key)
        })
    }

    /// Adds a request. Fails if the queue is full.
    pub fn post(&mut self, slot: usize, mut posted: Posted) -> bool {
        let random = self.next_random();
        let Some(pair) = self.pairs.get_mut(&slot) else { return false };
        if pair.outstanding + pair.silent >= pair.capacity {
            return false;
        }
        pair.posted += 1;
        let unplugs = pair.posted == pair.options.unplugged;
        if pair.options.delay > 0 {
            posted.delay = random % (pair.options.delay + 1);
        }
        if pair.options.is_iwarp && posted.opcode == opcode::READ {
            posted.delay = IWARP_READ_POLLS;
        }
        let nth = pair.options.not_ready;
        posted.not_ready = nth > 0 && random.is_multiple_of(nth);
        if posted.flags & flag::SIGNALED != 0 || pair.signals_all {
            posted.flags |= flag::SIGNALED;
            pair.outstanding += 1;
        } else {
            pair.silent += 1;
        }
        pair.pending.push_back(posted);
        if unplugs {
            self.is_unplugged = true;
            self.listeners.iter().for_each(|&listener| net::raise(listener));
        }
        true
    }

    /// Carries requests of all queue pairs out.
    pub fn run_all(&mut self) {
        let slots: Vec<usize> = self
            .pairs
            .iter()
            .filter(|(_, pair)| !pair.pending.is_empty())
            .map(|(&s, _)| s)
            .collect();
        for slot in slots {
            if let Some(pair) = self.pairs.get_mut(&slot) {
                // Reads of iWARP wait together, and messages overtake them.
                let waiting = if pair.options.is_iwarp { pair.pending.len() } else { 1 };
                for posted in pair.pending.iter_mut().take(waiting) {
                    posted.delay = posted.delay.saturating_sub(1);
                }
            }
            self.run(slot);
        }
    }

    /// Carries requests of a queue pair out, in order, until one has to wait.
    pub fn run(&mut self, slot: usize) {
        while let Some((index, mut posted)) = self.pairs.get_mut(&slot).and_then(next) {
            // SAFETY: the slot lies within the state, and its words change as a whole.
            let own = unsafe { std::ptr::read(&raw const (*self.own.shared()).queue_pairs[slot]) };
            let outcome = if own.state == state::ERR {
                Outcome::Failed(status::WR_FLUSH)
            } else if posted.delay > 0 {
                Outcome::Again
            } else if std::mem::take(&mut posted.not_ready) {
                posted.delay = 2;
                Outcome::Again
            } else {
                self.carry_out(slot, &own, &posted)
            };
            let (code, bytes) = match outcome {
                Outcome::Done(bytes) => (0, bytes),
                Outcome::Failed(code) => (code, 0),
                Outcome::Again => {
                    if let Some(pair) = self.pairs.get_mut(&slot) {
                        pair.pending.insert(index, posted);
                    }
                    return;
                }
            };
            self.complete(slot, &own, &posted, code, bytes);
        }
    }

    fn complete(&mut self, slot: usize, own: &QpSlot, posted: &Posted, code: u32, bytes: u32) {
        let Some(pair) = self.pairs.get_mut(&slot) else { return };
        let queue = pair.send_queue as usize;
        if code == 0 && posted.flags & flag::SIGNALED == 0 {
            return;
        }
        let requests = 1 + std::mem::take(&mut pair.silent);
        let wc = Wc {
            wr_id: posted.wr_id,
            status: code,
            opcode: match posted.opcode {
                opcode::WRITE | opcode::WRITE_IMM => 1,
                opcode::READ => 2,
                opcode::COMPARE_SWAP => 3,
                opcode::FETCH_ADD => 4,
                _ => 0,
            },
            byte_len: bytes,
            qp_num: own.number,
            ..Wc::default()
        };
        self.own.locked(|shared| {
            if code != 0 && shared.queue_pairs[slot].number == own.number {
                shared.queue_pairs[slot].state = state::ERR;
            }
        });
        deliver(&self.own, queue, Entry { wc, queue_pair: own.number, requests });
    }

    /// Returns the process at a local identifier.
    fn find(&mut self, lid: u16) -> bool {
        if lid == self.lid {
            return true;
        }
        self.peers.entry(lid).or_insert_with(|| Node::of(lid)).is_some()
    }

    fn carry_out(&mut self, slot: usize, own: &QpSlot, posted: &Posted) -> Outcome {
        let Some(pair) = self.pairs.get(&slot) else {
            return Outcome::Failed(status::WR_FLUSH);
        };
        let (options, ignores) = (pair.options, pair.ignores_not_ready);
        if options.breaks > 0 && pair.posted >= options.breaks {
            return Outcome::Failed(status::RETRY_EXC);
        }
        if options.unplugged > 0 && self.is_unplugged {
            return Outcome::Again;
        }
        if own.listens != 0 {
            eprintln!("mock of libibverbs: the side of iWARP that accepted sends first");
            return Outcome::Failed(status::LOC_QP_OP);
        }
        let lid = own.their_lid as u16;
        if !self.find(lid) {
            return Outcome::Failed(status::RETRY_EXC);
        }
        let (address, bytes) = match &posted.carried {
            Some(carried) => (carried.as_ptr().expose_provenance() as u64, carried.len() as u64),
            None => {
                let needs = match posted.opcode {
                    opcode::READ if options.is_iwarp => access::LOCAL_WRITE | access::REMOTE_WRITE,
                    opcode::READ | opcode::COMPARE_SWAP | opcode::FETCH_ADD => access::LOCAL_WRITE,
                    _ => 0,
                };
                let bytes = u64::from(posted.bytes);
                if bytes > 0 && !allows(&self.own, posted.key, posted.address, bytes, needs) {
                    return Outcome::Failed(status::LOC_PROT);
                }
                (posted.address, bytes)
            }
        };
        let remote = match self.peers.get(&lid) {
            Some(Some(remote)) => remote,
            _ => &self.own,
        };
        if remote.is_dead() {
            return Outcome::Failed(status::RETRY_EXC);
        }
        let there = own.their_number as usize % QUEUE_PAIRS;
        // SAFETY: the slot lies within the state, and its words change as a whole.
        let target =
            unsafe { std::ptr::read_volatile(&raw const (*remote.shared()).queue_pairs[there]) };
        if target.number != own.their_number || target.state == state::ERR {
            let is_iwarp = options.is_iwarp;
            return Outcome::Failed(if is_iwarp { status::WR_FLUSH } else { status::RETRY_EXC });
        }
        let is_ready = matches!(target.state, state::RTR | state::RTS);
        let is_matched = target.their_number == own.number
            && target.their_lid == u32::from(self.lid)
            && target.their_psn == own.own_psn;
        if !is_ready || !is_matched {
            let waits = !is_ready && posted.since.elapsed() < CONNECT_TIME;
            return if waits { Outcome::Again } else { Outcome::Failed(status::RETRY_EXC) };
        }
        // The other process may have replaced the queue pair since.
        let change_target = |change: fn(&mut QpSlot)| {
            remote.locked(|shared| {
                let pair = &mut shared.queue_pairs[there];
                if pair.number == target.number {
                    change(pair);
                }
            });
        };
        let refused = |code| {
            change_target(|pair| pair.state = state::ERR);
            Outcome::Failed(code)
        };
        let rights = match posted.opcode {
            opcode::WRITE | opcode::WRITE_IMM => access::REMOTE_WRITE,
            opcode::READ => access::REMOTE_READ,
            opcode::COMPARE_SWAP | opcode::FETCH_ADD => access::REMOTE_ATOMIC,
            _ => 0,
        };
        let is_atomic = rights == access::REMOTE_ATOMIC;
        let is_allowed = rights == 0
            || bytes == 0
            || target.access & rights != 0
                && allows(remote, posted.remote_key, posted.remote, bytes, rights);
        if !is_allowed {
            return refused(status::REM_ACCESS);
        }
        if is_atomic && (bytes != 8 || !posted.remote.is_multiple_of(8)) {
            return refused(status::REM_INV_REQ);
        }
        let copied = match posted.opcode {
            opcode::WRITE | opcode::WRITE_IMM => {
                // The last word follows the other bytes.
                let first = bytes.saturating_sub(8);
                let rest = (bytes - first) as usize;
                remote.copy(address, posted.remote, first as usize, true)
                    && remote.copy(address + first, posted.remote + first, rest, true)
            }
            opcode::READ => remote.copy(address, posted.remote, bytes as usize, false),
            opcode::COMPARE_SWAP | opcode::FETCH_ADD => {
                remote.locked(|_| change(remote, address, posted))
            }
            _ => true,
        };
        if !copied {
            return Outcome::Failed(status::RETRY_EXC);
        }
        if target.listens != 0 {
            change_target(|pair| pair.listens = 0);
        }
        if matches!(posted.opcode, opcode::SEND | opcode::SEND_IMM | opcode::WRITE_IMM) {
            return receive(remote, &target, posted, address, bytes, ignores, &refused);
        }
        Outcome::Done(bytes as u32)
    }
}

/// Changes a word of the target. An atomic instruction changes memory that this process can map;
/// for other memory the lock of the target's state excludes other devices, but no processor.
fn change(remote: &Node, address: u64, posted: &Posted) -> bool {
    // SeqCst: the partners are all processes that change the word.
    let changed = remote.with_word(posted.remote, |word| match posted.opcode {
        opcode::FETCH_ADD => word.fetch_add(posted.compare_add, Ordering::SeqCst),
        _ => word
            .compare_exchange(posted.compare_add, posted.swap, Ordering::SeqCst, Ordering::SeqCst)
            .unwrap_or_else(|other| other),
    });
    if let Some(before) = changed {
        let place = std::ptr::with_exposed_provenance_mut::<u64>(address as usize);
        // SAFETY: the local memory was checked against the registrations.
        unsafe { place.write_unaligned(before) };
        return true;
    }
    let mut word = [0; 8];
    let place = word.as_mut_ptr().expose_provenance() as u64;
    if !remote.copy(place, posted.remote, 8, false) {
        return false;
    }
    let old = u64::from_ne_bytes(word);
    let new = match posted.opcode {
        opcode::FETCH_ADD => old.wrapping_add(posted.compare_add),
        _ if old == posted.compare_add => posted.swap,
        _ => old,
    };
    let before = word;
    word = new.to_ne_bytes();
    let place = word.as_mut_ptr().expose_provenance() as u64;
    // SAFETY: the local memory was checked against the registrations.
    unsafe {
        std::ptr::with_exposed_provenance_mut::<[u8; 8]>(address as usize).write_unaligned(before);
    }
    remote.copy(place, posted.remote, 8, true)
}

/// Consumes a receive of the target and reports it there.
fn receive(
    remote: &Node,
    target: &QpSlot,
    posted: &Posted,
    address: u64,
    bytes: u64,
    waits: bool,
    refused: &dyn Fn(u32) -> Outcome,
) -> Outcome {
    let taken: Option<Receive> = remote.locked(|shared| {
        let queue = &mut shared.shared_queues[target.shared_queue as usize];
        if queue.head == queue.tail {
            return None;
        }
        queue.head = queue.head.wrapping_add(1);
        Some(queue.receives[queue.head.wrapping_sub(1) as usize % ENTRIES])
    });
    let Some(taken) = taken else {
        return if waits { Outcome::Again } else { Outcome::Failed(status::RNR_RETRY_EXC) };
    };
    let is_write = posted.opcode == opcode::WRITE_IMM;
    let code = if is_write {
        0
    } else if bytes > u64::from(taken.bytes) {
        status::LOC_LEN
    } else if bytes > 0 && !allows(remote, taken.key, taken.address, bytes, access::LOCAL_WRITE) {
        status::LOC_PROT
    } else if !remote.copy(address, taken.address, bytes as usize, true) {
        return Outcome::Failed(status::RETRY_EXC);
    } else {
        0
    };
    let wc = Wc {
        wr_id: taken.wr_id,
        status: code,
        opcode: if is_write { opcode::RECV_WITH_IMM } else { opcode::RECV },
        byte_len: bytes as u32,
        imm_data: posted.immediate,
        qp_num: target.number,
        wc_flags: u32::from(posted.opcode != opcode::SEND) << 1,
        ..Wc::default()
    };
    deliver(remote, target.receive_queue as usize, Entry { wc, queue_pair: 0, requests: 0 });
    if code == 0 { Outcome::Done(bytes as u32) } else { refused(status::REM_INV_REQ) }
}

/// Returns whether a registration of the node allows an access.
fn allows(node: &Node, key: u32, address: u64, bytes: u64, rights: u32) -> bool {
    let slot = key as usize % REGISTRATIONS;
    // SAFETY: the slot lies within the state. Its key is written last, and a free slot has none.
    let found = unsafe { std::ptr::read_volatile(&raw const (*node.shared()).registrations[slot]) };
    key != 0
        && found.key == key
        && found.access & rights == rights
        && address >= found.address
        && address
            .checked_add(bytes)
            .is_some_and(|end| end <= found.address.saturating_add(found.bytes))
}

/// Appends a completion to a queue and raises an event if the queue is armed.
fn deliver(node: &Node, queue: usize, entry: Entry) {
    let event = node.locked(|shared| {
        let queue = &mut shared.completion_queues[queue];
        if queue.is_used == 0 {
            return None;
        }
        if queue.tail.wrapping_sub(queue.head) >= queue.capacity {
            eprintln!("mock of libibverbs: a completion queue of {} overflows", queue.capacity);
            std::process::abort();
        }
        queue.entries[queue.tail as usize % ENTRIES] = entry;
        queue.tail = queue.tail.wrapping_add(1);
        (std::mem::take(&mut queue.is_armed) != 0 && queue.channel != 0)
            .then_some((queue.channel, queue.owner))
    });
    if let Some((channel, owner)) = event {
        net::notify(&net::channel(node.pid, channel), owner);
    }
}
