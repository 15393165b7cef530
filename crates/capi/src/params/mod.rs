//! The parameters of MPI functions, as types whose unsafe part is argued once.
//!
//! The bindings build these from the arguments of the C function. A binding is unsafe: its caller
//! promises what the MPI standard asks of each argument. The constructors of this module pass that
//! promise on, and everything else about them is safe.
//!
//! | parameter | type |
//! |---|---|
//! | `int *flag`, `MPI_Comm *newcomm`, out | [`Out`] |
//! | `MPI_Request *request`, `int *buflen`, in and out | [`InOut`] |
//! | `const MPI_Status *status` | [`In`] |
//! | `MPI_Status *status`, `MPI_Status array_of_statuses[]`, out | [`StatusOut`], [`StatusesOut`] |
//! | `const int ranks[]` | [`InSlice`] |
//! | `int coords[]`, out | [`OutSlice`] |
//! | `MPI_Request array_of_requests[]`, in and out | [`InOutSlice`] |
//! | `const int counts[]` and `const MPI_Count counts[]` | [`IntArray`] |
//! | `int *count` and `MPI_Count *count` | [`CountOut`], [`CountInOut`] |
//! | `const char *key`, `char *name`, `char *argv[]` | [`StringIn`], [`StringOut`], [`StringsIn`] |
//! | `const void *buf`, `void *buf` (choice buffers) | [`UserBuffer`] |
//! | `void *buf` whose type another argument names | [`ValueIn`], [`ValueOut`] |
//!
//! Three invariants carry the arguments:
//!
//! - **P1** An address is null, or it is what the MPI standard asks of the argument while the call
//!   lasts (of a choice buffer: while the operation lasts).
//! - **P2** An array has as many elements as the standard says, which the other arguments tell. A
//!   function asks for no more: the length that it asks for is computed from those arguments.
//! - **P3** The arguments of one call that are written do not overlap (MPI 5.0 §2.3).
//!
//! Every type is an address and nothing else, so it is passed in a register as C passes it.

#![allow(unsafe_code)]

mod arrays;
mod buffer;
mod counts;
mod status;
mod strings;
mod values;

pub use arrays::{InOutSlice, InSlice, OutSlice};
pub use buffer::UserBuffer;
pub(crate) use buffer::negative_count;
pub use counts::{CountInOut, CountOut, CountRef, IntArray, Ints};
pub use status::{StatusOut, StatusesOut};
pub use strings::{StringIn, StringOut, StringsIn, cut};
pub use values::{Plain, ValueIn, ValueOut};

use nemesis_mpi::abi::MPI_ERR_ARG;
use nemesis_mpi::error::{Error, Outcome};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

#[cold]
pub(crate) fn null(name: &'static str) -> Box<Error> {
    Error::new(MPI_ERR_ARG, format!("{name} is a null pointer"))
}

/// An out parameter: null, or valid for one write.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct Out<'a, T> {
    address: *mut T,
    call: PhantomData<&'a mut T>,
}

impl<'a, T> Out<'a, T> {
    /// # Safety
    /// P1 and P3 hold: `address` is null or valid for a write of `T` while `'a` lasts.
    #[inline(always)]
    pub unsafe fn new(address: *mut T) -> Out<'a, T> {
        Out { address, call: PhantomData }
    }

    #[inline(always)]
    pub fn is_null(&self) -> bool {
        self.address.is_null()
    }

    /// The place behind the pointer; `None` for a null pointer.
    #[inline(always)]
    pub fn get(self) -> Option<OutRef<'a, T>> {
        NonNull::new(self.address).map(|address| OutRef { address, call: PhantomData })
    }

    /// The place behind the pointer. A null pointer is `MPI_ERR_ARG`.
    #[inline(always)]
    pub fn require(self, name: &'static str) -> Outcome<OutRef<'a, T>> {
        self.get().ok_or_else(|| null(name))
    }

    /// Writes the value. A null pointer is `MPI_ERR_ARG`.
    #[inline(always)]
    pub fn put(self, name: &'static str, value: T) -> Outcome {
        self.require(name)?.write(value);
        Ok(())
    }

    /// Writes the value unless the pointer is null.
    #[inline]
    pub fn put_unless_null(self, value: T) {
        if let Some(place) = self.get() {
            place.write(value);
        }
    }
}

impl<'a> Out<'a, *mut c_void> {
    /// A `void *` that is the address of a pointer (`baseptr`, `attribute_val`).
    ///
    /// # Safety
    /// As for [`Out::new`].
    #[inline(always)]
    pub unsafe fn of_pointer(address: *mut c_void) -> Out<'a, *mut c_void> {
        // SAFETY: the caller's promise.
        unsafe { Out::new(address.cast()) }
    }
}

/// An out parameter that is not null.
#[repr(transparent)]
pub struct OutRef<'a, T> {
    address: NonNull<T>,
    call: PhantomData<&'a mut T>,
}

impl<T> OutRef<'_, T> {
    #[inline(always)]
    pub fn write(self, value: T) {
        // SAFETY: not null, so P1 says that the address is valid for a write.
        unsafe { self.address.write(value) }
    }
}

/// A parameter that a function reads and writes: null, or the address of a value.
#[repr(transparent)]
pub struct InOut<'a, T> {
    address: *mut T,
    call: PhantomData<&'a mut T>,
}

impl<'a, T: Copy> InOut<'a, T> {
    /// # Safety
    /// P1 and P3 hold: `address` is null or points to a `T` that nobody else uses while `'a` lasts.
    #[inline(always)]
    pub unsafe fn new(address: *mut T) -> InOut<'a, T> {
        InOut { address, call: PhantomData }
    }

    /// The argument for a function that is called within this one.
    #[inline(always)]
    pub fn reborrow(&mut self) -> InOut<'_, T> {
        InOut { address: self.address, call: PhantomData }
    }

    /// The place behind the pointer; `None` for a null pointer.
    #[inline(always)]
    pub fn get(self) -> Option<InOutRef<'a, T>> {
        NonNull::new(self.address).map(|address| InOutRef { address, call: PhantomData })
    }

    /// The place behind the pointer. A null pointer is `MPI_ERR_ARG`.
    #[inline(always)]
    pub fn require(self, name: &'static str) -> Outcome<InOutRef<'a, T>> {
        self.get().ok_or_else(|| null(name))
    }
}

/// An [`InOut`] that is not null. No reference to the value lives while a callback of the program
/// runs, because the callback may know the variable.
#[repr(transparent)]
pub struct InOutRef<'a, T> {
    address: NonNull<T>,
    call: PhantomData<&'a mut T>,
}

impl<'a, T: Copy> InOutRef<'a, T> {
    #[inline(always)]
    pub fn read(&self) -> T {
        // SAFETY: not null, so P1 says that there is a value.
        unsafe { self.address.read() }
    }

    #[inline(always)]
    pub fn write(self, value: T) {
        // SAFETY: not null, so P1 says that the address is valid for a write.
        unsafe { self.address.write(value) }
    }

    /// The value as a variable, for as long as the call uses it alone (P3).
    #[inline(always)]
    pub fn into_mut(mut self) -> &'a mut T {
        // SAFETY: not null, so P1 says that there is a value.
        unsafe { self.address.as_mut() }
    }
}

/// A parameter that a function reads through a pointer: null, or the address of a value.
#[repr(transparent)]
#[derive(Clone, Copy)]
pub struct In<'a, T> {
    address: *const T,
    call: PhantomData<&'a T>,
}

impl<'a, T> In<'a, T> {
    /// # Safety
    /// P1 and P3 hold: `address` is null or points to a `T` that nobody writes while `'a` lasts.
    #[inline(always)]
    pub unsafe fn new(address: *const T) -> In<'a, T> {
        In { address, call: PhantomData }
    }

    /// The value behind the pointer. A null pointer is `MPI_ERR_ARG`.
    #[inline(always)]
    pub fn require(self, name: &'static str) -> Outcome<&'a T> {
        // SAFETY: null, or a value that P1 and P3 let this call read.
        unsafe { self.address.as_ref() }.ok_or_else(|| null(name))
    }
}
