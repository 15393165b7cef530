//! Asking about requests without completing them (MPI 5.0 §3.7.6).

use super::arguments::{report, requests_to_read};
use super::completion::answer_any;
use super::{place, put};
use crate::types::Status;
use nemesis_mpi::abi;
use nemesis_mpi::enter;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::Request;
use nemesis_mpi::inquiry;
use nemesis_mpi::request::Completion;
use std::ffi::c_int;

pub unsafe fn request_get_status(
    request: Request,
    flag: *mut c_int,
    status: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    let completed = inquiry::get_status(&mut mpi, request)?;
    // SAFETY: the caller's places.
    unsafe {
        put(flag, "flag", c_int::from(completed.is_some()))?;
        if let Some(completion) = &completed {
            report(status, completion);
        }
    }
    Ok(())
}

/// Writes element `index` of an array of statuses, unless the array is `MPI_STATUSES_IGNORE`.
unsafe fn report_at(array: *mut Status, index: usize, completion: &Completion) {
    if !array.is_null() {
        // SAFETY: the caller's array.
        unsafe { report(array.add(index), completion) };
    }
}

pub unsafe fn request_get_status_all(
    count: c_int,
    array_of_requests: *const Request,
    flag: *mut c_int,
    array_of_statuses: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    // SAFETY: the caller's array.
    let handles = unsafe { requests_to_read(count, array_of_requests) }?;
    let statuses = inquiry::get_status_all(&mut mpi, handles)?;
    // SAFETY: the caller's places, and an array as long as that of the requests.
    unsafe {
        put(flag, "flag", c_int::from(statuses.is_some()))?;
        for (index, completion) in statuses.iter().flatten().enumerate() {
            report_at(array_of_statuses, index, completion);
        }
    }
    Ok(())
}

pub unsafe fn request_get_status_any(
    count: c_int,
    array_of_requests: *const Request,
    index: *mut c_int,
    flag: *mut c_int,
    status: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    let flag = place(flag, "flag")?;
    // SAFETY: the caller's array.
    let any =
        inquiry::get_status_any(&mut mpi, unsafe { requests_to_read(count, array_of_requests) }?)?
            .without_error();
    // SAFETY: the caller's places.
    unsafe { answer_any(any, index, Some(flag), status) }
}

pub unsafe fn request_get_status_some(
    incount: c_int,
    array_of_requests: *const Request,
    outcount: *mut c_int,
    array_of_indices: *mut c_int,
    array_of_statuses: *mut Status,
) -> Outcome {
    let mut mpi = enter()?;
    let outcount = place(outcount, "outcount")?;
    // SAFETY: the caller's array.
    let found = inquiry::get_status_some(&mut mpi, unsafe {
        requests_to_read(incount, array_of_requests)
    }?)?;
    // SAFETY: the caller's place, and arrays as long as that of the requests.
    unsafe {
        outcount.write(found.as_ref().map_or(abi::MPI_UNDEFINED, |found| found.len() as c_int));
        for (slot, (index, completion)) in found.iter().flatten().enumerate() {
            array_of_indices.add(slot).write(*index as c_int);
            report_at(array_of_statuses, slot, completion);
        }
    }
    Ok(())
}
