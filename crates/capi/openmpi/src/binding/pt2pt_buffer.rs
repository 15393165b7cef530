// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: pt2pt_buffer.

use crate::prelude::*;

binding! {
    MPI_Buffer_attach PMPI_Buffer_attach(buffer: *mut c_void as buffer, size: c_int as int)
    on Raise::Default =>
    {
        impls::buffer_attach(UserBuffer::new(to::attached(buffer)), i64::from(size))
    }
}

binding! {
    MPI_Buffer_attach_c PMPI_Buffer_attach_c(buffer: *mut c_void as buffer, size: i64 as int)
    on Raise::Default =>
    {
        impls::buffer_attach(UserBuffer::new(to::attached(buffer)), size)
    }
}

binding! {
    MPI_Buffer_detach PMPI_Buffer_detach(buffer_addr: *mut c_void as address, size: *mut c_int as address)
    on Raise::Default =>
    {
        impls::buffer_detach(Out::new(buffer_addr.cast()), CountOut::Int(Out::new(size)))?;
        from::buffer_at(InOut::new(buffer_addr.cast()));
        Ok(())
    }
}

binding! {
    MPI_Buffer_detach_c PMPI_Buffer_detach_c(buffer_addr: *mut c_void as address, size: *mut i64 as address)
    on Raise::Default =>
    {
        impls::buffer_detach(Out::new(buffer_addr.cast()), CountOut::Long(Out::new(size)))?;
        from::buffer_at(InOut::new(buffer_addr.cast()));
        Ok(())
    }
}

binding! {
    MPI_Buffer_flush PMPI_Buffer_flush()
    on Raise::Default =>
    {
        impls::buffer_flush()
    }
}

binding! {
    MPI_Buffer_iflush PMPI_Buffer_iflush(request: *mut RawHandle as out_request)
    on Raise::Default =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::buffer_iflush(Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Comm_attach_buffer PMPI_Comm_attach_buffer(
        comm: RawHandle as comm, buffer: *mut c_void as buffer, size: c_int as int,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_attach_buffer(to::comm(comm), UserBuffer::new(to::attached(buffer)), i64::from(size))
    }
}

binding! {
    MPI_Comm_attach_buffer_c PMPI_Comm_attach_buffer_c(
        comm: RawHandle as comm, buffer: *mut c_void as buffer, size: i64 as int,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_attach_buffer(to::comm(comm), UserBuffer::new(to::attached(buffer)), size)
    }
}

binding! {
    MPI_Comm_detach_buffer PMPI_Comm_detach_buffer(
        comm: RawHandle as comm, buffer_addr: *mut c_void as address, size: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_detach_buffer(to::comm(comm), Out::new(buffer_addr.cast()), CountOut::Int(Out::new(size)))?;
        from::buffer_at(InOut::new(buffer_addr.cast()));
        Ok(())
    }
}

binding! {
    MPI_Comm_detach_buffer_c PMPI_Comm_detach_buffer_c(
        comm: RawHandle as comm, buffer_addr: *mut c_void as address, size: *mut i64 as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_detach_buffer(to::comm(comm), Out::new(buffer_addr.cast()), CountOut::Long(Out::new(size)))?;
        from::buffer_at(InOut::new(buffer_addr.cast()));
        Ok(())
    }
}

binding! {
    MPI_Comm_flush_buffer PMPI_Comm_flush_buffer(comm: RawHandle as comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_flush_buffer(to::comm(comm))
    }
}

binding! {
    MPI_Comm_iflush_buffer PMPI_Comm_iflush_buffer(comm: RawHandle as comm, request: *mut RawHandle as out_request)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::comm_iflush_buffer(to::comm(comm), Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Session_attach_buffer PMPI_Session_attach_buffer(
        session: RawHandle as session, buffer: *mut c_void as buffer, size: c_int as int,
    )
    on Raise::Session(to::session(session)) =>
    {
        impls::session_attach_buffer(to::session(session), UserBuffer::new(to::attached(buffer)), i64::from(size))
    }
}

binding! {
    MPI_Session_attach_buffer_c PMPI_Session_attach_buffer_c(
        session: RawHandle as session, buffer: *mut c_void as buffer, size: i64 as int,
    )
    on Raise::Session(to::session(session)) =>
    {
        impls::session_attach_buffer(to::session(session), UserBuffer::new(to::attached(buffer)), size)
    }
}

binding! {
    MPI_Session_detach_buffer PMPI_Session_detach_buffer(
        session: RawHandle as session, buffer_addr: *mut c_void as address, size: *mut c_int as address,
    )
    on Raise::Session(to::session(session)) =>
    {
        impls::session_detach_buffer(to::session(session), Out::new(buffer_addr.cast()), CountOut::Int(Out::new(size)))?;
        from::buffer_at(InOut::new(buffer_addr.cast()));
        Ok(())
    }
}

binding! {
    MPI_Session_detach_buffer_c PMPI_Session_detach_buffer_c(
        session: RawHandle as session, buffer_addr: *mut c_void as address, size: *mut i64 as address,
    )
    on Raise::Session(to::session(session)) =>
    {
        impls::session_detach_buffer(to::session(session), Out::new(buffer_addr.cast()), CountOut::Long(Out::new(size)))?;
        from::buffer_at(InOut::new(buffer_addr.cast()));
        Ok(())
    }
}

binding! {
    MPI_Session_flush_buffer PMPI_Session_flush_buffer(session: RawHandle as session)
    on Raise::Session(to::session(session)) =>
    {
        impls::session_flush_buffer(to::session(session))
    }
}

binding! {
    MPI_Session_iflush_buffer PMPI_Session_iflush_buffer(
        session: RawHandle as session, request: *mut RawHandle as out_request,
    )
    on Raise::Session(to::session(session)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::session_iflush_buffer(to::session(session), Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}
