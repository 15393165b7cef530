//! The job: one loop over everything that can happen, until nothing of the job is left.
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
//! A rank is *over* when its process has been reaped and, if it joined the job by PMI, its socket has come to its end: a wrapper may end before
//! the program that it started. *Lingering* is for what ranks leave in their process groups, `tee` in a shell's pipe for instance: it may finish.
//!
//! In each round deaths are looked at before words: what a dying rank said last is read when it is reaped, and of several failures in one round the
//! one that explains the others counts.

use crate::options::{Plan, StdinFor};
use crate::outlet::Outlet;
use crate::pmi::{Heard, Server, Stage};
use crate::rank::{Arrival, DESCRIPTORS, DESCRIPTORS_PER_RANK, Facts, NotStarted, Rank, Stream};
use crate::stdin::{Pump, Pumped};
use crate::sweep::Sweep;
use crate::verdict::{Failure, SIGNAL_BASE};
use crate::watchdog::Watchdog;
use nemesis_sys::process::{self, Ending, Peer, SignalQueue};
use nemesis_wireup::{JobKey, segment};
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::fd::{AsFd, AsRawFd, OwnedFd};
use rustix::process::{Pid, Resource, Rlimit, Signal};
use std::io;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// How long what ranks left behind may go on, and how long a process may take to follow a SIGTERM.
const GRACE: Duration = Duration::from_secs(1);
/// Between the end of a rank's conversation and that of its process: longer, and something else keeps the process alive.
const HANG_UP_GRACE: Duration = Duration::from_millis(500);
/// An unfinished line on a terminal is a prompt when nothing has followed for so long.
const PROMPT: Duration = Duration::from_millis(50);
/// How often to look for what no event tells: an empty process group, a terminal that is ours again.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

const FORWARDED: [Signal; 6] = [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM, Signal::USR1, Signal::USR2];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    Running,
    Lingering(Instant),
    Terminating(Instant),
    Killing(Instant),
    Over,
}

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
    code: i32,
    /// The first signal that asked us to end.
    interrupted: Option<i32>,
}

/// Runs the job; gives mpiexec's exit code. An error is one of the launcher itself.
pub fn run(plan: &Plan) -> Result<i32, String> {
    let broken = |what: &'static str| move |why: io::Error| format!("{what}: {why}");
    let key = JobKey::random().map_err(broken("drawing the job key"))?;
    let memory = segment::make(plan.processes() as usize).map_err(|error| error.to_string())?;
    let watched: Vec<Signal> = FORWARDED.into_iter().chain([Signal::CHILD, Signal::TSTP, Signal::CONT]).collect();
    let signals = SignalQueue::for_signals(&watched).map_err(|why| broken("blocking signals")(why.into()))?;
    process::become_subreaper().map_err(|why| broken("becoming a subreaper")(why.into()))?;
    let watchdog = Watchdog::start(&key).map_err(broken("starting the watchdog"))?;
    process::pass_on(&memory.descriptor).map_err(|why| broken("passing on the segment")(why.into()))?;
    let facts = Facts {
        size: plan.processes(),
        segment: memory.descriptor.as_raw_fd(),
        key: key.to_hex(),
        tag: plan.tag,
        descriptors: raise_descriptor_limit(plan.processes()),
    };
    let mut job = Job::new(plan, &facts, signals, watchdog).map_err(broken("preparing"))?;
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
    fn new(plan: &Plan, facts: &Facts, signals: SignalQueue, watchdog: Watchdog) -> io::Result<Job> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(&epoll, &signals, EventData::new_u64(token::SIGNAL), EventFlags::IN)?;
        let programs: Vec<usize> = plan
            .programs
            .iter()
            .enumerate()
            .flat_map(|(number, program)| std::iter::repeat_n(number, program.processes as usize))
            .collect();
        Ok(Job {
            server: Server::new(format!("nemesis-{}", std::process::id()), &programs, plan.universe),
            out: Outlet::new(io::stdout(), &epoll)?,
            err: Outlet::new(io::stderr(), &epoll)?,
            pump: needs_pump(plan).then(Pump::new),
            pump_listens: false,
            sweep: Sweep::for_key(&facts.key),
            host: nemesis_sys::host::hostname(),
            ranks: Vec::with_capacity(programs.len()),
            phase: Phase::Running,
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

    fn stdin_of(&mut self, number: u32, wanted: StdinFor) -> io::Result<Stdio> {
        if wanted != StdinFor::All && wanted != StdinFor::Rank(number) {
            return Ok(Stdio::null());
        }
        let Some(pump) = &mut self.pump else { return Ok(Stdio::inherit()) };
        let (target, theirs) = pump.add_target()?;
        // Edge-triggered: told when there is room again, or the reader has gone, and not all the time in between.
        epoll::add(&self.epoll, target, EventData::new_u64(token::FEED), EventFlags::OUT | EventFlags::ET)?;
        Ok(theirs)
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
            // Deaths first: see above.
            events.sort_by_key(|event| event.data.u64() != token::SIGNAL);
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
        if asks_to_end && self.interrupted.replace(signal).is_some() {
            self.code = SIGNAL_BASE + signal;
            self.kill();
        } else {
            self.signal_all(signal);
        }
    }

    /// Buries the dead of this round, and judges them together.
    fn reap(&mut self) {
        let mut dead = Vec::new();
        while let Some((pid, ending)) = process::reap() {
            if let Some(rank) = self.ranks.iter().position(|rank| rank.pid == pid && rank.ending.is_none()) {
                self.ranks[rank].ending = Some(ending);
                dead.push(rank);
            }
        }
        dead.iter().for_each(|&rank| self.last_words(rank));
        let failures = dead.into_iter().filter_map(|rank| self.judge(rank));
        // The first of those with the greatest weight.
        if let Some(failure) = failures.reduce(|first, next| if next.weight() > first.weight() { next } else { first }) {
            self.fail(failure);
        }
    }

    /// Reads what a dead rank has said and written before its end.
    fn last_words(&mut self, rank: usize) {
        self.converse(rank);
        self.carry(rank, Which::Out);
        self.carry(rank, Which::Err);
    }

    /// Whether the end of `rank` ends the job. A bad exit code after MPI_Finalize does not: it is only remembered.
    fn judge(&mut self, rank: usize) -> Option<Failure> {
        let ending = self.ranks[rank].ending?;
        match (ending, self.server.stage(rank)) {
            (Ending::Killed(_), _) => Some(Failure::Died { rank, ending }),
            (Ending::Exited(0), Stage::Silent) => self.server.is_awaited(rank).then_some(Failure::NeverJoined { rank }),
            (Ending::Exited(0), Stage::Joined) => self.ranks[rank].conversation.is_none().then_some(Failure::WithoutFinalize { rank }),
            (Ending::Exited(0), Stage::Finalized) => None,
            (Ending::Exited(_), Stage::Silent | Stage::Joined) => Some(Failure::Died { rank, ending }),
            (Ending::Exited(code), Stage::Finalized) => {
                if self.code == 0 {
                    self.code = code;
                }
                None
            }
        }
    }

    fn fail(&mut self, failure: Failure) {
        if !matches!(self.phase, Phase::Running | Phase::Lingering(_)) {
            return;
        }
        match self.interrupted {
            Some(signal) => self.code = SIGNAL_BASE + signal,
            None => {
                self.code = failure.exit_code();
                if let Some(message) = failure.message(&self.ranks, &self.host) {
                    self.err.sink.say(&message);
                }
            }
        }
        self.terminate();
    }

    fn terminate(&mut self) {
        self.signal_all(Signal::TERM.as_raw());
        // A stopped process follows no SIGTERM before it goes on.
        self.signal_all(Signal::CONT.as_raw());
        self.phase = Phase::Terminating(Instant::now() + GRACE);
    }

    fn kill(&mut self) {
        self.signal_all(Signal::KILL.as_raw());
        self.sweep.kill();
        self.phase = Phase::Killing(Instant::now() + GRACE);
    }

    /// Listens to a rank's PMI socket as long as there is something to hear.
    fn converse(&mut self, rank: usize) {
        loop {
            let Some(conversation) = &mut self.ranks[rank].conversation else { return };
            let arrival = conversation.listen();
            loop {
                let Some(conversation) = &mut self.ranks[rank].conversation else { return };
                match conversation.lines.next_line() {
                    Ok(Some(line)) => self.answer(rank, &line),
                    Ok(None) => break,
                    Err(malformed) => {
                        self.hang_up(rank);
                        return self.fail(Failure::Nonsense { rank, malformed });
                    }
                }
            }
            match arrival {
                Arrival::Bytes(_) => {}
                Arrival::NothingNow => return,
                Arrival::End => return self.conversation_ended(rank),
            }
        }
    }

    fn answer(&mut self, rank: usize, line: &[u8]) {
        let say = |ranks: &[Rank], answer: &str| ranks.iter().flat_map(|rank| &rank.conversation).for_each(|other| other.answer(answer));
        let before = self.server.stage(rank);
        let heard = self.server.hear(rank, line);
        if self.server.stage(rank) == Stage::Joined && before != Stage::Joined {
            // A member that cannot be watched has ended already, or hides in another pid namespace; its socket's end will tell.
            let _ = self.watch_member(rank);
        }
        match heard {
            Ok(Heard::Nothing) => {
                // The barrier may be one that somebody can never enter.
                let gone = |gone: &usize| self.ranks[*gone].ending == Some(Ending::Exited(0)) && self.server.stage(*gone) == Stage::Silent;
                if let Some(gone) = (0..self.ranks.len()).find(gone).filter(|&gone| self.server.is_awaited(gone)) {
                    self.fail(Failure::NeverJoined { rank: gone });
                }
            }
            Ok(Heard::Answer(answer)) => say(&self.ranks[rank..=rank], &answer),
            Ok(Heard::Release(answer)) => say(&self.ranks, &answer),
            Ok(Heard::Abort { code, message }) => self.fail(Failure::Aborted { rank, code, message }),
            Err(malformed) => {
                self.hang_up(rank);
                self.fail(Failure::Nonsense { rank, malformed });
            }
        }
    }

    /// Watches the process that has just joined, unless it is the rank's first one, whose end we are told anyway.
    fn watch_member(&mut self, rank: usize) -> io::Result<()> {
        let Rank { conversation, pid, member, .. } = &mut self.ranks[rank];
        let Some(speaker) = conversation.as_ref().and_then(|conversation| conversation.speaker).filter(|speaker| speaker != pid) else {
            return Ok(());
        };
        let peer = Peer::open(speaker.as_raw_nonzero().get())?;
        epoll::add(&self.epoll, &peer, EventData::new_u64(token::MEMBER | rank as u64), EventFlags::IN)?;
        *member = Some(peer);
        Ok(())
    }

    fn member_ended(&mut self, rank: usize) {
        self.converse(rank);
        // Dropped, it is no longer polled.
        self.ranks[rank].member = None;
        if self.ranks[rank].ending.is_none() && self.server.stage(rank) == Stage::Joined {
            self.ranks[rank].hung_up = Some(Instant::now());
        }
    }

    fn hang_up(&mut self, rank: usize) {
        // Closing the socket takes it out of epoll: no other process shares our end.
        self.ranks[rank].conversation = None;
    }

    fn conversation_ended(&mut self, rank: usize) {
        self.hang_up(rank);
        if self.ranks[rank].ending.is_none() {
            self.ranks[rank].hung_up = (self.server.stage(rank) == Stage::Joined).then(Instant::now);
        } else if let Some(failure) = self.judge(rank) {
            self.fail(failure);
        }
    }

    /// Carries what a rank has written to its sink.
    fn carry(&mut self, rank: usize, which: Which) {
        let outlet = which.outlet(&mut self.out, &mut self.err);
        let place = which.stream(&mut self.ranks[rank]);
        let Some(stream) = place.as_mut().filter(|_| !outlet.paused) else { return };
        let mut room = [0; 64 * 1024];
        match stream.read(&mut room) {
            Arrival::Bytes(received) => stream.lines.feed(&room[..received], &mut outlet.sink),
            Arrival::NothingNow => {}
            Arrival::End => {
                stream.lines.release(&mut outlet.sink);
                *place = None;
            }
        }
    }

    /// Lets our own readers have what they take, and stops or resumes reading the ranks accordingly.
    fn flush(&mut self) -> io::Result<()> {
        for which in [Which::Out, Which::Err] {
            let outlet = which.outlet(&mut self.out, &mut self.err);
            outlet.flush(&self.epoll, token::SINK)?;
            let turn = if outlet.paused { outlet.sink.has_room_again() } else { outlet.sink.is_full() };
            if turn {
                outlet.paused = !outlet.paused;
                let paused = outlet.paused;
                self.ranks.iter_mut().try_for_each(|rank| which.pause(rank, paused, &self.epoll))?;
            }
        }
        if self.out.closed {
            self.fail(Failure::Unread);
        }
        Ok(())
    }

    /// Moves on to the next phase when the present one has come to its end.
    fn advance(&mut self) {
        let now = Instant::now();
        self.notice_hang_ups(now);
        let nobody = self.phase != Phase::Over && self.nobody_is_left();
        let silent = self.ranks.iter().all(|rank| rank.out.is_none() && rank.err.is_none());
        match self.phase {
            Phase::Running if self.all_are_over() => {
                self.code = self.interrupted.filter(|_| self.code != 0).map_or(self.code, |signal| SIGNAL_BASE + signal);
                self.phase = if nobody && silent { Phase::Over } else { Phase::Lingering(now + GRACE) };
            }
            Phase::Lingering(_) if nobody && silent => self.phase = Phase::Over,
            Phase::Lingering(until) if now >= until && nobody => self.conclude(),
            Phase::Lingering(until) if now >= until => self.terminate(),
            Phase::Terminating(_) | Phase::Killing(_) if nobody && self.sweep.kill() == 0 => self.conclude(),
            Phase::Terminating(until) if now >= until => self.kill(),
            Phase::Killing(until) if now >= until => self.conclude(),
            _ => {}
        }
    }

    /// Reads what is still in the pipes, and lets go of them: whoever holds their other ends has left the job.
    fn conclude(&mut self) {
        for rank in 0..self.ranks.len() {
            for which in [Which::Out, Which::Err] {
                let outlet = which.outlet(&mut self.out, &mut self.err);
                if let Some(mut stream) = which.stream(&mut self.ranks[rank]).take() {
                    drain(&mut stream, outlet);
                }
            }
        }
        self.phase = Phase::Over;
    }

    fn all_are_over(&self) -> bool {
        let is_over = |rank: &Rank| {
            rank.ending.is_some() && (rank.conversation.is_none() || self.server.stage(rank.number as usize) != Stage::Joined)
        };
        self.ranks.iter().all(is_over)
    }

    /// No process of the job is left in any of its groups. Groups found empty are forgotten.
    fn nobody_is_left(&mut self) -> bool {
        for rank in self.ranks.iter_mut().filter(|rank| rank.ending.is_some() && !rank.group_is_empty) {
            if is_empty_group(rank.pid) {
                rank.group_is_empty = true;
                self.watchdog.group_is_empty(rank.pid);
            }
        }
        self.ranks.iter().all(|rank| rank.group_is_empty)
    }

    fn notice_hang_ups(&mut self, now: Instant) {
        let hung_up = |rank: &Rank| rank.ending.is_none() && rank.hung_up.is_some_and(|then| now >= then + HANG_UP_GRACE);
        if let Some(rank) = self.ranks.iter().position(hung_up) {
            self.fail(Failure::HungUp { rank });
        }
    }

    /// How long to wait for an event at most.
    fn timeout(&self) -> Option<Duration> {
        let watching_groups = !matches!(self.phase, Phase::Running | Phase::Over);
        let hang_up = self.ranks.iter().any(|rank| rank.ending.is_none() && rank.hung_up.is_some());
        let terminal_is_away = self.pump.as_ref().is_some_and(Pump::wants_more) && !self.pump_listens;
        if watching_groups || hang_up || terminal_is_away {
            return Some(LOOK_AGAIN);
        }
        self.has_prompt().then_some(PROMPT)
    }

    /// Somebody sits at a terminal and may be asked something.
    fn has_prompt(&self) -> bool {
        let asks = |rank: &Rank| rank.out.as_ref().is_some_and(|stream| stream.lines.is_held());
        self.pump.as_ref().is_some_and(Pump::is_terminal) && self.ranks.iter().any(asks)
    }

    /// Nothing has happened for as long as the timeout says.
    fn quiet_moment(&mut self) {
        if self.has_prompt() {
            self.ranks.iter_mut().flat_map(|rank| &mut rank.out).for_each(|stream| stream.lines.release(&mut self.out.sink));
        }
        if !self.pump_listens {
            // A terminal that was not ours may be now; if this fails, the next quiet moment tries again.
            let _ = self.aim_pump();
        }
    }

    /// Has epoll tell of input as long as somebody wants it, and reads a file, which epoll does not know, straight away.
    fn aim_pump(&mut self) -> io::Result<()> {
        let Some(pump) = &mut self.pump else { return Ok(()) };
        if pump.wants_more() && !self.pump_listens {
            match epoll::add(&self.epoll, pump.source(), EventData::new_u64(token::INPUT), EventFlags::IN) {
                Ok(()) => self.pump_listens = true,
                Err(rustix::io::Errno::PERM) => while pump.wants_more() && pump.pump() == Pumped::Some {},
                Err(refused) => return Err(refused.into()),
            }
        } else if !pump.wants_more() && self.pump_listens {
            epoll::delete(&self.epoll, pump.source())?;
            self.pump_listens = false;
        }
        Ok(())
    }

    fn input(&mut self) -> io::Result<()> {
        let Some(pump) = &mut self.pump else { return Ok(()) };
        if pump.pump() == Pumped::NotNow {
            epoll::delete(&self.epoll, pump.source())?;
            self.pump_listens = false;
            return Ok(());
        }
        self.aim_pump()
    }
}

/// Which of a rank's two streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Which {
    Out,
    Err,
}

impl Which {
    fn outlet<'a>(self, out: &'a mut Outlet, err: &'a mut Outlet) -> &'a mut Outlet {
        match self {
            Which::Out => out,
            Which::Err => err,
        }
    }

    fn stream(self, rank: &mut Rank) -> &mut Option<Stream> {
        match self {
            Which::Out => &mut rank.out,
            Which::Err => &mut rank.err,
        }
    }

    fn pause(self, rank: &mut Rank, paused: bool, epoll: &OwnedFd) -> io::Result<()> {
        let kind = if self == Which::Out { token::OUT } else { token::ERR };
        let token = EventData::new_u64(kind | u64::from(rank.number));
        let Some(stream) = self.stream(rank) else { return Ok(()) };
        // Not merely without interest: the end of a pipe is always told, and would be told again and again.
        Ok(if paused { epoll::delete(epoll, &stream.pipe) } else { epoll::add(epoll, &stream.pipe, token, EventFlags::IN) }?)
    }
}

fn drain(stream: &mut Stream, outlet: &mut Outlet) {
    let mut room = [0; 64 * 1024];
    while let Arrival::Bytes(received) = stream.read(&mut room) {
        stream.lines.feed(&room[..received], &mut outlet.sink);
    }
    stream.lines.release(&mut outlet.sink);
}

fn is_empty_group(leader: Pid) -> bool {
    rustix::process::test_kill_process_group(leader) == Err(rustix::io::Errno::SRCH)
}

/// Input is copied where a rank cannot have ours itself.
fn needs_pump(plan: &Plan) -> bool {
    match plan.stdin {
        StdinFor::Nobody => false,
        StdinFor::All => true,
        StdinFor::Rank(_) => std::io::IsTerminal::is_terminal(&io::stdin().as_fd()),
    }
}
