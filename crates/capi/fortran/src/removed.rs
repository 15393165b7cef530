//! Procedures that MPI 3.0 removed, which old programs call: addresses are default INTEGERs.

use crate::c;
use crate::exports;
use crate::kind::{COMM, DATATYPE, ERRHANDLER};
use crate::types::{Fint, Handles, finish, give, handle};
use std::ffi::{c_int, c_void};

unsafe extern "C" fn address(location: *mut c_void, address: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let mut place = 0;
        let code = c::PMPI_Get_address(crate::places::buffer(location), &mut place);
        *address = place as Fint;
        finish(ierror, code);
    }
}

/// Returns the lower bound and the extent of a datatype.
unsafe fn bounds(datatype: *const Fint, ierror: *mut Fint) -> (isize, isize) {
    let (mut lower, mut extent) = (0, 0);
    // SAFETY: the caller's promise; the places are local variables.
    unsafe {
        let code = c::PMPI_Type_get_extent(handle::<DATATYPE>(datatype), &mut lower, &mut extent);
        finish(ierror, code);
    }
    (lower, extent)
}

unsafe extern "C" fn type_lb(datatype: *const Fint, bound: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { *bound = bounds(datatype, ierror).0 as Fint };
}

unsafe extern "C" fn type_ub(datatype: *const Fint, bound: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let (lower, extent) = bounds(datatype, ierror);
        *bound = (lower + extent) as Fint;
    }
}

unsafe extern "C" fn type_extent(datatype: *const Fint, extent: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe { *extent = bounds(datatype, ierror).1 as Fint };
}

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
        let mut types = Handles::new::<DATATYPE>(types, (*count).into());
        let (places, types, mut made) =
            (places.as_mut_ptr(), types.place(), handle::<DATATYPE>(newtype));
        let code = c::PMPI_Type_create_struct(*count, lengths, places, types, &mut made);
        give(newtype, made);
        finish(ierror, code);
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
        let (places, oldtype, mut made) =
            (places.as_mut_ptr(), handle::<DATATYPE>(oldtype), handle::<DATATYPE>(newtype));
        let code = c::PMPI_Type_create_hindexed(*count, lengths, places, oldtype, &mut made);
        give(newtype, made);
        finish(ierror, code);
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
        let (stride, oldtype, mut made) =
            (*stride as isize, handle::<DATATYPE>(oldtype), handle::<DATATYPE>(newtype));
        let code = c::PMPI_Type_create_hvector(*count, *length, stride, oldtype, &mut made);
        give(newtype, made);
        finish(ierror, code);
    }
}

unsafe extern "C" fn errhandler_create(
    function: *mut c_void,
    errhandler: *mut Fint,
    ierror: *mut Fint,
) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let mut made = handle::<ERRHANDLER>(errhandler);
        let code = crate::abi::comm_create_errhandler(function, &mut made);
        give(errhandler, made);
        finish(ierror, code);
    }
}

unsafe extern "C" fn errhandler_set(comm: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        finish(
            ierror,
            c::PMPI_Comm_set_errhandler(handle::<COMM>(comm), handle::<ERRHANDLER>(errhandler)),
        )
    };
}

unsafe extern "C" fn errhandler_get(comm: *mut Fint, errhandler: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        let mut found = handle::<ERRHANDLER>(errhandler);
        let code = c::PMPI_Comm_get_errhandler(handle::<COMM>(comm), &mut found);
        give(errhandler, found);
        finish(ierror, code);
    }
}

exports!(address:
    mpi_address_ mpi_address mpi_address__ MPI_ADDRESS
    pmpi_address_ pmpi_address pmpi_address__ PMPI_ADDRESS);
exports!(type_lb:
    mpi_type_lb_ mpi_type_lb mpi_type_lb__ MPI_TYPE_LB
    pmpi_type_lb_ pmpi_type_lb pmpi_type_lb__ PMPI_TYPE_LB);
exports!(type_ub:
    mpi_type_ub_ mpi_type_ub mpi_type_ub__ MPI_TYPE_UB
    pmpi_type_ub_ pmpi_type_ub pmpi_type_ub__ PMPI_TYPE_UB);
exports!(type_extent:
    mpi_type_extent_ mpi_type_extent mpi_type_extent__ MPI_TYPE_EXTENT
    pmpi_type_extent_ pmpi_type_extent pmpi_type_extent__ PMPI_TYPE_EXTENT);
exports!(type_struct:
    mpi_type_struct_ mpi_type_struct mpi_type_struct__ MPI_TYPE_STRUCT
    pmpi_type_struct_ pmpi_type_struct pmpi_type_struct__ PMPI_TYPE_STRUCT);
exports!(type_hindexed:
    mpi_type_hindexed_ mpi_type_hindexed mpi_type_hindexed__ MPI_TYPE_HINDEXED
    pmpi_type_hindexed_ pmpi_type_hindexed pmpi_type_hindexed__ PMPI_TYPE_HINDEXED);
exports!(type_hvector:
    mpi_type_hvector_ mpi_type_hvector mpi_type_hvector__ MPI_TYPE_HVECTOR
    pmpi_type_hvector_ pmpi_type_hvector pmpi_type_hvector__ PMPI_TYPE_HVECTOR);
exports!(errhandler_create:
    mpi_errhandler_create_ mpi_errhandler_create mpi_errhandler_create__ MPI_ERRHANDLER_CREATE
    pmpi_errhandler_create_ pmpi_errhandler_create pmpi_errhandler_create__ PMPI_ERRHANDLER_CREATE);
exports!(errhandler_set:
    mpi_errhandler_set_ mpi_errhandler_set mpi_errhandler_set__ MPI_ERRHANDLER_SET
    pmpi_errhandler_set_ pmpi_errhandler_set pmpi_errhandler_set__ PMPI_ERRHANDLER_SET);
exports!(errhandler_get:
    mpi_errhandler_get_ mpi_errhandler_get mpi_errhandler_get__ MPI_ERRHANDLER_GET
    pmpi_errhandler_get_ pmpi_errhandler_get pmpi_errhandler_get__ PMPI_ERRHANDLER_GET);
