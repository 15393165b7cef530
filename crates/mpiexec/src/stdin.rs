//! Standard input and who gets it.
//!
//! One rank gets ours as it is when it is a pipe or a file: the rank reads what it wants, and what it leaves is there for whoever comes after us.
//! Only where that cannot be is the input copied: a terminal, because ranks are in the background as the terminal sees it; `-stdin all`; and ranks on
//! other hosts, whose agents get it over their connections, and tell how much of it has been taken.

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::collections::VecDeque;
use std::io::{self, IsTerminal};
use std::process::Stdio;

/// Read ahead of the slowest rank at most.
const AHEAD_BYTES: usize = 64 * 1024;

/// Input that is copied: our end, and the pipes of the ranks that get it.
pub struct Pump {
    source: Source,
    is_terminal: bool,
    targets: Vec<Target>,
    ended: bool,
}

enum Source {
    Own(io::Stdin),
    /// An agent's: the launcher above sends it. Bytes that it has not been told of as taken.
    Parent {
        unreported_bytes: usize,
    },
}

struct Target {
    to: Destination,
    waiting: VecDeque<u8>,
}

enum Destination {
    Pipe(OwnedFd),
    /// A branch, by its number, and the bytes that have been sent and not been taken there.
    ChildAgent {
        number: usize,
        in_flight: usize,
    },
}

/// What a branch is to be sent.
#[derive(Debug, PartialEq, Eq)]
pub enum Delivery {
    Bytes(Vec<u8>),
    End,
}

/// What the source of a pump gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pumped {
    Some,
    /// Nothing that we may take now: a terminal whose foreground is not ours.
    NotNow,
    End,
}

impl Pump {
    pub fn new() -> Pump {
        let source = io::stdin();
        Pump {
            is_terminal: source.is_terminal(),
            source: Source::Own(source),
            targets: Vec::new(),
            ended: false,
        }
    }

    /// A pump of what the launcher above sends.
    pub fn from_above() -> Pump {
        Pump {
            is_terminal: false,
            source: Source::Parent { unreported_bytes: 0 },
            targets: Vec::new(),
            ended: false,
        }
    }

    /// Takes in what the launcher above has sent; nothing more comes after an empty piece.
    pub fn feed(&mut self, bytes: &[u8]) {
        if let Source::Parent { unreported_bytes } = &mut self.source {
            *unreported_bytes += bytes.len();
        }
        self.ended |= bytes.is_empty();
        self.targets.iter_mut().for_each(|target| target.waiting.extend(bytes));
        self.push();
    }

    /// How many bytes the launcher above may be told of as taken.
    pub fn taken_for_above(&mut self) -> usize {
        let wants_more = self.wants_more();
        match &mut self.source {
            Source::Parent { unreported_bytes } if wants_more => std::mem::take(unreported_bytes),
            _ => 0,
        }
    }

    /// Nobody reads any more.
    pub fn is_idle(&self) -> bool {
        self.targets.is_empty()
    }

    pub fn add_child_agent(&mut self, number: usize) {
        self.targets.push(Target {
            to: Destination::ChildAgent { number, in_flight: 0 },
            waiting: VecDeque::new(),
        });
    }

    /// Branch `number` reads no more.
    pub fn drop_child_agent(&mut self, number: usize) {
        self.targets.retain(
            |target| !matches!(target.to, Destination::ChildAgent { number: other, .. } if other == number),
        );
    }

    /// Branch `number` has taken so many bytes.
    pub fn taken(&mut self, number: usize, bytes: usize) {
        for target in &mut self.targets {
            if let Destination::ChildAgent { number: other, in_flight } = &mut target.to
                && *other == number
            {
                *in_flight = in_flight.saturating_sub(bytes);
            }
        }
    }

    /// What the branches that have joined can be sent now, by their numbers.
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

    /// A pipe for one more rank; gives our end and the rank's.
    pub fn add_target(&mut self) -> io::Result<(&OwnedFd, Stdio)> {
        let (theirs, ours) = io::pipe()?;
        rustix::io::ioctl_fionbio(&ours, true)?;
        self.targets.push(Target { to: Destination::Pipe(ours.into()), waiting: VecDeque::new() });
        match self.targets.last().map(|target| &target.to) {
            Some(Destination::Pipe(pipe)) => Ok((pipe, theirs.into())),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }

    /// What to wait for; `None` where input comes from above.
    pub fn source(&self) -> Option<BorrowedFd<'_>> {
        match &self.source {
            Source::Own(stdin) => Some(stdin.as_fd()),
            Source::Parent { .. } => None,
        }
    }

    /// More input is wanted: somebody still reads, and all have nearly caught up.
    pub fn wants_more(&self) -> bool {
        !self.ended
            && !self.targets.is_empty()
            && self.targets.iter().all(|target| target.waiting.len() < AHEAD_BYTES)
    }

    /// Reads one piece and hands it to all targets.
    pub fn pump(&mut self) -> Pumped {
        if self.is_terminal && !self.is_foreground() {
            return Pumped::NotNow;
        }
        let Source::Own(source) = &self.source else { return Pumped::NotNow };
        let mut bytes = [0; 16 * 1024];
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

    fn end(&mut self) {
        self.ended = true;
        self.push();
    }

    /// Writes what the targets have room for. A target that has got everything after the end, or that reads no more, is closed.
    pub fn push(&mut self) {
        let ended = self.ended;
        self.targets.retain_mut(|target| match target.to {
            Destination::Pipe(_) => target.push() && !(ended && target.waiting.is_empty()),
            Destination::ChildAgent { .. } => true,
        });
    }

    fn is_foreground(&self) -> bool {
        let Some(source) = self.source() else { return false };
        rustix::termios::tcgetpgrp(source)
            .is_ok_and(|foreground| foreground == rustix::process::getpgrp())
    }
}

impl Target {
    /// True while the reader is there.
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
