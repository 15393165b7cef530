//! Counts, displacements and sizes: `int` in the int form of a function, 64 bits in its large-count
//! form.

#![allow(unsafe_code)]

use super::{InOut, InSlice, Out, null};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use std::ffi::c_int;
use std::marker::PhantomData;

/// An array of counts or displacements that a function reads.
#[derive(Clone, Copy)]
pub enum IntArray<'a> {
    Int(InSlice<'a, c_int>),
    Long(InSlice<'a, i64>),
}

impl<'a> IntArray<'a> {
    /// # Safety
    /// P1, P2 and P3 hold for an array of `int`.
    #[inline(always)]
    pub unsafe fn int(address: *const c_int) -> IntArray<'a> {
        // SAFETY: the caller's promise is that of `InSlice::new`.
        IntArray::Int(unsafe { InSlice::new(address) })
    }

    /// # Safety
    /// P1, P2 and P3 hold for an array of `MPI_Count` or `MPI_Aint`.
    #[inline(always)]
    pub unsafe fn long(address: *const i64) -> IntArray<'a> {
        // SAFETY: the caller's promise is that of `InSlice::new`.
        IntArray::Long(unsafe { InSlice::new(address) })
    }

    #[inline(always)]
    pub fn is_null(self) -> bool {
        match self {
            IntArray::Int(array) => array.is_null(),
            IntArray::Long(array) => array.is_null(),
        }
    }

    /// The first `len` elements, where `len` is what the other arguments say. An array of no
    /// elements may be a null pointer; any other null pointer is `None`.
    #[inline(always)]
    pub fn get(self, len: usize) -> Option<Ints<'a>> {
        match self {
            IntArray::Int(array) => array.get(len).map(Ints::Int),
            IntArray::Long(array) => array.get(len).map(Ints::Long),
        }
    }

    /// The first `len` elements. A null pointer is `MPI_ERR_ARG`, unless `len` is 0.
    #[inline]
    pub fn require(self, len: usize, name: &'static str) -> Outcome<Ints<'a>> {
        self.get(len).ok_or_else(|| null(name))
    }
}

impl<'a> From<InSlice<'a, isize>> for IntArray<'a> {
    fn from(array: InSlice<'a, isize>) -> IntArray<'a> {
        const _: () = assert!(size_of::<isize>() == size_of::<i64>());
        IntArray::Long(InSlice { address: array.address.cast(), call: PhantomData })
    }
}

/// The elements of an [`IntArray`] of known length.
#[derive(Clone, Copy)]
pub enum Ints<'a> {
    Int(&'a [c_int]),
    Long(&'a [i64]),
}

impl<'a> Ints<'a> {
    /// Element `index`, which must be below the length.
    #[inline(always)]
    pub fn get(self, index: usize) -> i64 {
        match self {
            Ints::Int(elements) => i64::from(elements[index]),
            Ints::Long(elements) => elements[index],
        }
    }

    #[inline(always)]
    pub fn len(self) -> usize {
        match self {
            Ints::Int(elements) => elements.len(),
            Ints::Long(elements) => elements.len(),
        }
    }

    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    pub fn iter(self) -> impl Iterator<Item = i64> + 'a {
        (0..self.len()).map(move |index| self.get(index))
    }
}

/// An out parameter for a count: `int` in the int form, 64 bits in the large-count form, none where
/// the int form lacks the parameter.
#[derive(Clone, Copy)]
pub enum CountOut<'a> {
    Int(Out<'a, c_int>),
    Long(Out<'a, i64>),
    Absent,
}

impl<'a> CountOut<'a> {
    /// # Safety
    /// P1 and P3 hold for an `int`.
    #[inline(always)]
    pub unsafe fn int(address: *mut c_int) -> CountOut<'a> {
        // SAFETY: the caller's promise is that of `Out::new`.
        CountOut::Int(unsafe { Out::new(address) })
    }

    /// # Safety
    /// P1 and P3 hold for an `MPI_Count` or `MPI_Aint`.
    #[inline(always)]
    pub unsafe fn long(address: *mut i64) -> CountOut<'a> {
        // SAFETY: the caller's promise is that of `Out::new`.
        CountOut::Long(unsafe { Out::new(address) })
    }

    /// Whether this is the int form, which cannot tell numbers above `INT_MAX`.
    pub fn is_int(self) -> bool {
        !matches!(self, CountOut::Long(_))
    }

    pub fn is_null(self) -> bool {
        match self {
            CountOut::Int(place) => place.is_null(),
            CountOut::Long(place) => place.is_null(),
            CountOut::Absent => false,
        }
    }

    /// Writes the value, or `MPI_UNDEFINED` if it does not fit. A null pointer is `MPI_ERR_ARG`.
    #[inline(always)]
    pub fn put(self, name: &'static str, value: i64) -> Outcome {
        match self {
            CountOut::Int(place) => {
                place.put(name, c_int::try_from(value).unwrap_or(abi::MPI_UNDEFINED))
            }
            CountOut::Long(place) => place.put(name, value),
            CountOut::Absent => Ok(()),
        }
    }
}

/// A count that a function reads and writes: `int` in the int form, 64 bits in the large-count
/// form.
pub enum CountInOut<'a> {
    Int(InOut<'a, c_int>),
    Long(InOut<'a, i64>),
}

impl<'a> CountInOut<'a> {
    /// # Safety
    /// P1 and P3 hold for an `int`.
    #[inline(always)]
    pub unsafe fn int(address: *mut c_int) -> CountInOut<'a> {
        // SAFETY: the caller's promise is that of `InOut::new`.
        CountInOut::Int(unsafe { InOut::new(address) })
    }

    /// # Safety
    /// P1 and P3 hold for an `MPI_Count` or `MPI_Aint`.
    #[inline(always)]
    pub unsafe fn long(address: *mut i64) -> CountInOut<'a> {
        // SAFETY: the caller's promise is that of `InOut::new`.
        CountInOut::Long(unsafe { InOut::new(address) })
    }

    /// The count behind the pointer. A null pointer is `MPI_ERR_ARG`.
    pub fn require(self, name: &'static str) -> Outcome<CountRef<'a>> {
        Ok(match self {
            CountInOut::Int(place) => CountRef::Int(place.require(name)?.into_mut()),
            CountInOut::Long(place) => CountRef::Long(place.require(name)?.into_mut()),
        })
    }
}

/// A [`CountInOut`] that is not null.
pub enum CountRef<'a> {
    Int(&'a mut c_int),
    Long(&'a mut i64),
}

impl CountRef<'_> {
    pub fn read(&self) -> i64 {
        match self {
            CountRef::Int(count) => i64::from(**count),
            CountRef::Long(count) => **count,
        }
    }

    /// Writes the value, or `MPI_UNDEFINED` if it does not fit.
    pub fn write(self, value: i64) {
        match self {
            CountRef::Int(count) => *count = c_int::try_from(value).unwrap_or(abi::MPI_UNDEFINED),
            CountRef::Long(count) => *count = value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_that_does_not_fit_is_undefined() {
        let mut place = 0;
        // SAFETY: a local variable.
        unsafe { CountOut::int(&mut place) }.put("count", 1 << 31).expect("not null");
        assert_eq!(place, abi::MPI_UNDEFINED);
    }

    #[test]
    fn only_an_empty_array_may_be_null() {
        // SAFETY: a null pointer.
        let array = unsafe { IntArray::int(std::ptr::null()) };
        assert_eq!(array.get(0).map(Ints::len), Some(0));
        assert!(array.require(1, "counts").is_err_and(|error| error.class == abi::MPI_ERR_ARG));
    }
}
