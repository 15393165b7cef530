// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: external.

use crate::prelude::*;

binding! {
    MPI_Grequest_complete PMPI_Grequest_complete(request: RawHandle as request)
    on Raise::Default =>
    {
        impls::grequest_complete(to::request(request))
    }
}

binding! {
    MPI_Grequest_start PMPI_Grequest_start(
        query_fn: Function as address, free_fn: Function as address, cancel_fn: Function as address,
        extra_state: *mut c_void as address, request: *mut RawHandle as out_request,
    )
    on Raise::Default =>
    {
        let mut request = Place::out(Out::new(request), Request::NULL);
        impls::grequest_start(
            callback(query_fn), callback(free_fn), callback(cancel_fn), extra_state, Out::new(request.pass()),
        )?;
        request.leave(from::request);
        Ok(())
    }
}

binding! {
    MPI_Status_set_cancelled PMPI_Status_set_cancelled(status: *mut Status as address, flag: c_int as int)
    on Raise::Default =>
    {
        let mut status = OneStatus::changed(InOut::new(status));
        let outcome = impls::status_set_cancelled(InOut::new(status.pass_mut()), flag);
        status.leave();
        outcome
    }
}

binding! {
    MPI_Status_set_elements PMPI_Status_set_elements(
        status: *mut Status as address, datatype: RawHandle as datatype, count: c_int as int,
    )
    on Raise::Default =>
    {
        let mut status = OneStatus::changed(InOut::new(status));
        let outcome = impls::status_set_elements(InOut::new(status.pass_mut()), to::datatype(datatype), i64::from(count));
        status.leave();
        outcome
    }
}

binding! {
    MPI_Status_set_elements_c PMPI_Status_set_elements_c(
        status: *mut Status as address, datatype: RawHandle as datatype, count: i64 as int,
    )
    on Raise::Default =>
    {
        let mut status = OneStatus::changed(InOut::new(status));
        let outcome = impls::status_set_elements(InOut::new(status.pass_mut()), to::datatype(datatype), count);
        status.leave();
        outcome
    }
}

binding! {
    MPI_Status_set_elements_x PMPI_Status_set_elements_x(
        status: *mut Status as address, datatype: RawHandle as datatype, count: i64 as int,
    )
    on Raise::Default =>
    {
        let mut status = OneStatus::changed(InOut::new(status));
        let outcome = impls::status_set_elements(InOut::new(status.pass_mut()), to::datatype(datatype), count);
        status.leave();
        outcome
    }
}

binding! {
    MPI_Status_set_error PMPI_Status_set_error(status: *mut Status as address, err: c_int as int)
    on Raise::Default =>
    {
        let mut status = OneStatus::changed(InOut::new(status));
        let outcome = impls::status_set_error(InOut::new(status.pass_mut()), to::code(err));
        status.leave();
        outcome
    }
}

binding! {
    MPI_Status_set_source PMPI_Status_set_source(status: *mut Status as address, source: c_int as rank)
    on Raise::Default =>
    {
        let mut status = OneStatus::changed(InOut::new(status));
        let outcome = impls::status_set_source(InOut::new(status.pass_mut()), to::rank(source));
        status.leave();
        outcome
    }
}

binding! {
    MPI_Status_set_tag PMPI_Status_set_tag(status: *mut Status as address, tag: c_int as tag)
    on Raise::Default =>
    {
        let mut status = OneStatus::changed(InOut::new(status));
        let outcome = impls::status_set_tag(InOut::new(status.pass_mut()), to::tag(tag));
        status.leave();
        outcome
    }
}
