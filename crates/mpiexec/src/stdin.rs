//! Standard input and who gets it.
//!
//! One rank gets ours as it is when it is a pipe or a file: the rank reads what it wants, and what it leaves is there for whoever comes after us.
//! Only where that cannot be is the input copied: a terminal, because ranks are in the background as the terminal sees it, and `-stdin all`.

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
    source: io::Stdin,
    is_terminal: bool,
    targets: Vec<Target>,
    ended: bool,
}

struct Target {
    pipe: OwnedFd,
    waiting: VecDeque<u8>,
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
        Pump { is_terminal: source.is_terminal(), source, targets: Vec::new(), ended: false }
    }

    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// A pipe for one more rank; gives our end and the rank's.
    pub fn add_target(&mut self) -> io::Result<(&OwnedFd, Stdio)> {
        let (theirs, ours) = io::pipe()?;
        rustix::io::ioctl_fionbio(&ours, true)?;
        self.targets.push(Target { pipe: ours.into(), waiting: VecDeque::new() });
        Ok((&self.targets[self.targets.len() - 1].pipe, theirs.into()))
    }

    pub fn source(&self) -> BorrowedFd<'_> {
        self.source.as_fd()
    }

    /// More input is wanted: somebody still reads, and all have nearly caught up.
    pub fn wants_more(&self) -> bool {
        !self.ended && !self.targets.is_empty() && self.targets.iter().all(|target| target.waiting.len() < AHEAD_BYTES)
    }

    /// Reads one piece and hands it to all targets.
    pub fn pump(&mut self) -> Pumped {
        if self.is_terminal && !self.is_foreground() {
            return Pumped::NotNow;
        }
        let mut bytes = [0; 16 * 1024];
        match rustix::io::read(self.source.as_fd(), &mut bytes) {
            Ok(0) => {
                self.end();
                Pumped::End
            }
            Ok(received) => {
                self.targets.iter_mut().for_each(|target| target.waiting.extend(&bytes[..received]));
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
        self.targets.retain_mut(|target| target.push() && !(ended && target.waiting.is_empty()));
    }

    fn is_foreground(&self) -> bool {
        rustix::termios::tcgetpgrp(self.source.as_fd()).is_ok_and(|foreground| foreground == rustix::process::getpgrp())
    }
}

impl Target {
    /// True while the reader is there.
    fn push(&mut self) -> bool {
        while !self.waiting.is_empty() {
            match rustix::io::write(&self.pipe, self.waiting.as_slices().0) {
                Ok(written) => drop(self.waiting.drain(..written)),
                Err(Errno::AGAIN) => return true,
                Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
        !self.reader_has_gone()
    }

    fn reader_has_gone(&self) -> bool {
        let mut interest = [PollFd::new(&self.pipe, PollFlags::empty())];
        rustix::event::poll(&mut interest, Some(&Timespec::default())).is_ok_and(|_| interest[0].revents().contains(PollFlags::ERR))
    }
}
