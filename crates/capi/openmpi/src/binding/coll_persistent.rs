// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: coll_persistent.

use crate::prelude::*;

binding! {
    MPI_Allgather_init PMPI_Allgather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::allgather_init(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Allgather_init_c PMPI_Allgather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::allgather_init(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Allgatherv_init PMPI_Allgatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::allgatherv_init(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(recvtype), to::comm(comm), to::info(info),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Allgatherv_init_c PMPI_Allgatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::allgatherv_init(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Allreduce_init PMPI_Allreduce_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::allreduce_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Allreduce_init_c PMPI_Allreduce_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::allreduce_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Alltoall_init PMPI_Alltoall_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::alltoall_init(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Alltoall_init_c PMPI_Alltoall_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::alltoall_init(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Alltoallv_init PMPI_Alltoallv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::alltoallv_init(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), to::datatype(sendtype), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), to::datatype(recvtype),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Alltoallv_init_c PMPI_Alltoallv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::alltoallv_init(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Alltoallw_init PMPI_Alltoallw_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::peers(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::peers(to::comm(comm))), to::datatype);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::alltoallw_init(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), CommArray::new(sendtypes.pass()),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(rdispls)), CommArray::new(recvtypes.pass()), to::comm(comm), to::info(info),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Alltoallw_init_c PMPI_Alltoallw_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::peers(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::peers(to::comm(comm))), to::datatype);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::alltoallw_init(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), CommArray::new(sendtypes.pass()),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), CommArray::new(recvtypes.pass()), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Barrier_init PMPI_Barrier_init(
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::barrier_init(to::comm(comm), to::info(info), Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Bcast_init PMPI_Bcast_init(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::bcast_init(
            UserBuffer::new(to::buffer_mut(buffer)), i64::from(count), to::datatype(datatype), to::rank(root),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Bcast_init_c PMPI_Bcast_init_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::bcast_init(
            UserBuffer::new(to::buffer_mut(buffer)), count, to::datatype(datatype), to::rank(root), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Exscan_init PMPI_Exscan_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::exscan_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Exscan_init_c PMPI_Exscan_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::exscan_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Gather_init PMPI_Gather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::gather_init(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::rank(root),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Gather_init_c PMPI_Gather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::gather_init(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(root),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Gatherv_init PMPI_Gatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: RawHandle as datatype, root: c_int as rank, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::gatherv_init(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(recvtype), to::rank(root), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Gatherv_init_c PMPI_Gatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: RawHandle as datatype, root: c_int as rank, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::gatherv_init(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(recvtype), to::rank(root),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Reduce_init PMPI_Reduce_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, root: c_int as rank, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::reduce_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::rank(root), to::comm(comm), to::info(info),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Reduce_init_c PMPI_Reduce_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, root: c_int as rank, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::reduce_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::rank(root), to::comm(comm), to::info(info),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Reduce_scatter_block_init PMPI_Reduce_scatter_block_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::reduce_scatter_block_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount),
            to::datatype(datatype), to::op(op), to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Reduce_scatter_block_init_c PMPI_Reduce_scatter_block_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::reduce_scatter_block_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), recvcount,
            to::datatype(datatype), to::op(op), to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Reduce_scatter_init PMPI_Reduce_scatter_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::reduce_scatter_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), to::datatype(datatype), to::op(op), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Reduce_scatter_init_c PMPI_Reduce_scatter_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::reduce_scatter_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Long(CommArray::new(recvcounts)), to::datatype(datatype), to::op(op), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Scan_init PMPI_Scan_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::scan_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Scan_init_c PMPI_Scan_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::scan_init(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Scatter_init PMPI_Scatter_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::scatter_init(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::rank(root),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Scatter_init_c PMPI_Scatter_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::scatter_init(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(root),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Scatterv_init PMPI_Scatterv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: RawHandle as datatype, root: c_int as rank, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::scatterv_init(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(sendtype), UserBuffer::new(to::buffer_mut(recvbuf)),
            i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm), to::info(info),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Scatterv_init_c PMPI_Scatterv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: RawHandle as datatype, root: c_int as rank, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::scatterv_init(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(root),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}
