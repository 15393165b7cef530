//! The endpoint: sending and polling.
//!
//! One thread at a time uses an endpoint; it is the only consumer of the process's receive queue, free queue and inbound fastboxes, and the only
//! producer on its outbound ones. Handing a packet to the [`Sink`] and handing its memory back are one step: nothing of a packet stays borrowed
//! after `Sink::packet` returns.

use crate::PACKET_MAX_BYTES;
use crate::cells::FreeCells;
use crate::copy_ring::Room;
use crate::handoff_buffer::Pair;
use crate::long::Place;
use crate::memory::Memory;
use crate::networks::{Networks, Token};
use crate::peer::{Outbound, Peer, Reach, told_of_room};
use crate::traffic::{Counted, Widened};
use crate::tunables::Tunables;
use nemesis_netmod::{Failure, Region, RegionMut, Sent};
use nemesis_shm::doorbell;
use nemesis_shm::fastbox::{self, BOX_LINES};
use nemesis_shm::heap::Heap;
use nemesis_shm::layout::BOXES;
use nemesis_shm::pieces::Pieces;
use nemesis_shm::queue;
use nemesis_shm::segment::{Cell, Mismatch, Segment, Slot};
use nemesis_sync::{AtomicU8, Ordering};
use nemesis_sys::memfd::Rung;
use nemesis_sys::processor;
use nemesis_wire::{FIRST_SERVICE_KIND, Header, Seq, kind, next_seq, word, words};
use nemesis_wireup::{Wireup, WireupError};
use rustix::fd::OwnedFd;
use std::hint::cold_path;

mod state;

/// The longest payload that goes through a fastbox.
pub const BOX_MAX_BYTES: usize = fastbox::max_payload(BOX_LINES);
/// The same where long packets are faster from there on, since they go round in more memory than a fastbox has (0003); but not where processors are
/// shared, as there are none.
const SHORT_BOX_MAX_BYTES: usize = 256;
/// From here on a shuttle is as fast as a fastbox, or faster (0003); shorter ones never are. Where lines pass fast, and where they pass slowly.
const HANDOFF_MIN_BYTES: [usize; 2] = [512, 192];

/// Looks at a fastbox before other places are polled: about a microsecond, several times what an answer from another processor takes. None
/// when processors are shared, since the answer needs ours.
const LOOKS: u32 = 2400;
/// The same where each look is one at several.
const LOOKS_AROUND: u32 = 400;

/// After so many polls that brought something from the process that is waited for, the next looks at all.
const OTHERS_TURN: u32 = 8;

/// Packets taken from one source before the others have their turn.
const BURST: u32 = 64;

/// A packet that has arrived.
pub struct Packet<'a> {
    /// Index of the process that sent it.
    pub origin: u32,
    pub header: Header,
    pub payload: &'a [u8],
}

/// Whoever takes the packets that arrive.
pub trait Sink {
    fn packet(&mut self, packet: Packet<'_>);

    /// A long packet, which is being written: its bytes can be taken as they come, or all at once.
    fn packet_in_pieces(&mut self, origin: u32, header: &Header, pieces: &mut Pieces) {
        self.packet(Packet { origin, header: *header, payload: pieces.whole() });
    }

    /// Whether another packet is welcome in this poll.
    #[inline(always)]
    fn wants_more(&self) -> bool {
        true
    }

    /// Where the body of `bytes` bytes that follows a packet is to be received; the packet itself comes when the body is there. `None`: nowhere. Where the
    /// packet has its place among those of its pair, all before it have come.
    fn place(
        &mut self,
        _origin: u32,
        _header: &Header,
        _payload: &[u8],
        _bytes: usize,
    ) -> Option<RegionMut> {
        None
    }

    /// The memory of a body whose sending was under way is the client's again.
    fn completed(&mut self, _token: Token, _outcome: Result<(), Failure>) {}

    /// A process of another node is not to be reached any more; nothing comes from it.
    fn lost(&mut self, _process: u32, _failure: &Failure) {}
}

/// Whoever waits for one certain packet.
pub trait Taker {
    /// Takes the packet if it is the one; false leaves it untouched.
    fn take(self, header: &Header, payload: &[u8]) -> bool;

    /// The same with a long packet, which is being written.
    fn take_pieces(self, _header: &Header, _pieces: &mut Pieces) -> bool
    where
        Self: Sized,
    {
        false
    }
}

/// A process's place in the job.
pub struct Endpoint {
    me: u32,
    pub(crate) peers: Vec<Peer>,
    /// Processes with an inbound fastbox, in the order in which they are polled.
    pub(crate) active: Vec<u32>,
    /// Where in `active` a receive from anybody looks first.
    turn: usize,
    /// Processes whose fastbox had no room for a packet of ours that found none elsewhere, since the last sleep.
    pub(crate) full: Vec<u32>,
    pub(crate) receive: queue::Consumer,
    pub(crate) segment: Segment,
    pub(crate) slot: Slot,
    /// Where the launcher asks and is answered: the same slot, or one in the launcher's segment.
    report: Slot,
    pub(crate) free: FreeCells,
    pub(crate) room: Room,
    /// The shuttles of each process that has some with us; the first pair has none, and is everybody else's.
    pub(crate) pairs: Vec<Pair>,
    /// Longest payload that goes in a fastbox.
    pub(crate) box_max_bytes: usize,
    /// Shortest that goes by a shuttle, if we hold one.
    handoff_min_bytes: usize,
    boxes_out: usize,
    /// Whether processes of the node share processors, as far as we know.
    pub(crate) shared_processors: bool,
    /// Whether it has taken its place among the processors, or needs none.
    placed: bool,
    looks: u32,
    /// Polls since one that looked at all processes.
    alone: u32,
    /// Our word of joint copies is in use, by one that we have not come to the end of.
    pub(crate) is_reading: bool,
    /// Until somebody takes it.
    memory: Option<Memory>,
    pub(crate) counted: Counted,
    /// Packets to and from each process, as far as somebody has looked.
    widened: Vec<[Widened; 2]>,
    /// The way to other nodes, where the job has any.
    pub(crate) networks: Option<Box<Networks>>,
}

impl Endpoint {
    /// Takes this process's place in the job that `wireup` found. Collective.
    pub fn join(wireup: &mut Wireup, tunables: &Tunables) -> Result<Endpoint, WireupError> {
        let refused = |why: String| {
            WireupError::new(
                "mapping the segment",
                why,
                "`nemesis info`, which tells what this host allows",
            )
        };
        let me = wireup.rank();
        if me == 0 {
            crate::tunables::warn_of_former_names();
        }
        let own = [me];
        let neighbours = if tunables.shm { wireup.local_ranks() } else { &own };
        let slots: Vec<Option<usize>> =
            (0..wireup.size()).map(|process| neighbours.binary_search(&process).ok()).collect();
        let processes = neighbours.len();
        let (descriptor, bytes, rung) = if tunables.shm {
            let memory = wireup.segment()?;
            (memory.descriptor, memory.bytes, memory.rung)
        } else {
            let memory = nemesis_wireup::segment::make(processes)?;
            (memory.descriptor, memory.bytes, memory.rung)
        };
        let mut endpoint = Endpoint::in_segment(descriptor, bytes as usize, rung, &slots, me)
            .map_err(|mismatch| refused(mismatch.to_string()))?;
        if !tunables.shm {
            endpoint.report_to_launcher(wireup);
        }
        endpoint.share_processors(
            wireup.local_size() as usize,
            wireup.processors(),
            tunables.oversubscribed,
        );
        let (all, own) = wireup.shared_processors();
        // Where each processor has its process there is nowhere to go.
        if !own.is_empty() && wireup.processors() > wireup.local_size() as usize {
            nemesis_sys::share::is_of(own, all);
        }
        if processes < slots.len() {
            endpoint.open_networks(Networks::open(wireup, tunables)?);
        }
        endpoint.tune(tunables);
        Ok(endpoint)
    }

    /// Without shared memory the launcher's segment still carries its questions and the answers.
    #[cold]
    fn report_to_launcher(&mut self, wireup: &mut Wireup) {
        let (processes, own) = (wireup.local_size() as usize, wireup.local_rank() as usize);
        let Some(segment) = wireup.launchers_segment() else { return };
        if let Some(head) = Slot::head(&segment.descriptor, segment.bytes as usize, processes, own)
        {
            // Relaxed: the launcher reads it in the file, and it orders nothing.
            head.pid().store(std::process::id(), Ordering::Relaxed);
            self.report = head;
        }
    }

    /// As [`new`](Self::new), with the segment's file, through which memory is reached.
    pub(crate) fn in_segment(
        descriptor: OwnedFd,
        bytes: usize,
        rung: Rung,
        slots: &[Option<usize>],
        me: u32,
    ) -> Result<Endpoint, Mismatch> {
        let segment = Segment::open(&descriptor, bytes, slots.iter().flatten().count())?;
        processor::found_out(
            segment.agree_on_line_transfer(|| {
                processor::is_slow(nemesis_wireup::machine::remembered())
            }),
        );
        nemesis_sys::cma::allow_siblings();
        let places = slots.iter().map(|slot| slot.map(|slot| (slot, segment.slot(slot)))).collect();
        let heap = Heap::new(
            descriptor,
            rung,
            *segment.layout(),
            slots[me as usize].expect("a process is on its own node"),
        );
        let mut endpoint = Endpoint::new(segment, slots, me);
        endpoint.memory = Some(Memory::new(heap, me, places, segment));
        Ok(endpoint)
    }

    /// Takes the place of process `me` in a job whose process `i` owns slot `slots[i]` of `segment`, or is on another node.
    fn new(segment: Segment, slots: &[Option<usize>], me: u32) -> Endpoint {
        if !nemesis_sys::membarrier::register() {
            segment.declare_unorderable();
        }
        let own = slots[me as usize].expect("a process is on its own node");
        // Kept for good, as the flags of neighbours are: a byte for each process of another node.
        let far = slots.iter().filter(|slot| slot.is_none());
        let mut wishes = Vec::leak(far.map(|_| AtomicU8::new(0)).collect()).iter();
        let peers = slots.iter().map(|slot| match slot {
            Some(slot) => Peer::near(segment.slot(*slot), own),
            None => {
                Peer::far(wishes.next().expect("there is one for each process of another node"))
            }
        });
        let peers = peers.collect();
        let slot = segment.slot(own);
        // Relaxed: read by peers only after a packet of ours, which orders it.
        slot.pid().store(std::process::id(), Ordering::Relaxed);
        let room = Room::new();
        Endpoint {
            me,
            active: Vec::new(),
            turn: 0,
            full: Vec::new(),
            receive: queue::Consumer::default(),
            segment,
            slot,
            report: slot,
            free: FreeCells::new(),
            box_max_bytes: BOX_MAX_BYTES,
            handoff_min_bytes: HANDOFF_MIN_BYTES[usize::from(room.has_long_rounds())],
            room,
            pairs: vec![Pair::default()],
            boxes_out: 0,
            shared_processors: false,
            placed: false,
            looks: LOOKS,
            alone: 0,
            is_reading: false,
            counted: Counted::default(),
            widened: vec![[Widened::default(); 2]; slots.len()],
            peers,
            networks: None,
            memory: None,
        }
    }

    /// `neighbours` processes share so many processors, and are more than those, or somebody says whether they are.
    fn share_processors(&mut self, neighbours: usize, processors: usize, told: Option<bool>) {
        self.shared_processors = told.unwrap_or(neighbours > processors);
        self.placed = neighbours < processors;
        self.looks = if self.shared_processors { 0 } else { LOOKS };
        self.box_max_bytes = if self.room.has_long_rounds() && !self.shared_processors {
            SHORT_BOX_MAX_BYTES
        } else {
            BOX_MAX_BYTES
        };
        if !self.shared_processors {
            nemesis_sys::share::processors_suffice();
        }
    }

    pub(crate) fn open_networks(&mut self, networks: Networks) {
        // Relaxed: ordered before our first sleep by the barrier that follows.
        self.slot.bell().store(networks.bell(), Ordering::Relaxed);
        nemesis_sys::membarrier::global();
        self.networks = Some(Box::new(networks));
    }

    /// The ways to the others' memory; once, and only if the endpoint joined a job.
    pub fn take_memory(&mut self) -> Option<Memory> {
        self.memory.take()
    }

    /// Switches off what the tunables say is off; before anything is sent.
    fn tune(&mut self, tunables: &Tunables) {
        self.free.limit(tunables.cells);
        self.room.limit(tunables.cells);
        if let Some(memory) = &mut self.memory {
            memory.cma = tunables.cma;
        }
        for peer in &mut self.peers {
            if !tunables.cma {
                peer.reach = Reach::Refused;
            }
            if !tunables.fastbox && peer.slot.is_some() {
                peer.outbound = Outbound::Refused;
            }
        }
    }

    /// Index of this process.
    #[inline(always)]
    pub fn me(&self) -> u32 {
        self.me
    }

    /// Number of processes.
    #[inline(always)]
    pub fn processes(&self) -> u32 {
        self.peers.len() as u32
    }

    /// Sends a packet of one line through the fastbox of process `to`, if there is one with room. That the process asks us to hold back is heard by who
    /// finds no room, which is once in a ring of packets, and after [`take_care`](Self::take_care). False says nothing about the reason, and nothing has
    /// happened.
    #[inline(always)]
    pub fn send_fast(&mut self, to: u32, mut header: Header, payload: &[u8]) -> bool {
        let Some(peer) = self.peers.get_mut(to as usize) else { return false };
        header.size = payload.len() as u16;
        if !peer.outbox.try_send_line(header, &mut peer.next_seq, payload) {
            return false;
        }
        if doorbell::must_wake(peer.doorbell) {
            peer.wake();
        }
        true
    }

    /// Shows the next packet of process `from` to `taker` if it lies, or comes within a microsecond, in the pair's fastbox. If the taker wants
    /// it, it is taken in and its length is the answer; else it stays for the next poll.
    #[inline(always)]
    pub fn receive_fast(&mut self, from: u32, taker: impl Taker) -> Option<usize> {
        let looks = self.looks_worthwhile();
        let peer = self.peers.get_mut(from as usize)?;
        let ring = peer.inbox.existing()?;
        let (header, payload) = ring.wait(peer.expected, looks)?;
        let size = payload.len();
        if !taker.take(&header, payload) {
            return None;
        }
        let told = ring.release(size);
        peer.expected = next_seq(peer.expected);
        if told {
            peer.told_of_room();
        }
        Some(size)
    }

    /// The same for a packet of one line, of that kind and with at most so many bytes, that is there already.
    #[inline(always)]
    pub fn receive_line(
        &mut self,
        from: u32,
        kind: u8,
        most: usize,
        taker: impl Taker,
    ) -> Option<usize> {
        let peer = self.peers.get_mut(from as usize)?;
        let ring = &mut peer.inbox;
        let (header, payload) = ring.line(peer.expected, kind, most)?;
        let size = payload.len();
        if !taker.take(&header, payload) {
            cold_path();
            return None;
        }
        ring.release_line();
        peer.expected = next_seq(peer.expected);
        Some(size)
    }

    /// Shows the packets of process `from`, as [`receive_fast`](Self::receive_fast) does one, to `take`, one after the other while it takes them and more
    /// are there. How many it has taken.
    #[inline(always)]
    pub fn receive_many_fast(
        &mut self,
        from: u32,
        take: impl FnMut(&Header, &[u8]) -> bool,
    ) -> u32 {
        let looks = self.looks_worthwhile();
        let Some(peer) = self.peers.get_mut(from as usize) else { return 0 };
        let Some(ring) = peer.inbox.existing() else { return 0 };
        let drained = ring.drain(&mut peer.expected, looks, BURST, take);
        if drained.told {
            peer.told_of_room();
        }
        drained.taken
    }

    /// How often to look at a fastbox before all else is polled: where something is in the queue, once, since it may be what comes next.
    #[inline(always)]
    fn looks_worthwhile(&self) -> u32 {
        if self.receive.is_empty(self.slot.receive_queue()) { self.looks } else { 0 }
    }

    /// As [`receive_fast`](Self::receive_fast) from whichever process has a packet there first; another one is preferred each time.
    pub fn receive_any_fast(&mut self, taker: impl Taker) -> Option<usize> {
        for _ in 0..=self.looks.min(LOOKS_AROUND) as usize / (self.active.len() + 1) {
            if let Some(from) = self.next_ready() {
                return self.receive_fast(from, taker);
            }
            if !self.receive.is_empty(self.slot.receive_queue()) {
                break;
            }
        }
        None
    }

    /// A process that has a packet in its fastbox, or gets one there within so many looks; between them `meanwhile` is done.
    #[inline(always)]
    pub fn await_ready(&mut self, looks: u32, mut meanwhile: impl FnMut()) -> Option<u32> {
        if let [only] = self.active[..] {
            // A loop of a few instructions: what is asked for meanwhile is then under way beside the packet.
            let Peer { inbox: ring, expected, .. } = self.peers.get(only as usize)?;
            for _ in 0..looks {
                if ring.is_ready(*expected) {
                    return Some(only);
                }
                meanwhile();
            }
            return None;
        }
        for _ in 0..looks {
            if let Some(from) = self.next_ready() {
                return Some(from);
            }
            meanwhile();
        }
        None
    }

    /// Whether something may have come that does not lie in a fastbox: a packet in our queue, or whatever comes from other nodes.
    #[inline(always)]
    pub fn has_other_sources(&self) -> bool {
        self.networks.is_some() || !self.receive.is_empty(self.slot.receive_queue())
    }

    /// Whether a packet lies in a fastbox.
    #[inline]
    pub fn has_ready(&mut self) -> bool {
        self.next_ready().is_some()
    }

    /// Whether a packet from this node has come, in a fastbox or in the queue.
    #[inline]
    pub fn has_near(&mut self) -> bool {
        self.has_ready() || !self.receive.is_empty(self.slot.receive_queue())
    }

    /// A process that has a packet in its fastbox; another one is preferred each time.
    #[inline]
    fn next_ready(&mut self) -> Option<u32> {
        let (before, behind) = self.active.split_at(self.turn.min(self.active.len()));
        let is_ready = |&process: &u32| {
            let peer = &self.peers[process as usize];
            peer.inbox.is_ready(peer.expected)
        };
        let index = match behind.iter().position(is_ready) {
            Some(index) => before.len() + index,
            None => before.iter().position(is_ready)?,
        };
        self.turn = index + 1;
        Some(self.active[index])
    }

    /// Sends one packet of at most [`packet_max`](Self::packet_max) bytes to process `to`; the header's `seq` and `size` are filled in here.
    /// False when there is no room now: poll, then try again.
    #[inline(always)]
    pub fn try_send(&mut self, to: u32, mut header: Header, payload: &[u8]) -> bool {
        let peer = &mut self.peers[to as usize];
        header.seq = peer.next_seq;
        header.size = payload.len() as u16;
        if payload.len() >= self.handoff_min_bytes
            && self.send_by_handoff_buffer(to, &header, payload)
        {
            return true;
        }
        let peer = &mut self.peers[to as usize];
        if let Outbound::Open = peer.outbound
            && payload.len() <= self.box_max_bytes
            && peer.outbox.try_send(&header, payload)
        {
            peer.next_seq = next_seq(header.seq);
            if doorbell::must_wake(peer.doorbell) {
                peer.wake();
            }
            return true;
        }
        self.send_by_queue(to, header, payload)
    }

    #[inline(never)]
    fn send_by_queue(&mut self, to: u32, mut header: Header, payload: &[u8]) -> bool {
        if self.is_far(to) {
            return self.send_by_network(to, &header, payload);
        }
        if self.send_in_pieces(to, &header, payload) {
            return true;
        }
        if payload.len() > PACKET_MAX_BYTES || !self.approach_box(to) {
            return false;
        }
        let Some(cell) = self.free.take(&self.segment, &self.slot) else {
            self.found_full(to);
            return false;
        };
        let peer = &mut self.peers[to as usize];
        header.seq = peer.next_seq;
        cell.fill(self.me, &header, payload);
        self.push(to, &cell);
        true
    }

    fn send_by_network(&mut self, to: u32, header: &Header, payload: &[u8]) -> bool {
        let Some(networks) = &mut self.networks else { return true };
        let sent = networks.send(&mut self.peers, to, header, payload);
        if sent {
            self.peers[to as usize].next_seq = next_seq(header.seq);
        } else if networks.must_tell() {
            self.wake_sleeper();
        }
        sent
    }

    /// Whether a process is on another node, or is to be reached as if it were.
    #[inline]
    pub fn is_far(&self, process: u32) -> bool {
        self.peers[process as usize].slot.is_none()
    }

    /// The way to other nodes, where the job has any.
    pub(crate) fn networks(&mut self) -> Option<&mut Networks> {
        self.networks.as_deref_mut()
    }

    /// Longest body that goes to processes of other nodes in one piece; 0 when there are none.
    pub fn body_max(&self) -> usize {
        self.networks.as_ref().map_or(0, |networks| networks.body_max())
    }

    /// Sends a packet with a body to a process of another node, in no order with other packets. The body's memory is the client's again when this
    /// answers `Done`, or fails, or when [`Sink::completed`] tells of `token`.
    pub fn try_send_body(
        &mut self,
        to: u32,
        mut header: Header,
        payload: &[u8],
        body: Region,
        token: Token,
    ) -> Result<Sent, Failure> {
        header.seq = 0;
        header.size = payload.len() as u16;
        let networks = self.networks.as_mut().expect("bodies go to other nodes");
        networks.send_body(to, &header, payload, body, token)
    }

    /// Sends a packet with a body to a process of another node, in its place among the packets to it. The body's memory is the client's again as with
    /// [`try_send_body`](Self::try_send_body), or when [`Sink::lost`] tells of the process.
    pub fn try_send_eager_body(
        &mut self,
        to: u32,
        mut header: Header,
        payload: &[u8],
        body: Region,
        token: Token,
    ) -> Sent {
        let Some(networks) = &mut self.networks else { return Sent::Full };
        header.seq = self.peers[to as usize].next_seq;
        header.size = payload.len() as u16;
        let sent = networks.send_eager_body(&self.peers, to, &header, payload, body, token);
        if sent != Sent::Full {
            self.peers[to as usize].next_seq = next_seq(header.seq);
        } else if networks.must_tell() {
            self.wake_sleeper();
        }
        sent
    }

    fn push(&mut self, to: u32, cell: &Cell) {
        let peer = &mut self.peers[to as usize];
        let Some(slot) = &peer.slot else { return };
        if let Outbound::Open = peer.outbound {
            peer.outbox.bypassed(peer.next_seq);
        }
        peer.next_seq = next_seq(peer.next_seq);
        self.counted.queue_packets_sent += 1;
        queue::push(slot.receive_queue(), &self.segment, cell.offset());
        if doorbell::must_wake(peer.doorbell) {
            peer.wake();
        }
    }

    /// Counts a packet that takes the queue, and makes the pair's fastbox when it is time; false when the announcement finds no cell.
    fn approach_box(&mut self, to: u32) -> bool {
        let peer = &mut self.peers[to as usize];
        match &mut peer.outbound {
            Outbound::Pending(0) => {}
            Outbound::Pending(packets) => {
                *packets -= 1;
                return true;
            }
            _ => return true,
        }
        let Some(slot) =
            peer.slot.filter(|slot| to != self.me && self.boxes_out < BOXES && claim_box_of(slot))
        else {
            peer.outbound = Outbound::Refused;
            return true;
        };
        let Some(cell) = self.free.take(&self.segment, &self.slot) else {
            // Relaxed: a count that nothing else hangs on.
            slot.boxes_in().fetch_sub(1, Ordering::Relaxed);
            self.found_no_room();
            return false;
        };
        let offset = self.slot.box_offset(self.boxes_out);
        let own = self.segment.slot_index_of(&self.slot);
        let lines = self.segment.box_of(own, offset).expect("our own boxes lie in our slot");
        if !self.shared_processors
            && let Some(ours) = self.segment.handoff_buffer(own, self.boxes_out)
        {
            self.pair_with(to).begin(ours);
        }
        self.boxes_out += 1;
        let peer = &mut self.peers[to as usize];
        let announcement = words([offset]);
        let header = Header {
            seq: peer.next_seq,
            kind: kind::BOX_OPEN,
            size: announcement.as_bytes().len() as u16,
            ..Header::default()
        };
        (peer.outbound, peer.outbox) = (Outbound::Open, fastbox::Producer::new(lines));
        cell.fill(self.me, &header, announcement.as_bytes());
        self.push(to, &cell);
        true
    }

    /// Takes in what has arrived, a bounded number of packets from each source; returns how many. `expected` names a process to look at first.
    #[inline]
    pub fn poll(&mut self, expected: Option<u32>, sink: &mut impl Sink) -> u32 {
        if let Some(origin) = expected {
            let taken = self.poll_box(origin, BURST, sink);
            self.alone += 1;
            if taken > 0 && self.alone < OTHERS_TURN {
                return taken;
            }
            self.alone = 0;
            return taken + self.poll_all(expected, sink);
        }
        self.poll_all(expected, sink)
    }

    #[inline(never)]
    fn poll_all(&mut self, expected: Option<u32>, sink: &mut impl Sink) -> u32 {
        let mut taken = 0;
        if !self.receive.is_empty(self.slot.receive_queue()) {
            taken += self.poll_queue(sink);
        }
        for index in 0..self.active.len() {
            if !sink.wants_more() {
                break;
            }
            taken += self.poll_box(self.active[index], BURST, sink);
        }
        if let Some(networks) = &mut self.networks {
            taken += networks.poll(&mut self.peers, expected, sink);
        }
        taken
    }

    #[inline(always)]
    fn poll_box(&mut self, origin: u32, limit: u32, sink: &mut impl Sink) -> u32 {
        let Some(peer) = self.peers.get_mut(origin as usize) else { return 0 };
        let Some(ring) = peer.inbox.existing() else { return 0 };
        let mut taken = 0;
        while taken < limit && sink.wants_more() {
            let Some((header, payload)) = ring.peek(peer.expected) else { break };
            let size = payload.len();
            if header.kind == kind::CELL {
                let place = Place::read(payload);
                let told = ring.release(size);
                peer.expected = next_seq(peer.expected);
                if told {
                    peer.told_of_room();
                }
                self.take_in_pieces(origin, &header, place, sink);
                return taken + 1;
            }
            sink.packet(Packet { origin, header, payload });
            let told = ring.release(size);
            ring.look_ahead();
            peer.expected = next_seq(peer.expected);
            if told {
                told_of_room(peer.doorbell, &peer.slot);
            }
            taken += 1;
        }
        taken
    }

    /// Takes one packet from a box, welcome or not.
    fn take_from_box(&mut self, origin: u32, sink: &mut impl Sink) -> u32 {
        struct Whatever<'a, S>(&'a mut S);
        impl<S: Sink> Sink for Whatever<'_, S> {
            fn packet(&mut self, packet: Packet<'_>) {
                self.0.packet(packet);
            }
            fn packet_in_pieces(&mut self, origin: u32, header: &Header, pieces: &mut Pieces) {
                self.0.packet_in_pieces(origin, header, pieces);
            }
        }
        self.poll_box(origin, 1, &mut Whatever(sink))
    }

    fn poll_queue(&mut self, sink: &mut impl Sink) -> u32 {
        let mut taken = 0;
        while taken < BURST && sink.wants_more() {
            let Some(offset) = self.receive.pop(self.slot.receive_queue(), &self.segment) else {
                break;
            };
            let cell = self.segment.cell(offset);
            let (origin, header, payload) = cell.packet();
            taken += self.catch_up(origin, header.seq, sink);
            if header.kind >= FIRST_SERVICE_KIND {
                sink.packet(Packet { origin, header, payload });
            } else {
                self.control(origin, &header, payload);
            }
            let peer = &mut self.peers[origin as usize];
            if let Some(ring) = peer.inbox.existing() {
                ring.bypassed(header.seq);
            }
            peer.expected = next_seq(peer.expected);
            self.give_back(&cell);
            taken += 1;
            self.counted.queue_packets_received += 1;
        }
        taken
    }

    /// A cell with number `seq` is here: what the same process sent before it lies in its fastbox, and comes first.
    #[inline(always)]
    fn catch_up(&mut self, origin: u32, seq: Seq, sink: &mut impl Sink) -> u32 {
        let mut taken = 0;
        while self.peers[origin as usize].expected != seq {
            let before = self.take_from_box(origin, sink);
            assert!(
                before > 0,
                "process {origin} left out a packet: {} is expected, {seq} came",
                self.peers[origin as usize].expected
            );
            taken += before;
        }
        taken
    }

    fn give_back(&self, cell: &Cell) {
        let home = self.segment.home_of(cell);
        queue::push(home.free_queue(), &self.segment, cell.offset());
        told_of_room(home.doorbell(), &Some(home));
    }

    #[cold]
    fn control(&mut self, origin: u32, header: &Header, payload: &[u8]) {
        let peer = &mut self.peers[origin as usize];
        let offset =
            word(payload, 0).filter(|_| header.kind == kind::BOX_OPEN && peer.inbox.is_nowhere());
        let slot = peer.slot.as_ref().map(|slot| self.segment.slot_index_of(slot));
        let opened = slot
            .zip(offset)
            .and_then(|(slot, offset)| Some((self.segment.box_of(slot, offset)?, slot, offset)));
        let (lines, slot, offset) = opened.unwrap_or_else(|| {
            panic!("process {origin} sent a control packet that makes no sense: {header:?}")
        });
        peer.inbox = fastbox::Consumer::new(lines);
        self.active.push(origin);
        if let Some(theirs) =
            self.segment.handoff_buffer(slot, self.segment.box_index_of(slot, offset))
        {
            self.pair_with(origin).welcome(theirs);
        }
    }

    /// The shuttles of a process, from now on.
    fn pair_with(&mut self, process: u32) -> &mut Pair {
        let peer = &mut self.peers[process as usize];
        if peer.pair == 0 {
            // Each has a fastbox to us, or from us, of which there are not so many.
            peer.pair = u8::try_from(self.pairs.len()).expect("few processes have fastboxes");
            self.pairs.push(Pair::default());
        }
        &mut self.pairs[usize::from(peer.pair)]
    }
}

/// Counts one more fastbox towards the owner of `slot`; false when it polls as many as it should.
fn claim_box_of(slot: &Slot) -> bool {
    // Relaxed: a count that nothing else hangs on.
    let before = slot.boxes_in().fetch_add(1, Ordering::Relaxed);
    if (before as usize) < BOXES {
        return true;
    }
    // Relaxed: as above.
    slot.boxes_in().fetch_sub(1, Ordering::Relaxed);
    false
}
