//! The program's functions that the C library calls: Fortran subroutines take every argument by
//! reference, and an error code as their last argument (MPI 5.0 §19.1.11).
//!
//! Reduction functions and error handlers have the conventions of C already: a pointer to a handle
//! of C points to the handle of Fortran, which is its low half. Attribute functions are called by
//! the C library ([`crate::attributes`]). The others are called from here. All get the program's
//! own extra state, not a copy: the variable must stay valid as long as they may be called.

use crate::abi::{NULL_CONVERSIONS, number};
use crate::c;
use crate::facts;
use crate::kind::REQUEST;
use crate::known_objects::object;
use crate::types::{Fint, Handle, finish, give_request, handle};
use std::ffi::{c_char, c_int, c_void};
use std::mem::transmute;

type Query = unsafe extern "C" fn(*mut isize, *mut c_void, *mut c_int);
type Free = unsafe extern "C" fn(*mut isize, *mut c_int);
type Cancel = unsafe extern "C" fn(*mut isize, *mut c_int, *mut c_int);

/// The subroutines of a generalized request.
struct Request {
    query: *mut c_void,
    free: *mut c_void,
    cancel: *mut c_void,
    extra: *mut isize,
}

unsafe extern "C" fn query(request: *mut Request, status: *mut c_void) -> c_int {
    let mut code = 0;
    // SAFETY: the C library passes on what `grequest_start` gave it; a status of C is one of
    // Fortran.
    unsafe {
        let request = &mut *request;
        transmute::<*mut c_void, Query>(request.query)(request.extra, status, &mut code);
    }
    code
}

unsafe extern "C" fn free(request: *mut Request) -> c_int {
    let mut code = 0;
    // SAFETY: as in `query`; the C library calls this once, after the other functions.
    unsafe {
        let request = Box::from_raw(request);
        transmute::<*mut c_void, Free>(request.free)(request.extra, &mut code);
    }
    code
}

unsafe extern "C" fn cancel(request: *mut Request, complete: c_int) -> c_int {
    let (mut code, mut complete) = (0, facts::logical(complete != 0));
    // SAFETY: as in `query`.
    unsafe {
        let request = &mut *request;
        let cancel = transmute::<*mut c_void, Cancel>(request.cancel);
        cancel(request.extra, &mut complete, &mut code);
    }
    code
}

pub unsafe extern "C" fn grequest_start(
    query_fn: *mut c_void,
    free_fn: *mut c_void,
    cancel_fn: *mut c_void,
    extra_state: *mut isize,
    request: *mut Fint,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let functions = Box::into_raw(Box::new(Request {
            query: query_fn,
            free: free_fn,
            cancel: cancel_fn,
            extra: extra_state,
        }));
        let mut started = handle::<REQUEST>(request);
        let code = c::PMPI_Grequest_start(
            query as *mut c_void,
            free as *mut c_void,
            cancel as *mut c_void,
            functions.cast(),
            &mut started,
        );
        if code == 0 {
            give_request(request, started);
        } else {
            drop(Box::from_raw(functions));
        }
        finish(ierror, code);
    }
}

type Convert<C> = unsafe extern "C" fn(
    *mut c_void,
    *mut Fint,
    *mut C,
    *mut c_void,
    *mut i64,
    *mut isize,
    *mut c_int,
);
type Extent = unsafe extern "C" fn(*mut Fint, *mut isize, *mut isize, *mut c_int);

/// The subroutines of a data representation, which is registered for the life of the process.
struct Representation {
    read: *mut c_void,
    write: *mut c_void,
    extent: *mut c_void,
    extra: *mut isize,
}

unsafe fn convert<C>(
    function: *mut c_void,
    extra: *mut isize,
    (user, datatype, mut count, file, mut position): (*mut c_void, Handle, C, *mut c_void, i64),
) -> c_int {
    let (mut code, mut datatype) = (0, number(datatype));
    // SAFETY: the function is a conversion subroutine with this type of counts.
    unsafe {
        let function = transmute::<*mut c_void, Convert<C>>(function);
        function(user, &mut datatype, &mut count, file, &mut position, extra, &mut code);
    }
    code
}

unsafe extern "C" fn read<C>(
    user: *mut c_void,
    datatype: Handle,
    count: C,
    file: *mut c_void,
    position: i64,
    representation: *mut Representation,
) -> c_int {
    // SAFETY: the C library passes on what `register` gave it.
    unsafe {
        let functions = &mut *representation;
        convert(functions.read, functions.extra, (user, datatype, count, file, position))
    }
}

unsafe extern "C" fn write<C>(
    user: *mut c_void,
    datatype: Handle,
    count: C,
    file: *mut c_void,
    position: i64,
    representation: *mut Representation,
) -> c_int {
    // SAFETY: as in `read`.
    unsafe {
        let functions = &mut *representation;
        convert(functions.write, functions.extra, (user, datatype, count, file, position))
    }
}

unsafe extern "C" fn extent(
    datatype: Handle,
    place: *mut isize,
    representation: *mut Representation,
) -> c_int {
    let (mut code, mut datatype) = (0, number(datatype));
    // SAFETY: as in `read`.
    unsafe {
        let functions = &mut *representation;
        let function = transmute::<*mut c_void, Extent>(functions.extent);
        function(&mut datatype, place, functions.extra, &mut code);
    }
    code
}

/// A call of `MPI_Register_datarep` or its large-count form.
type Register =
    unsafe extern "C" fn(*mut c_char, *mut c_void, *mut c_void, *mut c_void, *mut c_void) -> c_int;

/// Registers a data representation by the function of the C library for counts of type `C`.
unsafe fn register<C>(
    by: Register,
    name: *mut c_char,
    (read_fn, write_fn, extent_fn): (*mut c_void, *mut c_void, *mut c_void),
    extra: *mut isize,
) -> c_int {
    let none = NULL_CONVERSIONS.map(object);
    let or_null = |function: *mut c_void, through: *mut c_void| {
        if none.contains(&function) { std::ptr::null_mut() } else { through }
    };
    let through =
        Box::new(Representation { read: read_fn, write: write_fn, extent: extent_fn, extra });
    // SAFETY: the functions have the types of the C library, and the box is never freed.
    unsafe {
        by(
            name,
            or_null(read_fn, read::<C> as *mut c_void),
            or_null(write_fn, write::<C> as *mut c_void),
            extent as *mut c_void,
            Box::into_raw(through).cast(),
        )
    }
}

macro_rules! register {
    ($name:ident $by:ident $count:ty) => {
        pub unsafe extern "C" fn $name(
            datarep: *mut c_char,
            read_fn: *mut c_void,
            write_fn: *mut c_void,
            extent_fn: *mut c_void,
            extra_state: *mut isize,
            ierror: *mut Fint,
            datarep_length: usize,
        ) {
            // SAFETY: the caller's promises to the MPI procedure.
            unsafe {
                let name = crate::text::text(datarep, datarep_length);
                let functions = (read_fn, write_fn, extent_fn);
                let code = register::<$count>(c::$by, name.place(), functions, extra_state);
                finish(ierror, code);
            }
        }
    };
}

register!(register_datarep PMPI_Register_datarep c_int);
register!(register_datarep_c PMPI_Register_datarep_c i64);
