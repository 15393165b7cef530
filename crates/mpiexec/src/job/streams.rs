//! The standard streams of the job: input on its way to the ranks, and output on its way from them.

use super::context::{Job, token};
use crate::exit_status::Failure;
use crate::options::StdinFor;
use crate::output_sink::OutputSink;
use crate::placement::Share;
use crate::rank::{Arrival, READ_BYTES, Rank, Stream};
use crate::stdin::{Pump, Pumped};
use crate::tree::message::{Stream as UpStream, Up};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::Pid;
use std::io::{self, IsTerminal};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// The greatest capacity of a pipe for a user without privileges (/proc/sys/fs/pipe-max-size).
const PIPE_BYTES_MAX: usize = 1 << 20;

/// Time without further output after which an unfinished line is a question: at a terminal, and
/// elsewhere, where a program may print a line in pieces with other work between them.
const ON_TERMINAL: Duration = Duration::from_millis(50);
const ELSEWHERE: Duration = Duration::from_millis(350);

/// Further time for a rank that is about to run, and the interval of looks at it.
const RUNNING_MAX: Duration = Duration::from_secs(2);
const LOOK_INTERVAL: Duration = Duration::from_millis(10);

/// One of a rank's two output streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Which {
    Out,
    Err,
}

impl Job {
    /// Reads once from a rank's output pipe and passes complete lines to the sink.
    pub(super) fn forward_output(&mut self, rank: usize, which: Which) {
        let output_sink = which.output_sink(&mut self.out, &mut self.err);
        let place = which.stream(&mut self.ranks[rank]);
        let Some(stream) = place.as_mut().filter(|_| !output_sink.paused) else { return };
        // The memory is not on the stack, which may be short (`ulimit -s`).
        let mut room = vec![0; READ_BYTES];
        match stream.read(&mut room) {
            Arrival::Bytes(received) => stream.lines.feed(&room[..received], &mut output_sink.sink),
            Arrival::NothingNow => {}
            Arrival::End => {
                stream.lines.release(&mut output_sink.sink);
                *place = None;
            }
        }
    }

    /// Writes pending output, sends pending messages, and stops or resumes reading the ranks'
    /// pipes.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        for which in [Which::Out, Which::Err] {
            let output_sink = which.output_sink(&mut self.out, &mut self.err);
            output_sink.flush(&self.epoll, token::SINK)?;
            if let Some(link) = &mut self.parent_link {
                let stream = if which == Which::Out { UpStream::Out } else { UpStream::Err };
                while let Some((rank, bytes)) = output_sink.sink.next_record() {
                    link.send(&Up::Output { stream, rank, bytes });
                }
            }
            let turn = if output_sink.paused {
                output_sink.sink.has_room_again()
            } else {
                output_sink.sink.is_full()
            };
            if turn {
                output_sink.paused = !output_sink.paused;
                let paused = output_sink.paused;
                self.ranks
                    .iter_mut()
                    .enumerate()
                    .try_for_each(|(local, rank)| which.pause(rank, local, paused, &self.epoll))?;
            }
        }
        self.grant_output();
        self.deliver_input();
        self.report_input();
        self.child_agents.flush(&self.epoll)?;
        if let Some(link) = &mut self.parent_link {
            link.flush(&self.epoll)?;
        }
        let refused_file = self.out.sink.take_refused_file().or(self.err.sink.take_refused_file());
        if let Some(refused) = refused_file {
            self.fail(Failure::FileRefused(refused));
        } else if self.out.closed {
            self.fail(Failure::Unread);
        } else if let Some(refused) = self.out.failed {
            self.fail(Failure::OutputRefused(refused));
        }
        Ok(())
    }

    /// Reads what is left in the ranks' pipes and closes them. A process that still holds the other
    /// end of one has left the job.
    pub(super) fn drain_pipes(&mut self) {
        for rank in 0..self.ranks.len() {
            for which in [Which::Out, Which::Err] {
                let output_sink = which.output_sink(&mut self.out, &mut self.err);
                if let Some(mut stream) = which.stream(&mut self.ranks[rank]).take() {
                    drain(&mut stream, output_sink);
                }
            }
        }
    }

    /// Returns the ranks with a question, an unfinished line after which the rank is silent, and
    /// when it may go out. A rank whose pipe is not read, because the reader of `mpiexec` is slow,
    /// is not silent.
    fn questions(&self) -> impl Iterator<Item = (usize, Which, Instant)> {
        let silence = if self.facts.common.interactive { ON_TERMINAL } else { ELSEWHERE };
        let of = move |local: usize, stream: &Option<Stream>, which, to: &OutputSink| {
            let stream = stream.as_ref().filter(|_| !to.paused)?;
            let at = stream.lines.question_at(silence, &to.sink)?;
            Some((local, which, at))
        };
        self.ranks.iter().enumerate().flat_map(move |(local, rank)| {
            let out = of(local, &rank.out, Which::Out, &self.out);
            let err = of(local, &rank.err, Which::Err, &self.err);
            out.into_iter().chain(err)
        })
    }

    /// Returns how long the event loop may sleep before a question goes out, or before it is told
    /// which messages have been left out.
    pub(super) fn question_timeout(&self) -> Option<Duration> {
        let questions = self.questions().map(|question| question.2);
        let next = questions.chain(self.err.sink.repeats_due()).min()?;
        Some(next.saturating_duration_since(Instant::now()).max(LOOK_INTERVAL))
    }

    /// Passes on the questions of ranks that have been silent for long enough, and tells which
    /// messages have been left out.
    pub(super) fn pass_questions_on(&mut self, now: Instant) {
        if self.err.sink.repeats_due().is_some_and(|at| now >= at) {
            self.err.sink.tell_repeats();
        }
        let due: Vec<(usize, Which)> = self
            .questions()
            .filter(|question| now >= question.2)
            .map(|question| (question.0, question.1))
            .collect();
        for (local, which) in due {
            // This process may have been stopped: what the rank has written meanwhile comes first.
            self.forward_output(local, which);
            let is_this =
                |question: &(usize, Which, Instant)| (question.0, question.1) == (local, which);
            let still = self.questions().find(is_this).is_some_and(|(_, _, at)| {
                // A rank that waits for a processor may be about to end its line.
                now >= at + RUNNING_MAX || now >= at && !is_running(self.ranks[local].pid)
            });
            let output_sink = which.output_sink(&mut self.out, &mut self.err);
            if let Some(stream) = which.stream(&mut self.ranks[local]).as_mut().filter(|_| still) {
                stream.lines.release(&mut output_sink.sink);
            }
        }
    }

    /// Tries again to read a terminal, when the event loop has slept for its whole time-out: this
    /// process may be in the terminal's foreground now. If not, the next quiet moment tries again.
    pub(super) fn watch_terminal(&mut self) {
        if !self.pump_listens {
            let _ = self.watch_input();
        }
    }

    /// Returns the standard input of the rank with this number.
    pub(super) fn stdin_of(&mut self, number: u32) -> io::Result<Stdio> {
        let wanted = self.facts.common.stdin;
        if wanted != StdinFor::All && wanted != StdinFor::Rank(number) {
            return Ok(Stdio::null());
        }
        let Some(pump) = &mut self.pump else { return Ok(Stdio::inherit()) };
        let (target, theirs) = pump.add_target()?;
        // Edge-triggered: epoll reports only that the pipe has room again or that its reader has
        // gone.
        epoll::add(
            &self.epoll,
            target,
            EventData::new_u64(token::FEED),
            EventFlags::OUT | EventFlags::ET,
        )?;
        Ok(theirs)
    }

    /// Makes epoll watch standard input while some rank wants more. A regular file, which epoll
    /// refuses, is read at once.
    pub(super) fn watch_input(&mut self) -> io::Result<()> {
        let Some(pump) = &mut self.pump else { return Ok(()) };
        let wants_more = pump.wants_more();
        let Some(source) = pump.source() else { return Ok(()) };
        if wants_more && !self.pump_listens {
            match epoll::add(&self.epoll, source, EventData::new_u64(token::INPUT), EventFlags::IN)
            {
                Ok(()) => self.pump_listens = true,
                Err(Errno::PERM) => while pump.wants_more() && pump.pump() == Pumped::Some {},
                Err(refused) => return Err(refused.into()),
            }
        } else if !wants_more && self.pump_listens {
            epoll::delete(&self.epoll, source)?;
            self.pump_listens = false;
        }
        Ok(())
    }

    /// Writes waiting input to readers that have room again.
    pub(super) fn feed(&mut self) -> io::Result<()> {
        self.pump.iter_mut().for_each(Pump::push);
        self.watch_input()
    }

    /// Adds the child agents whose ranks get input to the pump.
    pub(super) fn feed_child_agents(&mut self) {
        let wanted = self.facts.common.stdin;
        let Some(pump) = &mut self.pump else { return };
        match wanted {
            StdinFor::All => (0..self.child_agents.len())
                .for_each(|child_agent| pump.add_child_agent(child_agent)),
            StdinFor::Rank(rank) => self
                .child_agents
                .of(rank)
                .into_iter()
                .for_each(|child_agent| pump.add_child_agent(child_agent)),
            StdinFor::Nobody => {}
        }
    }

    /// Reads standard input after epoll has reported it.
    pub(super) fn input(&mut self) -> io::Result<()> {
        let Some(pump) = &mut self.pump else { return Ok(()) };
        if pump.pump() == Pumped::NotNow {
            pump.source().into_iter().try_for_each(|source| epoll::delete(&self.epoll, source))?;
            self.pump_listens = false;
            return Ok(());
        }
        self.watch_input()
    }
}

impl Which {
    /// Returns the sink of this stream.
    fn output_sink<'a>(
        self,
        out: &'a mut OutputSink,
        err: &'a mut OutputSink,
    ) -> &'a mut OutputSink {
        match self {
            Which::Out => out,
            Which::Err => err,
        }
    }

    /// Returns the pipe of this stream.
    fn stream(self, rank: &mut Rank) -> &mut Option<Stream> {
        match self {
            Which::Out => &mut rank.out,
            Which::Err => &mut rank.err,
        }
    }

    /// Stops or resumes watching a rank's pipe.
    fn pause(self, rank: &mut Rank, local: usize, paused: bool, epoll: &OwnedFd) -> io::Result<()> {
        let kind = if self == Which::Out { token::OUT } else { token::ERR };
        let token = EventData::new_u64(kind | local as u64);
        let Some(stream) = self.stream(rank) else { return Ok(()) };
        // The pipe is removed from epoll, because epoll reports the end of a pipe even without any
        // interest, and would report it again and again.
        Ok(if paused {
            epoll::delete(epoll, &stream.pipe)
        } else {
            epoll::add(epoll, &stream.pipe, token, EventFlags::IN)
        }?)
    }
}

/// Returns whether a process runs or waits for a processor, as far as `/proc` tells (proc(5)).
fn is_running(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    // The name of the program, in parentheses, comes before the state.
    stat.is_ok_and(|text| text.rsplit(") ").next().is_some_and(|rest| rest.starts_with('R')))
}

/// Reads at most what a pipe can hold, however much a process goes on writing to it.
fn drain(stream: &mut Stream, output_sink: &mut OutputSink) {
    let mut room = vec![0; READ_BYTES];
    for _ in 0..PIPE_BYTES_MAX / room.len() {
        let Arrival::Bytes(received) = stream.read(&mut room) else { break };
        stream.lines.feed(&room[..received], &mut output_sink.sink);
    }
    stream.lines.release(&mut output_sink.sink);
}

/// Returns the pump that this launcher needs. Input is copied where a rank cannot inherit standard
/// input itself.
pub(super) fn pump_for(stdin: StdinFor, here: &Share, is_root: bool) -> Option<Pump> {
    match stdin {
        StdinFor::Nobody => None,
        _ if !is_root => Some(Pump::from_parent()),
        StdinFor::Rank(rank) if here.ranks().any(|local| local == rank) => {
            io::stdin().is_terminal().then(Pump::new)
        }
        _ => Some(Pump::new()),
    }
}
