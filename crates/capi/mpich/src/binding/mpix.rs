// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: mpix.

use crate::prelude::*;

binding! {
    MPIX_Allreduce_enqueue PMPIX_Allreduce_enqueue(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Allreduce_enqueue_c PMPIX_Allreduce_enqueue_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Comm_ack_failed PMPIX_Comm_ack_failed(
        comm: c_int as comm, num_to_ack: c_int as int, num_acked: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_ack_failed(to::comm(comm), num_to_ack, Out::new(num_acked))
    }
}

binding! {
    MPIX_Comm_agree PMPIX_Comm_agree(comm: c_int as comm, flag: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_agree(to::comm(comm), InOut::new(flag))
    }
}

binding! {
    MPIX_Comm_failure_ack PMPIX_Comm_failure_ack(comm: c_int as comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_failure_ack(to::comm(comm))
    }
}

binding! {
    MPIX_Comm_failure_get_acked PMPIX_Comm_failure_get_acked(comm: c_int as comm, failedgrp: *mut c_int as out_group)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut failedgrp = Place::out(Out::new(failedgrp), Group::NULL);
        impls::comm_failure_get_acked(to::comm(comm), Out::new(failedgrp.pass()))?;
        failedgrp.leave(from::group);
        Ok(())
    }
}

binding! {
    MPIX_Comm_get_failed PMPIX_Comm_get_failed(comm: c_int as comm, failedgrp: *mut c_int as out_group)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut failedgrp = Place::out(Out::new(failedgrp), Group::NULL);
        impls::comm_get_failed(to::comm(comm), Out::new(failedgrp.pass()))?;
        failedgrp.leave(from::group);
        Ok(())
    }
}

binding! {
    MPIX_Comm_get_stream PMPIX_Comm_get_stream(comm: c_int as comm, idx: c_int as int, stream: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_get_stream(to::comm(comm), idx, Out::new(stream))
    }
}

binding! {
    MPIX_Comm_iagree PMPIX_Comm_iagree(
        comm: c_int as comm, flag: *mut c_int as address, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::comm_iagree(to::comm(comm), UserBuffer::new(flag.cast()), Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPIX_Comm_is_revoked PMPIX_Comm_is_revoked(comm: c_int as comm, flag: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_is_revoked(to::comm(comm), Out::new(flag))
    }
}

binding! {
    MPIX_Comm_ishrink PMPIX_Comm_ishrink(
        comm: c_int as comm, newcomm: *mut c_int as out_comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::comm_ishrink(to::comm(comm), Out::new(newcomm.pass()), Out::new(request.pass()))?;
        newcomm.leave(from::comm);
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPIX_Comm_revoke PMPIX_Comm_revoke(comm: c_int as comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_revoke(to::comm(comm))
    }
}

binding! {
    MPIX_Comm_shrink PMPIX_Comm_shrink(comm: c_int as comm, newcomm: *mut c_int as out_comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_shrink(to::comm(comm), Out::new(newcomm.pass()))?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPIX_Comm_test_threadcomm PMPIX_Comm_test_threadcomm(comm: c_int as comm, flag: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_test_threadcomm(to::comm(comm), Out::new(flag))
    }
}

binding! {
    MPIX_Delete_error_class PMPIX_Delete_error_class(errorclass: c_int as int)
    on Raise::Default =>
    {
        impls::remove_error_class(to::class(errorclass))
    }
}

binding! {
    MPIX_Delete_error_code PMPIX_Delete_error_code(errorcode: c_int as int)
    on Raise::Default =>
    {
        impls::remove_error_code(to::code(errorcode))
    }
}

binding! {
    MPIX_Delete_error_string PMPIX_Delete_error_string(errorcode: c_int as int)
    on Raise::Default =>
    {
        impls::remove_error_string(to::code(errorcode))
    }
}

binding! {
    MPIX_GPU_query_support PMPIX_GPU_query_support(gpu_type: c_int as int, is_supported: *mut c_int as address)
    on Raise::Default =>
    {
        impls::gpu_query_support(gpu_type, Out::new(is_supported))
    }
}

binding! {
    MPIX_Get_notify PMPIX_Get_notify(
        origin_addr: *mut c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, notification_idx: c_int as int, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        missing(
            "notified access to windows is not implemented",
            "tell the target by a message, or by MPI_Fetch_and_op on a counter in the window",
        )
    }
}

binding! {
    MPIX_Get_notify_c PMPIX_Get_notify_c(
        origin_addr: *mut c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: i64 as int, target_count: i64 as int,
        target_datatype: c_int as datatype, notification_idx: c_int as int, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        missing(
            "notified access to windows is not implemented",
            "tell the target by a message, or by MPI_Fetch_and_op on a counter in the window",
        )
    }
}

binding! {
    MPIX_Grequest_class_allocate PMPIX_Grequest_class_allocate(
        greq_class: c_int as int, extra_state: *mut c_void as address, request: *mut c_int as out_request,
    )
    on Raise::Default =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::grequest_class_allocate(greq_class, extra_state, Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPIX_Grequest_class_create PMPIX_Grequest_class_create(
        query_fn: Function as address, free_fn: Function as address, cancel_fn: Function as address,
        poll_fn: Function as address, wait_fn: Function as address, greq_class: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::grequest_class_create(
            callback(query_fn), callback(free_fn), callback(cancel_fn), callback(poll_fn), callback(wait_fn),
            Out::new(greq_class),
        )
    }
}

binding! {
    MPIX_Grequest_start PMPIX_Grequest_start(
        query_fn: Function as address, free_fn: Function as address, cancel_fn: Function as address,
        poll_fn: Function as address, wait_fn: Function as address, extra_state: *mut c_void as address,
        request: *mut c_int as out_request,
    )
    on Raise::Default =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::grequest_start_polled(
            callback(query_fn), callback(free_fn), callback(cancel_fn), callback(poll_fn), callback(wait_fn),
            extra_state, Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPIX_Info_set_hex PMPIX_Info_set_hex(
        info: c_int as info, key: *const c_char as string, value: *const c_void as address, value_size: c_int as int,
    )
    on Raise::Default =>
    {
        impls::info_set_hex(to::info(info), StringIn::new(key), ValueIn::new(value), value_size)
    }
}

binding! {
    MPIX_Irecv_enqueue PMPIX_Irecv_enqueue(
        buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Irecv_enqueue_c PMPIX_Irecv_enqueue_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Isend_enqueue PMPIX_Isend_enqueue(
        buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Isend_enqueue_c PMPIX_Isend_enqueue_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Put_notify PMPIX_Put_notify(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, notification_idx: c_int as int, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        missing(
            "notified access to windows is not implemented",
            "tell the target by a message, or by MPI_Fetch_and_op on a counter in the window",
        )
    }
}

binding! {
    MPIX_Put_notify_c PMPIX_Put_notify_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: i64 as int, target_count: i64 as int,
        target_datatype: c_int as datatype, notification_idx: c_int as int, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        missing(
            "notified access to windows is not implemented",
            "tell the target by a message, or by MPI_Fetch_and_op on a counter in the window",
        )
    }
}

direct! {
    MPIX_Query_cuda_support PMPIX_Query_cuda_support() -> c_int { impls::query_cuda_support() }
}

direct! {
    MPIX_Query_hip_support PMPIX_Query_hip_support() -> c_int { impls::query_hip_support() }
}

direct! {
    MPIX_Query_ze_support PMPIX_Query_ze_support() -> c_int { impls::query_ze_support() }
}

binding! {
    MPIX_Recv_enqueue PMPIX_Recv_enqueue(
        buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Recv_enqueue_c PMPIX_Recv_enqueue_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Send_enqueue PMPIX_Send_enqueue(
        buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Send_enqueue_c PMPIX_Send_enqueue_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Start_progress_thread PMPIX_Start_progress_thread(stream: c_int as int)
    on Raise::Default =>
    {
        impls::start_progress_thread(stream)
    }
}

binding! {
    MPIX_Stop_progress_thread PMPIX_Stop_progress_thread(stream: c_int as int)
    on Raise::Default =>
    {
        impls::stop_progress_thread(stream)
    }
}

binding! {
    MPIX_Stream_comm_create PMPIX_Stream_comm_create(
        comm: c_int as comm, stream: c_int as int, newcomm: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::stream_comm_create(to::comm(comm), stream, Out::new(newcomm.pass()))?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPIX_Stream_comm_create_multiplex PMPIX_Stream_comm_create_multiplex(
        comm: c_int as comm, count: c_int as int, array_of_streams: *mut c_int as address,
        newcomm: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Stream_create PMPIX_Stream_create(info: c_int as info, stream: *mut c_int as address)
    on Raise::Default =>
    {
        impls::stream_create(to::info(info), Out::new(stream))
    }
}

binding! {
    MPIX_Stream_free PMPIX_Stream_free(stream: *mut c_int as address)
    on Raise::Default =>
    {
        impls::stream_free(InOut::new(stream))
    }
}

binding! {
    MPIX_Stream_irecv PMPIX_Stream_irecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, source_stream_index: c_int as int, dest_stream_index: c_int as int,
        request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Stream_irecv_c PMPIX_Stream_irecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, source_stream_index: c_int as int, dest_stream_index: c_int as int,
        request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Stream_isend PMPIX_Stream_isend(
        buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, source_stream_index: c_int as int, dest_stream_index: c_int as int,
        request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Stream_isend_c PMPIX_Stream_isend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, source_stream_index: c_int as int, dest_stream_index: c_int as int,
        request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Stream_progress PMPIX_Stream_progress(stream: c_int as int)
    on Raise::Default =>
    {
        impls::stream_progress(stream)
    }
}

binding! {
    MPIX_Stream_recv PMPIX_Stream_recv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, source_stream_index: c_int as int, dest_stream_index: c_int as int,
        status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Stream_recv_c PMPIX_Stream_recv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, source_stream_index: c_int as int, dest_stream_index: c_int as int,
        status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Stream_send PMPIX_Stream_send(
        buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, source_stream_index: c_int as int, dest_stream_index: c_int as int,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Stream_send_c PMPIX_Stream_send_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, source_stream_index: c_int as int, dest_stream_index: c_int as int,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Threadcomm_finish PMPIX_Threadcomm_finish(threadcomm: c_int as comm)
    on Raise::Comm(to::comm(threadcomm)) =>
    {
        missing(
            "communicators of threads are not implemented",
            "start MPI with MPI_THREAD_MULTIPLE and tell the threads apart by tags",
        )
    }
}

binding! {
    MPIX_Threadcomm_free PMPIX_Threadcomm_free(threadcomm: *mut c_int as address)
    on Raise::Comm(to::comm(at(In::new(threadcomm)))) =>
    {
        missing(
            "communicators of threads are not implemented",
            "start MPI with MPI_THREAD_MULTIPLE and tell the threads apart by tags",
        )
    }
}

binding! {
    MPIX_Threadcomm_init PMPIX_Threadcomm_init(
        comm: c_int as comm, num_threads: c_int as int, newthreadcomm: *mut c_int as out_comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        missing(
            "communicators of threads are not implemented",
            "start MPI with MPI_THREAD_MULTIPLE and tell the threads apart by tags",
        )
    }
}

binding! {
    MPIX_Threadcomm_start PMPIX_Threadcomm_start(threadcomm: c_int as comm)
    on Raise::Comm(to::comm(threadcomm)) =>
    {
        missing(
            "communicators of threads are not implemented",
            "start MPI with MPI_THREAD_MULTIPLE and tell the threads apart by tags",
        )
    }
}

binding! {
    MPIX_Type_iov PMPIX_Type_iov(
        datatype: c_int as datatype, iov_offset: i64 as int, iov: *mut Iov as address, max_iov_len: i64 as int,
        actual_iov_len: *mut i64 as address,
    )
    on Raise::Default =>
    {
        impls::type_iov(
            to::datatype(datatype), iov_offset, OutSlice::new(iov, max_iov_len), max_iov_len,
            Out::new(actual_iov_len),
        )
    }
}

binding! {
    MPIX_Type_iov_len PMPIX_Type_iov_len(
        datatype: c_int as datatype, max_iov_bytes: i64 as int, iov_len: *mut i64 as address,
        actual_iov_bytes: *mut i64 as address,
    )
    on Raise::Default =>
    {
        impls::type_iov_len(to::datatype(datatype), max_iov_bytes, Out::new(iov_len), Out::new(actual_iov_bytes))
    }
}

binding! {
    MPIX_Wait_enqueue PMPIX_Wait_enqueue(request: *mut c_int as address, status: *mut Status as address)
    on Raise::Default =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Waitall_enqueue PMPIX_Waitall_enqueue(
        count: c_int as int, array_of_requests: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        missing(
            "communicators of several streams and calls queued for a GPU are not implemented",
            "call the MPI function that has no stream, on a communicator of MPI_Comm_dup",
        )
    }
}

binding! {
    MPIX_Win_create_notify PMPIX_Win_create_notify(win: c_int as win, notification_num: c_int as int)
    on Raise::Win(to::win(win)) =>
    {
        missing(
            "notified access to windows is not implemented",
            "tell the target by a message, or by MPI_Fetch_and_op on a counter in the window",
        )
    }
}

binding! {
    MPIX_Win_free_notify PMPIX_Win_free_notify(win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        missing(
            "notified access to windows is not implemented",
            "tell the target by a message, or by MPI_Fetch_and_op on a counter in the window",
        )
    }
}

binding! {
    MPIX_Win_get_notify PMPIX_Win_get_notify(
        win: c_int as win, notification_idx: c_int as int, notification: *mut i64 as address,
    )
    on Raise::Win(to::win(win)) =>
    {
        missing(
            "notified access to windows is not implemented",
            "tell the target by a message, or by MPI_Fetch_and_op on a counter in the window",
        )
    }
}

binding! {
    MPIX_Win_get_notify_request PMPIX_Win_get_notify_request(
        win: c_int as win, notification_idx: c_int as int, expected_value: i64 as int,
        request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    {
        missing(
            "notified access to windows is not implemented",
            "tell the target by a message, or by MPI_Fetch_and_op on a counter in the window",
        )
    }
}

binding! {
    MPIX_Win_set_notify PMPIX_Win_set_notify(
        win: c_int as win, notification_idx: c_int as int, notification: i64 as int,
    )
    on Raise::Win(to::win(win)) =>
    {
        missing(
            "notified access to windows is not implemented",
            "tell the target by a message, or by MPI_Fetch_and_op on a counter in the window",
        )
    }
}
