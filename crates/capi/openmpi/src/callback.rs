//! Callbacks with the types of Open MPI's ABI.

use crate::convert::{from, to};
use crate::object::RawHandle;
use crate::status::Status;
use nemesis_capi::callback::Abi;
use nemesis_capi::callbacks;
use nemesis_capi::places::ForeignStatus;
use nemesis_capi::types::Status as Standard;
use nemesis_mpi::callback::Binding;
use nemesis_mpi::handle::{Comm, Datatype, File, Session, Win};
use std::ffi::c_int;

pub struct Openmpi;

impl Abi for Openmpi {
    type Comm = RawHandle;
    type Datatype = RawHandle;
    type Win = RawHandle;
    type File = RawHandle;
    type Session = RawHandle;
    type Status = Status;

    fn comm(handle: Comm) -> RawHandle {
        from::comm(handle)
    }
    fn datatype(handle: Datatype) -> RawHandle {
        from::datatype(handle)
    }
    fn win(handle: Win) -> RawHandle {
        from::win(handle)
    }
    fn file(handle: File) -> RawHandle {
        from::file(handle)
    }
    fn session(handle: Session) -> RawHandle {
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

impl Binding for Openmpi {
    callbacks!(Openmpi: attributes requests others);
}
