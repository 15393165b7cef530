// generated from api/ by cargo xtask generate; do not edit
//! The fronts of MPICH's ABI: misc.

use crate::prelude::*;

front! {
    MPI_Alloc_mem PMPI_Alloc_mem(size: isize as int, info: c_int as info, baseptr: *mut c_void as address)
    on Raise::Default =>
    {
        bodies::alloc_mem(size, to::info(info), baseptr)
    }
}

front! {
    MPI_Free_mem PMPI_Free_mem(base: *mut c_void as buffer)
    on Raise::Default =>
    {
        bodies::free_mem(to::buffer_mut(base))
    }
}

front! {
    MPI_Get_hw_resource_info PMPI_Get_hw_resource_info(hw_info: *mut c_int as address)
    on Raise::Default =>
    {
        let mut hw_info = Place::room(hw_info, Info::NULL);
        bodies::get_hw_resource_info(hw_info.pass())?;
        hw_info.leave(from::info);
        Ok(())
    }
}

front! {
    MPI_Get_library_version PMPI_Get_library_version(version: *mut c_char as address, resultlen: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::get_library_version(version, resultlen)
    }
}

front! {
    MPI_Get_processor_name PMPI_Get_processor_name(name: *mut c_char as address, resultlen: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::get_processor_name(name, resultlen)
    }
}

front! {
    MPI_Get_version PMPI_Get_version(version: *mut c_int as address, subversion: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::get_version(version, subversion)
    }
}

direct! {
    MPI_Wtick PMPI_Wtick() -> f64 { bodies::wtick() }
}

direct! {
    MPI_Wtime PMPI_Wtime() -> f64 { bodies::wtime() }
}
