// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: pt2pt_buffer.

use crate::prelude::*;

binding! {
    MPI_Buffer_attach PMPI_Buffer_attach(buffer: *mut c_void as buffer, size: c_int as int)
    on Raise::Default =>
    {
        impls::buffer_attach(UserBuffer::new(buffer), i64::from(size))
    }
}

binding! {
    MPI_Buffer_attach_c PMPI_Buffer_attach_c(buffer: *mut c_void as buffer, size: i64 as int)
    on Raise::Default =>
    {
        impls::buffer_attach(UserBuffer::new(buffer), size)
    }
}

binding! {
    MPI_Buffer_detach PMPI_Buffer_detach(buffer_addr: *mut c_void as address, size: *mut c_int as address)
    on Raise::Default =>
    {
        impls::buffer_detach(Out::new(buffer_addr.cast()), CountOut::Int(Out::new(size)))
    }
}

binding! {
    MPI_Buffer_detach_c PMPI_Buffer_detach_c(buffer_addr: *mut c_void as address, size: *mut i64 as address)
    on Raise::Default =>
    {
        impls::buffer_detach(Out::new(buffer_addr.cast()), CountOut::Long(Out::new(size)))
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
    MPI_Buffer_iflush PMPI_Buffer_iflush(request: *mut Request as out_request)
    on Raise::Default =>
    {
        impls::buffer_iflush(Out::new(request))
    }
}

binding! {
    MPI_Comm_attach_buffer PMPI_Comm_attach_buffer(
        comm: Comm as comm, buffer: *mut c_void as buffer, size: c_int as int,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_attach_buffer(comm, UserBuffer::new(buffer), i64::from(size))
    }
}

binding! {
    MPI_Comm_attach_buffer_c PMPI_Comm_attach_buffer_c(
        comm: Comm as comm, buffer: *mut c_void as buffer, size: i64 as int,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_attach_buffer(comm, UserBuffer::new(buffer), size)
    }
}

binding! {
    MPI_Comm_detach_buffer PMPI_Comm_detach_buffer(
        comm: Comm as comm, buffer_addr: *mut c_void as address, size: *mut c_int as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_detach_buffer(comm, Out::new(buffer_addr.cast()), CountOut::Int(Out::new(size)))
    }
}

binding! {
    MPI_Comm_detach_buffer_c PMPI_Comm_detach_buffer_c(
        comm: Comm as comm, buffer_addr: *mut c_void as address, size: *mut i64 as address,
    )
    on Raise::Comm(comm) =>
    {
        impls::comm_detach_buffer(comm, Out::new(buffer_addr.cast()), CountOut::Long(Out::new(size)))
    }
}

binding! {
    MPI_Comm_flush_buffer PMPI_Comm_flush_buffer(comm: Comm as comm)
    on Raise::Comm(comm) =>
    {
        impls::comm_flush_buffer(comm)
    }
}

binding! {
    MPI_Comm_iflush_buffer PMPI_Comm_iflush_buffer(comm: Comm as comm, request: *mut Request as out_request)
    on Raise::Comm(comm) =>
    {
        impls::comm_iflush_buffer(comm, Out::new(request))
    }
}

binding! {
    MPI_Session_attach_buffer PMPI_Session_attach_buffer(
        session: Session as session, buffer: *mut c_void as buffer, size: c_int as int,
    )
    on Raise::Session(session) =>
    {
        impls::session_attach_buffer(session, UserBuffer::new(buffer), i64::from(size))
    }
}

binding! {
    MPI_Session_attach_buffer_c PMPI_Session_attach_buffer_c(
        session: Session as session, buffer: *mut c_void as buffer, size: i64 as int,
    )
    on Raise::Session(session) =>
    {
        impls::session_attach_buffer(session, UserBuffer::new(buffer), size)
    }
}

binding! {
    MPI_Session_detach_buffer PMPI_Session_detach_buffer(
        session: Session as session, buffer_addr: *mut c_void as address, size: *mut c_int as address,
    )
    on Raise::Session(session) =>
    {
        impls::session_detach_buffer(session, Out::new(buffer_addr.cast()), CountOut::Int(Out::new(size)))
    }
}

binding! {
    MPI_Session_detach_buffer_c PMPI_Session_detach_buffer_c(
        session: Session as session, buffer_addr: *mut c_void as address, size: *mut i64 as address,
    )
    on Raise::Session(session) =>
    {
        impls::session_detach_buffer(session, Out::new(buffer_addr.cast()), CountOut::Long(Out::new(size)))
    }
}

binding! {
    MPI_Session_flush_buffer PMPI_Session_flush_buffer(session: Session as session)
    on Raise::Session(session) =>
    {
        impls::session_flush_buffer(session)
    }
}

binding! {
    MPI_Session_iflush_buffer PMPI_Session_iflush_buffer(
        session: Session as session, request: *mut Request as out_request,
    )
    on Raise::Session(session) =>
    {
        impls::session_iflush_buffer(session, Out::new(request))
    }
}
