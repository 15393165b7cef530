//! Symbols of Open MPI's ABI that are no functions of the standard: the predefined functions of
//! attributes, which are exported ones, and what C++ programs refer to without using it.

use crate::object::RawHandle;
use nemesis_capi::c_functions;
use nemesis_capi::params::Out;
use nemesis_capi::types::Function;
use nemesis_mpi::abi;
use std::ffi::{c_int, c_void};

/// Defines the three functions of a kind of attributes.
macro_rules! attribute_functions {
    ($($null_copy:ident $duplicate:ident $null_delete:ident: $what:literal;)*) => {
        c_functions! {$(
            #[doc = concat!("The copy of ", $what, " does not have the attribute.")]
            ///
            fn $null_copy(
                _old: RawHandle,
                _keyval: c_int,
                _extra_state: *mut c_void,
                _attribute_val_in: *mut c_void,
                _attribute_val_out: *mut c_void,
                flag: *mut c_int,
            ) -> c_int
            where flag: Out::new(flag) =>
            {
                flag.put_unless_null(0);
                abi::MPI_SUCCESS
            }

            #[doc = concat!("The copy of ", $what, " has the same value.")]
            ///
            fn $duplicate(
                _old: RawHandle,
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

            #[doc = concat!("Does nothing when the attribute of ", $what, " is deleted.")]
            ///
            fn $null_delete(
                _object: RawHandle,
                _keyval: c_int,
                _attribute_val: *mut c_void,
                _extra_state: *mut c_void,
            ) -> c_int {
                abi::MPI_SUCCESS
            }
        )*}

        /// What a function does that is one of these, as the standard ABI numbers it: nothing, or a
        /// copy.
        pub fn predefined(function: Function) -> Option<usize> {
            $(
                if function == $null_copy as Function || function == $null_delete as Function {
                    return Some(abi::MPI_COMM_NULL_COPY_FN);
                }
                if function == $duplicate as Function {
                    return Some(abi::MPI_COMM_DUP_FN);
                }
            )*
            None
        }
    };
}

attribute_functions! {
    OMPI_C_MPI_COMM_NULL_COPY_FN OMPI_C_MPI_COMM_DUP_FN OMPI_C_MPI_COMM_NULL_DELETE_FN:
        "a communicator";
    OMPI_C_MPI_TYPE_NULL_COPY_FN OMPI_C_MPI_TYPE_DUP_FN OMPI_C_MPI_TYPE_NULL_DELETE_FN:
        "a datatype";
    OMPI_C_MPI_WIN_NULL_COPY_FN OMPI_C_MPI_WIN_DUP_FN OMPI_C_MPI_WIN_NULL_DELETE_FN: "a window";
    OMPI_C_MPI_NULL_COPY_FN OMPI_C_MPI_DUP_FN OMPI_C_MPI_NULL_DELETE_FN:
        "a communicator (MPI-1)";
}

c_functions! {
    /// The C++ bindings, which MPI 3.0 removed, register a reduction by this. Headers of Open MPI 4
    /// leave the name in C++ programs that do not use them.
    ///
    fn ompi_op_set_cxx_callback(_op: RawHandle, _function: Function) -> () {
        nemesis_sys::message::tell(format_args!(
            "nemesis: this program reduces by a function of MPI's C++ bindings\n  why: MPI 3.0 \
             removed them, and this library does not have them\n  try: MPI_Op_create of the C \
             bindings, or Open MPI 4 for this program"
        ));
        std::process::abort();
    }
}
