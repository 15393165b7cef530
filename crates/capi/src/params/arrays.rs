//! Arrays whose elements have one type in the int and in the large-count form.

#![allow(unsafe_code)]

use super::null;
use nemesis_mpi::error::Outcome;
use std::marker::PhantomData;
use std::slice;

/// An array that a function reads.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct InSlice<'a, T> {
    pub(super) address: *const T,
    pub(super) call: PhantomData<&'a [T]>,
}

impl<'a, T> InSlice<'a, T> {
    /// # Safety
    /// P1, P2 and P3 hold for an array of `T`.
    #[inline(always)]
    pub unsafe fn new(address: *const T) -> InSlice<'a, T> {
        InSlice { address, call: PhantomData }
    }

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.address.is_null()
    }

    /// The address, for arguments that a constant may replace (`MPI_UNWEIGHTED`).
    pub fn addr(&self) -> usize {
        self.address.addr()
    }

    /// The first `len` elements, where `len` is what the other arguments say. An array of no
    /// elements may be a null pointer; any other null pointer is `None`.
    #[inline]
    pub fn get(self, len: usize) -> Option<&'a [T]> {
        if len == 0 {
            return Some(&[]);
        }
        let address = self.address;
        // SAFETY: not null, so there are `len` elements (P1, P2), and nobody writes them (P3).
        (!address.is_null()).then(|| unsafe { slice::from_raw_parts(address, len) })
    }

    /// The first `len` elements. A null pointer is `MPI_ERR_ARG`, unless `len` is 0.
    #[inline]
    pub fn require(self, len: usize, name: &'static str) -> Outcome<&'a [T]> {
        self.get(len).ok_or_else(|| null(name))
    }
}

/// An array that a function writes.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct OutSlice<'a, T> {
    address: *mut T,
    call: PhantomData<&'a mut [T]>,
}

impl<'a, T> OutSlice<'a, T> {
    /// # Safety
    /// P1, P2 and P3 hold for an array of `T`, whose elements need not be initialised.
    #[inline(always)]
    pub unsafe fn new(address: *mut T) -> OutSlice<'a, T> {
        OutSlice { address, call: PhantomData }
    }

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.address.is_null()
    }

    /// The address, for arguments that a constant may replace (`MPI_UNWEIGHTED`).
    pub fn addr(&self) -> usize {
        self.address.addr()
    }

    /// Writes the values from the first element on. Their number is at most the length that the
    /// other arguments give. A null pointer is `MPI_ERR_ARG`, unless there are no values.
    pub fn fill(
        self,
        name: &'static str,
        values: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    ) -> Outcome {
        let values = values.into_iter();
        if self.is_null() && values.len() > 0 {
            return Err(null(name));
        }
        self.fill_unless_null(values);
        Ok(())
    }

    /// Writes the values from the first element on, unless the array is a null pointer. Their
    /// number is at most the length that the other arguments give.
    pub fn fill_unless_null(self, values: impl IntoIterator<Item = T>) {
        if self.is_null() {
            return;
        }
        for (index, value) in values.into_iter().enumerate() {
            // SAFETY: not null, so P1 and P2 say that the array has this element.
            unsafe { self.address.add(index).write(value) };
        }
    }
}

/// An array that a function reads and writes.
#[repr(transparent)]
pub struct InOutSlice<'a, T> {
    address: *mut T,
    call: PhantomData<&'a mut [T]>,
}

impl<'a, T> InOutSlice<'a, T> {
    /// # Safety
    /// P1, P2 and P3 hold for an array of `T`.
    #[inline(always)]
    pub unsafe fn new(address: *mut T) -> InOutSlice<'a, T> {
        InOutSlice { address, call: PhantomData }
    }

    /// The first `len` elements, where `len` is what the other arguments say. An array of no
    /// elements may be a null pointer; any other null pointer is `None`.
    #[inline]
    pub fn get(self, len: usize) -> Option<&'a mut [T]> {
        if len == 0 {
            return Some(&mut []);
        }
        // SAFETY: not null, so there are `len` elements (P1, P2), for this call only (P3).
        (!self.address.is_null()).then(|| unsafe { slice::from_raw_parts_mut(self.address, len) })
    }

    /// The first `len` elements. A null pointer is `MPI_ERR_ARG`, unless `len` is 0.
    pub fn require(self, len: usize, name: &'static str) -> Outcome<&'a mut [T]> {
        self.get(len).ok_or_else(|| null(name))
    }
}
