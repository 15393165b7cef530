//! The `MPI_Request_get_status` family (MPI 5.0 §3.7.6): testing requests without completing them.
//!
//! These functions return what a test would return, but free no request and make none inactive, so
//! a repeated call returns the same answer.

use crate::completion::{Any, check, progress};
use crate::engine::Mpi;
use crate::error::Outcome;
use crate::generalized;
use crate::handle;
use crate::request::Completion;

/// Returns the status of a complete request. The query function of a generalized request supplies
/// it. A communicator that waits for the request, and the buffers of the operation, may be used
/// from now on.
fn status(mpi: &mut Mpi, handle: handle::Request) -> Outcome<Completion> {
    mpi.complete_pending_comm(handle);
    if nemesis_mpi_check::is_on() {
        mpi.pt2pt.core.end_watch(handle);
    }
    match generalized::inquire(mpi, handle)? {
        Some(completion) => Ok(completion),
        None => mpi.pt2pt.peek(handle),
    }
}

/// `MPI_Request_get_status`. Returns `None` while the operation is active.
pub fn get_status(mpi: &mut Mpi, handle: handle::Request) -> Outcome<Option<Completion>> {
    let mut statuses = get_status_all(mpi, &[handle])?;
    Ok(statuses.as_mut().and_then(Vec::pop))
}

/// Returns whether all requests are complete, after a round of progress if they were not.
pub fn are_complete(mpi: &mut Mpi, handles: &[handle::Request]) -> Outcome<bool> {
    if mpi.pt2pt.are_complete(handles)? {
        return Ok(true);
    }
    progress(mpi, handles)?;
    mpi.pt2pt.are_complete(handles)
}

/// `MPI_Request_get_status_all`. Returns `None` while one of the operations is active.
pub fn get_status_all(
    mpi: &mut Mpi,
    handles: &[handle::Request],
) -> Outcome<Option<Vec<Completion>>> {
    if !are_complete(mpi, handles)? {
        return Ok(None);
    }
    handles.iter().map(|&handle| status(mpi, handle)).collect::<Outcome<_>>().map(Some)
}

/// Returns the indices of the active requests that are complete; `None` if no request is active.
fn complete_ones(mpi: &mut Mpi, handles: &[handle::Request]) -> Outcome<Option<Vec<usize>>> {
    check(mpi, handles)?;
    let mut active = Vec::new();
    for (index, &handle) in handles.iter().enumerate() {
        if mpi.pt2pt.is_active(handle)? {
            active.push(index);
        }
    }
    if active.is_empty() {
        return Ok(None);
    }
    let is_complete =
        |mpi: &Mpi, index: usize| mpi.pt2pt.is_complete(handles[index]).unwrap_or(true);
    // Complete requests stay in the list from call to call, so they are no reason to skip the
    // progress that incomplete ones need.
    if !active.iter().all(|&index| is_complete(mpi, index)) {
        progress(mpi, handles)?;
    }
    active.retain(|&index| is_complete(mpi, index));
    Ok(Some(active))
}

/// `MPI_Request_get_status_any`
pub fn get_status_any(mpi: &mut Mpi, handles: &[handle::Request]) -> Outcome<Any> {
    let Some(complete) = complete_ones(mpi, handles)? else { return Ok(Any::NoneActive) };
    match complete.first() {
        None => Ok(Any::NoneComplete),
        Some(&index) => Ok(Any::Completed(index, status(mpi, handles[index])?)),
    }
}

/// `MPI_Request_get_status_some`. Returns the indices and statuses of the complete requests; `None`
/// if no request is active.
pub fn get_status_some(
    mpi: &mut Mpi,
    handles: &[handle::Request],
) -> Outcome<Option<Vec<(usize, Completion)>>> {
    let Some(complete) = complete_ones(mpi, handles)? else { return Ok(None) };
    complete
        .into_iter()
        .map(|index| Ok((index, status(mpi, handles[index])?)))
        .collect::<Outcome<_>>()
        .map(Some)
}
