// generated from api/ by cargo xtask generate; do not edit
//! The bindings of MPICH's ABI: io.

use crate::prelude::*;

binding! {
    MPI_File_close PMPI_File_close(fh: *mut FilePointer as address)
    on Raise::File(to::file(at(In::new(fh)))) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_delete PMPI_File_delete(filename: *const c_char as string, info: c_int as info)
    on Raise::File(File::NULL) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_amode PMPI_File_get_amode(fh: FilePointer as file, amode: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_atomicity PMPI_File_get_atomicity(fh: FilePointer as file, flag: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_byte_offset PMPI_File_get_byte_offset(
        fh: FilePointer as file, offset: i64 as int, disp: *mut i64 as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_group PMPI_File_get_group(fh: FilePointer as file, group: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_info PMPI_File_get_info(fh: FilePointer as file, info_used: *mut c_int as address)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_position PMPI_File_get_position(fh: FilePointer as file, offset: *mut i64 as address)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_position_shared PMPI_File_get_position_shared(fh: FilePointer as file, offset: *mut i64 as address)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_size PMPI_File_get_size(fh: FilePointer as file, size: *mut i64 as address)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_type_extent PMPI_File_get_type_extent(
        fh: FilePointer as file, datatype: c_int as datatype, extent: *mut isize as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_type_extent_c PMPI_File_get_type_extent_c(
        fh: FilePointer as file, datatype: c_int as datatype, extent: *mut i64 as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_get_view PMPI_File_get_view(
        fh: FilePointer as file, disp: *mut i64 as address, etype: *mut c_int as address,
        filetype: *mut c_int as address, datarep: *mut c_char as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread PMPI_File_iread(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread_all PMPI_File_iread_all(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread_all_c PMPI_File_iread_all_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread_at PMPI_File_iread_at(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread_at_all PMPI_File_iread_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread_at_all_c PMPI_File_iread_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread_at_c PMPI_File_iread_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread_c PMPI_File_iread_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread_shared PMPI_File_iread_shared(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iread_shared_c PMPI_File_iread_shared_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite PMPI_File_iwrite(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite_all PMPI_File_iwrite_all(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite_all_c PMPI_File_iwrite_all_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite_at PMPI_File_iwrite_at(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite_at_all PMPI_File_iwrite_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite_at_all_c PMPI_File_iwrite_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite_at_c PMPI_File_iwrite_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite_c PMPI_File_iwrite_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite_shared PMPI_File_iwrite_shared(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_iwrite_shared_c PMPI_File_iwrite_shared_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        request: *mut c_int as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_open PMPI_File_open(
        comm: c_int as comm, filename: *const c_char as string, amode: c_int as int, info: c_int as info,
        fh: *mut FilePointer as address,
    )
    on Raise::File(File::NULL) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_preallocate PMPI_File_preallocate(fh: FilePointer as file, size: i64 as int)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read PMPI_File_read(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_all PMPI_File_read_all(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_all_begin PMPI_File_read_all_begin(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_all_begin_c PMPI_File_read_all_begin_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_all_c PMPI_File_read_all_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_all_end PMPI_File_read_all_end(
        fh: FilePointer as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_at PMPI_File_read_at(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_at_all PMPI_File_read_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_at_all_begin PMPI_File_read_at_all_begin(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: c_int as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_at_all_begin_c PMPI_File_read_at_all_begin_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_at_all_c PMPI_File_read_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_at_all_end PMPI_File_read_at_all_end(
        fh: FilePointer as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_at_c PMPI_File_read_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *mut c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_c PMPI_File_read_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_ordered PMPI_File_read_ordered(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_ordered_begin PMPI_File_read_ordered_begin(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_ordered_begin_c PMPI_File_read_ordered_begin_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_ordered_c PMPI_File_read_ordered_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_ordered_end PMPI_File_read_ordered_end(
        fh: FilePointer as file, buf: *mut c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_shared PMPI_File_read_shared(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_read_shared_c PMPI_File_read_shared_c(
        fh: FilePointer as file, buf: *mut c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_seek PMPI_File_seek(fh: FilePointer as file, offset: i64 as int, whence: c_int as int)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_seek_shared PMPI_File_seek_shared(fh: FilePointer as file, offset: i64 as int, whence: c_int as int)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_set_atomicity PMPI_File_set_atomicity(fh: FilePointer as file, flag: c_int as int)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_set_info PMPI_File_set_info(fh: FilePointer as file, info: c_int as info)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_set_size PMPI_File_set_size(fh: FilePointer as file, size: i64 as int)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_set_view PMPI_File_set_view(
        fh: FilePointer as file, disp: i64 as int, etype: c_int as datatype, filetype: c_int as datatype,
        datarep: *const c_char as string, info: c_int as info,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_sync PMPI_File_sync(fh: FilePointer as file)
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write PMPI_File_write(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_all PMPI_File_write_all(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_all_begin PMPI_File_write_all_begin(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_all_begin_c PMPI_File_write_all_begin_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_all_c PMPI_File_write_all_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_all_end PMPI_File_write_all_end(
        fh: FilePointer as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_at PMPI_File_write_at(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_at_all PMPI_File_write_at_all(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_at_all_begin PMPI_File_write_at_all_begin(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: c_int as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_at_all_begin_c PMPI_File_write_at_all_begin_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_at_all_c PMPI_File_write_at_all_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_at_all_end PMPI_File_write_at_all_end(
        fh: FilePointer as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_at_c PMPI_File_write_at_c(
        fh: FilePointer as file, offset: i64 as int, buf: *const c_void as buffer, count: i64 as int,
        datatype: c_int as datatype, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_c PMPI_File_write_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_ordered PMPI_File_write_ordered(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_ordered_begin PMPI_File_write_ordered_begin(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_ordered_begin_c PMPI_File_write_ordered_begin_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_ordered_c PMPI_File_write_ordered_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_ordered_end PMPI_File_write_ordered_end(
        fh: FilePointer as file, buf: *const c_void as buffer, status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_shared PMPI_File_write_shared(
        fh: FilePointer as file, buf: *const c_void as buffer, count: c_int as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_File_write_shared_c PMPI_File_write_shared_c(
        fh: FilePointer as file, buf: *const c_void as buffer, count: i64 as int, datatype: c_int as datatype,
        status: *mut Status as address,
    )
    on Raise::File(to::file(fh)) =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_Register_datarep PMPI_Register_datarep(
        datarep: *const c_char as string, read_conversion_fn: Function as address,
        write_conversion_fn: Function as address, dtype_file_extent_fn: Function as address,
        extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    { missing("MPI-IO is not implemented yet") }
}

binding! {
    MPI_Register_datarep_c PMPI_Register_datarep_c(
        datarep: *const c_char as string, read_conversion_fn: Function as address,
        write_conversion_fn: Function as address, dtype_file_extent_fn: Function as address,
        extra_state: *mut c_void as address,
    )
    on Raise::Default =>
    { missing("MPI-IO is not implemented yet") }
}
