//! Reads and writes on a stream socket, unencrypted.

use rustix::fd::AsFd;
use rustix::io::Errno;
use rustix::net::{self, SendAncillaryBuffer, SendFlags};
use std::io::{IoSlice, IoSliceMut};

/// Outcome of a call on a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moved {
    /// The number of bytes read or written, not 0.
    Bytes(usize),
    /// The call would block.
    Nothing,
    /// The peer has closed the connection (reads only).
    End,
    /// The call failed.
    Failed(Errno),
}

fn moved(result: rustix::io::Result<usize>) -> Moved {
    match result {
        Ok(0) => Moved::End,
        Ok(bytes) => Moved::Bytes(bytes),
        Err(Errno::AGAIN | Errno::INTR) => Moved::Nothing,
        Err(errno) => Moved::Failed(errno),
    }
}

/// Reads bytes that have arrived, unencrypted.
pub fn read_plain(socket: impl AsFd, into: &mut [u8]) -> Moved {
    moved(rustix::io::read(socket, into))
}

/// Reads bytes that have arrived into `first`, and further ones into `second`, unencrypted.
pub fn read_two_plain(socket: impl AsFd, first: &mut [u8], second: &mut [u8]) -> Moved {
    moved(rustix::io::readv(socket, &mut [IoSliceMut::new(first), IoSliceMut::new(second)]))
}

/// Writes from the front of the slices, unencrypted.
pub fn write_plain(socket: impl AsFd, from: &[IoSlice<'_>]) -> Moved {
    // NOSIGNAL: a C program that does not handle SIGPIPE must not die of it.
    written(net::sendmsg(socket, from, &mut SendAncillaryBuffer::default(), SendFlags::NOSIGNAL))
}

/// Writes contiguous bytes, unencrypted.
pub fn write_run_plain(socket: impl AsFd, from: &[u8]) -> Moved {
    written(net::send(socket, from, SendFlags::NOSIGNAL))
}

fn written(result: rustix::io::Result<usize>) -> Moved {
    match moved(result) {
        // A write of zero bytes means that the call would block.
        Moved::End => Moved::Nothing,
        other => other,
    }
}
