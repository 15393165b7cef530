//! The specific procedures of MPI_SIZEOF, of which modules of other libraries have one for each
//! type.

use crate::types::{Fint, finish};
use std::ffi::{c_int, c_void};

/// A specific procedure of MPI_SIZEOF, for a type of this many bytes.
pub unsafe extern "C" fn of<const BYTES: c_int>(
    _: *const c_void,
    size: *mut Fint,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        *size = BYTES;
        finish(ierror, 0);
    }
}
