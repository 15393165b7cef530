//! The tool information interface (MPI 5.0 chapter 15): what tools can read and set.
//!
//! | module | contents |
//! |---|---|
//! | `cvar` | control variables: the tunables, and the thresholds of the collectives |
//! | `pvar`, `session` | performance variables, and the handles through which tools read them |
//! | `event` | events: recorded inside the engine, delivered after its release |
//! | `category` | categories of variables and events |
//! | `choices` | enumerations |
//!
//! The interface works before MPI starts and after it has ended. All handles of tools are in one
//! [`State`] with a lock of its own. A thread that holds this lock may enter the engine, never the
//! other way round. So the engine records events without the lock, and callbacks are called with
//! neither held.
//!
//! Errors are `MPI_T_ERR_…` classes; they invoke no error handler.

pub mod category;
pub mod choices;
pub mod cvar;
pub mod event;
pub mod pvar;
pub mod session;

use crate::abi;
use crate::engine::{self, Mpi, enter_any};
use crate::error::{Error, Outcome};
use crate::handle;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The handles, sessions and registrations of tools.
pub struct State {
    /// Calls of `MPI_T_init_thread` without a matching `MPI_T_finalize`.
    users: u32,
    /// Number of the last handle; no number is used twice.
    last: usize,
    cvars: BTreeMap<usize, cvar::Handle>,
    sessions: BTreeMap<usize, session::Session>,
    events: event::Registrations,
}

static STATE: Mutex<State> = Mutex::new(State {
    users: 0,
    last: FIRST_HANDLE,
    cvars: BTreeMap::new(),
    sessions: BTreeMap::new(),
    events: event::Registrations::new(),
});

/// Handles are larger than every predefined handle (`MPI_T_PVAR_ALL_HANDLES`).
const FIRST_HANDLE: usize = 4096;

impl State {
    /// Returns a number that no handle has had.
    fn draw(&mut self) -> usize {
        self.last += 1;
        self.last
    }
}

fn lock() -> MutexGuard<'static, State> {
    // Every change is complete before anything can panic.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locks the state, for a call that needs the interface to be initialised.
fn enter() -> Outcome<MutexGuard<'static, State>> {
    let state = lock();
    if state.users == 0 {
        return Err(Error::new(
            abi::MPI_T_ERR_NOT_INITIALIZED,
            "the tool information interface is not initialised",
        ));
    }
    Ok(state)
}

/// Fails if the interface is not initialised.
pub fn check() -> Outcome {
    enter().map(drop)
}

/// Enters the engine, for a call that holds the state.
fn engine() -> Outcome<Mpi> {
    enter_any().map_err(|busy| Error::new(abi::MPI_T_ERR_NOT_ACCESSIBLE, busy.why))
}

/// Implements `MPI_T_init_thread`: grants the required thread level. A tool with threads reads
/// variables while other threads are inside MPI, so the engine must admit them, whatever thread
/// level MPI has.
pub fn init(required: i32) -> Outcome<i32> {
    let granted = required.clamp(abi::MPI_THREAD_SINGLE, abi::MPI_THREAD_MULTIPLE);
    if granted == abi::MPI_THREAD_MULTIPLE {
        engine::share();
    }
    let mut state = lock();
    state.users += 1;
    Ok(granted)
}

/// Implements `MPI_T_finalize`. The last call frees all handles.
pub fn finalize() -> Outcome {
    let mut state = enter()?;
    state.users -= 1;
    if state.users == 0 {
        state.cvars.clear();
        state.sessions.clear();
        state.events.clear();
        engine()?.pt2pt.core.events.listen([0; event::EVENTS]);
    }
    Ok(())
}

/// Checks an index below `count`.
fn index(index: i32, count: usize) -> Outcome<usize> {
    usize::try_from(index).ok().filter(|&index| index < count).ok_or_else(|| {
        Error::new(abi::MPI_T_ERR_INVALID_INDEX, format!("index {index} is not below {count}"))
    })
}

fn bad_name(name: &str) -> Box<Error> {
    Error::new(abi::MPI_T_ERR_INVALID_NAME, format!("nothing is called {name}"))
}

fn bad_handle() -> Box<Error> {
    Error::new(abi::MPI_T_ERR_INVALID_HANDLE, "the handle leads nowhere")
}

/// Checks the object that a handle is bound to: an existing communicator.
fn bound(comm: Option<handle::Comm>) -> Outcome<handle::Comm> {
    let comm = comm.ok_or_else(|| {
        Error::new(
            abi::MPI_T_ERR_INVALID_HANDLE,
            "the variable is bound to a communicator, and none is given",
        )
    })?;
    engine()?.comm(comm).map_err(|error| Error::new(abi::MPI_T_ERR_INVALID_HANDLE, error.why))?;
    Ok(comm)
}
