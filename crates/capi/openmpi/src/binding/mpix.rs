// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: mpix.

use crate::prelude::*;

binding! {
    MPIX_Allgather_init PMPIX_Allgather_init(
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
    MPIX_Allgatherv_init PMPIX_Allgatherv_init(
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
    MPIX_Allreduce_init PMPIX_Allreduce_init(
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
    MPIX_Alltoall_init PMPIX_Alltoall_init(
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
    MPIX_Alltoallv_init PMPIX_Alltoallv_init(
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
    MPIX_Alltoallw_init PMPIX_Alltoallw_init(
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
    MPIX_Barrier_init PMPIX_Barrier_init(
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
    MPIX_Bcast_init PMPIX_Bcast_init(
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
    MPIX_Comm_ack_failed PMPIX_Comm_ack_failed(
        comm: RawHandle as comm, num_to_ack: c_int as int, num_acked: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_ack_failed(to::comm(comm), num_to_ack, Out::new(num_acked))
    }
}

binding! {
    MPIX_Comm_agree PMPIX_Comm_agree(comm: RawHandle as comm, flag: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_agree(to::comm(comm), InOut::new(flag))
    }
}

binding! {
    MPIX_Comm_failure_ack PMPIX_Comm_failure_ack(comm: RawHandle as comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_failure_ack(to::comm(comm))
    }
}

binding! {
    MPIX_Comm_failure_get_acked PMPIX_Comm_failure_get_acked(
        comm: RawHandle as comm, failedgrp: *mut RawHandle as out_group,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut failedgrp = Place::out(Out::new(failedgrp), Group::NULL);
        impls::comm_failure_get_acked(to::comm(comm), Out::new(failedgrp.pass()))?;
        failedgrp.leave(from::group);
        Ok(())
    }
}

binding! {
    MPIX_Comm_get_failed PMPIX_Comm_get_failed(comm: RawHandle as comm, failedgrp: *mut RawHandle as out_group)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut failedgrp = Place::out(Out::new(failedgrp), Group::NULL);
        impls::comm_get_failed(to::comm(comm), Out::new(failedgrp.pass()))?;
        failedgrp.leave(from::group);
        Ok(())
    }
}

binding! {
    MPIX_Comm_iagree PMPIX_Comm_iagree(
        comm: RawHandle as comm, flag: *mut c_int as address, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::comm_iagree(to::comm(comm), UserBuffer::new(flag.cast()), Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPIX_Comm_is_revoked PMPIX_Comm_is_revoked(comm: RawHandle as comm, flag: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_is_revoked(to::comm(comm), Out::new(flag))
    }
}

binding! {
    MPIX_Comm_ishrink PMPIX_Comm_ishrink(
        comm: RawHandle as comm, newcomm: *mut RawHandle as out_comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::comm_ishrink(to::comm(comm), Out::new(newcomm.pass()), Out::new(request.pass()))?;
        newcomm.leave(from::comm);
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPIX_Comm_revoke PMPIX_Comm_revoke(comm: RawHandle as comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_revoke(to::comm(comm))
    }
}

binding! {
    MPIX_Comm_shrink PMPIX_Comm_shrink(comm: RawHandle as comm, newcomm: *mut RawHandle as out_comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut newcomm = Place::out(Out::new(newcomm), Comm::NULL);
        impls::comm_shrink(to::comm(comm), Out::new(newcomm.pass()))?;
        newcomm.leave(from::comm);
        Ok(())
    }
}

binding! {
    MPIX_Exscan_init PMPIX_Exscan_init(
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
    MPIX_Gather_init PMPIX_Gather_init(
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
    MPIX_Gatherv_init PMPIX_Gatherv_init(
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
    MPIX_Neighbor_allgather_init PMPIX_Neighbor_allgather_init(
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
    MPIX_Neighbor_allgatherv_init PMPIX_Neighbor_allgatherv_init(
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
    MPIX_Neighbor_alltoall_init PMPIX_Neighbor_alltoall_init(
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
    MPIX_Neighbor_alltoallv_init PMPIX_Neighbor_alltoallv_init(
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
    MPIX_Neighbor_alltoallw_init PMPIX_Neighbor_alltoallw_init(
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

direct! {
    MPIX_Query_cuda_support PMPIX_Query_cuda_support() -> c_int { impls::query_cuda_support() }
}

direct! {
    MPIX_Query_rocm_support PMPIX_Query_rocm_support() -> c_int { impls::query_rocm_support() }
}

binding! {
    MPIX_Reduce_init PMPIX_Reduce_init(
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
    MPIX_Reduce_scatter_block_init PMPIX_Reduce_scatter_block_init(
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
    MPIX_Reduce_scatter_init PMPIX_Reduce_scatter_init(
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
    MPIX_Scan_init PMPIX_Scan_init(
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
    MPIX_Scatter_init PMPIX_Scatter_init(
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
    MPIX_Scatterv_init PMPIX_Scatterv_init(
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
