//! Arguments of an ABI that is not the standard's, converted for the time of a call: one value
//! ([`Place`]), an array ([`Array`]), a status ([`OneStatus`]), statuses ([`Statuses`]).
//!
//! Each is made from the program's argument, passes a pointer to the standard's values, and
//! `leave`s converted results behind the program's pointer. A null pointer stays null, so the
//! implementation sees it and reports it. Up to [`INLINE`] elements lie on the stack.

#![allow(unsafe_code)]

use crate::impls::request_left;
use crate::params::{In, InOut, InOutRef, InOutSlice, InSlice, Out, OutRef, OutSlice};
use crate::types::Status as Standard;
use nemesis_mpi::handle::Request;
use std::any::Any;
use std::ffi::{c_int, c_void};
use std::iter::repeat_n;
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
    #[inline(always)]
    pub fn out(place: Out<'a, F>, initial: S) -> Self {
        Place { value: initial, place: place.get(), is_out: true }
    }

    /// A value that the function reads and writes; `absent` stands for a null pointer.
    #[inline(always)]
    pub fn read(place: InOut<'a, F>, absent: S, to: fn(F) -> S) -> Self {
        match place.get() {
            Some(place) => {
                Place { value: to(place.read()), place: Some(place.into_out()), is_out: false }
            }
            None => Place { value: absent, place: None, is_out: false },
        }
    }

    #[inline(always)]
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

    /// Writes the value of a call that a fast path has completed. The development checks close
    /// those.
    #[inline(always)]
    pub fn leave_fast(self, from: fn(S) -> F) {
        if let Some(place) = self.place {
            place.write(from(self.value));
        }
    }
}

/// An array whose elements the function reads, writes, or both.
pub struct Array<'a, S, F> {
    inline: [MaybeUninit<S>; INLINE],
    heap: Vec<S>,
    len: usize,
    is_null: bool,
    /// Where the function's results go.
    place: OutSlice<'a, F>,
}

// The conversions are types of their own, so that the compiler inlines them: programs complete
// arrays of requests after each step.
impl<'a, S: Copy, F: Copy> Array<'a, S, F> {
    /// An array without elements.
    #[inline(always)]
    fn empty(is_null: bool, place: OutSlice<'a, F>) -> Self {
        let inline = [const { MaybeUninit::uninit() }; INLINE];
        Array { inline, heap: Vec::new(), len: 0, is_null, place }
    }

    #[inline]
    fn fill(&mut self, elements: impl ExactSizeIterator<Item = S>) {
        self.len = elements.len();
        if self.len <= INLINE {
            for (slot, element) in self.inline.iter_mut().zip(elements) {
                slot.write(element);
            }
        } else {
            self.heap = elements.collect();
        }
    }

    #[inline]
    fn fill_unwritten(&mut self, initial: S) {
        if !self.is_null {
            self.fill(repeat_n(initial, self.place.len()));
        }
    }

    /// Elements that the function only writes.
    #[inline(always)]
    pub fn out(place: OutSlice<'a, F>, initial: S) -> Self {
        let mut array = Array::empty(place.is_null(), place);
        array.fill_unwritten(initial);
        array
    }

    /// Elements that the function reads.
    #[inline(always)]
    pub fn read(elements: InSlice<'_, F>, to: impl Fn(F) -> S) -> Self {
        let elements = elements.get();
        let mut array = Array::empty(elements.is_none(), OutSlice::null());
        array.fill(elements.unwrap_or(&[]).iter().map(|&element| to(element)));
        array
    }

    /// Elements that the function reads and writes.
    #[inline(always)]
    pub fn changed(elements: InOutSlice<'a, F>, to: impl Fn(F) -> S) -> Self {
        let elements = elements.get();
        let mut array = Array::empty(elements.is_none(), OutSlice::null());
        if let Some(elements) = elements {
            array.fill(elements.iter().map(|&element| to(element)));
            array.place = OutSlice::from(elements);
        }
        array
    }

    pub fn pass(&self) -> *const S {
        match (self.is_null, self.len <= INLINE) {
            (true, _) => null(),
            (false, true) => self.inline.as_ptr().cast(),
            (false, false) => self.heap.as_ptr(),
        }
    }

    pub fn pass_mut(&mut self) -> *mut S {
        match (self.is_null, self.len <= INLINE) {
            (true, _) => null_mut(),
            (false, true) => self.inline.as_mut_ptr().cast(),
            (false, false) => self.heap.as_mut_ptr(),
        }
    }

    /// The standard's values.
    fn elements(&self) -> &[S] {
        if self.len > INLINE {
            return &self.heap;
        }
        // SAFETY: `fill` wrote the first `len` elements, and the function wrote only values.
        unsafe { slice::from_raw_parts(self.inline.as_ptr().cast(), self.len) }
    }

    #[inline]
    pub fn leave(self, from: impl Fn(S) -> F) {
        self.place.fill_unless_null(self.elements().iter().map(|&element| from(element)));
    }
}

/// Statuses of an array.
pub struct Statuses<'a, F> {
    array: Array<'a, Standard, F>,
    /// Whether only statuses that the function has written are converted back.
    out_only: bool,
}

/// One status.
pub struct OneStatus<'a, F> {
    status: Standard,
    /// Whether there is none: an ignored one.
    is_null: bool,
    /// Where the function's result goes.
    place: Option<OutRef<'a, F>>,
    /// Whether the function only writes the status.
    is_out: bool,
}

/// A status that the function has not written. No source has this value.
const UNTOUCHED: Standard = with_error(Standard::new(c_int::MIN, c_int::MIN, 0), c_int::MIN);

const fn with_error(mut status: Standard, error: c_int) -> Standard {
    status.error = error;
    status
}

/// Writes a status that the function has written, and the error field if it has written that.
#[inline(always)]
fn leave_status<F: ForeignStatus>(status: &Standard, place: OutRef<'_, F>) {
    if *status == UNTOUCHED {
        return;
    }
    let converted = F::from_standard(status);
    if status.error == UNTOUCHED.error {
        converted.report_to(place);
    } else {
        place.write(converted);
    }
}

impl<'a, F: ForeignStatus> OneStatus<'a, F> {
    #[inline(always)]
    pub fn out(place: Out<'a, F>) -> Self {
        let place = if place.addr() == F::IGNORE { None } else { place.get() };
        OneStatus { status: UNTOUCHED, is_null: place.is_none(), place, is_out: true }
    }

    pub fn read(status: In<'_, F>) -> Self {
        let given = if status.addr() == F::IGNORE { None } else { status.get() };
        let status = given.map_or(UNTOUCHED, |status| status.to_standard());
        OneStatus { status, is_null: given.is_none(), place: None, is_out: false }
    }

    /// A status that the function reads and writes.
    pub fn changed(status: InOut<'a, F>) -> Self {
        let given = if status.addr() == F::IGNORE { None } else { status.get() };
        OneStatus {
            status: given.as_ref().map_or(UNTOUCHED, |place| place.read().to_standard()),
            is_null: given.is_none(),
            place: given.map(InOutRef::into_out),
            is_out: false,
        }
    }

    pub fn pass(&self) -> *const Standard {
        if self.is_null { null() } else { &raw const self.status }
    }

    #[inline(always)]
    pub fn pass_mut(&mut self) -> *mut Standard {
        if self.is_null { null_mut() } else { &raw mut self.status }
    }

    #[inline(always)]
    pub fn leave(self) {
        match self.place {
            Some(place) if self.is_out => leave_status(&self.status, place),
            Some(place) => place.write(F::from_standard(&self.status)),
            None => {}
        }
    }
}

impl<'a, F: ForeignStatus> Statuses<'a, F> {
    #[inline(always)]
    pub fn out(places: OutSlice<'a, F>) -> Self {
        let places = if places.addr() == F::IGNORE { OutSlice::null() } else { places };
        let mut statuses =
            Statuses { array: Array::empty(places.is_null(), places), out_only: true };
        statuses.array.fill_unwritten(UNTOUCHED);
        statuses
    }

    /// Statuses that the function reads and writes.
    pub fn changed(statuses: InOutSlice<'a, F>) -> Self {
        let given = if statuses.addr() == F::IGNORE { InOutSlice::null() } else { statuses };
        let mut array = Array::changed(given, F::to_standard);
        array.is_null = array.len == 0;
        Statuses { array, out_only: false }
    }

    pub fn pass_mut(&mut self) -> *mut Standard {
        self.array.pass_mut()
    }

    pub fn leave(self) {
        for (index, status) in self.array.elements().iter().enumerate() {
            let Some(place) = self.array.place.at(index).get() else { return };
            if self.out_only {
                leave_status(status, place);
            } else {
                place.write(F::from_standard(status));
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
        let mut place = before;
        OneStatus::out(Out::from(&mut place)).leave();
        assert_eq!(place, before);
        let mut status = OneStatus::out(Out::from(&mut place));
        status.status = with_error(Standard::new(7, 8, 9), UNTOUCHED.error);
        status.leave();
        assert_eq!(
            place.to_standard(),
            with_error(Standard::new(7, 8, 9), 15),
            "the error field is kept"
        );
    }

    #[test]
    fn statuses_that_were_not_written_keep_their_fields() {
        let before = Status::from_standard(&with_error(Standard::new(1, 2, 3), 15));
        let mut places = [before; 3];
        let mut statuses = Statuses::out(OutSlice::from(&mut places[..]));
        statuses.array.inline[1].write(with_error(Standard::new(7, 8, 9), 16));
        statuses.leave();
        let written = Status(with_error(Standard::new(7, 8, 9), 16));
        assert_eq!(places, [before, written, before]);
    }

    #[test]
    fn arguments_that_are_null_stay_null() {
        assert!(OneStatus::<Status>::out(Out::null()).pass().is_null());
        let mut ignored = Status(UNTOUCHED);
        assert!(!OneStatus::<Status>::changed(InOut::from(&mut ignored)).pass_mut().is_null());
        assert!(Statuses::<Status>::changed(InOutSlice::null()).pass_mut().is_null());
        assert!(Place::<c_int, c_int>::out(Out::null(), 0).pass().is_null());
    }
}
