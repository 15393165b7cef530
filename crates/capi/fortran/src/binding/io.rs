// generated from api/ by cargo xtask generate; do not edit
//! The procedures: io.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    file_close(fh: *mut Fint, ierror: *mut Fint);
    let mut fh_c = types::file(fh);
    let code = c::PMPI_File_close(&mut fh_c);
    types::give_file(fh, fh_c);
    finish(ierror, code);
}
exports!(file_close: mpi_file_close_ mpi_file_close__ mpi_file_close MPI_FILE_CLOSE pmpi_file_close_ pmpi_file_close__ pmpi_file_close PMPI_FILE_CLOSE);
exports_f08!(file_close: mpi_file_close_f08_ pmpir_file_close_f08_; file_close: mpi_file_close_f08_ pmpi_file_close_f08_);

procedure! {
    file_delete(filename: *mut c_char, info: *mut Fint, ierror: *mut Fint, filename_length: usize);
    let filename_c = text(filename, filename_length);
    let code = c::PMPI_File_delete(filename_c.place(), handle::<INFO>(info));
    finish(ierror, code);
}
exports!(file_delete: mpi_file_delete_ mpi_file_delete__ mpi_file_delete MPI_FILE_DELETE pmpi_file_delete_ pmpi_file_delete__ pmpi_file_delete PMPI_FILE_DELETE);
exports_f08!(file_delete: mpi_file_delete_f08_ pmpir_file_delete_f08_; file_delete: mpi_file_delete_f08_ pmpi_file_delete_f08_);

procedure! {
    file_get_amode(fh: *mut Fint, amode: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_File_get_amode(types::file(fh), amode);
    finish(ierror, code);
}
exports!(file_get_amode: mpi_file_get_amode_ mpi_file_get_amode__ mpi_file_get_amode MPI_FILE_GET_AMODE pmpi_file_get_amode_ pmpi_file_get_amode__ pmpi_file_get_amode PMPI_FILE_GET_AMODE);
exports_f08!(file_get_amode: mpi_file_get_amode_f08_ pmpir_file_get_amode_f08_; file_get_amode: mpi_file_get_amode_f08_ pmpi_file_get_amode_f08_);

procedure! {
    file_get_atomicity(fh: *mut Fint, flag: *mut c_int, ierror: *mut Fint);
    let mut flag_c = 0;
    let code = c::PMPI_File_get_atomicity(types::file(fh), &mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(file_get_atomicity: mpi_file_get_atomicity_ mpi_file_get_atomicity__ mpi_file_get_atomicity MPI_FILE_GET_ATOMICITY pmpi_file_get_atomicity_ pmpi_file_get_atomicity__ pmpi_file_get_atomicity PMPI_FILE_GET_ATOMICITY);
exports_f08!(file_get_atomicity: mpi_file_get_atomicity_f08_ pmpir_file_get_atomicity_f08_; file_get_atomicity: mpi_file_get_atomicity_f08_ pmpi_file_get_atomicity_f08_);

procedure! {
    file_get_byte_offset(fh: *mut Fint, offset: *mut i64, disp: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_File_get_byte_offset(types::file(fh), *offset, disp);
    finish(ierror, code);
}
exports!(file_get_byte_offset: mpi_file_get_byte_offset_ mpi_file_get_byte_offset__ mpi_file_get_byte_offset MPI_FILE_GET_BYTE_OFFSET pmpi_file_get_byte_offset_ pmpi_file_get_byte_offset__ pmpi_file_get_byte_offset PMPI_FILE_GET_BYTE_OFFSET);
exports_f08!(file_get_byte_offset: mpi_file_get_byte_offset_f08_ pmpir_file_get_byte_offset_f08_; file_get_byte_offset: mpi_file_get_byte_offset_f08_ pmpi_file_get_byte_offset_f08_);

procedure! {
    file_get_group(fh: *mut Fint, group: *mut Fint, ierror: *mut Fint);
    let mut group_c = handle::<GROUP>(group);
    let code = c::PMPI_File_get_group(types::file(fh), &mut group_c);
    give(group, group_c);
    finish(ierror, code);
}
exports!(file_get_group: mpi_file_get_group_ mpi_file_get_group__ mpi_file_get_group MPI_FILE_GET_GROUP pmpi_file_get_group_ pmpi_file_get_group__ pmpi_file_get_group PMPI_FILE_GET_GROUP);
exports_f08!(file_get_group: mpi_file_get_group_f08_ pmpir_file_get_group_f08_; file_get_group: mpi_file_get_group_f08_ pmpi_file_get_group_f08_);

procedure! {
    file_get_info(fh: *mut Fint, info_used: *mut Fint, ierror: *mut Fint);
    let mut info_used_c = handle::<INFO>(info_used);
    let code = c::PMPI_File_get_info(types::file(fh), &mut info_used_c);
    give(info_used, info_used_c);
    finish(ierror, code);
}
exports!(file_get_info: mpi_file_get_info_ mpi_file_get_info__ mpi_file_get_info MPI_FILE_GET_INFO pmpi_file_get_info_ pmpi_file_get_info__ pmpi_file_get_info PMPI_FILE_GET_INFO);
exports_f08!(file_get_info: mpi_file_get_info_f08_ pmpir_file_get_info_f08_; file_get_info: mpi_file_get_info_f08_ pmpi_file_get_info_f08_);

procedure! {
    file_get_position(fh: *mut Fint, offset: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_File_get_position(types::file(fh), offset);
    finish(ierror, code);
}
exports!(file_get_position: mpi_file_get_position_ mpi_file_get_position__ mpi_file_get_position MPI_FILE_GET_POSITION pmpi_file_get_position_ pmpi_file_get_position__ pmpi_file_get_position PMPI_FILE_GET_POSITION);
exports_f08!(file_get_position: mpi_file_get_position_f08_ pmpir_file_get_position_f08_; file_get_position: mpi_file_get_position_f08_ pmpi_file_get_position_f08_);

procedure! {
    file_get_position_shared(fh: *mut Fint, offset: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_File_get_position_shared(types::file(fh), offset);
    finish(ierror, code);
}
exports!(file_get_position_shared: mpi_file_get_position_shared_ mpi_file_get_position_shared__ mpi_file_get_position_shared MPI_FILE_GET_POSITION_SHARED pmpi_file_get_position_shared_ pmpi_file_get_position_shared__ pmpi_file_get_position_shared PMPI_FILE_GET_POSITION_SHARED);
exports_f08!(file_get_position_shared: mpi_file_get_position_shared_f08_ pmpir_file_get_position_shared_f08_; file_get_position_shared: mpi_file_get_position_shared_f08_ pmpi_file_get_position_shared_f08_);

procedure! {
    file_get_size(fh: *mut Fint, size: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_File_get_size(types::file(fh), size);
    finish(ierror, code);
}
exports!(file_get_size: mpi_file_get_size_ mpi_file_get_size__ mpi_file_get_size MPI_FILE_GET_SIZE pmpi_file_get_size_ pmpi_file_get_size__ pmpi_file_get_size PMPI_FILE_GET_SIZE);
exports_f08!(file_get_size: mpi_file_get_size_f08_ pmpir_file_get_size_f08_; file_get_size: mpi_file_get_size_f08_ pmpi_file_get_size_f08_);

procedure! {
    file_get_type_extent(fh: *mut Fint, datatype: *mut Fint, extent: *mut isize, ierror: *mut Fint);
    let code = c::PMPI_File_get_type_extent(types::file(fh), handle::<DATATYPE>(datatype), extent);
    finish(ierror, code);
}
exports!(file_get_type_extent: mpi_file_get_type_extent_ mpi_file_get_type_extent__ mpi_file_get_type_extent MPI_FILE_GET_TYPE_EXTENT pmpi_file_get_type_extent_ pmpi_file_get_type_extent__ pmpi_file_get_type_extent PMPI_FILE_GET_TYPE_EXTENT);
exports_f08!(file_get_type_extent: mpi_file_get_type_extent_f08_ pmpir_file_get_type_extent_f08_; file_get_type_extent: mpi_file_get_type_extent_f08_ pmpi_file_get_type_extent_f08_);

procedure! {
    file_get_view(fh: *mut Fint, disp: *mut i64, etype: *mut Fint, filetype: *mut Fint,
        datarep: *mut c_char, ierror: *mut Fint, datarep_length: usize);
    let mut etype_c = handle::<DATATYPE>(etype);
    let mut filetype_c = handle::<DATATYPE>(filetype);
    let mut datarep_c = TextOut::new(datarep, datarep_length);
    let code = c::PMPI_File_get_view(types::file(fh), disp, &mut etype_c, &mut filetype_c,
        datarep_c.place());
    if code == 0 { datarep_c.give(); }
    give(etype, etype_c);
    give(filetype, filetype_c);
    finish(ierror, code);
}
exports!(file_get_view: mpi_file_get_view_ mpi_file_get_view__ mpi_file_get_view MPI_FILE_GET_VIEW pmpi_file_get_view_ pmpi_file_get_view__ pmpi_file_get_view PMPI_FILE_GET_VIEW);
exports_f08!(file_get_view: mpi_file_get_view_f08_ pmpir_file_get_view_f08_; file_get_view: mpi_file_get_view_f08_ pmpi_file_get_view_f08_);

procedure! {
    file_open(comm: *mut Fint, filename: *mut c_char, amode: *mut c_int, info: *mut Fint,
        fh: *mut Fint, ierror: *mut Fint, filename_length: usize);
    let filename_c = text(filename, filename_length);
    let mut fh_c = types::file(fh);
    let code = c::PMPI_File_open(handle::<COMM>(comm), filename_c.place(), *amode,
        handle::<INFO>(info), &mut fh_c);
    types::give_file(fh, fh_c);
    finish(ierror, code);
}
exports!(file_open: mpi_file_open_ mpi_file_open__ mpi_file_open MPI_FILE_OPEN pmpi_file_open_ pmpi_file_open__ pmpi_file_open PMPI_FILE_OPEN);
exports_f08!(file_open: mpi_file_open_f08_ pmpir_file_open_f08_; file_open: mpi_file_open_f08_ pmpi_file_open_f08_);

procedure! {
    file_preallocate(fh: *mut Fint, size: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_File_preallocate(types::file(fh), *size);
    finish(ierror, code);
}
exports!(file_preallocate: mpi_file_preallocate_ mpi_file_preallocate__ mpi_file_preallocate MPI_FILE_PREALLOCATE pmpi_file_preallocate_ pmpi_file_preallocate__ pmpi_file_preallocate PMPI_FILE_PREALLOCATE);
exports_f08!(file_preallocate: mpi_file_preallocate_f08_ pmpir_file_preallocate_f08_; file_preallocate: mpi_file_preallocate_f08_ pmpi_file_preallocate_f08_);

procedure! {
    file_seek(fh: *mut Fint, offset: *mut i64, whence: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_File_seek(types::file(fh), *offset, *whence);
    finish(ierror, code);
}
exports!(file_seek: mpi_file_seek_ mpi_file_seek__ mpi_file_seek MPI_FILE_SEEK pmpi_file_seek_ pmpi_file_seek__ pmpi_file_seek PMPI_FILE_SEEK);
exports_f08!(file_seek: mpi_file_seek_f08_ pmpir_file_seek_f08_; file_seek: mpi_file_seek_f08_ pmpi_file_seek_f08_);

procedure! {
    file_seek_shared(fh: *mut Fint, offset: *mut i64, whence: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_File_seek_shared(types::file(fh), *offset, *whence);
    finish(ierror, code);
}
exports!(file_seek_shared: mpi_file_seek_shared_ mpi_file_seek_shared__ mpi_file_seek_shared MPI_FILE_SEEK_SHARED pmpi_file_seek_shared_ pmpi_file_seek_shared__ pmpi_file_seek_shared PMPI_FILE_SEEK_SHARED);
exports_f08!(file_seek_shared: mpi_file_seek_shared_f08_ pmpir_file_seek_shared_f08_; file_seek_shared: mpi_file_seek_shared_f08_ pmpi_file_seek_shared_f08_);

procedure! {
    file_set_atomicity(fh: *mut Fint, flag: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_File_set_atomicity(types::file(fh), *flag);
    finish(ierror, code);
}
exports!(file_set_atomicity: mpi_file_set_atomicity_ mpi_file_set_atomicity__ mpi_file_set_atomicity MPI_FILE_SET_ATOMICITY pmpi_file_set_atomicity_ pmpi_file_set_atomicity__ pmpi_file_set_atomicity PMPI_FILE_SET_ATOMICITY);
exports_f08!(file_set_atomicity: mpi_file_set_atomicity_f08_ pmpir_file_set_atomicity_f08_; file_set_atomicity: mpi_file_set_atomicity_f08_ pmpi_file_set_atomicity_f08_);

procedure! {
    file_set_info(fh: *mut Fint, info: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_set_info(types::file(fh), handle::<INFO>(info));
    finish(ierror, code);
}
exports!(file_set_info: mpi_file_set_info_ mpi_file_set_info__ mpi_file_set_info MPI_FILE_SET_INFO pmpi_file_set_info_ pmpi_file_set_info__ pmpi_file_set_info PMPI_FILE_SET_INFO);
exports_f08!(file_set_info: mpi_file_set_info_f08_ pmpir_file_set_info_f08_; file_set_info: mpi_file_set_info_f08_ pmpi_file_set_info_f08_);

procedure! {
    file_set_size(fh: *mut Fint, size: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_File_set_size(types::file(fh), *size);
    finish(ierror, code);
}
exports!(file_set_size: mpi_file_set_size_ mpi_file_set_size__ mpi_file_set_size MPI_FILE_SET_SIZE pmpi_file_set_size_ pmpi_file_set_size__ pmpi_file_set_size PMPI_FILE_SET_SIZE);
exports_f08!(file_set_size: mpi_file_set_size_f08_ pmpir_file_set_size_f08_; file_set_size: mpi_file_set_size_f08_ pmpi_file_set_size_f08_);

procedure! {
    file_set_view(fh: *mut Fint, disp: *mut i64, etype: *mut Fint, filetype: *mut Fint,
        datarep: *mut c_char, info: *mut Fint, ierror: *mut Fint, datarep_length: usize);
    let datarep_c = text(datarep, datarep_length);
    let code = c::PMPI_File_set_view(types::file(fh), *disp, handle::<DATATYPE>(etype),
        handle::<DATATYPE>(filetype), datarep_c.place(), handle::<INFO>(info));
    finish(ierror, code);
}
exports!(file_set_view: mpi_file_set_view_ mpi_file_set_view__ mpi_file_set_view MPI_FILE_SET_VIEW pmpi_file_set_view_ pmpi_file_set_view__ pmpi_file_set_view PMPI_FILE_SET_VIEW);
exports_f08!(file_set_view: mpi_file_set_view_f08_ pmpir_file_set_view_f08_; file_set_view: mpi_file_set_view_f08_ pmpi_file_set_view_f08_);

procedure! {
    file_sync(fh: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_File_sync(types::file(fh));
    finish(ierror, code);
}
exports!(file_sync: mpi_file_sync_ mpi_file_sync__ mpi_file_sync MPI_FILE_SYNC pmpi_file_sync_ pmpi_file_sync__ pmpi_file_sync PMPI_FILE_SYNC);
exports_f08!(file_sync: mpi_file_sync_f08_ pmpir_file_sync_f08_; file_sync: mpi_file_sync_f08_ pmpi_file_sync_f08_);

exports!(functions::register_datarep: mpi_register_datarep_ mpi_register_datarep__ mpi_register_datarep MPI_REGISTER_DATAREP pmpi_register_datarep_ pmpi_register_datarep__ pmpi_register_datarep PMPI_REGISTER_DATAREP);
exports_f08!(functions::register_datarep: mpi_register_datarep_f08_ pmpir_register_datarep_f08_; functions::register_datarep: mpi_register_datarep_f08_ pmpi_register_datarep_f08_);

exports_large!(functions::register_datarep_c: mpi_register_datarep_c_f08_ pmpir_register_datarep_c_f08_; mpi_register_datarep_f08_large_ pmpir_register_datarep_f08_large_);
