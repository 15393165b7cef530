//! Creation and release of a communicator's node comm.
//!
//! The first calls on a communicator use messages. Then its first process allocates a collective
//! segment and has_word the others where it lies, and all agree on whether every one of them has
//! mapped it. If any has not, all know it and use messages from then on. Members leave the segment
//! when the communicator is freed. The process that allocated it frees the memory in a later call,
//! after the last member has left, so that no call is cut short.

use super::hierarchical::{Nodes, Places};
use super::nonblocking::Shared as SharedNonblocking;
use super::{CopyPolicies, NodeComm};
use crate::context::Class;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::operand::Reduction;
use crate::peer_failure;
use crate::schedule::{Operator, Schedule};
use crate::selection::{OVERSUBSCRIBED_RINGS_MAX_MEMBERS, Site};
use crate::state::{self, COLLECTIVES, collectives};
use crate::{Steps, allreduce, bcast, get_words, put_words, scratch_bytes};
use nemesis::PAGE_BYTES;
use nemesis::coll_segment::{
    self, CollSegment, Mapped, Phase, RING_CHUNK_MAX_BYTES, RING_MIN_BYTES,
};
use nemesis::{Block, Endpoint};
use nemesis_datatype::{Buffer, Op};
use std::sync::Arc;

/// Calls on a communicator before its segment is created, which takes about as long as three calls.
const CALLS_BEFORE: u8 = 3;
/// Segments in this process's memory, over all communicators, that other processes have not left.
/// Above this number, it creates none for non-blocking or persistent operations.
const NONBLOCKING_SEGMENTS_MAX: usize = 256;
/// Oversubscribed members up to which a segment is used: more than anybody runs.
const OVERSUBSCRIBED_MAX: usize = 256;
/// Members with a processor each up to which a segment is used: up to here, polling every row is
/// faster than messages in rounds.
const DEDICATED_MAX: usize = 16;

/// Whether the processes of a communicator use a collective segment. The node comm is not boxed,
/// which saves a load in the fast path.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
pub enum ShmState {
    /// Not yet: the number of calls until it is created.
    Later(u8),
    /// They use messages for good.
    Never,
    Here(NodeComm),
    /// Each node has a segment, and its leader exchanges messages with those of the other nodes.
    Across(Box<Nodes>),
}

impl Default for ShmState {
    fn default() -> ShmState {
        ShmState::Later(CALLS_BEFORE)
    }
}

impl ShmState {
    /// Counts a call. Returns true if it is time to create the segment.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        match self {
            ShmState::Later(0) => true,
            ShmState::Later(calls) => {
                *calls -= 1;
                false
            }
            ShmState::Never | ShmState::Here(_) | ShmState::Across(_) => false,
        }
    }

    /// Returns the site and the segment of non-blocking operations, if there is one.
    pub fn nonblocking(&self) -> Option<(Site, &SharedNonblocking)> {
        match self {
            ShmState::Here(node_comm) => Some((node_comm.site(), node_comm.nonblocking.as_ref()?)),
            _ => None,
        }
    }

    /// Returns the members that share collective segments.
    #[inline]
    pub fn shm_members(&mut self) -> ShmMembers<'_> {
        match self {
            ShmState::Here(node_comm) => ShmMembers::NodeComm(node_comm),
            ShmState::Across(nodes) => ShmMembers::Nodes(nodes),
            _ => ShmMembers::None,
        }
    }
}

/// The members that share collective segments in a blocking operation.
pub enum ShmMembers<'a> {
    /// None: all processes send messages.
    None,
    /// All processes of the communicator.
    NodeComm(&'a mut NodeComm),
    /// The processes of each node.
    Nodes(&'a mut Nodes),
}

/// The word that members read from each other's memory, to see whether the kernel permits it.
static PROBE: u64 = u64::from_le_bytes(*b"nemesis!");

/// Frees the segments that all members have left.
fn sweep(engine: &mut Engine) {
    let Engine { core, memory: Some(memory), .. } = engine else { return };
    let deserted = &mut COLLECTIVES.get_mut(&mut core.token).deserted;
    for node_comm in deserted.extract_if(.., |node_comm| node_comm.coll_segment.have_all_left()) {
        if let Some(block) = node_comm.block {
            memory.free(block);
        }
    }
}

/// Leaves the collective segment of a communicator that is being freed.
pub fn part(engine: &mut Engine, state: ShmState) {
    let mut node_comm = match state {
        ShmState::Here(node_comm) => node_comm,
        ShmState::Across(nodes) => match nodes.into_node_comm() {
            Some(node_comm) => node_comm,
            None => return,
        },
        _ => return,
    };
    node_comm.nonblocking = None;
    node_comm.lent.clear();
    node_comm.coll_segment.leave();
    if node_comm.block.is_some() {
        collectives(engine).deserted.push(node_comm);
    }
    sweep(engine);
}

/// Creates a segment for one persistent operation on a communicator, if its processes use segments.
/// Collective.
pub fn own_nonblocking(mpi: &mut Mpi, comm: handle::Comm) -> Option<SharedNonblocking> {
    let mut blocking = state::take(mpi, comm).ok()??;
    let nonblocking = match &mut blocking.shm_state {
        ShmState::Here(node_comm) => node_comm.lend_nonblocking(mpi),
        _ => None,
    };
    state::put(mpi, comm, blocking);
    nonblocking
}

/// Creates the collective segments of a communicator, if its processes can use them. Collective.
/// After an error this process uses messages for good.
pub fn make(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<ShmState> {
    sweep(mpi);
    let object = mpi.comm_mut(comm)?;
    if object.is_inter() || object.size() < 2 {
        return Ok(ShmState::Never);
    }
    let numbers: [u32; 3] = object.own_collectives();
    let (processes, rank) = (object.everyone(), object.rank);
    let places = Places::new(mpi, &processes);
    if !places.are_shared() {
        return Ok(ShmState::Never);
    }
    let own = places.node_of(rank);
    let members = places.members(own, &processes);
    let verdict = scratch_bytes(2)?;
    let node_comm = gather(mpi, comm, [numbers[0], numbers[1]], &members, places.place_of(rank));
    if places.nodes() == 1 {
        return node_comm.map(|node_comm| match node_comm {
            Some(mut node_comm) => {
                node_comm.nonblocking =
                    node_comm.make_nonblocking(mpi).map(|(_, nonblocking)| nonblocking);
                ShmState::Here(node_comm)
            }
            None => ShmState::Never,
        });
    }
    // One node may have a segment and another none: then no node uses one. The other processes wait
    // for this one's contribution even if it failed.
    let complete = matches!(node_comm, Ok(Some(_))) || node_comm.is_ok() && members.len() == 1;
    let direct = !matches!(&node_comm, Ok(Some(node_comm)) if !node_comm.direct);
    verdict.unpack_at(0, &[u8::from(complete), u8::from(direct)]);
    let agreed = by_messages(mpi, comm, numbers[2], (&processes, rank), |steps| {
        allreduce::allreduce(steps, &verdict, &verdict, ALL)
    });
    let node_comm = node_comm?;
    match (&agreed, verdict.as_bytes()) {
        (Ok(()), Some(&[1, direct])) => Ok(ShmState::Across(Box::new(Nodes::new(
            node_comm,
            places,
            &processes,
            rank,
            direct == 1,
        )))),
        _ => {
            part(mpi, node_comm.map_or(ShmState::Never, ShmState::Here));
            agreed.map(|()| ShmState::Never)
        }
    }
}

/// A logical AND over all processes.
const ALL: Reduction = Reduction { operator: Operator::Predefined(Op::Band), commutative: true };

/// Creates a segment for processes of one node, of which this one has index `me`. All of them call
/// it, and all call it to its end, because the others wait for their contributions.
fn gather(
    mpi: &mut Mpi,
    comm: handle::Comm,
    numbers: [u32; 2],
    members: &Arc<[u32]>,
    me: u32,
) -> Outcome<Option<NodeComm>> {
    if members.len() < 2 {
        return Ok(None);
    }
    let (offer, verdict) = (scratch_bytes(OFFER_WORDS * 8)?, scratch_bytes(1)?);
    let block = if me == 0 { make_offer(mpi, members, &offer) } else { None };
    let told = by_messages(mpi, comm, numbers[0], (members, me), |steps| {
        bcast::tree(steps, &offer, 0);
        Ok(())
    });
    let [offset, oversubscribed, ring_bytes] = get_words(&offer, 0);
    let coll_segment = told
        .as_ref()
        .ok()
        .and_then(|()| accept(mpi, (members, me), block.as_ref(), offset, ring_bytes as usize));
    verdict.unpack_at(0, &[u8::from(coll_segment.is_some())]);
    let agreed = by_messages(mpi, comm, numbers[1], (members, me), |steps| {
        allreduce::allreduce(steps, &verdict, &verdict, ALL)
    });
    // Other members may have agreed on a segment of which this process has not heard. Its memory is
    // not freed in that case.
    told.and(agreed)?;
    let Some(mut coll_segment) = coll_segment.filter(|_| verdict.as_bytes() == Some(&[1])) else {
        if let (Some(block), Some(memory)) = (block, &mut mpi.memory) {
            memory.free(block);
        }
        return Ok(None);
    };
    let is_pair = oversubscribed == 0 && members.len() == 2;
    if oversubscribed != 0 {
        coll_segment.split_rings();
    } else if is_pair && ring_bytes > 0 {
        coll_segment.allow_exchange();
    }
    let long_packets =
        ring_bytes > 0 && mpi.endpoint.as_ref().is_some_and(Endpoint::favours_long_packets);
    let mut node_comm = NodeComm {
        coll_segment,
        processes: members.clone(),
        oversubscribed: oversubscribed != 0,
        announces_sleep: oversubscribed != 0,
        long_packets,
        direct: false,
        copy_policies: if long_packets {
            CopyPolicies::of(members.len())
        } else {
            CopyPolicies::default()
        },
        block,
        nonblocking: None,
        lent: Vec::new(),
    };
    node_comm.direct = node_comm.try_memories(mpi);
    if let Some(endpoint) = &mut mpi.endpoint {
        endpoint.move_to_own_core();
    }
    Ok(Some(node_comm))
}

/// Words of an offer: the segment's offset in the heap (0: none), whether processors are shared,
/// and the bytes of a row's ring.
const OFFER_WORDS: usize = 3;

/// Allocates the segment at the first process and writes where it lies to `offer`.
fn make_offer(mpi: &mut Mpi, members: &[u32], offer: &Buffer) -> Option<Block> {
    let oversubscribed = mpi.endpoint.as_ref().is_some_and(Endpoint::shares_processors);
    let is_many = !oversubscribed && members.len() > 2;
    let ring_bytes =
        if is_many { MANY_RING_BYTES } else { ring_bytes(oversubscribed, members.len()) };
    let few = members.len() <= if oversubscribed { OVERSUBSCRIBED_MAX } else { DEDICATED_MAX };
    let memory = mpi.memory.as_mut().filter(|memory| {
        few && memory.is_spare() && members.iter().all(|&member| memory.is_local(member))
    });
    let block = memory.and_then(|memory| {
        memory.allocate(coll_segment::bytes_for(members.len() as u32, ring_bytes), 1).ok()
    });
    put_words(
        offer,
        &[
            block.as_ref().map_or(0, |block| block.offset),
            u64::from(oversubscribed),
            ring_bytes as u64,
        ],
    );
    block
}

/// Maps the segment that the first process offers at `offset` of its heap, if that is possible.
fn accept(
    mpi: &Mpi,
    (processes, me): (&[u32], u32),
    block: Option<&Block>,
    offset: u64,
    ring_bytes: usize,
) -> Option<CollSegment<Mapped>> {
    let members = processes.len() as u32;
    let shared = match block {
        Some(block) => block.shared.clone(),
        None if offset == 0 => return None,
        None => mpi
            .memory
            .as_ref()?
            .map(processes[0], offset, coll_segment::bytes_for(members, ring_bytes))
            .ok()?,
    };
    CollSegment::on(shared, members, me, ring_bytes)
}

/// Returns the bytes of a row's ring for two members, or on an oversubscribed node; 0 if the rings
/// of all members do not fit. A ring is so long that a line is reused only after the caches of the
/// processors that wrote and read it have evicted it.
fn ring_bytes(oversubscribed: bool, members: usize) -> usize {
    let each = match oversubscribed && members <= OVERSUBSCRIBED_RINGS_MAX_MEMBERS as usize {
        true => SPLIT_RING_BYTES,
        false => ((ALL_RINGS_BYTES / members) & !(PAGE_BYTES - 1)).min(RING_BYTES),
    };
    if each >= RING_MIN_BYTES { each } else { 0 }
}

/// The ring of one of two processes. Measured: 1 MiB takes up to twice the time, 2 to 4 MiB take
/// the least, 16 MiB twice.
const RING_BYTES: usize = (2 << 20) + coll_segment::PAIR_BUFFERS_BYTES;
/// The ring of one of a few oversubscribed processes has two parts. The part for calls in which all
/// members synchronise is as short as possible, so that its pages stay in the TLB. The other part
/// holds four chunks in addition to those of a call that other members may not have left.
const SPLIT_RING_BYTES: usize = RING_MIN_BYTES + 6 * RING_CHUNK_MAX_BYTES;
/// All rings together otherwise stay in the cache that the processors share.
const ALL_RINGS_BYTES: usize = 8 << 20;
/// The ring of one of more than two members with a processor each. It always exists and holds a few
/// chunks.
const MANY_RING_BYTES: usize = 1 << 20;

/// Performs operation number `number` by messages among some of a communicator's processes, of
/// which this one has index `me`.
fn by_messages(
    mpi: &mut Mpi,
    comm: handle::Comm,
    number: u32,
    (processes, me): (&Arc<[u32]>, u32),
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    let schedule = Schedule::new(comm, mpi.comm(comm)?, Class::Collective, number);
    perform_among(mpi, &schedule, (processes, me), &Ok(()), build)
}

/// Performs the messages of an operation among some of its processes. If this process is not `able`
/// to do its part, its messages tell the others so.
pub(crate) fn perform_among(
    mpi: &mut Mpi,
    whole: &Schedule,
    (processes, me): (&Arc<[u32]>, u32),
    able: &Outcome,
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    let mut schedule = whole.among(processes, me);
    if able.is_err() {
        schedule.fail(peer_failure::has_failed(processes[me as usize]));
    }
    let mut steps = Steps::performed(&mut schedule, mpi, ShmMembers::None);
    let built = build(&mut steps);
    steps.wait();
    built?;
    schedule.take_error().map_or(Ok(()), Err)
}

impl NodeComm {
    /// Returns whether all members can read each other's memory. The answer is equal at all
    /// members.
    fn try_memories(&mut self, mpi: &mut Mpi) -> bool {
        let probe = std::ptr::from_ref(&PROBE).expose_provenance() as u64;
        let addresses = self.exchange(mpi, probe);
        let readable = (0..self.members()).zip(addresses).all(|(member, address)| {
            let mut seen = [0; 8];
            let memory = mpi.memory.as_ref();
            let read = memory.map(|memory| {
                memory.read(
                    self.processes[member as usize],
                    [(address, seen.len())].into_iter(),
                    &mut seen,
                )
            });
            member == self.me() || matches!(read, Some(Ok(()))) && u64::from_le_bytes(seen) == PROBE
        });
        self.exchange(mpi, readable.into()).into_iter().all(|word| word == 1)
    }

    /// Returns a segment for one persistent operation: one that no member uses any more, or a new
    /// one.
    fn lend_nonblocking(&mut self, mpi: &mut Mpi) -> Option<SharedNonblocking> {
        let idle = self
            .lent
            .iter()
            .find(|(_, nonblocking)| self.me() == 0 && nonblocking.is_idle())
            .map_or(0, |(offset, _)| *offset);
        let offered = self.exchange(mpi, idle)[0];
        if offered != 0 {
            let nonblocking = self
                .lent
                .iter()
                .find(|(offset, nonblocking)| *offset == offered && nonblocking.is_idle())
                .map(|(_, nonblocking)| nonblocking.clone());
            if self.exchange(mpi, nonblocking.is_some().into()).into_iter().all(|word| word == 1) {
                return nonblocking;
            }
            // A member still uses it, perhaps for good: another segment is offered next time.
            if let Some(place) = self.lent.iter().position(|(offset, _)| *offset == offered) {
                let refused = self.lent.remove(place);
                self.lent.push(refused);
            }
        }
        let (offset, nonblocking) = self.make_nonblocking(mpi)?;
        self.lent.push((offset, nonblocking.clone()));
        Some(nonblocking)
    }

    /// Creates a segment for calls that begin before others have ended. Returns its offset as well,
    /// or `None` if not all members can map it. The answer is equal at all members.
    fn make_nonblocking(&mut self, mpi: &mut Mpi) -> Option<(u64, SharedNonblocking)> {
        sweep(mpi);
        let few = collectives(mpi).deserted.len() < NONBLOCKING_SEGMENTS_MAX;
        let memory =
            mpi.memory.as_mut().filter(|memory| self.me() == 0 && few && memory.is_spare());
        let block = memory
            .and_then(|memory| memory.allocate(coll_segment::bytes_for(self.members(), 0), 1).ok());
        let offset = self.exchange(mpi, block.as_ref().map_or(0, |block| block.offset))[0];
        let coll_segment = accept(mpi, (&self.processes, self.me()), block.as_ref(), offset, 0);
        let agreed =
            self.exchange(mpi, coll_segment.is_some().into()).into_iter().all(|word| word == 1);
        let Some(coll_segment) = coll_segment.filter(|_| agreed) else {
            if let (Some(block), Some(memory)) = (block, &mut mpi.memory) {
                memory.free(block);
            }
            return None;
        };
        let node_comm = NodeComm { coll_segment, ..self.view() };
        if block.is_some() {
            // Its memory is freed when all members have left.
            collectives(mpi).deserted.push(NodeComm { block, ..node_comm.view() });
        }
        Some((offset, SharedNonblocking::new(node_comm)))
    }

    /// Exchanges one word: returns that of every member.
    fn exchange(&mut self, mpi: &mut Mpi, word: u64) -> Vec<u64> {
        self.begin(mpi, 0);
        self.coll_segment.set_words(Phase::A, &[word]);
        self.synchronise(mpi, Phase::A);
        (0..self.members()).map(|row| self.coll_segment.word(row, Phase::A, 0)).collect()
    }
}
