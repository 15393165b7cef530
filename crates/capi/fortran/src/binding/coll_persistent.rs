// generated from api/ by cargo xtask generate; do not edit
//! The procedures: coll_persistent.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    allgather_init(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Allgather_init(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    allgather_init_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint) by allgather_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    allgather_init(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, info, request, ierror);
}
exports!(allgather_init: mpi_allgather_init_ mpi_allgather_init__ mpi_allgather_init MPI_ALLGATHER_INIT pmpi_allgather_init_ pmpi_allgather_init__ pmpi_allgather_init PMPI_ALLGATHER_INIT);
exports_f08!(allgather_init_f08ts: mpi_allgather_init_f08ts_ pmpir_allgather_init_f08ts_; allgather_init: mpi_allgather_init_f08_ pmpi_allgather_init_f08_);

procedure! {
    allgather_init_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Allgather_init_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    allgather_init_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint) by allgather_init_c(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    allgather_init_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, info, request, ierror);
}
exports_large!(allgather_init_c_f08ts: mpi_allgather_init_c_f08ts_ pmpir_allgather_init_c_f08ts_; mpi_allgather_init_f08ts_large_ pmpir_allgather_init_f08ts_large_);

procedure! {
    allgatherv_init(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Allgatherv_init(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    allgatherv_init_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by allgatherv_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    allgatherv_init(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvcounts, displs, recvtype, comm, info, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports!(allgatherv_init: mpi_allgatherv_init_ mpi_allgatherv_init__ mpi_allgatherv_init MPI_ALLGATHERV_INIT pmpi_allgatherv_init_ pmpi_allgatherv_init__ pmpi_allgatherv_init PMPI_ALLGATHERV_INIT);
exports_f08!(allgatherv_init_f08ts: mpi_allgatherv_init_f08ts_ pmpir_allgatherv_init_f08ts_; allgatherv_init: mpi_allgatherv_init_f08_ pmpi_allgatherv_init_f08_);

procedure! {
    allgatherv_init_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Allgatherv_init_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    allgatherv_init_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by allgatherv_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    allgatherv_init_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvcounts, displs, recvtype, comm, info, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports_large!(allgatherv_init_c_f08ts: mpi_allgatherv_init_c_f08ts_ pmpir_allgatherv_init_c_f08ts_; mpi_allgatherv_init_f08ts_large_ pmpir_allgatherv_init_f08ts_large_);

procedure! {
    allreduce_init(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Allreduce_init(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    allreduce_init_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by allreduce_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    allreduce_init(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, info,
        request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(allreduce_init: mpi_allreduce_init_ mpi_allreduce_init__ mpi_allreduce_init MPI_ALLREDUCE_INIT pmpi_allreduce_init_ pmpi_allreduce_init__ pmpi_allreduce_init PMPI_ALLREDUCE_INIT);
exports_f08!(allreduce_init_f08ts: mpi_allreduce_init_f08ts_ pmpir_allreduce_init_f08ts_; allreduce_init: mpi_allreduce_init_f08_ pmpi_allreduce_init_f08_);

procedure! {
    allreduce_init_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Allreduce_init_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    allreduce_init_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by allreduce_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    allreduce_init_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, info,
        request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(allreduce_init_c_f08ts: mpi_allreduce_init_c_f08ts_ pmpir_allreduce_init_c_f08ts_; mpi_allreduce_init_f08ts_large_ pmpir_allreduce_init_f08ts_large_);

procedure! {
    alltoall_init(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Alltoall_init(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    alltoall_init_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint) by alltoall_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    alltoall_init(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), comm, info, request, ierror);
}
exports!(alltoall_init: mpi_alltoall_init_ mpi_alltoall_init__ mpi_alltoall_init MPI_ALLTOALL_INIT pmpi_alltoall_init_ pmpi_alltoall_init__ pmpi_alltoall_init PMPI_ALLTOALL_INIT);
exports_f08!(alltoall_init_f08ts: mpi_alltoall_init_f08ts_ pmpir_alltoall_init_f08ts_; alltoall_init: mpi_alltoall_init_f08_ pmpi_alltoall_init_f08_);

procedure! {
    alltoall_init_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Alltoall_init_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    alltoall_init_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint) by alltoall_init_c(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    alltoall_init_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, info, request, ierror);
}
exports_large!(alltoall_init_c_f08ts: mpi_alltoall_init_c_f08ts_ pmpir_alltoall_init_c_f08ts_; mpi_alltoall_init_f08ts_large_ pmpir_alltoall_init_f08ts_large_);

procedure! {
    alltoallv_init(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut c_int,
        recvtype: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Alltoallv_init(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    alltoallv_init_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut c_int,
        rdispls: *mut c_int, recvtype: *mut Fint, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by alltoallv_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoallv_init(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(),
        recvcounts, rdispls, recvtype, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(alltoallv_init: mpi_alltoallv_init_ mpi_alltoallv_init__ mpi_alltoallv_init MPI_ALLTOALLV_INIT pmpi_alltoallv_init_ pmpi_alltoallv_init__ pmpi_alltoallv_init PMPI_ALLTOALLV_INIT);
exports_f08!(alltoallv_init_f08ts: mpi_alltoallv_init_f08ts_ pmpir_alltoallv_init_f08ts_; alltoallv_init: mpi_alltoallv_init_f08_ pmpi_alltoallv_init_f08_);

procedure! {
    alltoallv_init_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Alltoallv_init_c(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    alltoallv_init_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64, sdispls: *mut isize,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64, rdispls: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by alltoallv_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoallv_init_c(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(),
        recvcounts, rdispls, recvtype, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(alltoallv_init_c_f08ts: mpi_alltoallv_init_c_f08ts_ pmpir_alltoallv_init_c_f08ts_; mpi_alltoallv_init_f08ts_large_ pmpir_alltoallv_init_f08ts_large_);

procedure! {
    alltoallw_init(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut c_int,
        recvtypes: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, members(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, members(comm));
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Alltoallw_init(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    alltoallw_init_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtypes: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut c_int,
        rdispls: *mut c_int, recvtypes: *mut Fint, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by alltoallw_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoallw_init(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(),
        recvcounts, rdispls, recvtypes, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(alltoallw_init: mpi_alltoallw_init_ mpi_alltoallw_init__ mpi_alltoallw_init MPI_ALLTOALLW_INIT pmpi_alltoallw_init_ pmpi_alltoallw_init__ pmpi_alltoallw_init PMPI_ALLTOALLW_INIT);
exports_f08!(alltoallw_init_f08ts: mpi_alltoallw_init_f08ts_ pmpir_alltoallw_init_f08ts_; alltoallw_init: mpi_alltoallw_init_f08_ pmpi_alltoallw_init_f08_);

procedure! {
    alltoallw_init_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, members(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, members(comm));
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Alltoallw_init_c(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    alltoallw_init_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by alltoallw_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoallw_init_c(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(),
        recvcounts, rdispls, recvtypes, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(alltoallw_init_c_f08ts: mpi_alltoallw_init_c_f08ts_ pmpir_alltoallw_init_c_f08ts_; mpi_alltoallw_init_f08ts_large_ pmpir_alltoallw_init_f08ts_large_);

procedure! {
    barrier_init(comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Barrier_init(handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
exports!(barrier_init: mpi_barrier_init_ mpi_barrier_init__ mpi_barrier_init MPI_BARRIER_INIT pmpi_barrier_init_ pmpi_barrier_init__ pmpi_barrier_init PMPI_BARRIER_INIT);
exports_f08!(barrier_init: mpi_barrier_init_f08_ pmpir_barrier_init_f08_; barrier_init: mpi_barrier_init_f08_ pmpi_barrier_init_f08_);

procedure! {
    bcast_init(buffer: *mut c_void, count: *mut c_int, datatype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Bcast_init(places::buffer(buffer), *count, handle::<DATATYPE>(datatype),
        *root, handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    bcast_init_f08ts(buffer: *const Descriptor, count: *mut c_int, datatype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by bcast_init(buffer);
    let mut buffer_c = or_refuse!(Typed::new(buffer, count, datatype), Owner::Comm(comm), ierror);
    bcast_init(buffer_c.address(), buffer_c.count(), buffer_c.datatype(), root, comm, info, request,
        ierror);
}
exports!(bcast_init: mpi_bcast_init_ mpi_bcast_init__ mpi_bcast_init MPI_BCAST_INIT pmpi_bcast_init_ pmpi_bcast_init__ pmpi_bcast_init PMPI_BCAST_INIT);
exports_f08!(bcast_init_f08ts: mpi_bcast_init_f08ts_ pmpir_bcast_init_f08ts_; bcast_init: mpi_bcast_init_f08_ pmpi_bcast_init_f08_);

procedure! {
    bcast_init_c(buffer: *mut c_void, count: *mut i64, datatype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Bcast_init_c(places::buffer(buffer), *count, handle::<DATATYPE>(datatype),
        *root, handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    bcast_init_c_f08ts(buffer: *const Descriptor, count: *mut i64, datatype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by bcast_init_c(buffer);
    let mut buffer_c = or_refuse!(Typed::new(buffer, count, datatype), Owner::Comm(comm), ierror);
    bcast_init_c(buffer_c.address(), buffer_c.count(), buffer_c.datatype(), root, comm, info,
        request, ierror);
}
exports_large!(bcast_init_c_f08ts: mpi_bcast_init_c_f08ts_ pmpir_bcast_init_c_f08ts_; mpi_bcast_init_f08ts_large_ pmpir_bcast_init_f08ts_large_);

procedure! {
    exscan_init(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Exscan_init(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    exscan_init_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by exscan_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    exscan_init(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, info, request,
        ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(exscan_init: mpi_exscan_init_ mpi_exscan_init__ mpi_exscan_init MPI_EXSCAN_INIT pmpi_exscan_init_ pmpi_exscan_init__ pmpi_exscan_init PMPI_EXSCAN_INIT);
exports_f08!(exscan_init_f08ts: mpi_exscan_init_f08ts_ pmpir_exscan_init_f08ts_; exscan_init: mpi_exscan_init_f08_ pmpi_exscan_init_f08_);

procedure! {
    exscan_init_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Exscan_init_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    exscan_init_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by exscan_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    exscan_init_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, info,
        request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(exscan_init_c_f08ts: mpi_exscan_init_c_f08ts_ pmpir_exscan_init_c_f08ts_; mpi_exscan_init_f08ts_large_ pmpir_exscan_init_f08ts_large_);

procedure! {
    gather_init(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Gather_init(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    gather_init_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by gather_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    gather_init(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, info, request, ierror);
}
exports!(gather_init: mpi_gather_init_ mpi_gather_init__ mpi_gather_init MPI_GATHER_INIT pmpi_gather_init_ pmpi_gather_init__ pmpi_gather_init PMPI_GATHER_INIT);
exports_f08!(gather_init_f08ts: mpi_gather_init_f08ts_ pmpir_gather_init_f08ts_; gather_init: mpi_gather_init_f08_ pmpi_gather_init_f08_);

procedure! {
    gather_init_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Gather_init_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    gather_init_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by gather_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    gather_init_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, info, request, ierror);
}
exports_large!(gather_init_c_f08ts: mpi_gather_init_c_f08ts_ pmpir_gather_init_c_f08ts_; mpi_gather_init_f08ts_large_ pmpir_gather_init_f08ts_large_);

procedure! {
    gatherv_init(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Gatherv_init(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    gatherv_init_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by gatherv_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    gatherv_init(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvcounts, displs, recvtype, root, comm, info, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports!(gatherv_init: mpi_gatherv_init_ mpi_gatherv_init__ mpi_gatherv_init MPI_GATHERV_INIT pmpi_gatherv_init_ pmpi_gatherv_init__ pmpi_gatherv_init PMPI_GATHERV_INIT);
exports_f08!(gatherv_init_f08ts: mpi_gatherv_init_f08ts_ pmpir_gatherv_init_f08ts_; gatherv_init: mpi_gatherv_init_f08_ pmpi_gatherv_init_f08_);

procedure! {
    gatherv_init_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Gatherv_init_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    gatherv_init_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by gatherv_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    gatherv_init_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvcounts, displs, recvtype, root, comm, info, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports_large!(gatherv_init_c_f08ts: mpi_gatherv_init_c_f08ts_ pmpir_gatherv_init_c_f08ts_; mpi_gatherv_init_f08ts_large_ pmpir_gatherv_init_f08ts_large_);

procedure! {
    op_commutative(op: *mut Fint, commute: *mut c_int, ierror: *mut Fint);
    let mut commute_c = 0;
    let code = c::PMPI_Op_commutative(handle::<OP>(op), &mut commute_c);
    logical(commute, commute_c);
    finish(ierror, code);
}
exports!(op_commutative: mpi_op_commutative_ mpi_op_commutative__ mpi_op_commutative MPI_OP_COMMUTATIVE pmpi_op_commutative_ pmpi_op_commutative__ pmpi_op_commutative PMPI_OP_COMMUTATIVE);
exports_f08!(op_commutative: mpi_op_commutative_f08_ pmpir_op_commutative_f08_; op_commutative: mpi_op_commutative_f08_ pmpi_op_commutative_f08_);

procedure! {
    op_create(user_fn: *mut c_void, commute: *mut c_int, op: *mut Fint, ierror: *mut Fint);
    let mut op_c = handle::<OP>(op);
    let code = abi::op_create(user_fn, *commute, &mut op_c);
    give(op, op_c);
    finish(ierror, code);
}
exports!(op_create: mpi_op_create_ mpi_op_create__ mpi_op_create MPI_OP_CREATE pmpi_op_create_ pmpi_op_create__ pmpi_op_create PMPI_OP_CREATE);
exports_f08!(op_create: mpi_op_create_f08_ pmpir_op_create_f08_; op_create: mpi_op_create_f08_ pmpi_op_create_f08_);

procedure! {
    op_create_c(user_fn: *mut c_void, commute: *mut c_int, op: *mut Fint, ierror: *mut Fint);
    let mut op_c = handle::<OP>(op);
    let code = abi::op_create_c(user_fn, *commute, &mut op_c);
    give(op, op_c);
    finish(ierror, code);
}
exports_large!(op_create_c: mpi_op_create_c_f08_ pmpir_op_create_c_f08_; mpi_op_create_f08_large_ pmpir_op_create_f08_large_);

procedure! {
    op_free(op: *mut Fint, ierror: *mut Fint);
    let mut op_c = handle::<OP>(op);
    let code = c::PMPI_Op_free(&mut op_c);
    give(op, op_c);
    finish(ierror, code);
}
exports!(op_free: mpi_op_free_ mpi_op_free__ mpi_op_free MPI_OP_FREE pmpi_op_free_ pmpi_op_free__ pmpi_op_free PMPI_OP_FREE);
exports_f08!(op_free: mpi_op_free_f08_ pmpir_op_free_f08_; op_free: mpi_op_free_f08_ pmpi_op_free_f08_);

procedure! {
    reduce_init(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Reduce_init(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), *root, handle::<COMM>(comm),
        handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    reduce_init_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, root: *mut c_int, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by reduce_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_init(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, root, comm, info,
        request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(reduce_init: mpi_reduce_init_ mpi_reduce_init__ mpi_reduce_init MPI_REDUCE_INIT pmpi_reduce_init_ pmpi_reduce_init__ pmpi_reduce_init PMPI_REDUCE_INIT);
exports_f08!(reduce_init_f08ts: mpi_reduce_init_f08ts_ pmpir_reduce_init_f08ts_; reduce_init: mpi_reduce_init_f08_ pmpi_reduce_init_f08_);

procedure! {
    reduce_init_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Reduce_init_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), *root, handle::<COMM>(comm),
        handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    reduce_init_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, root: *mut c_int, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by reduce_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_init_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, root, comm, info,
        request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(reduce_init_c_f08ts: mpi_reduce_init_c_f08ts_ pmpir_reduce_init_c_f08ts_; mpi_reduce_init_f08ts_large_ pmpir_reduce_init_f08ts_large_);

procedure! {
    reduce_local(inbuf: *mut c_void, inoutbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Reduce_local(places::buffer(inbuf), places::buffer(inoutbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op));
    finish(ierror, code);
}
with_sections! {
    reduce_local_f08ts(inbuf: *const Descriptor, inoutbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, ierror: *mut Fint) by reduce_local(inbuf, inoutbuf);
    let mut inbuf_c = or_refuse!(Copied::new(inbuf, false), Owner::Process, ierror);
    let mut inoutbuf_c = or_refuse!(Copied::new(inoutbuf, true), Owner::Process, ierror);
    reduce_local(inbuf_c.address(), inoutbuf_c.address(), count, datatype, op, ierror);
}
exports!(reduce_local: mpi_reduce_local_ mpi_reduce_local__ mpi_reduce_local MPI_REDUCE_LOCAL pmpi_reduce_local_ pmpi_reduce_local__ pmpi_reduce_local PMPI_REDUCE_LOCAL);
exports_f08!(reduce_local_f08ts: mpi_reduce_local_f08ts_ pmpir_reduce_local_f08ts_; reduce_local: mpi_reduce_local_f08_ pmpi_reduce_local_f08_);

procedure! {
    reduce_local_c(inbuf: *mut c_void, inoutbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Reduce_local_c(places::buffer(inbuf), places::buffer(inoutbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op));
    finish(ierror, code);
}
with_sections! {
    reduce_local_c_f08ts(inbuf: *const Descriptor, inoutbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, ierror: *mut Fint) by reduce_local_c(inbuf, inoutbuf);
    let mut inbuf_c = or_refuse!(Copied::new(inbuf, false), Owner::Process, ierror);
    let mut inoutbuf_c = or_refuse!(Copied::new(inoutbuf, true), Owner::Process, ierror);
    reduce_local_c(inbuf_c.address(), inoutbuf_c.address(), count, datatype, op, ierror);
}
exports_large!(reduce_local_c_f08ts: mpi_reduce_local_c_f08ts_ pmpir_reduce_local_c_f08ts_; mpi_reduce_local_f08ts_large_ pmpir_reduce_local_f08ts_large_);

procedure! {
    reduce_scatter_block_init(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Reduce_scatter_block_init(places::buffer(sendbuf), places::buffer(recvbuf),
        *recvcount, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm),
        handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    reduce_scatter_block_init_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcount: *mut c_int, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by reduce_scatter_block_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_scatter_block_init(sendbuf_c.address(), recvbuf_c.address(), recvcount, datatype, op,
        comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(reduce_scatter_block_init: mpi_reduce_scatter_block_init_ mpi_reduce_scatter_block_init__ mpi_reduce_scatter_block_init MPI_REDUCE_SCATTER_BLOCK_INIT pmpi_reduce_scatter_block_init_ pmpi_reduce_scatter_block_init__ pmpi_reduce_scatter_block_init PMPI_REDUCE_SCATTER_BLOCK_INIT);
exports_f08!(reduce_scatter_block_init_f08ts: mpi_reduce_scatter_block_init_f08ts_ pmpir_reduce_scatter_block_init_f08ts_; reduce_scatter_block_init: mpi_reduce_scatter_block_init_f08_ pmpi_reduce_scatter_block_init_f08_);

procedure! {
    reduce_scatter_block_init_c(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Reduce_scatter_block_init_c(places::buffer(sendbuf), places::buffer(recvbuf),
        *recvcount, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm),
        handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    reduce_scatter_block_init_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcount: *mut i64, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by reduce_scatter_block_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_scatter_block_init_c(sendbuf_c.address(), recvbuf_c.address(), recvcount, datatype, op,
        comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(reduce_scatter_block_init_c_f08ts: mpi_reduce_scatter_block_init_c_f08ts_ pmpir_reduce_scatter_block_init_c_f08ts_; mpi_reduce_scatter_block_init_f08ts_large_ pmpir_reduce_scatter_block_init_f08ts_large_);

procedure! {
    reduce_scatter_init(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Reduce_scatter_init(places::buffer(sendbuf), places::buffer(recvbuf),
        recvcounts, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm),
        handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    reduce_scatter_init_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcounts: *mut c_int, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint) by reduce_scatter_init(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_scatter_init(sendbuf_c.address(), recvbuf_c.address(), recvcounts, datatype, op, comm,
        info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(reduce_scatter_init: mpi_reduce_scatter_init_ mpi_reduce_scatter_init__ mpi_reduce_scatter_init MPI_REDUCE_SCATTER_INIT pmpi_reduce_scatter_init_ pmpi_reduce_scatter_init__ pmpi_reduce_scatter_init PMPI_REDUCE_SCATTER_INIT);
exports_f08!(reduce_scatter_init_f08ts: mpi_reduce_scatter_init_f08ts_ pmpir_reduce_scatter_init_f08ts_; reduce_scatter_init: mpi_reduce_scatter_init_f08_ pmpi_reduce_scatter_init_f08_);

procedure! {
    reduce_scatter_init_c(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Reduce_scatter_init_c(places::buffer(sendbuf), places::buffer(recvbuf),
        recvcounts, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm),
        handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    reduce_scatter_init_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcounts: *mut i64, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by reduce_scatter_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_scatter_init_c(sendbuf_c.address(), recvbuf_c.address(), recvcounts, datatype, op, comm,
        info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(reduce_scatter_init_c_f08ts: mpi_reduce_scatter_init_c_f08ts_ pmpir_reduce_scatter_init_c_f08ts_; mpi_reduce_scatter_init_f08ts_large_ pmpir_reduce_scatter_init_f08ts_large_);

procedure! {
    scan_init(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Scan_init(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    scan_init_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by scan_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    scan_init(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, info, request,
        ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(scan_init: mpi_scan_init_ mpi_scan_init__ mpi_scan_init MPI_SCAN_INIT pmpi_scan_init_ pmpi_scan_init__ pmpi_scan_init PMPI_SCAN_INIT);
exports_f08!(scan_init_f08ts: mpi_scan_init_f08ts_ pmpir_scan_init_f08ts_; scan_init: mpi_scan_init_f08_ pmpi_scan_init_f08_);

procedure! {
    scan_init_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Scan_init_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    scan_init_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by scan_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    scan_init_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, info, request,
        ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(scan_init_c_f08ts: mpi_scan_init_c_f08ts_ pmpir_scan_init_c_f08ts_; mpi_scan_init_f08ts_large_ pmpir_scan_init_f08ts_large_);

procedure! {
    scatter_init(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Scatter_init(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    scatter_init_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by scatter_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    scatter_init(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(), recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, info, request, ierror);
}
exports!(scatter_init: mpi_scatter_init_ mpi_scatter_init__ mpi_scatter_init MPI_SCATTER_INIT pmpi_scatter_init_ pmpi_scatter_init__ pmpi_scatter_init PMPI_SCATTER_INIT);
exports_f08!(scatter_init_f08ts: mpi_scatter_init_f08ts_ pmpir_scatter_init_f08ts_; scatter_init: mpi_scatter_init_f08_ pmpi_scatter_init_f08_);

procedure! {
    scatter_init_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Scatter_init_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    scatter_init_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by scatter_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    scatter_init_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), root, comm, info, request,
        ierror);
}
exports_large!(scatter_init_c_f08ts: mpi_scatter_init_c_f08ts_ pmpir_scatter_init_c_f08ts_; mpi_scatter_init_f08ts_large_ pmpir_scatter_init_f08ts_large_);

procedure! {
    scatterv_init(sendbuf: *mut c_void, sendcounts: *mut c_int, displs: *mut c_int,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Scatterv_init(places::buffer(sendbuf), sendcounts, displs,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    scatterv_init_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int, displs: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by scatterv_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    scatterv_init(sendbuf_c.address(), sendcounts, displs, sendtype, recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c], ierror);
}
exports!(scatterv_init: mpi_scatterv_init_ mpi_scatterv_init__ mpi_scatterv_init MPI_SCATTERV_INIT pmpi_scatterv_init_ pmpi_scatterv_init__ pmpi_scatterv_init PMPI_SCATTERV_INIT);
exports_f08!(scatterv_init_f08ts: mpi_scatterv_init_f08ts_ pmpir_scatterv_init_f08ts_; scatterv_init: mpi_scatterv_init_f08_ pmpi_scatterv_init_f08_);

procedure! {
    scatterv_init_c(sendbuf: *mut c_void, sendcounts: *mut i64, displs: *mut isize,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Scatterv_init_c(places::buffer(sendbuf), sendcounts, displs,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm), handle::<INFO>(info),
        &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    scatterv_init_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64, displs: *mut isize,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by scatterv_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    scatterv_init_c(sendbuf_c.address(), sendcounts, displs, sendtype, recvbuf_c.address(),
        recvbuf_c.count(), recvbuf_c.datatype(), root, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c], ierror);
}
exports_large!(scatterv_init_c_f08ts: mpi_scatterv_init_c_f08ts_ pmpir_scatterv_init_c_f08ts_; mpi_scatterv_init_f08ts_large_ pmpir_scatterv_init_f08ts_large_);

procedure! {
    type_get_value_index(value_type: *mut Fint, index_type: *mut Fint, pair_type: *mut Fint,
        ierror: *mut Fint);
    let mut pair_type_c = handle::<DATATYPE>(pair_type);
    let code = c::PMPI_Type_get_value_index(handle::<DATATYPE>(value_type),
        handle::<DATATYPE>(index_type), &mut pair_type_c);
    give(pair_type, pair_type_c);
    finish(ierror, code);
}
exports!(type_get_value_index: mpi_type_get_value_index_ mpi_type_get_value_index__ mpi_type_get_value_index MPI_TYPE_GET_VALUE_INDEX pmpi_type_get_value_index_ pmpi_type_get_value_index__ pmpi_type_get_value_index PMPI_TYPE_GET_VALUE_INDEX);
exports_f08!(type_get_value_index: mpi_type_get_value_index_f08_ pmpir_type_get_value_index_f08_; type_get_value_index: mpi_type_get_value_index_f08_ pmpi_type_get_value_index_f08_);
