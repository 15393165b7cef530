// generated from api/ by cargo xtask generate; do not edit
//! The procedures: init.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    abort(comm: *mut Fint, errorcode: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Abort(handle::<COMM>(comm), *errorcode);
    finish(ierror, code);
}
exports!(abort: mpi_abort_ mpi_abort__ mpi_abort MPI_ABORT pmpi_abort_ pmpi_abort__ pmpi_abort PMPI_ABORT);
exports_f08!(abort: mpi_abort_f08_ pmpir_abort_f08_; abort: mpi_abort_f08_ pmpi_abort_f08_);

procedure! {
    finalize(ierror: *mut Fint);
    let code = c::PMPI_Finalize();
    finish(ierror, code);
}
exports!(finalize: mpi_finalize_ mpi_finalize__ mpi_finalize MPI_FINALIZE pmpi_finalize_ pmpi_finalize__ pmpi_finalize PMPI_FINALIZE);
exports_f08!(finalize: mpi_finalize_f08_ pmpir_finalize_f08_; finalize: mpi_finalize_f08_ pmpi_finalize_f08_);

procedure! {
    finalized(flag: *mut c_int, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_Finalized(&mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(finalized: mpi_finalized_ mpi_finalized__ mpi_finalized MPI_FINALIZED pmpi_finalized_ pmpi_finalized__ pmpi_finalized PMPI_FINALIZED);
exports_f08!(finalized: mpi_finalized_f08_ pmpir_finalized_f08_; finalized: mpi_finalized_f08_ pmpi_finalized_f08_);

procedure! {
    init(ierror: *mut Fint);
    let code = c::PMPI_Init(std::ptr::null_mut(), std::ptr::null_mut());
    finish(ierror, code);
}
exports!(init: mpi_init_ mpi_init__ mpi_init MPI_INIT pmpi_init_ pmpi_init__ pmpi_init PMPI_INIT);
exports_f08!(init: mpi_init_f08_ pmpir_init_f08_; init: mpi_init_f08_ pmpi_init_f08_);

procedure! {
    init_thread(required: *mut c_int, provided: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Init_thread(std::ptr::null_mut(), std::ptr::null_mut(), *required, provided);
    finish(ierror, code);
}
exports!(init_thread: mpi_init_thread_ mpi_init_thread__ mpi_init_thread MPI_INIT_THREAD pmpi_init_thread_ pmpi_init_thread__ pmpi_init_thread PMPI_INIT_THREAD);
exports_f08!(init_thread: mpi_init_thread_f08_ pmpir_init_thread_f08_; init_thread: mpi_init_thread_f08_ pmpi_init_thread_f08_);

procedure! {
    initialized(flag: *mut c_int, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_Initialized(&mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(initialized: mpi_initialized_ mpi_initialized__ mpi_initialized MPI_INITIALIZED pmpi_initialized_ pmpi_initialized__ pmpi_initialized PMPI_INITIALIZED);
exports_f08!(initialized: mpi_initialized_f08_ pmpir_initialized_f08_; initialized: mpi_initialized_f08_ pmpi_initialized_f08_);

procedure! {
    is_thread_main(flag: *mut c_int, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_Is_thread_main(&mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(is_thread_main: mpi_is_thread_main_ mpi_is_thread_main__ mpi_is_thread_main MPI_IS_THREAD_MAIN pmpi_is_thread_main_ pmpi_is_thread_main__ pmpi_is_thread_main PMPI_IS_THREAD_MAIN);
exports_f08!(is_thread_main: mpi_is_thread_main_f08_ pmpir_is_thread_main_f08_; is_thread_main: mpi_is_thread_main_f08_ pmpi_is_thread_main_f08_);

procedure! {
    query_thread(provided: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Query_thread(provided);
    finish(ierror, code);
}
exports!(query_thread: mpi_query_thread_ mpi_query_thread__ mpi_query_thread MPI_QUERY_THREAD pmpi_query_thread_ pmpi_query_thread__ pmpi_query_thread PMPI_QUERY_THREAD);
exports_f08!(query_thread: mpi_query_thread_f08_ pmpir_query_thread_f08_; query_thread: mpi_query_thread_f08_ pmpi_query_thread_f08_);
