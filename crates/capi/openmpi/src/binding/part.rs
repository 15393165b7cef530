// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: part.

use crate::prelude::*;

binding! {
    MPI_Parrived PMPI_Parrived(request: RawHandle as request, partition: c_int as int, flag: *mut c_int as address)
    on Raise::Default =>
    {
        impls::parrived(to::request(request), partition, Out::new(flag))
    }
}

binding! {
    MPI_Pready PMPI_Pready(partition: c_int as int, request: RawHandle as request)
    on Raise::Default =>
    {
        impls::pready(partition, to::request(request))
    }
}

binding! {
    MPI_Pready_list PMPI_Pready_list(
        length: c_int as int, array_of_partitions: *const c_int as address, request: RawHandle as request,
    )
    on Raise::Default =>
    {
        impls::pready_list(length, InSlice::new(array_of_partitions, length as i64), to::request(request))
    }
}

binding! {
    MPI_Pready_range PMPI_Pready_range(
        partition_low: c_int as int, partition_high: c_int as int, request: RawHandle as request,
    )
    on Raise::Default =>
    {
        impls::pready_range(partition_low, partition_high, to::request(request))
    }
}

binding! {
    MPI_Precv_init PMPI_Precv_init(
        buf: *mut c_void as buffer, partitions: c_int as int, count: i64 as int, datatype: RawHandle as datatype,
        source: c_int as rank, tag: c_int as tag, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::precv_init(
            UserBuffer::new(to::buffer_mut(buf)), partitions, count, to::datatype(datatype), to::rank(source),
            to::tag(tag), to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Psend_init PMPI_Psend_init(
        buf: *const c_void as buffer, partitions: c_int as int, count: i64 as int, datatype: RawHandle as datatype,
        dest: c_int as rank, tag: c_int as tag, comm: RawHandle as comm, info: RawHandle as info,
        request: *mut RawHandle as out_request,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::psend_init(
            UserBuffer::new(to::buffer(buf)), partitions, count, to::datatype(datatype), to::rank(dest), to::tag(tag),
            to::comm(comm), to::info(info), Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}
