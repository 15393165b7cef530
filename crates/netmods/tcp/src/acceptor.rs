//! Where connections arrive: at a port of this process, or at the node's port, on which the
//! launcher listens for all its processes.
//!
//! ```text
//!   connector ── hello ──> launcher ── connection and hello (SCM_RIGHTS) ──> process of the hello
//!   connector <── challenge ─────────────────────────────────────────────── process
//! ```
//!
//! The launcher does not authenticate the hello; it only reads the index of the process that it
//! addresses. A firewall has to admit one port of each node only. A process whose launcher does not
//! do this, or that has no prescribed ports, listens on a port for each channel.
//!
//! A process has one Unix socket from the launcher and may have several channels: a rail of the TCP
//! module is one, and so are the connections of another module; each lane has its own. The first
//! one reads the socket and keeps connections for the others.

use crate::handshake::{HELLO_BYTES, Hello};
use crate::socket;
use nemesis_sys::unix_socket::receive_with_descriptor;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::io::Errno;
use std::net::SocketAddr;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of connections kept for other channels. A further one replaces the oldest, so
/// that requests for channels that do not exist cannot block others.
const KEPT_MAX: usize = 64;

/// An accepted connection.
pub struct AcceptedConnection {
    pub socket: OwnedFd,
    pub from: Option<SocketAddr>,
    /// Its hello, if the launcher has read it.
    pub hello: Option<[u8; HELLO_BYTES]>,
}

/// The source of connections that arrive at the node's port.
#[derive(Debug)]
pub struct Acceptor {
    port: u16,
    line: UnixStream,
    kept: Mutex<Kept>,
}

/// The connections that have arrived for channels that do not read the socket.
#[derive(Debug, Default)]
struct Kept {
    /// The channel that reads the socket.
    reader: Option<u8>,
    connections: Vec<(u8, OwnedFd, [u8; HELLO_BYTES])>,
}

/// Where connections arrive.
pub enum Entrance {
    Own(OwnedFd),
    /// The node's port, and the channel.
    Node(Arc<Acceptor>, u8),
}

impl Acceptor {
    /// Makes an acceptor: the launcher passes connections to `port` through the Unix socket `line`.
    pub fn new(line: OwnedFd, port: u16) -> std::io::Result<Acceptor> {
        let line = UnixStream::from(line);
        line.set_nonblocking(true)?;
        Ok(Acceptor { port, line, kept: Mutex::default() })
    }

    /// Returns the node's port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Adds a channel; the first one reads the socket.
    pub(crate) fn join(acceptor: &Arc<Acceptor>, channel: u8) -> Arc<Acceptor> {
        acceptor.kept().reader.get_or_insert(channel);
        Arc::clone(acceptor)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next(&self, channel: u8) -> rustix::io::Result<Option<AcceptedConnection>> {
        let mut kept = self.kept();
        if let Some(place) = kept.connections.iter().position(|(other, ..)| *other == channel) {
            let (_, socket, hello) = kept.connections.remove(place);
            return Ok(Some(AcceptedConnection::known(socket, hello)));
        }
        if kept.reader != Some(channel) {
            return Ok(None);
        }
        while let Some((socket, hello)) = self.hear()? {
            let other = Hello::decode(&hello).map_or(channel, |hello| hello.channel);
            if other == channel {
                return Ok(Some(AcceptedConnection::known(socket, hello)));
            }
            if kept.connections.len() == KEPT_MAX {
                kept.connections.remove(0);
            }
            kept.connections.push((other, socket, hello));
        }
        Ok(None)
    }

    /// Receives the next connection from the launcher.
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
    /// Returns the next connection for this channel.
    pub fn next(&self) -> rustix::io::Result<Option<AcceptedConnection>> {
        match self {
            Entrance::Own(listener) => Ok(socket::accept(listener)?
                .map(|(socket, from)| AcceptedConnection { socket, from, hello: None })),
            Entrance::Node(acceptor, channel) => acceptor.next(*channel),
        }
    }

    /// Returns the descriptor that announces connections. `None` if another channel reads it, and
    /// this one has to poll.
    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Entrance::Own(listener) => Some(listener.as_fd()),
            Entrance::Node(acceptor, channel) => {
                (acceptor.kept().reader == Some(*channel)).then(|| acceptor.line.as_fd())
            }
        }
    }
}
