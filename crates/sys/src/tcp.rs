//! What the kernel knows of a TCP connection and no socket call tells.

#![allow(unsafe_code)]

use rustix::fd::{AsFd, AsRawFd};
use std::time::Duration;

/// How a connection's far end has been answering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silence {
    /// What we sent, data or probes, that was sent again because no answer came. Zero as soon as one comes.
    pub unanswered: u32,
    /// Since the far end's last acknowledgement.
    pub since: Duration,
}

/// How long, and how often in vain, we have been talking to the far end; `None` when the kernel does not say.
///
/// This is asked instead of setting TCP_USER_TIMEOUT, which ends a connection also when its reader, alive and answering, takes nothing for
/// that long (a zero window).
pub fn silence(socket: impl AsFd) -> Option<Silence> {
    // SAFETY: a structure of numbers, for which zero is a value.
    let mut info: libc::tcp_info = unsafe { std::mem::zeroed() };
    let mut length = size_of::<libc::tcp_info>() as libc::socklen_t;
    let descriptor = socket.as_fd().as_raw_fd();
    // SAFETY: the kernel writes at most `length` bytes to our structure.
    let refused = unsafe {
        libc::getsockopt(
            descriptor,
            libc::IPPROTO_TCP,
            libc::TCP_INFO,
            (&raw mut info).cast(),
            &mut length,
        )
    };
    if refused != 0 {
        return None;
    }
    let unanswered = u32::from(info.tcpi_retransmits) + u32::from(info.tcpi_probes);
    Some(Silence { unanswered, since: Duration::from_millis(info.tcpi_last_ack_recv.into()) })
}

/// Lets the kernel keep at most about so many bytes that it has not begun to send; a write beyond finds no room.
pub fn limit_unsent(socket: impl AsFd, bytes: u32) {
    let (value, length) = (&raw const bytes, size_of::<u32>() as libc::socklen_t);
    // SAFETY: the kernel reads one number from our variable (tcp(7), TCP_NOTSENT_LOWAT). Where it does not know the option nothing changes.
    unsafe {
        libc::setsockopt(
            socket.as_fd().as_raw_fd(),
            libc::IPPROTO_TCP,
            libc::TCP_NOTSENT_LOWAT,
            value.cast(),
            length,
        )
    };
}

/// Tells the kernel that who reads waits for so many bytes: fewer are not announced, though a read has them, and are acknowledged when they come instead of
/// when they are read (socket(7), SO_RCVLOWAT). 1, as in the beginning: whatever comes is announced, also what has come meanwhile. False when it refuses.
pub fn set_low_watermark(socket: impl AsFd, bytes: u32) -> bool {
    let (value, length) = (&raw const bytes, size_of::<u32>() as libc::socklen_t);
    // SAFETY: the kernel reads one number from our variable.
    unsafe {
        libc::setsockopt(
            socket.as_fd().as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_RCVLOWAT,
            value.cast(),
            length,
        ) == 0
    }
}

/// Bytes that we wrote and the far end's kernel has not acknowledged.
pub fn undelivered(socket: impl AsFd) -> usize {
    let mut bytes: libc::c_int = 0;
    // SAFETY: the kernel writes one number to our variable (tcp(7), SIOCOUTQ).
    let refused =
        unsafe { libc::ioctl(socket.as_fd().as_raw_fd(), libc::TIOCOUTQ, &raw mut bytes) };
    if refused != 0 { 0 } else { usize::try_from(bytes).unwrap_or(0) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn a_connection_that_is_answered_is_not_silent() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (_other, _) = listener.accept().unwrap();
        stream.write_all(b"x").unwrap();
        while undelivered(&stream) > 0 {
            std::thread::yield_now();
        }
        assert_eq!(silence(&stream).unwrap().unanswered, 0);
        assert_eq!(silence(std::fs::File::open("/dev/null").unwrap()), None);
    }
}
