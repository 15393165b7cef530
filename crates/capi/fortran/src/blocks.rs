//! The COMMON blocks of `mpif.h` and `mpi`, whose names are MPICH's.

use crate::abi::STATUS_INTEGERS;
use crate::known;
use crate::known_objects::{Ignored, Known};
use std::ffi::{CStr, c_int};

/// A COMMON block. Compilers align it to at most 32 bytes, and the linker wants as much of the
/// library's.
#[repr(C, align(32))]
pub struct Block<T>(T);

known! {
    /// `MPI_BOTTOM`, `MPI_IN_PLACE`, `MPI_STATUS_IGNORE` of `mpif.h` and `mpi`.
    mpipriv1_: Block<[c_int; STATUS_INTEGERS + 2]> = Block([0; STATUS_INTEGERS + 2]);
    /// `MPI_STATUSES_IGNORE`, `MPI_ERRCODES_IGNORE`.
    mpipriv2_: Block<[c_int; STATUS_INTEGERS + 1]> = Block([0; STATUS_INTEGERS + 1]);
    /// `MPI_ARGVS_NULL`, `MPI_ARGV_NULL`, which are blanks, and a filler.
    mpiprivc_: Block<[u8; 32]> = Block([b' '; 32]);
    /// `MPI_UNWEIGHTED`
    mpifcmb5_: Block<c_int> = Block(0);
    /// `MPI_WEIGHTS_EMPTY`
    mpifcmb9_: Block<c_int> = Block(0);
    /// `MPI_BUFFER_AUTOMATIC`
    mpifcmba_: Block<c_int> = Block(0);
}

/// Name, offset and meaning of each constant.
pub const CONSTANTS: [(&CStr, usize, Ignored); 10] = [
    (c"mpipriv1_", 0, Ignored::Bottom),
    (c"mpipriv1_", 4, Ignored::InPlace),
    (c"mpipriv1_", 8, Ignored::Statuses),
    (c"mpipriv2_", 0, Ignored::Statuses),
    (c"mpipriv2_", STATUS_INTEGERS * size_of::<c_int>(), Ignored::Errcodes),
    (c"mpiprivc_", 0, Ignored::Argv),
    (c"mpiprivc_", 1, Ignored::Argv),
    (c"mpifcmb5_", 0, Ignored::Unweighted),
    (c"mpifcmb9_", 0, Ignored::WeightsEmpty),
    (c"mpifcmba_", 0, Ignored::Automatic),
];

/// The block that shows the size of the program's INTEGERs, and how many of them it has.
pub const INTEGERS: Option<(&CStr, usize)> = Some((c"mpipriv1_", STATUS_INTEGERS + 2));
