//! The part of a job that one launcher runs: one event loop, until no process of the job is left.
//! `mpiexec` and the node agents on other hosts run the same loop.
//!
//! ```text
//!   epoll ──▶ a signal ──────────────────▶ signals        to the ranks, from agents to the root
//!         ──▶ a child's end ─────────────▶ phases         which failure counts, what ends the job
//!         ──▶ a rank's PMI socket ───────▶ dialogue       requests and answers
//!         ──▶ a pipe ────────────────────▶ streams        input to ranks, output from them
//!         ──▶ a child agent ─────────────▶ child_agents   the other hosts
//!         ──▶ the parent launcher ───────▶ parent_link    of an agent only
//!         ──▶ SIGUSR1, every 2 s ────────▶ state_report   what every rank does
//!                                          standstill     whether the job can go on
//!         ──▶ soon after the start ──────▶ foreign_library  ranks with another MPI library
//!         ──▶ the end ───────────────────▶ profile        what the ranks have counted (counters)
//! ```
//!
//! `context` holds the state on which these modules work, `connections` that of the child agents,
//! and `report_progress` that of the state reports.
//!
//! A round handles all pending events before it acts. The last output of a rank that ends is
//! therefore read before the rank is reaped, and of several failures in one round the one that
//! explains the others counts.

mod child_agents;
mod conclusions;
mod connections;
mod context;
mod counters;
mod deaths;
mod dialogue;
mod foreign_library;
mod parent_link;
mod phases;
mod profile;
mod report_progress;
mod showing;
mod signals;
mod spawning;
mod standstill;
mod state_report;
mod streams;
#[cfg(test)]
pub mod test_entries;

use crate::binding::{self, Cpusets};
use crate::check::{self, Findings};
use crate::exit_status::Failure;
use crate::launch_error::LaunchError;
use crate::launch_spec::{Common, LaunchSpec, mapping_of};
use crate::open_mpi;
use crate::options::Plan;
use crate::orphan_cleanup::OrphanCleanup;
use crate::output::Sink;
use crate::output_sink::OutputSink;
use crate::placement::{self, Share, Taken};
use crate::pmi::{Effect, JobInfo, Server};
use crate::rank::{self, DESCRIPTORS, DESCRIPTORS_PER_RANK, Facts, NotStarted, Rank};
use crate::spawned::Spawner;
use crate::tree;
use crate::tree::message::Up;
use crate::tree::{bootstrap::Accepted, link::Link, starter};
use crate::watchdog::{self, Watchdog};
use connections::ChildAgents;
use context::{Job, Phase, token};
use counters::Counters;
use foreign_library::Looks;
use nemesis_cipher::Cipher;
use nemesis_shm::measure;
use nemesis_shm::segment::{tell_build, tell_model};
use nemesis_shm::told_deaths::DeathsOfNode;
use nemesis_sys::memfd::Memory;
use nemesis_sys::memory_kills::MemoryKills;
use nemesis_sys::process::{self, SignalQueue};
use nemesis_wireup::{JobKey, build, hosts, machine, segment};
use report_progress::StateReports;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::process::{Resource, Rlimit, Signal};
use signals::{FORWARDED, Interruption};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Instant;
use streams::Which;

/// Runs the job that a command line describes and returns the exit code of `mpiexec`. `spawner` is
/// the tie to the process that has spawned the job, if one has.
///
/// # Errors
///
/// Returns a message if the launcher itself cannot work.
pub fn run(plan: &Plan, mut spawner: Option<Spawner>) -> Result<i32, LaunchError> {
    let draw = || JobKey::random().map(|bits| bits.to_hex()).map_err(broken("drawing random bits"));
    let only_here = [hosts::Host { name: "localhost".into(), slots: u32::MAX, told: false }];
    let hosts = if plan.hosts.is_empty() { only_here.as_slice() } else { &plan.hosts };
    let ledger = spawner.as_mut().and_then(|spawner| spawner.ledger.take());
    let place =
        |taken: &Taken| placement::place(&plan.programs, hosts, plan.by_node, plan.rank_by, taken);
    let mut shares = match &ledger {
        Some(ledger) => ledger.take(place),
        None => place(&Taken::default()),
    };
    let all_shares = shares.clone();
    let variable = |name: &str| std::env::var(name).ok();
    let shown = showing::shown(plan, hosts, &shares);
    plan.pid_to.as_deref().map_or(Ok(()), showing::tell_pid)?;
    if plan.only_shows {
        shown.iter().for_each(nemesis_sys::message::tell);
        return Ok(0);
    }
    plan.profile.as_ref().map_or(Ok(()), |wanted| profile::try_folder(&wanted.folder))?;
    let common = Common {
        size: plan.processes(),
        space: format!("nemesis-{}", std::process::id()),
        key: draw()?,
        mark: draw()?,
        mapping: mapping_of(&shares),
        universe: plan.universe.map(|number| number.min(i32::MAX as u32)),
        is_spawned: spawner.is_some(),
        programs: plan.programs.clone(),
        environment: environment(),
        directory: working_directory(),
        verbose: plan.verbose,
        interactive: io::stdin().is_terminal(),
        binding: plan.binding.clone(),
        stdin: plan.stdin,
        merges: plan.merges,
        goes_on: plan.goes_on,
        is_tolerant: plan.is_tolerant,
        tells_codes: plan.tells_codes,
        tells_bindings: plan.tells_bindings,
        agent: starter::template(plan.agent.as_deref(), variable)?,
        agent_path: agent_path(plan.prefix.as_deref())?,
        ports: plan.ports,
        net: plan.net.clone(),
        profile: plan.profile.as_ref().map(|profile| profile.trace),
    };
    let here = shares
        .iter()
        .position(|share| hosts::is_here(&share.host))
        .map(|place| shares.remove(place));
    let here =
        here.unwrap_or_else(|| Share { host: nemesis_sys::host::hostname(), runs: Vec::new() });
    let mut sinks = showing::sinks(plan, &all_shares, &common)?;
    shown.iter().for_each(|text| sinks[1].say(text));
    let launch_spec = LaunchSpec { common, here, below: shares };
    let mut job = Job::prepare(launch_spec, sinks, None, spawner)?;
    job.spawn_options = spawning::options_for_spawned(plan);
    (job.ledger, job.shares) = (ledger, all_shares);
    job.state_reports.only_tells = plan.tells_deadlocks;
    job.state_reports.notice_after = plan.notice_after;
    job.unmet_notice = Instant::now().checked_add(plan.notice_after);
    job.profile_folder = plan.profile.as_ref().map(|profile| profile.folder.clone());
    job.check = plan.check.clone();
    job.ends_at =
        plan.time_limit.and_then(|limit| Some((Instant::now().checked_add(limit)?, limit)));
    job.run_to_end()
}

/// Runs an agent's part of the job.
pub fn run_agent(accepted: Accepted) -> Result<i32, LaunchError> {
    let Accepted { stream, cipher, launch_spec, rest } = accepted;
    let sinks = [Sink::of_agent(), Sink::of_agent()];
    Job::prepare(launch_spec, sinks, Some(Above { stream, cipher, rest }), None)?.run_to_end()
}

/// The connection of an agent to its parent, and what has arrived and not been read.
struct Above {
    stream: TcpStream,
    cipher: Box<Cipher>,
    rest: Vec<u8>,
}

/// Returns the working directory. If it has been deleted, returns the name that the shell gave it:
/// ranks of this host inherit the directory, and other hosts may still have one of that name.
fn working_directory() -> PathBuf {
    let named = || std::env::var_os("PWD").map_or_else(|| "/".into(), PathBuf::from);
    std::env::current_dir().unwrap_or_else(|_| named())
}

/// Turns an I/O error into a message that says what `mpiexec` was doing.
fn broken(what: &'static str) -> impl Fn(io::Error) -> LaunchError {
    move |why| LaunchError::of_system(what, &why)
}

/// Returns the path of the agent program on other hosts: `DIR/bin/mpiexec` with `-prefix DIR`, else
/// the path of this program.
fn agent_path(prefix: Option<&str>) -> Result<String, LaunchError> {
    let own = watchdog::own_program().map_err(broken("finding the path of mpiexec itself"))?;
    let path = prefix.map_or(own, |prefix| Path::new(prefix).join("bin/mpiexec"));
    path.into_os_string().into_string().map_err(|path| {
        let what = format!("the path of mpiexec, {}, is not UTF-8", path.to_string_lossy());
        LaunchError::new(what, "an installation whose path is ASCII or UTF-8")
    })
}

/// Returns the environment of this process, without variables that only make sense on this host and
/// in this login session.
fn environment() -> Vec<(OsString, OsString)> {
    let is_of_here = |name: &str| matches!(name, "_" | "SSH_CLIENT" | "SSH_CONNECTION" | "SSH_TTY");
    std::env::vars_os()
        .filter(|(name, _)| name.to_str().is_none_or(|name| !is_of_here(name)))
        .collect()
}

/// Raises the soft limit of descriptors, as far as the hard limit allows, so that `ranks` ranks and
/// the claims on `cores` cores fit. Returns the previous limit.
fn raise_descriptor_limit(ranks: u32, cores: usize) -> Rlimit {
    let limit = rustix::process::getrlimit(Resource::Nofile);
    let wanted = DESCRIPTORS + DESCRIPTORS_PER_RANK * u64::from(ranks) + cores as u64;
    if limit.current.is_some_and(|current| current < wanted) {
        let allowed = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
        // If this fails, the first rank that does not fit reports the limit.
        let _ = rustix::process::setrlimit(
            Resource::Nofile,
            Rlimit { current: Some(allowed), maximum: limit.maximum },
        );
    }
    limit
}

impl Job {
    /// Creates the segment, the watchdog and the event loop, then starts agents and ranks.
    fn prepare(
        launch_spec: LaunchSpec,
        sinks: [Sink; 2],
        above: Option<Above>,
        spawner: Option<Spawner>,
    ) -> Result<Job, LaunchError> {
        let LaunchSpec { common, here, below } = launch_spec;
        let local_size = here.size();
        let memory = segment::make(local_size as usize)?;
        tell_build(&memory.descriptor, build::own())
            .map_err(|why| broken("writing to the segment")(why.into()))?;
        if local_size > 1 {
            tell_model(&memory.descriptor, &machine::known(measure::host_model))
                .map_err(|why| broken("writing to the segment")(why.into()))?;
        }
        let watched: Vec<Signal> =
            FORWARDED.into_iter().chain([Signal::CHILD, Signal::TSTP, Signal::CONT]).collect();
        let signals = SignalQueue::for_signals(&watched)
            .map_err(|why| broken("blocking signals")(why.into()))?;
        let subreaper = process::become_subreaper();
        let watchdog = Watchdog::start(&common.mark).map_err(broken("starting the watchdog"))?;
        process::pass_on(&memory.descriptor)
            .map_err(|why| broken("passing on the segment")(why.into()))?;
        let counters = Counters::make(&common, local_size)?;
        let deaths = common
            .is_tolerant
            .then(|| DeathsOfNode::begin(&memory.descriptor))
            .transpose()
            .map_err(|why| broken("writing to the segment")(why.into()))?;
        let cores = nemesis_sys::host::usable_cores();
        let descriptors = raise_descriptor_limit(local_size, cores);
        let allowed = process::allowed_processors().unwrap_or_default();
        let numbers: Vec<u32> = here.ranks().collect();
        let cpusets = Cpusets::prepare(&common.binding, &numbers, &allowed, cores);
        let facts = Facts {
            local_size,
            is_agent: above.is_some(),
            segment: memory.descriptor.as_raw_fd(),
            acceptor_port: None,
            counters: counters
                .as_ref()
                .map(|counters| (counters.memory.as_raw_fd(), counters.library.clone())),
            open_mpi: open_mpi::folder().map(|folder| {
                (folder, common.programs.iter().map(rank::open_mpi_lookup).collect())
            }),
            descriptors,
            cpusets,
            parent: match &spawner {
                Some(spawner) => Some(spawner.port.clone()),
                None => common.is_spawned.then(String::new),
            },
            common,
        };
        let below = tree::child_agent::divide(below, tree::FAN_OUT);
        let mut job = Job::new(facts, memory, &here, below, sinks, signals, watchdog)
            .map_err(broken("preparing the job"))?;
        job.counters = counters;
        job.deaths = deaths;
        if let Some(spawner) = spawner {
            job.tie_to(spawner).map_err(broken("preparing the job"))?;
        }
        if let Some(Above { stream, cipher, rest }) = above {
            let mut link = Link::new(stream, cipher, &job.epoll, token::PARENT_LINK)
                .map_err(broken("preparing the job"))?;
            link.preload(&rest);
            job.parent_link = Some(link);
        }
        if let Err(why) = subreaper
            && job.facts.common.verbose
        {
            let text = format!(
                "mpiexec: the kernel of {} does not give orphans to mpiexec ({why}); processes \
                 that ranks leave behind may outlive a job that ends without an error",
                job.host
            );
            job.say(&text);
        }
        let tells_why = job.facts.common.verbose || job.facts.common.tells_bindings;
        if let Some(why) =
            job.facts.cpusets.why_not.as_ref().filter(|_| tells_why && local_size > 0)
        {
            let text = format!("mpiexec: ranks on {} are not bound: {why}", job.host);
            job.say(&text);
        }
        if job.facts.common.verbose && local_size > 0 {
            let (size, host, memory) = (job.facts.common.size, &job.host, &job.memory);
            let text = format!(
                "mpiexec: {local_size} of {size} ranks on {host}; shared memory: {}, with \
                 addresses for {} GiB, of which only what is used takes memory",
                memory.backing,
                memory.bytes >> 30
            );
            job.say(&text);
        }
        if let Err(not_started) = job.start(&here) {
            job.fail(Failure::NotStarted(not_started));
        }
        Ok(job)
    }

    /// Creates the event loop's state, before any agent or rank starts.
    fn new(
        facts: Facts,
        memory: Memory,
        here: &Share,
        below: Vec<Vec<Share>>,
        [out, err]: [Sink; 2],
        signals: SignalQueue,
        watchdog: Watchdog,
    ) -> io::Result<Job> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &signals, EventData::new_u64(token::SIGNAL), EventFlags::IN)?;
        let common = &facts.common;
        let programs: Vec<u32> = here.ranks().map(|rank| common.program_of(rank)).collect();
        let Common { space, key, mapping, universe, .. } = common.clone();
        let is_root = out.is_of_stream();
        Ok(Job {
            server: Server::new(
                JobInfo { space, key, mapping, universe, parent: facts.parent.clone() },
                &programs,
                below.len(),
                is_root,
            ),
            child_agents: ChildAgents::new(below, &common.key),
            parent_link: None,
            out: OutputSink::new(out, io::stdout(), &epoll)?,
            err: OutputSink::new(err, io::stderr(), &epoll)?,
            pump: streams::pump_for(common.stdin, here, is_root),
            pump_listens: false,
            orphan_cleanup: OrphanCleanup::for_mark(&common.mark),
            host: nemesis_sys::host::hostname(),
            memory,
            ranks: Vec::with_capacity(programs.len()),
            phase: Phase::Running,
            failure: None,
            code: 0,
            late_exit: None,
            never_joined: None,
            memory_kills: MemoryKills::now(),
            deaths: None,
            dead: BTreeSet::new(),
            has_reported_over: false,
            state_reports: StateReports::new(is_root),
            foreign_looks: Looks::new(),
            interruption: Interruption::default(),
            ends_at: None,
            findings: Findings::default(),
            check: check::Options::default(),
            spawner: None,
            spawned_by: None,
            unmet_notice: None,
            spawned_jobs: Vec::new(),
            spawn_options: Vec::new(),
            ledger: None,
            shares: Vec::new(),
            counters: None,
            figures: Vec::new(),
            profile_folder: None,
            epoll,
            signals,
            ignored: FORWARDED
                .iter()
                .map(|signal| signal.as_raw())
                .filter(|&signal| process::ignores(signal))
                .collect(),
            watchdog,
            facts,
        })
    }

    /// Starts the child agents, then the ranks of this host.
    fn start(&mut self, here: &Share) -> Result<(), NotStarted> {
        let failed = |why: io::Error| NotStarted {
            error: LaunchError::of_system("preparing a rank", &why),
            code: 1,
        };
        self.start_child_agents();
        self.feed_child_agents();
        if self.parent_link.is_some() {
            self.enter_directory()?;
        }
        for (local, number) in here.ranks().enumerate() {
            let stdin = self.stdin_of(number).map_err(failed)?;
            let rank = Rank::start(number, local as u32, stdin, &self.facts)?;
            if self.facts.common.verbose {
                let bound = self
                    .facts
                    .cpusets
                    .of(local)
                    .map(|processors| format!(", processors {}", binding::shown(processors)));
                let place = format!("{}{}", self.host, bound.unwrap_or_default());
                self.say(&format!(
                    "mpiexec: rank {number}, pid {} on {place}: {}",
                    rank.pid, rank.command
                ));
            }
            if self.facts.common.tells_bindings {
                let processors = self.facts.cpusets.of(local);
                self.say(&showing::bound_line(number, &self.host, processors));
            }
            self.watchdog.group_began(rank.pid);
            self.ranks.push(rank);
            self.watch_rank(local).map_err(failed)?;
        }
        self.watch_input().map_err(failed)
    }

    /// Changes an agent's directory to that of `mpiexec`, in which ranks start.
    fn enter_directory(&self) -> Result<(), NotStarted> {
        let directory = &self.facts.common.directory;
        let needs_it = |program: &crate::options::Program| {
            !program.directory.as_ref().is_some_and(|directory| Path::new(directory).is_absolute())
        };
        match std::env::set_current_dir(directory) {
            Err(why) if self.facts.common.programs.iter().any(needs_it) => {
                let what = format!(
                    "the directory {} cannot be entered on {}: {why}",
                    directory.display(),
                    self.host
                );
                let advice = "-wdir /tmp, or a directory that all hosts share";
                Err(NotStarted { error: LaunchError::new(what, advice), code: 127 })
            }
            _ => Ok(()),
        }
    }

    /// Adds the PMI socket and the output pipes of a rank to epoll.
    fn watch_rank(&self, local: usize) -> io::Result<()> {
        let rank = &self.ranks[local];
        let add = |source: &OwnedFd, kind: u64| {
            epoll::add(&self.epoll, source, EventData::new_u64(kind | local as u64), EventFlags::IN)
        };
        rank.pmi.iter().try_for_each(|pmi| add(&pmi.socket, token::PMI))?;
        rank.out.iter().try_for_each(|stream| add(&stream.pipe, token::OUT))?;
        Ok(rank.err.iter().try_for_each(|stream| add(&stream.pipe, token::ERR))?)
    }

    /// Runs the event loop and ends watchdog and starters; returns the exit code.
    fn run_to_end(mut self) -> Result<i32, LaunchError> {
        self.event_loop().map_err(broken("waiting for events"))?;
        self.report_end();
        self.report_never_met().map_err(broken("writing to standard error"))?;
        self.child_agents.kill_starters();
        self.watchdog.job_has_ended();
        Ok(self.code)
    }

    /// Handles events until the job is over and its output is written.
    fn event_loop(&mut self) -> io::Result<()> {
        let mut events: Vec<Event> = Vec::with_capacity(256);
        // What came with an agent's part of the job has been read, and no event announces it.
        self.receive_from_parent()?;
        loop {
            self.advance();
            if self.phase == Phase::Over {
                self.out.sink.append_put_off();
                self.err.sink.append_put_off();
                self.err.sink.tell_repeats();
                self.tell_codes();
                self.tell_findings();
                self.report_profile();
            }
            self.flush()?;
            if self.phase == Phase::Over && self.tell_refused_output() {
                self.flush()?;
            }
            if self.phase == Phase::Over
                && self.out.sink.is_empty()
                && self.err.sink.is_empty()
                && self.spawned_jobs.is_empty()
            {
                return Ok(());
            }
            let timeout = self.timeout().map(|left| Timespec {
                tv_sec: left.as_secs() as i64,
                tv_nsec: i64::from(left.subsec_nanos()),
            });
            events.clear();
            match epoll::wait(
                &self.epoll,
                rustix::buffer::spare_capacity(&mut events),
                timeout.as_ref(),
            ) {
                Ok(0) => self.watch_terminal(),
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(refused) => return Err(refused.into()),
            }
            for event in &events {
                self.dispatch(event.data.u64())?;
            }
        }
    }

    /// Handles one event.
    fn dispatch(&mut self, token: u64) -> io::Result<()> {
        let place = (token & !token::KIND) as usize;
        match token & token::KIND {
            token::SIGNAL => self.read_signals()?,
            token::PMI => self.read_pmi(place),
            token::OUT => self.forward_output(place, Which::Out),
            token::ERR => self.forward_output(place, Which::Err),
            token::INPUT => self.input()?,
            token::MPI_PROCESS => self.mpi_process_has_ended(place),
            token::FEED => self.feed()?,
            token::PARENT_LINK => self.receive_from_parent()?,
            token::LISTENER => self.accept_connections()?,
            token::PENDING => self.read_pending(place)?,
            token::CHILD_AGENT => self.receive_from_child_agent(place)?,
            token::STARTER => self.read_starter(place),
            token::SPAWNER => self.hear_spawner(),
            // A sink has become writable: the next `flush` writes to it.
            _ => {}
        }
        Ok(())
    }

    /// Prints a line on the standard error of `mpiexec`; an agent sends it to its parent.
    fn say(&mut self, text: &str) {
        match &mut self.parent_link {
            Some(link) => link.send(&Up::Remark(text.to_owned())),
            None => match &self.spawned_by {
                Some(who) => self.err.sink.say(&spawning::of_spawned_job(text, who)),
                None => self.err.sink.say(text),
            },
        }
    }

    /// Tells what the development checks have found, when it is called first. A file for findings
    /// is written even if there are none, so that it never holds those of an earlier job.
    fn tell_findings(&mut self) {
        let mut findings = std::mem::take(&mut self.findings);
        findings.judge_memory();
        let options = std::mem::take(&mut self.check);
        let text = findings.tell(&options);
        if !text.is_empty() {
            self.say(&text);
        }
        if options.fails && findings.has_faults() && self.code == 0 {
            self.code = 1;
        }
    }

    /// Carries out the effects that the PMI server returned.
    fn act(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::ToRank(rank, line) => {
                    self.ranks[rank].pmi.iter().for_each(|pmi| pmi.answer(&line))
                }
                Effect::ToAllRanks(line) => self
                    .ranks
                    .iter()
                    .flat_map(|rank| &rank.pmi)
                    .for_each(|other| other.answer(&line)),
                Effect::Up(message) => {
                    self.parent_link.iter_mut().for_each(|link| link.send(&message))
                }
                Effect::Down(child_agent, message) => self.child_agents.send(child_agent, &message),
                Effect::DownAll(message) => self.child_agents.send_all(&message),
                Effect::StartJob { port, requester } => self.start_spawned_job(&port, requester),
                Effect::Finding(line) => self.findings.add(&line),
                Effect::Notice(text) => self.say(&text),
                Effect::Abort { rank, code, message } => {
                    self.fail(Failure::Aborted { rank, code, message })
                }
            }
        }
    }

    /// Reaps children that have ended. A rank's remaining PMI requests and output are read first.
    fn reap(&mut self) {
        while let Some((pid, ending, memory)) = process::reap() {
            if let Some(rank) =
                self.ranks.iter().position(|rank| rank.pid == pid && rank.ending.is_none())
            {
                self.ranks[rank].ending = Some(ending);
                self.note_memory_kill(rank, memory);
                self.counters.iter().for_each(|counters| counters.note_end(rank));
                self.read_pmi(rank);
                self.forward_output(rank, Which::Out);
                self.forward_output(rank, Which::Err);
                self.rank_has_ended(rank);
            } else if let Some(place) = self.spawned_jobs.iter().position(|&other| other == pid) {
                self.spawned_jobs.swap_remove(place);
            } else {
                self.starter_ended(pid, ending);
            }
        }
    }
}
