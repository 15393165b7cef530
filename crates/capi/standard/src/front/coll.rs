// generated from api/ by cargo xtask generate; do not edit
//! The fronts of the standard ABI: coll.

use crate::prelude::*;

front! {
    MPI_Allgather PMPI_Allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allgather(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm)
    }
}

front! {
    MPI_Allgather_c PMPI_Allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
    }
}

front! {
    MPI_Allgather_init PMPI_Allgather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allgather_init(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Allgather_init_c PMPI_Allgather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request)
    }
}

front! {
    MPI_Allgatherv PMPI_Allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allgatherv(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, IntArray::Int(recvcounts), IntArray::Int(displs),
            recvtype, comm,
        )
    }
}

front! {
    MPI_Allgatherv_c PMPI_Allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allgatherv(
            sendbuf, sendcount, sendtype, recvbuf, IntArray::Long(recvcounts), IntArray::Long(displs.cast()),
            recvtype, comm,
        )
    }
}

front! {
    MPI_Allgatherv_init PMPI_Allgatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allgatherv_init(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, IntArray::Int(recvcounts), IntArray::Int(displs),
            recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Allgatherv_init_c PMPI_Allgatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allgatherv_init(
            sendbuf, sendcount, sendtype, recvbuf, IntArray::Long(recvcounts), IntArray::Long(displs.cast()),
            recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Allreduce PMPI_Allreduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allreduce(sendbuf, recvbuf, i64::from(count), datatype, op, comm)
    }
}

front! {
    MPI_Allreduce_c PMPI_Allreduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allreduce(sendbuf, recvbuf, count, datatype, op, comm)
    }
}

front! {
    MPI_Allreduce_init PMPI_Allreduce_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allreduce_init(sendbuf, recvbuf, i64::from(count), datatype, op, comm, info, request)
    }
}

front! {
    MPI_Allreduce_init_c PMPI_Allreduce_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::allreduce_init(sendbuf, recvbuf, count, datatype, op, comm, info, request)
    }
}

front! {
    MPI_Alltoall PMPI_Alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoall(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm)
    }
}

front! {
    MPI_Alltoall_c PMPI_Alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
    }
}

front! {
    MPI_Alltoall_init PMPI_Alltoall_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoall_init(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Alltoall_init_c PMPI_Alltoall_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request)
    }
}

front! {
    MPI_Alltoallv PMPI_Alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoallv(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtype, recvbuf, IntArray::Int(recvcounts),
            IntArray::Int(rdispls), recvtype, comm,
        )
    }
}

front! {
    MPI_Alltoallv_c PMPI_Alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoallv(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtype, recvbuf,
            IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtype, comm,
        )
    }
}

front! {
    MPI_Alltoallv_init PMPI_Alltoallv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoallv_init(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtype, recvbuf, IntArray::Int(recvcounts),
            IntArray::Int(rdispls), recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Alltoallv_init_c PMPI_Alltoallv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoallv_init(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtype, recvbuf,
            IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Alltoallw PMPI_Alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const Datatype as address, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoallw(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtypes, recvbuf, IntArray::Int(recvcounts),
            IntArray::Int(rdispls), recvtypes, comm,
        )
    }
}

front! {
    MPI_Alltoallw_c PMPI_Alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoallw(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtypes, recvbuf,
            IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtypes, comm,
        )
    }
}

front! {
    MPI_Alltoallw_init PMPI_Alltoallw_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoallw_init(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtypes, recvbuf, IntArray::Int(recvcounts),
            IntArray::Int(rdispls), recvtypes, comm, info, request,
        )
    }
}

front! {
    MPI_Alltoallw_init_c PMPI_Alltoallw_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::alltoallw_init(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtypes, recvbuf,
            IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtypes, comm, info, request,
        )
    }
}

front! {
    MPI_Barrier PMPI_Barrier(comm: Comm as comm)
    on Raise::Comm(comm) =>
    {
        bodies::barrier(comm)
    }
}

front! {
    MPI_Barrier_init PMPI_Barrier_init(comm: Comm as comm, info: Info as info, request: *mut Request as address)
    on Raise::Comm(comm) =>
    {
        bodies::barrier_init(comm, info, request)
    }
}

front! {
    MPI_Bcast PMPI_Bcast(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::bcast(buffer, i64::from(count), datatype, root, comm)
    }
}

front! {
    MPI_Bcast_c PMPI_Bcast_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::bcast(buffer, count, datatype, root, comm)
    }
}

front! {
    MPI_Bcast_init PMPI_Bcast_init(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::bcast_init(buffer, i64::from(count), datatype, root, comm, info, request)
    }
}

front! {
    MPI_Bcast_init_c PMPI_Bcast_init_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::bcast_init(buffer, count, datatype, root, comm, info, request)
    }
}

front! {
    MPI_Exscan PMPI_Exscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::exscan(sendbuf, recvbuf, i64::from(count), datatype, op, comm)
    }
}

front! {
    MPI_Exscan_c PMPI_Exscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::exscan(sendbuf, recvbuf, count, datatype, op, comm)
    }
}

front! {
    MPI_Exscan_init PMPI_Exscan_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::exscan_init(sendbuf, recvbuf, i64::from(count), datatype, op, comm, info, request)
    }
}

front! {
    MPI_Exscan_init_c PMPI_Exscan_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::exscan_init(sendbuf, recvbuf, count, datatype, op, comm, info, request)
    }
}

front! {
    MPI_Gather PMPI_Gather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::gather(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm)
    }
}

front! {
    MPI_Gather_c PMPI_Gather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
    }
}

front! {
    MPI_Gather_init PMPI_Gather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::gather_init(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, info,
            request,
        )
    }
}

front! {
    MPI_Gather_init_c PMPI_Gather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::gather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request)
    }
}

front! {
    MPI_Gatherv PMPI_Gatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::gatherv(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, IntArray::Int(recvcounts), IntArray::Int(displs),
            recvtype, root, comm,
        )
    }
}

front! {
    MPI_Gatherv_c PMPI_Gatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::gatherv(
            sendbuf, sendcount, sendtype, recvbuf, IntArray::Long(recvcounts), IntArray::Long(displs.cast()),
            recvtype, root, comm,
        )
    }
}

front! {
    MPI_Gatherv_init PMPI_Gatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::gatherv_init(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, IntArray::Int(recvcounts), IntArray::Int(displs),
            recvtype, root, comm, info, request,
        )
    }
}

front! {
    MPI_Gatherv_init_c PMPI_Gatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::gatherv_init(
            sendbuf, sendcount, sendtype, recvbuf, IntArray::Long(recvcounts), IntArray::Long(displs.cast()),
            recvtype, root, comm, info, request,
        )
    }
}

front! {
    MPI_Iallgather PMPI_Iallgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iallgather(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, request,
        )
    }
}

front! {
    MPI_Iallgather_c PMPI_Iallgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iallgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
    }
}

front! {
    MPI_Iallgatherv PMPI_Iallgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iallgatherv(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, IntArray::Int(recvcounts), IntArray::Int(displs),
            recvtype, comm, request,
        )
    }
}

front! {
    MPI_Iallgatherv_c PMPI_Iallgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iallgatherv(
            sendbuf, sendcount, sendtype, recvbuf, IntArray::Long(recvcounts), IntArray::Long(displs.cast()),
            recvtype, comm, request,
        )
    }
}

front! {
    MPI_Iallreduce PMPI_Iallreduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iallreduce(sendbuf, recvbuf, i64::from(count), datatype, op, comm, request)
    }
}

front! {
    MPI_Iallreduce_c PMPI_Iallreduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request)
    }
}

front! {
    MPI_Ialltoall PMPI_Ialltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ialltoall(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, request,
        )
    }
}

front! {
    MPI_Ialltoall_c PMPI_Ialltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ialltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
    }
}

front! {
    MPI_Ialltoallv PMPI_Ialltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ialltoallv(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtype, recvbuf, IntArray::Int(recvcounts),
            IntArray::Int(rdispls), recvtype, comm, request,
        )
    }
}

front! {
    MPI_Ialltoallv_c PMPI_Ialltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ialltoallv(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtype, recvbuf,
            IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtype, comm, request,
        )
    }
}

front! {
    MPI_Ialltoallw PMPI_Ialltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ialltoallw(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtypes, recvbuf, IntArray::Int(recvcounts),
            IntArray::Int(rdispls), recvtypes, comm, request,
        )
    }
}

front! {
    MPI_Ialltoallw_c PMPI_Ialltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ialltoallw(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtypes, recvbuf,
            IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtypes, comm, request,
        )
    }
}

front! {
    MPI_Ibarrier PMPI_Ibarrier(comm: Comm as comm, request: *mut Request as address)
    on Raise::Comm(comm) =>
    {
        bodies::ibarrier(comm, request)
    }
}

front! {
    MPI_Ibcast PMPI_Ibcast(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ibcast(buffer, i64::from(count), datatype, root, comm, request)
    }
}

front! {
    MPI_Ibcast_c PMPI_Ibcast_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ibcast(buffer, count, datatype, root, comm, request)
    }
}

front! {
    MPI_Iexscan PMPI_Iexscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iexscan(sendbuf, recvbuf, i64::from(count), datatype, op, comm, request)
    }
}

front! {
    MPI_Iexscan_c PMPI_Iexscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iexscan(sendbuf, recvbuf, count, datatype, op, comm, request)
    }
}

front! {
    MPI_Igather PMPI_Igather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::igather(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, request,
        )
    }
}

front! {
    MPI_Igather_c PMPI_Igather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)
    }
}

front! {
    MPI_Igatherv PMPI_Igatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::igatherv(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, IntArray::Int(recvcounts), IntArray::Int(displs),
            recvtype, root, comm, request,
        )
    }
}

front! {
    MPI_Igatherv_c PMPI_Igatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::igatherv(
            sendbuf, sendcount, sendtype, recvbuf, IntArray::Long(recvcounts), IntArray::Long(displs.cast()),
            recvtype, root, comm, request,
        )
    }
}

front! {
    MPI_Ineighbor_allgather PMPI_Ineighbor_allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_allgather(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, request,
        )
    }
}

front! {
    MPI_Ineighbor_allgather_c PMPI_Ineighbor_allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
    }
}

front! {
    MPI_Ineighbor_allgatherv PMPI_Ineighbor_allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_allgatherv(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, IntArray::Int(recvcounts), IntArray::Int(displs),
            recvtype, comm, request,
        )
    }
}

front! {
    MPI_Ineighbor_allgatherv_c PMPI_Ineighbor_allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_allgatherv(
            sendbuf, sendcount, sendtype, recvbuf, IntArray::Long(recvcounts), IntArray::Long(displs.cast()),
            recvtype, comm, request,
        )
    }
}

front! {
    MPI_Ineighbor_alltoall PMPI_Ineighbor_alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_alltoall(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, request,
        )
    }
}

front! {
    MPI_Ineighbor_alltoall_c PMPI_Ineighbor_alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
    }
}

front! {
    MPI_Ineighbor_alltoallv PMPI_Ineighbor_alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_alltoallv(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtype, recvbuf, IntArray::Int(recvcounts),
            IntArray::Int(rdispls), recvtype, comm, request,
        )
    }
}

front! {
    MPI_Ineighbor_alltoallv_c PMPI_Ineighbor_alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_alltoallv(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtype, recvbuf,
            IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtype, comm, request,
        )
    }
}

front! {
    MPI_Ineighbor_alltoallw PMPI_Ineighbor_alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_alltoallw(
            sendbuf, IntArray::Int(sendcounts), sdispls, sendtypes, recvbuf, IntArray::Int(recvcounts), rdispls,
            recvtypes, comm, request,
        )
    }
}

front! {
    MPI_Ineighbor_alltoallw_c PMPI_Ineighbor_alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ineighbor_alltoallw(
            sendbuf, IntArray::Long(sendcounts), sdispls, sendtypes, recvbuf, IntArray::Long(recvcounts), rdispls,
            recvtypes, comm, request,
        )
    }
}

front! {
    MPI_Ireduce PMPI_Ireduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ireduce(sendbuf, recvbuf, i64::from(count), datatype, op, root, comm, request)
    }
}

front! {
    MPI_Ireduce_c PMPI_Ireduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request)
    }
}

front! {
    MPI_Ireduce_scatter PMPI_Ireduce_scatter(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ireduce_scatter(sendbuf, recvbuf, IntArray::Int(recvcounts), datatype, op, comm, request)
    }
}

front! {
    MPI_Ireduce_scatter_block PMPI_Ireduce_scatter_block(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ireduce_scatter_block(sendbuf, recvbuf, i64::from(recvcount), datatype, op, comm, request)
    }
}

front! {
    MPI_Ireduce_scatter_block_c PMPI_Ireduce_scatter_block_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ireduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm, request)
    }
}

front! {
    MPI_Ireduce_scatter_c PMPI_Ireduce_scatter_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ireduce_scatter(sendbuf, recvbuf, IntArray::Long(recvcounts), datatype, op, comm, request)
    }
}

front! {
    MPI_Iscan PMPI_Iscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iscan(sendbuf, recvbuf, i64::from(count), datatype, op, comm, request)
    }
}

front! {
    MPI_Iscan_c PMPI_Iscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iscan(sendbuf, recvbuf, count, datatype, op, comm, request)
    }
}

front! {
    MPI_Iscatter PMPI_Iscatter(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iscatter(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, request,
        )
    }
}

front! {
    MPI_Iscatter_c PMPI_Iscatter_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request)
    }
}

front! {
    MPI_Iscatterv PMPI_Iscatterv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iscatterv(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(displs), sendtype, recvbuf, i64::from(recvcount),
            recvtype, root, comm, request,
        )
    }
}

front! {
    MPI_Iscatterv_c PMPI_Iscatterv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iscatterv(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(displs.cast()), sendtype, recvbuf, recvcount,
            recvtype, root, comm, request,
        )
    }
}

front! {
    MPI_Neighbor_allgather PMPI_Neighbor_allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_allgather(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm,
        )
    }
}

front! {
    MPI_Neighbor_allgather_c PMPI_Neighbor_allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
    }
}

front! {
    MPI_Neighbor_allgather_init PMPI_Neighbor_allgather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_allgather_init(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Neighbor_allgather_init_c PMPI_Neighbor_allgather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_allgather_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request)
    }
}

front! {
    MPI_Neighbor_allgatherv PMPI_Neighbor_allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_allgatherv(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, IntArray::Int(recvcounts), IntArray::Int(displs),
            recvtype, comm,
        )
    }
}

front! {
    MPI_Neighbor_allgatherv_c PMPI_Neighbor_allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_allgatherv(
            sendbuf, sendcount, sendtype, recvbuf, IntArray::Long(recvcounts), IntArray::Long(displs.cast()),
            recvtype, comm,
        )
    }
}

front! {
    MPI_Neighbor_allgatherv_init PMPI_Neighbor_allgatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_allgatherv_init(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, IntArray::Int(recvcounts), IntArray::Int(displs),
            recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Neighbor_allgatherv_init_c PMPI_Neighbor_allgatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_allgatherv_init(
            sendbuf, sendcount, sendtype, recvbuf, IntArray::Long(recvcounts), IntArray::Long(displs.cast()),
            recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Neighbor_alltoall PMPI_Neighbor_alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoall(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm,
        )
    }
}

front! {
    MPI_Neighbor_alltoall_c PMPI_Neighbor_alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
    }
}

front! {
    MPI_Neighbor_alltoall_init PMPI_Neighbor_alltoall_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoall_init(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Neighbor_alltoall_init_c PMPI_Neighbor_alltoall_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoall_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request)
    }
}

front! {
    MPI_Neighbor_alltoallv PMPI_Neighbor_alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoallv(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtype, recvbuf, IntArray::Int(recvcounts),
            IntArray::Int(rdispls), recvtype, comm,
        )
    }
}

front! {
    MPI_Neighbor_alltoallv_c PMPI_Neighbor_alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoallv(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtype, recvbuf,
            IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtype, comm,
        )
    }
}

front! {
    MPI_Neighbor_alltoallv_init PMPI_Neighbor_alltoallv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoallv_init(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(sdispls), sendtype, recvbuf, IntArray::Int(recvcounts),
            IntArray::Int(rdispls), recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Neighbor_alltoallv_init_c PMPI_Neighbor_alltoallv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoallv_init(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(sdispls.cast()), sendtype, recvbuf,
            IntArray::Long(recvcounts), IntArray::Long(rdispls.cast()), recvtype, comm, info, request,
        )
    }
}

front! {
    MPI_Neighbor_alltoallw PMPI_Neighbor_alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoallw(
            sendbuf, IntArray::Int(sendcounts), sdispls, sendtypes, recvbuf, IntArray::Int(recvcounts), rdispls,
            recvtypes, comm,
        )
    }
}

front! {
    MPI_Neighbor_alltoallw_c PMPI_Neighbor_alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoallw(
            sendbuf, IntArray::Long(sendcounts), sdispls, sendtypes, recvbuf, IntArray::Long(recvcounts), rdispls,
            recvtypes, comm,
        )
    }
}

front! {
    MPI_Neighbor_alltoallw_init PMPI_Neighbor_alltoallw_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoallw_init(
            sendbuf, IntArray::Int(sendcounts), sdispls, sendtypes, recvbuf, IntArray::Int(recvcounts), rdispls,
            recvtypes, comm, info, request,
        )
    }
}

front! {
    MPI_Neighbor_alltoallw_init_c PMPI_Neighbor_alltoallw_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::neighbor_alltoallw_init(
            sendbuf, IntArray::Long(sendcounts), sdispls, sendtypes, recvbuf, IntArray::Long(recvcounts), rdispls,
            recvtypes, comm, info, request,
        )
    }
}

front! {
    MPI_Op_commutative PMPI_Op_commutative(op: Op as op, commute: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::op_commutative(op, commute)
    }
}

front! {
    MPI_Op_create PMPI_Op_create(user_fn: Function as address, commute: c_int as int, op: *mut Op as address)
    on Raise::Default =>
    {
        bodies::op_create(callback(user_fn), commute, op)
    }
}

front! {
    MPI_Op_create_c PMPI_Op_create_c(user_fn: Function as address, commute: c_int as int, op: *mut Op as address)
    on Raise::Default =>
    {
        bodies::op_create(long_callback(user_fn), commute, op)
    }
}

front! {
    MPI_Op_free PMPI_Op_free(op: *mut Op as address)
    on Raise::Default =>
    {
        bodies::op_free(op)
    }
}

front! {
    MPI_Reduce PMPI_Reduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce(sendbuf, recvbuf, i64::from(count), datatype, op, root, comm)
    }
}

front! {
    MPI_Reduce_c PMPI_Reduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce(sendbuf, recvbuf, count, datatype, op, root, comm)
    }
}

front! {
    MPI_Reduce_init PMPI_Reduce_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_init(sendbuf, recvbuf, i64::from(count), datatype, op, root, comm, info, request)
    }
}

front! {
    MPI_Reduce_init_c PMPI_Reduce_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_init(sendbuf, recvbuf, count, datatype, op, root, comm, info, request)
    }
}

front! {
    MPI_Reduce_local PMPI_Reduce_local(
        inbuf: *const c_void as buffer, inoutbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op,
    )
    on Raise::Default =>
    {
        bodies::reduce_local(inbuf, inoutbuf, i64::from(count), datatype, op)
    }
}

front! {
    MPI_Reduce_local_c PMPI_Reduce_local_c(
        inbuf: *const c_void as buffer, inoutbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op,
    )
    on Raise::Default =>
    {
        bodies::reduce_local(inbuf, inoutbuf, count, datatype, op)
    }
}

front! {
    MPI_Reduce_scatter PMPI_Reduce_scatter(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_scatter(sendbuf, recvbuf, IntArray::Int(recvcounts), datatype, op, comm)
    }
}

front! {
    MPI_Reduce_scatter_block PMPI_Reduce_scatter_block(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_scatter_block(sendbuf, recvbuf, i64::from(recvcount), datatype, op, comm)
    }
}

front! {
    MPI_Reduce_scatter_block_c PMPI_Reduce_scatter_block_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_scatter_block(sendbuf, recvbuf, recvcount, datatype, op, comm)
    }
}

front! {
    MPI_Reduce_scatter_block_init PMPI_Reduce_scatter_block_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_scatter_block_init(sendbuf, recvbuf, i64::from(recvcount), datatype, op, comm, info, request)
    }
}

front! {
    MPI_Reduce_scatter_block_init_c PMPI_Reduce_scatter_block_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_scatter_block_init(sendbuf, recvbuf, recvcount, datatype, op, comm, info, request)
    }
}

front! {
    MPI_Reduce_scatter_c PMPI_Reduce_scatter_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_scatter(sendbuf, recvbuf, IntArray::Long(recvcounts), datatype, op, comm)
    }
}

front! {
    MPI_Reduce_scatter_init PMPI_Reduce_scatter_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_scatter_init(sendbuf, recvbuf, IntArray::Int(recvcounts), datatype, op, comm, info, request)
    }
}

front! {
    MPI_Reduce_scatter_init_c PMPI_Reduce_scatter_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::reduce_scatter_init(sendbuf, recvbuf, IntArray::Long(recvcounts), datatype, op, comm, info, request)
    }
}

front! {
    MPI_Scan PMPI_Scan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scan(sendbuf, recvbuf, i64::from(count), datatype, op, comm)
    }
}

front! {
    MPI_Scan_c PMPI_Scan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scan(sendbuf, recvbuf, count, datatype, op, comm)
    }
}

front! {
    MPI_Scan_init PMPI_Scan_init(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scan_init(sendbuf, recvbuf, i64::from(count), datatype, op, comm, info, request)
    }
}

front! {
    MPI_Scan_init_c PMPI_Scan_init_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scan_init(sendbuf, recvbuf, count, datatype, op, comm, info, request)
    }
}

front! {
    MPI_Scatter PMPI_Scatter(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scatter(sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm)
    }
}

front! {
    MPI_Scatter_c PMPI_Scatter_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
    }
}

front! {
    MPI_Scatter_init PMPI_Scatter_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scatter_init(
            sendbuf, i64::from(sendcount), sendtype, recvbuf, i64::from(recvcount), recvtype, root, comm, info,
            request,
        )
    }
}

front! {
    MPI_Scatter_init_c PMPI_Scatter_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm, info: Info as info, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scatter_init(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request)
    }
}

front! {
    MPI_Scatterv PMPI_Scatterv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scatterv(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(displs), sendtype, recvbuf, i64::from(recvcount),
            recvtype, root, comm,
        )
    }
}

front! {
    MPI_Scatterv_c PMPI_Scatterv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scatterv(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(displs.cast()), sendtype, recvbuf, recvcount,
            recvtype, root, comm,
        )
    }
}

front! {
    MPI_Scatterv_init PMPI_Scatterv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scatterv_init(
            sendbuf, IntArray::Int(sendcounts), IntArray::Int(displs), sendtype, recvbuf, i64::from(recvcount),
            recvtype, root, comm, info, request,
        )
    }
}

front! {
    MPI_Scatterv_init_c PMPI_Scatterv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::scatterv_init(
            sendbuf, IntArray::Long(sendcounts), IntArray::Long(displs.cast()), sendtype, recvbuf, recvcount,
            recvtype, root, comm, info, request,
        )
    }
}

front! {
    MPI_Type_get_value_index PMPI_Type_get_value_index(
        value_type: Datatype as datatype, index_type: Datatype as datatype, pair_type: *mut Datatype as address,
    )
    on Raise::Default =>
    {
        bodies::type_get_value_index(value_type, index_type, pair_type)
    }
}
