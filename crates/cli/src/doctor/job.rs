//! The conclusion about a running job: who waits for whom, from what its ranks on this host report.

use super::finding::{Finding, Weight};
use super::print;
use crate::diagnostic::Diagnostic;
use crate::top::job::{self, Launcher};
use crate::top::snapshot::{self, Doing, Known, RankState, Snapshot};
use crate::top::text::title;
use nemesis_sys::process_state::State;
use nemesis_wireup::ranks::{around, cycle, named};
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
/// what cannot come, and nothing else can continue them.
pub fn run(wanted: Option<u32>) -> Result<ExitCode, Diagnostic> {
    let launcher = job::find(wanted)?;
    let snapshot = settled(&launcher)?;
    let findings = findings(&snapshot);
    print!("{}", text(&snapshot, &findings));
    let is_problem = findings.iter().any(|finding| finding.weight == Weight::Problem);
    Ok(if is_problem { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Returns a snapshot after the launcher has asked all ranks, and at least the second one.
fn settled(launcher: &Launcher) -> Result<Snapshot, Diagnostic> {
    let until = Instant::now() + ASKING;
    let mut known = Known::default();
    Snapshot::take(launcher, &mut known)?;
    loop {
        thread::sleep(snapshot::INTERVAL_MIN);
        let snapshot = Snapshot::take(launcher, &mut known)?;
        let is_unknown = snapshot.ranks.iter().any(|rank| rank.doing == Doing::Unknown);
        if !is_unknown || Instant::now() > until {
            return Ok(snapshot);
        }
    }
}

/// Returns the report.
fn text(snapshot: &Snapshot, findings: &[Finding]) -> String {
    let mut text = format!("{}\n", title(snapshot));
    for rank in &snapshot.ranks {
        // Writing to a String does not fail.
        let _ = writeln!(text, "  rank {}, process {}: {}", rank.rank, rank.pid, rank.line());
        rank.further_lines().iter().for_each(|line| {
            let _ = writeln!(text, "    {line}");
        });
    }
    if (snapshot.ranks.len() as u32) < snapshot.size {
        let _ = writeln!(
            text,
            "  ranks that have ended or are on other hosts are not examined; SIGUSR1 to the job's \
             first mpiexec prints what all do"
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
    let certain_peer = |rank: u32| peer(rank).filter(|_| is_certain(ranks[&rank]));
    // A cycle that some rank may leave must not hide one that none can.
    let closed = cycle(ranks.keys().copied(), certain_peer);
    let is_closed = closed.is_some();
    let cycle = closed.or_else(|| cycle(ranks.keys().copied(), peer)).unwrap_or_default();
    let mut awaited: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for rank in ranks.keys().filter(|rank| !cycle.contains(rank)) {
        if let Some(peer) = peer(*rank) {
            awaited.entry(peer).or_default().push(*rank);
        }
    }
    let of_cycle = match &cycle[..] {
        [] => None,
        [alone] => Some(awaits_itself(ranks[alone], is_closed)),
        _ => Some(awaits_each_other(&cycle, is_closed)),
    };
    let others = awaited.iter().map(|(peer, waiting)| match ranks.get(peer) {
        Some(rank) => awaits(waiting, rank, waiting.iter().any(|it| is_certain(ranks[it]))),
        None => Finding::cost(
            format!("{} for rank {peer}, which has ended or is on another host", wait(waiting)),
            "what ranks of other hosts do is known on their hosts",
            "`nemesis doctor --job` on that rank's host",
        ),
    });
    of_cycle.into_iter().chain(others).collect()
}

/// Returns whether only its peer can continue a rank.
fn is_certain(rank: &RankState) -> bool {
    matches!(rank.doing, Doing::Inside { certain: true, .. })
}

/// Makes a finding: a problem if it is certain that a rank cannot go on.
fn weighed(is_certain: bool, what: String, why: impl Into<String>, advice: &str) -> Finding {
    if is_certain { Finding::problem(what, why, advice) } else { Finding::cost(what, why, advice) }
}

/// Returns the finding about a rank that waits for itself.
fn awaits_itself(rank: &RankState, is_certain: bool) -> Finding {
    weighed(
        is_certain,
        format!("rank {} waits for itself", rank.rank),
        call_of(rank),
        "a send of this rank to itself, or MPI_Pready for the missing partitions",
    )
}

/// Returns the finding about a cycle of ranks. It `is_closed` if only each other can continue them.
fn awaits_each_other(cycle: &[u32], is_closed: bool) -> Finding {
    let why = if is_closed {
        "each waits for a message of the next one, which waits, too"
    } else {
        "each waits for the next one, but perhaps not for it alone, so they may go on"
    };
    let mut ascending = cycle.to_vec();
    ascending.sort_unstable();
    weighed(
        is_closed,
        format!("{} wait for each other in a cycle: {}", named(&ascending), around(cycle)),
        why,
        "another order of sends and receives, or MPI_Sendrecv",
    )
}

/// Returns the call in which a rank is, and what it waits for.
fn call_of(rank: &RankState) -> &str {
    match &rank.doing {
        Doing::Inside { text, .. } => text.lines().next().unwrap_or_default(),
        _ => "",
    }
}

/// Returns the finding about ranks that wait for `rank`. `is_certain` says that only this rank can
/// continue one of them.
fn awaits(waiting: &[u32], rank: &RankState, is_certain: bool) -> Finding {
    let what = format!("{} for rank {}", wait(waiting), rank.rank);
    let has_left = |why: &str| {
        weighed(
            is_certain,
            what.clone(),
            format!("rank {} {why}", rank.rank),
            "finding out why it leaves early: an exception, an early return",
        )
    };
    match &rank.doing {
        Doing::Finalized | Doing::Ended => has_left(&rank.line()),
        Doing::Inside { text, .. } if text.starts_with("MPI_Finalize") => {
            has_left("is in MPI_Finalize")
        }
        Doing::Inside { .. } => Finding::cost(
            what,
            format!("rank {} is in {}", rank.rank, call_of(rank)),
            "comparing the call, tag and communicator of both sides",
        ),
        Doing::InKernel { .. } => Finding::cost(
            what,
            format!("rank {} is in {}", rank.rank, rank.line()),
            "finding out whether the file system of that file answers, or who holds the other end \
             of the pipe",
        ),
        Doing::Outside if rank.state.is_some_and(State::is_held) => Finding::cost(
            what,
            format!("rank {} {}", rank.rank, rank.line()),
            format!("`kill -CONT {}`, or leaving the debugger", rank.pid),
        ),
        Doing::Outside | Doing::Unknown | Doing::Earlier { .. } => Finding::cost(
            what,
            match rank.state {
                Some(State::Ready) => format!("rank {} {}", rank.rank, rank.line()),
                Some(state) => format!("rank {} is not inside MPI: it {state}", rank.rank),
                None => {
                    format!("rank {} is not inside MPI: it computes, sleeps or reads", rank.rank)
                }
            },
            format!("gdb -p {}, if it takes longer than expected", rank.pid),
        ),
    }
}

/// Returns `rank 1 waits` or `ranks 1, 2 wait`.
fn wait(ranks: &[u32]) -> String {
    format!("{} {}", named(ranks), if ranks.len() == 1 { "waits" } else { "wait" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(rank: u32, doing: Doing) -> RankState {
        RankState::new(rank, 100 + rank, doing)
    }

    fn inside(number: u32, peer: Option<u32>, milliseconds: u64) -> RankState {
        let text = "MPI_Recv: a\nhas 1".into();
        rank(number, Doing::Inside { text, peer, milliseconds, certain: peer.is_some() })
    }

    /// A rank that waits for `peer`, and perhaps for others.
    fn perhaps(number: u32, peer: u32) -> RankState {
        let (text, peer, milliseconds) = ("MPI_Waitany: a".into(), Some(peer), 2000);
        rank(number, Doing::Inside { text, peer, milliseconds, certain: false })
    }

    /// A rank inside MPI_Finalize.
    fn finalizing(number: u32) -> RankState {
        let (text, peer) = ("MPI_Finalize".into(), None);
        rank(number, Doing::Inside { text, peer, milliseconds: 2000, certain: false })
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

    /// Returns the weights of the findings about a job.
    fn weights(ranks: Vec<RankState>) -> Vec<Weight> {
        let size = ranks.len() as u32;
        findings(&snapshot(ranks, size)).iter().map(|finding| finding.weight).collect()
    }

    #[test]
    fn a_job_that_may_go_on_has_no_problem() {
        let cycle = vec![perhaps(0, 1), inside(1, Some(0), 2000), rank(2, Doing::Outside)];
        let found = findings(&snapshot(cycle.clone(), 3));
        assert_eq!((found.len(), found[0].weight), (1, Weight::Cost), "{found:?}");
        assert!(found[0].what.ends_with("in a cycle: 0, 1, 0"));
        assert!(found[0].why.ends_with("so they may go on"));
        let closed = [inside(3, Some(4), 2000), inside(4, Some(3), 2000)];
        let both = findings(&snapshot(cycle.into_iter().chain(closed).collect(), 5));
        assert_eq!(both[0].weight, Weight::Problem, "the open cycle hides none");
        assert!(both[0].what.starts_with("ranks 3, 4 wait for each other"));
        assert_eq!(weights(vec![perhaps(0, 1), finalizing(1)]), [Weight::Cost]);
        assert_eq!(weights(vec![perhaps(0, 1), rank(1, Doing::Finalized)]), [Weight::Cost]);
    }

    #[test]
    fn a_wait_for_a_rank_in_finalize_is_a_problem() {
        let found = findings(&snapshot(vec![inside(0, Some(1), 2000), finalizing(1)], 2));
        assert_eq!((found.len(), found[0].weight), (1, Weight::Problem));
        assert_eq!(found[0].why, "rank 1 is in MPI_Finalize");
        assert!(found[0].advice.starts_with("finding out why it leaves early"));
        assert_eq!(
            weights(vec![perhaps(0, 2), inside(1, Some(2), 2000), finalizing(2)]),
            [Weight::Problem],
            "one of them cannot go on"
        );
    }

    #[test]
    fn a_wait_for_itself_is_no_cycle_of_ranks() {
        let found = findings(&snapshot(vec![inside(0, Some(0), 2000)], 1));
        assert_eq!((found.len(), found[0].weight), (1, Weight::Problem));
        assert_eq!((&*found[0].what, &*found[0].why), ("rank 0 waits for itself", "MPI_Recv: a"));
        assert!(found[0].advice.contains("MPI_Pready"));
        assert_eq!(weights(vec![perhaps(0, 0)]), [Weight::Cost]);
    }

    #[test]
    fn ranks_of_other_hosts_are_named() {
        let here = snapshot(vec![inside(0, Some(1), 2000)], 2);
        let found = findings(&here);
        assert_eq!(found[0].what, "rank 0 waits for rank 1, which has ended or is on another host");
        assert!(text(&here, &found).contains("ended or are on other hosts are not"));
    }
}
