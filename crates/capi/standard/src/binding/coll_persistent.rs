// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: coll_persistent.

use crate::prelude::*;

binding! {
    MPI_Allgather_init PMPI_Allgather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::allgather_init(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Allgather_init_c PMPI_Allgather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::allgather_init(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Allgatherv_init PMPI_Allgatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::allgatherv_init(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(displs)), recvtype, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Allgatherv_init_c PMPI_Allgatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::allgatherv_init(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(displs.cast::<i64>())),
            recvtype, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Allreduce_init PMPI_Allreduce_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::allreduce_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Allreduce_init_c PMPI_Allreduce_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::allreduce_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Alltoall_init PMPI_Alltoall_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoall_init(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Alltoall_init_c PMPI_Alltoall_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoall_init(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Alltoallv_init PMPI_Alltoallv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoallv_init(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), recvtype, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Alltoallv_init_c PMPI_Alltoallv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoallv_init(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(rdispls.cast::<i64>())),
            recvtype, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Alltoallw_init PMPI_Alltoallw_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoallw_init(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), CommArray::new(sendtypes), UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)),
            CommArray::new(recvtypes), comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Alltoallw_init_c PMPI_Alltoallw_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoallw_init(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), CommArray::new(sendtypes),
            UserBuffer::new(recvbuf), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), CommArray::new(recvtypes), comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Barrier_init PMPI_Barrier_init(comm: Comm as comm, info: Info as info, request: *mut Request as out_request)
    on Raise::Comm(comm) =>
    {
        impls::barrier_init(comm, info, Out::new(request))
    }
}

binding! {
    MPI_Bcast_init PMPI_Bcast_init(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::bcast_init(UserBuffer::new(buffer), i64::from(count), datatype, root, comm, info, Out::new(request))
    }
}

binding! {
    MPI_Bcast_init_c PMPI_Bcast_init_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::bcast_init(UserBuffer::new(buffer), count, datatype, root, comm, info, Out::new(request))
    }
}

binding! {
    MPI_Exscan_init PMPI_Exscan_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::exscan_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Exscan_init_c PMPI_Exscan_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::exscan_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Gather_init PMPI_Gather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::gather_init(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, root, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Gather_init_c PMPI_Gather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::gather_init(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, root, comm,
            info, Out::new(request),
        )
    }
}

binding! {
    MPI_Gatherv_init PMPI_Gatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::gatherv_init(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(displs)), recvtype, root, comm,
            info, Out::new(request),
        )
    }
}

binding! {
    MPI_Gatherv_init_c PMPI_Gatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::gatherv_init(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(displs.cast::<i64>())),
            recvtype, root, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Reduce_init PMPI_Reduce_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, root, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Reduce_init_c PMPI_Reduce_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, root, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Reduce_scatter_block_init PMPI_Reduce_scatter_block_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_scatter_block_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(recvcount), datatype, op, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Reduce_scatter_block_init_c PMPI_Reduce_scatter_block_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_scatter_block_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), recvcount, datatype, op, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Reduce_scatter_init PMPI_Reduce_scatter_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_scatter_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), IntArray::Int(CommArray::new(recvcounts)), datatype,
            op, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Reduce_scatter_init_c PMPI_Reduce_scatter_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_scatter_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), IntArray::Long(CommArray::new(recvcounts)), datatype,
            op, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Scan_init PMPI_Scan_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::scan_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Scan_init_c PMPI_Scan_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::scan_init(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Scatter_init PMPI_Scatter_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::scatter_init(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, root, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Scatter_init_c PMPI_Scatter_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::scatter_init(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, root, comm,
            info, Out::new(request),
        )
    }
}

binding! {
    MPI_Scatterv_init PMPI_Scatterv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::scatterv_init(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(displs)), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount), recvtype,
            root, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Scatterv_init_c PMPI_Scatterv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::scatterv_init(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), sendtype, UserBuffer::new(recvbuf), recvcount,
            recvtype, root, comm, info, Out::new(request),
        )
    }
}
