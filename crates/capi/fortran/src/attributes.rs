//! Attributes: Fortran sets and reads integers, where C sets and reads pointers (MPI 5.0 §19.3.7).
//!
//! The C library stores in which form a value was set, and calls the subroutines of a key that was
//! created in Fortran by reference. Its functions for this are no part of MPI, and their first
//! argument names the kind of object. The subroutines get the program's own extra state, not a
//! copy, as with MPICH and Intel MPI: the variable must stay valid as long as the key is used.

use crate::abi::{create_keyval, get_attr, set_attr};
use crate::exports;
use crate::facts;
use crate::kind::{COMM, DATATYPE, WIN};
use crate::types::{Fint, finish, handle, logical};
use std::ffi::c_void;

macro_rules! keys {
    ($($kind:ident $create:ident $get:ident $set:ident;)*) => {$(
        pub unsafe extern "C" fn $create(
            copy: *mut c_void,
            delete: *mut c_void,
            keyval: *mut Fint,
            extra_state: *mut c_void,
            ierror: *mut Fint,
        ) {
            // SAFETY: the caller's promises to the MPI procedure.
            unsafe {
                finish(ierror, create_keyval($kind, 0, copy, delete, keyval, extra_state));
            }
        }

        pub unsafe extern "C" fn $get(
            object: *const Fint,
            keyval: *const Fint,
            value: *mut isize,
            flag: *mut Fint,
            ierror: *mut Fint,
        ) {
            // SAFETY: the caller's promises to the MPI procedure.
            unsafe {
                let mut found = 0;
                let object = handle::<$kind>(object);
                let code = get_attr($kind, object, *keyval, value, &mut found);
                logical(flag, found);
                finish(ierror, code);
            }
        }

        pub unsafe extern "C" fn $set(
            object: *const Fint,
            keyval: *const Fint,
            value: *const isize,
            ierror: *mut Fint,
        ) {
            // SAFETY: the caller's promises to the MPI procedure.
            unsafe {
                let object = handle::<$kind>(object);
                let code = set_attr($kind, 0, object, *keyval, *value);
                finish(ierror, code);
            }
        }
    )*};
}

keys! {
    COMM comm_create_keyval comm_get_attr comm_set_attr;
    DATATYPE type_create_keyval type_get_attr type_set_attr;
    WIN win_create_keyval win_get_attr win_set_attr;
}

/// MPI_KEYVAL_CREATE: values and the extra state are default INTEGERs.
pub unsafe extern "C" fn keyval_create(
    copy: *mut c_void,
    delete: *mut c_void,
    keyval: *mut Fint,
    extra_state: *mut c_void,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        finish(ierror, create_keyval(COMM, 1, copy, delete, keyval, extra_state));
    }
}

pub unsafe extern "C" fn attr_get(
    comm: *const Fint,
    keyval: *const Fint,
    value: *mut Fint,
    flag: *mut Fint,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let (mut word, mut found) = (0, 0);
        let code = get_attr(COMM, handle::<COMM>(comm), *keyval, &mut word, &mut found);
        if found != 0 {
            *value = word as Fint;
        }
        logical(flag, found);
        finish(ierror, code);
    }
}

pub unsafe extern "C" fn attr_put(
    comm: *const Fint,
    keyval: *const Fint,
    value: *const Fint,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let value = *value as isize;
        finish(ierror, set_attr(COMM, 1, handle::<COMM>(comm), *keyval, value));
    }
}

/// The predefined functions of keys, which a program may also call itself.
macro_rules! predefined {
    ($value:ty, $null_copy:ident $dup:ident $delete:ident) => {
        pub unsafe extern "C" fn $null_copy(
            _: *mut Fint,
            _: *mut Fint,
            _: *mut $value,
            _: *mut $value,
            _: *mut $value,
            flag: *mut Fint,
            ierror: *mut Fint,
        ) {
            // SAFETY: the arguments of a copy function.
            unsafe {
                *flag = facts::logical(false);
                finish(ierror, 0);
            }
        }

        pub unsafe extern "C" fn $dup(
            _: *mut Fint,
            _: *mut Fint,
            _: *mut $value,
            value: *mut $value,
            copied: *mut $value,
            flag: *mut Fint,
            ierror: *mut Fint,
        ) {
            // SAFETY: the arguments of a copy function.
            unsafe {
                *copied = *value;
                *flag = facts::logical(true);
                finish(ierror, 0);
            }
        }

        pub unsafe extern "C" fn $delete(
            _: *mut Fint,
            _: *mut Fint,
            _: *mut $value,
            _: *mut $value,
            ierror: *mut Fint,
        ) {
            // SAFETY: the arguments of a delete function.
            unsafe { finish(ierror, 0) };
        }
    };
}

predefined!(isize, null_copy dup delete);
predefined!(Fint, short_null_copy short_dup short_delete);

exports!(null_copy: mpi_comm_null_copy_fn_ mpi_type_null_copy_fn_ mpi_win_null_copy_fn_
    mpi_comm_null_copy_fn__ mpi_type_null_copy_fn__ mpi_win_null_copy_fn__
    mpi_comm_null_copy_fn mpi_type_null_copy_fn mpi_win_null_copy_fn
    MPI_COMM_NULL_COPY_FN MPI_TYPE_NULL_COPY_FN MPI_WIN_NULL_COPY_FN);
exports!(dup: mpi_comm_dup_fn_ mpi_type_dup_fn_ mpi_win_dup_fn_
    mpi_comm_dup_fn__ mpi_type_dup_fn__ mpi_win_dup_fn__
    mpi_comm_dup_fn mpi_type_dup_fn mpi_win_dup_fn
    MPI_COMM_DUP_FN MPI_TYPE_DUP_FN MPI_WIN_DUP_FN);
exports!(delete: mpi_comm_null_delete_fn_ mpi_type_null_delete_fn_ mpi_win_null_delete_fn_
    mpi_comm_null_delete_fn__ mpi_type_null_delete_fn__ mpi_win_null_delete_fn__
    mpi_comm_null_delete_fn mpi_type_null_delete_fn mpi_win_null_delete_fn
    MPI_COMM_NULL_DELETE_FN MPI_TYPE_NULL_DELETE_FN MPI_WIN_NULL_DELETE_FN);
exports!(short_null_copy: mpi_null_copy_fn_ mpi_null_copy_fn__ mpi_null_copy_fn MPI_NULL_COPY_FN);
exports!(short_dup: mpi_dup_fn_ mpi_dup_fn__ mpi_dup_fn MPI_DUP_FN);
exports!(short_delete: mpi_null_delete_fn_ mpi_null_delete_fn__ mpi_null_delete_fn
    MPI_NULL_DELETE_FN);
