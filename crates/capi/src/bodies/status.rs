//! Reading and writing statuses (MPI 5.0 §3.2.5, §3.8.4, §13.3).

use super::{null, put};
use crate::types::Status;
use nemesis_mpi::error::Outcome;
use std::ffi::c_int;

/// The status behind a pointer that may not be MPI_STATUS_IGNORE.
unsafe fn given<'a>(status: *const Status) -> Outcome<&'a Status> {
    // SAFETY: null, or the caller's status.
    unsafe { status.as_ref() }.ok_or_else(|| null("status"))
}

unsafe fn given_mut<'a>(status: *mut Status) -> Outcome<&'a mut Status> {
    // SAFETY: null, or the caller's status.
    unsafe { status.as_mut() }.ok_or_else(|| null("status"))
}

pub unsafe fn status_get_source(status: *const Status, source: *mut c_int) -> Outcome {
    // SAFETY: the caller's status and place.
    unsafe { put(source, "source", given(status)?.source) }
}

pub unsafe fn status_get_tag(status: *const Status, tag: *mut c_int) -> Outcome {
    // SAFETY: the caller's status and place.
    unsafe { put(tag, "tag", given(status)?.tag) }
}

pub unsafe fn status_get_error(status: *const Status, err: *mut c_int) -> Outcome {
    // SAFETY: the caller's status and place.
    unsafe { put(err, "err", given(status)?.error) }
}

pub unsafe fn status_set_source(status: *mut Status, source: c_int) -> Outcome {
    // SAFETY: the caller's status.
    unsafe { given_mut(status)?.source = source };
    Ok(())
}

pub unsafe fn status_set_tag(status: *mut Status, tag: c_int) -> Outcome {
    // SAFETY: the caller's status.
    unsafe { given_mut(status)?.tag = tag };
    Ok(())
}

pub unsafe fn status_set_error(status: *mut Status, err: c_int) -> Outcome {
    // SAFETY: the caller's status.
    unsafe { given_mut(status)?.error = err };
    Ok(())
}

pub unsafe fn status_set_cancelled(status: *mut Status, flag: c_int) -> Outcome {
    // SAFETY: the caller's status.
    unsafe { given_mut(status)?.set_cancelled(flag != 0) };
    Ok(())
}

pub unsafe fn test_cancelled(status: *const Status, flag: *mut c_int) -> Outcome {
    // SAFETY: the caller's status and place.
    unsafe { put(flag, "flag", c_int::from(given(status)?.is_cancelled())) }
}
