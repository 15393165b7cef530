// generated from api/ by cargo xtask generate; do not edit
//! The procedures: attr.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    attr_delete(comm: *mut Fint, keyval: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Attr_delete(handle::<COMM>(comm), *keyval);
    finish(ierror, code);
}
exports!(attr_delete: mpi_attr_delete_ mpi_attr_delete__ mpi_attr_delete MPI_ATTR_DELETE pmpi_attr_delete_ pmpi_attr_delete__ pmpi_attr_delete PMPI_ATTR_DELETE);

exports!(attributes::attr_get: mpi_attr_get_ mpi_attr_get__ mpi_attr_get MPI_ATTR_GET pmpi_attr_get_ pmpi_attr_get__ pmpi_attr_get PMPI_ATTR_GET);

exports!(attributes::attr_put: mpi_attr_put_ mpi_attr_put__ mpi_attr_put MPI_ATTR_PUT pmpi_attr_put_ pmpi_attr_put__ pmpi_attr_put PMPI_ATTR_PUT);

exports!(attributes::comm_create_keyval: mpi_comm_create_keyval_ mpi_comm_create_keyval__ mpi_comm_create_keyval MPI_COMM_CREATE_KEYVAL pmpi_comm_create_keyval_ pmpi_comm_create_keyval__ pmpi_comm_create_keyval PMPI_COMM_CREATE_KEYVAL);
exports_f08!(attributes::comm_create_keyval: mpi_comm_create_keyval_f08_ pmpir_comm_create_keyval_f08_; attributes::comm_create_keyval: mpi_comm_create_keyval_f08_ pmpi_comm_create_keyval_f08_);

procedure! {
    comm_delete_attr(comm: *mut Fint, comm_keyval: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Comm_delete_attr(handle::<COMM>(comm), *comm_keyval);
    finish(ierror, code);
}
exports!(comm_delete_attr: mpi_comm_delete_attr_ mpi_comm_delete_attr__ mpi_comm_delete_attr MPI_COMM_DELETE_ATTR pmpi_comm_delete_attr_ pmpi_comm_delete_attr__ pmpi_comm_delete_attr PMPI_COMM_DELETE_ATTR);
exports_f08!(comm_delete_attr: mpi_comm_delete_attr_f08_ pmpir_comm_delete_attr_f08_; comm_delete_attr: mpi_comm_delete_attr_f08_ pmpi_comm_delete_attr_f08_);

procedure! {
    comm_free_keyval(comm_keyval: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Comm_free_keyval(comm_keyval);
    finish(ierror, code);
}
exports!(comm_free_keyval: mpi_comm_free_keyval_ mpi_comm_free_keyval__ mpi_comm_free_keyval MPI_COMM_FREE_KEYVAL pmpi_comm_free_keyval_ pmpi_comm_free_keyval__ pmpi_comm_free_keyval PMPI_COMM_FREE_KEYVAL);
exports_f08!(comm_free_keyval: mpi_comm_free_keyval_f08_ pmpir_comm_free_keyval_f08_; comm_free_keyval: mpi_comm_free_keyval_f08_ pmpi_comm_free_keyval_f08_);

exports!(attributes::comm_get_attr: mpi_comm_get_attr_ mpi_comm_get_attr__ mpi_comm_get_attr MPI_COMM_GET_ATTR pmpi_comm_get_attr_ pmpi_comm_get_attr__ pmpi_comm_get_attr PMPI_COMM_GET_ATTR);
exports_f08!(attributes::comm_get_attr: mpi_comm_get_attr_f08_ pmpir_comm_get_attr_f08_; attributes::comm_get_attr: mpi_comm_get_attr_f08_ pmpi_comm_get_attr_f08_);

exports!(attributes::comm_set_attr: mpi_comm_set_attr_ mpi_comm_set_attr__ mpi_comm_set_attr MPI_COMM_SET_ATTR pmpi_comm_set_attr_ pmpi_comm_set_attr__ pmpi_comm_set_attr PMPI_COMM_SET_ATTR);
exports_f08!(attributes::comm_set_attr: mpi_comm_set_attr_f08_ pmpir_comm_set_attr_f08_; attributes::comm_set_attr: mpi_comm_set_attr_f08_ pmpi_comm_set_attr_f08_);

exports!(attributes::keyval_create: mpi_keyval_create_ mpi_keyval_create__ mpi_keyval_create MPI_KEYVAL_CREATE pmpi_keyval_create_ pmpi_keyval_create__ pmpi_keyval_create PMPI_KEYVAL_CREATE);

procedure! {
    keyval_free(keyval: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Keyval_free(keyval);
    finish(ierror, code);
}
exports!(keyval_free: mpi_keyval_free_ mpi_keyval_free__ mpi_keyval_free MPI_KEYVAL_FREE pmpi_keyval_free_ pmpi_keyval_free__ pmpi_keyval_free PMPI_KEYVAL_FREE);

exports!(attributes::type_create_keyval: mpi_type_create_keyval_ mpi_type_create_keyval__ mpi_type_create_keyval MPI_TYPE_CREATE_KEYVAL pmpi_type_create_keyval_ pmpi_type_create_keyval__ pmpi_type_create_keyval PMPI_TYPE_CREATE_KEYVAL);
exports_f08!(attributes::type_create_keyval: mpi_type_create_keyval_f08_ pmpir_type_create_keyval_f08_; attributes::type_create_keyval: mpi_type_create_keyval_f08_ pmpi_type_create_keyval_f08_);

procedure! {
    type_delete_attr(datatype: *mut Fint, type_keyval: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Type_delete_attr(handle::<DATATYPE>(datatype), *type_keyval);
    finish(ierror, code);
}
exports!(type_delete_attr: mpi_type_delete_attr_ mpi_type_delete_attr__ mpi_type_delete_attr MPI_TYPE_DELETE_ATTR pmpi_type_delete_attr_ pmpi_type_delete_attr__ pmpi_type_delete_attr PMPI_TYPE_DELETE_ATTR);
exports_f08!(type_delete_attr: mpi_type_delete_attr_f08_ pmpir_type_delete_attr_f08_; type_delete_attr: mpi_type_delete_attr_f08_ pmpi_type_delete_attr_f08_);

procedure! {
    type_free_keyval(type_keyval: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Type_free_keyval(type_keyval);
    finish(ierror, code);
}
exports!(type_free_keyval: mpi_type_free_keyval_ mpi_type_free_keyval__ mpi_type_free_keyval MPI_TYPE_FREE_KEYVAL pmpi_type_free_keyval_ pmpi_type_free_keyval__ pmpi_type_free_keyval PMPI_TYPE_FREE_KEYVAL);
exports_f08!(type_free_keyval: mpi_type_free_keyval_f08_ pmpir_type_free_keyval_f08_; type_free_keyval: mpi_type_free_keyval_f08_ pmpi_type_free_keyval_f08_);

exports!(attributes::type_get_attr: mpi_type_get_attr_ mpi_type_get_attr__ mpi_type_get_attr MPI_TYPE_GET_ATTR pmpi_type_get_attr_ pmpi_type_get_attr__ pmpi_type_get_attr PMPI_TYPE_GET_ATTR);
exports_f08!(attributes::type_get_attr: mpi_type_get_attr_f08_ pmpir_type_get_attr_f08_; attributes::type_get_attr: mpi_type_get_attr_f08_ pmpi_type_get_attr_f08_);

exports!(attributes::type_set_attr: mpi_type_set_attr_ mpi_type_set_attr__ mpi_type_set_attr MPI_TYPE_SET_ATTR pmpi_type_set_attr_ pmpi_type_set_attr__ pmpi_type_set_attr PMPI_TYPE_SET_ATTR);
exports_f08!(attributes::type_set_attr: mpi_type_set_attr_f08_ pmpir_type_set_attr_f08_; attributes::type_set_attr: mpi_type_set_attr_f08_ pmpi_type_set_attr_f08_);

exports!(attributes::win_create_keyval: mpi_win_create_keyval_ mpi_win_create_keyval__ mpi_win_create_keyval MPI_WIN_CREATE_KEYVAL pmpi_win_create_keyval_ pmpi_win_create_keyval__ pmpi_win_create_keyval PMPI_WIN_CREATE_KEYVAL);
exports_f08!(attributes::win_create_keyval: mpi_win_create_keyval_f08_ pmpir_win_create_keyval_f08_; attributes::win_create_keyval: mpi_win_create_keyval_f08_ pmpi_win_create_keyval_f08_);

procedure! {
    win_delete_attr(win: *mut Fint, win_keyval: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Win_delete_attr(handle::<WIN>(win), *win_keyval);
    finish(ierror, code);
}
exports!(win_delete_attr: mpi_win_delete_attr_ mpi_win_delete_attr__ mpi_win_delete_attr MPI_WIN_DELETE_ATTR pmpi_win_delete_attr_ pmpi_win_delete_attr__ pmpi_win_delete_attr PMPI_WIN_DELETE_ATTR);
exports_f08!(win_delete_attr: mpi_win_delete_attr_f08_ pmpir_win_delete_attr_f08_; win_delete_attr: mpi_win_delete_attr_f08_ pmpi_win_delete_attr_f08_);

procedure! {
    win_free_keyval(win_keyval: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Win_free_keyval(win_keyval);
    finish(ierror, code);
}
exports!(win_free_keyval: mpi_win_free_keyval_ mpi_win_free_keyval__ mpi_win_free_keyval MPI_WIN_FREE_KEYVAL pmpi_win_free_keyval_ pmpi_win_free_keyval__ pmpi_win_free_keyval PMPI_WIN_FREE_KEYVAL);
exports_f08!(win_free_keyval: mpi_win_free_keyval_f08_ pmpir_win_free_keyval_f08_; win_free_keyval: mpi_win_free_keyval_f08_ pmpi_win_free_keyval_f08_);

exports!(attributes::win_get_attr: mpi_win_get_attr_ mpi_win_get_attr__ mpi_win_get_attr MPI_WIN_GET_ATTR pmpi_win_get_attr_ pmpi_win_get_attr__ pmpi_win_get_attr PMPI_WIN_GET_ATTR);
exports_f08!(attributes::win_get_attr: mpi_win_get_attr_f08_ pmpir_win_get_attr_f08_; attributes::win_get_attr: mpi_win_get_attr_f08_ pmpi_win_get_attr_f08_);

exports!(attributes::win_set_attr: mpi_win_set_attr_ mpi_win_set_attr__ mpi_win_set_attr MPI_WIN_SET_ATTR pmpi_win_set_attr_ pmpi_win_set_attr__ pmpi_win_set_attr PMPI_WIN_SET_ATTR);
exports_f08!(attributes::win_set_attr: mpi_win_set_attr_f08_ pmpir_win_set_attr_f08_; attributes::win_set_attr: mpi_win_set_attr_f08_ pmpi_win_set_attr_f08_);
