//! The questions of `libnemesis_profiler.so`, which counts the calls of a program for
//! `mpiexec -profile`. All libraries export them as one function, `nemesis_profile_query`.

use nemesis_mpi::handle::{Comm, Datatype, Request, Win};
use nemesis_mpi::profile;
use std::ffi::c_int;

/// The answer to a question that has none.
pub const NONE: u64 = u64::MAX;

/// Question: the number in the job of a rank of a communicator.
pub const COMM_MEMBER: c_int = 0;
/// Question: the number in the job of a rank of a window's group.
pub const WINDOW_MEMBER: c_int = 1;
/// Question: the name of what carries messages to a process, as the bytes of a word.
pub const TRANSPORT: c_int = 2;
/// Question: the bytes of memory that unexpected messages take.
pub const UNEXPECTED_BYTES: c_int = 3;
/// Question: the bytes of an element of a datatype.
pub const TYPE_BYTES: c_int = 4;
/// Question: a number that the processes of this job share, and no other job has.
pub const JOB: c_int = 5;

/// Question: the number in the job of the process that an incomplete request waits for.
pub const AWAITED: c_int = 6;

/// An object of a question, converted from a handle of the library's ABI.
pub enum Object {
    Comm(Comm),
    Win(Win),
    Datatype(Datatype),
    Request(Request),
    None,
}

/// Answers a question about rank or process `index`, or returns [`NONE`].
pub fn answer(question: c_int, object: Object, index: usize) -> u64 {
    let answer = match (question, object) {
        (_, Object::Comm(comm)) => profile::comm_member(comm, index).map(u64::from),
        (_, Object::Win(win)) => profile::window_member(win, index).map(u64::from),
        (_, Object::Datatype(datatype)) => profile::type_bytes(datatype),
        (_, Object::Request(request)) => profile::awaited(request).map(u64::from),
        (TRANSPORT, _) => {
            u32::try_from(index).ok().and_then(profile::transport).map(u64::from_le_bytes)
        }
        (UNEXPECTED_BYTES, _) => profile::unexpected_bytes(),
        (JOB, _) => profile::job(),
        _ => None,
    };
    answer.unwrap_or(NONE)
}
