// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: part.

use crate::prelude::*;

binding! {
    MPI_Parrived PMPI_Parrived(request: Request as request, partition: c_int as int, flag: *mut c_int as address)
    on Raise::Default =>
    {
        impls::parrived(request, partition, Out::new(flag))
    }
}

binding! {
    MPI_Pready PMPI_Pready(partition: c_int as int, request: Request as request)
    on Raise::Default =>
    {
        impls::pready(partition, request)
    }
}

binding! {
    MPI_Pready_list PMPI_Pready_list(
        length: c_int as int, array_of_partitions: *const c_int as address, request: Request as request,
    )
    on Raise::Default =>
    {
        impls::pready_list(length, InSlice::new(array_of_partitions, length as i64), request)
    }
}

binding! {
    MPI_Pready_range PMPI_Pready_range(
        partition_low: c_int as int, partition_high: c_int as int, request: Request as request,
    )
    on Raise::Default =>
    {
        impls::pready_range(partition_low, partition_high, request)
    }
}

binding! {
    MPI_Precv_init PMPI_Precv_init(
        buf: *mut c_void as buffer, partitions: c_int as int, count: i64 as int, datatype: Datatype as datatype,
        source: c_int as rank, tag: c_int as tag, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::precv_init(UserBuffer::new(buf), partitions, count, datatype, source, tag, comm, info, Out::new(request))
    }
}

binding! {
    MPI_Psend_init PMPI_Psend_init(
        buf: *const c_void as buffer, partitions: c_int as int, count: i64 as int, datatype: Datatype as datatype,
        dest: c_int as rank, tag: c_int as tag, comm: Comm as comm, info: Info as info,
        request: *mut Request as out_request,
    )
    on Raise::Comm(comm) =>
    {
        impls::psend_init(UserBuffer::new(buf), partitions, count, datatype, dest, tag, comm, info, Out::new(request))
    }
}
