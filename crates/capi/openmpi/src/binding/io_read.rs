// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: io_read.

use crate::prelude::*;

binding! {
    MPI_File_iread PMPI_File_iread(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
        request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_all PMPI_File_iread_all(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
        request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_all(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_all_c PMPI_File_iread_all_c(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
        request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_all(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_at PMPI_File_iread_at(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_at(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_at_all PMPI_File_iread_at_all(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_at_all_c PMPI_File_iread_at_all_c(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_at_c PMPI_File_iread_at_c(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_at(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_c PMPI_File_iread_c(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
        request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_shared PMPI_File_iread_shared(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
        request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_shared(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iread_shared_c PMPI_File_iread_shared_c(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
        request: *mut RawHandle as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iread_shared(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_read PMPI_File_read(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_all PMPI_File_read_all(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_all(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_all_begin PMPI_File_read_all_begin(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_all_begin(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_all_begin_c PMPI_File_read_all_begin_c(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_all_begin(to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype))
    }
}

binding! {
    MPI_File_read_all_c PMPI_File_read_all_c(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_all(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_all_end PMPI_File_read_all_end(
        fh: RawHandle as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_all_end(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at PMPI_File_read_at(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_at(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at_all PMPI_File_read_at_all(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at_all_begin PMPI_File_read_at_all_begin(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: RawHandle as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_at_all_begin(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_at_all_begin_c PMPI_File_read_at_all_begin_c(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_at_all_begin(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_at_all_c PMPI_File_read_at_all_c(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at_all_end PMPI_File_read_at_all_end(
        fh: RawHandle as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_at_all_end(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_at_c PMPI_File_read_at_c(
        fh: RawHandle as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: RawHandle as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_at(
            to::file(fh), offset, UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_c PMPI_File_read_c(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_ordered PMPI_File_read_ordered(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_ordered(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_ordered_begin PMPI_File_read_ordered_begin(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_ordered_begin(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_ordered_begin_c PMPI_File_read_ordered_begin_c(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_read_ordered_begin(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_read_ordered_c PMPI_File_read_ordered_c(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_ordered(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_ordered_end PMPI_File_read_ordered_end(
        fh: RawHandle as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_ordered_end(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_shared PMPI_File_read_shared(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: c_int as int, datatype: RawHandle as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_shared(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_read_shared_c PMPI_File_read_shared_c(
        fh: RawHandle as file, buf: *mut c_void as buffer, count: i64 as int, datatype: RawHandle as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_read_shared(
            to::file(fh), UserBuffer::new(to::buffer_mut(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}
