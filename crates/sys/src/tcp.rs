//! Properties of TCP connections that only the kernel knows.

#![allow(unsafe_code)]

use rustix::fd::{AsFd, AsRawFd};
use rustix::io::Errno;
use std::time::Duration;

/// How long the far end of a connection has been silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Silence {
    /// Number of transmissions, of data or probes, that were repeated because no answer came. Zero
    /// once one comes.
    pub unanswered: u32,
    /// Time since the far end's last acknowledgement.
    pub since: Duration,
}

/// Returns whether an error of a connection means that the other host does not answer.
pub fn is_without_answer(error: Errno) -> bool {
    matches!(error, Errno::TIMEDOUT | Errno::HOSTUNREACH | Errno::NETUNREACH | Errno::NETDOWN)
}

/// Returns how long the far end has been silent; `None` if the kernel does not tell.
///
/// The alternative, TCP_USER_TIMEOUT, also ends a connection whose reader answers but takes nothing
/// for that long (a zero window).
pub fn silence(socket: impl AsFd) -> Option<Silence> {
    // SAFETY: a structure of numbers, for which zero is a valid value.
    let mut info: libc::tcp_info = unsafe { std::mem::zeroed() };
    let mut length = size_of::<libc::tcp_info>() as libc::socklen_t;
    let descriptor = socket.as_fd().as_raw_fd();
    // SAFETY: the kernel writes at most `length` bytes to `info`.
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

/// Limits the bytes that the kernel keeps without having begun to send them to about `bytes`. A
/// write beyond that would block.
pub fn limit_unsent(socket: impl AsFd, bytes: u32) {
    let (value, length) = (&raw const bytes, size_of::<u32>() as libc::socklen_t);
    // SAFETY: the kernel reads one number from `bytes` (tcp(7), TCP_NOTSENT_LOWAT). A kernel that
    // does not know the option changes nothing.
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

/// Tells the kernel how many bytes the reader waits for (socket(7), SO_RCVLOWAT). The kernel does
/// not announce fewer bytes, although a read returns them, and it acknowledges them when they
/// arrive instead of when they are read. With 1, the default, it announces any bytes, including
/// those that have arrived in the meantime. Returns false if the kernel refuses.
pub fn set_low_watermark(socket: impl AsFd, bytes: u32) -> bool {
    let (value, length) = (&raw const bytes, size_of::<u32>() as libc::socklen_t);
    // SAFETY: the kernel reads one number from `bytes`.
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

/// Returns the number of bytes written that the far end's kernel has not acknowledged.
pub fn undelivered(socket: impl AsFd) -> usize {
    let mut bytes: libc::c_int = 0;
    // SAFETY: the kernel writes one number to `bytes` (tcp(7), SIOCOUTQ).
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
