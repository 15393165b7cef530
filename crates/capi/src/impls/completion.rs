//! Completing requests, probing, matched messages (MPI 5.0 §3.7.3 to §3.7.6, §3.8).

use super::arguments::{Statuses, hand_out, report, request, requests, status_of_caught};
use crate::params::{
    CountOut, In, InOut, InOutSlice, Out, OutSlice, StatusOut, StatusesOut, UserBuffer,
};
use crate::staging;
use crate::types::Status;
use nemesis_mpi::Fast;
use nemesis_mpi::abi;
use nemesis_mpi::attempts::{self, Use};
use nemesis_mpi::cancel;
use nemesis_mpi::completion::{self, Any};
use nemesis_mpi::engine::Mpi;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype, Handle, Message, Request};
use nemesis_mpi::lanes;
use nemesis_mpi::probe;
use nemesis_mpi::receive::{Caught, Matched};
use nemesis_mpi::request::Completion;
use std::ffi::c_int;

/// Writes the status of a completion and returns its error, if it has one.
fn write_status(status: StatusOut<'_>, completion: Completion) -> Outcome {
    report(status, &completion);
    completion.error.map_or(Ok(()), Err)
}

/// The status of a completed request: that of a receive, or an empty one.
#[inline(always)]
fn completed(caught: Option<Caught>) -> Status {
    caught.map_or(Status::EMPTY, status_of_caught)
}

#[inline]
pub fn wait(mut request: InOut<'_, Request>, status: StatusOut<'_>) -> Outcome {
    if let Fast::Done(()) = wait_first(request.reborrow(), status) {
        return Ok(());
    }
    if lanes::are_open()
        && let Fast::Done(()) = wait_in_lane(request.reborrow(), status)
    {
        return Ok(());
    }
    wait_rest(request, status)
}

#[inline(always)]
pub fn wait_first(request: InOut<'_, Request>, status: StatusOut<'_>) -> Fast {
    let Some(handle) = request.get() else { return Fast::Declined };
    if lanes::are_open() {
        return Fast::Declined;
    }
    let handles = std::slice::from_mut(handle.into_mut());
    attempts::complete_first(handles, status.is_ignored(), &mut 0, |_, caught| {
        status.report(completed(caught));
    })
}

#[inline(always)]
pub fn wait_in_lane(request: InOut<'_, Request>, status: StatusOut<'_>) -> Fast {
    let Some(handle) = request.get() else { return Fast::Declined };
    let handles = std::slice::from_mut(handle.into_mut());
    let put = &mut |_, caught| status.report(completed(caught));
    match lanes::complete_first(handles, status.is_ignored(), put) {
        0 => Fast::Declined,
        _ => Fast::Done(()),
    }
}

pub fn wait_rest(request_: InOut<'_, Request>, status: StatusOut<'_>) -> Outcome {
    let request = request(request_)?;
    let completion = lanes::with_request(request, |mpi, handle| {
        mpi.pt2pt.note_completion(std::slice::from_ref(handle));
        completion::wait_quietly(mpi, handle)
    })?;
    write_status(status, completion)
}

pub fn test(request_: InOut<'_, Request>, flag: Out<'_, c_int>, status: StatusOut<'_>) -> Outcome {
    let flag = flag.require("flag")?;
    let completed = lanes::with_request(request(request_)?, |mpi, handle| {
        mpi.pt2pt.note_completion(std::slice::from_ref(handle));
        completion::test_quietly(mpi, handle)
    })?;
    flag.write(c_int::from(completed.is_some()));
    match completed {
        Some(completion) => write_status(status, completion),
        None => Ok(()),
    }
}

pub fn waitall(
    count: c_int,
    array_of_requests: InOutSlice<'_, Request>,
    array_of_statuses: StatusesOut<'_>,
) -> Outcome {
    let handles = requests(count, array_of_requests)?;
    let mut complete = 0;
    let ignored = array_of_statuses.is_ignored();
    if lanes::are_open() {
        complete = lanes::complete_first(handles, ignored, &mut |index, caught| {
            array_of_statuses.at(index).put(completed(caught));
        });
        if complete == handles.len() {
            return Ok(());
        }
        return waitall_long(handles, complete, array_of_statuses);
    }
    let first = attempts::complete_first(handles, ignored, &mut complete, |index, caught| {
        array_of_statuses.at(index).put(completed(caught));
    });
    if let Fast::Done(()) = first {
        return Ok(());
    }
    waitall_long(handles, complete, array_of_statuses)
}

/// Completes the requests of which the first `complete` ones are complete.
#[inline(never)]
fn waitall_long(
    handles: &mut [Request],
    complete: usize,
    array_of_statuses: StatusesOut<'_>,
) -> Outcome {
    let mut statuses = Statuses::new(array_of_statuses);
    let outcome = lanes::wait_all(&mut handles[complete..], |index, completion| {
        statuses.put(complete + index, &completion)
    });
    statuses.finish(handles.len(), &outcome);
    outcome
}

pub fn testall(
    count: c_int,
    array_of_requests: InOutSlice<'_, Request>,
    flag: Out<'_, c_int>,
    array_of_statuses: StatusesOut<'_>,
) -> Outcome {
    let flag = flag.require("flag")?;
    let (handles, mut statuses) =
        (requests(count, array_of_requests)?, Statuses::new(array_of_statuses));
    let outcome = lanes::test_all(handles, |index, completion| statuses.put(index, &completion));
    let in_status = matches!(&outcome, Err(error) if error.class == abi::MPI_ERR_IN_STATUS);
    flag.write(c_int::from(in_status || matches!(outcome, Ok(true))));
    let outcome = outcome.map(drop);
    statuses.finish(handles.len(), &outcome);
    outcome
}

/// Writes the results of the calls that complete any request: index, flag if the call has one, and
/// status.
pub(super) fn answer_any(
    any: Any,
    index: Out<'_, c_int>,
    flag: Option<Out<'_, c_int>>,
    status: StatusOut<'_>,
) -> Outcome {
    let index = index.require("index")?;
    let (chosen, complete, completion) = match any {
        Any::NoneComplete => (abi::MPI_UNDEFINED, false, None),
        Any::NoneActive => (abi::MPI_UNDEFINED, true, Some(Completion::EMPTY)),
        Any::Completed(chosen, completion) => (chosen as c_int, true, Some(completion)),
    };
    index.write(chosen);
    if let Some(flag) = flag {
        flag.put("flag", c_int::from(complete))?;
    }
    completion.map_or(Ok(()), |completion| write_status(status, completion))?;
    // An empty status says MPI_SUCCESS too (MPI 5.0 §3.7.3); any other leaves its error alone.
    if complete && chosen == abi::MPI_UNDEFINED && !status.is_ignored() {
        status.put(Status::EMPTY);
    }
    Ok(())
}

pub fn waitany(
    count: c_int,
    array_of_requests: InOutSlice<'_, Request>,
    index: Out<'_, c_int>,
    status: StatusOut<'_>,
) -> Outcome {
    let any = lanes::wait_any(requests(count, array_of_requests)?)?;
    answer_any(any, index, None, status)
}

pub fn testany(
    count: c_int,
    array_of_requests: InOutSlice<'_, Request>,
    index: Out<'_, c_int>,
    flag: Out<'_, c_int>,
    status: StatusOut<'_>,
) -> Outcome {
    let any = lanes::test_any(requests(count, array_of_requests)?)?;
    answer_any(any, index, Some(flag), status)
}

type Some_ = fn(&mut [Request], &mut dyn FnMut(usize, Completion)) -> Outcome<lanes::Some_>;

fn complete_some(
    complete: Some_,
    (incount, array_of_requests): (c_int, InOutSlice<'_, Request>),
    outcount: Out<'_, c_int>,
    array_of_indices: OutSlice<'_, c_int>,
    array_of_statuses: StatusesOut<'_>,
) -> Outcome {
    let outcount = outcount.require("outcount")?;
    let (handles, mut statuses) =
        (requests(incount, array_of_requests)?, Statuses::new(array_of_statuses));
    let (indices, outcome) =
        complete(handles, &mut |slot, completion| statuses.put(slot, &completion))?;
    let Some(indices) = indices else {
        outcount.write(abi::MPI_UNDEFINED);
        return Ok(());
    };
    outcount.write(indices.len() as c_int);
    array_of_indices.fill("array_of_indices", indices.iter().map(|&index| index as c_int))?;
    statuses.finish(indices.len(), &outcome);
    outcome
}

pub fn waitsome(
    incount: c_int,
    array_of_requests: InOutSlice<'_, Request>,
    outcount: Out<'_, c_int>,
    array_of_indices: OutSlice<'_, c_int>,
    array_of_statuses: StatusesOut<'_>,
) -> Outcome {
    complete_some(
        lanes::wait_some,
        (incount, array_of_requests),
        outcount,
        array_of_indices,
        array_of_statuses,
    )
}

pub fn testsome(
    incount: c_int,
    array_of_requests: InOutSlice<'_, Request>,
    outcount: Out<'_, c_int>,
    array_of_indices: OutSlice<'_, c_int>,
    array_of_statuses: StatusesOut<'_>,
) -> Outcome {
    complete_some(
        lanes::test_some,
        (incount, array_of_requests),
        outcount,
        array_of_indices,
        array_of_statuses,
    )
}

pub fn request_free(request_: InOut<'_, Request>) -> Outcome {
    lanes::with_request(request(request_)?, cancel::free)
}

pub fn cancel(request_: InOut<'_, Request>) -> Outcome {
    lanes::with_request(request(request_)?, |mpi, handle| cancel::cancel(mpi, *handle))
}

pub fn probe(source: c_int, tag: c_int, comm: Comm, status: StatusOut<'_>) -> Outcome {
    let mut mpi = lanes::enter_for(comm, tag)?;
    let completion = match mpi.comms.wanted(comm, source, tag)? {
        Some(wanted) => probe::probe(&mut mpi, &wanted)?,
        None => Completion::PROC_NULL,
    };
    report(status, &completion);
    Ok(())
}

pub fn iprobe(
    source: c_int,
    tag: c_int,
    comm: Comm,
    flag: Out<'_, c_int>,
    status: StatusOut<'_>,
) -> Outcome {
    let mut mpi = lanes::enter_for(comm, tag)?;
    let found = match mpi.comms.wanted(comm, source, tag)? {
        Some(wanted) => probe::iprobe(&mut mpi, &wanted)?,
        None => Some(Completion::PROC_NULL),
    };
    flag.put("flag", c_int::from(found.is_some()))?;
    if let Some(completion) = &found {
        report(status, completion);
    }
    Ok(())
}

pub fn mprobe(
    source: c_int,
    tag: c_int,
    comm: Comm,
    message: Out<'_, Message>,
    status: StatusOut<'_>,
) -> Outcome {
    let mut mpi = lanes::enter_for(comm, tag)?;
    let message = message.require("message")?;
    let (handle, completion) = match mpi.comms.wanted(comm, source, tag)? {
        Some(wanted) => probe::mprobe(&mut mpi, &wanted)?,
        None => (abi::MPI_MESSAGE_NO_PROC, Completion::PROC_NULL),
    };
    message.write(lanes::name(mpi.lane, handle)?);
    report(status, &completion);
    Ok(())
}

pub fn improbe(
    source: c_int,
    tag: c_int,
    comm: Comm,
    flag: Out<'_, c_int>,
    message: Out<'_, Message>,
    status: StatusOut<'_>,
) -> Outcome {
    let mut mpi = lanes::enter_for(comm, tag)?;
    let message = message.require("message")?;
    let found = match mpi.comms.wanted(comm, source, tag)? {
        Some(wanted) => probe::improbe(&mut mpi, &wanted)?,
        None => Some((abi::MPI_MESSAGE_NO_PROC, Completion::PROC_NULL)),
    };
    flag.put("flag", c_int::from(found.is_some()))?;
    if let Some((handle, completion)) = found {
        message.write(lanes::name(mpi.lane, handle)?);
        report(status, &completion);
    }
    Ok(())
}

/// Enters the lane of a matched message, which knows the datatype then.
fn enter_of(message: &mut InOut<'_, Message>, datatype: Datatype) -> Outcome<Mpi> {
    let lane = message.reborrow().get().map_or(0, |handle| lanes::split(handle.read()).0);
    lanes::enter_knowing(lane, &[datatype])
}

/// Takes the message of a handle, which becomes null. `None` for `MPI_MESSAGE_NO_PROC`.
fn take(mpi: &mut Mpi, message: InOut<'_, Message>) -> Outcome<Option<Matched>> {
    let handle = message.require("message")?.into_mut();
    let taken = match *handle {
        abi::MPI_MESSAGE_NO_PROC => None,
        _ => Some(
            mpi.pt2pt
                .messages
                .remove(lanes::split(*handle).1)
                .map_err(|dead| Error::dead(abi::MPI_ERR_REQUEST, dead))?,
        ),
    };
    *handle = Message::NULL;
    Ok(taken)
}

pub fn mrecv(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    mut message: InOut<'_, Message>,
    status: StatusOut<'_>,
) -> Outcome {
    let mut mpi = enter_of(&mut message, datatype)?;
    let buffer = buf.message_for(&mpi, count, datatype, Use::Received)?;
    let taken = take(&mut mpi, message)?;
    let completion = match taken {
        None => Completion::PROC_NULL,
        Some(matched) => match mpi.pt2pt.receive_message(&buffer, matched)? {
            Ok(mut request) => completion::wait_quietly(&mut mpi, &mut request)?,
            Err(completion) => completion,
        },
    };
    if nemesis_gpu::is_on() {
        staging::received(completion.bytes as usize);
    }
    write_status(status, completion)
}

pub fn imrecv(
    buf: UserBuffer,
    count: i64,
    datatype: Datatype,
    mut message: InOut<'_, Message>,
    request: Out<'_, Request>,
) -> Outcome {
    let mut mpi = enter_of(&mut message, datatype)?;
    let request = request.require("request")?;
    let buffer = buf.message_for(&mpi, count, datatype, Use::Received)?;
    let taken = take(&mut mpi, message)?;
    let started = match taken {
        None => mpi.pt2pt.completed_request(Completion::PROC_NULL)?,
        Some(matched) => match mpi.pt2pt.receive_message(&buffer, matched)? {
            Ok(request) => request,
            Err(completion) => mpi.pt2pt.completed_request(completion)?,
        },
    };
    mpi.defer_tasks();
    hand_out(&mut mpi, request, started)
}

pub fn get_count(status: In<'_, Status>, datatype: Datatype, count: CountOut<'_>) -> Outcome {
    let mpi = nemesis_mpi::enter_any()?;
    let each = mpi.types.get(datatype)?.size();
    let bytes = status.require("status")?.bytes();
    let value = match (bytes, each) {
        (0, _) => 0,
        (_, 0) => i64::from(abi::MPI_UNDEFINED),
        (bytes, each) if bytes % each != 0 => i64::from(abi::MPI_UNDEFINED),
        (bytes, each) => bytes / each,
    };
    count.put("count", value)
}
