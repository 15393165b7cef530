// generated from api/ by cargo xtask generate; do not edit
//! The bindings of the standard ABI: session.

use crate::prelude::*;

binding! {
    MPI_Session_finalize PMPI_Session_finalize(session: *mut Session as address)
    on Raise::Session(at(In::new(session))) =>
    {
        impls::session_finalize(InOut::new(session))
    }
}

binding! {
    MPI_Session_get_info PMPI_Session_get_info(session: Session as session, info_used: *mut Info as out_info)
    on Raise::Session(session) =>
    {
        impls::session_get_info(session, Out::new(info_used))
    }
}

binding! {
    MPI_Session_get_nth_pset PMPI_Session_get_nth_pset(
        session: Session as session, info: Info as info, n: c_int as int, pset_len: *mut c_int as address,
        pset_name: *mut c_char as address,
    )
    on Raise::Session(session) =>
    {
        impls::session_get_nth_pset(
            session, info, n, InOut::new(pset_len),
            StringOut::from(OutSlice::new(pset_name, number_at(In::new(pset_len)))),
        )
    }
}

binding! {
    MPI_Session_get_num_psets PMPI_Session_get_num_psets(
        session: Session as session, info: Info as info, npset_names: *mut c_int as address,
    )
    on Raise::Session(session) =>
    {
        impls::session_get_num_psets(session, info, Out::new(npset_names))
    }
}

binding! {
    MPI_Session_get_pset_info PMPI_Session_get_pset_info(
        session: Session as session, pset_name: *const c_char as string, info: *mut Info as out_info,
    )
    on Raise::Session(session) =>
    {
        impls::session_get_pset_info(session, StringIn::new(pset_name), Out::new(info))
    }
}

binding! {
    MPI_Session_init PMPI_Session_init(
        info: Info as info, errhandler: Errhandler as errhandler, session: *mut Session as out_session,
    )
    on Raise::Errhandler(errhandler) =>
    {
        impls::session_init(info, errhandler, Out::new(session))
    }
}
