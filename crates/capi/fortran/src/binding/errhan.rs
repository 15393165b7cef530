// generated from api/ by cargo xtask generate; do not edit
//! The procedures: errhan.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    add_error_class(errorclass: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Add_error_class(errorclass);
    finish(ierror, code);
}
exports!(add_error_class: mpi_add_error_class_ mpi_add_error_class__ mpi_add_error_class MPI_ADD_ERROR_CLASS pmpi_add_error_class_ pmpi_add_error_class__ pmpi_add_error_class PMPI_ADD_ERROR_CLASS);
exports_f08!(add_error_class: mpi_add_error_class_f08_ pmpir_add_error_class_f08_; add_error_class: mpi_add_error_class_f08_ pmpi_add_error_class_f08_);

procedure! {
    add_error_code(errorclass: *mut c_int, errorcode: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Add_error_code(*errorclass, errorcode);
    finish(ierror, code);
}
exports!(add_error_code: mpi_add_error_code_ mpi_add_error_code__ mpi_add_error_code MPI_ADD_ERROR_CODE pmpi_add_error_code_ pmpi_add_error_code__ pmpi_add_error_code PMPI_ADD_ERROR_CODE);
exports_f08!(add_error_code: mpi_add_error_code_f08_ pmpir_add_error_code_f08_; add_error_code: mpi_add_error_code_f08_ pmpi_add_error_code_f08_);

procedure! {
    add_error_string(errorcode: *mut c_int, string: *mut c_char, ierror: *mut Fint,
        string_length: usize);
    let string_c = text(string, string_length);
    let code = c::PMPI_Add_error_string(*errorcode, string_c.place());
    finish(ierror, code);
}
exports!(add_error_string: mpi_add_error_string_ mpi_add_error_string__ mpi_add_error_string MPI_ADD_ERROR_STRING pmpi_add_error_string_ pmpi_add_error_string__ pmpi_add_error_string PMPI_ADD_ERROR_STRING);
exports_f08!(add_error_string: mpi_add_error_string_f08_ pmpir_add_error_string_f08_; add_error_string: mpi_add_error_string_f08_ pmpi_add_error_string_f08_);

procedure! {
    comm_call_errhandler(comm: *mut Fint, errorcode: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Comm_call_errhandler(handle::<COMM>(comm), *errorcode);
    finish(ierror, code);
}
exports!(comm_call_errhandler: mpi_comm_call_errhandler_ mpi_comm_call_errhandler__ mpi_comm_call_errhandler MPI_COMM_CALL_ERRHANDLER pmpi_comm_call_errhandler_ pmpi_comm_call_errhandler__ pmpi_comm_call_errhandler PMPI_COMM_CALL_ERRHANDLER);
exports_f08!(comm_call_errhandler: mpi_comm_call_errhandler_f08_ pmpir_comm_call_errhandler_f08_; comm_call_errhandler: mpi_comm_call_errhandler_f08_ pmpi_comm_call_errhandler_f08_);

procedure! {
    comm_create_errhandler(comm_errhandler_fn: *mut c_void, errhandler: *mut Fint,
        ierror: *mut Fint);
    let mut errhandler_c = handle::<ERRHANDLER>(errhandler);
    let code = abi::comm_create_errhandler(comm_errhandler_fn, &mut errhandler_c);
    give(errhandler, errhandler_c);
    finish(ierror, code);
}
exports!(comm_create_errhandler: mpi_comm_create_errhandler_ mpi_comm_create_errhandler__ mpi_comm_create_errhandler MPI_COMM_CREATE_ERRHANDLER pmpi_comm_create_errhandler_ pmpi_comm_create_errhandler__ pmpi_comm_create_errhandler PMPI_COMM_CREATE_ERRHANDLER);
exports_f08!(comm_create_errhandler: mpi_comm_create_errhandler_f08_ pmpir_comm_create_errhandler_f08_; comm_create_errhandler: mpi_comm_create_errhandler_f08_ pmpi_comm_create_errhandler_f08_);

procedure! {
    comm_get_errhandler(comm: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint);
    let mut errhandler_c = handle::<ERRHANDLER>(errhandler);
    let code = c::PMPI_Comm_get_errhandler(handle::<COMM>(comm), &mut errhandler_c);
    give(errhandler, errhandler_c);
    finish(ierror, code);
}
exports!(comm_get_errhandler: mpi_comm_get_errhandler_ mpi_comm_get_errhandler__ mpi_comm_get_errhandler MPI_COMM_GET_ERRHANDLER pmpi_comm_get_errhandler_ pmpi_comm_get_errhandler__ pmpi_comm_get_errhandler PMPI_COMM_GET_ERRHANDLER);
exports_f08!(comm_get_errhandler: mpi_comm_get_errhandler_f08_ pmpir_comm_get_errhandler_f08_; comm_get_errhandler: mpi_comm_get_errhandler_f08_ pmpi_comm_get_errhandler_f08_);

procedure! {
    comm_set_errhandler(comm: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Comm_set_errhandler(handle::<COMM>(comm), handle::<ERRHANDLER>(errhandler));
    finish(ierror, code);
}
exports!(comm_set_errhandler: mpi_comm_set_errhandler_ mpi_comm_set_errhandler__ mpi_comm_set_errhandler MPI_COMM_SET_ERRHANDLER pmpi_comm_set_errhandler_ pmpi_comm_set_errhandler__ pmpi_comm_set_errhandler PMPI_COMM_SET_ERRHANDLER);
exports_f08!(comm_set_errhandler: mpi_comm_set_errhandler_f08_ pmpir_comm_set_errhandler_f08_; comm_set_errhandler: mpi_comm_set_errhandler_f08_ pmpi_comm_set_errhandler_f08_);

procedure! {
    errhandler_free(errhandler: *mut Fint, ierror: *mut Fint);
    let mut errhandler_c = handle::<ERRHANDLER>(errhandler);
    let code = c::PMPI_Errhandler_free(&mut errhandler_c);
    give(errhandler, errhandler_c);
    finish(ierror, code);
}
exports!(errhandler_free: mpi_errhandler_free_ mpi_errhandler_free__ mpi_errhandler_free MPI_ERRHANDLER_FREE pmpi_errhandler_free_ pmpi_errhandler_free__ pmpi_errhandler_free PMPI_ERRHANDLER_FREE);
exports_f08!(errhandler_free: mpi_errhandler_free_f08_ pmpir_errhandler_free_f08_; errhandler_free: mpi_errhandler_free_f08_ pmpi_errhandler_free_f08_);

procedure! {
    error_class(errorcode: *mut c_int, errorclass: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Error_class(*errorcode, errorclass);
    finish(ierror, code);
}
exports!(error_class: mpi_error_class_ mpi_error_class__ mpi_error_class MPI_ERROR_CLASS pmpi_error_class_ pmpi_error_class__ pmpi_error_class PMPI_ERROR_CLASS);
exports_f08!(error_class: mpi_error_class_f08_ pmpir_error_class_f08_; error_class: mpi_error_class_f08_ pmpi_error_class_f08_);

procedure! {
    error_string(errorcode: *mut c_int, string: *mut c_char, resultlen: *mut c_int,
        ierror: *mut Fint, string_length: usize);
    let mut string_c = TextOut::new(string, string_length);
    let code = c::PMPI_Error_string(*errorcode, string_c.place(), resultlen);
    if code == 0 { string_c.give(); }
    finish(ierror, code);
}
exports!(error_string: mpi_error_string_ mpi_error_string__ mpi_error_string MPI_ERROR_STRING pmpi_error_string_ pmpi_error_string__ pmpi_error_string PMPI_ERROR_STRING);
exports_f08!(error_string: mpi_error_string_f08_ pmpir_error_string_f08_; error_string: mpi_error_string_f08_ pmpi_error_string_f08_);

procedure! {
    file_call_errhandler(fh: *mut Fint, errorcode: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_File_call_errhandler(types::file(fh), *errorcode);
    finish(ierror, code);
}
exports!(file_call_errhandler: mpi_file_call_errhandler_ mpi_file_call_errhandler__ mpi_file_call_errhandler MPI_FILE_CALL_ERRHANDLER pmpi_file_call_errhandler_ pmpi_file_call_errhandler__ pmpi_file_call_errhandler PMPI_FILE_CALL_ERRHANDLER);
exports_f08!(file_call_errhandler: mpi_file_call_errhandler_f08_ pmpir_file_call_errhandler_f08_; file_call_errhandler: mpi_file_call_errhandler_f08_ pmpi_file_call_errhandler_f08_);

procedure! {
    file_create_errhandler(file_errhandler_fn: *mut c_void, errhandler: *mut Fint,
        ierror: *mut Fint);
    let mut errhandler_c = handle::<ERRHANDLER>(errhandler);
    let code = abi::file_create_errhandler(file_errhandler_fn, &mut errhandler_c);
    give(errhandler, errhandler_c);
    finish(ierror, code);
}
exports!(file_create_errhandler: mpi_file_create_errhandler_ mpi_file_create_errhandler__ mpi_file_create_errhandler MPI_FILE_CREATE_ERRHANDLER pmpi_file_create_errhandler_ pmpi_file_create_errhandler__ pmpi_file_create_errhandler PMPI_FILE_CREATE_ERRHANDLER);
exports_f08!(file_create_errhandler: mpi_file_create_errhandler_f08_ pmpir_file_create_errhandler_f08_; file_create_errhandler: mpi_file_create_errhandler_f08_ pmpi_file_create_errhandler_f08_);

procedure! {
    file_get_errhandler(file: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint);
    let mut errhandler_c = handle::<ERRHANDLER>(errhandler);
    let code = c::PMPI_File_get_errhandler(types::file(file), &mut errhandler_c);
    give(errhandler, errhandler_c);
    finish(ierror, code);
}
exports!(file_get_errhandler: mpi_file_get_errhandler_ mpi_file_get_errhandler__ mpi_file_get_errhandler MPI_FILE_GET_ERRHANDLER pmpi_file_get_errhandler_ pmpi_file_get_errhandler__ pmpi_file_get_errhandler PMPI_FILE_GET_ERRHANDLER);
exports_f08!(file_get_errhandler: mpi_file_get_errhandler_f08_ pmpir_file_get_errhandler_f08_; file_get_errhandler: mpi_file_get_errhandler_f08_ pmpi_file_get_errhandler_f08_);

procedure! {
    file_set_errhandler(file: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_set_errhandler(types::file(file), handle::<ERRHANDLER>(errhandler));
    finish(ierror, code);
}
exports!(file_set_errhandler: mpi_file_set_errhandler_ mpi_file_set_errhandler__ mpi_file_set_errhandler MPI_FILE_SET_ERRHANDLER pmpi_file_set_errhandler_ pmpi_file_set_errhandler__ pmpi_file_set_errhandler PMPI_FILE_SET_ERRHANDLER);
exports_f08!(file_set_errhandler: mpi_file_set_errhandler_f08_ pmpir_file_set_errhandler_f08_; file_set_errhandler: mpi_file_set_errhandler_f08_ pmpi_file_set_errhandler_f08_);

procedure! {
    remove_error_class(errorclass: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Remove_error_class(*errorclass);
    finish(ierror, code);
}
exports!(remove_error_class: mpi_remove_error_class_ mpi_remove_error_class__ mpi_remove_error_class MPI_REMOVE_ERROR_CLASS pmpi_remove_error_class_ pmpi_remove_error_class__ pmpi_remove_error_class PMPI_REMOVE_ERROR_CLASS);
exports_f08!(remove_error_class: mpi_remove_error_class_f08_ pmpir_remove_error_class_f08_; remove_error_class: mpi_remove_error_class_f08_ pmpi_remove_error_class_f08_);

procedure! {
    remove_error_code(errorcode: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Remove_error_code(*errorcode);
    finish(ierror, code);
}
exports!(remove_error_code: mpi_remove_error_code_ mpi_remove_error_code__ mpi_remove_error_code MPI_REMOVE_ERROR_CODE pmpi_remove_error_code_ pmpi_remove_error_code__ pmpi_remove_error_code PMPI_REMOVE_ERROR_CODE);
exports_f08!(remove_error_code: mpi_remove_error_code_f08_ pmpir_remove_error_code_f08_; remove_error_code: mpi_remove_error_code_f08_ pmpi_remove_error_code_f08_);

procedure! {
    remove_error_string(errorcode: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Remove_error_string(*errorcode);
    finish(ierror, code);
}
exports!(remove_error_string: mpi_remove_error_string_ mpi_remove_error_string__ mpi_remove_error_string MPI_REMOVE_ERROR_STRING pmpi_remove_error_string_ pmpi_remove_error_string__ pmpi_remove_error_string PMPI_REMOVE_ERROR_STRING);
exports_f08!(remove_error_string: mpi_remove_error_string_f08_ pmpir_remove_error_string_f08_; remove_error_string: mpi_remove_error_string_f08_ pmpi_remove_error_string_f08_);

procedure! {
    session_call_errhandler(session: *mut Fint, errorcode: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Session_call_errhandler(handle::<SESSION>(session), *errorcode);
    finish(ierror, code);
}
exports!(session_call_errhandler: mpi_session_call_errhandler_ mpi_session_call_errhandler__ mpi_session_call_errhandler MPI_SESSION_CALL_ERRHANDLER pmpi_session_call_errhandler_ pmpi_session_call_errhandler__ pmpi_session_call_errhandler PMPI_SESSION_CALL_ERRHANDLER);
exports_f08!(session_call_errhandler: mpi_session_call_errhandler_f08_ pmpir_session_call_errhandler_f08_; session_call_errhandler: mpi_session_call_errhandler_f08_ pmpi_session_call_errhandler_f08_);

procedure! {
    session_create_errhandler(session_errhandler_fn: *mut c_void, errhandler: *mut Fint,
        ierror: *mut Fint);
    let mut errhandler_c = handle::<ERRHANDLER>(errhandler);
    let code = abi::session_create_errhandler(session_errhandler_fn, &mut errhandler_c);
    give(errhandler, errhandler_c);
    finish(ierror, code);
}
exports!(session_create_errhandler: mpi_session_create_errhandler_ mpi_session_create_errhandler__ mpi_session_create_errhandler MPI_SESSION_CREATE_ERRHANDLER pmpi_session_create_errhandler_ pmpi_session_create_errhandler__ pmpi_session_create_errhandler PMPI_SESSION_CREATE_ERRHANDLER);
exports_f08!(session_create_errhandler: mpi_session_create_errhandler_f08_ pmpir_session_create_errhandler_f08_; session_create_errhandler: mpi_session_create_errhandler_f08_ pmpi_session_create_errhandler_f08_);

procedure! {
    session_get_errhandler(session: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint);
    let mut errhandler_c = handle::<ERRHANDLER>(errhandler);
    let code = c::PMPI_Session_get_errhandler(handle::<SESSION>(session), &mut errhandler_c);
    give(errhandler, errhandler_c);
    finish(ierror, code);
}
exports!(session_get_errhandler: mpi_session_get_errhandler_ mpi_session_get_errhandler__ mpi_session_get_errhandler MPI_SESSION_GET_ERRHANDLER pmpi_session_get_errhandler_ pmpi_session_get_errhandler__ pmpi_session_get_errhandler PMPI_SESSION_GET_ERRHANDLER);
exports_f08!(session_get_errhandler: mpi_session_get_errhandler_f08_ pmpir_session_get_errhandler_f08_; session_get_errhandler: mpi_session_get_errhandler_f08_ pmpi_session_get_errhandler_f08_);

procedure! {
    session_set_errhandler(session: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Session_set_errhandler(handle::<SESSION>(session),
        handle::<ERRHANDLER>(errhandler));
    finish(ierror, code);
}
exports!(session_set_errhandler: mpi_session_set_errhandler_ mpi_session_set_errhandler__ mpi_session_set_errhandler MPI_SESSION_SET_ERRHANDLER pmpi_session_set_errhandler_ pmpi_session_set_errhandler__ pmpi_session_set_errhandler PMPI_SESSION_SET_ERRHANDLER);
exports_f08!(session_set_errhandler: mpi_session_set_errhandler_f08_ pmpir_session_set_errhandler_f08_; session_set_errhandler: mpi_session_set_errhandler_f08_ pmpi_session_set_errhandler_f08_);

procedure! {
    win_call_errhandler(win: *mut Fint, errorcode: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Win_call_errhandler(handle::<WIN>(win), *errorcode);
    finish(ierror, code);
}
exports!(win_call_errhandler: mpi_win_call_errhandler_ mpi_win_call_errhandler__ mpi_win_call_errhandler MPI_WIN_CALL_ERRHANDLER pmpi_win_call_errhandler_ pmpi_win_call_errhandler__ pmpi_win_call_errhandler PMPI_WIN_CALL_ERRHANDLER);
exports_f08!(win_call_errhandler: mpi_win_call_errhandler_f08_ pmpir_win_call_errhandler_f08_; win_call_errhandler: mpi_win_call_errhandler_f08_ pmpi_win_call_errhandler_f08_);

procedure! {
    win_create_errhandler(win_errhandler_fn: *mut c_void, errhandler: *mut Fint, ierror: *mut Fint);
    let mut errhandler_c = handle::<ERRHANDLER>(errhandler);
    let code = abi::win_create_errhandler(win_errhandler_fn, &mut errhandler_c);
    give(errhandler, errhandler_c);
    finish(ierror, code);
}
exports!(win_create_errhandler: mpi_win_create_errhandler_ mpi_win_create_errhandler__ mpi_win_create_errhandler MPI_WIN_CREATE_ERRHANDLER pmpi_win_create_errhandler_ pmpi_win_create_errhandler__ pmpi_win_create_errhandler PMPI_WIN_CREATE_ERRHANDLER);
exports_f08!(win_create_errhandler: mpi_win_create_errhandler_f08_ pmpir_win_create_errhandler_f08_; win_create_errhandler: mpi_win_create_errhandler_f08_ pmpi_win_create_errhandler_f08_);

procedure! {
    win_get_errhandler(win: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint);
    let mut errhandler_c = handle::<ERRHANDLER>(errhandler);
    let code = c::PMPI_Win_get_errhandler(handle::<WIN>(win), &mut errhandler_c);
    give(errhandler, errhandler_c);
    finish(ierror, code);
}
exports!(win_get_errhandler: mpi_win_get_errhandler_ mpi_win_get_errhandler__ mpi_win_get_errhandler MPI_WIN_GET_ERRHANDLER pmpi_win_get_errhandler_ pmpi_win_get_errhandler__ pmpi_win_get_errhandler PMPI_WIN_GET_ERRHANDLER);
exports_f08!(win_get_errhandler: mpi_win_get_errhandler_f08_ pmpir_win_get_errhandler_f08_; win_get_errhandler: mpi_win_get_errhandler_f08_ pmpi_win_get_errhandler_f08_);

procedure! {
    win_set_errhandler(win: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Win_set_errhandler(handle::<WIN>(win), handle::<ERRHANDLER>(errhandler));
    finish(ierror, code);
}
exports!(win_set_errhandler: mpi_win_set_errhandler_ mpi_win_set_errhandler__ mpi_win_set_errhandler MPI_WIN_SET_ERRHANDLER pmpi_win_set_errhandler_ pmpi_win_set_errhandler__ pmpi_win_set_errhandler PMPI_WIN_SET_ERRHANDLER);
exports_f08!(win_set_errhandler: mpi_win_set_errhandler_f08_ pmpir_win_set_errhandler_f08_; win_set_errhandler: mpi_win_set_errhandler_f08_ pmpi_win_set_errhandler_f08_);
