//! The phases of a job, and the transitions between them.
//!
//! ```text
//!              all ranks over, well              groups empty, pipes at their end
//!   Running ───────────────────────▶ Lingering ─────────────────────────────────▶ Over
//!      │                                 │ 1 s                                     ▲
//!      │ a rank fails, or a signal       ▼                                         │
//!      └───────────────────────▶ Terminating (SIGTERM sent) ──── nothing left ─────┤
//!                                        │ 1 s                                     │
//!                                        ▼                                         │
//!                                     Killing (SIGKILL sent) ── nothing left, 1 s ─┘
//! ```
//!
//! A signal that asks `mpiexec` to end the job goes to the ranks. If some are left after five
//! seconds, the job goes from Running to Killing.
//!
//! A rank is *over* when its process has been reaped and, if the rank has joined the job by PMI,
//! its socket has ended: a wrapper may end before the program that it started. *Lingering* gives
//! processes that ranks left in their process groups time to finish, `tee` in a shell's pipe for
//! instance.
//!
//! The reader of the output of `mpiexec` may be slow. Neither the second of Lingering nor that of
//! Killing cuts off output that other hosts still have to send.

use super::context::{Job, Phase};
use super::report_progress::Cause;
use crate::exit_status::{Failure, SIGNAL_BASE, late_exit_message};
use crate::launch_error::LaunchError;
use crate::pmi::Stage;
use crate::rank::Rank;
use crate::stdin::Pump;
use crate::tree::message::{Down, LateExit, Up};
use nemesis_profile::units::bytes;
use nemesis_sys::memory_kills::UsedUp;
use nemesis_sys::process::Ending;
use rustix::process::{Pid, Signal};
use std::time::{Duration, Instant};

/// Time for processes that ranks left behind, and time that a process has to follow SIGTERM.
const GRACE: Duration = Duration::from_secs(1);
/// Time between the end of a rank's MPI process and that of the rank's first process. If it takes
/// longer, something else keeps the first process alive.
const HANG_UP_GRACE: Duration = Duration::from_millis(500);
/// Time that a failure waits for one that explains it, if the job has other hosts.
const FAILURE_WINDOW: Duration = Duration::from_millis(100);
/// Interval of checks whether other hosts still answer.
const LINK_CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// Interval of checks for what no event announces: that a process group is empty, or that this
/// process is in the terminal's foreground again.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

impl Job {
    /// Notes why the kernel has killed a rank that had up to `memory` bytes, if it was for memory.
    pub(super) fn note_memory_kill(&mut self, rank: usize, memory: u64) {
        let killed = Some(Ending::Killed(Signal::KILL.as_raw()));
        if self.ranks[rank].ending != killed || self.phase != Phase::Running {
            return;
        }
        let had = format!("this rank had up to {}", bytes(memory));
        self.ranks[rank].memory_kill = self.memory_kills.since().map(|used_up| match used_up {
            UsedUp::Group { name, limit } => {
                let limit = limit.map_or_else(String::new, |limit| format!(" of {}", bytes(limit)));
                let name = name.display();
                format!("the memory limit{limit} of the control group {name} was reached; {had}")
            }
            UsedUp::Host => format!("the memory of the host was used up; {had}"),
        });
    }

    /// Decides whether the end of `rank` ends the job. A non-zero exit code after `MPI_Finalize`
    /// does not: the first such code is reported at the end and becomes the exit code of the job.
    pub(super) fn rank_has_ended(&mut self, rank: usize) {
        let Some(ending) = self.ranks[rank].ending else { return };
        if self.server.stage(rank) == Stage::NotJoined {
            self.check_file_of(rank);
        }
        if let Ending::Killed(_) = ending {
            self.ranks[rank].place = self.place_of_death(rank);
        }
        if self.facts.common.is_tolerant && self.goes_on_without_rank(rank, ending) {
            return;
        }
        match (ending, self.server.stage(rank)) {
            (Ending::Killed(_), _) | (Ending::Exited(1..), _) if self.facts.common.goes_on => {
                self.go_on_without(rank, ending)
            }
            (Ending::Killed(_), _) | (Ending::Exited(1..), Stage::NotJoined | Stage::Joined) => {
                self.fail(Failure::Died { rank, ending })
            }
            (Ending::Exited(_), Stage::NotJoined) if self.server.is_awaited(rank) => {
                self.fail(Failure::NeverJoined { rank })
            }
            (Ending::Exited(_), Stage::Joined) if self.ranks[rank].pmi.is_none() => {
                self.fail(Failure::WithoutFinalize { rank })
            }
            (Ending::Exited(code @ 1..), Stage::Finalized) if self.late_exit.is_none() => {
                let message =
                    late_exit_message(&self.ranks[rank], code, &self.host, self.facts.common.size);
                self.late_exit = Some(LateExit { code, message });
            }
            (Ending::Exited(_), Stage::NotJoined) if self.parent_link.is_some() => {
                let report = Failure::NeverJoined { rank }.report(
                    &self.ranks,
                    &self.host,
                    self.facts.common.size,
                );
                self.report_never_joined(report);
            }
            _ => {}
        }
    }

    /// Tells of a rank that has failed while the others go on. The first exit code of such a rank
    /// is that of the job.
    fn go_on_without(&mut self, rank: usize, ending: Ending) {
        if !matches!(self.phase, Phase::Running | Phase::Lingering(_))
            || self.interruption.signal.is_some()
        {
            return;
        }
        self.tell_and_go_on(&Failure::Died { rank, ending });
    }

    /// Tells of a failure after which the other ranks go on. The first exit code of such a failure
    /// is that of the job.
    pub(super) fn tell_and_go_on(&mut self, failure: &Failure) {
        let (code, size) = (failure.exit_code(), self.facts.common.size);
        let message = failure.message(&self.ranks, &self.host, size).unwrap_or_default();
        let message = message.replace("; the other ranks are ended", "; the other ranks go on");
        let message = message.replace("; the other rank is ended", "; the other rank goes on");
        self.say(&message);
        if self.late_exit.is_none() {
            self.late_exit = Some(LateExit { code, message: String::new() });
        }
    }

    /// Ends the job when its time is over: first the state of its ranks is asked for.
    fn check_time_limit(&mut self, now: Instant) {
        let Some((_, limit)) = self.ends_at.take_if(|(at, _)| now >= *at) else { return };
        match self.phase {
            Phase::Running if self.interruption.signal.is_none() => {
                self.ask(self.state_reports.number + 1, Cause::TimeIsOver(limit));
            }
            // A program may go on after Ctrl-C.
            Phase::Running | Phase::Lingering(_) => {
                self.fail(Failure::TimeIsOver { limit, report: String::new() });
            }
            _ => {}
        }
    }

    /// Records a failure. The first of the round's failures with the greatest weight counts.
    pub(super) fn fail(&mut self, failure: Failure) {
        let since = self.failure.as_ref().map_or_else(Instant::now, |known| known.1);
        if self.failure.as_ref().is_none_or(|known| known.0.weight() < failure.weight()) {
            self.failure = Some((failure, since));
        }
    }

    /// Ends the job because of this round's failure, unless the job is ending already.
    fn end_job_for(&mut self, failure: Failure) {
        if !matches!(self.phase, Phase::Running | Phase::Lingering(_)) || self.report(&failure) {
            return;
        }
        match self.interruption.signal {
            Some(signal) => self.code = SIGNAL_BASE + signal,
            None => {
                self.code = failure.exit_code();
                if let Some(message) =
                    failure.message(&self.ranks, &self.host, self.facts.common.size)
                    && !self.report_to_spawner(&message)
                {
                    self.say(&message);
                }
            }
        }
        // A rank that aborts is ending by itself and may have output in its buffers: it is not
        // signalled during the grace period.
        self.terminate_but(failure.spared(&self.ranks));
    }

    /// Sends SIGTERM to all ranks.
    pub(super) fn terminate(&mut self) {
        self.terminate_but(None);
    }

    /// Sends SIGTERM to all ranks but `spared`, which ends by itself.
    pub(super) fn terminate_but(&mut self, spared: Option<u32>) {
        self.child_agents.send_all(&Down::Terminate { spared });
        for rank in self.ranks.iter().filter(|rank| Some(rank.number) != spared) {
            rank.signal(Signal::TERM.as_raw());
            // A stopped process handles SIGTERM only after SIGCONT.
            rank.signal(Signal::CONT.as_raw());
        }
        self.phase = Phase::Terminating(Instant::now() + GRACE);
    }

    /// Kills all ranks and every process that carries the job's mark.
    pub(super) fn kill(&mut self) {
        self.child_agents.send_all(&Down::Kill);
        self.ranks.iter().for_each(|rank| rank.signal(Signal::KILL.as_raw()));
        self.orphan_cleanup.kill();
        self.phase = Phase::Killing(Instant::now() + GRACE);
    }

    /// Makes the checks that are due and moves on to the next phase when the current one has ended.
    pub(super) fn advance(&mut self) {
        let now = Instant::now();
        self.check_hang_ups(now);
        self.check_child_agents(now);
        if let Err(error) = self.check_pending(now) {
            let error = LaunchError::of_system("checking new connections", &error);
            self.say(&format!("mpiexec: {error}"));
        }
        self.check_parent();
        self.check_unmet(now);
        self.check_state_report(now);
        self.look_for_foreign_libraries();
        self.check_signal_grace(now);
        self.check_passed_up(now);
        self.check_time_limit(now);
        self.pass_questions_on(now);
        // When all ranks have ended, no further failure can arrive.
        let nothing_follows = self.child_agents.is_empty() || self.all_are_over();
        if let Some((failure, _)) = self.failure.take_if(|(failure, since)| {
            nothing_follows || failure.is_root_cause() || now >= *since + FAILURE_WINDOW
        }) {
            self.end_job_for(failure);
        }
        if self.parent_link.is_some()
            && !self.has_reported_over
            && self.failure.is_none()
            && self.all_are_over()
        {
            self.has_reported_over = true;
            let late = self.first_late_exit();
            self.parent_link.iter_mut().for_each(|link| link.send(&Up::Over(late.clone())));
        }
        let none_left = self.phase != Phase::Over && self.no_process_is_left();
        let pipes_closed = self.ranks.iter().all(|rank| rank.out.is_none() && rank.err.is_none());
        match self.phase {
            Phase::Running if self.all_are_over() => {
                self.conclude_without_failure();
                self.phase = if none_left && pipes_closed {
                    Phase::Over
                } else {
                    Phase::Lingering(now + GRACE)
                };
            }
            Phase::Lingering(_) if none_left && pipes_closed => self.phase = Phase::Over,
            Phase::Lingering(until) if now >= until && none_left => self.conclude(),
            Phase::Lingering(until)
                if now >= until && !(self.groups_are_empty() && self.awaits_output(now)) =>
            {
                self.terminate()
            }
            Phase::Terminating(_) | Phase::Killing(_)
                if none_left && self.orphan_cleanup.kill() == 0 =>
            {
                self.conclude()
            }
            Phase::Terminating(until) if now >= until => self.kill(),
            Phase::Killing(until) if now >= until && !self.awaits_output(now) => self.conclude(),
            _ => {}
        }
    }

    /// Sets the exit code when all ranks have ended and none has failed.
    fn conclude_without_failure(&mut self) {
        let Some(LateExit { code, message }) = self.first_late_exit() else { return };
        match self.interruption.signal {
            Some(signal) => self.code = SIGNAL_BASE + signal,
            None => {
                self.code = code;
                if self.parent_link.is_none() && !message.is_empty() {
                    self.say(&message);
                }
            }
        }
    }

    /// Tells of output that standard output has refused after the ranks had ended in order. Returns
    /// whether there is any.
    pub(super) fn tell_refused_output(&mut self) -> bool {
        if self.code != 0 {
            return false;
        }
        let is_of_file =
            |(failure, _): &mut (Failure, Instant)| matches!(failure, Failure::FileRefused(_));
        let failure = match (self.failure.take_if(is_of_file), self.out.failed.take()) {
            (Some((failure, _)), _) => failure,
            (None, Some(refused)) => Failure::OutputRefused(refused),
            (None, None) => return false,
        };
        self.code = failure.exit_code();
        if let Some(message) = failure.message(&self.ranks, &self.host, self.facts.common.size) {
            self.say(&message);
        }
        true
    }

    /// Returns the first non-zero exit code after `MPI_Finalize` in this subtree.
    fn first_late_exit(&self) -> Option<LateExit> {
        self.late_exit.clone().or_else(|| self.child_agents.late_exit())
    }

    /// Reads what is left in the pipes and ends the job.
    fn conclude(&mut self) {
        self.drain_pipes();
        self.phase = Phase::Over;
    }

    /// Returns whether all ranks of this subtree are over.
    fn all_are_over(&self) -> bool {
        let is_over = |(local, rank): (usize, &Rank)| {
            rank.ending.is_some()
                && (rank.pmi.is_none() || self.server.stage(local) != Stage::Joined)
        };
        self.ranks.len() == self.facts.local_size as usize
            && self.ranks.iter().enumerate().all(is_over)
            && self.child_agents.are_over()
    }

    /// Returns whether no process of the job is left in any process group. Empty groups are marked,
    /// because their numbers may be reused.
    fn no_process_is_left(&mut self) -> bool {
        for rank in
            self.ranks.iter_mut().filter(|rank| rank.ending.is_some() && !rank.group_is_empty)
        {
            if is_empty_group(rank.pid) {
                rank.group_is_empty = true;
                self.watchdog.group_is_empty(rank.pid);
            }
        }
        self.groups_are_empty() && self.child_agents.have_ended()
    }

    /// Returns whether all process groups of this host's ranks are empty.
    fn groups_are_empty(&self) -> bool {
        self.ranks.iter().all(|rank| rank.group_is_empty)
    }

    /// Returns whether output of other hosts still waits for the reader of `mpiexec`, or arrived
    /// less than `GRACE` ago. Agents stay until their last output has been sent; they end by
    /// themselves what their ranks leave behind.
    fn awaits_output(&self, now: Instant) -> bool {
        let reader_is_slow = !(self.out.sink.is_empty() && self.err.sink.is_empty());
        !self.child_agents.have_ended()
            && (reader_is_slow
                || self.child_agents.sent_output().is_some_and(|then| now < then + GRACE))
    }

    /// Returns whether the job has ended but for output that its reader does not read.
    pub(super) fn waits_only_for_readers(&self) -> bool {
        match self.phase {
            Phase::Over => true,
            Phase::Killing(until) => Instant::now() >= until,
            _ => false,
        }
    }

    /// Fails the job if a rank's MPI process has left while its first process goes on.
    fn check_hang_ups(&mut self, now: Instant) {
        let hung_up = |rank: &Rank| {
            rank.ending.is_none() && rank.hung_up.is_some_and(|then| now >= then + HANG_UP_GRACE)
        };
        if let Some(rank) = self.ranks.iter().position(hung_up) {
            self.rank_has_hung_up(rank);
        }
    }

    /// Returns how long the event loop may sleep.
    pub(super) fn timeout(&self) -> Option<Duration> {
        let grace =
            self.interruption.grace_ends.map(|ends| ends.saturating_duration_since(Instant::now()));
        let looks = self.foreign_looks.timeout();
        // While a state report is in progress, its own time counts.
        let unmet = self.unmet_notice.filter(|_| self.state_reports.current.is_none());
        let unmet = unmet.map(|at| at.saturating_duration_since(Instant::now()));
        let limit = self.ends_at.map(|(at, _)| at.saturating_duration_since(Instant::now()));
        let own = [self.own_timeout(), self.question_timeout(), limit];
        let all = own.into_iter().chain([self.state_reports.timeout(), grace, looks, unmet]);
        all.flatten().min()
    }

    /// Returns how long the event loop may sleep, apart from state reports and signals.
    fn own_timeout(&self) -> Option<Duration> {
        let watching_groups = !matches!(self.phase, Phase::Running | Phase::Over);
        let close_pmi =
            self.ranks.iter().any(|rank| rank.ending.is_none() && rank.hung_up.is_some());
        let terminal_is_away =
            self.pump.as_ref().is_some_and(Pump::wants_more) && !self.pump_listens;
        if watching_groups || close_pmi || terminal_is_away || self.failure.is_some() {
            return Some(POLL_INTERVAL);
        }
        let is_alone = self.child_agents.is_empty()
            && self.parent_link.is_none()
            && !self.child_agents.have_pending();
        (!is_alone).then_some(LINK_CHECK_INTERVAL)
    }
}

/// Returns whether no process is left in the group of `leader`.
fn is_empty_group(leader: Pid) -> bool {
    rustix::process::test_kill_process_group(leader) == Err(rustix::io::Errno::SRCH)
}
