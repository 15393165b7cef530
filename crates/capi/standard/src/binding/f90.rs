// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: f90.

use crate::prelude::*;

binding! {
    MPI_Type_create_f90_complex PMPI_Type_create_f90_complex(
        p: c_int as int, r: c_int as int, newtype: *mut Datatype as out_datatype,
    )
    on Raise::Default =>
    {
        impls::type_create_f90_complex(p, r, Out::new(newtype))
    }
}

binding! {
    MPI_Type_create_f90_integer PMPI_Type_create_f90_integer(r: c_int as int, newtype: *mut Datatype as out_datatype)
    on Raise::Default =>
    {
        impls::type_create_f90_integer(r, Out::new(newtype))
    }
}

binding! {
    MPI_Type_create_f90_real PMPI_Type_create_f90_real(
        p: c_int as int, r: c_int as int, newtype: *mut Datatype as out_datatype,
    )
    on Raise::Default =>
    {
        impls::type_create_f90_real(p, r, Out::new(newtype))
    }
}

binding! {
    MPI_Type_match_size PMPI_Type_match_size(
        typeclass: c_int as int, size: c_int as int, datatype: *mut Datatype as out_datatype,
    )
    on Raise::Default =>
    {
        impls::type_match_size(typeclass, size, Out::new(datatype))
    }
}
