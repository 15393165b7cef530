//! Arrays with the count of their elements.

use crate::{Call, Library, Out};
use std::marker::PhantomData;
use std::slice;

/// The number of elements that a count promises: none if it is negative, which the function
/// reports.
#[inline(always)]
fn elements(count: i64) -> usize {
    count.max(0) as usize
}

/// An array that a function reads.
pub struct InSlice<'a, T, L> {
    address: *const T,
    len: usize,
    call: Call<&'a [T], L>,
}

impl<T, L> Clone for InSlice<'_, T, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, L> Copy for InSlice<'_, T, L> {}

impl<'a, T, L: Library> InSlice<'a, T, L> {
    /// # Safety
    /// P1, P2 and P3 hold: `address` is null or an array of `count` elements of type `T`. An
    /// address that is no array, such as `MPI_UNWEIGHTED`, is allowed if the function recognises it
    /// by [`addr`](Self::addr) and asks for no elements.
    #[inline(always)]
    pub unsafe fn new(address: *const T, count: i64) -> Self {
        InSlice { address, len: elements(count), call: PhantomData }
    }

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.address.is_null()
    }

    /// A null pointer: no array.
    pub(crate) fn null() -> Self {
        InSlice { address: std::ptr::null(), len: 0, call: PhantomData }
    }

    /// The address, for arrays whose end an element tells.
    pub(crate) fn as_ptr(&self) -> *const T {
        self.address
    }

    /// The address, for arguments that a constant may replace (`MPI_UNWEIGHTED`).
    pub fn addr(&self) -> usize {
        self.address.addr()
    }

    /// The elements. An array of no elements may be a null pointer; any other null pointer is
    /// `None`.
    #[inline(always)]
    pub fn get(self) -> Option<&'a [T]> {
        if self.len == 0 {
            return Some(&[]);
        }
        let (address, len) = (self.address, self.len);
        // SAFETY: not null, so there are `len` elements (P1, P2), and nobody writes them (P3).
        (!address.is_null()).then(|| unsafe { slice::from_raw_parts(address, len) })
    }

    /// The elements. A null pointer is an error, unless there are none.
    #[inline(always)]
    pub fn require(self, name: &'static str) -> Result<&'a [T], L::Error> {
        self.get().ok_or_else(|| L::null(name))
    }
}

impl<'a, T, L> From<&'a [T]> for InSlice<'a, T, L> {
    fn from(elements: &'a [T]) -> Self {
        InSlice { address: elements.as_ptr(), len: elements.len(), call: PhantomData }
    }
}

/// An array that a function writes. Its elements need not be initialised.
pub struct OutSlice<'a, T, L> {
    address: *mut T,
    len: usize,
    call: Call<&'a mut [T], L>,
}

impl<T, L> Clone for OutSlice<'_, T, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, L> Copy for OutSlice<'_, T, L> {}

impl<'a, T, L: Library> OutSlice<'a, T, L> {
    /// # Safety
    /// P1, P2 and P3 hold: `address` is null or an array of `count` elements of type `T`. An
    /// address that is no array, such as `MPI_UNWEIGHTED`, is allowed if the function recognises it
    /// by [`addr`](Self::addr) and writes no elements.
    #[inline(always)]
    pub unsafe fn new(address: *mut T, count: i64) -> Self {
        OutSlice { address, len: elements(count), call: PhantomData }
    }

    /// A null pointer, for a parameter that this form of the function lacks.
    #[inline(always)]
    pub fn null() -> Self {
        OutSlice { address: std::ptr::null_mut(), len: 0, call: PhantomData }
    }

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.address.is_null()
    }

    /// The address, for arguments that a constant may replace (`MPI_UNWEIGHTED`).
    pub fn addr(&self) -> usize {
        self.address.addr()
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Element `index`; a null pointer if the array is null or has no such element.
    #[inline(always)]
    pub fn at(self, index: usize) -> Out<'a, T, L> {
        if self.is_null() || index >= self.len {
            return Out::null();
        }
        // SAFETY: P1 and P2 say that the array has this element, P3 that it may be written.
        unsafe { Out::new(self.address.add(index)) }
    }

    /// Writes the values from the first element on, at most as many as the array has elements. A
    /// null pointer is an error, unless there are no values.
    pub fn fill(
        self,
        name: &'static str,
        values: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    ) -> Result<(), L::Error> {
        let values = values.into_iter();
        if self.is_null() && values.len() > 0 {
            return Err(L::null(name));
        }
        self.fill_unless_null(values);
        Ok(())
    }

    /// Writes the values from the first element on, at most as many as the array has elements,
    /// unless the array is a null pointer.
    pub fn fill_unless_null(self, values: impl IntoIterator<Item = T>) {
        for (index, value) in (0..self.len).zip(values) {
            self.at(index).put_unless_null(value);
        }
    }
}

impl<'a, T, L> From<&'a mut [T]> for OutSlice<'a, T, L> {
    fn from(elements: &'a mut [T]) -> Self {
        OutSlice { address: elements.as_mut_ptr(), len: elements.len(), call: PhantomData }
    }
}

/// An array that a function reads and writes.
pub struct InOutSlice<'a, T, L> {
    address: *mut T,
    len: usize,
    call: Call<&'a mut [T], L>,
}

impl<'a, T, L: Library> InOutSlice<'a, T, L> {
    /// # Safety
    /// P1, P2 and P3 hold: `address` is null or an array of `count` elements of type `T`.
    #[inline(always)]
    pub unsafe fn new(address: *mut T, count: i64) -> Self {
        InOutSlice { address, len: elements(count), call: PhantomData }
    }

    /// A null pointer, for an address that stands for no array.
    #[inline(always)]
    pub fn null() -> Self {
        InOutSlice { address: std::ptr::null_mut(), len: 0, call: PhantomData }
    }

    /// The address, for arguments that a constant may replace.
    pub fn addr(&self) -> usize {
        self.address.addr()
    }

    /// The elements. An array of no elements may be a null pointer; any other null pointer is
    /// `None`.
    #[inline(always)]
    pub fn get(self) -> Option<&'a mut [T]> {
        if self.len == 0 {
            return Some(&mut []);
        }
        let (address, len) = (self.address, self.len);
        // SAFETY: not null, so there are `len` elements (P1, P2), for this call only (P3).
        (!address.is_null()).then(|| unsafe { slice::from_raw_parts_mut(address, len) })
    }

    /// The elements. A null pointer is an error, unless there are none.
    #[inline(always)]
    pub fn require(self, name: &'static str) -> Result<&'a mut [T], L::Error> {
        self.get().ok_or_else(|| L::null(name))
    }
}

impl<'a, T, L> From<&'a mut [T]> for InOutSlice<'a, T, L> {
    fn from(elements: &'a mut [T]) -> Self {
        InOutSlice { address: elements.as_mut_ptr(), len: elements.len(), call: PhantomData }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Test;

    impl Library for Test {
        type Error = &'static str;

        fn null(name: &'static str) -> &'static str {
            name
        }
    }

    #[test]
    fn an_array_has_as_many_elements_as_its_count_says() {
        let mut numbers = [1, 2, 3];
        let array = InSlice::<_, Test>::from(&numbers[..2]);
        assert_eq!(array.require("numbers"), Ok(&[1, 2][..]));
        let place = OutSlice::<_, Test>::from(&mut numbers[..2]);
        assert_eq!(place.fill("numbers", [7, 8, 9]), Ok(()));
        assert!(place.at(1).get().is_some() && place.at(2).is_null());
        assert_eq!(numbers, [7, 8, 3]);
    }

    #[test]
    fn a_negative_count_is_no_elements_and_only_those_may_be_null() {
        // SAFETY: null pointers.
        let [none, some] =
            [-1, 1].map(|n| unsafe { InSlice::<u8, Test>::new(std::ptr::null(), n) });
        assert_eq!((none.require("array"), some.require("array")), (Ok(&[][..]), Err("array")));
        assert_eq!(OutSlice::<u8, Test>::null().fill("array", [1]), Err("array"));
    }
}
