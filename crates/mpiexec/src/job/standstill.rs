//! Detection of jobs that can never continue: some ranks have ended or are inside `MPI_Finalize`,
//! all others wait in blocking calls, and no message is on its way.
//!
//! Two state reports decide, one after the other. In both, every rank that has not ended waits, has
//! received nothing for `TIMEOUT`, has no operation under way, and has no other thread that could
//! act. In the second, no rank has received anything since the first, and as many packets have been
//! received from other nodes as have been sent, so that none is under way between nodes.
//!
//! A rank that computes, tests in a loop, has not joined the job or uses another MPI library does
//! not answer, and the job goes on. A rank that has finalized and lives on counts as computing: it
//! may open a session (MPI 5.0 §11.3).

use crate::rank_state::{Doing, Entry};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// Time for which every rank must have received nothing.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);
/// Time between the two state reports.
pub(super) const SECOND_LOOK: Duration = Duration::from_secs(1);
/// Groups of ranks that a message lists at most.
const GROUPS_MAX: usize = 8;

type Entries = BTreeMap<u32, Entry>;

/// What the first state report has found: how long each rank had waited, in milliseconds.
pub(super) struct Suspicion(BTreeMap<u32, u64>);

/// Returns a suspicion if `entries`, the answers of a job of `ranks` ranks, look like a job that
/// can never continue.
pub(super) fn suspect(entries: &Entries, ranks: usize) -> Option<Suspicion> {
    let waiting: BTreeMap<u32, u64> =
        entries.iter().filter_map(|(&rank, entry)| Some((rank, stuck_for(entry)?))).collect();
    let gone = entries.values().filter(|entry| is_gone(entry)).count();
    let is_all = entries.len() == ranks && gone + waiting.len() == ranks && !waiting.is_empty();
    is_all.then_some(Suspicion(waiting))
}

/// Returns the message for the user if the second state report confirms the first one.
pub(super) fn confirm(first: &Suspicion, entries: &Entries, size: u32) -> Option<String> {
    let second = suspect(entries, size as usize)?;
    let goes_on = |(rank, now): (&u32, &u64)| first.0.get(rank).is_some_and(|then| now > then);
    let sum = |count: fn(&Entry) -> u64| entries.values().map(count).fold(0, u64::wrapping_add);
    let arrived = sum(|entry| entry.sent) == sum(|entry| entry.received);
    let a_rank_has_left = entries.values().any(|entry| is_gone(entry) || finalizes(entry));
    (second.0.iter().all(goes_on) && arrived && a_rank_has_left).then(|| message(entries, size))
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

/// Composes the message that ends the job.
fn message(entries: &Entries, size: u32) -> String {
    let (left, waiting): (Vec<&Entry>, Vec<&Entry>) =
        entries.values().partition(|entry| is_gone(entry) || finalizes(entry));
    let names = |list: &[&Entry]| named(&list.iter().map(|entry| entry.rank).collect::<Vec<u32>>());
    let what = if waiting.is_empty() {
        "all ranks have called MPI_Finalize, and it cannot end".to_owned()
    } else {
        let verb = |list: &[&Entry], one: &'static str, several: &'static str| {
            if list.len() == 1 { one } else { several }
        };
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
    let mut text = format!("mpiexec: the job cannot go on: {what}; all ranks are ended");
    let groups = groups(entries);
    // Writing to a String does not fail.
    for (index, (doing, ranks)) in groups.iter().take(GROUPS_MAX).enumerate() {
        let label = if index == 0 { "who:" } else { "    " };
        let _ = write!(text, "\n  {label} {} of {size}: {doing}", named(ranks));
    }
    if groups.len() > GROUPS_MAX {
        let _ = write!(text, "\n       and ranks in {} other calls", groups.len() - GROUPS_MAX);
    }
    let why = "every rank waits or has ended, and no message is on its way";
    let advice = "finding out why ranks reach MPI_Finalize early: \
                  an exception, an early return, a call that not all ranks make";
    let _ = write!(text, "\n  why: {why}\n  try: {advice}");
    text
}

/// Groups the ranks that do the same thing, in the order of their first ranks.
fn groups(entries: &Entries) -> Vec<(String, Vec<u32>)> {
    let mut groups: Vec<(String, Vec<u32>)> = Vec::new();
    for entry in entries.values() {
        let doing = match &entry.doing {
            Doing::Waits { text, .. } => text.clone(),
            other => other.to_string(),
        };
        match groups.iter_mut().find(|(known, _)| *known == doing) {
            Some((_, ranks)) => ranks.push(entry.rank),
            None => groups.push((doing, vec![entry.rank])),
        }
    }
    groups
}

/// Formats ascending ranks as `rank 3` or `ranks 0, 2-7`.
fn named(ranks: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == rank => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    let shown = |&(first, last): &(u32, u32)| match last - first {
        0 => first.to_string(),
        1 => format!("{first}, {last}"),
        _ => format!("{first}-{last}"),
    };
    let list = runs.iter().map(shown).collect::<Vec<String>>().join(", ");
    format!("{} {list}", if ranks.len() == 1 { "rank" } else { "ranks" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(rank: u32, doing: Doing) -> (u32, Entry) {
        (
            rank,
            Entry {
                rank,
                host: "h".into(),
                pid: 1,
                is_over: matches!(doing, Doing::Exited(_)),
                sent: 0,
                received: 0,
                doing,
            },
        )
    }

    fn waits(rank: u32, milliseconds: u64, finalizes: bool) -> (u32, Entry) {
        let text = if finalizes { "MPI_Finalize" } else { "MPI_Barrier" }.into();
        entry(rank, Doing::Waits { text, peer: None, milliseconds, finalizes, idle: true })
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
        confirm(&first, &look(1), 3)
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
            Doing::Computes,
            Doing::Finalized,
            Doing::NotJoined,
            Doing::Foreign,
            Doing::Killed(9),
        ];
        silent.push(Doing::Waits {
            text: "MPI_Recv".into(),
            peer: None,
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
            decision(|_, entries| entries.extend([waits(2, 4999, false)])),
            None,
            "it has not waited for long"
        );
        assert_eq!(
            decision(|_, entries| entries.extend([waits(1, 6000, true)])),
            None,
            "a rank has received something in between"
        );
        assert_eq!(
            decision(|_, entries| entries.extend([waits(1, 7000, false)])),
            None,
            "no rank has left"
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

    #[test]
    fn ranks_are_named_in_runs() {
        assert_eq!(named(&[3]), "rank 3");
        assert_eq!(named(&[0, 1, 3, 5, 6, 7]), "ranks 0, 1, 3, 5-7");
    }
}
