// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: io.

use crate::prelude::*;

binding! {
    MPI_File_close PMPI_File_close(fh: *mut RawHandle as address)
    on Raise::File(to::file(at(In::new(fh)))) =>
    {
        let mut fh = Place::read(InOut::new(fh), File::NULL, to::file);
        let outcome = impls::file_close(InOut::new(fh.pass()));
        fh.leave(from::file);
        outcome
    }
}

binding! {
    MPI_File_delete PMPI_File_delete(filename: *const c_char as string, info: RawHandle as info)
    on Raise::File(File::NULL) =>
    {
        impls::file_delete(StringIn::new(filename), to::info(info))
    }
}

binding! {
    MPI_File_get_amode PMPI_File_get_amode(fh: RawHandle as file, amode: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    {
        let mut amode = Place::out(Out::new(amode), 0);
        impls::file_get_amode(to::file(fh), Out::new(amode.pass()))?;
        amode.leave(from::mode);
        Ok(())
    }
}

binding! {
    MPI_File_get_atomicity PMPI_File_get_atomicity(fh: RawHandle as file, flag: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_atomicity(to::file(fh), Out::new(flag))
    }
}

binding! {
    MPI_File_get_byte_offset PMPI_File_get_byte_offset(
        fh: RawHandle as file, offset: i64 as int, disp: *mut i64 as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_byte_offset(to::file(fh), offset, Out::new(disp))
    }
}

binding! {
    MPI_File_get_group PMPI_File_get_group(fh: RawHandle as file, group: *mut RawHandle as out_group)
    on Raise::File(to::file(fh)) =>
    {
        let mut group = Place::out(Out::new(group), Group::NULL);
        impls::file_get_group(to::file(fh), Out::new(group.pass()))?;
        group.leave(from::group);
        Ok(())
    }
}

binding! {
    MPI_File_get_info PMPI_File_get_info(fh: RawHandle as file, info_used: *mut RawHandle as out_info)
    on Raise::File(to::file(fh)) =>
    {
        let mut info_used = Place::out(Out::new(info_used), Info::NULL);
        impls::file_get_info(to::file(fh), Out::new(info_used.pass()))?;
        info_used.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_File_get_position PMPI_File_get_position(fh: RawHandle as file, offset: *mut i64 as address)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_position(to::file(fh), Out::new(offset))
    }
}

binding! {
    MPI_File_get_position_shared PMPI_File_get_position_shared(fh: RawHandle as file, offset: *mut i64 as address)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_position_shared(to::file(fh), Out::new(offset))
    }
}

binding! {
    MPI_File_get_size PMPI_File_get_size(fh: RawHandle as file, size: *mut i64 as address)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_size(to::file(fh), Out::new(size))
    }
}

binding! {
    MPI_File_get_type_extent PMPI_File_get_type_extent(
        fh: RawHandle as file, datatype: RawHandle as datatype, extent: *mut isize as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_type_extent(
            to::file(fh), to::datatype(datatype), CountOut::Long(Out::new(extent.cast::<i64>())),
        )
    }
}

binding! {
    MPI_File_get_type_extent_c PMPI_File_get_type_extent_c(
        fh: RawHandle as file, datatype: RawHandle as datatype, extent: *mut i64 as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_get_type_extent(to::file(fh), to::datatype(datatype), CountOut::Long(Out::new(extent)))
    }
}

binding! {
    MPI_File_get_view PMPI_File_get_view(
        fh: RawHandle as file, disp: *mut i64 as address, etype: *mut RawHandle as out_datatype,
        filetype: *mut RawHandle as out_datatype, datarep: *mut c_char as address,
    )
    on Raise::File(to::file(fh)) =>
    {
        let mut etype = Place::out(Out::new(etype), Datatype::NULL);
        let mut filetype = Place::out(Out::new(filetype), Datatype::NULL);
        impls::file_get_view(
            to::file(fh), Out::new(disp), Out::new(etype.pass()), Out::new(filetype.pass()),
            StringOut::from(OutSlice::new(datarep, 128)),
        )?;
        etype.leave(from::datatype);
        filetype.leave(from::datatype);
        Ok(())
    }
}

binding! {
    MPI_File_open PMPI_File_open(
        comm: RawHandle as comm, filename: *const c_char as string, amode: c_int as int, info: RawHandle as info,
        fh: *mut RawHandle as out_file,
    )
    on Raise::File(File::NULL) =>
    {
        let mut fh = Place::out(Out::new(fh), File::NULL);
        let outcome = impls::file_open(to::comm(comm), StringIn::new(filename), to::mode(amode), to::info(info), Out::new(fh.pass()));
        fh.leave(from::file);
        outcome
    }
}

binding! {
    MPI_File_preallocate PMPI_File_preallocate(fh: RawHandle as file, size: i64 as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_preallocate(to::file(fh), size)
    }
}

binding! {
    MPI_File_seek PMPI_File_seek(fh: RawHandle as file, offset: i64 as int, whence: c_int as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_seek(to::file(fh), offset, to::whence(whence))
    }
}

binding! {
    MPI_File_seek_shared PMPI_File_seek_shared(fh: RawHandle as file, offset: i64 as int, whence: c_int as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_seek_shared(to::file(fh), offset, to::whence(whence))
    }
}

binding! {
    MPI_File_set_atomicity PMPI_File_set_atomicity(fh: RawHandle as file, flag: c_int as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_set_atomicity(to::file(fh), flag)
    }
}

binding! {
    MPI_File_set_info PMPI_File_set_info(fh: RawHandle as file, info: RawHandle as info)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_set_info(to::file(fh), to::info(info))
    }
}

binding! {
    MPI_File_set_size PMPI_File_set_size(fh: RawHandle as file, size: i64 as int)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_set_size(to::file(fh), size)
    }
}

binding! {
    MPI_File_set_view PMPI_File_set_view(
        fh: RawHandle as file, disp: i64 as int, etype: RawHandle as datatype, filetype: RawHandle as datatype,
        datarep: *const c_char as string, info: RawHandle as info,
    )
    on Raise::File(to::file(fh)) =>
    {
        impls::file_set_view(
            to::file(fh), to::displacement(disp), to::datatype(etype), to::datatype(filetype), StringIn::new(datarep),
            to::info(info),
        )
    }
}

binding! {
    MPI_File_sync PMPI_File_sync(fh: RawHandle as file)
    on Raise::File(to::file(fh)) =>
    {
        impls::file_sync(to::file(fh))
    }
}

binding! {
    MPI_Register_datarep PMPI_Register_datarep(
        datarep: *const c_char as string, read_conversion_fn: Function as address,
        write_conversion_fn: Function as address, dtype_file_extent_fn: Function as address,
        extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::register_datarep(
            StringIn::new(datarep), callback(read_conversion_fn), callback(write_conversion_fn),
            callback(dtype_file_extent_fn), extra_state,
        )
    }
}

binding! {
    MPI_Register_datarep_c PMPI_Register_datarep_c(
        datarep: *const c_char as string, read_conversion_fn: Function as address,
        write_conversion_fn: Function as address, dtype_file_extent_fn: Function as address,
        extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    {
        impls::register_datarep(
            StringIn::new(datarep), long_callback(read_conversion_fn), long_callback(write_conversion_fn),
            callback(dtype_file_extent_fn), extra_state,
        )
    }
}
