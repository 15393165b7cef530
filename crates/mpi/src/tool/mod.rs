//! The tool information interface (MPI 5.0 chapter 15): what the library lets tools see and set.
//!
//! | file | what |
//! |---|---|
//! | `cvar` | control variables: the tunables, and the thresholds of the collectives |
//! | `pvar`, `session` | performance variables: what they are, and the handles through which tools read them |
//! | `event` | events: recorded inside the engine, told when it is let go of |
//! | `category` | what belongs together |
//! | `choices` | enumerations |
//!
//! It works before MPI starts and after it has ended. All of a tool's handles stand in one [`State`] behind a lock of its own. Who holds that lock may
//! enter the engine, never the other way round: so the engine records events without it, and they are handed to callbacks with neither held.
//!
//! Errors are `MPI_T_ERR_…` classes; no error handler hears of them.

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

/// What tools have open.
pub struct State {
    /// Calls of `MPI_T_init_thread` without their `MPI_T_finalize`.
    users: u32,
    /// The number of the last handle that was given out; none is given out twice.
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

/// Handles are numbers above all that have a meaning of their own (`MPI_T_PVAR_ALL_HANDLES`).
const FIRST_HANDLE: usize = 4096;

impl State {
    /// A number that no handle has had.
    fn draw(&mut self) -> usize {
        self.last += 1;
        self.last
    }
}

fn lock() -> MutexGuard<'static, State> {
    // Every change is complete before anything can panic.
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state, for a call that needs the interface to be initialised.
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

/// Whether a call may come: the interface is initialised.
pub fn check() -> Outcome {
    enter().map(drop)
}

/// The engine, for a call that holds the state.
fn engine() -> Outcome<Mpi> {
    enter_any().map_err(|busy| Error::new(abi::MPI_T_ERR_NOT_ACCESSIBLE, busy.why))
}

/// `MPI_T_init_thread`: the thread level that is granted, which is the one asked for. A tool with threads looks while other threads are inside MPI, so
/// the engine must admit them, whatever level MPI itself has.
pub fn init(required: i32) -> Outcome<i32> {
    let granted = required.clamp(abi::MPI_THREAD_SINGLE, abi::MPI_THREAD_MULTIPLE);
    if granted == abi::MPI_THREAD_MULTIPLE {
        engine::share();
    }
    let mut state = lock();
    state.users += 1;
    Ok(granted)
}

/// `MPI_T_finalize`: the last one frees all handles.
pub fn finalize() -> Outcome {
    let mut state = enter()?;
    state.users -= 1;
    if state.users == 0 {
        state.cvars.clear();
        state.sessions.clear();
        state.events.clear();
        engine()?.core.events.listen([0; event::EVENTS]);
    }
    Ok(())
}

/// An index of `count` things.
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

/// The object that a handle is bound to: a communicator that exists.
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
