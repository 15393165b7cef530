// generated from api/ by cargo xtask generate; do not edit
//! The fronts of the standard ABI: pt2pt.

use crate::prelude::*;

front! {
    MPI_Bsend PMPI_Bsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::bsend(buf, i64::from(count), datatype, dest, tag, comm)
    }
}

front! {
    MPI_Bsend_c PMPI_Bsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::bsend(buf, count, datatype, dest, tag, comm)
    }
}

front! {
    MPI_Bsend_init PMPI_Bsend_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::bsend_init(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Bsend_init_c PMPI_Bsend_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::bsend_init(buf, count, datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Buffer_attach PMPI_Buffer_attach(buffer: *mut c_void as buffer, size: c_int as int)
    on Raise::Default =>
    {
        bodies::buffer_attach(buffer, i64::from(size))
    }
}

front! {
    MPI_Buffer_attach_c PMPI_Buffer_attach_c(buffer: *mut c_void as buffer, size: i64 as int)
    on Raise::Default =>
    {
        bodies::buffer_attach(buffer, size)
    }
}

front! {
    MPI_Buffer_detach PMPI_Buffer_detach(buffer_addr: *mut c_void as address, size: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::buffer_detach(buffer_addr, CountOut::Int(size))
    }
}

front! {
    MPI_Buffer_detach_c PMPI_Buffer_detach_c(buffer_addr: *mut c_void as address, size: *mut i64 as address)
    on Raise::Default =>
    {
        bodies::buffer_detach(buffer_addr, CountOut::Long(size))
    }
}

front! {
    MPI_Buffer_flush PMPI_Buffer_flush()
    on Raise::Default =>
    {
        bodies::buffer_flush()
    }
}

front! {
    MPI_Buffer_iflush PMPI_Buffer_iflush(request: *mut Request as address)
    on Raise::Default =>
    {
        bodies::buffer_iflush(request)
    }
}

front! {
    MPI_Cancel PMPI_Cancel(request: *mut Request as address)
    on Raise::Default =>
    {
        bodies::cancel(request)
    }
}

front! {
    MPI_Comm_attach_buffer PMPI_Comm_attach_buffer(
        comm: Comm as comm, buffer: *mut c_void as buffer, size: c_int as int,
    )
    on Raise::Comm(comm) =>
    {
        bodies::comm_attach_buffer(comm, buffer, i64::from(size))
    }
}

front! {
    MPI_Comm_attach_buffer_c PMPI_Comm_attach_buffer_c(
        comm: Comm as comm, buffer: *mut c_void as buffer, size: i64 as int,
    )
    on Raise::Comm(comm) =>
    {
        bodies::comm_attach_buffer(comm, buffer, size)
    }
}

front! {
    MPI_Comm_detach_buffer PMPI_Comm_detach_buffer(
        comm: Comm as comm, buffer_addr: *mut c_void as address, size: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::comm_detach_buffer(comm, buffer_addr, CountOut::Int(size))
    }
}

front! {
    MPI_Comm_detach_buffer_c PMPI_Comm_detach_buffer_c(
        comm: Comm as comm, buffer_addr: *mut c_void as address, size: *mut i64 as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::comm_detach_buffer(comm, buffer_addr, CountOut::Long(size))
    }
}

front! {
    MPI_Comm_flush_buffer PMPI_Comm_flush_buffer(comm: Comm as comm)
    on Raise::Comm(comm) =>
    {
        bodies::comm_flush_buffer(comm)
    }
}

front! {
    MPI_Comm_iflush_buffer PMPI_Comm_iflush_buffer(comm: Comm as comm, request: *mut Request as address)
    on Raise::Comm(comm) =>
    {
        bodies::comm_iflush_buffer(comm, request)
    }
}

front! {
    MPI_Get_count PMPI_Get_count(
        status: *const Status as address, datatype: Datatype as datatype, count: *mut c_int as address,
    )
    on Raise::Default =>
    {
        bodies::get_count(status, datatype, CountOut::Int(count))
    }
}

front! {
    MPI_Get_count_c PMPI_Get_count_c(
        status: *const Status as address, datatype: Datatype as datatype, count: *mut i64 as address,
    )
    on Raise::Default =>
    {
        bodies::get_count(status, datatype, CountOut::Long(count))
    }
}

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
    {
        bodies::irecv(buf, i64::from(count), datatype, source, tag, comm, request)
    }
}

front! {
    MPI_Irecv_c PMPI_Irecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::irecv(buf, count, datatype, source, tag, comm, request)
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
    {
        bodies::isend(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Isend_c PMPI_Isend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::isend(buf, count, datatype, dest, tag, comm, request)
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

front! {
    MPI_Mprobe PMPI_Mprobe(
        source: c_int as rank, tag: c_int as tag, comm: Comm as comm, message: *mut Message as address,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::mprobe(source, tag, comm, message, status)
    }
}

front! {
    MPI_Mrecv PMPI_Mrecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        message: *mut Message as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::mrecv(buf, i64::from(count), datatype, message, status)
    }
}

front! {
    MPI_Mrecv_c PMPI_Mrecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        message: *mut Message as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::mrecv(buf, count, datatype, message, status)
    }
}

front! {
    MPI_Probe PMPI_Probe(source: c_int as rank, tag: c_int as tag, comm: Comm as comm, status: *mut Status as address)
    on Raise::Comm(comm) =>
    {
        bodies::probe(source, tag, comm, status)
    }
}

front! {
    MPI_Recv PMPI_Recv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::recv(buf, i64::from(count), datatype, source, tag, comm, status)
    }
}

front! {
    MPI_Recv_c PMPI_Recv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::recv(buf, count, datatype, source, tag, comm, status)
    }
}

front! {
    MPI_Recv_init PMPI_Recv_init(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::recv_init(buf, i64::from(count), datatype, source, tag, comm, request)
    }
}

front! {
    MPI_Recv_init_c PMPI_Recv_init_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::recv_init(buf, count, datatype, source, tag, comm, request)
    }
}

front! {
    MPI_Request_free PMPI_Request_free(request: *mut Request as address)
    on Raise::Default =>
    {
        bodies::request_free(request)
    }
}

front! {
    MPI_Request_get_status PMPI_Request_get_status(
        request: Request as request, flag: *mut c_int as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::request_get_status(request, flag, status)
    }
}

front! {
    MPI_Request_get_status_all PMPI_Request_get_status_all(
        count: c_int as int, array_of_requests: *const Request as address, flag: *mut c_int as address,
        array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::request_get_status_all(count, array_of_requests, flag, array_of_statuses)
    }
}

front! {
    MPI_Request_get_status_any PMPI_Request_get_status_any(
        count: c_int as int, array_of_requests: *const Request as address, index: *mut c_int as address,
        flag: *mut c_int as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::request_get_status_any(count, array_of_requests, index, flag, status)
    }
}

front! {
    MPI_Request_get_status_some PMPI_Request_get_status_some(
        incount: c_int as int, array_of_requests: *const Request as address, outcount: *mut c_int as address,
        array_of_indices: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::request_get_status_some(incount, array_of_requests, outcount, array_of_indices, array_of_statuses)
    }
}

front! {
    MPI_Rsend PMPI_Rsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::rsend(buf, i64::from(count), datatype, dest, tag, comm)
    }
}

front! {
    MPI_Rsend_c PMPI_Rsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::rsend(buf, count, datatype, dest, tag, comm)
    }
}

front! {
    MPI_Rsend_init PMPI_Rsend_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::rsend_init(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Rsend_init_c PMPI_Rsend_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::rsend_init(buf, count, datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Send PMPI_Send(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::send(buf, i64::from(count), datatype, dest, tag, comm)
    }
}

front! {
    MPI_Send_c PMPI_Send_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::send(buf, count, datatype, dest, tag, comm)
    }
}

front! {
    MPI_Send_init PMPI_Send_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::send_init(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Send_init_c PMPI_Send_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::send_init(buf, count, datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Sendrecv PMPI_Sendrecv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        dest: c_int as rank, sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::sendrecv(
            sendbuf, i64::from(sendcount), sendtype, dest, sendtag, recvbuf, i64::from(recvcount), recvtype, source,
            recvtag, comm, status,
        )
    }
}

front! {
    MPI_Sendrecv_c PMPI_Sendrecv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype,
        source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm, status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::sendrecv(
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source, recvtag, comm, status,
        )
    }
}

front! {
    MPI_Sendrecv_replace PMPI_Sendrecv_replace(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::sendrecv_replace(buf, i64::from(count), datatype, dest, sendtag, source, recvtag, comm, status)
    }
}

front! {
    MPI_Sendrecv_replace_c PMPI_Sendrecv_replace_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::sendrecv_replace(buf, count, datatype, dest, sendtag, source, recvtag, comm, status)
    }
}

front! {
    MPI_Session_attach_buffer PMPI_Session_attach_buffer(
        session: Session as session, buffer: *mut c_void as buffer, size: c_int as int,
    )
    on Raise::Session(session) =>
    {
        bodies::session_attach_buffer(session, buffer, i64::from(size))
    }
}

front! {
    MPI_Session_attach_buffer_c PMPI_Session_attach_buffer_c(
        session: Session as session, buffer: *mut c_void as buffer, size: i64 as int,
    )
    on Raise::Session(session) =>
    {
        bodies::session_attach_buffer(session, buffer, size)
    }
}

front! {
    MPI_Session_detach_buffer PMPI_Session_detach_buffer(
        session: Session as session, buffer_addr: *mut c_void as address, size: *mut c_int as address,
    )
    on Raise::Session(session) =>
    {
        bodies::session_detach_buffer(session, buffer_addr, CountOut::Int(size))
    }
}

front! {
    MPI_Session_detach_buffer_c PMPI_Session_detach_buffer_c(
        session: Session as session, buffer_addr: *mut c_void as address, size: *mut i64 as address,
    )
    on Raise::Session(session) =>
    {
        bodies::session_detach_buffer(session, buffer_addr, CountOut::Long(size))
    }
}

front! {
    MPI_Session_flush_buffer PMPI_Session_flush_buffer(session: Session as session)
    on Raise::Session(session) =>
    {
        bodies::session_flush_buffer(session)
    }
}

front! {
    MPI_Session_iflush_buffer PMPI_Session_iflush_buffer(session: Session as session, request: *mut Request as address)
    on Raise::Session(session) =>
    {
        bodies::session_iflush_buffer(session, request)
    }
}

front! {
    MPI_Ssend PMPI_Ssend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ssend(buf, i64::from(count), datatype, dest, tag, comm)
    }
}

front! {
    MPI_Ssend_c PMPI_Ssend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ssend(buf, count, datatype, dest, tag, comm)
    }
}

front! {
    MPI_Ssend_init PMPI_Ssend_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ssend_init(buf, i64::from(count), datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Ssend_init_c PMPI_Ssend_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::ssend_init(buf, count, datatype, dest, tag, comm, request)
    }
}

front! {
    MPI_Start PMPI_Start(request: *mut Request as address)
    on Raise::Default =>
    {
        bodies::start(request)
    }
}

front! {
    MPI_Startall PMPI_Startall(count: c_int as int, array_of_requests: *mut Request as address)
    on Raise::Default =>
    {
        bodies::startall(count, array_of_requests)
    }
}

front! {
    MPI_Status_get_error PMPI_Status_get_error(status: *const Status as address, err: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::status_get_error(status, err)
    }
}

front! {
    MPI_Status_get_source PMPI_Status_get_source(status: *const Status as address, source: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::status_get_source(status, source)
    }
}

front! {
    MPI_Status_get_tag PMPI_Status_get_tag(status: *const Status as address, tag: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::status_get_tag(status, tag)
    }
}

front! {
    MPI_Test PMPI_Test(request: *mut Request as address, flag: *mut c_int as address, status: *mut Status as address)
    on Raise::Default =>
    {
        bodies::test(request, flag, status)
    }
}

front! {
    MPI_Test_cancelled PMPI_Test_cancelled(status: *const Status as address, flag: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::test_cancelled(status, flag)
    }
}

front! {
    MPI_Testall PMPI_Testall(
        count: c_int as int, array_of_requests: *mut Request as address, flag: *mut c_int as address,
        array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::testall(count, array_of_requests, flag, array_of_statuses)
    }
}

front! {
    MPI_Testany PMPI_Testany(
        count: c_int as int, array_of_requests: *mut Request as address, index: *mut c_int as address,
        flag: *mut c_int as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::testany(count, array_of_requests, index, flag, status)
    }
}

front! {
    MPI_Testsome PMPI_Testsome(
        incount: c_int as int, array_of_requests: *mut Request as address, outcount: *mut c_int as address,
        array_of_indices: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::testsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses)
    }
}

front! {
    MPI_Wait PMPI_Wait(request: *mut Request as address, status: *mut Status as address)
    on Raise::Default =>
    {
        bodies::wait(request, status)
    }
}

front! {
    MPI_Waitall PMPI_Waitall(
        count: c_int as int, array_of_requests: *mut Request as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::waitall(count, array_of_requests, array_of_statuses)
    }
}

front! {
    MPI_Waitany PMPI_Waitany(
        count: c_int as int, array_of_requests: *mut Request as address, index: *mut c_int as address,
        status: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::waitany(count, array_of_requests, index, status)
    }
}

front! {
    MPI_Waitsome PMPI_Waitsome(
        incount: c_int as int, array_of_requests: *mut Request as address, outcount: *mut c_int as address,
        array_of_indices: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        bodies::waitsome(incount, array_of_requests, outcount, array_of_indices, array_of_statuses)
    }
}
