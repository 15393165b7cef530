// generated from api/ by cargo xtask generate; do not edit
//! The procedures: pt2pt_buffers.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    bsend(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Bsend(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest, *tag,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    bsend_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by bsend(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::Comm(comm), ierror);
    bsend(buf_c.address(), count, datatype, dest, tag, comm, ierror);
}
exports!(bsend: mpi_bsend_ mpi_bsend__ mpi_bsend MPI_BSEND pmpi_bsend_ pmpi_bsend__ pmpi_bsend PMPI_BSEND);
exports_f08!(bsend_f08ts: mpi_bsend_f08ts_ pmpir_bsend_f08ts_; bsend: mpi_bsend_f08_ pmpi_bsend_f08_);

procedure! {
    bsend_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Bsend_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    bsend_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by bsend_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::Comm(comm), ierror);
    bsend_c(buf_c.address(), count, datatype, dest, tag, comm, ierror);
}
exports_large!(bsend_c_f08ts: mpi_bsend_c_f08ts_ pmpir_bsend_c_f08ts_; mpi_bsend_f08ts_large_ pmpir_bsend_f08ts_large_);

procedure! {
    bsend_init(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Bsend_init(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    bsend_init_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by bsend_init(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    bsend_init(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports!(bsend_init: mpi_bsend_init_ mpi_bsend_init__ mpi_bsend_init MPI_BSEND_INIT pmpi_bsend_init_ pmpi_bsend_init__ pmpi_bsend_init PMPI_BSEND_INIT);
exports_f08!(bsend_init_f08ts: mpi_bsend_init_f08ts_ pmpir_bsend_init_f08ts_; bsend_init: mpi_bsend_init_f08_ pmpi_bsend_init_f08_);

procedure! {
    bsend_init_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Bsend_init_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        *dest, *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    bsend_init_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by bsend_init_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    bsend_init_c(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request,
        ierror);
}
exports_large!(bsend_init_c_f08ts: mpi_bsend_init_c_f08ts_ pmpir_bsend_init_c_f08ts_; mpi_bsend_init_f08ts_large_ pmpir_bsend_init_f08ts_large_);

procedure! {
    buffer_attach(buffer: *mut c_void, size: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Buffer_attach(places::buffer(buffer), *size);
    finish(ierror, code);
}
with_sections! {
    buffer_attach_f08ts(buffer: *const Descriptor, size: *mut c_int,
        ierror: *mut Fint) by buffer_attach(buffer);
    let buffer_c = or_refuse!(Contiguous::Memory.address(buffer, "MPI_Buffer_attach"),
        Owner::Process, ierror);
    buffer_attach(buffer_c, size, ierror);
}
exports!(buffer_attach: mpi_buffer_attach_ mpi_buffer_attach__ mpi_buffer_attach MPI_BUFFER_ATTACH pmpi_buffer_attach_ pmpi_buffer_attach__ pmpi_buffer_attach PMPI_BUFFER_ATTACH);
exports_f08!(buffer_attach_f08ts: mpi_buffer_attach_f08ts_ pmpir_buffer_attach_f08ts_; buffer_attach: mpi_buffer_attach_f08_ pmpi_buffer_attach_f08_);

procedure! {
    buffer_attach_c(buffer: *mut c_void, size: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_Buffer_attach_c(places::buffer(buffer), *size);
    finish(ierror, code);
}
with_sections! {
    buffer_attach_c_f08ts(buffer: *const Descriptor, size: *mut i64,
        ierror: *mut Fint) by buffer_attach_c(buffer);
    let buffer_c = or_refuse!(Contiguous::Memory.address(buffer, "MPI_Buffer_attach_c"),
        Owner::Process, ierror);
    buffer_attach_c(buffer_c, size, ierror);
}
exports_large!(buffer_attach_c_f08ts: mpi_buffer_attach_c_f08ts_ pmpir_buffer_attach_c_f08ts_; mpi_buffer_attach_f08ts_large_ pmpir_buffer_attach_f08ts_large_);

procedure! {
    comm_attach_buffer(comm: *mut Fint, buffer: *mut c_void, size: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Comm_attach_buffer(handle::<COMM>(comm), places::buffer(buffer), *size);
    finish(ierror, code);
}
with_sections! {
    comm_attach_buffer_f08ts(comm: *mut Fint, buffer: *const Descriptor, size: *mut c_int,
        ierror: *mut Fint) by comm_attach_buffer(buffer);
    let buffer_c = or_refuse!(Contiguous::Memory.address(buffer, "MPI_Comm_attach_buffer"),
        Owner::Comm(comm), ierror);
    comm_attach_buffer(comm, buffer_c, size, ierror);
}
exports!(comm_attach_buffer: mpi_comm_attach_buffer_ mpi_comm_attach_buffer__ mpi_comm_attach_buffer MPI_COMM_ATTACH_BUFFER pmpi_comm_attach_buffer_ pmpi_comm_attach_buffer__ pmpi_comm_attach_buffer PMPI_COMM_ATTACH_BUFFER);
exports_f08!(comm_attach_buffer_f08ts: mpi_comm_attach_buffer_f08ts_ pmpir_comm_attach_buffer_f08ts_; comm_attach_buffer: mpi_comm_attach_buffer_f08_ pmpi_comm_attach_buffer_f08_);

procedure! {
    comm_attach_buffer_c(comm: *mut Fint, buffer: *mut c_void, size: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_Comm_attach_buffer_c(handle::<COMM>(comm), places::buffer(buffer), *size);
    finish(ierror, code);
}
with_sections! {
    comm_attach_buffer_c_f08ts(comm: *mut Fint, buffer: *const Descriptor, size: *mut i64,
        ierror: *mut Fint) by comm_attach_buffer_c(buffer);
    let buffer_c = or_refuse!(Contiguous::Memory.address(buffer, "MPI_Comm_attach_buffer_c"),
        Owner::Comm(comm), ierror);
    comm_attach_buffer_c(comm, buffer_c, size, ierror);
}
exports_large!(comm_attach_buffer_c_f08ts: mpi_comm_attach_buffer_c_f08ts_ pmpir_comm_attach_buffer_c_f08ts_; mpi_comm_attach_buffer_f08ts_large_ pmpir_comm_attach_buffer_f08ts_large_);

procedure! {
    ibsend(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ibsend(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ibsend_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by ibsend(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    ibsend(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports!(ibsend: mpi_ibsend_ mpi_ibsend__ mpi_ibsend MPI_IBSEND pmpi_ibsend_ pmpi_ibsend__ pmpi_ibsend PMPI_IBSEND);
exports_f08!(ibsend_f08ts: mpi_ibsend_f08ts_ pmpir_ibsend_f08ts_; ibsend: mpi_ibsend_f08_ pmpi_ibsend_f08_);

procedure! {
    ibsend_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ibsend_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ibsend_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by ibsend_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    ibsend_c(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports_large!(ibsend_c_f08ts: mpi_ibsend_c_f08ts_ pmpir_ibsend_c_f08ts_; mpi_ibsend_f08ts_large_ pmpir_ibsend_f08ts_large_);

procedure! {
    imrecv(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, message: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut message_c = handle::<MESSAGE>(message);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Imrecv(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        &mut message_c, &mut request_c);
    give(message, message_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    imrecv_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, message: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by imrecv(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Process, ierror);
    imrecv(buf_c.address(), buf_c.count(), buf_c.datatype(), message, request, ierror);
}
exports!(imrecv: mpi_imrecv_ mpi_imrecv__ mpi_imrecv MPI_IMRECV pmpi_imrecv_ pmpi_imrecv__ pmpi_imrecv PMPI_IMRECV);
exports_f08!(imrecv_f08ts: mpi_imrecv_f08ts_ pmpir_imrecv_f08ts_; imrecv: mpi_imrecv_f08_ pmpi_imrecv_f08_);

procedure! {
    imrecv_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, message: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut message_c = handle::<MESSAGE>(message);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Imrecv_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        &mut message_c, &mut request_c);
    give(message, message_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    imrecv_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, message: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by imrecv_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Process, ierror);
    imrecv_c(buf_c.address(), buf_c.count(), buf_c.datatype(), message, request, ierror);
}
exports_large!(imrecv_c_f08ts: mpi_imrecv_c_f08ts_ pmpir_imrecv_c_f08ts_; mpi_imrecv_f08ts_large_ pmpir_imrecv_f08ts_large_);

procedure! {
    irecv(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Irecv(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *source,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    irecv_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by irecv(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    irecv(buf_c.address(), buf_c.count(), buf_c.datatype(), source, tag, comm, request, ierror);
}
exports!(irecv: mpi_irecv_ mpi_irecv__ mpi_irecv MPI_IRECV pmpi_irecv_ pmpi_irecv__ pmpi_irecv PMPI_IRECV);
exports_f08!(irecv_f08ts: mpi_irecv_f08ts_ pmpir_irecv_f08ts_; irecv: mpi_irecv_f08_ pmpi_irecv_f08_);

procedure! {
    irecv_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Irecv_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *source,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    irecv_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by irecv_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    irecv_c(buf_c.address(), buf_c.count(), buf_c.datatype(), source, tag, comm, request, ierror);
}
exports_large!(irecv_c_f08ts: mpi_irecv_c_f08ts_ pmpir_irecv_c_f08ts_; mpi_irecv_f08ts_large_ pmpir_irecv_f08ts_large_);

procedure! {
    irsend(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Irsend(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    irsend_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by irsend(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    irsend(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports!(irsend: mpi_irsend_ mpi_irsend__ mpi_irsend MPI_IRSEND pmpi_irsend_ pmpi_irsend__ pmpi_irsend PMPI_IRSEND);
exports_f08!(irsend_f08ts: mpi_irsend_f08ts_ pmpir_irsend_f08ts_; irsend: mpi_irsend_f08_ pmpi_irsend_f08_);

procedure! {
    irsend_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Irsend_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    irsend_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by irsend_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    irsend_c(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports_large!(irsend_c_f08ts: mpi_irsend_c_f08ts_ pmpir_irsend_c_f08ts_; mpi_irsend_f08ts_large_ pmpir_irsend_f08ts_large_);

procedure! {
    isend(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Isend(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest, *tag,
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    isend_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by isend(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    isend(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports!(isend: mpi_isend_ mpi_isend__ mpi_isend MPI_ISEND pmpi_isend_ pmpi_isend__ pmpi_isend PMPI_ISEND);
exports_f08!(isend_f08ts: mpi_isend_f08ts_ pmpir_isend_f08ts_; isend: mpi_isend_f08_ pmpi_isend_f08_);

procedure! {
    isend_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Isend_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    isend_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by isend_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    isend_c(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports_large!(isend_c_f08ts: mpi_isend_c_f08ts_ pmpir_isend_c_f08ts_; mpi_isend_f08ts_large_ pmpir_isend_f08ts_large_);

procedure! {
    isendrecv(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint, dest: *mut c_int,
        sendtag: *mut c_int, recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint,
        source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Isendrecv(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        *dest, *sendtag, places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *source,
        *recvtag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    isendrecv_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        dest: *mut c_int, sendtag: *mut c_int, recvbuf: *const Descriptor, recvcount: *mut c_int,
        recvtype: *mut Fint, source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by isendrecv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    isendrecv(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), dest, sendtag,
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), source, recvtag, comm,
        request, ierror);
}
exports!(isendrecv: mpi_isendrecv_ mpi_isendrecv__ mpi_isendrecv MPI_ISENDRECV pmpi_isendrecv_ pmpi_isendrecv__ pmpi_isendrecv PMPI_ISENDRECV);
exports_f08!(isendrecv_f08ts: mpi_isendrecv_f08ts_ pmpir_isendrecv_f08ts_; isendrecv: mpi_isendrecv_f08_ pmpi_isendrecv_f08_);

procedure! {
    isendrecv_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint, dest: *mut c_int,
        sendtag: *mut c_int, recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint,
        source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Isendrecv_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), *dest, *sendtag, places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *source, *recvtag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    isendrecv_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        dest: *mut c_int, sendtag: *mut c_int, recvbuf: *const Descriptor, recvcount: *mut i64,
        recvtype: *mut Fint, source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by isendrecv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    isendrecv_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), dest, sendtag,
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), source, recvtag, comm,
        request, ierror);
}
exports_large!(isendrecv_c_f08ts: mpi_isendrecv_c_f08ts_ pmpir_isendrecv_c_f08ts_; mpi_isendrecv_f08ts_large_ pmpir_isendrecv_f08ts_large_);

procedure! {
    isendrecv_replace(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        sendtag: *mut c_int, source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Isendrecv_replace(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        *dest, *sendtag, *source, *recvtag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    isendrecv_replace_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        dest: *mut c_int, sendtag: *mut c_int, source: *mut c_int, recvtag: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by isendrecv_replace(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    isendrecv_replace(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, sendtag, source,
        recvtag, comm, request, ierror);
}
exports!(isendrecv_replace: mpi_isendrecv_replace_ mpi_isendrecv_replace__ mpi_isendrecv_replace MPI_ISENDRECV_REPLACE pmpi_isendrecv_replace_ pmpi_isendrecv_replace__ pmpi_isendrecv_replace PMPI_ISENDRECV_REPLACE);
exports_f08!(isendrecv_replace_f08ts: mpi_isendrecv_replace_f08ts_ pmpir_isendrecv_replace_f08ts_; isendrecv_replace: mpi_isendrecv_replace_f08_ pmpi_isendrecv_replace_f08_);

procedure! {
    isendrecv_replace_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        sendtag: *mut c_int, source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Isendrecv_replace_c(places::buffer(buf), *count,
        handle::<DATATYPE>(datatype), *dest, *sendtag, *source, *recvtag, handle::<COMM>(comm),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    isendrecv_replace_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        dest: *mut c_int, sendtag: *mut c_int, source: *mut c_int, recvtag: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by isendrecv_replace_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    isendrecv_replace_c(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, sendtag, source,
        recvtag, comm, request, ierror);
}
exports_large!(isendrecv_replace_c_f08ts: mpi_isendrecv_replace_c_f08ts_ pmpir_isendrecv_replace_c_f08ts_; mpi_isendrecv_replace_f08ts_large_ pmpir_isendrecv_replace_f08ts_large_);

procedure! {
    issend(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Issend(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    issend_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by issend(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    issend(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports!(issend: mpi_issend_ mpi_issend__ mpi_issend MPI_ISSEND pmpi_issend_ pmpi_issend__ pmpi_issend PMPI_ISSEND);
exports_f08!(issend_f08ts: mpi_issend_f08ts_ pmpir_issend_f08ts_; issend: mpi_issend_f08_ pmpi_issend_f08_);

procedure! {
    issend_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Issend_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    issend_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by issend_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    issend_c(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports_large!(issend_c_f08ts: mpi_issend_c_f08ts_ pmpir_issend_c_f08ts_; mpi_issend_f08ts_large_ pmpir_issend_f08ts_large_);

procedure! {
    mrecv(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, message: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let mut message_c = handle::<MESSAGE>(message);
    let code = c::PMPI_Mrecv(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        &mut message_c, types::status(status));
    give(message, message_c);
    finish(ierror, code);
}
with_sections! {
    mrecv_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, message: *mut Fint,
        status: *mut Fint, ierror: *mut Fint) by mrecv(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::Process, ierror);
    mrecv(buf_c.address(), count, datatype, message, status, ierror);
}
exports!(mrecv: mpi_mrecv_ mpi_mrecv__ mpi_mrecv MPI_MRECV pmpi_mrecv_ pmpi_mrecv__ pmpi_mrecv PMPI_MRECV);
exports_f08!(mrecv_f08ts: mpi_mrecv_f08ts_ pmpir_mrecv_f08ts_; mrecv: mpi_mrecv_f08_ pmpi_mrecv_f08_);

procedure! {
    mrecv_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, message: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let mut message_c = handle::<MESSAGE>(message);
    let code = c::PMPI_Mrecv_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        &mut message_c, types::status(status));
    give(message, message_c);
    finish(ierror, code);
}
with_sections! {
    mrecv_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, message: *mut Fint,
        status: *mut Fint, ierror: *mut Fint) by mrecv_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::Process, ierror);
    mrecv_c(buf_c.address(), count, datatype, message, status, ierror);
}
exports_large!(mrecv_c_f08ts: mpi_mrecv_c_f08ts_ pmpir_mrecv_c_f08ts_; mpi_mrecv_f08ts_large_ pmpir_mrecv_f08ts_large_);

procedure! {
    recv(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Recv(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *source,
        *tag, handle::<COMM>(comm), types::status(status));
    finish(ierror, code);
}
with_sections! {
    recv_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, status: *mut Fint, ierror: *mut Fint) by recv(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::Comm(comm), ierror);
    recv(buf_c.address(), count, datatype, source, tag, comm, status, ierror);
}
exports!(recv: mpi_recv_ mpi_recv__ mpi_recv MPI_RECV pmpi_recv_ pmpi_recv__ pmpi_recv PMPI_RECV);
exports_f08!(recv_f08ts: mpi_recv_f08ts_ pmpir_recv_f08ts_; recv: mpi_recv_f08_ pmpi_recv_f08_);

procedure! {
    recv_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Recv_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *source,
        *tag, handle::<COMM>(comm), types::status(status));
    finish(ierror, code);
}
with_sections! {
    recv_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, status: *mut Fint, ierror: *mut Fint) by recv_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::Comm(comm), ierror);
    recv_c(buf_c.address(), count, datatype, source, tag, comm, status, ierror);
}
exports_large!(recv_c_f08ts: mpi_recv_c_f08ts_ pmpir_recv_c_f08ts_; mpi_recv_f08ts_large_ pmpir_recv_f08ts_large_);

procedure! {
    recv_init(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Recv_init(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *source,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    recv_init_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        source: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by recv_init(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    recv_init(buf_c.address(), buf_c.count(), buf_c.datatype(), source, tag, comm, request, ierror);
}
exports!(recv_init: mpi_recv_init_ mpi_recv_init__ mpi_recv_init MPI_RECV_INIT pmpi_recv_init_ pmpi_recv_init__ pmpi_recv_init PMPI_RECV_INIT);
exports_f08!(recv_init_f08ts: mpi_recv_init_f08ts_ pmpir_recv_init_f08ts_; recv_init: mpi_recv_init_f08_ pmpi_recv_init_f08_);

procedure! {
    recv_init_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, source: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Recv_init_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        *source, *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    recv_init_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        source: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by recv_init_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    recv_init_c(buf_c.address(), buf_c.count(), buf_c.datatype(), source, tag, comm, request,
        ierror);
}
exports_large!(recv_init_c_f08ts: mpi_recv_init_c_f08ts_ pmpir_recv_init_c_f08ts_; mpi_recv_init_f08ts_large_ pmpir_recv_init_f08ts_large_);

procedure! {
    rsend(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Rsend(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest, *tag,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    rsend_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by rsend(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::Comm(comm), ierror);
    rsend(buf_c.address(), count, datatype, dest, tag, comm, ierror);
}
exports!(rsend: mpi_rsend_ mpi_rsend__ mpi_rsend MPI_RSEND pmpi_rsend_ pmpi_rsend__ pmpi_rsend PMPI_RSEND);
exports_f08!(rsend_f08ts: mpi_rsend_f08ts_ pmpir_rsend_f08ts_; rsend: mpi_rsend_f08_ pmpi_rsend_f08_);

procedure! {
    rsend_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Rsend_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    rsend_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by rsend_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::Comm(comm), ierror);
    rsend_c(buf_c.address(), count, datatype, dest, tag, comm, ierror);
}
exports_large!(rsend_c_f08ts: mpi_rsend_c_f08ts_ pmpir_rsend_c_f08ts_; mpi_rsend_f08ts_large_ pmpir_rsend_f08ts_large_);

procedure! {
    rsend_init(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Rsend_init(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    rsend_init_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by rsend_init(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    rsend_init(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports!(rsend_init: mpi_rsend_init_ mpi_rsend_init__ mpi_rsend_init MPI_RSEND_INIT pmpi_rsend_init_ pmpi_rsend_init__ pmpi_rsend_init PMPI_RSEND_INIT);
exports_f08!(rsend_init_f08ts: mpi_rsend_init_f08ts_ pmpir_rsend_init_f08ts_; rsend_init: mpi_rsend_init_f08_ pmpi_rsend_init_f08_);

procedure! {
    rsend_init_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Rsend_init_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        *dest, *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    rsend_init_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by rsend_init_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    rsend_init_c(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request,
        ierror);
}
exports_large!(rsend_init_c_f08ts: mpi_rsend_init_c_f08ts_ pmpir_rsend_init_c_f08ts_; mpi_rsend_init_f08ts_large_ pmpir_rsend_init_f08ts_large_);

procedure! {
    send(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Send(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest, *tag,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    send_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by send(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::Comm(comm), ierror);
    send(buf_c.address(), count, datatype, dest, tag, comm, ierror);
}
exports!(send: mpi_send_ mpi_send__ mpi_send MPI_SEND pmpi_send_ pmpi_send__ pmpi_send PMPI_SEND);
exports_f08!(send_f08ts: mpi_send_f08ts_ pmpir_send_f08ts_; send: mpi_send_f08_ pmpi_send_f08_);

procedure! {
    send_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Send_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    send_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by send_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::Comm(comm), ierror);
    send_c(buf_c.address(), count, datatype, dest, tag, comm, ierror);
}
exports_large!(send_c_f08ts: mpi_send_c_f08ts_ pmpir_send_c_f08ts_; mpi_send_f08ts_large_ pmpir_send_f08ts_large_);

procedure! {
    send_init(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Send_init(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    send_init_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by send_init(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    send_init(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports!(send_init: mpi_send_init_ mpi_send_init__ mpi_send_init MPI_SEND_INIT pmpi_send_init_ pmpi_send_init__ pmpi_send_init PMPI_SEND_INIT);
exports_f08!(send_init_f08ts: mpi_send_init_f08ts_ pmpir_send_init_f08ts_; send_init: mpi_send_init_f08_ pmpi_send_init_f08_);

procedure! {
    send_init_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Send_init_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    send_init_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by send_init_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    send_init_c(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports_large!(send_init_c_f08ts: mpi_send_init_c_f08ts_ pmpir_send_init_c_f08ts_; mpi_send_init_f08ts_large_ pmpir_send_init_f08ts_large_);

procedure! {
    sendrecv(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint, dest: *mut c_int,
        sendtag: *mut c_int, recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint,
        source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint, status: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Sendrecv(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        *dest, *sendtag, places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *source,
        *recvtag, handle::<COMM>(comm), types::status(status));
    finish(ierror, code);
}
with_sections! {
    sendrecv_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        dest: *mut c_int, sendtag: *mut c_int, recvbuf: *const Descriptor, recvcount: *mut c_int,
        recvtype: *mut Fint, source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint,
        status: *mut Fint, ierror: *mut Fint) by sendrecv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    sendrecv(sendbuf_c.address(), sendcount, sendtype, dest, sendtag, recvbuf_c.address(),
        recvcount, recvtype, source, recvtag, comm, status, ierror);
}
exports!(sendrecv: mpi_sendrecv_ mpi_sendrecv__ mpi_sendrecv MPI_SENDRECV pmpi_sendrecv_ pmpi_sendrecv__ pmpi_sendrecv PMPI_SENDRECV);
exports_f08!(sendrecv_f08ts: mpi_sendrecv_f08ts_ pmpir_sendrecv_f08ts_; sendrecv: mpi_sendrecv_f08_ pmpi_sendrecv_f08_);

procedure! {
    sendrecv_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint, dest: *mut c_int,
        sendtag: *mut c_int, recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint,
        source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint, status: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Sendrecv_c(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        *dest, *sendtag, places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *source,
        *recvtag, handle::<COMM>(comm), types::status(status));
    finish(ierror, code);
}
with_sections! {
    sendrecv_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        dest: *mut c_int, sendtag: *mut c_int, recvbuf: *const Descriptor, recvcount: *mut i64,
        recvtype: *mut Fint, source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint,
        status: *mut Fint, ierror: *mut Fint) by sendrecv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    sendrecv_c(sendbuf_c.address(), sendcount, sendtype, dest, sendtag, recvbuf_c.address(),
        recvcount, recvtype, source, recvtag, comm, status, ierror);
}
exports_large!(sendrecv_c_f08ts: mpi_sendrecv_c_f08ts_ pmpir_sendrecv_c_f08ts_; mpi_sendrecv_f08ts_large_ pmpir_sendrecv_f08ts_large_);

procedure! {
    sendrecv_replace(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        sendtag: *mut c_int, source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Sendrecv_replace(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        *dest, *sendtag, *source, *recvtag, handle::<COMM>(comm), types::status(status));
    finish(ierror, code);
}
with_sections! {
    sendrecv_replace_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        dest: *mut c_int, sendtag: *mut c_int, source: *mut c_int, recvtag: *mut c_int,
        comm: *mut Fint, status: *mut Fint, ierror: *mut Fint) by sendrecv_replace(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::Comm(comm), ierror);
    sendrecv_replace(buf_c.address(), count, datatype, dest, sendtag, source, recvtag, comm, status,
        ierror);
}
exports!(sendrecv_replace: mpi_sendrecv_replace_ mpi_sendrecv_replace__ mpi_sendrecv_replace MPI_SENDRECV_REPLACE pmpi_sendrecv_replace_ pmpi_sendrecv_replace__ pmpi_sendrecv_replace PMPI_SENDRECV_REPLACE);
exports_f08!(sendrecv_replace_f08ts: mpi_sendrecv_replace_f08ts_ pmpir_sendrecv_replace_f08ts_; sendrecv_replace: mpi_sendrecv_replace_f08_ pmpi_sendrecv_replace_f08_);

procedure! {
    sendrecv_replace_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        sendtag: *mut c_int, source: *mut c_int, recvtag: *mut c_int, comm: *mut Fint,
        status: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Sendrecv_replace_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        *dest, *sendtag, *source, *recvtag, handle::<COMM>(comm), types::status(status));
    finish(ierror, code);
}
with_sections! {
    sendrecv_replace_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        dest: *mut c_int, sendtag: *mut c_int, source: *mut c_int, recvtag: *mut c_int,
        comm: *mut Fint, status: *mut Fint, ierror: *mut Fint) by sendrecv_replace_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, true), Owner::Comm(comm), ierror);
    sendrecv_replace_c(buf_c.address(), count, datatype, dest, sendtag, source, recvtag, comm,
        status, ierror);
}
exports_large!(sendrecv_replace_c_f08ts: mpi_sendrecv_replace_c_f08ts_ pmpir_sendrecv_replace_c_f08ts_; mpi_sendrecv_replace_f08ts_large_ pmpir_sendrecv_replace_f08ts_large_);

procedure! {
    session_attach_buffer(session: *mut Fint, buffer: *mut c_void, size: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPI_Session_attach_buffer(handle::<SESSION>(session), places::buffer(buffer),
        *size);
    finish(ierror, code);
}
with_sections! {
    session_attach_buffer_f08ts(session: *mut Fint, buffer: *const Descriptor, size: *mut c_int,
        ierror: *mut Fint) by session_attach_buffer(buffer);
    let buffer_c = or_refuse!(Contiguous::Memory.address(buffer, "MPI_Session_attach_buffer"),
        Owner::Process, ierror);
    session_attach_buffer(session, buffer_c, size, ierror);
}
exports!(session_attach_buffer: mpi_session_attach_buffer_ mpi_session_attach_buffer__ mpi_session_attach_buffer MPI_SESSION_ATTACH_BUFFER pmpi_session_attach_buffer_ pmpi_session_attach_buffer__ pmpi_session_attach_buffer PMPI_SESSION_ATTACH_BUFFER);
exports_f08!(session_attach_buffer_f08ts: mpi_session_attach_buffer_f08ts_ pmpir_session_attach_buffer_f08ts_; session_attach_buffer: mpi_session_attach_buffer_f08_ pmpi_session_attach_buffer_f08_);

procedure! {
    session_attach_buffer_c(session: *mut Fint, buffer: *mut c_void, size: *mut i64,
        ierror: *mut Fint);
    let code = c::PMPI_Session_attach_buffer_c(handle::<SESSION>(session), places::buffer(buffer),
        *size);
    finish(ierror, code);
}
with_sections! {
    session_attach_buffer_c_f08ts(session: *mut Fint, buffer: *const Descriptor, size: *mut i64,
        ierror: *mut Fint) by session_attach_buffer_c(buffer);
    let buffer_c = or_refuse!(Contiguous::Memory.address(buffer, "MPI_Session_attach_buffer_c"),
        Owner::Process, ierror);
    session_attach_buffer_c(session, buffer_c, size, ierror);
}
exports_large!(session_attach_buffer_c_f08ts: mpi_session_attach_buffer_c_f08ts_ pmpir_session_attach_buffer_c_f08ts_; mpi_session_attach_buffer_f08ts_large_ pmpir_session_attach_buffer_f08ts_large_);

procedure! {
    ssend(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Ssend(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest, *tag,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    ssend_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by ssend(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::Comm(comm), ierror);
    ssend(buf_c.address(), count, datatype, dest, tag, comm, ierror);
}
exports!(ssend: mpi_ssend_ mpi_ssend__ mpi_ssend MPI_SSEND pmpi_ssend_ pmpi_ssend__ pmpi_ssend PMPI_SSEND);
exports_f08!(ssend_f08ts: mpi_ssend_f08ts_ pmpir_ssend_f08ts_; ssend: mpi_ssend_f08_ pmpi_ssend_f08_);

procedure! {
    ssend_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Ssend_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    ssend_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by ssend_c(buf);
    let mut buf_c = or_refuse!(Copied::new(buf, false), Owner::Comm(comm), ierror);
    ssend_c(buf_c.address(), count, datatype, dest, tag, comm, ierror);
}
exports_large!(ssend_c_f08ts: mpi_ssend_c_f08ts_ pmpir_ssend_c_f08ts_; mpi_ssend_f08ts_large_ pmpir_ssend_f08ts_large_);

procedure! {
    ssend_init(buf: *mut c_void, count: *mut c_int, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ssend_init(places::buffer(buf), *count, handle::<DATATYPE>(datatype), *dest,
        *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ssend_init_f08ts(buf: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ssend_init(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    ssend_init(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request, ierror);
}
exports!(ssend_init: mpi_ssend_init_ mpi_ssend_init__ mpi_ssend_init MPI_SSEND_INIT pmpi_ssend_init_ pmpi_ssend_init__ pmpi_ssend_init PMPI_SSEND_INIT);
exports_f08!(ssend_init_f08ts: mpi_ssend_init_f08ts_ pmpir_ssend_init_f08ts_; ssend_init: mpi_ssend_init_f08_ pmpi_ssend_init_f08_);

procedure! {
    ssend_init_c(buf: *mut c_void, count: *mut i64, datatype: *mut Fint, dest: *mut c_int,
        tag: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ssend_init_c(places::buffer(buf), *count, handle::<DATATYPE>(datatype),
        *dest, *tag, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ssend_init_c_f08ts(buf: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        dest: *mut c_int, tag: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ssend_init_c(buf);
    let mut buf_c = or_refuse!(Typed::new(buf, count, datatype), Owner::Comm(comm), ierror);
    ssend_init_c(buf_c.address(), buf_c.count(), buf_c.datatype(), dest, tag, comm, request,
        ierror);
}
exports_large!(ssend_init_c_f08ts: mpi_ssend_init_c_f08ts_ pmpir_ssend_init_c_f08ts_; mpi_ssend_init_f08ts_large_ pmpir_ssend_init_f08ts_large_);
