//! Waking a process that sleeps on descriptors instead of a word.
//!
//! A futex wakes no `poll`. A process that waits for sockets and for its neighbours at once sleeps in `poll`, and one of its descriptors is a *bell*:
//! a unix datagram socket with a random abstract name, to which whoever wants to wake it sends an empty datagram. Nothing is passed
//! beforehand but the number, nothing is left behind, and who rings without reason only costs a look.

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

    /// What others ring by.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Forgets the rings so far.
    pub fn silence(&self) {
        while self.socket.recv(&mut [0]).is_ok() {}
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// Rings the bell of a number. One that is gone, or has been rung so often that its buffer is full, needs no ring.
#[cold]
pub fn ring(number: u64) {
    static CLAPPER: OnceLock<Option<UnixDatagram>> = OnceLock::new();
    let clapper = CLAPPER.get_or_init(|| {
        let socket = UnixDatagram::unbound().ok()?;
        socket.set_nonblocking(true).ok()?;
        Some(socket)
    });
    if let (Some(clapper), Ok(name)) = (clapper, name(number)) {
        let _ = clapper.send_to_addr(&[], &name);
    }
}

fn name(number: u64) -> io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(format!("nemesis-bell-{number:016x}"))
}

/// A descriptor by its number, and what to wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PollInterest {
    pub descriptor: i32,
    pub readable: bool,
    pub writable: bool,
}

impl PollInterest {
    /// Waits for something to read.
    pub fn to_read(descriptor: impl AsFd) -> PollInterest {
        PollInterest { descriptor: descriptor.as_fd().as_raw_fd(), readable: true, writable: false }
    }
}

/// Sleeps until a wish is fulfilled, at most for `timeout`; returns for any reason, the caller looks again.
#[allow(unsafe_code)]
pub fn wait(interests: &[PollInterest], timeout: Duration) {
    let events = |wish: &PollInterest| {
        (if wish.readable { libc::POLLIN } else { 0 })
            | (if wish.writable { libc::POLLOUT } else { 0 })
    };
    let mut entries: Vec<libc::pollfd> = interests
        .iter()
        .map(|wish| libc::pollfd { fd: wish.descriptor, events: events(wish), revents: 0 })
        .collect();
    let timeout = libc::timespec {
        tv_sec: timeout.as_secs() as libc::time_t,
        tv_nsec: timeout.subsec_nanos() as libc::c_long,
    };
    // SAFETY: the entries are ours and live during the call; a number that is no descriptor any more is answered as such.
    unsafe {
        libc::ppoll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, &timeout, std::ptr::null())
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_ring_ends_the_wait_until_it_is_hushed() {
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
