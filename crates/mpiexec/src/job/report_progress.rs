//! The progress of state reports: the one in progress, and when the next one is due.

use super::standstill::Suspicion;
use crate::rank_state::Entry;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Time that ranks have to answer: one and a half of their sleeps.
pub(super) const RANK_TIMEOUT: Duration = Duration::from_millis(300);
/// Interval of reports without a request.
pub(super) const WATCH_INTERVAL: Duration = Duration::from_secs(5);

/// Why a state report is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// The user or the parent launcher requests it.
    Asked,
    /// The periodic check of this host's ranks.
    Watch,
    /// All ranks of this host wait for long: the check whether all others do.
    Suspicion,
    /// The job looks as if it can never continue: the second check.
    SecondLook,
}

/// A state report in progress.
pub(super) struct StateReport {
    pub(super) number: u32,
    pub(super) since: Instant,
    pub(super) cause: Cause,
    /// Whether the answers of this host's ranks are among `entries`.
    pub(super) has_local_entries: bool,
    pub(super) entries: BTreeMap<u32, Entry>,
}

/// The state report in progress, and what is known from earlier ones.
pub(super) struct StateReports {
    pub(super) current: Option<StateReport>,
    pub(super) number: u32,
    pub(super) next_watch: Option<Instant>,
    /// What the first check found, and when to make the second one.
    pub(super) suspicion: Option<(Suspicion, Instant)>,
    /// Whether the user has been told that every rank waits.
    pub(super) has_warned: bool,
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
            has_warned: false,
        }
    }

    /// Returns how long the event loop may sleep.
    pub fn timeout(&self) -> Option<Duration> {
        let until = |at: Instant| at.saturating_duration_since(Instant::now());
        match (&self.current, &self.suspicion, self.next_watch) {
            (Some(current), _, _)
                if current.cause != Cause::Asked && !current.has_local_entries =>
            {
                Some(until(current.since + RANK_TIMEOUT))
            }
            (Some(_), _, _) => Some(Duration::from_millis(10)),
            (None, Some((_, at)), _) => Some(until(*at)),
            (None, None, watch) => watch.map(until),
        }
    }
}
