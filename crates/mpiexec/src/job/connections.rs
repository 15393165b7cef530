//! The child agents of a launcher, and connections before the end of their handshake.

use crate::placement::Share;
use crate::tree::child_agent::{ChildAgent, State};
use crate::tree::message::{Down, LateExit};
use crate::tree::proof::{Admitted, CONFIRMATION_BYTES, GREETING_BYTES, Parent};
use nemesis_netmod_tcp::handshake::{self, HELLO_BYTES, Hello};
use nemesis_sys::process;
use nemesis_wireup::JobKey;
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::process::Signal;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, Instant};

/// The child agents, and the connections that may become theirs.
pub(super) struct ChildAgents {
    pub(super) list: Vec<ChildAgent>,
    pub(super) key: Option<JobKey>,
    pub(super) listener: Option<TcpListener>,
    /// Connections that have not proved yet that their other end knows the job key.
    pub(super) pending: Vec<Option<Pending>>,
    /// Number of connections that were dropped because they did not belong to the job.
    pub(super) dropped: u64,
    /// While no connection can be accepted: when the listener is watched again. Whether the user
    /// knows it.
    pub(super) paused_until: Option<Instant>,
    pub(super) has_told_shortage: bool,
    /// When agents were last checked.
    pub(super) checked: Instant,
    /// When an agent last sent output of its ranks.
    pub(super) sent_output: Option<Instant>,
}

/// A connection that is not authenticated yet.
pub(super) struct Pending {
    pub(super) stream: TcpStream,
    pub(super) from: SocketAddr,
    pub(super) since: Instant,
    pub(super) received: Vec<u8>,
    /// The parent's end of the handshake, once the greeting has arrived.
    pub(super) parent: Option<Parent>,
}

/// Time that a connection has for its handshake.
pub(super) const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(60);
/// Time without a look at the listener after a connection could not be accepted. A listener that
/// is ready all the time would keep the launcher busy.
pub(super) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);
/// Connections without a proof at a time. A further one replaces the oldest, so that silent
/// connections cannot keep agents out.
pub(super) const PENDING_MAX: usize = 256;

impl ChildAgents {
    /// Makes the child agents for the shares of hosts; `key` is the job key in hexadecimal.
    pub fn new(below: Vec<Vec<Share>>, key: &str) -> ChildAgents {
        let list = below.into_iter().map(ChildAgent::new).collect();
        ChildAgents {
            list,
            key: JobKey::from_hex(key),
            listener: None,
            pending: Vec::new(),
            dropped: 0,
            paused_until: None,
            has_told_shortage: false,
            checked: Instant::now(),
            sent_output: None,
        }
    }

    /// Returns whether a connection waits for its handshake.
    pub fn have_pending(&self) -> bool {
        self.pending.iter().any(Option::is_some)
    }

    /// Sends a message to a child agent, if it is connected.
    pub fn send(&mut self, child_agent: usize, message: &Down) {
        self.list[child_agent].link().into_iter().for_each(|link| link.send(message));
    }

    /// Sends a message to all connected child agents.
    pub fn send_all(&mut self, message: &Down) {
        self.list.iter_mut().filter_map(ChildAgent::link).for_each(|link| link.send(message));
    }

    /// Sends what the connections take now.
    pub fn flush(&mut self, epoll: &OwnedFd) -> io::Result<()> {
        self.list.iter_mut().filter_map(ChildAgent::link).try_for_each(|link| link.flush(epoll))
    }

    /// Returns whether this launcher has no child agents.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns whether a child agent has not connected yet.
    pub fn are_starting(&self) -> bool {
        self.list.iter().any(|child_agent| matches!(child_agent.state, State::Starting(_)))
    }

    /// Returns whether all ranks of all subtrees have ended.
    pub fn are_over(&self) -> bool {
        self.list.iter().all(|child_agent| child_agent.over.is_some() || child_agent.is_gone())
    }

    /// Returns the first non-zero exit code after `MPI_Finalize` that a child agent has reported.
    pub fn late_exit(&self) -> Option<LateExit> {
        self.list.iter().find_map(|child_agent| child_agent.over.clone().flatten())
    }

    /// Returns whether all child agents and their starters have ended.
    pub fn have_ended(&self) -> bool {
        self.list.iter().all(ChildAgent::has_ended)
    }

    /// Returns when a child agent last sent output.
    pub fn sent_output(&self) -> Option<Instant> {
        self.sent_output
    }

    /// Returns the number of the child agent whose subtree has `rank`.
    pub fn of(&self, rank: u32) -> Option<usize> {
        self.list.iter().position(|child_agent| child_agent.has_rank(rank))
    }

    /// Returns the number of child agents.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Kills the starters that still run. Their agents notice that the connection has ended.
    pub fn kill_starters(&mut self) {
        for starter in self
            .list
            .iter()
            .filter_map(|child_agent| child_agent.starter.as_ref())
            .filter(|starter| !starter.has_ended)
        {
            process::signal_group(starter.pid, Signal::KILL.as_raw());
        }
    }
}

/// Says why a connection is dropped.
pub(super) fn reason(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::InvalidData => "it speaks another protocol",
        io::ErrorKind::PermissionDenied => "it does not know the job key",
        _ => "it was closed before the end of its handshake",
    }
}

/// How far the handshake of a connection has come.
pub(super) enum Handshake {
    Waiting,
    /// The other end is this agent and has proved it.
    Agent(Box<Admitted>),
    /// The connection is for this rank.
    ForRank(u32),
}

/// Returns whether a socket has no room for a descriptor now: it is full, or the user has as many
/// descriptors in flight as the kernel allows.
pub(super) fn is_temporary(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
        || error.raw_os_error() == Some(Errno::TOOMANYREFS.raw_os_error())
}

impl Pending {
    /// Returns whether the connection has sent the hello of a process that connects to a rank.
    pub fn is_for_rank(&self) -> bool {
        self.parent.is_none()
            && self.received.len() == HELLO_BYTES
            && self.received.starts_with(&handshake::MAGIC)
    }

    /// Continues the handshake with the bytes that have arrived. An error drops the connection.
    pub fn advance(&mut self, key: &JobKey) -> io::Result<Handshake> {
        let mut room = [0; 4096];
        loop {
            match self.stream.read(&mut room) {
                Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
                Ok(received) => self.received.extend_from_slice(&room[..received]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            if self.received.len() > room.len() {
                break;
            }
        }
        let begun = &self.received;
        if self.parent.is_none() && !Hello::may_begin_with(begun) && !Parent::may_begin_with(begun)
        {
            return Err(io::ErrorKind::InvalidData.into());
        }
        if self.parent.is_none() && self.received.starts_with(&handshake::MAGIC) {
            // The other end sends nothing after a hello before the answer.
            return match self.received.as_slice().try_into() {
                Ok(hello) => Hello::decode(hello)
                    .map(|hello| Handshake::ForRank(hello.to))
                    .ok_or(io::ErrorKind::InvalidData.into()),
                Err(_) if self.received.len() < HELLO_BYTES => Ok(Handshake::Waiting),
                Err(_) => Err(io::ErrorKind::InvalidData.into()),
            };
        }
        if self.parent.is_none()
            && let Some((greeting, rest)) = self.received.split_first_chunk::<GREETING_BYTES>()
        {
            let parent = Parent::from_greeting(key, greeting)?.ok_or(io::ErrorKind::InvalidData)?;
            self.received = rest.to_vec();
            // These are the first bytes sent on the connection, so the socket has room for them.
            self.stream.write_all(&parent.answer())?;
            self.parent = Some(parent);
        }
        let Some(parent) = &self.parent else { return Ok(Handshake::Waiting) };
        // The agent sends nothing after its confirmation before the answer.
        let confirmation: &[u8; CONFIRMATION_BYTES] = match self.received.as_slice().try_into() {
            Ok(confirmation) => confirmation,
            Err(_) if self.received.len() < CONFIRMATION_BYTES => return Ok(Handshake::Waiting),
            Err(_) => return Err(io::ErrorKind::InvalidData.into()),
        };
        let admitted = parent.admits(confirmation).ok_or(io::ErrorKind::PermissionDenied)?;
        // The socket has room for it: the agent has read all that was sent before.
        self.stream.write_all(&admitted.message)?;
        Ok(Handshake::Agent(Box::new(admitted)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    /// Returns how the handshake of a connection that has sent `bytes` continues.
    fn advance(bytes: &[u8]) -> io::Result<Handshake> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let mut far_end = TcpStream::connect(listener.local_addr()?)?;
        far_end.write_all(bytes)?;
        let (stream, from) = listener.accept()?;
        // Returns when the bytes have arrived.
        stream.peek(&mut [0])?;
        stream.set_nonblocking(true)?;
        let received = Vec::new();
        let mut pending = Pending { stream, from, since: Instant::now(), received, parent: None };
        pending.advance(&JobKey::random()?)
    }

    #[test]
    fn another_protocol_is_not_waited_for() {
        for waiting in [&b"n"[..], b"nemesis\x02", b"NEMtcp", &handshake::MAGIC] {
            assert!(matches!(advance(waiting), Ok(Handshake::Waiting)), "{waiting:?}");
        }
        for refused in [&b"?"[..], b"NEMtcp\0\x02", b"nemesis\x01", b"GET /"] {
            let kind = advance(refused).err().map(|error| error.kind());
            assert_eq!(kind, Some(io::ErrorKind::InvalidData), "{refused:?}");
        }
    }
}
