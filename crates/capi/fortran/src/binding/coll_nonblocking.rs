// generated from api/ by cargo xtask generate; do not edit
//! The procedures: coll_nonblocking.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    iallgather(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iallgather(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), handle::<COMM>(comm),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iallgather_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by iallgather(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    iallgather(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), comm, request, ierror);
}
exports!(iallgather: mpi_iallgather_ mpi_iallgather__ mpi_iallgather MPI_IALLGATHER pmpi_iallgather_ pmpi_iallgather__ pmpi_iallgather PMPI_IALLGATHER);
exports_f08!(iallgather_f08ts: mpi_iallgather_f08ts_ pmpir_iallgather_f08ts_; iallgather: mpi_iallgather_f08_ pmpi_iallgather_f08_);

procedure! {
    iallgather_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iallgather_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iallgather_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by iallgather_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    iallgather_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), comm, request, ierror);
}
exports_large!(iallgather_c_f08ts: mpi_iallgather_c_f08ts_ pmpir_iallgather_c_f08ts_; mpi_iallgather_f08ts_large_ pmpir_iallgather_f08ts_large_);

procedure! {
    iallgatherv(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iallgatherv(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iallgatherv_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by iallgatherv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    iallgatherv(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvcounts, displs, recvtype, comm, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports!(iallgatherv: mpi_iallgatherv_ mpi_iallgatherv__ mpi_iallgatherv MPI_IALLGATHERV pmpi_iallgatherv_ pmpi_iallgatherv__ pmpi_iallgatherv PMPI_IALLGATHERV);
exports_f08!(iallgatherv_f08ts: mpi_iallgatherv_f08ts_ pmpir_iallgatherv_f08ts_; iallgatherv: mpi_iallgatherv_f08_ pmpi_iallgatherv_f08_);

procedure! {
    iallgatherv_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iallgatherv_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iallgatherv_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by iallgatherv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    iallgatherv_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvcounts, displs, recvtype, comm, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports_large!(iallgatherv_c_f08ts: mpi_iallgatherv_c_f08ts_ pmpir_iallgatherv_c_f08ts_; mpi_iallgatherv_f08ts_large_ pmpir_iallgatherv_f08ts_large_);

procedure! {
    iallreduce(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iallreduce(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iallreduce_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by iallreduce(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    iallreduce(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, request,
        ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(iallreduce: mpi_iallreduce_ mpi_iallreduce__ mpi_iallreduce MPI_IALLREDUCE pmpi_iallreduce_ pmpi_iallreduce__ pmpi_iallreduce PMPI_IALLREDUCE);
exports_f08!(iallreduce_f08ts: mpi_iallreduce_f08ts_ pmpir_iallreduce_f08ts_; iallreduce: mpi_iallreduce_f08_ pmpi_iallreduce_f08_);

procedure! {
    iallreduce_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iallreduce_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iallreduce_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by iallreduce_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    iallreduce_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, request,
        ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(iallreduce_c_f08ts: mpi_iallreduce_c_f08ts_ pmpir_iallreduce_c_f08ts_; mpi_iallreduce_f08ts_large_ pmpir_iallreduce_f08ts_large_);

procedure! {
    ialltoall(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ialltoall(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), handle::<COMM>(comm),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ialltoall_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ialltoall(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    ialltoall(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), comm, request, ierror);
}
exports!(ialltoall: mpi_ialltoall_ mpi_ialltoall__ mpi_ialltoall MPI_IALLTOALL pmpi_ialltoall_ pmpi_ialltoall__ pmpi_ialltoall PMPI_IALLTOALL);
exports_f08!(ialltoall_f08ts: mpi_ialltoall_f08ts_ pmpir_ialltoall_f08ts_; ialltoall: mpi_ialltoall_f08_ pmpi_ialltoall_f08_);

procedure! {
    ialltoall_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ialltoall_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ialltoall_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ialltoall_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    ialltoall_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), comm, request, ierror);
}
exports_large!(ialltoall_c_f08ts: mpi_ialltoall_c_f08ts_ pmpir_ialltoall_c_f08ts_; mpi_ialltoall_f08ts_large_ pmpir_ialltoall_f08ts_large_);

procedure! {
    ialltoallv(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut c_int,
        recvtype: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ialltoallv(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ialltoallv_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut c_int,
        rdispls: *mut c_int, recvtype: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ialltoallv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ialltoallv(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(), recvcounts,
        rdispls, recvtype, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(ialltoallv: mpi_ialltoallv_ mpi_ialltoallv__ mpi_ialltoallv MPI_IALLTOALLV pmpi_ialltoallv_ pmpi_ialltoallv__ pmpi_ialltoallv PMPI_IALLTOALLV);
exports_f08!(ialltoallv_f08ts: mpi_ialltoallv_f08ts_ pmpir_ialltoallv_f08ts_; ialltoallv: mpi_ialltoallv_f08_ pmpi_ialltoallv_f08_);

procedure! {
    ialltoallv_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ialltoallv_c(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ialltoallv_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64, sdispls: *mut isize,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64, rdispls: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ialltoallv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ialltoallv_c(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(),
        recvcounts, rdispls, recvtype, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(ialltoallv_c_f08ts: mpi_ialltoallv_c_f08ts_ pmpir_ialltoallv_c_f08ts_; mpi_ialltoallv_f08ts_large_ pmpir_ialltoallv_f08ts_large_);

procedure! {
    ialltoallw(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut c_int,
        recvtypes: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, members(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, members(comm));
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ialltoallw(places::buffer(sendbuf), sendcounts, sdispls, sendtypes_c.place(),
        places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(), handle::<COMM>(comm),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ialltoallw_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtypes: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut c_int,
        rdispls: *mut c_int, recvtypes: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ialltoallw(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ialltoallw(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(), recvcounts,
        rdispls, recvtypes, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(ialltoallw: mpi_ialltoallw_ mpi_ialltoallw__ mpi_ialltoallw MPI_IALLTOALLW pmpi_ialltoallw_ pmpi_ialltoallw__ pmpi_ialltoallw PMPI_IALLTOALLW);
exports_f08!(ialltoallw_f08ts: mpi_ialltoallw_f08ts_ pmpir_ialltoallw_f08ts_; ialltoallw: mpi_ialltoallw_f08_ pmpi_ialltoallw_f08_);

procedure! {
    ialltoallw_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, members(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, members(comm));
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ialltoallw_c(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ialltoallw_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ialltoallw_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ialltoallw_c(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(),
        recvcounts, rdispls, recvtypes, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(ialltoallw_c_f08ts: mpi_ialltoallw_c_f08ts_ pmpir_ialltoallw_c_f08ts_; mpi_ialltoallw_f08ts_large_ pmpir_ialltoallw_f08ts_large_);

procedure! {
    ibarrier(comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ibarrier(handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
exports!(ibarrier: mpi_ibarrier_ mpi_ibarrier__ mpi_ibarrier MPI_IBARRIER pmpi_ibarrier_ pmpi_ibarrier__ pmpi_ibarrier PMPI_IBARRIER);
exports_f08!(ibarrier: mpi_ibarrier_f08_ pmpir_ibarrier_f08_; ibarrier: mpi_ibarrier_f08_ pmpi_ibarrier_f08_);

procedure! {
    ibcast(buffer: *mut c_void, count: *mut c_int, datatype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ibcast(places::buffer(buffer), *count, handle::<DATATYPE>(datatype), *root,
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ibcast_f08ts(buffer: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by ibcast(buffer);
    let mut buffer_c = or_refuse!(Typed::new(buffer, count, datatype), Owner::Comm(comm), ierror);
    ibcast(buffer_c.address(), buffer_c.count(), buffer_c.datatype(), root, comm, request, ierror);
}
exports!(ibcast: mpi_ibcast_ mpi_ibcast__ mpi_ibcast MPI_IBCAST pmpi_ibcast_ pmpi_ibcast__ pmpi_ibcast PMPI_IBCAST);
exports_f08!(ibcast_f08ts: mpi_ibcast_f08ts_ pmpir_ibcast_f08ts_; ibcast: mpi_ibcast_f08_ pmpi_ibcast_f08_);

procedure! {
    ibcast_c(buffer: *mut c_void, count: *mut i64, datatype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ibcast_c(places::buffer(buffer), *count, handle::<DATATYPE>(datatype), *root,
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ibcast_c_f08ts(buffer: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ibcast_c(buffer);
    let mut buffer_c = or_refuse!(Typed::new(buffer, count, datatype), Owner::Comm(comm), ierror);
    ibcast_c(buffer_c.address(), buffer_c.count(), buffer_c.datatype(), root, comm, request,
        ierror);
}
exports_large!(ibcast_c_f08ts: mpi_ibcast_c_f08ts_ pmpir_ibcast_c_f08ts_; mpi_ibcast_f08ts_large_ pmpir_ibcast_f08ts_large_);

procedure! {
    iexscan(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iexscan(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iexscan_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by iexscan(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    iexscan(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(iexscan: mpi_iexscan_ mpi_iexscan__ mpi_iexscan MPI_IEXSCAN pmpi_iexscan_ pmpi_iexscan__ pmpi_iexscan PMPI_IEXSCAN);
exports_f08!(iexscan_f08ts: mpi_iexscan_f08ts_ pmpir_iexscan_f08ts_; iexscan: mpi_iexscan_f08_ pmpi_iexscan_f08_);

procedure! {
    iexscan_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iexscan_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iexscan_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by iexscan_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    iexscan_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(iexscan_c_f08ts: mpi_iexscan_c_f08ts_ pmpir_iexscan_c_f08ts_; mpi_iexscan_f08ts_large_ pmpir_iexscan_f08ts_large_);

procedure! {
    igather(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Igather(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    igather_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by igather(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    igather(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, request, ierror);
}
exports!(igather: mpi_igather_ mpi_igather__ mpi_igather MPI_IGATHER pmpi_igather_ pmpi_igather__ pmpi_igather PMPI_IGATHER);
exports_f08!(igather_f08ts: mpi_igather_f08ts_ pmpir_igather_f08ts_; igather: mpi_igather_f08_ pmpi_igather_f08_);

procedure! {
    igather_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Igather_c(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    igather_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by igather_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    igather_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, request, ierror);
}
exports_large!(igather_c_f08ts: mpi_igather_c_f08ts_ pmpir_igather_c_f08ts_; mpi_igather_f08ts_large_ pmpir_igather_f08ts_large_);

procedure! {
    igatherv(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Igatherv(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), recvcounts, displs, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    igatherv_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by igatherv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    igatherv(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvcounts, displs, recvtype, root, comm, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports!(igatherv: mpi_igatherv_ mpi_igatherv__ mpi_igatherv MPI_IGATHERV pmpi_igatherv_ pmpi_igatherv__ pmpi_igatherv PMPI_IGATHERV);
exports_f08!(igatherv_f08ts: mpi_igatherv_f08ts_ pmpir_igatherv_f08ts_; igatherv: mpi_igatherv_f08_ pmpi_igatherv_f08_);

procedure! {
    igatherv_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Igatherv_c(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), recvcounts, displs, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    igatherv_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by igatherv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    igatherv_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvcounts, displs, recvtype, root, comm, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports_large!(igatherv_c_f08ts: mpi_igatherv_c_f08ts_ pmpir_igatherv_c_f08ts_; mpi_igatherv_f08ts_large_ pmpir_igatherv_f08ts_large_);

procedure! {
    ireduce(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, root: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ireduce(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), *root, handle::<COMM>(comm),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ireduce_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, root: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ireduce(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ireduce(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, root, comm, request,
        ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(ireduce: mpi_ireduce_ mpi_ireduce__ mpi_ireduce MPI_IREDUCE pmpi_ireduce_ pmpi_ireduce__ pmpi_ireduce PMPI_IREDUCE);
exports_f08!(ireduce_f08ts: mpi_ireduce_f08ts_ pmpir_ireduce_f08ts_; ireduce: mpi_ireduce_f08_ pmpi_ireduce_f08_);

procedure! {
    ireduce_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, root: *mut c_int, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ireduce_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), *root, handle::<COMM>(comm),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ireduce_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, root: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ireduce_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ireduce_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, root, comm, request,
        ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(ireduce_c_f08ts: mpi_ireduce_c_f08ts_ pmpir_ireduce_c_f08ts_; mpi_ireduce_f08ts_large_ pmpir_ireduce_f08ts_large_);

procedure! {
    ireduce_scatter(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ireduce_scatter(places::buffer(sendbuf), places::buffer(recvbuf), recvcounts,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ireduce_scatter_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcounts: *mut c_int, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ireduce_scatter(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ireduce_scatter(sendbuf_c.address(), recvbuf_c.address(), recvcounts, datatype, op, comm,
        request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(ireduce_scatter: mpi_ireduce_scatter_ mpi_ireduce_scatter__ mpi_ireduce_scatter MPI_IREDUCE_SCATTER pmpi_ireduce_scatter_ pmpi_ireduce_scatter__ pmpi_ireduce_scatter PMPI_IREDUCE_SCATTER);
exports_f08!(ireduce_scatter_f08ts: mpi_ireduce_scatter_f08ts_ pmpir_ireduce_scatter_f08ts_; ireduce_scatter: mpi_ireduce_scatter_f08_ pmpi_ireduce_scatter_f08_);

procedure! {
    ireduce_scatter_block(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ireduce_scatter_block(places::buffer(sendbuf), places::buffer(recvbuf),
        *recvcount, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ireduce_scatter_block_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcount: *mut c_int, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ireduce_scatter_block(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ireduce_scatter_block(sendbuf_c.address(), recvbuf_c.address(), recvcount, datatype, op, comm,
        request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(ireduce_scatter_block: mpi_ireduce_scatter_block_ mpi_ireduce_scatter_block__ mpi_ireduce_scatter_block MPI_IREDUCE_SCATTER_BLOCK pmpi_ireduce_scatter_block_ pmpi_ireduce_scatter_block__ pmpi_ireduce_scatter_block PMPI_IREDUCE_SCATTER_BLOCK);
exports_f08!(ireduce_scatter_block_f08ts: mpi_ireduce_scatter_block_f08ts_ pmpir_ireduce_scatter_block_f08ts_; ireduce_scatter_block: mpi_ireduce_scatter_block_f08_ pmpi_ireduce_scatter_block_f08_);

procedure! {
    ireduce_scatter_block_c(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ireduce_scatter_block_c(places::buffer(sendbuf), places::buffer(recvbuf),
        *recvcount, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ireduce_scatter_block_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcount: *mut i64, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ireduce_scatter_block_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ireduce_scatter_block_c(sendbuf_c.address(), recvbuf_c.address(), recvcount, datatype, op, comm,
        request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(ireduce_scatter_block_c_f08ts: mpi_ireduce_scatter_block_c_f08ts_ pmpir_ireduce_scatter_block_c_f08ts_; mpi_ireduce_scatter_block_f08ts_large_ pmpir_ireduce_scatter_block_f08ts_large_);

procedure! {
    ireduce_scatter_c(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ireduce_scatter_c(places::buffer(sendbuf), places::buffer(recvbuf),
        recvcounts, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ireduce_scatter_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcounts: *mut i64, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ireduce_scatter_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ireduce_scatter_c(sendbuf_c.address(), recvbuf_c.address(), recvcounts, datatype, op, comm,
        request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(ireduce_scatter_c_f08ts: mpi_ireduce_scatter_c_f08ts_ pmpir_ireduce_scatter_c_f08ts_; mpi_ireduce_scatter_f08ts_large_ pmpir_ireduce_scatter_f08ts_large_);

procedure! {
    iscan(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iscan(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iscan_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by iscan(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    iscan(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(iscan: mpi_iscan_ mpi_iscan__ mpi_iscan MPI_ISCAN pmpi_iscan_ pmpi_iscan__ pmpi_iscan PMPI_ISCAN);
exports_f08!(iscan_f08ts: mpi_iscan_f08ts_ pmpir_iscan_f08ts_; iscan: mpi_iscan_f08_ pmpi_iscan_f08_);

procedure! {
    iscan_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iscan_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iscan_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by iscan_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    iscan_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(iscan_c_f08ts: mpi_iscan_c_f08ts_ pmpir_iscan_c_f08ts_; mpi_iscan_f08ts_large_ pmpir_iscan_f08ts_large_);

procedure! {
    iscatter(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iscatter(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iscatter_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by iscatter(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    iscatter(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, request, ierror);
}
exports!(iscatter: mpi_iscatter_ mpi_iscatter__ mpi_iscatter MPI_ISCATTER pmpi_iscatter_ pmpi_iscatter__ pmpi_iscatter PMPI_ISCATTER);
exports_f08!(iscatter_f08ts: mpi_iscatter_f08ts_ pmpir_iscatter_f08ts_; iscatter: mpi_iscatter_f08_ pmpi_iscatter_f08_);

procedure! {
    iscatter_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iscatter_c(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iscatter_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by iscatter_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    iscatter_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, request, ierror);
}
exports_large!(iscatter_c_f08ts: mpi_iscatter_c_f08ts_ pmpir_iscatter_c_f08ts_; mpi_iscatter_f08ts_large_ pmpir_iscatter_f08ts_large_);

procedure! {
    iscatterv(sendbuf: *mut c_void, sendcounts: *mut c_int, displs: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iscatterv(places::buffer(sendbuf), sendcounts, displs,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iscatterv_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int, displs: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by iscatterv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    iscatterv(sendbuf_c.address(), sendcounts, displs, sendtype, recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, request, ierror);
    deferred::keep(request, [sendbuf_c], ierror);
}
exports!(iscatterv: mpi_iscatterv_ mpi_iscatterv__ mpi_iscatterv MPI_ISCATTERV pmpi_iscatterv_ pmpi_iscatterv__ pmpi_iscatterv PMPI_ISCATTERV);
exports_f08!(iscatterv_f08ts: mpi_iscatterv_f08ts_ pmpir_iscatterv_f08ts_; iscatterv: mpi_iscatterv_f08_ pmpi_iscatterv_f08_);

procedure! {
    iscatterv_c(sendbuf: *mut c_void, sendcounts: *mut i64, displs: *mut isize, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Iscatterv_c(places::buffer(sendbuf), sendcounts, displs,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    iscatterv_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64, displs: *mut isize,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by iscatterv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    iscatterv_c(sendbuf_c.address(), sendcounts, displs, sendtype, recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, request, ierror);
    deferred::keep(request, [sendbuf_c], ierror);
}
exports_large!(iscatterv_c_f08ts: mpi_iscatterv_c_f08ts_ pmpir_iscatterv_c_f08ts_; mpi_iscatterv_f08ts_large_ pmpir_iscatterv_f08ts_large_);
