//! The progress of state reports: the one in progress, and when the next one is due.

use super::standstill::Suspicion;
use crate::options::NOTICE_AFTER;
use crate::rank_state::Entry;
use nemesis_sys::process_state::Look;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Time that ranks have to answer: one and a half of their sleeps.
const RANK_TIMEOUT: Duration = Duration::from_millis(300);
/// Time that ranks have in reports without a request: on a busy host a rank that waits may wake
/// late.
pub(super) const LATE_RANK_TIMEOUT: Duration = Duration::from_secs(1);
/// Interval of reports without a request.
pub(super) const WATCH_INTERVAL: Duration = Duration::from_secs(2);
/// Interval of reports of all hosts while some ranks wait for long and others work.
pub(super) const WIDE_INTERVAL: Duration = Duration::from_secs(10);

/// Age of the last answer up to which a rank that has tested then, and does not answer now, counts
/// as testing: ranks of other hosts are asked every `WIDE_INTERVAL`.
pub(super) const TEST_AGE_MAX: Duration = Duration::from_secs(15);

/// Why a state report is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// The user requests it, or the parent launcher for the user.
    Asked,
    /// The periodic check of this host's ranks.
    Watch,
    /// Ranks of the root's host wait for long: a check of all ranks. An agent's part of any report
    /// that no user requests.
    Suspicion,
    /// The processes of a spawned job have not met those that spawned them for long: which of them
    /// have not called `MPI_Init`.
    Unmet,
    /// The job looks as if it can never continue: the second check.
    SecondLook,
    /// A signal asks the job to end: what the ranks do before it reaches them.
    BeforeEnd(i32),
    /// The time that the job has is over: what the ranks do before they are ended.
    TimeIsOver(Duration),
}

impl Cause {
    /// Returns the cause of an agent's report. An agent concludes nothing, so only the time that
    /// its ranks have depends on it.
    pub(super) fn of_parent(is_requested: bool) -> Cause {
        if is_requested { Cause::Asked } else { Cause::Suspicion }
    }

    /// Returns whether a report for this cause may be given up for one of another cause. The last
    /// one of a job whose time is over ends the job, and nothing else takes its place.
    pub(super) fn gives_way_to(self, other: Cause) -> bool {
        match (self, other) {
            (Cause::TimeIsOver(_), _) => false,
            (_, Cause::BeforeEnd(_) | Cause::TimeIsOver(_)) => true,
            (_, Cause::Asked) => !self.is_requested(),
            _ => false,
        }
    }

    /// Returns whether a user waits for the report.
    pub(super) fn is_requested(self) -> bool {
        matches!(self, Cause::Asked | Cause::BeforeEnd(_) | Cause::TimeIsOver(_))
    }
}

/// A state report in progress.
pub(super) struct StateReport {
    pub(super) number: u32,
    pub(super) since: Instant,
    pub(super) cause: Cause,
    /// Whether the answers of this host's ranks are among `entries`.
    pub(super) has_local_entries: bool,
    pub(super) entries: BTreeMap<u32, Entry>,
    /// What the kernel said of this host's ranks when they were asked.
    pub(super) looks: Vec<Option<Look>>,
}

impl StateReport {
    /// Returns when the answers of this host's ranks are taken, although some are missing.
    pub(super) fn last_call(&self) -> Instant {
        self.since + if self.cause.is_requested() { RANK_TIMEOUT } else { LATE_RANK_TIMEOUT }
    }
}

/// The state report in progress, and what is known from earlier ones.
pub(super) struct StateReports {
    pub(super) current: Option<StateReport>,
    pub(super) number: u32,
    pub(super) next_watch: Option<Instant>,
    /// What the first check found, and when to make the second one.
    pub(super) suspicion: Option<(Suspicion, Instant)>,
    /// When a report of all hosts is due again while some ranks work.
    pub(super) next_wide: Option<Instant>,
    /// Whether the user has been told that ranks wait for long.
    pub(super) has_warned: bool,
    /// Whether a job that can never continue is only told, and not ended.
    pub(super) only_tells: bool,
    /// Time of fruitless waits and tests after which the user is told.
    pub(super) notice_after: Duration,
}

impl StateReports {
    /// Returns the initial state. The launcher that decides about the job sets `watches`, which
    /// makes the periodic checks.
    pub fn new(watches: bool) -> StateReports {
        StateReports {
            current: None,
            number: 0,
            next_watch: watches.then(|| Instant::now() + WATCH_INTERVAL),
            suspicion: None,
            next_wide: None,
            has_warned: false,
            only_tells: false,
            notice_after: NOTICE_AFTER,
        }
    }

    /// Returns how long the event loop may sleep.
    pub fn timeout(&self) -> Option<Duration> {
        let until = |at: Instant| at.saturating_duration_since(Instant::now());
        match (&self.current, &self.suspicion, self.next_watch) {
            (Some(current), _, _)
                if current.cause != Cause::Asked && !current.has_local_entries =>
            {
                // Most answer in time; nothing tells when the others do.
                let first = current.since + RANK_TIMEOUT;
                Some(until(if first > Instant::now() { first } else { current.last_call() }))
            }
            (Some(_), _, _) => Some(Duration::from_millis(10)),
            (None, Some((_, at)), _) => Some(until(*at)),
            (None, None, watch) => watch.map(until),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_report_that_ends_the_job_is_not_replaced() {
        let over = Cause::TimeIsOver(Duration::from_secs(1));
        let end = Cause::BeforeEnd(15);
        for other in [Cause::Asked, Cause::Watch, end, over] {
            assert!(!over.gives_way_to(other), "{other:?}");
        }
        assert!(Cause::Asked.gives_way_to(end) && end.gives_way_to(over));
        assert!(Cause::Watch.gives_way_to(Cause::Asked) && !end.gives_way_to(Cause::Asked));
        assert!(!Cause::Watch.gives_way_to(Cause::Suspicion));
    }

    #[test]
    fn ranks_of_all_hosts_have_the_same_time() {
        let time = |cause: Cause| {
            let (since, entries) = (Instant::now(), BTreeMap::new());
            let looks = Vec::new();
            let report =
                StateReport { number: 1, since, cause, has_local_entries: false, entries, looks };
            report.last_call() - since
        };
        for (cause, expected) in [
            (Cause::Asked, RANK_TIMEOUT),
            (Cause::BeforeEnd(15), RANK_TIMEOUT),
            (Cause::Suspicion, LATE_RANK_TIMEOUT),
            (Cause::SecondLook, LATE_RANK_TIMEOUT),
        ] {
            let of_agent = Cause::of_parent(cause.is_requested());
            let of_its_agent = Cause::of_parent(of_agent.is_requested());
            assert_eq!([cause, of_agent, of_its_agent].map(time), [expected; 3], "{cause:?}");
        }
    }
}
