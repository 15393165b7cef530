// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: io_write.

use crate::prelude::*;

binding! {
    MPI_File_iwrite PMPI_File_iwrite(
        fh: File as file, buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite(fh, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iwrite_all PMPI_File_iwrite_all(
        fh: File as file, buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite_all(fh, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iwrite_all_c PMPI_File_iwrite_all_c(
        fh: File as file, buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite_all(fh, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iwrite_at PMPI_File_iwrite_at(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite_at(fh, offset, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iwrite_at_all PMPI_File_iwrite_at_all(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite_at_all(fh, offset, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iwrite_at_all_c PMPI_File_iwrite_at_all_c(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite_at_all(fh, offset, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iwrite_at_c PMPI_File_iwrite_at_c(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite_at(fh, offset, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iwrite_c PMPI_File_iwrite_c(
        fh: File as file, buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite(fh, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iwrite_shared PMPI_File_iwrite_shared(
        fh: File as file, buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite_shared(fh, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iwrite_shared_c PMPI_File_iwrite_shared_c(
        fh: File as file, buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iwrite_shared(fh, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_write PMPI_File_write(
        fh: File as file, buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write(fh, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_all PMPI_File_write_all(
        fh: File as file, buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_all(fh, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_all_begin PMPI_File_write_all_begin(
        fh: File as file, buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_all_begin(fh, UserBuffer::new(buf), i64::from(count), datatype)
    }
}

binding! {
    MPI_File_write_all_begin_c PMPI_File_write_all_begin_c(
        fh: File as file, buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_all_begin(fh, UserBuffer::new(buf), count, datatype)
    }
}

binding! {
    MPI_File_write_all_c PMPI_File_write_all_c(
        fh: File as file, buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_all(fh, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_all_end PMPI_File_write_all_end(
        fh: File as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_all_end(fh, UserBuffer::new(buf), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_at PMPI_File_write_at(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_at(
            fh, offset, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_File_write_at_all PMPI_File_write_at_all(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_at_all(
            fh, offset, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_File_write_at_all_begin PMPI_File_write_at_all_begin(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_at_all_begin(fh, offset, UserBuffer::new(buf), i64::from(count), datatype)
    }
}

binding! {
    MPI_File_write_at_all_begin_c PMPI_File_write_at_all_begin_c(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_at_all_begin(fh, offset, UserBuffer::new(buf), count, datatype)
    }
}

binding! {
    MPI_File_write_at_all_c PMPI_File_write_at_all_c(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_at_all(fh, offset, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_at_all_end PMPI_File_write_at_all_end(
        fh: File as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_at_all_end(fh, UserBuffer::new(buf), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_at_c PMPI_File_write_at_c(
        fh: File as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_at(fh, offset, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_c PMPI_File_write_c(
        fh: File as file, buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write(fh, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_ordered PMPI_File_write_ordered(
        fh: File as file, buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_ordered(
            fh, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_File_write_ordered_begin PMPI_File_write_ordered_begin(
        fh: File as file, buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_ordered_begin(fh, UserBuffer::new(buf), i64::from(count), datatype)
    }
}

binding! {
    MPI_File_write_ordered_begin_c PMPI_File_write_ordered_begin_c(
        fh: File as file, buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_ordered_begin(fh, UserBuffer::new(buf), count, datatype)
    }
}

binding! {
    MPI_File_write_ordered_c PMPI_File_write_ordered_c(
        fh: File as file, buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_ordered(fh, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_ordered_end PMPI_File_write_ordered_end(
        fh: File as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_ordered_end(fh, UserBuffer::new(buf), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_write_shared PMPI_File_write_shared(
        fh: File as file, buf: *const c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_shared(
            fh, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_File_write_shared_c PMPI_File_write_shared_c(
        fh: File as file, buf: *const c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_write_shared(fh, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}
