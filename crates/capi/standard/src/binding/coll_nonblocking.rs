// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: coll_nonblocking.

use crate::prelude::*;

binding! {
    MPI_Iallgather PMPI_Iallgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iallgather(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Iallgather_c PMPI_Iallgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iallgather(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Iallgatherv PMPI_Iallgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iallgatherv(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(displs)), recvtype, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Iallgatherv_c PMPI_Iallgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iallgatherv(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(displs.cast::<i64>())),
            recvtype, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Iallreduce PMPI_Iallreduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iallreduce(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Iallreduce_c PMPI_Iallreduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iallreduce(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ialltoall PMPI_Ialltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ialltoall(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ialltoall_c PMPI_Ialltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ialltoall(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Ialltoallv PMPI_Ialltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ialltoallv(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), recvtype, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Ialltoallv_c PMPI_Ialltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ialltoallv(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(rdispls.cast::<i64>())),
            recvtype, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ialltoallw PMPI_Ialltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ialltoallw(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), CommArray::new(sendtypes), UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)),
            CommArray::new(recvtypes), comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ialltoallw_c PMPI_Ialltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ialltoallw(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), CommArray::new(sendtypes),
            UserBuffer::new(recvbuf), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), CommArray::new(recvtypes), comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ibarrier PMPI_Ibarrier(comm: Comm as comm, request: *mut Request as out_request)
    on Raise::Comm(comm) =>
    {
        impls::ibarrier(comm, Out::new(request))
    }
}

binding! {
    MPI_Ibcast PMPI_Ibcast(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ibcast(UserBuffer::new(buffer), i64::from(count), datatype, root, comm, Out::new(request))
    }
}

binding! {
    MPI_Ibcast_c PMPI_Ibcast_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ibcast(UserBuffer::new(buffer), count, datatype, root, comm, Out::new(request))
    }
}

binding! {
    MPI_Iexscan PMPI_Iexscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iexscan(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Iexscan_c PMPI_Iexscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iexscan(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, comm, Out::new(request))
    }
}

binding! {
    MPI_Igather PMPI_Igather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::igather(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, root, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Igather_c PMPI_Igather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::igather(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, root, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Igatherv PMPI_Igatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::igatherv(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(displs)), recvtype, root, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Igatherv_c PMPI_Igatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::igatherv(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(displs.cast::<i64>())),
            recvtype, root, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ireduce PMPI_Ireduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ireduce(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, root, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Ireduce_c PMPI_Ireduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ireduce(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, root, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ireduce_scatter PMPI_Ireduce_scatter(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ireduce_scatter(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), IntArray::Int(CommArray::new(recvcounts)), datatype,
            op, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ireduce_scatter_block PMPI_Ireduce_scatter_block(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ireduce_scatter_block(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(recvcount), datatype, op, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Ireduce_scatter_block_c PMPI_Ireduce_scatter_block_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ireduce_scatter_block(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), recvcount, datatype, op, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ireduce_scatter_c PMPI_Ireduce_scatter_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ireduce_scatter(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), IntArray::Long(CommArray::new(recvcounts)), datatype,
            op, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Iscan PMPI_Iscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iscan(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Iscan_c PMPI_Iscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iscan(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, comm, Out::new(request))
    }
}

binding! {
    MPI_Iscatter PMPI_Iscatter(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iscatter(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, root, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Iscatter_c PMPI_Iscatter_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iscatter(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, root, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Iscatterv PMPI_Iscatterv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iscatterv(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(displs)), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount), recvtype,
            root, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Iscatterv_c PMPI_Iscatterv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::iscatterv(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), sendtype, UserBuffer::new(recvbuf), recvcount,
            recvtype, root, comm, Out::new(request),
        )
    }
}
