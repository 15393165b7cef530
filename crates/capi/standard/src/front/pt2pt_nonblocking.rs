// generated from api/ by cargo xtask generate; do not edit
//! The fronts of the standard ABI: pt2pt_nonblocking.

use crate::prelude::*;

front! {
    MPI_Ibsend PMPI_Ibsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ibsend(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Ibsend_c PMPI_Ibsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ibsend(buf, count, datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Improbe PMPI_Improbe(
        source: c_int as rank, tag: c_int as tag, comm: Comm as comm, flag: *mut c_int as address,
        message: *mut Message as address, status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::improbe(source, tag, comm, flag, message, status)
    }
}

front! {
    MPI_Imrecv PMPI_Imrecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        message: *mut Message as address, request: *mut Request as address,
    )
    on Raise::Default =>
    {
        bodies::imrecv(buf, i64::from(count), datatype, message, request)
    }
}

front! {
    MPI_Imrecv_c PMPI_Imrecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        message: *mut Message as address, request: *mut Request as address,
    )
    on Raise::Default =>
    {
        bodies::imrecv(buf, count, datatype, message, request)
    }
}

front! {
    MPI_Iprobe PMPI_Iprobe(
        source: c_int as rank, tag: c_int as tag, comm: Comm as comm, flag: *mut c_int as address,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::iprobe(source, tag, comm, flag, status)
    }
}

front! {
    MPI_Irecv PMPI_Irecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    first
    {
        bodies::irecv_first(buf, i64::from(count), datatype, source, tag, comm, request)
    }
    rest
    {
        bodies::irecv_rest(buf, i64::from(count), datatype, source, tag, comm, request)
    }
}

front! {
    MPI_Irecv_c PMPI_Irecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    first
    {
        bodies::irecv_first(buf, count, datatype, source, tag, comm, request)
    }
    rest
    {
        bodies::irecv_rest(buf, count, datatype, source, tag, comm, request)
    }
}

front! {
    MPI_Irsend PMPI_Irsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::irsend(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Irsend_c PMPI_Irsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::irsend(buf, count, datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Isend PMPI_Isend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    first
    {
        bodies::isend_first(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
    rest
    {
        bodies::isend_rest(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Isend_c PMPI_Isend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    first
    {
        bodies::isend_first(buf, count, datatype, dest, tag, comm, request)
    }
    rest
    {
        bodies::isend_rest(buf, count, datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Isendrecv PMPI_Isendrecv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        dest: c_int as rank, sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::isendrecv(
            sendbuf, i64::from(sendcount), sendtype, dest, sendtag, recvbuf, i64::from(recvcount), recvtype, source,
            recvtag, comm, request,
        )
    }
}

front! {
    MPI_Isendrecv_c PMPI_Isendrecv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype,
        source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::isendrecv(
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, request,
        )
    }
}

front! {
    MPI_Isendrecv_replace PMPI_Isendrecv_replace(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::isendrecv_replace(buf, i64::from(count), datatype, dest, sendtag, source, recvtag, comm, request)
    }
}

front! {
    MPI_Isendrecv_replace_c PMPI_Isendrecv_replace_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::isendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, request)
    }
}

front! {
    MPI_Issend PMPI_Issend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::issend(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Issend_c PMPI_Issend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::issend(buf, count, datatype, dest, tag, comm, request)
    }
}
