//! Arrays with a length that a communicator has.

#![allow(unsafe_code)]

use super::{InSlice, Ints, null};
use nemesis_mpi::error::Outcome;
use std::ffi::c_int;
use std::marker::PhantomData;

/// An array that a function reads, with an element for each rank, neighbour or dimension of the
/// communicator that the call names.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct CommArray<'a, T> {
    address: *const T,
    call: PhantomData<&'a [T]>,
}

impl<'a, T> CommArray<'a, T> {
    /// # Safety
    /// P1, P2 and P3 hold for an array of `T` with a length that the communicator has.
    #[inline(always)]
    pub unsafe fn new(address: *const T) -> CommArray<'a, T> {
        CommArray { address, call: PhantomData }
    }

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.address.is_null()
    }

    /// The elements, of which the communicator has `len`. An array of no elements may be a null
    /// pointer; any other null pointer is `None`.
    #[inline(always)]
    pub fn get(self, len: usize) -> Option<&'a [T]> {
        // SAFETY: P1 and P3; P2 says that the communicator gives the length.
        unsafe { InSlice::new(self.address, len as i64) }.get()
    }

    /// The elements, of which the communicator has `len`. A null pointer is `MPI_ERR_ARG`, unless
    /// `len` is 0.
    #[inline]
    pub fn require(self, len: usize, name: &'static str) -> Outcome<&'a [T]> {
        self.get(len).ok_or_else(|| null(name))
    }
}

/// A [`CommArray`] of counts or displacements.
#[derive(Clone, Copy)]
pub enum IntArray<'a> {
    Int(CommArray<'a, c_int>),
    Long(CommArray<'a, i64>),
}

impl<'a> IntArray<'a> {
    /// The elements, as [`CommArray::get`] gives them.
    #[inline(always)]
    pub fn get(self, len: usize) -> Option<Ints<'a>> {
        match self {
            IntArray::Int(array) => array.get(len).map(Ints::Int),
            IntArray::Long(array) => array.get(len).map(Ints::Long),
        }
    }

    /// The elements, as [`CommArray::require`] gives them.
    #[inline]
    pub fn require(self, len: usize, name: &'static str) -> Outcome<Ints<'a>> {
        self.get(len).ok_or_else(|| null(name))
    }
}

impl<'a> From<CommArray<'a, isize>> for IntArray<'a> {
    fn from(array: CommArray<'a, isize>) -> IntArray<'a> {
        const _: () = assert!(size_of::<isize>() == size_of::<i64>());
        IntArray::Long(CommArray { address: array.address.cast(), call: PhantomData })
    }
}
