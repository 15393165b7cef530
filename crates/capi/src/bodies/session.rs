//! Sessions (MPI 5.0 §11.3).

use super::environment::{call_errhandler, get_errhandler};
use super::text::{text, write};
use super::{place, put};
use crate::errors::Raise;
use nemesis_mpi::abi;
use nemesis_mpi::callback::Object;
use nemesis_mpi::enter;
use nemesis_mpi::errhandler;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::group::{self, Owner};
use nemesis_mpi::handle::{Errhandler, Group, Handle, Info, Session};
use nemesis_mpi::info;
use nemesis_mpi::session::{self, PROCESS_SETS};
use std::ffi::{c_char, c_int};

pub unsafe fn session_init(info: Info, errhandler: Errhandler, session: *mut Session) -> Outcome {
    let session = place(session, "session")?;
    let made = session::init(&info::hints(info)?, errhandler)?;
    // SAFETY: not null, so the caller's place.
    unsafe { session.write(made) };
    Ok(())
}

pub unsafe fn session_finalize(session: *mut Session) -> Outcome {
    let session = place(session, "session")?;
    // SAFETY: not null, so the caller's handle.
    session::finalize(&mut enter()?, unsafe { session.read() })?;
    // SAFETY: as above.
    unsafe { session.write(Session::NULL) };
    Ok(())
}

pub unsafe fn session_get_num_psets(
    session: Session,
    info: Info,
    npset_names: *mut c_int,
) -> Outcome {
    enter()?.session(session)?;
    info::hints(info)?;
    // SAFETY: the caller's place.
    unsafe { put(npset_names, "npset_names", PROCESS_SETS.len() as c_int) }
}

/// A length of 0 asks for the length only; it counts the end of the string.
pub unsafe fn session_get_nth_pset(
    session: Session,
    info: Info,
    n: c_int,
    pset_len: *mut c_int,
    pset_name: *mut c_char,
) -> Outcome {
    enter()?.session(session)?;
    info::hints(info)?;
    let pset_len = place(pset_len, "pset_len")?;
    let name = usize::try_from(n).ok().and_then(|n| PROCESS_SETS.get(n)).ok_or_else(|| {
        Error::new(
            abi::MPI_ERR_ARG,
            format!(
                "n is {n}, there are {} process sets (0 to {})",
                PROCESS_SETS.len(),
                PROCESS_SETS.len() - 1
            ),
        )
    })?;
    // SAFETY: not null, so the caller's length.
    let room = usize::try_from(unsafe { pset_len.read() })
        .map_err(|_| Error::new(abi::MPI_ERR_ARG, "pset_len is negative"))?;
    if room > 0 {
        let pset_name = place(pset_name, "pset_name")?;
        // SAFETY: not null, so the caller's buffer, which has that room.
        unsafe { write(pset_name, room, name) };
    }
    // SAFETY: not null, so the caller's length.
    unsafe { pset_len.write(name.len() as c_int + 1) };
    Ok(())
}

pub unsafe fn session_get_pset_info(
    session: Session,
    pset_name: *const c_char,
    info: *mut Info,
) -> Outcome {
    let place = place(info, "info")?;
    // SAFETY: the caller's string.
    let name = unsafe { text(pset_name, "pset_name") }?;
    let mpi = enter()?;
    mpi.session(session)?;
    let members = mpi.process_set(&name).ok_or_else(|| {
        Error::new(abi::MPI_ERR_ARG, format!("there is no process set {name:?}"))
            .advise("MPI_Session_get_nth_pset tells their names")
    })?;
    let mut facts = info::Info::default();
    facts.set("mpi_size", &members.size().to_string());
    let made = info::create(facts)?;
    // SAFETY: not null, so the caller's place.
    unsafe { place.write(made) };
    Ok(())
}

pub unsafe fn session_get_info(session: Session, info_used: *mut Info) -> Outcome {
    let place = place(info_used, "info_used")?;
    let made = info::create(enter()?.session(session)?.hints.clone())?;
    // SAFETY: not null, so the caller's place.
    unsafe { place.write(made) };
    Ok(())
}

/// A name that no process set has gives MPI_GROUP_NULL.
pub unsafe fn group_from_session_pset(
    session: Session,
    pset_name: *const c_char,
    newgroup: *mut Group,
) -> Outcome {
    let newgroup = place(newgroup, "newgroup")?;
    // SAFETY: the caller's string.
    let name = unsafe { text(pset_name, "pset_name") }?;
    let mpi = enter()?;
    mpi.session(session)?;
    let made = match mpi.process_set(&name) {
        Some(members) => group::insert(members.owned_by(Owner::Session(session)))?,
        None => Group::NULL,
    };
    // SAFETY: not null, so the caller's place.
    unsafe { newgroup.write(made) };
    Ok(())
}

pub unsafe fn session_set_errhandler(session: Session, errhandler: Errhandler) -> Outcome {
    enter()?.session(session)?;
    errhandler::attach(Object::Session(session), errhandler)
}

pub unsafe fn session_get_errhandler(session: Session, errhandler: *mut Errhandler) -> Outcome {
    enter()?.session(session)?;
    // SAFETY: the caller's place.
    unsafe { get_errhandler(Object::Session(session), errhandler) }
}

pub unsafe fn session_call_errhandler(session: Session, errorcode: c_int) -> Outcome {
    enter()?.session(session)?;
    call_errhandler(Raise::Session(session), errorcode)
}
