//! Bells: waking a process that sleeps on descriptors.
//!
//! A futex does not end a `poll`. A process that waits for sockets and for processes of its node
//! sleeps in `poll`, and one of its descriptors is a *bell*: a unix datagram socket with a random
//! abstract name. Another process wakes it by an empty datagram. The processes exchange the bell's
//! number beforehand, nothing remains after the process ends, and a needless ring costs one check.

use rustix::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::sync::OnceLock;
use std::{io, time::Duration};

/// The bell of this process.
#[derive(Debug)]
pub struct Bell {
    socket: UnixDatagram,
    number: u64,
}

impl Bell {
    /// Makes a bell with a random number, never 0.
    pub fn new() -> io::Result<Bell> {
        let mut bytes = [0; 8];
        rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
        let number = u64::from_le_bytes(bytes).max(1);
        let socket = UnixDatagram::bind_addr(&name(number)?)?;
        socket.set_nonblocking(true)?;
        Ok(Bell { socket, number })
    }

    /// Returns the number by which other processes ring this bell.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Discards the rings so far.
    pub fn silence(&self) {
        while self.socket.recv(&mut [0]).is_ok() {}
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// Rings the bell of a number. Does nothing if the bell does not exist any more, or if its buffer
/// is full of earlier rings.
#[cold]
pub fn ring(number: u64) {
    static SENDER: OnceLock<Option<UnixDatagram>> = OnceLock::new();
    let sender = SENDER.get_or_init(|| {
        let socket = UnixDatagram::unbound().ok()?;
        socket.set_nonblocking(true).ok()?;
        Some(socket)
    });
    if let (Some(sender), Ok(name)) = (sender, name(number)) {
        let _ = sender.send_to_addr(&[], &name);
    }
}

fn name(number: u64) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(format!("nemesis-bell-{number:016x}"))
}

/// A descriptor by its number, and the events to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollInterest {
    pub descriptor: i32,
    pub readable: bool,
    pub writable: bool,
}

impl PollInterest {
    /// Returns the interest in data to read from `descriptor`.
    pub fn to_read(descriptor: impl AsFd) -> PollInterest {
        PollInterest { descriptor: descriptor.as_fd().as_raw_fd(), readable: true, writable: false }
    }
}

/// Sleeps until one of the events happens, at most for `timeout`. May return without an event; the
/// caller checks again.
#[allow(unsafe_code)]
pub fn wait(interests: &[PollInterest], timeout: Duration) {
    let events = |interest: &PollInterest| {
        (if interest.readable { libc::POLLIN } else { 0 })
            | (if interest.writable { libc::POLLOUT } else { 0 })
    };
    let mut entries: Vec<libc::pollfd> = interests
        .iter()
        .map(|interest| libc::pollfd {
            fd: interest.descriptor,
            events: events(interest),
            revents: 0,
        })
        .collect();
    let timeout = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: timeout.subsec_nanos() as libc::c_long,
    };
    // SAFETY: this function owns the entries, which live during the call. The kernel reports a
    // number that is not an open descriptor.
    unsafe {
        libc::ppoll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, &timeout, std::ptr::null())
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_ring_ends_the_wait_until_it_is_silenced() {
        let bell = Bell::new().unwrap();
        let start = Instant::now();
        ring(bell.number());
        wait(&[PollInterest::to_read(&bell)], Duration::from_secs(20));
        assert!(start.elapsed() < Duration::from_secs(10));
        bell.silence();
        let start = Instant::now();
        wait(&[PollInterest::to_read(&bell)], Duration::from_millis(20));
        assert!(start.elapsed() >= Duration::from_millis(20));
        ring(bell.number() ^ 1);
    }
}
