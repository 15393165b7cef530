//! Abort of the job (MPI 5.0 §9.3, §11.4.2).

use crate::callback::Object;
use crate::engine::{AbortCause, Mpi, enter_any};
use crate::handle;
use crate::io::Files;
use crate::process;
use crate::rma::Windows;
use nemesis_sys::virtual_process;

/// Tells the members of a communicator that belong to other jobs that `MPI_Abort` ends their jobs.
/// Without such members it does nothing.
pub fn abort_others(mpi: &mut Mpi, comm: handle::Comm, code: i32) {
    let members = members(mpi, Object::Comm(comm));
    mpi.abort_elsewhere(&members, code, AbortCause::Call);
}

/// Returns the processes of a communicator, window or file; none of another object, and of one that
/// does not exist.
fn members(mpi: &Mpi, object: Object) -> Vec<u32> {
    match object {
        Object::Comm(comm) => mpi.comm(comm).map(|comm| comm.everyone().to_vec()),
        Object::Win(win) => mpi.window(win).map(|window| window.group.processes().to_vec()),
        Object::File(file) => mpi.file(file).map(|file| file.group.processes().to_vec()),
        Object::Datatype(_) | Object::Session(_) => return Vec::new(),
    }
    .unwrap_or_default()
}

/// Implements `MPI_Abort`: asks the launcher to end the whole job, and ends this process.
pub fn abort(code: i32, message: &str) -> ! {
    if let Ok(mut mpi) = enter_any()
        && let Some(wireup) = &mut mpi.wireup
    {
        wireup.abort(process::exit_code(code), message);
    }
    virtual_process::exit(process::exit_code(code))
}

/// Ends this job and all jobs that are connected with it, after an error under
/// `MPI_ERRORS_ARE_FATAL`.
pub fn end_connected(code: i32) -> ! {
    // If another thread is inside MPI, this job ends all the same.
    if let Ok(mut mpi) = enter_any() {
        let connected = mpi.connected_elsewhere();
        mpi.abort_elsewhere(&connected, code, AbortCause::FatalError);
    }
    abort(code, "an MPI error is fatal")
}

/// Ends this job and those that have members in an object, after an error of the object under
/// `MPI_ERRORS_ABORT`.
pub fn end_members(object: Object, code: i32) -> ! {
    if let Ok(mut mpi) = enter_any() {
        let members = members(&mpi, object);
        mpi.abort_elsewhere(&members, code, AbortCause::MemberError);
    }
    abort(code, "an MPI error ends the processes of its object, and with them the job")
}
