//! Creation of a communicator's node comm.
//!
//! The first calls on a communicator use messages. Then its first process allocates a collective
//! segment and tells the others where it lies, and all agree on whether every one of them has
//! mapped it. If any has not, all know it and use messages from then on. Members leave the segment
//! when the communicator is freed. The process that allocated it frees the memory in a later call,
//! after the last member has left, so that no call is cut short.

use crate::context::Class;
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::forced::{self, ForcedTable};
use crate::grid::Grid;
use crate::handle;
use crate::messages::{allreduce_doubling, bcast_tree};
use crate::nonblocking_segments::{self, accept};
use crate::operator::{Operator, Reduction};
use crate::peer_failure;
use crate::schedule::Schedule;
use crate::shm::{
    Division, GROUP_MAX_MEMBERS, Level, Levels, NodeComm, NodeTraits, Nodes, Order, Places,
    ShmState, Subset,
};
use crate::site::{DEDICATED_MEMBERS_MAX, SPLIT_RINGS_MAX_MEMBERS, Site};
use crate::state::{desert, sweep};
use crate::{Steps, get_words, messages, put_words, scratch_bytes};
use nemesis::coll_segment::{self, RING_CHUNK_MAX_BYTES, RING_MIN_BYTES};
use nemesis::{Block, Endpoint};
use nemesis_datatype::{Buffer, Op};

/// Oversubscribed members up to which a segment is used.
const OVERSUBSCRIBED_MAX: u32 = 256;

/// Creates the collective segments of a communicator, if its processes can use them. Collective.
/// After an error this process uses messages for good. `forced`: the algorithms that the info of
/// the communicator forces. No call takes the fast path if any are forced.
pub fn make(mpi: &mut Mpi, comm: handle::Comm, forced: Option<&ForcedTable>) -> Outcome<ShmState> {
    sweep(mpi);
    let object = mpi.comm_mut(comm)?;
    if object.is_inter() || object.size() < 2 {
        return Ok(ShmState::Never);
    }
    let (processes, rank) = (object.everyone(), object.rank);
    let places = Places::new(mpi, &processes);
    if !places.are_shared() {
        return Ok(ShmState::Apart);
    }
    let own = places.node_of(rank);
    let members = places.members(own, &processes);
    if places.nodes() > 1 {
        return make_levels(mpi, comm, places, &members);
    }
    let chooses = forced.is_some() || forced::are_any();
    match gather(mpi, comm, (&members, places.place_of(rank)), Rings::Yes)? {
        Some(mut node_comm) => {
            node_comm.nonblocking =
                nonblocking_segments::make(&mut node_comm, mpi).map(|(_, nonblocking)| nonblocking);
            if peer_failure::is_tolerant() {
                make_agreement_segment(&mut node_comm, mpi, comm)?;
            }
            Ok(match node_comm.reduces() && !chooses {
                true => ShmState::Here(node_comm),
                // The fast path chooses no algorithm and does not count the members.
                false => ShmState::HereSlowly(node_comm),
            })
        }
        None if members.ranks.len() as u32 > GROUP_MAX_MEMBERS => {
            make_levels(mpi, comm, places, &members)
        }
        None => Ok(ShmState::Never),
    }
}

/// Makes the agreement segment of a communicator. A member that cannot join it says so in the next
/// agreement.
fn make_agreement_segment(node_comm: &mut NodeComm, mpi: &mut Mpi, comm: handle::Comm) -> Outcome {
    let (members, me) = (node_comm.processes().clone(), node_comm.me());
    let block = if me == 0 { mpi.allocate_segment(members.len()) } else { None };
    let offset = node_comm.exchange(mpi, block.as_ref().map_or(0, |block| block.offset))[0];
    // What was read after a failure is nobody's word.
    match offset {
        0 => Ok(()),
        _ if node_comm.has_quit() => Ok(()),
        offset => mpi.join_segment(comm, (&members, me), offset, block),
    }
}

/// Returns how processes stand on nodes, if these are alike.
pub fn grid_of(mpi: &Mpi, processes: &[u32]) -> Option<Grid> {
    let places = Places::new(mpi, processes);
    match places.are_shared() {
        true => places.hierarchy(false).grid(processes.len() as u32),
        false => Some(Grid::apart(processes.len() as u32)),
    }
}

/// Creates the segments of the levels of each node. `members`: those of this node. Members that
/// share processors have one segment if there are not too many of them.
fn make_levels(
    mpi: &mut Mpi,
    comm: handle::Comm,
    places: Places,
    members: &Subset,
) -> Outcome<ShmState> {
    let object = mpi.comm(comm)?;
    let (processes, rank) = (object.everyone(), object.rank);
    let flags = scratch_bytes(1)?;
    let count = members.ranks.len() as u32;
    let member = places.place_of(rank);
    let (mut levels, mut made, mut complete) = (Vec::new(), Ok(()), true);
    let mut division = Division::by_index(count);
    let mut groups = division.groups_of(member);
    // On one node, this segment has been tried already.
    if count > GROUP_MAX_MEMBERS && places.nodes() > 1 {
        let whole = gather(mpi, comm, (members, member), Rings::No);
        if !matches!(whole, Ok(None)) {
            division = Division::whole(count);
            groups = Vec::new();
        }
        match (whole, division.groups_of(member).pop()) {
            (Ok(Some(node_comm)), Some(group)) => {
                levels.push(Level { group, node_comm: Some(node_comm) });
            }
            (Err(error), _) => {
                complete = false;
                made = Err(error);
            }
            _ => {}
        }
    }
    for group in groups {
        let ranks = group.members.iter().map(|&member| members.ranks[member as usize]).collect();
        let subset = Subset::new(ranks, &processes);
        // The members of the other groups need this process even if one of its groups has failed.
        let node_comm = match gather(mpi, comm, (&subset, group.me), Rings::No) {
            Ok(node_comm) => node_comm,
            Err(error) => {
                made = made.and(Err(error));
                None
            }
        };
        complete &= node_comm.is_some() || group.members.len() == 1;
        levels.push(Level { group, node_comm });
    }
    let mut node_comms = levels.iter().filter_map(|level| level.node_comm.as_ref());
    let dedicated = !node_comms.any(|node_comm| node_comm.site().oversubscribed);
    // If a segment is missing anywhere, no process uses any.
    let complete = if complete { COMPLETE } else { 0 };
    flags.unpack_at(0, &[complete | if dedicated { DEDICATED } else { 0 }]);
    let agreed = by_messages(mpi, comm, (&Subset::all(&processes), rank), |steps| {
        allreduce_doubling::allreduce(steps, &flags, &flags, ALL)
    });
    let order = if places.nodes() == 1 { Order::Doubling } else { Order::Ranks };
    let levels = Levels::new(levels, division, member, order);
    match (made.and(agreed), flags.as_bytes()) {
        (Ok(()), Some(&[flags])) if flags & COMPLETE != 0 => {
            let hierarchy = places.hierarchy(flags & DEDICATED == 0);
            let nodes = Nodes::new(levels, (places, hierarchy), &processes, rank);
            Ok(ShmState::Levels(Box::new(nodes)))
        }
        (agreed, _) => {
            levels.into_node_comms().for_each(|node_comm| desert(mpi, node_comm));
            agreed.map(|()| ShmState::Never)
        }
    }
}

/// Flags on which all processes of levels agree: each has the segments of its groups; and each has
/// a processor of its own.
const COMPLETE: u8 = 1;
const DEDICATED: u8 = 2;

/// A logical AND over all processes.
const ALL: Reduction = Reduction { operator: Operator::Predefined(Op::Band), commutative: true };

/// Creates a segment for processes of one node, of which this one has index `me`. All of them call
/// it, and all call it to its end, because the others wait for their contributions.
fn gather(
    mpi: &mut Mpi,
    comm: handle::Comm,
    (subset, me): (&Subset, u32),
    rings: Rings,
) -> Outcome<Option<NodeComm>> {
    let members = &subset.processes;
    if members.len() < 2 {
        return Ok(None);
    }
    let (offer, flags) = (scratch_bytes(OFFER_WORDS * 8)?, scratch_bytes(1)?);
    let block = if me == 0 { make_offer(mpi, members, &offer, rings) } else { None };
    let told = by_messages(mpi, comm, (subset, me), |steps| {
        bcast_tree::bcast(steps, &offer, 0);
        Ok(())
    });
    let [offset, oversubscribed, ring_bytes, long_packets] = get_words(&offer, 0);
    let coll_segment = told
        .as_ref()
        .ok()
        .and_then(|()| accept(mpi, (members, me), block.as_ref(), offset, ring_bytes as usize));
    flags.unpack_at(0, &[u8::from(coll_segment.is_some())]);
    let agreed = by_messages(mpi, comm, (subset, me), |steps| {
        allreduce_doubling::allreduce(steps, &flags, &flags, ALL)
    });
    // Other members may have agreed on a segment of which this process has not heard. Its memory is
    // not freed in that case.
    told.and(agreed)?;
    let Some(mut coll_segment) = coll_segment.filter(|_| flags.as_bytes() == Some(&[1])) else {
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
    } else if ring_bytes > 0 && long_packets == 0 {
        // Where lines transfer slowly, a line is better written long after it was read.
        coll_segment.allow_short_chunks();
    }
    let traits =
        NodeTraits { oversubscribed: oversubscribed != 0, long_packets: long_packets != 0 };
    let node_comm = NodeComm::new(mpi, (comm, coll_segment), members, traits, block);
    if let Some(endpoint) = &mut mpi.pt2pt.endpoint {
        endpoint.move_to_own_core();
    }
    Ok(Some(node_comm))
}

/// Words of an offer: the segment's offset in the heap (0: none), whether processors are shared,
/// the bytes of a row's ring, and whether long packets are preferred to copies by the kernel. So
/// all members choose by the first one's values.
const OFFER_WORDS: usize = 4;

/// Allocates the segment at the first process and writes where it lies to `offer`.
fn make_offer(mpi: &mut Mpi, members: &[u32], offer: &Buffer, rings: Rings) -> Option<Block> {
    let endpoint = mpi.pt2pt.endpoint.as_ref();
    let oversubscribed = endpoint.is_some_and(Endpoint::shares_processors);
    let prefers_packets = endpoint.is_some_and(Endpoint::prefers_packets);
    let few = match rings {
        Rings::Yes => ring_bytes_of(oversubscribed, members.len()),
        Rings::No => ring_bytes_of(oversubscribed, members.len()).map(|_| 0),
    };
    let ring_bytes = few.unwrap_or(0);
    let memory = mpi.memory.as_mut().filter(|memory| {
        few.is_some() && memory.is_spare() && members.iter().all(|&member| memory.is_local(member))
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
            u64::from(ring_bytes > 0 && prefers_packets),
        ],
    );
    block
}

/// Whether the rows of a segment have rings. In a group of one of several levels, data pass through
/// staging buffers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rings {
    Yes,
    No,
}

/// Returns the bytes of a row's ring in a segment of `members` members, or `None` if there are too
/// many for a segment. Members among which reductions use the segment have rings, 0 stands for
/// none.
fn ring_bytes_of(oversubscribed: bool, members: usize) -> Option<usize> {
    match (oversubscribed, members as u32) {
        (true, members) if members <= SPLIT_RINGS_MAX_MEMBERS => Some(SPLIT_RING_BYTES),
        (true, members) if members <= DEDICATED_MEMBERS_MAX => Some(RING_MIN_BYTES),
        (true, members) => (members <= OVERSUBSCRIBED_MAX).then_some(0),
        (false, 2) => Some(PAIR_RING_BYTES),
        (false, members) => (members <= DEDICATED_MEMBERS_MAX).then_some(MANY_RING_BYTES),
    }
}

/// Returns the site of a segment of `members` members, or `None` if they get none. `direct`: the
/// kernel copies between their memories; `prefers_packets`: long packets are faster.
pub fn site_of(
    members: u32,
    oversubscribed: bool,
    direct: bool,
    prefers_packets: bool,
) -> Option<Site> {
    let long_packets = ring_bytes_of(oversubscribed, members as usize)? > 0 && prefers_packets;
    (members > 1).then_some(Site { members, oversubscribed, direct, long_packets })
}

/// The ring of one of two processes with a processor each. It is so long that a line is reused only
/// after the caches of the processors that wrote and read it have evicted it. Measured: 1 MiB takes
/// up to twice the time, 2 to 4 MiB take the least, 16 MiB twice.
const PAIR_RING_BYTES: usize = (2 << 20) + coll_segment::PAIR_BUFFERS_BYTES;
/// The ring of one of a few oversubscribed processes has two parts. The part for calls in which all
/// members synchronise is as short as possible, so that its pages stay in the TLB. The other part
/// holds four chunks in addition to those of a call that other members may not have left.
const SPLIT_RING_BYTES: usize = RING_MIN_BYTES + 6 * RING_CHUNK_MAX_BYTES;
/// The ring of one of more than two members with a processor each holds a few chunks, and short
/// ones apart from them.
const MANY_RING_BYTES: usize = (1 << 20) + coll_segment::SHORT_CHUNKS_BYTES;

/// Performs a part of the operation that was begun last by messages among some of a communicator's
/// processes, of which this one has index `me`. All parts and the operation itself follow each
/// other in one order at all processes, and their messages name senders by rank, so one tag serves
/// them.
fn by_messages(
    mpi: &mut Mpi,
    comm: handle::Comm,
    (subset, me): (&Subset, u32),
    build: impl FnOnce(&mut Steps<'_>) -> Outcome,
) -> Outcome {
    let object = mpi.comm(comm)?;
    let schedule = Schedule::new(comm, object, Class::Collective, object.collectives.tag());
    messages::perform_among(mpi, &schedule, (subset, me), &Ok(()), build)
}
