//! Fortran in the C libraries: the program's [`subroutines`], the pointers by which C knows
//! Fortran's ignored statuses, and the conversions between the statuses of the languages (MPI 5.0
//! §19.3.5).

#![allow(unsafe_code)]

pub mod subroutines;

use crate::Outcome;
use crate::params::{In, Out};
use nemesis_mpi::abi;
use nemesis_mpi::error::Error;
use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::mem::MaybeUninit;

/// A pointer that programs and Fortran libraries read and write by name.
#[repr(transparent)]
pub struct Writable(UnsafeCell<*mut c_void>);

// SAFETY: it is written while a Fortran library is loaded, by one thread, and only read afterwards.
unsafe impl Sync for Writable {}

impl Writable {
    pub const fn new(pointer: *mut c_void) -> Writable {
        Writable(UnsafeCell::new(pointer))
    }

    pub fn get(&self) -> *mut c_void {
        // SAFETY: nothing writes it at the same time, see `Sync`.
        unsafe { self.0.get().read_volatile() }
    }

    /// Sets the pointer.
    ///
    /// # Safety
    /// No other thread uses the pointer.
    pub unsafe fn set(&self, pointer: *mut c_void) {
        // SAFETY: the caller's promise.
        unsafe { self.0.get().write_volatile(pointer) }
    }
}

/// Copies a status of C, of Fortran or of Fortran 2008 to another: each is the same integers, which
/// may be uninitialised. `is_ignored` tells the addresses by which a status is ignored.
pub fn copy_status<S: Copy>(
    from: In<'_, MaybeUninit<S>>,
    to: Out<'_, MaybeUninit<S>>,
    is_ignored: impl Fn(usize) -> bool,
) -> Outcome {
    let (ignored, to_ignored) = (is_ignored(from.addr()), is_ignored(to.addr()));
    let (false, false, Some(from), Some(to)) = (ignored, to_ignored, from.get(), to.get()) else {
        let why = "MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE and their forms in Fortran cannot be \
                   converted: there is no status";
        return Err(Error::new(abi::MPI_ERR_ARG, why));
    };
    to.write(*from);
    Ok(())
}
