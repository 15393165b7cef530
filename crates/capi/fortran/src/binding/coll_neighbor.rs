// generated from api/ by cargo xtask generate; do not edit
//! The procedures: coll_neighbor.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    ineighbor_allgather(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_allgather(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_allgather_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by ineighbor_allgather(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    ineighbor_allgather(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, request, ierror);
}
exports!(ineighbor_allgather: mpi_ineighbor_allgather_ mpi_ineighbor_allgather__ mpi_ineighbor_allgather MPI_INEIGHBOR_ALLGATHER pmpi_ineighbor_allgather_ pmpi_ineighbor_allgather__ pmpi_ineighbor_allgather PMPI_INEIGHBOR_ALLGATHER);
exports_f08!(ineighbor_allgather_f08ts: mpi_ineighbor_allgather_f08ts_ pmpir_ineighbor_allgather_f08ts_; ineighbor_allgather: mpi_ineighbor_allgather_f08_ pmpi_ineighbor_allgather_f08_);

procedure! {
    ineighbor_allgather_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_allgather_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_allgather_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint) by ineighbor_allgather_c(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    ineighbor_allgather_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, request, ierror);
}
exports_large!(ineighbor_allgather_c_f08ts: mpi_ineighbor_allgather_c_f08ts_ pmpir_ineighbor_allgather_c_f08ts_; mpi_ineighbor_allgather_f08ts_large_ pmpir_ineighbor_allgather_f08ts_large_);

procedure! {
    ineighbor_allgatherv(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_allgatherv(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_allgatherv_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut c_int, displs: *mut c_int,
        recvtype: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ineighbor_allgatherv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ineighbor_allgatherv(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvcounts, displs, recvtype, comm, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports!(ineighbor_allgatherv: mpi_ineighbor_allgatherv_ mpi_ineighbor_allgatherv__ mpi_ineighbor_allgatherv MPI_INEIGHBOR_ALLGATHERV pmpi_ineighbor_allgatherv_ pmpi_ineighbor_allgatherv__ pmpi_ineighbor_allgatherv PMPI_INEIGHBOR_ALLGATHERV);
exports_f08!(ineighbor_allgatherv_f08ts: mpi_ineighbor_allgatherv_f08ts_ pmpir_ineighbor_allgatherv_f08ts_; ineighbor_allgatherv: mpi_ineighbor_allgatherv_f08_ pmpi_ineighbor_allgatherv_f08_);

procedure! {
    ineighbor_allgatherv_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_allgatherv_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_allgatherv_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64, displs: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ineighbor_allgatherv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ineighbor_allgatherv_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvcounts, displs, recvtype, comm, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports_large!(ineighbor_allgatherv_c_f08ts: mpi_ineighbor_allgatherv_c_f08ts_ pmpir_ineighbor_allgatherv_c_f08ts_; mpi_ineighbor_allgatherv_f08ts_large_ pmpir_ineighbor_allgatherv_f08ts_large_);

procedure! {
    ineighbor_alltoall(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_alltoall(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_alltoall_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ineighbor_alltoall(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    ineighbor_alltoall(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, request, ierror);
}
exports!(ineighbor_alltoall: mpi_ineighbor_alltoall_ mpi_ineighbor_alltoall__ mpi_ineighbor_alltoall MPI_INEIGHBOR_ALLTOALL pmpi_ineighbor_alltoall_ pmpi_ineighbor_alltoall__ pmpi_ineighbor_alltoall PMPI_INEIGHBOR_ALLTOALL);
exports_f08!(ineighbor_alltoall_f08ts: mpi_ineighbor_alltoall_f08ts_ pmpir_ineighbor_alltoall_f08ts_; ineighbor_alltoall: mpi_ineighbor_alltoall_f08_ pmpi_ineighbor_alltoall_f08_);

procedure! {
    ineighbor_alltoall_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_alltoall_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_alltoall_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ineighbor_alltoall_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    ineighbor_alltoall_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, request, ierror);
}
exports_large!(ineighbor_alltoall_c_f08ts: mpi_ineighbor_alltoall_c_f08ts_ pmpir_ineighbor_alltoall_c_f08ts_; mpi_ineighbor_alltoall_f08ts_large_ pmpir_ineighbor_alltoall_f08ts_large_);

procedure! {
    ineighbor_alltoallv(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut c_int,
        recvtype: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_alltoallv(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_alltoallv_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int,
        sdispls: *mut c_int, sendtype: *mut Fint, recvbuf: *const Descriptor,
        recvcounts: *mut c_int, rdispls: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ineighbor_alltoallv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ineighbor_alltoallv(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(),
        recvcounts, rdispls, recvtype, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(ineighbor_alltoallv: mpi_ineighbor_alltoallv_ mpi_ineighbor_alltoallv__ mpi_ineighbor_alltoallv MPI_INEIGHBOR_ALLTOALLV pmpi_ineighbor_alltoallv_ pmpi_ineighbor_alltoallv__ pmpi_ineighbor_alltoallv PMPI_INEIGHBOR_ALLTOALLV);
exports_f08!(ineighbor_alltoallv_f08ts: mpi_ineighbor_alltoallv_f08ts_ pmpir_ineighbor_alltoallv_f08ts_; ineighbor_alltoallv: mpi_ineighbor_alltoallv_f08_ pmpi_ineighbor_alltoallv_f08_);

procedure! {
    ineighbor_alltoallv_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_alltoallv_c(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_alltoallv_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64,
        sdispls: *mut isize, sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64,
        rdispls: *mut isize, recvtype: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ineighbor_alltoallv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ineighbor_alltoallv_c(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(),
        recvcounts, rdispls, recvtype, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(ineighbor_alltoallv_c_f08ts: mpi_ineighbor_alltoallv_c_f08ts_ pmpir_ineighbor_alltoallv_c_f08ts_; mpi_ineighbor_alltoallv_f08ts_large_ pmpir_ineighbor_alltoallv_f08ts_large_);

procedure! {
    ineighbor_alltoallw(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, destinations(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, sources(comm));
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_alltoallw(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_alltoallw_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int,
        sdispls: *mut isize, sendtypes: *mut Fint, recvbuf: *const Descriptor,
        recvcounts: *mut c_int, rdispls: *mut isize, recvtypes: *mut Fint, comm: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by ineighbor_alltoallw(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ineighbor_alltoallw(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(),
        recvcounts, rdispls, recvtypes, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(ineighbor_alltoallw: mpi_ineighbor_alltoallw_ mpi_ineighbor_alltoallw__ mpi_ineighbor_alltoallw MPI_INEIGHBOR_ALLTOALLW pmpi_ineighbor_alltoallw_ pmpi_ineighbor_alltoallw__ pmpi_ineighbor_alltoallw PMPI_INEIGHBOR_ALLTOALLW);
exports_f08!(ineighbor_alltoallw_f08ts: mpi_ineighbor_alltoallw_f08ts_ pmpir_ineighbor_alltoallw_f08ts_; ineighbor_alltoallw: mpi_ineighbor_alltoallw_f08_ pmpi_ineighbor_alltoallw_f08_);

procedure! {
    ineighbor_alltoallw_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, destinations(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, sources(comm));
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Ineighbor_alltoallw_c(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    ineighbor_alltoallw_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64,
        sdispls: *mut isize, sendtypes: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64,
        rdispls: *mut isize, recvtypes: *mut Fint, comm: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by ineighbor_alltoallw_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    ineighbor_alltoallw_c(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(),
        recvcounts, rdispls, recvtypes, comm, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(ineighbor_alltoallw_c_f08ts: mpi_ineighbor_alltoallw_c_f08ts_ pmpir_ineighbor_alltoallw_c_f08ts_; mpi_ineighbor_alltoallw_f08ts_large_ pmpir_ineighbor_alltoallw_f08ts_large_);

procedure! {
    neighbor_allgather(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Neighbor_allgather(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_allgather_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by neighbor_allgather(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_allgather(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount,
        recvtype, comm, ierror);
}
exports!(neighbor_allgather: mpi_neighbor_allgather_ mpi_neighbor_allgather__ mpi_neighbor_allgather MPI_NEIGHBOR_ALLGATHER pmpi_neighbor_allgather_ pmpi_neighbor_allgather__ pmpi_neighbor_allgather PMPI_NEIGHBOR_ALLGATHER);
exports_f08!(neighbor_allgather_f08ts: mpi_neighbor_allgather_f08ts_ pmpir_neighbor_allgather_f08ts_; neighbor_allgather: mpi_neighbor_allgather_f08_ pmpi_neighbor_allgather_f08_);

procedure! {
    neighbor_allgather_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Neighbor_allgather_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_allgather_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by neighbor_allgather_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_allgather_c(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount,
        recvtype, comm, ierror);
}
exports_large!(neighbor_allgather_c_f08ts: mpi_neighbor_allgather_c_f08ts_ pmpir_neighbor_allgather_c_f08ts_; mpi_neighbor_allgather_f08ts_large_ pmpir_neighbor_allgather_f08ts_large_);

procedure! {
    neighbor_allgather_init(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_allgather_init(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_allgather_init_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by neighbor_allgather_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    neighbor_allgather_init(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, info, request, ierror);
}
exports!(neighbor_allgather_init: mpi_neighbor_allgather_init_ mpi_neighbor_allgather_init__ mpi_neighbor_allgather_init MPI_NEIGHBOR_ALLGATHER_INIT pmpi_neighbor_allgather_init_ pmpi_neighbor_allgather_init__ pmpi_neighbor_allgather_init PMPI_NEIGHBOR_ALLGATHER_INIT);
exports_f08!(neighbor_allgather_init_f08ts: mpi_neighbor_allgather_init_f08ts_ pmpir_neighbor_allgather_init_f08ts_; neighbor_allgather_init: mpi_neighbor_allgather_init_f08_ pmpi_neighbor_allgather_init_f08_);

procedure! {
    neighbor_allgather_init_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_allgather_init_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_allgather_init_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by neighbor_allgather_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    neighbor_allgather_init_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, info, request, ierror);
}
exports_large!(neighbor_allgather_init_c_f08ts: mpi_neighbor_allgather_init_c_f08ts_ pmpir_neighbor_allgather_init_c_f08ts_; mpi_neighbor_allgather_init_f08ts_large_ pmpir_neighbor_allgather_init_f08ts_large_);

procedure! {
    neighbor_allgatherv(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Neighbor_allgatherv(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_allgatherv_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut c_int, displs: *mut c_int,
        recvtype: *mut Fint, comm: *mut Fint, ierror: *mut Fint) by neighbor_allgatherv(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_allgatherv(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcounts,
        displs, recvtype, comm, ierror);
}
exports!(neighbor_allgatherv: mpi_neighbor_allgatherv_ mpi_neighbor_allgatherv__ mpi_neighbor_allgatherv MPI_NEIGHBOR_ALLGATHERV pmpi_neighbor_allgatherv_ pmpi_neighbor_allgatherv__ pmpi_neighbor_allgatherv PMPI_NEIGHBOR_ALLGATHERV);
exports_f08!(neighbor_allgatherv_f08ts: mpi_neighbor_allgatherv_f08ts_ pmpir_neighbor_allgatherv_f08ts_; neighbor_allgatherv: mpi_neighbor_allgatherv_f08_ pmpi_neighbor_allgatherv_f08_);

procedure! {
    neighbor_allgatherv_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Neighbor_allgatherv_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_allgatherv_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64, displs: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, ierror: *mut Fint) by neighbor_allgatherv_c(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_allgatherv_c(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcounts,
        displs, recvtype, comm, ierror);
}
exports_large!(neighbor_allgatherv_c_f08ts: mpi_neighbor_allgatherv_c_f08ts_ pmpir_neighbor_allgatherv_c_f08ts_; mpi_neighbor_allgatherv_f08ts_large_ pmpir_neighbor_allgatherv_f08ts_large_);

procedure! {
    neighbor_allgatherv_init(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_allgatherv_init(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_allgatherv_init_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut c_int, displs: *mut c_int,
        recvtype: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by neighbor_allgatherv_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_allgatherv_init(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvcounts, displs, recvtype, comm, info, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports!(neighbor_allgatherv_init: mpi_neighbor_allgatherv_init_ mpi_neighbor_allgatherv_init__ mpi_neighbor_allgatherv_init MPI_NEIGHBOR_ALLGATHERV_INIT pmpi_neighbor_allgatherv_init_ pmpi_neighbor_allgatherv_init__ pmpi_neighbor_allgatherv_init PMPI_NEIGHBOR_ALLGATHERV_INIT);
exports_f08!(neighbor_allgatherv_init_f08ts: mpi_neighbor_allgatherv_init_f08ts_ pmpir_neighbor_allgatherv_init_f08ts_; neighbor_allgatherv_init: mpi_neighbor_allgatherv_init_f08_ pmpi_neighbor_allgatherv_init_f08_);

procedure! {
    neighbor_allgatherv_init_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_allgatherv_init_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_allgatherv_init_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64, displs: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by neighbor_allgatherv_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_allgatherv_init_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvcounts, displs, recvtype, comm, info, request, ierror);
    deferred::keep(request, [recvbuf_c], ierror);
}
exports_large!(neighbor_allgatherv_init_c_f08ts: mpi_neighbor_allgatherv_init_c_f08ts_ pmpir_neighbor_allgatherv_init_c_f08ts_; mpi_neighbor_allgatherv_init_f08ts_large_ pmpir_neighbor_allgatherv_init_f08ts_large_);

procedure! {
    neighbor_alltoall(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Neighbor_alltoall(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoall_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by neighbor_alltoall(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoall(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount,
        recvtype, comm, ierror);
}
exports!(neighbor_alltoall: mpi_neighbor_alltoall_ mpi_neighbor_alltoall__ mpi_neighbor_alltoall MPI_NEIGHBOR_ALLTOALL pmpi_neighbor_alltoall_ pmpi_neighbor_alltoall__ pmpi_neighbor_alltoall PMPI_NEIGHBOR_ALLTOALL);
exports_f08!(neighbor_alltoall_f08ts: mpi_neighbor_alltoall_f08ts_ pmpir_neighbor_alltoall_f08ts_; neighbor_alltoall: mpi_neighbor_alltoall_f08_ pmpi_neighbor_alltoall_f08_);

procedure! {
    neighbor_alltoall_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Neighbor_alltoall_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoall_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by neighbor_alltoall_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoall_c(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount,
        recvtype, comm, ierror);
}
exports_large!(neighbor_alltoall_c_f08ts: mpi_neighbor_alltoall_c_f08ts_ pmpir_neighbor_alltoall_c_f08ts_; mpi_neighbor_alltoall_f08ts_large_ pmpir_neighbor_alltoall_f08ts_large_);

procedure! {
    neighbor_alltoall_init(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_alltoall_init(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoall_init_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by neighbor_alltoall_init(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    neighbor_alltoall_init(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, info, request, ierror);
}
exports!(neighbor_alltoall_init: mpi_neighbor_alltoall_init_ mpi_neighbor_alltoall_init__ mpi_neighbor_alltoall_init MPI_NEIGHBOR_ALLTOALL_INIT pmpi_neighbor_alltoall_init_ pmpi_neighbor_alltoall_init__ pmpi_neighbor_alltoall_init PMPI_NEIGHBOR_ALLTOALL_INIT);
exports_f08!(neighbor_alltoall_init_f08ts: mpi_neighbor_alltoall_init_f08ts_ pmpir_neighbor_alltoall_init_f08ts_; neighbor_alltoall_init: mpi_neighbor_alltoall_init_f08_ pmpi_neighbor_alltoall_init_f08_);

procedure! {
    neighbor_alltoall_init_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_alltoall_init_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoall_init_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint,
        comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint) by neighbor_alltoall_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Typed::new(sendbuf, sendcount, sendtype), Owner::Comm(comm),
        ierror);
    let mut recvbuf_c = or_refuse!(Typed::new(recvbuf, recvcount, recvtype), Owner::Comm(comm),
        ierror);
    neighbor_alltoall_init_c(sendbuf_c.address(), sendbuf_c.count(), sendbuf_c.datatype(),
        recvbuf_c.address(), recvbuf_c.count(), recvbuf_c.datatype(), comm, info, request, ierror);
}
exports_large!(neighbor_alltoall_init_c_f08ts: mpi_neighbor_alltoall_init_c_f08ts_ pmpir_neighbor_alltoall_init_c_f08ts_; mpi_neighbor_alltoall_init_f08ts_large_ pmpir_neighbor_alltoall_init_f08ts_large_);

procedure! {
    neighbor_alltoallv(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut c_int,
        recvtype: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Neighbor_alltoallv(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoallv_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int,
        sdispls: *mut c_int, sendtype: *mut Fint, recvbuf: *const Descriptor,
        recvcounts: *mut c_int, rdispls: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by neighbor_alltoallv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoallv(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(),
        recvcounts, rdispls, recvtype, comm, ierror);
}
exports!(neighbor_alltoallv: mpi_neighbor_alltoallv_ mpi_neighbor_alltoallv__ mpi_neighbor_alltoallv MPI_NEIGHBOR_ALLTOALLV pmpi_neighbor_alltoallv_ pmpi_neighbor_alltoallv__ pmpi_neighbor_alltoallv PMPI_NEIGHBOR_ALLTOALLV);
exports_f08!(neighbor_alltoallv_f08ts: mpi_neighbor_alltoallv_f08ts_ pmpir_neighbor_alltoallv_f08ts_; neighbor_alltoallv: mpi_neighbor_alltoallv_f08_ pmpi_neighbor_alltoallv_f08_);

procedure! {
    neighbor_alltoallv_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Neighbor_alltoallv_c(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoallv_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64,
        sdispls: *mut isize, sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64,
        rdispls: *mut isize, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by neighbor_alltoallv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoallv_c(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(),
        recvcounts, rdispls, recvtype, comm, ierror);
}
exports_large!(neighbor_alltoallv_c_f08ts: mpi_neighbor_alltoallv_c_f08ts_ pmpir_neighbor_alltoallv_c_f08ts_; mpi_neighbor_alltoallv_f08ts_large_ pmpir_neighbor_alltoallv_f08ts_large_);

procedure! {
    neighbor_alltoallv_init(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut c_int,
        recvtype: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_alltoallv_init(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoallv_init_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int,
        sdispls: *mut c_int, sendtype: *mut Fint, recvbuf: *const Descriptor,
        recvcounts: *mut c_int, rdispls: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint) by neighbor_alltoallv_init(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoallv_init(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(),
        recvcounts, rdispls, recvtype, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(neighbor_alltoallv_init: mpi_neighbor_alltoallv_init_ mpi_neighbor_alltoallv_init__ mpi_neighbor_alltoallv_init MPI_NEIGHBOR_ALLTOALLV_INIT pmpi_neighbor_alltoallv_init_ pmpi_neighbor_alltoallv_init__ pmpi_neighbor_alltoallv_init PMPI_NEIGHBOR_ALLTOALLV_INIT);
exports_f08!(neighbor_alltoallv_init_f08ts: mpi_neighbor_alltoallv_init_f08ts_ pmpir_neighbor_alltoallv_init_f08ts_; neighbor_alltoallv_init: mpi_neighbor_alltoallv_init_f08_ pmpi_neighbor_alltoallv_init_f08_);

procedure! {
    neighbor_alltoallv_init_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_alltoallv_init_c(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoallv_init_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64,
        sdispls: *mut isize, sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64,
        rdispls: *mut isize, recvtype: *mut Fint, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by neighbor_alltoallv_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoallv_init_c(sendbuf_c.address(), sendcounts, sdispls, sendtype,
        recvbuf_c.address(), recvcounts, rdispls, recvtype, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(neighbor_alltoallv_init_c_f08ts: mpi_neighbor_alltoallv_init_c_f08ts_ pmpir_neighbor_alltoallv_init_c_f08ts_; mpi_neighbor_alltoallv_init_f08ts_large_ pmpir_neighbor_alltoallv_init_f08ts_large_);

procedure! {
    neighbor_alltoallw(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, destinations(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, sources(comm));
    let code = c::PMPI_Neighbor_alltoallw(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoallw_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int,
        sdispls: *mut isize, sendtypes: *mut Fint, recvbuf: *const Descriptor,
        recvcounts: *mut c_int, rdispls: *mut isize, recvtypes: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by neighbor_alltoallw(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoallw(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(),
        recvcounts, rdispls, recvtypes, comm, ierror);
}
exports!(neighbor_alltoallw: mpi_neighbor_alltoallw_ mpi_neighbor_alltoallw__ mpi_neighbor_alltoallw MPI_NEIGHBOR_ALLTOALLW pmpi_neighbor_alltoallw_ pmpi_neighbor_alltoallw__ pmpi_neighbor_alltoallw PMPI_NEIGHBOR_ALLTOALLW);
exports_f08!(neighbor_alltoallw_f08ts: mpi_neighbor_alltoallw_f08ts_ pmpir_neighbor_alltoallw_f08ts_; neighbor_alltoallw: mpi_neighbor_alltoallw_f08_ pmpi_neighbor_alltoallw_f08_);

procedure! {
    neighbor_alltoallw_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, destinations(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, sources(comm));
    let code = c::PMPI_Neighbor_alltoallw_c(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoallw_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64,
        sdispls: *mut isize, sendtypes: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64,
        rdispls: *mut isize, recvtypes: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by neighbor_alltoallw_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoallw_c(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(),
        recvcounts, rdispls, recvtypes, comm, ierror);
}
exports_large!(neighbor_alltoallw_c_f08ts: mpi_neighbor_alltoallw_c_f08ts_ pmpir_neighbor_alltoallw_c_f08ts_; mpi_neighbor_alltoallw_f08ts_large_ pmpir_neighbor_alltoallw_f08ts_large_);

procedure! {
    neighbor_alltoallw_init(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, destinations(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, sources(comm));
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_alltoallw_init(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoallw_init_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int,
        sdispls: *mut isize, sendtypes: *mut Fint, recvbuf: *const Descriptor,
        recvcounts: *mut c_int, rdispls: *mut isize, recvtypes: *mut Fint, comm: *mut Fint,
        info: *mut Fint, request: *mut Fint, ierror: *mut Fint) by neighbor_alltoallw_init(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoallw_init(sendbuf_c.address(), sendcounts, sdispls, sendtypes,
        recvbuf_c.address(), recvcounts, rdispls, recvtypes, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports!(neighbor_alltoallw_init: mpi_neighbor_alltoallw_init_ mpi_neighbor_alltoallw_init__ mpi_neighbor_alltoallw_init MPI_NEIGHBOR_ALLTOALLW_INIT pmpi_neighbor_alltoallw_init_ pmpi_neighbor_alltoallw_init__ pmpi_neighbor_alltoallw_init PMPI_NEIGHBOR_ALLTOALLW_INIT);
exports_f08!(neighbor_alltoallw_init_f08ts: mpi_neighbor_alltoallw_init_f08ts_ pmpir_neighbor_alltoallw_init_f08ts_; neighbor_alltoallw_init: mpi_neighbor_alltoallw_init_f08_ pmpi_neighbor_alltoallw_init_f08_);

procedure! {
    neighbor_alltoallw_init_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, info: *mut Fint, request: *mut Fint,
        ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, destinations(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, sources(comm));
    let mut request_c = handle::<REQUEST>(request);
    let code = c::PMPI_Neighbor_alltoallw_init_c(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm), handle::<INFO>(info), &mut request_c);
    give_request(request, request_c);
    finish(ierror, code);
}
with_sections! {
    neighbor_alltoallw_init_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64,
        sdispls: *mut isize, sendtypes: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64,
        rdispls: *mut isize, recvtypes: *mut Fint, comm: *mut Fint, info: *mut Fint,
        request: *mut Fint, ierror: *mut Fint) by neighbor_alltoallw_init_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Deferred::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Deferred::new(recvbuf, true), Owner::Comm(comm), ierror);
    neighbor_alltoallw_init_c(sendbuf_c.address(), sendcounts, sdispls, sendtypes,
        recvbuf_c.address(), recvcounts, rdispls, recvtypes, comm, info, request, ierror);
    deferred::keep(request, [sendbuf_c, recvbuf_c], ierror);
}
exports_large!(neighbor_alltoallw_init_c_f08ts: mpi_neighbor_alltoallw_init_c_f08ts_ pmpir_neighbor_alltoallw_init_c_f08ts_; mpi_neighbor_alltoallw_init_f08ts_large_ pmpir_neighbor_alltoallw_init_f08ts_large_);
