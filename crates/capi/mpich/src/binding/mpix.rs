// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: mpix.

use crate::prelude::*;

binding! {
    MPIX_Comm_agree PMPIX_Comm_agree(comm: c_int as comm, flag: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    { missing("going on after a process has failed is not implemented yet") }
}

binding! {
    MPIX_Comm_failure_ack PMPIX_Comm_failure_ack(comm: c_int as comm)
    on Raise::Comm(to::comm(comm)) =>
    { missing("going on after a process has failed is not implemented yet") }
}

binding! {
    MPIX_Comm_failure_get_acked PMPIX_Comm_failure_get_acked(comm: c_int as comm, failedgrp: *mut c_int as out_group)
    on Raise::Comm(to::comm(comm)) =>
    { missing("going on after a process has failed is not implemented yet") }
}

binding! {
    MPIX_Comm_get_failed PMPIX_Comm_get_failed(comm: c_int as comm, failedgrp: *mut c_int as out_group)
    on Raise::Comm(to::comm(comm)) =>
    { missing("going on after a process has failed is not implemented yet") }
}

binding! {
    MPIX_Comm_revoke PMPIX_Comm_revoke(comm: c_int as comm)
    on Raise::Comm(to::comm(comm)) =>
    { missing("going on after a process has failed is not implemented yet") }
}

binding! {
    MPIX_Comm_shrink PMPIX_Comm_shrink(comm: c_int as comm, newcomm: *mut c_int as out_comm)
    on Raise::Comm(to::comm(comm)) =>
    { missing("going on after a process has failed is not implemented yet") }
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
    { missing("notified access to windows is not implemented") }
}

binding! {
    MPIX_Get_notify_c PMPIX_Get_notify_c(
        origin_addr: *mut c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: i64 as int, target_count: i64 as int,
        target_datatype: c_int as datatype, notification_idx: c_int as int, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    { missing("notified access to windows is not implemented") }
}

binding! {
    MPIX_Put_notify PMPIX_Put_notify(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, notification_idx: c_int as int, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    { missing("notified access to windows is not implemented") }
}

binding! {
    MPIX_Put_notify_c PMPIX_Put_notify_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: i64 as int, target_count: i64 as int,
        target_datatype: c_int as datatype, notification_idx: c_int as int, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    { missing("notified access to windows is not implemented") }
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
    MPIX_Win_create_notify PMPIX_Win_create_notify(win: c_int as win, notification_num: c_int as int)
    on Raise::Win(to::win(win)) =>
    { missing("notified access to windows is not implemented") }
}

binding! {
    MPIX_Win_free_notify PMPIX_Win_free_notify(win: c_int as win)
    on Raise::Win(to::win(win)) =>
    { missing("notified access to windows is not implemented") }
}

binding! {
    MPIX_Win_get_notify PMPIX_Win_get_notify(
        win: c_int as win, notification_idx: c_int as int, notification: *mut i64 as address,
    )
    on Raise::Win(to::win(win)) =>
    { missing("notified access to windows is not implemented") }
}

binding! {
    MPIX_Win_get_notify_request PMPIX_Win_get_notify_request(
        win: c_int as win, notification_idx: c_int as int, expected_value: i64 as int,
        request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    { missing("notified access to windows is not implemented") }
}

binding! {
    MPIX_Win_set_notify PMPIX_Win_set_notify(
        win: c_int as win, notification_idx: c_int as int, notification: i64 as int,
    )
    on Raise::Win(to::win(win)) =>
    { missing("notified access to windows is not implemented") }
}
