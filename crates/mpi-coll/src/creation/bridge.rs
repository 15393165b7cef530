//! Intercommunicators (MPI 5.0 §7.6): two groups, between which messages pass, and their merging.
//!
//! The leaders of the two groups introduce the groups to each other: each sends the size of its
//! group and a context that it has drawn, then the processes. The smaller context is taken, and the
//! group whose leader drew it *leads*: it draws all contexts that both need later. A leader
//! broadcasts the result, or its failure, in its group, so that no process waits for a leader that
//! has given up.

use crate::abi;
use crate::comm::Comm;
use crate::comm::signature::{Creator, Signature};
use crate::context::{Class, Context};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::matching::Pattern;
use crate::protocol::kind;
use crate::receive::Wanted;
use crate::send::{self, Envelope, Mode};
use crate::words::{allgather_words_for, bcast_words_for, words_from_across};
use crate::{completion, get_words, put_words, receive, scratch_bytes};
use nemesis::ProcessName;
use nemesis::wire::Header;
use nemesis_datatype::Buffer;

/// The remote group, as its leader described it.
pub(super) struct Introduced {
    pub remote: Group,
    pub context: Context,
    pub leads: bool,
}

/// A channel between two leaders: the address of messages to the other one, and what its messages
/// match.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub envelope: Envelope,
    pub wanted: Wanted,
}

/// Creates an intercommunicator (`MPI_Intercomm_create`). `line` is the local leader's channel to
/// the remote leader.
pub fn intercomm_create(
    mpi: &mut Mpi,
    local: handle::Comm,
    local_leader: u32,
    peer: handle::Comm,
    remote_leader: i32,
    tag: i32,
) -> Outcome<handle::Comm> {
    let object = mpi.intracomm(local)?;
    let (group, leads_locally) = (object.group.clone(), object.rank == local_leader);
    let met = if leads_locally {
        Some(line_to(mpi, peer, remote_leader, tag).and_then(|line| introduce(mpi, line, &group)))
    } else {
        None
    };
    let signature = Signature::creating(Creator::IntercommCreate).rooted(local_leader);
    let met = pass_on(mpi, local, signature, local_leader, met)?;
    let new = connect(mpi, group, met)?;
    mpi.add_comm(local, new)
}

/// Returns an intercommunicator of the two groups.
pub(super) fn connect(mpi: &Mpi, group: Group, met: Introduced) -> Outcome<Comm> {
    if group.intersection(&met.remote).size() > 0 {
        return Err(Error::new(
            abi::MPI_ERR_COMM,
            "a process is in both groups of the intercommunicator",
        )
        .advise("make the groups disjoint"));
    }
    mpi.derived_between(met.context, group, met.remote, met.leads)
}

/// Returns the channel over a communicator that contains both leaders.
fn line_to(mpi: &Mpi, peer: handle::Comm, remote_leader: i32, tag: i32) -> Outcome<Line> {
    let object = mpi.comm(peer)?;
    let (context, rank) = (object.context.class(Class::Internal), object.rank);
    let to = usize::try_from(remote_leader)
        .ok()
        .and_then(|rank| object.destinations().get(rank))
        .copied();
    let to = to.ok_or_else(|| mpi.comms.bad_rank(peer, "remote_leader", remote_leader))?;
    if tag < 0 {
        return Err(send::bad_tag(tag));
    }
    let header = Header { kind: kind::EAGER, context: context.0, tag, rank, ..Header::default() };
    let pattern = Pattern { context, rank: remote_leader as u32, tag };
    Ok(Line {
        envelope: Envelope { comm: peer, to, header },
        wanted: Wanted { comm: peer, pattern, from: Some(to) },
    })
}

/// Exchanges the groups between the leaders.
pub(super) fn introduce(mpi: &mut Mpi, line: Line, group: &Group) -> Outcome<Introduced> {
    let own = mpi.draw_context()?;
    let head = scratch_bytes(16)?;
    put_words(&head, &[u64::from(group.size()), own.0]);
    exchange(mpi, line, &head, &head.clone())?;
    let [size, theirs] = get_words(&head, 0);
    let names = names_of(mpi, group.processes());
    let (ours, others) =
        (scratch_bytes(names.len() * NAME_BYTES)?, scratch_bytes(size as usize * NAME_BYTES)?);
    for (index, name) in names.iter().enumerate() {
        put_words(&ours.part(index * NAME_BYTES, NAME_BYTES), name);
    }
    exchange(mpi, line, &ours, &others)?;
    let names = (0..size as usize).map(|index| get_words(&others, index * NAME_BYTES));
    Ok(Introduced {
        remote: Group::new(processes_of(mpi, names)?),
        context: Context(own.0.min(theirs)),
        leads: own.0 < theirs,
    })
}

/// Bytes of the name of a process in an exchange.
const NAME_BYTES: usize = 16;

/// Returns the names of processes, which those of other jobs understand, too.
pub fn names_of(mpi: &Mpi, processes: &[u32]) -> Vec<[u64; 2]> {
    let name = |&process: &u32| match &mpi.pt2pt.endpoint {
        Some(endpoint) => {
            let name = endpoint.name_of(process);
            [name.job, name.index.into()]
        }
        None => [0, process.into()],
    };
    processes.iter().map(name).collect()
}

/// Returns the processes with these names.
fn processes_of(mpi: &Mpi, names: impl Iterator<Item = [u64; 2]>) -> Outcome<Vec<u32>> {
    let process = |[job, index]: [u64; 2]| {
        let name = ProcessName { job, index: index as u32 };
        let known = match &mpi.pt2pt.endpoint {
            Some(endpoint) => endpoint.process_of(name),
            None => Some(name.index),
        };
        known.ok_or_else(|| {
            let why = format!("this process is not connected with process {index} of another job");
            Error::new(abi::MPI_ERR_COMM, why)
                .advise("MPI_Comm_accept and MPI_Comm_connect, over all processes of both sides")
        })
    };
    names.map(process).collect()
}

/// Sends and receives. The two buffers may be one, because an eager send has read its buffer when
/// it returns.
fn exchange(mpi: &mut Mpi, line: Line, outgoing: &Buffer, incoming: &Buffer) -> Outcome {
    let copy = scratch_bytes(outgoing.bytes())?;
    nemesis_datatype::copy(outgoing, &copy);
    let sending = mpi.pt2pt.start_send(&copy, line.envelope, Mode::Standard)?;
    receive::receive(mpi, incoming, line.wanted)?;
    sending.map_or(Ok(()), |mut request| completion::wait(mpi, &mut request).map(drop))
}

/// Broadcasts what the leader received to its group: first the size of the remote group and the
/// context, then the processes.
pub(super) fn pass_on(
    mpi: &mut Mpi,
    local: handle::Comm,
    signature: Signature,
    leader: u32,
    met: Option<Outcome<Introduced>>,
) -> Outcome<Introduced> {
    let (met, failure) = match met {
        Some(Ok(met)) => (Some(met), None),
        Some(Err(error)) => (None, Some(error)),
        None => (None, None),
    };
    let mut head = [0, 0, 0];
    if let Some(met) = &met {
        head = [u64::from(met.remote.size()), met.context.0, u64::from(met.leads)];
    }
    bcast_words_for(mpi, local, signature, &mut head, leader)?;
    if let Some(error) = failure {
        return Err(error);
    }
    let [size, context, leads] = head;
    if size == 0 {
        return Err(Error::new(
            abi::MPI_ERR_OTHER,
            format!("rank {leader}, the leader of this group, has met no other group"),
        )
        .advise("look at the leader's error"));
    }
    let mut words = vec![0; 2 * size as usize];
    if let Some(met) = &met {
        words = names_of(mpi, met.remote.processes()).concat();
    }
    bcast_words_for(mpi, local, signature, &mut words, leader)?;
    let names = words.chunks_exact(2).map(|name| [name[0], name[1]]);
    let remote = Group::new(processes_of(mpi, names)?);
    Ok(Introduced { remote, context: Context(context), leads: leads != 0 })
}

/// Merges both groups (`MPI_Intercomm_merge`). The group with `high` comes last; if both pass the
/// same value, the group that leads comes first.
pub fn merge(mpi: &mut Mpi, comm: handle::Comm, high: bool) -> Outcome<handle::Comm> {
    let drawn = mpi.draw_context()?;
    let signature = Signature::creating(Creator::IntercommMerge);
    let ours = allgather_words_for(mpi, comm, signature, [u64::from(high), drawn.0])?;
    let theirs = words_from_across(mpi, comm, &ours)?;
    for (group, all) in [("this", &ours), ("the other", &theirs)] {
        if let Some(other) = all.iter().position(|[high, _]| *high != all[0][0]) {
            let [zero, other_high] = [0, other].map(|rank| all[rank][0] != 0);
            let why = format!(
                "ranks of {group} group differ in high: it is {zero} at rank 0, and {other_high} \
                 at rank {other}"
            );
            return Err(Error::new(abi::MPI_ERR_ARG, why)
                .advise("pass the same value of high at all processes of a group"));
        }
    }
    let object = mpi.intercomm(comm)?;
    let ([our_high, our_context], [their_high, their_context]) = (ours[0], theirs[0]);
    let first = if our_high == their_high { object.leads() } else { our_high < their_high };
    let context = Context(if object.leads() { our_context } else { their_context });
    let remote = object.remote().cloned().unwrap_or_else(|| Group::new(Vec::new()));
    let group = if first { object.group.union(&remote) } else { remote.union(&object.group) };
    let new = mpi.derived(context, group)?;
    mpi.add_comm(comm, new)
}
