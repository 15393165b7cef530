//! The endpoint: sending and polling.
//!
//! One thread at a time uses an endpoint. It is the only consumer of the process's receive queue,
//! free queue and inbound fastboxes, and the only producer of its outbound fastboxes. A poll hands
//! a packet to the [`Sink`] and releases its memory in one step: no part of a packet stays borrowed
//! after `Sink::packet` has returned.

use crate::PACKET_MAX_BYTES;
use crate::cells::FreeCells;
use crate::copy_ring::CopyRing;
use crate::handoff_buffer::Pair;
use crate::limits::REMOTE_PACKET_MAX_BYTES;
use crate::memory::Memory;
use crate::networks::Networks;
use crate::packet::{Packet, PacketHandler, Sink, Token};
use crate::peer::{Outbound, Peer, Peers, Slots, wake_for_space};
use crate::protocols::{Forcing, Limits};
use crate::traffic::{Counted, Widened};
use crate::tunables::Tunables;
use nemesis_netmod::{Costs, Failure, PagedTable, Region, Sent};
use nemesis_shm::doorbell;
use nemesis_shm::fastbox;
use nemesis_shm::heap::Heap;
use nemesis_shm::layout::BOXES;
use nemesis_shm::long_packet::LongPacket;
use nemesis_shm::measure;
use nemesis_shm::queue;
use nemesis_shm::segment::{self, Body, Cell, Mismatch, Segment, Slot};
use nemesis_shm::word_wait;
use nemesis_sync::Ordering;
use nemesis_sys::host_model;
use nemesis_sys::memfd::Backing;
use nemesis_sys::mutation::{self, Mutation};
use nemesis_sys::panics::damaged;
use nemesis_sys::virtual_process;
use nemesis_wire::{FIRST_SERVICE_KIND, Header, Seq, kind, next_seq, word, words};
use nemesis_wireup::{Wireup, WireupError, machine};
use rustix::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::hint::cold_path;

mod deaths;
mod forced;
mod foreign;
mod foreign_box;
mod lanes;
mod long;
mod remote_memory;
mod report;
mod state;

use self::deaths::KnownDeaths;
use self::foreign::Foreigners;
pub use self::foreign::ProcessName;
use self::long::Announcement;

/// Times that a receive checks a fastbox before it polls other sources: about a microsecond,
/// several times the latency of an answer from another processor. Zero on oversubscribed nodes,
/// because the sender needs this processor.
const SPINS: u32 = 2400;
/// Bound for the checks of all inbound fastboxes, for receives from any source.
const SPINS_OVER_ALL: u32 = 400;

/// Number of successive polls that may return after the expected process's fastbox alone, because
/// it had packets. The next poll visits all sources.
const POLLS_OF_ONE_MAX: u32 = 8;

/// Maximum number of packets taken from one source before the other sources are polled.
const BURST_PACKETS: u32 = 64;

/// One process's connection to the other processes of its job.
pub struct Endpoint {
    me: u32,
    pub(crate) peers: Peers,
    /// Processes with an inbound fastbox, in the order in which they are polled.
    pub(crate) active: Vec<u32>,
    /// Index in `active` at which a receive from any source begins.
    next_active: usize,
    /// Processes whose full fastbox made a send fail since the last sleep.
    pub(crate) full: Vec<u32>,
    pub(crate) receive: queue::Consumer,
    pub(crate) segment: Segment,
    pub(crate) slot: Slot,
    /// The body of this process's slot.
    pub(crate) body: Body,
    /// Slot through which the launcher requests state reports: `slot`, or one in the launcher's
    /// segment.
    report: Slot,
    pub(crate) free: FreeCells,
    pub(crate) copy_ring: CopyRing,
    /// Handoff buffers, by `Peer::pair`. The first entry has no buffers and serves all processes
    /// that have none.
    pub(crate) pairs: Vec<Pair>,
    /// The lengths that decide how messages to processes of this node travel.
    pub(crate) limits: Limits,
    /// Protocols that are forced (`NEMESIS_PROTOCOL`).
    pub(crate) forcing: Option<Box<Forcing>>,
    /// Whether packets are preferred to copies by the kernel at any length.
    pub(crate) prefers_packets: bool,
    boxes_out: usize,
    /// Whether the node is oversubscribed.
    pub(crate) shared_processors: bool,
    /// Whether `move_to_own_core` has run, or is not needed.
    placed: bool,
    spins: u32,
    /// Polls since the last one that visited all processes.
    polls_of_one: u32,
    /// Whether a copy that `begin_reading` began, and that has not ended, uses this process's
    /// `CooperativeCopy`.
    pub(crate) is_reading: bool,
    /// Present until `take_memory`.
    memory: Option<Memory>,
    /// Number of the segment's descriptor, which `memory` owns.
    segment_descriptor: RawFd,
    pub(crate) counted: Counted,
    /// 64-bit numbers of packets to and from each process, as of the last `traffic`.
    pub(crate) widened: PagedTable<[Widened; 2]>,
    /// The networks to other nodes; `None` if the job runs on one node.
    pub(crate) networks: Option<Box<Networks>>,
    /// Longest payload of a packet to any process of another node, in bytes; 0 if networks differ
    /// in it.
    common_packet_max_bytes: usize,
    pub(crate) foreigners: Foreigners,
    known_deaths: KnownDeaths,
    /// What other lanes need of this endpoint, the first one.
    for_lanes: lanes::Common,
}

impl Endpoint {
    /// Creates the endpoint of this process in the job that `wireup` found. Collective.
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
        let local_ranks = if tunables.shm { wireup.local_ranks() } else { &own };
        let slots = Slots {
            processes: wireup.size(),
            local: local_ranks.iter().copied().zip(0..).collect(),
        };
        let processes = local_ranks.len();
        let is_on_one_node = processes == wireup.size() as usize;
        let (descriptor, bytes, backing) = if tunables.shm {
            let memory = wireup.segment_prepared(tell_model)?;
            (memory.descriptor, memory.bytes, memory.backing)
        } else {
            let memory = nemesis_wireup::segment::make(processes)?;
            (memory.descriptor, memory.bytes, memory.backing)
        };
        let mut endpoint = Endpoint::in_segment(descriptor, bytes as usize, backing, &slots, me)
            .map_err(|mismatch| refused(mismatch.to_string()))?;
        endpoint.foreigners = Foreigners::new(wireup.job_key().bytes(), wireup.size());
        if !tunables.shm {
            endpoint.report_to_launcher(wireup);
        }
        word_wait::answer_by(endpoint.report.status(), is_on_one_node);
        endpoint.look_for_deaths(None);
        endpoint.share_processors(
            wireup.local_size() as usize,
            wireup.processors(),
            tunables.oversubscribed,
        );
        let (all, own) = wireup.shared_processors();
        // If each processor has its process, no processor is free to move to.
        if !own.is_empty() && wireup.processors() > wireup.local_size() as usize {
            nemesis_sys::share::set_share(own, all);
        }
        if !is_on_one_node {
            endpoint.open_networks(Networks::open(wireup, tunables)?);
            endpoint.for_lanes.on_every_node = lanes::on_every_node(wireup, tunables.shm);
        }
        endpoint.tune(tunables);
        if wireup.is_to_report() || tunables.verbose && me == 0 {
            endpoint.report_transports(wireup, tunables);
        }
        Ok(endpoint)
    }

    /// Creates an endpoint, as [`new`](Self::new) does, in the segment of `descriptor`, which also
    /// gives access to other processes' memory.
    pub(crate) fn in_segment(
        descriptor: OwnedFd,
        bytes: usize,
        backing: Backing,
        slots: &Slots,
        me: u32,
    ) -> Result<Endpoint, Mismatch> {
        let processes = slots.local.len();
        let segment = Segment::open(&descriptor, bytes, processes)?;
        // A process without others on its node chooses nothing by the model.
        if processes > 1 {
            host_model::agree(segment.agree_on_model(|| machine::remembered().unwrap_or_default()));
        }
        nemesis_sys::cma::allow_siblings();
        let mut places = PagedTable::new(slots.processes as usize);
        for &(process, slot) in &slots.local {
            places[process as usize] = Some((slot, segment.slot(slot)));
        }
        let segment_descriptor = descriptor.as_raw_fd();
        let heap = Heap::new(descriptor, backing, *segment.layout(), slots.of(me));
        let mut endpoint = Endpoint::new(segment, slots, me);
        endpoint.memory = Some(Memory::new(heap, me, places, segment));
        endpoint.segment_descriptor = segment_descriptor;
        Ok(endpoint)
    }

    /// Creates the endpoint of process `me` in a job whose processes own these slots of `segment`.
    fn new(segment: Segment, slots: &Slots, me: u32) -> Endpoint {
        if !nemesis_sys::membarrier::register() {
            segment.declare_unorderable();
        }
        let own = slots.of(me);
        let mut peers = Peers::new(slots.processes as usize, Peer::remote);
        for &(process, slot) in &slots.local {
            peers[process as usize] = Peer::local(segment.slot(slot), own);
        }
        let slot = segment.slot(own);
        // Relaxed: peers read it only after a packet from this process, which orders it.
        slot.pid().store(std::process::id(), Ordering::Relaxed);
        let choices = host_model::choices();
        Endpoint {
            me,
            active: Vec::new(),
            next_active: 0,
            full: Vec::new(),
            receive: queue::Consumer::default(),
            body: segment.body(segment.slot_index_of(&slot)),
            segment,
            slot,
            report: slot,
            free: FreeCells::new(),
            limits: Limits::of(false, host_model::model()),
            forcing: None,
            prefers_packets: choices.prefers_packets,
            copy_ring: CopyRing::new(choices),
            pairs: vec![Pair::default()],
            boxes_out: 0,
            shared_processors: false,
            placed: false,
            spins: SPINS,
            polls_of_one: 0,
            is_reading: false,
            counted: Counted::default(),
            widened: PagedTable::new(slots.processes as usize),
            peers,
            networks: None,
            common_packet_max_bytes: 0,
            foreigners: Foreigners::of_size(slots.processes),
            memory: None,
            known_deaths: KnownDeaths::default(),
            for_lanes: lanes::Common::default(),
            segment_descriptor: -1,
        }
    }

    /// Decides whether the node is oversubscribed: `told`, or else whether `local_ranks` processes
    /// outnumber the processors that they share.
    fn share_processors(&mut self, processes: usize, processors: usize, told: Option<bool>) {
        self.shared_processors = told.unwrap_or(processes > processors);
        self.placed = processes < processors;
        // The one thread of a simulation runs the sender, too.
        let alone = self.shared_processors || virtual_process::current().is_some();
        self.spins = if alone { 0 } else { SPINS };
        if self.shared_processors {
            self.limits = Limits::of(true, host_model::model());
        } else {
            nemesis_sys::share::processors_suffice();
        }
    }

    pub(crate) fn open_networks(&mut self, networks: Networks) {
        // Relaxed: the barrier that follows orders the store before this process's first sleep.
        self.slot.doorbell().bell.store(networks.bell(), Ordering::Relaxed);
        self.ring_in_lanes(networks.bell());
        nemesis_sys::membarrier::global();
        self.common_packet_max_bytes = networks.common_packet_max();
        self.networks = Some(Box::new(networks));
    }

    /// Returns the access to other processes' memory: once, and only if the endpoint joined a job.
    pub fn take_memory(&mut self) -> Option<Memory> {
        self.memory.take()
    }

    /// Applies the tunables. Must be called before the first packet.
    fn tune(&mut self, tunables: &Tunables) {
        self.force(&tunables.protocol);
        if let Some(memory) = &mut self.memory {
            memory.cma = tunables.cma;
        }
        self.for_lanes.means = lanes::Means::of(tunables);
        self.restrict(self.for_lanes.means);
    }

    /// Returns the index of this process in the job.
    #[inline(always)]
    pub fn me(&self) -> u32 {
        self.me
    }

    /// Returns the number of processes of the job.
    #[inline(always)]
    pub fn processes(&self) -> u32 {
        self.peers.len() as u32
    }

    /// Sends a packet of one line through the fastbox of process `to`. Returns false, without
    /// effect and for no particular reason, if there is no open fastbox with space. This path does
    /// not read the flow control flag: the caller learns of it when the fastbox is full, which
    /// happens at least once in a round of the ring, and after
    /// [`force_slow_path`](Self::force_slow_path).
    #[inline(always)]
    pub fn send_fast(&mut self, to: u32, mut header: Header, payload: &[u8]) -> bool {
        let Some(peer) = self.peers.glance_mut(to as usize) else { return false };
        header.size = payload.len() as u16;
        if !peer.outbox.try_send_line(header, &mut peer.next_seq, payload) {
            return false;
        }
        if doorbell::must_wake(&peer.doorbell.flag) {
            peer.wake();
        }
        true
    }

    /// Shows the next packet of process `from` to `handler` if the packet lies in the pair's
    /// fastbox or arrives there within a microsecond. If `handler` takes it, returns its length;
    /// otherwise the packet stays for the next poll.
    #[inline(always)]
    pub fn receive_fast(&mut self, from: u32, handler: impl PacketHandler) -> Option<usize> {
        let spins = self.spins_worthwhile();
        let peer = self.peers.glance_mut(from as usize)?;
        let ring = peer.inbox.connected()?;
        let (header, payload) = ring.wait(peer.expected, spins)?;
        let size = payload.len();
        if !handler.take(&header, payload) {
            return None;
        }
        let told = ring.release(size);
        peer.expected = next_seq(peer.expected);
        if told {
            peer.wake_for_space();
        }
        Some(size)
    }

    /// Shows the next packet of process `from` to `handler`, as
    /// [`receive_fast`](Self::receive_fast) does, if it is a packet of one line that is already in
    /// the fastbox, has this `kind` and a payload of at most `most` bytes.
    #[inline(always)]
    pub fn receive_line(
        &mut self,
        from: u32,
        kind: u8,
        most: usize,
        handler: impl PacketHandler,
    ) -> Option<usize> {
        let peer = self.peers.glance_mut(from as usize)?;
        let ring = &mut peer.inbox;
        let (header, payload) = ring.peek_line(peer.expected, kind, most)?;
        let size = payload.len();
        if !handler.take(&header, payload) {
            cold_path();
            return None;
        }
        ring.release_line();
        peer.expected = next_seq(peer.expected);
        Some(size)
    }

    /// Shows packets of process `from` to `take`, as [`receive_fast`](Self::receive_fast) shows
    /// one, while `take` takes them and more are there. Returns the number of packets taken.
    #[inline(always)]
    pub fn receive_many_fast(
        &mut self,
        from: u32,
        take: impl FnMut(&Header, &[u8]) -> bool,
    ) -> u32 {
        let spins = self.spins_worthwhile();
        let Some(peer) = self.peers.glance_mut(from as usize) else { return 0 };
        let Some(ring) = peer.inbox.connected() else { return 0 };
        let drained = ring.drain(&mut peer.expected, spins, BURST_PACKETS, take);
        if drained.space_published {
            peer.wake_for_space();
        }
        drained.packets
    }

    /// Returns how often to check a fastbox before other sources are polled. A packet in the queue
    /// may be the next of the pair, so the check is made once if the queue is not empty.
    #[inline(always)]
    fn spins_worthwhile(&self) -> u32 {
        if self.receive.is_empty(self.slot.receive_queue()) { self.spins } else { 0 }
    }

    /// Receives like [`receive_fast`](Self::receive_fast) from the first process whose fastbox has
    /// a packet. Successive calls prefer different processes.
    #[inline(always)]
    pub fn receive_any_fast(&mut self, handler: impl PacketHandler) -> Option<usize> {
        for _ in 0..=self.spins.min(SPINS_OVER_ALL) as usize / (self.active.len() + 1) {
            if let Some(from) = self.next_ready() {
                return self.receive_fast(from, handler);
            }
            if !self.receive.is_empty(self.slot.receive_queue()) {
                break;
            }
        }
        None
    }

    /// Returns a process whose fastbox has a packet, or gets one within `spins` checks. Calls
    /// `meanwhile` between the checks.
    #[inline(always)]
    pub fn await_ready(&mut self, spins: u32, mut meanwhile: impl FnMut()) -> Option<u32> {
        if let [only] = self.active[..] {
            // A loop of few instructions, so that the memory accesses of `meanwhile` overlap the
            // wait.
            let Peer { inbox: ring, expected, .. } = self.peers.get(only as usize)?;
            for _ in 0..spins {
                if ring.is_ready(*expected) {
                    return Some(only);
                }
                meanwhile();
            }
            return None;
        }
        for _ in 0..spins {
            if let Some(from) = self.next_ready() {
                return Some(from);
            }
            meanwhile();
        }
        None
    }

    /// Returns whether something may have arrived outside the fastboxes: a packet in the queue, or
    /// anything from other nodes.
    #[inline(always)]
    pub fn has_other_sources(&self) -> bool {
        self.networks.is_some() || !self.receive.is_empty(self.slot.receive_queue())
    }

    /// Returns whether a fastbox has a packet.
    #[inline]
    pub fn has_ready(&mut self) -> bool {
        self.next_ready().is_some()
    }

    /// Returns whether a packet from this node has arrived, in a fastbox or in the queue.
    #[inline]
    pub fn has_local_packets(&mut self) -> bool {
        self.has_ready() || !self.receive.is_empty(self.slot.receive_queue())
    }

    /// Returns a process whose fastbox has a packet. Successive calls prefer different processes.
    #[inline]
    fn next_ready(&mut self) -> Option<u32> {
        let (before, behind) = self.active.split_at(self.next_active.min(self.active.len()));
        let is_ready = |&process: &u32| {
            let peer = &self.peers[process as usize];
            peer.inbox.is_ready(peer.expected)
        };
        let index = match behind.iter().position(is_ready) {
            Some(index) => before.len() + index,
            None => before.iter().position(is_ready)?,
        };
        self.next_active = index + 1;
        Some(self.active[index])
    }

    /// Sends one packet of at most [`packet_max`](Self::packet_max) bytes to process `to` and sets
    /// the header's `seq` and `size`. Returns false if there is no space now: poll, then try again.
    #[inline(always)]
    pub fn try_send(&mut self, to: u32, mut header: Header, payload: &[u8]) -> bool {
        header.seq = self.peers[to as usize].next_seq;
        header.size = payload.len() as u16;
        if payload.len() >= self.limits.handoff_min_bytes
            && self.send_by_handoff_buffer(to, &header, payload)
        {
            return true;
        }
        if let Some(peer) = self.peers.glance_mut(to as usize)
            && let Outbound::Open = peer.outbound
            && payload.len() < self.limits.box_end_bytes
            && peer.outbox.try_send(&header, payload)
        {
            peer.next_seq = next_seq(header.seq);
            if doorbell::must_wake(&peer.doorbell.flag) {
                peer.wake();
            }
            return true;
        }
        self.send_by_queue(to, header, payload)
    }

    #[inline(never)]
    fn send_by_queue(&mut self, to: u32, mut header: Header, payload: &[u8]) -> bool {
        if self.is_remote(to) {
            return self.send_by_network(to, &header, payload);
        }
        let sent = match &self.forcing {
            None => self.send_long(to, &header, payload),
            Some(_) => self.send_forced(to, &header, payload),
        };
        if sent {
            return true;
        }
        if payload.len() > PACKET_MAX_BYTES || !self.approach_box(to) {
            return false;
        }
        let Some(cell) = self.free.take(&self.segment, &self.slot) else {
            self.found_full(to);
            self.take_back_cells();
            return false;
        };
        let peer = &mut self.peers[to as usize];
        header.seq = peer.next_seq;
        cell.fill(self.me, &header, payload);
        self.push(to, &cell);
        true
    }

    fn send_by_network(&mut self, to: u32, header: &Header, payload: &[u8]) -> bool {
        if self.has_foreign_box(to, payload.len()) {
            return self.send_by_foreign_box(to, header, payload);
        }
        let Some(networks) = &mut self.networks else { return true };
        let sent = networks.send(&mut self.peers, to, header, payload);
        if sent {
            self.peers[to as usize].sent_by_network();
            self.approach_foreign_box(to);
        } else if networks.must_wake_sleeper() {
            self.wake_sleeper();
        }
        sent
    }

    /// Returns whether networks carry the packets to a process: it is on another node, or
    /// `NEMESIS_SHM` is off.
    #[inline]
    pub fn is_remote(&self, process: u32) -> bool {
        self.peers[process as usize].slot.is_none()
    }

    /// Returns the length of the longest bulk payload that goes to a process of another node in one
    /// piece; 0 if there is none.
    pub fn bulk_max(&self, to: u32) -> usize {
        self.networks.as_ref().map_or(0, |networks| networks.bulk_max(to))
    }

    /// Returns the length of the longest payload of one packet to a process of another node.
    #[inline]
    pub(crate) fn remote_packet_max(&self, to: u32) -> usize {
        match self.common_packet_max_bytes {
            0 => self.networks.as_ref().map_or(0, |networks| networks.packet_max(to)),
            common => common,
        }
    }

    /// Returns what packets to a process of another node cost.
    pub fn costs_to(&self, to: u32) -> Costs {
        self.networks.as_ref().map_or(Costs::UNKNOWN, |networks| networks.costs_to(to))
    }

    /// Returns the length of the longest payload of one packet to any process of another node.
    pub fn least_remote_packet_max(&self) -> usize {
        let networks = self.networks.as_ref();
        networks.map_or(REMOTE_PACKET_MAX_BYTES, |networks| networks.least_packet_max())
    }

    /// Sends a packet with a bulk payload to a process of another node, unordered with respect to
    /// other packets. The client may use the payload's memory again when this returns `Done` or an
    /// error, or when [`Sink::completed`] reports `token`.
    pub fn try_send_bulk(
        &mut self,
        to: u32,
        mut header: Header,
        payload: &[u8],
        bulk: Region,
        token: Token,
    ) -> Result<Sent, Failure> {
        header.seq = 0;
        header.size = payload.len() as u16;
        let networks = self.networks.as_mut().expect("bulk payloads go to other nodes");
        networks.send_bulk(to, &header, payload, bulk, token)
    }

    /// Sends a packet with a bulk payload to a process of another node, ordered among the packets
    /// to it. The client may use the payload's memory again as after
    /// [`try_send_bulk`](Self::try_send_bulk), or when [`Sink::lost`] reports the process.
    pub fn try_send_eager_bulk(
        &mut self,
        to: u32,
        mut header: Header,
        payload: &[u8],
        bulk: Region,
        token: Token,
    ) -> Sent {
        let Some(networks) = &mut self.networks else { return Sent::Full };
        header.seq = self.peers[to as usize].next_seq;
        header.size = payload.len() as u16;
        let sent = networks.send_eager_bulk(&self.peers, to, &header, payload, bulk, token);
        if sent != Sent::Full {
            self.peers[to as usize].sent_by_network();
        } else if networks.must_wake_sleeper() {
            self.wake_sleeper();
        }
        sent
    }

    fn push(&mut self, to: u32, cell: &Cell) {
        let peer = &mut self.peers[to as usize];
        let Some(slot) = peer.slot else { return };
        if let Outbound::Open = peer.outbound {
            peer.outbox.bypassed(peer.next_seq);
        }
        peer.next_seq = next_seq(peer.next_seq);
        self.counted.queue_packets_sent += 1;
        match self.known_deaths.is_on() {
            false => queue::push(slot.receive_queue(), &self.segment, cell.offset()),
            true => {
                let place = cell.offset() - self.body.cell_offset(0);
                self.free.note_sent(place as usize, to);
                self.append_safely(&slot, false, cell.offset());
            }
        }
        let peer = &self.peers[to as usize];
        if doorbell::must_wake(&peer.doorbell.flag) {
            peer.wake();
        }
    }

    /// Counts a packet that takes the queue, and opens the pair's fastbox after the last counted
    /// one. Returns false if no cell is free for the announcement.
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
            // Relaxed: a count that orders nothing.
            slot.boxes_in().fetch_sub(1, Ordering::Relaxed);
            self.found_no_space();
            self.take_back_cells();
            return false;
        };
        let offset = self.body.box_offset(self.boxes_out);
        let own = self.segment.slot_index_of(&self.slot);
        let lines = self.segment.box_of(own, offset).expect("a slot contains its own fastboxes");
        if !self.shared_processors
            && let Some(own_buffer) = self.segment.handoff_buffer(own, self.boxes_out)
        {
            self.pair_with(to).add_own(own_buffer);
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
        self.decide_each_packet(to);
        true
    }

    /// Delivers arrived packets to `sink`, a bounded number from each source, and returns their
    /// number. Polls the process `expected` first.
    #[inline]
    pub fn poll(&mut self, expected: Option<u32>, sink: &mut impl Sink) -> u32 {
        if let Some(origin) = expected {
            let taken = self.poll_box(origin, BURST_PACKETS, sink);
            self.polls_of_one += 1;
            if taken > 0 && self.polls_of_one < POLLS_OF_ONE_MAX {
                return taken;
            }
            self.polls_of_one = 0;
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
            taken += self.poll_box(self.active[index], BURST_PACKETS, sink);
        }
        if let Some(networks) = &mut self.networks {
            taken += networks.poll(&mut self.peers, expected, sink);
            if networks.has_foreign_events() {
                self.handle_foreign_events();
            }
        }
        taken
    }

    #[inline(always)]
    fn poll_box(&mut self, origin: u32, limit: u32, sink: &mut impl Sink) -> u32 {
        let Some(peer) = self.peers.glance_mut(origin as usize) else { return 0 };
        let Some(ring) = peer.inbox.connected() else { return 0 };
        let mut taken = 0;
        while taken < limit && sink.wants_more() {
            let Some((header, payload)) = ring.peek(peer.expected) else { break };
            let size = payload.len();
            if header.kind < FIRST_SERVICE_KIND {
                let place = Announcement::read(payload);
                let told = ring.release(size);
                peer.expected = next_seq(peer.expected);
                if told {
                    peer.wake_for_space();
                }
                self.receive_long(origin, &header, place, sink);
                return taken + 1;
            }
            sink.packet(Packet { origin, header, payload });
            let told = ring.release(size);
            ring.prefetch_later_packet();
            peer.expected = next_seq(peer.expected);
            if told {
                wake_for_space(peer.doorbell);
            }
            taken += 1;
        }
        taken
    }

    /// Delivers one packet from a fastbox, even if the sink wants no more.
    fn take_from_box(&mut self, origin: u32, sink: &mut impl Sink) -> u32 {
        struct Insatiable<'a, S>(&'a mut S);
        impl<S: Sink> Sink for Insatiable<'_, S> {
            fn packet(&mut self, packet: Packet<'_>) {
                self.0.packet(packet);
            }
            fn long_packet(&mut self, origin: u32, header: &Header, packet: &mut LongPacket) {
                self.0.long_packet(origin, header, packet);
            }
        }
        self.poll_box(origin, 1, &mut Insatiable(sink))
    }

    fn poll_queue(&mut self, sink: &mut impl Sink) -> u32 {
        let mut taken = 0;
        while taken < BURST_PACKETS && sink.wants_more() {
            let Some(offset) = self.receive.pop(self.slot.receive_queue(), &self.segment) else {
                break;
            };
            let cell = self.segment.cell(offset);
            let (origin, header, payload) = cell.packet();
            taken += self.drain_earlier(origin, header.seq, sink);
            if header.kind >= FIRST_SERVICE_KIND {
                sink.packet(Packet { origin, header, payload });
            } else {
                self.control(origin, &header, payload);
            }
            let peer = &mut self.peers[origin as usize];
            if let Some(ring) = peer.inbox.connected() {
                ring.bypassed(header.seq);
            }
            peer.expected = next_seq(peer.expected);
            self.give_back(&cell);
            taken += 1;
            self.counted.queue_packets_received += 1;
        }
        taken
    }

    /// Delivers the packets of process `origin` that precede the one with sequence number `seq`,
    /// which has arrived in a cell. They lie in the fastbox. Returns their number.
    #[inline(always)]
    fn drain_earlier(&mut self, origin: u32, seq: Seq, sink: &mut impl Sink) -> u32 {
        let mut taken = 0;
        if origin as usize >= self.peers.len() {
            damaged(format_args!(
                "{origin}, in a cell, is no process: there are {}",
                self.peers.len()
            ));
        }
        while self.peers[origin as usize].expected != seq {
            if mutation::strikes(Mutation::CellOvertakes) {
                return taken;
            }
            let before = self.take_from_box(origin, sink);
            if before == 0 {
                self.has_skipped(origin, seq);
            }
            taken += before;
        }
        taken
    }

    /// Ends the process, because a packet of process `origin` is not the next one and no earlier
    /// one is there.
    #[cold]
    fn has_skipped(&self, origin: u32, seq: Seq) -> ! {
        let expected = self.peers[origin as usize].expected;
        damaged(format_args!(
            "packet {seq} of process {origin} has arrived, and packet {expected} has not"
        ))
    }

    fn give_back(&self, cell: &Cell) {
        let home = self.segment.home_of(cell);
        match self.known_deaths.is_on() {
            false => queue::push(home.free_queue(), &self.segment, cell.offset()),
            true => self.append_safely(&home, true, cell.offset()),
        }
        wake_for_space(home.doorbell());
    }

    #[cold]
    fn control(&mut self, origin: u32, header: &Header, payload: &[u8]) {
        let peer = &mut self.peers[origin as usize];
        let offset = word(payload, 0)
            .filter(|_| header.kind == kind::BOX_OPEN && peer.inbox.is_disconnected());
        let slot = peer.slot.as_ref().map(|slot| self.segment.slot_index_of(slot));
        let opened = slot
            .zip(offset)
            .and_then(|(slot, offset)| Some((self.segment.box_of(slot, offset)?, slot, offset)));
        let (lines, slot, offset) = opened.unwrap_or_else(|| {
            damaged(format_args!("a control packet of process {origin} is invalid: {header:?}"))
        });
        peer.inbox = fastbox::Consumer::new(lines);
        self.active.push(origin);
        if let Some(peer_buffer) =
            self.segment.handoff_buffer(slot, self.segment.box_index_of(slot, offset))
        {
            self.pair_with(origin).add_peers(peer_buffer);
        }
    }

    /// Returns the handoff buffers of the pair with a process; creates the entry if it is missing.
    fn pair_with(&mut self, process: u32) -> &mut Pair {
        let peer = &mut self.peers[process as usize];
        if peer.pair == 0 {
            // Each such process has a fastbox to or from this one, and the number of fastboxes
            // fits.
            peer.pair =
                u8::try_from(self.pairs.len()).expect("a process has at most 2 * BOXES fastboxes");
            self.pairs.push(Pair::default());
        }
        &mut self.pairs[usize::from(peer.pair)]
    }
}

/// Writes the host model into a new segment's file, before other processes get it.
fn tell_model(file: BorrowedFd<'_>) {
    // Without it, the processes agree on what one of them remembers.
    let _ = segment::tell_model(file, &machine::known(measure::host_model));
}

/// Counts one more fastbox towards the owner of `slot`. Returns false if the owner already polls
/// the maximum number.
fn claim_box_of(slot: &Slot) -> bool {
    // Relaxed: a count that orders nothing.
    let before = slot.boxes_in().fetch_add(1, Ordering::Relaxed);
    if (before as usize) < BOXES {
        return true;
    }
    // Relaxed: a count that orders nothing.
    slot.boxes_in().fetch_sub(1, Ordering::Relaxed);
    false
}
