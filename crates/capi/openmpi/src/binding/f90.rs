// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: f90.

use crate::prelude::*;

binding! {
    MPI_Type_create_f90_complex PMPI_Type_create_f90_complex(
        p: c_int as int, r: c_int as int, newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_f90_complex(p, r, Out::new(newtype.pass()))?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_f90_integer PMPI_Type_create_f90_integer(r: c_int as int, newtype: *mut RawHandle as out_datatype)
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_f90_integer(r, Out::new(newtype.pass()))?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_f90_real PMPI_Type_create_f90_real(
        p: c_int as int, r: c_int as int, newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_f90_real(p, r, Out::new(newtype.pass()))?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_match_size PMPI_Type_match_size(
        typeclass: c_int as int, size: c_int as int, datatype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut datatype = Place::out(Out::new(datatype), Datatype::NULL);
        impls::type_match_size(to::typeclass(typeclass), size, Out::new(datatype.pass()))?;
        datatype.leave(from::datatype);
        Ok(())
    }
}
