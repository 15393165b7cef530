// generated from api/ by cargo xtask generate; do not edit
//! The procedures: external.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    grequest_complete(request: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Grequest_complete(handle::<REQUEST>(request));
    finish(ierror, code);
}
exports!(grequest_complete: mpi_grequest_complete_ mpi_grequest_complete__ mpi_grequest_complete MPI_GREQUEST_COMPLETE pmpi_grequest_complete_ pmpi_grequest_complete__ pmpi_grequest_complete PMPI_GREQUEST_COMPLETE);
exports_f08!(grequest_complete: mpi_grequest_complete_f08_ pmpir_grequest_complete_f08_; grequest_complete: mpi_grequest_complete_f08_ pmpi_grequest_complete_f08_);

exports!(functions::grequest_start: mpi_grequest_start_ mpi_grequest_start__ mpi_grequest_start MPI_GREQUEST_START pmpi_grequest_start_ pmpi_grequest_start__ pmpi_grequest_start PMPI_GREQUEST_START);
exports_f08!(functions::grequest_start: mpi_grequest_start_f08_ pmpir_grequest_start_f08_; functions::grequest_start: mpi_grequest_start_f08_ pmpi_grequest_start_f08_);

procedure! {
    status_set_cancelled(status: *mut Fint, flag: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Status_set_cancelled(types::status(status), *flag);
    finish(ierror, code);
}
exports!(status_set_cancelled: mpi_status_set_cancelled_ mpi_status_set_cancelled__ mpi_status_set_cancelled MPI_STATUS_SET_CANCELLED pmpi_status_set_cancelled_ pmpi_status_set_cancelled__ pmpi_status_set_cancelled PMPI_STATUS_SET_CANCELLED);
exports_f08!(status_set_cancelled: mpi_status_set_cancelled_f08_ pmpir_status_set_cancelled_f08_; status_set_cancelled: mpi_status_set_cancelled_f08_ pmpi_status_set_cancelled_f08_);

procedure! {
    status_set_elements(status: *mut Fint, datatype: *mut Fint, count: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPI_Status_set_elements(types::status(status), handle::<DATATYPE>(datatype),
        *count);
    finish(ierror, code);
}
exports!(status_set_elements: mpi_status_set_elements_ mpi_status_set_elements__ mpi_status_set_elements MPI_STATUS_SET_ELEMENTS pmpi_status_set_elements_ pmpi_status_set_elements__ pmpi_status_set_elements PMPI_STATUS_SET_ELEMENTS);
exports_f08!(status_set_elements: mpi_status_set_elements_f08_ pmpir_status_set_elements_f08_; status_set_elements: mpi_status_set_elements_f08_ pmpi_status_set_elements_f08_);

procedure! {
    status_set_elements_c(status: *mut Fint, datatype: *mut Fint, count: *mut i64,
        ierror: *mut Fint);
    let code = c::PMPI_Status_set_elements_c(types::status(status), handle::<DATATYPE>(datatype),
        *count);
    finish(ierror, code);
}
exports_large!(status_set_elements_c: mpi_status_set_elements_c_f08_ pmpir_status_set_elements_c_f08_; mpi_status_set_elements_f08_large_ pmpir_status_set_elements_f08_large_);

procedure! {
    status_set_elements_x(status: *mut Fint, datatype: *mut Fint, count: *mut i64,
        ierror: *mut Fint);
    let code = c::PMPI_Status_set_elements_x(types::status(status), handle::<DATATYPE>(datatype),
        *count);
    finish(ierror, code);
}
exports!(status_set_elements_x: mpi_status_set_elements_x_ mpi_status_set_elements_x__ mpi_status_set_elements_x MPI_STATUS_SET_ELEMENTS_X pmpi_status_set_elements_x_ pmpi_status_set_elements_x__ pmpi_status_set_elements_x PMPI_STATUS_SET_ELEMENTS_X);
exports_f08!(status_set_elements_x: mpi_status_set_elements_x_f08_ pmpir_status_set_elements_x_f08_; status_set_elements_x: mpi_status_set_elements_x_f08_ pmpi_status_set_elements_x_f08_);

procedure! {
    status_set_error(status: *mut Fint, err: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Status_set_error(types::status(status), *err);
    finish(ierror, code);
}
exports!(status_set_error: mpi_status_set_error_ mpi_status_set_error__ mpi_status_set_error MPI_STATUS_SET_ERROR pmpi_status_set_error_ pmpi_status_set_error__ pmpi_status_set_error PMPI_STATUS_SET_ERROR);
exports_f08!(status_set_error: mpi_status_set_error_f08_ pmpir_status_set_error_f08_; status_set_error: mpi_status_set_error_f08_ pmpi_status_set_error_f08_);

procedure! {
    status_set_source(status: *mut Fint, source: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Status_set_source(types::status(status), *source);
    finish(ierror, code);
}
exports!(status_set_source: mpi_status_set_source_ mpi_status_set_source__ mpi_status_set_source MPI_STATUS_SET_SOURCE pmpi_status_set_source_ pmpi_status_set_source__ pmpi_status_set_source PMPI_STATUS_SET_SOURCE);
exports_f08!(status_set_source: mpi_status_set_source_f08_ pmpir_status_set_source_f08_; status_set_source: mpi_status_set_source_f08_ pmpi_status_set_source_f08_);

procedure! {
    status_set_tag(status: *mut Fint, tag: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Status_set_tag(types::status(status), *tag);
    finish(ierror, code);
}
exports!(status_set_tag: mpi_status_set_tag_ mpi_status_set_tag__ mpi_status_set_tag MPI_STATUS_SET_TAG pmpi_status_set_tag_ pmpi_status_set_tag__ pmpi_status_set_tag PMPI_STATUS_SET_TAG);
exports_f08!(status_set_tag: mpi_status_set_tag_f08_ pmpir_status_set_tag_f08_; status_set_tag: mpi_status_set_tag_f08_ pmpi_status_set_tag_f08_);
