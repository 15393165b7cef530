//! Intercommunicators (MPI 5.0 §7.6): two groups, between which messages pass, and their merging.
//!
//! The leaders of the two groups introduce the groups to each other: each sends the size of its
//! group and a context that it has drawn, then the processes. The smaller context is taken, and the
//! group whose leader drew it *leads*: it draws all contexts that both need later. A leader
//! broadcasts the result, or its failure, in its group, so that no process waits for a leader that
//! has given up.
//!
//! If the jobs of a group go on when a process dies, its leader ends with a *verdict*: whether its
//! group has the intercommunicator. The leaders tell each other before whether they do
//! that. It travels on the channel of the other messages, so that a leader that still waits for one
//! of these hears of one that has given up before, and every message is received by the same call.

use super::acquaint::{self, CardOf, Groups, acquaint};
use crate::abi;
use crate::comm::Comm;
use crate::comm::signature::{Creator, Signature};
use crate::context::{Class, Context};
use crate::engine::Mpi;
use crate::error::{Error, ErrorClass, Outcome};
use crate::group::Group;
use crate::handle;
use crate::matching::Pattern;
use crate::peer_failure;
use crate::protocol::kind;
use crate::receive::Wanted;
use crate::recovery;
use crate::send::{self, Envelope, Mode};
use crate::words::{allgather_words_for, bcast_words_for, words_from_across};
use crate::{completion, get_words, put_words, receive, scratch_bytes};
use nemesis::ProcessName;
use nemesis::wire::Header;
use nemesis_datatype::Buffer;
use std::cell::Cell;

/// What the leaders have told each other: the names of the remote group, the context, and whether
/// the local group leads.
pub(super) struct Introduced {
    pub names: Vec<[u64; 2]>,
    pub context: Context,
    pub leads: bool,
}

/// Where another leader is: the address of messages to it, and what its messages match.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub envelope: Envelope,
    pub wanted: Wanted,
}

/// What a leader has heard of the other one.
#[derive(Default)]
struct Heard {
    /// The verdict has come before a message that this leader waited for.
    gave_up: Cell<bool>,
    /// The other group has a process whose job ends when one dies, and sends no verdict.
    ends: Cell<bool>,
}

/// The channel between two leaders, as one of them uses it.
#[derive(Clone, Copy)]
pub(super) struct Channel<'a> {
    line: Line,
    heard: &'a Heard,
}

/// The first word of a message between leaders: what it is.
const STEP: u64 = 1;
const VERDICT: u64 = 2;
/// Words of a verdict.
const VERDICT_WORDS: usize = 2;

/// Creates an intercommunicator (`MPI_Intercomm_create`). `line` is the local leader's channel to
/// the remote leader; `peer`, its rank there and the tag matter at the local leader only.
pub fn intercomm_create(
    mpi: &mut Mpi,
    (local, local_leader): (handle::Comm, u32),
    (peer, remote_leader, tag): (handle::Comm, i32, i32),
    card_of: CardOf,
) -> Outcome<handle::Comm> {
    let object = mpi.intracomm(local)?;
    let (group, leads_locally) = (object.group.clone(), object.rank == local_leader);
    let line = leads_locally.then(|| line_to(mpi, peer, remote_leader, tag));
    let signature = Signature::creating(Creator::IntercommCreate).rooted(local_leader);
    let new = meet(mpi, (local, &group, local_leader), line, signature, card_of)?;
    mpi.add_comm(local, new)
}

/// Returns an intercommunicator of the local group, with the communicator `comm` and this leader,
/// and of the group of the leader at the other end of `line`.
pub(super) fn meet(
    mpi: &mut Mpi,
    (comm, group, leader): (handle::Comm, &Group, u32),
    line: Option<Outcome<Line>>,
    signature: Signature,
    card_of: CardOf,
) -> Outcome<Comm> {
    let heard = Heard::default();
    let channel = line.map(|line| line.map(|line| Channel { line, heard: &heard }));
    let known = channel.as_ref().and_then(|channel| channel.as_ref().ok()).copied();
    let made = meet_once(mpi, (comm, group, leader), (channel, known), signature, card_of);
    if !recovery::agrees(mpi, comm) {
        return made;
    }
    let ask = known.map(|channel| move |mpi: &mut Mpi, ours| verdict_of_both(mpi, channel, ours));
    let agreed = recovery::both_have(mpi, (comm, leader), made.is_ok(), ask);
    if let Ok(true) = agreed {
        return made;
    }
    let made = made?;
    if let Some(remote) = made.remote() {
        acquaint::forget(mpi, remote.processes());
    }
    agreed.and_then(|_| Err(recovery::not_at_all("intercommunicator")))
}

/// Tells the other leader whether this group has the intercommunicator, and hears the same. What
/// the other one has sent before it gave up is received, too.
fn verdict_of_both(mpi: &mut Mpi, channel: Channel<'_>, ours: bool) -> Outcome<bool> {
    if channel.heard.ends.get() {
        return Ok(true);
    }
    let place = scratch_bytes(8 * VERDICT_WORDS)?;
    put_words(&place, &[VERDICT, u64::from(ours)]);
    let sending = mpi.pt2pt.start_send(&place, channel.line.envelope, Mode::Standard)?;
    let mut theirs = [VERDICT, 0];
    if !channel.heard.gave_up.get() {
        let place = scratch_bytes(8 * VERDICT_WORDS)?;
        loop {
            // A step may be longer, which is an error that does not matter here.
            let received = receive::receive(mpi, &place, channel.line.wanted)?;
            if let Some(error) = received.error.filter(|error| peer_failure::is_one(error.class)) {
                return Err(error);
            }
            theirs = get_words(&place, 0);
            if theirs[0] != STEP {
                break;
            }
        }
    }
    sending.map_or(Ok(()), |mut request| completion::wait(mpi, &mut request).map(drop))?;
    Ok(theirs == [VERDICT, 1])
}

/// Returns the intercommunicator if this process could make it.
fn meet_once(
    mpi: &mut Mpi,
    (comm, group, leader): (handle::Comm, &Group, u32),
    (channel, known): (Option<Outcome<Channel<'_>>>, Option<Channel<'_>>),
    signature: Signature,
    card_of: CardOf,
) -> Outcome<Comm> {
    let met =
        channel.map(|channel| channel.and_then(|channel| introduce(mpi, channel, (comm, group))));
    let Introduced { names, context, leads } = pass_on(mpi, comm, signature, leader, met)?;
    let groups = Groups { comm, local: group, leader, names: &names, channel: known, leads };
    let (remote, context) = acquaint(mpi, &groups, context, card_of)?;
    connect(mpi, group.clone(), (remote, context, leads))
}

/// Returns an intercommunicator of the two groups.
fn connect(
    mpi: &Mpi,
    group: Group,
    (remote, context, leads): (Group, Context, bool),
) -> Outcome<Comm> {
    if group.intersection(&remote).size() > 0 {
        return Err(Error::new(
            abi::MPI_ERR_COMM,
            "a process is in both groups of the intercommunicator",
        )
        .advise("make the groups disjoint"));
    }
    mpi.derived_between(context, group, remote, leads)
}

/// Returns the channel over a communicator that contains both leaders.
fn line_to(mpi: &Mpi, peer: handle::Comm, remote_leader: i32, tag: i32) -> Outcome<Line> {
    let object = mpi.comm(peer)?;
    let (context, rank) = (object.context.class(Class::Internal), object.rank);
    let to = usize::try_from(remote_leader)
        .ok()
        .and_then(|rank| object.all_destinations().get(rank))
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

/// Exchanges the groups between the leaders. A leader that fails before tells the other one a group
/// of no size.
fn introduce(
    mpi: &mut Mpi,
    channel: Channel<'_>,
    (comm, group): (handle::Comm, &Group),
) -> Outcome<Introduced> {
    let drawn = mpi.draw_context();
    let goes_on = u64::from(recovery::agrees(mpi, comm));
    let told =
        drawn.as_ref().map_or([0, 0, goes_on], |own| [u64::from(group.size()), own.0, goes_on]);
    let [size, theirs, goes_on] = exchange_words(mpi, channel, told)?;
    channel.heard.ends.set(goes_on == 0);
    let own = drawn?;
    if size == 0 {
        let why = "the leader of the other group has failed before it told its group";
        return Err(Error::new(abi::MPI_ERR_OTHER, why).advise("look at that leader's error"));
    }
    let names = names_of(mpi, group.processes()).concat();
    let others = exchange(mpi, channel, &names, NAME_WORDS * size as usize)?;
    Ok(Introduced {
        names: others.as_chunks().0.to_vec(),
        context: Context(own.0.min(theirs)),
        leads: own.0 < theirs,
    })
}

/// Words of the name of a process in an exchange.
const NAME_WORDS: usize = 2;

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

/// Returns the group of the processes with these names, which this process knows.
pub(super) fn group_of(mpi: &Mpi, names: &[[u64; 2]]) -> Outcome<Group> {
    let process = |&[job, index]: &[u64; 2]| {
        let name = ProcessName { job, index: index as u32 };
        let known = match &mpi.pt2pt.endpoint {
            Some(endpoint) => endpoint.process_of(name),
            None => Some(name.index),
        };
        known.ok_or_else(|| {
            let why = format!("process {index} of the other group is in no job of this process");
            Error::new(abi::MPI_ERR_COMM, why)
        })
    };
    names.iter().map(process).collect::<Outcome<Vec<u32>>>().map(Group::new)
}

/// Sends words to the other leader, and receives as many.
pub(super) fn exchange_words<const N: usize>(
    mpi: &mut Mpi,
    channel: Channel<'_>,
    words: [u64; N],
) -> Outcome<[u64; N]> {
    let theirs = exchange(mpi, channel, &words, N)?;
    Ok(theirs.first_chunk().copied().unwrap_or([0; N]))
}

/// Sends `words` to the other leader, and receives `expected` words. Fails if that one has given
/// up.
pub(super) fn exchange(
    mpi: &mut Mpi,
    channel: Channel<'_>,
    words: &[u64],
    expected: usize,
) -> Outcome<Vec<u64>> {
    let Channel { line, heard } = channel;
    let outgoing = scratch_bytes(8 * (1 + words.len()))?;
    put_list(&outgoing, [STEP].iter().chain(words));
    let incoming = scratch_bytes(8 * (1 + expected).max(VERDICT_WORDS))?;
    let sending = mpi.pt2pt.start_send(&outgoing, line.envelope, Mode::Standard)?;
    let received = receive::receive(mpi, &incoming, line.wanted)
        .and_then(|received| received.error.map_or(Ok(()), Err));
    // A leader that has given up receives what it has been sent, if it sends a verdict, and a dead
    // one ends the wait.
    let is_received = received.is_ok() || peer_failure::is_tolerant() && !heard.ends.get();
    let sent = match sending.filter(|_| is_received) {
        Some(mut request) => completion::wait(mpi, &mut request).map(drop),
        None => Ok(()),
    };
    received.and(sent)?;
    let theirs = get_list(&incoming, 1 + expected);
    if theirs[0] == VERDICT {
        heard.gave_up.set(true);
        return Err(recovery::not_at_all("intercommunicator"));
    }
    Ok(theirs[1..].to_vec())
}

/// Writes words to a buffer.
fn put_list<'a>(place: &Buffer, words: impl Iterator<Item = &'a u64>) {
    for (at, word) in words.enumerate() {
        put_words(&place.part(8 * at, 8), &[*word]);
    }
}

/// Reads words from a buffer.
fn get_list(place: &Buffer, count: usize) -> Vec<u64> {
    let word = |at| {
        let [word] = get_words(place, 8 * at);
        word
    };
    (0..count).map(word).collect()
}

/// Broadcasts what the leader received to its group: first the size of the remote group and the
/// context, then the processes.
fn pass_on(
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
        head = [met.names.len() as u64, met.context.0, u64::from(met.leads)];
    }
    if let Some(failure) = &failure {
        head[1] = acquaint::class_for_group(failure).value() as u64;
    }
    bcast_words_for(mpi, local, signature, &mut head, leader)?;
    if let Some(error) = failure {
        return Err(error);
    }
    let [size, context, leads] = head;
    if size == 0 {
        let class = ErrorClass(context as i32);
        let why = format!("rank {leader}, the leader of this group, has met no other group");
        return Err(Error::new(class, why).advise("look at the leader's error"));
    }
    let mut words = vec![0; 2 * size as usize];
    if let Some(met) = &met {
        words = met.names.concat();
    }
    bcast_words_for(mpi, local, signature, &mut words, leader)?;
    let names = words.as_chunks().0.to_vec();
    Ok(Introduced { names, context: Context(context), leads: leads != 0 })
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
