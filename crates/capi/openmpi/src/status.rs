//! `MPI_Status` of Open MPI's ABI: 24 bytes.
//!
//! ```text
//!   0 MPI_SOURCE | 4 MPI_TAG | 8 MPI_ERROR | 12 cancelled | 16 bytes
//! ```

use crate::convert::{from, to};
use nemesis_capi::params::OutRef;
use nemesis_capi::places::ForeignStatus;
use nemesis_capi::types::Status as Standard;
use std::ffi::c_int;

/// Statuses of Fortran are arrays of integers, whose alignment is 4.
#[repr(C, packed(4))]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    source: c_int,
    tag: c_int,
    error: c_int,
    cancelled: c_int,
    bytes: usize,
}

const _: () = assert!(size_of::<Status>() == 24 && align_of::<Status>() == 4);

impl ForeignStatus for Status {
    const IGNORE: usize = 0;

    fn to_standard(self) -> Standard {
        let bytes = i64::try_from(self.bytes).unwrap_or(i64::MAX);
        let mut status = Standard::new(to::rank(self.source), to::tag(self.tag), bytes);
        status.error = to::code(self.error);
        status.set_cancelled(self.cancelled != 0);
        status
    }

    fn from_standard(status: &Standard) -> Status {
        Status {
            source: from::rank(status.source),
            tag: from::tag(status.tag),
            error: from::code(status.error),
            cancelled: c_int::from(status.is_cancelled()),
            bytes: status.bytes() as usize,
        }
    }

    fn report_to(self, place: OutRef<'_, Status>) {
        // SAFETY: a place for a status in the program's memory. The field is read by its address,
        // because the status may be uninitialised.
        let error = unsafe { (&raw const (*place.as_ptr()).error).read() };
        place.write(Status { error, ..self });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_comes_back_as_it_was() {
        let mut standard = Standard::new(
            nemesis_mpi::abi::MPI_PROC_NULL,
            nemesis_mpi::abi::MPI_ANY_TAG,
            5 << 40 | 7,
        );
        standard.set_cancelled(true);
        standard.error = nemesis_mpi::abi::MPI_ERR_PENDING.value();
        let status = Status::from_standard(&standard);
        assert_eq!((status.source, status.tag, status.error), (-2, -1, 19));
        assert_eq!(status.to_standard(), standard);
    }
}
