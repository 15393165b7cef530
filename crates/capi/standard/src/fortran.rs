//! What `libmpifort_abi.so.1` needs beside MPI itself: attributes that Fortran sets and reads (MPI
//! 5.0 §19.3.7), keys whose functions are Fortran subroutines, copies of array sections that live
//! as long as an operation, and the variables of requests for the development checks.
//!
//! The statuses that Fortran ignores, as C knows them, are [`statuses`].

mod statuses;

pub use statuses::copy_status;

use crate::callback::Standard;
use crate::prelude::*;
use nemesis_capi::copies::Kept;
use nemesis_capi::fortran::subroutines::{
    COMM, Numbers, Subroutines, WIN, get_attribute, object_of, set_attribute,
};

impl Numbers for Standard {
    fn number(handle: usize) -> c_int {
        handle as c_int
    }
}

binding! {
    only nemesis_fortran_create_keyval(
        kind: c_int as int, is_short: c_int as int, copy: Function as address,
        delete: Function as address, keyval: *mut c_int as address, extra: *mut c_void as address,
    )
    on Raise::Default =>
    {
        let keyval = Out::new(keyval);
        Subroutines::<Standard>::create_keyval(kind, is_short != 0, copy, delete, keyval, extra)
    }
}

binding! {
    only nemesis_fortran_get_attr(
        kind: c_int as int, handle: usize as int, keyval: c_int as keyval,
        value: *mut isize as address, flag: *mut c_int as address,
    )
    on raise_on(kind, handle) =>
    { get_attribute(object_of(kind, handle)?, keyval, Out::new(value), Out::new(flag), |_| ()) }
}

binding! {
    only nemesis_fortran_set_attr(
        kind: c_int as int, is_short: c_int as int, handle: usize as int,
        keyval: c_int as keyval, value: isize as int,
    )
    on raise_on(kind, handle) =>
    { set_attribute(object_of(kind, handle)?, keyval, value, is_short != 0) }
}

binding! {
    only nemesis_fortran_keep_copies(
        request: *mut Request as address, function: Function as address,
        copies: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::keep_copies(InOut::new(request), Kept::new(function, copies))
    }
}

binding! {
    only nemesis_fortran_request_left(request: *mut c_int as address, handle: Request as request)
    on Raise::Default =>
    {
        impls::request_converted(request.addr(), handle);
        Ok(())
    }
}

/// Returns the object whose error handler is called.
fn raise_on(kind: c_int, handle: usize) -> Raise {
    match kind {
        COMM => Raise::Comm(Comm(handle)),
        WIN => Raise::Win(Win(handle)),
        _ => Raise::Default,
    }
}
