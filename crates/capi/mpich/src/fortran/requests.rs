//! Generalized requests whose functions are Fortran subroutines (MPI 5.0 §13.2): every argument by reference, an error code last.

use crate::callback::{Mpich, queried};
use crate::convert::to;
use crate::prelude::{Raise, bodies, code, front, show};
use crate::status::Status;
use nemesis_mpi::abi;
use nemesis_mpi::attr::Attribute;
use nemesis_mpi::callback::{Front, Object, Queried};
use nemesis_mpi::handle::Datatype;
use std::ffi::{c_int, c_void};
use std::mem::transmute;

type Query = unsafe extern "C" fn(*mut c_void, *mut Status, *mut c_int);
type Free = unsafe extern "C" fn(*mut c_void, *mut c_int);
type Cancel = unsafe extern "C" fn(*mut c_void, *mut c_int, *mut c_int);

/// `.TRUE.` in the compilers that this ABI's Fortran libraries are made for: those that test the lowest bit see it as well.
const TRUE: c_int = 1;

struct Fortran;

front! {
    only MPII_Grequest_set_lang_f77(request: c_int as request)
    on Raise::Default => { bodies::grequest_call_through(to::request(request), &Fortran) }
}

fn outcome(code: c_int) -> Result<(), i32> {
    if code == abi::MPI_SUCCESS { Ok(()) } else { Err(to::code(code)) }
}

impl Front for Fortran {
    fn query_request(&self, function: usize, extra: usize) -> Result<Queried, i32> {
        queried(|status| {
            let mut code = abi::MPI_SUCCESS;
            // SAFETY: the address is a Fortran subroutine for this purpose.
            let function = unsafe { transmute::<usize, Query>(function) };
            // SAFETY: as above; the places are local variables, the extra state is the program's.
            unsafe { function(extra as *mut c_void, status, &mut code) };
            code
        })
    }

    fn free_request(&self, function: usize, extra: usize) -> Result<(), i32> {
        let mut code = abi::MPI_SUCCESS;
        // SAFETY: the address is a Fortran subroutine for this purpose.
        let function = unsafe { transmute::<usize, Free>(function) };
        // SAFETY: as above; the place is a local variable.
        unsafe { function(extra as *mut c_void, &mut code) };
        outcome(code)
    }

    fn cancel_request(&self, function: usize, extra: usize, complete: bool) -> Result<(), i32> {
        let (mut complete, mut code) = (if complete { TRUE } else { 0 }, abi::MPI_SUCCESS);
        // SAFETY: the address is a Fortran subroutine for this purpose.
        let function = unsafe { transmute::<usize, Cancel>(function) };
        // SAFETY: as above; the places are local variables.
        unsafe { function(extra as *mut c_void, &mut complete, &mut code) };
        outcome(code)
    }

    // Requests have no other functions; what is left goes the way of C.
    fn copy_attribute(
        &self,
        function: usize,
        old: Object,
        keyval: i32,
        extra: usize,
        value: &Attribute,
    ) -> Result<Option<Attribute>, i32> {
        Mpich.copy_attribute(function, old, keyval, extra, value)
    }

    fn delete_attribute(
        &self,
        function: usize,
        object: Object,
        keyval: i32,
        value: &Attribute,
        extra: usize,
    ) -> Result<(), i32> {
        Mpich.delete_attribute(function, object, keyval, value, extra)
    }

    fn handle_error(&self, function: usize, object: Object, code: i32) {
        Mpich.handle_error(function, object, code);
    }

    fn reduce(
        &self,
        function: usize,
        long: bool,
        input: *const u8,
        inout: *mut u8,
        count: i64,
        datatype: Datatype,
    ) {
        Mpich.reduce(function, long, input, inout, count, datatype);
    }
}
