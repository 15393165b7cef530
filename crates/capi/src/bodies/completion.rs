//! Completing requests, probing, matched messages (MPI 5.0 §3.7.3 to §3.7.6, §3.8).

use super::arguments::{Statuses, message_buffer, report, request, requests};
use super::{place, put};
use crate::types::{CountOut, Status};
use nemesis_mpi::abi;
use nemesis_mpi::cancel;
use nemesis_mpi::completion::{self, Any};
use nemesis_mpi::engine::{Mpi, enter_open};
use nemesis_mpi::enter;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::{Comm, Datatype, Handle, Message, Request};
use nemesis_mpi::probe;
use nemesis_mpi::receive::Matched;
use nemesis_mpi::request::Completion;
use std::ffi::{c_int, c_void};

/// Reports a completion and gives its error, if any, to the caller.
unsafe fn settle(status: *mut Status, completion: Completion) -> Outcome {
    // SAFETY: the caller's status.
    unsafe { report(status, &completion) };
    completion.error.map_or(Ok(()), Err)
}

/// Completes the first of several requests as far as that needs no thought; how many. `write` puts a status into its place.
///
/// # Safety
/// `statuses` is null or has room for as many statuses as there are handles.
#[inline(always)]
unsafe fn complete_first(
    handles: &mut [Request],
    statuses: *mut Status,
    write: unsafe fn(*mut Status, Status),
) -> usize {
    let Some(mut mpi) = enter_open() else { return 0 };
    mpi.complete_first(handles, |index, received| {
        if !statuses.is_null() {
            let status = received.map_or(Status::EMPTY, |message| {
                Status::new(message.pattern.rank as i32, message.pattern.tag, message.bytes.into())
            });
            // SAFETY: the caller's promise.
            unsafe { write(statuses.add(index), status) };
        }
    })
}

#[inline]
pub unsafe fn wait(request_: *mut Request, status: *mut Status) -> Outcome {
    // SAFETY: the caller's arguments.
    if unsafe { wait_first(request_, status) } {
        return Ok(());
    }
    // SAFETY: the caller's arguments.
    unsafe { wait_rest(request_, status) }
}

#[inline(always)]
pub unsafe fn wait_first(request_: *mut Request, status: *mut Status) -> bool {
    // SAFETY: the caller's request.
    let Some(handle) = (unsafe { request_.as_mut() }) else { return false };
    // SAFETY: the caller's status.
    unsafe { complete_first(std::slice::from_mut(handle), status, Status::report) == 1 }
}

pub unsafe fn wait_rest(request_: *mut Request, status: *mut Status) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's request.
    let handle = unsafe { request(request_) }?;
    let completion = completion::wait_quietly(&mut mpi, handle)?;
    // SAFETY: the caller's status.
    unsafe { settle(status, completion) }
}

pub unsafe fn test(request_: *mut Request, flag: *mut c_int, status: *mut Status) -> Outcome {
    let mut mpi = enter()?;
    let flag = place(flag, "flag")?;
    // SAFETY: the caller's request.
    let handle = unsafe { request(request_) }?;
    let completed = completion::test_quietly(&mut mpi, handle)?;
    // SAFETY: the caller's place.
    unsafe { flag.write(c_int::from(completed.is_some())) };
    match completed {
        // SAFETY: the caller's status.
        Some(completion) => unsafe { settle(status, completion) },
        None => Ok(()),
    }
}

pub unsafe fn waitall(
    count: c_int,
    array_of_requests: *mut Request,
    array_of_statuses: *mut Status,
) -> Outcome {
    // SAFETY: the caller's array.
    let handles = unsafe { requests(count, array_of_requests)? };
    // SAFETY: the caller's array.
    let complete = unsafe { complete_first(handles, array_of_statuses, std::ptr::write) };
    if complete == handles.len() && complete > 0 {
        return Ok(());
    }
    // SAFETY: as above.
    unsafe { waitall_long(handles, complete, array_of_statuses) }
}

/// The same when so many of the first are complete.
#[inline(never)]
unsafe fn waitall_long(
    handles: &mut [Request],
    complete: usize,
    array_of_statuses: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's array.
    let mut statuses = unsafe { Statuses::new(array_of_statuses) };
    let outcome = completion::wait_all(&mut mpi, &mut handles[complete..], |index, completion| {
        statuses.put(complete + index, &completion)
    });
    statuses.finish(handles.len(), &outcome);
    outcome
}

pub unsafe fn testall(
    count: c_int,
    array_of_requests: *mut Request,
    flag: *mut c_int,
    array_of_statuses: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    let flag = place(flag, "flag")?;
    // SAFETY: the caller's arrays.
    let (handles, mut statuses) =
        unsafe { (requests(count, array_of_requests)?, Statuses::new(array_of_statuses)) };
    let outcome = completion::test_all(&mut mpi, handles, |index, completion| {
        statuses.put(index, &completion)
    });
    let in_status = matches!(&outcome, Err(error) if error.class == abi::MPI_ERR_IN_STATUS);
    // SAFETY: the caller's place.
    unsafe { flag.write(c_int::from(in_status || matches!(outcome, Ok(true)))) };
    let outcome = outcome.map(drop);
    statuses.finish(handles.len(), &outcome);
    outcome
}

/// The answer of the "any" calls: index, and flag where there is one.
pub(super) unsafe fn answer_any(
    any: Any,
    index: *mut c_int,
    flag: Option<*mut c_int>,
    status: *mut Status,
) -> Outcome {
    let index = place(index, "index")?;
    let (chosen, complete, completion) = match any {
        Any::NoneComplete => (abi::MPI_UNDEFINED, false, None),
        Any::NoneActive => (abi::MPI_UNDEFINED, true, Some(Completion::EMPTY)),
        Any::Completed(chosen, completion) => (chosen as c_int, true, Some(completion)),
    };
    // SAFETY: the caller's places.
    unsafe {
        index.write(chosen);
        if let Some(flag) = flag {
            put(flag, "flag", c_int::from(complete))?;
        }
        completion.map_or(Ok(()), |completion| settle(status, completion))?;
        // An empty status says MPI_SUCCESS too (MPI 5.0 §3.7.3); any other leaves its error alone.
        if complete && chosen == abi::MPI_UNDEFINED && !status.is_null() {
            status.write(Status::EMPTY);
        }
        Ok(())
    }
}

pub unsafe fn waitany(
    count: c_int,
    array_of_requests: *mut Request,
    index: *mut c_int,
    status: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's array.
    let any = completion::wait_any(&mut mpi, unsafe { requests(count, array_of_requests) }?)?;
    // SAFETY: the caller's places.
    unsafe { answer_any(any, index, None, status) }
}

pub unsafe fn testany(
    count: c_int,
    array_of_requests: *mut Request,
    index: *mut c_int,
    flag: *mut c_int,
    status: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's array.
    let any = completion::test_any(&mut mpi, unsafe { requests(count, array_of_requests) }?)?;
    // SAFETY: the caller's places.
    unsafe { answer_any(any, index, Some(flag), status) }
}

type Some_ = fn(
    &mut Mpi,
    &mut [Request],
    &mut dyn FnMut(usize, Completion),
) -> Outcome<(Option<Vec<usize>>, Outcome)>;

unsafe fn complete_some(
    complete: Some_,
    (incount, array_of_requests): (c_int, *mut Request),
    outcount: *mut c_int,
    array_of_indices: *mut c_int,
    array_of_statuses: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    let outcount = place(outcount, "outcount")?;
    // SAFETY: the caller's arrays.
    let (handles, mut statuses) =
        unsafe { (requests(incount, array_of_requests)?, Statuses::new(array_of_statuses)) };
    let (indices, outcome) =
        complete(&mut mpi, handles, &mut |slot, completion| statuses.put(slot, &completion))?;
    let Some(indices) = indices else {
        // SAFETY: the caller's place.
        unsafe { outcount.write(abi::MPI_UNDEFINED) };
        return Ok(());
    };
    // SAFETY: the caller's place, and an array as long as that of the requests.
    unsafe {
        outcount.write(indices.len() as c_int);
        for (slot, &index) in indices.iter().enumerate() {
            array_of_indices.add(slot).write(index as c_int);
        }
    }
    statuses.finish(indices.len(), &outcome);
    outcome
}

pub unsafe fn waitsome(
    incount: c_int,
    array_of_requests: *mut Request,
    outcount: *mut c_int,
    array_of_indices: *mut c_int,
    array_of_statuses: *mut Status,
) -> Outcome {
    // SAFETY: the caller's arguments.
    unsafe {
        complete_some(
            completion::wait_some,
            (incount, array_of_requests),
            outcount,
            array_of_indices,
            array_of_statuses,
        )
    }
}

pub unsafe fn testsome(
    incount: c_int,
    array_of_requests: *mut Request,
    outcount: *mut c_int,
    array_of_indices: *mut c_int,
    array_of_statuses: *mut Status,
) -> Outcome {
    // SAFETY: the caller's arguments.
    unsafe {
        complete_some(
            completion::test_some,
            (incount, array_of_requests),
            outcount,
            array_of_indices,
            array_of_statuses,
        )
    }
}

pub unsafe fn request_free(request_: *mut Request) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's request.
    cancel::free(&mut mpi, unsafe { request(request_) }?)
}

pub unsafe fn cancel(request_: *mut Request) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's request.
    cancel::cancel(&mut mpi, *unsafe { request(request_) }?)
}

pub unsafe fn probe(source: c_int, tag: c_int, comm: Comm, status: *mut Status) -> Outcome {
    let mut mpi = enter()?;
    let completion = match mpi.wanted(comm, source, tag)? {
        Some(wanted) => probe::probe(&mut mpi, &wanted),
        None => Completion::PROC_NULL,
    };
    // SAFETY: the caller's status.
    unsafe { report(status, &completion) };
    Ok(())
}

pub unsafe fn iprobe(
    source: c_int,
    tag: c_int,
    comm: Comm,
    flag: *mut c_int,
    status: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    let found = match mpi.wanted(comm, source, tag)? {
        Some(wanted) => probe::iprobe(&mut mpi, &wanted),
        None => Some(Completion::PROC_NULL),
    };
    // SAFETY: the caller's places.
    unsafe {
        put(flag, "flag", c_int::from(found.is_some()))?;
        if let Some(completion) = &found {
            report(status, completion);
        }
    }
    Ok(())
}

pub unsafe fn mprobe(
    source: c_int,
    tag: c_int,
    comm: Comm,
    message: *mut Message,
    status: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    let message = place(message, "message")?;
    let (handle, completion) = match mpi.wanted(comm, source, tag)? {
        Some(wanted) => probe::mprobe(&mut mpi, &wanted)?,
        None => (abi::MPI_MESSAGE_NO_PROC, Completion::PROC_NULL),
    };
    // SAFETY: the caller's places.
    unsafe {
        message.write(handle);
        report(status, &completion);
    }
    Ok(())
}

pub unsafe fn improbe(
    source: c_int,
    tag: c_int,
    comm: Comm,
    flag: *mut c_int,
    message: *mut Message,
    status: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    let message = place(message, "message")?;
    let found = match mpi.wanted(comm, source, tag)? {
        Some(wanted) => probe::improbe(&mut mpi, &wanted)?,
        None => Some((abi::MPI_MESSAGE_NO_PROC, Completion::PROC_NULL)),
    };
    // SAFETY: the caller's places.
    unsafe {
        put(flag, "flag", c_int::from(found.is_some()))?;
        if let Some((handle, completion)) = found {
            message.write(handle);
            report(status, &completion);
        }
    }
    Ok(())
}

/// Takes the message that a handle names; `None` for `MPI_MESSAGE_NO_PROC`. The handle becomes null.
unsafe fn take(mpi: &mut Mpi, message: *mut Message) -> Outcome<Option<Matched>> {
    // SAFETY: the caller's message.
    let handle = unsafe { message.as_mut() }
        .ok_or_else(|| Error::new(abi::MPI_ERR_ARG, "message is a null pointer"))?;
    let taken = match *handle {
        abi::MPI_MESSAGE_NO_PROC => None,
        _ => Some(
            mpi.messages.remove(*handle).map_err(|dead| Error::dead(abi::MPI_ERR_REQUEST, dead))?,
        ),
    };
    *handle = Message::NULL;
    Ok(taken)
}

pub unsafe fn mrecv(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    message: *mut Message,
    status: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's arguments.
    let (buffer, taken) =
        unsafe { (message_buffer(&mpi, buf, count, datatype)?, take(&mut mpi, message)?) };
    let completion = match taken {
        None => Completion::PROC_NULL,
        Some(matched) => match mpi.receive_message(&buffer, matched)? {
            Ok(mut request) => completion::wait_quietly(&mut mpi, &mut request)?,
            Err(completion) => completion,
        },
    };
    // SAFETY: the caller's status.
    unsafe { settle(status, completion) }
}

pub unsafe fn imrecv(
    buf: *mut c_void,
    count: i64,
    datatype: Datatype,
    message: *mut Message,
    request: *mut Request,
) -> Outcome {
    let mut mpi = enter()?;
    let request = place(request, "request")?;
    // SAFETY: the caller's arguments.
    let (buffer, taken) =
        unsafe { (message_buffer(&mpi, buf, count, datatype)?, take(&mut mpi, message)?) };
    let started = match taken {
        None => mpi.completed_request(Completion::PROC_NULL)?,
        Some(matched) => match mpi.receive_message(&buffer, matched)? {
            Ok(request) => request,
            Err(completion) => mpi.completed_request(completion)?,
        },
    };
    mpi.defer_tasks();
    // SAFETY: the caller's place.
    unsafe { request.write(started) };
    Ok(())
}

pub unsafe fn get_count(status: *const Status, datatype: Datatype, count: CountOut) -> Outcome {
    let mpi = nemesis_mpi::enter_any()?;
    let each = mpi.types.get(datatype)?.size();
    // SAFETY: the caller's status.
    let bytes = unsafe { status.as_ref() }
        .ok_or_else(|| Error::new(abi::MPI_ERR_ARG, "status is a null pointer"))?
        .bytes();
    let value = match (bytes, each) {
        (0, _) => 0,
        (_, 0) => i64::from(abi::MPI_UNDEFINED),
        (bytes, each) if bytes % each != 0 => i64::from(abi::MPI_UNDEFINED),
        (bytes, each) => bytes / each,
    };
    // SAFETY: the caller's place.
    unsafe { count.write(value) };
    Ok(())
}
