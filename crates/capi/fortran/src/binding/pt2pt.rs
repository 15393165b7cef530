// generated from api/ by cargo xtask generate; do not edit
//! The procedures: pt2pt.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    buffer_detach(buffer_addr: *mut c_void, size: *mut c_int, ierror: *mut Fint);
    let _ = buffer_addr;
    let mut buffer_addr_c: *mut c_void = std::ptr::null_mut();
    let code = c::PMPI_Buffer_detach((&raw mut buffer_addr_c).cast(), size);
    finish(ierror, code);
}
procedure! {
    buffer_detach_f08(buffer_addr: *mut c_void, size: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Buffer_detach(buffer_addr, size);
    finish(ierror, code);
}
exports!(buffer_detach: mpi_buffer_detach_ mpi_buffer_detach__ mpi_buffer_detach MPI_BUFFER_DETACH pmpi_buffer_detach_ pmpi_buffer_detach__ pmpi_buffer_detach PMPI_BUFFER_DETACH);
exports_f08!(buffer_detach_f08: mpi_buffer_detach_f08_ pmpir_buffer_detach_f08_; buffer_detach_f08: mpi_buffer_detach_f08_ pmpi_buffer_detach_f08_);

procedure! {
    buffer_detach_c_f08(buffer_addr: *mut c_void, size: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_Buffer_detach_c(buffer_addr, size);
    finish(ierror, code);
}
exports_large!(buffer_detach_c_f08: mpi_buffer_detach_c_f08_ pmpir_buffer_detach_c_f08_; mpi_buffer_detach_f08_large_ pmpir_buffer_detach_f08_large_);

procedure! {
    buffer_flush(ierror: *mut Fint);
    let code = c::PMPI_Buffer_flush();
    finish(ierror, code);
}
exports!(buffer_flush: mpi_buffer_flush_ mpi_buffer_flush__ mpi_buffer_flush MPI_BUFFER_FLUSH pmpi_buffer_flush_ pmpi_buffer_flush__ pmpi_buffer_flush PMPI_BUFFER_FLUSH);
exports_f08!(buffer_flush: mpi_buffer_flush_f08_ pmpir_buffer_flush_f08_; buffer_flush: mpi_buffer_flush_f08_ pmpi_buffer_flush_f08_);

procedure! {
    buffer_iflush(request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Buffer_iflush(&mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
exports!(buffer_iflush: mpi_buffer_iflush_ mpi_buffer_iflush__ mpi_buffer_iflush MPI_BUFFER_IFLUSH pmpi_buffer_iflush_ pmpi_buffer_iflush__ pmpi_buffer_iflush PMPI_BUFFER_IFLUSH);
exports_f08!(buffer_iflush: mpi_buffer_iflush_f08_ pmpir_buffer_iflush_f08_; buffer_iflush: mpi_buffer_iflush_f08_ pmpi_buffer_iflush_f08_);

procedure! {
    cancel(request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Cancel(&mut request_c);
    give(request, request_c);
    finish(ierror, code);
}
exports!(cancel: mpi_cancel_ mpi_cancel__ mpi_cancel MPI_CANCEL pmpi_cancel_ pmpi_cancel__ pmpi_cancel PMPI_CANCEL);
exports_f08!(cancel: mpi_cancel_f08_ pmpir_cancel_f08_; cancel: mpi_cancel_f08_ pmpi_cancel_f08_);

procedure! {
    comm_detach_buffer(comm: *mut Fint, buffer_addr: *mut c_void, size: *mut c_int,
        ierror: *mut Fint);
    let _ = buffer_addr;
    let mut buffer_addr_c: *mut c_void = std::ptr::null_mut();
    let code = c::PMPI_Comm_detach_buffer(handle::<COMM>(comm), (&raw mut buffer_addr_c).cast(),
        size);
    finish(ierror, code);
}
procedure! {
    comm_detach_buffer_f08(comm: *mut Fint, buffer_addr: *mut c_void, size: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPI_Comm_detach_buffer(handle::<COMM>(comm), buffer_addr, size);
    finish(ierror, code);
}
exports!(comm_detach_buffer: mpi_comm_detach_buffer_ mpi_comm_detach_buffer__ mpi_comm_detach_buffer MPI_COMM_DETACH_BUFFER pmpi_comm_detach_buffer_ pmpi_comm_detach_buffer__ pmpi_comm_detach_buffer PMPI_COMM_DETACH_BUFFER);
exports_f08!(comm_detach_buffer_f08: mpi_comm_detach_buffer_f08_ pmpir_comm_detach_buffer_f08_; comm_detach_buffer_f08: mpi_comm_detach_buffer_f08_ pmpi_comm_detach_buffer_f08_);

procedure! {
    comm_detach_buffer_c_f08(comm: *mut Fint, buffer_addr: *mut c_void, size: *mut i64,
        ierror: *mut Fint);
    let code = c::PMPI_Comm_detach_buffer_c(handle::<COMM>(comm), buffer_addr, size);
    finish(ierror, code);
}
exports_large!(comm_detach_buffer_c_f08: mpi_comm_detach_buffer_c_f08_ pmpir_comm_detach_buffer_c_f08_; mpi_comm_detach_buffer_f08_large_ pmpir_comm_detach_buffer_f08_large_);

procedure! {
    comm_flush_buffer(comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Comm_flush_buffer(handle::<COMM>(comm));
    finish(ierror, code);
}
exports!(comm_flush_buffer: mpi_comm_flush_buffer_ mpi_comm_flush_buffer__ mpi_comm_flush_buffer MPI_COMM_FLUSH_BUFFER pmpi_comm_flush_buffer_ pmpi_comm_flush_buffer__ pmpi_comm_flush_buffer PMPI_COMM_FLUSH_BUFFER);
exports_f08!(comm_flush_buffer: mpi_comm_flush_buffer_f08_ pmpir_comm_flush_buffer_f08_; comm_flush_buffer: mpi_comm_flush_buffer_f08_ pmpi_comm_flush_buffer_f08_);

procedure! {
    comm_iflush_buffer(comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Comm_iflush_buffer(handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
exports!(comm_iflush_buffer: mpi_comm_iflush_buffer_ mpi_comm_iflush_buffer__ mpi_comm_iflush_buffer MPI_COMM_IFLUSH_BUFFER pmpi_comm_iflush_buffer_ pmpi_comm_iflush_buffer__ pmpi_comm_iflush_buffer PMPI_COMM_IFLUSH_BUFFER);
exports_f08!(comm_iflush_buffer: mpi_comm_iflush_buffer_f08_ pmpir_comm_iflush_buffer_f08_; comm_iflush_buffer: mpi_comm_iflush_buffer_f08_ pmpi_comm_iflush_buffer_f08_);

procedure! {
    get_count(status: *mut Fint, datatype: *mut Fint, count: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Get_count(status.cast(), handle::<DATATYPE>(datatype), count);
    finish(ierror, code);
}
exports!(get_count: mpi_get_count_ mpi_get_count__ mpi_get_count MPI_GET_COUNT pmpi_get_count_ pmpi_get_count__ pmpi_get_count PMPI_GET_COUNT);
exports_f08!(get_count: mpi_get_count_f08_ pmpir_get_count_f08_; get_count: mpi_get_count_f08_ pmpi_get_count_f08_);

procedure! {
    get_count_c(status: *mut Fint, datatype: *mut Fint, count: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_Get_count_c(status.cast(), handle::<DATATYPE>(datatype), count);
    finish(ierror, code);
}
exports_large!(get_count_c: mpi_get_count_c_f08_ pmpir_get_count_c_f08_; mpi_get_count_f08_large_ pmpir_get_count_f08_large_);

procedure! {
    improbe(source: *mut c_int, tag: *mut c_int, comm: *mut Fint, flag: *mut c_int,
        message: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let mut flag_c = 0;
    let mut message_c = handle::<MESSAGE>(message);
    let code = c::PMPI_Improbe(*source, *tag, handle::<COMM>(comm), &mut flag_c, &mut message_c,
        types::status(status));
    logical(flag, flag_c);
    give(message, message_c);
    finish(ierror, code);
}
exports!(improbe: mpi_improbe_ mpi_improbe__ mpi_improbe MPI_IMPROBE pmpi_improbe_ pmpi_improbe__ pmpi_improbe PMPI_IMPROBE);
exports_f08!(improbe: mpi_improbe_f08_ pmpir_improbe_f08_; improbe: mpi_improbe_f08_ pmpi_improbe_f08_);

procedure! {
    iprobe(source: *mut c_int, tag: *mut c_int, comm: *mut Fint, flag: *mut c_int,
        status: *mut Fint, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_Iprobe(*source, *tag, handle::<COMM>(comm), &mut flag_c,
        types::status(status));
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(iprobe: mpi_iprobe_ mpi_iprobe__ mpi_iprobe MPI_IPROBE pmpi_iprobe_ pmpi_iprobe__ pmpi_iprobe PMPI_IPROBE);
exports_f08!(iprobe: mpi_iprobe_f08_ pmpir_iprobe_f08_; iprobe: mpi_iprobe_f08_ pmpi_iprobe_f08_);

procedure! {
    mprobe(source: *mut c_int, tag: *mut c_int, comm: *mut Fint, message: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let mut message_c = handle::<MESSAGE>(message);
    let code = c::PMPI_Mprobe(*source, *tag, handle::<COMM>(comm), &mut message_c,
        types::status(status));
    give(message, message_c);
    finish(ierror, code);
}
exports!(mprobe: mpi_mprobe_ mpi_mprobe__ mpi_mprobe MPI_MPROBE pmpi_mprobe_ pmpi_mprobe__ pmpi_mprobe PMPI_MPROBE);
exports_f08!(mprobe: mpi_mprobe_f08_ pmpir_mprobe_f08_; mprobe: mpi_mprobe_f08_ pmpi_mprobe_f08_);

procedure! {
    probe(source: *mut c_int, tag: *mut c_int, comm: *mut Fint, status: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Probe(*source, *tag, handle::<COMM>(comm), types::status(status));
    finish(ierror, code);
}
exports!(probe: mpi_probe_ mpi_probe__ mpi_probe MPI_PROBE pmpi_probe_ pmpi_probe__ pmpi_probe PMPI_PROBE);
exports_f08!(probe: mpi_probe_f08_ pmpir_probe_f08_; probe: mpi_probe_f08_ pmpi_probe_f08_);

procedure! {
    request_free(request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Request_free(&mut request_c);
    give(request, request_c);
    finish(ierror, code);
}
exports!(request_free: mpi_request_free_ mpi_request_free__ mpi_request_free MPI_REQUEST_FREE pmpi_request_free_ pmpi_request_free__ pmpi_request_free PMPI_REQUEST_FREE);
exports_f08!(request_free: mpi_request_free_f08_ pmpir_request_free_f08_; request_free: mpi_request_free_f08_ pmpi_request_free_f08_);

procedure! {
    request_get_status(request: *mut Fint, flag: *mut c_int, status: *mut Fint, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_Request_get_status(handle::<REQUEST>(request), &mut flag_c,
        types::status(status));
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(request_get_status: mpi_request_get_status_ mpi_request_get_status__ mpi_request_get_status MPI_REQUEST_GET_STATUS pmpi_request_get_status_ pmpi_request_get_status__ pmpi_request_get_status PMPI_REQUEST_GET_STATUS);
exports_f08!(request_get_status: mpi_request_get_status_f08_ pmpir_request_get_status_f08_; request_get_status: mpi_request_get_status_f08_ pmpi_request_get_status_f08_);

procedure! {
    request_get_status_all(count: *mut c_int, array_of_requests: *mut Fint, flag: *mut c_int,
        array_of_statuses: *mut Fint, ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*count).wide());
    let mut flag_c = 0;
    let code = c::PMPI_Request_get_status_all(*count, array_of_requests_c.place(), &mut flag_c,
        types::status(array_of_statuses));
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(request_get_status_all: mpi_request_get_status_all_ mpi_request_get_status_all__ mpi_request_get_status_all MPI_REQUEST_GET_STATUS_ALL pmpi_request_get_status_all_ pmpi_request_get_status_all__ pmpi_request_get_status_all PMPI_REQUEST_GET_STATUS_ALL);
exports_f08!(request_get_status_all: mpi_request_get_status_all_f08_ pmpir_request_get_status_all_f08_; request_get_status_all: mpi_request_get_status_all_f08_ pmpi_request_get_status_all_f08_);

procedure! {
    request_get_status_any(count: *mut c_int, array_of_requests: *mut Fint, index: *mut c_int,
        flag: *mut c_int, status: *mut Fint, ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*count).wide());
    *index = c::MPI_UNDEFINED;
    let mut flag_c = 0;
    let code = c::PMPI_Request_get_status_any(*count, array_of_requests_c.place(), index,
        &mut flag_c, types::status(status));
    from_one(index);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(request_get_status_any: mpi_request_get_status_any_ mpi_request_get_status_any__ mpi_request_get_status_any MPI_REQUEST_GET_STATUS_ANY pmpi_request_get_status_any_ pmpi_request_get_status_any__ pmpi_request_get_status_any PMPI_REQUEST_GET_STATUS_ANY);
exports_f08!(request_get_status_any: mpi_request_get_status_any_f08_ pmpir_request_get_status_any_f08_; request_get_status_any: mpi_request_get_status_any_f08_ pmpi_request_get_status_any_f08_);

procedure! {
    request_get_status_some(incount: *mut c_int, array_of_requests: *mut Fint, outcount: *mut c_int,
        array_of_indices: *mut c_int, array_of_statuses: *mut Fint, ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*incount).wide());
    *outcount = 0;
    let code = c::PMPI_Request_get_status_some(*incount, array_of_requests_c.place(), outcount,
        array_of_indices, types::status(array_of_statuses));
    all_from_one(outcount, array_of_indices);
    finish(ierror, code);
}
exports!(request_get_status_some: mpi_request_get_status_some_ mpi_request_get_status_some__ mpi_request_get_status_some MPI_REQUEST_GET_STATUS_SOME pmpi_request_get_status_some_ pmpi_request_get_status_some__ pmpi_request_get_status_some PMPI_REQUEST_GET_STATUS_SOME);
exports_f08!(request_get_status_some: mpi_request_get_status_some_f08_ pmpir_request_get_status_some_f08_; request_get_status_some: mpi_request_get_status_some_f08_ pmpi_request_get_status_some_f08_);

procedure! {
    session_detach_buffer(session: *mut Fint, buffer_addr: *mut c_void, size: *mut c_int,
        ierror: *mut Fint);
    let _ = buffer_addr;
    let mut buffer_addr_c: *mut c_void = std::ptr::null_mut();
    let code = c::PMPI_Session_detach_buffer(handle::<SESSION>(session),
        (&raw mut buffer_addr_c).cast(), size);
    finish(ierror, code);
}
procedure! {
    session_detach_buffer_f08(session: *mut Fint, buffer_addr: *mut c_void, size: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPI_Session_detach_buffer(handle::<SESSION>(session), buffer_addr, size);
    finish(ierror, code);
}
exports!(session_detach_buffer: mpi_session_detach_buffer_ mpi_session_detach_buffer__ mpi_session_detach_buffer MPI_SESSION_DETACH_BUFFER pmpi_session_detach_buffer_ pmpi_session_detach_buffer__ pmpi_session_detach_buffer PMPI_SESSION_DETACH_BUFFER);
exports_f08!(session_detach_buffer_f08: mpi_session_detach_buffer_f08_ pmpir_session_detach_buffer_f08_; session_detach_buffer_f08: mpi_session_detach_buffer_f08_ pmpi_session_detach_buffer_f08_);

procedure! {
    session_detach_buffer_c_f08(session: *mut Fint, buffer_addr: *mut c_void, size: *mut i64,
        ierror: *mut Fint);
    let code = c::PMPI_Session_detach_buffer_c(handle::<SESSION>(session), buffer_addr, size);
    finish(ierror, code);
}
exports_large!(session_detach_buffer_c_f08: mpi_session_detach_buffer_c_f08_ pmpir_session_detach_buffer_c_f08_; mpi_session_detach_buffer_f08_large_ pmpir_session_detach_buffer_f08_large_);

procedure! {
    session_flush_buffer(session: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Session_flush_buffer(handle::<SESSION>(session));
    finish(ierror, code);
}
exports!(session_flush_buffer: mpi_session_flush_buffer_ mpi_session_flush_buffer__ mpi_session_flush_buffer MPI_SESSION_FLUSH_BUFFER pmpi_session_flush_buffer_ pmpi_session_flush_buffer__ pmpi_session_flush_buffer PMPI_SESSION_FLUSH_BUFFER);
exports_f08!(session_flush_buffer: mpi_session_flush_buffer_f08_ pmpir_session_flush_buffer_f08_; session_flush_buffer: mpi_session_flush_buffer_f08_ pmpi_session_flush_buffer_f08_);

procedure! {
    session_iflush_buffer(session: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Session_iflush_buffer(handle::<SESSION>(session), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
exports!(session_iflush_buffer: mpi_session_iflush_buffer_ mpi_session_iflush_buffer__ mpi_session_iflush_buffer MPI_SESSION_IFLUSH_BUFFER pmpi_session_iflush_buffer_ pmpi_session_iflush_buffer__ pmpi_session_iflush_buffer PMPI_SESSION_IFLUSH_BUFFER);
exports_f08!(session_iflush_buffer: mpi_session_iflush_buffer_f08_ pmpir_session_iflush_buffer_f08_; session_iflush_buffer: mpi_session_iflush_buffer_f08_ pmpi_session_iflush_buffer_f08_);

procedure! {
    start(request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Start(&mut request_c);
    give(request, request_c);
    finish(ierror, code);
}
exports!(start: mpi_start_ mpi_start__ mpi_start MPI_START pmpi_start_ pmpi_start__ pmpi_start PMPI_START);
exports_f08!(start: mpi_start_f08_ pmpir_start_f08_; start: mpi_start_f08_ pmpi_start_f08_);

procedure! {
    startall(count: *mut c_int, array_of_requests: *mut Fint, ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*count).wide());
    let code = c::PMPI_Startall(*count, array_of_requests_c.place());
    array_of_requests_c.give();
    finish(ierror, code);
}
exports!(startall: mpi_startall_ mpi_startall__ mpi_startall MPI_STARTALL pmpi_startall_ pmpi_startall__ pmpi_startall PMPI_STARTALL);
exports_f08!(startall: mpi_startall_f08_ pmpir_startall_f08_; startall: mpi_startall_f08_ pmpi_startall_f08_);

procedure! {
    status_get_error(status: *mut Fint, err: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Status_get_error(status.cast(), err);
    finish(ierror, code);
}
exports!(status_get_error: mpi_status_get_error_ mpi_status_get_error__ mpi_status_get_error MPI_STATUS_GET_ERROR pmpi_status_get_error_ pmpi_status_get_error__ pmpi_status_get_error PMPI_STATUS_GET_ERROR);
exports_f08!(status_get_error: mpi_status_get_error_f08_ pmpir_status_get_error_f08_; status_get_error: mpi_status_get_error_f08_ pmpi_status_get_error_f08_);

procedure! {
    status_get_source(status: *mut Fint, source: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Status_get_source(status.cast(), source);
    finish(ierror, code);
}
exports!(status_get_source: mpi_status_get_source_ mpi_status_get_source__ mpi_status_get_source MPI_STATUS_GET_SOURCE pmpi_status_get_source_ pmpi_status_get_source__ pmpi_status_get_source PMPI_STATUS_GET_SOURCE);
exports_f08!(status_get_source: mpi_status_get_source_f08_ pmpir_status_get_source_f08_; status_get_source: mpi_status_get_source_f08_ pmpi_status_get_source_f08_);

procedure! {
    status_get_tag(status: *mut Fint, tag: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Status_get_tag(status.cast(), tag);
    finish(ierror, code);
}
exports!(status_get_tag: mpi_status_get_tag_ mpi_status_get_tag__ mpi_status_get_tag MPI_STATUS_GET_TAG pmpi_status_get_tag_ pmpi_status_get_tag__ pmpi_status_get_tag PMPI_STATUS_GET_TAG);
exports_f08!(status_get_tag: mpi_status_get_tag_f08_ pmpir_status_get_tag_f08_; status_get_tag: mpi_status_get_tag_f08_ pmpi_status_get_tag_f08_);

procedure! {
    test(request: *mut Fint, flag: *mut c_int, status: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let mut flag_c = 0;
    let code = c::PMPI_Test(&mut request_c, &mut flag_c, types::status(status));
    give(request, request_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(test: mpi_test_ mpi_test__ mpi_test MPI_TEST pmpi_test_ pmpi_test__ pmpi_test PMPI_TEST);
exports_f08!(test: mpi_test_f08_ pmpir_test_f08_; test: mpi_test_f08_ pmpi_test_f08_);

procedure! {
    test_cancelled(status: *mut Fint, flag: *mut c_int, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_Test_cancelled(status.cast(), &mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(test_cancelled: mpi_test_cancelled_ mpi_test_cancelled__ mpi_test_cancelled MPI_TEST_CANCELLED pmpi_test_cancelled_ pmpi_test_cancelled__ pmpi_test_cancelled PMPI_TEST_CANCELLED);
exports_f08!(test_cancelled: mpi_test_cancelled_f08_ pmpir_test_cancelled_f08_; test_cancelled: mpi_test_cancelled_f08_ pmpi_test_cancelled_f08_);

procedure! {
    testall(count: *mut c_int, array_of_requests: *mut Fint, flag: *mut c_int,
        array_of_statuses: *mut Fint, ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*count).wide());
    let mut flag_c = 0;
    let code = c::PMPI_Testall(*count, array_of_requests_c.place(), &mut flag_c,
        types::status(array_of_statuses));
    array_of_requests_c.give();
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(testall: mpi_testall_ mpi_testall__ mpi_testall MPI_TESTALL pmpi_testall_ pmpi_testall__ pmpi_testall PMPI_TESTALL);
exports_f08!(testall: mpi_testall_f08_ pmpir_testall_f08_; testall: mpi_testall_f08_ pmpi_testall_f08_);

procedure! {
    testany(count: *mut c_int, array_of_requests: *mut Fint, index: *mut c_int, flag: *mut c_int,
        status: *mut Fint, ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*count).wide());
    *index = c::MPI_UNDEFINED;
    let mut flag_c = 0;
    let code = c::PMPI_Testany(*count, array_of_requests_c.place(), index, &mut flag_c,
        types::status(status));
    array_of_requests_c.give();
    from_one(index);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(testany: mpi_testany_ mpi_testany__ mpi_testany MPI_TESTANY pmpi_testany_ pmpi_testany__ pmpi_testany PMPI_TESTANY);
exports_f08!(testany: mpi_testany_f08_ pmpir_testany_f08_; testany: mpi_testany_f08_ pmpi_testany_f08_);

procedure! {
    testsome(incount: *mut c_int, array_of_requests: *mut Fint, outcount: *mut c_int,
        array_of_indices: *mut c_int, array_of_statuses: *mut Fint, ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*incount).wide());
    *outcount = 0;
    let code = c::PMPI_Testsome(*incount, array_of_requests_c.place(), outcount, array_of_indices,
        types::status(array_of_statuses));
    array_of_requests_c.give();
    all_from_one(outcount, array_of_indices);
    finish(ierror, code);
}
exports!(testsome: mpi_testsome_ mpi_testsome__ mpi_testsome MPI_TESTSOME pmpi_testsome_ pmpi_testsome__ pmpi_testsome PMPI_TESTSOME);
exports_f08!(testsome: mpi_testsome_f08_ pmpir_testsome_f08_; testsome: mpi_testsome_f08_ pmpi_testsome_f08_);

procedure! {
    wait(request: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Wait(&mut request_c, types::status(status));
    give(request, request_c);
    finish(ierror, code);
}
exports!(wait: mpi_wait_ mpi_wait__ mpi_wait MPI_WAIT pmpi_wait_ pmpi_wait__ pmpi_wait PMPI_WAIT);
exports_f08!(wait: mpi_wait_f08_ pmpir_wait_f08_; wait: mpi_wait_f08_ pmpi_wait_f08_);

procedure! {
    waitall(count: *mut c_int, array_of_requests: *mut Fint, array_of_statuses: *mut Fint,
        ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*count).wide());
    let code = c::PMPI_Waitall(*count, array_of_requests_c.place(),
        types::status(array_of_statuses));
    array_of_requests_c.give();
    finish(ierror, code);
}
exports!(waitall: mpi_waitall_ mpi_waitall__ mpi_waitall MPI_WAITALL pmpi_waitall_ pmpi_waitall__ pmpi_waitall PMPI_WAITALL);
exports_f08!(waitall: mpi_waitall_f08_ pmpir_waitall_f08_; waitall: mpi_waitall_f08_ pmpi_waitall_f08_);

procedure! {
    waitany(count: *mut c_int, array_of_requests: *mut Fint, index: *mut c_int, status: *mut Fint,
        ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*count).wide());
    *index = c::MPI_UNDEFINED;
    let code = c::PMPI_Waitany(*count, array_of_requests_c.place(), index, types::status(status));
    array_of_requests_c.give();
    from_one(index);
    finish(ierror, code);
}
exports!(waitany: mpi_waitany_ mpi_waitany__ mpi_waitany MPI_WAITANY pmpi_waitany_ pmpi_waitany__ pmpi_waitany PMPI_WAITANY);
exports_f08!(waitany: mpi_waitany_f08_ pmpir_waitany_f08_; waitany: mpi_waitany_f08_ pmpi_waitany_f08_);

procedure! {
    waitsome(incount: *mut c_int, array_of_requests: *mut Fint, outcount: *mut c_int,
        array_of_indices: *mut c_int, array_of_statuses: *mut Fint, ierror: *mut Fint);
    let mut array_of_requests_c = Handles::new::<REQUEST>(array_of_requests, (*incount).wide());
    *outcount = 0;
    let code = c::PMPI_Waitsome(*incount, array_of_requests_c.place(), outcount, array_of_indices,
        types::status(array_of_statuses));
    array_of_requests_c.give();
    all_from_one(outcount, array_of_indices);
    finish(ierror, code);
}
exports!(waitsome: mpi_waitsome_ mpi_waitsome__ mpi_waitsome MPI_WAITSOME pmpi_waitsome_ pmpi_waitsome__ pmpi_waitsome PMPI_WAITSOME);
exports_f08!(waitsome: mpi_waitsome_f08_ pmpir_waitsome_f08_; waitsome: mpi_waitsome_f08_ pmpi_waitsome_f08_);
