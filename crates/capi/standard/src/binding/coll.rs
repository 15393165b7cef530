// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: coll.

use crate::prelude::*;

binding! {
    MPI_Allgather PMPI_Allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::allgather(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm,
        )
    }
}

binding! {
    MPI_Allgather_c PMPI_Allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::allgather(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm,
        )
    }
}

binding! {
    MPI_Allgatherv PMPI_Allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::allgatherv(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(displs)), recvtype, comm,
        )
    }
}

binding! {
    MPI_Allgatherv_c PMPI_Allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::allgatherv(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(displs.cast::<i64>())),
            recvtype, comm,
        )
    }
}

binding! {
    MPI_Allreduce PMPI_Allreduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::allreduce(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, comm)
    }
}

binding! {
    MPI_Allreduce_c PMPI_Allreduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::allreduce(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, comm)
    }
}

binding! {
    MPI_Alltoall PMPI_Alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoall(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm,
        )
    }
}

binding! {
    MPI_Alltoall_c PMPI_Alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoall(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm,
        )
    }
}

binding! {
    MPI_Alltoallv PMPI_Alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoallv(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), recvtype, comm,
        )
    }
}

binding! {
    MPI_Alltoallv_c PMPI_Alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoallv(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(rdispls.cast::<i64>())),
            recvtype, comm,
        )
    }
}

binding! {
    MPI_Alltoallw PMPI_Alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const Datatype as address, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoallw(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), CommArray::new(sendtypes), UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)),
            CommArray::new(recvtypes), comm,
        )
    }
}

binding! {
    MPI_Alltoallw_c PMPI_Alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::alltoallw(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), CommArray::new(sendtypes),
            UserBuffer::new(recvbuf), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), CommArray::new(recvtypes), comm,
        )
    }
}

binding! {
    MPI_Barrier PMPI_Barrier(comm: Comm as comm)
    on Raise::Comm(comm) =>
    {
        impls::barrier(comm)
    }
}

binding! {
    MPI_Bcast PMPI_Bcast(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::bcast(UserBuffer::new(buffer), i64::from(count), datatype, root, comm)
    }
}

binding! {
    MPI_Bcast_c PMPI_Bcast_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::bcast(UserBuffer::new(buffer), count, datatype, root, comm)
    }
}

binding! {
    MPI_Exscan PMPI_Exscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::exscan(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, comm)
    }
}

binding! {
    MPI_Exscan_c PMPI_Exscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::exscan(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, comm)
    }
}

binding! {
    MPI_Gather PMPI_Gather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::gather(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, root, comm,
        )
    }
}

binding! {
    MPI_Gather_c PMPI_Gather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::gather(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, root, comm,
        )
    }
}

binding! {
    MPI_Gatherv PMPI_Gatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::gatherv(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(displs)), recvtype, root, comm,
        )
    }
}

binding! {
    MPI_Gatherv_c PMPI_Gatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::gatherv(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(displs.cast::<i64>())),
            recvtype, root, comm,
        )
    }
}

binding! {
    MPI_Op_commutative PMPI_Op_commutative(op: Op as op, commute: *mut c_int as address)
    on Raise::Default =>
    {
        impls::op_commutative(op, Out::new(commute))
    }
}

binding! {
    MPI_Op_create PMPI_Op_create(user_fn: Function as address, commute: c_int as int, op: *mut Op as out_op)
    on Raise::Default =>
    {
        impls::op_create(callback(user_fn), commute, Out::new(op))
    }
}

binding! {
    MPI_Op_create_c PMPI_Op_create_c(user_fn: Function as address, commute: c_int as int, op: *mut Op as out_op)
    on Raise::Default =>
    {
        impls::op_create(long_callback(user_fn), commute, Out::new(op))
    }
}

binding! {
    MPI_Op_free PMPI_Op_free(op: *mut Op as address)
    on Raise::Default =>
    {
        impls::op_free(InOut::new(op))
    }
}

binding! {
    MPI_Reduce PMPI_Reduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, root, comm)
    }
}

binding! {
    MPI_Reduce_c PMPI_Reduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, root, comm)
    }
}

binding! {
    MPI_Reduce_local PMPI_Reduce_local(
        inbuf: *const c_void as buffer, inoutbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op,
    )
    on Raise::Default =>
    {
        impls::reduce_local(UserBuffer::new(inbuf), UserBuffer::new(inoutbuf), i64::from(count), datatype, op)
    }
}

binding! {
    MPI_Reduce_local_c PMPI_Reduce_local_c(
        inbuf: *const c_void as buffer, inoutbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op,
    )
    on Raise::Default =>
    {
        impls::reduce_local(UserBuffer::new(inbuf), UserBuffer::new(inoutbuf), count, datatype, op)
    }
}

binding! {
    MPI_Reduce_scatter PMPI_Reduce_scatter(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_scatter(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), IntArray::Int(CommArray::new(recvcounts)), datatype,
            op, comm,
        )
    }
}

binding! {
    MPI_Reduce_scatter_block PMPI_Reduce_scatter_block(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_scatter_block(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(recvcount), datatype, op, comm,
        )
    }
}

binding! {
    MPI_Reduce_scatter_block_c PMPI_Reduce_scatter_block_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_scatter_block(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), recvcount, datatype, op, comm)
    }
}

binding! {
    MPI_Reduce_scatter_c PMPI_Reduce_scatter_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::reduce_scatter(
            UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), IntArray::Long(CommArray::new(recvcounts)), datatype,
            op, comm,
        )
    }
}

binding! {
    MPI_Scan PMPI_Scan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::scan(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), i64::from(count), datatype, op, comm)
    }
}

binding! {
    MPI_Scan_c PMPI_Scan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, op: Op as op, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::scan(UserBuffer::new(sendbuf), UserBuffer::new(recvbuf), count, datatype, op, comm)
    }
}

binding! {
    MPI_Scatter PMPI_Scatter(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::scatter(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, root, comm,
        )
    }
}

binding! {
    MPI_Scatter_c PMPI_Scatter_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, root: c_int as rank,
        comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::scatter(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, root, comm,
        )
    }
}

binding! {
    MPI_Scatterv PMPI_Scatterv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::scatterv(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(displs)), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount), recvtype,
            root, comm,
        )
    }
}

binding! {
    MPI_Scatterv_c PMPI_Scatterv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: Datatype as datatype, root: c_int as rank, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::scatterv(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), sendtype, UserBuffer::new(recvbuf), recvcount,
            recvtype, root, comm,
        )
    }
}

binding! {
    MPI_Type_get_value_index PMPI_Type_get_value_index(
        value_type: Datatype as datatype, index_type: Datatype as datatype, pair_type: *mut Datatype as out_datatype,
    )
    on Raise::Default =>
    {
        impls::type_get_value_index(value_type, index_type, Out::new(pair_type))
    }
}
