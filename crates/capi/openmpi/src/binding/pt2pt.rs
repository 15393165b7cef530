// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: pt2pt.

use crate::prelude::*;

binding! {
    MPI_Bsend PMPI_Bsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::bsend(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Bsend_c PMPI_Bsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::bsend(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Cancel PMPI_Cancel(request: *mut RawHandle as address)
    on Raise::Default =>
    {
        let mut request = Place::read(InOut::new(request), Request::NULL, to::request);
        let outcome = impls::cancel(InOut::new(request.pass()));
        request.leave(from::request);
        outcome
    }
}

binding! {
    MPI_Get_count PMPI_Get_count(
        status: *const Status as address, datatype: RawHandle as datatype, count: *mut c_int as address,
    )
    on Raise::Default =>
    {
        let status = OneStatus::read(In::new(status));
        impls::get_count(In::new(status.pass()), to::datatype(datatype), CountOut::Int(Out::new(count)))
    }
}

binding! {
    MPI_Get_count_c PMPI_Get_count_c(
        status: *const Status as address, datatype: RawHandle as datatype, count: *mut i64 as address,
    )
    on Raise::Default =>
    {
        let status = OneStatus::read(In::new(status));
        impls::get_count(In::new(status.pass()), to::datatype(datatype), CountOut::Long(Out::new(count)))
    }
}

binding! {
    MPI_Mprobe PMPI_Mprobe(
        source: c_int as rank, tag: c_int as tag, comm: RawHandle as comm, message: *mut RawHandle as out_message,
        status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut message = Place::out(Out::new(message), Message::NULL);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::mprobe(
            to::rank(source), to::tag(tag), to::comm(comm), Out::new(message.pass()),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome?;
        message.leave(from::message);
        Ok(())
    }
}

binding! {
    MPI_Mrecv PMPI_Mrecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
        message: *mut RawHandle as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        let mut message = Place::read(InOut::new(message), Message::NULL, to::message);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::mrecv(
            UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            InOut::new(message.pass()), StatusOut::from(Out::new(status.pass_mut())),
        );
        message.leave(from::message);
        status.leave();
        outcome
    }
}

binding! {
    MPI_Mrecv_c PMPI_Mrecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
        message: *mut RawHandle as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        let mut message = Place::read(InOut::new(message), Message::NULL, to::message);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::mrecv(
            UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype), InOut::new(message.pass()),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        message.leave(from::message);
        status.leave();
        outcome
    }
}

binding! {
    MPI_Probe PMPI_Probe(
        source: c_int as rank, tag: c_int as tag, comm: RawHandle as comm, status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::probe(to::rank(source), to::tag(tag), to::comm(comm), StatusOut::from(Out::new(status.pass_mut())));
        status.leave();
        outcome
    }
}

binding! {
    MPI_Recv PMPI_Recv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, source: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    first
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = if same::buffer(buf) && same::rank(source) && same::tag(tag) {
            impls::recv_first(
                UserBuffer::new(buf), i64::from(count), to::datatype(datatype), source, tag, to::comm(comm),
                StatusOut::from(Out::new(status.pass_mut())),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            status.leave();
        }
        outcome
    }
    in_lane
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = if same::buffer(buf) && same::rank(source) && same::tag(tag) {
            impls::recv_in_lane(
                UserBuffer::new(buf), i64::from(count), to::datatype(datatype), source, tag, to::comm(comm),
                StatusOut::from(Out::new(status.pass_mut())),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            status.leave();
        }
        outcome
    }
    rest
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::recv_rest(
            UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype), to::rank(source),
            to::tag(tag), to::comm(comm), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_Recv_c PMPI_Recv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, source: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    first
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = if same::buffer(buf) && same::rank(source) && same::tag(tag) {
            impls::recv_first(
                UserBuffer::new(buf), count, to::datatype(datatype), source, tag, to::comm(comm),
                StatusOut::from(Out::new(status.pass_mut())),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            status.leave();
        }
        outcome
    }
    in_lane
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = if same::buffer(buf) && same::rank(source) && same::tag(tag) {
            impls::recv_in_lane(
                UserBuffer::new(buf), count, to::datatype(datatype), source, tag, to::comm(comm),
                StatusOut::from(Out::new(status.pass_mut())),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            status.leave();
        }
        outcome
    }
    rest
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::recv_rest(
            UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype), to::rank(source), to::tag(tag),
            to::comm(comm), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_Request_free PMPI_Request_free(request: *mut RawHandle as address)
    on Raise::Default =>
    {
        let mut request = Place::read(InOut::new(request), Request::NULL, to::request);
        let outcome = impls::request_free(InOut::new(request.pass()));
        request.leave(from::request);
        outcome
    }
}

binding! {
    MPI_Request_get_status PMPI_Request_get_status(
        request: RawHandle as request, flag: *mut c_int as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::request_get_status(to::request(request), Out::new(flag), StatusOut::from(Out::new(status.pass_mut())));
        status.leave();
        outcome
    }
}

binding! {
    MPI_Request_get_status_all PMPI_Request_get_status_all(
        count: c_int as int, array_of_requests: *const RawHandle as address, flag: *mut c_int as address,
        array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        let array_of_requests = Array::<_, _>::read(InSlice::new(array_of_requests, count as i64), to::request);
        let mut array_of_statuses = Statuses::out(OutSlice::new(array_of_statuses, count as i64));
        let outcome = impls::request_get_status_all(
            count, InSlice::new(array_of_requests.pass(), count as i64), Out::new(flag),
            StatusesOut::from(OutSlice::new(array_of_statuses.pass_mut(), count as i64)),
        );
        array_of_statuses.leave();
        outcome
    }
}

binding! {
    MPI_Request_get_status_any PMPI_Request_get_status_any(
        count: c_int as int, array_of_requests: *const RawHandle as address, index: *mut c_int as address,
        flag: *mut c_int as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        let array_of_requests = Array::<_, _>::read(InSlice::new(array_of_requests, count as i64), to::request);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::request_get_status_any(
            count, InSlice::new(array_of_requests.pass(), count as i64), Out::new(index), Out::new(flag),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_Request_get_status_some PMPI_Request_get_status_some(
        incount: c_int as int, array_of_requests: *const RawHandle as address, outcount: *mut c_int as address,
        array_of_indices: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        let array_of_requests = Array::<_, _>::read(InSlice::new(array_of_requests, incount as i64), to::request);
        let mut array_of_statuses = Statuses::out(OutSlice::new(array_of_statuses, incount as i64));
        let outcome = impls::request_get_status_some(
            incount, InSlice::new(array_of_requests.pass(), incount as i64), Out::new(outcount),
            OutSlice::new(array_of_indices, incount as i64),
            StatusesOut::from(OutSlice::new(array_of_statuses.pass_mut(), incount as i64)),
        );
        array_of_statuses.leave();
        outcome
    }
}

binding! {
    MPI_Rsend PMPI_Rsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::rsend(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Rsend_c PMPI_Rsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::rsend(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Send PMPI_Send(
        buf: *const c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    first
    {
        if same::buffer(buf) && same::rank(dest) && same::tag(tag) {
            impls::send_first(UserBuffer::new(buf), i64::from(count), to::datatype(datatype), dest, tag, to::comm(comm))
        } else {
            Fast::Declined
        }
    }
    in_lane
    {
        if same::buffer(buf) && same::rank(dest) && same::tag(tag) {
            impls::send_in_lane(
                UserBuffer::new(buf), i64::from(count), to::datatype(datatype), dest, tag, to::comm(comm),
            )
        } else {
            Fast::Declined
        }
    }
    rest
    {
        impls::send_rest(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Send_c PMPI_Send_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    first
    {
        if same::buffer(buf) && same::rank(dest) && same::tag(tag) {
            impls::send_first(UserBuffer::new(buf), count, to::datatype(datatype), dest, tag, to::comm(comm))
        } else {
            Fast::Declined
        }
    }
    in_lane
    {
        if same::buffer(buf) && same::rank(dest) && same::tag(tag) {
            impls::send_in_lane(UserBuffer::new(buf), count, to::datatype(datatype), dest, tag, to::comm(comm))
        } else {
            Fast::Declined
        }
    }
    rest
    {
        impls::send_rest(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Sendrecv PMPI_Sendrecv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: RawHandle as datatype,
        dest: c_int as rank, sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: c_int as int,
        recvtype: RawHandle as datatype, source: c_int as rank, recvtag: c_int as tag, comm: RawHandle as comm,
        status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::sendrecv(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype), to::rank(dest),
            to::tag(sendtag), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype),
            to::rank(source), to::tag(recvtag), to::comm(comm), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_Sendrecv_c PMPI_Sendrecv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: RawHandle as datatype, dest: c_int as rank,
        sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: RawHandle as datatype,
        source: c_int as rank, recvtag: c_int as tag, comm: RawHandle as comm, status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::sendrecv(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype), to::rank(dest), to::tag(sendtag),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(source),
            to::tag(recvtag), to::comm(comm), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_Sendrecv_replace PMPI_Sendrecv_replace(
        buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: RawHandle as comm,
        status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::sendrecv_replace(
            UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype), to::rank(dest),
            to::tag(sendtag), to::rank(source), to::tag(recvtag), to::comm(comm),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_Sendrecv_replace_c PMPI_Sendrecv_replace_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: RawHandle as comm,
        status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::sendrecv_replace(
            UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(sendtag),
            to::rank(source), to::tag(recvtag), to::comm(comm), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_Ssend PMPI_Ssend(
        buf: *const c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::ssend(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Ssend_c PMPI_Ssend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::ssend(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Start PMPI_Start(request: *mut RawHandle as address)
    on Raise::Default =>
    {
        let mut request = Place::read(InOut::new(request), Request::NULL, to::request);
        let outcome = impls::start(InOut::new(request.pass()));
        request.leave(from::request);
        outcome
    }
}

binding! {
    MPI_Startall PMPI_Startall(count: c_int as int, array_of_requests: *mut RawHandle as address)
    on Raise::Default =>
    {
        let mut array_of_requests = Array::<_, _>::changed(InOutSlice::new(array_of_requests, count as i64), to::request);
        let outcome = impls::startall(count, InOutSlice::new(array_of_requests.pass_mut(), count as i64));
        array_of_requests.leave(from::request);
        outcome
    }
}

binding! {
    MPI_Status_get_error PMPI_Status_get_error(status: *const Status as address, err: *mut c_int as address)
    on Raise::Default =>
    {
        let status = OneStatus::read(In::new(status));
        let mut err = Place::out(Out::new(err), 0);
        impls::status_get_error(In::new(status.pass()), Out::new(err.pass()))?;
        err.leave(from::code);
        Ok(())
    }
}

binding! {
    MPI_Status_get_source PMPI_Status_get_source(status: *const Status as address, source: *mut c_int as address)
    on Raise::Default =>
    {
        let status = OneStatus::read(In::new(status));
        let mut source = Place::out(Out::new(source), 0);
        impls::status_get_source(In::new(status.pass()), Out::new(source.pass()))?;
        source.leave(from::rank);
        Ok(())
    }
}

binding! {
    MPI_Status_get_tag PMPI_Status_get_tag(status: *const Status as address, tag: *mut c_int as address)
    on Raise::Default =>
    {
        let status = OneStatus::read(In::new(status));
        let mut tag = Place::out(Out::new(tag), 0);
        impls::status_get_tag(In::new(status.pass()), Out::new(tag.pass()))?;
        tag.leave(from::tag);
        Ok(())
    }
}

binding! {
    MPI_Test PMPI_Test(request: *mut RawHandle as address, flag: *mut c_int as address, status: *mut Status as address)
    on Raise::Default =>
    {
        let mut request = Place::read(InOut::new(request), Request::NULL, to::request);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::test(InOut::new(request.pass()), Out::new(flag), StatusOut::from(Out::new(status.pass_mut())));
        request.leave(from::request);
        status.leave();
        outcome
    }
}

binding! {
    MPI_Test_cancelled PMPI_Test_cancelled(status: *const Status as address, flag: *mut c_int as address)
    on Raise::Default =>
    {
        let status = OneStatus::read(In::new(status));
        impls::test_cancelled(In::new(status.pass()), Out::new(flag))
    }
}

binding! {
    MPI_Testall PMPI_Testall(
        count: c_int as int, array_of_requests: *mut RawHandle as address, flag: *mut c_int as address,
        array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        let mut array_of_requests = Array::<_, _>::changed(InOutSlice::new(array_of_requests, count as i64), to::request);
        let mut array_of_statuses = Statuses::out(OutSlice::new(array_of_statuses, count as i64));
        let outcome = impls::testall(
            count, InOutSlice::new(array_of_requests.pass_mut(), count as i64), Out::new(flag),
            StatusesOut::from(OutSlice::new(array_of_statuses.pass_mut(), count as i64)),
        );
        array_of_requests.leave(from::request);
        array_of_statuses.leave();
        outcome
    }
}

binding! {
    MPI_Testany PMPI_Testany(
        count: c_int as int, array_of_requests: *mut RawHandle as address, index: *mut c_int as address,
        flag: *mut c_int as address, status: *mut Status as address,
    )
    on Raise::Default =>
    {
        let mut array_of_requests = Array::<_, _>::changed(InOutSlice::new(array_of_requests, count as i64), to::request);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::testany(
            count, InOutSlice::new(array_of_requests.pass_mut(), count as i64), Out::new(index), Out::new(flag),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        array_of_requests.leave(from::request);
        status.leave();
        outcome
    }
}

binding! {
    MPI_Testsome PMPI_Testsome(
        incount: c_int as int, array_of_requests: *mut RawHandle as address, outcount: *mut c_int as address,
        array_of_indices: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        let mut array_of_requests = Array::<_, _>::changed(InOutSlice::new(array_of_requests, incount as i64), to::request);
        let mut array_of_statuses = Statuses::out(OutSlice::new(array_of_statuses, incount as i64));
        let outcome = impls::testsome(
            incount, InOutSlice::new(array_of_requests.pass_mut(), incount as i64), Out::new(outcount),
            OutSlice::new(array_of_indices, incount as i64),
            StatusesOut::from(OutSlice::new(array_of_statuses.pass_mut(), incount as i64)),
        );
        array_of_requests.leave(from::request);
        array_of_statuses.leave();
        outcome
    }
}

binding! {
    MPI_Wait PMPI_Wait(request: *mut RawHandle as address, status: *mut Status as address)
    on Raise::Default =>
    first
    {
        let mut request = Place::read(InOut::new(request), Request::NULL, to::request);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::wait_first(InOut::new(request.pass()), StatusOut::from(Out::new(status.pass_mut())));
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
            status.leave();
        }
        outcome
    }
    in_lane
    {
        let mut request = Place::read(InOut::new(request), Request::NULL, to::request);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::wait_in_lane(InOut::new(request.pass()), StatusOut::from(Out::new(status.pass_mut())));
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
            status.leave();
        }
        outcome
    }
    rest
    {
        let mut request = Place::read(InOut::new(request), Request::NULL, to::request);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::wait_rest(InOut::new(request.pass()), StatusOut::from(Out::new(status.pass_mut())));
        request.leave(from::request);
        status.leave();
        outcome
    }
}

binding! {
    MPI_Waitall PMPI_Waitall(
        count: c_int as int, array_of_requests: *mut RawHandle as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        let mut array_of_requests = Array::<_, _>::changed(InOutSlice::new(array_of_requests, count as i64), to::request);
        let mut array_of_statuses = Statuses::out(OutSlice::new(array_of_statuses, count as i64));
        let outcome = impls::waitall(
            count, InOutSlice::new(array_of_requests.pass_mut(), count as i64),
            StatusesOut::from(OutSlice::new(array_of_statuses.pass_mut(), count as i64)),
        );
        array_of_requests.leave(from::request);
        array_of_statuses.leave();
        outcome
    }
}

binding! {
    MPI_Waitany PMPI_Waitany(
        count: c_int as int, array_of_requests: *mut RawHandle as address, index: *mut c_int as address,
        status: *mut Status as address,
    )
    on Raise::Default =>
    {
        let mut array_of_requests = Array::<_, _>::changed(InOutSlice::new(array_of_requests, count as i64), to::request);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::waitany(
            count, InOutSlice::new(array_of_requests.pass_mut(), count as i64), Out::new(index),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        array_of_requests.leave(from::request);
        status.leave();
        outcome
    }
}

binding! {
    MPI_Waitsome PMPI_Waitsome(
        incount: c_int as int, array_of_requests: *mut RawHandle as address, outcount: *mut c_int as address,
        array_of_indices: *mut c_int as address, array_of_statuses: *mut Status as address,
    )
    on Raise::Default =>
    {
        let mut array_of_requests = Array::<_, _>::changed(InOutSlice::new(array_of_requests, incount as i64), to::request);
        let mut array_of_statuses = Statuses::out(OutSlice::new(array_of_statuses, incount as i64));
        let outcome = impls::waitsome(
            incount, InOutSlice::new(array_of_requests.pass_mut(), incount as i64), Out::new(outcount),
            OutSlice::new(array_of_indices, incount as i64),
            StatusesOut::from(OutSlice::new(array_of_statuses.pass_mut(), incount as i64)),
        );
        array_of_requests.leave(from::request);
        array_of_statuses.leave();
        outcome
    }
}
