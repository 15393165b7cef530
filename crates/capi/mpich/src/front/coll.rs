// generated from api/ by cargo xtask generate; do not edit
//! The fronts of MPICH's ABI: coll.

use crate::prelude::*;

front! {
    MPI_Allgather PMPI_Allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::allgather(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Allgather_c PMPI_Allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::allgather(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Allgather_init PMPI_Allgather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::allgather_init(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Allgather_init_c PMPI_Allgather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::allgather_init(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Allgatherv PMPI_Allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::allgatherv(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), IntArray::Int(displs), to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Allgatherv_c PMPI_Allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::allgatherv(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), IntArray::Long(displs.cast()), to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Allgatherv_init PMPI_Allgatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::allgatherv_init(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), IntArray::Int(displs), to::datatype(recvtype), to::comm(comm), to::info(info),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Allgatherv_init_c PMPI_Allgatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::allgatherv_init(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), IntArray::Long(displs.cast()), to::datatype(recvtype), to::comm(comm),
            to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Allreduce PMPI_Allreduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::allreduce(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Allreduce_c PMPI_Allreduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::allreduce(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

front! {
    MPI_Allreduce_init PMPI_Allreduce_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::allreduce_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Allreduce_init_c PMPI_Allreduce_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::allreduce_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::comm(comm),
            to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Alltoall PMPI_Alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::alltoall(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Alltoall_c PMPI_Alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::alltoall(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Alltoall_init PMPI_Alltoall_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::alltoall_init(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Alltoall_init_c PMPI_Alltoall_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::alltoall_init(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Alltoallv PMPI_Alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::alltoallv(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(sdispls), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Int(recvcounts), IntArray::Int(rdispls), to::datatype(recvtype),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Alltoallv_c PMPI_Alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::alltoallv(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()),
            to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Alltoallv_init PMPI_Alltoallv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: c_int as datatype, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::alltoallv_init(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(sdispls), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Int(recvcounts), IntArray::Int(rdispls), to::datatype(recvtype),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Alltoallv_init_c PMPI_Alltoallv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: c_int as datatype, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::alltoallv_init(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()),
            to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Alltoallw PMPI_Alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const c_int as address, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::peers(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::peers(to::comm(comm)), to::datatype);
        bodies::alltoallw(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtypes.pass(),
            to::buffer_mut(recvbuf), IntArray::Int(recvcounts), IntArray::Int(rdispls), recvtypes.pass(),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Alltoallw_c PMPI_Alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::peers(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::peers(to::comm(comm)), to::datatype);
        bodies::alltoallw(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtypes.pass(),
            to::buffer_mut(recvbuf), IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtypes.pass(),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Alltoallw_init PMPI_Alltoallw_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const c_int as address, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::peers(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::peers(to::comm(comm)), to::datatype);
        let mut request = Place::room(request, Request::NULL);
        bodies::alltoallw_init(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtypes.pass(),
            to::buffer_mut(recvbuf), IntArray::Int(recvcounts), IntArray::Int(rdispls), recvtypes.pass(),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Alltoallw_init_c PMPI_Alltoallw_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::peers(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::peers(to::comm(comm)), to::datatype);
        let mut request = Place::room(request, Request::NULL);
        bodies::alltoallw_init(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtypes.pass(),
            to::buffer_mut(recvbuf), IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtypes.pass(),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Barrier PMPI_Barrier(comm: c_int as comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::barrier(to::comm(comm))
    }
}

front! {
    MPI_Barrier_init PMPI_Barrier_init(comm: c_int as comm, info: c_int as info, request: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::barrier_init(to::comm(comm), to::info(info), request.pass())?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Bcast PMPI_Bcast(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::bcast(to::buffer_mut(buffer), i64::from(count), to::datatype(datatype), to::rank(root), to::comm(comm))
    }
}

front! {
    MPI_Bcast_c PMPI_Bcast_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::bcast(to::buffer_mut(buffer), count, to::datatype(datatype), to::rank(root), to::comm(comm))
    }
}

front! {
    MPI_Bcast_init PMPI_Bcast_init(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::bcast_init(
            to::buffer_mut(buffer), i64::from(count), to::datatype(datatype), to::rank(root), to::comm(comm),
            to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Bcast_init_c PMPI_Bcast_init_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::bcast_init(
            to::buffer_mut(buffer), count, to::datatype(datatype), to::rank(root), to::comm(comm), to::info(info),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Exscan PMPI_Exscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::exscan(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Exscan_c PMPI_Exscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::exscan(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

front! {
    MPI_Exscan_init PMPI_Exscan_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::exscan_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Exscan_init_c PMPI_Exscan_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::exscan_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::comm(comm),
            to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Gather PMPI_Gather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::gather(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm),
        )
    }
}

front! {
    MPI_Gather_c PMPI_Gather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::gather(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::rank(root), to::comm(comm),
        )
    }
}

front! {
    MPI_Gather_init PMPI_Gather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::gather_init(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm), to::info(info),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Gather_init_c PMPI_Gather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::gather_init(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::rank(root), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Gatherv PMPI_Gatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::gatherv(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), IntArray::Int(displs), to::datatype(recvtype), to::rank(root), to::comm(comm),
        )
    }
}

front! {
    MPI_Gatherv_c PMPI_Gatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::gatherv(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), IntArray::Long(displs.cast()), to::datatype(recvtype), to::rank(root),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Gatherv_init PMPI_Gatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::gatherv_init(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), IntArray::Int(displs), to::datatype(recvtype), to::rank(root), to::comm(comm),
            to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Gatherv_init_c PMPI_Gatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::gatherv_init(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), IntArray::Long(displs.cast()), to::datatype(recvtype), to::rank(root),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iallgather PMPI_Iallgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iallgather(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iallgather_c PMPI_Iallgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iallgather(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iallgatherv PMPI_Iallgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iallgatherv(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), IntArray::Int(displs), to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iallgatherv_c PMPI_Iallgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iallgatherv(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), IntArray::Long(displs.cast()), to::datatype(recvtype), to::comm(comm),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iallreduce PMPI_Iallreduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iallreduce(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iallreduce_c PMPI_Iallreduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iallreduce(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::comm(comm),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ialltoall PMPI_Ialltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ialltoall(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ialltoall_c PMPI_Ialltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ialltoall(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ialltoallv PMPI_Ialltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ialltoallv(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(sdispls), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Int(recvcounts), IntArray::Int(rdispls), to::datatype(recvtype),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ialltoallv_c PMPI_Ialltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ialltoallv(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()),
            to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ialltoallw PMPI_Ialltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const c_int as address, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::peers(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::peers(to::comm(comm)), to::datatype);
        let mut request = Place::room(request, Request::NULL);
        bodies::ialltoallw(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtypes.pass(),
            to::buffer_mut(recvbuf), IntArray::Int(recvcounts), IntArray::Int(rdispls), recvtypes.pass(),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ialltoallw_c PMPI_Ialltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::peers(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::peers(to::comm(comm)), to::datatype);
        let mut request = Place::room(request, Request::NULL);
        bodies::ialltoallw(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtypes.pass(),
            to::buffer_mut(recvbuf), IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtypes.pass(),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ibarrier PMPI_Ibarrier(comm: c_int as comm, request: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ibarrier(to::comm(comm), request.pass())?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ibcast PMPI_Ibcast(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ibcast(
            to::buffer_mut(buffer), i64::from(count), to::datatype(datatype), to::rank(root), to::comm(comm),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ibcast_c PMPI_Ibcast_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ibcast(
            to::buffer_mut(buffer), count, to::datatype(datatype), to::rank(root), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iexscan PMPI_Iexscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iexscan(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iexscan_c PMPI_Iexscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iexscan(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::comm(comm),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Igather PMPI_Igather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::igather(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Igather_c PMPI_Igather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::igather(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::rank(root), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Igatherv PMPI_Igatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::igatherv(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), IntArray::Int(displs), to::datatype(recvtype), to::rank(root), to::comm(comm),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Igatherv_c PMPI_Igatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::igatherv(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), IntArray::Long(displs.cast()), to::datatype(recvtype), to::rank(root),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_allgather PMPI_Ineighbor_allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_allgather(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_allgather_c PMPI_Ineighbor_allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_allgather(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_allgatherv PMPI_Ineighbor_allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_allgatherv(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), IntArray::Int(displs), to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_allgatherv_c PMPI_Ineighbor_allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_allgatherv(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), IntArray::Long(displs.cast()), to::datatype(recvtype), to::comm(comm),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_alltoall PMPI_Ineighbor_alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_alltoall(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_alltoall_c PMPI_Ineighbor_alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_alltoall(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_alltoallv PMPI_Ineighbor_alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_alltoallv(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(sdispls), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Int(recvcounts), IntArray::Int(rdispls), to::datatype(recvtype),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_alltoallv_c PMPI_Ineighbor_alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: c_int as datatype, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_alltoallv(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()),
            to::datatype(recvtype), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_alltoallw PMPI_Ineighbor_alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::outdegree(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::indegree(to::comm(comm)), to::datatype);
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_alltoallw(
            to::buffer(sendbuf), IntArray::Int(sendcounts), sdispls, sendtypes.pass(), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), rdispls, recvtypes.pass(), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ineighbor_alltoallw_c PMPI_Ineighbor_alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::outdegree(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::indegree(to::comm(comm)), to::datatype);
        let mut request = Place::room(request, Request::NULL);
        bodies::ineighbor_alltoallw(
            to::buffer(sendbuf), IntArray::Long(sendcounts), sdispls, sendtypes.pass(), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), rdispls, recvtypes.pass(), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ireduce PMPI_Ireduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, root: c_int as rank, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ireduce(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::rank(root), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ireduce_c PMPI_Ireduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, root: c_int as rank, comm: c_int as comm,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ireduce(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::rank(root),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ireduce_scatter PMPI_Ireduce_scatter(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ireduce_scatter(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), IntArray::Int(recvcounts), to::datatype(datatype),
            to::op(op), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ireduce_scatter_block PMPI_Ireduce_scatter_block(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ireduce_scatter_block(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(recvcount), to::datatype(datatype), to::op(op),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ireduce_scatter_block_c PMPI_Ireduce_scatter_block_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ireduce_scatter_block(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), recvcount, to::datatype(datatype), to::op(op),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Ireduce_scatter_c PMPI_Ireduce_scatter_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::ireduce_scatter(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), IntArray::Long(recvcounts), to::datatype(datatype),
            to::op(op), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iscan PMPI_Iscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iscan(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iscan_c PMPI_Iscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iscan(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::comm(comm),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iscatter PMPI_Iscatter(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iscatter(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iscatter_c PMPI_Iscatter_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iscatter(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::rank(root), to::comm(comm), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iscatterv PMPI_Iscatterv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iscatterv(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(displs), to::datatype(sendtype),
            to::buffer_mut(recvbuf), i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Iscatterv_c PMPI_Iscatterv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::iscatterv(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(displs.cast()), to::datatype(sendtype),
            to::buffer_mut(recvbuf), recvcount, to::datatype(recvtype), to::rank(root), to::comm(comm),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_allgather PMPI_Neighbor_allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::neighbor_allgather(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_allgather_c PMPI_Neighbor_allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::neighbor_allgather(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_allgather_init PMPI_Neighbor_allgather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_allgather_init(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_allgather_init_c PMPI_Neighbor_allgather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_allgather_init(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_allgatherv PMPI_Neighbor_allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::neighbor_allgatherv(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), IntArray::Int(displs), to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_allgatherv_c PMPI_Neighbor_allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::neighbor_allgatherv(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), IntArray::Long(displs.cast()), to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_allgatherv_init PMPI_Neighbor_allgatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_allgatherv_init(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), IntArray::Int(displs), to::datatype(recvtype), to::comm(comm), to::info(info),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_allgatherv_init_c PMPI_Neighbor_allgatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_allgatherv_init(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), IntArray::Long(displs.cast()), to::datatype(recvtype), to::comm(comm),
            to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_alltoall PMPI_Neighbor_alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::neighbor_alltoall(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_alltoall_c PMPI_Neighbor_alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::neighbor_alltoall(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_alltoall_init PMPI_Neighbor_alltoall_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_alltoall_init(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_alltoall_init_c PMPI_Neighbor_alltoall_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_alltoall_init(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_alltoallv PMPI_Neighbor_alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::neighbor_alltoallv(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(sdispls), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Int(recvcounts), IntArray::Int(rdispls), to::datatype(recvtype),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_alltoallv_c PMPI_Neighbor_alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::neighbor_alltoallv(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()),
            to::datatype(recvtype), to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_alltoallv_init PMPI_Neighbor_alltoallv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: c_int as datatype, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_alltoallv_init(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(sdispls), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Int(recvcounts), IntArray::Int(rdispls), to::datatype(recvtype),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_alltoallv_init_c PMPI_Neighbor_alltoallv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: c_int as datatype, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_alltoallv_init(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), to::datatype(sendtype),
            to::buffer_mut(recvbuf), IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()),
            to::datatype(recvtype), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_alltoallw PMPI_Neighbor_alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::outdegree(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::indegree(to::comm(comm)), to::datatype);
        bodies::neighbor_alltoallw(
            to::buffer(sendbuf), IntArray::Int(sendcounts), sdispls, sendtypes.pass(), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), rdispls, recvtypes.pass(), to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_alltoallw_c PMPI_Neighbor_alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::outdegree(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::indegree(to::comm(comm)), to::datatype);
        bodies::neighbor_alltoallw(
            to::buffer(sendbuf), IntArray::Long(sendcounts), sdispls, sendtypes.pass(), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), rdispls, recvtypes.pass(), to::comm(comm),
        )
    }
}

front! {
    MPI_Neighbor_alltoallw_init PMPI_Neighbor_alltoallw_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::outdegree(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::indegree(to::comm(comm)), to::datatype);
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_alltoallw_init(
            to::buffer(sendbuf), IntArray::Int(sendcounts), sdispls, sendtypes.pass(), to::buffer_mut(recvbuf),
            IntArray::Int(recvcounts), rdispls, recvtypes.pass(), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Neighbor_alltoallw_init_c PMPI_Neighbor_alltoallw_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
        info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::read(sendtypes, bodies::outdegree(to::comm(comm)), to::datatype);
        let recvtypes = Array::read(recvtypes, bodies::indegree(to::comm(comm)), to::datatype);
        let mut request = Place::room(request, Request::NULL);
        bodies::neighbor_alltoallw_init(
            to::buffer(sendbuf), IntArray::Long(sendcounts), sdispls, sendtypes.pass(), to::buffer_mut(recvbuf),
            IntArray::Long(recvcounts), rdispls, recvtypes.pass(), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Op_commutative PMPI_Op_commutative(op: c_int as op, commute: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::op_commutative(to::op(op), commute)
    }
}

front! {
    MPI_Op_create PMPI_Op_create(user_fn: Function as address, commute: c_int as int, op: *mut c_int as address)
    on Raise::Default =>
    {
        let mut op = Place::room(op, Op::NULL);
        bodies::op_create(callback(user_fn), commute, op.pass())?;
        op.leave(from::op);
        Ok(())
    }
}

front! {
    MPI_Op_create_c PMPI_Op_create_c(user_fn: Function as address, commute: c_int as int, op: *mut c_int as address)
    on Raise::Default =>
    {
        let mut op = Place::room(op, Op::NULL);
        bodies::op_create(long_callback(user_fn), commute, op.pass())?;
        op.leave(from::op);
        Ok(())
    }
}

front! {
    MPI_Op_free PMPI_Op_free(op: *mut c_int as address)
    on Raise::Default =>
    {
        let mut op = Place::read(op, Op::NULL, to::op);
        let outcome = bodies::op_free(op.pass());
        op.leave(from::op);
        outcome
    }
}

front! {
    MPI_Reduce PMPI_Reduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::reduce(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::rank(root), to::comm(comm),
        )
    }
}

front! {
    MPI_Reduce_c PMPI_Reduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::reduce(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::rank(root),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Reduce_init PMPI_Reduce_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, root: c_int as rank, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::reduce_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::rank(root), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Reduce_init_c PMPI_Reduce_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, root: c_int as rank, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::reduce_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::rank(root),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Reduce_local PMPI_Reduce_local(
        inbuf: *const c_void as buffer, inoutbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op,
    )
    on Raise::Default =>
    {
        bodies::reduce_local(
            to::buffer(inbuf), to::buffer_mut(inoutbuf), i64::from(count), to::datatype(datatype), to::op(op),
        )
    }
}

front! {
    MPI_Reduce_local_c PMPI_Reduce_local_c(
        inbuf: *const c_void as buffer, inoutbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op,
    )
    on Raise::Default =>
    {
        bodies::reduce_local(to::buffer(inbuf), to::buffer_mut(inoutbuf), count, to::datatype(datatype), to::op(op))
    }
}

front! {
    MPI_Reduce_scatter PMPI_Reduce_scatter(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::reduce_scatter(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), IntArray::Int(recvcounts), to::datatype(datatype),
            to::op(op), to::comm(comm),
        )
    }
}

front! {
    MPI_Reduce_scatter_block PMPI_Reduce_scatter_block(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::reduce_scatter_block(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(recvcount), to::datatype(datatype), to::op(op),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Reduce_scatter_block_c PMPI_Reduce_scatter_block_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::reduce_scatter_block(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), recvcount, to::datatype(datatype), to::op(op),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Reduce_scatter_block_init PMPI_Reduce_scatter_block_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::reduce_scatter_block_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(recvcount), to::datatype(datatype), to::op(op),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Reduce_scatter_block_init_c PMPI_Reduce_scatter_block_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::reduce_scatter_block_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), recvcount, to::datatype(datatype), to::op(op),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Reduce_scatter_c PMPI_Reduce_scatter_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::reduce_scatter(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), IntArray::Long(recvcounts), to::datatype(datatype),
            to::op(op), to::comm(comm),
        )
    }
}

front! {
    MPI_Reduce_scatter_init PMPI_Reduce_scatter_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::reduce_scatter_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), IntArray::Int(recvcounts), to::datatype(datatype),
            to::op(op), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Reduce_scatter_init_c PMPI_Reduce_scatter_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::reduce_scatter_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), IntArray::Long(recvcounts), to::datatype(datatype),
            to::op(op), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Scan PMPI_Scan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::scan(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::comm(comm),
        )
    }
}

front! {
    MPI_Scan_c PMPI_Scan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::scan(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

front! {
    MPI_Scan_init PMPI_Scan_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::scan_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), i64::from(count), to::datatype(datatype), to::op(op),
            to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Scan_init_c PMPI_Scan_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::scan_init(
            to::buffer(sendbuf), to::buffer_mut(recvbuf), count, to::datatype(datatype), to::op(op), to::comm(comm),
            to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Scatter PMPI_Scatter(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::scatter(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm),
        )
    }
}

front! {
    MPI_Scatter_c PMPI_Scatter_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::scatter(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::rank(root), to::comm(comm),
        )
    }
}

front! {
    MPI_Scatter_init PMPI_Scatter_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::scatter_init(
            to::buffer(sendbuf), i64::from(sendcount), to::datatype(sendtype), to::buffer_mut(recvbuf),
            i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm), to::info(info),
            request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Scatter_init_c PMPI_Scatter_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm, info: c_int as info, request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::scatter_init(
            to::buffer(sendbuf), sendcount, to::datatype(sendtype), to::buffer_mut(recvbuf), recvcount,
            to::datatype(recvtype), to::rank(root), to::comm(comm), to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Scatterv PMPI_Scatterv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::scatterv(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(displs), to::datatype(sendtype),
            to::buffer_mut(recvbuf), i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm),
        )
    }
}

front! {
    MPI_Scatterv_c PMPI_Scatterv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::scatterv(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(displs.cast()), to::datatype(sendtype),
            to::buffer_mut(recvbuf), recvcount, to::datatype(recvtype), to::rank(root), to::comm(comm),
        )
    }
}

front! {
    MPI_Scatterv_init PMPI_Scatterv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::scatterv_init(
            to::buffer(sendbuf), IntArray::Int(sendcounts), IntArray::Int(displs), to::datatype(sendtype),
            to::buffer_mut(recvbuf), i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm),
            to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Scatterv_init_c PMPI_Scatterv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm, info: c_int as info,
        request: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::room(request, Request::NULL);
        bodies::scatterv_init(
            to::buffer(sendbuf), IntArray::Long(sendcounts), IntArray::Long(displs.cast()), to::datatype(sendtype),
            to::buffer_mut(recvbuf), recvcount, to::datatype(recvtype), to::rank(root), to::comm(comm),
            to::info(info), request.pass(),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Type_get_value_index PMPI_Type_get_value_index(
        value_type: c_int as datatype, index_type: c_int as datatype, pair_type: *mut c_int as address,
    )
    on Raise::Default =>
    {
        let mut pair_type = Place::room(pair_type, Datatype::NULL);
        bodies::type_get_value_index(to::datatype(value_type), to::datatype(index_type), pair_type.pass())?;
        pair_type.leave(from::datatype);
        Ok(())
    }
}
