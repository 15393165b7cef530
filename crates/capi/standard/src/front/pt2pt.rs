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
    MPI_Cancel PMPI_Cancel(request: *mut Request as address)
    on Raise::Default =>
    {
        bodies::cancel(request)
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
    first
    {
        bodies::recv_first(buf, i64::from(count), datatype, source, tag, comm, status)
    }
    rest
    {
        bodies::recv_rest(buf, i64::from(count), datatype, source, tag, comm, status)
    }
}

front! {
    MPI_Recv_c PMPI_Recv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    first
    {
        bodies::recv_first(buf, count, datatype, source, tag, comm, status)
    }
    rest
    {
        bodies::recv_rest(buf, count, datatype, source, tag, comm, status)
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
    MPI_Send PMPI_Send(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    first
    {
        bodies::send_first(buf, i64::from(count), datatype, dest, tag, comm)
    }
    rest
    {
        bodies::send_rest(buf, i64::from(count), datatype, dest, tag, comm)
    }
}

front! {
    MPI_Send_c PMPI_Send_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    first
    {
        bodies::send_first(buf, count, datatype, dest, tag, comm)
    }
    rest
    {
        bodies::send_rest(buf, count, datatype, dest, tag, comm)
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
    first
    {
        bodies::wait_first(request, status)
    }
    rest
    {
        bodies::wait_rest(request, status)
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
