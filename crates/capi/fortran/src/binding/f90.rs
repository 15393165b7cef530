// generated from api/ by cargo xtask generate; do not edit
//! The procedures: f90.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    type_create_f90_complex(p: *mut c_int, r: *mut c_int, newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_f90_complex(*p, *r, &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_f90_complex: mpi_type_create_f90_complex_ mpi_type_create_f90_complex__ mpi_type_create_f90_complex MPI_TYPE_CREATE_F90_COMPLEX pmpi_type_create_f90_complex_ pmpi_type_create_f90_complex__ pmpi_type_create_f90_complex PMPI_TYPE_CREATE_F90_COMPLEX);
exports_f08!(type_create_f90_complex: mpi_type_create_f90_complex_f08_ pmpir_type_create_f90_complex_f08_; type_create_f90_complex: mpi_type_create_f90_complex_f08_ pmpi_type_create_f90_complex_f08_);

procedure! {
    type_create_f90_integer(r: *mut c_int, newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_f90_integer(*r, &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_f90_integer: mpi_type_create_f90_integer_ mpi_type_create_f90_integer__ mpi_type_create_f90_integer MPI_TYPE_CREATE_F90_INTEGER pmpi_type_create_f90_integer_ pmpi_type_create_f90_integer__ pmpi_type_create_f90_integer PMPI_TYPE_CREATE_F90_INTEGER);
exports_f08!(type_create_f90_integer: mpi_type_create_f90_integer_f08_ pmpir_type_create_f90_integer_f08_; type_create_f90_integer: mpi_type_create_f90_integer_f08_ pmpi_type_create_f90_integer_f08_);

procedure! {
    type_create_f90_real(p: *mut c_int, r: *mut c_int, newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_f90_real(*p, *r, &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_f90_real: mpi_type_create_f90_real_ mpi_type_create_f90_real__ mpi_type_create_f90_real MPI_TYPE_CREATE_F90_REAL pmpi_type_create_f90_real_ pmpi_type_create_f90_real__ pmpi_type_create_f90_real PMPI_TYPE_CREATE_F90_REAL);
exports_f08!(type_create_f90_real: mpi_type_create_f90_real_f08_ pmpir_type_create_f90_real_f08_; type_create_f90_real: mpi_type_create_f90_real_f08_ pmpi_type_create_f90_real_f08_);

procedure! {
    type_match_size(typeclass: *mut c_int, size: *mut c_int, datatype: *mut Fint,
        ierror: *mut Fint);
    let mut datatype_c = handle::<DATATYPE>(datatype);
    let code = c::PMPI_Type_match_size(*typeclass, *size, &mut datatype_c);
    give(datatype, datatype_c);
    finish(ierror, code);
}
exports!(type_match_size: mpi_type_match_size_ mpi_type_match_size__ mpi_type_match_size MPI_TYPE_MATCH_SIZE pmpi_type_match_size_ pmpi_type_match_size__ pmpi_type_match_size PMPI_TYPE_MATCH_SIZE);
exports_f08!(type_match_size: mpi_type_match_size_f08_ pmpir_type_match_size_f08_; type_match_size: mpi_type_match_size_f08_ pmpi_type_match_size_f08_);
