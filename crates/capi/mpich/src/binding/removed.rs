// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: removed.

use crate::prelude::*;

binding! {
    MPI_Address PMPI_Address(location: *mut c_void as buffer, address: *mut isize as address)
    on Raise::Default =>
    {
        impls::get_address(UserBuffer::new(location), Out::new(address))
    }
}

binding! {
    MPI_Errhandler_create PMPI_Errhandler_create(
        handler_fn: Function as address, errhandler: *mut c_int as out_errhandler,
    )
    on Raise::Default =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::comm_create_errhandler(callback(handler_fn), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_Errhandler_get PMPI_Errhandler_get(comm: c_int as comm, errhandler: *mut c_int as out_errhandler)
    on Raise::Comm(to::comm(comm)) =>
    {
        let mut errhandler = Place::out(Out::new(errhandler), Errhandler::NULL);
        impls::comm_get_errhandler(to::comm(comm), Out::new(errhandler.pass()))?;
        errhandler.leave(from::errhandler);
        Ok(())
    }
}

binding! {
    MPI_Errhandler_set PMPI_Errhandler_set(comm: c_int as comm, errhandler: c_int as errhandler)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::comm_set_errhandler(to::comm(comm), to::errhandler(errhandler))
    }
}

binding! {
    MPI_Type_extent PMPI_Type_extent(datatype: c_int as datatype, extent: *mut isize as address)
    on Raise::Default =>
    {
        impls::type_extent(to::datatype(datatype), Out::new(extent))
    }
}

binding! {
    MPI_Type_hindexed PMPI_Type_hindexed(
        count: c_int as int, array_of_blocklengths: *mut c_int as address,
        array_of_displacements: *mut isize as address, oldtype: c_int as datatype,
        newtype: *mut c_int as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_hindexed(
            i64::from(count), IntSlice::Int(InSlice::new(array_of_blocklengths, count as i64)),
            IntSlice::Long(InSlice::new(array_of_displacements.cast::<i64>(), count as i64)), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_hvector PMPI_Type_hvector(
        count: c_int as int, blocklength: c_int as int, stride: isize as int, oldtype: c_int as datatype,
        newtype: *mut c_int as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_hvector(
            i64::from(count), i64::from(blocklength), stride as i64, to::datatype(oldtype), Out::new(newtype.pass()),
            Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_lb PMPI_Type_lb(datatype: c_int as datatype, displacement: *mut isize as address)
    on Raise::Default =>
    {
        impls::type_lb(to::datatype(datatype), Out::new(displacement))
    }
}

binding! {
    MPI_Type_struct PMPI_Type_struct(
        count: c_int as int, array_of_blocklengths: *mut c_int as address,
        array_of_displacements: *mut isize as address, array_of_types: *mut c_int as address,
        newtype: *mut c_int as out_datatype,
    )
    on Raise::Default =>
    {
        let mut array_of_types = Array::<_, _>::changed(InOutSlice::new(array_of_types, count as i64), to::datatype);
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        let outcome = impls::type_create_struct(
            i64::from(count), IntSlice::Int(InSlice::new(array_of_blocklengths, count as i64)),
            IntSlice::Long(InSlice::new(array_of_displacements.cast::<i64>(), count as i64)),
            InSlice::new(array_of_types.pass_mut(), count as i64), Out::new(newtype.pass()), Form::Plain,
        );
        array_of_types.leave(from::datatype);
        outcome?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_ub PMPI_Type_ub(datatype: c_int as datatype, displacement: *mut isize as address)
    on Raise::Default =>
    {
        impls::type_ub(to::datatype(datatype), Out::new(displacement))
    }
}
