//! The state report: what every rank is doing. It is printed on SIGUSR1 or Ctrl-\, and made without
//! being printed when no rank has received anything for a while. A job that can never continue is
//! then ended (`standstill`). Of a job that only looks like one, the user is told once, after a
//! minute.
//!
//! ```text
//!   root:  request ──▶ ranks of this host, agents ──▶ their ranks …  (status lines in the segment)
//!          answers ◀── those that arrive within the time limits
//! ```
//!
//! A rank that waits wakes five times a second and answers then. A rank that has not answered in
//! time does not wait inside MPI. Every five seconds only the ranks of the root's host are asked,
//! and all ranks if these have waited for long.

use super::context::{Job, Phase};
use super::report_progress::{Cause, RANK_TIMEOUT, StateReport, WATCH_INTERVAL};
use super::standstill::{self, SECOND_LOOK};
use crate::exit_status::Failure;
use crate::pmi::Stage;
use crate::rank_state::{Doing, Entry};
use crate::tree::message::{Down, Up};
use nemesis_shm::layout::{Layout, at};
use nemesis_shm::status::{Answer, STATUS_BYTES, Status};
use nemesis_sys::process::Ending;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::time::{Duration, Instant};

/// Time that other hosts have to answer.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);
/// Lines at most about ranks that wait for an ended rank.
const CONCLUSIONS_MAX: usize = 8;
/// Time without any received message after which the user is told.
const STUCK_TIMEOUT: Duration = Duration::from_secs(60);

impl Job {
    /// Starts a state report, unless one is in progress.
    pub(super) fn request_state_report(&mut self, cause: Cause) {
        if self.state_reports.current.is_none() {
            self.ask(self.state_reports.number + 1, cause);
        }
    }

    /// Asks all ranks for state report `number`, of this launcher or of its parent.
    pub(super) fn ask(&mut self, number: u32, cause: Cause) {
        self.state_reports.number = number;
        for local in 0..self.ranks.len() {
            // A rank that cannot be asked does not answer, and the report says so.
            let _ = rustix::io::pwrite(
                &self.memory.descriptor,
                &number.to_le_bytes(),
                self.status_offset(local),
            );
        }
        if cause != Cause::Watch {
            self.child_agents.send_all(&Down::RequestStateReport(number));
        }
        self.state_reports.current = Some(StateReport {
            number,
            since: Instant::now(),
            cause,
            has_local_entries: false,
            entries: BTreeMap::new(),
        });
    }

    /// Records the answers to state report `number`, or sends them to the parent.
    pub(super) fn record_entries(&mut self, number: u32, entries: Vec<Entry>) {
        match (&mut self.parent_link, &mut self.state_reports.current) {
            (Some(link), _) => link.send(&Up::StateReport(number, entries)),
            (None, Some(current)) if current.number == number => {
                current.entries.extend(entries.into_iter().map(|entry| (entry.rank, entry)))
            }
            // The report has been printed already.
            (None, _) => {}
        }
    }

    /// Starts a state report when a check is due.
    fn watch(&mut self, now: Instant) {
        if self.state_reports.current.is_some() {
            return;
        }
        if self.phase != Phase::Running {
            (self.state_reports.suspicion, self.state_reports.next_watch) = (None, None);
        } else if self.state_reports.suspicion.as_ref().is_some_and(|(_, at)| now >= *at) {
            self.request_state_report(Cause::SecondLook);
        } else if self.state_reports.suspicion.is_none()
            && self.state_reports.next_watch.is_some_and(|at| now >= at)
        {
            self.state_reports.next_watch = Some(now + WATCH_INTERVAL);
            self.request_state_report(if self.ranks.is_empty() {
                Cause::Suspicion
            } else {
                Cause::Watch
            });
        }
    }

    /// Continues the state report in progress, and starts one when a check is due.
    pub(super) fn check_state_report(&mut self, now: Instant) {
        self.watch(now);
        let Some(current) = &self.state_reports.current else { return };
        let (number, is_late) = (current.number, now >= current.since + RANK_TIMEOUT);
        if !current.has_local_entries && (is_late || self.all_have_answered(number)) {
            let entries = (0..self.ranks.len()).map(|local| self.entry(local, number)).collect();
            self.state_reports
                .current
                .iter_mut()
                .for_each(|current| current.has_local_entries = true);
            self.record_entries(number, entries);
        }
        let (size, here) = (self.facts.common.size as usize, self.ranks.len());
        let is_root = self.parent_link.is_none();
        let is_complete = |current: &mut StateReport| {
            let awaited = if current.cause == Cause::Watch { here } else { size };
            current.has_local_entries
                && (!is_root
                    || current.entries.len() >= awaited
                    || now >= current.since + HOST_TIMEOUT)
        };
        if let Some(current) = self.state_reports.current.take_if(is_complete)
            && is_root
        {
            self.conclude_state_report(&current);
        }
    }

    /// Prints or evaluates a complete state report.
    fn conclude_state_report(&mut self, current: &StateReport) {
        let size = self.facts.common.size;
        match current.cause {
            Cause::Asked => self.say(&report_text(&current.entries, size)),
            Cause::Watch => {
                if all_wait(&current.entries, self.ranks.len(), standstill::TIMEOUT) {
                    self.request_state_report(Cause::Suspicion);
                }
            }
            Cause::Suspicion => {
                let suspicion = standstill::suspect(&current.entries, size as usize);
                self.state_reports.suspicion =
                    suspicion.map(|found| (found, Instant::now() + SECOND_LOOK));
                if !self.state_reports.has_warned && is_stuck(&current.entries, size as usize) {
                    self.warn_stuck(&current.entries);
                }
            }
            Cause::SecondLook => {
                let found = self
                    .state_reports
                    .suspicion
                    .take()
                    .and_then(|(first, _)| standstill::confirm(&first, &current.entries, size));
                if let Some(message) = found {
                    self.fail(Failure::Standstill(message));
                }
            }
        }
    }

    /// Tells the user once that every rank waits, with a state report.
    fn warn_stuck(&mut self, entries: &BTreeMap<u32, Entry>) {
        self.state_reports.has_warned = true;
        let seconds = STUCK_TIMEOUT.as_secs();
        self.say(&format!(
            "mpiexec: every rank waits inside MPI, and none has received anything for {seconds} s: \
             perhaps they wait for each other"
        ));
        self.say("mpiexec: the job goes on; this message is not repeated");
        self.say(&report_text(entries, self.facts.common.size));
    }

    /// Returns whether every rank of this host has answered or ended.
    fn all_have_answered(&self, number: u32) -> bool {
        (0..self.ranks.len()).all(|local| {
            self.ranks[local].ending.is_some() || self.answer_of(local, number).is_some()
        })
    }

    /// Returns the status line of a rank if it has answered state report `number`.
    fn answer_of(&self, local: usize, number: u32) -> Option<[u8; STATUS_BYTES]> {
        // A rank writes the number last, so a line that is read after the number is complete.
        let answered = self.status_line(local).filter(|line| Status::answered_in(line) == number);
        answered.and_then(|_| self.status_line(local))
    }

    /// Reads the status line of a rank.
    fn status_line(&self, local: usize) -> Option<[u8; STATUS_BYTES]> {
        let mut line = [0; STATUS_BYTES];
        (rustix::io::pread(&self.memory.descriptor, &mut line, self.status_offset(local))
            == Ok(STATUS_BYTES))
        .then_some(line)
    }

    /// Returns the offset of a rank's status line in the segment. Slots are in the order of local
    /// ranks.
    fn status_offset(&self, local: usize) -> u64 {
        let layout = Layout::new(self.memory.bytes as usize, self.facts.local_size as usize);
        layout.map_or(u64::MAX, |layout| Status::offset(&layout, local))
    }

    /// Returns what the rank with number `local` on this host is doing.
    fn entry(&self, local: usize, number: u32) -> Entry {
        let rank = &self.ranks[local];
        // The status line of a rank that has ended still holds its last packet counts.
        let last = rank
            .ending
            .and_then(|_| self.status_line(local))
            .map_or_else(Answer::default, |line| Status::answer_in(&line));
        let (mut sent, mut received) = (last.sent, last.received);
        let doing = match (rank.ending, self.server.stage(local)) {
            (Some(Ending::Exited(code)), _) => Doing::Exited(code),
            (Some(Ending::Killed(signal)), _) => Doing::Killed(signal),
            (None, Stage::NotJoined) => Doing::NotJoined,
            (None, Stage::Finalized) => Doing::Finalized,
            (None, Stage::Joined) => match self.answer_of(local, number) {
                Some(line) => {
                    let answer = Status::answer_in(&line);
                    (sent, received) = (answer.sent, answer.received);
                    let Answer { text, peer, waiting_ms: milliseconds, finalizes, idle, .. } =
                        answer;
                    Doing::Waits { text, peer, milliseconds, finalizes, idle }
                }
                None if self.has_slot(local) => Doing::Computes,
                None => Doing::Foreign,
            },
        };
        let (host, pid) = (self.host.clone(), rank.pid.as_raw_nonzero().get());
        let is_over = rank.ending.is_some() && rank.pmi.is_none();
        Entry { rank: rank.number, host, pid, is_over, sent, received, doing }
    }

    /// Returns whether a process of the rank has taken the rank's slot in the segment.
    fn has_slot(&self, local: usize) -> bool {
        let mut pid = [0; 4];
        let place = self.status_offset(local) - (at::STATUS - at::IDENTITY) as u64;
        rustix::io::pread(&self.memory.descriptor, &mut pid, place) == Ok(pid.len())
            && pid != [0; 4]
    }
}

/// Returns whether every rank waits or will never send again, some wait, and none has received
/// anything for `STUCK_TIMEOUT`.
fn is_stuck(entries: &BTreeMap<u32, Entry>, ranks: usize) -> bool {
    all_wait(entries, ranks, STUCK_TIMEOUT)
        && entries.values().any(|entry| matches!(entry.doing, Doing::Waits { .. }))
}

/// Returns whether all `ranks` ranks are among `entries` and each will never send again or has
/// received nothing for at least `least`.
fn all_wait(entries: &BTreeMap<u32, Entry>, ranks: usize, least: Duration) -> bool {
    let waits = |entry: &Entry| match entry.doing {
        Doing::Waits { milliseconds, .. } => milliseconds >= least.as_millis() as u64,
        Doing::Finalized | Doing::Exited(_) => true,
        _ => false,
    };
    entries.len() == ranks && entries.values().all(waits)
}

/// Composes the state report that is printed.
fn report_text(entries: &BTreeMap<u32, Entry>, size: u32) -> String {
    let mut text =
        format!("mpiexec: state report of {size} rank{}", if size == 1 { "" } else { "s" });
    for rank in 0..size {
        // Writing to a String does not fail.
        let _ = match entries.get(&rank) {
            Some(entry) => write!(
                text,
                "\n  rank {rank} on {}, pid {}: {}",
                entry.host, entry.pid, entry.doing
            ),
            None => write!(text, "\n  rank {rank}: its host has not answered"),
        };
    }
    for (rank, left) in waits_for_ended_ranks(entries).take(CONCLUSIONS_MAX) {
        let _ = write!(
            text,
            "\n  rank {rank} waits for rank {}, which {}",
            left.rank,
            exit_text(&left.doing)
        );
    }
    if let Some(cycle) = wait_cycle(entries) {
        let names: Vec<String> = cycle.iter().map(|rank| rank.to_string()).collect();
        let _ = write!(
            text,
            "\n  these ranks wait for each other in a cycle: {}, {}",
            names.join(", "),
            names[0]
        );
    }
    text
}

/// Returns the ranks that wait for a rank that sends nothing any more, with the entry of that rank.
fn waits_for_ended_ranks(entries: &BTreeMap<u32, Entry>) -> impl Iterator<Item = (u32, &Entry)> {
    let has_left = |entry: &&Entry| {
        matches!(
            entry.doing,
            Doing::Finalized
                | Doing::Exited(_)
                | Doing::Killed(_)
                | Doing::Waits { finalizes: true, .. }
        )
    };
    entries.values().filter_map(move |entry| match entry.doing {
        Doing::Waits { peer: Some(peer), finalizes: false, .. } => {
            Some((entry.rank, entries.get(&peer).filter(has_left)?))
        }
        _ => None,
    })
}

/// Describes how a rank has left the job.
fn exit_text(doing: &Doing) -> String {
    match doing {
        Doing::Waits { .. } => "is in MPI_Finalize".into(),
        other => other.to_string(),
    }
}

/// Returns ranks each of which waits for the next, and the last for the first.
fn wait_cycle(entries: &BTreeMap<u32, Entry>) -> Option<Vec<u32>> {
    let next = |rank: u32| match &entries.get(&rank)?.doing {
        Doing::Waits { peer, .. } => *peer,
        _ => None,
    };
    entries.keys().find_map(|&first| {
        let walk: Vec<u32> = std::iter::successors(Some(first), |&rank| next(rank))
            .take(entries.len() + 1)
            .collect();
        let back = walk.iter().skip(1).position(|&rank| rank == first)?;
        Some(walk[..=back].to_vec())
    })
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doing::Waits { text, milliseconds, .. } => {
                write!(f, "{text}; nothing received for {:.1} s", *milliseconds as f64 / 1000.0)
            }
            Doing::Computes => f.write_str("does not wait inside MPI: it computes or tests"),
            Doing::Foreign => f.write_str("uses another MPI library, which cannot be asked"),
            Doing::NotJoined => f.write_str("has not called MPI_Init"),
            Doing::Finalized => f.write_str("has called MPI_Finalize"),
            Doing::Exited(code) => write!(f, "has ended with exit code {code}"),
            Doing::Killed(signal) => write!(f, "was ended by signal {signal}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(rank: u32, doing: Doing) -> Entry {
        Entry { rank, host: "h".into(), pid: 1, is_over: false, sent: 0, received: 0, doing }
    }

    fn waits(rank: u32, peer: Option<u32>, milliseconds: u64) -> (u32, Entry) {
        (
            rank,
            entry(
                rank,
                Doing::Waits {
                    text: "MPI_Recv".into(),
                    peer,
                    milliseconds,
                    finalizes: false,
                    idle: true,
                },
            ),
        )
    }

    #[test]
    fn a_cycle_is_found_and_a_chain_is_not_a_cycle() {
        let ring = BTreeMap::from([
            waits(0, Some(2), 0),
            waits(1, Some(3), 0),
            waits(2, Some(1), 0),
            waits(3, Some(2), 0),
        ]);
        assert_eq!(wait_cycle(&ring), Some(vec![1, 3, 2]));
        let chain = BTreeMap::from([waits(0, Some(1), 0), waits(1, Some(2), 0), waits(2, None, 0)]);
        assert_eq!(wait_cycle(&chain), None);
        let never_joined = BTreeMap::from([waits(0, Some(7), 0)]);
        assert_eq!(wait_cycle(&never_joined), None);
    }

    #[test]
    fn a_job_is_stuck_only_if_no_rank_can_act() {
        let minute = STUCK_TIMEOUT.as_millis() as u64;
        let mut entries = BTreeMap::from([waits(0, None, minute), waits(1, None, minute)]);
        assert!(is_stuck(&entries, 2));
        assert!(!is_stuck(&entries, 3), "a host has not answered");
        entries.extend([waits(1, None, minute - 1)]);
        assert!(!is_stuck(&entries, 2), "a rank has received something");
        entries.insert(1, entry(1, Doing::Computes));
        assert!(!is_stuck(&entries, 2), "a rank computes");
        entries.insert(1, entry(1, Doing::Exited(0)));
        assert!(!is_stuck(&entries, 3), "a host has not answered");
        assert!(is_stuck(&entries, 2), "a rank that has ended sends nothing");
        entries.insert(0, entry(0, Doing::Finalized));
        assert!(!is_stuck(&entries, 2), "no rank waits");
    }

    #[test]
    fn the_report_names_every_rank() {
        let text = report_text(&BTreeMap::from([waits(1, Some(1), 1500)]), 2);
        assert!(text.contains("rank 0: its host has not answered"));
        assert!(text.contains("rank 1 on h, pid 1: MPI_Recv; nothing received for 1.5 s"));
        let text = report_text(
            &BTreeMap::from([waits(0, Some(1), 9), (1, entry(1, Doing::Exited(3)))]),
            2,
        );
        assert!(
            text.ends_with("rank 0 waits for rank 1, which has ended with exit code 3"),
            "{text}"
        );
    }
}
