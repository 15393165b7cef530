//! Statuses that a function writes; a null pointer is `MPI_STATUS_IGNORE` or `MPI_STATUSES_IGNORE`.

#![allow(unsafe_code)]

use crate::types::Status;
use std::ffi::c_int;
use std::marker::PhantomData;

/// The status of a single completion call.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct StatusOut<'a> {
    address: *mut Status,
    call: PhantomData<&'a mut Status>,
}

impl<'a> StatusOut<'a> {
    /// # Safety
    /// P1 and P3 hold: `address` is null or a place for a status, which need not be initialised.
    #[inline(always)]
    pub unsafe fn new(address: *mut Status) -> StatusOut<'a> {
        StatusOut { address, call: PhantomData }
    }

    #[inline(always)]
    pub fn is_ignored(self) -> bool {
        self.address.is_null()
    }

    /// Writes what a single completion call reports: all but `MPI_ERROR`, which such calls leave
    /// alone (MPI 5.0 §3.2.5).
    #[inline(always)]
    pub fn report(self, mut completed: Status) {
        if self.is_ignored() {
            return;
        }
        // SAFETY: not null, so P1 says that it is a place for a status. It may be uninitialised,
        // hence the one field that stays is read by its address.
        unsafe {
            completed.error = (&raw mut (*self.address).error).read();
            self.address.write(completed);
        }
    }

    /// Writes the whole status, `MPI_ERROR` included.
    #[inline]
    pub fn put(self, status: Status) {
        if !self.is_ignored() {
            // SAFETY: not null, so P1 says that it is a place for a status.
            unsafe { self.address.write(status) };
        }
    }
}

/// The statuses of a call that completes several requests.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct StatusesOut<'a> {
    address: *mut Status,
    call: PhantomData<&'a mut [Status]>,
}

impl<'a> StatusesOut<'a> {
    /// # Safety
    /// P1, P2 and P3 hold: `address` is null or an array of statuses with an element for each
    /// request of the call, which need not be initialised.
    #[inline(always)]
    pub unsafe fn new(address: *mut Status) -> StatusesOut<'a> {
        StatusesOut { address, call: PhantomData }
    }

    #[inline(always)]
    pub fn is_ignored(self) -> bool {
        self.address.is_null()
    }

    /// The status of request `index` of the call.
    #[inline(always)]
    pub fn at(self, index: usize) -> StatusOut<'a> {
        let address =
            if self.is_ignored() { self.address } else { self.address.wrapping_add(index) };
        StatusOut { address, call: PhantomData }
    }

    /// Writes `MPI_ERROR` of status `index` and leaves the other fields.
    pub fn put_error(self, index: usize, code: c_int) {
        if !self.is_ignored() {
            // SAFETY: not null, so P1 and P2 say that the array has this element; its field is
            // written by its address, because the status may be uninitialised.
            unsafe { (&raw mut (*self.address.add(index)).error).write(code) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_leaves_the_error_field_alone() {
        let mut status = Status::EMPTY;
        status.error = 77;
        // SAFETY: a local variable.
        unsafe { StatusOut::new(&mut status) }.report(Status::new(3, 4, 5));
        assert_eq!((status.source, status.tag, status.error, status.bytes()), (3, 4, 77, 5));
    }
}
