//! Where connections come in: a port of our own, or the port of the node, behind which the launcher listens for all its processes.
//!
//! ```text
//!   dialler ── hello ──> launcher: whose is it? ── the connection and the hello (SCM_RIGHTS) ──> process ── challenge ──> dialler
//! ```
//!
//! The launcher does not know whether the hello is honest, and need not: it only reads the number to which it is addressed. One port for each node is all
//! that a firewall has to let through; a process whose launcher does not do this, or is not told which ports to use, has a port for each of its rails.
//!
//! A process has one line from the launcher and perhaps several rails. The first rail listens to it, and keeps for the others what is theirs.

use crate::handshake::{HELLO_BYTES, Hello};
use crate::socket;
use nemesis_sys::unix_socket::receive_with_descriptor;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, PoisonError};

/// Connections kept for other rails at most; more of them push out the oldest, so that nobody keeps others out by asking for a rail that is not there.
const KEPT_MAX: usize = 64;

/// Somebody who has come.
pub struct AcceptedConnection {
    pub socket: OwnedFd,
    pub from: Option<SocketAddr>,
    /// What it has said already, where somebody has heard it for us.
    pub hello: Option<[u8; HELLO_BYTES]>,
}

/// The way from the node's port.
#[derive(Debug)]
pub struct Acceptor {
    port: u16,
    line: UnixStream,
    kept: Mutex<Vec<(u8, OwnedFd, [u8; HELLO_BYTES])>>,
}

/// Where connections come in.
pub enum Entrance {
    Own(OwnedFd),
    Node(Arc<Acceptor>),
}

impl Acceptor {
    /// The launcher hands over by `line` who comes to `port`.
    pub fn new(line: OwnedFd, port: u16) -> std::io::Result<Acceptor> {
        let line = UnixStream::from(line);
        line.set_nonblocking(true)?;
        Ok(Acceptor { port, line, kept: Mutex::new(Vec::new()) })
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    fn next(&self, rail: usize) -> rustix::io::Result<Option<AcceptedConnection>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = kept.iter().position(|(other, ..)| usize::from(*other) == rail) {
            let (_, socket, hello) = kept.remove(place);
            return Ok(Some(AcceptedConnection::known(socket, hello)));
        }
        if rail > 0 {
            return Ok(None);
        }
        while let Some((socket, hello)) = self.hear()? {
            match Hello::decode(&hello).map_or(0, |hello| hello.rail) {
                0 => return Ok(Some(AcceptedConnection::known(socket, hello))),
                other => {
                    if kept.len() == KEPT_MAX {
                        kept.remove(0);
                    }
                    kept.push((other, socket, hello));
                }
            }
        }
        Ok(None)
    }

    /// What the launcher hands over next.
    fn hear(&self) -> rustix::io::Result<Option<(OwnedFd, [u8; HELLO_BYTES])>> {
        let mut hello = [0; HELLO_BYTES];
        match receive_with_descriptor(&self.line, &mut hello) {
            Ok((bytes, socket)) => {
                Ok(socket.filter(|_| bytes == HELLO_BYTES).map(|socket| (socket, hello)))
            }
            Err(error) => match Errno::from_io_error(&error) {
                Some(Errno::AGAIN) | None => Ok(None),
                Some(errno) => Err(errno),
            },
        }
    }
}

impl AcceptedConnection {
    fn known(socket: OwnedFd, hello: [u8; HELLO_BYTES]) -> AcceptedConnection {
        AcceptedConnection { from: socket::peer_address(&socket), socket, hello: Some(hello) }
    }
}

impl Entrance {
    /// The next who has come for this rail.
    pub fn next(&self, rail: usize) -> rustix::io::Result<Option<AcceptedConnection>> {
        match self {
            Entrance::Own(listener) => Ok(socket::accept(listener)?
                .map(|(socket, from)| AcceptedConnection { socket, from, hello: None })),
            Entrance::Node(acceptor) => acceptor.next(rail),
        }
    }

    /// What tells that somebody has come; `None`: another rail's does, and one has to look.
    pub fn descriptor(&self, rail: usize) -> Option<BorrowedFd<'_>> {
        match self {
            Entrance::Own(listener) => Some(listener.as_fd()),
            Entrance::Node(acceptor) => (rail == 0).then(|| acceptor.line.as_fd()),
        }
    }
}
