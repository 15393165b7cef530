//! Symbols of MPICH's ABI that are no functions of the standard: objects whose value a program may
//! use, and the predefined copy function. What Fortran libraries need is in [`crate::fortran`].

use nemesis_mpi::abi;
use std::ffi::{c_int, c_void};

/// A pointer that a program may refer to by name. Nothing behind it is ever touched.
#[repr(transparent)]
pub struct Named(*mut c_void);

// SAFETY: the value is a constant.
unsafe impl Sync for Named {}

/// Programs pass the value of these two, so they hold the standard's values.
#[unsafe(no_mangle)]
pub static MPI_UNWEIGHTED: Named = Named(abi::MPI_UNWEIGHTED as *mut c_void);
#[unsafe(no_mangle)]
pub static MPI_WEIGHTS_EMPTY: Named = Named(abi::MPI_WEIGHTS_EMPTY as *mut c_void);
#[unsafe(no_mangle)]
pub static MPI_T_PVAR_ALL_HANDLES: Named = Named(abi::MPI_T_PVAR_ALL_HANDLES as *mut c_void);

/// `MPI_DUP_FN` and its kin: the copy has the same value.
///
/// # Safety
/// `attribute_val_out` and `flag` are places for a pointer and a flag.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn MPIR_Dup_fn(
    _old: c_int,
    _keyval: c_int,
    _extra_state: *mut c_void,
    attribute_val_in: *mut c_void,
    attribute_val_out: *mut c_void,
    flag: *mut c_int,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { attribute_val_out.cast::<*mut c_void>().write(attribute_val_in) };
    // SAFETY: the caller's promise.
    unsafe { flag.write(1) };
    abi::MPI_SUCCESS
}
