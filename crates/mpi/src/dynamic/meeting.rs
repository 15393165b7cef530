//! Meetings: two groups of processes become known to each other and get an intercommunicator.
//!
//! ```text
//!   group, over its communicator      roots, over the connection
//!   cards of all members ─────────>   record of the group  <──────>  record of the other group
//!   <───────── the other record
//!   everybody is ready ───────────>   ready                <──────>  ready
//!   <───────── the verdict
//! ```
//!
//! With its card each member tells which call it makes, and with which root: ranks that differ get
//! an error before anything is waited for outside.
//!
//! The second exchange makes sure that every process knows every other one before the first packet.
//! An error of any process becomes an error of all, on both sides.

use crate::abi;
use crate::coll::{allgather_words, bcast_words};
use crate::context::Context;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::handle;
use crate::life::{tunables, unwired};
use nemesis::ProcessName;
use nemesis_mpi_coll::creation::acquaint;
use nemesis_mpi_core::engine::draw_between_jobs;
use nemesis_sys::process::spawn_without_signals;
use nemesis_wireup::port::Connection;
use std::io::{self, ErrorKind};
use std::sync::mpsc::{self, RecvTimeoutError};

/// Words of a process's card, with its length, in the exchange of its group.
const CARD_WORDS: usize = 48;

/// The call by which a group meets another one.
#[derive(Clone, Copy)]
pub enum Call {
    Accept,
    Connect,
    Join,
    Spawn,
    Init,
}

/// The functions that meet another group, by the number of [`Call`].
const CALLS: [&str; 5] = [
    "MPI_Comm_accept",
    "MPI_Comm_connect",
    "MPI_Comm_join",
    "MPI_Comm_spawn",
    "the initialization of MPI",
];

/// A group that meets another one: what its members have told one another.
pub struct Side {
    comm: handle::Comm,
    root: u32,
    group: Group,
    members: Vec<(ProcessName, Vec<u8>)>,
    call: Call,
}

/// What the root of a group brings back from the port.
pub struct Encounter {
    pub connection: Connection,
    /// Whether this side accepted. The side that did draws the context and leads.
    pub is_host: bool,
    /// Finds out why the other side has ended, if something can tell.
    pub explain: Option<Explain>,
}

impl Encounter {
    /// Sends a record and receives that of the other side.
    fn exchange(&mut self, record: &[u8]) -> Outcome<Vec<u8>> {
        let sent = self.connection.send(record);
        let exchanged = sent.and_then(|()| self.connection.receive());
        exchanged.map_err(|error| broken(&error, self.explain.as_ref()))
    }
}

/// Waits a moment for the error that tells why the other side has ended.
pub type Explain = Box<dyn Fn() -> Option<Box<Error>> + Send>;

/// What finds the other group's root, in a thread of its own. A trait object, so that accept,
/// connect, join and spawn share one copy of the code of a meeting.
pub type Seek = Box<dyn FnOnce() -> Outcome<Encounter> + Send>;

/// The other group, as its root described it.
struct Described {
    context: Context,
    members: Vec<(ProcessName, Vec<u8>)>,
}

/// Runs `work`, which waits for other processes, in a thread of its own, and makes progress
/// meanwhile.
pub fn run_aside<T: Send + 'static>(
    mpi: &mut Mpi,
    work: impl FnOnce() -> Outcome<T> + Send + 'static,
) -> Outcome<T> {
    let (sender, receiver) = mpsc::channel();
    let deliver = move || {
        // Nobody receives if the process ends.
        let _ = sender.send(work());
    };
    spawn_without_signals("nemesis-meeting", deliver).map_err(|refused| {
        Error::new(abi::MPI_ERR_NO_MEM, format!("no thread can be started: {refused}"))
            .advise("look at `ulimit -u`, which limits threads")
            .with_limit(&refused)
    })?;
    let mut outcome = None;
    mpi.waiting.outside += 1;
    mpi.wait_for_thread(|nap| {
        outcome = match receiver.recv_timeout(nap) {
            Ok(outcome) => Some(outcome),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                Some(Err(Error::new(abi::MPI_ERR_INTERN, "the thread of a meeting has ended")))
            }
        };
        outcome.is_some()
    });
    mpi.waiting.outside -= 1;
    outcome.unwrap_or_else(|| Err(Error::new(abi::MPI_ERR_INTERN, "no outcome of a meeting")))
}

/// What has happened if the connection between two roots breaks.
const BROKEN: &str = "the other side of the port has ended before the groups were connected";

/// Returns the error of a connection between two roots that broke.
fn broken(error: &io::Error, explain: Option<&Explain>) -> Box<Error> {
    if let Some(cause) = explain.and_then(|explain| explain()) {
        return cause;
    }
    let why = match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => {
            BROKEN.to_owned()
        }
        _ => format!("{BROKEN}: {error}"),
    };
    Error::new(abi::MPI_ERR_PORT, why).advise(LOOK_AT_OTHER_SIDE)
}

/// What to try if the other side has failed.
const LOOK_AT_OTHER_SIDE: &str = "look at the error of the other side";

/// What the roots have agreed on at the end of a meeting, as it travels within a group.
mod agreed {
    /// A process of the other side cannot reach those of this one.
    pub const OTHER_UNREADY: u64 = 0;
    /// All processes of the other side are ready.
    pub const READY: u64 = 1;
    /// The other root has ended.
    pub const BROKEN: u64 = 2;
}

/// Begins a meeting: the processes of `comm` tell one another how the other side reaches them.
/// Collective. Fails at all of them if they differ in the call or in the root.
pub fn begin(mpi: &mut Mpi, comm: handle::Comm, root: u32, call: Call) -> Outcome<Side> {
    let group = mpi.intracomm(comm)?.group.clone();
    let members = gather(mpi, comm, &group, root, call)?;
    Ok(Side { comm, root, group, members, call })
}

/// Meets another group, and returns the intercommunicator. Collective. The root gives `seek`.
pub fn meet(mpi: &mut Mpi, side: Side, seek: Option<Seek>) -> Outcome<handle::Comm> {
    let Side { comm, root, group, members, call } = side;
    let met = seek.map(|seek| exchange(mpi, members, seek));
    let (encounter, record, mut shared) = share(mpi, comm, root, met)?;
    let [is_host, key @ ..] = &mut shared;
    let mut introduced = Vec::new();
    let described = read(&record);
    let known = described.and_then(|described| introduce(mpi, &described, key, &mut introduced));
    let made = confirm(mpi, comm, root, encounter, known).and_then(|(context, remote)| {
        if group.intersection(&remote).size() > 0 {
            return Err(Error::new(
                abi::MPI_ERR_COMM,
                "a process is in the groups of both sides of the port",
            )
            .advise("accept and connect over disjoint communicators"));
        }
        acquaint::reach(mpi, remote.processes());
        let mut new = mpi.derived_between(context, group, remote, *is_host != 0)?;
        new.made_by = CALLS[call as usize];
        mpi.add_comm(comm, new)
    });
    if made.is_err() {
        acquaint::forget(mpi, &introduced);
    }
    made
}

/// Gathers the names and cards of the group, and compares what its members call.
fn gather(
    mpi: &mut Mpi,
    comm: handle::Comm,
    group: &Group,
    root: u32,
    call: Call,
) -> Outcome<Vec<(ProcessName, Vec<u8>)>> {
    let (card, failure) = match own_card(mpi) {
        Ok(words) => (words, None),
        Err(error) => ([u64::MAX; CARD_WORDS], Some(error)),
    };
    let mut words = [0; CARD_WORDS + 2];
    words[..2].copy_from_slice(&[call as u64, root.into()]);
    words[2..].copy_from_slice(&card);
    // A card makes this process one that other jobs may meet.
    let is_of_job = |process: &u32| {
        mpi.pt2pt.endpoint.as_ref().is_none_or(|endpoint| !endpoint.is_foreign(*process))
    };
    mpi.waiting.within_job = group.processes().iter().all(is_of_job);
    let all = allgather_words(mpi, comm, words);
    mpi.waiting.within_job = false;
    let all = all?;
    let told: Vec<(u64, u64)> = all.iter().map(|&[call, root, ..]| (call, root)).collect();
    if let Some(differ) = difference(&told) {
        return Err(differ);
    }
    if let Some(error) = failure {
        return Err(error);
    }
    let name = |mpi: &Mpi, process| match &mpi.pt2pt.endpoint {
        Some(endpoint) => endpoint.name_of(process),
        None => ProcessName { job: 0, index: process },
    };
    let mut members = Vec::new();
    for (words, &process) in all.iter().zip(group.processes()) {
        let [_, _, length, card @ ..] = words;
        let bytes: Vec<u8> = card.iter().flat_map(|word| word.to_le_bytes()).collect();
        let card = usize::try_from(*length).ok().and_then(|length| bytes.get(..length));
        let card = card.ok_or_else(|| {
            let why = format!("process {process} has no network to reach other jobs");
            Error::new(abi::MPI_ERR_OTHER, why).advise("look at the error of that process")
        })?;
        members.push((name(mpi, process), card.to_vec()));
    }
    Ok(members)
}

/// Returns an error if the ranks differ in their call or root, which `told` has by rank.
fn difference(told: &[(u64, u64)]) -> Option<Box<Error>> {
    let &(call, root) = told.first()?;
    let rank = told.iter().position(|&other| other != (call, root))?;
    let (other_call, other_root) = told[rank];
    if call != other_call {
        let name = |call: u64| CALLS.get(call as usize).copied().unwrap_or("another function");
        let why = format!(
            "the ranks call different functions: rank 0 is in {}, and rank {rank} in {}",
            name(call),
            name(other_call)
        );
        let advice = "call the same function at all ranks of the communicator";
        return Some(Error::new(abi::MPI_ERR_NOT_SAME, why).advise(advice));
    }
    let why = format!(
        "the ranks differ in an argument that must be the same: root is {root} at rank 0, and \
         {other_root} at rank {rank}"
    );
    Some(Error::new(abi::MPI_ERR_NOT_SAME, why).advise("pass the same root at all ranks"))
}

/// Returns the card by which processes of other jobs reach this one.
pub fn card(mpi: &mut Mpi) -> Outcome<Vec<u8>> {
    let tunables = tunables()?;
    let engine = &mut **mpi;
    let (Some(endpoint), Some(wireup)) = (&mut engine.pt2pt.endpoint, &engine.wireup) else {
        return Err(Error::new(abi::MPI_ERR_OTHER, "the process has not joined its job"));
    };
    let card = endpoint.network_card(wireup, &tunables).map_err(unwired)?;
    Ok(acquaint::whole_card(&card))
}

/// Returns this process's card, with its length in bytes before it.
fn own_card(mpi: &mut Mpi) -> Outcome<[u64; CARD_WORDS]> {
    let card = card(mpi)?;
    let mut words = [0; CARD_WORDS];
    if card.len() > (CARD_WORDS - 1) * 8 {
        let why = format!("the network card of this process has {} bytes", card.len());
        return Err(Error::new(abi::MPI_ERR_OTHER, why)
            .advise("choose fewer interfaces by mpiexec -net (NEMESIS_NET)"));
    }
    words[0] = card.len() as u64;
    for (word, bytes) in words[1..].iter_mut().zip(card.chunks(8)) {
        let mut eight = [0; 8];
        eight[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_le_bytes(eight);
    }
    Ok(words)
}

/// What the root has learnt: the encounter, and the other group's record.
type Met = (Encounter, Vec<u8>);

/// Finds the other root and exchanges the records of the groups.
fn exchange(mpi: &mut Mpi, members: Vec<(ProcessName, Vec<u8>)>, seek: Seek) -> Outcome<Met> {
    let record = write(draw_between_jobs()?, &members);
    run_aside(mpi, move || {
        let mut encounter = seek()?;
        let theirs = encounter.exchange(&record)?;
        // The host's context is the one of both.
        let record = match encounter.is_host {
            true => [&record[..8], theirs.get(8..).unwrap_or(&[])].concat(),
            false => theirs,
        };
        Ok((encounter, record))
    })
}

/// Shares what the root has learnt, or its error, with its group: the record, whether this side
/// accepted, and the key of the meeting.
fn share(
    mpi: &mut Mpi,
    comm: handle::Comm,
    root: u32,
    met: Option<Outcome<Met>>,
) -> Outcome<(Option<Encounter>, Vec<u8>, [u64; 5])> {
    let mut head = [0; 7];
    let (mut encounter, mut bytes, mut failure) = (None, Vec::new(), None);
    match met {
        Some(Ok((made, record))) => {
            let key = made.connection.key.as_chunks().0.iter().copied().map(u64::from_le_bytes);
            head[1] = record.len() as u64;
            head[2] = u64::from(made.is_host);
            for (place, word) in head[3..].iter_mut().zip(key) {
                *place = word;
            }
            (encounter, bytes) = (Some(made), record);
        }
        Some(Err(error)) => {
            bytes = told(&error);
            (head[0], head[1]) = (error.class.value() as u64, bytes.len() as u64);
            failure = Some(error);
        }
        None => {}
    }
    bcast_words(mpi, comm, &mut head, root)?;
    let [class, length, shared @ ..] = head;
    let bytes = bcast_bytes(mpi, comm, root, &bytes, length as usize)?;
    if let Some(error) = failure {
        return Err(error);
    }
    if class != 0 {
        return Err(of_root(root, class, &bytes));
    }
    Ok((encounter, bytes, shared))
}

/// Broadcasts `length` bytes of the root.
fn bcast_bytes(
    mpi: &mut Mpi,
    comm: handle::Comm,
    root: u32,
    bytes: &[u8],
    length: usize,
) -> Outcome<Vec<u8>> {
    let mut words: Vec<u64> = bytes
        .chunks(8)
        .map(|bytes| {
            let mut eight = [0; 8];
            eight[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(eight)
        })
        .collect();
    words.resize(length.div_ceil(8), 0);
    bcast_words(mpi, comm, &mut words, root)?;
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    bytes.truncate(length);
    Ok(bytes)
}

/// Returns the text of an error as the root tells it to its group.
fn told(error: &Error) -> Vec<u8> {
    format!("{}\n{}", error.why, error.advice).into_bytes()
}

/// Returns the error of the other processes of a group whose root has told this one.
fn of_root(root: u32, class: u64, text: &[u8]) -> Box<Error> {
    let text = String::from_utf8_lossy(text);
    let (why, advice) = text.rsplit_once('\n').unwrap_or((&text, ""));
    let class = nemesis_mpi_core::error::ErrorClass(class as i32);
    Error::new(class, format!("rank {root}, the root: {why}")).advise(advice.to_owned())
}

/// Makes the processes of the other group known to this one, and returns their group. `processes`
/// gets those that were made known before an error, too.
fn introduce(
    mpi: &mut Mpi,
    described: &Described,
    key: &[u64],
    processes: &mut Vec<u32>,
) -> Outcome<(Context, Group)> {
    acquaint::introduce(mpi, &described.members, key, processes)?;
    let mut sorted = processes.clone();
    sorted.sort_unstable();
    sorted.dedup();
    if sorted.is_empty() || sorted.len() < processes.len() {
        return Err(malformed());
    }
    Ok((described.context, Group::new(processes.clone())))
}

/// Confirms that all processes of both sides know one another.
fn confirm(
    mpi: &mut Mpi,
    comm: handle::Comm,
    root: u32,
    encounter: Option<Encounter>,
    known: Outcome<(Context, Group)>,
) -> Outcome<(Context, Group)> {
    let ready = allgather_words(mpi, comm, [u64::from(known.is_ok())])?;
    let unready = ready.iter().position(|&[ready]| ready == 0);
    let verdict = encounter.map(|mut encounter| {
        run_aside(mpi, move || encounter.exchange(&[u8::from(unready.is_none())]))
    });
    let text = match &verdict {
        Some(Err(error)) => told(error),
        Some(Ok(_)) | None => Vec::new(),
    };
    let mut head = match &verdict {
        Some(Ok(theirs)) if *theirs == [1] => [agreed::READY, 0, 0],
        Some(Ok(_)) | None => [agreed::OTHER_UNREADY, 0, 0],
        Some(Err(error)) => [agreed::BROKEN, error.class.value() as u64, text.len() as u64],
    };
    bcast_words(mpi, comm, &mut head, root)?;
    let [agreed, class, length] = head;
    let text = match agreed {
        agreed::BROKEN => bcast_bytes(mpi, comm, root, &text, length as usize)?,
        _ => Vec::new(),
    };
    let known = known?;
    let look_at_all = "look at the errors of the other processes";
    match (unready, verdict, agreed) {
        (Some(rank), ..) => {
            let why = format!("rank {rank} cannot reach the processes of the other side");
            Err(Error::new(abi::MPI_ERR_OTHER, why).advise(look_at_all))
        }
        (None, Some(Err(error)), _) => Err(error),
        (None, _, agreed::READY) => Ok(known),
        (None, _, agreed::BROKEN) => Err(of_root(root, class, &text)),
        _ => {
            let why = "a process of the other side cannot reach the processes of this one";
            Err(Error::new(abi::MPI_ERR_OTHER, why).advise(look_at_all))
        }
    }
}

/// Writes the record of a group.
fn write(context: Context, members: &[(ProcessName, Vec<u8>)]) -> Vec<u8> {
    let mut record = context.0.to_le_bytes().to_vec();
    for (name, card) in members {
        record.extend(name.job.to_le_bytes());
        record.extend(name.index.to_le_bytes());
        record.extend((card.len() as u32).to_le_bytes());
        record.extend(card);
    }
    record
}

/// Reads the record of a group, which came from another job.
fn read(record: &[u8]) -> Outcome<Described> {
    read_members(record).ok_or_else(malformed)
}

fn read_members(record: &[u8]) -> Option<Described> {
    let (context, mut rest) = record.split_first_chunk::<8>()?;
    let context = Context(u64::from_le_bytes(*context));
    // Any other could be the context of one of this process's own communicators.
    if context != Context::between_jobs(context.0) {
        return None;
    }
    let mut members = Vec::new();
    while !rest.is_empty() {
        let (job, after) = rest.split_first_chunk::<8>()?;
        let (index, after) = after.split_first_chunk::<4>()?;
        let (length, after) = after.split_first_chunk::<4>()?;
        let (card, after) = after.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        let name = ProcessName { job: u64::from_le_bytes(*job), index: u32::from_le_bytes(*index) };
        members.push((name, card.to_vec()));
        rest = after;
    }
    Some(Described { context, members })
}

fn malformed() -> Box<Error> {
    Error::new(abi::MPI_ERR_PORT, "the other side describes its processes in another way")
        .advise("use one version of the library on both sides")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::Class;

    #[test]
    fn ranks_that_differ_are_named() {
        let accept = |root| (Call::Accept as u64, root);
        assert!(difference(&[accept(1), accept(1)]).is_none());
        let why = |told: &[(u64, u64)]| difference(told).unwrap().why.into_owned();
        assert!(why(&[accept(0), accept(0), accept(2)]).ends_with("0 at rank 0, and 2 at rank 2"));
        let connect = (Call::Connect as u64, 0);
        assert!(
            why(&[accept(0), connect])
                .ends_with("rank 0 is in MPI_Comm_accept, and rank 1 in MPI_Comm_connect")
        );
    }

    #[test]
    fn a_record_comes_back_and_a_cut_one_does_not() {
        let members: Vec<(ProcessName, Vec<u8>)> =
            (0..3).map(|index| (ProcessName { job: 7, index }, vec![9; index as usize])).collect();
        let record = write(Context::between_jobs(5), &members);
        let described = read(&record).unwrap();
        assert_eq!(
            (described.context, described.members),
            (Context::between_jobs(5), members.clone())
        );
        for length in [0, 7, 9, record.len() - 1] {
            assert!(read(&record[..length]).is_err());
        }
        let own = Context::world(Class::PointToPoint);
        assert!(read(&write(own, &members)).is_err(), "a context of this job's own");
    }
}
