// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: misc.

use crate::prelude::*;

binding! {
    MPI_Alloc_mem PMPI_Alloc_mem(size: isize as int, info: RawHandle as info, baseptr: *mut c_void as address)
    on Raise::Default =>
    {
        impls::alloc_mem(size, to::info(info), Out::new(baseptr.cast()))
    }
}

binding! {
    MPI_Free_mem PMPI_Free_mem(base: *mut c_void as buffer)
    on Raise::Default =>
    {
        impls::free_mem(UserBuffer::new(to::buffer_mut(base)))
    }
}

binding! {
    MPI_Get_hw_resource_info PMPI_Get_hw_resource_info(hw_info: *mut RawHandle as out_info)
    on Raise::Default =>
    {
        let mut hw_info = Place::out(Out::new(hw_info), Info::NULL);
        impls::get_hw_resource_info(Out::new(hw_info.pass()))?;
        hw_info.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Get_library_version PMPI_Get_library_version(version: *mut c_char as address, resultlen: *mut c_int as address)
    on Raise::Default =>
    {
        impls::get_library_version(StringOut::from(OutSlice::new(version, 256)), Out::new(resultlen))
    }
}

binding! {
    MPI_Get_processor_name PMPI_Get_processor_name(name: *mut c_char as address, resultlen: *mut c_int as address)
    on Raise::Default =>
    {
        impls::get_processor_name(StringOut::from(OutSlice::new(name, 256)), Out::new(resultlen))
    }
}

binding! {
    MPI_Get_version PMPI_Get_version(version: *mut c_int as address, subversion: *mut c_int as address)
    on Raise::Default =>
    {
        impls::get_version(Out::new(version), Out::new(subversion))
    }
}

direct! {
    MPI_Wtick PMPI_Wtick() -> f64 { impls::wtick() }
}

direct! {
    MPI_Wtime PMPI_Wtime() -> f64 { impls::wtime() }
}
