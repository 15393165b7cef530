//! Signals that reach a launcher, and how they get to the ranks.
//!
//! ```text
//!   user ── SIGTERM, SIGINT, … ──▶ mpiexec ── Down::Signal ──▶ agents ──▶ ranks of all hosts
//!   batch system ── SIGTERM, … ──▶ agent ─── Up::Signal ─────▶ mpiexec     once for the job
//!   either ── SIGTSTP, SIGCONT ──▶ agent ──▶ ranks of its host
//! ```
//!
//! A batch system that ends a job (`scancel`, a time limit) signals the processes that it knows:
//! the agents, and `mpiexec` or not. The root treats what reaches agents as if it had reached
//! itself, and counts the same signal at several of them, and at itself, as one. A signal to stop
//! or to continue concerns the ranks of the agent's host alone. An agent is not ended by SIGHUP: it
//! says that the command that started the agent has ended.

use super::context::{Job, Phase};
use super::report_progress::Cause;
use crate::exit_status::{SIGNAL_BASE, signal_name};
use crate::rank::Rank;
use crate::tree::message::{Down, Up};
use nemesis_sys::process;
use rustix::process::Signal;
use std::io;
use std::time::{Duration, Instant};

/// Signals that are passed on to the ranks.
pub(super) const FORWARDED: [Signal; 6] =
    [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM, Signal::USR1, Signal::USR2];

/// Time that ranks have to end after a signal that asks the job to end.
const SIGNAL_GRACE: Duration = Duration::from_secs(5);

/// Signals of one kind within this time are one: `timeout` signals its command, and then the group
/// to which the command belongs.
const SAME_SIGNAL: Duration = Duration::from_millis(200);

/// Signals of one kind that reach agents within this time, or agents and `mpiexec`, are one: a
/// batch system signals the hosts one after the other.
const BATCH_SIGNAL: Duration = Duration::from_secs(5);

/// A second Ctrl-\ within this time ends the job.
const QUIT_AGAIN: Duration = Duration::from_secs(2);

/// Time that a parent has to act on a signal that its agent has passed up. The agent's own ranks
/// get the signal then; the parent may be stopped.
const PASSED_UP_TIMEOUT: Duration = Duration::from_secs(3);

/// The signals that have come, and what follows from them.
#[derive(Debug, Default)]
pub(super) struct Interruption {
    /// The first signal that asked this process to end the job.
    pub(super) signal: Option<i32>,
    /// When a signal last asked this process to end the job.
    at: Option<Instant>,
    /// When ranks that ignore that signal are killed, or the user is told how to kill them.
    pub(super) grace_ends: Option<Instant>,
    /// When Ctrl-\ last asked for a state report.
    last_quit: Option<Instant>,
    /// The last signal to this process, and its time.
    last_own: Option<(i32, Instant)>,
    /// The signals that have reached agents and that the root has counted, with their times.
    relayed: Vec<(i32, Instant)>,
    /// Whether the first signal that asked for the end had reached an agent.
    is_relayed: bool,
    /// Whether a signal that asks for the end has come to this agent from its parent.
    is_ended_from_above: bool,
    /// A signal that this agent has passed up, and when its ranks get it if nothing comes back.
    pub(super) passed_up: Option<(i32, Instant)>,
}

impl Interruption {
    /// Returns whether a signal of this kind has reached this process or an agent within
    /// `BATCH_SIGNAL`, and counts this one.
    fn is_relayed_again(&mut self, signal: i32) -> bool {
        let is_same = |(own, at): (i32, Instant)| own == signal && at.elapsed() < BATCH_SIGNAL;
        if self.last_own.is_some_and(is_same) {
            return true;
        }
        self.relayed.retain(|(_, at)| at.elapsed() < BATCH_SIGNAL);
        let is_known = self.relayed.iter().any(|(known, _)| *known == signal);
        if !is_known {
            self.relayed.push((signal, Instant::now()));
        }
        is_known
    }

    /// Returns whether a signal to this process repeats one that has reached agents. The next one
    /// does not.
    fn repeats_relayed(&mut self, signal: i32) -> bool {
        self.relayed.retain(|(_, at)| at.elapsed() < BATCH_SIGNAL);
        let place = self.relayed.iter().position(|(known, _)| *known == signal);
        self.last_own = Some((signal, Instant::now()));
        place.map(|place| self.relayed.swap_remove(place)).is_some()
    }
}

/// Returns whether a signal asks the job to end.
fn asks_to_end(signal: i32) -> bool {
    ![Signal::USR1, Signal::USR2].iter().any(|user| user.as_raw() == signal)
}

impl Job {
    /// Handles the signals that have arrived.
    pub(super) fn read_signals(&mut self) -> io::Result<()> {
        while let Some(signal) = self.signals.next() {
            let is_agent = self.parent_link.is_some();
            if signal == Signal::CHILD.as_raw() {
                self.reap();
            } else if [Signal::TSTP, Signal::CONT].iter().any(|stop| stop.as_raw() == signal) {
                if is_agent {
                    self.ranks.iter().for_each(|rank| rank.signal(signal));
                    continue;
                }
                self.signal_all(signal);
                if signal == Signal::TSTP.as_raw() {
                    self.child_agents.flush(&self.epoll)?;
                    process::stop_self()?;
                }
            } else if !is_agent {
                self.forward(signal);
            } else if signal != Signal::HUP.as_raw() {
                self.pass_up(signal);
            }
        }
        Ok(())
    }

    /// Passes a signal that has reached this agent to the root, which decides.
    fn pass_up(&mut self, signal: i32) {
        let host = self.host.clone();
        let Some(link) = &mut self.parent_link else { return };
        link.send(&Up::Signal { signal, host });
        // The root has acted on an earlier one, and does not answer to a repetition.
        if asks_to_end(signal) && !self.interruption.is_ended_from_above {
            let at = Instant::now() + PASSED_UP_TIMEOUT;
            self.interruption.passed_up.get_or_insert((signal, at));
        }
    }

    /// Gives the ranks of this agent a signal that has come from its parent.
    pub(super) fn pass_down(&mut self, signal: i32) {
        self.interruption.passed_up = None;
        self.interruption.is_ended_from_above |= asks_to_end(signal);
        self.signal_all(signal);
    }

    /// Gives the ranks of this agent a signal that it has passed up and on which nobody has acted.
    pub(super) fn check_passed_up(&mut self, now: Instant) {
        let Some((signal, _)) = self.interruption.passed_up.take_if(|(_, at)| now >= *at) else {
            return;
        };
        self.signal_all(signal);
    }

    /// Handles a signal that has reached the agent on `host`.
    pub(super) fn hear_of_signal(&mut self, signal: i32, host: String) {
        if let Some(link) = &mut self.parent_link {
            return link.send(&Up::Signal { signal, host });
        }
        let has_ended = asks_to_end(signal) && self.interruption.signal.is_some();
        if has_ended || self.interruption.is_relayed_again(signal) {
            return;
        }
        if asks_to_end(signal) && matches!(self.phase, Phase::Running | Phase::Lingering(_)) {
            self.interruption.is_relayed = true;
            self.say(&relayed_message(signal, &host));
        }
        self.act_on(signal);
    }

    /// Sends a signal to all ranks of the job, here and on the hosts below.
    pub(super) fn signal_all(&mut self, signal: i32) {
        let may_end_program = signal == Signal::USR1.as_raw();
        // SIGUSR1 ends a program that does not handle it.
        let receives = |rank: &&Rank| !may_end_program || process::handles(rank.pid, signal);
        self.ranks.iter().filter(receives).for_each(|rank| rank.signal(signal));
        self.child_agents.send_all(&Down::Signal(signal));
    }

    /// Passes a signal on. The first one that asks the job to end goes to the ranks, which may
    /// clean up. Ranks that are left after `SIGNAL_GRACE`, or at a second such signal, are killed.
    fn forward(&mut self, signal: i32) {
        let Interruption { signal: first, at, .. } = &self.interruption;
        let same = *first == Some(signal) && at.is_some_and(|at| at.elapsed() < SAME_SIGNAL);
        if same || self.interruption.repeats_relayed(signal) {
            return;
        }
        self.act_on(signal);
    }

    fn act_on(&mut self, signal: i32) {
        self.signal_spawned_jobs(signal);
        if self.asks_for_state_report(signal) {
            self.request_state_report(Cause::Asked);
            if signal == Signal::QUIT.as_raw() {
                return;
            }
        }
        if !asks_to_end(signal) {
            return self.deliver(signal);
        }
        if !self.has_time_for(Cause::BeforeEnd(signal)) {
            // The job's time is over, and it ends within a second whatever is asked for.
            return;
        }
        self.interruption.at = Some(Instant::now());
        if self.waits_only_for_readers() {
            self.out.sink.discard();
            self.err.sink.discard();
        } else if self.interruption.signal.replace(signal).is_some() {
            self.code = SIGNAL_BASE + signal;
            self.kill();
        } else if self.child_agents.are_starting() {
            // Some hosts may have no rank yet that could follow the signal.
            self.code = SIGNAL_BASE + signal;
            self.terminate();
        } else if self.phase == Phase::Running && !self.ignored.contains(&signal) {
            // The report on what the ranks do comes first.
            self.ask(self.state_reports.number + 1, Cause::BeforeEnd(signal));
        } else {
            self.deliver(signal);
        }
    }

    /// Sends a signal to the ranks, which have `SIGNAL_GRACE` to end if it asks them to.
    pub(super) fn deliver(&mut self, signal: i32) {
        if asks_to_end(signal) && !self.ignored.contains(&signal) {
            self.interruption.grace_ends = Some(Instant::now() + SIGNAL_GRACE);
        }
        self.signal_all(signal);
    }

    /// Kills ranks that have not followed a signal within `SIGNAL_GRACE`. Ctrl-C may be meant for a
    /// program that continues after it, such as a debugger. On a terminal the user is told instead
    /// that a second Ctrl-C kills.
    pub(super) fn check_signal_grace(&mut self, now: Instant) {
        if self.interruption.grace_ends.take_if(|ends| now >= *ends).is_none()
            || !matches!(self.phase, Phase::Running | Phase::Lingering(_))
        {
            return;
        }
        match self.interruption.signal {
            Some(signal)
                if signal == Signal::INT.as_raw()
                    && self.facts.common.interactive
                    && !self.interruption.is_relayed =>
            {
                self.say("mpiexec: ranks still run after Ctrl-C; press Ctrl-C again to kill them");
            }
            Some(signal) => {
                self.code = SIGNAL_BASE + signal;
                self.kill();
            }
            None => {}
        }
    }

    /// Returns whether `signal` requests a state report: SIGUSR1, and Ctrl-\ unless it is the
    /// second within `QUIT_AGAIN`, which ends the job.
    fn asks_for_state_report(&mut self, signal: i32) -> bool {
        let is_quit = signal == Signal::QUIT.as_raw();
        let again = is_quit
            && self
                .interruption
                .last_quit
                .replace(Instant::now())
                .is_some_and(|then| then.elapsed() < QUIT_AGAIN);
        self.phase == Phase::Running
            && self.interruption.signal.is_none()
            && (signal == Signal::USR1.as_raw() || is_quit && !again)
    }
}

/// Returns what the user is told of a signal that has reached the agent on `host` and asks the job
/// to end.
fn relayed_message(signal: i32, host: &str) -> String {
    format!(
        "mpiexec: {} has reached the node agent on {host}; all ranks get it, and those that do not \
         end within {} s are killed\n  \
         why: a batch system ends a job so (a time limit, scancel), or a user has signalled \
         mpiexec on that host\n  \
         try: a longer time limit; a handler of the signal that saves what the program needs",
        signal_name(signal),
        SIGNAL_GRACE.as_secs()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_signal_at_many_hosts_is_one_signal() {
        let (term, usr1) = (Signal::TERM.as_raw(), Signal::USR1.as_raw());
        let mut interruption = Interruption::default();
        assert!(!interruption.is_relayed_again(term), "nothing has come");
        assert!(interruption.is_relayed_again(term), "a second host");
        assert!(!interruption.is_relayed_again(usr1), "another signal");
        assert!(interruption.repeats_relayed(term), "mpiexec gets it, too");
        assert!(!interruption.repeats_relayed(term), "a user asks again");
        assert!(interruption.is_relayed_again(term), "mpiexec has got it before the host");
    }
}
