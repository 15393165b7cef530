//! Callbacks with the types of MPICH's ABI. Those that a Fortran library registers are in
//! [`crate::fortran`].

use crate::convert::{FilePointer, from, to};
use crate::status::Status;
use nemesis_capi::callback::Abi;
use nemesis_capi::callbacks;
use nemesis_capi::places::ForeignStatus;
use nemesis_capi::types::Status as Standard;
use nemesis_mpi::callback::Binding;
use nemesis_mpi::handle::{Comm, Datatype, File, Session, Win};
use std::ffi::c_int;

pub struct Mpich;

impl Abi for Mpich {
    type Comm = c_int;
    type Datatype = c_int;
    type Win = c_int;
    type File = FilePointer;
    type Session = c_int;
    type Status = Status;

    fn comm(handle: Comm) -> c_int {
        from::comm(handle)
    }
    fn datatype(handle: Datatype) -> c_int {
        from::datatype(handle)
    }
    fn win(handle: Win) -> c_int {
        from::win(handle)
    }
    fn file(handle: File) -> FilePointer {
        from::file(handle)
    }
    fn session(handle: Session) -> c_int {
        from::session(handle)
    }
    fn keyval(keyval: c_int) -> c_int {
        from::keyval(keyval)
    }
    fn safety(safety: c_int) -> c_int {
        from::callback_safety(safety)
    }
    fn code(code: c_int) -> c_int {
        from::code(code)
    }
    fn returned(code: c_int) -> c_int {
        to::code(code)
    }
    fn status(status: Standard) -> Status {
        Status::from_standard(&status)
    }
    fn status_to_standard(status: Status) -> Standard {
        status.to_standard()
    }
}

impl Binding for Mpich {
    callbacks!(Mpich: attributes requests polled others);
}
