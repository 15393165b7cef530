// generated from api/ by cargo xtask generate; do not edit
//! The procedures: coll.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    allgather(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Allgather(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    allgather_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by allgather(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    allgather(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount, recvtype,
        comm, ierror);
}
exports!(allgather: mpi_allgather_ mpi_allgather__ mpi_allgather MPI_ALLGATHER pmpi_allgather_ pmpi_allgather__ pmpi_allgather PMPI_ALLGATHER);
exports_f08!(allgather_f08ts: mpi_allgather_f08ts_ pmpir_allgather_f08ts_; allgather: mpi_allgather_f08_ pmpi_allgather_f08_);

procedure! {
    allgather_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Allgather_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    allgather_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by allgather_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    allgather_c(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount, recvtype,
        comm, ierror);
}
exports_large!(allgather_c_f08ts: mpi_allgather_c_f08ts_ pmpir_allgather_c_f08ts_; mpi_allgather_f08ts_large_ pmpir_allgather_f08ts_large_);

procedure! {
    allgatherv(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Allgatherv(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), recvcounts, displs, handle::<DATATYPE>(recvtype),
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    allgatherv_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        comm: *mut Fint, ierror: *mut Fint) by allgatherv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    allgatherv(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcounts, displs,
        recvtype, comm, ierror);
}
exports!(allgatherv: mpi_allgatherv_ mpi_allgatherv__ mpi_allgatherv MPI_ALLGATHERV pmpi_allgatherv_ pmpi_allgatherv__ pmpi_allgatherv PMPI_ALLGATHERV);
exports_f08!(allgatherv_f08ts: mpi_allgatherv_f08ts_ pmpir_allgatherv_f08ts_; allgatherv: mpi_allgatherv_f08_ pmpi_allgatherv_f08_);

procedure! {
    allgatherv_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Allgatherv_c(places::buffer(sendbuf), *sendcount,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, displs,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    allgatherv_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        comm: *mut Fint, ierror: *mut Fint) by allgatherv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    allgatherv_c(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcounts, displs,
        recvtype, comm, ierror);
}
exports_large!(allgatherv_c_f08ts: mpi_allgatherv_c_f08ts_ pmpir_allgatherv_c_f08ts_; mpi_allgatherv_f08ts_large_ pmpir_allgatherv_f08ts_large_);

procedure! {
    allreduce(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Allreduce(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    allreduce_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by allreduce(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    allreduce(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, ierror);
}
exports!(allreduce: mpi_allreduce_ mpi_allreduce__ mpi_allreduce MPI_ALLREDUCE pmpi_allreduce_ pmpi_allreduce__ pmpi_allreduce PMPI_ALLREDUCE);
exports_f08!(allreduce_f08ts: mpi_allreduce_f08ts_ pmpir_allreduce_f08ts_; allreduce: mpi_allreduce_f08_ pmpi_allreduce_f08_);

procedure! {
    allreduce_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Allreduce_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    allreduce_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by allreduce_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    allreduce_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, ierror);
}
exports_large!(allreduce_c_f08ts: mpi_allreduce_c_f08ts_ pmpir_allreduce_c_f08ts_; mpi_allreduce_f08ts_large_ pmpir_allreduce_f08ts_large_);

procedure! {
    alltoall(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Alltoall(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    alltoall_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by alltoall(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoall(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount, recvtype,
        comm, ierror);
}
exports!(alltoall: mpi_alltoall_ mpi_alltoall__ mpi_alltoall MPI_ALLTOALL pmpi_alltoall_ pmpi_alltoall__ pmpi_alltoall PMPI_ALLTOALL);
exports_f08!(alltoall_f08ts: mpi_alltoall_f08ts_ pmpir_alltoall_f08ts_; alltoall: mpi_alltoall_f08_ pmpi_alltoall_f08_);

procedure! {
    alltoall_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Alltoall_c(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    alltoall_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by alltoall_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoall_c(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount, recvtype,
        comm, ierror);
}
exports_large!(alltoall_c_f08ts: mpi_alltoall_c_f08ts_ pmpir_alltoall_c_f08ts_; mpi_alltoall_f08ts_large_ pmpir_alltoall_f08ts_large_);

procedure! {
    alltoallv(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut c_int,
        recvtype: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Alltoallv(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    alltoallv_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut c_int,
        rdispls: *mut c_int, recvtype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by alltoallv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoallv(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(), recvcounts,
        rdispls, recvtype, comm, ierror);
}
exports!(alltoallv: mpi_alltoallv_ mpi_alltoallv__ mpi_alltoallv MPI_ALLTOALLV pmpi_alltoallv_ pmpi_alltoallv__ pmpi_alltoallv PMPI_ALLTOALLV);
exports_f08!(alltoallv_f08ts: mpi_alltoallv_f08ts_ pmpir_alltoallv_f08ts_; alltoallv: mpi_alltoallv_f08_ pmpi_alltoallv_f08_);

procedure! {
    alltoallv_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtype: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Alltoallv_c(places::buffer(sendbuf), sendcounts, sdispls,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), recvcounts, rdispls,
        handle::<DATATYPE>(recvtype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    alltoallv_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64, sdispls: *mut isize,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64, rdispls: *mut isize,
        recvtype: *mut Fint, comm: *mut Fint, ierror: *mut Fint) by alltoallv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoallv_c(sendbuf_c.address(), sendcounts, sdispls, sendtype, recvbuf_c.address(), recvcounts,
        rdispls, recvtype, comm, ierror);
}
exports_large!(alltoallv_c_f08ts: mpi_alltoallv_c_f08ts_ pmpir_alltoallv_c_f08ts_; mpi_alltoallv_f08ts_large_ pmpir_alltoallv_f08ts_large_);

procedure! {
    alltoallw(sendbuf: *mut c_void, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut c_int, rdispls: *mut c_int,
        recvtypes: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, members(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, members(comm));
    let code = c::PMPI_Alltoallw(places::buffer(sendbuf), sendcounts, sdispls, sendtypes_c.place(),
        places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    alltoallw_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int, sdispls: *mut c_int,
        sendtypes: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut c_int,
        rdispls: *mut c_int, recvtypes: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by alltoallw(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoallw(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(), recvcounts,
        rdispls, recvtypes, comm, ierror);
}
exports!(alltoallw: mpi_alltoallw_ mpi_alltoallw__ mpi_alltoallw MPI_ALLTOALLW pmpi_alltoallw_ pmpi_alltoallw__ pmpi_alltoallw PMPI_ALLTOALLW);
exports_f08!(alltoallw_f08ts: mpi_alltoallw_f08ts_ pmpir_alltoallw_f08ts_; alltoallw: mpi_alltoallw_f08_ pmpi_alltoallw_f08_);

procedure! {
    alltoallw_c(sendbuf: *mut c_void, sendcounts: *mut i64, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *mut c_void, recvcounts: *mut i64, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let mut sendtypes_c = Handles::new::<DATATYPE>(sendtypes, members(comm));
    let mut recvtypes_c = Handles::new::<DATATYPE>(recvtypes, members(comm));
    let code = c::PMPI_Alltoallw_c(places::buffer(sendbuf), sendcounts, sdispls,
        sendtypes_c.place(), places::buffer(recvbuf), recvcounts, rdispls, recvtypes_c.place(),
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    alltoallw_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64, sdispls: *mut isize,
        sendtypes: *mut Fint, recvbuf: *const Descriptor, recvcounts: *mut i64, rdispls: *mut isize,
        recvtypes: *mut Fint, comm: *mut Fint, ierror: *mut Fint) by alltoallw_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    alltoallw_c(sendbuf_c.address(), sendcounts, sdispls, sendtypes, recvbuf_c.address(),
        recvcounts, rdispls, recvtypes, comm, ierror);
}
exports_large!(alltoallw_c_f08ts: mpi_alltoallw_c_f08ts_ pmpir_alltoallw_c_f08ts_; mpi_alltoallw_f08ts_large_ pmpir_alltoallw_f08ts_large_);

procedure! {
    barrier(comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Barrier(handle::<COMM>(comm));
    finish(ierror, code);
}
exports!(barrier: mpi_barrier_ mpi_barrier__ mpi_barrier MPI_BARRIER pmpi_barrier_ pmpi_barrier__ pmpi_barrier PMPI_BARRIER);
exports_f08!(barrier: mpi_barrier_f08_ pmpir_barrier_f08_; barrier: mpi_barrier_f08_ pmpi_barrier_f08_);

procedure! {
    bcast(buffer: *mut c_void, count: *mut c_int, datatype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Bcast(places::buffer(buffer), *count, handle::<DATATYPE>(datatype), *root,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    bcast_f08ts(buffer: *const Descriptor, count: *mut c_int, datatype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint) by bcast(buffer);
    let mut buffer_c = or_refuse!(Copied::new(buffer, true), Owner::Comm(comm), ierror);
    bcast(buffer_c.address(), count, datatype, root, comm, ierror);
}
exports!(bcast: mpi_bcast_ mpi_bcast__ mpi_bcast MPI_BCAST pmpi_bcast_ pmpi_bcast__ pmpi_bcast PMPI_BCAST);
exports_f08!(bcast_f08ts: mpi_bcast_f08ts_ pmpir_bcast_f08ts_; bcast: mpi_bcast_f08_ pmpi_bcast_f08_);

procedure! {
    bcast_c(buffer: *mut c_void, count: *mut i64, datatype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Bcast_c(places::buffer(buffer), *count, handle::<DATATYPE>(datatype), *root,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    bcast_c_f08ts(buffer: *const Descriptor, count: *mut i64, datatype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint) by bcast_c(buffer);
    let mut buffer_c = or_refuse!(Copied::new(buffer, true), Owner::Comm(comm), ierror);
    bcast_c(buffer_c.address(), count, datatype, root, comm, ierror);
}
exports_large!(bcast_c_f08ts: mpi_bcast_c_f08ts_ pmpir_bcast_c_f08ts_; mpi_bcast_f08ts_large_ pmpir_bcast_f08ts_large_);

procedure! {
    exscan(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Exscan(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    exscan_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, ierror: *mut Fint) by exscan(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    exscan(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, ierror);
}
exports!(exscan: mpi_exscan_ mpi_exscan__ mpi_exscan MPI_EXSCAN pmpi_exscan_ pmpi_exscan__ pmpi_exscan PMPI_EXSCAN);
exports_f08!(exscan_f08ts: mpi_exscan_f08ts_ pmpir_exscan_f08ts_; exscan: mpi_exscan_f08_ pmpi_exscan_f08_);

procedure! {
    exscan_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Exscan_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    exscan_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, ierror: *mut Fint) by exscan_c(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    exscan_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, ierror);
}
exports_large!(exscan_c_f08ts: mpi_exscan_c_f08ts_ pmpir_exscan_c_f08ts_; mpi_exscan_f08ts_large_ pmpir_exscan_f08ts_large_);

procedure! {
    gather(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Gather(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    gather_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint) by gather(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    gather(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount, recvtype, root,
        comm, ierror);
}
exports!(gather: mpi_gather_ mpi_gather__ mpi_gather MPI_GATHER pmpi_gather_ pmpi_gather__ pmpi_gather PMPI_GATHER);
exports_f08!(gather_f08ts: mpi_gather_f08ts_ pmpir_gather_f08ts_; gather: mpi_gather_f08_ pmpi_gather_f08_);

procedure! {
    gather_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Gather_c(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    gather_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint) by gather_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    gather_c(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount, recvtype,
        root, comm, ierror);
}
exports_large!(gather_c_f08ts: mpi_gather_c_f08ts_ pmpir_gather_c_f08ts_; mpi_gather_f08ts_large_ pmpir_gather_f08ts_large_);

procedure! {
    gatherv(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Gatherv(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), recvcounts, displs, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    gatherv_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut c_int, displs: *mut c_int, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by gatherv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    gatherv(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcounts, displs,
        recvtype, root, comm, ierror);
}
exports!(gatherv: mpi_gatherv_ mpi_gatherv__ mpi_gatherv MPI_GATHERV pmpi_gatherv_ pmpi_gatherv__ pmpi_gatherv PMPI_GATHERV);
exports_f08!(gatherv_f08ts: mpi_gatherv_f08ts_ pmpir_gatherv_f08ts_; gatherv: mpi_gatherv_f08_ pmpi_gatherv_f08_);

procedure! {
    gatherv_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Gatherv_c(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), recvcounts, displs, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    gatherv_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcounts: *mut i64, displs: *mut isize, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by gatherv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    gatherv_c(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcounts, displs,
        recvtype, root, comm, ierror);
}
exports_large!(gatherv_c_f08ts: mpi_gatherv_c_f08ts_ pmpir_gatherv_c_f08ts_; mpi_gatherv_f08ts_large_ pmpir_gatherv_f08ts_large_);

procedure! {
    reduce(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, root: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Reduce(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), *root, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    reduce_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, root: *mut c_int, comm: *mut Fint,
        ierror: *mut Fint) by reduce(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, root, comm, ierror);
}
exports!(reduce: mpi_reduce_ mpi_reduce__ mpi_reduce MPI_REDUCE pmpi_reduce_ pmpi_reduce__ pmpi_reduce PMPI_REDUCE);
exports_f08!(reduce_f08ts: mpi_reduce_f08ts_ pmpir_reduce_f08ts_; reduce: mpi_reduce_f08_ pmpi_reduce_f08_);

procedure! {
    reduce_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, root: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Reduce_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), *root, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    reduce_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, root: *mut c_int, comm: *mut Fint,
        ierror: *mut Fint) by reduce_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, root, comm, ierror);
}
exports_large!(reduce_c_f08ts: mpi_reduce_c_f08ts_ pmpir_reduce_c_f08ts_; mpi_reduce_f08ts_large_ pmpir_reduce_f08ts_large_);

procedure! {
    reduce_scatter(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Reduce_scatter(places::buffer(sendbuf), places::buffer(recvbuf), recvcounts,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    reduce_scatter_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcounts: *mut c_int, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by reduce_scatter(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_scatter(sendbuf_c.address(), recvbuf_c.address(), recvcounts, datatype, op, comm,
        ierror);
}
exports!(reduce_scatter: mpi_reduce_scatter_ mpi_reduce_scatter__ mpi_reduce_scatter MPI_REDUCE_SCATTER pmpi_reduce_scatter_ pmpi_reduce_scatter__ pmpi_reduce_scatter PMPI_REDUCE_SCATTER);
exports_f08!(reduce_scatter_f08ts: mpi_reduce_scatter_f08ts_ pmpir_reduce_scatter_f08ts_; reduce_scatter: mpi_reduce_scatter_f08_ pmpi_reduce_scatter_f08_);

procedure! {
    reduce_scatter_block(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Reduce_scatter_block(places::buffer(sendbuf), places::buffer(recvbuf),
        *recvcount, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    reduce_scatter_block_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcount: *mut c_int, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by reduce_scatter_block(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_scatter_block(sendbuf_c.address(), recvbuf_c.address(), recvcount, datatype, op, comm,
        ierror);
}
exports!(reduce_scatter_block: mpi_reduce_scatter_block_ mpi_reduce_scatter_block__ mpi_reduce_scatter_block MPI_REDUCE_SCATTER_BLOCK pmpi_reduce_scatter_block_ pmpi_reduce_scatter_block__ pmpi_reduce_scatter_block PMPI_REDUCE_SCATTER_BLOCK);
exports_f08!(reduce_scatter_block_f08ts: mpi_reduce_scatter_block_f08ts_ pmpir_reduce_scatter_block_f08ts_; reduce_scatter_block: mpi_reduce_scatter_block_f08_ pmpi_reduce_scatter_block_f08_);

procedure! {
    reduce_scatter_block_c(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcount: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Reduce_scatter_block_c(places::buffer(sendbuf), places::buffer(recvbuf),
        *recvcount, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    reduce_scatter_block_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcount: *mut i64, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by reduce_scatter_block_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_scatter_block_c(sendbuf_c.address(), recvbuf_c.address(), recvcount, datatype, op, comm,
        ierror);
}
exports_large!(reduce_scatter_block_c_f08ts: mpi_reduce_scatter_block_c_f08ts_ pmpir_reduce_scatter_block_c_f08ts_; mpi_reduce_scatter_block_f08ts_large_ pmpir_reduce_scatter_block_f08ts_large_);

procedure! {
    reduce_scatter_c(sendbuf: *mut c_void, recvbuf: *mut c_void, recvcounts: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Reduce_scatter_c(places::buffer(sendbuf), places::buffer(recvbuf),
        recvcounts, handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    reduce_scatter_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor,
        recvcounts: *mut i64, datatype: *mut Fint, op: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by reduce_scatter_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    reduce_scatter_c(sendbuf_c.address(), recvbuf_c.address(), recvcounts, datatype, op, comm,
        ierror);
}
exports_large!(reduce_scatter_c_f08ts: mpi_reduce_scatter_c_f08ts_ pmpir_reduce_scatter_c_f08ts_; mpi_reduce_scatter_f08ts_large_ pmpir_reduce_scatter_f08ts_large_);

procedure! {
    scan(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut c_int, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Scan(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    scan_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut c_int,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, ierror: *mut Fint) by scan(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    scan(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, ierror);
}
exports!(scan: mpi_scan_ mpi_scan__ mpi_scan MPI_SCAN pmpi_scan_ pmpi_scan__ pmpi_scan PMPI_SCAN);
exports_f08!(scan_f08ts: mpi_scan_f08ts_ pmpir_scan_f08ts_; scan: mpi_scan_f08_ pmpi_scan_f08_);

procedure! {
    scan_c(sendbuf: *mut c_void, recvbuf: *mut c_void, count: *mut i64, datatype: *mut Fint,
        op: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Scan_c(places::buffer(sendbuf), places::buffer(recvbuf), *count,
        handle::<DATATYPE>(datatype), handle::<OP>(op), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    scan_c_f08ts(sendbuf: *const Descriptor, recvbuf: *const Descriptor, count: *mut i64,
        datatype: *mut Fint, op: *mut Fint, comm: *mut Fint, ierror: *mut Fint) by scan_c(sendbuf,
        recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    scan_c(sendbuf_c.address(), recvbuf_c.address(), count, datatype, op, comm, ierror);
}
exports_large!(scan_c_f08ts: mpi_scan_c_f08ts_ pmpir_scan_c_f08ts_; mpi_scan_f08ts_large_ pmpir_scan_f08ts_large_);

procedure! {
    scatter(sendbuf: *mut c_void, sendcount: *mut c_int, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Scatter(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    scatter_f08ts(sendbuf: *const Descriptor, sendcount: *mut c_int, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint) by scatter(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    scatter(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount, recvtype,
        root, comm, ierror);
}
exports!(scatter: mpi_scatter_ mpi_scatter__ mpi_scatter MPI_SCATTER pmpi_scatter_ pmpi_scatter__ pmpi_scatter PMPI_SCATTER);
exports_f08!(scatter_f08ts: mpi_scatter_f08ts_ pmpir_scatter_f08ts_; scatter: mpi_scatter_f08_ pmpi_scatter_f08_);

procedure! {
    scatter_c(sendbuf: *mut c_void, sendcount: *mut i64, sendtype: *mut Fint, recvbuf: *mut c_void,
        recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int, comm: *mut Fint,
        ierror: *mut Fint);
    let code = c::PMPI_Scatter_c(places::buffer(sendbuf), *sendcount, handle::<DATATYPE>(sendtype),
        places::buffer(recvbuf), *recvcount, handle::<DATATYPE>(recvtype), *root,
        handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    scatter_c_f08ts(sendbuf: *const Descriptor, sendcount: *mut i64, sendtype: *mut Fint,
        recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint) by scatter_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    scatter_c(sendbuf_c.address(), sendcount, sendtype, recvbuf_c.address(), recvcount, recvtype,
        root, comm, ierror);
}
exports_large!(scatter_c_f08ts: mpi_scatter_c_f08ts_ pmpir_scatter_c_f08ts_; mpi_scatter_f08ts_large_ pmpir_scatter_f08ts_large_);

procedure! {
    scatterv(sendbuf: *mut c_void, sendcounts: *mut c_int, displs: *mut c_int, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut c_int, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Scatterv(places::buffer(sendbuf), sendcounts, displs,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    scatterv_f08ts(sendbuf: *const Descriptor, sendcounts: *mut c_int, displs: *mut c_int,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut c_int, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by scatterv(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    scatterv(sendbuf_c.address(), sendcounts, displs, sendtype, recvbuf_c.address(), recvcount,
        recvtype, root, comm, ierror);
}
exports!(scatterv: mpi_scatterv_ mpi_scatterv__ mpi_scatterv MPI_SCATTERV pmpi_scatterv_ pmpi_scatterv__ pmpi_scatterv PMPI_SCATTERV);
exports_f08!(scatterv_f08ts: mpi_scatterv_f08ts_ pmpir_scatterv_f08ts_; scatterv: mpi_scatterv_f08_ pmpi_scatterv_f08_);

procedure! {
    scatterv_c(sendbuf: *mut c_void, sendcounts: *mut i64, displs: *mut isize, sendtype: *mut Fint,
        recvbuf: *mut c_void, recvcount: *mut i64, recvtype: *mut Fint, root: *mut c_int,
        comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Scatterv_c(places::buffer(sendbuf), sendcounts, displs,
        handle::<DATATYPE>(sendtype), places::buffer(recvbuf), *recvcount,
        handle::<DATATYPE>(recvtype), *root, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    scatterv_c_f08ts(sendbuf: *const Descriptor, sendcounts: *mut i64, displs: *mut isize,
        sendtype: *mut Fint, recvbuf: *const Descriptor, recvcount: *mut i64, recvtype: *mut Fint,
        root: *mut c_int, comm: *mut Fint, ierror: *mut Fint) by scatterv_c(sendbuf, recvbuf);
    let mut sendbuf_c = or_refuse!(Copied::new(sendbuf, false), Owner::Comm(comm), ierror);
    let mut recvbuf_c = or_refuse!(Copied::new(recvbuf, true), Owner::Comm(comm), ierror);
    scatterv_c(sendbuf_c.address(), sendcounts, displs, sendtype, recvbuf_c.address(), recvcount,
        recvtype, root, comm, ierror);
}
exports_large!(scatterv_c_f08ts: mpi_scatterv_c_f08ts_ pmpir_scatterv_c_f08ts_; mpi_scatterv_f08ts_large_ pmpir_scatterv_f08ts_large_);
