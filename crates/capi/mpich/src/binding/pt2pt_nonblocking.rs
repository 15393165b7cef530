// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: pt2pt_nonblocking.

use crate::prelude::*;

binding! {
    MPI_Ibsend PMPI_Ibsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ibsend(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ibsend_c PMPI_Ibsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ibsend(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Improbe PMPI_Improbe(
        source: c_int as rank, tag: c_int as tag, comm: c_int as comm, flag: *mut c_int as address,
        message: *mut c_int as out_message, status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut message = Place::out(Out::new(message), Message::NULL);
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::improbe(
            to::rank(source), to::tag(tag), to::comm(comm), Out::new(flag), Out::new(message.pass()),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome?;
        message.leave(from::message);
        Ok(())
    }
}

binding! {
    MPI_Imrecv PMPI_Imrecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, message: *mut c_int as address,
        request: *mut c_int as out_request,
    )
    on Raise::Default =>
    {
        let mut message = Place::read(InOut::new(message), Message::NULL, to::message);
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = impls::imrecv(
            UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            InOut::new(message.pass()), Out::new(request.pass()),
        );
        message.leave(from::message);
        outcome?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Imrecv_c PMPI_Imrecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, message: *mut c_int as address,
        request: *mut c_int as out_request,
    )
    on Raise::Default =>
    {
        let mut message = Place::read(InOut::new(message), Message::NULL, to::message);
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = impls::imrecv(
            UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype), InOut::new(message.pass()),
            Out::new(request.pass()),
        );
        message.leave(from::message);
        outcome?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Iprobe PMPI_Iprobe(
        source: c_int as rank, tag: c_int as tag, comm: c_int as comm, flag: *mut c_int as address,
        status: *mut Status as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::iprobe(
            to::rank(source), to::tag(tag), to::comm(comm), Out::new(flag),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_Irecv PMPI_Irecv(
        buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    first
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = if same::buffer(buf) && same::rank(source) && same::tag(tag) {
            impls::irecv_first(
                UserBuffer::new(buf), i64::from(count), to::datatype(datatype), source, tag, to::comm(comm),
                Out::new(request.pass()),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
        }
        outcome
    }
    in_lane
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = if same::buffer(buf) && same::rank(source) && same::tag(tag) {
            impls::irecv_in_lane(
                UserBuffer::new(buf), i64::from(count), to::datatype(datatype), source, tag, to::comm(comm),
                Out::new(request.pass()),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
        }
        outcome
    }
    rest
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::irecv_rest(
            UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype), to::rank(source),
            to::tag(tag), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Irecv_c PMPI_Irecv_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, source: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    first
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = if same::buffer(buf) && same::rank(source) && same::tag(tag) {
            impls::irecv_first(
                UserBuffer::new(buf), count, to::datatype(datatype), source, tag, to::comm(comm),
                Out::new(request.pass()),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
        }
        outcome
    }
    in_lane
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = if same::buffer(buf) && same::rank(source) && same::tag(tag) {
            impls::irecv_in_lane(
                UserBuffer::new(buf), count, to::datatype(datatype), source, tag, to::comm(comm),
                Out::new(request.pass()),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
        }
        outcome
    }
    rest
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::irecv_rest(
            UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype), to::rank(source), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Irsend PMPI_Irsend(
        buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::irsend(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Irsend_c PMPI_Irsend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::irsend(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Isend PMPI_Isend(
        buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    first
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = if same::buffer(buf) && same::rank(dest) && same::tag(tag) {
            impls::isend_first(
                UserBuffer::new(buf), i64::from(count), to::datatype(datatype), dest, tag, to::comm(comm),
                Out::new(request.pass()),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
        }
        outcome
    }
    in_lane
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = if same::buffer(buf) && same::rank(dest) && same::tag(tag) {
            impls::isend_in_lane(
                UserBuffer::new(buf), i64::from(count), to::datatype(datatype), dest, tag, to::comm(comm),
                Out::new(request.pass()),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
        }
        outcome
    }
    rest
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::isend_rest(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Isend_c PMPI_Isend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    first
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = if same::buffer(buf) && same::rank(dest) && same::tag(tag) {
            impls::isend_first(
                UserBuffer::new(buf), count, to::datatype(datatype), dest, tag, to::comm(comm),
                Out::new(request.pass()),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
        }
        outcome
    }
    in_lane
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        let outcome = if same::buffer(buf) && same::rank(dest) && same::tag(tag) {
            impls::isend_in_lane(
                UserBuffer::new(buf), count, to::datatype(datatype), dest, tag, to::comm(comm),
                Out::new(request.pass()),
            )
        } else {
            Fast::Declined
        };
        if let Fast::Done(()) = outcome {
            request.leave_fast(from::request);
        }
        outcome
    }
    rest
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::isend_rest(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Isendrecv PMPI_Isendrecv(
        sendbuf: *const c_void as buffer, sendcount: c_int as int, sendtype: c_int as datatype, dest: c_int as rank,
        sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: c_int as int, recvtype: c_int as datatype,
        source: c_int as rank, recvtag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::isendrecv(
            UserBuffer::new(to::buffer(sendbuf)), i64::from(sendcount), to::datatype(sendtype), to::rank(dest),
            to::tag(sendtag), UserBuffer::new(to::buffer_mut(recvbuf)), i64::from(recvcount), to::datatype(recvtype),
            to::rank(source), to::tag(recvtag), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Isendrecv_c PMPI_Isendrecv_c(
        sendbuf: *const c_void as buffer, sendcount: i64 as int, sendtype: c_int as datatype, dest: c_int as rank,
        sendtag: c_int as tag, recvbuf: *mut c_void as buffer, recvcount: i64 as int, recvtype: c_int as datatype,
        source: c_int as rank, recvtag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::isendrecv(
            UserBuffer::new(to::buffer(sendbuf)), sendcount, to::datatype(sendtype), to::rank(dest), to::tag(sendtag),
            UserBuffer::new(to::buffer_mut(recvbuf)), recvcount, to::datatype(recvtype), to::rank(source),
            to::tag(recvtag), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Isendrecv_replace PMPI_Isendrecv_replace(
        buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: c_int as comm,
        request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::isendrecv_replace(
            UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype), to::rank(dest),
            to::tag(sendtag), to::rank(source), to::tag(recvtag), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Isendrecv_replace_c PMPI_Isendrecv_replace_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype, dest: c_int as rank,
        sendtag: c_int as tag, source: c_int as rank, recvtag: c_int as tag, comm: c_int as comm,
        request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::isendrecv_replace(
            UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(sendtag),
            to::rank(source), to::tag(recvtag), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Issend PMPI_Issend(
        buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::issend(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Issend_c PMPI_Issend_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: c_int as comm, request: *mut c_int as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::issend(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}
