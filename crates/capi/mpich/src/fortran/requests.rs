//! Generalized requests whose functions are Fortran subroutines (MPI 5.0 §13.2): every argument is
//! passed by reference, and the last one is the error code. And copies of array sections, which the
//! Fortran library of this project keeps while an operation uses them.

use crate::callback::Mpich;
use crate::convert::{from, to};
use crate::prelude::{Function, Handle, InOut, Place, Raise, Request, binding, code, impls, show};
use crate::status::Status;
use nemesis_capi::callback::{outcome, queried};
use nemesis_capi::copies::Kept;
use nemesis_capi::{callbacks, function_at};
use nemesis_mpi::abi;
use nemesis_mpi::callback::{Binding, Queried};
use std::ffi::{c_int, c_void};

/// `void *`
type Pointer = *mut c_void;

/// An integer that a subroutine reads or writes.
type Integer = *mut c_int;

/// `.TRUE.` of the compilers that this ABI's Fortran libraries are made for. Compilers that test
/// the lowest bit accept it too.
const TRUE: c_int = 1;

struct Fortran;

binding! {
    only MPII_Grequest_set_lang_f77(request: c_int as request)
    on Raise::Default => { impls::grequest_call_through(to::request(request), &Fortran) }
}

binding! {
    only nemesis_fortran_keep_copies(
        request: *mut c_int as address, function: Function as address,
        copies: *mut c_void as address,
    )
    on Raise::Default =>
    {
        let copies = Kept::new(function, copies);
        let mut request = Place::read(InOut::new(request), Request::NULL, to::request);
        let outcome = impls::keep_copies(InOut::new(request.pass()), copies);
        request.leave(from::request);
        outcome
    }
}

binding! {
    only nemesis_fortran_request_left(request: *mut c_int as address, handle: c_int as request)
    on Raise::Default =>
    {
        impls::request_converted(request.addr(), to::request(handle));
        Ok(())
    }
}

impl Binding for Fortran {
    fn query_request(&self, function: usize, extra: usize) -> Result<Queried, i32> {
        queried::<Mpich>(|status| {
            let mut code = abi::MPI_SUCCESS;
            // SAFETY: the address is a query subroutine; the places are local variables, and the
            // extra state is the program's.
            unsafe {
                function_at!(function, (Pointer, *mut Status, Integer))(
                    extra as Pointer,
                    status,
                    &mut code,
                )
            };
            code
        })
    }

    fn free_request(&self, function: usize, extra: usize) -> Result<(), i32> {
        let mut code = abi::MPI_SUCCESS;
        // SAFETY: the address is a free subroutine; the place is a local variable.
        unsafe { function_at!(function, (Pointer, Integer))(extra as Pointer, &mut code) };
        outcome::<Mpich>(code)
    }

    fn cancel_request(&self, function: usize, extra: usize, complete: bool) -> Result<(), i32> {
        let (mut complete, mut code) = (if complete { TRUE } else { 0 }, abi::MPI_SUCCESS);
        // SAFETY: the address is a cancel subroutine; the places are local variables.
        unsafe {
            function_at!(function, (Pointer, Integer, Integer))(
                extra as Pointer,
                &mut complete,
                &mut code,
            )
        };
        outcome::<Mpich>(code)
    }

    // A request has no other functions.
    callbacks!(Mpich: attributes others);
}
