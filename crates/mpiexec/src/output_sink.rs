//! One of the launcher's own output streams: a sink, its descriptor, and what the event loop has to know about it.

use crate::output::{Flushed, Sink};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fd::{AsFd, OwnedFd};
use std::io;

pub struct OutputSink {
    pub sink: Sink,
    stream: OwnedFd,
    /// A file: always writable, and unknown to epoll.
    direct: bool,
    /// The loop waits for the stream to become writable.
    blocked: bool,
    /// Nobody reads it any more.
    pub closed: bool,
    /// The ranks' pipes are not read for a while.
    pub paused: bool,
}

impl OutputSink {
    /// An outlet to `stream`, or, with a sink of an agent, to the launcher above.
    pub fn new(sink: Sink, stream: impl AsFd, epoll: &OwnedFd) -> io::Result<OutputSink> {
        let stream = stream.as_fd().try_clone_to_owned()?;
        let probe = epoll::add(epoll, &stream, EventData::new_u64(0), EventFlags::empty());
        if probe.is_ok() {
            epoll::delete(epoll, &stream)?;
        }
        Ok(OutputSink {
            sink,
            stream,
            direct: probe.is_err(),
            blocked: false,
            closed: false,
            paused: false,
        })
    }

    /// Writes what the reader takes now, and has `epoll` say `token` when it takes more.
    pub fn flush(&mut self, epoll: &OwnedFd, token: u64) -> io::Result<()> {
        let flushed = self.sink.flush(self.stream.as_fd(), self.direct);
        self.closed |= flushed == Flushed::Closed;
        let blocked = flushed == Flushed::Blocked;
        if blocked && !self.blocked {
            epoll::add(epoll, &self.stream, EventData::new_u64(token), EventFlags::OUT)?;
        }
        if !blocked && self.blocked {
            epoll::delete(epoll, &self.stream)?;
        }
        self.blocked = blocked;
        Ok(())
    }
}
