// generated from api/ by cargo xtask generate; do not edit
//! The procedures: abi.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    abi_get_fortran_booleans(logical_size: *mut c_int, logical_true: *mut c_void,
        logical_false: *mut c_void, is_set: *mut c_int, ierror: *mut Fint);
    let mut is_set_c = 0;
    let code = c::PMPI_Abi_get_fortran_booleans(*logical_size, logical_true.cast(),
        logical_false.cast(), &mut is_set_c);
    logical(is_set, is_set_c);
    finish(ierror, code);
}
exports!(abi_get_fortran_booleans: mpi_abi_get_fortran_booleans_ mpi_abi_get_fortran_booleans__ mpi_abi_get_fortran_booleans MPI_ABI_GET_FORTRAN_BOOLEANS pmpi_abi_get_fortran_booleans_ pmpi_abi_get_fortran_booleans__ pmpi_abi_get_fortran_booleans PMPI_ABI_GET_FORTRAN_BOOLEANS);
exports_f08!(abi_get_fortran_booleans: mpi_abi_get_fortran_booleans_f08_ pmpir_abi_get_fortran_booleans_f08_; abi_get_fortran_booleans: mpi_abi_get_fortran_booleans_f08_ pmpi_abi_get_fortran_booleans_f08_);

procedure! {
    abi_get_fortran_info(info: *mut Fint, ierror: *mut Fint);
    let mut info_c = handle::<INFO>(info);
    let code = c::PMPI_Abi_get_fortran_info(&mut info_c);
    give(info, info_c);
    finish(ierror, code);
}
exports!(abi_get_fortran_info: mpi_abi_get_fortran_info_ mpi_abi_get_fortran_info__ mpi_abi_get_fortran_info MPI_ABI_GET_FORTRAN_INFO pmpi_abi_get_fortran_info_ pmpi_abi_get_fortran_info__ pmpi_abi_get_fortran_info PMPI_ABI_GET_FORTRAN_INFO);
exports_f08!(abi_get_fortran_info: mpi_abi_get_fortran_info_f08_ pmpir_abi_get_fortran_info_f08_; abi_get_fortran_info: mpi_abi_get_fortran_info_f08_ pmpi_abi_get_fortran_info_f08_);

procedure! {
    abi_get_info(info: *mut Fint, ierror: *mut Fint);
    let mut info_c = handle::<INFO>(info);
    let code = c::PMPI_Abi_get_info(&mut info_c);
    give(info, info_c);
    finish(ierror, code);
}
exports!(abi_get_info: mpi_abi_get_info_ mpi_abi_get_info__ mpi_abi_get_info MPI_ABI_GET_INFO pmpi_abi_get_info_ pmpi_abi_get_info__ pmpi_abi_get_info PMPI_ABI_GET_INFO);
exports_f08!(abi_get_info: mpi_abi_get_info_f08_ pmpir_abi_get_info_f08_; abi_get_info: mpi_abi_get_info_f08_ pmpi_abi_get_info_f08_);

procedure! {
    abi_get_version(abi_major: *mut c_int, abi_minor: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Abi_get_version(abi_major, abi_minor);
    finish(ierror, code);
}
exports!(abi_get_version: mpi_abi_get_version_ mpi_abi_get_version__ mpi_abi_get_version MPI_ABI_GET_VERSION pmpi_abi_get_version_ pmpi_abi_get_version__ pmpi_abi_get_version PMPI_ABI_GET_VERSION);
exports_f08!(abi_get_version: mpi_abi_get_version_f08_ pmpir_abi_get_version_f08_; abi_get_version: mpi_abi_get_version_f08_ pmpi_abi_get_version_f08_);

procedure! {
    abi_set_fortran_booleans(logical_size: *mut c_int, logical_true: *mut c_void,
        logical_false: *mut c_void, ierror: *mut Fint);
    let code = c::PMPI_Abi_set_fortran_booleans(*logical_size, logical_true.cast(),
        logical_false.cast());
    finish(ierror, code);
}
exports!(abi_set_fortran_booleans: mpi_abi_set_fortran_booleans_ mpi_abi_set_fortran_booleans__ mpi_abi_set_fortran_booleans MPI_ABI_SET_FORTRAN_BOOLEANS pmpi_abi_set_fortran_booleans_ pmpi_abi_set_fortran_booleans__ pmpi_abi_set_fortran_booleans PMPI_ABI_SET_FORTRAN_BOOLEANS);
exports_f08!(abi_set_fortran_booleans: mpi_abi_set_fortran_booleans_f08_ pmpir_abi_set_fortran_booleans_f08_; abi_set_fortran_booleans: mpi_abi_set_fortran_booleans_f08_ pmpi_abi_set_fortran_booleans_f08_);

procedure! {
    abi_set_fortran_info(info: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Abi_set_fortran_info(handle::<INFO>(info));
    finish(ierror, code);
}
exports!(abi_set_fortran_info: mpi_abi_set_fortran_info_ mpi_abi_set_fortran_info__ mpi_abi_set_fortran_info MPI_ABI_SET_FORTRAN_INFO pmpi_abi_set_fortran_info_ pmpi_abi_set_fortran_info__ pmpi_abi_set_fortran_info PMPI_ABI_SET_FORTRAN_INFO);
exports_f08!(abi_set_fortran_info: mpi_abi_set_fortran_info_f08_ pmpir_abi_set_fortran_info_f08_; abi_set_fortran_info: mpi_abi_set_fortran_info_f08_ pmpi_abi_set_fortran_info_f08_);
