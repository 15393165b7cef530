//! Standard input, and the ranks that get it.
//!
//! One rank inherits the standard input of `mpiexec` if that is a pipe or a file. The rank reads
//! what it wants, and the rest is left for the next command. The launcher copies input only in
//! other cases: from a terminal, because ranks are in the terminal's background; with `-stdin all`;
//! and to ranks on other hosts, whose agents get it over their connections and acknowledge what the
//! ranks have taken.

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::io::{self, IsTerminal};
use std::process::Stdio;

/// Bytes that are read ahead of the slowest rank at most.
const AHEAD_BYTES: usize = 64 * 1024;

/// Input that is copied: its source, and the targets that get it.
pub struct Pump {
    source: Source,
    is_terminal: bool,
    targets: Vec<Target>,
    ended: bool,
}

/// Where input comes from.
enum Source {
    Own(io::Stdin),
    /// The parent launcher; with the bytes that have not been acknowledged to it.
    Parent {
        unreported_bytes: usize,
    },
}

/// A reader of input, and what waits for it.
struct Target {
    to: Destination,
    waiting: VecDeque<u8>,
}

/// Where a target's input goes.
enum Destination {
    Pipe(OwnedFd),
    /// A child agent, and the bytes that have been sent to it and not been acknowledged.
    ChildAgent {
        number: usize,
        in_flight: usize,
    },
}

/// What a child agent is sent.
#[derive(Debug, PartialEq, Eq)]
pub enum Delivery {
    Bytes(Vec<u8>),
    End,
}

/// The result of reading the source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pumped {
    Some,
    /// Input may not be read now: this process is not in the terminal's foreground.
    NotNow,
    End,
}

impl Pump {
    /// Makes a pump for the standard input of this process.
    pub fn new() -> Pump {
        let source = io::stdin();
        Pump {
            is_terminal: source.is_terminal(),
            source: Source::Own(source),
            targets: Vec::new(),
            ended: false,
        }
    }

    /// Makes a pump for input that the parent launcher sends.
    pub fn from_parent() -> Pump {
        Pump {
            is_terminal: false,
            source: Source::Parent { unreported_bytes: 0 },
            targets: Vec::new(),
            ended: false,
        }
    }

    /// Takes input from the parent; an empty slice is the end of input.
    pub fn feed(&mut self, bytes: &[u8]) {
        if let Source::Parent { unreported_bytes } = &mut self.source {
            *unreported_bytes += bytes.len();
        }
        self.ended |= bytes.is_empty();
        self.targets.iter_mut().for_each(|target| target.waiting.extend(bytes));
        self.push();
    }

    /// Returns how many bytes to acknowledge to the parent.
    pub fn taken_for_parent(&mut self) -> usize {
        let wants_more = self.wants_more();
        match &mut self.source {
            Source::Parent { unreported_bytes } if wants_more => std::mem::take(unreported_bytes),
            _ => 0,
        }
    }

    /// Returns whether no target reads input any more.
    pub fn is_idle(&self) -> bool {
        self.targets.is_empty()
    }

    /// Adds child agent `number` as a target.
    pub fn add_child_agent(&mut self, number: usize) {
        self.targets.push(Target {
            to: Destination::ChildAgent { number, in_flight: 0 },
            waiting: VecDeque::new(),
        });
    }

    /// Removes child agent `number`, which reads no more.
    pub fn drop_child_agent(&mut self, number: usize) {
        self.targets.retain(|target| match target.to {
            Destination::ChildAgent { number: other, .. } => other != number,
            Destination::Pipe(_) => true,
        });
    }

    /// Child agent `number` has acknowledged this number of bytes.
    pub fn taken(&mut self, number: usize, bytes: usize) {
        for target in &mut self.targets {
            if let Destination::ChildAgent { number: other, in_flight } = &mut target.to
                && *other == number
            {
                *in_flight = in_flight.saturating_sub(bytes);
            }
        }
    }

    /// Returns what can be sent now to the child agents that have connected, by their numbers.
    pub fn deliveries(&mut self, has_joined: impl Fn(usize) -> bool) -> Vec<(usize, Delivery)> {
        let ended = self.ended;
        let mut deliveries = Vec::new();
        self.targets.retain_mut(|target| {
            let Destination::ChildAgent { number, in_flight } = &mut target.to else { return true };
            if !has_joined(*number) {
                return true;
            }
            let room = AHEAD_BYTES.saturating_sub(*in_flight).min(target.waiting.len());
            if room > 0 {
                *in_flight += room;
                deliveries.push((*number, Delivery::Bytes(target.waiting.drain(..room).collect())));
            }
            let is_last = ended && target.waiting.is_empty();
            if is_last {
                deliveries.push((*number, Delivery::End));
            }
            !is_last
        });
        deliveries
    }

    /// Adds a pipe for a rank; returns the launcher's end and the rank's.
    pub fn add_target(&mut self) -> io::Result<(&OwnedFd, Stdio)> {
        let (theirs, ours) = io::pipe()?;
        rustix::io::ioctl_fionbio(&ours, true)?;
        self.targets.push(Target { to: Destination::Pipe(ours.into()), waiting: VecDeque::new() });
        match self.targets.last().map(|target| &target.to) {
            Some(Destination::Pipe(pipe)) => Ok((pipe, theirs.into())),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// Returns the descriptor to watch, or `None` if input comes from the parent.
    pub fn source(&self) -> Option<BorrowedFd<'_>> {
        match &self.source {
            Source::Own(stdin) => Some(stdin.as_fd()),
            Source::Parent { .. } => None,
        }
    }

    /// Returns whether more input is wanted: some target still reads, and all have nearly caught
    /// up.
    pub fn wants_more(&self) -> bool {
        !self.ended
            && !self.targets.is_empty()
            && self.targets.iter().all(|target| target.waiting.len() < AHEAD_BYTES)
    }

    /// Reads once and passes the input to all targets.
    pub fn pump(&mut self) -> Pumped {
        if self.is_terminal && !self.is_foreground() {
            return Pumped::NotNow;
        }
        let Source::Own(source) = &self.source else { return Pumped::NotNow };
        let mut bytes = vec![0; 16 * 1024];
        match rustix::io::read(source, &mut bytes) {
            Ok(0) => {
                self.end();
                Pumped::End
            }
            Ok(received) => {
                self.targets
                    .iter_mut()
                    .for_each(|target| target.waiting.extend(&bytes[..received]));
                self.push();
                Pumped::Some
            }
            Err(Errno::INTR | Errno::AGAIN) => Pumped::Some,
            Err(_) => {
                self.end();
                Pumped::End
            }
        }
    }

    /// Handles the end of input.
    fn end(&mut self) {
        self.ended = true;
        self.push();
    }

    /// Writes what the pipes have room for. A pipe is closed when it has got all input, or when its
    /// reader has gone.
    pub fn push(&mut self) {
        let ended = self.ended;
        self.targets.retain_mut(|target| match target.to {
            Destination::Pipe(_) => target.push() && !(ended && target.waiting.is_empty()),
            Destination::ChildAgent { .. } => true,
        });
    }

    /// Returns whether this process is in the terminal's foreground.
    fn is_foreground(&self) -> bool {
        let Some(source) = self.source() else { return false };
        rustix::termios::tcgetpgrp(source)
            .is_ok_and(|foreground| foreground == rustix::process::getpgrp())
    }
}

impl Target {
    /// Writes what the pipe has room for. Returns false if the reader has gone.
    fn push(&mut self) -> bool {
        let Destination::Pipe(pipe) = &self.to else { return true };
        while !self.waiting.is_empty() {
            match rustix::io::write(pipe, self.waiting.as_slices().0) {
                Ok(written) => drop(self.waiting.drain(..written)),
                Err(Errno::AGAIN) => return true,
                Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
        let mut interest = [PollFd::new(pipe, PollFlags::empty())];
        let reader_has_gone = rustix::event::poll(&mut interest, Some(&Timespec::default()))
            .is_ok_and(|_| interest[0].revents().contains(PollFlags::ERR));
        !reader_has_gone
    }
}
