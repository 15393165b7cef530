//! Processes of several jobs that form an intercommunicator become known to each other (MPI 5.0
//! §7.6.2, §11.10.4).
//!
//! Being connected is transitive: the leaders of two groups are connected, and the others may
//! belong to jobs that have never met. If a process does not know one of the other group, all
//! processes tell their cards, as in a meeting at a port:
//!
//! ```text
//!   group, over its communicator        leaders, over the peer communicator
//!   does anybody lack a process? ────>  the question <──────> the other group's answer
//!   cards of all members ────────────>  record, key, context <────> those of the other group
//!   <──── the other record
//!   everybody is ready ──────────────>  ready <──────> ready
//!   <──── the verdict
//! ```

use super::bridge::{self, Channel};
use crate::abi;
use crate::context::Context;
use crate::engine::Mpi;
use crate::error::{Error, ErrorClass, Outcome};
use crate::group::{self, Group};
use crate::handle;
use crate::words::{allgather_lists, allgather_words, bcast_words};
use nemesis::ProcessName;
use nemesis_mpi_core::engine::{draw_between_jobs, draw_key};
use nemesis_mpi_core::peer_failure;

/// Returns the card by which processes of other jobs reach this one, made by [`whole_card`]. The
/// layer above reads the tunables that this needs.
pub type CardOf = fn(&mut Mpi) -> Outcome<Vec<u8>>;

/// The largest group whose processes are connected with at once. Those of a larger one are
/// connected with when packets are first sent.
const REACHED_MAX: usize = 64;

/// Words of a key that two groups share.
pub const KEY_WORDS: usize = 4;

/// Returns the card of this process, whose network has this one: whether its job goes on when a
/// process dies comes first.
pub fn whole_card(of_network: &[u8]) -> Vec<u8> {
    [&[u8::from(peer_failure::is_tolerant())], of_network].concat()
}

/// Makes processes of other jobs known, and returns their indices. `processes` gets those that were
/// made known before an error, too.
pub fn introduce(
    mpi: &mut Mpi,
    members: &[(ProcessName, Vec<u8>)],
    key: &[u64],
    processes: &mut Vec<u32>,
) -> Outcome {
    let mut secret = [0; 8 * KEY_WORDS];
    for (bytes, word) in secret.chunks_exact_mut(8).zip(key) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    for (name, card) in members {
        let (&goes_on, card) = card.split_first().ok_or_else(|| {
            let why = format!("rank {} of the other job has an empty card", name.index);
            Error::new(abi::MPI_ERR_PORT, why)
                .advise("use one version of the library on both sides")
        })?;
        let engine = &mut **mpi;
        let Some(endpoint) = &mut engine.pt2pt.endpoint else {
            return Err(Error::new(abi::MPI_ERR_OTHER, "the process has not joined its job"));
        };
        let comms = &engine.comms;
        let communicates = |process| comms.contain(process);
        let is_named = |process| comms.contain(process) || group::contain(process);
        let process = endpoint.meet(*name, secret, card.to_vec(), communicates, is_named).map_err(
            |failure| {
                let index = name.index;
                let why = format!("rank {index} of the other job cannot be met: {}", failure.why);
                Error::new(abi::MPI_ERR_OTHER, why).advise(
                    "start both jobs with mpiexec -encrypt (NEMESIS_ENCRYPT), or none of them",
                )
            },
        )?;
        if endpoint.is_foreign(process) {
            peer_failure::note_foreign(process, name.index, goes_on != 0);
        }
        if !engine.comms.contain(process) {
            // The loss of a process after the disconnect, which has met again, or of another one
            // that had this index.
            engine.pt2pt.core.losses.forget(process);
        }
        processes.push(process);
    }
    Ok(())
}

/// Gives up the indices of processes of a meeting that has failed.
pub fn forget(mpi: &mut Mpi, processes: &[u32]) {
    let engine = &mut **mpi;
    if let Some(endpoint) = &mut engine.pt2pt.endpoint {
        for &process in processes {
            if !engine.comms.contain(process) {
                endpoint.dismiss(process);
            }
        }
    }
}

/// Begins to connect with the processes of the other group if they are few, because the end of a
/// process is noticed by the end of its connection.
pub fn reach(mpi: &mut Mpi, processes: &[u32]) {
    if let Some(endpoint) = &mut mpi.pt2pt.endpoint
        && processes.len() <= REACHED_MAX
    {
        processes.iter().for_each(|&process| endpoint.begin_connecting(process));
    }
}

/// The two groups, as their members see them.
pub(super) struct Groups<'a> {
    /// A communicator of the local group.
    pub comm: handle::Comm,
    pub local: &'a Group,
    pub leader: u32,
    /// The names of the remote group.
    pub names: &'a [[u64; 2]],
    /// The local leader's channel to the other one.
    pub channel: Option<Channel<'a>>,
    /// Whether the local leader leads both groups.
    pub leads: bool,
}

/// Returns the remote group, whose processes this one knows then, and the context of a new
/// communicator of both. `context` is the one that the leaders agreed on. Collective over both
/// groups.
pub(super) fn acquaint(
    mpi: &mut Mpi,
    groups: &Groups<'_>,
    context: Context,
    card_of: CardOf,
) -> Outcome<(Group, Context)> {
    let names = bridge::names_of(mpi, groups.local.processes());
    let mut jobs = names.iter().chain(groups.names).map(|[job, _]| job);
    let first = jobs.next();
    if jobs.all(|job| Some(job) == first) {
        return Ok((bridge::group_of(mpi, groups.names)?, context));
    }
    if !lacks_anybody(mpi, groups)? {
        return Ok((bridge::group_of(mpi, groups.names)?, context));
    }
    let (record, [context, key @ ..]) = trade_cards(mpi, groups, &names, card_of)?;
    let mut introduced = Vec::new();
    let known = introduce(mpi, &record, &key, &mut introduced);
    let made = agree(mpi, groups, known);
    if made.is_err() {
        forget(mpi, &introduced);
    }
    made?;
    reach(mpi, &introduced);
    Ok((Group::new(introduced), Context(context)))
}

/// Returns whether a process of either group does not communicate with one of the other group.
fn lacks_anybody(mpi: &mut Mpi, groups: &Groups<'_>) -> Outcome<bool> {
    let engine = &**mpi;
    let communicates = |&[job, index]: &[u64; 2]| {
        let name = ProcessName { job, index: index as u32 };
        let endpoint = engine.pt2pt.endpoint.as_ref();
        let process = endpoint.and_then(|endpoint| endpoint.process_of(name));
        process.is_some_and(|process| {
            endpoint.is_some_and(|endpoint| !endpoint.is_foreign(process))
                || engine.comms.contain(process)
        })
    };
    let lacks = !groups.names.iter().all(communicates);
    let all = allgather_words(mpi, groups.comm, [u64::from(lacks)])?;
    let own = all.iter().any(|&[lacks]| lacks != 0);
    let mut verdict = [u64::from(own), 0];
    consult(mpi, groups, &mut verdict, |mpi, channel, verdict| {
        let [theirs] = bridge::exchange_words(mpi, channel, [verdict[0]])?;
        verdict[0] |= theirs;
        Ok(())
    })?;
    Ok(verdict[0] != 0)
}

/// Lets the local leader change `words` by what the other leader tells, and broadcasts them. An
/// error of the leader is one of the whole group. The last word is for that.
fn consult(
    mpi: &mut Mpi,
    groups: &Groups<'_>,
    words: &mut [u64],
    ask: impl FnOnce(&mut Mpi, Channel<'_>, &mut [u64]) -> Outcome,
) -> Outcome {
    let failure = groups.channel.and_then(|channel| ask(mpi, channel, words).err());
    if let Some(last) = words.last_mut() {
        *last = failure.as_ref().map_or(0, |failure| class_for_group(failure).value() as u64);
    }
    bcast_words(mpi, groups.comm, words, groups.leader)?;
    match (failure, words.last()) {
        (Some(failure), _) => Err(failure),
        (None, Some(0)) => Ok(()),
        (None, class) => {
            let class = class.map_or(abi::MPI_ERR_OTHER, |&class| ErrorClass(class as i32));
            let why = format!("rank {}, the leader of this group, has failed", groups.leader);
            Err(Error::new(class, why).advise("look at the leader's error"))
        }
    }
}

/// Returns the class of the error of a group whose leader has this one: that of lost processes, or
/// a general one.
pub(super) fn class_for_group(failure: &Error) -> ErrorClass {
    if peer_failure::is_one(failure.class) { failure.class } else { abi::MPI_ERR_OTHER }
}

/// The processes of the other group, with their cards.
type Record = Vec<(ProcessName, Vec<u8>)>;

/// Exchanges the cards of all processes, and returns those of the other group, the context and the
/// key of this meeting.
fn trade_cards(
    mpi: &mut Mpi,
    groups: &Groups<'_>,
    own_names: &[[u64; 2]],
    card_of: CardOf,
) -> Outcome<(Record, [u64; 1 + KEY_WORDS])> {
    let card = card_of(mpi);
    let words = card.as_ref().map_or_else(|_| Vec::new(), |card| words_of(card));
    let cards = allgather_lists(mpi, groups.comm, &words)?;
    let mute = cards.iter().position(Vec::is_empty);
    // A group that has no record says so, because the other one waits for it.
    let ours: Vec<u64> = if mute.is_some() {
        Vec::new()
    } else {
        let entry =
            |(name, card): (&[u64; 2], &Vec<u64>)| [&name[..], &[card.len() as u64], card].concat();
        own_names.iter().zip(&cards).flat_map(entry).collect()
    };
    let mut record = Vec::new();
    let mut head = [0; 3 + KEY_WORDS];
    consult(mpi, groups, &mut head, |mpi, channel, head| {
        // A leader without a key tells a record of no length, because the other one waits for it.
        let drawn = draw_key().and_then(|key| Ok((key, draw_between_jobs()?.0)));
        let mut own = [0; 2 + KEY_WORDS];
        if let Ok((key, context)) = &drawn {
            own[..2].copy_from_slice(&[ours.len() as u64, *context]);
            own[2..].copy_from_slice(key);
        }
        let theirs = bridge::exchange_words(mpi, channel, own)?;
        drawn?;
        head[0] = theirs[0];
        head[1..6].copy_from_slice(if groups.leads { &own[1..] } else { &theirs[1..] });
        if own[0] > 0 && theirs[0] > 0 {
            record = bridge::exchange(mpi, channel, &ours, theirs[0] as usize)?;
        }
        Ok(())
    })?;
    let [length, shared @ .., _] = head;
    card?;
    if let Some(rank) = mute {
        let why = format!("rank {rank} has no network to reach other jobs");
        return Err(Error::new(abi::MPI_ERR_OTHER, why).advise("look at the error of that rank"));
    }
    if length == 0 {
        let why = "a process of the other group has no network to reach other jobs, or its leader \
                   has failed";
        return Err(Error::new(abi::MPI_ERR_OTHER, why).advise("look at the other group's errors"));
    }
    record.resize(length as usize, 0);
    bcast_words(mpi, groups.comm, &mut record, groups.leader)?;
    let described = read(&record).filter(|members| members.len() == groups.names.len());
    let described = described.ok_or_else(|| {
        Error::new(abi::MPI_ERR_INTERN, "the description of the other group is malformed")
    })?;
    Ok((described, shared))
}

/// Agrees with all processes of both groups that each knows the others.
fn agree(mpi: &mut Mpi, groups: &Groups<'_>, known: Outcome) -> Outcome {
    let ready = allgather_words(mpi, groups.comm, [u64::from(known.is_ok())])?;
    let unready = ready.iter().position(|&[ready]| ready == 0);
    let mut verdict = [0, 0];
    let consulted = consult(mpi, groups, &mut verdict, |mpi, channel, verdict| {
        [verdict[0]] = bridge::exchange_words(mpi, channel, [u64::from(unready.is_none())])?;
        Ok(())
    });
    known?;
    consulted?;
    let who = match (unready, verdict[0]) {
        (None, 1) => return Ok(()),
        (Some(rank), _) => format!("rank {rank} of this group"),
        (None, _) => "a process of the other group".into(),
    };
    let why = format!("{who} cannot reach the processes of the group across");
    Err(Error::new(abi::MPI_ERR_OTHER, why).advise("look at the errors of the other processes"))
}

/// Returns bytes as words, their number first.
fn words_of(bytes: &[u8]) -> Vec<u64> {
    let word = |bytes: &[u8]| {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        u64::from_le_bytes(eight)
    };
    [bytes.len() as u64].into_iter().chain(bytes.chunks(8).map(word)).collect()
}

/// Reads the record of a group: for each process its name, the number of words of its card, and
/// these words. `None`: it is malformed.
fn read(mut words: &[u64]) -> Option<Record> {
    let mut members = Vec::new();
    while let Some((&[job, index, length], rest)) = words.split_first_chunk() {
        let (card, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
        let (&bytes, card) = card.split_first()?;
        let card: Vec<u8> = card.iter().flat_map(|word| word.to_le_bytes()).collect();
        let card = card.get(..usize::try_from(bytes).ok()?)?.to_vec();
        members.push((ProcessName { job, index: u32::try_from(index).ok()? }, card));
        words = rest;
    }
    words.is_empty().then_some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_comes_back_and_a_cut_one_does_not() {
        let cards = [vec![1; 20], vec![2; 16], Vec::new()];
        let mut record = Vec::new();
        for (index, card) in cards.iter().enumerate() {
            let words = words_of(card);
            record.extend([7, index as u64, words.len() as u64]);
            record.extend(words);
        }
        let members = read(&record).unwrap();
        let told = members.iter().map(|(name, card)| (name.job, name.index as usize, card));
        assert!(told.eq(cards.iter().enumerate().map(|(index, card)| (7, index, card))));
        for length in 1..record.len() {
            let cut = read(&record[..length]);
            assert!(cut.is_none_or(|members| members.len() < cards.len()), "{length} words");
        }
        assert!(read(&[1, 2, u64::MAX, 0]).is_none());
        assert!(read(&[1, 2, 1, 9]).is_none(), "a card that is longer than its words");
    }
}
