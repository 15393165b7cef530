//! Arguments of an ABI that is not the standard's, converted for the time of a call: one value
//! ([`Place`]), an array ([`Array`]), statuses ([`Statuses`]).
//!
//! Each is made from the program's argument, passes a pointer to the standard's values, and
//! `leave`s converted results behind the program's pointer. A null pointer stays null, so the
//! implementation sees it and reports it. Up to [`INLINE`] elements lie on the stack.

#![allow(unsafe_code)]

use crate::impls::request_left;
use crate::params::{InOut, InOutSlice, InSlice, Out, OutRef, OutSlice};
use crate::types::Status as Standard;
use nemesis_mpi::handle::Request;
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};
use std::slice;

/// Arrays up to this length need no allocation.
const INLINE: usize = 64;

/// A status of another ABI.
pub trait ForeignStatus: Copy {
    /// `MPI_STATUS_IGNORE` and `MPI_STATUSES_IGNORE` of the ABI.
    const IGNORE: usize;

    fn to_standard(self) -> Standard;
    fn from_standard(status: &Standard) -> Self;
    /// Writes all but the error field, which single completion calls leave alone.
    fn report_to(self, place: OutRef<'_, Self>);
}

/// One value that the function writes, or reads and writes.
pub struct Place<'a, S, F> {
    value: S,
    place: Option<OutRef<'a, F>>,
    /// Whether the function only writes the value.
    is_out: bool,
}

impl<'a, S: Copy + 'static, F: Copy> Place<'a, S, F> {
    /// A value that the function only writes.
    pub fn out(place: Out<'a, F>, initial: S) -> Self {
        Place { value: initial, place: place.get(), is_out: true }
    }

    /// A value that the function reads and writes; `absent` stands for a null pointer.
    pub fn read(place: InOut<'a, F>, absent: S, to: fn(F) -> S) -> Self {
        match place.get() {
            Some(place) => {
                Place { value: to(place.read()), place: Some(place.into_out()), is_out: false }
            }
            None => Place { value: absent, place: None, is_out: false },
        }
    }

    pub fn pass(&mut self) -> *mut S {
        if self.place.is_none() { null_mut() } else { &raw mut self.value }
    }

    pub fn leave(self, from: fn(S) -> F) {
        if let Some(place) = self.place {
            // The compiler decides which values are requests.
            if self.is_out
                && let Some(request) = (&self.value as &dyn Any).downcast_ref::<Request>()
            {
                request_left(place.as_ptr().addr(), *request);
            }
            place.write(from(self.value));
        }
    }
}

/// An array whose elements the function reads, writes, or both. Up to `PLACES` lie on the stack.
pub struct Array<'a, S, F, const PLACES: usize = INLINE> {
    inline: [MaybeUninit<S>; PLACES],
    heap: Vec<S>,
    len: usize,
    is_null: bool,
    /// Where the function's results go.
    place: OutSlice<'a, F>,
}

impl<'a, S: Copy, F: Copy, const PLACES: usize> Array<'a, S, F, PLACES> {
    fn filled(len: usize, mut element: impl FnMut(usize) -> S) -> Self {
        let mut array = Array {
            inline: [const { MaybeUninit::uninit() }; PLACES],
            heap: Vec::new(),
            len,
            is_null: false,
            place: OutSlice::null(),
        };
        if len <= PLACES {
            for (index, slot) in array.inline[..len].iter_mut().enumerate() {
                slot.write(element(index));
            }
        } else {
            array.heap = (0..len).map(element).collect();
        }
        array
    }

    /// An array of `from`, or a null pointer.
    fn converted(from: Option<&[F]>, to: fn(F) -> S) -> Self {
        let elements = from.unwrap_or(&[]);
        let array = Array::filled(elements.len(), |index| to(elements[index]));
        Array { is_null: from.is_none(), ..array }
    }

    /// Elements that the function only writes.
    pub fn out(place: OutSlice<'a, F>, initial: S) -> Self {
        let len = if place.is_null() { 0 } else { place.len() };
        let array = Array::filled(len, |_| initial);
        Array { is_null: place.is_null(), place, ..array }
    }

    /// Elements that the function reads.
    pub fn read(elements: InSlice<'_, F>, to: fn(F) -> S) -> Self {
        Array::converted(elements.get(), to)
    }

    /// Elements that the function reads and writes.
    pub fn changed(elements: InOutSlice<'a, F>, to: fn(F) -> S) -> Self {
        let elements = elements.get();
        let array = Array::converted(elements.as_deref(), to);
        Array { place: elements.map_or(OutSlice::null(), OutSlice::from), ..array }
    }

    pub fn pass(&self) -> *const S {
        match (self.is_null, self.len <= PLACES) {
            (true, _) => null(),
            (false, true) => self.inline.as_ptr().cast(),
            (false, false) => self.heap.as_ptr(),
        }
    }

    pub fn pass_mut(&mut self) -> *mut S {
        match (self.is_null, self.len <= PLACES) {
            (true, _) => null_mut(),
            (false, true) => self.inline.as_mut_ptr().cast(),
            (false, false) => self.heap.as_mut_ptr(),
        }
    }

    /// The standard's values.
    fn elements(&self) -> &[S] {
        if self.len > PLACES {
            return &self.heap;
        }
        // SAFETY: `filled` wrote the first `len` elements, and the function wrote only values.
        unsafe { slice::from_raw_parts(self.inline.as_ptr().cast(), self.len) }
    }

    pub fn leave(self, from: fn(S) -> F) {
        self.place.fill_unless_null(self.elements().iter().map(|&element| from(element)));
    }
}

/// Statuses.
pub struct Statuses<'a, F, const PLACES: usize = INLINE> {
    array: Array<'a, Standard, F, PLACES>,
    /// Whether only statuses that the function has written are converted back.
    out_only: bool,
}

/// One status. The places of many would be moved with every call.
pub type OneStatus<'a, F> = Statuses<'a, F, 1>;

/// A status that the function has not written. No source has this value.
const UNTOUCHED: Standard = with_error(Standard::new(c_int::MIN, c_int::MIN, 0), c_int::MIN);

const fn with_error(mut status: Standard, error: c_int) -> Standard {
    status.error = error;
    status
}

impl<'a, F: ForeignStatus, const PLACES: usize> Statuses<'a, F, PLACES> {
    pub fn out(places: OutSlice<'a, F>) -> Self {
        let places = if places.addr() == F::IGNORE { OutSlice::null() } else { places };
        Statuses { array: Array::out(places, UNTOUCHED), out_only: true }
    }

    pub fn read(statuses: InSlice<'_, F>) -> Self {
        let given = if statuses.addr() == F::IGNORE { None } else { statuses.get() };
        Statuses { array: Array::converted(given, F::to_standard), out_only: false }
    }

    /// Statuses that the function reads and writes.
    pub fn changed(statuses: InOutSlice<'a, F>) -> Self {
        let given = if statuses.addr() == F::IGNORE { InOutSlice::null() } else { statuses };
        let array = Array::changed(given, F::to_standard);
        Statuses { array: Array { is_null: array.len == 0, ..array }, out_only: false }
    }

    pub fn pass(&self) -> *const Standard {
        self.array.pass()
    }

    pub fn pass_mut(&mut self) -> *mut Standard {
        self.array.pass_mut()
    }

    pub fn leave(self) {
        for (index, status) in self.array.elements().iter().enumerate() {
            let Some(place) = self.array.place.at(index).get() else { return };
            if self.out_only && *status == UNTOUCHED {
                continue;
            }
            let converted = F::from_standard(status);
            if self.out_only && status.error == UNTOUCHED.error {
                converted.report_to(place);
            } else {
                place.write(converted);
            }
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

    /// A status whose null has the address 1.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    struct Status(Standard);

    impl ForeignStatus for Status {
        const IGNORE: usize = 1;

        fn to_standard(self) -> Standard {
            self.0
        }
        fn from_standard(status: &Standard) -> Status {
            Status(*status)
        }
        fn report_to(self, place: OutRef<'_, Status>) {
            // SAFETY: the tests' places hold statuses.
            let error = unsafe { (*place.as_ptr()).0.error };
            place.write(Status(with_error(self.0, error)));
        }
    }

    #[test]
    fn arrays_of_any_length_go_in_and_out() {
        for len in [0, 1, INLINE, INLINE + 1, 1000] {
            let mut numbers: Vec<c_int> = (0..len as c_int).collect();
            let elements = InOutSlice::from(&mut numbers[..]);
            let mut array: Array<_, _> = Array::changed(elements, |n: c_int| i64::from(n) * 2);
            for index in 0..len {
                let place = if len <= INLINE {
                    array.inline[index].write(2 * index as i64)
                } else {
                    &mut array.heap[index]
                };
                *place += 1;
            }
            array.leave(|n| n as c_int);
            assert!(numbers.iter().enumerate().all(|(index, n)| *n == 2 * index as c_int + 1));
        }
    }

    #[test]
    fn a_status_that_was_not_written_keeps_its_fields() {
        let before = Status::from_standard(&with_error(Standard::new(1, 2, 3), 15));
        let mut place = [before];
        OneStatus::out(OutSlice::from(&mut place[..])).leave();
        assert_eq!(place[0], before);
        let mut statuses = OneStatus::out(OutSlice::from(&mut place[..]));
        statuses.array.inline[0].write(with_error(Standard::new(7, 8, 9), UNTOUCHED.error));
        statuses.leave();
        assert_eq!(
            place[0].to_standard(),
            with_error(Standard::new(7, 8, 9), 15),
            "the error field is kept"
        );
    }

    #[test]
    fn arguments_that_are_null_stay_null() {
        assert!(OneStatus::<Status>::out(OutSlice::null()).pass().is_null());
        assert!(OneStatus::<Status>::changed(InOutSlice::null()).pass_mut().is_null());
        assert!(Place::<c_int, c_int>::out(Out::null(), 0).pass().is_null());
    }
}
