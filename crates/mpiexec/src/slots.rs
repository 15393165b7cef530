//! The slots that a job and the jobs it has spawned take, so that new processes get free slots
//! first.
//!
//! The *ledger* is a file without a name that the launchers of these jobs share. A line says how
//! many processes of which host a launcher runs:
//!
//! ```text
//!   launcher   start of the launcher   host    processes
//!   4711       8812345                 node1   2
//! ```
//!
//! Lines of launchers that have ended count no more, so nobody has to return slots.

use crate::placement::{Share, Taken};
use nemesis_sys::process::start_time;
use nemesis_wireup::hosts;
use rustix::fd::{AsRawFd, OwnedFd, RawFd};
use rustix::fs::{FlockOperation, MemfdFlags};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

/// The slots that the launchers of connected jobs have taken.
#[derive(Debug)]
pub struct Ledger {
    file: File,
}

impl Ledger {
    /// Makes an empty ledger.
    ///
    /// # Errors
    ///
    /// The kernel has no memory without a name.
    pub fn new() -> io::Result<Ledger> {
        let made = rustix::fs::memfd_create(c"nemesis-slots", MemfdFlags::CLOEXEC)?;
        Ok(Ledger { file: made.into() })
    }

    /// Takes over the ledger that the launcher of the job that spawns has left open.
    ///
    /// # Errors
    ///
    /// The descriptor is not open.
    pub fn inherited(descriptor: RawFd) -> io::Result<Ledger> {
        let own: OwnedFd = nemesis_sys::process::inherit(descriptor)?;
        Ok(Ledger { file: own.into() })
    }

    /// Lets launchers that are started from now on inherit the ledger, and returns its number.
    ///
    /// # Errors
    ///
    /// The descriptor's flags cannot be changed.
    pub fn pass_on(&self) -> io::Result<RawFd> {
        nemesis_sys::process::pass_on(&self.file)?;
        Ok(self.file.as_raw_fd())
    }

    /// Calls `place` with what others have taken, and notes the shares that it returns as those of
    /// this launcher. No other launcher does so meanwhile. If the ledger cannot be used, all slots
    /// count as free.
    pub fn take(&self, place: impl FnOnce(&Taken) -> Vec<Share>) -> Vec<Share> {
        // The lock belongs to the process, and ends with it. Locks of open files would be shared,
        // because the launchers have inherited one.
        let locked = rustix::fs::fcntl_lock(&self.file, FlockOperation::LockExclusive).is_ok();
        let lines = if locked { self.living() } else { String::new() };
        let shares = place(&taken(&lines));
        if locked {
            // A ledger that cannot be written costs the balance of hosts, not the job.
            let _ = self.write(&(lines + &lines_of(&shares)));
            let _ = rustix::fs::fcntl_lock(&self.file, FlockOperation::Unlock);
        }
        shares
    }

    /// Returns the lines of launchers that have not ended.
    fn living(&self) -> String {
        let length = self.file.metadata().map_or(0, |metadata| metadata.len());
        let mut bytes = vec![0; length as usize];
        if self.file.read_exact_at(&mut bytes, 0).is_err() {
            return String::new();
        }
        let text = String::from_utf8_lossy(&bytes);
        let lives = |line: &&str| {
            let mut words = line.split(' ');
            let launcher = words.next().and_then(|word| word.parse().ok());
            launcher.and_then(start_time) == words.next().and_then(|word| word.parse().ok())
        };
        text.lines().filter(lives).map(|line| format!("{line}\n")).collect()
    }

    fn write(&self, text: &str) -> io::Result<()> {
        self.file.set_len(text.len() as u64)?;
        self.file.write_all_at(text.as_bytes(), 0)
    }
}

/// Returns the lines of this launcher.
fn lines_of(shares: &[Share]) -> String {
    let own = std::process::id();
    let start = start_time(own as i32).unwrap_or(0);
    let line = |share: &Share| {
        format!("{own} {start} {} {}\n", hosts::identity(&share.host), share.size())
    };
    shares.iter().map(line).collect()
}

/// Adds up the processes by host.
fn taken(lines: &str) -> Taken {
    let mut sums = Taken::default();
    for line in lines.lines() {
        if let [_, _, host, count] = line.split(' ').collect::<Vec<&str>>()[..] {
            sums.add(host, count.parse().unwrap_or(0));
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::Ranks;

    fn share(host: &str, ranks: u32) -> Share {
        Share { host: host.into(), runs: vec![Ranks { first: 0, ranks }] }
    }

    #[test]
    fn what_living_launchers_have_taken_counts() {
        let ledger = Ledger::new().unwrap();
        let shares = ledger.take(|taken| {
            assert_eq!(taken.of("a"), 0);
            vec![share("a", 2), share("b", 1)]
        });
        assert_eq!(shares.len(), 2);
        // A process of this number, which began at another time, has ended.
        let ended = format!("{} 1 a 7\n", std::process::id());
        ledger.write(&(ledger.living() + &ended)).unwrap();
        let again = Ledger::inherited(ledger.pass_on().unwrap()).unwrap();
        again.take(|taken| {
            assert_eq!((taken.of("a"), taken.of("b"), taken.of("c")), (2, 1, 0));
            vec![share("localhost", 3)]
        });
        assert_eq!(taken(&ledger.living()).of(&nemesis_sys::host::hostname()), 3);
    }
}
