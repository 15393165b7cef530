//! Comparing the logs of all ranks: accesses that conflict with each other, and stores of a rank
//! that conflict with the accesses of others to its memory.
//!
//! Accesses are compared only with those that can be concurrent with them: the logs of all ranks
//! are grouped by target and moment, which is a fence epoch, an exposure epoch, or the time after a
//! barrier of all. A group has an entry for each call and kind of access, with its bytes as sorted
//! ranges, so that many accesses of a loop are looked up at once.

use super::memory::{Copies, checksum_at};
use super::record::{Action, Epoch, Exposures, Received, Record, Written};
use crate::Call;
use crate::ranges::{Ranges, end_of};
use nemesis_datatype::ByteRange;
use std::collections::{HashMap, HashSet};

/// Ranges that a process looks up in one exchange at most.
const STEPS_MAX: usize = 16 << 20;

/// A time in which accesses can be concurrent.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Moment {
    /// The epoch between two fences. Each exchange follows one.
    Fence,
    /// An exposure epoch of the target.
    Exposure(u64),
    /// The time after a barrier.
    Barrier(u64),
}

/// Returns the moments of an access of the rank `rank`.
fn moments(record: &Record, rank: u32, exposures: &Exposures) -> impl Iterator<Item = Moment> {
    let class = &record.class;
    let of_epoch = match class.epoch {
        Epoch::Fence => Some(Moment::Fence),
        Epoch::Started(number) => exposures.of(class.target, rank, number).map(Moment::Exposure),
        Epoch::Locked { .. } => None,
    };
    let barrier = (class.barrier != 0).then_some(Moment::Barrier(class.barrier));
    of_epoch.into_iter().chain(barrier)
}

/// Two accesses that conflict.
pub(super) struct Conflict<'a> {
    pub own: &'a Record,
    pub other_rank: u32,
    pub other: &'a Record,
    pub range: ByteRange,
}

/// Returns the conflicts of the accesses of `rank` with those of higher ranks, one for each pair of
/// calls, and whether all have been compared.
pub(super) fn conflicts<'a>(
    logs: &'a [Received],
    rank: u32,
    exposures: &Exposures,
) -> (Vec<Conflict<'a>>, bool) {
    conflicts_within(STEPS_MAX, logs, rank, exposures)
}

fn conflicts_within<'a>(
    steps_max: usize,
    logs: &'a [Received],
    rank: u32,
    exposures: &Exposures,
) -> (Vec<Conflict<'a>>, bool) {
    let Some(own) = logs.get(rank as usize) else { return (Vec::new(), true) };
    let mut groups: HashMap<(u32, Moment), Vec<(u32, &Record)>> = HashMap::new();
    for (other_rank, log) in (0u32..).zip(logs).skip(rank as usize + 1) {
        for record in &log.records {
            for moment in moments(record, other_rank, exposures) {
                groups.entry((record.class.target, moment)).or_default().push((other_rank, record));
            }
        }
    }
    let mut steps = 0;
    let mut known: HashSet<(&Call, u32, &Call)> = HashSet::new();
    let mut found = Vec::new();
    for record in &own.records {
        let near = moments(record, rank, exposures)
            .filter_map(|moment| groups.get(&(record.class.target, moment)))
            .flatten();
        for &(other_rank, other) in near {
            steps += 1;
            let pair = (&record.call, other_rank, &other.call);
            if known.contains(&pair)
                || !record.class.action.conflicts(other.class.action)
                || !record.is_concurrent(other, (rank, other_rank), exposures)
            {
                continue;
            }
            let (range, looked_up) = record.entry.ranges.common_with(&other.entry.ranges);
            steps += looked_up;
            if let Some(range) = range {
                known.insert(pair);
                found.push(Conflict { own: record, other_rank, other, range });
            }
            if steps > steps_max {
                return (found, false);
            }
        }
    }
    (found, true)
}

/// A store, or another write that no log tells of, that conflicts with an access.
#[derive(Debug)]
pub(super) struct Store<'a> {
    pub range: ByteRange,
    pub rank: u32,
    /// The access of the rank `rank`.
    pub call: &'a Call,
    /// Whether the access is a put, whose data are lost, or else a get.
    pub is_put: bool,
    /// The exposure epoch; `None` for a fence epoch.
    pub exposure: Option<u64>,
}

/// Returns the stores into the memory of `rank` that conflict with accesses of others, one for each
/// call. Nothing is known of them if a log is cut.
pub(super) fn stores<'a>(
    logs: &'a [Received],
    rank: u32,
    exposures: &Exposures,
    copies: &Copies,
) -> Vec<Store<'a>> {
    if logs.iter().any(|log| log.is_cut) {
        return Vec::new();
    }
    let accesses = || {
        let to_here = move |record: &&Record| record.class.target == rank;
        (0u32..).zip(logs).flat_map(move |(other, log)| {
            log.records.iter().filter(to_here).map(move |record| (other, record))
        })
    };
    let writes: Ranges = accesses()
        .filter(|(_, record)| record.class.action != Action::Get)
        .flat_map(|(_, record)| record.entry.ranges.iter())
        .collect();
    let mut found: Vec<Store<'_>> = Vec::new();
    let gets = accesses().filter(|(other, record)| {
        *other != rank && record.class.action == Action::Get && record.class.is_fresh
    });
    for (other, record) in gets {
        let exposure = match record.class.epoch {
            Epoch::Fence => None,
            Epoch::Started(number) => match exposures.of(rank, other, number) {
                Some(exposure) => Some(exposure),
                None => continue,
            },
            Epoch::Locked { .. } => continue,
        };
        let changed = record
            .entry
            .ranges
            .iter()
            .flat_map(|range| writes.gaps(range))
            .find_map(|range| copies.changed(exposure, range));
        if let Some(range) = changed
            && !found.iter().any(|store| store.rank == other && *store.call == record.call)
        {
            found.push(Store { range, rank: other, call: &record.call, is_put: false, exposure });
        }
    }
    let Some(now) = copies.now() else { return found };
    let unknown: Ranges = accesses()
        .filter(|(_, record)| record.entry.is_unknown)
        .flat_map(|(_, record)| record.entry.ranges.iter())
        .collect();
    for (other, put) in alone(logs, rank, &unknown) {
        let is_new = !found.iter().any(|store| store.rank == other && *store.call == put.call);
        if is_new && checksum_at(now, &put.ranges).is_some_and(|sum| sum != put.checksum) {
            let (first, last) = (put.ranges[0], put.ranges[put.ranges.len() - 1]);
            let range = ByteRange { address: first.address, len: end_of(last) - first.address };
            found.push(Store { range, rank: other, call: &put.call, is_put: true, exposure: None });
        }
    }
    found
}

/// Returns the puts to `rank` that share no byte with another write: their data must be there.
fn alone<'a>(logs: &'a [Received], rank: u32, unknown: &Ranges) -> Vec<(u32, &'a Written)> {
    let puts: Vec<(u32, &Written)> = (0u32..)
        .zip(logs)
        .flat_map(|(other, log)| log.written.iter().map(move |put| (other, put)))
        .filter(|(_, put)| put.target == rank && !put.ranges.is_empty())
        .collect();
    let mut ranges: Vec<(usize, usize, usize)> = Vec::new();
    for (index, (_, put)) in puts.iter().enumerate() {
        ranges.extend(put.ranges.iter().map(|&range| (range.address, end_of(range), index)));
    }
    ranges.sort_unstable();
    let mut meets_another: Vec<bool> = puts
        .iter()
        .map(|(_, put)| put.ranges.iter().any(|&range| unknown.common(range).is_some()))
        .collect();
    // The range that reaches furthest so far, and its put.
    let (mut furthest, mut whose) = (0, 0);
    for (start, end, index) in ranges {
        if start < furthest {
            meets_another[index] = true;
            meets_another[whose] = true;
        }
        if end > furthest {
            (furthest, whose) = (end, index);
        }
    }
    puts.into_iter().zip(meets_another).filter(|(_, meets)| !meets).map(|(put, _)| put).collect()
}

#[cfg(test)]
mod tests {
    use super::super::memory::checksum_of;
    use super::super::record::{Class, Entry};
    use super::*;

    fn record(action: Action, epoch: Epoch, address: usize, line: u64) -> Record {
        Record {
            class: Class { target: 1, action, epoch, barrier: 0, is_fresh: true, site: 0 },
            entry: Entry {
                ranges: [ByteRange { address, len: 8 }].into_iter().collect(),
                is_unknown: false,
            },
            call: Call { function: "MPI_Put".into(), module: "/a.out".into(), offset: line },
        }
    }

    fn log(records: Vec<Record>) -> Received {
        Received { is_cut: false, records, written: Vec::new() }
    }

    fn number(logs: &[Received], exposures: &Exposures) -> usize {
        conflicts(logs, 0, exposures).0.len()
    }

    #[test]
    fn a_fence_and_an_exposure_make_accesses_concurrent() {
        let none = Exposures::default();
        let put = |epoch, address| log(vec![record(Action::Put, epoch, address, 1)]);
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
        let after = |barrier, exclusive| {
            let mut put = record(Action::Put, Epoch::Locked { exclusive }, 0, 1);
            put.class.barrier = barrier;
            log(vec![put])
        };
        let logs = |one, other| [after(one, false), after(other, false)];
        assert_eq!(number(&logs(0, 0), &none), 0, "something may have ordered them");
        assert_eq!(number(&logs(3, 3), &none), 1);
        assert_eq!(number(&logs(3, 4), &none), 0);
        assert_eq!(number(&[after(3, false), after(3, true)], &none), 0);
    }

    #[test]
    fn one_conflict_is_found_for_each_pair_of_calls() {
        let puts = |lines: &[u64]| {
            log(lines.iter().map(|&line| record(Action::Put, Epoch::Fence, 0, line)).collect())
        };
        let logs = [puts(&[1, 1, 2]), puts(&[3, 3]), puts(&[3])];
        assert_eq!(number(&logs, &Exposures::default()), 4);
    }

    #[test]
    fn many_accesses_are_compared_until_a_limit() {
        let puts = |from: usize| {
            log((0..200)
                .map(|index| {
                    record(Action::Put, Epoch::Fence, from + 16 * index, (from + index) as u64)
                })
                .collect())
        };
        let logs = [puts(0), puts(8)];
        let none = Exposures::default();
        let (found, is_whole) = conflicts(&logs, 0, &none);
        assert!(found.is_empty() && is_whole, "they share no byte");
        assert!(!conflicts_within(79_999, &logs, 0, &none).1);
        assert!(conflicts_within(80_000, &logs, 0, &none).1);
    }

    fn written(address: usize, data: &[u8]) -> Written {
        Written {
            target: 1,
            ranges: vec![ByteRange { address, len: data.len() }],
            checksum: checksum_of(data),
            call: Call { function: "MPI_Put".into(), ..Call::default() },
        }
    }

    #[test]
    fn stores_into_what_others_read_are_found() {
        let none = Exposures::default();
        let get = record(Action::Get, Epoch::Fence, 0, 1);
        let copies = Copies::between(&[0; 32], &[0, 0, 0, 7, 7, 0, 0, 0]);
        let ranges = |logs: &[Received]| -> Vec<(usize, usize)> {
            let found = stores(logs, 1, &none, &copies);
            found.iter().map(|store| (store.range.address, store.range.len)).collect()
        };
        assert_eq!(ranges(&[log(vec![get.clone()]), log(vec![])]), [(3, 2)]);
        let late = Record { class: Class { is_fresh: false, ..get.class }, ..get.clone() };
        assert_eq!(ranges(&[log(vec![late]), log(vec![])]), []);
        let put = record(Action::Put, Epoch::Fence, 0, 2);
        assert_eq!(ranges(&[log(vec![get.clone()]), log(vec![]), log(vec![put])]), []);
        let cut = Received { is_cut: true, ..Received::default() };
        assert_eq!(ranges(&[log(vec![get]), cut]), []);
    }

    #[test]
    fn puts_whose_data_are_lost_are_found() {
        let none = Exposures::default();
        let mut now = [0; 32];
        now[8..16].copy_from_slice(&[1; 8]);
        let copies = Copies::between(&[0; 32], &now);
        let of = |written: Vec<Written>, records| Received { is_cut: false, records, written };
        let lost = |logs: &[Received]| stores(logs, 1, &none, &copies).len();
        let there = of(vec![written(8, &[1; 8])], vec![]);
        let gone = || of(vec![written(8, &[1, 1, 1, 1, 1, 1, 1, 2])], vec![]);
        assert_eq!(lost(&[there, log(vec![])]), 0);
        assert_eq!(lost(&[gone(), log(vec![])]), 1);
        assert_eq!(lost(&[gone(), of(vec![written(15, &[0])], vec![])]), 0, "another put");
        let mut sum = record(Action::Accumulate { op: 1, element: 1 }, Epoch::Fence, 8, 1);
        sum.entry.is_unknown = true;
        assert_eq!(lost(&[gone(), log(vec![sum])]), 0, "an accumulate");
        assert_eq!(lost(&[gone(), of(vec![written(30, &[0; 8])], vec![])]), 1, "beyond the end");
    }
}
