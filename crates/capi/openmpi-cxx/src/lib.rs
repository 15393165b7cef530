//! `libmpi_cxx.so.40`: what the header of Open MPI 4 leaves in every C++ program that includes it.
//!
//! `mpi.h` of Open MPI 4 defines the classes of MPI's C++ bindings, which MPI 3.0 removed. A
//! program that does not use them refers to four functions all the same, by the tables of virtual
//! functions and by inline constructors, and calls none. They end the program with a message. A
//! program that does use the bindings refers to further names, and the dynamic linker says so.

#![allow(unsafe_code, non_snake_case)]

use nemesis_params::c_functions;
use std::ffi::c_void;

/// Ends the program, which calls the C++ bindings.
fn refuse(what: &str) -> ! {
    nemesis_sys::message::tell(format_args!(
        "nemesis: this program calls {what} of MPI's C++ bindings\n  why: MPI 3.0 removed them, \
         and this library does not have them\n  try: the C bindings, or Open MPI 4 for this program"
    ));
    std::process::abort();
}

c_functions! {
    /// `MPI::Datatype::Free()`
    ///
    fn _ZN3MPI8Datatype4FreeEv(_this: *mut c_void) -> () {
        refuse("MPI::Datatype::Free")
    }

    /// `MPI::Win::Free()`
    ///
    fn _ZN3MPI3Win4FreeEv(_this: *mut c_void) -> () {
        refuse("MPI::Win::Free")
    }

    /// `MPI::Comm::Comm()`
    ///
    fn _ZN3MPI4CommC2Ev(_this: *mut c_void) -> () {
        refuse("MPI::Comm::Comm")
    }

    /// Calls a reduction of the C++ bindings.
    ///
    fn ompi_mpi_cxx_op_intercept(
        _input: *mut c_void,
        _inout: *mut c_void,
        _len: *mut c_void,
        _datatype: *mut c_void,
        _function: *mut c_void,
    ) -> () {
        refuse("MPI::Op::Init")
    }
}
