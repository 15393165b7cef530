//! Accesses to windows: which of them conflict (MPI 5.0 §12.7).
//!
//! Each process keeps a log of its accesses to a window. It compares a new access with those of its
//! own that are incomplete. The processes exchange their logs at `MPI_Win_fence` and `MPI_Win_free`
//! ([`Log::words`]), and each compares its accesses with those of higher ranks.
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

use crate::exchange::{Reader, Writer};
use crate::kinds::CONFLICT;
use crate::{Call, CallSite, STATE, call_of, found_with, locked, sites};
use nemesis_datatype::ByteRange;
use std::collections::HashMap;

/// Words of a log at most, apart from the calls. Later accesses are not compared.
const LOG_WORDS_MAX: usize = 128 << 10;

/// Words of the logs of all processes of a window at most: each process receives them all.
const LOGS_WORDS_MAX: usize = 4 << 20;

/// The latest accesses of a process with which it compares a new one of its own.
const INCOMPLETE_MAX: usize = 1024;

/// Ranges of one access at most. An access of more is not compared.
const RANGES_MAX: usize = 256;

/// Pairs of accesses that a process compares in one exchange at most.
const PAIRS_MAX: usize = 4 << 20;

/// What an access does with the target's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It reads.
    Get,
    /// It writes.
    Put,
    /// It accumulates.
    Accumulate {
        /// The operation; 0 goes with every other one (`MPI_NO_OP`, `MPI_REPLACE`, and
        /// compare-and-swap).
        op: u64,
        /// The basic type of the elements; 0 if it is unknown.
        element: u64,
    },
}

impl Action {
    fn conflicts(self, other: Action) -> bool {
        let differ = |one: u64, other: u64| one != other && one != 0 && other != 0;
        match (self, other) {
            (Action::Get, Action::Get) => false,
            (
                Action::Accumulate { op, element },
                Action::Accumulate { op: other_op, element: other_element },
            ) => differ(op, other_op) || differ(element, other_element),
            _ => true,
        }
    }

    fn words(self) -> [u64; 3] {
        match self {
            Action::Get => [0, 0, 0],
            Action::Put => [1, 0, 0],
            Action::Accumulate { op, element } => [2, op, element],
        }
    }

    fn read([tag, op, element]: [u64; 3]) -> Action {
        match tag {
            0 => Action::Get,
            1 => Action::Put,
            _ => Action::Accumulate { op, element },
        }
    }
}

/// The epoch of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epoch {
    /// Of `MPI_Win_fence`. Each exchange of logs follows a fence.
    Fence,
    /// Of `MPI_Win_start`, which names the target the given time.
    Started(u64),
    /// Of a lock.
    Locked {
        /// Whether the library has taken the lock for this process alone.
        exclusive: bool,
    },
}

impl Epoch {
    fn words(self) -> [u64; 2] {
        match self {
            Epoch::Fence => [0, 0],
            Epoch::Started(number) => [1, number],
            Epoch::Locked { exclusive } => [2, exclusive.into()],
        }
    }

    fn read([tag, number]: [u64; 2]) -> Epoch {
        match tag {
            0 => Epoch::Fence,
            1 => Epoch::Started(number),
            _ => Epoch::Locked { exclusive: number != 0 },
        }
    }

    fn name(self) -> &'static str {
        match self {
            Epoch::Fence => "MPI_Win_fence",
            Epoch::Started(_) => "MPI_Win_start",
            Epoch::Locked { .. } => "a lock",
        }
    }
}

/// An access.
#[derive(Clone, Debug, PartialEq)]
struct Record {
    target: u32,
    action: Action,
    epoch: Epoch,
    /// The number of the last barrier of all processes, if this process has learnt nothing of
    /// another one since; else 0.
    barrier: u64,
    /// Whether a call has completed the access at the target.
    is_complete: bool,
    /// Offsets in the target's window, or addresses there if the window is dynamic; in ascending
    /// order.
    ranges: Vec<ByteRange>,
    call: Call,
}

impl Record {
    /// Returns the first bytes that both accesses name.
    fn common(&self, other: &Record) -> Option<ByteRange> {
        let (mut own, mut others) = (&self.ranges[..], &other.ranges[..]);
        while let ([one, own_rest @ ..], [another, others_rest @ ..]) = (own, others) {
            let own_end = one.address.saturating_add(one.len);
            let other_end = another.address.saturating_add(another.len);
            let (start, end) = (one.address.max(another.address), own_end.min(other_end));
            if start < end {
                return Some(ByteRange { address: start, len: end - start });
            }
            if own_end < other_end { own = own_rest } else { others = others_rest }
        }
        None
    }

    fn conflicts(&self, other: &Record) -> Option<ByteRange> {
        (self.target == other.target && self.action.conflicts(other.action))
            .then(|| self.common(other))
            .flatten()
    }

    /// Returns whether nothing can have ordered two accesses of different processes, of the ranks
    /// `ranks`.
    fn is_concurrent(&self, other: &Record, ranks: (u32, u32), exposures: &Exposures) -> bool {
        match (self.epoch, other.epoch) {
            (Epoch::Fence, Epoch::Fence) => true,
            (Epoch::Started(one), Epoch::Started(another)) => {
                exposures.are_one(self.target, (ranks.0, one), (ranks.1, another))
            }
            (Epoch::Locked { exclusive: true }, Epoch::Locked { .. })
            | (Epoch::Locked { .. }, Epoch::Locked { exclusive: true }) => false,
            _ => self.barrier != 0 && self.barrier == other.barrier,
        }
    }

    /// Returns the words that [`write`](Self::write) adds.
    fn words(&self) -> usize {
        9 + 2 * self.ranges.len()
    }

    fn write(&self, writer: &mut Writer) {
        writer.word(self.target.into());
        writer.words(&self.action.words());
        writer.words(&self.epoch.words());
        writer.words(&[self.barrier, self.ranges.len() as u64]);
        for range in &self.ranges {
            writer.words(&[range.address as u64, range.len as u64]);
        }
        writer.call(&self.call);
    }

    fn read(reader: &mut Reader<'_>) -> Option<Record> {
        let [target, tag, op, element, epoch, number, barrier, ranges] = reader.array()?;
        let ranges = (0..ranges)
            .map(|_| {
                let [address, len] = reader.array()?;
                Some(ByteRange { address: address as usize, len: len as usize })
            })
            .collect::<Option<_>>()?;
        Some(Record {
            target: target as u32,
            action: Action::read([tag, op, element]),
            epoch: Epoch::read([epoch, number]),
            barrier,
            is_complete: true,
            ranges,
            call: reader.call()?,
        })
    }
}

/// The exposure epochs of all ranks: by target, origin and the number of the origin's
/// `MPI_Win_start` that named the target, the number of the epoch.
#[derive(Default)]
struct Exposures(HashMap<(u32, u32, u64), u64>);

impl Exposures {
    fn are_one(&self, target: u32, (one, first): (u32, u64), (other, second): (u32, u64)) -> bool {
        let exposure = |origin, number| self.0.get(&(target, origin, number));
        exposure(one, first).is_some_and(|number| exposure(other, second) == Some(number))
    }
}

/// The accesses of this process to a window since the last exchange.
#[derive(Default)]
struct Log {
    records: Vec<Record>,
    /// How often this process has named a rank in `MPI_Win_start`.
    starts: HashMap<u32, u64>,
    /// How often this process has named a rank in `MPI_Win_post`, and has called it.
    posts: HashMap<u32, u64>,
    exposures: u64,
    /// Exposure epochs since the last exchange: origin, its number, the epoch's number.
    exposed: Vec<[u64; 3]>,
    /// The words of `records` and `exposed`, and their limit.
    used_words: usize,
    words_max: usize,
    /// Whether accesses or exposure epochs since the last exchange are left out.
    is_cut: bool,
    /// Whether this process has told that accesses are not compared.
    has_told: bool,
}

impl Log {
    /// Returns whether `words` more words fit, and counts them. If they do not, nothing fits until
    /// the next exchange.
    fn admits(&mut self, words: usize) -> bool {
        let fits = self.used_words + words < self.words_max;
        self.is_cut |= !fits;
        self.used_words = if fits { self.used_words + words } else { self.words_max };
        fits
    }

    /// Begins anew after an exchange.
    fn clear(&mut self) {
        self.records.clear();
        self.exposed.clear();
        self.used_words = 0;
        self.is_cut = false;
    }

    fn words(&self) -> Vec<u64> {
        let mut writer = Writer::default();
        writer.words(&[self.is_cut.into(), self.exposed.len() as u64]);
        self.exposed.iter().for_each(|exposed| writer.words(exposed));
        writer.word(self.records.len() as u64);
        self.records.iter().for_each(|record| record.write(&mut writer));
        writer.finish()
    }
}

/// Reads a log of the rank `rank`: whether accesses are left out, and the others. Adds its exposure
/// epochs to `exposures`.
fn read(words: &[u64], rank: u32, exposures: &mut Exposures) -> Option<(bool, Vec<Record>)> {
    let mut reader = Reader::new(words);
    let [is_cut, exposed] = reader.array()?;
    for _ in 0..exposed {
        let [origin, number, exposure] = reader.array()?;
        exposures.0.insert((rank, origin as u32, number), exposure);
    }
    let [records] = reader.array()?;
    let records = (0..records).map(|_| Record::read(&mut reader)).collect::<Option<_>>()?;
    Some((is_cut != 0, records))
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
}

fn with<R>(change: impl FnOnce(&mut Accesses) -> R) -> Option<R> {
    STATE.get().map(|state| change(&mut locked(&state.accesses)))
}

fn with_log<R>(win: usize, change: impl FnOnce(&mut Log) -> R) -> Option<R> {
    with(|accesses| accesses.logs.get_mut(&win).map(change)).flatten()
}

/// Notes that this process learns of the past of another one: it receives a message, or takes part
/// in a collective operation.
#[cold]
pub fn learn() {
    with(|accesses| accesses.isolated = false);
}

/// Notes a barrier of `members`, which this process enters. Only those of all processes of the job
/// count: all of them count these alike.
#[cold]
pub fn barrier(members: &[u32]) {
    let Some(state) = STATE.get() else { return };
    let is_in_job = |&process: &u32| process < state.size;
    if members.len() != state.size as usize || !members.iter().all(is_in_job) {
        return;
    }
    let mut accesses = locked(&state.accesses);
    let thread = std::thread::current().id();
    accesses.threads |= accesses.barrier_thread.is_some_and(|before| before != thread);
    accesses.barrier_thread = Some(thread);
    accesses.barriers += 1;
    accesses.isolated = true;
    accesses.locked = None;
}

/// Begins the log of a window of `processes`, all of which check, if all of them belong to this
/// job: only then they count barriers alike.
#[cold]
pub fn open(win: usize, processes: &[u32]) {
    let Some(state) = STATE.get() else { return };
    if processes.iter().all(|&process| process < state.size) {
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
    with(|accesses| match accesses.locked {
        _ if exclusive => accesses.isolated = false,
        Some(other) if other != win => accesses.isolated = false,
        _ => accesses.locked = Some(win),
    });
}

/// Notes `MPI_Win_start` for `ranks`.
#[cold]
pub fn start(win: usize, ranks: &[u32]) {
    learn();
    with_log(win, |log| {
        ranks.iter().for_each(|&rank| *log.starts.entry(rank).or_insert(0) += 1);
    });
}

/// Notes `MPI_Win_post` for `ranks`.
#[cold]
pub fn post(win: usize, ranks: &[u32]) {
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
    });
}

/// Returns how often this process has named a rank in `MPI_Win_start`.
pub fn starts(win: usize, rank: u32) -> u64 {
    with_log(win, |log| log.starts.get(&rank).copied().unwrap_or(0)).unwrap_or(0)
}

/// Notes an access to the memory `ranges` of the rank `target` of a window, whose name in words is
/// `window`. `with_request`: the access is a read, and a request tells when it is complete.
#[cold]
pub fn access(
    (win, window): (usize, &str),
    target: u32,
    action: Action,
    epoch: Epoch,
    ranges: impl Iterator<Item = ByteRange>,
    with_request: bool,
) {
    let Some(state) = STATE.get() else { return };
    // An access that is left out may be a read, which tells this process of others.
    if with_log(win, |log| log.used_words < log.words_max) != Some(true) {
        return learn();
    }
    let Some(site) = sites::here() else { return learn() };
    let mut ranges: Vec<ByteRange> =
        ranges.filter(|range| range.len > 0).take(RANGES_MAX + 1).collect();
    if ranges.is_empty() {
        return;
    }
    if ranges.len() > RANGES_MAX {
        with_log(win, |log| log.is_cut = true);
        return learn();
    }
    ranges.sort_unstable_by_key(|range| range.address);
    let conflict = {
        let mut accesses = locked(&state.accesses);
        let barrier = accesses.barrier_for(win);
        // No call of this module tells when the request is complete.
        accesses.isolated &= !with_request;
        let call = accesses.calls.entry(site.address).or_insert_with(|| call_of(site)).clone();
        let Some(log) = accesses.logs.get_mut(&win) else { return };
        let is_complete = with_request;
        let record = Record { target, action, epoch, barrier, is_complete, ranges, call };
        if !log.admits(record.words()) {
            accesses.isolated = false;
            return;
        }
        let conflict = log.records.iter().rev().take(INCOMPLETE_MAX).find_map(|other| {
            let ordered = matches!(
                (action, other.action),
                (Action::Accumulate { .. }, Action::Accumulate { .. })
            );
            let range = record.conflicts(other)?;
            (!other.is_complete && !ordered).then(|| (range, other.epoch, other.call.clone()))
        });
        log.records.push(record);
        conflict
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
    let has_read = with_log(win, |log| {
        let mut has_read = log.is_cut;
        let completed = |record: &&mut Record| {
            !record.is_complete && target.is_none_or(|target| record.target == target)
        };
        for record in log.records.iter_mut().filter(completed) {
            record.is_complete = true;
            has_read |= record.action != Action::Put;
        }
        has_read
    });
    if has_read != Some(false) {
        learn();
    }
}

/// Returns the log of a window for the other processes. `None` if the window is not checked.
pub fn exchanged(win: usize) -> Option<Vec<u64>> {
    with_log(win, |log| log.words())
}

/// Compares this process's accesses to a window, as rank `rank`, with those of the `logs` of higher
/// ranks, and begins anew.
#[cold]
pub fn compare((win, window): (usize, &str), rank: u32, logs: &[Vec<u64>]) {
    let mut exposures = Exposures::default();
    let (are_cut, logs): (Vec<bool>, Vec<Vec<Record>>) = (0u32..)
        .zip(logs)
        .map(|(rank, words)| read(words, rank, &mut exposures).unwrap_or((true, Vec::new())))
        .unzip();
    for (own, other_rank, other, range) in conflicts(&logs, rank, &exposures) {
        let call = Call {
            function: format!("{} of rank {other_rank}", other.call.function),
            ..other.call.clone()
        };
        tell_call(&own.call, window, own.target, range, own.epoch, call);
    }
    let incomplete = (rank == 0).then(|| incomplete(window, &are_cut, &logs)).flatten();
    let is_first = with_log(win, |log| {
        log.clear();
        let has_told = log.has_told;
        log.has_told |= incomplete.is_some();
        !has_told
    });
    if let (Some(text), Some(true)) = (incomplete, is_first) {
        eprintln!("{text}");
    }
}

/// Returns what rank 0 of a window tells if not all accesses are compared. `are_cut`: whether
/// accesses of each rank are missing in its log.
fn incomplete(window: &str, are_cut: &[bool], logs: &[Vec<Record>]) -> Option<String> {
    let mut of_higher: usize = logs.iter().map(Vec::len).sum();
    let ranks: Vec<usize> = (0..)
        .zip(are_cut.iter().zip(logs))
        .filter_map(|(rank, (&is_cut, log))| {
            of_higher -= log.len();
            (is_cut || log.len() * of_higher > PAIRS_MAX).then_some(rank)
        })
        .collect();
    let others = match ranks.len() {
        0 => return None,
        1 => String::new(),
        several => format!(" and {} more", several - 1),
    };
    Some(format!(
        "nemesis: check: not all accesses of rank {}{others} to {window} are compared: they are \
         too many, or in too many pieces, for one call of MPI_Win_fence or MPI_Win_free; try: \
         fewer steps or processes, or smaller data",
        ranks[0]
    ))
}

/// Returns the conflicts of the accesses of `rank` with those of higher ranks, one for each pair of
/// calls.
fn conflicts<'a>(
    logs: &'a [Vec<Record>],
    rank: u32,
    exposures: &Exposures,
) -> Vec<(&'a Record, u32, &'a Record, ByteRange)> {
    let Some(own) = logs.get(rank as usize) else { return Vec::new() };
    let mut pairs = 0;
    let mut found: Vec<(&Record, u32, &Record, ByteRange)> = Vec::new();
    for (other_rank, others) in (0u32..).zip(logs).skip(rank as usize + 1) {
        for one in own {
            for other in others {
                pairs += 1;
                if pairs > PAIRS_MAX {
                    return found;
                }
                if let Some(range) = one.conflicts(other)
                    && one.is_concurrent(other, (rank, other_rank), exposures)
                    && !found.iter().any(|(known, known_rank, with, _)| {
                        known.call == one.call
                            && *known_rank == other_rank
                            && with.call == other.call
                    })
                {
                    found.push((one, other_rank, other, range));
                }
            }
        }
    }
    found
}

fn text(window: &str, target: u32, range: ByteRange, epoch: Epoch) -> String {
    let ByteRange { address, len } = range;
    format!(
        "{len} bytes at byte {address} of rank {target} in {window}, in an epoch of {}, without \
         synchronization with",
        epoch.name()
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    fn record(action: Action, epoch: Epoch, address: usize, line: u64) -> Record {
        Record {
            target: 1,
            action,
            epoch,
            barrier: 0,
            is_complete: true,
            ranges: vec![ByteRange { address, len: 8 }],
            call: Call { function: "MPI_Put".into(), module: "/a.out".into(), offset: line },
        }
    }

    fn number(logs: &[Vec<Record>], exposures: &Exposures) -> usize {
        conflicts(logs, 0, exposures).len()
    }

    #[test]
    fn logs_come_back() {
        let op = Action::Accumulate { op: 3, element: 0x209 };
        let records = vec![
            record(op, Epoch::Started(4), 0, 1),
            record(Action::Get, Epoch::Locked { exclusive: true }, 64, 2),
            record(Action::Put, Epoch::Fence, 8, 3),
        ];
        let log = Log { records: records.clone(), exposed: vec![[5, 6, 7]], ..Log::default() };
        let mut exposures = Exposures::default();
        assert_eq!(read(&log.words(), 2, &mut exposures), Some((false, records)));
        assert_eq!(exposures.0, HashMap::from([((2, 5, 6), 7)]));
        for length in 0..log.words().len() {
            assert_eq!(read(&log.words()[..length], 2, &mut exposures), None, "{length} words");
        }
    }

    #[test]
    fn a_log_has_a_limit_until_the_next_exchange() {
        let mut log = Log { words_max: 24, ..Log::default() };
        let put = record(Action::Put, Epoch::Fence, 0, 1);
        assert!(log.admits(put.words()) && log.admits(put.words()) && !log.is_cut);
        let full = Log { records: vec![put.clone(), put.clone()], ..Log::default() };
        let calls = Log { records: vec![put.clone()], ..Log::default() }.words().len();
        assert_eq!(full.words().len() - calls, put.words(), "the words that are counted");
        assert!(!log.admits(put.words()) && !log.admits(1) && log.is_cut);
        assert_eq!(log.words()[1..3], [1, 0], "no calls; cut; no exposure epochs");
        log.clear();
        assert!(log.admits(put.words()) && !log.is_cut);
    }

    #[test]
    fn accesses_that_are_not_compared_are_told() {
        let logs = |number: usize| vec![vec![record(Action::Get, Epoch::Fence, 0, 1); number]; 3];
        let none = [false; 3];
        assert_eq!(incomplete("w", &none, &logs(1)), None);
        let cut = incomplete("w", &[false, true, true], &logs(1)).unwrap();
        assert!(cut.contains("accesses of rank 1 and 1 more to w are"), "{cut}");
        let many = incomplete("w", &none, &logs(1500)).unwrap();
        assert!(many.contains("accesses of rank 0 to w are"), "4.5 million pairs: {many}");
    }

    #[test]
    fn only_writes_and_different_operations_conflict() {
        let sum = Action::Accumulate { op: 3, element: 1 };
        let actions = [
            Action::Get,
            Action::Put,
            sum,
            Action::Accumulate { op: 4, element: 1 },
            Action::Accumulate { op: 3, element: 2 },
            Action::Accumulate { op: 0, element: 1 },
        ];
        let of = |action: Action| actions.map(|other| action.conflicts(other));
        assert_eq!(of(Action::Get), [false, true, true, true, true, true]);
        assert_eq!(of(Action::Put), [true; 6]);
        assert_eq!(of(sum), [true, true, false, true, true, false]);
    }

    #[test]
    fn the_first_common_bytes_of_many_ranges_are_found() {
        let of = |ranges: &[(usize, usize)]| Record {
            ranges: ranges.iter().map(|&(address, len)| ByteRange { address, len }).collect(),
            ..record(Action::Put, Epoch::Fence, 0, 1)
        };
        let common = |one: &[(usize, usize)], other: &[(usize, usize)]| {
            let found = of(one).common(&of(other));
            assert_eq!(found, of(other).common(&of(one)));
            found.map(|range| (range.address, range.len))
        };
        let columns = [(0, 8), (16, 8), (32, 8)];
        assert_eq!(common(&columns, &[(8, 8), (24, 8), (40, 8)]), None);
        assert_eq!(common(&columns, &[(8, 8), (24, 10), (34, 8)]), Some((32, 2)));
        assert_eq!(common(&[(0, 100), (10, 4)], &[(50, 1)]), Some((50, 1)));
    }

    #[test]
    fn a_fence_and_an_exposure_make_accesses_concurrent() {
        let none = Exposures::default();
        let put = |epoch, address| vec![record(Action::Put, epoch, address, 1)];
        let pair = |epoch, address| [put(epoch, 0), put(epoch, address)];
        assert_eq!(number(&pair(Epoch::Fence, 7), &none), 1);
        assert_eq!(number(&pair(Epoch::Fence, 8), &none), 0);
        let started = pair(Epoch::Started(1), 0);
        let exposed = |second| Exposures(HashMap::from([((1, 0, 1), 1), ((1, 1, 1), second)]));
        assert_eq!(number(&started, &none), 0, "unknown exposure epochs");
        assert_eq!(number(&started, &exposed(1)), 1);
        assert_eq!(number(&started, &exposed(2)), 0, "one exposure epoch after the other");
    }

    #[test]
    fn locks_need_proof() {
        let none = Exposures::default();
        let shared = Epoch::Locked { exclusive: false };
        let put = |epoch| record(Action::Put, epoch, 0, 1);
        let after = |barrier| vec![Record { barrier, ..put(shared) }];
        let logs = |one, other| [after(one), after(other)];
        assert_eq!(number(&logs(0, 0), &none), 0, "something may have ordered them");
        assert_eq!(number(&logs(3, 3), &none), 1);
        assert_eq!(number(&logs(3, 4), &none), 0);
        let alone = Record { barrier: 3, ..put(Epoch::Locked { exclusive: true }) };
        assert_eq!(number(&[after(3), vec![alone]], &none), 0);
    }
}
