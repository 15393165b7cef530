//! Procedures that lie in MPICH's modules, or whose arguments are others there, and what the
//! modules of `mpifort.mpich` need.

use crate::c::{self, Handle};
use crate::error::{Owner, refuse};
use crate::others::{different, equal};
use crate::section::{Copied, Descriptor};
use crate::text::text;
use crate::types::{Fint, finish};
use crate::{exports, or_refuse, places};
use std::ffi::{c_char, c_int};

/// MPI_SIZEOF of the modules of `mpifort.mpich`, which declare it BIND(C): the descriptor is that
/// of ISO_Fortran_binding.h, whose second word is the size of an element.
unsafe extern "C" fn sizeof_any(x: *const usize, size: *mut Fint, ierror: *mut Fint) {
    // SAFETY: the caller's promises to the MPI procedure.
    unsafe {
        *size = *x.add(1) as Fint;
        finish(ierror, 0);
    }
}

exports!(sizeof_any: mpi_sizeof_ pmpi_sizeof_);
exports!(equal:
    nemesis_comm_eq_ nemesis_datatype_eq_ nemesis_errhandler_eq_ nemesis_file_eq_
    nemesis_group_eq_ nemesis_info_eq_ nemesis_message_eq_ nemesis_op_eq_ nemesis_request_eq_
    nemesis_session_eq_ nemesis_win_eq_);
exports!(different:
    nemesis_comm_ne_ nemesis_datatype_ne_ nemesis_errhandler_ne_ nemesis_file_ne_
    nemesis_group_ne_ nemesis_info_ne_ nemesis_message_ne_ nemesis_op_ne_ nemesis_request_ne_
    nemesis_session_ne_ nemesis_win_ne_);

/// Converts between the handles of C and of Fortran, which are one number.
pub extern "C" fn same_number(handle: c_int) -> c_int {
    handle
}

/// The assignment of a status of C to one of Fortran, and the reverse.
pub unsafe extern "C" fn status_assign(to: *mut c_int, from: *const c_int) {
    // SAFETY: both are statuses.
    unsafe { to.copy_from(from, crate::abi::STATUS_INTEGERS) };
}

macro_rules! external {
    ($count:ty, $pack:ident by $c_pack:ident, $unpack:ident by $c_unpack:ident) => {
        pub unsafe extern "C" fn $pack(
            datarep: *mut c_char,
            inbuf: *const Descriptor,
            incount: *const $count,
            datatype: *const Fint,
            outbuf: *const Descriptor,
            outsize: *const isize,
            position: *mut isize,
            ierror: *mut Fint,
            datarep_length: usize,
        ) {
            // SAFETY: the caller's promises to the MPI procedure.
            unsafe {
                let datarep = text(datarep, datarep_length);
                let mut from = or_refuse!(Copied::new(inbuf, false), Owner::Process, ierror);
                let mut to = or_refuse!(Copied::new(outbuf, true), Owner::Process, ierror);
                let (from, to) = (places::buffer(from.address()), to.address());
                let (datarep, datatype) = (datarep.place(), *datatype as Handle);
                let (size, position) = ((*outsize) as _, position.cast());
                let code = c::$c_pack(datarep, from, *incount, datatype, to, size, position);
                finish(ierror, code);
            }
        }

        pub unsafe extern "C" fn $unpack(
            datarep: *mut c_char,
            inbuf: *const Descriptor,
            insize: *const isize,
            position: *mut isize,
            outbuf: *const Descriptor,
            outcount: *const $count,
            datatype: *const Fint,
            ierror: *mut Fint,
            datarep_length: usize,
        ) {
            // SAFETY: the caller's promises to the MPI procedure.
            unsafe {
                let datarep = text(datarep, datarep_length);
                let mut from = or_refuse!(Copied::new(inbuf, false), Owner::Process, ierror);
                let mut to = or_refuse!(Copied::new(outbuf, true), Owner::Process, ierror);
                let (from, to) = (from.address(), places::buffer(to.address()));
                let (datarep, datatype) = (datarep.place(), *datatype as Handle);
                let (size, position) = ((*insize) as _, position.cast());
                let code = c::$c_unpack(datarep, from, size, position, to, *outcount, datatype);
                finish(ierror, code);
            }
        }
    };
}

external!(c_int,
    pack_external by PMPI_Pack_external, unpack_external by PMPI_Unpack_external);
external!(i64,
    pack_large_external by PMPI_Pack_external_c, unpack_large_external by PMPI_Unpack_external_c);
