//! Gathered accesses: rows of short puts, or gets, on memory that the kernel copies.
//!
//! A copy by the kernel takes 0.4 µs, whatever its length up to a kilobyte; one system call for 64
//! pieces takes 0.14 µs for each, and 0.03 if they are neighbours. An access need not be complete
//! before the next synchronisation (MPI 5.0 §12.3), so those of a row wait for it:
//!
//! ```text
//!   first access of a row     carried out at once, as if it were alone
//!   those that follow         put:  the data is copied into the staging buffer
//!                             get:  the origin's memory is noted
//!   synchronisation           one call for all pieces; the data of gets is copied out
//! ```
//!
//! So an access with a flush of its own is not delayed, and the memory of a put may be used again
//! as soon as its call has returned. A row consists of accesses of one kind to one process in one
//! window; any other one ends it, and so do accumulates and full buffers.

use crate::handle;
use nemesis::memory::Remote;
use nemesis_datatype::Buffer;

/// Longest access that is gathered: for longer ones, the system call is a small part of the time.
pub const ACCESS_MAX_BYTES: usize = 4096;
/// Limits of a row, after which it is carried out. The staging buffer fits a second-level cache.
const PIECES_MAX: usize = 512;
const STAGING_BYTES: usize = 256 << 10;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Put,
    Get,
}

/// What the accesses of a row have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    pub win: handle::Win,
    pub process: u32,
    pub kind: Kind,
}

/// The row of this process.
pub(super) struct Gathered {
    /// The row of the last access, until the next synchronisation.
    pub row: Option<Row>,
    /// The pieces in the other process. Neighbours are one piece.
    pub pieces: Vec<Remote>,
    pub accesses: usize,
    pub bytes: usize,
    /// The data of puts.
    pub staging: Vec<u8>,
    /// Where the data of gets goes.
    pub results: Vec<Buffer>,
}

impl Gathered {
    pub const fn new() -> Gathered {
        Gathered {
            row: None,
            pieces: Vec::new(),
            accesses: 0,
            bytes: 0,
            staging: Vec::new(),
            results: Vec::new(),
        }
    }

    pub fn is_full(&self, bytes: usize) -> bool {
        self.pieces.len() >= PIECES_MAX || self.bytes + bytes > STAGING_BYTES
    }

    pub fn push(&mut self, address: u64, bytes: usize) {
        match self.pieces.last_mut() {
            Some((start, length)) if *start + *length as u64 == address => *length += bytes,
            _ => self.pieces.push((address, bytes)),
        }
        self.accesses += 1;
        self.bytes += bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_one_piece() {
        let mut gathered = Gathered::new();
        gathered.push(1000, 8);
        gathered.push(1008, 16);
        gathered.push(1000, 8);
        gathered.push(2000, 8);
        assert_eq!(gathered.pieces, [(1000, 24), (1000, 8), (2000, 8)]);
        assert_eq!((gathered.accesses, gathered.bytes), (4, 40));
        assert!(!gathered.is_full(ACCESS_MAX_BYTES));
        gathered.bytes = STAGING_BYTES - 8;
        assert!(!gathered.is_full(8) && gathered.is_full(9));
    }
}
