//! The C types of the bodies: those of the standard ABI, and three that stand for a plain type and its large-count twin at once.

use nemesis_mpi::abi;
use std::ffi::{c_int, c_void};

/// The address of a user function; 0 and 1 are predefined ones, so it is no Rust function pointer.
pub type Function = *const c_void;

/// `MPI_Status` of the standard ABI (MPI 5.0 §20.3): 32 bytes with the alignment of `int`.
///
/// ```text
///   0 MPI_SOURCE | 4 MPI_TAG | 8 MPI_ERROR | 12 bytes, low | 16 bytes, high | 20 cancelled | 24, 28 unused
/// ```
///
/// A program may copy it, keep it and fill it by hand; nothing in it refers to anything.
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

    /// Writes what a single completion call reports: all but `MPI_ERROR`, which such calls leave alone (MPI 5.0 §3.2.5).
    ///
    /// # Safety
    /// `place` is null (`MPI_STATUS_IGNORE`) or a place for a status.
    pub unsafe fn report(place: *mut Status, completed: Status) {
        if place.is_null() {
            return;
        }
        // SAFETY: not null, so the caller promised a status; it may be uninitialised, hence only one field is kept, by address.
        unsafe {
            let error = (&raw mut (*place).error).read();
            place.write(Status { error, ..completed });
        }
    }
}

/// An array of counts or displacements: `int` in the plain form, 64 bits in the large-count form.
#[derive(Clone, Copy, Debug)]
pub enum IntArray {
    Int(*const c_int),
    Long(*const i64),
}

impl IntArray {
    pub fn is_null(self) -> bool {
        match self {
            IntArray::Int(array) => array.is_null(),
            IntArray::Long(array) => array.is_null(),
        }
    }

    /// # Safety
    /// The array has more than `index` elements.
    #[inline]
    pub unsafe fn get(self, index: usize) -> i64 {
        match self {
            // SAFETY: the caller's promise.
            IntArray::Int(array) => i64::from(unsafe { array.add(index).read() }),
            // SAFETY: the caller's promise.
            IntArray::Long(array) => unsafe { array.add(index).read() },
        }
    }

    /// # Safety
    /// The array has at least `len` elements (or `len` is 0, and it may be null).
    pub unsafe fn to_vec(self, len: usize) -> Vec<i64> {
        // SAFETY: every index is below `len`.
        (0..len).map(|index| unsafe { self.get(index) }).collect()
    }
}

/// Which form of a function was called, for bodies to whom it matters beyond the width of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Plain,
    /// The one whose name ends in `_c`.
    Large,
}

/// A place for a count: `int` in the plain form, 64 bits in the large-count form, none where the plain form lacks the parameter.
#[derive(Clone, Copy, Debug)]
pub enum CountOut {
    Int(*mut c_int),
    Long(*mut i64),
    Absent,
}

impl CountOut {
    /// The plain form cannot tell numbers above `INT_MAX`.
    pub fn is_int(self) -> bool {
        !matches!(self, CountOut::Long(_))
    }

    pub fn is_null(self) -> bool {
        match self {
            CountOut::Int(place) => place.is_null(),
            CountOut::Long(place) => place.is_null(),
            CountOut::Absent => false,
        }
    }

    /// Writes the value, or `MPI_UNDEFINED` when it does not fit.
    ///
    /// # Safety
    /// The place is valid for a write.
    #[inline]
    pub unsafe fn write(self, value: i64) {
        match self {
            // SAFETY: the caller's promise.
            CountOut::Int(place) => unsafe {
                place.write(c_int::try_from(value).unwrap_or(abi::MPI_UNDEFINED))
            },
            // SAFETY: the caller's promise.
            CountOut::Long(place) => unsafe { place.write(value) },
            CountOut::Absent => {}
        }
    }

    /// What stands there, for parameters that go in and out (the position of `MPI_Pack`).
    ///
    /// # Safety
    /// The place holds a value.
    #[inline]
    pub unsafe fn read(self) -> i64 {
        match self {
            // SAFETY: the caller's promise.
            CountOut::Int(place) => i64::from(unsafe { place.read() }),
            // SAFETY: the caller's promise.
            CountOut::Long(place) => unsafe { place.read() },
            CountOut::Absent => 0,
        }
    }
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

    #[test]
    fn a_count_that_does_not_fit_is_undefined() {
        let mut place = 0;
        // SAFETY: a local variable.
        unsafe { CountOut::Int(&mut place).write(1 << 31) };
        assert_eq!(place, abi::MPI_UNDEFINED);
    }

    #[test]
    fn a_report_leaves_the_error_field_alone() {
        let mut status = Status { error: 77, ..Status::EMPTY };
        // SAFETY: a local variable.
        unsafe { Status::report(&mut status, Status::new(3, 4, 5)) };
        assert_eq!((status.source, status.tag, status.error, status.bytes()), (3, 4, 77, 5));
    }
}
