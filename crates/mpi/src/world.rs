//! The world model: initialisation, finalization, abort (MPI 5.0 §11.2, §11.4).

use crate::abi;
pub use crate::abort::{abort, abort_others, end_connected, end_members};
use crate::coll;
use crate::comm::Comm;
use crate::context::{Class, Context};
use crate::dynamic::{self, spawn};
use crate::engine::{Mpi, Stage, enter};
use crate::errhandler;
use crate::error::{Error, Outcome};
use crate::group::Group;
use crate::leftovers;
use crate::life;
use crate::recovery;
use nemesis::Endpoint;
use nemesis_sys::per_process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The state of the world model in this process.
#[derive(Clone, Copy)]
pub struct World {
    pub stage: Stage,
    pub thread_level: i32,
    pub main_thread: Option<ThreadId>,
}

per_process! {
    /// Separate from the engine, because any thread may ask at any time, whichever thread is inside
    /// the engine (MPI 5.0 §11.4.1).
    static WORLD: Mutex<World> = Mutex::new(World {
        stage: Stage::Before,
        thread_level: abi::MPI_THREAD_SINGLE,
        main_thread: None,
    });
}

fn locked() -> MutexGuard<'static, World> {
    // Every assignment replaces the value as a whole, so a poisoned lock still holds a valid one.
    WORLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the present state of the world model.
pub fn state() -> World {
    *locked()
}

/// `MPI_Init_thread`: returns the granted thread level.
pub fn init(required: i32) -> Outcome<i32> {
    match state().stage {
        Stage::Before => {}
        Stage::Running => {
            return Err(Error::new(abi::MPI_ERR_OTHER, "MPI is already initialised")
                .advise("call MPI_Initialized first"));
        }
        Stage::Finalized => {
            return Err(Error::new(
                abi::MPI_ERR_OTHER,
                "MPI has been finalized and cannot be initialised again",
            )
            .advise("use sessions, which may come and go: MPI_Session_init"));
        }
    }
    let granted = life::begin(Some(required))?;
    let mut mpi = enter()?;
    let Some((rank, size)) = mpi.wireup.as_ref().map(|wireup| (wireup.rank(), wireup.size()))
    else {
        return Ok(granted);
    };
    mpi.comms.predefined = [
        Comm::new(
            Context::world(Class::PointToPoint),
            rank,
            Group::new((0..size).collect()),
            "MPI_COMM_WORLD",
        ),
        Comm::new(Context::own(rank), 0, Group::new(vec![rank]), "MPI_COMM_SELF"),
    ]
    .map(|comm| Some(Box::new(comm)));
    mpi.comms.cache_comm(abi::MPI_COMM_WORLD);
    *locked() = World {
        stage: Stage::Running,
        thread_level: granted,
        main_thread: Some(thread::current().id()),
    };
    spawn::meet_parents(&mut mpi)?;
    Ok(granted)
}

/// `MPI_Finalize`: completes pending operations, synchronizes with the other processes, and leaves
/// the job unless a session is open. The caller has to delete the attributes of MPI_COMM_SELF
/// before.
pub fn finalize(mpi: &mut Mpi) -> Outcome {
    mpi.life.finalizes = true;
    let finalized = leave(mpi);
    mpi.life.finalizes = false;
    finalized
}

fn leave(mpi: &mut Mpi) -> Outcome {
    crate::buffered::flush_all(mpi);
    if mpi.pt2pt.endpoint.as_ref().is_some_and(Endpoint::is_tolerant) {
        recovery::meet_all(mpi)?;
    } else {
        coll::meet_all(mpi)?;
    }
    if nemesis_mpi_check::is_on() {
        leftovers::tell(mpi);
    }
    locked().stage = Stage::Finalized;
    [abi::MPI_COMM_WORLD, abi::MPI_COMM_SELF]
        .into_iter()
        .for_each(|comm| mpi.comms.cache.forget(comm));
    for mut comm in std::mem::take(&mut mpi.comms.predefined).into_iter().flatten() {
        mpi.comms.note_freed(&comm);
        coll::part(mpi, &mut comm);
    }
    errhandler::forget_world();
    dynamic::leave(mpi);
    life::end(mpi)
}
