//! Finds the sockets that are ready, in one system call (epoll, level-triggered).

use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::fd::{AsFd, OwnedFd};
use std::mem::MaybeUninit;

/// Maximum number of events of one poll. The kernel returns the remaining ones first in the next
/// poll.
const EVENTS: usize = 64;

/// The purpose of a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    Listener,
    /// A pending connection, by its number.
    PendingConnection(u32),
    /// A candidate of the attempt to connect to a process, and its number.
    Candidate(u32, u16),
    /// The connection with a process.
    Link(u32),
}

impl Source {
    fn encode(self) -> u64 {
        match self {
            Source::Listener => 0,
            Source::PendingConnection(number) => 1 << 60 | u64::from(number),
            Source::Candidate(peer, number) => 2 << 60 | u64::from(number) << 32 | u64::from(peer),
            Source::Link(peer) => 3 << 60 | u64::from(peer),
        }
    }

    fn decode(word: u64) -> Source {
        match word >> 60 {
            0 => Source::Listener,
            1 => Source::PendingConnection(word as u32),
            2 => Source::Candidate(word as u32, (word >> 32) as u16),
            _ => Source::Link(word as u32),
        }
    }
}

pub struct Poller {
    epoll: OwnedFd,
}

fn flags(writable: bool) -> EventFlags {
    if writable { EventFlags::IN | EventFlags::OUT } else { EventFlags::IN }
}

impl Poller {
    pub fn new() -> rustix::io::Result<Poller> {
        Ok(Poller { epoll: epoll::create(CreateFlags::CLOEXEC)? })
    }

    /// Watches a socket for data to read and, if `writable`, for space to write. The kernel removes
    /// it when it is closed.
    pub fn add(&self, socket: impl AsFd, source: Source, writable: bool) -> rustix::io::Result<()> {
        epoll::add(&self.epoll, socket, EventData::new_u64(source.encode()), flags(writable))
    }

    /// Stops watching a socket until [`change`](Self::change).
    pub fn ignore(&self, socket: impl AsFd, source: Source) -> rustix::io::Result<()> {
        let word = EventData::new_u64(source.encode());
        epoll::modify(&self.epoll, socket, word, EventFlags::empty())
    }

    /// Changes what a socket is watched for, or its purpose.
    pub fn change(
        &self,
        socket: impl AsFd,
        source: Source,
        writable: bool,
    ) -> rustix::io::Result<()> {
        epoll::modify(&self.epoll, socket, EventData::new_u64(source.encode()), flags(writable))
    }

    /// Returns the sockets that are ready, without waiting.
    pub fn poll(&self) -> impl Iterator<Item = Source> + use<> {
        let mut space = [MaybeUninit::<Event>::uninit(); EVENTS];
        let mut found = [Source::Listener; EVENTS];
        let mut count = 0;
        if let Ok((events, _)) =
            epoll::wait(&self.epoll, &mut space, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))
        {
            for event in events.iter() {
                found[count] = Source::decode({ event.data }.u64());
                count += 1;
            }
        }
        found.into_iter().take(count)
    }
}

impl AsFd for Poller {
    fn as_fd(&self) -> rustix::fd::BorrowedFd<'_> {
        self.epoll.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_come_back() {
        for source in [
            Source::Listener,
            Source::PendingConnection(7),
            Source::Candidate(u32::MAX, 9),
            Source::Link(1 << 30),
        ] {
            assert_eq!(Source::decode(source.encode()), source);
        }
    }

    #[test]
    fn an_ignored_socket_is_not_reported_until_it_is_watched_again() {
        let poller = Poller::new().unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let _waiting = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        poller.add(&listener, Source::Listener, false).unwrap();
        assert_eq!(poller.poll().collect::<Vec<_>>(), [Source::Listener]);
        poller.ignore(&listener, Source::Listener).unwrap();
        assert_eq!(poller.poll().count(), 0);
        poller.change(&listener, Source::Listener, false).unwrap();
        assert_eq!(poller.poll().count(), 1);
    }
}
