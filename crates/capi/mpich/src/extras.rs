//! Symbols of MPICH's ABI that are no functions of the standard: objects whose value a program may
//! use, and the predefined copy function. What Fortran libraries need is in [`crate::fortran`].

use nemesis_capi::params::Out;
use nemesis_capi::{c_functions, c_objects};
use nemesis_mpi::abi;
use std::ffi::{c_int, c_void};

/// A pointer that a program may refer to by name. Nothing behind it is ever touched.
type Named = usize;

c_objects! {
    /// Programs pass the value of this and the next, so they hold the standard's values.
    MPI_UNWEIGHTED: Named = abi::MPI_UNWEIGHTED;
    MPI_WEIGHTS_EMPTY: Named = abi::MPI_WEIGHTS_EMPTY;
    MPI_T_PVAR_ALL_HANDLES: Named = abi::MPI_T_PVAR_ALL_HANDLES;
}

c_functions! {
    /// `MPI_DUP_FN` and its kin: the copy has the same value.
    ///
    fn MPIR_Dup_fn(
        _old: c_int,
        _keyval: c_int,
        _extra_state: *mut c_void,
        attribute_val_in: *mut c_void,
        attribute_val_out: *mut c_void,
        flag: *mut c_int,
    ) -> c_int
    where
        copied: Out::new(attribute_val_out.cast::<*mut c_void>()),
        flag: Out::new(flag) =>
    {
        copied.put_unless_null(attribute_val_in);
        flag.put_unless_null(1);
        abi::MPI_SUCCESS
    }
}
