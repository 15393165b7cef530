// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: pt2pt_persistent.

use crate::prelude::*;

binding! {
    MPI_Bsend_init PMPI_Bsend_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::bsend_init(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Bsend_init_c PMPI_Bsend_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::bsend_init(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Recv_init PMPI_Recv_init(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::recv_init(UserBuffer::new(buf), i64::from(count), datatype, source, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Recv_init_c PMPI_Recv_init_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::recv_init(UserBuffer::new(buf), count, datatype, source, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Rsend_init PMPI_Rsend_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::rsend_init(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Rsend_init_c PMPI_Rsend_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::rsend_init(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Send_init PMPI_Send_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::send_init(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Send_init_c PMPI_Send_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::send_init(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Ssend_init PMPI_Ssend_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ssend_init(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Ssend_init_c PMPI_Ssend_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ssend_init(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
}
