//! Statuses that a function writes; a null pointer is `MPI_STATUS_IGNORE` or `MPI_STATUSES_IGNORE`.

#![allow(unsafe_code)]

use super::{Out, OutSlice};
use crate::types::Status;
use std::ffi::c_int;

/// The status of a single completion call.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct StatusOut<'a>(Out<'a, Status>);

impl<'a> From<Out<'a, Status>> for StatusOut<'a> {
    #[inline(always)]
    fn from(place: Out<'a, Status>) -> StatusOut<'a> {
        StatusOut(place)
    }
}

impl StatusOut<'_> {
    #[inline(always)]
    pub fn is_ignored(self) -> bool {
        self.0.is_null()
    }

    /// Writes what a single completion call reports: all but `MPI_ERROR`, which such calls leave
    /// alone (MPI 5.0 §3.2.5).
    #[inline(always)]
    pub fn report(self, mut completed: Status) {
        let Some(place) = self.0.get() else { return };
        // SAFETY: not null, so P1 says that it is a place for a status. It may be uninitialised,
        // hence the one field that stays is read by its address.
        completed.error = unsafe { (&raw mut (*place.as_ptr()).error).read() };
        place.write(completed);
    }

    /// Writes the whole status, `MPI_ERROR` included.
    #[inline]
    pub fn put(self, status: Status) {
        self.0.put_unless_null(status);
    }
}

/// The statuses of a call that completes several requests.
#[derive(Clone, Copy)]
pub struct StatusesOut<'a>(OutSlice<'a, Status>);

impl<'a> From<OutSlice<'a, Status>> for StatusesOut<'a> {
    #[inline(always)]
    fn from(places: OutSlice<'a, Status>) -> StatusesOut<'a> {
        StatusesOut(places)
    }
}

impl<'a> StatusesOut<'a> {
    #[inline(always)]
    pub fn is_ignored(self) -> bool {
        self.0.is_null()
    }

    /// The status of request `index` of the call.
    #[inline(always)]
    pub fn at(self, index: usize) -> StatusOut<'a> {
        StatusOut(self.0.at(index))
    }

    /// Writes `MPI_ERROR` of status `index` and leaves the other fields.
    pub fn put_error(self, index: usize, code: c_int) {
        let Some(place) = self.0.at(index).get() else { return };
        // SAFETY: not null, so P1 and P2 say that the array has this element; its field is written
        // by its address, because the status may be uninitialised.
        unsafe { (&raw mut (*place.as_ptr()).error).write(code) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_leaves_the_error_field_alone() {
        let mut status = Status::EMPTY;
        status.error = 77;
        StatusOut(Out::from(&mut status)).report(Status::new(3, 4, 5));
        assert_eq!((status.source, status.tag, status.error, status.bytes()), (3, 4, 77, 5));
    }
}
