//! Callbacks with the types of the standard ABI, which are the engine's.

use nemesis_capi::callback::Abi;
use nemesis_capi::callbacks;
use nemesis_capi::types::Status;
use nemesis_mpi::callback::Binding;
use nemesis_mpi::handle::{Comm, Datatype, File, Session, Win};
use std::ffi::c_int;

pub struct Standard;

impl Abi for Standard {
    type Comm = Comm;
    type Datatype = Datatype;
    type Win = Win;
    type File = File;
    type Session = Session;
    type Status = Status;

    fn comm(handle: Comm) -> Comm {
        handle
    }
    fn datatype(handle: Datatype) -> Datatype {
        handle
    }
    fn win(handle: Win) -> Win {
        handle
    }
    fn file(handle: File) -> File {
        handle
    }
    fn session(handle: Session) -> Session {
        handle
    }
    fn keyval(keyval: c_int) -> c_int {
        keyval
    }
    fn safety(safety: c_int) -> c_int {
        safety
    }
    fn code(code: c_int) -> c_int {
        code
    }
    fn returned(code: c_int) -> c_int {
        code
    }
    fn status(status: Status) -> Status {
        status
    }
    fn status_to_standard(status: Status) -> Status {
        status
    }
}

impl Binding for Standard {
    callbacks!(Standard: attributes requests others);
}
