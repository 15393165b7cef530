// generated from api/ by cargo xtask generate; do not edit
//! The procedures: info.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    info_create(info: *mut Fint, ierror: *mut Fint);
    let mut info_c = handle::<INFO>(info);
    let code = c::PMPI_Info_create(&mut info_c);
    give(info, info_c);
    finish(ierror, code);
}
exports!(info_create: mpi_info_create_ mpi_info_create__ mpi_info_create MPI_INFO_CREATE pmpi_info_create_ pmpi_info_create__ pmpi_info_create PMPI_INFO_CREATE);
exports_f08!(info_create: mpi_info_create_f08_ pmpir_info_create_f08_; info_create: mpi_info_create_f08_ pmpi_info_create_f08_);

procedure! {
    info_create_env(info: *mut Fint, ierror: *mut Fint);
    let mut info_c = handle::<INFO>(info);
    let code = c::PMPI_Info_create_env(0, std::ptr::null_mut(), &mut info_c);
    give(info, info_c);
    finish(ierror, code);
}
exports!(info_create_env: mpi_info_create_env_ mpi_info_create_env__ mpi_info_create_env MPI_INFO_CREATE_ENV pmpi_info_create_env_ pmpi_info_create_env__ pmpi_info_create_env PMPI_INFO_CREATE_ENV);
exports_f08!(info_create_env: mpi_info_create_env_f08_ pmpir_info_create_env_f08_; info_create_env: mpi_info_create_env_f08_ pmpi_info_create_env_f08_);

procedure! {
    info_delete(info: *mut Fint, key: *mut c_char, ierror: *mut Fint, key_length: usize);
    let key_c = inner_text(key, key_length);
    let code = c::PMPI_Info_delete(handle::<INFO>(info), key_c.place());
    finish(ierror, code);
}
exports!(info_delete: mpi_info_delete_ mpi_info_delete__ mpi_info_delete MPI_INFO_DELETE pmpi_info_delete_ pmpi_info_delete__ pmpi_info_delete PMPI_INFO_DELETE);
exports_f08!(info_delete: mpi_info_delete_f08_ pmpir_info_delete_f08_; info_delete: mpi_info_delete_f08_ pmpi_info_delete_f08_);

procedure! {
    info_dup(info: *mut Fint, newinfo: *mut Fint, ierror: *mut Fint);
    let mut newinfo_c = handle::<INFO>(newinfo);
    let code = c::PMPI_Info_dup(handle::<INFO>(info), &mut newinfo_c);
    give(newinfo, newinfo_c);
    finish(ierror, code);
}
exports!(info_dup: mpi_info_dup_ mpi_info_dup__ mpi_info_dup MPI_INFO_DUP pmpi_info_dup_ pmpi_info_dup__ pmpi_info_dup PMPI_INFO_DUP);
exports_f08!(info_dup: mpi_info_dup_f08_ pmpir_info_dup_f08_; info_dup: mpi_info_dup_f08_ pmpi_info_dup_f08_);

procedure! {
    info_free(info: *mut Fint, ierror: *mut Fint);
    let mut info_c = handle::<INFO>(info);
    let code = c::PMPI_Info_free(&mut info_c);
    give(info, info_c);
    finish(ierror, code);
}
exports!(info_free: mpi_info_free_ mpi_info_free__ mpi_info_free MPI_INFO_FREE pmpi_info_free_ pmpi_info_free__ pmpi_info_free PMPI_INFO_FREE);
exports_f08!(info_free: mpi_info_free_f08_ pmpir_info_free_f08_; info_free: mpi_info_free_f08_ pmpi_info_free_f08_);

procedure! {
    info_get(info: *mut Fint, key: *mut c_char, valuelen: *mut c_int, value: *mut c_char,
        flag: *mut c_int, ierror: *mut Fint, key_length: usize, value_length: usize);
    let key_c = inner_text(key, key_length);
    let mut value_c = TextOut::new(value, value_length);
    let mut flag_c = 0;
    let code = c::PMPI_Info_get(handle::<INFO>(info), key_c.place(), value_c.fitting(*valuelen),
        value_c.place(), &mut flag_c);
    if code == 0 && flag_c != 0 { value_c.give(); }
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(info_get: mpi_info_get_ mpi_info_get__ mpi_info_get MPI_INFO_GET pmpi_info_get_ pmpi_info_get__ pmpi_info_get PMPI_INFO_GET);
exports_f08!(info_get: mpi_info_get_f08_ pmpir_info_get_f08_; info_get: mpi_info_get_f08_ pmpi_info_get_f08_);

procedure! {
    info_get_nkeys(info: *mut Fint, nkeys: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Info_get_nkeys(handle::<INFO>(info), nkeys);
    finish(ierror, code);
}
exports!(info_get_nkeys: mpi_info_get_nkeys_ mpi_info_get_nkeys__ mpi_info_get_nkeys MPI_INFO_GET_NKEYS pmpi_info_get_nkeys_ pmpi_info_get_nkeys__ pmpi_info_get_nkeys PMPI_INFO_GET_NKEYS);
exports_f08!(info_get_nkeys: mpi_info_get_nkeys_f08_ pmpir_info_get_nkeys_f08_; info_get_nkeys: mpi_info_get_nkeys_f08_ pmpi_info_get_nkeys_f08_);

procedure! {
    info_get_nthkey(info: *mut Fint, n: *mut c_int, key: *mut c_char, ierror: *mut Fint,
        key_length: usize);
    let mut key_c = TextOut::new(key, key_length);
    let code = c::PMPI_Info_get_nthkey(handle::<INFO>(info), *n, key_c.place());
    if code == 0 { key_c.give(); }
    finish(ierror, code);
}
exports!(info_get_nthkey: mpi_info_get_nthkey_ mpi_info_get_nthkey__ mpi_info_get_nthkey MPI_INFO_GET_NTHKEY pmpi_info_get_nthkey_ pmpi_info_get_nthkey__ pmpi_info_get_nthkey PMPI_INFO_GET_NTHKEY);
exports_f08!(info_get_nthkey: mpi_info_get_nthkey_f08_ pmpir_info_get_nthkey_f08_; info_get_nthkey: mpi_info_get_nthkey_f08_ pmpi_info_get_nthkey_f08_);

procedure! {
    info_get_string(info: *mut Fint, key: *mut c_char, buflen: *mut c_int, value: *mut c_char,
        flag: *mut c_int, ierror: *mut Fint, key_length: usize, value_length: usize);
    let key_c = inner_text(key, key_length);
    let mut value_c = TextOut::new(value, value_length);
    let mut buflen_c = length_for_c(buflen, &value_c);
    let mut flag_c = 0;
    let code = c::PMPI_Info_get_string(handle::<INFO>(info), key_c.place(), &mut buflen_c,
        value_c.place(), &mut flag_c);
    if code == 0 && *buflen > 0 && flag_c != 0 { value_c.give(); }
    if code == 0 { give_length(buflen, buflen_c); }
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(info_get_string: mpi_info_get_string_ mpi_info_get_string__ mpi_info_get_string MPI_INFO_GET_STRING pmpi_info_get_string_ pmpi_info_get_string__ pmpi_info_get_string PMPI_INFO_GET_STRING);
exports_f08!(info_get_string: mpi_info_get_string_f08_ pmpir_info_get_string_f08_; info_get_string: mpi_info_get_string_f08_ pmpi_info_get_string_f08_);

procedure! {
    info_get_valuelen(info: *mut Fint, key: *mut c_char, valuelen: *mut c_int, flag: *mut c_int,
        ierror: *mut Fint, key_length: usize);
    let key_c = inner_text(key, key_length);
    let mut flag_c = 0;
    let code = c::PMPI_Info_get_valuelen(handle::<INFO>(info), key_c.place(), valuelen,
        &mut flag_c);
    logical(flag, flag_c);
    finish(ierror, code);
}
exports!(info_get_valuelen: mpi_info_get_valuelen_ mpi_info_get_valuelen__ mpi_info_get_valuelen MPI_INFO_GET_VALUELEN pmpi_info_get_valuelen_ pmpi_info_get_valuelen__ pmpi_info_get_valuelen PMPI_INFO_GET_VALUELEN);
exports_f08!(info_get_valuelen: mpi_info_get_valuelen_f08_ pmpir_info_get_valuelen_f08_; info_get_valuelen: mpi_info_get_valuelen_f08_ pmpi_info_get_valuelen_f08_);

procedure! {
    info_set(info: *mut Fint, key: *mut c_char, value: *mut c_char, ierror: *mut Fint,
        key_length: usize, value_length: usize);
    let key_c = inner_text(key, key_length);
    let value_c = inner_text(value, value_length);
    let code = c::PMPI_Info_set(handle::<INFO>(info), key_c.place(), value_c.place());
    finish(ierror, code);
}
exports!(info_set: mpi_info_set_ mpi_info_set__ mpi_info_set MPI_INFO_SET pmpi_info_set_ pmpi_info_set__ pmpi_info_set PMPI_INFO_SET);
exports_f08!(info_set: mpi_info_set_f08_ pmpir_info_set_f08_; info_set: mpi_info_set_f08_ pmpi_info_set_f08_);
