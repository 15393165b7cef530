// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: coll.

use crate::prelude::*;

binding! {
    MPI_Allgather PMPI_Allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::allgather(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Allgather_c PMPI_Allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::allgather(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Allgatherv PMPI_Allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::allgatherv(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Allgatherv_c PMPI_Allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::allgatherv(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Allreduce PMPI_Allreduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::allreduce(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Allreduce_c PMPI_Allreduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::allreduce(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Alltoall PMPI_Alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::alltoall(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Alltoall_c PMPI_Alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::alltoall(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Alltoallv PMPI_Alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::alltoallv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), to::datatype(sendtype), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), to::datatype(recvtype),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Alltoallv_c PMPI_Alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: c_int as datatype, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::alltoallv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), to::datatype(recvtype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Alltoallw PMPI_Alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtypes: *const c_int as address, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::peers(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::peers(to::comm(comm))), to::datatype);
        impls::alltoallw(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), CommArray::new(sendtypes.pass()),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(rdispls)), CommArray::new(recvtypes.pass()), to::comm(comm),
        )
    }
}

binding! {
    MPI_Alltoallw_c PMPI_Alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const c_int as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const c_int as address, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let sendtypes = Array::<_, _>::read(InSlice::new(sendtypes, impls::peers(to::comm(comm))), to::datatype);
        let recvtypes = Array::<_, _>::read(InSlice::new(recvtypes, impls::peers(to::comm(comm))), to::datatype);
        impls::alltoallw(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), CommArray::new(sendtypes.pass()),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(rdispls.cast::<i64>())), CommArray::new(recvtypes.pass()), to::comm(comm),
        )
    }
}

binding! {
    MPI_Barrier PMPI_Barrier(comm: c_int as comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::barrier(to::comm(comm))
    }
}

binding! {
    MPI_Bcast PMPI_Bcast(
        buffer: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::bcast(
            UserBuffer::new(to::buffer_mut(buffer)), i64::from(count), to::datatype(datatype), to::rank(root),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Bcast_c PMPI_Bcast_c(
        buffer: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::bcast(
            UserBuffer::new(to::buffer_mut(buffer)), count, to::datatype(datatype), to::rank(root), to::comm(comm),
        )
    }
}

binding! {
    MPI_Exscan PMPI_Exscan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::exscan(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Exscan_c PMPI_Exscan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::exscan(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Gather PMPI_Gather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::gather(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::rank(root),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Gather_c PMPI_Gather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::gather(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(root),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Gatherv PMPI_Gatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::gatherv(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Int(CommArray::new(recvcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(recvtype), to::rank(root), to::comm(comm),
        )
    }
}

binding! {
    MPI_Gatherv_c PMPI_Gatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::gatherv(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), IntArray::Long(CommArray::new(recvcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(recvtype), to::rank(root),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Op_commutative PMPI_Op_commutative(op: c_int as op, commute: *mut c_int as address)
    on Raise::Default =>
    {
        impls::op_commutative(to::op(op), Out::new(commute))
    }
}

binding! {
    MPI_Op_create PMPI_Op_create(user_fn: Function as address, commute: c_int as int, op: *mut c_int as out_op)
    on Raise::Default =>
    {
        let mut op = Place::out(Out::new(op), Op::NULL);
        impls::op_create(callback(user_fn), commute, Out::new(op.pass()))?;
        op.leave(from::op);
        Ok(())
    }
}

binding! {
    MPI_Op_create_c PMPI_Op_create_c(user_fn: Function as address, commute: c_int as int, op: *mut c_int as out_op)
    on Raise::Default =>
    {
        let mut op = Place::out(Out::new(op), Op::NULL);
        impls::op_create(long_callback(user_fn), commute, Out::new(op.pass()))?;
        op.leave(from::op);
        Ok(())
    }
}

binding! {
    MPI_Op_free PMPI_Op_free(op: *mut c_int as address)
    on Raise::Default =>
    {
        let mut op = Place::read(InOut::new(op), Op::NULL, to::op);
        let outcome = impls::op_free(InOut::new(op.pass()));
        op.leave(from::op);
        outcome
    }
}

binding! {
    MPI_Reduce PMPI_Reduce(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::reduce(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::rank(root), to::comm(comm),
        )
    }
}

binding! {
    MPI_Reduce_c PMPI_Reduce_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::reduce(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::rank(root), to::comm(comm),
        )
    }
}

binding! {
    MPI_Reduce_local PMPI_Reduce_local(
        inbuf: *const c_void as buffer, inoutbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op,
    )
    on Raise::Default =>
    {
        impls::reduce_local(
            UserBuffer::new(to::buffer(inbuf)), UserBuffer::new(to::buffer_mut(inoutbuf)), i64::from(count),
            to::datatype(datatype), to::op(op),
        )
    }
}

binding! {
    MPI_Reduce_local_c PMPI_Reduce_local_c(
        inbuf: *const c_void as buffer, inoutbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op,
    )
    on Raise::Default =>
    {
        impls::reduce_local(
            UserBuffer::new(to::buffer(inbuf)), UserBuffer::new(to::buffer_mut(inoutbuf)), count,
            to::datatype(datatype), to::op(op),
        )
    }
}

binding! {
    MPI_Reduce_scatter PMPI_Reduce_scatter(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::reduce_scatter(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Int(CommArray::new(recvcounts)), to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Reduce_scatter_block PMPI_Reduce_scatter_block(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::reduce_scatter_block(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount),
            to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Reduce_scatter_block_c PMPI_Reduce_scatter_block_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::reduce_scatter_block(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), recvcount,
            to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Reduce_scatter_c PMPI_Reduce_scatter_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::reduce_scatter(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)),
            IntArray::Long(CommArray::new(recvcounts)), to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Scan PMPI_Scan(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::scan(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(count),
            to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Scan_c PMPI_Scan_c(
        sendbuf: *const c_void as buffer, recvbuf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, op: c_int as op, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::scan(
            UserBuffer::new(to::buffer(sendbuf)), UserBuffer::new(to::buffer_mut(recvbuf)), count,
            to::datatype(datatype), to::op(op), to::comm(comm),
        )
    }
}

binding! {
    MPI_Scatter PMPI_Scatter(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::scatter(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype), to::rank(root),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Scatter_c PMPI_Scatter_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype, root: c_int as rank,
        comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::scatter(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(root),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Scatterv PMPI_Scatterv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, displs: *const c_int as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::scatterv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(displs)), to::datatype(sendtype), UserBuffer::new(to::buffer_mut(recvbuf)),
            i64::from(recvcount), to::datatype(recvtype), to::rank(root), to::comm(comm),
        )
    }
}

binding! {
    MPI_Scatterv_c PMPI_Scatterv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, displs: *const isize as address,
        sendtype: c_int as datatype, recvbuf: *mut c_void as buffer, recvcount: i64 as int,
        recvtype: c_int as datatype, root: c_int as rank, comm: c_int as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::scatterv(
            UserBuffer::new(to::buffer(sendbuf)), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(displs.cast::<i64>())), to::datatype(sendtype),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(root),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Type_get_value_index PMPI_Type_get_value_index(
        value_type: c_int as datatype, index_type: c_int as datatype, pair_type: *mut c_int as out_datatype,
    )
    on Raise::Default =>
    {
        let mut pair_type = Place::out(Out::new(pair_type), Datatype::NULL);
        impls::type_get_value_index(to::datatype(value_type), to::datatype(index_type), Out::new(pair_type.pass()))?;
        pair_type.leave(from::datatype);
        Ok(())
    }
}
