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
    MPI_Barrier PMPI_Barrier(comm: Comm as comm)
    on Raise::Comm(comm) =>
    {
        bodies::barrier(comm)
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
    MPI_Type_get_value_index PMPI_Type_get_value_index(
        value_type: Datatype as datatype, index_type: Datatype as datatype, pair_type: *mut Datatype as address,
    )
    on Raise::Default =>
    {
        bodies::type_get_value_index(value_type, index_type, pair_type)
    }
}
