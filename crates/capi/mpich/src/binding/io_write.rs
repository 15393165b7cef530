// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: io_write.

use crate::prelude::*;

binding! {
    MPI_File_iwrite PMPI_File_iwrite(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_all PMPI_File_iwrite_all(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_all(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_all_c PMPI_File_iwrite_all_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_all(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_at PMPI_File_iwrite_at(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_at(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_at_all PMPI_File_iwrite_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_at_all_c PMPI_File_iwrite_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_at_c PMPI_File_iwrite_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_at(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_c PMPI_File_iwrite_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_shared PMPI_File_iwrite_shared(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_shared(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_iwrite_shared_c PMPI_File_iwrite_shared_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as out_request,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::file_iwrite_shared(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_File_write PMPI_File_write(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_all PMPI_File_write_all(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_all(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_all_begin PMPI_File_write_all_begin(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_all_begin(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_write_all_begin_c PMPI_File_write_all_begin_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_all_begin(to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype))
    }
}

binding! {
    MPI_File_write_all_c PMPI_File_write_all_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_all(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_all_end PMPI_File_write_all_end(
        fh: FilePointer as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_all_end(
            to::file(fh), UserBuffer::new(to::buffer(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at PMPI_File_write_at(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_at(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at_all PMPI_File_write_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at_all_begin PMPI_File_write_at_all_begin(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_at_all_begin(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_write_at_all_begin_c PMPI_File_write_at_all_begin_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_at_all_begin(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_write_at_all_c PMPI_File_write_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_at_all(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at_all_end PMPI_File_write_at_all_end(
        fh: FilePointer as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_at_all_end(
            to::file(fh), UserBuffer::new(to::buffer(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_at_c PMPI_File_write_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_at(
            to::file(fh), offset, UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_c PMPI_File_write_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_ordered PMPI_File_write_ordered(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_ordered(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_ordered_begin PMPI_File_write_ordered_begin(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_ordered_begin(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_File_write_ordered_begin_c PMPI_File_write_ordered_begin_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_write_ordered_begin(to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype))
    }
}

binding! {
    MPI_File_write_ordered_c PMPI_File_write_ordered_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_ordered(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_ordered_end PMPI_File_write_ordered_end(
        fh: FilePointer as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_ordered_end(
            to::file(fh), UserBuffer::new(to::buffer(buf)), StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_shared PMPI_File_write_shared(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_shared(
            to::file(fh), UserBuffer::new(to::buffer(buf)), i64::from(count), to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}

binding! {
    MPI_File_write_shared_c PMPI_File_write_shared_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut status = OneStatus::out(Out::new(status));
        let outcome = impls::file_write_shared(
            to::file(fh), UserBuffer::new(to::buffer(buf)), count, to::datatype(datatype),
            StatusOut::from(Out::new(status.pass_mut())),
        );
        status.leave();
        outcome
    }
}
