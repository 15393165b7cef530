//! What a profile needs to know of the engine: which process a rank names, what carries the
//! messages to it, which one a request waits for, and the memory of unexpected messages.
//!
//! `libnemesis_profiler.so` counts at the boundary of the API and asks these questions once for
//! each communicator and process, for each request that a call waits for, and a hundred times a
//! second for the memory.

use crate::enter_any;
use crate::handle::{Comm, Datatype, Request, Win};
use crate::rma::Windows;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Bytes of the name of a transport.
pub const NAME_BYTES: usize = 8;

/// Returns the number in the job of rank `rank` of the communicator's remote group, or of its own
/// group if it is an intracommunicator.
pub fn comm_member(comm: Comm, rank: usize) -> Option<u32> {
    enter_any().ok()?.comm(comm).ok()?.all_destinations().get(rank).copied()
}

/// Returns the number in the job of rank `rank` of the window's group.
pub fn window_member(win: Win, rank: usize) -> Option<u32> {
    let mpi = enter_any().ok()?;
    mpi.window(win).ok()?.group.processes().get(rank).copied()
}

/// Returns the name of what carries messages to a process: `self`, `shm` for shared memory, or the
/// name of the network, cut to [`NAME_BYTES`].
pub fn transport(process: u32) -> Option<[u8; NAME_BYTES]> {
    let mut mpi = enter_any().ok()?;
    let endpoint = mpi.pt2pt.endpoint.as_mut()?;
    let mut name = [0; NAME_BYTES];
    for (place, byte) in name.iter_mut().zip(endpoint.transport(process)?.bytes()) {
        *place = byte;
    }
    Some(name)
}

/// Returns the bytes of memory that unexpected messages take, management included.
pub fn unexpected_bytes() -> Option<u64> {
    let mpi = enter_any().ok()?;
    Some(mpi.pt2pt.core.bytes_kept() as u64)
}

/// Returns a number that the processes of this job share, and no other job has. It reveals nothing
/// of the job's key.
pub fn job() -> Option<u64> {
    let mpi = enter_any().ok()?;
    let mut hasher = DefaultHasher::new();
    "profile".hash(&mut hasher);
    mpi.wireup.as_ref()?.job_key().bytes().hash(&mut hasher);
    Some(hasher.finish())
}

/// Returns the process that a request waits for, if it is incomplete and only one can end it. What
/// has come and was not looked at yet is taken in first.
pub fn awaited(request: Request) -> Option<u32> {
    let mut mpi = enter_any().ok()?;
    if !mpi.pt2pt.is_complete(request).ok()? {
        mpi.progress();
    }
    if mpi.pt2pt.is_complete(request).ok()? { None } else { mpi.pt2pt.expected(request) }
}

/// Returns the bytes of an element of a datatype.
pub fn type_bytes(datatype: Datatype) -> Option<u64> {
    let mpi = enter_any().ok()?;
    u64::try_from(mpi.types.get(datatype).ok()?.size()).ok()
}
