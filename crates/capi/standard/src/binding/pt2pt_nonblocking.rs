// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: pt2pt_nonblocking.

use crate::prelude::*;

binding! {
    MPI_Ibsend PMPI_Ibsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ibsend(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Ibsend_c PMPI_Ibsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::ibsend(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Improbe PMPI_Improbe(
        source: c_int as rank, tag: c_int as tag, comm: Comm as comm, flag: *mut c_int as address,
        message: *mut Message as out_message, status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::improbe(source, tag, comm, Out::new(flag), Out::new(message), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_Imrecv PMPI_Imrecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        message: *mut Message as address, request: *mut Request as out_request,
    )
    on Raise::Default =>
    {
        impls::imrecv(UserBuffer::new(buf), i64::from(count), datatype, InOut::new(message), Out::new(request))
    }
}

binding! {
    MPI_Imrecv_c PMPI_Imrecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        message: *mut Message as address, request: *mut Request as out_request,
    )
    on Raise::Default =>
    {
        impls::imrecv(UserBuffer::new(buf), count, datatype, InOut::new(message), Out::new(request))
    }
}

binding! {
    MPI_Iprobe PMPI_Iprobe(
        source: c_int as rank, tag: c_int as tag, comm: Comm as comm, flag: *mut c_int as address,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::iprobe(source, tag, comm, Out::new(flag), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_Irecv PMPI_Irecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    first
    {
        impls::irecv_first(UserBuffer::new(buf), i64::from(count), datatype, source, tag, comm, Out::new(request))
    }
    in_lane
    {
        impls::irecv_in_lane(UserBuffer::new(buf), i64::from(count), datatype, source, tag, comm, Out::new(request))
    }
    rest
    {
        impls::irecv_rest(UserBuffer::new(buf), i64::from(count), datatype, source, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Irecv_c PMPI_Irecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    first
    {
        impls::irecv_first(UserBuffer::new(buf), count, datatype, source, tag, comm, Out::new(request))
    }
    in_lane
    {
        impls::irecv_in_lane(UserBuffer::new(buf), count, datatype, source, tag, comm, Out::new(request))
    }
    rest
    {
        impls::irecv_rest(UserBuffer::new(buf), count, datatype, source, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Irsend PMPI_Irsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::irsend(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Irsend_c PMPI_Irsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::irsend(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Isend PMPI_Isend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    first
    {
        impls::isend_first(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
    in_lane
    {
        impls::isend_in_lane(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
    rest
    {
        impls::isend_rest(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Isend_c PMPI_Isend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    first
    {
        impls::isend_first(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
    in_lane
    {
        impls::isend_in_lane(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
    rest
    {
        impls::isend_rest(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Isendrecv PMPI_Isendrecv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        dest: c_int as rank, sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::isendrecv(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, dest, sendtag, UserBuffer::new(recvbuf),
            i64::from(recvcount), recvtype, source, recvtag, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Isendrecv_c PMPI_Isendrecv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype,
        source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::isendrecv(
            UserBuffer::new(sendbuf), sendcount, sendtype, dest, sendtag, UserBuffer::new(recvbuf), recvcount,
            recvtype, source, recvtag, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Isendrecv_replace PMPI_Isendrecv_replace(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::isendrecv_replace(
            UserBuffer::new(buf), i64::from(count), datatype, dest, sendtag, source, recvtag, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Isendrecv_replace_c PMPI_Isendrecv_replace_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::isendrecv_replace(
            UserBuffer::new(buf), count, datatype, dest, sendtag, source, recvtag, comm, Out::new(request),
        )
    }
}

binding! {
    MPI_Issend PMPI_Issend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::issend(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm, Out::new(request))
    }
}

binding! {
    MPI_Issend_c PMPI_Issend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::issend(UserBuffer::new(buf), count, datatype, dest, tag, comm, Out::new(request))
    }
}
