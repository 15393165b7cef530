//! Initialisation, finalization, abort (MPI 5.0 §11.2 to §11.6).

use super::memory;
use crate::errors::tell_panics;
use crate::params::{InOut, Out};
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

pub fn init(_argc: InOut<'_, c_int>, _argv: *mut *mut *mut c_char) -> Outcome {
    begin(abi::MPI_THREAD_SINGLE).map(drop)
}

/// Starts MPI and records the requested thread level and the number of processes in `MPI_INFO_ENV`.
fn begin(required: c_int) -> Outcome<c_int> {
    tell_panics();
    let granted = world::init(required)?;
    let size = enter()?.comm(abi::MPI_COMM_WORLD)?.size();
    info::set_environment(size, granted);
    Ok(granted)
}

pub fn init_thread(
    _argc: InOut<'_, c_int>,
    _argv: *mut *mut *mut c_char,
    required: c_int,
    provided: Out<'_, c_int>,
) -> Outcome {
    let granted = begin(required)?;
    provided.put("provided", granted)
}

pub fn finalize() -> Outcome {
    in_world()?;
    // The delete functions may still call MPI (MPI 5.0 §11.2.4).
    attr::delete_all(Object::Comm(abi::MPI_COMM_SELF))?;
    attr::delete_all(Object::Comm(abi::MPI_COMM_WORLD))?;
    let mut mpi = enter()?;
    world::finalize(&mut mpi)?;
    memory::end_session(&mut mpi);
    Ok(())
}

pub fn initialized(flag: Out<'_, c_int>) -> Outcome {
    let initialized = world::state().stage != Stage::Before;
    flag.put("flag", c_int::from(initialized))
}

pub fn finalized(flag: Out<'_, c_int>) -> Outcome {
    let finalized = world::state().stage == Stage::Finalized;
    flag.put("flag", c_int::from(finalized))
}

/// The state of the world model, for calls that need it initialised and that any thread may make at
/// any time.
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

pub fn query_thread(provided: Out<'_, c_int>) -> Outcome {
    let level = in_world()?.thread_level;
    provided.put("provided", level)
}

pub fn is_thread_main(flag: Out<'_, c_int>) -> Outcome {
    let main = in_world()?.main_thread == Some(std::thread::current().id());
    flag.put("flag", c_int::from(main))
}

pub fn abort(comm: Comm, errorcode: c_int) -> Outcome {
    // If another thread is inside MPI, the job ends all the same.
    if let Ok(mut mpi) = enter_any() {
        if mpi.life.stage != Stage::Running {
            return Err(Error::new(
                abi::MPI_ERR_OTHER,
                "MPI_Abort needs MPI to be initialised and not finalized",
            ));
        }
        // A communicator that does not exist does not keep the program from ending.
        world::abort_others(&mut mpi, comm, errorcode);
    }
    world::abort(errorcode, &format!("MPI_Abort with code {errorcode}"))
}
