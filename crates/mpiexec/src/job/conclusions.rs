//! What follows from a state report: who waits for whom, and what the awaited ranks do.

use crate::rank_state::{Doing, Entry};
use nemesis_wireup::ranks::{around, cycle, named};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lines at most about ranks that wait for another one.
const LINES_MAX: usize = 8;

/// What is said of ranks that wait for each other.
pub(super) const IN_A_CYCLE: &str = "wait for each other in a cycle";

type Entries = BTreeMap<u32, Entry>;

/// Returns lines about the ranks that others wait for, and about a cycle of waiting ranks.
pub(super) fn conclusions(entries: &Entries) -> String {
    let mut text = String::new();
    let cycle = cycle(entries.keys().copied(), |rank| peer_of(entries.get(&rank)?));
    let in_cycle = |rank: &u32| cycle.as_ref().is_some_and(|cycle| cycle.contains(rank));
    let mut awaited: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (&rank, entry) in entries.iter().filter(|(rank, _)| !in_cycle(rank)) {
        if let Some(peer) = peer_of(entry) {
            awaited.entry(peer).or_default().push(rank);
        }
    }
    for (peer, ranks) in awaited.iter().take(LINES_MAX) {
        let Some(entry) = entries.get(peer) else { continue };
        let waits = if ranks.len() == 1 { "waits" } else { "wait" };
        // Writing to a String does not fail.
        let _ = write!(text, "\n  {} {waits} for rank {peer}, which {}", named(ranks), does(entry));
    }
    if let Some(cycle) = &cycle {
        let _ = match &cycle[..] {
            [alone] => write!(text, "\n  rank {alone} waits for itself"),
            _ => write!(text, "\n  these ranks {IN_A_CYCLE}: {}", around(cycle)),
        };
    }
    text
}

/// Returns the rank that a rank waits or tests for.
pub(super) fn peer_of(entry: &Entry) -> Option<u32> {
    match entry.doing {
        Doing::Waits { peer, finalizes: false, .. } | Doing::Tests { peer, .. } => peer,
        _ => None,
    }
}

/// Describes what an awaited rank does.
fn does(entry: &Entry) -> String {
    match &entry.doing {
        Doing::Waits { finalizes: true, .. } => "is in MPI_Finalize".into(),
        Doing::Waits { text, .. } | Doing::Tests { text, .. } => {
            format!("is in {}", text.lines().next().unwrap_or_default())
        }
        Doing::InKernel { .. } => format!("is in {}", entry.doing),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::test_entries::{entry, waits};
    use crate::rank_state::Silence;

    #[test]
    fn the_awaited_rank_and_what_it_does_are_named() {
        let two_for_one = BTreeMap::from([
            waits(0, Some(1), 0),
            (1, entry(1, Doing::Silent(Silence::Outside(None)))),
            waits(2, Some(1), 0),
        ]);
        assert_eq!(
            conclusions(&two_for_one),
            "\n  ranks 0, 2 wait for rank 1, which is not inside MPI: it computes"
        );
        let circle =
            BTreeMap::from([waits(0, Some(1), 0), waits(1, Some(0), 0), waits(2, Some(0), 0)]);
        assert_eq!(
            conclusions(&circle),
            "\n  rank 2 waits for rank 0, which is in MPI_Recv\
             \n  these ranks wait for each other in a cycle: 0, 1, 0"
        );
        let alone = BTreeMap::from([waits(0, Some(0), 0), waits(1, Some(0), 0)]);
        assert_eq!(
            conclusions(&alone),
            "\n  rank 1 waits for rank 0, which is in MPI_Recv\n  rank 0 waits for itself"
        );
        let (text, milliseconds) = ("MPI_File_sync of \"a\"".into(), 7200);
        let reads = entry(1, Doing::InKernel { text, milliseconds });
        assert!(conclusions(&BTreeMap::from([waits(0, Some(1), 9), (1, reads)])).ends_with(
            "rank 1, which is in MPI_File_sync of \"a\"; the kernel has not returned for 7.2 s"
        ));
        let left = BTreeMap::from([waits(0, Some(1), 9), (1, entry(1, Doing::Exited(3)))]);
        assert!(conclusions(&left).ends_with("rank 1, which has ended with exit code 3"));
    }
}
