//! The conclusion about a running job: who waits for whom, from what its ranks on this host report.

use super::finding::{Finding, Weight};
use super::print;
use crate::diagnostic::Diagnostic;
use crate::top::job::{self, Launcher};
use crate::top::snapshot::{Doing, RankState, Snapshot};
use crate::top::text::title;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

/// Time within which the launcher asks its ranks.
const ASKING: Duration = Duration::from_secs(4);
/// Milliseconds from which a rank counts as one that waits.
const WAITS_MS: u64 = 1000;

/// Prints the conclusion about job `wanted`, or the only job. The exit code is 1 if ranks wait for
/// what cannot come.
pub fn run(wanted: Option<u32>) -> Result<ExitCode, Diagnostic> {
    let launcher = job::find(wanted)?;
    let snapshot = settled(&launcher)?;
    let findings = findings(&snapshot);
    print!("{}", text(&snapshot, &findings));
    let is_problem = findings.iter().any(|finding| finding.weight == Weight::Problem);
    Ok(if is_problem { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns a snapshot after the launcher has asked all ranks.
fn settled(launcher: &Launcher) -> Result<Snapshot, Diagnostic> {
    let until = Instant::now() + ASKING;
    loop {
        let snapshot = Snapshot::take(launcher)?;
        let is_unknown = snapshot.ranks.iter().any(|rank| rank.doing == Doing::Unknown);
        if !is_unknown || Instant::now() > until {
            return Ok(snapshot);
        }
        thread::sleep(Duration::from_millis(100));
    }
}

/// Returns the report.
fn text(snapshot: &Snapshot, findings: &[Finding]) -> String {
    let mut text = format!("{}\n", title(snapshot));
    for rank in &snapshot.ranks {
        // Writing to a String does not fail.
        let _ = writeln!(text, "  rank {}, process {}: {}", rank.rank, rank.pid, rank.line());
        if let Doing::Inside { text: all, .. } = &rank.doing {
            all.lines().skip(1).for_each(|line| {
                let _ = writeln!(text, "    {line}");
            });
        }
    }
    if (snapshot.ranks.len() as u32) < snapshot.size {
        let _ = writeln!(
            text,
            "  ranks of other hosts are not examined; SIGUSR1 to the job's first mpiexec prints \
             what all do"
        );
    }
    let waiting = snapshot.ranks.iter().filter(|rank| waits(rank)).count();
    match (findings.len(), waiting) {
        (0, 0) => text.push_str("conclusion: no rank waits for long\n"),
        (0, _) => text.push_str("conclusion: ranks wait, and it is not known for which others\n"),
        _ => text.push_str("conclusion:\n"),
    }
    print::numbered(&mut text, findings);
    text
}

/// Returns whether a rank has waited for long.
fn waits(rank: &RankState) -> bool {
    matches!(rank.doing, Doing::Inside { milliseconds, .. } if milliseconds >= WAITS_MS)
}

/// Returns what follows from the ranks that wait for another one.
fn findings(snapshot: &Snapshot) -> Vec<Finding> {
    let ranks: BTreeMap<u32, &RankState> =
        snapshot.ranks.iter().map(|rank| (rank.rank, rank)).collect();
    let peer = |rank: u32| ranks.get(&rank).filter(|rank| waits(rank)).and_then(|it| it.peer());
    let cycle = cycle(ranks.keys().copied(), &peer).unwrap_or_default();
    let mut awaited: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for rank in ranks.keys().filter(|rank| !cycle.contains(rank)) {
        if let Some(peer) = peer(*rank) {
            awaited.entry(peer).or_default().push(*rank);
        }
    }
    let of_cycle = (!cycle.is_empty()).then(|| {
        let around: Vec<String> = cycle.iter().chain(cycle.first()).map(u32::to_string).collect();
        Finding::problem(
            format!("{} wait for each other in a cycle: {}", named(&cycle), around.join(", ")),
            "each waits for a message of the next one, which waits, too",
            "another order of sends and receives, or MPI_Sendrecv",
        )
    });
    let others = awaited.iter().map(|(peer, waiting)| match ranks.get(peer) {
        Some(rank) => awaits(waiting, rank),
        None => Finding::cost(
            format!("{} for rank {peer} of another host", wait(waiting)),
            "what that rank does is known on its host",
            "`nemesis doctor --job` on that host",
        ),
    });
    of_cycle.into_iter().chain(others).collect()
}

/// Returns the finding about ranks that wait for `rank`.
fn awaits(waiting: &[u32], rank: &RankState) -> Finding {
    let what = format!("{} for rank {}", wait(waiting), rank.rank);
    match &rank.doing {
        Doing::Finalized | Doing::Ended => Finding::problem(
            what,
            format!("rank {} {}", rank.rank, rank.line()),
            "finding out why it leaves early: an exception, an early return",
        ),
        Doing::Inside { text, .. } => Finding::cost(
            what,
            format!("rank {} is in {}", rank.rank, text.lines().next().unwrap_or_default()),
            "comparing the call, tag and communicator of both sides",
        ),
        Doing::Outside | Doing::Unknown | Doing::Earlier { .. } => Finding::cost(
            what,
            format!("rank {} is not inside MPI: it computes, sleeps or reads", rank.rank),
            format!("gdb -p {}, if it takes longer than expected", rank.pid),
        ),
    }
}

/// Returns `rank 1 waits` or `ranks 1, 2 wait`.
fn wait(ranks: &[u32]) -> String {
    format!("{} {}", named(ranks), if ranks.len() == 1 { "waits" } else { "wait" })
}

/// Returns ranks by name.
fn named(ranks: &[u32]) -> String {
    let all: Vec<String> = ranks.iter().map(u32::to_string).collect();
    format!("{} {}", if ranks.len() == 1 { "rank" } else { "ranks" }, all.join(", "))
}

/// Returns ranks each of which waits for the next one, and the last one for the first.
fn cycle(
    ranks: impl Iterator<Item = u32> + Clone,
    peer: &impl Fn(u32) -> Option<u32>,
) -> Option<Vec<u32>> {
    let count = ranks.clone().count();
    ranks.into_iter().find_map(|first| {
        let walk: Vec<u32> =
            std::iter::successors(Some(first), |&rank| peer(rank)).take(count + 1).collect();
        let back = walk.iter().skip(1).position(|&rank| rank == first)?;
        Some(walk[..=back].to_vec())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(rank: u32, doing: Doing) -> RankState {
        RankState { rank, pid: 100 + rank, doing, figures: None }
    }

    fn inside(number: u32, peer: Option<u32>, milliseconds: u64) -> RankState {
        rank(number, Doing::Inside { text: "MPI_Recv: a\nhas 1".into(), peer, milliseconds })
    }

    fn snapshot(ranks: Vec<RankState>, size: u32) -> Snapshot {
        let command = "mpiexec ./a".into();
        Snapshot { launcher: 7, command, size, counts: false, ranks, at: 0 }
    }

    #[test]
    fn a_cycle_is_a_problem_and_a_wait_for_a_rank_that_computes_is_none() {
        let found = findings(&snapshot(
            vec![
                inside(0, Some(1), 2000),
                inside(1, Some(0), 2000),
                inside(2, Some(3), 2000),
                rank(3, Doing::Outside),
            ],
            4,
        ));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].what, "ranks 0, 1 wait for each other in a cycle: 0, 1, 0");
        assert_eq!((found[0].weight, found[1].weight), (Weight::Problem, Weight::Cost));
        assert_eq!(found[1].what, "rank 2 waits for rank 3");
        assert!(found[1].why.starts_with("rank 3 is not inside MPI"));
        let left = snapshot(vec![inside(0, Some(1), 2000), rank(1, Doing::Finalized)], 2);
        assert_eq!(findings(&left)[0].weight, Weight::Problem);
        let short = snapshot(vec![inside(0, Some(1), 20), inside(1, Some(0), 20)], 2);
        assert_eq!(findings(&short), []);
        let text = text(&short, &[]);
        assert!(text.ends_with("    has 1\nconclusion: no rank waits for long\n"), "{text}");
    }

    #[test]
    fn ranks_of_other_hosts_are_named() {
        let here = snapshot(vec![inside(0, Some(1), 2000)], 2);
        let found = findings(&here);
        assert_eq!(found[0].what, "rank 0 waits for rank 1 of another host");
        assert!(text(&here, &found).contains("ranks of other hosts are not examined"));
    }
}
