// generated from api/ by cargo xtask generate; do not edit
//! The procedures: misc.
//!
//! Every call is unsafe in the way of the C functions: the caller promises what the
//! standard asks of each argument.

use crate::prelude::*;

procedure! {
    alloc_mem(size: *mut isize, info: *mut Fint, baseptr: *mut c_void, ierror: *mut Fint);
    let code = c::PMPI_Alloc_mem(*size, handle::<INFO>(info), baseptr);
    finish(ierror, code);
}
exports!(alloc_mem: mpi_alloc_mem_ mpi_alloc_mem__ mpi_alloc_mem MPI_ALLOC_MEM mpi_alloc_mem_cptr_ pmpi_alloc_mem_ pmpi_alloc_mem__ pmpi_alloc_mem PMPI_ALLOC_MEM pmpi_alloc_mem_cptr_);
exports_f08!(alloc_mem: mpi_alloc_mem_f08_ pmpir_alloc_mem_f08_; alloc_mem: mpi_alloc_mem_f08_ pmpi_alloc_mem_f08_);

procedure! {
    free_mem(base: *mut c_void, ierror: *mut Fint);
    let code = c::PMPI_Free_mem(places::buffer(base));
    finish(ierror, code);
}
with_bases! {
    free_mem_f08ts(base: *const Descriptor, ierror: *mut Fint);
    free_mem((*base).base(), ierror);
}
exports!(free_mem: mpi_free_mem_ mpi_free_mem__ mpi_free_mem MPI_FREE_MEM pmpi_free_mem_ pmpi_free_mem__ pmpi_free_mem PMPI_FREE_MEM);
exports_f08!(free_mem_f08ts: mpi_free_mem_f08ts_ pmpir_free_mem_f08ts_; free_mem: mpi_free_mem_f08_ pmpi_free_mem_f08_);

procedure! {
    get_hw_resource_info(hw_info: *mut Fint, ierror: *mut Fint);
    let mut hw_info_c = handle::<INFO>(hw_info);
    let code = c::PMPI_Get_hw_resource_info(&mut hw_info_c);
    give(hw_info, hw_info_c);
    finish(ierror, code);
}
exports!(get_hw_resource_info: mpi_get_hw_resource_info_ mpi_get_hw_resource_info__ mpi_get_hw_resource_info MPI_GET_HW_RESOURCE_INFO pmpi_get_hw_resource_info_ pmpi_get_hw_resource_info__ pmpi_get_hw_resource_info PMPI_GET_HW_RESOURCE_INFO);
exports_f08!(get_hw_resource_info: mpi_get_hw_resource_info_f08_ pmpir_get_hw_resource_info_f08_; get_hw_resource_info: mpi_get_hw_resource_info_f08_ pmpi_get_hw_resource_info_f08_);

procedure! {
    get_library_version(version: *mut c_char, resultlen: *mut c_int, ierror: *mut Fint,
        version_length: usize);
    let mut version_c = TextOut::new(version, version_length);
    let code = c::PMPI_Get_library_version(version_c.place(), resultlen);
    if code == 0 { version_c.give(); }
    finish(ierror, code);
}
exports!(get_library_version: mpi_get_library_version_ mpi_get_library_version__ mpi_get_library_version MPI_GET_LIBRARY_VERSION pmpi_get_library_version_ pmpi_get_library_version__ pmpi_get_library_version PMPI_GET_LIBRARY_VERSION);
exports_f08!(get_library_version: mpi_get_library_version_f08_ pmpir_get_library_version_f08_; get_library_version: mpi_get_library_version_f08_ pmpi_get_library_version_f08_);

procedure! {
    get_processor_name(name: *mut c_char, resultlen: *mut c_int, ierror: *mut Fint,
        name_length: usize);
    let mut name_c = TextOut::new(name, name_length);
    let code = c::PMPI_Get_processor_name(name_c.place(), resultlen);
    if code == 0 { name_c.give(); }
    finish(ierror, code);
}
exports!(get_processor_name: mpi_get_processor_name_ mpi_get_processor_name__ mpi_get_processor_name MPI_GET_PROCESSOR_NAME pmpi_get_processor_name_ pmpi_get_processor_name__ pmpi_get_processor_name PMPI_GET_PROCESSOR_NAME);
exports_f08!(get_processor_name: mpi_get_processor_name_f08_ pmpir_get_processor_name_f08_; get_processor_name: mpi_get_processor_name_f08_ pmpi_get_processor_name_f08_);

procedure! {
    get_version(version: *mut c_int, subversion: *mut c_int, ierror: *mut Fint);
    let code = c::PMPI_Get_version(version, subversion);
    finish(ierror, code);
}
exports!(get_version: mpi_get_version_ mpi_get_version__ mpi_get_version MPI_GET_VERSION pmpi_get_version_ pmpi_get_version__ pmpi_get_version PMPI_GET_VERSION);
exports_f08!(get_version: mpi_get_version_f08_ pmpir_get_version_f08_; get_version: mpi_get_version_f08_ pmpi_get_version_f08_);

procedure! {
    wtick() -> f64;
    c::PMPI_Wtick()
}
exports!(wtick: mpi_wtick_ mpi_wtick__ mpi_wtick MPI_WTICK pmpi_wtick_ pmpi_wtick__ pmpi_wtick PMPI_WTICK);
exports_f08!(wtick: mpi_wtick_f08_ pmpir_wtick_f08_; wtick: mpi_wtick_f08_ pmpi_wtick_f08_);

procedure! {
    wtime() -> f64;
    c::PMPI_Wtime()
}
exports!(wtime: mpi_wtime_ mpi_wtime__ mpi_wtime MPI_WTIME pmpi_wtime_ pmpi_wtime__ pmpi_wtime PMPI_WTIME);
exports_f08!(wtime: mpi_wtime_f08_ pmpir_wtime_f08_; wtime: mpi_wtime_f08_ pmpi_wtime_f08_);
