//! Sessions (MPI 5.0 §11.3): independent uses of MPI, which lead from process sets to groups to
//! communicators.

use crate::abi;
use crate::attr;
use crate::buffered::Level;
use crate::callback::Object;
use crate::dynamic;
use crate::engine::{Mpi, enter};
use crate::errhandler;
use crate::error::{Error, Outcome};
use crate::group::Owner;
use crate::handle::{self, Errhandler};
use crate::info::{self, Info};
use crate::leftovers;
use crate::life;
pub use nemesis_mpi_core::session::{PROCESS_SETS, Session};

/// `MPI_Session_init`, at any time and from any thread.
pub fn init(asked: &Info, errhandler: Errhandler) -> Outcome<handle::Session> {
    let thread_level = life::begin(info::thread_level_of(asked)?)?;
    let mut mpi = enter()?;
    let mut hints = Info::default();
    hints.set("thread_level", info::thread_level_name(thread_level));
    info::grant_memory_kinds(asked);
    mpi.look_for_devices();
    hints.set(info::MEMORY_KINDS_KEY, info::memory_kinds());
    let session = Session { thread_level, hints };
    let made = mpi
        .sessions
        .insert(session)
        .ok_or_else(|| Error::new(abi::MPI_ERR_NO_MEM, "more than a million sessions are open"))?;
    if let Err(refused) = errhandler::attach(Object::Session(made), errhandler) {
        finalize(&mut mpi, made)?;
        return Err(refused);
    }
    Ok(made)
}

/// `MPI_Session_finalize`: also frees the session's remaining communicators, without calling the
/// delete functions of their attributes.
pub fn finalize(mpi: &mut Mpi, session: handle::Session) -> Outcome {
    mpi.session(session)?;
    if nemesis_mpi_check::is_on() {
        leftovers::tell_session(mpi, session);
    }
    let left: Vec<handle::Comm> = mpi
        .comms
        .named()
        .filter(|(_, comm)| comm.group.owner() == Owner::Session(session))
        .map(|(handle, _)| handle)
        .collect();
    for comm in left {
        attr::forget_all(Object::Comm(comm));
        mpi.free_comm(comm)?;
    }
    mpi.sessions.remove(session).map_err(|dead| Error::dead(abi::MPI_ERR_SESSION, dead))?;
    mpi.pt2pt.core.attached_buffers.abandon(Level::Session(session));
    errhandler::detach(Object::Session(session));
    dynamic::leave(mpi);
    life::end(mpi)
}
