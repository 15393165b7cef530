// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: rma.

use crate::prelude::*;

binding! {
    MPI_Accumulate PMPI_Accumulate(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, op: c_int as op, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::accumulate(
            UserBuffer::new(to::buffer(origin_addr)), i64::from(origin_count), to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, i64::from(target_count), to::datatype(target_datatype), to::op(op),
            to::win(win),
        )
    }
}

binding! {
    MPI_Accumulate_c PMPI_Accumulate_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: c_int as datatype, op: c_int as op, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::accumulate(
            UserBuffer::new(to::buffer(origin_addr)), origin_count, to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, target_count, to::datatype(target_datatype), to::op(op), to::win(win),
        )
    }
}

binding! {
    MPI_Compare_and_swap PMPI_Compare_and_swap(
        origin_addr: *const c_void as buffer, compare_addr: *const c_void as buffer,
        result_addr: *mut c_void as buffer, datatype: c_int as datatype, target_rank: c_int as rank,
        target_disp: isize as int, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::compare_and_swap(
            UserBuffer::new(to::buffer(origin_addr)), UserBuffer::new(to::buffer(compare_addr)),
            UserBuffer::new(to::buffer_mut(result_addr)), to::datatype(datatype), to::rank(target_rank), target_disp,
            to::win(win),
        )
    }
}

binding! {
    MPI_Fetch_and_op PMPI_Fetch_and_op(
        origin_addr: *const c_void as buffer, result_addr: *mut c_void as buffer, datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, op: c_int as op, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::fetch_and_op(
            UserBuffer::new(to::buffer(origin_addr)), UserBuffer::new(to::buffer_mut(result_addr)),
            to::datatype(datatype), to::rank(target_rank), target_disp, to::op(op), to::win(win),
        )
    }
}

binding! {
    MPI_Get PMPI_Get(
        origin_addr: *mut c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::win_get(
            UserBuffer::new(to::buffer_mut(origin_addr)), i64::from(origin_count), to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, i64::from(target_count), to::datatype(target_datatype), to::win(win),
        )
    }
}

binding! {
    MPI_Get_accumulate PMPI_Get_accumulate(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        result_addr: *mut c_void as buffer, result_count: c_int as int, result_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, op: c_int as op, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::get_accumulate(
            UserBuffer::new(to::buffer(origin_addr)), i64::from(origin_count), to::datatype(origin_datatype),
            UserBuffer::new(to::buffer_mut(result_addr)), i64::from(result_count), to::datatype(result_datatype),
            to::rank(target_rank), target_disp, i64::from(target_count), to::datatype(target_datatype), to::op(op),
            to::win(win),
        )
    }
}

binding! {
    MPI_Get_accumulate_c PMPI_Get_accumulate_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        result_addr: *mut c_void as buffer, result_count: i64 as int, result_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: c_int as datatype, op: c_int as op, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::get_accumulate(
            UserBuffer::new(to::buffer(origin_addr)), origin_count, to::datatype(origin_datatype),
            UserBuffer::new(to::buffer_mut(result_addr)), result_count, to::datatype(result_datatype),
            to::rank(target_rank), target_disp, target_count, to::datatype(target_datatype), to::op(op), to::win(win),
        )
    }
}

binding! {
    MPI_Get_c PMPI_Get_c(
        origin_addr: *mut c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: c_int as datatype, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::win_get(
            UserBuffer::new(to::buffer_mut(origin_addr)), origin_count, to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, target_count, to::datatype(target_datatype), to::win(win),
        )
    }
}

binding! {
    MPI_Put PMPI_Put(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::win_put(
            UserBuffer::new(to::buffer(origin_addr)), i64::from(origin_count), to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, i64::from(target_count), to::datatype(target_datatype), to::win(win),
        )
    }
}

binding! {
    MPI_Put_c PMPI_Put_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: c_int as datatype, win: c_int as win,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::win_put(
            UserBuffer::new(to::buffer(origin_addr)), origin_count, to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, target_count, to::datatype(target_datatype), to::win(win),
        )
    }
}

binding! {
    MPI_Raccumulate PMPI_Raccumulate(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, op: c_int as op, win: c_int as win, request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::raccumulate(
            UserBuffer::new(to::buffer(origin_addr)), i64::from(origin_count), to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, i64::from(target_count), to::datatype(target_datatype), to::op(op),
            to::win(win), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Raccumulate_c PMPI_Raccumulate_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: c_int as datatype, op: c_int as op, win: c_int as win, request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::raccumulate(
            UserBuffer::new(to::buffer(origin_addr)), origin_count, to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, target_count, to::datatype(target_datatype), to::op(op), to::win(win),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Rget PMPI_Rget(
        origin_addr: *mut c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, win: c_int as win, request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::rget(
            UserBuffer::new(to::buffer_mut(origin_addr)), i64::from(origin_count), to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, i64::from(target_count), to::datatype(target_datatype), to::win(win),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Rget_accumulate PMPI_Rget_accumulate(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        result_addr: *mut c_void as buffer, result_count: c_int as int, result_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, op: c_int as op, win: c_int as win, request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::rget_accumulate(
            UserBuffer::new(to::buffer(origin_addr)), i64::from(origin_count), to::datatype(origin_datatype),
            UserBuffer::new(to::buffer_mut(result_addr)), i64::from(result_count), to::datatype(result_datatype),
            to::rank(target_rank), target_disp, i64::from(target_count), to::datatype(target_datatype), to::op(op),
            to::win(win), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Rget_accumulate_c PMPI_Rget_accumulate_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        result_addr: *mut c_void as buffer, result_count: i64 as int, result_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: c_int as datatype, op: c_int as op, win: c_int as win, request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::rget_accumulate(
            UserBuffer::new(to::buffer(origin_addr)), origin_count, to::datatype(origin_datatype),
            UserBuffer::new(to::buffer_mut(result_addr)), result_count, to::datatype(result_datatype),
            to::rank(target_rank), target_disp, target_count, to::datatype(target_datatype), to::op(op), to::win(win),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Rget_c PMPI_Rget_c(
        origin_addr: *mut c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: c_int as datatype, win: c_int as win, request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::rget(
            UserBuffer::new(to::buffer_mut(origin_addr)), origin_count, to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, target_count, to::datatype(target_datatype), to::win(win),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Rput PMPI_Rput(
        origin_addr: *const c_void as buffer, origin_count: c_int as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: c_int as int,
        target_datatype: c_int as datatype, win: c_int as win, request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::rput(
            UserBuffer::new(to::buffer(origin_addr)), i64::from(origin_count), to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, i64::from(target_count), to::datatype(target_datatype), to::win(win),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Rput_c PMPI_Rput_c(
        origin_addr: *const c_void as buffer, origin_count: i64 as int, origin_datatype: c_int as datatype,
        target_rank: c_int as rank, target_disp: isize as int, target_count: i64 as int,
        target_datatype: c_int as datatype, win: c_int as win, request: *mut c_int as out_request,
    )
    on Raise::Win(to::win(win)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::rput(
            UserBuffer::new(to::buffer(origin_addr)), origin_count, to::datatype(origin_datatype),
            to::rank(target_rank), target_disp, target_count, to::datatype(target_datatype), to::win(win),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Win_allocate PMPI_Win_allocate(
        size: isize as int, disp_unit: c_int as int, info: c_int as info, comm: c_int as comm,
        baseptr: *mut c_void as address, win: *mut c_int as out_win,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut win = Place::out(Out::new(win), Win::NULL);
        impls::win_allocate(
            size, i64::from(disp_unit), to::info(info), to::comm(comm), Out::new(baseptr.cast()),
            Out::new(win.pass()),
        )?;
        win.leave(from::win);
        Ok(())
    }
}

binding! {
    MPI_Win_allocate_c PMPI_Win_allocate_c(
        size: isize as int, disp_unit: isize as int, info: c_int as info, comm: c_int as comm,
        baseptr: *mut c_void as address, win: *mut c_int as out_win,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut win = Place::out(Out::new(win), Win::NULL);
        impls::win_allocate(
            size, disp_unit as i64, to::info(info), to::comm(comm), Out::new(baseptr.cast()), Out::new(win.pass()),
        )?;
        win.leave(from::win);
        Ok(())
    }
}

binding! {
    MPI_Win_allocate_shared PMPI_Win_allocate_shared(
        size: isize as int, disp_unit: c_int as int, info: c_int as info, comm: c_int as comm,
        baseptr: *mut c_void as address, win: *mut c_int as out_win,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut win = Place::out(Out::new(win), Win::NULL);
        impls::win_allocate_shared(
            size, i64::from(disp_unit), to::info(info), to::comm(comm), Out::new(baseptr.cast()),
            Out::new(win.pass()),
        )?;
        win.leave(from::win);
        Ok(())
    }
}

binding! {
    MPI_Win_allocate_shared_c PMPI_Win_allocate_shared_c(
        size: isize as int, disp_unit: isize as int, info: c_int as info, comm: c_int as comm,
        baseptr: *mut c_void as address, win: *mut c_int as out_win,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut win = Place::out(Out::new(win), Win::NULL);
        impls::win_allocate_shared(
            size, disp_unit as i64, to::info(info), to::comm(comm), Out::new(baseptr.cast()), Out::new(win.pass()),
        )?;
        win.leave(from::win);
        Ok(())
    }
}

binding! {
    MPI_Win_attach PMPI_Win_attach(win: c_int as win, base: *mut c_void as buffer, size: isize as int)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_attach(to::win(win), UserBuffer::new(to::buffer_mut(base)), size)
    }
}

binding! {
    MPI_Win_complete PMPI_Win_complete(win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_complete(to::win(win))
    }
}

binding! {
    MPI_Win_create PMPI_Win_create(
        base: *mut c_void as buffer, size: isize as int, disp_unit: c_int as int, info: c_int as info,
        comm: c_int as comm, win: *mut c_int as out_win,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut win = Place::out(Out::new(win), Win::NULL);
        impls::win_create(
            UserBuffer::new(to::buffer_mut(base)), size, i64::from(disp_unit), to::info(info), to::comm(comm),
            Out::new(win.pass()),
        )?;
        win.leave(from::win);
        Ok(())
    }
}

binding! {
    MPI_Win_create_c PMPI_Win_create_c(
        base: *mut c_void as buffer, size: isize as int, disp_unit: isize as int, info: c_int as info,
        comm: c_int as comm, win: *mut c_int as out_win,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut win = Place::out(Out::new(win), Win::NULL);
        impls::win_create(
            UserBuffer::new(to::buffer_mut(base)), size, disp_unit as i64, to::info(info), to::comm(comm),
            Out::new(win.pass()),
        )?;
        win.leave(from::win);
        Ok(())
    }
}

binding! {
    MPI_Win_create_dynamic PMPI_Win_create_dynamic(info: c_int as info, comm: c_int as comm, win: *mut c_int as out_win)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut win = Place::out(Out::new(win), Win::NULL);
        impls::win_create_dynamic(to::info(info), to::comm(comm), Out::new(win.pass()))?;
        win.leave(from::win);
        Ok(())
    }
}

binding! {
    MPI_Win_detach PMPI_Win_detach(win: c_int as win, base: *const c_void as buffer)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_detach(to::win(win), UserBuffer::new(to::buffer(base)))
    }
}

binding! {
    MPI_Win_fence PMPI_Win_fence(assert: c_int as int, win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_fence(to::assertion(assert), to::win(win))
    }
}

binding! {
    MPI_Win_flush PMPI_Win_flush(rank: c_int as rank, win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_flush(to::rank(rank), to::win(win))
    }
}

binding! {
    MPI_Win_flush_all PMPI_Win_flush_all(win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_flush_all(to::win(win))
    }
}

binding! {
    MPI_Win_flush_local PMPI_Win_flush_local(rank: c_int as rank, win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_flush_local(to::rank(rank), to::win(win))
    }
}

binding! {
    MPI_Win_flush_local_all PMPI_Win_flush_local_all(win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_flush_local_all(to::win(win))
    }
}

binding! {
    MPI_Win_free PMPI_Win_free(win: *mut c_int as address)
    on Raise::Win(to::win(at(In::new(win)))) =>
    {
        let mut win = Place::read(InOut::new(win), Win::NULL, to::win);
        let outcome = impls::win_free(InOut::new(win.pass()));
        win.leave(from::win);
        outcome
    }
}

binding! {
    MPI_Win_get_group PMPI_Win_get_group(win: c_int as win, group: *mut c_int as out_group)
    on Raise::Win(to::win(win)) =>
    {
        let mut group = Place::out(Out::new(group), Group::NULL);
        impls::win_get_group(to::win(win), Out::new(group.pass()))?;
        group.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_Win_get_info PMPI_Win_get_info(win: c_int as win, info_used: *mut c_int as out_info)
    on Raise::Win(to::win(win)) =>
    {
        let mut info_used = Place::out(Out::new(info_used), Info::NULL);
        impls::win_get_info(to::win(win), Out::new(info_used.pass()))?;
        info_used.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Win_lock PMPI_Win_lock(lock_type: c_int as int, rank: c_int as rank, assert: c_int as int, win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_lock(to::lock_type(lock_type), to::rank(rank), to::assertion(assert), to::win(win))
    }
}

binding! {
    MPI_Win_lock_all PMPI_Win_lock_all(assert: c_int as int, win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_lock_all(to::assertion(assert), to::win(win))
    }
}

binding! {
    MPI_Win_post PMPI_Win_post(group: c_int as group, assert: c_int as int, win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_post(to::group(group), to::assertion(assert), to::win(win))
    }
}

binding! {
    MPI_Win_set_info PMPI_Win_set_info(win: c_int as win, info: c_int as info)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_set_info(to::win(win), to::info(info))
    }
}

binding! {
    MPI_Win_shared_query PMPI_Win_shared_query(
        win: c_int as win, rank: c_int as rank, size: *mut isize as address, disp_unit: *mut c_int as address,
        baseptr: *mut c_void as address,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::win_shared_query(
            to::win(win), to::rank(rank), Out::new(size), CountOut::Int(Out::new(disp_unit)),
            Out::new(baseptr.cast()),
        )
    }
}

binding! {
    MPI_Win_shared_query_c PMPI_Win_shared_query_c(
        win: c_int as win, rank: c_int as rank, size: *mut isize as address, disp_unit: *mut isize as address,
        baseptr: *mut c_void as address,
    )
    on Raise::Win(to::win(win)) =>
    {
        impls::win_shared_query(
            to::win(win), to::rank(rank), Out::new(size), CountOut::Long(Out::new(disp_unit.cast::<i64>())),
            Out::new(baseptr.cast()),
        )
    }
}

binding! {
    MPI_Win_start PMPI_Win_start(group: c_int as group, assert: c_int as int, win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_start(to::group(group), to::assertion(assert), to::win(win))
    }
}

binding! {
    MPI_Win_sync PMPI_Win_sync(win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_sync(to::win(win))
    }
}

binding! {
    MPI_Win_test PMPI_Win_test(win: c_int as win, flag: *mut c_int as address)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_test(to::win(win), Out::new(flag))
    }
}

binding! {
    MPI_Win_unlock PMPI_Win_unlock(rank: c_int as rank, win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_unlock(to::rank(rank), to::win(win))
    }
}

binding! {
    MPI_Win_unlock_all PMPI_Win_unlock_all(win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_unlock_all(to::win(win))
    }
}

binding! {
    MPI_Win_wait PMPI_Win_wait(win: c_int as win)
    on Raise::Win(to::win(win)) =>
    {
        impls::win_wait(to::win(win))
    }
}
