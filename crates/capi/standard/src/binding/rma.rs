// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: rma.

use crate::prelude::*;

binding! {
    MPI_Accumulate PMPI_Accumulate(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: Datatype as datatype, op: Op as op, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::accumulate(
            UserBuffer::new(origin_addr), i64::from(origin_count), origin_datatype, target_rank, target_disp,
            i64::from(target_count), target_datatype, op, win,
        )
    }
}

binding! {
    MPI_Accumulate_c PMPI_Accumulate_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: Datatype as datatype, op: Op as op, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::accumulate(
            UserBuffer::new(origin_addr), origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, op, win,
        )
    }
}

binding! {
    MPI_Compare_and_swap PMPI_Compare_and_swap(
        origin_addr: *const c_void as buffer, compare_addr: *const c_void as buffer,
        result_addr: *mut c_void as buffer, datatype: Datatype as datatype, target_rank: c_int as rank,
        target_disp: isize as int, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::compare_and_swap(
            UserBuffer::new(origin_addr), UserBuffer::new(compare_addr), UserBuffer::new(result_addr), datatype,
            target_rank, target_disp, win,
        )
    }
}

binding! {
    MPI_Fetch_and_op PMPI_Fetch_and_op(
        origin_addr: *const c_void as buffer, result_addr: *mut c_void as buffer, datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, op: Op as op, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::fetch_and_op(
            UserBuffer::new(origin_addr), UserBuffer::new(result_addr), datatype, target_rank, target_disp, op, win,
        )
    }
}

binding! {
    MPI_Get PMPI_Get(
        origin_addr: *mut c_void as buffer, origin_count: c_int as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: Datatype as datatype, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::win_get(
            UserBuffer::new(origin_addr), i64::from(origin_count), origin_datatype, target_rank, target_disp,
            i64::from(target_count), target_datatype, win,
        )
    }
}

binding! {
    MPI_Get_accumulate PMPI_Get_accumulate(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: Datatype as datatype,
        result_addr: *mut c_void as buffer, result_count: c_int as int, result_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: Datatype as datatype, op: Op as op, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::get_accumulate(
            UserBuffer::new(origin_addr), i64::from(origin_count), origin_datatype, UserBuffer::new(result_addr),
            i64::from(result_count), result_datatype, target_rank, target_disp, i64::from(target_count),
            target_datatype, op, win,
        )
    }
}

binding! {
    MPI_Get_accumulate_c PMPI_Get_accumulate_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: Datatype as datatype,
        result_addr: *mut c_void as buffer, result_count: i64 as int, result_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: Datatype as datatype, op: Op as op, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::get_accumulate(
            UserBuffer::new(origin_addr), origin_count, origin_datatype, UserBuffer::new(result_addr), result_count,
            result_datatype, target_rank, target_disp, target_count, target_datatype, op, win,
        )
    }
}

binding! {
    MPI_Get_c PMPI_Get_c(
        origin_addr: *mut c_void as buffer, origin_count: i64 as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: Datatype as datatype, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::win_get(
            UserBuffer::new(origin_addr), origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, win,
        )
    }
}

binding! {
    MPI_Put PMPI_Put(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: Datatype as datatype, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::win_put(
            UserBuffer::new(origin_addr), i64::from(origin_count), origin_datatype, target_rank, target_disp,
            i64::from(target_count), target_datatype, win,
        )
    }
}

binding! {
    MPI_Put_c PMPI_Put_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: Datatype as datatype, win: Win as win,
    )
    on Raise::Win(win) =>
    {
        impls::win_put(
            UserBuffer::new(origin_addr), origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, win,
        )
    }
}

binding! {
    MPI_Raccumulate PMPI_Raccumulate(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: Datatype as datatype, op: Op as op, win: Win as win, request: *mut Request as out_request,
    )
    on Raise::Win(win) =>
    {
        impls::raccumulate(
            UserBuffer::new(origin_addr), i64::from(origin_count), origin_datatype, target_rank, target_disp,
            i64::from(target_count), target_datatype, op, win, Out::new(request),
        )
    }
}

binding! {
    MPI_Raccumulate_c PMPI_Raccumulate_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: Datatype as datatype, op: Op as op, win: Win as win, request: *mut Request as out_request,
    )
    on Raise::Win(win) =>
    {
        impls::raccumulate(
            UserBuffer::new(origin_addr), origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, op, win, Out::new(request),
        )
    }
}

binding! {
    MPI_Rget PMPI_Rget(
        origin_addr: *mut c_void as buffer, origin_count: c_int as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: Datatype as datatype, win: Win as win, request: *mut Request as out_request,
    )
    on Raise::Win(win) =>
    {
        impls::rget(
            UserBuffer::new(origin_addr), i64::from(origin_count), origin_datatype, target_rank, target_disp,
            i64::from(target_count), target_datatype, win, Out::new(request),
        )
    }
}

binding! {
    MPI_Rget_accumulate PMPI_Rget_accumulate(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: Datatype as datatype,
        result_addr: *mut c_void as buffer, result_count: c_int as int, result_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: Datatype as datatype, op: Op as op, win: Win as win, request: *mut Request as out_request,
    )
    on Raise::Win(win) =>
    {
        impls::rget_accumulate(
            UserBuffer::new(origin_addr), i64::from(origin_count), origin_datatype, UserBuffer::new(result_addr),
            i64::from(result_count), result_datatype, target_rank, target_disp, i64::from(target_count),
            target_datatype, op, win, Out::new(request),
        )
    }
}

binding! {
    MPI_Rget_accumulate_c PMPI_Rget_accumulate_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: Datatype as datatype,
        result_addr: *mut c_void as buffer, result_count: i64 as int, result_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: Datatype as datatype, op: Op as op, win: Win as win, request: *mut Request as out_request,
    )
    on Raise::Win(win) =>
    {
        impls::rget_accumulate(
            UserBuffer::new(origin_addr), origin_count, origin_datatype, UserBuffer::new(result_addr), result_count,
            result_datatype, target_rank, target_disp, target_count, target_datatype, op, win, Out::new(request),
        )
    }
}

binding! {
    MPI_Rget_c PMPI_Rget_c(
        origin_addr: *mut c_void as buffer, origin_count: i64 as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: Datatype as datatype, win: Win as win, request: *mut Request as out_request,
    )
    on Raise::Win(win) =>
    {
        impls::rget(
            UserBuffer::new(origin_addr), origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, win, Out::new(request),
        )
    }
}

binding! {
    MPI_Rput PMPI_Rput(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: Datatype as datatype, win: Win as win, request: *mut Request as out_request,
    )
    on Raise::Win(win) =>
    {
        impls::rput(
            UserBuffer::new(origin_addr), i64::from(origin_count), origin_datatype, target_rank, target_disp,
            i64::from(target_count), target_datatype, win, Out::new(request),
        )
    }
}

binding! {
    MPI_Rput_c PMPI_Rput_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: Datatype as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: Datatype as datatype, win: Win as win, request: *mut Request as out_request,
    )
    on Raise::Win(win) =>
    {
        impls::rput(
            UserBuffer::new(origin_addr), origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, win, Out::new(request),
        )
    }
}

binding! {
    MPI_Win_allocate PMPI_Win_allocate(
        size: isize as int, disp_unit: c_int as int, info: Info as info, comm: Comm as comm,
        baseptr: *mut c_void as address, win: *mut Win as out_win,
    )
    on Raise::Comm(comm) =>
    {
        impls::win_allocate(size, i64::from(disp_unit), info, comm, Out::new(baseptr.cast()), Out::new(win))
    }
}

binding! {
    MPI_Win_allocate_c PMPI_Win_allocate_c(
        size: isize as int, disp_unit: isize as int, info: Info as info, comm: Comm as comm,
        baseptr: *mut c_void as address, win: *mut Win as out_win,
    )
    on Raise::Comm(comm) =>
    {
        impls::win_allocate(size, disp_unit as i64, info, comm, Out::new(baseptr.cast()), Out::new(win))
    }
}

binding! {
    MPI_Win_allocate_shared PMPI_Win_allocate_shared(
        size: isize as int, disp_unit: c_int as int, info: Info as info, comm: Comm as comm,
        baseptr: *mut c_void as address, win: *mut Win as out_win,
    )
    on Raise::Comm(comm) =>
    {
        impls::win_allocate_shared(size, i64::from(disp_unit), info, comm, Out::new(baseptr.cast()), Out::new(win))
    }
}

binding! {
    MPI_Win_allocate_shared_c PMPI_Win_allocate_shared_c(
        size: isize as int, disp_unit: isize as int, info: Info as info, comm: Comm as comm,
        baseptr: *mut c_void as address, win: *mut Win as out_win,
    )
    on Raise::Comm(comm) =>
    {
        impls::win_allocate_shared(size, disp_unit as i64, info, comm, Out::new(baseptr.cast()), Out::new(win))
    }
}

binding! {
    MPI_Win_attach PMPI_Win_attach(win: Win as win, base: *mut c_void as buffer, size: isize as int)
    on Raise::Win(win) =>
    {
        impls::win_attach(win, UserBuffer::new(base), size)
    }
}

binding! {
    MPI_Win_complete PMPI_Win_complete(win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_complete(win)
    }
}

binding! {
    MPI_Win_create PMPI_Win_create(
        base: *mut c_void as buffer, size: isize as int, disp_unit: c_int as int, info: Info as info,
        comm: Comm as comm, win: *mut Win as out_win,
    )
    on Raise::Comm(comm) =>
    {
        impls::win_create(UserBuffer::new(base), size, i64::from(disp_unit), info, comm, Out::new(win))
    }
}

binding! {
    MPI_Win_create_c PMPI_Win_create_c(
        base: *mut c_void as buffer, size: isize as int, disp_unit: isize as int, info: Info as info,
        comm: Comm as comm, win: *mut Win as out_win,
    )
    on Raise::Comm(comm) =>
    {
        impls::win_create(UserBuffer::new(base), size, disp_unit as i64, info, comm, Out::new(win))
    }
}

binding! {
    MPI_Win_create_dynamic PMPI_Win_create_dynamic(info: Info as info, comm: Comm as comm, win: *mut Win as out_win)
    on Raise::Comm(comm) =>
    {
        impls::win_create_dynamic(info, comm, Out::new(win))
    }
}

binding! {
    MPI_Win_detach PMPI_Win_detach(win: Win as win, base: *const c_void as buffer)
    on Raise::Win(win) =>
    {
        impls::win_detach(win, UserBuffer::new(base))
    }
}

binding! {
    MPI_Win_fence PMPI_Win_fence(assert: c_int as int, win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_fence(assert, win)
    }
}

binding! {
    MPI_Win_flush PMPI_Win_flush(rank: c_int as rank, win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_flush(rank, win)
    }
}

binding! {
    MPI_Win_flush_all PMPI_Win_flush_all(win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_flush_all(win)
    }
}

binding! {
    MPI_Win_flush_local PMPI_Win_flush_local(rank: c_int as rank, win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_flush_local(rank, win)
    }
}

binding! {
    MPI_Win_flush_local_all PMPI_Win_flush_local_all(win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_flush_local_all(win)
    }
}

binding! {
    MPI_Win_free PMPI_Win_free(win: *mut Win as address)
    on Raise::Win(at(In::new(win))) =>
    {
        impls::win_free(InOut::new(win))
    }
}

binding! {
    MPI_Win_get_group PMPI_Win_get_group(win: Win as win, group: *mut Group as out_group)
    on Raise::Win(win) =>
    {
        impls::win_get_group(win, Out::new(group))
    }
}

binding! {
    MPI_Win_get_info PMPI_Win_get_info(win: Win as win, info_used: *mut Info as out_info)
    on Raise::Win(win) =>
    {
        impls::win_get_info(win, Out::new(info_used))
    }
}

binding! {
    MPI_Win_lock PMPI_Win_lock(lock_type: c_int as int, rank: c_int as rank, assert: c_int as int, win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_lock(lock_type, rank, assert, win)
    }
}

binding! {
    MPI_Win_lock_all PMPI_Win_lock_all(assert: c_int as int, win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_lock_all(assert, win)
    }
}

binding! {
    MPI_Win_post PMPI_Win_post(group: Group as group, assert: c_int as int, win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_post(group, assert, win)
    }
}

binding! {
    MPI_Win_set_info PMPI_Win_set_info(win: Win as win, info: Info as info)
    on Raise::Win(win) =>
    {
        impls::win_set_info(win, info)
    }
}

binding! {
    MPI_Win_shared_query PMPI_Win_shared_query(
        win: Win as win, rank: c_int as rank, size: *mut isize as address, disp_unit: *mut c_int as address,
        baseptr: *mut c_void as address,
    )
    on Raise::Win(win) =>
    {
        impls::win_shared_query(win, rank, Out::new(size), CountOut::Int(Out::new(disp_unit)), Out::new(baseptr.cast()))
    }
}

binding! {
    MPI_Win_shared_query_c PMPI_Win_shared_query_c(
        win: Win as win, rank: c_int as rank, size: *mut isize as address, disp_unit: *mut isize as address,
        baseptr: *mut c_void as address,
    )
    on Raise::Win(win) =>
    {
        impls::win_shared_query(
            win, rank, Out::new(size), CountOut::Long(Out::new(disp_unit.cast::<i64>())), Out::new(baseptr.cast()),
        )
    }
}

binding! {
    MPI_Win_start PMPI_Win_start(group: Group as group, assert: c_int as int, win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_start(group, assert, win)
    }
}

binding! {
    MPI_Win_sync PMPI_Win_sync(win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_sync(win)
    }
}

binding! {
    MPI_Win_test PMPI_Win_test(win: Win as win, flag: *mut c_int as address)
    on Raise::Win(win) =>
    {
        impls::win_test(win, Out::new(flag))
    }
}

binding! {
    MPI_Win_unlock PMPI_Win_unlock(rank: c_int as rank, win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_unlock(rank, win)
    }
}

binding! {
    MPI_Win_unlock_all PMPI_Win_unlock_all(win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_unlock_all(win)
    }
}

binding! {
    MPI_Win_wait PMPI_Win_wait(win: Win as win)
    on Raise::Win(win) =>
    {
        impls::win_wait(win)
    }
}
