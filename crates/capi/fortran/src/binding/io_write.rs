// generated from api/ by cargo xtask generate; do not edit
//! The procedures: io_write.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    file_iwrite(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by file_iwrite(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports!(file_iwrite: mpi_file_iwrite_ mpi_file_iwrite__ mpi_file_iwrite MPI_FILE_IWRITE pmpi_file_iwrite_ pmpi_file_iwrite__ pmpi_file_iwrite PMPI_FILE_IWRITE);
exports_f08!(file_iwrite_f08ts: mpi_file_iwrite_f08ts_ pmpir_file_iwrite_f08ts_; file_iwrite: mpi_file_iwrite_f08_ pmpi_file_iwrite_f08_);

procedure! {
    file_iwrite_all(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite_all(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_all_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iwrite_all(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite_all(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports!(file_iwrite_all: mpi_file_iwrite_all_ mpi_file_iwrite_all__ mpi_file_iwrite_all MPI_FILE_IWRITE_ALL pmpi_file_iwrite_all_ pmpi_file_iwrite_all__ pmpi_file_iwrite_all PMPI_FILE_IWRITE_ALL);
exports_f08!(file_iwrite_all_f08ts: mpi_file_iwrite_all_f08ts_ pmpir_file_iwrite_all_f08ts_; file_iwrite_all: mpi_file_iwrite_all_f08_ pmpi_file_iwrite_all_f08_);

procedure! {
    file_iwrite_all_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite_all_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_all_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iwrite_all_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite_all_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports_large!(file_iwrite_all_c_f08ts: mpi_file_iwrite_all_c_f08ts_ pmpir_file_iwrite_all_c_f08ts_; mpi_file_iwrite_all_f08ts_large_ pmpir_file_iwrite_all_f08ts_large_);

procedure! {
    file_iwrite_at(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite_at(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_at_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iwrite_at(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite_at(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports!(file_iwrite_at: mpi_file_iwrite_at_ mpi_file_iwrite_at__ mpi_file_iwrite_at MPI_FILE_IWRITE_AT pmpi_file_iwrite_at_ pmpi_file_iwrite_at__ pmpi_file_iwrite_at PMPI_FILE_IWRITE_AT);
exports_f08!(file_iwrite_at_f08ts: mpi_file_iwrite_at_f08ts_ pmpir_file_iwrite_at_f08ts_; file_iwrite_at: mpi_file_iwrite_at_f08_ pmpi_file_iwrite_at_f08_);

procedure! {
    file_iwrite_at_all(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite_at_all(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_at_all_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut c_int, datatype: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by file_iwrite_at_all(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite_at_all(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), request,
        ierror);
}
exports!(file_iwrite_at_all: mpi_file_iwrite_at_all_ mpi_file_iwrite_at_all__ mpi_file_iwrite_at_all MPI_FILE_IWRITE_AT_ALL pmpi_file_iwrite_at_all_ pmpi_file_iwrite_at_all__ pmpi_file_iwrite_at_all PMPI_FILE_IWRITE_AT_ALL);
exports_f08!(file_iwrite_at_all_f08ts: mpi_file_iwrite_at_all_f08ts_ pmpir_file_iwrite_at_all_f08ts_; file_iwrite_at_all: mpi_file_iwrite_at_all_f08_ pmpi_file_iwrite_at_all_f08_);

procedure! {
    file_iwrite_at_all_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite_at_all_c(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_at_all_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut i64, datatype: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by file_iwrite_at_all_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite_at_all_c(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), request,
        ierror);
}
exports_large!(file_iwrite_at_all_c_f08ts: mpi_file_iwrite_at_all_c_f08ts_ pmpir_file_iwrite_at_all_c_f08ts_; mpi_file_iwrite_at_all_f08ts_large_ pmpir_file_iwrite_at_all_f08ts_large_);

procedure! {
    file_iwrite_at_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite_at_c(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_at_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iwrite_at_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite_at_c(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports_large!(file_iwrite_at_c_f08ts: mpi_file_iwrite_at_c_f08ts_ pmpir_file_iwrite_at_c_f08ts_; mpi_file_iwrite_at_f08ts_large_ pmpir_file_iwrite_at_f08ts_large_);

procedure! {
    file_iwrite_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by file_iwrite_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports_large!(file_iwrite_c_f08ts: mpi_file_iwrite_c_f08ts_ pmpir_file_iwrite_c_f08ts_; mpi_file_iwrite_f08ts_large_ pmpir_file_iwrite_f08ts_large_);

procedure! {
    file_iwrite_shared(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite_shared(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_shared_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iwrite_shared(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite_shared(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports!(file_iwrite_shared: mpi_file_iwrite_shared_ mpi_file_iwrite_shared__ mpi_file_iwrite_shared MPI_FILE_IWRITE_SHARED pmpi_file_iwrite_shared_ pmpi_file_iwrite_shared__ pmpi_file_iwrite_shared PMPI_FILE_IWRITE_SHARED);
exports_f08!(file_iwrite_shared_f08ts: mpi_file_iwrite_shared_f08ts_ pmpir_file_iwrite_shared_f08ts_; file_iwrite_shared: mpi_file_iwrite_shared_f08_ pmpi_file_iwrite_shared_f08_);

procedure! {
    file_iwrite_shared_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iwrite_shared_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iwrite_shared_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iwrite_shared_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iwrite_shared_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports_large!(file_iwrite_shared_c_f08ts: mpi_file_iwrite_shared_c_f08ts_ pmpir_file_iwrite_shared_c_f08ts_; mpi_file_iwrite_shared_f08ts_large_ pmpir_file_iwrite_shared_f08ts_large_);

procedure! {
    file_write(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint) by file_write(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write(fh, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_write: mpi_file_write_ mpi_file_write__ mpi_file_write MPI_FILE_WRITE pmpi_file_write_ pmpi_file_write__ pmpi_file_write PMPI_FILE_WRITE);
exports_f08!(file_write_f08ts: mpi_file_write_f08ts_ pmpir_file_write_f08ts_; file_write: mpi_file_write_f08_ pmpi_file_write_f08_);

procedure! {
    file_write_all(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_all(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_all_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_write_all(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_all(fh, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_write_all: mpi_file_write_all_ mpi_file_write_all__ mpi_file_write_all MPI_FILE_WRITE_ALL pmpi_file_write_all_ pmpi_file_write_all__ pmpi_file_write_all PMPI_FILE_WRITE_ALL);
exports_f08!(file_write_all_f08ts: mpi_file_write_all_f08ts_ pmpir_file_write_all_f08ts_; file_write_all: mpi_file_write_all_f08_ pmpi_file_write_all_f08_);

procedure! {
    file_write_all_begin(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_File_write_all_begin(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_write_all_begin_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, ierror: *mut Fint) by file_write_all_begin(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_write_all_begin(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports!(file_write_all_begin: mpi_file_write_all_begin_ mpi_file_write_all_begin__ mpi_file_write_all_begin MPI_FILE_WRITE_ALL_BEGIN pmpi_file_write_all_begin_ pmpi_file_write_all_begin__ pmpi_file_write_all_begin PMPI_FILE_WRITE_ALL_BEGIN);
exports_f08!(file_write_all_begin_f08ts: mpi_file_write_all_begin_f08ts_ pmpir_file_write_all_begin_f08ts_; file_write_all_begin: mpi_file_write_all_begin_f08_ pmpi_file_write_all_begin_f08_);

procedure! {
    file_write_all_begin_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_File_write_all_begin_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_write_all_begin_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, ierror: *mut Fint) by file_write_all_begin_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_write_all_begin_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports_large!(file_write_all_begin_c_f08ts: mpi_file_write_all_begin_c_f08ts_ pmpir_file_write_all_begin_c_f08ts_; mpi_file_write_all_begin_f08ts_large_ pmpir_file_write_all_begin_f08ts_large_);

procedure! {
    file_write_all_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_all_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_all_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_write_all_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_all_c(fh, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_write_all_c_f08ts: mpi_file_write_all_c_f08ts_ pmpir_file_write_all_c_f08ts_; mpi_file_write_all_f08ts_large_ pmpir_file_write_all_f08ts_large_);

procedure! {
    file_write_all_end(fh: *mut Fint, buf: *mut c_void, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_all_end(types::file(fh), places::buffer(buf),
        types::status(status));
    finish(ierror, code);
}
with_bases! {
    file_write_all_end_f08ts(fh: *mut Fint, buf: *const Descriptor, status: *mut Fint,
        ierror: *mut Fint);
    file_write_all_end(fh, (*buf).base(), status, ierror);
}
exports!(file_write_all_end: mpi_file_write_all_end_ mpi_file_write_all_end__ mpi_file_write_all_end MPI_FILE_WRITE_ALL_END pmpi_file_write_all_end_ pmpi_file_write_all_end__ pmpi_file_write_all_end PMPI_FILE_WRITE_ALL_END);
exports_f08!(file_write_all_end_f08ts: mpi_file_write_all_end_f08ts_ pmpir_file_write_all_end_f08ts_; file_write_all_end: mpi_file_write_all_end_f08_ pmpi_file_write_all_end_f08_);

procedure! {
    file_write_at(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_at(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_at_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_write_at(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_at(fh, offset, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_write_at: mpi_file_write_at_ mpi_file_write_at__ mpi_file_write_at MPI_FILE_WRITE_AT pmpi_file_write_at_ pmpi_file_write_at__ pmpi_file_write_at PMPI_FILE_WRITE_AT);
exports_f08!(file_write_at_f08ts: mpi_file_write_at_f08ts_ pmpir_file_write_at_f08ts_; file_write_at: mpi_file_write_at_f08_ pmpi_file_write_at_f08_);

procedure! {
    file_write_at_all(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_at_all(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_at_all_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut c_int, datatype: *mut Fint, status: *mut Fint,
        ierror: *mut Fint) by file_write_at_all(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_at_all(fh, offset, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_write_at_all: mpi_file_write_at_all_ mpi_file_write_at_all__ mpi_file_write_at_all MPI_FILE_WRITE_AT_ALL pmpi_file_write_at_all_ pmpi_file_write_at_all__ pmpi_file_write_at_all PMPI_FILE_WRITE_AT_ALL);
exports_f08!(file_write_at_all_f08ts: mpi_file_write_at_all_f08ts_ pmpir_file_write_at_all_f08ts_; file_write_at_all: mpi_file_write_at_all_f08_ pmpi_file_write_at_all_f08_);

procedure! {
    file_write_at_all_begin(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_at_all_begin(types::file(fh), *offset, places::buffer(buf),
        *count, handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_write_at_all_begin_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut c_int, datatype: *mut Fint, ierror: *mut Fint) by file_write_at_all_begin(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_write_at_all_begin(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports!(file_write_at_all_begin: mpi_file_write_at_all_begin_ mpi_file_write_at_all_begin__ mpi_file_write_at_all_begin MPI_FILE_WRITE_AT_ALL_BEGIN pmpi_file_write_at_all_begin_ pmpi_file_write_at_all_begin__ pmpi_file_write_at_all_begin PMPI_FILE_WRITE_AT_ALL_BEGIN);
exports_f08!(file_write_at_all_begin_f08ts: mpi_file_write_at_all_begin_f08ts_ pmpir_file_write_at_all_begin_f08ts_; file_write_at_all_begin: mpi_file_write_at_all_begin_f08_ pmpi_file_write_at_all_begin_f08_);

procedure! {
    file_write_at_all_begin_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_at_all_begin_c(types::file(fh), *offset, places::buffer(buf),
        *count, handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_write_at_all_begin_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut i64, datatype: *mut Fint, ierror: *mut Fint) by file_write_at_all_begin_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_write_at_all_begin_c(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports_large!(file_write_at_all_begin_c_f08ts: mpi_file_write_at_all_begin_c_f08ts_ pmpir_file_write_at_all_begin_c_f08ts_; mpi_file_write_at_all_begin_f08ts_large_ pmpir_file_write_at_all_begin_f08ts_large_);

procedure! {
    file_write_at_all_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_at_all_c(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_at_all_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut i64, datatype: *mut Fint, status: *mut Fint,
        ierror: *mut Fint) by file_write_at_all_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_at_all_c(fh, offset, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_write_at_all_c_f08ts: mpi_file_write_at_all_c_f08ts_ pmpir_file_write_at_all_c_f08ts_; mpi_file_write_at_all_f08ts_large_ pmpir_file_write_at_all_f08ts_large_);

procedure! {
    file_write_at_all_end(fh: *mut Fint, buf: *mut c_void, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_at_all_end(types::file(fh), places::buffer(buf),
        types::status(status));
    finish(ierror, code);
}
with_bases! {
    file_write_at_all_end_f08ts(fh: *mut Fint, buf: *const Descriptor, status: *mut Fint,
        ierror: *mut Fint);
    file_write_at_all_end(fh, (*buf).base(), status, ierror);
}
exports!(file_write_at_all_end: mpi_file_write_at_all_end_ mpi_file_write_at_all_end__ mpi_file_write_at_all_end MPI_FILE_WRITE_AT_ALL_END pmpi_file_write_at_all_end_ pmpi_file_write_at_all_end__ pmpi_file_write_at_all_end PMPI_FILE_WRITE_AT_ALL_END);
exports_f08!(file_write_at_all_end_f08ts: mpi_file_write_at_all_end_f08ts_ pmpir_file_write_at_all_end_f08ts_; file_write_at_all_end: mpi_file_write_at_all_end_f08_ pmpi_file_write_at_all_end_f08_);

procedure! {
    file_write_at_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_at_c(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_at_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_write_at_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_at_c(fh, offset, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_write_at_c_f08ts: mpi_file_write_at_c_f08ts_ pmpir_file_write_at_c_f08ts_; mpi_file_write_at_f08ts_large_ pmpir_file_write_at_f08ts_large_);

procedure! {
    file_write_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint) by file_write_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_c(fh, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_write_c_f08ts: mpi_file_write_c_f08ts_ pmpir_file_write_c_f08ts_; mpi_file_write_f08ts_large_ pmpir_file_write_f08ts_large_);

procedure! {
    file_write_ordered(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_ordered(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_ordered_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_write_ordered(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_ordered(fh, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_write_ordered: mpi_file_write_ordered_ mpi_file_write_ordered__ mpi_file_write_ordered MPI_FILE_WRITE_ORDERED pmpi_file_write_ordered_ pmpi_file_write_ordered__ pmpi_file_write_ordered PMPI_FILE_WRITE_ORDERED);
exports_f08!(file_write_ordered_f08ts: mpi_file_write_ordered_f08ts_ pmpir_file_write_ordered_f08ts_; file_write_ordered: mpi_file_write_ordered_f08_ pmpi_file_write_ordered_f08_);

procedure! {
    file_write_ordered_begin(fh: *mut Fint, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_ordered_begin(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_write_ordered_begin_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, ierror: *mut Fint) by file_write_ordered_begin(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_write_ordered_begin(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports!(file_write_ordered_begin: mpi_file_write_ordered_begin_ mpi_file_write_ordered_begin__ mpi_file_write_ordered_begin MPI_FILE_WRITE_ORDERED_BEGIN pmpi_file_write_ordered_begin_ pmpi_file_write_ordered_begin__ pmpi_file_write_ordered_begin PMPI_FILE_WRITE_ORDERED_BEGIN);
exports_f08!(file_write_ordered_begin_f08ts: mpi_file_write_ordered_begin_f08ts_ pmpir_file_write_ordered_begin_f08ts_; file_write_ordered_begin: mpi_file_write_ordered_begin_f08_ pmpi_file_write_ordered_begin_f08_);

procedure! {
    file_write_ordered_begin_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_ordered_begin_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_write_ordered_begin_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, ierror: *mut Fint) by file_write_ordered_begin_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_write_ordered_begin_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports_large!(file_write_ordered_begin_c_f08ts: mpi_file_write_ordered_begin_c_f08ts_ pmpir_file_write_ordered_begin_c_f08ts_; mpi_file_write_ordered_begin_f08ts_large_ pmpir_file_write_ordered_begin_f08ts_large_);

procedure! {
    file_write_ordered_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_ordered_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_ordered_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_write_ordered_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_ordered_c(fh, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_write_ordered_c_f08ts: mpi_file_write_ordered_c_f08ts_ pmpir_file_write_ordered_c_f08ts_; mpi_file_write_ordered_f08ts_large_ pmpir_file_write_ordered_f08ts_large_);

procedure! {
    file_write_ordered_end(fh: *mut Fint, buf: *mut c_void, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_ordered_end(types::file(fh), places::buffer(buf),
        types::status(status));
    finish(ierror, code);
}
with_bases! {
    file_write_ordered_end_f08ts(fh: *mut Fint, buf: *const Descriptor, status: *mut Fint,
        ierror: *mut Fint);
    file_write_ordered_end(fh, (*buf).base(), status, ierror);
}
exports!(file_write_ordered_end: mpi_file_write_ordered_end_ mpi_file_write_ordered_end__ mpi_file_write_ordered_end MPI_FILE_WRITE_ORDERED_END pmpi_file_write_ordered_end_ pmpi_file_write_ordered_end__ pmpi_file_write_ordered_end PMPI_FILE_WRITE_ORDERED_END);
exports_f08!(file_write_ordered_end_f08ts: mpi_file_write_ordered_end_f08ts_ pmpir_file_write_ordered_end_f08ts_; file_write_ordered_end: mpi_file_write_ordered_end_f08_ pmpi_file_write_ordered_end_f08_);

procedure! {
    file_write_shared(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_shared(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_shared_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_write_shared(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_shared(fh, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_write_shared: mpi_file_write_shared_ mpi_file_write_shared__ mpi_file_write_shared MPI_FILE_WRITE_SHARED pmpi_file_write_shared_ pmpi_file_write_shared__ pmpi_file_write_shared PMPI_FILE_WRITE_SHARED);
exports_f08!(file_write_shared_f08ts: mpi_file_write_shared_f08ts_ pmpir_file_write_shared_f08ts_; file_write_shared: mpi_file_write_shared_f08_ pmpi_file_write_shared_f08_);

procedure! {
    file_write_shared_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_write_shared_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_write_shared_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_write_shared_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::File(fh), ierror);
    file_write_shared_c(fh, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_write_shared_c_f08ts: mpi_file_write_shared_c_f08ts_ pmpir_file_write_shared_c_f08ts_; mpi_file_write_shared_f08ts_large_ pmpir_file_write_shared_f08ts_large_);
