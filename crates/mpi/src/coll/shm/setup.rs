//! How a circle comes to a communicator, and goes.
//!
//! The first calls on a communicator send messages; then its first process makes a board, tells the others where it lies, and they agree on whether all
//! have found it. If anything is in the way, all know it, and messages it is for good. Members leave the board with their communicator; whoever
//! allocated it waits for the last one, so that nobody's call is cut short, and gives the memory back when it passes by later.

use super::hierarchical::{Nodes, Places};
use super::nonblocking::Shared as SharedNonblocking;
use super::{CopyPolicies, NodeComm};
use crate::coll::operand::Reduction;
use crate::coll::schedule::{Operator, Schedule};
use crate::coll::selection::{OVERSUBSCRIBED_RINGS_MAX_MEMBERS, Site};
use crate::coll::{Steps, allreduce, bcast, get_words, put_words, scratch_bytes};
use crate::context::Class;
use crate::engine::{Engine, Mpi};
use crate::error::Outcome;
use crate::handle;
use crate::peer_failure;
use nemesis::PAGE_BYTES;
use nemesis::coll_segment::{self, CollSegment, Mapped, PIECE_MAX_BYTES, Phase, RING_MIN_BYTES};
use nemesis::{Block, Endpoint};
use nemesis_datatype::{Buffer, Op};
use std::sync::Arc;

/// Calls on a communicator before a board pays for itself: making one takes about as long as three of them.
const CALLS_BEFORE: u8 = 3;
/// Boards in this process's memory that others have not left, of all communicators, beyond which it offers none for non-blocking or persistent operations.
const NONBLOCKING_SEGMENTS_MAX: usize = 256;
/// More processes that share processors than anybody runs.
const OVERSUBSCRIBED_MAX: usize = 256;
/// Processes with processors of their own look at each other's lines one by one: up to here that is faster than messages in rounds.
const DEDICATED_MAX: usize = 16;

/// Whether the processes of a communicator have a board.
#[derive(Debug)]
pub enum Meeting {
    /// Not yet: so many calls to go.
    Later(u8),
    /// No, and none to come.
    Never,
    Here(Box<NodeComm>),
    /// Each node's have theirs, and one of each speaks for it.
    Across(Box<Nodes>),
}

impl Default for Meeting {
    fn default() -> Meeting {
        Meeting::Later(CALLS_BEFORE)
    }
}

impl Meeting {
    /// Counts a call; true when it is time to make a board.
    #[inline]
    pub fn is_due(&mut self) -> bool {
        match self {
            Meeting::Later(0) => true,
            Meeting::Later(calls) => {
                *calls -= 1;
                false
            }
            Meeting::Never | Meeting::Here(_) | Meeting::Across(_) => false,
        }
    }

    /// The circle of those who have a board for non-blocking operations, and that.
    pub fn nonblocking(&self) -> Option<(Site, &SharedNonblocking)> {
        match self {
            Meeting::Here(node_comm) => Some((node_comm.site(), node_comm.nonblocking.as_ref()?)),
            _ => None,
        }
    }

    /// Where they meet.
    #[inline]
    pub fn meeters(&mut self) -> Meeters<'_> {
        match self {
            Meeting::Here(node_comm) => Meeters::NodeComm(node_comm),
            Meeting::Across(nodes) => Meeters::Nodes(nodes),
            _ => Meeters::None,
        }
    }
}

/// Who meets in a blocking operation.
pub enum Meeters<'a> {
    /// Nobody: all send messages.
    None,
    /// All.
    NodeComm(&'a mut NodeComm),
    /// Those of each node.
    Nodes(&'a mut Nodes),
}

/// What the members' memories are read for, to see whether the kernel permits it.
static PROBE: u64 = u64::from_le_bytes(*b"nemesis!");

/// Frees what members have left for good.
fn sweep(engine: &mut Engine) {
    let Some(memory) = &mut engine.memory else { return };
    for node_comm in
        engine.deserted.extract_if(.., |node_comm| node_comm.coll_segment.is_deserted())
    {
        if let Some(block) = node_comm.block {
            memory.free(block);
        }
    }
}

/// A communicator goes, and with it this process from the board.
pub fn part(engine: &mut Engine, meeting: Meeting) {
    let mut node_comm = match meeting {
        Meeting::Here(node_comm) => *node_comm,
        Meeting::Across(nodes) => match nodes.into_node_comm() {
            Some(node_comm) => node_comm,
            None => return,
        },
        _ => return,
    };
    node_comm.nonblocking = None;
    node_comm.lent.clear();
    node_comm.coll_segment.leave();
    if node_comm.block.is_some() {
        engine.deserted.push(node_comm);
    }
    sweep(engine);
}

/// A board for one persistent operation on a communicator, if its processes meet; collective.
pub fn own_nonblocking(mpi: &mut Mpi, comm: handle::Comm) -> Option<SharedNonblocking> {
    let mut blocking = mpi.comm_mut(comm).ok()?.blocking.take()?;
    let nonblocking = match &mut blocking.meeting {
        Meeting::Here(node_comm) => node_comm.lend_nonblocking(mpi),
        _ => None,
    };
    match mpi.comm_mut(comm) {
        Ok(object) => object.blocking = Some(blocking),
        Err(_) => part(mpi, blocking.meeting),
    }
    nonblocking
}

/// Makes what a communicator's processes meet at, if they can; collective. After an error there is nothing, and this process sends messages for good.
pub fn make(mpi: &mut Mpi, comm: handle::Comm) -> Outcome<Meeting> {
    sweep(mpi);
    let object = mpi.comm_mut(comm)?;
    if object.is_inter() || object.size() < 2 {
        return Ok(Meeting::Never);
    }
    let numbers: [u32; 3] = object.own_collectives();
    let (processes, rank) = (object.everyone(), object.rank);
    let places = Places::new(mpi, &processes);
    if !places.are_shared() {
        return Ok(Meeting::Never);
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
                Meeting::Here(Box::new(node_comm))
            }
            None => Meeting::Never,
        });
    }
    // On one node there may be a board, on another none: nobody uses any then. The others wait for our word even if it is that we failed.
    let complete = matches!(node_comm, Ok(Some(_))) || node_comm.is_ok() && members.len() == 1;
    let direct = !matches!(&node_comm, Ok(Some(node_comm)) if !node_comm.direct);
    verdict.unpack_at(0, &[u8::from(complete), u8::from(direct)]);
    let agreed = by_messages(mpi, comm, numbers[2], (&processes, rank), |steps| {
        allreduce::allreduce(steps, &verdict, &verdict, ALL)
    });
    let node_comm = node_comm?;
    match (&agreed, verdict.as_bytes()) {
        (Ok(()), Some(&[1, direct])) => Ok(Meeting::Across(Box::new(Nodes::new(
            node_comm,
            places,
            &processes,
            rank,
            direct == 1,
        )))),
        _ => {
            part(
                mpi,
                node_comm.map_or(Meeting::Never, |node_comm| Meeting::Here(Box::new(node_comm))),
            );
            agreed.map(|()| Meeting::Never)
        }
    }
}

/// Agreement: whether all say so.
const ALL: Reduction = Reduction { operator: Operator::Predefined(Op::Band), commutative: true };

/// Makes a board for processes of one node, of which this one is number `me`; all of them call it, and all come to the end of it, since others wait for
/// what they say.
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
    // Others may have agreed on a board that this process has not heard of: its memory is not given back then.
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
        dozing: oversubscribed != 0,
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
        endpoint.take_place();
    }
    Ok(Some(node_comm))
}

/// Where the board lies in the segment, 0 if nowhere, whether processors are shared, and the bytes of a row's track.
const OFFER_WORDS: usize = 3;

/// The first process's part: it allocates the board and says where.
fn make_offer(mpi: &mut Mpi, members: &[u32], offer: &Buffer) -> Option<Block> {
    let oversubscribed = mpi.endpoint.as_ref().is_some_and(Endpoint::shares_processors);
    let is_many = !oversubscribed && members.len() > 2;
    let ring_bytes =
        if is_many { MANY_RING_BYTES } else { ring_bytes(oversubscribed, members.len()) };
    let few = members.len() <= if oversubscribed { OVERSUBSCRIBED_MAX } else { DEDICATED_MAX };
    let memory = mpi.memory.as_mut().filter(|memory| {
        few && memory.is_spare() && members.iter().all(|&member| memory.is_near(member))
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

/// The board that the first process offers at `offset` of its heap, if this one can reach it.
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

/// Bytes of a row's track between two, or where processors are shared. It is so long that a line is written again when the caches of the processors that
/// wrote and read it have others. There is one only if the tracks of all have room.
fn ring_bytes(oversubscribed: bool, members: usize) -> usize {
    let each = match oversubscribed && members <= OVERSUBSCRIBED_RINGS_MAX_MEMBERS as usize {
        true => SPLIT_RING_BYTES,
        false => ((ALL_RINGS_BYTES / members) & !(PAGE_BYTES - 1)).min(RING_BYTES),
    };
    if each >= RING_MIN_BYTES { each } else { 0 }
}

/// The track of one of two processes: measured, 1 MiB takes up to twice the time, 2 to 4 MiB the least, and 16 MiB twice.
const RING_BYTES: usize = (2 << 20) + coll_segment::PAIR_PLACES_BYTES;
/// Where few share processors, a track has two lanes. That of calls in which all meet is as short as may be, so that processors keep its pages in mind. The
/// other one has room for four pieces behind a call that others have perhaps not left.
const SPLIT_RING_BYTES: usize = RING_MIN_BYTES + 6 * PIECE_MAX_BYTES;
/// Otherwise all rows' tracks together stay in the cache that processors share.
const ALL_RINGS_BYTES: usize = 8 << 20;
/// More than two with a processor each have tracks always, which hold a few pieces.
const MANY_RING_BYTES: usize = 1 << 20;

/// Performs operation number `number` among some of a communicator's processes, of which this one is number `me`, as if there were no boards.
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

/// Performs the messages of an operation among some of its processes. If this one is not `able` to do its part, the others get word that it has none.
pub(in crate::coll) fn perform_among(
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
    let mut steps = Steps::performed(&mut schedule, mpi, Meeters::None);
    let built = build(&mut steps);
    steps.wait();
    built?;
    schedule.take_error().map_or(Ok(()), Err)
}

impl NodeComm {
    /// Whether all members can read each other's memory; all say the same.
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

    /// A board for one persistent operation: one that all members have done with, or another.
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
            // Somebody uses it still, perhaps for ever: another one is offered next.
            if let Some(place) = self.lent.iter().position(|(offset, _)| *offset == offered) {
                let refused = self.lent.remove(place);
                self.lent.push(refused);
            }
        }
        let (offset, nonblocking) = self.make_nonblocking(mpi)?;
        self.lent.push((offset, nonblocking.clone()));
        Some(nonblocking)
    }

    /// Another board, for calls that begin before others have ended, and where it lies, if all can reach it; all say the same.
    fn make_nonblocking(&mut self, mpi: &mut Mpi) -> Option<(u64, SharedNonblocking)> {
        sweep(mpi);
        let few = mpi.deserted.len() < NONBLOCKING_SEGMENTS_MAX;
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
            // Its memory is given back when all have left.
            mpi.deserted.push(NodeComm { block, ..node_comm.view() });
        }
        Some((offset, SharedNonblocking::new(node_comm)))
    }

    /// Everybody's word.
    fn exchange(&mut self, mpi: &mut Mpi, word: u64) -> Vec<u64> {
        self.begin(mpi, 0);
        self.coll_segment.set_words(Phase::A, &[word]);
        self.meet(mpi, Phase::A);
        (0..self.members()).map(|row| self.coll_segment.word(row, Phase::A, 0)).collect()
    }
}
