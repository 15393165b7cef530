// generated from api/ by cargo xtask generate; do not edit
//! The fronts of MPICH's ABI: session.

use crate::prelude::*;

front! {
    MPI_Session_finalize PMPI_Session_finalize(session: *mut c_int as address)
    on Raise::Session(to::session(at(session))) =>
    { missing("sessions are not furnished yet") }
}

front! {
    MPI_Session_get_info PMPI_Session_get_info(session: c_int as session, info_used: *mut c_int as address)
    on Raise::Session(to::session(session)) =>
    { missing("sessions are not furnished yet") }
}

front! {
    MPI_Session_get_nth_pset PMPI_Session_get_nth_pset(
        session: c_int as session, info: c_int as info, n: c_int as int, pset_len: *mut c_int as address,
        pset_name: *mut c_char as address,
    )
    on Raise::Session(to::session(session)) =>
    { missing("sessions are not furnished yet") }
}

front! {
    MPI_Session_get_num_psets PMPI_Session_get_num_psets(
        session: c_int as session, info: c_int as info, npset_names: *mut c_int as address,
    )
    on Raise::Session(to::session(session)) =>
    { missing("sessions are not furnished yet") }
}

front! {
    MPI_Session_get_pset_info PMPI_Session_get_pset_info(
        session: c_int as session, pset_name: *const c_char as string, info: *mut c_int as address,
    )
    on Raise::Session(to::session(session)) =>
    { missing("sessions are not furnished yet") }
}

front! {
    MPI_Session_init PMPI_Session_init(
        info: c_int as info, errhandler: c_int as errhandler, session: *mut c_int as address,
    )
    on Raise::Errhandler(to::errhandler(errhandler)) =>
    { missing("sessions are not furnished yet") }
}
