// generated from api/ by cargo xtask generate; do not edit
//! The fronts of the standard ABI: part.

use crate::prelude::*;

front! {
    MPI_Parrived PMPI_Parrived(request: Request as request, partition: c_int as int, flag: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::parrived(request, partition, Out::new(flag))
    }
}

front! {
    MPI_Pready PMPI_Pready(partition: c_int as int, request: Request as request)
    on Raise::Default =>
    {
        bodies::pready(partition, request)
    }
}

front! {
    MPI_Pready_list PMPI_Pready_list(
        length: c_int as int, array_of_partitions: *const c_int as address, request: Request as request,
    )
    on Raise::Default =>
    {
        bodies::pready_list(length, InSlice::new(array_of_partitions), request)
    }
}

front! {
    MPI_Pready_range PMPI_Pready_range(
        partition_low: c_int as int, partition_high: c_int as int, request: Request as request,
    )
    on Raise::Default =>
    {
        bodies::pready_range(partition_low, partition_high, request)
    }
}

front! {
    MPI_Precv_init PMPI_Precv_init(
        buf: *mut c_void as buffer, partitions: c_int as int, count: i64 as int, datatype: Datatype as datatype,
        source: c_int as rank, tag: c_int as tag, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::precv_init(
            UserBuffer::new(buf), partitions, count, datatype, source, tag, comm, info, Out::new(request),
        )
    }
}

front! {
    MPI_Psend_init PMPI_Psend_init(
        buf: *const c_void as buffer, partitions: c_int as int, count: i64 as int, datatype: Datatype as datatype,
        dest: c_int as rank, tag: c_int as tag, comm: Comm as comm, info: Info as info,
        request: *mut Request as address,
    )
    on Raise::Comm(comm) =>
    {
        bodies::psend_init(UserBuffer::new(buf), partitions, count, datatype, dest, tag, comm, info, Out::new(request))
    }
}
