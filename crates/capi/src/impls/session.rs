//! Sessions (MPI 5.0 §11.3).

use super::environment::{call_errhandler, get_errhandler};
use super::memory;
use crate::errors::{Raise, tell_panics};
use crate::params::{InOut, Out, StringIn, StringOut};
use nemesis_mpi::abi;
use nemesis_mpi::callback::Object;
use nemesis_mpi::enter;
use nemesis_mpi::errhandler;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::group::{self, Owner};
use nemesis_mpi::handle::{Errhandler, Group, Handle, Info, Session};
use nemesis_mpi::info;
use nemesis_mpi::session::{self, PROCESS_SETS};
use std::ffi::c_int;

pub fn session_init(info: Info, errhandler: Errhandler, session: Out<'_, Session>) -> Outcome {
    let session = session.require("session")?;
    tell_panics();
    let made = session::init(&info::hints(info)?, errhandler)?;
    session.write(made);
    Ok(())
}

pub fn session_finalize(session: InOut<'_, Session>) -> Outcome {
    let session = session.require("session")?;
    let mut mpi = enter()?;
    session::finalize(&mut mpi, session.read())?;
    memory::end_session(&mut mpi);
    drop(mpi);
    session.write(Session::NULL);
    Ok(())
}

pub fn session_get_num_psets(session: Session, info: Info, npset_names: Out<'_, c_int>) -> Outcome {
    enter()?.session(session)?;
    info::hints(info)?;
    npset_names.put("npset_names", PROCESS_SETS.len() as c_int)
}

/// Writes the name of a process set, cut to `*pset_len` bytes, and into `pset_len` what all of it
/// needs with its NUL. A length of 0 asks for the length only.
pub fn session_get_nth_pset(
    session: Session,
    info: Info,
    n: c_int,
    pset_len: InOut<'_, c_int>,
    pset_name: StringOut<'_>,
) -> Outcome {
    enter()?.session(session)?;
    info::hints(info)?;
    let pset_len = pset_len.require("pset_len")?;
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
    let capacity = usize::try_from(pset_len.read())
        .map_err(|_| Error::new(abi::MPI_ERR_ARG, "pset_len is negative"))?;
    pset_name.put("pset_name", name, capacity)?;
    pset_len.write(name.len() as c_int + 1);
    Ok(())
}

pub fn session_get_pset_info(
    session: Session,
    pset_name: StringIn<'_>,
    info: Out<'_, Info>,
) -> Outcome {
    let place = info.require("info")?;
    let name = pset_name.require("pset_name")?;
    let mpi = enter()?;
    mpi.session(session)?;
    let members = mpi.process_set(&name).ok_or_else(|| {
        Error::new(abi::MPI_ERR_ARG, format!("there is no process set {name:?}"))
            .advise("MPI_Session_get_nth_pset tells their names")
    })?;
    let mut facts = info::Info::default();
    facts.set("mpi_size", &members.size().to_string());
    let made = info::create(facts)?;
    place.write(made);
    Ok(())
}

pub fn session_get_info(session: Session, info_used: Out<'_, Info>) -> Outcome {
    let place = info_used.require("info_used")?;
    let made = info::create(enter()?.session(session)?.hints.clone())?;
    place.write(made);
    Ok(())
}

/// Makes the group of a process set. A name that no process set has gives `MPI_GROUP_NULL`.
pub fn group_from_session_pset(
    session: Session,
    pset_name: StringIn<'_>,
    newgroup: Out<'_, Group>,
) -> Outcome {
    let newgroup = newgroup.require("newgroup")?;
    let name = pset_name.require("pset_name")?;
    let mpi = enter()?;
    mpi.session(session)?;
    let made = match mpi.process_set(&name) {
        Some(members) => group::insert(members.owned_by(Owner::Session(session)))?,
        None => Group::NULL,
    };
    newgroup.write(made);
    Ok(())
}

pub fn session_set_errhandler(session: Session, errhandler: Errhandler) -> Outcome {
    enter()?.session(session)?;
    errhandler::attach(Object::Session(session), errhandler)
}

pub fn session_get_errhandler(session: Session, errhandler: Out<'_, Errhandler>) -> Outcome {
    enter()?.session(session)?;
    get_errhandler(Object::Session(session), errhandler)
}

pub fn session_call_errhandler(session: Session, errorcode: c_int) -> Outcome {
    enter()?.session(session)?;
    call_errhandler(Raise::Session(session), errorcode)
}
