// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: pt2pt.

use crate::prelude::*;

binding! {
    MPI_Bsend PMPI_Bsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::bsend(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm)
    }
}

binding! {
    MPI_Bsend_c PMPI_Bsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::bsend(UserBuffer::new(buf), count, datatype, dest, tag, comm)
    }
}

binding! {
    MPI_Cancel PMPI_Cancel(request: *mut Request as address)
    on Raise::Default =>
    {
        impls::cancel(InOut::new(request))
    }
}

binding! {
    MPI_Get_count PMPI_Get_count(
        status: *const Status as address, datatype: Datatype as datatype, count: *mut c_int as address,
    )
    on Raise::Default =>
    {
        impls::get_count(In::new(status), datatype, CountOut::Int(Out::new(count)))
    }
}

binding! {
    MPI_Get_count_c PMPI_Get_count_c(
        status: *const Status as address, datatype: Datatype as datatype, count: *mut i64 as address,
    )
    on Raise::Default =>
    {
        impls::get_count(In::new(status), datatype, CountOut::Long(Out::new(count)))
    }
}

binding! {
    MPI_Mprobe PMPI_Mprobe(
        source: c_int as rank, tag: c_int as tag, comm: Comm as comm, message: *mut Message as out_message,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::mprobe(source, tag, comm, Out::new(message), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_Mrecv PMPI_Mrecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        message: *mut Message as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::mrecv(
            UserBuffer::new(buf), i64::from(count), datatype, InOut::new(message), StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_Mrecv_c PMPI_Mrecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        message: *mut Message as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::mrecv(UserBuffer::new(buf), count, datatype, InOut::new(message), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_Probe PMPI_Probe(source: c_int as rank, tag: c_int as tag, comm: Comm as comm, status: *mut Status as address)
    on Raise::Comm(comm) =>
    {
        impls::probe(source, tag, comm, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_Recv PMPI_Recv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    first
    {
        impls::recv_first(
            UserBuffer::new(buf), i64::from(count), datatype, source, tag, comm, StatusOut::from(Out::new(status)),
        )
    }
    in_lane
    {
        impls::recv_in_lane(
            UserBuffer::new(buf), i64::from(count), datatype, source, tag, comm, StatusOut::from(Out::new(status)),
        )
    }
    rest
    {
        impls::recv_rest(
            UserBuffer::new(buf), i64::from(count), datatype, source, tag, comm, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_Recv_c PMPI_Recv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, source: c_int as rank,
        tag: c_int as tag, comm: Comm as comm, status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    first
    {
        impls::recv_first(UserBuffer::new(buf), count, datatype, source, tag, comm, StatusOut::from(Out::new(status)))
    }
    in_lane
    {
        impls::recv_in_lane(UserBuffer::new(buf), count, datatype, source, tag, comm, StatusOut::from(Out::new(status)))
    }
    rest
    {
        impls::recv_rest(UserBuffer::new(buf), count, datatype, source, tag, comm, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_Request_free PMPI_Request_free(request: *mut Request as address)
    on Raise::Default =>
    {
        impls::request_free(InOut::new(request))
    }
}

binding! {
    MPI_Request_get_status PMPI_Request_get_status(
        request: Request as request, flag: *mut c_int as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::request_get_status(request, Out::new(flag), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_Request_get_status_all PMPI_Request_get_status_all(
        count: c_int as int, array_of_requests: *const Request as address, flag: *mut c_int as address,
        array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::request_get_status_all(
            count, InSlice::new(array_of_requests, count as i64), Out::new(flag),
            StatusesOut::from(OutSlice::new(array_of_statuses, count as i64)),
        )
    }
}

binding! {
    MPI_Request_get_status_any PMPI_Request_get_status_any(
        count: c_int as int, array_of_requests: *const Request as address, index: *mut c_int as address,
        flag: *mut c_int as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::request_get_status_any(
            count, InSlice::new(array_of_requests, count as i64), Out::new(index), Out::new(flag),
            StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_Request_get_status_some PMPI_Request_get_status_some(
        incount: c_int as int, array_of_requests: *const Request as address, outcount: *mut c_int as address,
        array_of_indices: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::request_get_status_some(
            incount, InSlice::new(array_of_requests, incount as i64), Out::new(outcount),
            OutSlice::new(array_of_indices, incount as i64),
            StatusesOut::from(OutSlice::new(array_of_statuses, incount as i64)),
        )
    }
}

binding! {
    MPI_Rsend PMPI_Rsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::rsend(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm)
    }
}

binding! {
    MPI_Rsend_c PMPI_Rsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::rsend(UserBuffer::new(buf), count, datatype, dest, tag, comm)
    }
}

binding! {
    MPI_Send PMPI_Send(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    first
    {
        impls::send_first(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm)
    }
    in_lane
    {
        impls::send_in_lane(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm)
    }
    rest
    {
        impls::send_rest(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm)
    }
}

binding! {
    MPI_Send_c PMPI_Send_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    first
    {
        impls::send_first(UserBuffer::new(buf), count, datatype, dest, tag, comm)
    }
    in_lane
    {
        impls::send_in_lane(UserBuffer::new(buf), count, datatype, dest, tag, comm)
    }
    rest
    {
        impls::send_rest(UserBuffer::new(buf), count, datatype, dest, tag, comm)
    }
}

binding! {
    MPI_Sendrecv PMPI_Sendrecv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: Datatype as datatype,
        dest: c_int as rank, sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: Datatype as datatype, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::sendrecv(
            UserBuffer::new(sendbuf), i64::from(sendcount), sendtype, dest, sendtag, UserBuffer::new(recvbuf),
            i64::from(recvcount), recvtype, source, recvtag, comm, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_Sendrecv_c PMPI_Sendrecv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: Datatype as datatype,
        source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm, status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::sendrecv(
            UserBuffer::new(sendbuf), sendcount, sendtype, dest, sendtag, UserBuffer::new(recvbuf), recvcount,
            recvtype, source, recvtag, comm, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_Sendrecv_replace PMPI_Sendrecv_replace(
        buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::sendrecv_replace(
            UserBuffer::new(buf), i64::from(count), datatype, dest, sendtag, source, recvtag, comm,
            StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_Sendrecv_replace_c PMPI_Sendrecv_replace_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: Comm as comm,
        status: *mut Status as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::sendrecv_replace(
            UserBuffer::new(buf), count, datatype, dest, sendtag, source, recvtag, comm,
            StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_Ssend PMPI_Ssend(
        buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::ssend(UserBuffer::new(buf), i64::from(count), datatype, dest, tag, comm)
    }
}

binding! {
    MPI_Ssend_c PMPI_Ssend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: Comm as comm,
    )
    on Raise::Comm(comm) =>
    {
        impls::ssend(UserBuffer::new(buf), count, datatype, dest, tag, comm)
    }
}

binding! {
    MPI_Start PMPI_Start(request: *mut Request as address)
    on Raise::Default =>
    {
        impls::start(InOut::new(request))
    }
}

binding! {
    MPI_Startall PMPI_Startall(count: c_int as int, array_of_requests: *mut Request as address)
    on Raise::Default =>
    {
        impls::startall(count, InOutSlice::new(array_of_requests, count as i64))
    }
}

binding! {
    MPI_Status_get_error PMPI_Status_get_error(status: *const Status as address, err: *mut c_int as address)
    on Raise::Default =>
    {
        impls::status_get_error(In::new(status), Out::new(err))
    }
}

binding! {
    MPI_Status_get_source PMPI_Status_get_source(status: *const Status as address, source: *mut c_int as address)
    on Raise::Default =>
    {
        impls::status_get_source(In::new(status), Out::new(source))
    }
}

binding! {
    MPI_Status_get_tag PMPI_Status_get_tag(status: *const Status as address, tag: *mut c_int as address)
    on Raise::Default =>
    {
        impls::status_get_tag(In::new(status), Out::new(tag))
    }
}

binding! {
    MPI_Test PMPI_Test(request: *mut Request as address, flag: *mut c_int as address, status: *mut Status as address)
    on Raise::Default =>
    {
        impls::test(InOut::new(request), Out::new(flag), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_Test_cancelled PMPI_Test_cancelled(status: *const Status as address, flag: *mut c_int as address)
    on Raise::Default =>
    {
        impls::test_cancelled(In::new(status), Out::new(flag))
    }
}

binding! {
    MPI_Testall PMPI_Testall(
        count: c_int as int, array_of_requests: *mut Request as address, flag: *mut c_int as address,
        array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::testall(
            count, InOutSlice::new(array_of_requests, count as i64), Out::new(flag),
            StatusesOut::from(OutSlice::new(array_of_statuses, count as i64)),
        )
    }
}

binding! {
    MPI_Testany PMPI_Testany(
        count: c_int as int, array_of_requests: *mut Request as address, index: *mut c_int as address,
        flag: *mut c_int as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::testany(
            count, InOutSlice::new(array_of_requests, count as i64), Out::new(index), Out::new(flag),
            StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_Testsome PMPI_Testsome(
        incount: c_int as int, array_of_requests: *mut Request as address, outcount: *mut c_int as address,
        array_of_indices: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::testsome(
            incount, InOutSlice::new(array_of_requests, incount as i64), Out::new(outcount),
            OutSlice::new(array_of_indices, incount as i64),
            StatusesOut::from(OutSlice::new(array_of_statuses, incount as i64)),
        )
    }
}

binding! {
    MPI_Wait PMPI_Wait(request: *mut Request as address, status: *mut Status as address)
    on Raise::Default =>
    first
    {
        impls::wait_first(InOut::new(request), StatusOut::from(Out::new(status)))
    }
    in_lane
    {
        impls::wait_in_lane(InOut::new(request), StatusOut::from(Out::new(status)))
    }
    rest
    {
        impls::wait_rest(InOut::new(request), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_Waitall PMPI_Waitall(
        count: c_int as int, array_of_requests: *mut Request as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::waitall(
            count, InOutSlice::new(array_of_requests, count as i64),
            StatusesOut::from(OutSlice::new(array_of_statuses, count as i64)),
        )
    }
}

binding! {
    MPI_Waitany PMPI_Waitany(
        count: c_int as int, array_of_requests: *mut Request as address, index: *mut c_int as address,
        status: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::waitany(
            count, InOutSlice::new(array_of_requests, count as i64), Out::new(index),
            StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_Waitsome PMPI_Waitsome(
        incount: c_int as int, array_of_requests: *mut Request as address, outcount: *mut c_int as address,
        array_of_indices: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        impls::waitsome(
            incount, InOutSlice::new(array_of_requests, incount as i64), Out::new(outcount),
            OutSlice::new(array_of_indices, incount as i64),
            StatusesOut::from(OutSlice::new(array_of_statuses, incount as i64)),
        )
    }
}
