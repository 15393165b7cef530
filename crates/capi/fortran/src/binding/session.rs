// generated from api/ by cargo xtask generate; do not edit
//! The procedures: session.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    session_finalize(session: *mut Fint, ierror: *mut Fint);
    let mut session_c = handle::<SESSION>(session);
    let code = c::PMPI_Session_finalize(&mut session_c);
    give(session, session_c);
    finish(ierror, code);
}
exports!(session_finalize: mpi_session_finalize_ mpi_session_finalize__ mpi_session_finalize MPI_SESSION_FINALIZE pmpi_session_finalize_ pmpi_session_finalize__ pmpi_session_finalize PMPI_SESSION_FINALIZE);
exports_f08!(session_finalize: mpi_session_finalize_f08_ pmpir_session_finalize_f08_; session_finalize: mpi_session_finalize_f08_ pmpi_session_finalize_f08_);

procedure! {
    session_get_info(session: *mut Fint, info_used: *mut Fint, ierror: *mut Fint);
    let mut info_used_c = handle::<INFO>(info_used);
    let code = c::PMPI_Session_get_info(handle::<SESSION>(session), &mut info_used_c);
    give(info_used, info_used_c);
    finish(ierror, code);
}
exports!(session_get_info: mpi_session_get_info_ mpi_session_get_info__ mpi_session_get_info MPI_SESSION_GET_INFO pmpi_session_get_info_ pmpi_session_get_info__ pmpi_session_get_info PMPI_SESSION_GET_INFO);
exports_f08!(session_get_info: mpi_session_get_info_f08_ pmpir_session_get_info_f08_; session_get_info: mpi_session_get_info_f08_ pmpi_session_get_info_f08_);

procedure! {
    session_get_nth_pset(session: *mut Fint, info: *mut Fint, n: *mut c_int, pset_len: *mut c_int,
        pset_name: *mut c_char, ierror: *mut Fint, pset_name_length: usize);
    let mut pset_name_c = TextOut::new(pset_name, pset_name_length);
    let mut pset_len_c = length_for_c(pset_len, &pset_name_c);
    let code = c::PMPI_Session_get_nth_pset(handle::<SESSION>(session), handle::<INFO>(info), *n,
        &mut pset_len_c, pset_name_c.place());
    if code == 0 && *pset_len > 0 { pset_name_c.give(); }
    if code == 0 { give_length(pset_len, pset_len_c); }
    finish(ierror, code);
}
exports!(session_get_nth_pset: mpi_session_get_nth_pset_ mpi_session_get_nth_pset__ mpi_session_get_nth_pset MPI_SESSION_GET_NTH_PSET pmpi_session_get_nth_pset_ pmpi_session_get_nth_pset__ pmpi_session_get_nth_pset PMPI_SESSION_GET_NTH_PSET);
exports_f08!(session_get_nth_pset: mpi_session_get_nth_pset_f08_ pmpir_session_get_nth_pset_f08_; session_get_nth_pset: mpi_session_get_nth_pset_f08_ pmpi_session_get_nth_pset_f08_);

procedure! {
    session_get_num_psets(session: *mut Fint, info: *mut Fint, npset_names: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPI_Session_get_num_psets(handle::<SESSION>(session), handle::<INFO>(info),
        npset_names);
    finish(ierror, code);
}
exports!(session_get_num_psets: mpi_session_get_num_psets_ mpi_session_get_num_psets__ mpi_session_get_num_psets MPI_SESSION_GET_NUM_PSETS pmpi_session_get_num_psets_ pmpi_session_get_num_psets__ pmpi_session_get_num_psets PMPI_SESSION_GET_NUM_PSETS);
exports_f08!(session_get_num_psets: mpi_session_get_num_psets_f08_ pmpir_session_get_num_psets_f08_; session_get_num_psets: mpi_session_get_num_psets_f08_ pmpi_session_get_num_psets_f08_);

procedure! {
    session_get_pset_info(session: *mut Fint, pset_name: *mut c_char, info: *mut Fint,
        ierror: *mut Fint, pset_name_length: usize);
    let pset_name_c = text(pset_name, pset_name_length);
    let mut info_c = handle::<INFO>(info);
    let code = c::PMPI_Session_get_pset_info(handle::<SESSION>(session), pset_name_c.place(),
        &mut info_c);
    give(info, info_c);
    finish(ierror, code);
}
exports!(session_get_pset_info: mpi_session_get_pset_info_ mpi_session_get_pset_info__ mpi_session_get_pset_info MPI_SESSION_GET_PSET_INFO pmpi_session_get_pset_info_ pmpi_session_get_pset_info__ pmpi_session_get_pset_info PMPI_SESSION_GET_PSET_INFO);
exports_f08!(session_get_pset_info: mpi_session_get_pset_info_f08_ pmpir_session_get_pset_info_f08_; session_get_pset_info: mpi_session_get_pset_info_f08_ pmpi_session_get_pset_info_f08_);

procedure! {
    session_init(info: *mut Fint, errhandler: *mut Fint, session: *mut Fint, ierror: *mut Fint);
    let mut session_c = handle::<SESSION>(session);
    let code = c::PMPI_Session_init(handle::<INFO>(info), handle::<ERRHANDLER>(errhandler),
        &mut session_c);
    give(session, session_c);
    finish(ierror, code);
}
exports!(session_init: mpi_session_init_ mpi_session_init__ mpi_session_init MPI_SESSION_INIT pmpi_session_init_ pmpi_session_init__ pmpi_session_init PMPI_SESSION_INIT);
exports_f08!(session_init: mpi_session_init_f08_ pmpir_session_init_f08_; session_init: mpi_session_init_f08_ pmpi_session_init_f08_);
