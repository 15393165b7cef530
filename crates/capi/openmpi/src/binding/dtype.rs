// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: dtype.

use crate::prelude::*;

direct! {
    MPI_Aint_add PMPI_Aint_add(base: isize, disp: isize) -> isize { impls::aint_add(base, disp) }
}

direct! {
    MPI_Aint_diff PMPI_Aint_diff(addr1: isize, addr2: isize) -> isize { impls::aint_diff(addr1, addr2) }
}

binding! {
    MPI_Get_address PMPI_Get_address(location: *const c_void as buffer, address: *mut isize as address)
    on Raise::Default =>
    {
        impls::get_address(UserBuffer::new(location), Out::new(address))
    }
}

binding! {
    MPI_Get_elements PMPI_Get_elements(
        status: *const Status as address, datatype: RawHandle as datatype, count: *mut c_int as address,
    )
    on Raise::Default =>
    {
        let status = OneStatus::read(In::new(status));
        impls::get_elements(In::new(status.pass()), to::datatype(datatype), CountOut::Int(Out::new(count)))
    }
}

binding! {
    MPI_Get_elements_c PMPI_Get_elements_c(
        status: *const Status as address, datatype: RawHandle as datatype, count: *mut i64 as address,
    )
    on Raise::Default =>
    {
        let status = OneStatus::read(In::new(status));
        impls::get_elements(In::new(status.pass()), to::datatype(datatype), CountOut::Long(Out::new(count)))
    }
}

binding! {
    MPI_Get_elements_x PMPI_Get_elements_x(
        status: *const Status as address, datatype: RawHandle as datatype, count: *mut i64 as address,
    )
    on Raise::Default =>
    {
        let status = OneStatus::read(In::new(status));
        impls::get_elements(In::new(status.pass()), to::datatype(datatype), CountOut::Long(Out::new(count)))
    }
}

binding! {
    MPI_Pack PMPI_Pack(
        inbuf: *const c_void as buffer, incount: c_int as int, datatype: RawHandle as datatype,
        outbuf: *mut c_void as buffer, outsize: c_int as int, position: *mut c_int as address,
        comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::pack(
            UserBuffer::new(to::buffer(inbuf)), i64::from(incount), to::datatype(datatype),
            UserBuffer::new(to::buffer_mut(outbuf)), i64::from(outsize), CountInOut::Int(InOut::new(position)),
            to::comm(comm),
        )
    }
}

binding! {
    MPI_Pack_c PMPI_Pack_c(
        inbuf: *const c_void as buffer, incount: i64 as int, datatype: RawHandle as datatype,
        outbuf: *mut c_void as buffer, outsize: i64 as int, position: *mut i64 as address, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::pack(
            UserBuffer::new(to::buffer(inbuf)), incount, to::datatype(datatype),
            UserBuffer::new(to::buffer_mut(outbuf)), outsize, CountInOut::Long(InOut::new(position)), to::comm(comm),
        )
    }
}

binding! {
    MPI_Pack_external PMPI_Pack_external(
        datarep: *const c_char as string, inbuf: *const c_void as buffer, incount: c_int as int,
        datatype: RawHandle as datatype, outbuf: *mut c_void as buffer, outsize: isize as int,
        position: *mut isize as address,
    )
    on Raise::Default =>
    {
        impls::pack_external(
            StringIn::new(datarep), UserBuffer::new(to::buffer(inbuf)), i64::from(incount), to::datatype(datatype),
            UserBuffer::new(to::buffer_mut(outbuf)), outsize as i64,
            CountInOut::Long(InOut::new(position.cast::<i64>())),
        )
    }
}

binding! {
    MPI_Pack_external_c PMPI_Pack_external_c(
        datarep: *const c_char as string, inbuf: *const c_void as buffer, incount: i64 as int,
        datatype: RawHandle as datatype, outbuf: *mut c_void as buffer, outsize: i64 as int,
        position: *mut i64 as address,
    )
    on Raise::Default =>
    {
        impls::pack_external(
            StringIn::new(datarep), UserBuffer::new(to::buffer(inbuf)), incount, to::datatype(datatype),
            UserBuffer::new(to::buffer_mut(outbuf)), outsize, CountInOut::Long(InOut::new(position)),
        )
    }
}

binding! {
    MPI_Pack_external_size PMPI_Pack_external_size(
        datarep: *const c_char as string, incount: c_int as int, datatype: RawHandle as datatype,
        size: *mut isize as address,
    )
    on Raise::Default =>
    {
        impls::pack_external_size(
            StringIn::new(datarep), i64::from(incount), to::datatype(datatype),
            CountOut::Long(Out::new(size.cast::<i64>())),
        )
    }
}

binding! {
    MPI_Pack_external_size_c PMPI_Pack_external_size_c(
        datarep: *const c_char as string, incount: i64 as int, datatype: RawHandle as datatype,
        size: *mut i64 as address,
    )
    on Raise::Default =>
    {
        impls::pack_external_size(
            StringIn::new(datarep), incount, to::datatype(datatype), CountOut::Long(Out::new(size)),
        )
    }
}

binding! {
    MPI_Pack_size PMPI_Pack_size(
        incount: c_int as int, datatype: RawHandle as datatype, comm: RawHandle as comm, size: *mut c_int as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::pack_size(i64::from(incount), to::datatype(datatype), to::comm(comm), CountOut::Int(Out::new(size)))
    }
}

binding! {
    MPI_Pack_size_c PMPI_Pack_size_c(
        incount: i64 as int, datatype: RawHandle as datatype, comm: RawHandle as comm, size: *mut i64 as address,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::pack_size(incount, to::datatype(datatype), to::comm(comm), CountOut::Long(Out::new(size)))
    }
}

binding! {
    MPI_Type_commit PMPI_Type_commit(datatype: *mut RawHandle as address)
    on Raise::Default =>
    {
        let mut datatype = Place::read(InOut::new(datatype), Datatype::NULL, to::datatype);
        let outcome = impls::type_commit(InOut::new(datatype.pass()));
        datatype.leave(from::datatype);
        outcome
    }
}

binding! {
    MPI_Type_contiguous PMPI_Type_contiguous(
        count: c_int as int, oldtype: RawHandle as datatype, newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_contiguous(i64::from(count), to::datatype(oldtype), Out::new(newtype.pass()), Form::Plain)?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_contiguous_c PMPI_Type_contiguous_c(
        count: i64 as int, oldtype: RawHandle as datatype, newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_contiguous(count, to::datatype(oldtype), Out::new(newtype.pass()), Form::Large)?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_darray PMPI_Type_create_darray(
        size: c_int as int, rank: c_int as rank, ndims: c_int as int, array_of_gsizes: *const c_int as address,
        array_of_distribs: *const c_int as address, array_of_dargs: *const c_int as address,
        array_of_psizes: *const c_int as address, order: c_int as int, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let array_of_distribs = Array::<_, _>::read(InSlice::new(array_of_distribs, ndims as i64), to::distribution);
        let array_of_dargs = Array::<_, _>::read(InSlice::new(array_of_dargs, ndims as i64), to::distribution_argument);
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_darray(
            size, to::rank(rank), ndims, IntSlice::Int(InSlice::new(array_of_gsizes, ndims as i64)),
            InSlice::new(array_of_distribs.pass(), ndims as i64), InSlice::new(array_of_dargs.pass(), ndims as i64),
            InSlice::new(array_of_psizes, ndims as i64), to::order(order), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_darray_c PMPI_Type_create_darray_c(
        size: c_int as int, rank: c_int as rank, ndims: c_int as int, array_of_gsizes: *const i64 as address,
        array_of_distribs: *const c_int as address, array_of_dargs: *const c_int as address,
        array_of_psizes: *const c_int as address, order: c_int as int, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let array_of_distribs = Array::<_, _>::read(InSlice::new(array_of_distribs, ndims as i64), to::distribution);
        let array_of_dargs = Array::<_, _>::read(InSlice::new(array_of_dargs, ndims as i64), to::distribution_argument);
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_darray(
            size, to::rank(rank), ndims, IntSlice::Long(InSlice::new(array_of_gsizes, ndims as i64)),
            InSlice::new(array_of_distribs.pass(), ndims as i64), InSlice::new(array_of_dargs.pass(), ndims as i64),
            InSlice::new(array_of_psizes, ndims as i64), to::order(order), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Large,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_hindexed PMPI_Type_create_hindexed(
        count: c_int as int, array_of_blocklengths: *const c_int as address,
        array_of_displacements: *const isize as address, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
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
    MPI_Type_create_hindexed_block PMPI_Type_create_hindexed_block(
        count: c_int as int, blocklength: c_int as int, array_of_displacements: *const isize as address,
        oldtype: RawHandle as datatype, newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_hindexed_block(
            i64::from(count), i64::from(blocklength),
            IntSlice::Long(InSlice::new(array_of_displacements.cast::<i64>(), count as i64)), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_hindexed_block_c PMPI_Type_create_hindexed_block_c(
        count: i64 as int, blocklength: i64 as int, array_of_displacements: *const i64 as address,
        oldtype: RawHandle as datatype, newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_hindexed_block(
            count, blocklength, IntSlice::Long(InSlice::new(array_of_displacements, count)), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Large,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_hindexed_c PMPI_Type_create_hindexed_c(
        count: i64 as int, array_of_blocklengths: *const i64 as address,
        array_of_displacements: *const i64 as address, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_hindexed(
            count, IntSlice::Long(InSlice::new(array_of_blocklengths, count)),
            IntSlice::Long(InSlice::new(array_of_displacements, count)), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Large,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_hvector PMPI_Type_create_hvector(
        count: c_int as int, blocklength: c_int as int, stride: isize as int, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
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
    MPI_Type_create_hvector_c PMPI_Type_create_hvector_c(
        count: i64 as int, blocklength: i64 as int, stride: i64 as int, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_hvector(
            count, blocklength, stride, to::datatype(oldtype), Out::new(newtype.pass()), Form::Large,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_indexed_block PMPI_Type_create_indexed_block(
        count: c_int as int, blocklength: c_int as int, array_of_displacements: *const c_int as address,
        oldtype: RawHandle as datatype, newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_indexed_block(
            i64::from(count), i64::from(blocklength),
            IntSlice::Int(InSlice::new(array_of_displacements, count as i64)), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_indexed_block_c PMPI_Type_create_indexed_block_c(
        count: i64 as int, blocklength: i64 as int, array_of_displacements: *const i64 as address,
        oldtype: RawHandle as datatype, newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_indexed_block(
            count, blocklength, IntSlice::Long(InSlice::new(array_of_displacements, count)), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Large,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_resized PMPI_Type_create_resized(
        oldtype: RawHandle as datatype, lb: isize as int, extent: isize as int,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_resized(
            to::datatype(oldtype), lb as i64, extent as i64, Out::new(newtype.pass()), Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_resized_c PMPI_Type_create_resized_c(
        oldtype: RawHandle as datatype, lb: i64 as int, extent: i64 as int, newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_resized(to::datatype(oldtype), lb, extent, Out::new(newtype.pass()), Form::Large)?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_struct PMPI_Type_create_struct(
        count: c_int as int, array_of_blocklengths: *const c_int as address,
        array_of_displacements: *const isize as address, array_of_types: *const RawHandle as address,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let array_of_types = Array::<_, _>::read(InSlice::new(array_of_types, count as i64), to::datatype);
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_struct(
            i64::from(count), IntSlice::Int(InSlice::new(array_of_blocklengths, count as i64)),
            IntSlice::Long(InSlice::new(array_of_displacements.cast::<i64>(), count as i64)),
            InSlice::new(array_of_types.pass(), count as i64), Out::new(newtype.pass()), Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_struct_c PMPI_Type_create_struct_c(
        count: i64 as int, array_of_blocklengths: *const i64 as address,
        array_of_displacements: *const i64 as address, array_of_types: *const RawHandle as address,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let array_of_types = Array::<_, _>::read(InSlice::new(array_of_types, count), to::datatype);
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_struct(
            count, IntSlice::Long(InSlice::new(array_of_blocklengths, count)),
            IntSlice::Long(InSlice::new(array_of_displacements, count)), InSlice::new(array_of_types.pass(), count),
            Out::new(newtype.pass()), Form::Large,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_subarray PMPI_Type_create_subarray(
        ndims: c_int as int, array_of_sizes: *const c_int as address, array_of_subsizes: *const c_int as address,
        array_of_starts: *const c_int as address, order: c_int as int, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_subarray(
            ndims, IntSlice::Int(InSlice::new(array_of_sizes, ndims as i64)),
            IntSlice::Int(InSlice::new(array_of_subsizes, ndims as i64)),
            IntSlice::Int(InSlice::new(array_of_starts, ndims as i64)), to::order(order), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_create_subarray_c PMPI_Type_create_subarray_c(
        ndims: c_int as int, array_of_sizes: *const i64 as address, array_of_subsizes: *const i64 as address,
        array_of_starts: *const i64 as address, order: c_int as int, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_create_subarray(
            ndims, IntSlice::Long(InSlice::new(array_of_sizes, ndims as i64)),
            IntSlice::Long(InSlice::new(array_of_subsizes, ndims as i64)),
            IntSlice::Long(InSlice::new(array_of_starts, ndims as i64)), to::order(order), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Large,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_dup PMPI_Type_dup(oldtype: RawHandle as datatype, newtype: *mut RawHandle as out_datatype)
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_dup(to::datatype(oldtype), Out::new(newtype.pass()))?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_free PMPI_Type_free(datatype: *mut RawHandle as address)
    on Raise::Default =>
    {
        let mut datatype = Place::read(InOut::new(datatype), Datatype::NULL, to::datatype);
        let outcome = impls::type_free(InOut::new(datatype.pass()));
        datatype.leave(from::datatype);
        outcome
    }
}

binding! {
    MPI_Type_get_contents PMPI_Type_get_contents(
        datatype: RawHandle as datatype, max_integers: c_int as int, max_addresses: c_int as int,
        max_datatypes: c_int as int, array_of_integers: *mut c_int as address,
        array_of_addresses: *mut isize as address, array_of_datatypes: *mut RawHandle as address,
    )
    on Raise::Default =>
    {
        let mut array_of_datatypes = Array::<_, _>::out(OutSlice::new(array_of_datatypes, max_datatypes as i64), Datatype::NULL);
        impls::type_get_contents(
            to::datatype(datatype), i64::from(max_integers), i64::from(max_addresses), -1, i64::from(max_datatypes),
            OutSlice::new(array_of_integers, max_integers as i64),
            OutSlice::new(array_of_addresses, max_addresses as i64), OutSlice::null(),
            OutSlice::new(array_of_datatypes.pass_mut(), max_datatypes as i64),
        )?;
        from::contents_at(impls::named_integers(to::datatype(datatype)), InOutSlice::new(array_of_integers, impls::named_integers_end(to::datatype(datatype))));
        array_of_datatypes.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_get_contents_c PMPI_Type_get_contents_c(
        datatype: RawHandle as datatype, max_integers: i64 as int, max_addresses: i64 as int,
        max_large_counts: i64 as int, max_datatypes: i64 as int, array_of_integers: *mut c_int as address,
        array_of_addresses: *mut isize as address, array_of_large_counts: *mut i64 as address,
        array_of_datatypes: *mut RawHandle as address,
    )
    on Raise::Default =>
    {
        let mut array_of_datatypes = Array::<_, _>::out(OutSlice::new(array_of_datatypes, max_datatypes), Datatype::NULL);
        impls::type_get_contents(
            to::datatype(datatype), max_integers, max_addresses, max_large_counts, max_datatypes,
            OutSlice::new(array_of_integers, max_integers), OutSlice::new(array_of_addresses, max_addresses),
            OutSlice::new(array_of_large_counts, max_large_counts),
            OutSlice::new(array_of_datatypes.pass_mut(), max_datatypes),
        )?;
        from::contents_at(impls::named_integers(to::datatype(datatype)), InOutSlice::new(array_of_integers, impls::named_integers_end(to::datatype(datatype))));
        array_of_datatypes.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_get_envelope PMPI_Type_get_envelope(
        datatype: RawHandle as datatype, num_integers: *mut c_int as address, num_addresses: *mut c_int as address,
        num_datatypes: *mut c_int as address, combiner: *mut c_int as address,
    )
    on Raise::Default =>
    {
        let mut combiner = Place::out(Out::new(combiner), 0);
        impls::type_get_envelope(
            to::datatype(datatype), CountOut::Int(Out::new(num_integers)), CountOut::Int(Out::new(num_addresses)),
            CountOut::Absent, CountOut::Int(Out::new(num_datatypes)), Out::new(combiner.pass()),
        )?;
        combiner.leave(from::combiner);
        Ok(())
    }
}

binding! {
    MPI_Type_get_envelope_c PMPI_Type_get_envelope_c(
        datatype: RawHandle as datatype, num_integers: *mut i64 as address, num_addresses: *mut i64 as address,
        num_large_counts: *mut i64 as address, num_datatypes: *mut i64 as address, combiner: *mut c_int as address,
    )
    on Raise::Default =>
    {
        let mut combiner = Place::out(Out::new(combiner), 0);
        impls::type_get_envelope(
            to::datatype(datatype), CountOut::Long(Out::new(num_integers)), CountOut::Long(Out::new(num_addresses)),
            CountOut::Long(Out::new(num_large_counts)), CountOut::Long(Out::new(num_datatypes)),
            Out::new(combiner.pass()),
        )?;
        combiner.leave(from::combiner);
        Ok(())
    }
}

binding! {
    MPI_Type_get_extent PMPI_Type_get_extent(
        datatype: RawHandle as datatype, lb: *mut isize as address, extent: *mut isize as address,
    )
    on Raise::Default =>
    {
        impls::type_get_extent(
            to::datatype(datatype), CountOut::Long(Out::new(lb.cast::<i64>())),
            CountOut::Long(Out::new(extent.cast::<i64>())),
        )
    }
}

binding! {
    MPI_Type_get_extent_c PMPI_Type_get_extent_c(
        datatype: RawHandle as datatype, lb: *mut i64 as address, extent: *mut i64 as address,
    )
    on Raise::Default =>
    {
        impls::type_get_extent(to::datatype(datatype), CountOut::Long(Out::new(lb)), CountOut::Long(Out::new(extent)))
    }
}

binding! {
    MPI_Type_get_extent_x PMPI_Type_get_extent_x(
        datatype: RawHandle as datatype, lb: *mut i64 as address, extent: *mut i64 as address,
    )
    on Raise::Default =>
    {
        impls::type_get_extent(to::datatype(datatype), CountOut::Long(Out::new(lb)), CountOut::Long(Out::new(extent)))
    }
}

binding! {
    MPI_Type_get_true_extent PMPI_Type_get_true_extent(
        datatype: RawHandle as datatype, true_lb: *mut isize as address, true_extent: *mut isize as address,
    )
    on Raise::Default =>
    {
        impls::type_get_true_extent(
            to::datatype(datatype), CountOut::Long(Out::new(true_lb.cast::<i64>())),
            CountOut::Long(Out::new(true_extent.cast::<i64>())),
        )
    }
}

binding! {
    MPI_Type_get_true_extent_c PMPI_Type_get_true_extent_c(
        datatype: RawHandle as datatype, true_lb: *mut i64 as address, true_extent: *mut i64 as address,
    )
    on Raise::Default =>
    {
        impls::type_get_true_extent(
            to::datatype(datatype), CountOut::Long(Out::new(true_lb)), CountOut::Long(Out::new(true_extent)),
        )
    }
}

binding! {
    MPI_Type_get_true_extent_x PMPI_Type_get_true_extent_x(
        datatype: RawHandle as datatype, true_lb: *mut i64 as address, true_extent: *mut i64 as address,
    )
    on Raise::Default =>
    {
        impls::type_get_true_extent(
            to::datatype(datatype), CountOut::Long(Out::new(true_lb)), CountOut::Long(Out::new(true_extent)),
        )
    }
}

binding! {
    MPI_Type_indexed PMPI_Type_indexed(
        count: c_int as int, array_of_blocklengths: *const c_int as address,
        array_of_displacements: *const c_int as address, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_indexed(
            i64::from(count), IntSlice::Int(InSlice::new(array_of_blocklengths, count as i64)),
            IntSlice::Int(InSlice::new(array_of_displacements, count as i64)), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_indexed_c PMPI_Type_indexed_c(
        count: i64 as int, array_of_blocklengths: *const i64 as address,
        array_of_displacements: *const i64 as address, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_indexed(
            count, IntSlice::Long(InSlice::new(array_of_blocklengths, count)),
            IntSlice::Long(InSlice::new(array_of_displacements, count)), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Large,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_size PMPI_Type_size(datatype: RawHandle as datatype, size: *mut c_int as address)
    on Raise::Default =>
    {
        impls::type_size(to::datatype(datatype), CountOut::Int(Out::new(size)))
    }
}

binding! {
    MPI_Type_size_c PMPI_Type_size_c(datatype: RawHandle as datatype, size: *mut i64 as address)
    on Raise::Default =>
    {
        impls::type_size(to::datatype(datatype), CountOut::Long(Out::new(size)))
    }
}

binding! {
    MPI_Type_size_x PMPI_Type_size_x(datatype: RawHandle as datatype, size: *mut i64 as address)
    on Raise::Default =>
    {
        impls::type_size(to::datatype(datatype), CountOut::Long(Out::new(size)))
    }
}

binding! {
    MPI_Type_vector PMPI_Type_vector(
        count: c_int as int, blocklength: c_int as int, stride: c_int as int, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_vector(
            i64::from(count), i64::from(blocklength), i64::from(stride), to::datatype(oldtype),
            Out::new(newtype.pass()), Form::Plain,
        )?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Type_vector_c PMPI_Type_vector_c(
        count: i64 as int, blocklength: i64 as int, stride: i64 as int, oldtype: RawHandle as datatype,
        newtype: *mut RawHandle as out_datatype,
    )
    on Raise::Default =>
    {
        let mut newtype = Place::out(Out::new(newtype), Datatype::NULL);
        impls::type_vector(count, blocklength, stride, to::datatype(oldtype), Out::new(newtype.pass()), Form::Large)?;
        newtype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_Unpack PMPI_Unpack(
        inbuf: *const c_void as buffer, insize: c_int as int, position: *mut c_int as address,
        outbuf: *mut c_void as buffer, outcount: c_int as int, datatype: RawHandle as datatype,
        comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::unpack(
            UserBuffer::new(to::buffer(inbuf)), i64::from(insize), CountInOut::Int(InOut::new(position)),
            UserBuffer::new(to::buffer_mut(outbuf)), i64::from(outcount), to::datatype(datatype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Unpack_c PMPI_Unpack_c(
        inbuf: *const c_void as buffer, insize: i64 as int, position: *mut i64 as address,
        outbuf: *mut c_void as buffer, outcount: i64 as int, datatype: RawHandle as datatype, comm: RawHandle as comm,
    )
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::unpack(
            UserBuffer::new(to::buffer(inbuf)), insize, CountInOut::Long(InOut::new(position)),
            UserBuffer::new(to::buffer_mut(outbuf)), outcount, to::datatype(datatype), to::comm(comm),
        )
    }
}

binding! {
    MPI_Unpack_external PMPI_Unpack_external(
        datarep: *const c_char as string, inbuf: *const c_void as buffer, insize: isize as int,
        position: *mut isize as address, outbuf: *mut c_void as buffer, outcount: c_int as int,
        datatype: RawHandle as datatype,
    )
    on Raise::Default =>
    {
        impls::unpack_external(
            StringIn::new(datarep), UserBuffer::new(to::buffer(inbuf)), insize as i64,
            CountInOut::Long(InOut::new(position.cast::<i64>())), UserBuffer::new(to::buffer_mut(outbuf)),
            i64::from(outcount), to::datatype(datatype),
        )
    }
}

binding! {
    MPI_Unpack_external_c PMPI_Unpack_external_c(
        datarep: *const c_char as string, inbuf: *const c_void as buffer, insize: i64 as int,
        position: *mut i64 as address, outbuf: *mut c_void as buffer, outcount: i64 as int,
        datatype: RawHandle as datatype,
    )
    on Raise::Default =>
    {
        impls::unpack_external(
            StringIn::new(datarep), UserBuffer::new(to::buffer(inbuf)), insize,
            CountInOut::Long(InOut::new(position)), UserBuffer::new(to::buffer_mut(outbuf)), outcount,
            to::datatype(datatype),
        )
    }
}
