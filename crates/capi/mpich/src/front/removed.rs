// generated from api/ by cargo xtask generate; do not edit
//! The fronts of MPICH's ABI: removed.

use crate::prelude::*;

front! {
    MPI_Address PMPI_Address(location: *mut c_void as buffer, address: *mut isize as address)
    on Raise::Default =>
    {
        bodies::get_address(to::buffer_mut(location), address)
    }
}

front! {
    MPI_Errhandler_create PMPI_Errhandler_create(handler_fn: Function as address, errhandler: *mut c_int as address)
    on Raise::Default =>
    {
        let mut errhandler = Place::room(errhandler, Errhandler::NULL);
        bodies::comm_create_errhandler(callback(handler_fn), errhandler.pass())?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

front! {
    MPI_Errhandler_get PMPI_Errhandler_get(comm: c_int as comm, errhandler: *mut c_int as address)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut errhandler = Place::room(errhandler, Errhandler::NULL);
        bodies::comm_get_errhandler(to::comm(comm), errhandler.pass())?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

front! {
    MPI_Errhandler_set PMPI_Errhandler_set(comm: c_int as comm, errhandler: c_int as errhandler)
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::comm_set_errhandler(to::comm(comm), to::errhandler(errhandler))
    }
}

front! {
    MPI_Type_extent PMPI_Type_extent(datatype: c_int as datatype, extent: *mut isize as address)
    on Raise::Default =>
    { missing("functions that MPI 3.0 removed are not furnished yet") }
}

front! {
    MPI_Type_hindexed PMPI_Type_hindexed(
        count: c_int as int, array_of_blocklengths: *mut c_int as address,
        array_of_displacements: *mut isize as address, oldtype: c_int as datatype, newtype: *mut c_int as address,
    )
    on Raise::Default =>
    { missing("derived datatypes are not furnished yet") }
}

front! {
    MPI_Type_hvector PMPI_Type_hvector(
        count: c_int as int, blocklength: c_int as int, stride: isize as int, oldtype: c_int as datatype,
        newtype: *mut c_int as address,
    )
    on Raise::Default =>
    { missing("derived datatypes are not furnished yet") }
}

front! {
    MPI_Type_lb PMPI_Type_lb(datatype: c_int as datatype, displacement: *mut isize as address)
    on Raise::Default =>
    { missing("functions that MPI 3.0 removed are not furnished yet") }
}

front! {
    MPI_Type_struct PMPI_Type_struct(
        count: c_int as int, array_of_blocklengths: *mut c_int as address,
        array_of_displacements: *mut isize as address, array_of_types: *mut c_int as address,
        newtype: *mut c_int as address,
    )
    on Raise::Default =>
    { missing("derived datatypes are not furnished yet") }
}

front! {
    MPI_Type_ub PMPI_Type_ub(datatype: c_int as datatype, displacement: *mut isize as address)
    on Raise::Default =>
    { missing("functions that MPI 3.0 removed are not furnished yet") }
}
