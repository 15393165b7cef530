// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: pt2pt_persistent.

use crate::prelude::*;

binding! {
    MPI_Bsend_init PMPI_Bsend_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::bsend_init(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Bsend_init_c PMPI_Bsend_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::bsend_init(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Recv_init PMPI_Recv_init(
        buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, source: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::recv_init(
            UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype), to::rank(source),
            to::tag(tag), to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Recv_init_c PMPI_Recv_init_c(
        buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, source: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::recv_init(
            UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype), to::rank(source), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Rsend_init PMPI_Rsend_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::rsend_init(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Rsend_init_c PMPI_Rsend_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::rsend_init(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Send_init PMPI_Send_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::send_init(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Send_init_c PMPI_Send_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::send_init(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ssend_init PMPI_Ssend_init(
        buf: *const c_void as buffer, count: c_int as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ssend_init(
            UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Ssend_init_c PMPI_Ssend_init_c(
        buf: *const c_void as buffer, count: i64 as int, datatype: RawHandle as datatype, dest: c_int as rank,
        tag: c_int as tag, comm: RawHandle as comm, request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::ssend_init(
            UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}
