// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: coll_nonblocking.

use crate::prelude::*;

binding! {
    MPI_Iallgather PMPI_Iallgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iallgather(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iallgather_c PMPI_Iallgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iallgather(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iallgatherv PMPI_Iallgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iallgatherv(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(recvtype), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iallgatherv_c PMPI_Iallgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iallgatherv(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iallreduce PMPI_Iallreduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iallreduce(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iallreduce_c PMPI_Iallreduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iallreduce(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ialltoall PMPI_Ialltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ialltoall(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ialltoall_c PMPI_Ialltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ialltoall(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ialltoallv PMPI_Ialltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ialltoallv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), to::datatype(sendtype), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), to::datatype(recvtype),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ialltoallv_c PMPI_Ialltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ialltoallv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ialltoallw PMPI_Ialltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::peers(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::peers(to::comm(comm))), to::datatype);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ialltoallw(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), CommArray::new(sendtypes.pass()),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(rdispls)), CommArray::new(recvtypes.pass()), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ialltoallw_c PMPI_Ialltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::peers(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::peers(to::comm(comm))), to::datatype);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ialltoallw(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), CommArray::new(sendtypes.pass()),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), CommArray::new(recvtypes.pass()), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ibarrier PMPI_Ibarrier(comm: RawHandle as comm, request: *mut RawHandle as out_request)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ibarrier(to::comm(comm), Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ibcast PMPI_Ibcast(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ibcast(
            UserBuffer::new(to::buffer_mut(buffer)), i64::from(count), to::datatype(datatype), to::rank(root),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ibcast_c PMPI_Ibcast_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ibcast(
            UserBuffer::new(to::buffer_mut(buffer)), count, to::datatype(datatype), to::rank(root), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iexscan PMPI_Iexscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iexscan(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iexscan_c PMPI_Iexscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iexscan(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Igather PMPI_Igather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::igather(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::rank(root),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Igather_c PMPI_Igather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::igather(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(root),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Igatherv PMPI_Igatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: RawHandle as datatype, root: c_int as rank, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::igatherv(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(recvtype), to::rank(root), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Igatherv_c PMPI_Igatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: RawHandle as datatype, root: c_int as rank, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::igatherv(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(recvtype), to::rank(root),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ireduce PMPI_Ireduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, root: c_int as rank, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ireduce(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::rank(root), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ireduce_c PMPI_Ireduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, root: c_int as rank, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ireduce(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::rank(root), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ireduce_scatter PMPI_Ireduce_scatter(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ireduce_scatter(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), to::datatype(datatype), to::op(op), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ireduce_scatter_block PMPI_Ireduce_scatter_block(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ireduce_scatter_block(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount),
            to::datatype(datatype), to::op(op), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ireduce_scatter_block_c PMPI_Ireduce_scatter_block_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ireduce_scatter_block(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), recvcount,
            to::datatype(datatype), to::op(op), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ireduce_scatter_c PMPI_Ireduce_scatter_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ireduce_scatter(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Long(CommArray::new(recvcounts)), to::datatype(datatype), to::op(op), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iscan PMPI_Iscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iscan(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iscan_c PMPI_Iscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, op: RawHandle as op, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iscan(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iscatter PMPI_Iscatter(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iscatter(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::rank(root),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iscatter_c PMPI_Iscatter_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype, root: c_int as rank,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iscatter(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(root),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iscatterv PMPI_Iscatterv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: RawHandle as datatype, root: c_int as rank, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iscatterv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(sendtype), UserBuffer::new(to::buffer_mut(recvbuf)),
            i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iscatterv_c PMPI_Iscatterv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: RawHandle as datatype, root: c_int as rank, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::iscatterv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(root),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}
