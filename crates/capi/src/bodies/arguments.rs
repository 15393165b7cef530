//! Arguments that many bodies take: buffers, request arrays, and results as statuses.

use crate::types::Status;
use nemesis_datatype::Buffer;
use nemesis_mpi::abi;
use nemesis_mpi::engine::Engine;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::error_codes;
use nemesis_mpi::handle::{Datatype, Handle, Request};
use nemesis_mpi::request::Completion;
use std::ffi::{c_int, c_void};

/// The message buffer (address, count, datatype), checked in this order: count, datatype, address.
///
/// # Safety
/// The memory is what MPI asks of the call's buffer, until the operation is complete.
#[inline]
pub unsafe fn buffer(
    mpi: &Engine,
    address: *const c_void,
    count: i64,
    datatype: Datatype,
) -> Outcome<Buffer> {
    if count < 0 {
        return Err(negative_count(count));
    }
    let datatype = mpi.types.committed(datatype)?;
    // Null is MPI_BOTTOM, which types of absolute addresses go with; a predefined type has none.
    if address.is_null() && count > 0 && datatype.is_predefined() && datatype.size() > 0 {
        return Err(null_buffer(count));
    }
    // SAFETY: the caller's promise.
    Ok(unsafe { Buffer::new(address, count, datatype) })
}

/// The buffer of a message or of a collective, checked as [`buffer`] does. With a count of 0 the
/// datatype may be `MPI_DATATYPE_NULL`, as in MPICH and Intel MPI; `MPI_BYTE` replaces it.
///
/// # Safety
/// As for [`buffer`].
#[inline]
pub unsafe fn message_buffer(
    mpi: &Engine,
    address: *const c_void,
    count: i64,
    datatype: Datatype,
) -> Outcome<Buffer> {
    // SAFETY: the caller's promise.
    unsafe { buffer(mpi, address, count, datatype) }
        .or_else(|error| nothing(mpi, count, datatype, error))
}

/// No elements of no type; any other buffer keeps its error.
#[cold]
fn nothing(mpi: &Engine, count: i64, datatype: Datatype, error: Box<Error>) -> Outcome<Buffer> {
    if count != 0 || !datatype.is_null() {
        return Err(error);
    }
    // SAFETY: a buffer without elements has no memory.
    unsafe { buffer(mpi, std::ptr::null(), 0, abi::MPI_BYTE) }
}

#[cold]
pub fn negative_count(count: i64) -> Box<Error> {
    Error::new(abi::MPI_ERR_COUNT, format!("count is {count}, it must not be negative"))
}

#[cold]
fn null_buffer(count: i64) -> Box<Error> {
    Error::new(abi::MPI_ERR_BUFFER, format!("the buffer is a null pointer, and count is {count}"))
        .advise("pass the address of the data; with MPI_BOTTOM, a datatype of absolute addresses")
}

/// An array of requests.
///
/// # Safety
/// The array has `count` elements; nobody else touches it during the call.
pub unsafe fn requests<'a>(count: c_int, array: *mut Request) -> Outcome<&'a mut [Request]> {
    let len = usize::try_from(count).map_err(|_| negative_count(i64::from(count)))?;
    if len == 0 {
        return Ok(&mut []);
    }
    if array.is_null() {
        return Err(Error::new(abi::MPI_ERR_REQUEST, "the array of requests is a null pointer"));
    }
    // SAFETY: not null, so the caller's array.
    Ok(unsafe { std::slice::from_raw_parts_mut(array, len) })
}

/// An array of requests that is only read.
///
/// # Safety
/// As for [`requests`].
pub unsafe fn requests_to_read<'a>(count: c_int, array: *const Request) -> Outcome<&'a [Request]> {
    // SAFETY: the caller's promise; nothing is written through what comes back.
    unsafe { requests(count, array.cast_mut()) }.map(|array| &*array)
}

/// A request behind a pointer.
///
/// # Safety
/// The pointer is null or the caller's request variable.
pub unsafe fn request<'a>(place: *mut Request) -> Outcome<&'a mut Request> {
    // SAFETY: the caller's promise.
    unsafe { place.as_mut() }
        .ok_or_else(|| Error::new(abi::MPI_ERR_REQUEST, "the request is a null pointer"))
}

/// A completion in the form of a status.
pub fn status_of(completion: &Completion) -> Status {
    let mut status = Status::new(completion.source, completion.tag, completion.bytes as i64);
    status.set_cancelled(completion.cancelled);
    status
}

/// Writes the status of a single completion.
///
/// # Safety
/// `place` is null (`MPI_STATUS_IGNORE`) or the caller's status.
#[inline(always)]
pub unsafe fn report(place: *mut Status, completion: &Completion) {
    if !place.is_null() {
        // SAFETY: the caller's promise.
        unsafe { Status::report(place, status_of(completion)) };
    }
}

/// An array of statuses that is filled while requests complete; remembers which of them failed. Statuses of operations that succeeded
/// say MPI_SUCCESS: calls that complete several requests may write the error field (MPI 5.0 §3.2.5), and programs expect it.
pub struct Statuses {
    array: *mut Status,
    failed: Vec<(usize, c_int)>,
}

impl Statuses {
    /// # Safety
    /// `array` is null (`MPI_STATUSES_IGNORE`) or has room for every status that will be put.
    pub unsafe fn new(array: *mut Status) -> Statuses {
        Statuses { array, failed: Vec::new() }
    }

    #[inline]
    pub fn put(&mut self, index: usize, completion: &Completion) {
        if let Some(error) = &completion.error {
            self.remember(index, error);
        }
        if !self.array.is_null() {
            // SAFETY: promised by whoever made this.
            unsafe { self.array.add(index).write(status_of(completion)) };
        }
    }

    #[cold]
    fn remember(&mut self, index: usize, error: &Error) {
        let code =
            error.code.unwrap_or_else(|| error_codes::remember(error.class, error.why.to_string()));
        self.failed.push((index, code));
    }

    /// `MPI_ERR_IN_STATUS` fills the error field of all `count` statuses (MPI 5.0 §3.7.5).
    pub fn finish(self, count: usize, outcome: &Outcome) {
        let in_status = matches!(outcome, Err(error) if error.class == abi::MPI_ERR_IN_STATUS);
        if self.array.is_null() || !in_status {
            return;
        }
        for index in 0..count {
            let code = self
                .failed
                .iter()
                .find(|(failed, _)| *failed == index)
                .map_or(abi::MPI_SUCCESS, |(_, code)| *code);
            // SAFETY: promised by whoever made this.
            unsafe { (&raw mut (*self.array.add(index)).error).write(code) };
        }
    }
}
