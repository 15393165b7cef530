// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: coll_neighbor.

use crate::prelude::*;

binding! {
    MPI_Ineighbor_allgather PMPI_Ineighbor_allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_allgather(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ineighbor_allgather_c PMPI_Ineighbor_allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_allgather(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ineighbor_allgatherv PMPI_Ineighbor_allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_allgatherv(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(recvtype), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ineighbor_allgatherv_c PMPI_Ineighbor_allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_allgatherv(
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
    MPI_Ineighbor_alltoall PMPI_Ineighbor_alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_alltoall(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ineighbor_alltoall_c PMPI_Ineighbor_alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_alltoall(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ineighbor_alltoallv PMPI_Ineighbor_alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_alltoallv(
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
    MPI_Ineighbor_alltoallv_c PMPI_Ineighbor_alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_alltoallv(
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
    MPI_Ineighbor_alltoallw PMPI_Ineighbor_alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::outdegree(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::indegree(to::comm(comm))), to::datatype);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_alltoallw(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes.pass()), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), CommArray::new(rdispls), CommArray::new(recvtypes.pass()),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ineighbor_alltoallw_c PMPI_Ineighbor_alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::outdegree(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::indegree(to::comm(comm))), to::datatype);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ineighbor_alltoallw(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes.pass()), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Long(CommArray::new(recvcounts)), CommArray::new(rdispls), CommArray::new(recvtypes.pass()),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Neighbor_allgather PMPI_Neighbor_allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::neighbor_allgather(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_allgather_c PMPI_Neighbor_allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::neighbor_allgather(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_allgather_init PMPI_Neighbor_allgather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_allgather_init(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Neighbor_allgather_init_c PMPI_Neighbor_allgather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_allgather_init(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Neighbor_allgatherv PMPI_Neighbor_allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::neighbor_allgatherv(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_allgatherv_c PMPI_Neighbor_allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::neighbor_allgatherv(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_allgatherv_init PMPI_Neighbor_allgatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_allgatherv_init(
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
    MPI_Neighbor_allgatherv_init_c PMPI_Neighbor_allgatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: RawHandle as datatype, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_allgatherv_init(
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
    MPI_Neighbor_alltoall PMPI_Neighbor_alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::neighbor_alltoall(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_alltoall_c PMPI_Neighbor_alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::neighbor_alltoall(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_alltoall_init PMPI_Neighbor_alltoall_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_alltoall_init(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Neighbor_alltoall_init_c PMPI_Neighbor_alltoall_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        comm: RawHandle as comm, info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_alltoall_init(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
            to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Neighbor_alltoallv PMPI_Neighbor_alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::neighbor_alltoallv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), to::datatype(sendtype), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), to::datatype(recvtype),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_alltoallv_c PMPI_Neighbor_alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::neighbor_alltoallv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_alltoallv_init PMPI_Neighbor_alltoallv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_alltoallv_init(
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
    MPI_Neighbor_alltoallv_init_c PMPI_Neighbor_alltoallv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: RawHandle as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: RawHandle as datatype, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_alltoallv_init(
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
    MPI_Neighbor_alltoallw PMPI_Neighbor_alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::outdegree(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::indegree(to::comm(comm))), to::datatype);
        impls::neighbor_alltoallw(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes.pass()), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), CommArray::new(rdispls), CommArray::new(recvtypes.pass()),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_alltoallw_c PMPI_Neighbor_alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::outdegree(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::indegree(to::comm(comm))), to::datatype);
        impls::neighbor_alltoallw(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes.pass()), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Long(CommArray::new(recvcounts)), CommArray::new(rdispls), CommArray::new(recvtypes.pass()),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Neighbor_alltoallw_init PMPI_Neighbor_alltoallw_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::outdegree(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::indegree(to::comm(comm))), to::datatype);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_alltoallw_init(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes.pass()), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), CommArray::new(rdispls), CommArray::new(recvtypes.pass()),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Neighbor_alltoallw_init_c PMPI_Neighbor_alltoallw_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const RawHandle as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const RawHandle as address, comm: RawHandle as comm,
        info: RawHandle as info, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::outdegree(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::indegree(to::comm(comm))), to::datatype);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::neighbor_alltoallw_init(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes.pass()), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Long(CommArray::new(recvcounts)), CommArray::new(rdispls), CommArray::new(recvtypes.pass()),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}
