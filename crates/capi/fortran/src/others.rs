//! Procedures that have no function of C behind them, or another one than their name says.

use crate::abi::STATUS_INTEGERS;
use crate::types::{Fint, finish};
use crate::{exports, exports_f08};
use std::ffi::{c_int, c_void};

/// MPI_F_SYNC_REG: a call that the compiler cannot look into is all that it takes.
pub extern "C" fn f_sync_reg(_: *mut c_void) {}

exports!(f_sync_reg: mpi_f_sync_reg_ mpi_f_sync_reg mpi_f_sync_reg__ MPI_F_SYNC_REG
    pmpi_f_sync_reg_ pmpi_f_sync_reg pmpi_f_sync_reg__ PMPI_F_SYNC_REG);
exports_f08!(f_sync_reg: mpi_f_sync_reg_f08ts_ pmpir_f_sync_reg_f08ts_;
    f_sync_reg: mpi_f_sync_reg_f08_ pmpi_f_sync_reg_f08_);

/// MPI_STATUS_F082F and MPI_STATUS_F2F08: both statuses are the integers of a status of C.
pub unsafe extern "C" fn status_copy(from: *const c_int, to: *mut c_int, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        to.copy_from(from, STATUS_INTEGERS);
        finish(ierror, 0);
    }
}

/// Whether two handles are equal, for the operators of the handle types.
pub unsafe extern "C" fn equal(a: *const Fint, b: *const Fint) -> c_int {
    // SAFETY: the arguments are handles.
    unsafe { crate::facts::logical(*a == *b) }
}

/// Whether two handles differ.
pub unsafe extern "C" fn different(a: *const Fint, b: *const Fint) -> c_int {
    // SAFETY: the arguments are handles.
    unsafe { crate::facts::logical(*a != *b) }
}

/// MPI_CONVERSION_FN_NULL and its large-count form, which are only passed on.
pub extern "C" fn conversion_fn_null() {}

exports!(conversion_fn_null: mpi_conversion_fn_null_ mpi_conversion_fn_null_c_
    mpi_conversion_fn_null mpi_conversion_fn_null__ MPI_CONVERSION_FN_NULL
    mpi_conversion_fn_null_c mpi_conversion_fn_null_c__ MPI_CONVERSION_FN_NULL_C);
