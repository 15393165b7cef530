//! `MPI_Status` of MPICH's ABI: 20 bytes.
//!
//! ```text
//!   0 count, low | 4 bit 0: cancelled, bits 1..31: count, high
//!   8 MPI_SOURCE | 12 MPI_TAG | 16 MPI_ERROR
//! ```

use crate::convert::{from, to};
use nemesis_capi::params::OutRef;
use nemesis_capi::places::ForeignStatus;
use std::ffi::c_int;

#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Status {
    count_lo: c_int,
    count_hi_and_cancelled: c_int,
    source: c_int,
    tag: c_int,
    error: c_int,
}

const _: () = assert!(size_of::<Status>() == 20 && align_of::<Status>() == 4);

impl ForeignStatus for Status {
    const IGNORE: usize = 1;

    fn to_standard(self) -> nemesis_capi::types::Status {
        // Without a sign: the count's highest bit is this field's.
        let high = i64::from(self.count_hi_and_cancelled as u32 >> 1);
        let bytes = high << 32 | i64::from(self.count_lo as u32);
        let mut status =
            nemesis_capi::types::Status::new(to::rank(self.source), to::tag(self.tag), bytes);
        status.error = to::code(self.error);
        status.set_cancelled(self.count_hi_and_cancelled & 1 != 0);
        status
    }

    fn from_standard(status: &nemesis_capi::types::Status) -> Status {
        let bytes = status.bytes();
        Status {
            count_lo: bytes as c_int,
            count_hi_and_cancelled: ((bytes >> 32) as c_int) << 1
                | c_int::from(status.is_cancelled()),
            source: from::rank(status.source),
            tag: from::tag(status.tag),
            error: from::code(status.error),
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
        let mut standard = nemesis_capi::types::Status::new(
            nemesis_mpi::abi::MPI_PROC_NULL,
            nemesis_mpi::abi::MPI_ANY_TAG,
            5 << 40 | 7,
        );
        standard.set_cancelled(true);
        standard.error = nemesis_mpi::abi::MPI_ERR_TRUNCATE.value();
        let mpich = Status::from_standard(&standard);
        assert_eq!((mpich.source, mpich.tag, mpich.error), (-1, -1, 14));
        assert_eq!(mpich.to_standard(), standard);
    }

    #[test]
    fn a_status_keeps_63_bits_of_count() {
        for bytes in
            [0, 0xffff_ffff, 1 << 32, (1 << 62) - 1, 1 << 62, 0x7654_321f_7123_4567, i64::MAX]
        {
            for cancelled in [false, true] {
                let mut standard = nemesis_capi::types::Status::new(1, 2, bytes);
                standard.set_cancelled(cancelled);
                assert_eq!(Status::from_standard(&standard).to_standard(), standard);
            }
        }
    }
}
