// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: coll_neighbor.

use crate::prelude::*;

binding! {
    MPI_Ineighbor_allgather PMPI_Ineighbor_allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_allgather(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ineighbor_allgather_c PMPI_Ineighbor_allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_allgather(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Ineighbor_allgatherv PMPI_Ineighbor_allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_allgatherv(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(displs)), recvtype, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Ineighbor_allgatherv_c PMPI_Ineighbor_allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_allgatherv(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(displs.cast::<i64>())),
            recvtype, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ineighbor_alltoall PMPI_Ineighbor_alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_alltoall(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ineighbor_alltoall_c PMPI_Ineighbor_alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_alltoall(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Ineighbor_alltoallv PMPI_Ineighbor_alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_alltoallv(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), recvtype, comm,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Ineighbor_alltoallv_c PMPI_Ineighbor_alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_alltoallv(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(rdispls.cast::<i64>())),
            recvtype, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ineighbor_alltoallw PMPI_Ineighbor_alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_alltoallw(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes), UserBuffer::new(recvbuf), IntArray::Int(CommArray::new(recvcounts)),
            CommArray::new(rdispls), CommArray::new(recvtypes), comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Ineighbor_alltoallw_c PMPI_Ineighbor_alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ineighbor_alltoallw(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes), UserBuffer::new(recvbuf), IntArray::Long(CommArray::new(recvcounts)),
            CommArray::new(rdispls), CommArray::new(recvtypes), comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_allgather PMPI_Neighbor_allgather(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_allgather(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm,
        )
    }
}

binding! {
    MPI_Neighbor_allgather_c PMPI_Neighbor_allgather_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_allgather(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm,
        )
    }
}

binding! {
    MPI_Neighbor_allgather_init PMPI_Neighbor_allgather_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_allgather_init(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_allgather_init_c PMPI_Neighbor_allgather_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_allgather_init(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_allgatherv PMPI_Neighbor_allgatherv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_allgatherv(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(displs)), recvtype, comm,
        )
    }
}

binding! {
    MPI_Neighbor_allgatherv_c PMPI_Neighbor_allgatherv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_allgatherv(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(displs.cast::<i64>())),
            recvtype, comm,
        )
    }
}

binding! {
    MPI_Neighbor_allgatherv_init PMPI_Neighbor_allgatherv_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address, displs: *const c_int as address,
        recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_allgatherv_init(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(displs)), recvtype, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_allgatherv_init_c PMPI_Neighbor_allgatherv_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address, displs: *const isize as address,
        recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_allgatherv_init(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(displs.cast::<i64>())),
            recvtype, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_alltoall PMPI_Neighbor_alltoall(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoall(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm,
        )
    }
}

binding! {
    MPI_Neighbor_alltoall_c PMPI_Neighbor_alltoall_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoall(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm,
        )
    }
}

binding! {
    MPI_Neighbor_alltoall_init PMPI_Neighbor_alltoall_init(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoall_init(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, UserBuffer::new(recvbuf), i64::from(recvcount),
            recvtype, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_alltoall_init_c PMPI_Neighbor_alltoall_init_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype,
        recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoall_init(
            UserBuffer::new(sendbuf), sendcount, sendtype, UserBuffer::new(recvbuf), recvcount, recvtype, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_alltoallv PMPI_Neighbor_alltoallv(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoallv(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), recvtype, comm,
        )
    }
}

binding! {
    MPI_Neighbor_alltoallv_c PMPI_Neighbor_alltoallv_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoallv(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(rdispls.cast::<i64>())),
            recvtype, comm,
        )
    }
}

binding! {
    MPI_Neighbor_alltoallv_init PMPI_Neighbor_alltoallv_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const c_int as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const c_int as address, recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoallv_init(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)),
            IntArray::Int(CommArray::new(sdispls)), sendtype, UserBuffer::new(recvbuf),
            IntArray::Int(CommArray::new(recvcounts)), IntArray::Int(CommArray::new(rdispls)), recvtype, comm, info,
            Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_alltoallv_init_c PMPI_Neighbor_alltoallv_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtype: Datatype as datatype, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtype: Datatype as datatype, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoallv_init(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)),
            IntArray::Long(CommArray::new(sdispls.cast::<i64>())), sendtype, UserBuffer::new(recvbuf),
            IntArray::Long(CommArray::new(recvcounts)), IntArray::Long(CommArray::new(rdispls.cast::<i64>())),
            recvtype, comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_alltoallw PMPI_Neighbor_alltoallw(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoallw(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes), UserBuffer::new(recvbuf), IntArray::Int(CommArray::new(recvcounts)),
            CommArray::new(rdispls), CommArray::new(recvtypes), comm,
        )
    }
}

binding! {
    MPI_Neighbor_alltoallw_c PMPI_Neighbor_alltoallw_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoallw(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes), UserBuffer::new(recvbuf), IntArray::Long(CommArray::new(recvcounts)),
            CommArray::new(rdispls), CommArray::new(recvtypes), comm,
        )
    }
}

binding! {
    MPI_Neighbor_alltoallw_init PMPI_Neighbor_alltoallw_init(
        sendbuf: *const c_void as buffer, sendcounts: *const c_int as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const c_int as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoallw_init(
            UserBuffer::new(sendbuf), IntArray::Int(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes), UserBuffer::new(recvbuf), IntArray::Int(CommArray::new(recvcounts)),
            CommArray::new(rdispls), CommArray::new(recvtypes), comm, info, Out::new(request),
        )
    }
}

binding! {
    MPI_Neighbor_alltoallw_init_c PMPI_Neighbor_alltoallw_init_c(
        sendbuf: *const c_void as buffer, sendcounts: *const i64 as address, sdispls: *const isize as address,
        sendtypes: *const Datatype as address, recvbuf: *mut c_void as buffer, recvcounts: *const i64 as address,
        rdispls: *const isize as address, recvtypes: *const Datatype as address, comm: Comm as comm,
        info: Info as info, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::neighbor_alltoallw_init(
            UserBuffer::new(sendbuf), IntArray::Long(CommArray::new(sendcounts)), CommArray::new(sdispls),
            CommArray::new(sendtypes), UserBuffer::new(recvbuf), IntArray::Long(CommArray::new(recvcounts)),
            CommArray::new(rdispls), CommArray::new(recvtypes), comm, info, Out::new(request),
        )
    }
}
