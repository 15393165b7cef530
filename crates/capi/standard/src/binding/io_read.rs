// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: io_read.

use crate::prelude::*;

binding! {
    MPI_File_iread PMPI_File_iread(
        fh: File as file, buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread(fh, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iread_all PMPI_File_iread_all(
        fh: File as file, buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread_all(fh, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iread_all_c PMPI_File_iread_all_c(
        fh: File as file, buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread_all(fh, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iread_at PMPI_File_iread_at(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread_at(fh, offset, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iread_at_all PMPI_File_iread_at_all(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread_at_all(fh, offset, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iread_at_all_c PMPI_File_iread_at_all_c(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread_at_all(fh, offset, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iread_at_c PMPI_File_iread_at_c(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread_at(fh, offset, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iread_c PMPI_File_iread_c(
        fh: File as file, buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread(fh, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iread_shared PMPI_File_iread_shared(
        fh: File as file, buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread_shared(fh, UserBuffer::new(buf), i64::from(count), datatype, Out::new(request))
    }
}

binding! {
    MPI_File_iread_shared_c PMPI_File_iread_shared_c(
        fh: File as file, buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        request: *mut Request as out_request,
    )
    on Raise::File(fh) =>
    {
        impls::file_iread_shared(fh, UserBuffer::new(buf), count, datatype, Out::new(request))
    }
}

binding! {
    MPI_File_read PMPI_File_read(
        fh: File as file, buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read(fh, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_all PMPI_File_read_all(
        fh: File as file, buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_all(fh, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_all_begin PMPI_File_read_all_begin(
        fh: File as file, buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_all_begin(fh, UserBuffer::new(buf), i64::from(count), datatype)
    }
}

binding! {
    MPI_File_read_all_begin_c PMPI_File_read_all_begin_c(
        fh: File as file, buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_all_begin(fh, UserBuffer::new(buf), count, datatype)
    }
}

binding! {
    MPI_File_read_all_c PMPI_File_read_all_c(
        fh: File as file, buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_all(fh, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_all_end PMPI_File_read_all_end(
        fh: File as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_all_end(fh, UserBuffer::new(buf), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_at PMPI_File_read_at(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_at(
            fh, offset, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_File_read_at_all PMPI_File_read_at_all(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_at_all(
            fh, offset, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_File_read_at_all_begin PMPI_File_read_at_all_begin(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_at_all_begin(fh, offset, UserBuffer::new(buf), i64::from(count), datatype)
    }
}

binding! {
    MPI_File_read_at_all_begin_c PMPI_File_read_at_all_begin_c(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_at_all_begin(fh, offset, UserBuffer::new(buf), count, datatype)
    }
}

binding! {
    MPI_File_read_at_all_c PMPI_File_read_at_all_c(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_at_all(fh, offset, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_at_all_end PMPI_File_read_at_all_end(
        fh: File as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_at_all_end(fh, UserBuffer::new(buf), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_at_c PMPI_File_read_at_c(
        fh: File as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: Datatype as datatype, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_at(fh, offset, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_c PMPI_File_read_c(
        fh: File as file, buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read(fh, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_ordered PMPI_File_read_ordered(
        fh: File as file, buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_ordered(
            fh, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)),
        )
    }
}

binding! {
    MPI_File_read_ordered_begin PMPI_File_read_ordered_begin(
        fh: File as file, buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_ordered_begin(fh, UserBuffer::new(buf), i64::from(count), datatype)
    }
}

binding! {
    MPI_File_read_ordered_begin_c PMPI_File_read_ordered_begin_c(
        fh: File as file, buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_ordered_begin(fh, UserBuffer::new(buf), count, datatype)
    }
}

binding! {
    MPI_File_read_ordered_c PMPI_File_read_ordered_c(
        fh: File as file, buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_ordered(fh, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_ordered_end PMPI_File_read_ordered_end(
        fh: File as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_ordered_end(fh, UserBuffer::new(buf), StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_shared PMPI_File_read_shared(
        fh: File as file, buf: *mut c_void as buffer, count: c_int as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_shared(fh, UserBuffer::new(buf), i64::from(count), datatype, StatusOut::from(Out::new(status)))
    }
}

binding! {
    MPI_File_read_shared_c PMPI_File_read_shared_c(
        fh: File as file, buf: *mut c_void as buffer, count: i64 as int, datatype: Datatype as datatype,
        status: *mut Status as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_read_shared(fh, UserBuffer::new(buf), count, datatype, StatusOut::from(Out::new(status)))
    }
}
