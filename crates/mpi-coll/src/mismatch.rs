//! Collective operations that do not match: how processes find out, and what they say.
//!
//! The tag of a message and the word of a row in a collective segment hold the history of the
//! communicator (`nemesis_mpi_core::comm::signature`). A message or a row of a process with another
//! history matches nothing. A process that waits long therefore looks for such messages and rows:
//!
//! ```text
//!   a message of this operation's number with another tag    `look`
//!   a row of this call's number with another word            `NodeComm::wait_on`, `Call::advance`
//!   a report or a question of another process                `look`
//! ```
//!
//! A receive that sleeps for [`ASK_AFTER`] sends the process that it waits for a *question*: its
//! sequence of signatures. A process that finds a mismatch *reports* to all other processes of the
//! communicator: it sends them its sequence. A process that receives a report while it waits
//! reports as well. So all processes that wait, and those that wait later, compare the sequences,
//! and return an error that names the first operation in which two of them differ. From then on all
//! collective operations on the communicator return this error.

use crate::abi;
use crate::comm::Comm;
use crate::comm::signature::{
    Difference, Disagreement, QUESTION_TAG, REPORT_TAG, REPORT_WORDS, Sequence, contradicts,
};
use crate::context::{Class, Context};
use crate::engine::upper::{State, UpperState};
use crate::engine::{Engine, Mpi};
use crate::error::{Error, ErrorClass, Outcome};
use crate::handle;
use crate::matching::Pattern;
use crate::peer_failure;
use crate::protocol::{Content, kind};
use crate::receive::Wanted;
use nemesis::wire::Header;
use nemesis_sys::virtual_process;
use std::time::{Duration, Instant};

/// Time for which a process sleeps before it asks the process that it waits for. Two
/// processes that wait for each other's messages in different operations have no other way to find
/// out.
pub(crate) const ASK_AFTER: Duration = Duration::from_millis(200);

/// Number of processes up to which a blocking operation asks all of them. Among more, it asks those
/// whose messages it waits for one by one.
const ASKED_MAX: usize = 64;

/// Time for which a process waits for a report that explains a mismatch. The other process may
/// compute meanwhile.
const WAIT_MAX: Duration = Duration::from_secs(2);

/// Number of unexpected messages up to which a wait examines all of them when another one has come.
const EXAMINED_MAX: usize = 64;

/// Least time between two examinations of more messages, which may come one by one to a process
/// that waits: an examination for each of them would take a time that grows as the square of their
/// number.
const EXAMINE_AFTER: Duration = Duration::from_millis(10);

/// The time between two such examinations is also at least this many times as long as the first of
/// them, which takes longer than [`EXAMINE_AFTER`] for some 100,000 messages.
const EXAMINE_SHARE: u32 = 20;

/// The communicators on which operations do not match.
struct Mismatches {
    all: Vec<Mismatch>,
    /// What [`look`] has examined last: context, tag, and the number of messages that had been
    /// unexpected by then.
    examined: (Context, i32, u64),
    /// When [`look`] may examine more than [`EXAMINED_MAX`] messages again.
    examine_at: Option<Instant>,
    /// The contexts of communicators that were freed after a mismatch. Messages of them may come.
    freed: Vec<Context>,
    /// The context and tag of the operation in which this process has asked another one last.
    asked: (Context, i32),
}

static MISMATCHES: UpperState<Mismatches> = UpperState::new();

impl State for Mismatches {
    const INITIAL: Mismatches = Mismatches {
        all: Vec::new(),
        examined: (Context(0), 0, 0),
        examine_at: None,
        freed: Vec::new(),
        asked: (Context(0), 0),
    };
}

fn mismatches(engine: &mut Engine) -> &mut Mismatches {
    MISMATCHES.get_mut(&mut engine.pt2pt.core.token)
}

/// A communicator on which operations do not match.
struct Mismatch {
    /// The context of its collective operations.
    context: Context,
    since: Instant,
    /// The sequences of processes, by their index in [`Comm::everyone`].
    reports: Vec<(u32, Sequence)>,
    /// The explanation that this process has returned.
    told: Option<Explanation>,
}

/// What an error says.
#[derive(Clone)]
struct Explanation {
    class: ErrorClass,
    why: String,
    advice: &'static str,
}

impl Explanation {
    fn new(class: ErrorClass, why: String) -> Explanation {
        Explanation { class, why, advice: CALL_THE_SAME }
    }

    fn into_error(self) -> Box<Error> {
        Error::new(self.class, self.why).advise(self.advice)
    }
}

const CALL_THE_SAME: &str = "make all processes of the communicator call the same collective \
    operations in the same order, with the same root, operator and type";
const FORCE_THE_SAME: &str = "give all processes one value of NEMESIS_TUNING, of the variables of \
    operations such as NEMESIS_ALLREDUCE, and of the keys in the communicator's info";

impl Mismatches {
    /// Returns whether [`look`] examines `messages` unexpected messages now.
    fn may_examine(&self, messages: usize) -> bool {
        messages <= EXAMINED_MAX || self.examine_at.is_none_or(|at| virtual_process::now() >= at)
    }

    /// Notes that an examination of more than [`EXAMINED_MAX`] messages has taken some time.
    fn note_examined(&mut self, took: Duration) {
        let pause = EXAMINE_AFTER.max(EXAMINE_SHARE * took);
        self.examine_at = virtual_process::now().checked_add(pause);
    }

    fn get(&self, context: Context) -> Option<&Mismatch> {
        self.all.iter().find(|mismatch| mismatch.context == context)
    }

    fn get_mut(&mut self, context: Context) -> Option<&mut Mismatch> {
        self.all.iter_mut().find(|mismatch| mismatch.context == context)
    }
}

/// Forgets a communicator that is being freed.
pub(crate) fn forget(engine: &mut Engine, comm: &Comm) {
    let context = comm.context.class(Class::Collective);
    let known = &mut mismatches(engine).all;
    let before = known.len();
    known.retain(|mismatch| mismatch.context != context);
    if known.len() < before {
        mismatches(engine).freed.push(context);
        discard(engine, context);
    }
}

/// Returns the error of all collective operations on a communicator that is revoked, or of which a
/// process has died, if the jobs of all go on. Such a process may be the one that another one waits
/// for, so nobody begins one, and who is in one leaves it. If the job of one ends when a process
/// dies, it does not leave, and waits for this one: all take part by messages, which tell of the
/// loss.
#[inline]
pub(crate) fn broken(engine: &Engine, comm: handle::Comm) -> Option<Box<Error>> {
    let is_quiet = engine.pt2pt.core.losses.is_empty();
    if is_quiet { None } else { find_break(engine, comm) }
}

#[cold]
fn find_break(engine: &Engine, comm: handle::Comm) -> Option<Box<Error>> {
    let object = engine.comm(comm).ok()?;
    if object.is_revoked() {
        return Some(peer_failure::revoked().on(comm));
    }
    let everyone = object.everyone();
    let lost = engine.pt2pt.core.losses.check_all(&everyone).err()?;
    peer_failure::all_go_on(&everyone).then(|| lost.on(comm))
}

/// Returns an error if operations on a communicator do not match.
#[inline]
pub(crate) fn refuse(engine: &mut Engine, comm: handle::Comm) -> Outcome {
    if let Some(error) = broken(engine, comm) {
        return Err(error);
    }
    match mismatches(engine).all.is_empty() {
        true => Ok(()),
        false => refuse_known(engine, comm),
    }
}

#[cold]
fn refuse_known(engine: &mut Engine, comm: handle::Comm) -> Outcome {
    let context = engine.comm(comm)?.context.class(Class::Collective);
    match mismatches(engine).get(context).and_then(|known| known.told.as_ref()) {
        Some(told) => {
            let mut again = told.clone();
            again.why = format!("an earlier collective operation did not match: {}", again.why);
            Err(again.into_error().on(comm))
        }
        None => Ok(()),
    }
}

/// Returns whether operations on a communicator are known not to match.
#[inline]
pub(crate) fn is_known(engine: &mut Engine, comm: handle::Comm) -> bool {
    if broken(engine, comm).is_some() {
        return true;
    }
    !mismatches(engine).all.is_empty()
        && engine
            .comm(comm)
            .map(|comm| comm.context.class(Class::Collective))
            .is_ok_and(|context| mismatches(engine).get(context).is_some())
}

/// Returns whether the tags of a context are those of collective operations.
fn is_of_collectives(context: Context) -> bool {
    [Class::Collective, Class::Persistent].into_iter().any(|class| context.class(class) == context)
}

/// Examines the unexpected messages for one that shows that a process is in another operation than
/// that with this tag, and for reports, which this process answers. Returns whether operations on
/// the communicator do not match. A wait calls it again and again: it examines many messages only
/// from time to time.
pub(crate) fn look(engine: &mut Engine, (context, tag): (Context, i32)) -> bool {
    let total = engine.pt2pt.core.unexpected.levels().total;
    let examined = (context, tag, total);
    let now = engine.pt2pt.core.unexpected.len();
    if mismatches(engine).examined != examined && mismatches(engine).may_examine(now) {
        let begun = (now > EXAMINED_MAX).then(virtual_process::now);
        mismatches(engine).examined = examined;
        hear_questions(engine);
        let freed = std::mem::take(&mut mismatches(engine).freed);
        freed.iter().for_each(|&context| discard(engine, context));
        mismatches(engine).freed = freed;
        let reported = |pattern: &Pattern| {
            let is_its = pattern.context == context && is_of_collectives(context);
            is_its && contradicts(pattern.tag, tag)
                || pattern.tag == REPORT_TAG
                    && pattern.context.class(Class::Collective) == pattern.context
        };
        let all = engine.pt2pt.core.unexpected.all().map(|(pattern, _)| pattern);
        let mut contexts: Vec<Context> =
            all.filter(reported).map(|pattern| pattern.context.class(Class::Collective)).collect();
        contexts.dedup();
        contexts.into_iter().for_each(|context| report(engine, context));
        if let Some(begun) = begun {
            mismatches(engine).note_examined(virtual_process::since(begun));
        }
    }
    mismatches(engine).get(context.class(Class::Collective)).is_some()
}

/// Sends this process's sequence to the process that a receive waits for, which reports if its own
/// sequence differs.
#[cold]
pub(crate) fn ask(engine: &mut Engine, wanted: &Wanted) {
    let context = wanted.pattern.context;
    let own = context.class(Class::Collective);
    let Ok(comm) = engine.comm(wanted.comm) else { return };
    if comm.context.class(Class::Collective) != own {
        return;
    }
    let (sequence, remote) = (comm.collectives, comm.remote_size());
    let rank = if wanted.pattern.rank < remote { comm.rank } else { remote + comm.rank };
    let Some(to) = wanted.from else { return };
    let header =
        Header { kind: kind::EAGER, context: own.0, tag: QUESTION_TAG, rank, ..Header::default() };
    engine.pt2pt.send_control(to, header, sequence.to_words());
}

/// Asks the processes of the communicator on which a blocking operation waits, once in an
/// operation, if they are few.
#[cold]
pub(crate) fn ask_all(engine: &mut Engine) {
    let comm = engine.pt2pt.core.upper.blocking_on;
    let Ok(object) = engine.comm(comm) else { return };
    let context = object.context.class(Class::Collective);
    let (own, operation) =
        (object.remote_size() + object.rank, (context, object.collectives.tag()));
    let everyone = object.everyone();
    if everyone.len() > ASKED_MAX || mismatches(engine).asked == operation {
        return;
    }
    mismatches(engine).asked = operation;
    for (rank, &process) in (0..).zip(&*everyone).filter(|&(rank, _)| rank != own) {
        let pattern = Pattern { context, rank, tag: QUESTION_TAG };
        ask(engine, &Wanted { comm, pattern, from: Some(process) });
    }
}

/// Takes the questions of processes that wait long, and reports to the processes of a communicator
/// on which one of them has started another operation than this process. A question about a
/// communicator that this process has freed, or does not have yet, is discarded: kept, it would be
/// unexpected for ever and keep receives from their fast path. A process that waits on a
/// communicator that it gets later asks itself.
fn hear_questions(engine: &mut Engine) {
    let is_question = |pattern: &Pattern| {
        pattern.tag == QUESTION_TAG && pattern.context.class(Class::Collective) == pattern.context
    };
    let all = engine.pt2pt.core.unexpected.all().map(|(pattern, _)| pattern);
    let questions: Vec<Pattern> = all.filter(is_question).collect();
    for pattern in questions {
        let Some((_, message)) = engine.pt2pt.core.take_unexpected(&pattern) else { continue };
        let is_its = |comm: &&Comm| comm.context.class(Class::Collective) == pattern.context;
        let Some(own) = engine.comms.all().find(is_its).map(|comm| comm.collectives) else {
            continue;
        };
        let Content::Eager(payload) = &message.content else { continue };
        let theirs = words_of(payload).map(Sequence::from_words);
        if theirs.is_some_and(|theirs| own.disagreement(&theirs).is_some()) {
            report(engine, pattern.context);
        }
    }
}

/// Examines the unexpected messages for reports, which this process answers. Returns whether
/// operations on the communicator do not match.
pub(crate) fn look_for_reports(engine: &mut Engine, comm: handle::Comm) -> bool {
    if !engine.pt2pt.core.unexpected.is_empty() {
        // No operation has this context and tag.
        look(engine, (Context(u64::MAX), REPORT_TAG));
    }
    is_known(engine, comm)
}

/// Returns an error if an unexpected message shows that operations do not match: the hook of a
/// receive that waits.
pub(crate) fn check_unexpected(
    mpi: &mut Mpi,
    wanted: &Wanted,
    asleep_for: Option<Duration>,
) -> Outcome {
    let Pattern { context, tag, .. } = wanted.pattern;
    let asks = asleep_for.is_some_and(|time| time >= ASK_AFTER) && is_of_collectives(context);
    if asks && mismatches(mpi).asked != (context, tag) {
        mismatches(mpi).asked = (context, tag);
        ask(mpi, wanted);
    }
    match look(mpi, (context, tag)) {
        true if is_of_collectives(context) => Err(unexplained()),
        _ => Ok(()),
    }
}

/// Returns the error that stands for a mismatch until it is explained.
#[cold]
pub(crate) fn unexplained() -> Box<Error> {
    let why = "another process of the communicator is in another collective operation";
    Explanation::new(abi::MPI_ERR_OTHER, why.into()).into_error()
}

/// Records that operations on a communicator do not match, and reports to its other processes.
#[cold]
pub(crate) fn register(engine: &mut Engine, comm: handle::Comm) {
    if let Ok(object) = engine.comm(comm) {
        let context = object.context.class(Class::Collective);
        report(engine, context);
    }
}

/// Sends this process's sequence to all other processes of a communicator, unless that has been
/// done. It is a control packet, which flow control does not hold back. `context` is that of the
/// communicator's collective operations.
fn report(engine: &mut Engine, context: Context) {
    if mismatches(engine).get(context).is_some() {
        return;
    }
    let is_its = |comm: &&Comm| comm.context.class(Class::Collective) == context;
    let found = engine.comms.all().find(is_its).map(|comm| {
        let remote = comm.remote_size();
        (remote + comm.rank, comm.collectives, comm.everyone(), remote)
    });
    let Some((own, sequence, everyone, remote)) = found else {
        return;
    };
    let (since, reports) = (virtual_process::now(), vec![(own, sequence)]);
    let mismatch = Mismatch { context, since, reports, told: None };
    mismatches(engine).all.push(mismatch);
    for (index, &to) in (0..).zip(&*everyone).filter(|&(index, _)| index != own) {
        // The receiver's list begins with this process's group if the receiver is in the other one.
        let rank = if index < remote { own - remote } else { own };
        let header = Header {
            kind: kind::EAGER,
            context: context.0,
            tag: REPORT_TAG,
            rank,
            ..Header::default()
        };
        engine.pt2pt.send_control(to, header, sequence.to_words());
    }
}

/// Returns the error of operations that do not match, or `None` while reports that explain it may
/// still come.
#[cold]
pub(crate) fn verdict(engine: &mut Engine, comm: handle::Comm) -> Option<Box<Error>> {
    if let Some(error) = broken(engine, comm) {
        return Some(error);
    }
    let Ok(object) = engine.comm(comm) else { return Some(unexplained()) };
    let context = object.context.class(Class::Collective);
    let (count, remote) = (object.everyone().len() as u32, object.remote_size());
    let name = match object.name.as_str() {
        "" => "the communicator".into(),
        name => name.to_owned(),
    };
    for rank in 0..count {
        let pattern = Pattern { context, rank, tag: REPORT_TAG };
        while let Some((_, message)) = engine.pt2pt.core.take_unexpected(&pattern) {
            let Content::Eager(payload) = &message.content else { continue };
            let Some(words) = words_of(payload) else { continue };
            if let Some(mismatch) = mismatches(engine).get_mut(context) {
                mismatch.reports.push((rank, Sequence::from_words(words)));
            }
        }
    }
    let mismatch = mismatches(engine).get_mut(context)?;
    mismatch.reports.sort_by_key(|(rank, _)| *rank);
    let found = explain(&mismatch.reports, remote, &name);
    if found.is_none() && virtual_process::since(mismatch.since) < WAIT_MAX {
        return None;
    }
    let told = found.unwrap_or_else(|| {
        let (_, own) = &mismatch.reports[0];
        let what = own.latest().map_or(String::new(), |latest| format!(" ({latest})"));
        let why = format!(
            "another process is in another collective operation on {name} than this one{what}, \
             and does not say in which"
        );
        Explanation::new(abi::MPI_ERR_OTHER, why)
    });
    mismatch.told = Some(told.clone());
    discard(engine, context);
    Some(told.into_error().on(comm))
}

/// Discards the messages of operations that do not match. No process receives them, and they count
/// as unexpected bytes of their senders (flow control).
fn discard(engine: &mut Engine, context: Context) {
    let is_its = |pattern: &Pattern| {
        pattern.context.class(Class::Collective) == context && is_of_collectives(pattern.context)
    };
    let all = engine.pt2pt.core.unexpected.all();
    let whole = all.filter(|(_, message)| matches!(message.content, Content::Eager(_)));
    let patterns: Vec<Pattern> = whole.map(|(pattern, _)| pattern).filter(is_its).collect();
    for pattern in &patterns {
        let earliest = engine.pt2pt.core.unexpected.find(pattern);
        if earliest.is_some_and(|(_, message)| matches!(message.content, Content::Eager(_))) {
            engine.pt2pt.core.take_unexpected(pattern);
        }
    }
}

/// Waits for the error of operations that do not match.
#[cold]
pub(crate) fn await_verdict(mpi: &mut Mpi, comm: handle::Comm) -> Box<Error> {
    let mut error = None;
    mpi.wait_until(None, |mpi| {
        error = verdict(mpi, comm);
        error.is_some()
    });
    error.unwrap_or_else(unexplained)
}

fn words_of(payload: &[u8]) -> Option<[u64; REPORT_WORDS]> {
    let (words, rest) = payload.as_chunks::<8>();
    let words: &[[u8; 8]; REPORT_WORDS] = words.try_into().ok().filter(|_| rest.is_empty())?;
    Some(words.map(u64::from_le_bytes))
}

/// Returns the class of error and the description of the first difference between two reports.
fn explain(reports: &[(u32, Sequence)], remote: u32, name: &str) -> Option<Explanation> {
    let pairs = reports
        .iter()
        .enumerate()
        .flat_map(|(place, first)| reports[place + 1..].iter().map(move |other| (first, other)));
    let found =
        pairs.filter_map(|(first, other)| Some((first.1.disagreement(&other.1)?, first, other)));
    // The earliest operation is the cause, and one of which the signatures are known explains more.
    let (disagreement, (rank, first), (other_rank, other)) =
        found.min_by_key(|(disagreement, ..)| match disagreement {
            Disagreement::At { number, .. } => *number,
            Disagreement::Algorithms => 0,
            Disagreement::Earlier => u32::MAX,
        })?;
    let who = |index: u32| match index < remote {
        true => format!("rank {index} of the other group"),
        false => format!("rank {}", index - remote),
    };
    let (who, whom) = (who(*rank), who(*other_rank));
    let (number, ours, theirs) = match disagreement {
        Disagreement::At { number, signatures: [ours, theirs] } => (number, ours, theirs),
        Disagreement::Algorithms => {
            let why = format!(
                "{who} and {whom} force different algorithms of collective operations on {name}, \
                 so they would wait for each other"
            );
            let (class, advice) = (abi::MPI_ERR_OTHER, FORCE_THE_SAME);
            return Some(Explanation { class, why, advice });
        }
        Disagreement::Earlier => {
            let why = format!(
                "{who} and {whom} have called different collective operations on {name} earlier, \
                 among the first {}",
                first.count()
            );
            return Some(Explanation::new(abi::MPI_ERR_OTHER, why));
        }
    };
    let verb = |sequence: &Sequence| if sequence.count() == number + 1 { "is" } else { "was" };
    let why = format!(
        "{who} {} in {ours}, its {} collective on {name}; {whom} {} in {theirs}",
        verb(first),
        ordinal(number + 1),
        verb(other)
    );
    let class = match ours.difference(theirs) {
        Difference::Operation => abi::MPI_ERR_OTHER,
        Difference::Root => abi::MPI_ERR_ROOT,
        Difference::Operator => abi::MPI_ERR_OP,
        Difference::Type => abi::MPI_ERR_TYPE,
    };
    Some(Explanation::new(class, why))
}

/// Returns the error of two processes that have called different collective operations on
/// `MPI_COMM_WORLD` by the time they are in `MPI_Finalize`.
#[cold]
pub(crate) fn at_end(first: (u32, Sequence), other: (u32, Sequence)) -> Box<Error> {
    let mut reports = [first, other];
    reports.sort_by_key(|(rank, _)| *rank);
    if let Some(found) = explain(&reports, 0, "MPI_COMM_WORLD") {
        return found.into_error();
    }
    let calls = |(rank, sequence): &(u32, Sequence)| {
        let count = sequence.count();
        let last = sequence.latest().filter(|_| count > 0);
        let last = last.map_or(String::new(), |latest| format!(", the last {latest}"));
        let operations = if count == 1 { "collective" } else { "collectives" };
        format!("rank {rank} has called {count} {operations} on MPI_COMM_WORLD{last}")
    };
    let why = format!(
        "all ranks are in MPI_Finalize, and some have left out a collective operation: {}; {}",
        calls(&reports[0]),
        calls(&reports[1])
    );
    Explanation::new(abi::MPI_ERR_OTHER, why).into_error()
}

/// Returns a number as people count: 1st, 2nd, 3rd, 4th.
fn ordinal(number: u32) -> String {
    let ending = match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::signature::{Kind, Signature};

    fn after(signatures: &[Signature]) -> Sequence {
        let mut sequence = Sequence::default();
        signatures.iter().for_each(|&signature| {
            sequence.begin(signature);
        });
        sequence
    }

    #[test]
    fn an_explanation_names_both_sides() {
        let [barrier, bcast, gather] =
            [Kind::Barrier, Kind::Bcast, Kind::Gather].map(Signature::new);
        let reports = [
            (0, after(&[barrier, bcast])),
            (1, after(&[barrier, bcast])),
            (2, after(&[barrier, gather.rooted(1), barrier])),
        ];
        let Explanation { class, why, .. } = explain(&reports, 0, "MPI_COMM_WORLD").unwrap();
        assert_eq!(class, abi::MPI_ERR_OTHER);
        assert_eq!(
            why,
            "rank 0 is in MPI_Bcast(root=0), its 2nd collective on MPI_COMM_WORLD; \
             rank 2 was in MPI_Gather(root=1)"
        );
        assert!(explain(&reports[..2], 0, "").is_none());
        let roots = [(0, after(&[bcast])), (1, after(&[bcast.rooted(1)]))];
        assert_eq!(explain(&roots, 0, "").unwrap().class, abi::MPI_ERR_ROOT);
        let groups = explain(&roots, 1, "comm").unwrap().why;
        assert_eq!(
            groups,
            "rank 0 of the other group is in MPI_Bcast(root=0), its 1st collective on comm; \
             rank 0 is in MPI_Bcast(root=1)"
        );
    }

    #[test]
    fn many_messages_are_examined_from_time_to_time() {
        let mut mismatches = Mismatches::INITIAL;
        assert!((0..3).all(|_| mismatches.may_examine(EXAMINED_MAX)));
        assert!(mismatches.may_examine(EXAMINED_MAX + 1));
        let pause = |mismatches: &Mismatches| {
            mismatches.examine_at.map(|at| at.saturating_duration_since(Instant::now()))
        };
        mismatches.note_examined(Duration::from_micros(1));
        assert!(pause(&mismatches).is_some_and(|pause| pause <= EXAMINE_AFTER));
        // An examination that takes long must not be followed by the next one.
        mismatches.note_examined(Duration::from_secs(60));
        assert!(!mismatches.may_examine(EXAMINED_MAX + 1) && mismatches.may_examine(1));
        assert!(pause(&mismatches).is_some_and(|pause| pause > Duration::from_secs(600)));
        mismatches.examine_at = Some(Instant::now());
        assert!(mismatches.may_examine(EXAMINED_MAX + 1));
    }

    #[test]
    fn numbers_have_their_endings() {
        let ordinals = [1, 2, 3, 4, 11, 12, 13, 21, 102, 111].map(ordinal);
        let expected =
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"];
        assert_eq!(ordinals, expected);
    }

    #[test]
    fn a_report_of_another_length_says_nothing() {
        assert!(words_of(&[0; 8]).is_none() && words_of(&[0; REPORT_WORDS * 8 + 1]).is_none());
        assert_eq!(words_of(&[0; REPORT_WORDS * 8]), Some([0; REPORT_WORDS]));
    }
}
