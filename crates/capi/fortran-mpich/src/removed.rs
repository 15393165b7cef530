//! Procedures that MPI 3.0 removed, which old programs call: addresses are default INTEGERs.

use crate::c::{self, Handle};
use crate::exports;
use crate::types::{Fint, finish};
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn PMPI_Type_lb(datatype: Handle, displacement: *mut isize) -> c_int;
    fn PMPI_Type_ub(datatype: Handle, displacement: *mut isize) -> c_int;
    fn PMPI_Type_extent(datatype: Handle, extent: *mut isize) -> c_int;
}

unsafe extern "C" fn address(location: *mut c_void, address: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let mut place = 0;
        let code = c::PMPI_Get_address(crate::places::buffer(location), &mut place);
        *address = place as Fint;
        finish(ierror, code);
    }
}

macro_rules! bound {
    ($name:ident $function:ident) => {
        unsafe extern "C" fn $name(datatype: *mut Fint, bound: *mut Fint, ierror: *mut Fint) {
            // SAFETY: the caller's promises to the MPI procedure.
            unsafe {
                let mut bytes = 0;
                let code = $function(*datatype, &mut bytes);
                *bound = bytes as Fint;
                finish(ierror, code);
            }
        }
    };
}

bound!(type_lb PMPI_Type_lb);
bound!(type_ub PMPI_Type_ub);
bound!(type_extent PMPI_Type_extent);

/// Returns displacements as C takes them.
unsafe fn wide(places: *const Fint, count: c_int) -> Vec<isize> {
    // SAFETY: the caller's array has as many elements.
    (0..count.max(0) as usize).map(|index| unsafe { *places.add(index) as isize }).collect()
}

unsafe extern "C" fn type_struct(
    count: *mut Fint,
    lengths: *mut Fint,
    places: *mut Fint,
    types: *mut Fint,
    newtype: *mut Fint,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let mut places = wide(places, *count);
        let places = places.as_mut_ptr();
        finish(ierror, c::PMPI_Type_create_struct(*count, lengths, places, types, newtype));
    }
}

unsafe extern "C" fn type_hindexed(
    count: *mut Fint,
    lengths: *mut Fint,
    places: *mut Fint,
    oldtype: *mut Fint,
    newtype: *mut Fint,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let mut places = wide(places, *count);
        let places = places.as_mut_ptr();
        finish(ierror, c::PMPI_Type_create_hindexed(*count, lengths, places, *oldtype, newtype));
    }
}

unsafe extern "C" fn type_hvector(
    count: *mut Fint,
    length: *mut Fint,
    stride: *mut Fint,
    oldtype: *mut Fint,
    newtype: *mut Fint,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let stride = *stride as isize;
        finish(ierror, c::PMPI_Type_create_hvector(*count, *length, stride, *oldtype, newtype));
    }
}

unsafe extern "C" fn errhandler_create(
    function: *mut c_void,
    errhandler: *mut Fint,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { finish(ierror, c::PMPI_Comm_create_errhandler(function, errhandler)) };
}

unsafe extern "C" fn errhandler_set(comm: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { finish(ierror, c::PMPI_Comm_set_errhandler(*comm, *errhandler)) };
}

unsafe extern "C" fn errhandler_get(comm: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { finish(ierror, c::PMPI_Comm_get_errhandler(*comm, errhandler)) };
}

exports!(address: mpi_address_ pmpi_address_);
exports!(type_lb: mpi_type_lb_ pmpi_type_lb_);
exports!(type_ub: mpi_type_ub_ pmpi_type_ub_);
exports!(type_extent: mpi_type_extent_ pmpi_type_extent_);
exports!(type_struct: mpi_type_struct_ pmpi_type_struct_);
exports!(type_hindexed: mpi_type_hindexed_ pmpi_type_hindexed_);
exports!(type_hvector: mpi_type_hvector_ pmpi_type_hvector_);
exports!(errhandler_create: mpi_errhandler_create_ pmpi_errhandler_create_);
exports!(errhandler_set: mpi_errhandler_set_ pmpi_errhandler_set_);
exports!(errhandler_get: mpi_errhandler_get_ pmpi_errhandler_get_);
