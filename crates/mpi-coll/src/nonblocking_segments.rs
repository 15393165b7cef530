//! The collective segments of non-blocking and persistent operations: their creation and reuse.

use crate::engine::Mpi;
use crate::handle;
use crate::shm::{NodeComm, SharedNonblocking};
use crate::state::{self, collectives, sweep};
use nemesis::Block;
use nemesis::coll_segment::{self, CollSegment, Mapped};

/// Segments in this process's memory, over all communicators, that other processes have not left.
/// Above this number, it creates none for non-blocking or persistent operations.
const NONBLOCKING_SEGMENTS_MAX: usize = 256;

/// Creates a segment for one persistent operation on a communicator, if its processes use segments.
/// Collective.
pub fn own(mpi: &mut Mpi, comm: handle::Comm) -> Option<SharedNonblocking> {
    let history = mpi.comm(comm).ok()?.collectives.history();
    let mut blocking = state::take(mpi, comm).ok()??;
    if let Some(node_comm) = blocking.shm_state.node_comm() {
        node_comm.set_history(comm, history);
    }
    let nonblocking = blocking.shm_state.node_comm().and_then(|node_comm| lend(node_comm, mpi));
    state::put(mpi, comm, blocking);
    nonblocking
}

/// Maps the segment that the first process offers at `offset` of its heap, if that is possible.
pub(crate) fn accept(
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

/// Returns a segment for one persistent operation: one that no member uses any more, or a new
/// one.
fn lend(node_comm: &mut NodeComm, mpi: &mut Mpi) -> Option<SharedNonblocking> {
    let idle = node_comm
        .lent
        .iter()
        .find(|(_, nonblocking)| node_comm.me() == 0 && nonblocking.is_idle())
        .map_or(0, |(offset, _)| *offset);
    let offered = node_comm.exchange(mpi, idle)[0];
    if offered != 0 {
        let nonblocking = node_comm
            .lent
            .iter()
            .find(|(offset, nonblocking)| *offset == offered && nonblocking.is_idle())
            .map(|(_, nonblocking)| nonblocking.clone());
        if node_comm.exchange(mpi, nonblocking.is_some().into()).into_iter().all(|word| word == 1) {
            return nonblocking;
        }
        // A member still uses it, perhaps for good: another segment is offered next time.
        if let Some(place) = node_comm.lent.iter().position(|(offset, _)| *offset == offered) {
            let refused = node_comm.lent.remove(place);
            node_comm.lent.push(refused);
        }
    }
    let (offset, nonblocking) = make(node_comm, mpi)?;
    node_comm.lent.push((offset, nonblocking.clone()));
    Some(nonblocking)
}

/// Creates a segment for calls that begin before others have ended. Returns its offset as well,
/// or `None` if not all members can map it. The answer is equal at all members.
pub fn make(node_comm: &mut NodeComm, mpi: &mut Mpi) -> Option<(u64, SharedNonblocking)> {
    sweep(mpi);
    let few = collectives(mpi).deserted.len() < NONBLOCKING_SEGMENTS_MAX;
    let memory =
        mpi.memory.as_mut().filter(|memory| node_comm.me() == 0 && few && memory.is_spare());
    let block = memory.and_then(|memory| {
        memory.allocate(coll_segment::bytes_for(node_comm.members(), 0), 1).ok()
    });
    let offset = node_comm.exchange(mpi, block.as_ref().map_or(0, |block| block.offset))[0];
    let coll_segment =
        accept(mpi, (node_comm.processes(), node_comm.me()), block.as_ref(), offset, 0);
    let agreed =
        node_comm.exchange(mpi, coll_segment.is_some().into()).into_iter().all(|word| word == 1);
    let Some(coll_segment) = coll_segment.filter(|_| agreed) else {
        if let (Some(block), Some(memory)) = (block, &mut mpi.memory) {
            memory.free(block);
        }
        return None;
    };
    let segment = node_comm.view_on(coll_segment, None);
    if block.is_some() {
        // Its memory is freed when all members have left.
        collectives(mpi).deserted.push(segment.view_on(segment.coll_segment.clone(), block));
    }
    Some((offset, SharedNonblocking::new(segment)))
}
