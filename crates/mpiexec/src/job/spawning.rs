//! Jobs that this one spawns, and the job that has spawned this one ([`crate::spawned`]).

use super::context::{Job, Phase, token};
use crate::exit_status::SIGNAL_BASE;
use crate::options::Plan;
use crate::pmi::Requester;
use crate::slots::Ledger;
use crate::spawned::{self, News, Spawner};
use nemesis_wireup::hosts::Host;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fd::RawFd;
use rustix::process::{Pid, Signal};
use std::ffi::OsString;
use std::io;

/// The message when the process that has spawned a job ends while it is connected with the job.
const SPAWNER_GONE: &str = "mpiexec: the process that spawned this job has ended without \
                            MPI_Comm_disconnect or MPI_Finalize; all ranks of this job \
                            are ended\n  try: MPI_Comm_disconnect at both sides before it ends, \
                            if this job is to go on";

/// Returns the number of processes that can usefully run on the hosts of a job: its slots, at least
/// the job's own processes.
pub(super) fn universe_of(plan: &Plan) -> u32 {
    let slots = if plan.hosts.is_empty() {
        nemesis_sys::host::usable_cores() as u32
    } else {
        plan.hosts.iter().fold(0, |sum, host| host.slots.saturating_add(sum))
    };
    slots.max(plan.processes()).min(i32::MAX as u32)
}

/// Returns the options that spawned jobs inherit: hosts, how to reach them, and the variables of
/// the library, and the `universe` of this job.
pub(super) fn options_for_spawned(plan: &Plan, universe: u32) -> Vec<OsString> {
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
    option("-usize", &universe.to_string());
    option("-stdin", "none");
    let variables = plan.programs.first().map_or(&[][..], |program| &program.variables);
    for (name, value) in variables {
        if name.to_str().is_some_and(|name| name.starts_with("NEMESIS_")) {
            words.extend(["-genv".into(), name.clone(), value.clone()]);
        }
    }
    words
}

impl Job {
    /// Ties the job to the process that has spawned it.
    pub(super) fn tie_to(&mut self, spawner: Spawner) -> io::Result<()> {
        let token = EventData::new_u64(token::SPAWNER);
        epoll::add(&self.epoll, &spawner, token, EventFlags::IN)?;
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
            News::Gone => {
                self.spawner = None;
                if matches!(self.phase, Phase::Running | Phase::Lingering(_)) {
                    self.code = SIGNAL_BASE + Signal::TERM.as_raw();
                    self.say(SPAWNER_GONE);
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
        spawner
            .report("the processes have ended without MPI_Init; try: programs that call MPI_Init");
        Ok(())
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
