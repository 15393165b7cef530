//! Detection of jobs in which some ranks can never continue.
//!
//! Two state reports decide, one after the other. A rank is *stuck* if in both it waits in a
//! blocking call, has received nothing for `TIMEOUT` and nothing in between, has no operation under
//! way, and has no other thread that could act. Certain are:
//!
//! - the whole job: every rank is stuck or has ended, and as many packets have been received from
//!   other nodes as have been sent, so that none is under way between nodes;
//! - a part of it: stuck ranks each of which only a packet of one other rank can continue, and that
//!   rank is of the part, or has ended or waits in `MPI_Finalize`. Both are on one host, where no
//!   packet is under way to a rank that waits.
//!
//! A rank that computes, tests in a loop, has not joined the job or uses another MPI library is not
//! stuck. A rank that has finalized and lives on counts as computing: it may open a session (MPI
//! 5.0 §11.3).

use super::conclusions::{IN_A_CYCLE, conclusions, peer_of};
use crate::rank_state::{Doing, Entry};
use nemesis_shm::status::AWAITS_ALL;
use nemesis_wireup::ranks::named;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// Time for which every rank must have received nothing.
pub(super) const TIMEOUT: Duration = Duration::from_secs(4);
/// Time between the two state reports.
pub(super) const SECOND_LOOK: Duration = Duration::from_secs(1);
/// What a user can try about ranks that wait for each other.
const ANOTHER_ORDER: &str =
    "another order of sends and receives, or MPI_Sendrecv; a message for each receive";
/// What a user can try about ranks that wait for the message of one that is done with a collective
/// operation.
const MESSAGE_BEFORE: &str = "sending the message before the collective operation, or receiving it \
                              afterwards: the operation may wait for all (MPI 5.0 §6.14)";
/// Groups of ranks that a message lists at most.
const GROUPS_MAX: usize = 8;

type Entries = BTreeMap<u32, Entry>;

/// What the first state report has found: how long each rank that cannot continue had waited, in
/// milliseconds.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Suspicion(BTreeMap<u32, u64>);

/// Returns a suspicion if `entries`, the answers of a job of `ranks` ranks, look like ranks that
/// can never continue.
pub(super) fn suspect(entries: &Entries, ranks: usize) -> Option<Suspicion> {
    let waiting: BTreeMap<u32, u64> =
        entries.iter().filter_map(|(&rank, entry)| Some((rank, stuck_for(entry)?))).collect();
    let stuck =
        if is_whole_job(entries, &waiting, ranks) { waiting } else { part(entries, waiting) };
    (!stuck.is_empty()).then_some(Suspicion(stuck))
}

/// Returns whether all ranks have ended or are among those that wait.
fn is_whole_job(entries: &Entries, waiting: &BTreeMap<u32, u64>, ranks: usize) -> bool {
    let gone = entries.values().filter(|entry| is_gone(entry)).count();
    entries.len() == ranks && gone + waiting.len() == ranks
}

/// Returns those of the waiting ranks that only each other, or ranks that have left, could
/// continue.
fn part(entries: &Entries, mut waiting: BTreeMap<u32, u64>) -> BTreeMap<u32, u64> {
    loop {
        let is_held = |rank: &u32| {
            let Doing::Waits { peer: Some(peer), only_peer: true, finalizes: false, .. } =
                entries[rank].doing
            else {
                return false;
            };
            let Some(other) = entries.get(&peer) else { return false };
            let has_left = is_gone(other) || finalizes(other) && stuck_for(other).is_some();
            other.host == entries[rank].host && (has_left || waiting.contains_key(&peer))
        };
        let held: BTreeMap<u32, u64> =
            waiting.iter().filter(|(rank, _)| is_held(rank)).map(|(&it, &ms)| (it, ms)).collect();
        if held.len() == waiting.len() {
            return held;
        }
        waiting = held;
    }
}

/// Returns the message for the user if the second state report confirms the first one. `end` says
/// whether the job is ended for it.
pub(super) fn confirm(
    first: &Suspicion,
    entries: &Entries,
    size: u32,
    end: bool,
) -> Option<String> {
    let ranks = size as usize;
    let goes_on = |rank: &u32, now: u64| first.0.get(rank).is_some_and(|&then| now > then);
    let mut waiting: BTreeMap<u32, u64> =
        entries.iter().filter_map(|(&rank, entry)| Some((rank, stuck_for(entry)?))).collect();
    waiting.retain(|rank, now| goes_on(rank, *now));
    let sum = |count: fn(&Entry) -> u64| entries.values().map(count).fold(0, u64::wrapping_add);
    let arrived = sum(|entry| entry.sent) == sum(|entry| entry.received);
    if is_whole_job(entries, &waiting, ranks) {
        return (arrived && !waiting.is_empty()).then(|| message(entries, size, end));
    }
    let stuck = part(entries, waiting);
    (!stuck.is_empty()).then(|| part_message(entries, &stuck, size, end))
}

/// Returns how many milliseconds a rank has waited, if it cannot do anything by itself and has
/// waited for at least `TIMEOUT`.
fn stuck_for(entry: &Entry) -> Option<u64> {
    match entry.doing {
        Doing::Waits { milliseconds, idle: true, .. }
            if milliseconds >= TIMEOUT.as_millis() as u64 =>
        {
            Some(milliseconds)
        }
        _ => None,
    }
}

/// Returns whether the rank's processes have ended.
fn is_gone(entry: &Entry) -> bool {
    entry.is_over && matches!(entry.doing, Doing::Exited(_))
}

/// Returns whether the rank is inside `MPI_Finalize`.
fn finalizes(entry: &Entry) -> bool {
    matches!(entry.doing, Doing::Waits { finalizes: true, .. })
}

/// What becomes of the job, in words.
fn fate(end: bool) -> &'static str {
    if end {
        "all ranks are ended"
    } else {
        "the job is left as it is, and this message is not repeated"
    }
}

/// Composes the message about a job none of whose ranks can continue.
fn message(entries: &Entries, size: u32, end: bool) -> String {
    let (left, waiting): (Vec<&Entry>, Vec<&Entry>) =
        entries.values().partition(|entry| is_gone(entry) || finalizes(entry));
    let names = |list: &[&Entry]| named(&list.iter().map(|entry| entry.rank).collect::<Vec<u32>>());
    let verb = |list: &[&Entry], one: &'static str, several: &'static str| {
        if list.len() == 1 { one } else { several }
    };
    let what = if waiting.is_empty() {
        "all ranks have called MPI_Finalize, and it cannot end".to_owned()
    } else if left.is_empty() {
        format!(
            "{} {} for messages that can never come",
            names(&waiting),
            verb(&waiting, "waits", "wait")
        )
    } else {
        let has = verb(&left, "has", "have");
        let done = match (
            left.iter().any(|entry| finalizes(entry)),
            left.iter().any(|entry| is_gone(entry)),
        ) {
            (true, false) => "called MPI_Finalize",
            (false, _) => "ended",
            (true, true) => "called MPI_Finalize or ended",
        };
        let waits = verb(&waiting, "waits", "wait");
        format!(
            "{} {has} {done}, and {} {waits} for messages that can never come",
            names(&left),
            names(&waiting)
        )
    };
    let all = conclusions(entries);
    let advice = advice(&all, !left.is_empty());
    let why = "every rank waits or has ended, and no message is on its way";
    let mut text = format!("mpiexec: the job cannot go on: {what}; {}", fate(end));
    text.push_str(&who(entries.values(), size));
    // Writing to a String does not fail.
    let _ = write!(text, "{all}\n  why: {why}\n  try: {advice}");
    text
}

/// Returns what a user can try, given the conclusions and whether ranks have left that others wait
/// for.
fn advice(conclusions: &str, some_have_left: bool) -> &'static str {
    if conclusions.contains(IN_A_CYCLE) {
        ANOTHER_ORDER
    } else if conclusions.contains(AWAITS_ALL) {
        MESSAGE_BEFORE
    } else if some_have_left {
        "finding out why ranks reach MPI_Finalize early: \
         an exception, an early return, a call that not all ranks make"
    } else {
        "finding out which call, tag or rank differs from what the others expect"
    }
}

/// Composes the message about some ranks that can never continue.
fn part_message(entries: &Entries, stuck: &BTreeMap<u32, u64>, size: u32, end: bool) -> String {
    let ranks: Vec<u32> = stuck.keys().copied().collect();
    let waits = if ranks.len() == 1 { "waits" } else { "wait" };
    let mut text = format!(
        "mpiexec: {} {waits} for messages that can never come; {}",
        named(&ranks),
        fate(end)
    );
    let shown =
        |entry: &&Entry| stuck.contains_key(&entry.rank) || is_gone(entry) || finalizes(entry);
    text.push_str(&who(entries.values().filter(shown), size));
    let why = "each waits for one rank only, which waits itself or has left, and nothing is on its \
               way";
    // The other ranks may wait for each other at the moment, and still go on.
    let part = entries.iter().filter(|(_, entry)| shown(entry));
    let all = conclusions(&part.map(|(&rank, entry)| (rank, entry.clone())).collect());
    // An awaited rank that is not stuck has left.
    let awaited = |rank: &u32| peer_of(&entries[rank]);
    let some_have_left = ranks.iter().filter_map(awaited).any(|peer| !stuck.contains_key(&peer));
    let advice = advice(&all, some_have_left);
    // Writing to a String does not fail.
    let _ = write!(text, "{all}\n  why: {why}\n  try: {advice}");
    text
}

/// Returns lines about what ranks do, those that do the same thing together.
fn who<'a>(entries: impl Iterator<Item = &'a Entry>, size: u32) -> String {
    let mut text = String::new();
    let groups = groups(entries);
    // Writing to a String does not fail.
    for (index, (doing, ranks)) in groups.iter().take(GROUPS_MAX).enumerate() {
        let label = if index == 0 { "who:" } else { "    " };
        let doing = doing.replace('\n', "\n         ");
        let _ = write!(text, "\n  {label} {} of {size}: {doing}", named(ranks));
    }
    if groups.len() > GROUPS_MAX {
        let _ = write!(text, "\n       and ranks in {} other calls", groups.len() - GROUPS_MAX);
    }
    text
}

/// Groups the ranks that do the same thing, in the order of their first ranks.
fn groups<'a>(entries: impl Iterator<Item = &'a Entry>) -> Vec<(String, Vec<u32>)> {
    let mut groups: Vec<(String, Vec<u32>)> = Vec::new();
    for entry in entries {
        let doing = match &entry.doing {
            Doing::Waits { text, .. } => entry.with_place(text.clone()),
            _ => entry.in_words(),
        };
        match groups.iter_mut().find(|(known, _)| *known == doing) {
            Some((_, ranks)) => ranks.push(entry.rank),
            None => groups.push((doing, vec![entry.rank])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::test_entries;
    use crate::rank_state::Silence;

    fn entry(rank: u32, doing: Doing) -> (u32, Entry) {
        (rank, test_entries::entry(rank, doing))
    }

    fn waits(rank: u32, milliseconds: u64, finalizes: bool) -> (u32, Entry) {
        let text = if finalizes { "MPI_Finalize" } else { "MPI_Barrier" }.into();
        let (peer, only_peer, idle) = (None, false, true);
        entry(rank, Doing::Waits { text, peer, only_peer, milliseconds, finalizes, idle })
    }

    /// Returns what two state reports, one second apart, decide about a job whose ranks do
    /// `entries`, changed by `change`.
    fn decision(change: impl Fn(u32, &mut Entries)) -> Option<String> {
        let look = |second: u32| {
            let wait = 6000 + 1000 * u64::from(second);
            let mut entries = BTreeMap::from([
                waits(0, wait, false),
                waits(1, wait, true),
                waits(2, wait, false),
            ]);
            change(second, &mut entries);
            entries
        };
        let first = suspect(&look(0), 3)?;
        confirm(&first, &look(1), 3, true)
    }

    #[test]
    fn a_job_that_waits_for_a_finalizing_or_ended_rank_is_ended() {
        let text = decision(|_, _| {}).unwrap();
        assert!(
            text.contains(
                "rank 1 has called MPI_Finalize, \
                 and ranks 0, 2 wait for messages that can never come"
            ),
            "{text}"
        );
        assert!(
            text.contains("who: ranks 0, 2 of 3: MPI_Barrier\n       rank 1 of 3: MPI_Finalize\n"),
            "{text}"
        );
        let ended = decision(|_, entries| entries.extend([entry(1, Doing::Exited(1))])).unwrap();
        assert!(ended.contains("rank 1 has ended, and ranks 0, 2 wait"), "{ended}");
        assert!(ended.contains("rank 1 of 3: has ended with exit code 1"), "{ended}");
        assert!(
            decision(|second, entries| entries.extend((0..3).map(|rank| waits(
                rank,
                6000 + u64::from(second),
                true
            ))))
            .is_some()
        );
    }

    #[test]
    fn a_job_in_which_a_rank_can_act_goes_on() {
        let mut silent = vec![
            Doing::Silent(Silence::Outside(None)),
            Doing::InKernel { text: "MPI_File_sync of \"a\"".into(), milliseconds: 9000 },
            Doing::Finalized,
            Doing::NotJoined,
            Doing::Foreign,
            Doing::Killed(9),
        ];
        silent.push(Doing::Waits {
            text: "MPI_Recv".into(),
            peer: None,
            only_peer: false,
            milliseconds: 9000,
            finalizes: false,
            idle: false,
        });
        for doing in silent {
            assert_eq!(
                decision(|_, entries| entries.extend([entry(2, doing.clone())])),
                None,
                "{doing}"
            );
        }
        assert_eq!(
            decision(|_, entries| entries.extend([waits(2, 3999, false)])),
            None,
            "it has not waited for long"
        );
        assert_eq!(
            decision(|_, entries| entries.extend([waits(1, 6000, true)])),
            None,
            "a rank has received something in between"
        );
        assert_eq!(
            decision(|second, entries| entries.extend([waits(1, 6000 + u64::from(second), false)]))
                .map(|text| text.contains("ranks 0-2 wait for messages that can never come")),
            Some(true),
            "all ranks are alive and wait"
        );
        assert_eq!(
            decision(|_, entries| drop(entries.remove(&2))),
            None,
            "a host has not answered"
        );
        assert_eq!(
            decision(|_, entries| entries.values_mut().for_each(|entry| entry.sent = 1)),
            None,
            "packets are on their way"
        );
        let wrapped = |_, entries: &mut Entries| {
            entries.extend([entry(1, Doing::Exited(0))]);
            entries.values_mut().for_each(|entry| entry.is_over = false);
        };
        assert_eq!(
            decision(wrapped),
            None,
            "the rank's first process has ended, its program goes on"
        );
    }

    /// Returns what is decided about ranks 0 and 1, which wait for each other, and rank 2, which
    /// computes, changed by `change`.
    fn partly(change: impl Fn(&mut Entries)) -> Option<String> {
        let look = |second: u64| {
            let wait = 6000 + 1000 * second;
            let mut entries = BTreeMap::from([
                test_entries::waits(0, Some(1), wait),
                test_entries::waits(1, Some(0), wait),
                entry(2, Doing::Silent(Silence::Outside(None))),
            ]);
            change(&mut entries);
            entries
        };
        confirm(&suspect(&look(0), 3)?, &look(1), 3, true)
    }

    fn only_peer(entry: &mut Entry, only: bool) {
        if let Doing::Waits { only_peer, .. } = &mut entry.doing {
            *only_peer = only;
        }
    }

    #[test]
    fn a_cycle_is_certain_although_another_rank_computes() {
        let text = partly(|_| {}).unwrap();
        assert!(text.contains("ranks 0, 1 wait for messages that can never come"), "{text}");
        assert!(text.contains("in a cycle: 0, 1, 0\n  why: each waits"), "{text}");
        assert!(text.contains("try: another order of sends"), "{text}");
        let ended = partly(|entries| entries.extend([entry(1, Doing::Exited(0))])).unwrap();
        assert!(ended.contains("rank 0 waits for messages that can never come"), "{ended}");
        assert!(ended.contains("rank 0 waits for rank 1, which has ended with exit"), "{ended}");
        assert!(ended.contains("try: finding out why ranks reach MPI_Finalize early"), "{ended}");
        // Ranks 3 and 4 may go on, although each looks as if it waited for the other.
        let beside_others = partly(|entries| {
            entries.extend([entry(1, Doing::Exited(0))]);
            entries.extend([(3, 4), (4, 3)].map(|(rank, peer)| {
                let (_, mut waits) = test_entries::waits(rank, Some(peer), 0);
                only_peer(&mut waits, false);
                (rank, waits)
            }));
        });
        assert_eq!(beside_others, Some(ended));
        let alone = partly(|entries| {
            let wait = entries[&0].clone();
            let Doing::Waits { milliseconds, .. } = wait.doing else { panic!("{wait:?}") };
            entries.extend([
                test_entries::waits(0, Some(0), milliseconds),
                entry(1, Doing::Silent(Silence::Outside(None))),
            ]);
        });
        let alone = alone.unwrap();
        assert!(alone.contains("rank 0 waits for itself\n  why"), "{alone}");
        assert!(alone.contains("try: finding out which call, tag or rank differs"), "{alone}");
    }

    #[test]
    fn a_cycle_that_somebody_else_may_open_is_not_certain() {
        let other_host = |entries: &mut Entries| entries.get_mut(&1).unwrap().host = "g".into();
        assert_eq!(partly(other_host), None, "a packet may be under way between the hosts");
        let several = |entries: &mut Entries| only_peer(entries.get_mut(&1).unwrap(), false);
        assert_eq!(partly(several), None, "rank 1 waits for others, too");
        let chain = |entries: &mut Entries| {
            entries.extend([test_entries::waits(1, Some(2), 9000)]);
        };
        assert_eq!(partly(chain), None, "rank 2 computes, and may send to rank 1");
        let tests =
            Doing::Tests { text: "MPI_Test".into(), peer: None, milliseconds: 9000, ago: None };
        assert_eq!(partly(|entries| entries.extend([entry(1, tests.clone())])), None);
    }
}
