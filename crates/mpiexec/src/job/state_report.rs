//! The roll-call: what every rank is doing, on SIGUSR1 or Ctrl-\; and by itself when nothing has come
//! to any rank for a while. Then a job that can never go on is ended (`standstill`), and of one that
//! only seems so the user is told once after a minute.
//!
//! ```text
//!   root:  the question ──▶ ranks of this host, agents ──▶ their ranks …        (their status lines in the segment)
//!          answers      ◀── as far as they come within a moment
//! ```
//!
//! A rank that waits wakes five times a second and answers then. A rank that has not answered by then
//! does not wait inside MPI. Every five seconds only the ranks of the root's host are asked, and the
//! others if all of these wait for long.

use super::Job;
use super::phases::Phase;
use super::standstill::{self, SECOND_LOOK, Suspicion};
use crate::exit_status::Failure;
use crate::pmi::Stage;
use crate::tree::message::{Down, Up};
use nemesis_shm::layout::{Layout, at};
use nemesis_shm::status::{Answer, STATUS_BYTES, Status};
use nemesis_sys::process::Ending;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::time::{Duration, Instant};

/// How long ranks have for their answers: a sleep of theirs, and a half.
const ANSWERS: Duration = Duration::from_millis(300);
/// How long other hosts have.
const HOSTS: Duration = Duration::from_secs(2);
/// Waits for ranks that have left which a report lists.
const CONCLUSIONS_MAX: usize = 8;
/// How often to ask without being asked.
const WATCH: Duration = Duration::from_secs(5);
/// How long nothing has come to any rank before the user is told.
const STUCK: Duration = Duration::from_secs(60);

/// What one rank is doing.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Entry {
    pub rank: u32,
    pub host: String,
    pub pid: i32,
    /// Its first process has ended, and no other process of its has its PMI socket.
    pub is_over: bool,
    /// Packets sent to and received from other nodes, if it waits or has ended.
    pub sent: u64,
    pub received: u64,
    pub doing: Doing,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Doing {
    /// Waits inside MPI, so many milliseconds with nothing coming; for a process, if it is one.
    Waits {
        text: String,
        peer: Option<u32>,
        milliseconds: u64,
        /// In `MPI_Finalize`.
        finalizes: bool,
        /// Nothing of its is under way, and none of its threads can do anything.
        idle: bool,
    },
    /// Has joined the job, and does not wait inside MPI.
    Computes,
    /// Has joined the job by another MPI, which cannot be asked.
    Foreign,
    NotJoined,
    Finalized,
    Exited(i32),
    Killed(i32),
}

/// Why it was called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cause {
    /// Somebody wants to know.
    Asked,
    /// It is time for a look: this host's ranks only.
    Watch,
    /// They all wait for long: do all others?
    Suspicion,
    /// It looks as if the job can never go on: does it still?
    SecondLook,
}

/// One in progress.
pub(super) struct StateReport {
    number: u32,
    since: Instant,
    cause: Cause,
    /// The ranks of this host have been looked at.
    have_looked: bool,
    entries: BTreeMap<u32, Entry>,
}

/// Past and future ones.
pub(super) struct Register {
    current: Option<StateReport>,
    number: u32,
    next_watch: Option<Instant>,
    /// The job looks as if it can never go on, and when to look again.
    suspicion: Option<(Suspicion, Instant)>,
    /// The user has been told that every rank waits.
    has_told: bool,
}

impl Register {
    /// `watches`: of the launcher that decides about the job.
    pub fn new(watches: bool) -> Register {
        Register {
            current: None,
            number: 0,
            next_watch: watches.then(|| Instant::now() + WATCH),
            suspicion: None,
            has_told: false,
        }
    }

    /// How long to wait for an event at most.
    pub fn timeout(&self) -> Option<Duration> {
        let until = |at: Instant| at.saturating_duration_since(Instant::now());
        match (&self.current, &self.suspicion, self.next_watch) {
            (Some(roll), _, _) if roll.cause != Cause::Asked && !roll.have_looked => {
                Some(until(roll.since + ANSWERS))
            }
            (Some(_), _, _) => Some(Duration::from_millis(10)),
            (None, Some((_, at)), _) => Some(until(*at)),
            (None, None, watch) => watch.map(until),
        }
    }
}

impl Job {
    /// Asks the ranks, unless they are being asked.
    pub(super) fn request_state_report(&mut self, cause: Cause) {
        if self.register.current.is_none() {
            self.ask(self.register.number + 1, cause);
        }
    }

    /// Question `number`, of ours or of the launcher above.
    pub(super) fn ask(&mut self, number: u32, cause: Cause) {
        self.register.number = number;
        for local in 0..self.ranks.len() {
            // A rank that cannot be asked does not answer, and that is told.
            let _ = rustix::io::pwrite(
                &self.memory.descriptor,
                &number.to_le_bytes(),
                self.status_at(local),
            );
        }
        if cause != Cause::Watch {
            self.child_agents.send_all(&Down::RequestStateReport(number));
        }
        self.register.current = Some(StateReport {
            number,
            since: Instant::now(),
            cause,
            have_looked: false,
            entries: BTreeMap::new(),
        });
    }

    /// Answers to question `number`.
    pub(super) fn enrol(&mut self, number: u32, entries: Vec<Entry>) {
        match (&mut self.parent_link, &mut self.register.current) {
            (Some(link), _) => link.send(&Up::Roll(number, entries)),
            (None, Some(roll)) if roll.number == number => {
                roll.entries.extend(entries.into_iter().map(|entry| (entry.rank, entry)))
            }
            // Too late.
            (None, _) => {}
        }
    }

    /// Begins a roll-call when it is time for a look.
    fn watch(&mut self, now: Instant) {
        if self.register.current.is_some() {
            return;
        }
        if self.phase != Phase::Running {
            (self.register.suspicion, self.register.next_watch) = (None, None);
        } else if self.register.suspicion.as_ref().is_some_and(|(_, at)| now >= *at) {
            self.request_state_report(Cause::SecondLook);
        } else if self.register.suspicion.is_none()
            && self.register.next_watch.is_some_and(|at| now >= at)
        {
            self.register.next_watch = Some(now + WATCH);
            self.request_state_report(if self.ranks.is_empty() {
                Cause::Suspicion
            } else {
                Cause::Watch
            });
        }
    }

    /// Looks after the one in progress, and begins one when it is time.
    pub(super) fn check_state_report(&mut self, now: Instant) {
        self.watch(now);
        let Some(roll) = &self.register.current else { return };
        let (number, is_late) = (roll.number, now >= roll.since + ANSWERS);
        if !roll.have_looked && (is_late || self.all_have_answered(number)) {
            let entries = (0..self.ranks.len()).map(|local| self.entry(local, number)).collect();
            self.register.current.iter_mut().for_each(|roll| roll.have_looked = true);
            self.enrol(number, entries);
        }
        let (size, here) = (self.facts.common.size as usize, self.ranks.len());
        let is_root = self.parent_link.is_none();
        let is_complete = |roll: &mut StateReport| {
            let awaited = if roll.cause == Cause::Watch { here } else { size };
            roll.have_looked
                && (!is_root || roll.entries.len() >= awaited || now >= roll.since + HOSTS)
        };
        if let Some(roll) = self.register.current.take_if(is_complete)
            && is_root
        {
            self.conclude_roll(&roll);
        }
    }

    fn conclude_roll(&mut self, roll: &StateReport) {
        let size = self.facts.common.size;
        match roll.cause {
            Cause::Asked => self.say(&report(&roll.entries, size)),
            Cause::Watch => {
                if all_wait(&roll.entries, self.ranks.len(), standstill::TIMEOUT) {
                    self.request_state_report(Cause::Suspicion);
                }
            }
            Cause::Suspicion => {
                let suspicion = standstill::suspect(&roll.entries, size as usize);
                self.register.suspicion =
                    suspicion.map(|found| (found, Instant::now() + SECOND_LOOK));
                if !self.register.has_told && is_stuck(&roll.entries, size as usize) {
                    self.tell_stuck(&roll.entries);
                }
            }
            Cause::SecondLook => {
                let found = self
                    .register
                    .suspicion
                    .take()
                    .and_then(|(first, _)| standstill::confirm(&first, &roll.entries, size));
                if let Some(message) = found {
                    self.fail(Failure::Standstill(message));
                }
            }
        }
    }

    fn tell_stuck(&mut self, entries: &BTreeMap<u32, Entry>) {
        self.register.has_told = true;
        let seconds = STUCK.as_secs();
        self.say(&format!(
            "mpiexec: every rank waits inside MPI, and for {seconds} s nothing has come to any: perhaps they wait for each other."
        ));
        self.say("mpiexec: the job goes on; this is said once");
        self.say(&report(entries, self.facts.common.size));
    }

    fn all_have_answered(&self, number: u32) -> bool {
        (0..self.ranks.len()).all(|local| {
            self.ranks[local].ending.is_some() || self.line_of(local, number).is_some()
        })
    }

    /// The status line of a rank that has answered.
    fn line_of(&self, local: usize, number: u32) -> Option<[u8; STATUS_BYTES]> {
        // The number is the last that a rank writes: the answer is whole in what is read after it.
        let answered = self.read_line(local).filter(|line| Status::answered_in(line) == number);
        answered.and_then(|_| self.read_line(local))
    }

    fn read_line(&self, local: usize) -> Option<[u8; STATUS_BYTES]> {
        let mut line = [0; STATUS_BYTES];
        (rustix::io::pread(&self.memory.descriptor, &mut line, self.status_at(local))
            == Ok(STATUS_BYTES))
        .then_some(line)
    }

    /// Where the status line of a rank lies in the segment; its slot is its place among the ranks of the host.
    fn status_at(&self, local: usize) -> u64 {
        let layout = Layout::new(self.memory.bytes as usize, self.facts.local_size as usize);
        layout.map_or(u64::MAX, |layout| Status::offset(&layout, local))
    }

    fn entry(&self, local: usize, number: u32) -> Entry {
        let rank = &self.ranks[local];
        // A rank that has ended has left the last counts of its packets.
        let last = rank
            .ending
            .and_then(|_| self.read_line(local))
            .map_or_else(Answer::default, |line| Status::answer_in(&line));
        let (mut sent, mut received) = (last.sent, last.received);
        let doing = match (rank.ending, self.server.stage(local)) {
            (Some(Ending::Exited(code)), _) => Doing::Exited(code),
            (Some(Ending::Killed(signal)), _) => Doing::Killed(signal),
            (None, Stage::Silent) => Doing::NotJoined,
            (None, Stage::Finalized) => Doing::Finalized,
            (None, Stage::Joined) => match self.line_of(local, number) {
                Some(line) => {
                    let answer = Status::answer_in(&line);
                    (sent, received) = (answer.sent, answer.received);
                    let Answer { text, peer, waiting_ms: milliseconds, finalizes, idle, .. } =
                        answer;
                    Doing::Waits { text, peer, milliseconds, finalizes, idle }
                }
                None if self.is_ours(local) => Doing::Computes,
                None => Doing::Foreign,
            },
        };
        let (host, pid) = (self.host.clone(), rank.pid.as_raw_nonzero().get());
        let is_over = rank.ending.is_some() && rank.conversation.is_none();
        Entry { rank: rank.number, host, pid, is_over, sent, received, doing }
    }

    /// The rank has taken its slot in the segment.
    fn is_ours(&self, local: usize) -> bool {
        let mut pid = [0; 4];
        let place = self.status_at(local) - (at::STATUS - at::IDENTITY) as u64;
        rustix::io::pread(&self.memory.descriptor, &mut pid, place) == Ok(pid.len())
            && pid != [0; 4]
    }
}

/// Every rank waits or will never send again, some wait, and nothing has come to any for a minute.
fn is_stuck(entries: &BTreeMap<u32, Entry>, ranks: usize) -> bool {
    all_wait(entries, ranks, STUCK)
        && entries.values().any(|entry| matches!(entry.doing, Doing::Waits { .. }))
}

/// Every one of `ranks` ranks will never send again, or nothing has come to it for at least `least`.
fn all_wait(entries: &BTreeMap<u32, Entry>, ranks: usize, least: Duration) -> bool {
    let waits = |entry: &Entry| match entry.doing {
        Doing::Waits { milliseconds, .. } => milliseconds >= least.as_millis() as u64,
        Doing::Finalized | Doing::Exited(_) => true,
        _ => false,
    };
    entries.len() == ranks && entries.values().all(waits)
}

/// What everybody is doing, in lines.
fn report(entries: &BTreeMap<u32, Entry>, size: u32) -> String {
    let mut text = format!("mpiexec: roll-call of {size} rank{}", if size == 1 { "" } else { "s" });
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
    for (rank, left) in waits_for_who_has_left(entries).take(CONCLUSIONS_MAX) {
        let _ = write!(
            text,
            "\n  rank {rank} waits for rank {}, which {}",
            left.rank,
            how_it_left(&left.doing)
        );
    }
    if let Some(circle) = circle(entries) {
        let names: Vec<String> = circle.iter().map(|rank| rank.to_string()).collect();
        let _ = write!(
            text,
            "\n  these wait for each other in a circle: ranks {}, {}",
            names.join(", "),
            names[0]
        );
    }
    text
}

/// Ranks that wait for one rank, and that rank, which sends nothing any more.
fn waits_for_who_has_left(entries: &BTreeMap<u32, Entry>) -> impl Iterator<Item = (u32, &Entry)> {
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

fn how_it_left(doing: &Doing) -> String {
    match doing {
        Doing::Waits { .. } => "is in MPI_Finalize".into(),
        other => other.to_string(),
    }
}

/// Ranks each of which waits for the next, and the last for the first.
fn circle(entries: &BTreeMap<u32, Entry>) -> Option<Vec<u32>> {
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
                write!(f, "{text}; nothing has come for {:.1} s", *milliseconds as f64 / 1000.0)
            }
            Doing::Computes => f.write_str("does not wait inside MPI: it computes, or tests"),
            Doing::Foreign => f.write_str("has joined by another MPI, which cannot be asked"),
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
    fn a_circle_is_found_and_a_chain_is_none() {
        let ring = BTreeMap::from([
            waits(0, Some(2), 0),
            waits(1, Some(3), 0),
            waits(2, Some(1), 0),
            waits(3, Some(2), 0),
        ]);
        assert_eq!(circle(&ring), Some(vec![1, 3, 2]));
        let chain = BTreeMap::from([waits(0, Some(1), 0), waits(1, Some(2), 0), waits(2, None, 0)]);
        assert_eq!(circle(&chain), None);
        let absent = BTreeMap::from([waits(0, Some(7), 0)]);
        assert_eq!(circle(&absent), None);
    }

    #[test]
    fn only_a_job_that_stands_still_as_a_whole_is_stuck() {
        let minute = STUCK.as_millis() as u64;
        let mut entries = BTreeMap::from([waits(0, None, minute), waits(1, None, minute)]);
        assert!(is_stuck(&entries, 2));
        assert!(!is_stuck(&entries, 3), "a host has not answered");
        entries.extend([waits(1, None, minute - 1)]);
        assert!(!is_stuck(&entries, 2), "something has come");
        entries.insert(1, entry(1, Doing::Computes));
        assert!(!is_stuck(&entries, 2), "one computes");
        entries.insert(1, entry(1, Doing::Exited(0)));
        assert!(!is_stuck(&entries, 3), "a host has not answered");
        assert!(is_stuck(&entries, 2), "who has ended sends nothing");
        entries.insert(0, entry(0, Doing::Finalized));
        assert!(!is_stuck(&entries, 2), "nobody waits");
    }

    #[test]
    fn the_report_names_everybody() {
        let text = report(&BTreeMap::from([waits(1, Some(1), 1500)]), 2);
        assert!(text.contains("rank 0: its host has not answered"));
        assert!(text.contains("rank 1 on h, pid 1: MPI_Recv; nothing has come for 1.5 s"));
        let text =
            report(&BTreeMap::from([waits(0, Some(1), 9), (1, entry(1, Doing::Exited(3)))]), 2);
        assert!(
            text.ends_with("rank 0 waits for rank 1, which has ended with exit code 3"),
            "{text}"
        );
    }
}
