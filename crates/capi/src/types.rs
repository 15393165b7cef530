//! Types of the standard ABI that the implementations use beside those of [`crate::params`].

use nemesis_mpi::abi;
use std::ffi::{c_int, c_void};

/// The address of a function of the program. It is no Rust function pointer, because 0 and 1 are
/// predefined functions.
pub type Function = *const c_void;

/// `MPI_Status` of the standard ABI (MPI 5.0 §20.3): 32 bytes with the alignment of `int`.
///
/// ```text
///    0 MPI_SOURCE |  4 MPI_TAG     |  8 MPI_ERROR | 12 bytes, low
///   16 bytes, high | 20 cancelled | 24, 28 unused
/// ```
///
/// A program may copy it, keep it and fill it by hand: it contains no references.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    pub source: c_int,
    pub tag: c_int,
    pub error: c_int,
    bytes: [c_int; 2],
    cancelled: c_int,
    unused: [c_int; 2],
}

const _: () = assert!(size_of::<Status>() == 32 && align_of::<Status>() == 4);

impl Status {
    /// What a wait on no request gives (MPI 5.0 §3.7.3).
    pub const EMPTY: Status = Status::new(abi::MPI_ANY_SOURCE, abi::MPI_ANY_TAG, 0);

    pub const fn new(source: c_int, tag: c_int, bytes: i64) -> Status {
        let mut status = Status {
            source,
            tag,
            error: abi::MPI_SUCCESS,
            bytes: [0; 2],
            cancelled: 0,
            unused: [0; 2],
        };
        status.set_bytes(bytes);
        status
    }

    /// How many bytes were received.
    pub const fn bytes(&self) -> i64 {
        (self.bytes[1] as i64) << 32 | self.bytes[0] as u32 as i64
    }

    pub const fn set_bytes(&mut self, bytes: i64) {
        self.bytes = [bytes as c_int, (bytes >> 32) as c_int];
    }

    pub const fn is_cancelled(&self) -> bool {
        self.cancelled != 0
    }

    pub const fn set_cancelled(&mut self, cancelled: bool) {
        self.cancelled = cancelled as c_int;
    }
}

/// A segment of a datatype, as MPICH's `MPIX_Iov` and the kernel's `struct iovec` have it.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Iov {
    /// The displacement from the beginning of a buffer, as an address.
    pub base: isize,
    pub len: isize,
}

/// The form of a function that was called, where it matters beyond the width of counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plain,
    /// The one whose name ends in `_c`.
    Large,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_keeps_63_bits_of_count() {
        for bytes in [0, 1, i64::from(i32::MAX) + 1, 1 << 40, i64::MAX] {
            assert_eq!(Status::new(0, 0, bytes).bytes(), bytes);
        }
    }
}
