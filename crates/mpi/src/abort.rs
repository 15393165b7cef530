//! Abort of the job (MPI 5.0 §11.4.2).

use crate::engine::{Mpi, enter_any};
use crate::handle;
use crate::process;
use crate::protocol::kind;
use nemesis::wire::Header;
use std::time::{Duration, Instant};

/// Time to tell processes of other jobs that they are aborted.
const TELL_TIMEOUT: Duration = Duration::from_secs(1);

/// Tells the members of a communicator that belong to other jobs that their jobs are aborted.
/// Without such members it does nothing.
pub fn abort_others(mpi: &mut Mpi, comm: handle::Comm, code: i32) {
    let Ok(object) = mpi.comm(comm) else { return };
    let everyone = object.everyone();
    let Some(endpoint) = &mpi.pt2pt.endpoint else { return };
    let foreign = everyone.iter().copied().filter(|&process| endpoint.is_foreign(process));
    let foreign: Vec<u32> = foreign.collect();
    for &process in &foreign {
        let header = Header { kind: kind::ABORT, ..Header::default() };
        mpi.pt2pt.send_control(process, header, [code as u64, 0, 0]);
    }
    // A process that cannot be reached notices the end of this one.
    let begun = Instant::now();
    while !foreign.is_empty() && mpi.pt2pt.outgoing_packets > 0 && begun.elapsed() < TELL_TIMEOUT {
        mpi.progress();
    }
}

/// Implements `MPI_Abort`: asks the launcher to end the whole job, and ends this process.
pub fn abort(code: i32, message: &str) -> ! {
    if let Ok(mut mpi) = enter_any()
        && let Some(wireup) = &mut mpi.wireup
    {
        wireup.abort(process::exit_code(code), message);
    }
    std::process::exit(process::exit_code(code))
}
