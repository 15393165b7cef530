//! What the modules need beside the procedures of MPI.

use crate::exports;
use crate::others::{different, equal};
use crate::section::Descriptor;
use crate::types::{Fint, finish};

/// MPI_SIZEOF: the size of a scalar, or of an element of an array.
unsafe extern "C" fn sizeof(x: *const Descriptor, size: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        *size = (*x).element_bytes() as Fint;
        finish(ierror, 0);
    }
}

exports!(sizeof: mpi_sizeof_ pmpi_sizeof_);

// The operators of the handle types.
exports!(equal:
    nemesis_comm_eq_ nemesis_datatype_eq_ nemesis_errhandler_eq_ nemesis_file_eq_
    nemesis_group_eq_ nemesis_info_eq_ nemesis_message_eq_ nemesis_op_eq_ nemesis_request_eq_
    nemesis_session_eq_ nemesis_win_eq_);
exports!(different:
    nemesis_comm_ne_ nemesis_datatype_ne_ nemesis_errhandler_ne_ nemesis_file_ne_
    nemesis_group_ne_ nemesis_info_ne_ nemesis_message_ne_ nemesis_op_ne_ nemesis_request_ne_
    nemesis_session_ne_ nemesis_win_ne_);
