// generated from api/ by cargo xtask generate; do not edit
//! The procedures: dtype.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    aint_add(base: *mut isize, disp: *mut isize) -> isize;
    c::PMPI_Aint_add(*base, *disp)
}
exports!(aint_add: mpi_aint_add_ mpi_aint_add__ mpi_aint_add MPI_AINT_ADD pmpi_aint_add_ pmpi_aint_add__ pmpi_aint_add PMPI_AINT_ADD);
exports_f08!(aint_add: mpi_aint_add_f08_ pmpir_aint_add_f08_; aint_add: mpi_aint_add_f08_ pmpi_aint_add_f08_);

procedure! {
    aint_diff(addr1: *mut isize, addr2: *mut isize) -> isize;
    c::PMPI_Aint_diff(*addr1, *addr2)
}
exports!(aint_diff: mpi_aint_diff_ mpi_aint_diff__ mpi_aint_diff MPI_AINT_DIFF pmpi_aint_diff_ pmpi_aint_diff__ pmpi_aint_diff PMPI_AINT_DIFF);
exports_f08!(aint_diff: mpi_aint_diff_f08_ pmpir_aint_diff_f08_; aint_diff: mpi_aint_diff_f08_ pmpi_aint_diff_f08_);

procedure! {
    get_address(location: *mut c_void, address: *mut isize, ierror: *mut Fint);
    let code = c::PMPI_Get_address(places::buffer(location), address);
    finish(ierror, code);
}
with_bases! {
    get_address_f08ts(location: *const Descriptor, address: *mut isize, ierror: *mut Fint);
    get_address((*location).base(), address, ierror);
}
exports!(get_address: mpi_get_address_ mpi_get_address__ mpi_get_address MPI_GET_ADDRESS pmpi_get_address_ pmpi_get_address__ pmpi_get_address PMPI_GET_ADDRESS);
exports_f08!(get_address_f08ts: mpi_get_address_f08ts_ pmpir_get_address_f08ts_; get_address: mpi_get_address_f08_ pmpi_get_address_f08_);

procedure! {
    get_elements(status: *mut Fint, datatype: *mut Fint, count: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Get_elements(status.cast(), handle::<DATATYPE>(datatype), count);
    finish(ierror, code);
}
exports!(get_elements: mpi_get_elements_ mpi_get_elements__ mpi_get_elements MPI_GET_ELEMENTS pmpi_get_elements_ pmpi_get_elements__ pmpi_get_elements PMPI_GET_ELEMENTS);
exports_f08!(get_elements: mpi_get_elements_f08_ pmpir_get_elements_f08_; get_elements: mpi_get_elements_f08_ pmpi_get_elements_f08_);

procedure! {
    get_elements_c(status: *mut Fint, datatype: *mut Fint, count: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_Get_elements_c(status.cast(), handle::<DATATYPE>(datatype), count);
    finish(ierror, code);
}
exports_large!(get_elements_c: mpi_get_elements_c_f08_ pmpir_get_elements_c_f08_; mpi_get_elements_f08_large_ pmpir_get_elements_f08_large_);

procedure! {
    get_elements_x(status: *mut Fint, datatype: *mut Fint, count: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_Get_elements_x(status.cast(), handle::<DATATYPE>(datatype), count);
    finish(ierror, code);
}
exports!(get_elements_x: mpi_get_elements_x_ mpi_get_elements_x__ mpi_get_elements_x MPI_GET_ELEMENTS_X pmpi_get_elements_x_ pmpi_get_elements_x__ pmpi_get_elements_x PMPI_GET_ELEMENTS_X);
exports_f08!(get_elements_x: mpi_get_elements_x_f08_ pmpir_get_elements_x_f08_; get_elements_x: mpi_get_elements_x_f08_ pmpi_get_elements_x_f08_);

procedure! {
    pack(inbuf: *mut c_void, incount: *mut c_int, datatype: *mut Fint, outbuf: *mut c_void,
        outsize: *mut c_int, position: *mut c_int, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Pack(places::buffer(inbuf), *incount, handle::<DATATYPE>(datatype),
        places::buffer(outbuf), *outsize, position, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    pack_f08ts(inbuf: *const Descriptor, incount: *mut c_int, datatype: *mut Fint,
        outbuf: *const Descriptor, outsize: *mut c_int, position: *mut c_int, comm: *mut Fint,
        ierror: *mut Fint) by pack(inbuf, outbuf);
    let mut inbuf_c = or_refuse!(Copied::new(inbuf, false), Owner::Comm(comm), ierror);
    let mut outbuf_c = or_refuse!(Copied::new(outbuf, true), Owner::Comm(comm), ierror);
    pack(inbuf_c.address(), incount, datatype, outbuf_c.address(), outsize, position, comm, ierror);
}
exports!(pack: mpi_pack_ mpi_pack__ mpi_pack MPI_PACK pmpi_pack_ pmpi_pack__ pmpi_pack PMPI_PACK);
exports_f08!(pack_f08ts: mpi_pack_f08ts_ pmpir_pack_f08ts_; pack: mpi_pack_f08_ pmpi_pack_f08_);

procedure! {
    pack_c(inbuf: *mut c_void, incount: *mut i64, datatype: *mut Fint, outbuf: *mut c_void,
        outsize: *mut i64, position: *mut i64, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Pack_c(places::buffer(inbuf), *incount, handle::<DATATYPE>(datatype),
        places::buffer(outbuf), *outsize, position, handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    pack_c_f08ts(inbuf: *const Descriptor, incount: *mut i64, datatype: *mut Fint,
        outbuf: *const Descriptor, outsize: *mut i64, position: *mut i64, comm: *mut Fint,
        ierror: *mut Fint) by pack_c(inbuf, outbuf);
    let mut inbuf_c = or_refuse!(Copied::new(inbuf, false), Owner::Comm(comm), ierror);
    let mut outbuf_c = or_refuse!(Copied::new(outbuf, true), Owner::Comm(comm), ierror);
    pack_c(inbuf_c.address(), incount, datatype, outbuf_c.address(), outsize, position, comm,
        ierror);
}
exports_large!(pack_c_f08ts: mpi_pack_c_f08ts_ pmpir_pack_c_f08ts_; mpi_pack_f08ts_large_ pmpir_pack_f08ts_large_);

procedure! {
    pack_external(datarep: *mut c_char, inbuf: *mut c_void, incount: *mut c_int,
        datatype: *mut Fint, outbuf: *mut c_void, outsize: *mut isize, position: *mut isize,
        ierror: *mut Fint, datarep_length: usize);
    let datarep_c = text(datarep, datarep_length);
    let code = c::PMPI_Pack_external(datarep_c.place(), places::buffer(inbuf), *incount,
        handle::<DATATYPE>(datatype), places::buffer(outbuf), *outsize, position);
    finish(ierror, code);
}
exports!(pack_external: mpi_pack_external_ mpi_pack_external__ mpi_pack_external MPI_PACK_EXTERNAL pmpi_pack_external_ pmpi_pack_external__ pmpi_pack_external PMPI_PACK_EXTERNAL);
exports_f08!(pack_external: mpi_pack_external_f08_ pmpir_pack_external_f08_; pack_external: mpi_pack_external_f08_ pmpi_pack_external_f08_);

procedure! {
    pack_external_c(datarep: *mut c_char, inbuf: *mut c_void, incount: *mut i64,
        datatype: *mut Fint, outbuf: *mut c_void, outsize: *mut i64, position: *mut i64,
        ierror: *mut Fint, datarep_length: usize);
    let datarep_c = text(datarep, datarep_length);
    let code = c::PMPI_Pack_external_c(datarep_c.place(), places::buffer(inbuf), *incount,
        handle::<DATATYPE>(datatype), places::buffer(outbuf), *outsize, position);
    finish(ierror, code);
}
exports_large!(pack_external_c: mpi_pack_external_c_f08_ pmpir_pack_external_c_f08_; mpi_pack_external_f08_large_ pmpir_pack_external_f08_large_);

procedure! {
    pack_external_size(datarep: *mut c_char, incount: *mut c_int, datatype: *mut Fint,
        size: *mut isize, ierror: *mut Fint, datarep_length: usize);
    let datarep_c = text(datarep, datarep_length);
    let code = c::PMPI_Pack_external_size(datarep_c.place(), *incount, handle::<DATATYPE>(datatype),
        size);
    finish(ierror, code);
}
exports!(pack_external_size: mpi_pack_external_size_ mpi_pack_external_size__ mpi_pack_external_size MPI_PACK_EXTERNAL_SIZE pmpi_pack_external_size_ pmpi_pack_external_size__ pmpi_pack_external_size PMPI_PACK_EXTERNAL_SIZE);
exports_f08!(pack_external_size: mpi_pack_external_size_f08_ pmpir_pack_external_size_f08_; pack_external_size: mpi_pack_external_size_f08_ pmpi_pack_external_size_f08_);

procedure! {
    pack_external_size_c(datarep: *mut c_char, incount: *mut i64, datatype: *mut Fint,
        size: *mut i64, ierror: *mut Fint, datarep_length: usize);
    let datarep_c = text(datarep, datarep_length);
    let code = c::PMPI_Pack_external_size_c(datarep_c.place(), *incount,
        handle::<DATATYPE>(datatype), size);
    finish(ierror, code);
}
exports_large!(pack_external_size_c: mpi_pack_external_size_c_f08_ pmpir_pack_external_size_c_f08_; mpi_pack_external_size_f08_large_ pmpir_pack_external_size_f08_large_);

procedure! {
    pack_size(incount: *mut c_int, datatype: *mut Fint, comm: *mut Fint, size: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPI_Pack_size(*incount, handle::<DATATYPE>(datatype), handle::<COMM>(comm),
        size);
    finish(ierror, code);
}
exports!(pack_size: mpi_pack_size_ mpi_pack_size__ mpi_pack_size MPI_PACK_SIZE pmpi_pack_size_ pmpi_pack_size__ pmpi_pack_size PMPI_PACK_SIZE);
exports_f08!(pack_size: mpi_pack_size_f08_ pmpir_pack_size_f08_; pack_size: mpi_pack_size_f08_ pmpi_pack_size_f08_);

procedure! {
    pack_size_c(incount: *mut i64, datatype: *mut Fint, comm: *mut Fint, size: *mut i64,
        ierror: *mut Fint);
    let code = c::PMPI_Pack_size_c(*incount, handle::<DATATYPE>(datatype), handle::<COMM>(comm),
        size);
    finish(ierror, code);
}
exports_large!(pack_size_c: mpi_pack_size_c_f08_ pmpir_pack_size_c_f08_; mpi_pack_size_f08_large_ pmpir_pack_size_f08_large_);

procedure! {
    type_commit(datatype: *mut Fint, ierror: *mut Fint);
    let mut datatype_c = handle::<DATATYPE>(datatype);
    let code = c::PMPI_Type_commit(&mut datatype_c);
    give(datatype, datatype_c);
    finish(ierror, code);
}
exports!(type_commit: mpi_type_commit_ mpi_type_commit__ mpi_type_commit MPI_TYPE_COMMIT pmpi_type_commit_ pmpi_type_commit__ pmpi_type_commit PMPI_TYPE_COMMIT);
exports_f08!(type_commit: mpi_type_commit_f08_ pmpir_type_commit_f08_; type_commit: mpi_type_commit_f08_ pmpi_type_commit_f08_);

procedure! {
    type_contiguous(count: *mut c_int, oldtype: *mut Fint, newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_contiguous(*count, handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_contiguous: mpi_type_contiguous_ mpi_type_contiguous__ mpi_type_contiguous MPI_TYPE_CONTIGUOUS pmpi_type_contiguous_ pmpi_type_contiguous__ pmpi_type_contiguous PMPI_TYPE_CONTIGUOUS);
exports_f08!(type_contiguous: mpi_type_contiguous_f08_ pmpir_type_contiguous_f08_; type_contiguous: mpi_type_contiguous_f08_ pmpi_type_contiguous_f08_);

procedure! {
    type_contiguous_c(count: *mut i64, oldtype: *mut Fint, newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_contiguous_c(*count, handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_contiguous_c: mpi_type_contiguous_c_f08_ pmpir_type_contiguous_c_f08_; mpi_type_contiguous_f08_large_ pmpir_type_contiguous_f08_large_);

procedure! {
    type_create_darray(size: *mut c_int, rank: *mut c_int, ndims: *mut c_int,
        array_of_gsizes: *mut c_int, array_of_distribs: *mut c_int, array_of_dargs: *mut c_int,
        array_of_psizes: *mut c_int, order: *mut c_int, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_darray(*size, *rank, *ndims, array_of_gsizes, array_of_distribs,
        array_of_dargs, array_of_psizes, *order, handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_darray: mpi_type_create_darray_ mpi_type_create_darray__ mpi_type_create_darray MPI_TYPE_CREATE_DARRAY pmpi_type_create_darray_ pmpi_type_create_darray__ pmpi_type_create_darray PMPI_TYPE_CREATE_DARRAY);
exports_f08!(type_create_darray: mpi_type_create_darray_f08_ pmpir_type_create_darray_f08_; type_create_darray: mpi_type_create_darray_f08_ pmpi_type_create_darray_f08_);

procedure! {
    type_create_darray_c(size: *mut c_int, rank: *mut c_int, ndims: *mut c_int,
        array_of_gsizes: *mut i64, array_of_distribs: *mut c_int, array_of_dargs: *mut c_int,
        array_of_psizes: *mut c_int, order: *mut c_int, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_darray_c(*size, *rank, *ndims, array_of_gsizes,
        array_of_distribs, array_of_dargs, array_of_psizes, *order, handle::<DATATYPE>(oldtype),
        &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_create_darray_c: mpi_type_create_darray_c_f08_ pmpir_type_create_darray_c_f08_; mpi_type_create_darray_f08_large_ pmpir_type_create_darray_f08_large_);

procedure! {
    type_create_hindexed(count: *mut c_int, array_of_blocklengths: *mut c_int,
        array_of_displacements: *mut isize, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_hindexed(*count, array_of_blocklengths, array_of_displacements,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_hindexed: mpi_type_create_hindexed_ mpi_type_create_hindexed__ mpi_type_create_hindexed MPI_TYPE_CREATE_HINDEXED pmpi_type_create_hindexed_ pmpi_type_create_hindexed__ pmpi_type_create_hindexed PMPI_TYPE_CREATE_HINDEXED);
exports_f08!(type_create_hindexed: mpi_type_create_hindexed_f08_ pmpir_type_create_hindexed_f08_; type_create_hindexed: mpi_type_create_hindexed_f08_ pmpi_type_create_hindexed_f08_);

procedure! {
    type_create_hindexed_block(count: *mut c_int, blocklength: *mut c_int,
        array_of_displacements: *mut isize, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_hindexed_block(*count, *blocklength, array_of_displacements,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_hindexed_block: mpi_type_create_hindexed_block_ mpi_type_create_hindexed_block__ mpi_type_create_hindexed_block MPI_TYPE_CREATE_HINDEXED_BLOCK pmpi_type_create_hindexed_block_ pmpi_type_create_hindexed_block__ pmpi_type_create_hindexed_block PMPI_TYPE_CREATE_HINDEXED_BLOCK);
exports_f08!(type_create_hindexed_block: mpi_type_create_hindexed_block_f08_ pmpir_type_create_hindexed_block_f08_; type_create_hindexed_block: mpi_type_create_hindexed_block_f08_ pmpi_type_create_hindexed_block_f08_);

procedure! {
    type_create_hindexed_block_c(count: *mut i64, blocklength: *mut i64,
        array_of_displacements: *mut i64, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_hindexed_block_c(*count, *blocklength, array_of_displacements,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_create_hindexed_block_c: mpi_type_create_hindexed_block_c_f08_ pmpir_type_create_hindexed_block_c_f08_; mpi_type_create_hindexed_block_f08_large_ pmpir_type_create_hindexed_block_f08_large_);

procedure! {
    type_create_hindexed_c(count: *mut i64, array_of_blocklengths: *mut i64,
        array_of_displacements: *mut i64, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_hindexed_c(*count, array_of_blocklengths, array_of_displacements,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_create_hindexed_c: mpi_type_create_hindexed_c_f08_ pmpir_type_create_hindexed_c_f08_; mpi_type_create_hindexed_f08_large_ pmpir_type_create_hindexed_f08_large_);

procedure! {
    type_create_hvector(count: *mut c_int, blocklength: *mut c_int, stride: *mut isize,
        oldtype: *mut Fint, newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_hvector(*count, *blocklength, *stride,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_hvector: mpi_type_create_hvector_ mpi_type_create_hvector__ mpi_type_create_hvector MPI_TYPE_CREATE_HVECTOR pmpi_type_create_hvector_ pmpi_type_create_hvector__ pmpi_type_create_hvector PMPI_TYPE_CREATE_HVECTOR);
exports_f08!(type_create_hvector: mpi_type_create_hvector_f08_ pmpir_type_create_hvector_f08_; type_create_hvector: mpi_type_create_hvector_f08_ pmpi_type_create_hvector_f08_);

procedure! {
    type_create_hvector_c(count: *mut i64, blocklength: *mut i64, stride: *mut i64,
        oldtype: *mut Fint, newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_hvector_c(*count, *blocklength, *stride,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_create_hvector_c: mpi_type_create_hvector_c_f08_ pmpir_type_create_hvector_c_f08_; mpi_type_create_hvector_f08_large_ pmpir_type_create_hvector_f08_large_);

procedure! {
    type_create_indexed_block(count: *mut c_int, blocklength: *mut c_int,
        array_of_displacements: *mut c_int, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_indexed_block(*count, *blocklength, array_of_displacements,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_indexed_block: mpi_type_create_indexed_block_ mpi_type_create_indexed_block__ mpi_type_create_indexed_block MPI_TYPE_CREATE_INDEXED_BLOCK pmpi_type_create_indexed_block_ pmpi_type_create_indexed_block__ pmpi_type_create_indexed_block PMPI_TYPE_CREATE_INDEXED_BLOCK);
exports_f08!(type_create_indexed_block: mpi_type_create_indexed_block_f08_ pmpir_type_create_indexed_block_f08_; type_create_indexed_block: mpi_type_create_indexed_block_f08_ pmpi_type_create_indexed_block_f08_);

procedure! {
    type_create_indexed_block_c(count: *mut i64, blocklength: *mut i64,
        array_of_displacements: *mut i64, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_indexed_block_c(*count, *blocklength, array_of_displacements,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_create_indexed_block_c: mpi_type_create_indexed_block_c_f08_ pmpir_type_create_indexed_block_c_f08_; mpi_type_create_indexed_block_f08_large_ pmpir_type_create_indexed_block_f08_large_);

procedure! {
    type_create_resized(oldtype: *mut Fint, lb: *mut isize, extent: *mut isize, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_resized(handle::<DATATYPE>(oldtype), *lb, *extent,
        &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_resized: mpi_type_create_resized_ mpi_type_create_resized__ mpi_type_create_resized MPI_TYPE_CREATE_RESIZED pmpi_type_create_resized_ pmpi_type_create_resized__ pmpi_type_create_resized PMPI_TYPE_CREATE_RESIZED);
exports_f08!(type_create_resized: mpi_type_create_resized_f08_ pmpir_type_create_resized_f08_; type_create_resized: mpi_type_create_resized_f08_ pmpi_type_create_resized_f08_);

procedure! {
    type_create_struct(count: *mut c_int, array_of_blocklengths: *mut c_int,
        array_of_displacements: *mut isize, array_of_types: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut array_of_types_c = Handles::new::<DATATYPE>(array_of_types, (*count).wide());
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_struct(*count, array_of_blocklengths, array_of_displacements,
        array_of_types_c.place(), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_struct: mpi_type_create_struct_ mpi_type_create_struct__ mpi_type_create_struct MPI_TYPE_CREATE_STRUCT pmpi_type_create_struct_ pmpi_type_create_struct__ pmpi_type_create_struct PMPI_TYPE_CREATE_STRUCT);
exports_f08!(type_create_struct: mpi_type_create_struct_f08_ pmpir_type_create_struct_f08_; type_create_struct: mpi_type_create_struct_f08_ pmpi_type_create_struct_f08_);

procedure! {
    type_create_struct_c(count: *mut i64, array_of_blocklengths: *mut i64,
        array_of_displacements: *mut i64, array_of_types: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut array_of_types_c = Handles::new::<DATATYPE>(array_of_types, (*count).wide());
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_struct_c(*count, array_of_blocklengths, array_of_displacements,
        array_of_types_c.place(), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_create_struct_c: mpi_type_create_struct_c_f08_ pmpir_type_create_struct_c_f08_; mpi_type_create_struct_f08_large_ pmpir_type_create_struct_f08_large_);

procedure! {
    type_create_subarray(ndims: *mut c_int, array_of_sizes: *mut c_int,
        array_of_subsizes: *mut c_int, array_of_starts: *mut c_int, order: *mut c_int,
        oldtype: *mut Fint, newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_subarray(*ndims, array_of_sizes, array_of_subsizes,
        array_of_starts, *order, handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_create_subarray: mpi_type_create_subarray_ mpi_type_create_subarray__ mpi_type_create_subarray MPI_TYPE_CREATE_SUBARRAY pmpi_type_create_subarray_ pmpi_type_create_subarray__ pmpi_type_create_subarray PMPI_TYPE_CREATE_SUBARRAY);
exports_f08!(type_create_subarray: mpi_type_create_subarray_f08_ pmpir_type_create_subarray_f08_; type_create_subarray: mpi_type_create_subarray_f08_ pmpi_type_create_subarray_f08_);

procedure! {
    type_create_subarray_c(ndims: *mut c_int, array_of_sizes: *mut i64, array_of_subsizes: *mut i64,
        array_of_starts: *mut i64, order: *mut c_int, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_create_subarray_c(*ndims, array_of_sizes, array_of_subsizes,
        array_of_starts, *order, handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_create_subarray_c: mpi_type_create_subarray_c_f08_ pmpir_type_create_subarray_c_f08_; mpi_type_create_subarray_f08_large_ pmpir_type_create_subarray_f08_large_);

procedure! {
    type_dup(oldtype: *mut Fint, newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_dup(handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_dup: mpi_type_dup_ mpi_type_dup__ mpi_type_dup MPI_TYPE_DUP pmpi_type_dup_ pmpi_type_dup__ pmpi_type_dup PMPI_TYPE_DUP);
exports_f08!(type_dup: mpi_type_dup_f08_ pmpir_type_dup_f08_; type_dup: mpi_type_dup_f08_ pmpi_type_dup_f08_);

procedure! {
    type_free(datatype: *mut Fint, ierror: *mut Fint);
    let mut datatype_c = handle::<DATATYPE>(datatype);
    let code = c::PMPI_Type_free(&mut datatype_c);
    give(datatype, datatype_c);
    finish(ierror, code);
}
exports!(type_free: mpi_type_free_ mpi_type_free__ mpi_type_free MPI_TYPE_FREE pmpi_type_free_ pmpi_type_free__ pmpi_type_free PMPI_TYPE_FREE);
exports_f08!(type_free: mpi_type_free_f08_ pmpir_type_free_f08_; type_free: mpi_type_free_f08_ pmpi_type_free_f08_);

procedure! {
    type_get_contents(datatype: *mut Fint, max_integers: *mut c_int, max_addresses: *mut c_int,
        max_datatypes: *mut c_int, array_of_integers: *mut c_int, array_of_addresses: *mut isize,
        array_of_datatypes: *mut Fint, ierror: *mut Fint);
    let mut array_of_datatypes_c = Handles::new::<DATATYPE>(array_of_datatypes,
        (*max_datatypes).wide());
    let code = c::PMPI_Type_get_contents(handle::<DATATYPE>(datatype), *max_integers,
        *max_addresses, *max_datatypes, array_of_integers, array_of_addresses,
        array_of_datatypes_c.place());
    array_of_datatypes_c.give();
    finish(ierror, code);
}
exports!(type_get_contents: mpi_type_get_contents_ mpi_type_get_contents__ mpi_type_get_contents MPI_TYPE_GET_CONTENTS pmpi_type_get_contents_ pmpi_type_get_contents__ pmpi_type_get_contents PMPI_TYPE_GET_CONTENTS);
exports_f08!(type_get_contents: mpi_type_get_contents_f08_ pmpir_type_get_contents_f08_; type_get_contents: mpi_type_get_contents_f08_ pmpi_type_get_contents_f08_);

procedure! {
    type_get_contents_c(datatype: *mut Fint, max_integers: *mut i64, max_addresses: *mut i64,
        max_large_counts: *mut i64, max_datatypes: *mut i64, array_of_integers: *mut c_int,
        array_of_addresses: *mut isize, array_of_large_counts: *mut i64,
        array_of_datatypes: *mut Fint, ierror: *mut Fint);
    let mut array_of_datatypes_c = Handles::new::<DATATYPE>(array_of_datatypes,
        (*max_datatypes).wide());
    let code = c::PMPI_Type_get_contents_c(handle::<DATATYPE>(datatype), *max_integers,
        *max_addresses, *max_large_counts, *max_datatypes, array_of_integers, array_of_addresses,
        array_of_large_counts, array_of_datatypes_c.place());
    array_of_datatypes_c.give();
    finish(ierror, code);
}
exports_large!(type_get_contents_c: mpi_type_get_contents_c_f08_ pmpir_type_get_contents_c_f08_; mpi_type_get_contents_f08_large_ pmpir_type_get_contents_f08_large_);

procedure! {
    type_get_envelope(datatype: *mut Fint, num_integers: *mut c_int, num_addresses: *mut c_int,
        num_datatypes: *mut c_int, combiner: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Type_get_envelope(handle::<DATATYPE>(datatype), num_integers, num_addresses,
        num_datatypes, combiner);
    finish(ierror, code);
}
exports!(type_get_envelope: mpi_type_get_envelope_ mpi_type_get_envelope__ mpi_type_get_envelope MPI_TYPE_GET_ENVELOPE pmpi_type_get_envelope_ pmpi_type_get_envelope__ pmpi_type_get_envelope PMPI_TYPE_GET_ENVELOPE);
exports_f08!(type_get_envelope: mpi_type_get_envelope_f08_ pmpir_type_get_envelope_f08_; type_get_envelope: mpi_type_get_envelope_f08_ pmpi_type_get_envelope_f08_);

procedure! {
    type_get_envelope_c(datatype: *mut Fint, num_integers: *mut i64, num_addresses: *mut i64,
        num_large_counts: *mut i64, num_datatypes: *mut i64, combiner: *mut c_int,
        ierror: *mut Fint);
    let code = c::PMPI_Type_get_envelope_c(handle::<DATATYPE>(datatype), num_integers,
        num_addresses, num_large_counts, num_datatypes, combiner);
    finish(ierror, code);
}
exports_large!(type_get_envelope_c: mpi_type_get_envelope_c_f08_ pmpir_type_get_envelope_c_f08_; mpi_type_get_envelope_f08_large_ pmpir_type_get_envelope_f08_large_);

procedure! {
    type_get_extent(datatype: *mut Fint, lb: *mut isize, extent: *mut isize, ierror: *mut Fint);
    let code = c::PMPI_Type_get_extent(handle::<DATATYPE>(datatype), lb, extent);
    finish(ierror, code);
}
exports!(type_get_extent: mpi_type_get_extent_ mpi_type_get_extent__ mpi_type_get_extent MPI_TYPE_GET_EXTENT pmpi_type_get_extent_ pmpi_type_get_extent__ pmpi_type_get_extent PMPI_TYPE_GET_EXTENT);
exports_f08!(type_get_extent: mpi_type_get_extent_f08_ pmpir_type_get_extent_f08_; type_get_extent: mpi_type_get_extent_f08_ pmpi_type_get_extent_f08_);

procedure! {
    type_get_extent_x(datatype: *mut Fint, lb: *mut i64, extent: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_Type_get_extent_x(handle::<DATATYPE>(datatype), lb, extent);
    finish(ierror, code);
}
exports!(type_get_extent_x: mpi_type_get_extent_x_ mpi_type_get_extent_x__ mpi_type_get_extent_x MPI_TYPE_GET_EXTENT_X pmpi_type_get_extent_x_ pmpi_type_get_extent_x__ pmpi_type_get_extent_x PMPI_TYPE_GET_EXTENT_X);
exports_f08!(type_get_extent_x: mpi_type_get_extent_x_f08_ pmpir_type_get_extent_x_f08_; type_get_extent_x: mpi_type_get_extent_x_f08_ pmpi_type_get_extent_x_f08_);

procedure! {
    type_get_true_extent(datatype: *mut Fint, true_lb: *mut isize, true_extent: *mut isize,
        ierror: *mut Fint);
    let code = c::PMPI_Type_get_true_extent(handle::<DATATYPE>(datatype), true_lb, true_extent);
    finish(ierror, code);
}
exports!(type_get_true_extent: mpi_type_get_true_extent_ mpi_type_get_true_extent__ mpi_type_get_true_extent MPI_TYPE_GET_TRUE_EXTENT pmpi_type_get_true_extent_ pmpi_type_get_true_extent__ pmpi_type_get_true_extent PMPI_TYPE_GET_TRUE_EXTENT);
exports_f08!(type_get_true_extent: mpi_type_get_true_extent_f08_ pmpir_type_get_true_extent_f08_; type_get_true_extent: mpi_type_get_true_extent_f08_ pmpi_type_get_true_extent_f08_);

procedure! {
    type_get_true_extent_x(datatype: *mut Fint, true_lb: *mut i64, true_extent: *mut i64,
        ierror: *mut Fint);
    let code = c::PMPI_Type_get_true_extent_x(handle::<DATATYPE>(datatype), true_lb, true_extent);
    finish(ierror, code);
}
exports!(type_get_true_extent_x: mpi_type_get_true_extent_x_ mpi_type_get_true_extent_x__ mpi_type_get_true_extent_x MPI_TYPE_GET_TRUE_EXTENT_X pmpi_type_get_true_extent_x_ pmpi_type_get_true_extent_x__ pmpi_type_get_true_extent_x PMPI_TYPE_GET_TRUE_EXTENT_X);
exports_f08!(type_get_true_extent_x: mpi_type_get_true_extent_x_f08_ pmpir_type_get_true_extent_x_f08_; type_get_true_extent_x: mpi_type_get_true_extent_x_f08_ pmpi_type_get_true_extent_x_f08_);

procedure! {
    type_indexed(count: *mut c_int, array_of_blocklengths: *mut c_int,
        array_of_displacements: *mut c_int, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_indexed(*count, array_of_blocklengths, array_of_displacements,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_indexed: mpi_type_indexed_ mpi_type_indexed__ mpi_type_indexed MPI_TYPE_INDEXED pmpi_type_indexed_ pmpi_type_indexed__ pmpi_type_indexed PMPI_TYPE_INDEXED);
exports_f08!(type_indexed: mpi_type_indexed_f08_ pmpir_type_indexed_f08_; type_indexed: mpi_type_indexed_f08_ pmpi_type_indexed_f08_);

procedure! {
    type_indexed_c(count: *mut i64, array_of_blocklengths: *mut i64,
        array_of_displacements: *mut i64, oldtype: *mut Fint, newtype: *mut Fint,
        ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_indexed_c(*count, array_of_blocklengths, array_of_displacements,
        handle::<DATATYPE>(oldtype), &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_indexed_c: mpi_type_indexed_c_f08_ pmpir_type_indexed_c_f08_; mpi_type_indexed_f08_large_ pmpir_type_indexed_f08_large_);

procedure! {
    type_size(datatype: *mut Fint, size: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Type_size(handle::<DATATYPE>(datatype), size);
    finish(ierror, code);
}
exports!(type_size: mpi_type_size_ mpi_type_size__ mpi_type_size MPI_TYPE_SIZE pmpi_type_size_ pmpi_type_size__ pmpi_type_size PMPI_TYPE_SIZE);
exports_f08!(type_size: mpi_type_size_f08_ pmpir_type_size_f08_; type_size: mpi_type_size_f08_ pmpi_type_size_f08_);

procedure! {
    type_size_c(datatype: *mut Fint, size: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_Type_size_c(handle::<DATATYPE>(datatype), size);
    finish(ierror, code);
}
exports_large!(type_size_c: mpi_type_size_c_f08_ pmpir_type_size_c_f08_; mpi_type_size_f08_large_ pmpir_type_size_f08_large_);

procedure! {
    type_size_x(datatype: *mut Fint, size: *mut i64, ierror: *mut Fint);
    let code = c::PMPI_Type_size_x(handle::<DATATYPE>(datatype), size);
    finish(ierror, code);
}
exports!(type_size_x: mpi_type_size_x_ mpi_type_size_x__ mpi_type_size_x MPI_TYPE_SIZE_X pmpi_type_size_x_ pmpi_type_size_x__ pmpi_type_size_x PMPI_TYPE_SIZE_X);
exports_f08!(type_size_x: mpi_type_size_x_f08_ pmpir_type_size_x_f08_; type_size_x: mpi_type_size_x_f08_ pmpi_type_size_x_f08_);

procedure! {
    type_vector(count: *mut c_int, blocklength: *mut c_int, stride: *mut c_int, oldtype: *mut Fint,
        newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_vector(*count, *blocklength, *stride, handle::<DATATYPE>(oldtype),
        &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports!(type_vector: mpi_type_vector_ mpi_type_vector__ mpi_type_vector MPI_TYPE_VECTOR pmpi_type_vector_ pmpi_type_vector__ pmpi_type_vector PMPI_TYPE_VECTOR);
exports_f08!(type_vector: mpi_type_vector_f08_ pmpir_type_vector_f08_; type_vector: mpi_type_vector_f08_ pmpi_type_vector_f08_);

procedure! {
    type_vector_c(count: *mut i64, blocklength: *mut i64, stride: *mut i64, oldtype: *mut Fint,
        newtype: *mut Fint, ierror: *mut Fint);
    let mut newtype_c = handle::<DATATYPE>(newtype);
    let code = c::PMPI_Type_vector_c(*count, *blocklength, *stride, handle::<DATATYPE>(oldtype),
        &mut newtype_c);
    give(newtype, newtype_c);
    finish(ierror, code);
}
exports_large!(type_vector_c: mpi_type_vector_c_f08_ pmpir_type_vector_c_f08_; mpi_type_vector_f08_large_ pmpir_type_vector_f08_large_);

procedure! {
    unpack(inbuf: *mut c_void, insize: *mut c_int, position: *mut c_int, outbuf: *mut c_void,
        outcount: *mut c_int, datatype: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Unpack(places::buffer(inbuf), *insize, position, places::buffer(outbuf),
        *outcount, handle::<DATATYPE>(datatype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    unpack_f08ts(inbuf: *const Descriptor, insize: *mut c_int, position: *mut c_int,
        outbuf: *const Descriptor, outcount: *mut c_int, datatype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by unpack(inbuf, outbuf);
    let mut inbuf_c = or_refuse!(Copied::new(inbuf, false), Owner::Comm(comm), ierror);
    let mut outbuf_c = or_refuse!(Copied::new(outbuf, true), Owner::Comm(comm), ierror);
    unpack(inbuf_c.address(), insize, position, outbuf_c.address(), outcount, datatype, comm,
        ierror);
}
exports!(unpack: mpi_unpack_ mpi_unpack__ mpi_unpack MPI_UNPACK pmpi_unpack_ pmpi_unpack__ pmpi_unpack PMPI_UNPACK);
exports_f08!(unpack_f08ts: mpi_unpack_f08ts_ pmpir_unpack_f08ts_; unpack: mpi_unpack_f08_ pmpi_unpack_f08_);

procedure! {
    unpack_c(inbuf: *mut c_void, insize: *mut i64, position: *mut i64, outbuf: *mut c_void,
        outcount: *mut i64, datatype: *mut Fint, comm: *mut Fint, ierror: *mut Fint);
    let code = c::PMPI_Unpack_c(places::buffer(inbuf), *insize, position, places::buffer(outbuf),
        *outcount, handle::<DATATYPE>(datatype), handle::<COMM>(comm));
    finish(ierror, code);
}
with_sections! {
    unpack_c_f08ts(inbuf: *const Descriptor, insize: *mut i64, position: *mut i64,
        outbuf: *const Descriptor, outcount: *mut i64, datatype: *mut Fint, comm: *mut Fint,
        ierror: *mut Fint) by unpack_c(inbuf, outbuf);
    let mut inbuf_c = or_refuse!(Copied::new(inbuf, false), Owner::Comm(comm), ierror);
    let mut outbuf_c = or_refuse!(Copied::new(outbuf, true), Owner::Comm(comm), ierror);
    unpack_c(inbuf_c.address(), insize, position, outbuf_c.address(), outcount, datatype, comm,
        ierror);
}
exports_large!(unpack_c_f08ts: mpi_unpack_c_f08ts_ pmpir_unpack_c_f08ts_; mpi_unpack_f08ts_large_ pmpir_unpack_f08ts_large_);

procedure! {
    unpack_external(datarep: *mut c_char, inbuf: *mut c_void, insize: *mut isize,
        position: *mut isize, outbuf: *mut c_void, outcount: *mut c_int, datatype: *mut Fint,
        ierror: *mut Fint, datarep_length: usize);
    let datarep_c = text(datarep, datarep_length);
    let code = c::PMPI_Unpack_external(datarep_c.place(), places::buffer(inbuf), *insize, position,
        places::buffer(outbuf), *outcount, handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
exports!(unpack_external: mpi_unpack_external_ mpi_unpack_external__ mpi_unpack_external MPI_UNPACK_EXTERNAL pmpi_unpack_external_ pmpi_unpack_external__ pmpi_unpack_external PMPI_UNPACK_EXTERNAL);
exports_f08!(unpack_external: mpi_unpack_external_f08_ pmpir_unpack_external_f08_; unpack_external: mpi_unpack_external_f08_ pmpi_unpack_external_f08_);

procedure! {
    unpack_external_c(datarep: *mut c_char, inbuf: *mut c_void, insize: *mut i64,
        position: *mut i64, outbuf: *mut c_void, outcount: *mut i64, datatype: *mut Fint,
        ierror: *mut Fint, datarep_length: usize);
    let datarep_c = text(datarep, datarep_length);
    let code = c::PMPI_Unpack_external_c(datarep_c.place(), places::buffer(inbuf), *insize,
        position, places::buffer(outbuf), *outcount, handle::<DATATYPE>(datatype));
    finish(ierror, code);
}
exports_large!(unpack_external_c: mpi_unpack_external_c_f08_ pmpir_unpack_external_c_f08_; mpi_unpack_external_f08_large_ pmpir_unpack_external_f08_large_);
