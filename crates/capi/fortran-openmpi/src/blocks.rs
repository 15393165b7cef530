//! The COMMON blocks of `mpif.h` and `mpi`, one for each constant.

use crate::abi::STATUS_INTEGERS;
use crate::known;
use crate::known_objects::{Ignored, Known};
use std::ffi::{CStr, c_int};

// The sizes are Open MPI's: the dynamic linker warns if a program has copied a smaller object.
known! {
    mpi_fortran_argv_null_: u8 = b' ';
    mpi_fortran_argvs_null_: u8 = b' ';
    mpi_fortran_bottom_: c_int = 0;
    mpi_fortran_errcodes_ignore_: c_int = 0;
    mpi_fortran_in_place_: c_int = 0;
    mpi_fortran_status_ignore_: [c_int; STATUS_INTEGERS] = [0; STATUS_INTEGERS];
    mpi_fortran_statuses_ignore_: [c_int; STATUS_INTEGERS] = [0; STATUS_INTEGERS];
    mpi_fortran_unweighted_: c_int = 0;
    mpi_fortran_weights_empty_: c_int = 0;
}

/// The constants that are known by their addresses.
pub const CONSTANTS: [(&CStr, usize, Ignored); 9] = [
    (c"mpi_fortran_status_ignore_", 0, Ignored::Statuses),
    (c"mpi_fortran_statuses_ignore_", 0, Ignored::Statuses),
    (c"mpi_fortran_bottom_", 0, Ignored::Bottom),
    (c"mpi_fortran_in_place_", 0, Ignored::InPlace),
    (c"mpi_fortran_errcodes_ignore_", 0, Ignored::Errcodes),
    (c"mpi_fortran_argv_null_", 0, Ignored::Argv),
    (c"mpi_fortran_argvs_null_", 0, Ignored::Argv),
    (c"mpi_fortran_unweighted_", 0, Ignored::Unweighted),
    (c"mpi_fortran_weights_empty_", 0, Ignored::WeightsEmpty),
];

/// No COMMON block is compared with its size: Open MPI refuses no program whose INTEGERs have eight
/// bytes, and those that pass variables of four, as Debian's NWChem does, run.
pub const INTEGERS: Option<(&CStr, usize)> = None;
