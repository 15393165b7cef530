// generated from api/ by cargo xtask generate; do not edit
//! The fronts of MPICH's ABI: pt2pt_buffer.

use crate::prelude::*;

front! {
    MPI_Buffer_attach PMPI_Buffer_attach(buffer: *mut c_void as buffer, size: c_int as int)
    on Raise::Default =>
    {
        bodies::buffer_attach(UserBuffer::new(to::buffer_mut(buffer)), i64::from(size))
    }
}

front! {
    MPI_Buffer_attach_c PMPI_Buffer_attach_c(buffer: *mut c_void as buffer, size: i64 as int)
    on Raise::Default =>
    {
        bodies::buffer_attach(UserBuffer::new(to::buffer_mut(buffer)), size)
    }
}

front! {
    MPI_Buffer_detach PMPI_Buffer_detach(buffer_addr: *mut c_void as address, size: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::buffer_detach(Out::of_pointer(buffer_addr), CountOut::int(size))?;
        from::buffer_at(buffer_addr);
        Ok(())
    }
}

front! {
    MPI_Buffer_detach_c PMPI_Buffer_detach_c(buffer_addr: *mut c_void as address, size: *mut i64 as address)
    on Raise::Default =>
    {
        bodies::buffer_detach(Out::of_pointer(buffer_addr), CountOut::long(size))?;
        from::buffer_at(buffer_addr);
        Ok(())
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
    MPI_Buffer_iflush PMPI_Buffer_iflush(request: *mut c_int as address)
    on Raise::Default =>
    {
        let mut request = Place::out(request, Request::NULL);
        bodies::buffer_iflush(Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Comm_attach_buffer PMPI_Comm_attach_buffer(
        comm: c_int as comm, buffer: *mut c_void as buffer, size: c_int as int,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::comm_attach_buffer(to::comm(comm), UserBuffer::new(to::buffer_mut(buffer)), i64::from(size))
    }
}

front! {
    MPI_Comm_attach_buffer_c PMPI_Comm_attach_buffer_c(
        comm: c_int as comm, buffer: *mut c_void as buffer, size: i64 as int,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::comm_attach_buffer(to::comm(comm), UserBuffer::new(to::buffer_mut(buffer)), size)
    }
}

front! {
    MPI_Comm_detach_buffer PMPI_Comm_detach_buffer(
        comm: c_int as comm, buffer_addr: *mut c_void as address, size: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::comm_detach_buffer(to::comm(comm), Out::of_pointer(buffer_addr), CountOut::int(size))?;
        from::buffer_at(buffer_addr);
        Ok(())
    }
}

front! {
    MPI_Comm_detach_buffer_c PMPI_Comm_detach_buffer_c(
        comm: c_int as comm, buffer_addr: *mut c_void as address, size: *mut i64 as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::comm_detach_buffer(to::comm(comm), Out::of_pointer(buffer_addr), CountOut::long(size))?;
        from::buffer_at(buffer_addr);
        Ok(())
    }
}

front! {
    MPI_Comm_flush_buffer PMPI_Comm_flush_buffer(comm: c_int as comm)
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::comm_flush_buffer(to::comm(comm))
    }
}

front! {
    MPI_Comm_iflush_buffer PMPI_Comm_iflush_buffer(comm: c_int as comm, request: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(request, Request::NULL);
        bodies::comm_iflush_buffer(to::comm(comm), Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}

front! {
    MPI_Session_attach_buffer PMPI_Session_attach_buffer(
        session: c_int as session, buffer: *mut c_void as buffer, size: c_int as int,
    )
    on Raise::Session(to::session(session)) =>
    {
        bodies::session_attach_buffer(to::session(session), UserBuffer::new(to::buffer_mut(buffer)), i64::from(size))
    }
}

front! {
    MPI_Session_attach_buffer_c PMPI_Session_attach_buffer_c(
        session: c_int as session, buffer: *mut c_void as buffer, size: i64 as int,
    )
    on Raise::Session(to::session(session)) =>
    {
        bodies::session_attach_buffer(to::session(session), UserBuffer::new(to::buffer_mut(buffer)), size)
    }
}

front! {
    MPI_Session_detach_buffer PMPI_Session_detach_buffer(
        session: c_int as session, buffer_addr: *mut c_void as address, size: *mut c_int as address,
    )
    on Raise::Session(to::session(session)) =>
    {
        bodies::session_detach_buffer(to::session(session), Out::of_pointer(buffer_addr), CountOut::int(size))?;
        from::buffer_at(buffer_addr);
        Ok(())
    }
}

front! {
    MPI_Session_detach_buffer_c PMPI_Session_detach_buffer_c(
        session: c_int as session, buffer_addr: *mut c_void as address, size: *mut i64 as address,
    )
    on Raise::Session(to::session(session)) =>
    {
        bodies::session_detach_buffer(to::session(session), Out::of_pointer(buffer_addr), CountOut::long(size))?;
        from::buffer_at(buffer_addr);
        Ok(())
    }
}

front! {
    MPI_Session_flush_buffer PMPI_Session_flush_buffer(session: c_int as session)
    on Raise::Session(to::session(session)) =>
    {
        bodies::session_flush_buffer(to::session(session))
    }
}

front! {
    MPI_Session_iflush_buffer PMPI_Session_iflush_buffer(session: c_int as session, request: *mut c_int as address)
    on Raise::Session(to::session(session)) =>
    {
        let mut request = Place::out(request, Request::NULL);
        bodies::session_iflush_buffer(to::session(session), Out::new(request.pass()))?;
        request.leave(from::request);
        Ok(())
    }
}
