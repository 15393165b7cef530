//! The phases of a job, and what moves it from one to the next.
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
//! A signal that asks mpiexec to end goes to the ranks; if some are left after five seconds, Running goes over to Killing.
//!
//! A rank is *over* when its process has been reaped and, if it joined the job by PMI, its socket has come to its end: a wrapper may end before
//! the program that it started. *Lingering* is for what ranks leave in their process groups, `tee` in a shell's pipe for instance: it may finish.
//! A reader of our output may be as slow as it likes: neither the second of Lingering nor that of Killing ends the wait for what other hosts have yet
//! to send because of it.

use super::Job;
use crate::exit_status::{Failure, SIGNAL_BASE, late_exit_message};
use crate::pmi::Stage;
use crate::rank::Rank;
use crate::stdin::Pump;
use crate::tree::message::{Down, LateExit, Up};
use nemesis_sys::process::Ending;
use rustix::process::{Pid, Signal};
use std::time::{Duration, Instant};

/// How long what ranks left behind may go on, and how long a process may take to follow a SIGTERM.
const GRACE: Duration = Duration::from_secs(1);
/// Between the end of a rank's member and that of its first process: longer, and something else keeps that process alive.
const HANG_UP_GRACE: Duration = Duration::from_millis(500);
/// An unfinished line on a terminal is a prompt when nothing has followed for so long.
const PROMPT: Duration = Duration::from_millis(50);
/// How long a failure waits for one that explains it, where news comes from other hosts.
const SETTLING: Duration = Duration::from_millis(100);
/// How often to look whether other hosts still answer.
const LOOK_AT_LINKS: Duration = Duration::from_secs(1);
/// How often to look for what no event tells: an empty process group, a terminal that is ours again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Running,
    Lingering(Instant),
    Terminating(Instant),
    Killing(Instant),
    Over,
}

impl Job {
    /// Decides whether the end of `rank` ends the job. A bad exit code after MPI_Finalize does not: the
    /// first one is told at the end, and is the job's.
    pub(super) fn judge(&mut self, rank: usize) {
        let Some(ending) = self.ranks[rank].ending else { return };
        match (ending, self.server.stage(rank)) {
            (Ending::Killed(_), _) | (Ending::Exited(1..), Stage::Silent | Stage::Joined) => {
                self.fail(Failure::Died { rank, ending })
            }
            (Ending::Exited(_), Stage::Silent) if self.server.is_awaited(rank) => {
                self.fail(Failure::NeverJoined { rank })
            }
            (Ending::Exited(_), Stage::Joined) if self.ranks[rank].conversation.is_none() => {
                self.fail(Failure::WithoutFinalize { rank })
            }
            (Ending::Exited(code @ 1..), Stage::Finalized) if self.late_exit.is_none() => {
                let message =
                    late_exit_message(&self.ranks[rank], code, &self.host, self.facts.common.size);
                self.late_exit = Some(LateExit { code, message });
            }
            (Ending::Exited(_), Stage::Silent) if self.parent_link.is_some() => {
                let report = Failure::NeverJoined { rank }.report(
                    &self.ranks,
                    &self.host,
                    self.facts.common.size,
                );
                self.somebody_is_absent(report);
            }
            _ => {}
        }
    }

    /// Takes note of a failure. The first of a round's weightiest will count.
    pub(super) fn fail(&mut self, failure: Failure) {
        let since = self.failure.as_ref().map_or_else(Instant::now, |known| known.1);
        if self.failure.as_ref().is_none_or(|known| known.0.weight() < failure.weight()) {
            self.failure = Some((failure, since));
        }
    }

    /// Acts on the failure of this round, unless the job is being ended already.
    fn end_for(&mut self, failure: Failure) {
        if !matches!(self.phase, Phase::Running | Phase::Lingering(_)) || self.report(&failure) {
            return;
        }
        match self.interrupted {
            Some(signal) => self.code = SIGNAL_BASE + signal,
            None => {
                self.code = failure.exit_code();
                if let Some(message) =
                    failure.message(&self.ranks, &self.host, self.facts.common.size)
                {
                    self.say(&message);
                }
            }
        }
        // A rank that aborts is on its way out, with its last lines in its buffers: it has the grace period for itself.
        self.terminate_but(failure.spared(&self.ranks));
    }

    pub(super) fn terminate(&mut self) {
        self.terminate_but(None);
    }

    /// Ends all ranks gently, but for one, which ends by itself.
    pub(super) fn terminate_but(&mut self, spared: Option<u32>) {
        self.child_agents.send_all(&Down::Terminate { spared });
        for rank in self.ranks.iter().filter(|rank| Some(rank.number) != spared) {
            rank.signal(Signal::TERM.as_raw());
            // A stopped process follows no SIGTERM before it goes on.
            rank.signal(Signal::CONT.as_raw());
        }
        self.phase = Phase::Terminating(Instant::now() + GRACE);
    }

    pub(super) fn kill(&mut self) {
        self.child_agents.send_all(&Down::Kill);
        self.ranks.iter().for_each(|rank| rank.signal(Signal::KILL.as_raw()));
        self.orphan_cleanup.kill();
        self.phase = Phase::Killing(Instant::now() + GRACE);
    }

    /// Moves on to the next phase when the present one has come to its end.
    pub(super) fn advance(&mut self) {
        let now = Instant::now();
        self.notice_hang_ups(now);
        self.look_below(now);
        if let Err(error) = self.look_at_visitors(now) {
            self.say(&format!("mpiexec: those who connect cannot be looked at: {error}"));
        }
        self.look_above();
        self.check_state_report(now);
        self.look_at_patience(now);
        // Nothing more is to be heard where everybody has ended.
        let settled = self.child_agents.is_empty() || self.all_are_over();
        if let Some((failure, _)) = self.failure.take_if(|(failure, since)| {
            settled || failure.explains_itself() || now >= *since + SETTLING
        }) {
            self.end_for(failure);
        }
        if self.parent_link.is_some()
            && !self.told_over
            && self.failure.is_none()
            && self.all_are_over()
        {
            self.told_over = true;
            let late = self.first_late_exit();
            self.parent_link.iter_mut().for_each(|link| link.send(&Up::Over(late.clone())));
        }
        let nobody = self.phase != Phase::Over && self.nobody_is_left();
        let silent = self.ranks.iter().all(|rank| rank.out.is_none() && rank.err.is_none());
        match self.phase {
            Phase::Running if self.all_are_over() => {
                self.conclude_well();
                self.phase =
                    if nobody && silent { Phase::Over } else { Phase::Lingering(now + GRACE) };
            }
            Phase::Lingering(_) if nobody && silent => self.phase = Phase::Over,
            Phase::Lingering(until) if now >= until && nobody => self.conclude(),
            Phase::Lingering(until)
                if now >= until && !(self.groups_are_empty() && self.is_held_up(now)) =>
            {
                self.terminate()
            }
            Phase::Terminating(_) | Phase::Killing(_)
                if nobody && self.orphan_cleanup.kill() == 0 =>
            {
                self.conclude()
            }
            Phase::Terminating(until) if now >= until => self.kill(),
            Phase::Killing(until) if now >= until && !self.is_held_up(now) => self.conclude(),
            _ => {}
        }
    }

    /// All ranks have ended, and none has failed.
    fn conclude_well(&mut self) {
        let Some(LateExit { code, message }) = self.first_late_exit() else { return };
        match self.interrupted {
            Some(signal) => self.code = SIGNAL_BASE + signal,
            None => {
                self.code = code;
                if self.parent_link.is_none() {
                    self.say(&message);
                }
            }
        }
    }

    fn first_late_exit(&self) -> Option<LateExit> {
        self.late_exit.clone().or_else(|| self.child_agents.late_exit())
    }

    fn conclude(&mut self) {
        self.empty_pipes();
        self.phase = Phase::Over;
    }

    fn all_are_over(&self) -> bool {
        let is_over = |(local, rank): (usize, &Rank)| {
            rank.ending.is_some()
                && (rank.conversation.is_none() || self.server.stage(local) != Stage::Joined)
        };
        self.ranks.len() == self.facts.local_size as usize
            && self.ranks.iter().enumerate().all(is_over)
            && self.child_agents.are_over()
    }

    /// No process of the job is left in any of its groups. Groups found empty are forgotten.
    fn nobody_is_left(&mut self) -> bool {
        for rank in
            self.ranks.iter_mut().filter(|rank| rank.ending.is_some() && !rank.group_is_empty)
        {
            if is_empty_group(rank.pid) {
                rank.group_is_empty = true;
                self.watchdog.group_is_empty(rank.pid);
            }
        }
        self.groups_are_empty() && self.child_agents.are_buried()
    }

    fn groups_are_empty(&self) -> bool {
        self.ranks.iter().all(|rank| rank.group_is_empty)
    }

    /// Output of other hosts waits for our reader, or was coming a moment ago: their agents, who end by themselves what their ranks leave behind, stay
    /// until the last of it has gone up.
    fn is_held_up(&self, now: Instant) -> bool {
        let reader_is_slow = !(self.out.sink.is_empty() && self.err.sink.is_empty());
        !self.child_agents.are_buried()
            && (reader_is_slow
                || self.child_agents.sent_output().is_some_and(|then| now < then + GRACE))
    }

    /// All that could be done has been done, but a reader of our output does not read.
    pub(super) fn only_readers_keep_us(&self) -> bool {
        match self.phase {
            Phase::Over => true,
            Phase::Killing(until) => Instant::now() >= until,
            _ => false,
        }
    }

    fn notice_hang_ups(&mut self, now: Instant) {
        let hung_up = |rank: &Rank| {
            rank.ending.is_none() && rank.hung_up.is_some_and(|then| now >= then + HANG_UP_GRACE)
        };
        if let Some(rank) = self.ranks.iter().position(hung_up) {
            self.fail(Failure::HungUp { rank });
        }
    }

    /// How long to wait for an event at most.
    pub(super) fn timeout(&self) -> Option<Duration> {
        let patience =
            self.patience_ends.map(|ends| ends.saturating_duration_since(Instant::now()));
        [self.own_timeout(), self.register.timeout(), patience].into_iter().flatten().min()
    }

    fn own_timeout(&self) -> Option<Duration> {
        let watching_groups = !matches!(self.phase, Phase::Running | Phase::Over);
        let hang_up = self.ranks.iter().any(|rank| rank.ending.is_none() && rank.hung_up.is_some());
        let terminal_is_away =
            self.pump.as_ref().is_some_and(Pump::wants_more) && !self.pump_listens;
        if watching_groups || hang_up || terminal_is_away || self.failure.is_some() {
            return Some(LOOK_AGAIN);
        }
        let is_alone = self.child_agents.is_empty()
            && self.parent_link.is_none()
            && !self.child_agents.have_visitors();
        if self.has_prompt() { Some(PROMPT) } else { (!is_alone).then_some(LOOK_AT_LINKS) }
    }
}

fn is_empty_group(leader: Pid) -> bool {
    rustix::process::test_kill_process_group(leader) == Err(rustix::io::Errno::SRCH)
}
