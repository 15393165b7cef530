// generated from api/ by cargo xtask generate; do not edit
//! The bindings of Open MPI's ABI: session.

use crate::prelude::*;

binding! {
    MPI_Session_finalize PMPI_Session_finalize(session: *mut RawHandle as address)
    on Raise::Session(to::session(at(In::new(session)))) =>
    {
        let mut session = Place::read(InOut::new(session), Session::NULL, to::session);
        let outcome = impls::session_finalize(InOut::new(session.pass()));
        session.leave(from::session);
        outcome
    }
}

binding! {
    MPI_Session_get_info PMPI_Session_get_info(session: RawHandle as session, info_used: *mut RawHandle as out_info)
    on Raise::Session(to::session(session)) =>
    {
        let mut info_used = Place::out(Out::new(info_used), Info::NULL);
        impls::session_get_info(to::session(session), Out::new(info_used.pass()))?;
        info_used.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Session_get_nth_pset PMPI_Session_get_nth_pset(
        session: RawHandle as session, info: RawHandle as info, n: c_int as int, pset_len: *mut c_int as address,
        pset_name: *mut c_char as address,
    )
    on Raise::Session(to::session(session)) =>
    {
        impls::session_get_nth_pset(
            to::session(session), to::info(info), n, InOut::new(pset_len),
            StringOut::from(OutSlice::new(pset_name, number_at(In::new(pset_len)))),
        )
    }
}

binding! {
    MPI_Session_get_num_psets PMPI_Session_get_num_psets(
        session: RawHandle as session, info: RawHandle as info, npset_names: *mut c_int as address,
    )
    on Raise::Session(to::session(session)) =>
    {
        impls::session_get_num_psets(to::session(session), to::info(info), Out::new(npset_names))
    }
}

binding! {
    MPI_Session_get_pset_info PMPI_Session_get_pset_info(
        session: RawHandle as session, pset_name: *const c_char as string, info: *mut RawHandle as out_info,
    )
    on Raise::Session(to::session(session)) =>
    {
        let mut info = Place::out(Out::new(info), Info::NULL);
        impls::session_get_pset_info(to::session(session), StringIn::new(pset_name), Out::new(info.pass()))?;
        info.leave(from::info);
        Ok(())
    }
}

binding! {
    MPI_Session_init PMPI_Session_init(
        info: RawHandle as info, errhandler: RawHandle as errhandler, session: *mut RawHandle as out_session,
    )
    on Raise::Errhandler(to::errhandler(errhandler)) =>
    {
        let mut session = Place::out(Out::new(session), Session::NULL);
        impls::session_init(to::info(info), to::errhandler(errhandler), Out::new(session.pass()))?;
        session.leave(from::session);
        Ok(())
    }
}
