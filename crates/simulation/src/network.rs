//! The simulated network: packets take a time that the seed decides, in order within a pair of
//! processes and in any order between pairs.
//!
//! ```text
//!   module of 2 ──send──> [ inbox of process 5, by arrival time ] ──poll_recv──> module of 5
//! ```
//!
//! It fulfils the contract of a module and uses its freedom: a send is refused while much is under
//! way to a process, a bulk payload leaves at once or some time later, an unordered packet
//! overtakes and is overtaken.

mod remote;

use crate::clock::{Clock, Time};
use nemesis_netmod::optional::Rma;
use nemesis_netmod::{
    Driver, Failure, Fault, Finalized, Host, Interest, Limits, Module, NO_CARD, Packet, Region,
    Rest, Sent, Setup, Started, Token,
};
use nemesis_wire::Header;
use remote::Memories;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Longest payload of a packet in bytes.
const PAYLOAD_MAX: usize = 16 << 10;
/// Longest bulk payload in bytes.
const BULK_MAX: usize = 1 << 20;
/// Bytes under way from one process to another beyond which a send is refused, by default.
pub const UNDER_WAY_MAX: usize = 96 << 10;
/// Most packets that one poll delivers.
const BURST: u32 = 16;

/// How long packets take.
#[derive(Clone, Copy, Debug)]
pub struct Latency {
    /// Shortest time in nanoseconds.
    pub least: u64,
    /// Longest time in nanoseconds.
    pub most: u64,
}

/// What a network is like.
#[derive(Clone, Copy, Debug)]
pub struct Nature {
    /// How long packets take.
    pub latency: Latency,
    /// Bytes under way from one process to another beyond which a send is refused.
    pub under_way_max: usize,
    /// Whether processes may access the memory of others without them.
    pub reaches_memory: bool,
    /// A defect that is put in.
    pub defect: Option<Defect>,
}

/// A defect that is put in, to see whether programs find it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defect {
    /// Ordered packets overtake each other.
    Overtaking,
    /// One packet in a hundred is lost.
    Loss,
    /// One packet in a hundred arrives twice.
    Doubled,
    /// One packet in a hundred arrives with another last byte.
    Damage,
    /// The bytes under way to a process are never counted off, so that all sends are refused.
    Credit,
    /// One doorbell in twenty does not wake its process.
    Doorbell,
    /// One packet in twenty does not wake its process.
    Arrival,
}

impl Defect {
    /// All defects, with their names.
    pub const ALL: [(&'static str, Defect); 7] = [
        ("overtaking", Defect::Overtaking),
        ("loss", Defect::Loss),
        ("doubled", Defect::Doubled),
        ("damage", Defect::Damage),
        ("credit", Defect::Credit),
        ("doorbell", Defect::Doorbell),
        ("arrival", Defect::Arrival),
    ];
}

/// The cause of a loss, as a module tells it.
const LOST: &str = "its host does not respond";

/// What a process has sent since the last meeting, and how long it has waited for others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Packets to other nodes.
    pub packets: u64,
    /// Packets in the longest chain that ends at the process. Each of them has left after the one
    /// before had arrived.
    pub rounds: u64,
    /// Bytes of the packets' payloads.
    pub bytes: u64,
}

impl Traffic {
    /// Returns the larger figure of each kind.
    #[must_use]
    pub fn max(self, other: Traffic) -> Traffic {
        Traffic {
            packets: self.packets.max(other.packets),
            rounds: self.rounds.max(other.rounds),
            bytes: self.bytes.max(other.bytes),
        }
    }
}

/// A packet under way.
#[derive(Clone)]
struct Parcel {
    from: u32,
    /// The meetings before it left, and the packets in the longest chain that ends with it.
    chain: (u64, u64),
    header: Header,
    payload: Vec<u8>,
    bulk: Option<Vec<u8>>,
}

impl Parcel {
    fn bytes(&self) -> usize {
        self.payload.len() + self.bulk.as_ref().map_or(0, Vec::len)
    }
}

/// What the modules of a job share.
#[derive(Clone)]
pub struct Network(Arc<Mutex<Wires>>);

struct Wires {
    clock: Clock,
    nature: Nature,
    random: fastrand::Rng,
    /// By receiver: the packets under way, by arrival time and number.
    inboxes: Vec<BTreeMap<(Time, u64), Parcel>>,
    /// Arrivals at resting processes, which wake them.
    arrivals: BinaryHeap<Reverse<(Time, u32)>>,
    /// By sender and receiver: when the last ordered packet arrives.
    last: HashMap<(u32, u32), Time>,
    /// By sender and receiver: bytes that have not been delivered.
    under_way: HashMap<(u32, u32), usize>,
    /// Senders and receivers between which a send has been refused, and would be now.
    refused: HashSet<(u32, u32)>,
    /// Processes of which a send was refused, and would not be any more.
    have_space: HashSet<u32>,
    /// Pairs of processes that have exchanged packets, the lower one first.
    connected: HashSet<(u32, u32)>,
    /// Pairs of processes between which no packet arrives any more, the lower one first.
    cut: HashSet<(u32, u32)>,
    /// By process: the peers that it will find lost, by time.
    losses: Vec<BTreeSet<(Time, u32)>>,
    sent: u64,
    memories: Memories,
    /// By process: what it has sent since the last meeting.
    traffic: Vec<Traffic>,
    /// Meetings so far.
    meetings: u64,
}

impl Network {
    /// Makes the network of a job.
    pub fn new(processes: u32, clock: Clock, nature: Nature, seed: u64) -> Network {
        Network(Arc::new(Mutex::new(Wires {
            clock,
            nature,
            random: fastrand::Rng::with_seed(seed),
            inboxes: (0..processes).map(|_| BTreeMap::new()).collect(),
            arrivals: BinaryHeap::new(),
            last: HashMap::new(),
            under_way: HashMap::new(),
            refused: HashSet::new(),
            have_space: HashSet::new(),
            connected: HashSet::new(),
            cut: HashSet::new(),
            losses: (0..processes).map(|_| BTreeSet::new()).collect(),
            sent: 0,
            memories: Memories::default(),
            traffic: vec![Traffic::default(); processes as usize],
            meetings: 0,
        })))
    }

    /// Returns the driver of one process.
    pub fn driver(&self) -> Box<dyn Driver + Send> {
        Box::new(Wire(self.clone()))
    }

    fn wires(&self) -> MutexGuard<'_, Wires> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns whether a packet has arrived at a process that it has not taken, a loss that it has
    /// not noticed, space for a send that was refused, or the completion of an operation on memory.
    pub fn has_arrived(&self, to: u32) -> bool {
        let mut wires = self.wires();
        wires.reach_memories();
        if wires.have_space.contains(&to) || wires.memories.has_completed(to) {
            return true;
        }
        let to = to as usize;
        let packet = wires.inboxes[to].keys().next().map(|&(time, _)| time);
        let loss = wires.losses[to].first().map(|&(time, _)| time);
        packet.into_iter().chain(loss).any(|time| time <= wires.clock.now())
    }

    /// Cuts the connections between two groups of processes: what is under way between them is
    /// lost, and those that have a connection notice it some time later.
    pub fn cut(&self, some: &[u32], others: &[u32]) {
        let mut wires = self.wires();
        for one in some {
            others.iter().for_each(|other| wires.cut(*one, *other));
        }
    }

    /// Returns when the next packet arrives anywhere, if any is under way.
    pub fn next_arrival(&self) -> Option<Time> {
        self.wires().arrivals.peek().map(|next| next.0.0)
    }

    /// Returns the processes at which packets have arrived since the last call.
    pub fn take_arrivals(&self) -> Vec<u32> {
        let mut wires = self.wires();
        wires.reach_memories();
        let (now, mut found) = (wires.clock.now(), Vec::new());
        while let Some(&Reverse((time, to))) = wires.arrivals.peek()
            && time <= now
        {
            wires.arrivals.pop();
            found.push(to);
        }
        found
    }

    /// Returns what each process has sent since the last meeting.
    pub fn traffic(&self) -> Vec<Traffic> {
        self.wires().traffic.clone()
    }

    /// Returns what a process has sent since the last meeting.
    pub fn traffic_of(&self, process: u32) -> Traffic {
        self.wires().traffic[process as usize]
    }

    /// Begins to count anew, because all processes have met.
    pub fn note_meeting(&self) {
        let mut wires = self.wires();
        wires.meetings += 1;
        wires.traffic.fill(Traffic::default());
    }
}

/// Returns a pair with the lower process first.
fn pair(one: u32, other: u32) -> (u32, u32) {
    (one.min(other), one.max(other))
}

impl Wires {
    fn cut(&mut self, one: u32, other: u32) {
        self.cut.insert(pair(one, other));
        let now = self.clock.now();
        for (me, peer) in [(one, other), (other, one)] {
            self.inboxes[me as usize]
                .retain(|&(time, _), parcel| parcel.from != peer || time <= now);
            self.under_way.remove(&(peer, me));
            self.memories.cut(peer, me);
            if self.refused.remove(&(peer, me)) {
                self.have_space.insert(peer);
                self.arrivals.push(Reverse((now, peer)));
            }
            if self.connected.contains(&pair(one, other)) {
                let noticed =
                    now + self.random.u64(self.nature.latency.least..=self.nature.latency.most * 4);
                self.losses[me as usize].insert((noticed, peer));
                self.arrivals.push(Reverse((noticed, me)));
            }
        }
    }

    /// Takes the next peer that a process finds lost.
    fn lost(&mut self, me: u32) -> Option<u32> {
        let now = self.clock.now();
        let due = self.losses[me as usize].first().copied().filter(|&(time, _)| time <= now)?;
        self.losses[me as usize].remove(&due);
        Some(due.1)
    }

    fn send(&mut self, from: u32, to: u32, mut parcel: Parcel, ordered: bool) {
        let took = self.random.u64(self.nature.latency.least..=self.nature.latency.most);
        let mut due = self.clock.now() + took;
        if ordered && self.nature.defect != Some(Defect::Overtaking) {
            let last = self.last.entry((from, to)).or_default();
            due = due.max(*last);
            *last = due;
        }
        let traffic = &mut self.traffic[from as usize];
        traffic.packets += 1;
        traffic.bytes += parcel.bytes() as u64;
        parcel.chain = (self.meetings, traffic.rounds + 1);
        if self.cut.contains(&pair(from, to)) {
            return;
        }
        self.connected.insert(pair(from, to));
        let is_defecty = self.nature.defect.is_some() && self.random.u8(..100) == 0;
        match self.nature.defect.filter(|_| is_defecty) {
            Some(Defect::Loss) => return,
            Some(Defect::Doubled) => self.put(from, to, due, parcel.clone()),
            Some(Defect::Damage) => {
                let bulk = parcel.bulk.as_mut();
                if let Some(byte) = bulk.unwrap_or(&mut parcel.payload).last_mut() {
                    *byte ^= 1;
                }
            }
            _ => {}
        }
        self.put(from, to, due, parcel);
    }

    /// Puts a packet into the inbox of its receiver.
    fn put(&mut self, from: u32, to: u32, due: Time, parcel: Parcel) {
        self.sent += 1;
        *self.under_way.entry((from, to)).or_default() += parcel.bytes();
        self.arrivals.push(Reverse((due, to)));
        self.inboxes[to as usize].insert((due, self.sent), parcel);
    }

    /// Takes the next packet that has arrived at a process.
    fn arrived(&mut self, to: u32) -> Option<Parcel> {
        let now = self.clock.now();
        let first = self.inboxes[to as usize].first_entry().filter(|first| first.key().0 <= now)?;
        let parcel = first.remove();
        let (meetings, rounds) = parcel.chain;
        if meetings == self.meetings {
            let traffic = &mut self.traffic[to as usize];
            traffic.rounds = traffic.rounds.max(rounds);
        }
        if self.nature.defect != Some(Defect::Credit)
            && let Some(bytes) = self.under_way.get_mut(&(parcel.from, to))
        {
            // A cut has forgotten the bytes.
            *bytes = bytes.saturating_sub(parcel.bytes());
            if *bytes <= self.nature.under_way_max && self.refused.remove(&(parcel.from, to)) {
                self.have_space.insert(parcel.from);
                self.arrivals.push(Reverse((now, parcel.from)));
            }
        }
        Some(parcel)
    }
}

struct Wire(Network);

impl Driver for Wire {
    fn name(&self) -> &str {
        "simulated"
    }

    fn init(&self, setup: Setup, _host: &mut dyn Host) -> Result<Started, Failure> {
        let module = Member {
            network: self.0.clone(),
            me: setup.me,
            known: vec![false; setup.processes as usize],
            late: VecDeque::new(),
            taken: None,
        };
        Ok(Started { module: Box::new(module), card: setup.me.to_le_bytes().to_vec() })
    }
}

/// A bulk payload that leaves later.
struct Late {
    at: Time,
    to: u32,
    header: Header,
    payload: Vec<u8>,
    bulk: Region,
    ordered: bool,
    token: Token,
}

/// The module of one process.
struct Member {
    network: Network,
    me: u32,
    /// By process: whether its card has been read.
    known: Vec<bool>,
    late: VecDeque<Late>,
    /// A packet that the host could not take.
    taken: Option<Parcel>,
}

impl Member {
    fn connect(&mut self, host: &mut dyn Host, to: u32) -> Result<(), Failure> {
        if self.known[to as usize] {
            return Ok(());
        }
        let failed = |why: &str| Failure::new(Fault::Unreachable, why).about(to);
        let card = host.card(to).ok_or_else(|| failed(NO_CARD))?;
        if card != to.to_le_bytes() {
            return Err(failed("its card is of another process"));
        }
        self.known[to as usize] = true;
        Ok(())
    }

    /// Ends the sends to a lost process.
    fn give_up(&mut self, host: &mut dyn Host, failure: &Failure) {
        let is_to_lost = |late: &Late| Some(late.to) == failure.process;
        let (lost, others): (VecDeque<_>, VecDeque<_>) = self.late.drain(..).partition(is_to_lost);
        self.late = others;
        for late in lost {
            drop(late.bulk);
            host.completed(late.token, Err(failure.clone()));
        }
        let Some(lost) = failure.process else { return };
        let tokens = self.network.wires().memories.abandon(self.me, lost);
        tokens.into_iter().for_each(|token| host.completed(token, Err(failure.clone())));
    }

    /// Sends the bulk payloads whose time has come, in order.
    fn send_late(&mut self, host: &mut dyn Host) -> u32 {
        let mut sent = 0;
        let now = self.network.wires().clock.now();
        while self.late.front().is_some_and(|late| late.at <= now) {
            let Some(late) = self.late.pop_front() else { break };
            let parcel = Parcel {
                from: self.me,
                chain: (0, 0),
                header: late.header,
                payload: late.payload,
                bulk: Some(late.bulk.bytes().to_vec()),
            };
            self.network.wires().send(self.me, late.to, parcel, late.ordered);
            drop(late.bulk);
            host.completed(late.token, Ok(()));
            sent += 1;
        }
        sent
    }

    /// Delivers one packet. Returns false if the host cannot take it now.
    fn deliver(&mut self, host: &mut dyn Host, parcel: Parcel) -> bool {
        let Parcel { from, chain, header, payload, bulk } = parcel;
        if let Some(bytes) = bulk
            && let Some(mut place) = host.place(from, &header, &payload, bytes.len())
        {
            place.write(0, &bytes);
        }
        let delivered = host.offer(from, &header, &payload);
        if !delivered {
            // The bulk payload is in its place: only the packet remains.
            self.taken = Some(Parcel { from, chain, header, payload, bulk: None });
        }
        delivered
    }
}

impl Module for Member {
    fn limits(&self) -> Limits {
        Limits { payload: PAYLOAD_MAX, bulk: BULK_MAX as u64 }
    }

    fn send(
        &mut self,
        host: &mut dyn Host,
        to: u32,
        packet: Packet<'_>,
        token: Token,
    ) -> Result<Sent, Failure> {
        self.connect(host, to)?;
        let bulk = packet.bulk.as_ref().map_or(0, Region::len);
        assert!(packet.payload.len() <= PAYLOAD_MAX && bulk <= BULK_MAX, "a packet is too long");
        let (network, Packet { header, payload, bulk, ordered }) = (self.network.clone(), packet);
        let mut wires = network.wires();
        let pair = pair(self.me, to);
        if wires.cut.contains(&pair) && !wires.connected.contains(&pair) {
            return Err(Failure::new(Fault::Unreachable, LOST).about(to));
        }
        // What waits here leaves first.
        let waits = ordered && self.late.iter().any(|late| late.to == to);
        let under_way = wires.under_way.get(&(self.me, to)).copied().unwrap_or_default();
        if waits || under_way > wires.nature.under_way_max {
            if under_way > wires.nature.under_way_max {
                wires.refused.insert((self.me, to));
            }
            return Ok(Sent::Full);
        }
        let (header, payload) = (*header, payload.to_vec());
        // Both know of each other from now on, and notice a cut, even if the packet leaves later.
        wires.connected.insert(pair);
        if let Some(bulk) = bulk {
            if wires.random.bool() {
                let most = wires.nature.latency.most;
                let at = wires.clock.now() + wires.random.u64(0..=most);
                self.late.push_back(Late { at, to, header, payload, bulk, ordered, token });
                return Ok(Sent::Pending);
            }
            let bulk = Some(bulk.bytes().to_vec());
            let parcel = Parcel { from: self.me, chain: (0, 0), header, payload, bulk };
            wires.send(self.me, to, parcel, ordered);
            return Ok(Sent::Done);
        }
        let parcel = Parcel { from: self.me, chain: (0, 0), header, payload, bulk: None };
        wires.send(self.me, to, parcel, ordered);
        Ok(Sent::Done)
    }

    fn poll_send(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        self.network.wires().have_space.remove(&self.me);
        Ok(self.send_late(host) + self.complete(host))
    }

    fn poll_recv(&mut self, host: &mut dyn Host) -> Result<u32, Failure> {
        let mut packets = 0;
        while packets < BURST {
            let next = self.taken.take();
            let Some(parcel) = next.or_else(|| self.network.wires().arrived(self.me)) else {
                break;
            };
            if !self.deliver(host, parcel) {
                break;
            }
            packets += 1;
        }
        while packets < BURST && self.taken.is_none() {
            let Some(lost) = self.network.wires().lost(self.me) else { break };
            let failure = Failure::new(Fault::Lost, LOST).about(lost);
            self.give_up(host, &failure);
            host.lost(lost, failure);
            packets += 1;
        }
        Ok(packets)
    }

    fn forget(&mut self, host: &mut dyn Host, failure: Failure) {
        self.give_up(host, &failure);
    }

    fn finalize(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        self.pause(host)
    }

    fn pause(&mut self, host: &mut dyn Host) -> Result<Finalized, Failure> {
        self.send_late(host);
        self.complete(host);
        let is_done = self.late.is_empty() && !self.is_accessing();
        Ok(if is_done { Finalized::Done } else { Finalized::Busy })
    }

    fn rest(&mut self, _interests: &mut Vec<Interest>) -> Rest {
        let (now, has_news) = {
            let mut wires = self.network.wires();
            wires.reach_memories();
            let has_news =
                wires.have_space.contains(&self.me) || wires.memories.has_completed(self.me);
            (wires.clock.now(), has_news)
        };
        match self.late.front() {
            _ if has_news => Rest::Poll,
            Some(late) if late.at <= now => Rest::Poll,
            Some(late) => Rest::Sleep(Duration::from_nanos(late.at - now)),
            None if self.taken.is_some() => Rest::Poll,
            None => Rest::Sleep(Duration::MAX),
        }
    }
    fn rma(&mut self) -> Option<&mut dyn Rma> {
        if self.network.wires().nature.reaches_memory { Some(self) } else { None }
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.network.wires().memories.forget(self.me);
    }
}
