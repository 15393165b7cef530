//! One of the launcher's output streams: a sink, its descriptor, and its state in the event loop.

use crate::output::{Flushed, Sink};
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::fd::{AsFd, OwnedFd};
use rustix::io::Errno;
use std::io;

/// A sink with the stream that it writes to.
pub struct OutputSink {
    pub sink: Sink,
    stream: OwnedFd,
    /// Whether the stream is a regular file, which is always writable and which epoll refuses.
    direct: bool,
    /// Whether epoll watches for the stream to become writable.
    blocked: bool,
    /// Whether no process reads the stream any more.
    pub closed: bool,
    /// Why the stream has refused output, if it has.
    pub failed: Option<Errno>,
    /// Whether reading the ranks' pipes is suspended.
    pub paused: bool,
}

impl OutputSink {
    /// Makes a sink that writes to `stream` or, for an agent, to the parent launcher.
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
            failed: None,
            paused: false,
        })
    }

    /// Writes what the reader takes now, and has `epoll` report `token` when it takes more.
    pub fn flush(&mut self, epoll: &OwnedFd, token: u64) -> io::Result<()> {
        let flushed = self.sink.flush(self.stream.as_fd(), self.direct);
        self.closed |= flushed == Flushed::Closed;
        if let Flushed::Failed(refused) = flushed {
            self.failed = Some(refused);
        }
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
