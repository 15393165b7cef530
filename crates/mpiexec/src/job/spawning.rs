//! Jobs that this one spawns, and the job that has spawned this one ([`crate::spawned`]).

use super::context::{Job, Phase, token};
use super::report_progress::Cause;
use crate::exit_status::SIGNAL_BASE;
use crate::options::{Inherit, Plan, Program};
use crate::pmi::Requester;
use crate::rank_state::{Doing, Entry};
use crate::slots::Ledger;
use crate::spawned::{self, News, Spawner};
use nemesis_wireup::hosts::Host;
use nemesis_wireup::ranks::named;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fd::RawFd;
use rustix::process::{Pid, Signal};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::time::Instant;

/// The message when the process that has spawned a job ends while it is connected with the job.
const SPAWNER_GONE: &str = "mpiexec: the process that spawned this job has ended without \
                            MPI_Comm_disconnect or MPI_Finalize; all ranks of this job \
                            are ended\n  try: MPI_Comm_disconnect at both sides before it ends, \
                            if this job is to go on";

/// The message when bytes from the process that has spawned a job were changed.
const SPAWNER_CHANGED: &str = "mpiexec: bytes of the process that spawned this job were changed, \
                               left out or repeated on the way; all ranks of this job are ended\n  \
                               try: a proxy, a faulty network card or an attacker between the two \
                               hosts; mpiexec -net chooses other interfaces";

/// Returns the options that spawned jobs inherit: hosts, how to reach them, whether they go on when
/// a rank fails, the variables for all programs and those of the library, and the value of
/// `MPI_UNIVERSE_SIZE`.
pub(super) fn options_for_spawned(plan: &Plan) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    let mut option = |name: &str, value: &str| words.extend([name.into(), value.into()]);
    if !plan.hosts.is_empty() {
        let shown = |host: &Host| match host.name.contains(':') {
            true => format!("[{}]:{}", host.name, host.slots),
            false => format!("{}:{}", host.name, host.slots),
        };
        option("-hosts", &plan.hosts.iter().map(shown).collect::<Vec<String>>().join(","));
    }
    plan.agent.iter().for_each(|agent| option("-agent", agent));
    plan.prefix.iter().for_each(|prefix| option("-prefix", prefix));
    if plan.by_node {
        option("-map-by", "node");
    }
    if plan.ports != (0, 0) {
        option("-port-range", &format!("{}:{}", plan.ports.0, plan.ports.1));
    }
    if !plan.net.is_empty() {
        option("-net", &plan.net);
    }
    if plan.tells_deadlocks {
        option("-on-deadlock", "tell");
    }
    let universe = plan.universe.map_or("infinite".to_owned(), |number| number.to_string());
    option("-usize", &universe);
    option("-stdin", "none");
    if plan.is_tolerant {
        words.push("-ft".into());
    }
    match &plan.inherit {
        Inherit::All => {}
        Inherit::Only(names) if names.is_empty() => words.push("-genvnone".into()),
        Inherit::Only(names) => words.extend(["-genvlist".into(), names.join(",").into()]),
    }
    // A program's own variables stand after those for all.
    let own = plan.programs.first().map_or(&[][..], |program| &program.variables);
    let is_ours = |(name, _): &&(OsString, OsString)| {
        name.to_str().is_some_and(|name| name.starts_with("NEMESIS_"))
    };
    let own = own.iter().skip(plan.variables.len()).filter(is_ours);
    for (name, value) in plan.variables.iter().chain(own) {
        words.extend(["-genv".into(), name.clone(), value.clone()]);
    }
    words
}

impl Job {
    /// Ties the job to the process that has spawned it.
    pub(super) fn tie_to(&mut self, spawner: Spawner) -> io::Result<()> {
        let token = EventData::new_u64(token::SPAWNER);
        epoll::add(&self.epoll, &spawner, token, EventFlags::IN)?;
        self.spawned_by = Some(spawner.who.clone());
        self.spawner = Some(spawner);
        Ok(())
    }

    /// Handles what the process that has spawned the job says. If it has ended while the two jobs
    /// were connected, this one ends.
    pub(super) fn hear_spawner(&mut self) {
        let Some(spawner) = &mut self.spawner else { return };
        let news = spawner.hear();
        if let Some(why) = spawner.take_unread() {
            self.say(&why);
        }
        match news {
            News::None => {}
            // Dropping the socket removes it from epoll.
            News::Free => self.spawner = None,
            News::Gone | News::Changed => {
                self.spawner = None;
                if matches!(self.phase, Phase::Running | Phase::Lingering(_)) {
                    self.code = SIGNAL_BASE + Signal::TERM.as_raw();
                    let was_changed = news == News::Changed;
                    self.say(if was_changed { SPAWNER_CHANGED } else { SPAWNER_GONE });
                    self.terminate();
                }
            }
        }
    }

    /// Reports to the process that has spawned the job that the job cannot be started. Returns
    /// false if there is none, or if the failure is not one of the spawn.
    pub(super) fn report_to_spawner(&mut self, why: &str) -> bool {
        self.spawner.as_mut().is_some_and(|spawner| spawner.report_failure(why))
    }

    /// Reports to the process that has spawned the job that its processes have ended without
    /// meeting it. Prints a failure that was reported to that process after they had met.
    pub(super) fn report_never_met(&mut self) -> io::Result<()> {
        let Some(spawner) = &mut self.spawner else { return Ok(()) };
        spawner.await_reader();
        if let Some(why) = spawner.take_unread() {
            self.say(&why);
            return self.flush();
        }
        spawner.report(&format!(
            "the processes of {} have ended without MPI_Init; try: programs that call MPI_Init",
            paths(&self.facts.common.programs).join(", ")
        ));
        Ok(())
    }

    /// Finds out which processes have not called `MPI_Init` if the process that has spawned the job
    /// waits for them for long.
    pub(super) fn check_unmet(&mut self, now: Instant) {
        let waits = self.spawner.as_ref().is_some_and(|spawner| !spawner.has_met());
        if !waits || self.phase != Phase::Running {
            self.unmet_notice = None;
        } else if self.unmet_notice.is_some_and(|at| now >= at)
            && self.state_reports.current.is_none()
        {
            self.unmet_notice = None;
            self.request_state_report(Cause::Unmet);
        }
    }

    /// Tells the user which processes have not called `MPI_Init`, and who waits for them.
    pub(super) fn tell_unmet(&mut self, entries: &BTreeMap<u32, Entry>) {
        let Some(spawner) = self.spawner.as_ref().filter(|spawner| !spawner.has_met()) else {
            return;
        };
        let programs = paths(&self.facts.common.programs);
        let program_of = |rank| {
            let number = self.facts.common.program_of(rank) as usize;
            programs.get(number).map_or("?", String::as_str)
        };
        let seconds = self.state_reports.notice_after.as_secs();
        if let Some(text) = unmet_notice(entries, program_of, &spawner.who, seconds) {
            self.say(&text);
        }
    }

    /// Starts the launcher of a job that a process of this one spawns.
    pub(super) fn start_spawned_job(&mut self, port: &str, requester: Requester) {
        let ledger = self.pass_on_ledger();
        let started = spawned::start(port, ledger, &self.spawn_options);
        let pid = started.as_ref().ok().and_then(|&pid| Pid::from_raw(pid));
        self.spawned_jobs.extend(pid);
        let why_not = started.err().map(|why| why.kind().to_string().replace(' ', "_"));
        let mut effects = Vec::new();
        self.server.job_started(requester, why_not.as_deref(), &mut effects);
        self.act(effects);
    }

    /// Lets the launcher of a spawned job inherit the ledger of slots. Without one, that launcher
    /// takes all slots for free.
    fn pass_on_ledger(&mut self) -> Option<RawFd> {
        if self.ledger.is_none() {
            let ledger = Ledger::new().ok()?;
            ledger.take(|_| self.shares.clone());
            self.ledger = Some(ledger);
        }
        self.ledger.as_ref()?.pass_on().ok()
    }

    /// Passes a signal on to the launchers of spawned jobs.
    pub(super) fn signal_spawned_jobs(&self, signal: i32) {
        for &pid in &self.spawned_jobs {
            nemesis_sys::process::signal_group(pid, signal);
        }
    }
}

/// Returns a message about a spawned job with a line that says who has spawned it: each of the jobs
/// has a rank 0.
pub(super) fn of_spawned_job(message: &str, who: &str) -> String {
    match message.split_once('\n') {
        Some((first, rest)) => format!("{first}\n  job: spawned by {who}\n{rest}"),
        None => message.to_owned(),
    }
}

/// Returns the paths of programs as texts.
fn paths(programs: &[Program]) -> Vec<String> {
    programs.iter().map(|program| program.path.display().to_string()).collect()
}

/// Composes the notice about processes of a spawned job that have not called `MPI_Init` for
/// `seconds`, for which `spawner` waits. Returns `None` if all have called it.
fn unmet_notice<'a>(
    entries: &BTreeMap<u32, Entry>,
    program_of: impl Fn(u32) -> &'a str,
    spawner: &str,
    seconds: u64,
) -> Option<String> {
    let silent = |entry: &&Entry| entry.doing == Doing::NotJoined;
    let silent: Vec<&Entry> = entries.values().filter(silent).collect();
    let ranks: Vec<u32> = silent.iter().map(|entry| entry.rank).collect();
    let first = silent.first()?;
    let mut programs: Vec<&str> = ranks.iter().map(|&rank| program_of(rank)).collect();
    programs.dedup();
    let (of, has) = (programs.join(", "), if ranks.len() == 1 { "has" } else { "have" });
    Some(format!(
        "mpiexec: {} of the spawned program {of} {has} not called MPI_Init for {seconds} s; the \
         spawn waits on, and this message is not repeated\n  \
         who: {spawner} waits in MPI_Comm_spawn; the first of the spawned processes has pid {} on \
         {}\n  \
         why: MPI_Comm_spawn returns when all processes that it starts have called MPI_Init\n  \
         try: a program that calls MPI_Init; posix_spawn or system for a program without MPI",
        named(&ranks),
        first.pid,
        first.host
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::test_entries;
    use crate::rank_state::Silence;

    fn entry(rank: u32, doing: Doing) -> (u32, Entry) {
        let (host, pid) = ("node1".to_owned(), 70 + rank as i32);
        (rank, Entry { host, pid, ..test_entries::entry(rank, doing) })
    }

    #[test]
    fn a_message_of_a_spawned_job_says_who_has_spawned_it() {
        let told = of_spawned_job("mpiexec: rank 0 died\n  who: pid 7", "rank 1 of 2 on h, pid 9");
        let expected =
            "mpiexec: rank 0 died\n  job: spawned by rank 1 of 2 on h, pid 9\n  who: pid 7";
        assert_eq!(told, expected);
        assert_eq!(of_spawned_job("mpiexec: h is lost", "x"), "mpiexec: h is lost");
    }

    #[test]
    fn processes_that_have_not_called_mpi_init_are_named_with_who_waits() {
        let all = [
            entry(0, Doing::Silent(Silence::Outside(None))),
            entry(1, Doing::NotJoined),
            entry(2, Doing::NotJoined),
            entry(3, Doing::Exited(0)),
        ];
        let told = |entries: &[(u32, Entry)]| {
            let entries = entries.iter().cloned().collect();
            unmet_notice(&entries, |_| "./x", "rank 1 of 2 on node0, pid 9", 60)
        };
        let text = told(&all).unwrap();
        for part in [
            "ranks 1, 2 of the spawned program ./x have not called MPI_Init for 60 s",
            "rank 1 of 2 on node0, pid 9 waits in MPI_Comm_spawn",
            "pid 71 on node1",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(told(&all[..1]), None);
    }
}
