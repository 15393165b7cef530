// generated from api/ by cargo xtask generate; do not edit
//! The fronts of MPICH's ABI: init.

use crate::prelude::*;

front! {
    MPI_Abort PMPI_Abort(comm: c_int as comm, errorcode: c_int as int)
    on Raise::Comm(to::comm(comm)) =>
    {
        bodies::abort(to::comm(comm), to::code(errorcode))
    }
}

front! {
    MPI_Finalize PMPI_Finalize()
    on Raise::Default =>
    {
        bodies::finalize()
    }
}

front! {
    MPI_Finalized PMPI_Finalized(flag: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::finalized(Out::new(flag))
    }
}

front! {
    MPI_Init PMPI_Init(argc: *mut c_int as address, argv: *mut *mut *mut c_char as address)
    on Raise::Default =>
    {
        bodies::init(InOut::new(argc), argv)
    }
}

front! {
    MPI_Init_thread PMPI_Init_thread(
        argc: *mut c_int as address, argv: *mut *mut *mut c_char as address, required: c_int as int,
        provided: *mut c_int as address,
    )
    on Raise::Default =>
    {
        let mut provided = Place::out(provided, 0);
        bodies::init_thread(InOut::new(argc), argv, to::thread_level(required), Out::new(provided.pass()))?;
        provided.leave(from::thread_level);
        Ok(())
    }
}

front! {
    MPI_Initialized PMPI_Initialized(flag: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::initialized(Out::new(flag))
    }
}

front! {
    MPI_Is_thread_main PMPI_Is_thread_main(flag: *mut c_int as address)
    on Raise::Default =>
    {
        bodies::is_thread_main(Out::new(flag))
    }
}

front! {
    MPI_Query_thread PMPI_Query_thread(provided: *mut c_int as address)
    on Raise::Default =>
    {
        let mut provided = Place::out(provided, 0);
        bodies::query_thread(Out::new(provided.pass()))?;
        provided.leave(from::thread_level);
        Ok(())
    }
}
