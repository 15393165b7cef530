//! Generalized requests (MPI 5.0 §13.2): operations that the program itself performs and completes.
//!
//! ```text
//!   start ──> open ── MPI_Grequest_complete ──> complete ── wait, test ──> query, free, removed
//!               │                                  └────── MPI_Request_free ──> free, removed
//!               └─ MPI_Request_free ──> freed ── MPI_Grequest_complete ──> free, removed
//! ```
//!
//! The query, free and cancel functions are the program's: the engine's lock is released while they
//! run. A wait or a test removes the request from the table before it calls them, so that no other
//! thread finds a request that is partly freed.

use crate::abi;
use crate::callback::{Binding, Callback};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use crate::request::{Activity, Completion, Generalized, Holder, Request};

/// Calls the program's query function, which returns the status.
fn query(mpi: &mut Mpi, Generalized { query, extra, .. }: &Generalized) -> Outcome<Completion> {
    let queried = mpi.unlocked(|| query.query_request(*extra)).map_err(|code| {
        Error::callback(code, "the query function of the generalized request failed")
    })?;
    Ok(Completion {
        source: queried.source,
        tag: queried.tag,
        bytes: queried.bytes.max(0) as u64,
        cancelled: queried.cancelled,
        error: None,
    })
}

/// Calls the program's free function.
fn release(mpi: &mut Mpi, Generalized { free, extra, .. }: &Generalized) -> Outcome {
    mpi.unlocked(|| free.free_request(*extra)).map_err(|code| {
        Error::callback(code, "the free function of the generalized request failed")
    })
}

/// Returns the generalized request that a handle names, or `None` if it names another kind of
/// request.
fn find(mpi: &Mpi, handle: handle::Request) -> Option<Generalized> {
    match mpi.pt2pt.core.requests.get(handle).ok()?.activity {
        Activity::Generalized(ref generalized) => Some(**generalized),
        _ => None,
    }
}

fn remove(mpi: &mut Mpi, handle: handle::Request) -> Outcome {
    mpi.pt2pt
        .core
        .requests
        .remove(handle)
        .map_err(|dead| Error::dead(abi::MPI_ERR_REQUEST, dead))?;
    mpi.pt2pt.core.special_completions -= 1;
    Ok(())
}

/// `MPI_Grequest_start`
pub fn start(
    mpi: &mut Mpi,
    (query, free, cancel): (Callback, Callback, Callback),
    extra: usize,
) -> Outcome<handle::Request> {
    let generalized = Generalized { query, free, cancel, extra, complete: false };
    let request = mpi.pt2pt.new_request(Request::new(
        abi::MPI_COMM_SELF,
        Activity::Generalized(Box::new(generalized)),
    ))?;
    mpi.pt2pt.core.special_completions += 1;
    Ok(request)
}

/// Calls the functions of a generalized request through `binding` from now on, because they follow
/// the calling conventions of another language.
pub fn call_through(
    mpi: &mut Mpi,
    handle: handle::Request,
    binding: &'static dyn Binding,
) -> Outcome {
    if let Activity::Generalized(generalized) = &mut mpi.pt2pt.request_mut(handle)?.activity {
        generalized.query = generalized.query.through(binding);
        generalized.free = generalized.free.through(binding);
        generalized.cancel = generalized.cancel.through(binding);
    }
    Ok(())
}

/// `MPI_Grequest_complete`: completes the operation, and wakes threads that wait for it.
pub fn complete(mpi: &mut Mpi, handle: handle::Request) -> Outcome {
    let request = mpi.pt2pt.request_mut(handle)?;
    let Activity::Generalized(generalized) = &mut request.activity else {
        return Err(Error::new(
            abi::MPI_ERR_REQUEST,
            "the request is not a generalized request: MPI_Grequest_start did not create it",
        ));
    };
    if std::mem::replace(&mut generalized.complete, true) {
        return Err(Error::new(
            abi::MPI_ERR_REQUEST,
            "the generalized request is already complete",
        ));
    }
    let (generalized, given_back) = (**generalized, matches!(request.holder, Holder::Nobody));
    mpi.pt2pt.core.finished += 1;
    if given_back {
        remove(mpi, handle)?;
        return release(mpi, &generalized);
    }
    mpi.wake_others();
    Ok(())
}

/// Ends a wait or a test: calls the program's query function, which returns the status, then its
/// free function.
///
/// When both fail, the error is that of the free function. The error belongs to no communicator.
/// Returns `None` if the handle names another kind of request.
pub(crate) fn conclude(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome<Option<Completion>> {
    let Some(generalized) = find(mpi, *handle) else { return Ok(None) };
    remove(mpi, *handle)?;
    *handle = handle::Request::NULL;
    let asked = query(mpi, &generalized);
    let released = release(mpi, &generalized);
    let (mut completion, failed) = match asked {
        Ok(completion) => (completion, None),
        Err(error) => (Completion::EMPTY, Some(error)),
    };
    completion.error = released.err().or(failed);
    Ok(Some(completion))
}

/// Returns the status of the query function, and frees nothing; `None` if the handle names another
/// kind of request.
pub(crate) fn inquire(mpi: &mut Mpi, handle: handle::Request) -> Outcome<Option<Completion>> {
    find(mpi, handle).map(|generalized| query(mpi, &generalized)).transpose()
}

/// `MPI_Request_free`. Returns false if the handle names another kind of request.
pub(crate) fn free(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome<bool> {
    let Some(generalized) = find(mpi, *handle) else { return Ok(false) };
    let given_back = std::mem::replace(handle, handle::Request::NULL);
    if generalized.complete {
        remove(mpi, given_back)?;
        release(mpi, &generalized)?;
    } else {
        mpi.pt2pt.request_mut(given_back)?.holder = Holder::Nobody;
    }
    Ok(true)
}

/// `MPI_Cancel`. Returns false if the handle names another kind of request.
pub(crate) fn cancel(mpi: &mut Mpi, handle: handle::Request) -> Outcome<bool> {
    let Some(generalized) = find(mpi, handle) else { return Ok(false) };
    mpi.unlocked(|| generalized.cancel.cancel_request(generalized.extra, generalized.complete))
        .map_err(|code| {
            Error::callback(code, "the cancel function of the generalized request failed")
        })?;
    Ok(true)
}
