//! Values behind a `void *` that is no choice buffer: another argument tells their type.

#![allow(unsafe_code)]

use super::null;
use nemesis_mpi::error::Outcome;
use nemesis_mpi::handle::Comm;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;

/// Types that have no invalid bit patterns.
///
/// # Safety
/// Every pattern of bits is a value of the type.
pub unsafe trait Plain: Copy {}

// SAFETY: an integer.
unsafe impl Plain for c_int {}
// SAFETY: an integer.
unsafe impl Plain for u64 {}
// SAFETY: a byte.
unsafe impl Plain for u8 {}
// SAFETY: a transparent type over an integer.
unsafe impl Plain for Comm {}

/// A value that a function reads.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct ValueIn<'a> {
    address: *const c_void,
    call: PhantomData<&'a c_void>,
}

impl<'a> ValueIn<'a> {
    /// # Safety
    /// P1, P2 and P3 hold for a value of the type that the standard or another argument names.
    #[inline(always)]
    pub unsafe fn new(address: *const c_void) -> ValueIn<'a> {
        ValueIn { address, call: PhantomData }
    }

    pub fn is_null(self) -> bool {
        self.address.is_null()
    }

    /// The value, of the type that the standard or another argument names; `None` for a null
    /// pointer.
    pub fn get<T: Plain>(self) -> Option<T> {
        // SAFETY: not null, so P1 and P2 say that there is a value of this type.
        (!self.is_null()).then(|| unsafe { self.address.cast::<T>().read() })
    }

    /// Reads as many bytes as `bytes` has, which are those of the value. A null pointer is
    /// `MPI_ERR_ARG`.
    pub fn require_bytes(self, name: &'static str, bytes: &mut [u8]) -> Outcome {
        if self.is_null() {
            return Err(null(name));
        }
        // SAFETY: not null, so P1 and P2 say that the value has as many bytes.
        unsafe {
            bytes.as_mut_ptr().copy_from_nonoverlapping(self.address.cast(), bytes.len());
        }
        Ok(())
    }
}

/// A value that a function writes.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct ValueOut<'a> {
    address: *mut c_void,
    call: PhantomData<&'a mut c_void>,
}

impl<'a> ValueOut<'a> {
    /// # Safety
    /// P1, P2 and P3 hold for a value of the type that the standard or another argument names.
    #[inline(always)]
    pub unsafe fn new(address: *mut c_void) -> ValueOut<'a> {
        ValueOut { address, call: PhantomData }
    }

    pub fn is_null(self) -> bool {
        self.address.is_null()
    }

    /// Writes the value, or a part of it that begins `offset` bytes behind the address and need not
    /// be aligned. A null pointer stays unwritten.
    pub fn put_at<T: Plain>(self, offset: usize, value: T) {
        if !self.is_null() {
            // SAFETY: not null, so P1 and P2 say that these bytes belong to the value.
            unsafe { self.address.cast::<u8>().add(offset).cast::<T>().write_unaligned(value) };
        }
    }

    /// Writes the bytes of a value. A null pointer is `MPI_ERR_ARG`.
    pub fn put_bytes(self, name: &'static str, bytes: &[u8]) -> Outcome {
        if self.is_null() {
            return Err(null(name));
        }
        // SAFETY: not null, so P1 and P2 say that the value has as many bytes.
        unsafe {
            self.address.cast::<u8>().copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        }
        Ok(())
    }
}
