//! Counts, displacements and sizes: `int` in the int form of a function, 64 bits in its large-count
//! form.

use super::{InOut, InSlice, Out};
use nemesis_mpi::abi;
use nemesis_mpi::error::Outcome;
use std::ffi::c_int;

/// An array of counts or displacements that a function reads.
#[derive(Clone, Copy)]
pub enum IntSlice<'a> {
    Int(InSlice<'a, c_int>),
    Long(InSlice<'a, i64>),
}

impl<'a> IntSlice<'a> {
    /// The elements. A null pointer is `MPI_ERR_ARG`, unless there are none.
    #[inline]
    pub fn require(self, name: &'static str) -> Outcome<Ints<'a>> {
        match self {
            IntSlice::Int(array) => array.require(name).map(Ints::Int),
            IntSlice::Long(array) => array.require(name).map(Ints::Long),
        }
    }
}

/// The elements of an [`IntSlice`] or of an [`IntArray`](super::IntArray).
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
        CountOut::Int(Out::from(&mut place)).put("count", 1 << 31).expect("not null");
        assert_eq!(place, abi::MPI_UNDEFINED);
    }

    #[test]
    fn an_array_has_the_elements_of_its_form() {
        let array = IntSlice::Long(InSlice::from(&[1 << 40, 2][..]));
        let elements = array.require("counts").expect("not null");
        assert_eq!(elements.iter().collect::<Vec<_>>(), [1 << 40, 2]);
    }
}
