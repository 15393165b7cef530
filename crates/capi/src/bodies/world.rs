//! Initialisation, finalization, abort (MPI 5.0 §11.2 to §11.6).

use super::put;
use nemesis_mpi::abi;
use nemesis_mpi::attr;
use nemesis_mpi::callback::Object;
use nemesis_mpi::engine::Stage;
use nemesis_mpi::error::{Error, Outcome};
use nemesis_mpi::handle::Comm;
use nemesis_mpi::info;
use nemesis_mpi::world::{self, World};
use nemesis_mpi::{enter, enter_any};
use std::ffi::{c_char, c_int};

pub unsafe fn init(_argc: *mut c_int, _argv: *mut *mut *mut c_char) -> Outcome {
    begin(abi::MPI_THREAD_SINGLE).map(drop)
}

/// Starts MPI, and writes down in MPI_INFO_ENV what was asked for.
fn begin(required: c_int) -> Outcome<c_int> {
    let granted = world::init(required)?;
    let size = enter()?.comm(abi::MPI_COMM_WORLD)?.size();
    info::set_environment(size, granted);
    Ok(granted)
}

pub unsafe fn init_thread(
    _argc: *mut c_int,
    _argv: *mut *mut *mut c_char,
    required: c_int,
    provided: *mut c_int,
) -> Outcome {
    let granted = begin(required)?;
    // SAFETY: the caller's place.
    unsafe { put(provided, "provided", granted) }
}

pub unsafe fn finalize() -> Outcome {
    in_world()?;
    // First of all, with MPI still working (MPI 5.0 §11.2.4).
    attr::delete_all(Object::Comm(abi::MPI_COMM_SELF))?;
    attr::delete_all(Object::Comm(abi::MPI_COMM_WORLD))?;
    world::finalize(&mut enter()?)
}

pub unsafe fn initialized(flag: *mut c_int) -> Outcome {
    let initialized = world::state().stage != Stage::Before;
    // SAFETY: the caller's place.
    unsafe { put(flag, "flag", c_int::from(initialized)) }
}

pub unsafe fn finalized(flag: *mut c_int) -> Outcome {
    let finalized = world::state().stage == Stage::Finalized;
    // SAFETY: the caller's place.
    unsafe { put(flag, "flag", c_int::from(finalized)) }
}

/// For a call that only the world model has, and that any thread may make whoever is inside.
fn in_world() -> Outcome<World> {
    let world = world::state();
    if world.stage == Stage::Running {
        return Ok(world);
    }
    drop(enter()?);
    Err(Error::new(
        abi::MPI_ERR_OTHER,
        "the world model is not initialised, or finalized already: only sessions are open",
    ))
}

pub unsafe fn query_thread(provided: *mut c_int) -> Outcome {
    let level = in_world()?.thread_level;
    // SAFETY: the caller's place.
    unsafe { put(provided, "provided", level) }
}

pub unsafe fn is_thread_main(flag: *mut c_int) -> Outcome {
    let main = in_world()?.main_thread == Some(std::thread::current().id());
    // SAFETY: the caller's place.
    unsafe { put(flag, "flag", c_int::from(main)) }
}

pub unsafe fn abort(comm: Comm, errorcode: c_int) -> Outcome {
    // Whoever finds another thread inside ends the job all the same.
    if enter_any().is_ok_and(|mpi| mpi.stage != Stage::Running) {
        return Err(Error::new(
            abi::MPI_ERR_OTHER,
            "MPI_Abort needs MPI to be initialised and not finalized",
        ));
    }
    // A communicator that does not exist must not keep the program from ending.
    let _ = comm;
    world::abort(errorcode, &format!("MPI_Abort with code {errorcode}"))
}
