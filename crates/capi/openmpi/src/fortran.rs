//! What `libmpi_mpifh.so.40` of this project needs beside MPI itself: the program's subroutines, to
//! which a handle is a number of its kind ([`Subroutines`]), attributes that Fortran sets and
//! reads, and the variables of requests for the development checks.
//!
//! C knows the statuses that Fortran ignores by the four pointers. A status is the same 24 bytes in
//! C, Fortran and Fortran 2008.

use crate::callback::Openmpi;
use crate::handle::fortran_of;
use crate::prelude::*;
use nemesis_capi::c_objects;
use nemesis_capi::fortran::Writable;
use nemesis_capi::fortran::subroutines::{
    COMM, DATATYPE, Numbers, Subroutines, WIN, get_attribute, object_of, set_attribute,
};
use nemesis_capi::places::ForeignStatus;
use nemesis_mpi::callback::Object;
use nemesis_mpi::error::Outcome;
use std::mem::MaybeUninit;
use std::ptr::null_mut;

c_objects! {
    /// The address of Fortran's `MPI_STATUS_IGNORE`, which `libmpi_mpifh.so.40` stores when it is
    /// loaded. Null, this ABI's own `MPI_STATUS_IGNORE`, without it.
    MPI_F_STATUS_IGNORE: Writable = Writable::new(null_mut());
    MPI_F_STATUSES_IGNORE: Writable = Writable::new(null_mut());
    MPI_F08_STATUS_IGNORE: Writable = Writable::new(null_mut());
    MPI_F08_STATUSES_IGNORE: Writable = Writable::new(null_mut());
}

/// A status whose fields may be uninitialised. A copy cares for none of them.
pub type AnyStatus = MaybeUninit<Status>;

pub fn copy_status(from: In<'_, AnyStatus>, to: Out<'_, AnyStatus>) -> Outcome {
    nemesis_capi::fortran::copy_status(from, to, is_ignored)
}

/// Whether an address is one by which C, Fortran or Fortran 2008 ignores a status.
fn is_ignored(status: usize) -> bool {
    let ignored = [
        &MPI_F_STATUS_IGNORE,
        &MPI_F_STATUSES_IGNORE,
        &MPI_F08_STATUS_IGNORE,
        &MPI_F08_STATUSES_IGNORE,
    ];
    status == Status::IGNORE || ignored.iter().any(|place| place.get().addr() == status)
}

impl Numbers for Openmpi {
    fn number(handle: usize) -> c_int {
        fortran_of(from::comm(Comm(handle)))
    }
}

/// A subroutine of the program.
fn subroutine(function: Function) -> Callback {
    Callback::new(function as usize, false, Subroutines::<Openmpi>::LONG)
}

/// A subroutine of a kind with counts of eight bytes.
fn long_subroutine(function: Function) -> Callback {
    Callback::new(function as usize, true, Subroutines::<Openmpi>::LONG)
}

binding! {
    only nemesis_fortran_op_create(
        function: Function as address, is_long: c_int as int, commute: c_int as int,
        op: *mut RawHandle as out_op,
    )
    on Raise::Default =>
    {
        let mut op = Place::out(Out::new(op), Op::NULL);
        let function =
            if is_long != 0 { long_subroutine(function) } else { subroutine(function) };
        impls::op_create(function, commute, Out::new(op.pass()))?;
        op.leave(from::op);
        Ok(())
    }
}

macro_rules! error_handlers {
    ($($name:ident by $create:ident;)*) => {$(
        binding! {
            only $name(function: Function as address, errhandler: *mut RawHandle as out_errhandler)
            on Raise::Default =>
            {
                let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
                impls::$create(subroutine(function), Out::new(errhandler.pass()))?;
                errhandler.leave(from::errhandler);
                Ok(())
            }
        }
    )*};
}

error_handlers! {
    nemesis_fortran_comm_create_errhandler by comm_create_errhandler;
    nemesis_fortran_file_create_errhandler by file_create_errhandler;
    nemesis_fortran_session_create_errhandler by session_create_errhandler;
    nemesis_fortran_win_create_errhandler by win_create_errhandler;
}

binding! {
    only nemesis_fortran_create_keyval(
        kind: c_int as int, is_short: c_int as int, copy: Function as address,
        delete: Function as address, keyval: *mut c_int as address, extra: *mut c_void as address,
    )
    on Raise::Default =>
    {
        let mut key = Place::out(Out::new(keyval), 0);
        let place = Out::new(key.pass());
        Subroutines::<Openmpi>::create_keyval(kind, is_short != 0, copy, delete, place, extra)?;
        key.leave(from::keyval);
        Ok(())
    }
}

/// Returns the object of a kind behind a handle.
fn object(kind: c_int, handle: RawHandle) -> Outcome<Object> {
    let number = match kind {
        COMM => to::comm(handle).0,
        DATATYPE => to::datatype(handle).0,
        _ => to::win(handle).0,
    };
    object_of(kind, number)
}

binding! {
    only nemesis_fortran_get_attr(
        kind: c_int as int, handle: RawHandle as address, keyval: c_int as keyval,
        value: *mut isize as address, flag: *mut c_int as address,
    )
    on raise_on(kind, handle) =>
    {
        let (value, flag) = (Out::new(value), Out::new(flag));
        get_attribute(object(kind, handle)?, to::keyval(keyval), value, flag, |pointer| {
            from::attribute_at(keyval, InOut::from(pointer), In::from(&1));
        })
    }
}

binding! {
    only nemesis_fortran_set_attr(
        kind: c_int as int, is_short: c_int as int, handle: RawHandle as address,
        keyval: c_int as keyval, value: isize as int,
    )
    on raise_on(kind, handle) =>
    { set_attribute(object(kind, handle)?, to::keyval(keyval), value, is_short != 0) }
}

binding! {
    only nemesis_fortran_request_left(
        request: *mut c_int as address, handle: RawHandle as request,
    )
    on Raise::Default =>
    {
        impls::request_converted(request.addr(), to::request(handle));
        Ok(())
    }
}

/// Returns the object whose error handler is called.
fn raise_on(kind: c_int, handle: RawHandle) -> Raise {
    match kind {
        COMM => Raise::Comm(to::comm(handle)),
        WIN => Raise::Win(to::win(handle)),
        _ => Raise::Default,
    }
}
