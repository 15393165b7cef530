//! Calls about requests, which may be in several lanes (`engine::lanes`).
//!
//! A request's handle names its lane, and has another name there. Usually all requests of a call
//! are in one lane: it is entered, and the handles are renamed for the time of the call. Otherwise
//! the lanes are entered one after the other. A wait for one of several requests then looks at each
//! lane in turn, and sleeps at the doorbells of all lanes.

use crate::abi;
use crate::completion::{self, Any};
use crate::engine::lanes::{Watch, enter_lane_open, open_lanes};
pub use crate::engine::lanes::{
    are_open, each_other, enter_for, enter_for_data, enter_knowing, enter_lane, first_address,
    lane_for, lane_for_fast, may_be_open, name, name_of_new, open_or_first, split,
};
use crate::engine::{Mpi, enter_open};
use crate::error::Outcome;
use crate::handle::{Handle, OfLane, Request};
use crate::inquiry;
use crate::receive::Caught;
use crate::request::Completion;
use nemesis::THREADED_SLEEP;
use nemesis_sync::{AtomicUsize, Ordering};
use nemesis_sys::virtual_process;

/// Looks at all lanes between two yields, and before the first sleep.
const LOOKS_PER_YIELD: u32 = 64;
const LOOKS_BEFORE_SLEEP: u32 = 2048;

/// Calls `work` in the lane of a request, with the request's name there.
#[inline]
pub fn with_request<R>(
    handle: &mut Request,
    work: impl FnOnce(&mut Mpi, &mut Request) -> Outcome<R>,
) -> Outcome<R> {
    if !are_open() {
        return work(&mut enter_lane(0)?, handle);
    }
    let (lane, mut inside) = split(*handle);
    let result = work(&mut enter_lane(lane)?, &mut inside);
    *handle = outside(lane, inside);
    result
}

/// Returns the program's name of a request that it has named already.
fn outside(lane: usize, inside: Request) -> Request {
    inside.outside(lane).unwrap_or(Request::NULL)
}

/// The requests of a call in one lane.
struct Part {
    lane: usize,
    /// Places of the requests among those of the call.
    places: Vec<usize>,
    /// Their names in the lane.
    handles: Vec<Request>,
}

impl Part {
    fn enter(&self) -> Outcome<Mpi> {
        let mpi = enter_lane(self.lane)?;
        mpi.pt2pt.note_completion(&self.handles);
        Ok(mpi)
    }

    /// Stores the handles that a call has left.
    fn leave(&self, handles: &mut [Request]) {
        for (&place, &inside) in self.places.iter().zip(&self.handles) {
            handles[place] = outside(self.lane, inside);
        }
    }
}

/// Returns the one lane of all requests, or `None`. Null requests are in any lane.
#[inline]
pub fn one_lane(handles: &[Request]) -> Option<usize> {
    if !are_open() {
        return Some(0);
    }
    let mut lanes =
        handles.iter().filter(|handle| !handle.is_null()).map(|&handle| split(handle).0);
    let first = lanes.next().unwrap_or(0);
    lanes.all(|lane| lane == first).then_some(first)
}

/// Returns the requests by their lanes, the first lane with the null requests first.
fn parts(handles: &[Request]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (place, &handle) in handles.iter().enumerate() {
        let (lane, inside) = split(handle);
        let part = match parts.iter_mut().find(|part| part.lane == lane) {
            Some(part) => part,
            None => {
                parts.push(Part { lane, places: Vec::new(), handles: Vec::new() });
                parts.last_mut().expect("it has just been added")
            }
        };
        part.places.push(place);
        part.handles.push(inside);
    }
    parts.sort_by_key(|part| part.lane);
    parts
}

/// Calls `work` with the requests, all of one lane, under their names there.
#[inline]
pub fn within<R>(
    lane: usize,
    handles: &mut [Request],
    work: impl FnOnce(&mut [Request]) -> R,
) -> R {
    if lane == 0 {
        return work(handles);
    }
    handles.iter_mut().for_each(|handle| *handle = split(*handle).1);
    let result = work(handles);
    handles.iter_mut().for_each(|handle| *handle = outside(lane, *handle));
    result
}

/// Enters the lane of all requests and calls `work` with their names there.
#[inline]
fn in_lane<R>(
    lane: usize,
    handles: &mut [Request],
    work: impl FnOnce(&mut Mpi, &mut [Request]) -> Outcome<R>,
) -> Outcome<R> {
    let mut mpi = enter_lane(lane)?;
    within(lane, handles, |handles| {
        mpi.pt2pt.note_completion(handles);
        work(&mut mpi, handles)
    })
}

/// `MPI_Waitall`: see [`completion::wait_all`].
#[inline]
pub fn wait_all(handles: &mut [Request], mut report: impl FnMut(usize, Completion)) -> Outcome {
    if let Some(lane) = one_lane(handles) {
        return in_lane(lane, handles, |mpi, handles| completion::wait_all(mpi, handles, report));
    }
    let parts = parts(handles);
    for part in &parts {
        completion::check(&*part.enter()?, &part.handles)?;
    }
    for part in &parts {
        completion::wait_for_each(&mut enter_lane(part.lane)?, &part.handles)?;
    }
    collect(handles, parts, &mut report)
}

/// Collects complete requests of several lanes.
fn collect(
    handles: &mut [Request],
    parts: Vec<Part>,
    report: &mut impl FnMut(usize, Completion),
) -> Outcome {
    let mut outcome = Ok(());
    for mut part in parts {
        let mut mpi = enter_lane(part.lane)?;
        let Part { places, handles: inside, .. } = &mut part;
        let all = completion::wait_all(&mut mpi, inside, |index, completion| {
            report(places[index], completion);
        });
        part.leave(handles);
        keep_first(&mut outcome, all)?;
    }
    outcome
}

/// Keeps the first error in a status; any other error ends the call.
fn keep_first(first: &mut Outcome, next: Outcome) -> Outcome {
    match next {
        Err(error) if error.class == abi::MPI_ERR_IN_STATUS => {
            if first.is_ok() {
                *first = Err(error);
            }
            Ok(())
        }
        next => next,
    }
}

/// `MPI_Testall`: see [`completion::test_all`].
pub fn test_all(
    handles: &mut [Request],
    mut report: impl FnMut(usize, Completion),
) -> Outcome<bool> {
    if let Some(lane) = one_lane(handles) {
        return in_lane(lane, handles, |mpi, handles| completion::test_all(mpi, handles, report));
    }
    let parts = parts(handles);
    let mut are_complete = true;
    for part in &parts {
        // Every lane makes progress.
        are_complete &= inquiry::are_complete(&mut part.enter()?, &part.handles)?;
    }
    if !are_complete {
        return Ok(false);
    }
    collect(handles, parts, &mut report).map(|()| true)
}

/// Looks at several lanes in turn until `test` finds something.
fn wait_over_lanes<R>(mut test: impl FnMut() -> Outcome<Option<R>>) -> Outcome<R> {
    for look in 1..=LOOKS_BEFORE_SLEEP {
        if let Some(found) = test()? {
            return Ok(found);
        }
        if look.is_multiple_of(LOOKS_PER_YIELD) {
            nemesis_sys::share::yield_now();
        }
    }
    let since = virtual_process::now();
    loop {
        let watch = Watch::over(open_lanes());
        if let Some(found) = test()? {
            return Ok(found);
        }
        if let Some(watch) = watch {
            watch.sleep_for_all(THREADED_SLEEP);
        }
        enter_lane(0)?.check_launcher(since);
    }
}

/// `MPI_Waitany`: see [`completion::wait_any`].
pub fn wait_any(handles: &mut [Request]) -> Outcome<Any> {
    if let Some(lane) = one_lane(handles) {
        return in_lane(lane, handles, completion::wait_any);
    }
    let mut parts = parts(handles);
    wait_over_lanes(|| match any_of(&mut parts, handles, completion::test_any)? {
        Any::NoneComplete => Ok(None),
        found => Ok(Some(found)),
    })
}

/// `MPI_Testany`: see [`completion::test_any`].
pub fn test_any(handles: &mut [Request]) -> Outcome<Any> {
    if let Some(lane) = one_lane(handles) {
        return in_lane(lane, handles, completion::test_any);
    }
    any_of(&mut parts_in_turn(handles), handles, completion::test_any)
}

/// Tests the parts of a call in turn until one has a complete request. The next call with these
/// parts begins with another one, so that none waits for ever.
fn any_of(
    parts: &mut [Part],
    handles: &mut [Request],
    mut test: impl FnMut(&mut Mpi, &mut [Request]) -> Outcome<Any>,
) -> Outcome<Any> {
    let mut found = Any::NoneActive;
    parts.rotate_left(1);
    for part in parts {
        match test(&mut part.enter()?, &mut part.handles)? {
            Any::NoneActive => {}
            Any::NoneComplete => found = Any::NoneComplete,
            Any::Completed(index, completion) => {
                part.leave(handles);
                return Ok(Any::Completed(part.places[index], completion));
            }
        }
    }
    Ok(found)
}

/// The lane at which the next call that tests begins.
static TURN: AtomicUsize = AtomicUsize::new(0);

/// Returns the requests by their lanes, beginning with another lane at each call.
fn parts_in_turn(handles: &[Request]) -> Vec<Part> {
    let mut parts = parts(handles);
    // Relaxed: any value will do.
    let turn = TURN.fetch_add(1, Ordering::Relaxed) % parts.len().max(1);
    parts.rotate_left(turn);
    parts
}

/// What a call has completed: the indices, or `None` if no request is active, and the error in a
/// status.
pub type Some_ = (Option<Vec<usize>>, Outcome);

/// `MPI_Waitsome`: see [`completion::wait_some`].
pub fn wait_some(
    handles: &mut [Request],
    report: &mut dyn FnMut(usize, Completion),
) -> Outcome<Some_> {
    if let Some(lane) = one_lane(handles) {
        return in_lane(lane, handles, |mpi, handles| completion::wait_some(mpi, handles, report));
    }
    let mut parts = parts(handles);
    wait_over_lanes(|| match some_of(&mut parts, handles, report)? {
        (Some(complete), _) if complete.is_empty() => Ok(None),
        found => Ok(Some(found)),
    })
}

/// `MPI_Testsome`: see [`completion::test_some`].
pub fn test_some(
    handles: &mut [Request],
    report: &mut dyn FnMut(usize, Completion),
) -> Outcome<Some_> {
    if let Some(lane) = one_lane(handles) {
        return in_lane(lane, handles, |mpi, handles| completion::test_some(mpi, handles, report));
    }
    some_of(&mut parts_in_turn(handles), handles, report)
}

/// Tests all parts of a call.
fn some_of(
    parts: &mut [Part],
    handles: &mut [Request],
    report: &mut dyn FnMut(usize, Completion),
) -> Outcome<Some_> {
    let (mut all, mut outcome) = (None, Ok(()));
    for part in parts {
        let before = all.as_ref().map_or(0, Vec::len);
        let mut mpi = part.enter()?;
        let some = completion::test_some(&mut mpi, &mut part.handles, &mut |slot, completion| {
            report(before + slot, completion);
        });
        part.leave(handles);
        let (indices, in_status) = some?;
        keep_first(&mut outcome, in_status)?;
        if let Some(indices) = indices {
            let places = indices.into_iter().map(|index| part.places[index]);
            all.get_or_insert_with(Vec::new).extend(places);
        }
    }
    Ok((all, outcome))
}

/// `MPI_Request_get_status`: see [`inquiry::get_status`].
pub fn get_status(handle: Request) -> Outcome<Option<Completion>> {
    let (lane, inside) = split(handle);
    inquiry::get_status(&mut enter_lane(lane)?, inside)
}

/// `MPI_Request_get_status_all`: see [`inquiry::get_status_all`].
pub fn get_status_all(handles: &[Request]) -> Outcome<Option<Vec<Completion>>> {
    if let Some(0) = one_lane(handles) {
        return inquiry::get_status_all(&mut enter_lane(0)?, handles);
    }
    let mut found: Vec<Option<Completion>> = handles.iter().map(|_| None).collect();
    let mut are_complete = true;
    for part in parts(handles) {
        match inquiry::get_status_all(&mut enter_lane(part.lane)?, &part.handles)? {
            Some(statuses) => part
                .places
                .iter()
                .zip(statuses)
                .for_each(|(&place, status)| found[place] = Some(status)),
            None => are_complete = false,
        }
    }
    Ok(if are_complete { found.into_iter().collect() } else { None })
}

/// `MPI_Request_get_status_any`: see [`inquiry::get_status_any`].
pub fn get_status_any(handles: &[Request]) -> Outcome<Any> {
    if let Some(0) = one_lane(handles) {
        return inquiry::get_status_any(&mut enter_lane(0)?, handles);
    }
    let mut parts = parts_in_turn(handles);
    any_of(&mut parts, &mut handles.to_vec(), |mpi, part| inquiry::get_status_any(mpi, part))
}

/// `MPI_Request_get_status_some`: see [`inquiry::get_status_some`].
pub fn get_status_some(handles: &[Request]) -> Outcome<Option<Vec<(usize, Completion)>>> {
    if let Some(0) = one_lane(handles) {
        return inquiry::get_status_some(&mut enter_lane(0)?, handles);
    }
    let mut all = None;
    for part in parts(handles) {
        let found = inquiry::get_status_some(&mut enter_lane(part.lane)?, &part.handles)?;
        if let Some(found) = found {
            let found = found.into_iter().map(|(index, status)| (part.places[index], status));
            all.get_or_insert_with(Vec::new).extend(found);
        }
    }
    Ok(all)
}

/// Completes requests from the first on while they are complete, need no more work and are in one
/// lane, as [`complete_first`](crate::attempts::complete_first) does, and returns their number. For
/// `MPI_Wait` and `MPI_Waitall` while there are several lanes.
#[inline(never)]
pub fn complete_first(
    handles: &mut [Request],
    ignored: bool,
    put: &mut dyn FnMut(usize, Option<Caught>),
) -> usize {
    let lane = handles.iter().find(|handle| !handle.is_null()).map_or(0, |&one| split(one).0);
    let entered = if lane == 0 { enter_open() } else { enter_lane_open(lane) };
    let Some(mut mpi) = entered else { return 0 };
    let done = name_of_new(lane, mpi.done_request());
    let inside = |handle| Some(split(handle)).filter(|of| of.0 == lane).map(|of| of.1);
    // A loop of its own tests nothing for each request whose status is ignored.
    if ignored {
        mpi.complete_first_named(handles, done, inside, |_, _| {})
    } else {
        mpi.complete_first_named(handles, done, inside, |index, message| {
            put(index, message.map(Caught::from));
        })
    }
}
