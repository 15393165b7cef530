//! Reading and writing statuses (MPI 5.0 §3.2.5, §3.8.4, §13.3).

use super::arguments::negative_count;
use super::{null, put};
use crate::types::Status;
use nemesis_mpi::abi;
use nemesis_mpi::enter_any;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::Datatype;
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

/// The count of basic elements, for a status that a program makes: `MPI_Get_elements` gives it again, `MPI_Get_count` what follows from it
/// (MPI 5.0 §13.3).
pub unsafe fn status_set_elements(status: *mut Status, datatype: Datatype, count: i64) -> Outcome {
    if count < 0 {
        return Err(negative_count(count));
    }
    let bytes = enter_any()?.types.get(datatype)?.bytes_of_elements(count);
    let why = || {
        format!(
            "{count} basic elements of this type cannot be: it has none, or they are more than 2^63 bytes"
        )
    };
    let bytes = bytes.ok_or_else(|| Error::new(abi::MPI_ERR_COUNT, why()))?;
    // SAFETY: the caller's status.
    unsafe { given_mut(status)?.set_bytes(bytes) };
    Ok(())
}
