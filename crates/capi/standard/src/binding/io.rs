// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: io.

use crate::prelude::*;

binding! {
    MPI_File_close PMPI_File_close(fh: *mut File as address)
    on Raise::File(at(In::new(fh))) =>
    {
        impls::file_close(InOut::new(fh))
    }
}

binding! {
    MPI_File_delete PMPI_File_delete(filename: *const c_char as string, info: Info as info)
    on Raise::File(File::NULL) =>
    {
        impls::file_delete(StringIn::new(filename), info)
    }
}

binding! {
    MPI_File_get_amode PMPI_File_get_amode(fh: File as file, amode: *mut c_int as address)
    on Raise::File(fh) =>
    {
        impls::file_get_amode(fh, Out::new(amode))
    }
}

binding! {
    MPI_File_get_atomicity PMPI_File_get_atomicity(fh: File as file, flag: *mut c_int as address)
    on Raise::File(fh) =>
    {
        impls::file_get_atomicity(fh, Out::new(flag))
    }
}

binding! {
    MPI_File_get_byte_offset PMPI_File_get_byte_offset(fh: File as file, offset: i64 as int, disp: *mut i64 as address)
    on Raise::File(fh) =>
    {
        impls::file_get_byte_offset(fh, offset, Out::new(disp))
    }
}

binding! {
    MPI_File_get_group PMPI_File_get_group(fh: File as file, group: *mut Group as out_group)
    on Raise::File(fh) =>
    {
        impls::file_get_group(fh, Out::new(group))
    }
}

binding! {
    MPI_File_get_info PMPI_File_get_info(fh: File as file, info_used: *mut Info as out_info)
    on Raise::File(fh) =>
    {
        impls::file_get_info(fh, Out::new(info_used))
    }
}

binding! {
    MPI_File_get_position PMPI_File_get_position(fh: File as file, offset: *mut i64 as address)
    on Raise::File(fh) =>
    {
        impls::file_get_position(fh, Out::new(offset))
    }
}

binding! {
    MPI_File_get_position_shared PMPI_File_get_position_shared(fh: File as file, offset: *mut i64 as address)
    on Raise::File(fh) =>
    {
        impls::file_get_position_shared(fh, Out::new(offset))
    }
}

binding! {
    MPI_File_get_size PMPI_File_get_size(fh: File as file, size: *mut i64 as address)
    on Raise::File(fh) =>
    {
        impls::file_get_size(fh, Out::new(size))
    }
}

binding! {
    MPI_File_get_type_extent PMPI_File_get_type_extent(
        fh: File as file, datatype: Datatype as datatype, extent: *mut isize as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_get_type_extent(fh, datatype, CountOut::Long(Out::new(extent.cast::<i64>())))
    }
}

binding! {
    MPI_File_get_type_extent_c PMPI_File_get_type_extent_c(
        fh: File as file, datatype: Datatype as datatype, extent: *mut i64 as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_get_type_extent(fh, datatype, CountOut::Long(Out::new(extent)))
    }
}

binding! {
    MPI_File_get_view PMPI_File_get_view(
        fh: File as file, disp: *mut i64 as address, etype: *mut Datatype as out_datatype,
        filetype: *mut Datatype as out_datatype, datarep: *mut c_char as address,
    )
    on Raise::File(fh) =>
    {
        impls::file_get_view(
            fh, Out::new(disp), Out::new(etype), Out::new(filetype), StringOut::from(OutSlice::new(datarep, 128)),
        )
    }
}

binding! {
    MPI_File_open PMPI_File_open(
        comm: Comm as comm, filename: *const c_char as string, amode: c_int as int, info: Info as info,
        fh: *mut File as out_file,
    )
    on Raise::File(File::NULL) =>
    {
        impls::file_open(comm, StringIn::new(filename), amode, info, Out::new(fh))
    }
}

binding! {
    MPI_File_preallocate PMPI_File_preallocate(fh: File as file, size: i64 as int)
    on Raise::File(fh) =>
    {
        impls::file_preallocate(fh, size)
    }
}

binding! {
    MPI_File_seek PMPI_File_seek(fh: File as file, offset: i64 as int, whence: c_int as int)
    on Raise::File(fh) =>
    {
        impls::file_seek(fh, offset, whence)
    }
}

binding! {
    MPI_File_seek_shared PMPI_File_seek_shared(fh: File as file, offset: i64 as int, whence: c_int as int)
    on Raise::File(fh) =>
    {
        impls::file_seek_shared(fh, offset, whence)
    }
}

binding! {
    MPI_File_set_atomicity PMPI_File_set_atomicity(fh: File as file, flag: c_int as int)
    on Raise::File(fh) =>
    {
        impls::file_set_atomicity(fh, flag)
    }
}

binding! {
    MPI_File_set_info PMPI_File_set_info(fh: File as file, info: Info as info)
    on Raise::File(fh) =>
    {
        impls::file_set_info(fh, info)
    }
}

binding! {
    MPI_File_set_size PMPI_File_set_size(fh: File as file, size: i64 as int)
    on Raise::File(fh) =>
    {
        impls::file_set_size(fh, size)
    }
}

binding! {
    MPI_File_set_view PMPI_File_set_view(
        fh: File as file, disp: i64 as int, etype: Datatype as datatype, filetype: Datatype as datatype,
        datarep: *const c_char as string, info: Info as info,
    )
    on Raise::File(fh) =>
    {
        impls::file_set_view(fh, disp, etype, filetype, StringIn::new(datarep), info)
    }
}

binding! {
    MPI_File_sync PMPI_File_sync(fh: File as file)
    on Raise::File(fh) =>
    {
        impls::file_sync(fh)
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
