// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: external.

use crate::prelude::*;

binding! {
    MPI_Grequest_complete PMPI_Grequest_complete(request: Request as request)
    on Raise::Default =>
    {
        impls::grequest_complete(request)
    }
}

binding! {
    MPI_Grequest_start PMPI_Grequest_start(
        query_fn: Function as address, free_fn: Function as address, cancel_fn: Function as address,
        extra_state: *mut c_void as address, request: *mut Request as out_request,
    )
    on Raise::Default =>
    {
        impls::grequest_start(
            callback(query_fn), callback(free_fn), callback(cancel_fn), extra_state, Out::new(request),
        )
    }
}

binding! {
    MPI_Status_set_cancelled PMPI_Status_set_cancelled(status: *mut Status as address, flag: c_int as int)
    on Raise::Default =>
    {
        impls::status_set_cancelled(InOut::new(status), flag)
    }
}

binding! {
    MPI_Status_set_elements PMPI_Status_set_elements(
        status: *mut Status as address, datatype: Datatype as datatype, count: c_int as int,
    )
    on Raise::Default =>
    {
        impls::status_set_elements(InOut::new(status), datatype, i64::from(count))
    }
}

binding! {
    MPI_Status_set_elements_c PMPI_Status_set_elements_c(
        status: *mut Status as address, datatype: Datatype as datatype, count: i64 as int,
    )
    on Raise::Default =>
    {
        impls::status_set_elements(InOut::new(status), datatype, count)
    }
}

binding! {
    MPI_Status_set_elements_x PMPI_Status_set_elements_x(
        status: *mut Status as address, datatype: Datatype as datatype, count: i64 as int,
    )
    on Raise::Default =>
    {
        impls::status_set_elements(InOut::new(status), datatype, count)
    }
}

binding! {
    MPI_Status_set_error PMPI_Status_set_error(status: *mut Status as address, err: c_int as int)
    on Raise::Default =>
    {
        impls::status_set_error(InOut::new(status), err)
    }
}

binding! {
    MPI_Status_set_source PMPI_Status_set_source(status: *mut Status as address, source: c_int as rank)
    on Raise::Default =>
    {
        impls::status_set_source(InOut::new(status), source)
    }
}

binding! {
    MPI_Status_set_tag PMPI_Status_set_tag(status: *mut Status as address, tag: c_int as tag)
    on Raise::Default =>
    {
        impls::status_set_tag(InOut::new(status), tag)
    }
}
