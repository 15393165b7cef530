//! A connection between two launchers, which sends and receives whole messages and never blocks.
//! Everything that it carries is encrypted ([`nemesis_cipher`]): the environment and the arguments
//! of programs, standard streams, the names of ports, and commands.
//!
//! Messages that the socket does not take wait in memory. Output and input have windows
//! (`job::streams`), and all other messages are small, so this memory is bounded.

use super::message::{self, Malformed};
use nemesis_cipher::socket::Moved;
use nemesis_cipher::{CHANGED, Cipher};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, sockopt};
use serde::{Deserialize, Serialize};
use std::io::{self, IoSlice};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// Interval of keep-alive probes on a silent connection. With `PROBES` of them a dead peer is
/// noticed after six seconds. The kernels send and answer probes, so a busy or stopped process does
/// not count as dead.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
/// Unanswered probes after which the kernel ends the connection.
const PROBES: u32 = 5;
/// Time without an acknowledgement after which the other host counts as lost.
const SILENCE_MAX: Duration = Duration::from_secs(6);

/// Interval of checks, at a connection's end, whether the other host still answers.
const POLL_INTERVAL: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

/// A connection to another launcher.
#[derive(Debug)]
pub struct Link {
    socket: TcpStream,
    cipher: Box<Cipher>,
    token: u64,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
    /// Bytes of `outgoing` that have been sent.
    sent_bytes: usize,
    /// Whether epoll watches for room in the socket.
    blocked: bool,
    closed: bool,
    /// Whether a message has arrived.
    has_heard: bool,
}

/// The state of a connection after a read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkState {
    NothingNow,
    /// The other end has closed the connection; why.
    End(String),
    /// The other host does not answer.
    Silent,
    /// Bytes were changed, left out or repeated on the way.
    Changed,
    /// The other end sent something that is not a message.
    Malformed(Malformed),
}

impl Link {
    /// Takes over a connection; `epoll` reports its events as `token`.
    pub fn new(
        socket: TcpStream,
        cipher: Box<Cipher>,
        epoll: &OwnedFd,
        token: u64,
    ) -> io::Result<Link> {
        socket.set_nonblocking(true)?;
        socket.set_nodelay(true)?;
        sockopt::set_socket_keepalive(&socket, true)?;
        sockopt::set_tcp_keepidle(&socket, PROBE_INTERVAL)?;
        sockopt::set_tcp_keepintvl(&socket, PROBE_INTERVAL)?;
        sockopt::set_tcp_keepcnt(&socket, PROBES)?;
        epoll::add(epoll, &socket, EventData::new_u64(token), EventFlags::IN)?;
        Ok(Link {
            socket,
            cipher,
            token,
            incoming: Vec::new(),
            outgoing: Vec::new(),
            sent_bytes: 0,
            blocked: false,
            closed: false,
            has_heard: false,
        })
    }

    /// Adds bytes that arrived before the link was made.
    pub fn preload(&mut self, bytes: &[u8]) {
        self.incoming.extend_from_slice(bytes);
    }

    /// Appends a message to those that wait to be sent.
    pub fn send(&mut self, message: &impl Serialize) {
        if !self.closed {
            message::encode(message, &mut self.outgoing);
        }
    }

    /// Returns whether no message waits to be sent, or the connection is closed.
    pub fn is_empty(&self) -> bool {
        self.closed || self.sent_bytes == self.outgoing.len()
    }

    /// Sends what the socket takes now.
    fn push(&mut self) {
        while !self.is_empty() {
            let rest = [IoSlice::new(&self.outgoing[self.sent_bytes..])];
            match self.cipher.write(&self.socket, &rest) {
                Moved::Bytes(sent) => self.sent_bytes += sent,
                Moved::Nothing => break,
                // `receive` notices the end after it has read the last messages.
                Moved::End | Moved::Failed(_) => self.closed = true,
            }
        }
    }

    /// Sends what the socket takes now, and has epoll watch the socket while messages wait.
    pub fn flush(&mut self, epoll: &OwnedFd) -> io::Result<()> {
        self.push();
        if self.is_empty() {
            self.outgoing.clear();
            self.sent_bytes = 0;
        } else if self.sent_bytes > self.outgoing.len() / 2 {
            self.outgoing.drain(..self.sent_bytes);
            self.sent_bytes = 0;
        }
        let blocked = !self.is_empty();
        if blocked != self.blocked {
            self.blocked = blocked;
            let interest = if blocked { EventFlags::IN | EventFlags::OUT } else { EventFlags::IN };
            epoll::modify(epoll, &self.socket, EventData::new_u64(self.token), interest)?;
        }
        Ok(())
    }

    /// Sends all waiting messages and waits until the other end has read them and closed the
    /// connection, or is known to be dead. A socket that is closed with unread data in it would
    /// discard sent data that the other end has not read.
    pub fn finish(&mut self) -> io::Result<()> {
        let mut room = [0; 4096];
        let mut has_shut_down = false;
        while !self.is_unresponsive() {
            self.push();
            if self.is_empty() && !has_shut_down {
                self.socket.shutdown(Shutdown::Write)?;
                has_shut_down = true;
            }
            let interest =
                if has_shut_down { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
            match poll(&mut [PollFd::new(&self.socket, interest)], Some(&POLL_INTERVAL)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(why) => return Err(why.into()),
            }
            match rustix::net::recv(&self.socket, &mut room, RecvFlags::DONTWAIT) {
                Ok((0, _)) => return Ok(()),
                Ok(_) | Err(Errno::INTR | Errno::AGAIN) => {}
                Err(why) => return Err(why.into()),
            }
        }
        Ok(())
    }

    /// Returns whether the other host has not answered for too long. Keep-alive probes are sent
    /// only while no data is on its way; this covers the time with unacknowledged data.
    pub fn is_unresponsive(&self) -> bool {
        nemesis_sys::tcp::silence(&self.socket)
            .is_some_and(|silence| silence.unanswered > 0 && silence.since > SILENCE_MAX)
    }

    /// Returns the interface of this host that the connection uses, and whether its link is up.
    pub fn interface(&self) -> Option<(String, bool)> {
        nemesis_sys::interfaces::with_address(self.socket.local_addr().ok()?.ip().to_canonical())
    }

    /// Reads what has arrived and appends every whole message to `messages`.
    pub fn receive<M: for<'a> Deserialize<'a>>(&mut self, messages: &mut Vec<M>) -> LinkState {
        let mut state = LinkState::NothingNow;
        let mut has_ended = false;
        // The memory is not on the stack, which may be short (`ulimit -s`).
        let mut room = vec![0; 64 * 1024];
        loop {
            match self.cipher.read(&self.socket, &mut room, &mut []) {
                Moved::Bytes(received) => {
                    self.incoming.extend_from_slice(&room[..received]);
                    continue;
                }
                Moved::Nothing => {}
                Moved::End => has_ended = true,
                Moved::Failed(CHANGED) => state = LinkState::Changed,
                Moved::Failed(why) if nemesis_sys::tcp::is_without_answer(why) => {
                    state = LinkState::Silent;
                }
                Moved::Failed(why) => state = LinkState::End(why.to_string()),
            }
            break;
        }
        let mut taken = 0;
        loop {
            match message::decode(&self.incoming[taken..]) {
                Ok(Some((message, bytes))) => {
                    messages.push(message);
                    taken += bytes;
                }
                Ok(None) => break,
                Err(malformed) => return LinkState::Malformed(malformed),
            }
        }
        self.incoming.drain(..taken);
        self.has_heard |= taken > 0;
        if has_ended {
            let is_cut = self.cipher.holds_rest() || !self.incoming.is_empty();
            let place = match self.has_heard {
                _ if is_cut => " in the middle of a message",
                true => "",
                false => {
                    " before its first message: it failed, or the handshake was changed on the way"
                }
            };
            state = LinkState::End(format!("it closed the connection{place}"));
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::Up;
    use super::*;
    use nemesis_cipher::KeyExchange;
    use rustix::event::epoll::CreateFlags;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    /// Returns the ciphers of both ends of a connection.
    fn ciphers() -> (Box<Cipher>, Box<Cipher>) {
        let (exchange, message) = KeyExchange::connector("test", &[7; 32], &[]).unwrap();
        let (its, answer) = KeyExchange::answer("test", &[7; 32], &[], &message).unwrap();
        (exchange.finish(&answer).unwrap(), its)
    }

    /// Sends two messages past an intruder who changes the bytes on the wire; returns what arrives,
    /// how the connection is then, and the bytes that the intruder has seen.
    fn send_past(change: fn(&mut Vec<u8>)) -> (Vec<Up>, LinkState, Vec<u8>) {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let pair = || {
            let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            (one, listener.accept().unwrap().0)
        };
        let ((one, mut from), (mut to, other)) = (pair(), pair());
        let epoll = epoll::create(CreateFlags::CLOEXEC).unwrap();
        let (mine, its) = ciphers();
        let mut sender = Link::new(one, mine, &epoll, 1).unwrap();
        let mut receiver = Link::new(other, its, &epoll, 2).unwrap();
        for message in [Up::Want("SECRET_OF_A_PORT".into()), Up::Gone] {
            sender.send(&message);
            sender.flush(&epoll).unwrap();
        }
        drop(sender);
        let mut wire = Vec::new();
        from.read_to_end(&mut wire).unwrap();
        let seen = wire.clone();
        change(&mut wire);
        to.write_all(&wire).unwrap();
        drop(to);
        let (mut received, mut state) = (Vec::new(), LinkState::NothingNow);
        while state == LinkState::NothingNow {
            state = receiver.receive(&mut received);
        }
        (received, state, seen)
    }

    #[test]
    fn messages_cannot_be_read_on_the_wire() {
        let (received, state, seen) = send_past(|_| {});
        assert_eq!(received, [Up::Want("SECRET_OF_A_PORT".into()), Up::Gone]);
        assert_eq!(state, LinkState::End("it closed the connection".into()));
        assert!(!seen.windows(6).any(|window| window == b"SECRET"));
    }

    #[test]
    fn a_changed_repeated_or_omitted_message_ends_the_connection() {
        /// Bytes of the first message on the wire.
        const FIRST: usize = 2 + 4 + 18 + 16;
        let changes: [fn(&mut Vec<u8>); 5] = [
            |wire| wire[9] ^= 1,
            |wire| wire[FIRST - 1] ^= 1,
            |wire| drop(wire.drain(..FIRST)),
            |wire| wire.truncate(FIRST - 1),
            |wire| {
                let first = wire[..FIRST].to_vec();
                wire.splice(FIRST..FIRST, first);
            },
        ];
        let cut = "it closed the connection in the middle of a message";
        let ends = [
            (0, LinkState::Changed),
            (0, LinkState::Changed),
            (0, LinkState::Changed),
            (0, LinkState::End(cut.into())),
            (1, LinkState::Changed),
        ];
        for (number, (change, end)) in changes.into_iter().zip(ends).enumerate() {
            let (received, state, _) = send_past(change);
            assert_eq!((received.len(), state), end, "change {number}");
        }
    }

    #[test]
    fn a_slow_reader_does_not_block_the_sender_and_receives_everything() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let other = listener.accept().unwrap().0;
        let epoll = epoll::create(CreateFlags::CLOEXEC).unwrap();
        let (mine, its) = ciphers();
        let mut sender = Link::new(one, mine, &epoll, 1).unwrap();
        let mut receiver = Link::new(other, its, &epoll, 2).unwrap();
        let sent: Vec<Up> =
            (0..2000).map(|number| Up::Want("x".repeat(4000) + &number.to_string())).collect();
        sent.iter().for_each(|message| sender.send(message));
        sender.flush(&epoll).unwrap();
        assert!(!sender.is_empty());
        let mut received: Vec<Up> = Vec::new();
        while received.len() < sent.len() {
            assert_eq!(receiver.receive(&mut received), LinkState::NothingNow);
            sender.flush(&epoll).unwrap();
        }
        assert!(sender.is_empty() && received == sent);
        drop(sender);
        while receiver.receive(&mut received) == LinkState::NothingNow {
            std::thread::yield_now();
        }
    }
}
