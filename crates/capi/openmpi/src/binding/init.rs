// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: init.

use crate::prelude::*;

binding! {
    MPI_Abort PMPI_Abort(comm: RawHandle as comm, errorcode: c_int as int)
    on Raise::Comm(to::comm(comm)) =>
    {
        impls::abort(to::comm(comm), to::code(errorcode))
    }
}

binding! {
    MPI_Finalize PMPI_Finalize()
    on Raise::Default =>
    {
        impls::finalize()
    }
}

binding! {
    MPI_Finalized PMPI_Finalized(flag: *mut c_int as address)
    on Raise::Default =>
    {
        impls::finalized(Out::new(flag))
    }
}

binding! {
    MPI_Init PMPI_Init(argc: *mut c_int as address, argv: *mut *mut *mut c_char as address)
    on Raise::Default =>
    {
        impls::init(InOut::new(argc), argv)
    }
}

binding! {
    MPI_Init_thread PMPI_Init_thread(
        argc: *mut c_int as address, argv: *mut *mut *mut c_char as address, required: c_int as int,
        provided: *mut c_int as address,
    )
    on Raise::Default =>
    {
        let mut provided = Place::out(Out::new(provided), 0);
        impls::init_thread(InOut::new(argc), argv, to::thread_level(required), Out::new(provided.pass()))?;
        provided.leave(from::thread_level);
        Ok(())
    }
}

binding! {
    MPI_Initialized PMPI_Initialized(flag: *mut c_int as address)
    on Raise::Default =>
    {
        impls::initialized(Out::new(flag))
    }
}

binding! {
    MPI_Is_thread_main PMPI_Is_thread_main(flag: *mut c_int as address)
    on Raise::Default =>
    {
        impls::is_thread_main(Out::new(flag))
    }
}

binding! {
    MPI_Query_thread PMPI_Query_thread(provided: *mut c_int as address)
    on Raise::Default =>
    {
        let mut provided = Place::out(Out::new(provided), 0);
        impls::query_thread(Out::new(provided.pass()))?;
        provided.leave(from::thread_level);
        Ok(())
    }
}
