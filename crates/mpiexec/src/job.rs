//! The job: one loop over everything that can happen, until nothing of the job is left.
//!
//! ```text
//!   epoll ──▶ a signal, a child's death ─▶ phases     which failure counts, what ends the job
//!         ──▶ a rank's PMI socket ───────▶ dialogue   what it asks, what it is told
//!         ──▶ a pipe ────────────────────▶ streams    input to ranks, output from them
//! ```
//!
//! A round takes what has happened, then acts: what a dying rank said last is read when it is reaped, and of several failures in one round the one
//! that explains the others counts.

mod dialogue;
mod phases;
mod streams;

use crate::options::Plan;
use crate::outlet::Outlet;
use crate::pmi::Server;
use crate::rank::{DESCRIPTORS, DESCRIPTORS_PER_RANK, Facts, NotStarted, Rank};
use crate::stdin::Pump;
use crate::sweep::Sweep;
use crate::verdict::{Failure, SIGNAL_BASE};
use crate::watchdog::Watchdog;
use nemesis_sys::process::{self, SignalQueue};
use nemesis_wireup::{JobKey, segment};
use phases::Phase;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::fd::{AsRawFd, OwnedFd};
use rustix::process::{Resource, Rlimit, Signal};
use std::io;
use streams::Which;

const FORWARDED: [Signal; 6] = [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM, Signal::USR1, Signal::USR2];

/// What an event of the loop belongs to; the low half of its token is a rank's number.
mod token {
    pub const SIGNAL: u64 = 1 << 32;
    pub const PMI: u64 = 2 << 32;
    pub const OUT: u64 = 3 << 32;
    pub const ERR: u64 = 4 << 32;
    pub const SINK: u64 = 5 << 32;
    pub const INPUT: u64 = 6 << 32;
    pub const FEED: u64 = 7 << 32;
    pub const MEMBER: u64 = 8 << 32;
    pub const KIND: u64 = !0 << 32;
}

struct Job {
    epoll: OwnedFd,
    signals: SignalQueue,
    watchdog: Watchdog,
    sweep: Sweep,
    host: String,
    ranks: Vec<Rank>,
    server: Server,
    out: Outlet,
    err: Outlet,
    pump: Option<Pump>,
    /// The pump's source is registered with epoll; a file cannot be.
    pump_listens: bool,
    phase: Phase,
    /// The weightiest failure of this round.
    failure: Option<Failure>,
    code: i32,
    /// The first signal that asked us to end.
    interrupted: Option<i32>,
}

/// Runs the job; gives mpiexec's exit code. An error is one of the launcher itself.
pub fn run(plan: &Plan) -> Result<i32, String> {
    let broken = |what: &'static str| move |why: io::Error| format!("{what}: {why}");
    let draw = || JobKey::random().map(|bits| bits.to_hex()).map_err(broken("drawing random bits"));
    let (key, mark) = (draw()?, draw()?);
    let memory = segment::make(plan.processes() as usize).map_err(|error| error.to_string())?;
    let watched: Vec<Signal> = FORWARDED.into_iter().chain([Signal::CHILD, Signal::TSTP, Signal::CONT]).collect();
    let signals = SignalQueue::for_signals(&watched).map_err(|why| broken("blocking signals")(why.into()))?;
    process::become_subreaper().map_err(|why| broken("becoming a subreaper")(why.into()))?;
    let watchdog = Watchdog::start(&mark).map_err(broken("starting the watchdog"))?;
    process::pass_on(&memory.descriptor).map_err(|why| broken("passing on the segment")(why.into()))?;
    let facts = Facts {
        size: plan.processes(),
        segment: memory.descriptor.as_raw_fd(),
        mark,
        tag: plan.tag,
        descriptors: raise_descriptor_limit(plan.processes()),
    };
    let mut job = Job::new(plan, &facts, key, signals, watchdog).map_err(broken("preparing"))?;
    if plan.verbose {
        job.err.sink.say(&format!("mpiexec: {} ranks on {}, segment: {} of {} MiB", facts.size, job.host, memory.rung, memory.bytes >> 20));
    }
    if let Err(not_started) = job.start(plan, &facts) {
        job.err.sink.say(&format!("mpiexec: {}", not_started.why));
        job.code = not_started.code;
        job.terminate();
    }
    drop(memory);
    job.turn().map_err(broken("waiting for events"))?;
    job.watchdog.all_is_well();
    Ok(job.code)
}

/// Makes room for the descriptors of so many ranks, as far as we are allowed; gives the limit that was.
fn raise_descriptor_limit(ranks: u32) -> Rlimit {
    let limit = rustix::process::getrlimit(Resource::Nofile);
    let wanted = DESCRIPTORS + DESCRIPTORS_PER_RANK * u64::from(ranks);
    if limit.current.is_some_and(|current| current < wanted) {
        let allowed = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
        // Where it cannot be raised, the rank that does not fit any more will say so.
        let _ = rustix::process::setrlimit(Resource::Nofile, Rlimit { current: Some(allowed), maximum: limit.maximum });
    }
    limit
}

impl Job {
    fn new(plan: &Plan, facts: &Facts, key: String, signals: SignalQueue, watchdog: Watchdog) -> io::Result<Job> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &signals, EventData::new_u64(token::SIGNAL), EventFlags::IN)?;
        let programs: Vec<usize> = plan
            .programs
            .iter()
            .enumerate()
            .flat_map(|(number, program)| std::iter::repeat_n(number, program.processes as usize))
            .collect();
        Ok(Job {
            server: Server::new(format!("nemesis-{}", std::process::id()), key, &programs, plan.universe),
            out: Outlet::new(io::stdout(), &epoll)?,
            err: Outlet::new(io::stderr(), &epoll)?,
            pump: streams::needs_pump(plan).then(Pump::new),
            pump_listens: false,
            sweep: Sweep::for_mark(&facts.mark),
            host: nemesis_sys::host::hostname(),
            ranks: Vec::with_capacity(programs.len()),
            phase: Phase::Running,
            failure: None,
            code: 0,
            interrupted: None,
            epoll,
            signals,
            watchdog,
        })
    }

    /// Starts all ranks, in order.
    fn start(&mut self, plan: &Plan, facts: &Facts) -> Result<(), NotStarted> {
        let failed = |why: io::Error| NotStarted { why: format!("preparing a rank: {why}"), code: 1 };
        let programs = plan.programs.iter().flat_map(|program| std::iter::repeat_n(program, program.processes as usize));
        for (number, program) in programs.enumerate() {
            let number = number as u32;
            let stdin = self.stdin_of(number, plan.stdin).map_err(failed)?;
            let rank = Rank::start(number, program, stdin, facts)?;
            if plan.verbose {
                self.err.sink.say(&format!("mpiexec: rank {number}, pid {}: {}", rank.pid, rank.command));
            }
            self.watchdog.group_began(rank.pid);
            self.ranks.push(rank);
            self.listen_to(number).map_err(failed)?;
        }
        self.aim_pump().map_err(failed)
    }

    fn listen_to(&self, number: u32) -> io::Result<()> {
        let rank = &self.ranks[number as usize];
        let add =
            |source: &OwnedFd, kind: u64| epoll::add(&self.epoll, source, EventData::new_u64(kind | u64::from(number)), EventFlags::IN);
        rank.conversation.iter().try_for_each(|conversation| add(&conversation.socket, token::PMI))?;
        rank.out.iter().try_for_each(|stream| add(&stream.pipe, token::OUT))?;
        Ok(rank.err.iter().try_for_each(|stream| add(&stream.pipe, token::ERR))?)
    }

    /// The loop.
    fn turn(&mut self) -> io::Result<()> {
        let mut events: Vec<Event> = Vec::with_capacity(256);
        loop {
            self.advance();
            self.flush()?;
            if self.phase == Phase::Over && self.out.sink.is_empty() && self.err.sink.is_empty() {
                return Ok(());
            }
            let timeout = self.timeout().map(|left| Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) });
            events.clear();
            match epoll::wait(&self.epoll, rustix::buffer::spare_capacity(&mut events), timeout.as_ref()) {
                Ok(0) => self.quiet_moment(),
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(refused) => return Err(refused.into()),
            }
            for event in &events {
                self.happened(event.data.u64())?;
            }
        }
    }

    fn happened(&mut self, token: u64) -> io::Result<()> {
        let rank = (token & !token::KIND) as usize;
        match token & token::KIND {
            token::SIGNAL => self.signals()?,
            token::PMI => self.converse(rank),
            token::OUT => self.carry(rank, Which::Out),
            token::ERR => self.carry(rank, Which::Err),
            token::INPUT => self.input()?,
            token::MEMBER => self.member_ended(rank),
            token::FEED => {
                self.pump.iter_mut().for_each(Pump::push);
                self.aim_pump()?;
            }
            // A sink that is writable again: the next flush will see.
            _ => {}
        }
        Ok(())
    }

    fn signals(&mut self) -> io::Result<()> {
        while let Some(signal) = self.signals.next() {
            if signal == Signal::CHILD.as_raw() {
                self.reap();
            } else if signal == Signal::TSTP.as_raw() {
                self.signal_all(signal);
                process::stop_self()?;
            } else if signal == Signal::CONT.as_raw() {
                self.signal_all(signal);
            } else {
                self.forward(signal);
            }
        }
        Ok(())
    }

    fn signal_all(&self, signal: i32) {
        self.ranks.iter().for_each(|rank| rank.signal(signal));
    }

    /// The first signal that asks us to end goes to the ranks, who may tidy up; the second kills them.
    fn forward(&mut self, signal: i32) {
        let asks_to_end = ![Signal::USR1, Signal::USR2].iter().any(|user| user.as_raw() == signal);
        if asks_to_end && self.phase == Phase::Over {
            // Only a reader that does not read keeps us.
            self.out.sink.discard();
            self.err.sink.discard();
        } else if asks_to_end && self.interrupted.replace(signal).is_some() {
            self.code = SIGNAL_BASE + signal;
            self.kill();
        } else {
            self.signal_all(signal);
        }
    }

    /// Buries the dead, after reading what they have said and written before their end.
    fn reap(&mut self) {
        while let Some((pid, ending)) = process::reap() {
            let Some(rank) = self.ranks.iter().position(|rank| rank.pid == pid && rank.ending.is_none()) else { continue };
            self.ranks[rank].ending = Some(ending);
            self.converse(rank);
            self.carry(rank, Which::Out);
            self.carry(rank, Which::Err);
            self.judge(rank);
        }
    }
}
