//! Generalized requests (MPI 5.0 §13.2): operations that the program performs itself and completes by hand.
//!
//! ```text
//!   start ──> open ── MPI_Grequest_complete ──> complete ── wait, test ──> query function, free function, gone
//!               │                                  └────── MPI_Request_free ──> free function, gone
//!               └─ MPI_Request_free ──> nobody's ── MPI_Grequest_complete ──> free function, gone
//! ```
//!
//! The functions are the program's and run with the engine let go of. A request that is waited for has left the table before they run, so
//! nobody meets it half gone.

use crate::abi;
use crate::callback::{Callback, Front};
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use crate::request::{Activity, Completion, Holder, Request};

/// The program's functions, and how far its operation is.
#[derive(Clone, Copy, Debug)]
pub struct Generalized {
    pub query: Callback,
    pub free: Callback,
    pub cancel: Callback,
    pub extra: usize,
    pub complete: bool,
}

impl Generalized {
    /// Asks the program for the status.
    fn ask(&self, mpi: &mut Mpi) -> Outcome<Completion> {
        let queried = mpi.unlocked(|| self.query.query_request(self.extra)).map_err(|code| {
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

    /// Lets the program free what it keeps for the operation.
    fn release(&self, mpi: &mut Mpi) -> Outcome {
        mpi.unlocked(|| self.free.free_request(self.extra)).map_err(|code| {
            Error::callback(code, "the free function of the generalized request failed")
        })
    }
}

/// The generalized request that a handle names, if it names one.
fn find(mpi: &Mpi, handle: handle::Request) -> Option<Generalized> {
    match mpi.core.requests.get(handle).ok()?.activity {
        Activity::Generalized(ref generalized) => Some(**generalized),
        _ => None,
    }
}

fn remove(mpi: &mut Mpi, handle: handle::Request) -> Outcome {
    mpi.core.requests.remove(handle).map_err(|dead| Error::dead(abi::MPI_ERR_REQUEST, dead))?;
    mpi.core.generalized -= 1;
    Ok(())
}

/// `MPI_Grequest_start`
pub fn start(
    mpi: &mut Mpi,
    (query, free, cancel): (Callback, Callback, Callback),
    extra: usize,
) -> Outcome<handle::Request> {
    let generalized = Generalized { query, free, cancel, extra, complete: false };
    let request = mpi.new_request(Request::new(
        abi::MPI_COMM_SELF,
        Activity::Generalized(Box::new(generalized)),
    ))?;
    mpi.core.generalized += 1;
    Ok(request)
}

/// The functions of a generalized request are called through `front` from now on: they follow another language's conventions.
pub fn call_through(mpi: &mut Mpi, handle: handle::Request, front: &'static dyn Front) -> Outcome {
    if let Activity::Generalized(generalized) = &mut mpi.request_mut(handle)?.activity {
        generalized.query = generalized.query.through(front);
        generalized.free = generalized.free.through(front);
        generalized.cancel = generalized.cancel.through(front);
    }
    Ok(())
}

/// `MPI_Grequest_complete`: the operation is done; threads that wait for it go on.
pub fn complete(mpi: &mut Mpi, handle: handle::Request) -> Outcome {
    let request = mpi.request_mut(handle)?;
    let Activity::Generalized(generalized) = &mut request.activity else {
        return Err(Error::new(
            abi::MPI_ERR_REQUEST,
            "the request is no generalized one: MPI_Grequest_start has not made it",
        ));
    };
    if std::mem::replace(&mut generalized.complete, true) {
        return Err(Error::new(
            abi::MPI_ERR_REQUEST,
            "the generalized request is complete already",
        ));
    }
    let (generalized, given_back) = (**generalized, matches!(request.holder, Holder::Nobody));
    mpi.core.finished += 1;
    if given_back {
        remove(mpi, handle)?;
        return generalized.release(mpi);
    }
    mpi.wake_others();
    Ok(())
}

/// The end of a wait or a test: the status, by the program's query function, then its free function.
/// When both fail, the free function's code is the one told. The error belongs to no communicator.
/// `None` when the handle names another kind of request.
pub(crate) fn conclude(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome<Option<Completion>> {
    let Some(generalized) = find(mpi, *handle) else { return Ok(None) };
    remove(mpi, *handle)?;
    *handle = handle::Request::NULL;
    let asked = generalized.ask(mpi);
    let released = generalized.release(mpi);
    let (mut completion, failed) = match asked {
        Ok(completion) => (completion, None),
        Err(error) => (Completion::EMPTY, Some(error)),
    };
    completion.error = released.err().or(failed);
    Ok(Some(completion))
}

/// What the query function says, with nothing freed; `None` when the handle names another kind of request.
pub(crate) fn inquire(mpi: &mut Mpi, handle: handle::Request) -> Outcome<Option<Completion>> {
    find(mpi, handle).map(|generalized| generalized.ask(mpi)).transpose()
}

/// `MPI_Request_free`; false when the handle names another kind of request.
pub(crate) fn free(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome<bool> {
    let Some(generalized) = find(mpi, *handle) else { return Ok(false) };
    let given_back = std::mem::replace(handle, handle::Request::NULL);
    if generalized.complete {
        remove(mpi, given_back)?;
        generalized.release(mpi)?;
    } else {
        mpi.request_mut(given_back)?.holder = Holder::Nobody;
    }
    Ok(true)
}

/// `MPI_Cancel`; false when the handle names another kind of request.
pub(crate) fn cancel(mpi: &mut Mpi, handle: handle::Request) -> Outcome<bool> {
    let Some(generalized) = find(mpi, handle) else { return Ok(false) };
    mpi.unlocked(|| generalized.cancel.cancel_request(generalized.extra, generalized.complete))
        .map_err(|code| {
            Error::callback(code, "the cancel function of the generalized request failed")
        })?;
    Ok(true)
}
