//! What a process does that has no free descriptor: it tells those that connect to it, and lets the
//! listening socket alone for a while.
//!
//! ```text
//!             a connection was accepted, and the spare descriptor cannot be opened again
//!   Accepting ────────────────────────> it is told so and closed, which frees the spare
//!       │  ▲                            (its process tries again, and gives up after a while)
//!       │  │ PAUSE
//!       ▼  │ no connection can be accepted, not even by the spare
//!     Paused: the poller does not report the listening socket
//! ```
//!
//! A connection in the kernel's queue would otherwise wait for ever, because its process cannot
//! tell it from one whose acceptor computes.

use nemesis_sys::descriptors;
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::{self, Errno};
use std::time::{Duration, Instant};

/// Time without a look at the listening socket after a connection could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// The state of accepting connections.
pub struct Room {
    /// Open while no connection is being accepted, and given up for one that has no room.
    spare: Option<OwnedFd>,
    paused_until: Option<Instant>,
    /// What the user has to be told.
    shortage: Option<String>,
    has_told: bool,
}

impl Room {
    /// Returns the state of a process that accepts connections. `any` is a descriptor to duplicate.
    pub fn new(any: impl AsFd) -> Room {
        let mut room = Room { spare: None, paused_until: None, shortage: None, has_told: false };
        // Without a spare from the start, the first connection finds out.
        let _ = room.keep_spare(any);
        room
    }

    /// Makes a place for the next connection.
    pub fn give_up_spare(&mut self) {
        self.spare = None;
    }

    /// Opens the spare descriptor again after a connection has been accepted. Fails if the
    /// connection has taken the last place.
    pub fn keep_spare(&mut self, any: impl AsFd) -> io::Result<()> {
        let duplicate = || io::fcntl_dupfd_cloexec(&any, 3);
        self.spare = Some(descriptors::beyond(descriptors::retry(duplicate)?));
        Ok(())
    }

    /// Returns whether the listening socket is let alone.
    pub fn is_paused(&self) -> bool {
        self.paused_until.is_some()
    }

    /// Lets the listening socket alone for a while.
    pub fn pause(&mut self) {
        self.paused_until = Some(Instant::now() + PAUSE);
    }

    /// Returns when a pause ends.
    pub fn resumes_at(&self) -> Option<Instant> {
        self.paused_until
    }

    /// Returns true once when a pause ends.
    pub fn resumes(&mut self, now: Instant) -> bool {
        self.paused_until.take_if(|until| now >= *until).is_some()
    }

    /// Notes why a connection cannot be made or accepted, for the user.
    pub fn note_shortage(&mut self, errno: Errno, processes: u32) {
        if !std::mem::replace(&mut self.has_told, true) {
            self.shortage = Some(format!(
                "no file descriptor is free for a further connection, which waits: {}, and each \
                 rank that a rank communicates with by tcp needs one; the job has {processes} \
                 ranks; try: {}",
                descriptors::limit_in_words(errno),
                descriptors::ADVICE
            ));
        }
    }

    /// Returns once what the user has to be told.
    pub fn take_shortage(&mut self) -> Option<String> {
        self.shortage.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_ends_and_a_shortage_is_told_once() {
        let mut room = Room::new(std::fs::File::open("/dev/null").unwrap());
        assert!(!room.is_paused() && room.resumes_at().is_none());
        room.pause();
        let now = Instant::now();
        assert!(room.is_paused() && room.resumes_at().is_some_and(|until| until > now));
        assert!(!room.resumes(now) && room.resumes(now + PAUSE));
        assert!(!room.is_paused() && !room.resumes(now + PAUSE));
        for _ in 0..2 {
            room.note_shortage(Errno::MFILE, 16);
        }
        let told = room.take_shortage().unwrap();
        assert!(told.contains("`ulimit -n`") && told.contains("16 ranks"), "{told}");
        assert_eq!(room.take_shortage(), None);
    }
}
