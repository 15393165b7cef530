//! Connections with processes, encrypted or not.

use crate::socket::{self, Moved};
use nemesis_cipher::Cipher;
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use std::cell::RefCell;
use std::io::IoSlice;

/// A connection with a process, encrypted if both ends ask for it.
pub struct Stream {
    socket: OwnedFd,
    cipher: Option<RefCell<Box<Cipher>>>,
}

impl Stream {
    pub fn new(socket: OwnedFd, cipher: Option<Box<Cipher>>) -> Stream {
        Stream { socket, cipher: cipher.map(RefCell::new) }
    }

    /// Returns whether there are bytes to read that no descriptor announces.
    pub fn holds_more(&self) -> bool {
        self.cipher.as_ref().is_some_and(|cipher| cipher.borrow().holds_more())
    }
}

impl AsFd for Stream {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

/// Reads bytes that have arrived.
pub fn read(stream: &Stream, into: &mut [u8]) -> Moved {
    match &stream.cipher {
        None => socket::read_plain(&stream.socket, into),
        Some(cipher) => cipher.borrow_mut().read(&stream.socket, into, &mut []),
    }
}

/// Reads bytes that have arrived into `first`, and further ones into `second`.
pub fn read_two(stream: &Stream, first: &mut [u8], second: &mut [u8]) -> Moved {
    match &stream.cipher {
        None => socket::read_two_plain(&stream.socket, first, second),
        Some(cipher) => cipher.borrow_mut().read(&stream.socket, first, second),
    }
}

/// Writes from the front of the slices. After [`Moved::Nothing`] the caller must offer the same
/// bytes again; others may follow them.
pub fn write(stream: &Stream, from: &[IoSlice<'_>]) -> Moved {
    match &stream.cipher {
        None => socket::write_plain(&stream.socket, from),
        Some(cipher) => cipher.borrow_mut().write(&stream.socket, from),
    }
}

/// Writes contiguous bytes as [`write()`] does: cheaper for the kernel than slices.
pub fn write_run(stream: &Stream, from: &[u8]) -> Moved {
    match &stream.cipher {
        None => socket::write_run_plain(&stream.socket, from),
        Some(cipher) => cipher.borrow_mut().write(&stream.socket, &[IoSlice::new(from)]),
    }
}
