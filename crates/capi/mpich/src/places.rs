//! Converted arguments for the time of a call: one value ([`Place`]), an array ([`Array`]),
//! statuses ([`Statuses`]).
//!
//! Each is made from the program's pointer, passes a pointer to the standard's values, and `leave`s
//! converted results behind the program's pointer. A null pointer stays null, so the implementation
//! sees it and reports it. Up to [`INLINE`] elements lie on the stack.

// Which of these the bindings use depends on the functions that are implemented.
#![allow(dead_code)]

use crate::status::Status;
use nemesis_capi::types::Status as Standard;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

/// Arrays up to this length need no allocation.
const INLINE: usize = 64;

/// One value that the function writes, or reads and writes.
pub struct Place<S, F> {
    value: S,
    place: *mut F,
}

impl<S: Copy, F: Copy> Place<S, F> {
    /// A value that the function only writes.
    pub fn out(place: *mut F, initial: S) -> Self {
        Place { value: initial, place }
    }

    /// A value that the function reads and writes; `absent` stands for a null pointer.
    ///
    /// # Safety
    /// `place` is null or holds a value.
    pub unsafe fn read(place: *mut F, absent: S, to: fn(F) -> S) -> Self {
        // SAFETY: the caller's promise.
        let value = unsafe { place.as_ref() }.map_or(absent, |value| to(*value));
        Place { value, place }
    }

    pub fn pass(&mut self) -> *mut S {
        if self.place.is_null() { null_mut() } else { &raw mut self.value }
    }

    /// # Safety
    /// The program's place is valid for a write, if it is one.
    pub unsafe fn leave(&self, from: fn(S) -> F) {
        if !self.place.is_null() {
            // SAFETY: not null, so the caller's promise.
            unsafe { self.place.write(from(self.value)) };
        }
    }
}

/// An array whose elements the function reads, writes, or both.
pub struct Array<S, F> {
    inline: [MaybeUninit<S>; INLINE],
    heap: Vec<S>,
    len: usize,
    place: *mut F,
}

impl<S: Copy, F: Copy> Array<S, F> {
    fn filled(place: *mut F, len: i64, mut element: impl FnMut(usize) -> S) -> Self {
        let len = if place.is_null() { 0 } else { usize::try_from(len).unwrap_or(0) };
        let mut array = Array {
            inline: [const { MaybeUninit::uninit() }; INLINE],
            heap: Vec::new(),
            len,
            place,
        };
        if len <= INLINE {
            for (index, slot) in array.inline[..len].iter_mut().enumerate() {
                slot.write(element(index));
            }
        } else {
            array.heap = (0..len).map(element).collect();
        }
        array
    }

    /// Elements that the function only writes. A negative length counts as 0: the function reports
    /// it.
    pub fn out(place: *mut F, len: i64, initial: S) -> Self {
        Array::filled(place, len, |_| initial)
    }

    /// Elements that the function reads.
    ///
    /// # Safety
    /// `place` is null or has `len` elements.
    pub unsafe fn read(place: *const F, len: i64, to: fn(F) -> S) -> Self {
        // SAFETY: every index is below `len`.
        Array::filled(place.cast_mut(), len, |index| to(unsafe { place.add(index).read() }))
    }

    pub fn pass(&self) -> *const S {
        match (self.place.is_null(), self.len <= INLINE) {
            (true, _) => null(),
            (false, true) => self.inline.as_ptr().cast(),
            (false, false) => self.heap.as_ptr(),
        }
    }

    pub fn pass_mut(&mut self) -> *mut S {
        match (self.place.is_null(), self.len <= INLINE) {
            (true, _) => null_mut(),
            (false, true) => self.inline.as_mut_ptr().cast(),
            (false, false) => self.heap.as_mut_ptr(),
        }
    }

    /// # Safety
    /// The program's array is valid for writes.
    pub unsafe fn leave(&self, from: fn(S) -> F) {
        let elements = self.pass();
        for index in 0..self.len {
            // SAFETY: below `len`, where every element was filled; the program's array has as many.
            unsafe { self.place.add(index).write(from(elements.add(index).read())) };
        }
    }
}

/// Statuses; the program's null is `MPI_STATUS_IGNORE` = 1 here.
pub struct Statuses {
    array: Array<Standard, Status>,
    /// Whether only statuses that the function has written are converted back.
    out_only: bool,
}

/// A status that the function has not written. No source has this value.
const UNTOUCHED: Standard = with_error(Standard::new(c_int::MIN, c_int::MIN, 0), c_int::MIN);

const fn with_error(mut status: Standard, error: c_int) -> Standard {
    status.error = error;
    status
}

fn given(place: *const Status) -> *mut Status {
    if place as usize == 1 { null_mut() } else { place.cast_mut() }
}

impl Statuses {
    pub fn out(place: *mut Status, len: i64) -> Statuses {
        Statuses { array: Array::out(given(place), len, UNTOUCHED), out_only: true }
    }

    /// # Safety
    /// `place` is null, `MPI_STATUS_IGNORE`, or has `len` statuses.
    pub unsafe fn read(place: *const Status, len: i64) -> Statuses {
        // SAFETY: the caller's promise.
        let array = unsafe { Array::read(given(place), len, Status::to_standard) };
        Statuses { array, out_only: false }
    }

    pub fn pass(&self) -> *const Standard {
        self.array.pass()
    }

    pub fn pass_mut(&mut self) -> *mut Standard {
        self.array.pass_mut()
    }

    /// # Safety
    /// The program's statuses are valid for writes.
    pub unsafe fn leave(&self) {
        for index in 0..self.array.len {
            // SAFETY: below `len`, where every element was filled.
            let status = unsafe { &*self.array.pass().add(index) };
            // SAFETY: the program's array has as many.
            let place = unsafe { self.array.place.add(index) };
            if self.out_only && *status == UNTOUCHED {
                continue;
            }
            let converted = Status::from_standard(status);
            let keeps_error = self.out_only && status.error == UNTOUCHED.error;
            // SAFETY: as above.
            unsafe {
                place.write(if keeps_error { converted.with_error_of(place) } else { converted })
            };
        }
    }
}

/// The address of a converted handle, or null.
pub fn address_of<H>(handle: &mut Option<H>) -> *mut c_void {
    handle.as_mut().map_or(null_mut(), |handle| std::ptr::from_mut(handle).cast())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_capi::params::{Out, StatusOut};

    #[test]
    fn arrays_of_any_length_go_in_and_out() {
        for len in [0, 1, INLINE, INLINE + 1, 1000] {
            let mut numbers: Vec<c_int> = (0..len as c_int).collect();
            // SAFETY: the vector has `len` elements.
            let mut array =
                unsafe { Array::read(numbers.as_ptr(), len as i64, |n: c_int| i64::from(n) * 2) };
            for index in 0..len {
                // SAFETY: below the length.
                unsafe { *array.pass_mut().add(index) += 1 };
            }
            array.place = numbers.as_mut_ptr();
            // SAFETY: the vector has `len` elements.
            unsafe { array.leave(|n| n as c_int) };
            assert!(numbers.iter().enumerate().all(|(index, n)| *n == 2 * index as c_int + 1));
        }
    }

    #[test]
    fn a_status_that_was_not_written_keeps_its_fields() {
        let before = Status::from_standard(&with_error(Standard::new(1, 2, 3), 15));
        let mut place = before;
        let mut statuses = Statuses::out(&mut place, 1);
        // SAFETY: a local variable.
        unsafe { statuses.leave() };
        assert_eq!(place, before);
        // SAFETY: a local variable.
        let written = unsafe { Out::new(statuses.pass_mut()) };
        StatusOut::from(written).report(Standard::new(7, 8, 9));
        // SAFETY: a local variable.
        unsafe { statuses.leave() };
        assert_eq!(
            place.to_standard(),
            with_error(Standard::new(7, 8, 9), 15),
            "the error field is kept"
        );
    }

    #[test]
    fn an_ignored_status_becomes_a_null_pointer() {
        assert!(Statuses::out(std::ptr::without_provenance_mut(1), 1).pass().is_null());
    }
}
