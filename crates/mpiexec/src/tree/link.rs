//! A connection between two launchers: whole messages in, whole messages out, and never a wait.
//!
//! What cannot be sent now waits in memory. That is bounded by what is said: output and input have windows of their own (`job::streams`), and all
//! else is small.

use super::message::{self, Malformed};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, sockopt};
use serde::{Deserialize, Serialize};
use std::io;
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// A silent connection is asked for a sign of life after so long, as often again, and given up after so many questions: six seconds in all. The
/// kernels ask and answer; a busy process, or a stopped one, is no dead one.
const PROBE_AFTER: Duration = Duration::from_secs(1);
const PROBES: u32 = 5;
const GIVEN_UP_AFTER: Duration = Duration::from_secs(6);

/// How often to ask whether the other end is dead, at a connection's end.
const LOOK_AGAIN: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };

#[derive(Debug)]
pub struct Link {
    socket: TcpStream,
    token: u64,
    incoming: Vec<u8>,
    outgoing: Vec<u8>,
    /// Bytes of `outgoing` that have gone out.
    gone: usize,
    /// Epoll tells when the socket takes more.
    blocked: bool,
    closed: bool,
}

/// What a look at a link found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Came {
    NothingNow,
    /// The other end is gone, or unreachable.
    End(String),
    Nonsense(Malformed),
}

impl Link {
    /// Takes over a connection; `epoll` says `token` when something arrives.
    pub fn new(socket: TcpStream, epoll: &OwnedFd, token: u64) -> io::Result<Link> {
        socket.set_nonblocking(true)?;
        socket.set_nodelay(true)?;
        sockopt::set_socket_keepalive(&socket, true)?;
        sockopt::set_tcp_keepidle(&socket, PROBE_AFTER)?;
        sockopt::set_tcp_keepintvl(&socket, PROBE_AFTER)?;
        sockopt::set_tcp_keepcnt(&socket, PROBES)?;
        epoll::add(epoll, &socket, EventData::new_u64(token), EventFlags::IN)?;
        Ok(Link {
            socket,
            token,
            incoming: Vec::new(),
            outgoing: Vec::new(),
            gone: 0,
            blocked: false,
            closed: false,
        })
    }

    /// Bytes that have come before the link was made.
    pub fn had_received(&mut self, bytes: &[u8]) {
        self.incoming.extend_from_slice(bytes);
    }

    pub fn send(&mut self, message: &impl Serialize) {
        if !self.closed {
            message::encode(message, &mut self.outgoing);
        }
    }

    /// Everything said has gone out, or never will.
    pub fn is_empty(&self) -> bool {
        self.closed || self.gone == self.outgoing.len()
    }

    fn push(&mut self) {
        while !self.is_empty() {
            match rustix::net::send(
                &self.socket,
                &self.outgoing[self.gone..],
                SendFlags::NOSIGNAL | SendFlags::DONTWAIT,
            ) {
                Ok(sent) => self.gone += sent,
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // Its end will be seen where messages are received, behind the last of them.
                Err(_) => self.closed = true,
            }
        }
    }

    /// Sends what the connection takes now.
    pub fn flush(&mut self, epoll: &OwnedFd) -> io::Result<()> {
        self.push();
        if self.is_empty() {
            self.outgoing.clear();
            self.gone = 0;
        } else if self.gone > self.outgoing.len() / 2 {
            self.outgoing.drain(..self.gone);
            self.gone = 0;
        }
        let blocked = !self.is_empty();
        if blocked != self.blocked {
            self.blocked = blocked;
            let interest = if blocked { EventFlags::IN | EventFlags::OUT } else { EventFlags::IN };
            epoll::modify(epoll, &self.socket, EventData::new_u64(self.token), interest)?;
        }
        Ok(())
    }

    /// Sends what waits, and waits until the other end has taken it and closed the connection, or is known to be dead. (A socket that is closed with
    /// something unread in it takes back what it has sent and the other end has not read.)
    pub fn finish(&mut self) -> io::Result<()> {
        let mut room = [0; 4096];
        let mut told_end = false;
        while !self.is_silent() {
            self.push();
            if self.is_empty() && !told_end {
                self.socket.shutdown(Shutdown::Write)?;
                told_end = true;
            }
            let interest = if told_end { PollFlags::IN } else { PollFlags::IN | PollFlags::OUT };
            match poll(&mut [PollFd::new(&self.socket, interest)], Some(&LOOK_AGAIN)) {
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

    /// Whether the other host has not answered for too long. (Keep-alive asks only while nothing is on its way; this sees the rest.)
    pub fn is_silent(&self) -> bool {
        nemesis_sys::tcp::silence(&self.socket)
            .is_some_and(|silence| silence.unanswered > 0 && silence.since > GIVEN_UP_AFTER)
    }

    /// Takes in what has arrived: `messages` gets every whole message.
    pub fn receive<M: for<'a> Deserialize<'a>>(&mut self, messages: &mut Vec<M>) -> Came {
        let mut came = Came::NothingNow;
        let mut room = [0; 64 * 1024];
        loop {
            match rustix::net::recv(&self.socket, &mut room, RecvFlags::DONTWAIT) {
                Ok((0, _)) => came = Came::End("it closed the connection".into()),
                Ok((received, _)) => {
                    self.incoming.extend_from_slice(&room[..received]);
                    continue;
                }
                Err(Errno::INTR) => continue,
                Err(Errno::AGAIN) => {}
                Err(why) => came = Came::End(why.to_string()),
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
                Err(malformed) => return Came::Nonsense(malformed),
            }
        }
        self.incoming.drain(..taken);
        came
    }
}

#[cfg(test)]
mod tests {
    use super::super::message::Up;
    use super::*;
    use rustix::event::epoll::CreateFlags;
    use std::net::TcpListener;

    #[test]
    fn a_slow_reader_blocks_nobody_and_misses_nothing() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let other = listener.accept().unwrap().0;
        let epoll = epoll::create(CreateFlags::CLOEXEC).unwrap();
        let (mut sender, mut receiver) =
            (Link::new(one, &epoll, 1).unwrap(), Link::new(other, &epoll, 2).unwrap());
        let sent: Vec<Up> =
            (0..2000).map(|number| Up::Want("x".repeat(4000) + &number.to_string())).collect();
        sent.iter().for_each(|message| sender.send(message));
        sender.flush(&epoll).unwrap();
        assert!(!sender.is_empty());
        let mut received: Vec<Up> = Vec::new();
        while received.len() < sent.len() {
            assert_eq!(receiver.receive(&mut received), Came::NothingNow);
            sender.flush(&epoll).unwrap();
        }
        assert!(sender.is_empty() && received == sent);
        drop(sender);
        while receiver.receive(&mut received) == Came::NothingNow {
            std::thread::yield_now();
        }
    }
}
