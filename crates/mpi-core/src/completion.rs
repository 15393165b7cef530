//! Completing requests: the wait and test families (MPI 5.0 §3.7.3 to §3.7.6).
//!
//! All of them rest on two operations of [`PointToPoint`](crate::pt2pt::PointToPoint):
//! `is_complete`, and `collect`, which returns a request's result and sets the handle to null or
//! makes a persistent request inactive. The error of a single completion is the error of the call.
//! Multiple completions return each request's own error and `MPI_ERR_IN_STATUS`.

use crate::abi;
use crate::engine::{Engine, Mpi};
use crate::error::{Error, Outcome};
use crate::generalized::{self, Until};
use crate::handle;
use crate::request::{Choices, Completion};

/// The handle that `collect` leaves.
type Handles<'a> = &'a mut [handle::Request];

/// Takes the result of a complete request of the program. A generalized request's result comes from
/// the program.
#[inline(always)]
fn take(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome<Completion> {
    if mpi.pt2pt.core.special_completions > 0 {
        mpi.complete_pending_comm(*handle);
        mpi.pt2pt.core.end_watch(*handle);
        if let Some(completion) = generalized::conclude(mpi, handle)? {
            return Ok(completion);
        }
    }
    mpi.pt2pt.collect(handle)
}

fn fail_on(completion: &mut Completion) -> Outcome {
    completion.error.take().map_or(Ok(()), Err)
}

/// Makes progress for a call that tests requests and has found them incomplete.
pub(crate) fn progress(mpi: &mut Mpi, handles: &[handle::Request]) -> Outcome {
    if mpi.pt2pt.core.polled_requests > 0 {
        generalized::carry_on(mpi, handles, Until::Now)?;
    }
    mpi.progress_of_test();
    Ok(())
}

/// Makes progress until `done` returns true for requests.
fn wait_until(
    mpi: &mut Mpi,
    (handles, until): (&[handle::Request], Until),
    expected: Option<u32>,
    mut done: impl FnMut(&mut Mpi) -> bool,
) -> Outcome {
    if mpi.pt2pt.core.polled_requests == 0
        || !generalized::wait_polled(mpi, handles, until, &mut done)?
    {
        mpi.wait_until(expected, done);
    }
    Ok(())
}

/// Waits for a request. The completion contains its own error.
pub fn wait_quietly(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome<Completion> {
    if !mpi.pt2pt.is_complete(*handle)? {
        let expected = mpi.pt2pt.expected(*handle);
        let waiting = *handle;
        wait_until(mpi, (&[waiting], Until::All), expected, |mpi| {
            mpi.pt2pt.is_complete(waiting).unwrap_or(true)
        })?;
    }
    take(mpi, handle)
}

/// Waits for a request (`MPI_Wait`).
pub fn wait(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome<Completion> {
    let mut completion = wait_quietly(mpi, handle)?;
    fail_on(&mut completion)?;
    Ok(completion)
}

/// Tests a request (`MPI_Test`): `None` while it is pending. The completion contains its own error.
pub fn test_quietly(mpi: &mut Mpi, handle: &mut handle::Request) -> Outcome<Option<Completion>> {
    if !mpi.pt2pt.is_complete(*handle)? {
        progress(mpi, std::slice::from_ref(handle))?;
        if !mpi.pt2pt.is_complete(*handle)? {
            return Ok(None);
        }
    }
    take(mpi, handle).map(Some)
}

/// Checks all handles before any request is completed.
pub fn check(mpi: &Engine, handles: &[handle::Request]) -> Outcome {
    handles.iter().try_for_each(|&handle| mpi.pt2pt.is_complete(handle).map(drop))
}

/// Collects each request into `report`. Returns whether one of them had an error.
fn collect_into(
    mpi: &mut Mpi,
    handles: Handles<'_>,
    which: impl Iterator<Item = usize>,
    mut report: impl FnMut(usize, Completion),
) -> Outcome<Option<Box<Error>>> {
    let mut first = None;
    for (slot, index) in which.enumerate() {
        let completion = take(mpi, &mut handles[index])?;
        if first.is_none() && completion.error.is_some() {
            first = completion.error.clone();
        }
        report(slot, completion);
    }
    Ok(first)
}

#[cold]
fn in_status(first: &Error) -> Box<Error> {
    let mut error = Error::new(
        abi::MPI_ERR_IN_STATUS,
        format!("at least one of the requests failed: {}", first.why),
    )
    .advise(first.advice.clone());
    error.raise_on = first.raise_on;
    error.file = first.file;
    error.cause = Some(first.class);
    error
}

/// Waits for all requests (`MPI_Waitall`). `report` gets each completion with its index.
#[inline]
pub fn wait_all(
    mpi: &mut Mpi,
    handles: Handles<'_>,
    report: impl FnMut(usize, Completion),
) -> Outcome {
    let mut pending = None;
    for (index, &handle) in handles.iter().enumerate() {
        if !mpi.pt2pt.is_complete(handle)? && pending.is_none() {
            pending = Some(index);
        }
    }
    if let Some(first) = pending {
        wait_for_each(mpi, &handles[first..])?;
    }
    match collect_into(mpi, handles, 0..handles.len(), report)? {
        None => Ok(()),
        Some(first) => Err(in_status(&first)),
    }
}

/// Waits for each of the requests, and leaves them complete.
pub fn wait_for_each(mpi: &mut Mpi, handles: &[handle::Request]) -> Outcome {
    if mpi.pt2pt.core.polled_requests > 0 {
        // The operations of polled requests go on together with the others.
        let all = |mpi: &mut Mpi| mpi.pt2pt.are_complete(handles).unwrap_or(true);
        generalized::wait_polled(mpi, handles, Until::All, all)?;
    }
    for &handle in handles {
        if !mpi.pt2pt.is_complete(handle).unwrap_or(true) {
            let expected = mpi.pt2pt.expected(handle);
            mpi.wait_until(expected, |mpi| mpi.pt2pt.is_complete(handle).unwrap_or(true));
        }
    }
    Ok(())
}

/// Tests all requests (`MPI_Testall`). Returns false, with no request completed, while one is
/// pending.
pub fn test_all(
    mpi: &mut Mpi,
    handles: Handles<'_>,
    mut report: impl FnMut(usize, Completion),
) -> Outcome<bool> {
    let all = |mpi: &Mpi, handles: &[handle::Request]| -> Outcome<bool> {
        for &handle in handles {
            if !mpi.pt2pt.is_complete(handle)? {
                return Ok(false);
            }
        }
        Ok(true)
    };
    if !all(mpi, handles)? {
        progress(mpi, handles)?;
        if !all(mpi, handles)? {
            return Ok(false);
        }
    }
    match collect_into(mpi, handles, 0..handles.len(), &mut report)? {
        None => Ok(true),
        Some(first) => Err(in_status(&first)),
    }
}

/// Result of looking through several requests.
enum Look {
    NoneActive,
    NoneComplete,
    Complete(usize),
}

/// Records that the request at `index` is taken.
fn choose(mpi: &mut Mpi, handles: &[handle::Request], index: usize) {
    let active = |place: &usize| mpi.pt2pt.is_active(handles[*place]).unwrap_or(false);
    let Choices { last, passed, refills } = mpi.pt2pt.choices;
    let same_list = passed.is_some_and(|(place, request)| handles.get(place) == Some(&request));
    let refilled = same_list && last < handles.len() && active(&last);
    // The one request that all finished sends share occurs in many lists.
    let tells = |place: &usize| active(place) && handles[*place] != mpi.pt2pt.done_request;
    let passed =
        (index + 1..handles.len()).chain(0..index).find(tells).map(|place| (place, handles[place]));
    mpi.pt2pt.choices = Choices {
        last: index,
        passed,
        refills: if refilled { refills.saturating_add(1) } else { 0 },
    };
}

fn look(mpi: &Engine, handles: &[handle::Request]) -> Outcome<Look> {
    let mut any_active = false;
    let first = mpi.pt2pt.choices.first(handles.len());
    for index in (first..handles.len()).chain(0..first) {
        if mpi.pt2pt.is_active(handles[index])? {
            if mpi.pt2pt.is_complete(handles[index])? {
                return Ok(Look::Complete(index));
            }
            any_active = true;
        }
    }
    Ok(if any_active { Look::NoneComplete } else { Look::NoneActive })
}

/// Result of `MPI_Waitany` and `MPI_Testany`.
pub enum Any {
    /// No request was active: the index is `MPI_UNDEFINED`.
    NoneActive,
    NoneComplete,
    Completed(usize, Completion),
}

impl Any {
    /// Returns the result of a call that only tests. An error is left to the call that completes
    /// the request.
    pub fn without_error(mut self) -> Any {
        if let Any::Completed(_, completion) = &mut self {
            completion.error = None;
        }
        self
    }
}

/// Tests for one of several requests (`MPI_Testany`).
pub fn test_any(mpi: &mut Mpi, handles: Handles<'_>) -> Outcome<Any> {
    let mut found = look(mpi, handles)?;
    if let Look::NoneComplete = found {
        progress(mpi, handles)?;
        found = look(mpi, handles)?;
    }
    Ok(match found {
        Look::NoneActive => Any::NoneActive,
        Look::NoneComplete => Any::NoneComplete,
        Look::Complete(index) => {
            choose(mpi, handles, index);
            Any::Completed(index, take(mpi, &mut handles[index])?)
        }
    })
}

/// Waits for one of several requests (`MPI_Waitany`).
pub fn wait_any(mpi: &mut Mpi, handles: Handles<'_>) -> Outcome<Any> {
    wait_for_one(mpi, handles)?;
    test_any(mpi, handles)
}

fn wait_for_one(mpi: &mut Mpi, handles: Handles<'_>) -> Outcome {
    check(mpi, handles)?;
    wait_until(mpi, (handles, Until::One), None, |mpi| {
        !matches!(look(mpi, handles), Ok(Look::NoneComplete))
    })
}

/// Tests for some of several requests (`MPI_Testsome`): the completed indices, or `None` if no
/// request is active.
pub fn test_some(
    mpi: &mut Mpi,
    handles: Handles<'_>,
    report: &mut dyn FnMut(usize, Completion),
) -> Outcome<(Option<Vec<usize>>, Outcome)> {
    match look(mpi, handles)? {
        Look::NoneActive => return Ok((None, Ok(()))),
        Look::NoneComplete => progress(mpi, handles)?,
        Look::Complete(_) => {}
    }
    let mut complete = Vec::new();
    for (index, &handle) in handles.iter().enumerate() {
        if mpi.pt2pt.is_active(handle)? && mpi.pt2pt.is_complete(handle)? {
            complete.push(index);
        }
    }
    let failed = collect_into(mpi, handles, complete.iter().copied(), report)?;
    Ok((Some(complete), failed.map_or(Ok(()), |first| Err(in_status(&first)))))
}

/// Waits for some of several requests (`MPI_Waitsome`).
pub fn wait_some(
    mpi: &mut Mpi,
    handles: Handles<'_>,
    report: &mut dyn FnMut(usize, Completion),
) -> Outcome<(Option<Vec<usize>>, Outcome)> {
    wait_for_one(mpi, handles)?;
    test_some(mpi, handles, report)
}
