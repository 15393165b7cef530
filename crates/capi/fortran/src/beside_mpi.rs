//! Functions of the C libraries of this project that are no part of MPI: attributes that Fortran
//! sets and reads, keys whose functions are subroutines, and the variables of requests for the
//! development checks.

use crate::c::Handle;
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    pub fn nemesis_fortran_create_keyval(
        kind: c_int,
        is_short: c_int,
        copy: *mut c_void,
        delete: *mut c_void,
        keyval: *mut c_int,
        extra: *mut c_void,
    ) -> c_int;
    pub fn nemesis_fortran_get_attr(
        kind: c_int,
        object: Handle,
        keyval: c_int,
        value: *mut isize,
        flag: *mut c_int,
    ) -> c_int;
    pub fn nemesis_fortran_set_attr(
        kind: c_int,
        is_short: c_int,
        object: Handle,
        keyval: c_int,
        value: isize,
    ) -> c_int;
    /// Tells the development checks the variable of the program that gets a request.
    pub fn nemesis_fortran_request_left(request: *mut c_int, handle: Handle) -> c_int;
}

pub use nemesis_fortran_create_keyval as create_keyval;
pub use nemesis_fortran_get_attr as get_attr;
pub use nemesis_fortran_request_left as request_left;
pub use nemesis_fortran_set_attr as set_attr;
