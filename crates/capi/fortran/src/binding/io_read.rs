// generated from api/ by cargo xtask generate; do not edit
//! The procedures: io_read.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    file_iread(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by file_iread(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports!(file_iread: mpi_file_iread_ mpi_file_iread__ mpi_file_iread MPI_FILE_IREAD pmpi_file_iread_ pmpi_file_iread__ pmpi_file_iread PMPI_FILE_IREAD);
exports_f08!(file_iread_f08ts: mpi_file_iread_f08ts_ pmpir_file_iread_f08ts_; file_iread: mpi_file_iread_f08_ pmpi_file_iread_f08_);

procedure! {
    file_iread_all(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread_all(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_all_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iread_all(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread_all(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports!(file_iread_all: mpi_file_iread_all_ mpi_file_iread_all__ mpi_file_iread_all MPI_FILE_IREAD_ALL pmpi_file_iread_all_ pmpi_file_iread_all__ pmpi_file_iread_all PMPI_FILE_IREAD_ALL);
exports_f08!(file_iread_all_f08ts: mpi_file_iread_all_f08ts_ pmpir_file_iread_all_f08ts_; file_iread_all: mpi_file_iread_all_f08_ pmpi_file_iread_all_f08_);

procedure! {
    file_iread_all_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread_all_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_all_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iread_all_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread_all_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports_large!(file_iread_all_c_f08ts: mpi_file_iread_all_c_f08ts_ pmpir_file_iread_all_c_f08ts_; mpi_file_iread_all_f08ts_large_ pmpir_file_iread_all_f08ts_large_);

procedure! {
    file_iread_at(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread_at(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_at_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iread_at(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread_at(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports!(file_iread_at: mpi_file_iread_at_ mpi_file_iread_at__ mpi_file_iread_at MPI_FILE_IREAD_AT pmpi_file_iread_at_ pmpi_file_iread_at__ pmpi_file_iread_at PMPI_FILE_IREAD_AT);
exports_f08!(file_iread_at_f08ts: mpi_file_iread_at_f08ts_ pmpir_file_iread_at_f08ts_; file_iread_at: mpi_file_iread_at_f08_ pmpi_file_iread_at_f08_);

procedure! {
    file_iread_at_all(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread_at_all(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_at_all_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut c_int, datatype: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by file_iread_at_all(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread_at_all(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), request,
        ierror);
}
exports!(file_iread_at_all: mpi_file_iread_at_all_ mpi_file_iread_at_all__ mpi_file_iread_at_all MPI_FILE_IREAD_AT_ALL pmpi_file_iread_at_all_ pmpi_file_iread_at_all__ pmpi_file_iread_at_all PMPI_FILE_IREAD_AT_ALL);
exports_f08!(file_iread_at_all_f08ts: mpi_file_iread_at_all_f08ts_ pmpir_file_iread_at_all_f08ts_; file_iread_at_all: mpi_file_iread_at_all_f08_ pmpi_file_iread_at_all_f08_);

procedure! {
    file_iread_at_all_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread_at_all_c(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_at_all_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut i64, datatype: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by file_iread_at_all_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread_at_all_c(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), request,
        ierror);
}
exports_large!(file_iread_at_all_c_f08ts: mpi_file_iread_at_all_c_f08ts_ pmpir_file_iread_at_all_c_f08ts_; mpi_file_iread_at_all_f08ts_large_ pmpir_file_iread_at_all_f08ts_large_);

procedure! {
    file_iread_at_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread_at_c(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_at_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iread_at_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread_at_c(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports_large!(file_iread_at_c_f08ts: mpi_file_iread_at_c_f08ts_ pmpir_file_iread_at_c_f08ts_; mpi_file_iread_at_f08ts_large_ pmpir_file_iread_at_f08ts_large_);

procedure! {
    file_iread_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by file_iread_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports_large!(file_iread_c_f08ts: mpi_file_iread_c_f08ts_ pmpir_file_iread_c_f08ts_; mpi_file_iread_f08ts_large_ pmpir_file_iread_f08ts_large_);

procedure! {
    file_iread_shared(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread_shared(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_shared_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iread_shared(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread_shared(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports!(file_iread_shared: mpi_file_iread_shared_ mpi_file_iread_shared__ mpi_file_iread_shared MPI_FILE_IREAD_SHARED pmpi_file_iread_shared_ pmpi_file_iread_shared__ pmpi_file_iread_shared PMPI_FILE_IREAD_SHARED);
exports_f08!(file_iread_shared_f08ts: mpi_file_iread_shared_f08ts_ pmpir_file_iread_shared_f08ts_; file_iread_shared: mpi_file_iread_shared_f08_ pmpi_file_iread_shared_f08_);

procedure! {
    file_iread_shared_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_File_iread_shared_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    file_iread_shared_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, request: *mut Fint, ierror: *mut Fint) by file_iread_shared_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_iread_shared_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), request, ierror);
}
exports_large!(file_iread_shared_c_f08ts: mpi_file_iread_shared_c_f08ts_ pmpir_file_iread_shared_c_f08ts_; mpi_file_iread_shared_f08ts_large_ pmpir_file_iread_shared_f08ts_large_);

procedure! {
    file_read(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint) by file_read(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read(fh, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_read: mpi_file_read_ mpi_file_read__ mpi_file_read MPI_FILE_READ pmpi_file_read_ pmpi_file_read__ pmpi_file_read PMPI_FILE_READ);
exports_f08!(file_read_f08ts: mpi_file_read_f08ts_ pmpir_file_read_f08ts_; file_read: mpi_file_read_f08_ pmpi_file_read_f08_);

procedure! {
    file_read_all(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_all(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_all_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_read_all(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_all(fh, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_read_all: mpi_file_read_all_ mpi_file_read_all__ mpi_file_read_all MPI_FILE_READ_ALL pmpi_file_read_all_ pmpi_file_read_all__ pmpi_file_read_all PMPI_FILE_READ_ALL);
exports_f08!(file_read_all_f08ts: mpi_file_read_all_f08ts_ pmpir_file_read_all_f08ts_; file_read_all: mpi_file_read_all_f08_ pmpi_file_read_all_f08_);

procedure! {
    file_read_all_begin(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_File_read_all_begin(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_read_all_begin_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, ierror: *mut Fint) by file_read_all_begin(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_read_all_begin(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports!(file_read_all_begin: mpi_file_read_all_begin_ mpi_file_read_all_begin__ mpi_file_read_all_begin MPI_FILE_READ_ALL_BEGIN pmpi_file_read_all_begin_ pmpi_file_read_all_begin__ pmpi_file_read_all_begin PMPI_FILE_READ_ALL_BEGIN);
exports_f08!(file_read_all_begin_f08ts: mpi_file_read_all_begin_f08ts_ pmpir_file_read_all_begin_f08ts_; file_read_all_begin: mpi_file_read_all_begin_f08_ pmpi_file_read_all_begin_f08_);

procedure! {
    file_read_all_begin_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_File_read_all_begin_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_read_all_begin_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, ierror: *mut Fint) by file_read_all_begin_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_read_all_begin_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports_large!(file_read_all_begin_c_f08ts: mpi_file_read_all_begin_c_f08ts_ pmpir_file_read_all_begin_c_f08ts_; mpi_file_read_all_begin_f08ts_large_ pmpir_file_read_all_begin_f08ts_large_);

procedure! {
    file_read_all_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_all_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_all_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_read_all_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_all_c(fh, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_read_all_c_f08ts: mpi_file_read_all_c_f08ts_ pmpir_file_read_all_c_f08ts_; mpi_file_read_all_f08ts_large_ pmpir_file_read_all_f08ts_large_);

procedure! {
    file_read_all_end(fh: *mut Fint, buf: *mut c_void, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_all_end(types::file(fh), places::buffer(buf),
        types::status(status));
    finish(ierror, code);
}
with_bases! {
    file_read_all_end_f08ts(fh: *mut Fint, buf: *const Descriptor, status: *mut Fint,
        ierror: *mut Fint);
    file_read_all_end(fh, (*buf).base(), status, ierror);
}
exports!(file_read_all_end: mpi_file_read_all_end_ mpi_file_read_all_end__ mpi_file_read_all_end MPI_FILE_READ_ALL_END pmpi_file_read_all_end_ pmpi_file_read_all_end__ pmpi_file_read_all_end PMPI_FILE_READ_ALL_END);
exports_f08!(file_read_all_end_f08ts: mpi_file_read_all_end_f08ts_ pmpir_file_read_all_end_f08ts_; file_read_all_end: mpi_file_read_all_end_f08_ pmpi_file_read_all_end_f08_);

procedure! {
    file_read_at(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_at(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_at_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_read_at(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_at(fh, offset, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_read_at: mpi_file_read_at_ mpi_file_read_at__ mpi_file_read_at MPI_FILE_READ_AT pmpi_file_read_at_ pmpi_file_read_at__ pmpi_file_read_at PMPI_FILE_READ_AT);
exports_f08!(file_read_at_f08ts: mpi_file_read_at_f08ts_ pmpir_file_read_at_f08ts_; file_read_at: mpi_file_read_at_f08_ pmpi_file_read_at_f08_);

procedure! {
    file_read_at_all(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_at_all(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_at_all_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut c_int, datatype: *mut Fint, status: *mut Fint,
        ierror: *mut Fint) by file_read_at_all(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_at_all(fh, offset, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_read_at_all: mpi_file_read_at_all_ mpi_file_read_at_all__ mpi_file_read_at_all MPI_FILE_READ_AT_ALL pmpi_file_read_at_all_ pmpi_file_read_at_all__ pmpi_file_read_at_all PMPI_FILE_READ_AT_ALL);
exports_f08!(file_read_at_all_f08ts: mpi_file_read_at_all_f08ts_ pmpir_file_read_at_all_f08ts_; file_read_at_all: mpi_file_read_at_all_f08_ pmpi_file_read_at_all_f08_);

procedure! {
    file_read_at_all_begin(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_at_all_begin(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_read_at_all_begin_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut c_int, datatype: *mut Fint, ierror: *mut Fint) by file_read_at_all_begin(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_read_at_all_begin(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports!(file_read_at_all_begin: mpi_file_read_at_all_begin_ mpi_file_read_at_all_begin__ mpi_file_read_at_all_begin MPI_FILE_READ_AT_ALL_BEGIN pmpi_file_read_at_all_begin_ pmpi_file_read_at_all_begin__ pmpi_file_read_at_all_begin PMPI_FILE_READ_AT_ALL_BEGIN);
exports_f08!(file_read_at_all_begin_f08ts: mpi_file_read_at_all_begin_f08ts_ pmpir_file_read_at_all_begin_f08ts_; file_read_at_all_begin: mpi_file_read_at_all_begin_f08_ pmpi_file_read_at_all_begin_f08_);

procedure! {
    file_read_at_all_begin_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_at_all_begin_c(types::file(fh), *offset, places::buffer(buf),
        *count, handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_read_at_all_begin_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut i64, datatype: *mut Fint, ierror: *mut Fint) by file_read_at_all_begin_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_read_at_all_begin_c(fh, offset, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports_large!(file_read_at_all_begin_c_f08ts: mpi_file_read_at_all_begin_c_f08ts_ pmpir_file_read_at_all_begin_c_f08ts_; mpi_file_read_at_all_begin_f08ts_large_ pmpir_file_read_at_all_begin_f08ts_large_);

procedure! {
    file_read_at_all_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_at_all_c(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_at_all_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor,
        count: *mut i64, datatype: *mut Fint, status: *mut Fint,
        ierror: *mut Fint) by file_read_at_all_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_at_all_c(fh, offset, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_read_at_all_c_f08ts: mpi_file_read_at_all_c_f08ts_ pmpir_file_read_at_all_c_f08ts_; mpi_file_read_at_all_f08ts_large_ pmpir_file_read_at_all_f08ts_large_);

procedure! {
    file_read_at_all_end(fh: *mut Fint, buf: *mut c_void, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_at_all_end(types::file(fh), places::buffer(buf),
        types::status(status));
    finish(ierror, code);
}
with_bases! {
    file_read_at_all_end_f08ts(fh: *mut Fint, buf: *const Descriptor, status: *mut Fint,
        ierror: *mut Fint);
    file_read_at_all_end(fh, (*buf).base(), status, ierror);
}
exports!(file_read_at_all_end: mpi_file_read_at_all_end_ mpi_file_read_at_all_end__ mpi_file_read_at_all_end MPI_FILE_READ_AT_ALL_END pmpi_file_read_at_all_end_ pmpi_file_read_at_all_end__ pmpi_file_read_at_all_end PMPI_FILE_READ_AT_ALL_END);
exports_f08!(file_read_at_all_end_f08ts: mpi_file_read_at_all_end_f08ts_ pmpir_file_read_at_all_end_f08ts_; file_read_at_all_end: mpi_file_read_at_all_end_f08_ pmpi_file_read_at_all_end_f08_);

procedure! {
    file_read_at_c(fh: *mut Fint, offset: *mut i64, buf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_at_c(types::file(fh), *offset, places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_at_c_f08ts(fh: *mut Fint, offset: *mut i64, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_read_at_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_at_c(fh, offset, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_read_at_c_f08ts: mpi_file_read_at_c_f08ts_ pmpir_file_read_at_c_f08ts_; mpi_file_read_at_f08ts_large_ pmpir_file_read_at_f08ts_large_);

procedure! {
    file_read_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint) by file_read_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_c(fh, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_read_c_f08ts: mpi_file_read_c_f08ts_ pmpir_file_read_c_f08ts_; mpi_file_read_f08ts_large_ pmpir_file_read_f08ts_large_);

procedure! {
    file_read_ordered(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_ordered(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_ordered_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_read_ordered(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_ordered(fh, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_read_ordered: mpi_file_read_ordered_ mpi_file_read_ordered__ mpi_file_read_ordered MPI_FILE_READ_ORDERED pmpi_file_read_ordered_ pmpi_file_read_ordered__ pmpi_file_read_ordered PMPI_FILE_READ_ORDERED);
exports_f08!(file_read_ordered_f08ts: mpi_file_read_ordered_f08ts_ pmpir_file_read_ordered_f08ts_; file_read_ordered: mpi_file_read_ordered_f08_ pmpi_file_read_ordered_f08_);

procedure! {
    file_read_ordered_begin(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_File_read_ordered_begin(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_read_ordered_begin_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, ierror: *mut Fint) by file_read_ordered_begin(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_read_ordered_begin(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports!(file_read_ordered_begin: mpi_file_read_ordered_begin_ mpi_file_read_ordered_begin__ mpi_file_read_ordered_begin MPI_FILE_READ_ORDERED_BEGIN pmpi_file_read_ordered_begin_ pmpi_file_read_ordered_begin__ pmpi_file_read_ordered_begin PMPI_FILE_READ_ORDERED_BEGIN);
exports_f08!(file_read_ordered_begin_f08ts: mpi_file_read_ordered_begin_f08ts_ pmpir_file_read_ordered_begin_f08ts_; file_read_ordered_begin: mpi_file_read_ordered_begin_f08_ pmpi_file_read_ordered_begin_f08_);

procedure! {
    file_read_ordered_begin_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_File_read_ordered_begin_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
with_sections! {
    file_read_ordered_begin_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, ierror: *mut Fint) by file_read_ordered_begin_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::File(fh), ierror);
    file_read_ordered_begin_c(fh, buf_c.address(), buf_c.count(), buf_c.datatype(), ierror);
}
exports_large!(file_read_ordered_begin_c_f08ts: mpi_file_read_ordered_begin_c_f08ts_ pmpir_file_read_ordered_begin_c_f08ts_; mpi_file_read_ordered_begin_f08ts_large_ pmpir_file_read_ordered_begin_f08ts_large_);

procedure! {
    file_read_ordered_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_ordered_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_ordered_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_read_ordered_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_ordered_c(fh, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_read_ordered_c_f08ts: mpi_file_read_ordered_c_f08ts_ pmpir_file_read_ordered_c_f08ts_; mpi_file_read_ordered_f08ts_large_ pmpir_file_read_ordered_f08ts_large_);

procedure! {
    file_read_ordered_end(fh: *mut Fint, buf: *mut c_void, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_ordered_end(types::file(fh), places::buffer(buf),
        types::status(status));
    finish(ierror, code);
}
with_bases! {
    file_read_ordered_end_f08ts(fh: *mut Fint, buf: *const Descriptor, status: *mut Fint,
        ierror: *mut Fint);
    file_read_ordered_end(fh, (*buf).base(), status, ierror);
}
exports!(file_read_ordered_end: mpi_file_read_ordered_end_ mpi_file_read_ordered_end__ mpi_file_read_ordered_end MPI_FILE_READ_ORDERED_END pmpi_file_read_ordered_end_ pmpi_file_read_ordered_end__ pmpi_file_read_ordered_end PMPI_FILE_READ_ORDERED_END);
exports_f08!(file_read_ordered_end_f08ts: mpi_file_read_ordered_end_f08ts_ pmpir_file_read_ordered_end_f08ts_; file_read_ordered_end: mpi_file_read_ordered_end_f08_ pmpi_file_read_ordered_end_f08_);

procedure! {
    file_read_shared(fh: *mut Fint, buf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_shared(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_shared_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_read_shared(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_shared(fh, buf_c.address(), count, datatype, status, ierror);
}
exports!(file_read_shared: mpi_file_read_shared_ mpi_file_read_shared__ mpi_file_read_shared MPI_FILE_READ_SHARED pmpi_file_read_shared_ pmpi_file_read_shared__ pmpi_file_read_shared PMPI_FILE_READ_SHARED);
exports_f08!(file_read_shared_f08ts: mpi_file_read_shared_f08ts_ pmpir_file_read_shared_f08ts_; file_read_shared: mpi_file_read_shared_f08_ pmpi_file_read_shared_f08_);

procedure! {
    file_read_shared_c(fh: *mut Fint, buf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_read_shared_c(types::file(fh), places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), types::status(status));
    finish(ierror, code);
}
with_sections! {
    file_read_shared_c_f08ts(fh: *mut Fint, buf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, status: *mut Fint, ierror: *mut Fint) by file_read_shared_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::File(fh), ierror);
    file_read_shared_c(fh, buf_c.address(), count, datatype, status, ierror);
}
exports_large!(file_read_shared_c_f08ts: mpi_file_read_shared_c_f08ts_ pmpir_file_read_shared_c_f08ts_; mpi_file_read_shared_f08ts_large_ pmpir_file_read_shared_f08ts_large_);
