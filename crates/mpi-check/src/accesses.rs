//! Accesses to windows: which of them conflict (MPI 5.0 §12.7), with each other, and with stores
//! into the memory of a window.
//!
//! Each process keeps a log of its accesses to a window ([`record`]). It compares a new access with
//! those of its own that are incomplete. The processes exchange their logs at `MPI_Win_fence` and
//! `MPI_Win_free` ([`Log::words`]), and each compares its accesses with those of higher ranks
//! ([`compare`](mod@compare)).
//!
//! Two accesses of different processes are reported only if nothing can have ordered them:
//!
//! | epochs | concurrent if |
//! |---|---|
//! | both of `MPI_Win_fence` | no fence lies between them |
//! | both of `MPI_Win_start` | they belong to one exposure epoch of the target |
//! | others | both follow one barrier of all, and neither process has learnt of another since |
//!
//! Accesses under an exclusive lock of the target are ordered with all others under locks.
//!
//! Each process copies the memory that it exposes ([`memory`]) at every fence, and when exposure
//! epochs begin and end. If bytes that a get of another process reads have changed, and no log has
//! an access that writes them, the program has stored into them. If a put's bytes are not there at
//! the end of the fence epoch, the program has stored over them.

mod compare;
mod memory;
mod record;

pub use record::{Action, Epoch};

use crate::checksum::checksum;
use crate::exchange::Writer;
use crate::kinds::{CONFLICT, LIMIT};
use crate::ranges::Ranges;
use crate::{Call, CallSite, STATE, call_of, callbacks, found_with, locked, sites};
use compare::{Conflict, Store};
use memory::{COPIED_MAX_BYTES, Copies};
use nemesis_datatype::{Buffer, ByteRange};
use record::{Class, Entry, Exposures, RECORD_WORDS, Received, Record, WRITTEN_WORDS, Written};
use std::collections::{BTreeMap, HashMap};

/// Words of a log at most, apart from the calls. Later accesses are not compared.
const LOG_WORDS_MAX: usize = 128 << 10;

/// Words of the logs of all processes of a window at most: each process receives them all.
const LOGS_WORDS_MAX: usize = 4 << 20;

/// Ranges of one access at most. An access of more is not compared.
const RANGES_MAX: usize = 256;

/// Accesses by their classes.
type Accessed = BTreeMap<Class, Entry>;

/// The accesses of this process to a window since the last exchange.
#[derive(Debug, Default)]
struct Log {
    all: Accessed,
    /// Those that no call has completed.
    incomplete: Accessed,
    written: Vec<Written>,
    /// How often this process has named a rank in `MPI_Win_start`.
    starts: HashMap<u32, u64>,
    /// How often this process has named a rank in `MPI_Win_post`, and has called it.
    posts: HashMap<u32, u64>,
    exposures: u64,
    /// Exposure epochs since the last exchange: origin, its number, the epoch's number.
    exposed: Vec<[u64; 3]>,
    /// What this process had learnt when the last fence ended, and the last `MPI_Win_start`.
    fenced_at: u64,
    started_at: u64,
    /// The words of the log, and their limit.
    used_words: usize,
    words_max: usize,
    /// Whether accesses or exposure epochs since the last exchange are left out.
    is_cut: bool,
    /// Copies of this process's memory.
    copies: Copies,
    /// Whether that memory is too large for them.
    is_too_large: bool,
    /// Whether this process has told that accesses, or stores, are not compared.
    has_told: [bool; 2],
}

impl Log {
    /// Returns whether `words` more words fit, and counts them. If they do not, nothing fits until
    /// the next exchange.
    fn admits(&mut self, words: usize) -> bool {
        let fits = !self.is_cut && self.used_words + words < self.words_max;
        self.is_cut |= !fits;
        if fits {
            self.used_words += words;
        }
        fits
    }

    /// Adds an access. `is_complete`: no later access of this process can conflict with it.
    fn add(&mut self, class: Class, ranges: &[ByteRange], is_complete: bool, is_unknown: bool) {
        let first = if self.all.contains_key(&class) { 0 } else { RECORD_WORDS };
        if !self.admits(first + 2 * ranges.len()) {
            return;
        }
        let entry = self.all.entry(class).or_default();
        let before = entry.ranges.len();
        ranges.iter().for_each(|range| entry.ranges.add(*range));
        entry.is_unknown |= is_unknown;
        // Ranges that touch have become one.
        self.used_words -= 2 * (before + ranges.len()).saturating_sub(entry.ranges.len());
        if !is_complete {
            let incomplete = self.incomplete.entry(class).or_default();
            ranges.iter().for_each(|range| incomplete.ranges.add(*range));
        }
    }

    /// Returns the first incomplete access that an access of `class` to `ranges` conflicts with.
    /// Accumulates of one process are ordered.
    fn conflict(&self, class: &Class, ranges: &Ranges) -> Option<(Class, ByteRange)> {
        let accumulates = |action| matches!(action, Action::Accumulate { .. });
        self.incomplete.iter().find_map(|(other, entry)| {
            let conflicts = other.target == class.target
                && class.action.conflicts(other.action)
                && !(accumulates(class.action) && accumulates(other.action));
            let range = conflicts.then(|| ranges.common_with(&entry.ranges).0).flatten()?;
            Some((*other, range))
        })
    }

    /// Begins anew after an exchange.
    fn clear(&mut self) {
        self.all.clear();
        self.incomplete.clear();
        self.written.clear();
        self.exposed.clear();
        self.copies.exchanged();
        self.used_words = 0;
        self.is_cut = false;
    }

    /// Returns the log for the other processes. `calls`: the calls by their addresses.
    fn words(&self, calls: &HashMap<usize, Call>) -> Vec<u64> {
        let mut writer = Writer::default();
        writer.words(&[self.is_cut.into(), self.exposed.len() as u64]);
        self.exposed.iter().for_each(|exposed| writer.words(exposed));
        writer.word(self.all.len() as u64);
        let unknown = Call::default();
        for (class, entry) in &self.all {
            let call = calls.get(&class.site).unwrap_or(&unknown);
            Record::write(&mut writer, class, entry, call);
        }
        writer.word(self.written.len() as u64);
        self.written.iter().for_each(|written| written.write(&mut writer));
        writer.finish()
    }
}

/// What orders this process with others, and its logs.
#[derive(Default)]
pub(crate) struct Accesses {
    logs: HashMap<usize, Log>,
    /// Calls by their addresses.
    calls: HashMap<usize, Call>,
    barriers: u64,
    /// Whether this process has learnt nothing of others since the last barrier of all.
    isolated: bool,
    /// How often it may have learnt something.
    learnt: u64,
    /// The window whose shared locks this process has taken since; another window's access may be
    /// ordered by them.
    locked: Option<usize>,
    /// The thread that calls barriers, and whether several do. Their order is then unknown.
    barrier_thread: Option<std::thread::ThreadId>,
    threads: bool,
}

impl Accesses {
    fn barrier_for(&self, win: usize) -> u64 {
        let lock_elsewhere = self.locked.is_some_and(|locked| locked != win);
        if self.isolated && !lock_elsewhere && !self.threads { self.barriers } else { 0 }
    }

    fn learn(&mut self) {
        self.isolated = false;
        self.learnt += 1;
    }
}

fn with<R>(change: impl FnOnce(&mut Accesses) -> R) -> Option<R> {
    STATE.get().map(|state| change(&mut locked(&state.accesses)))
}

fn with_log<R>(win: usize, change: impl FnOnce(&mut Log) -> R) -> Option<R> {
    with(|accesses| accesses.logs.get_mut(&win).map(change)).flatten()
}

/// Notes that the present call communicates by a window of the program.
fn communicates(win: usize) {
    if with_log(win, |_| ()).is_some() {
        callbacks::communicates();
    }
}

/// Notes that this process learns of the past of another one: it receives a message, or takes part
/// in a collective operation.
#[cold]
pub fn learn() {
    with(Accesses::learn);
}

/// Returns whether all processes belong to this job, so that all of them check.
pub fn are_of_job(processes: &[u32]) -> bool {
    STATE.get().is_some_and(|state| processes.iter().all(|&process| process < state.size))
}

/// Notes a barrier of `members`, which this process enters. Only those of all processes of the job
/// count: all of them count these alike.
#[cold]
pub fn barrier(members: &[u32]) {
    let Some(state) = STATE.get() else { return };
    if members.len() != state.size as usize || !are_of_job(members) {
        return;
    }
    let mut accesses = locked(&state.accesses);
    let thread = std::thread::current().id();
    accesses.threads |= accesses.barrier_thread.is_some_and(|before| before != thread);
    accesses.barrier_thread = Some(thread);
    accesses.barriers += 1;
    accesses.learnt += 1;
    accesses.isolated = true;
    accesses.locked = None;
}

/// Begins the log of a window of `processes`, all of which check, if all of them belong to this
/// job: only then they count barriers alike.
#[cold]
pub fn open(win: usize, processes: &[u32]) {
    let Some(state) = STATE.get() else { return };
    if are_of_job(processes) {
        let words_max = LOG_WORDS_MAX.min(LOGS_WORDS_MAX / processes.len().max(1));
        locked(&state.accesses).logs.insert(win, Log { words_max, ..Log::default() });
    }
}

/// Ends the log of a window.
pub fn close(win: usize) {
    with(|accesses| accesses.logs.remove(&win));
}

/// Notes that this process takes a lock of a window.
#[cold]
pub fn take_lock(win: usize, exclusive: bool) {
    communicates(win);
    with(|accesses| match accesses.locked {
        _ if exclusive => accesses.learn(),
        Some(other) if other != win => accesses.learn(),
        _ => accesses.locked = Some(win),
    });
}

/// Notes `MPI_Win_start` for `ranks`.
#[cold]
pub fn start(win: usize, ranks: &[u32]) {
    communicates(win);
    with(|accesses| {
        accesses.learn();
        let learnt = accesses.learnt;
        let Some(log) = accesses.logs.get_mut(&win) else { return };
        ranks.iter().for_each(|&rank| *log.starts.entry(rank).or_insert(0) += 1);
        log.started_at = learnt;
    });
}

/// Notes `MPI_Win_post` for `ranks`. `copy` fills a slice of `bytes` bytes with this process's
/// memory of the window, and returns whether it could.
#[cold]
pub fn post(win: usize, ranks: &[u32], bytes: usize, copy: impl FnOnce(&mut [u8]) -> bool) {
    communicates(win);
    with_log(win, |log| {
        log.exposures += 1;
        for &rank in ranks {
            let number = log.posts.entry(rank).or_insert(0);
            *number += 1;
            let exposed = [rank.into(), *number, log.exposures];
            if log.admits(exposed.len()) {
                log.exposed.push(exposed);
            }
        }
        if let Some(copied) = copied(log, bytes, copy) {
            log.copies.posted(copied);
        }
    });
}

/// Notes that an exposure epoch has ended. The parameters are those of [`post`].
#[cold]
pub fn waited(win: usize, bytes: usize, copy: impl FnOnce(&mut [u8]) -> bool) {
    with_log(win, |log| {
        if let Some(memory) = copied(log, bytes, copy) {
            log.copies.waited(log.exposures, &memory);
        }
    });
}

/// Notes that all accesses before a fence are complete, and that no process can begin a later one
/// before the logs are exchanged. The parameters are those of [`post`].
#[cold]
pub fn fenced(win: usize, bytes: usize, copy: impl FnOnce(&mut [u8]) -> bool) {
    with_log(win, |log| {
        if let Some(memory) = copied(log, bytes, copy) {
            log.copies.fenced(memory);
        }
    });
}

/// Returns a copy of this process's memory of a window, unless it is too large.
fn copied(log: &mut Log, bytes: usize, copy: impl FnOnce(&mut [u8]) -> bool) -> Option<Vec<u8>> {
    log.is_too_large |= bytes > COPIED_MAX_BYTES;
    if bytes > COPIED_MAX_BYTES {
        return None;
    }
    let mut memory = vec![0; bytes];
    copy(&mut memory).then_some(memory)
}

/// Returns how often this process has named a rank in `MPI_Win_start`.
pub fn starts(win: usize, rank: u32) -> u64 {
    with_log(win, |log| log.starts.get(&rank).copied().unwrap_or(0)).unwrap_or(0)
}

/// An access.
#[derive(Clone, Copy)]
pub struct Access<'a> {
    /// The rank whose memory is accessed.
    pub target: u32,
    /// What it does there.
    pub action: Action,
    /// The epoch in which it is made.
    pub epoch: Epoch,
    /// The data of a put.
    pub origin: Option<&'a Buffer>,
    /// Whether it is a read, and a request tells when it is complete.
    pub with_request: bool,
}

/// Notes an access to the memory `ranges`, in the order of the data, of a window whose name in
/// words is `window`.
#[cold]
pub fn access(
    (win, window): (usize, &str),
    access: &Access<'_>,
    ranges: impl Iterator<Item = ByteRange>,
) {
    let Some(state) = STATE.get() else { return };
    communicates(win);
    // An access that is left out may be a read, which tells this process of others.
    if with_log(win, |log| log.is_cut) != Some(false) {
        return learn();
    }
    let Some(site) = sites::here() else { return learn() };
    let ranges: Vec<ByteRange> =
        ranges.filter(|range| range.len > 0).take(RANGES_MAX + 1).collect();
    if ranges.is_empty() {
        return;
    }
    if ranges.len() > RANGES_MAX {
        with_log(win, |log| log.is_cut = true);
        return learn();
    }
    let Access { target, action, epoch, origin, with_request } = *access;
    let written = origin
        .filter(|_| epoch == Epoch::Fence && ranges.is_sorted_by_key(|range| range.address))
        .map(checksum);
    let conflict = {
        let mut accesses = locked(&state.accesses);
        let (barrier, learnt) = (accesses.barrier_for(win), accesses.learnt);
        // No call of this module tells when the request is complete.
        if with_request {
            accesses.learn();
        }
        let call = accesses.calls.entry(site.address).or_insert_with(|| call_of(site)).clone();
        let Some(log) = accesses.logs.get_mut(&win) else { return };
        let is_fresh = match epoch {
            Epoch::Fence => learnt == log.fenced_at,
            Epoch::Started(_) => learnt == log.started_at,
            Epoch::Locked { .. } => false,
        };
        let class = Class { target, action, epoch, barrier, is_fresh, site: site.address };
        let conflict = log.conflict(&class, &ranges.iter().copied().collect());
        let is_told = written.is_some() && log.admits(WRITTEN_WORDS + 2 * ranges.len());
        log.add(class, &ranges, with_request, action != Action::Get && !is_told);
        let is_cut = log.is_cut;
        if let Some(checksum) = written.filter(|_| is_told && !is_cut) {
            log.written.push(Written { target, ranges, checksum, call });
        }
        if is_cut {
            accesses.learn();
        }
        conflict.map(|(other, range)| {
            (range, other.epoch, accesses.calls.get(&other.site).cloned().unwrap_or_default())
        })
    };
    if let Some((range, epoch, mut other)) = conflict {
        other.function = format!("{} before", other.function);
        tell(Some(site), window, target, range, epoch, other);
    }
}

/// Notes that the accesses to a rank, or to all ranks, are complete. Reads have told this process
/// of others, and what is not in the log counts as a read.
#[cold]
pub fn complete(win: usize, target: Option<u32>) {
    communicates(win);
    let has_read = with_log(win, |log| {
        let mut has_read = log.is_cut;
        log.incomplete.retain(|class, _| {
            let is_complete = target.is_none_or(|target| class.target == target);
            has_read |= is_complete && class.action != Action::Put;
            !is_complete
        });
        has_read
    });
    if has_read != Some(false) {
        learn();
    }
}

/// Returns the log of a window for the other processes. `None` if the window is not checked.
pub fn exchanged(win: usize) -> Option<Vec<u64>> {
    with(|accesses| accesses.logs.get(&win).map(|log| log.words(&accesses.calls))).flatten()
}

/// Compares this process's accesses to a window, as rank `rank`, with those of the `logs` of higher
/// ranks, and the stores into its memory with the accesses of all. Begins anew. `is_fence`: whether
/// the call is a fence, and not the end of the window.
#[cold]
pub fn compare((win, window): (usize, &str), rank: u32, logs: &[Vec<u64>], is_fence: bool) {
    let mut exposures = Exposures::default();
    let logs: Vec<Received> = (0u32..)
        .zip(logs)
        .map(|(rank, words)| {
            Received::read(words, rank, &mut exposures)
                .unwrap_or(Received { is_cut: true, ..Received::default() })
        })
        .collect();
    let (conflicts, are_all) = compare::conflicts(&logs, rank, &exposures);
    for Conflict { own, other_rank, other, range } in conflicts {
        let call = of_rank(&other.call, other_rank);
        tell_call(&own.call, window, own.class.target, range, own.class.epoch, call);
    }
    let untold = with(|accesses| {
        let learnt = accesses.learnt;
        let log = accesses.logs.get_mut(&win)?;
        // At the end of a window the last fence lies further back.
        if !is_fence {
            log.copies.forget_fences();
        }
        for store in compare::stores(&logs, rank, &exposures, &log.copies) {
            tell_store(window, rank, &store);
        }
        let missing = [log.is_cut || !are_all, log.copies.is_cut || log.is_too_large];
        let untold = [0, 1].map(|of| missing[of] && !log.has_told[of]);
        log.has_told = [0, 1].map(|of| missing[of] || log.has_told[of]);
        log.clear();
        log.fenced_at = learnt;
        Some(untold)
    });
    if let Some([accesses, stores]) = untold.flatten() {
        if accesses {
            let why = "they are too many, or in too many pieces, for one call";
            tell_limit(format!("not all accesses to {window} are compared: {why}"));
        }
        if stores {
            let why = "it is too large, or changes in too many places";
            tell_limit(format!("not all stores into the memory of {window} are found: {why}"));
        }
    }
}

fn of_rank(call: &Call, rank: u32) -> Call {
    Call { function: format!("{} of rank {rank}", call.function), ..call.clone() }
}

fn tell_limit(text: String) {
    found_with(&LIMIT, sites::here(), 1, text, None);
}

fn text(window: &str, target: u32, range: ByteRange, epoch: Epoch) -> String {
    format!(
        "{}, in an epoch of {}, without synchronization with",
        place(window, target, range),
        epoch.name()
    )
}

/// Returns bytes in the memory of a rank in words.
fn place(window: &str, rank: u32, range: ByteRange) -> String {
    let ByteRange { address, len } = range;
    let unit = if len == 1 { "byte" } else { "bytes" };
    format!("{len} {unit} at byte {address} of rank {rank} in {window}")
}

fn tell(
    site: Option<CallSite>,
    window: &str,
    target: u32,
    range: ByteRange,
    epoch: Epoch,
    other: Call,
) {
    found_with(&CONFLICT, site, 1, text(window, target, range, epoch), Some(other));
}

fn tell_call(call: &Call, window: &str, target: u32, range: ByteRange, epoch: Epoch, other: Call) {
    crate::findings::found_by(&CONFLICT, call.clone(), text(window, target, range, epoch), other);
}

/// Tells of a store into the memory of `rank`, this process, of a window.
fn tell_store(window: &str, rank: u32, store: &Store<'_>) {
    let place = place(window, rank, store.range);
    let epoch = match store.exposure {
        Some(_) => "between MPI_Win_post and MPI_Win_wait",
        None => "since the fence before",
    };
    let text = if store.is_put {
        format!(
            "{place} do not hold what was put there {epoch}: the program has stored over it, or \
             into the buffer of"
        )
    } else {
        let were = if store.range.len == 1 { "was" } else { "were" };
        format!("{place} {were} changed by a store {epoch}, without synchronization with")
    };
    found_with(&CONFLICT, sites::here(), 1, text, Some(of_rank(store.call, store.rank)));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(action: Action, epoch: Epoch, site: usize) -> Class {
        Class { target: 1, action, epoch, barrier: 0, is_fresh: false, site }
    }

    fn bytes(address: usize, len: usize) -> [ByteRange; 1] {
        [ByteRange { address, len }]
    }

    fn log() -> Log {
        Log { words_max: LOG_WORDS_MAX, ..Log::default() }
    }

    #[test]
    fn logs_come_back() {
        let call = Call { function: "MPI_Put".into(), module: "/a.out".into(), offset: 7 };
        let calls = HashMap::from([(1, call.clone())]);
        let mut log = log();
        let op = Action::Accumulate { op: 3, element: 0x209 };
        log.add(class(op, Epoch::Started(4), 1), &bytes(0, 8), true, true);
        log.add(
            class(Action::Get, Epoch::Locked { exclusive: true }, 1),
            &bytes(64, 8),
            true,
            false,
        );
        log.add(class(Action::Put, Epoch::Fence, 1), &bytes(8, 8), true, false);
        log.exposed = vec![[5, 6, 7]];
        let ranges = bytes(8, 8).to_vec();
        log.written = vec![Written { target: 1, ranges, checksum: 9, call: call.clone() }];
        let records = log
            .all
            .iter()
            .map(|(class, entry)| Record {
                class: Class { site: 0, ..*class },
                entry: entry.clone(),
                call: call.clone(),
            })
            .collect();
        let all = Received { is_cut: false, records, written: log.written.clone() };
        let mut exposures = Exposures::default();
        let words = log.words(&calls);
        assert_eq!(Received::read(&words, 2, &mut exposures), Some(all));
        assert_eq!(exposures.0, HashMap::from([((2, 5, 6), 7)]));
        for length in 0..words.len() {
            assert_eq!(Received::read(&words[..length], 2, &mut exposures), None, "{length} words");
        }
    }

    #[test]
    fn a_log_has_a_limit_until_the_next_exchange() {
        let put = |index: u64| class(Action::Put, Epoch::Started(index), 1);
        let empty = log().words(&HashMap::new()).len();
        let mut log = Log { words_max: 3 * RECORD_WORDS, ..Log::default() };
        log.add(put(0), &bytes(0, 8), true, false);
        log.add(put(1), &bytes(0, 8), true, false);
        assert_eq!((log.used_words, log.is_cut), (2 * (RECORD_WORDS + 2), false));
        // The words of one call, which has no name, follow the number of calls.
        assert_eq!(log.words(&HashMap::new()).len() - empty - 3, log.used_words);
        log.add(put(2), &bytes(0, 8), true, false);
        assert!(log.is_cut && !log.admits(1) && log.all.len() == 2);
        log.clear();
        assert!(!log.is_cut && log.admits(1));
    }

    #[test]
    fn accesses_of_a_loop_are_one_entry() {
        let mut log = log();
        let put = class(Action::Put, Epoch::Fence, 1);
        for index in 0..100_000 {
            log.add(put, &bytes(8 * index, 8), false, false);
        }
        assert_eq!((log.used_words, log.is_cut), (RECORD_WORDS + 2, false));
    }

    #[test]
    fn a_new_access_is_compared_with_all_that_are_incomplete() {
        let mut log = log();
        let (put, get) = (class(Action::Put, Epoch::Fence, 1), class(Action::Get, Epoch::Fence, 2));
        for index in 0..5000 {
            log.add(put, &bytes(16 * index, 8), false, false);
        }
        let find = |log: &Log, class, address| {
            log.conflict(&class, &bytes(address, 4).into_iter().collect()).map(|(_, range)| range)
        };
        assert_eq!(find(&log, get, 2), Some(bytes(2, 4)[0]), "the first of 5000");
        assert_eq!(find(&log, put, 79_988), Some(bytes(79_988, 4)[0]));
        assert_eq!(find(&log, put, 8), None);
        assert_eq!(find(&log, Class { target: 2, ..put }, 0), None);
        let sum = |op| class(Action::Accumulate { op, element: 1 }, Epoch::Fence, 3);
        log.add(sum(1), &bytes(8, 8), false, false);
        assert_eq!(find(&log, sum(2), 8), None, "accumulates of one process are ordered");
        assert_eq!(find(&log, get, 8), Some(bytes(8, 4)[0]));
        log.incomplete.clear();
        assert_eq!(find(&log, get, 2), None);
    }
}
