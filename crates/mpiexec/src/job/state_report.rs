//! The state report: what every rank is doing. It is printed on SIGUSR1 or Ctrl-\, before a signal
//! ends a job whose ranks wait, and made without being printed when ranks have received nothing for
//! a while. A job that can never continue is then ended (`standstill`). Of a job that only looks
//! like one, the user is told once, after a minute (`NEMESIS_NOTICE_SECONDS`).
//!
//! ```text
//!   root:  request ──▶ ranks of this host, agents ──▶ their ranks …  (status lines in the segment)
//!          answers ◀── those that arrive within the time limits
//! ```
//!
//! A rank that waits wakes five times a second and answers then, and one that tests answers with a
//! test that finds nothing. A rank that has not answered in time is inside the kernel, if it has
//! stored so, or not inside MPI. If its last answer, however late, is of a test some seconds ago,
//! the report says so. Every two seconds only the ranks of the root's host are asked, and all ranks
//! if some of these have waited for long.

use super::conclusions::conclusions;
use super::context::{Job, Phase};
use super::report_progress::{Cause, StateReport, TEST_AGE_MAX, WATCH_INTERVAL, WIDE_INTERVAL};
use super::standstill::{self, SECOND_LOOK};
use crate::exit_status::Failure;
use crate::pmi::Stage;
use crate::rank_state::{Doing, Entry, Silence};
use crate::tree::message::{Down, Up};
use nemesis_shm::kernel_call::{KERNEL_CALL_BYTES, KernelCall};
use nemesis_shm::layout::{Layout, at};
use nemesis_shm::status::{self, Answer, STATUS_BYTES, Status};
use nemesis_source_lines::{Site, SourceLines};
use nemesis_sys::process::{Ending, descends_from};
use nemesis_sys::process_state::{Look, State, instruction_of};
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time that other hosts have to answer.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);
/// Time that other hosts have to answer before a signal is passed on.
const LAST_WORDS_TIMEOUT: Duration = Duration::from_secs(1);
/// Time for which another thread of a rank that answers has been in the kernel, if it is told.
const OTHER_THREAD_MIN: Duration = Duration::from_secs(1);
/// Time that a rank has waited for if it is worth a report before the job's end.
const WAIT_BEFORE_END: Duration = Duration::from_secs(2);

impl Job {
    /// Starts a state report, unless one is in progress. One that the user requests takes the place
    /// of one that nobody has requested.
    pub(super) fn request_state_report(&mut self, cause: Cause) {
        if self.has_time_for(cause) {
            self.ask(self.state_reports.number + 1, cause);
        }
    }

    /// Returns whether a state report for this cause may start now.
    pub(super) fn has_time_for(&self, cause: Cause) -> bool {
        let current = self.state_reports.current.as_ref();
        current.is_none_or(|current| current.cause.gives_way_to(cause))
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
            let is_requested = cause.is_requested();
            self.child_agents.send_all(&Down::RequestStateReport { number, is_requested });
        }
        // The periodic check concludes nothing from what ranks do that compute.
        let looks = match cause {
            Cause::Watch => Vec::new(),
            _ => (0..self.ranks.len()).map(|local| Look::at(self.process_of(local)?)).collect(),
        };
        self.state_reports.current = Some(StateReport {
            number,
            looks,
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
        if self.phase != Phase::Running || self.interruption.signal.is_some() {
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
        let (number, is_late) = (current.number, now >= current.last_call());
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
            let timeout = match current.cause {
                Cause::BeforeEnd(_) | Cause::TimeIsOver(_) => LAST_WORDS_TIMEOUT,
                _ => HOST_TIMEOUT,
            };
            current.has_local_entries
                && (!is_root || current.entries.len() >= awaited || now >= current.since + timeout)
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
            Cause::Asked => self.say(&report_text(&with_places(&current.entries), size)),
            Cause::Watch => {
                let here = self.ranks.len();
                let all = all_wait(&current.entries, here, standstill::TIMEOUT);
                let limit = self.state_reports.notice_after;
                // A rank that tests knows since when it was asked first that it has finished
                // nothing, so those of other hosts are asked before the notice is due.
                let longest = longest_wait(&current.entries);
                let some = longest >= limit / 2
                    || standstill::suspect(&current.entries, size as usize).is_some();
                let now = Instant::now();
                let is_due = self.state_reports.next_wide.is_none_or(|at| now >= at)
                    || longest >= limit && longest - limit < 2 * WATCH_INTERVAL;
                if all || some && is_due {
                    self.state_reports.next_wide = Some(now + WIDE_INTERVAL);
                    self.request_state_report(Cause::Suspicion);
                }
            }
            Cause::Suspicion => {
                let suspicion = standstill::suspect(&current.entries, size as usize);
                self.state_reports.suspicion =
                    suspicion.map(|found| (found, Instant::now() + SECOND_LOOK));
                let limit = self.state_reports.notice_after;
                let is_stuck = is_stuck(&current.entries, size as usize, limit);
                if !self.state_reports.has_warned && is_stuck {
                    self.warn_stuck(&with_places(&current.entries));
                }
            }
            Cause::SecondLook => self.second_look(&with_places(&current.entries)),
            Cause::Unmet => self.tell_unmet(&current.entries),
            Cause::TimeIsOver(limit) => {
                let report = report_text(&with_places(&current.entries), size);
                self.fail(Failure::TimeIsOver { limit, report });
            }
            Cause::BeforeEnd(signal) => {
                let longest = longest_wait(&current.entries).max(longest_call(&current.entries));
                if longest >= WAIT_BEFORE_END {
                    self.say(&report_text(&with_places(&current.entries), size));
                }
                self.deliver(signal);
            }
        }
    }

    /// Ends the job, or tells the user, if the second state report confirms the suspicion.
    fn second_look(&mut self, entries: &BTreeMap<u32, Entry>) {
        let (size, ends) = (self.facts.common.size, !self.state_reports.only_tells);
        let found = self
            .state_reports
            .suspicion
            .take()
            .and_then(|(first, _)| standstill::confirm(&first, entries, size, ends));
        let order = self.order_to_go_on().filter(|_| found.is_some());
        if let Some(order) = order {
            return self.ask((self.state_reports.number + 1) | order, Cause::Suspicion);
        }
        match found {
            Some(message) if ends => self.fail(Failure::Standstill(message)),
            Some(message) if !self.state_reports.has_warned => {
                self.state_reports.has_warned = true;
                self.say(&message);
            }
            _ => {}
        }
    }

    /// Returns the next order for the ranks of a checked job in which all wait, and that is to go
    /// on if it relies on buffering. Later questions repeat the orders.
    fn order_to_go_on(&self) -> Option<u32> {
        let is_new = |order: &u32| self.state_reports.number & order == 0;
        let orders = [status::KEEP_MESSAGES, status::LEAVE_COLLECTIVES];
        orders.into_iter().find(is_new).filter(|_| self.check.buffered)
    }

    /// Tells the user once that ranks wait or test for long, with a state report.
    fn warn_stuck(&mut self, entries: &BTreeMap<u32, Entry>) {
        self.state_reports.has_warned = true;
        self.say(&notice(entries, self.state_reports.notice_after));
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
        self.layout().map_or(u64::MAX, |layout| Status::offset(&layout, local))
    }

    fn layout(&self) -> Option<Layout> {
        Layout::new(self.memory.bytes as usize, self.facts.local_size as usize)
    }

    /// Returns the call of MPI for which a rank is in the kernel, and for how long.
    fn kernel_call(&self, local: usize) -> Option<(String, Duration)> {
        let (mut bytes, place) =
            ([0; KERNEL_CALL_BYTES], KernelCall::offset(&self.layout()?, local));
        let read = rustix::io::pread(&self.memory.descriptor, &mut bytes, place);
        (read == Ok(KERNEL_CALL_BYTES)).then(|| KernelCall::read(&bytes)).flatten()
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
        let mut site = None;
        let doing = match (rank.ending, self.server.stage(local)) {
            (Some(Ending::Exited(code)), _) => Doing::Exited(code),
            (Some(Ending::Killed(signal)), _) => Doing::Killed(signal),
            (None, Stage::NotJoined) => Doing::NotJoined,
            (None, Stage::Finalized) => Doing::Finalized,
            (None, Stage::Joined) => match self.answer_of(local, number) {
                Some(line) => {
                    let answer = Status::answer_in(&line);
                    (sent, received) = (answer.sent, answer.received);
                    site = self.site(local, answer.site);
                    let Answer { mut text, peer, only_peer, waiting_ms: milliseconds, .. } = answer;
                    if let Some((call, time)) = self.kernel_call(local)
                        && time >= OTHER_THREAD_MIN
                    {
                        let milliseconds = time.as_millis() as u64;
                        let doing = Doing::InKernel { text: call, milliseconds };
                        // Writing to a String does not fail.
                        let _ = write!(text, "\nanother thread is in {doing}");
                    }
                    let Answer { finalizes, idle, tests, .. } = answer;
                    match tests {
                        true => {
                            let peer = peer.filter(|_| only_peer);
                            Doing::Tests { text, peer, milliseconds, ago: None }
                        }
                        false => {
                            Doing::Waits { text, peer, only_peer, milliseconds, finalizes, idle }
                        }
                    }
                }
                None if self.has_slot(local) => {
                    let last = self.status_line(local);
                    let last = last.map(|line| Status::answer_in(&line));
                    let (state, silence) = self.silence(local);
                    let doing = unanswered(last.as_ref(), self.kernel_call(local), silence);
                    site = match &doing {
                        Doing::Tests { .. } => self.site(local, last.map_or(0, |it| it.site)),
                        Doing::Silent(_) => self.site_of_computation(local, state),
                        _ => None,
                    };
                    doing
                }
                None => Doing::Foreign,
            },
        };
        let (host, pid) = (self.host.clone(), rank.pid.as_raw_nonzero().get());
        let is_over = rank.ending.is_some() && rank.pmi.is_none();
        Entry { rank: rank.number, host, pid, is_over, sent, received, doing, site, place: None }
    }

    /// Returns the process that has taken the rank's slot in the segment, by its own number.
    fn slot_owner(&self, local: usize) -> Option<i32> {
        let mut pid = [0; 4];
        let place = self.status_offset(local) - (at::STATUS - at::IDENTITY) as u64;
        let read = rustix::io::pread(&self.memory.descriptor, &mut pid, place);
        Some(i32::from_le_bytes(pid)).filter(|pid| read == Ok(4) && *pid != 0)
    }

    /// Returns whether a process of the rank has taken the rank's slot in the segment.
    fn has_slot(&self, local: usize) -> bool {
        self.slot_owner(local).is_some()
    }

    /// Returns the process of a rank that uses MPI: its first one, or a descendant of that. In a
    /// namespace of its own it has another number, by which it is not found here.
    fn process_of(&self, local: usize) -> Option<u32> {
        let first = self.ranks[local].pid.as_raw_nonzero().get();
        let process = self.slot_owner(local)?;
        descends_from(process, first).then_some(process as u32)
    }

    /// Returns the place of an address in a rank's memory, or `None` for address 0 and in reports
    /// that are not printed.
    fn site(&self, local: usize, address: u64) -> Option<Site> {
        let current = self.state_reports.current.as_ref()?;
        (address != 0 && current.cause != Cause::Watch).then_some(())?;
        Site::in_process(self.process_of(local)?, address)
    }

    /// Returns where a rank computes, in a report that a user has asked for.
    fn site_of_computation(&self, local: usize, state: Option<State>) -> Option<Site> {
        let computes = matches!(state, Some(State::Computes { .. }));
        let is_requested = self.state_reports.current.as_ref()?.cause.is_requested();
        (computes && is_requested).then_some(())?;
        self.site(local, instruction_of(self.process_of(local)?)?)
    }

    /// Returns where the program of a rank was that a signal has ended, if the rank has told.
    pub(super) fn place_of_death(&self, local: usize) -> Option<String> {
        let (module, offset) = Status::death_in(&self.status_line(local)?)?;
        let program = self.ranks[local].command.split(' ').next().map(Path::new);
        let is_program = program.and_then(Path::file_name) == Path::new(&module).file_name();
        let site = Site { module, offset, is_program };
        Some(SourceLines::default().in_words(&site))
    }

    /// Returns what the kernel says of a rank that has not answered.
    fn silence(&self, local: usize) -> (Option<State>, Silence) {
        let current = self.state_reports.current.as_ref();
        let earlier = current.and_then(|current| current.looks.get(local).copied().flatten());
        let state = earlier.and_then(|earlier| {
            let process = self.process_of(local)?;
            Some((Look::at(process)?.since(&earlier), process))
        });
        match state {
            Some((state, process)) => (Some(state), Silence::of(state, process)),
            None => (None, Silence::Outside(None)),
        }
    }
}

/// Returns the answers with the functions and source lines of their sites. Reads the program's
/// files, so it belongs to a report that is printed.
fn with_places(entries: &BTreeMap<u32, Entry>) -> BTreeMap<u32, Entry> {
    let mut lines = SourceLines::default();
    let mut entries = entries.clone();
    for entry in entries.values_mut() {
        entry.place = entry.site.as_ref().map(|site| lines.in_words(site));
    }
    entries
}

/// Returns what a rank does that has not answered, from its last answer, its call of the kernel,
/// and what the kernel says. A rank that sleeps or computes between its tests answers late.
fn unanswered(last: Option<&Answer>, call: Option<(String, Duration)>, silence: Silence) -> Doing {
    if matches!(silence, Silence::Held(_)) {
        return Doing::Silent(silence);
    }
    if let Some((text, time)) = call {
        return Doing::InKernel { text, milliseconds: time.as_millis() as u64 };
    }
    let Some(last) = last else { return Doing::Silent(silence) };
    let age = last.age();
    if !last.tests || age > TEST_AGE_MAX {
        return Doing::Silent(silence);
    }
    let Answer { text, peer, only_peer, waiting_ms: milliseconds, .. } = last.clone();
    let peer = peer.filter(|_| only_peer);
    Doing::Tests { text, peer, milliseconds, ago: Some(age.as_millis() as u64) }
}

/// Returns whether every rank has answered or is known not to be inside MPI, some wait or test, a
/// rank has done so without success for `limit`, and each that waits has received nothing for that
/// time.
fn is_stuck(entries: &BTreeMap<u32, Entry>, ranks: usize, limit: Duration) -> bool {
    let may_be = |entry: &Entry| match entry.doing {
        Doing::Waits { milliseconds, .. } => Duration::from_millis(milliseconds) >= limit,
        Doing::Tests { .. } | Doing::InKernel { .. } | Doing::Silent(_) => true,
        Doing::Finalized | Doing::Exited(_) => true,
        Doing::Foreign | Doing::NotJoined | Doing::Killed(_) => false,
    };
    entries.len() == ranks && entries.values().all(may_be) && longest_wait(entries) >= limit
}

/// Returns the longest time for which a rank has waited and received nothing, or tested and
/// finished nothing.
fn longest_wait(entries: &BTreeMap<u32, Entry>) -> Duration {
    let waits = entries.values().filter_map(|entry| match entry.doing {
        Doing::Waits { milliseconds, .. } | Doing::Tests { milliseconds, .. } => Some(milliseconds),
        _ => None,
    });
    Duration::from_millis(waits.max().unwrap_or(0))
}

/// Returns the longest time for which a rank has been in a call of the kernel.
fn longest_call(entries: &BTreeMap<u32, Entry>) -> Duration {
    let calls = entries.values().filter_map(|entry| match entry.doing {
        Doing::InKernel { milliseconds, .. } => Some(milliseconds),
        _ => None,
    });
    Duration::from_millis(calls.max().unwrap_or(0))
}

/// Beginnings of calls that wait for processes of other jobs.
const MEETINGS: [&str; 4] =
    ["MPI_Comm_spawn", "MPI_Comm_accept", "MPI_Comm_connect", "MPI_Comm_join"];

/// Composes the notice about ranks that have waited or tested for `limit`.
fn notice(entries: &BTreeMap<u32, Entry>, limit: Duration) -> String {
    let seconds = limit.as_secs();
    let any = |what: fn(&Doing) -> bool| entries.values().any(|entry| what(&entry.doing));
    let computes = any(|doing| matches!(doing, Doing::Silent(_)));
    let is_held = any(|doing| matches!(doing, Doing::Silent(Silence::Held(_))));
    let tests = any(|doing| matches!(doing, Doing::Tests { .. }));
    let waits = any(|doing| matches!(doing, Doing::Waits { .. }));
    let in_kernel = longest_call(entries) >= limit;
    let meets = |entry: &Entry| match &entry.doing {
        Doing::Waits { text, .. } => MEETINGS.into_iter().find(|call| text.starts_with(call)),
        _ => None,
    };
    let what = match (waits, computes || tests) {
        (true, _) if in_kernel => format!(
            "every rank that waits inside MPI has received nothing for {seconds} s, and others \
             have been in calls on files for as long: perhaps a file system does not answer"
        ),
        (true, _) if is_held => format!(
            "every rank that waits inside MPI has received nothing for {seconds} s, and a signal \
             or a debugger has stopped others"
        ),
        (true, false) => {
            let reason = match entries.values().find_map(meets) {
                Some(call) => format!("in {call}, they wait for processes of another job"),
                None => "perhaps they wait for each other".to_owned(),
            };
            format!(
                "every rank waits inside MPI, and none has received anything for {seconds} s: \
                 {reason}"
            )
        }
        (true, true) => format!(
            "every rank that waits inside MPI has received nothing for {seconds} s, and the \
             others compute or test: perhaps they have left out a call"
        ),
        (false, _) => {
            let others = if computes { ", and the others compute" } else { "" };
            format!(
                "ranks have tested again and again for {seconds} s, and nothing has \
                 finished{others}: perhaps they test for messages that are never sent"
            )
        }
    };
    let where_it_computes = match computes && !is_held {
        true => "; `gdb -p PID` shows where a rank computes",
        false => "",
    };
    format!(
        "mpiexec: {what}; the job goes on, and this message is not repeated\n  \
         try: comparing the calls of the ranks below{where_it_computes}"
    )
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
                entry.host,
                entry.pid,
                entry.in_words().replace('\n', "\n    ")
            ),
            None => write!(text, "\n  rank {rank}: its host has not answered"),
        };
    }
    text.push_str(&conclusions(entries));
    text
}

/// Writes a text of several lines with `end` behind the first one.
fn with_end(f: &mut fmt::Formatter<'_>, text: &str, end: &str) -> fmt::Result {
    match text.split_once('\n') {
        Some((first, rest)) => write!(f, "{first}; {end}\n{rest}"),
        None => write!(f, "{text}; {end}"),
    }
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Doing::Waits { text, milliseconds, .. } => {
                let seconds = *milliseconds as f64 / 1000.0;
                with_end(f, text, &format!("nothing received for {seconds:.1} s"))
            }
            Doing::Tests { text, milliseconds, ago, .. } => {
                let seconds = |milliseconds: u64| milliseconds as f64 / 1000.0;
                let often = match ago {
                    None => "tests again and again".to_owned(),
                    Some(ago) => format!("has tested within the last {:.1} s", seconds(*ago)),
                };
                let end = format!("{often}, nothing finished for {:.1} s", seconds(*milliseconds));
                with_end(f, text, &end)
            }
            Doing::InKernel { text, milliseconds } => {
                let seconds = *milliseconds as f64 / 1000.0;
                write!(f, "{text}; the kernel has not returned for {seconds:.1} s")
            }
            Doing::Silent(silence) => silence.fmt(f),
            Doing::Foreign => f.write_str(
                "uses another MPI library, or another build of this one, which cannot be asked",
            ),
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
    use crate::job::test_entries::{entry, waits};
    use nemesis_shm::status;

    const COMPUTES: Doing = Doing::Silent(Silence::Outside(None));

    #[test]
    fn the_user_is_told_when_every_rank_inside_mpi_has_waited_for_long() {
        let minute = 60_000;
        let is_stuck = |entries: &BTreeMap<u32, Entry>, ranks: usize| {
            is_stuck(entries, ranks, Duration::from_millis(minute))
        };
        let mut entries = BTreeMap::from([waits(0, None, minute), waits(1, None, minute)]);
        assert!(is_stuck(&entries, 2));
        assert!(!is_stuck(&entries, 3), "a host has not answered");
        entries.extend([waits(1, None, minute - 1)]);
        assert!(!is_stuck(&entries, 2), "a rank has received something");
        for doing in [COMPUTES, Doing::Exited(0), Doing::Finalized] {
            entries.insert(1, entry(1, doing));
            assert!(is_stuck(&entries, 2), "{entries:?}");
        }
        entries.insert(1, entry(1, Doing::NotJoined));
        assert!(!is_stuck(&entries, 2), "a rank has not begun");
        entries = BTreeMap::from([(0, entry(0, Doing::Finalized)), (1, entry(1, COMPUTES))]);
        assert!(!is_stuck(&entries, 2), "no rank waits");
    }

    #[test]
    fn the_user_is_told_when_every_rank_has_tested_for_long() {
        let limit = Duration::from_secs(60);
        let tests = |rank, milliseconds| {
            let text = "MPI_Test".into();
            (rank, entry(rank, Doing::Tests { text, peer: None, milliseconds, ago: None }))
        };
        let mut entries = BTreeMap::from([tests(0, 60_000), tests(1, 0)]);
        assert!(is_stuck(&entries, 2, limit));
        assert!(notice(&entries, limit).contains(
            "for 60 s, and nothing has finished: perhaps they test for messages that are never sent"
        ));
        entries.insert(1, entry(1, COMPUTES));
        assert!(notice(&entries, limit).contains("finished, and the others compute: perhaps"));
        entries.extend([tests(0, 59_999)]);
        assert!(!is_stuck(&entries, 2, limit), "an operation has finished");
        entries = BTreeMap::from([tests(0, 60_000), waits(1, None, 59_999)]);
        assert!(!is_stuck(&entries, 2, limit), "a rank has received something");
        entries.extend([waits(1, None, 60_000)]);
        assert!(notice(&entries, limit).contains("the others compute or test"));
        let mut spawns = waits(0, None, 60_000);
        if let Doing::Waits { text, .. } = &mut spawns.1.doing {
            *text = "MPI_Comm_spawn".into();
        }
        let told = notice(&BTreeMap::from([spawns]), limit);
        assert!(
            told.contains("in MPI_Comm_spawn, they wait for processes of another job"),
            "{told}"
        );
    }

    #[test]
    fn a_rank_that_tests_seldom_does_not_compute() {
        let last = |tests, ago: Duration| {
            let at_ms = status::now_ms().wrapping_sub(ago.as_millis() as u32);
            let (text, peer) = ("MPI_Test: a".into(), Some(1));
            let (only_peer, waiting_ms) = (true, 61_000);
            Answer { text, peer, only_peer, waiting_ms, tests, at_ms, ..Answer::default() }
        };
        let age = Duration::from_millis(2300);
        assert_eq!(unanswered(None, None, Silence::Outside(None)), COMPUTES);
        assert_eq!(unanswered(Some(&last(false, age)), None, Silence::Outside(None)), COMPUTES);
        assert_eq!(
            unanswered(Some(&last(true, 2 * TEST_AGE_MAX)), None, Silence::Outside(None)),
            COMPUTES
        );
        let doing = unanswered(Some(&last(true, age)), None, Silence::Outside(None));
        let text = doing.to_string();
        assert!(
            text.starts_with("MPI_Test: a; has tested within the last 2.")
                && text.ends_with("for 61.0 s")
        );
        let entries = BTreeMap::from([(0, entry(0, doing)), waits(1, Some(0), 60_000)]);
        assert!(is_stuck(&entries, 2, Duration::from_secs(60)));
    }

    #[test]
    fn a_rank_in_the_kernel_does_not_compute() {
        let call = ("MPI_File_write_at of \"a\"".to_owned(), Duration::from_millis(3210));
        let doing = unanswered(Some(&Answer::default()), Some(call), Silence::Outside(None));
        let told = "MPI_File_write_at of \"a\"; the kernel has not returned for 3.2 s";
        assert_eq!(doing.to_string(), told);
        let entries = BTreeMap::from([(0, entry(0, doing)), waits(1, Some(0), 4000)]);
        assert!(is_stuck(&entries, 2, Duration::from_secs(4)));
        assert_eq!(longest_call(&entries), Duration::from_millis(3210));
        let notice = notice(&entries, Duration::from_secs(3));
        assert!(notice.contains("perhaps a file system does not answer"), "{notice}");
    }

    #[test]
    fn the_report_names_every_rank() {
        let text = report_text(&BTreeMap::from([waits(1, Some(1), 1500)]), 2);
        assert!(text.contains("rank 0: its host has not answered"));
        assert!(text.contains("rank 1 on h, pid 1: MPI_Recv; nothing received for 1.5 s"));
        let text = "MPI_Test: a\nhas 1 message".into();
        let tests = Doing::Tests { text, peer: None, milliseconds: 2000, ago: None };
        let text = report_text(&BTreeMap::from([(0, entry(0, tests))]), 1);
        assert!(
            text.ends_with(
                "MPI_Test: a; tests again and again, nothing finished for 2.0 s\n    has 1 message"
            ),
            "{text}"
        );
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
