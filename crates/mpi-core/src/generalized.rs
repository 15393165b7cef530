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
//!
//! A *polled* request (an extension of MPICH) has a poll and a wait function beside these, by which
//! the calls that test it or wait for it carry its operation on: the program needs no thread. Who
//! waits for requests of one class alone calls the wait function, which may block; who waits for
//! others, too, polls each in turn and sleeps for short times, because nobody wakes it.

use crate::abi;
use crate::callback::Binding;
use crate::engine::Mpi;
use crate::error::{Error, Outcome};
use crate::handle::{self, Handle};
use crate::request::{Activity, Completion, Functions, Generalized, Holder, Polled, Request};

/// Calls the program's query function, which returns the status.
fn query(mpi: &mut Mpi, generalized: &Generalized) -> Outcome<Completion> {
    let Generalized { functions, extra, .. } = *generalized;
    let queried = mpi.unlocked(|| functions.query.query_request(extra)).map_err(|code| {
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
fn release(mpi: &mut Mpi, Generalized { functions, extra, .. }: &Generalized) -> Outcome {
    mpi.unlocked(|| functions.free.free_request(*extra)).map_err(|code| {
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

/// `MPI_Grequest_start` and, with functions that carry the operation on, `MPIX_Grequest_start`
pub fn start(mpi: &mut Mpi, functions: Functions, extra: usize) -> Outcome<handle::Request> {
    let generalized = Generalized { functions, extra, complete: false };
    let request = mpi.pt2pt.new_request(Request::new(
        abi::MPI_COMM_SELF,
        Activity::Generalized(Box::new(generalized)),
    ))?;
    let core = &mut mpi.pt2pt.core;
    core.special_completions += 1;
    core.polled_requests += usize::from(functions.polled.is_some());
    Ok(request)
}

/// `MPIX_Grequest_class_create`: returns the number of a new class. Classes last until the end.
pub fn create_class(mpi: &mut Mpi, mut functions: Functions) -> usize {
    let classes = &mut mpi.pt2pt.core.request_classes;
    let number = classes.len() + 1;
    if let Some(polled) = &mut functions.polled {
        polled.class = Some(number);
    }
    classes.push(functions);
    number
}

/// `MPIX_Grequest_class_allocate`: starts a request of a class.
pub fn start_of_class(mpi: &mut Mpi, class: usize, extra: usize) -> Outcome<handle::Request> {
    let classes = &mpi.pt2pt.core.request_classes;
    let Some(&functions) = class.checked_sub(1).and_then(|index| classes.get(index)) else {
        let why = format!(
            "greq_class is no class of generalized requests, of which there are {}",
            classes.len()
        );
        return Err(Error::new(abi::MPI_ERR_ARG, why)
            .advise("pass a class that MPIX_Grequest_class_create has made"));
    };
    start(mpi, functions, extra)
}

/// Calls the functions of a generalized request through `binding` from now on, because they follow
/// the calling conventions of another language.
pub fn call_through(
    mpi: &mut Mpi,
    handle: handle::Request,
    binding: &'static dyn Binding,
) -> Outcome {
    if let Activity::Generalized(generalized) = &mut mpi.pt2pt.request_mut(handle)?.activity {
        let Functions { query, free, cancel, .. } = &mut generalized.functions;
        for function in [query, free, cancel] {
            *function = function.through(binding);
        }
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
    let core = &mut mpi.pt2pt.core;
    core.finished += 1;
    core.polled_requests -= usize::from(generalized.functions.polled.is_some());
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
    let Generalized { functions, extra, complete } = generalized;
    mpi.unlocked(|| functions.cancel.cancel_request(extra, complete)).map_err(|code| {
        Error::callback(code, "the cancel function of the generalized request failed")
    })?;
    Ok(true)
}

/// How a call goes on that has found a polled request incomplete.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// It returns.
    Now,
    /// It waits for one of its requests.
    One,
    /// It waits for all of its requests.
    All,
}

/// The polled requests of a call, and whether it has other incomplete requests.
fn polled(mpi: &Mpi, handles: &[handle::Request]) -> (Vec<(usize, Polled)>, bool) {
    let (mut polled, mut others) = (Vec::new(), false);
    for &handle in handles {
        match find(mpi, handle) {
            Some(Generalized { complete: true, .. }) => {}
            Some(Generalized {
                functions: Functions { polled: Some(functions), .. },
                extra,
                ..
            }) => {
                polled.push((extra, functions));
            }
            _ => others |= !mpi.pt2pt.is_complete(handle).unwrap_or(true),
        }
    }
    (polled, others)
}

/// Carries the incomplete polled requests of a call on, by the program's functions.
#[cold]
pub(crate) fn carry_on(mpi: &mut Mpi, handles: &[handle::Request], until: Until) -> Outcome {
    let (polled, others) = polled(mpi, handles);
    let Some(&(_, first)) = polled.first() else { return Ok(()) };
    let of_one_class = polled.len() == 1
        || first.class.is_some() && polled.iter().all(|(_, other)| other.class == first.class);
    if until != Until::Now && of_one_class && !others && !first.wait.is_null() {
        let extras: Vec<usize> = polled.iter().map(|(extra, _)| *extra).collect();
        return wait_for(mpi, first, &extras);
    }
    for (extra, functions) in polled {
        if !functions.poll.is_null() {
            mpi.unlocked(|| functions.poll.poll_request(extra)).map_err(|code| {
                Error::callback(code, "the poll function of the generalized request failed")
            })?;
        } else if until == Until::All && !functions.wait.is_null() {
            wait_for(mpi, functions, &[extra])?;
        }
    }
    Ok(())
}

/// Calls the program's wait function for requests of one class.
fn wait_for(mpi: &mut Mpi, functions: Polled, extras: &[usize]) -> Outcome {
    mpi.unlocked(|| functions.wait.wait_for_requests(extras)).map_err(|code| {
        Error::callback(code, "the wait function of the generalized request failed")
    })
}

/// Waits until `done`, and carries polled requests among `handles` on. Returns false if there are
/// none: the caller waits in the way of other requests then.
#[cold]
pub(crate) fn wait_polled(
    mpi: &mut Mpi,
    handles: &[handle::Request],
    until: Until,
    mut done: impl FnMut(&mut Mpi) -> bool,
) -> Outcome<bool> {
    if polled(mpi, handles).0.is_empty() {
        return Ok(false);
    }
    let mut outcome = Ok(());
    mpi.wait_for_word(|mpi| {
        if !done(mpi) {
            outcome = carry_on(mpi, handles, until);
        }
        outcome.is_err() || done(mpi)
    });
    outcome.map(|()| true)
}
