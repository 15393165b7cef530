//! Start and end of the engine (MPI 5.0 §11.1). The engine starts with its first user, the world
//! model or a session, and stops when its last user has finalized.
//!
//! ```text
//!   Before ──begin──> Running ──end──> Finalized ──begin──> Running …
//! ```
//!
//! A stopped process keeps its rank in the job, its part of the segment and its packet numbers, so
//! that it can start again. The launcher of this project is told of every stop and restart. Other
//! launchers accept a single finalization, which the process sends when it exits.
//!
//! Every user asks for a thread level; the engine runs at the highest of them. If a thread starts a
//! session after another thread has started the engine, both may be inside MPI at any time,
//! whatever levels they have asked for.

use crate::abi;
use crate::agreement;
use crate::coll::tuning;
use crate::engine::lanes::network_packets_of_others;
use crate::engine::upper::Hooks;
use crate::engine::{Engine, Mpi, Stage, admit_all_threads, enter_any};
use crate::error::{Error, Outcome};
use crate::leftovers;
use crate::noted;
use crate::other_libraries;
use crate::peer_failure;
use crate::process;
use crate::protocol::Layers;
use crate::request::{Activity, Request};
use crate::state_report;
use crate::tool::{cvar, event};
use crate::unknown_variables;
use nemesis::tunables::ThreadLevel;
use nemesis::{Endpoint, Status, Tunables};
use nemesis_sys::{crash, per_process, virtual_process};
use nemesis_wireup::{Launcher, Wireup, WireupError};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, ThreadId};

/// The functions of the layers above the engine: collectives, one-sided communication, files, and
/// tools.
static HOOKS: Hooks = Hooks {
    collectives: nemesis_mpi_coll::HOOKS,
    perform: |engine| {
        (nemesis_mpi_rma::HOOKS.perform)(engine);
        if engine.pt2pt.core.upper.busy.contains(Layers::IO) {
            nemesis_mpi_io::perform(engine);
        }
    },
    deliver_events: event::deliver,
    ..nemesis_mpi_rma::HOOKS
};

per_process! {
    /// Serializes threads that start sessions at the same time, before the engine knows that there
    /// are several threads.
    static BEGINNING: Mutex<()> = Mutex::new(());

    /// The thread of the engine's first user, until the last user has finalized. It is not part of
    /// the engine, because another thread reads it before it enters the engine.
    static OPENER: Mutex<Option<ThreadId>> = Mutex::new(None);

    static PROVIDED: Mutex<Option<Wireup>> = Mutex::new(None);
}

/// Sets what this process finds when it looks for its launcher. For simulations, whose processes
/// are virtual (`nemesis_sys::virtual_process`).
pub fn provide(wireup: Wireup) {
    *PROVIDED.lock().unwrap_or_else(PoisonError::into_inner) = Some(wireup);
}

fn opener() -> MutexGuard<'static, Option<ThreadId>> {
    OPENER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Adds a user of the engine, and returns the granted thread level. A user that requires no level
/// gets the present level of the process, or the lowest one.
pub fn begin(required: Option<i32>) -> Outcome<i32> {
    let _alone = BEGINNING.lock().unwrap_or_else(PoisonError::into_inner);
    let from_another = opener().is_some_and(|opener| opener != thread::current().id());
    if from_another {
        // The opener may be inside MPI, at a thread level that lets it skip locking.
        admit_all_threads(false);
    }
    let mut mpi = enter_any()?;
    let is_first = mpi.life.users == 0 && !from_another;
    if mpi.life.users == 0 {
        come_up(&mut mpi)?;
        *opener() = Some(thread::current().id());
        mpi.life.thread_level = abi::MPI_THREAD_SINGLE;
    }
    let own = if from_another { abi::MPI_THREAD_MULTIPLE } else { mpi.life.thread_level };
    let granted =
        required.unwrap_or(own).clamp(mpi.life.least_thread_level, abi::MPI_THREAD_MULTIPLE);
    mpi.life.users += 1;
    mpi.life.stage = Stage::Running;
    mpi.life.thread_level =
        if from_another { abi::MPI_THREAD_MULTIPLE } else { mpi.life.thread_level.max(granted) };
    if mpi.life.thread_level == abi::MPI_THREAD_MULTIPLE {
        drop(mpi);
        admit_all_threads(is_first);
        mpi = enter_any()?;
    }
    mpi.update_thread_mode();
    mpi.open();
    Ok(granted)
}

fn come_up(mpi: &mut Mpi) -> Outcome {
    match &mut mpi.wireup {
        Some(wireup) => {
            wireup.resume().map_err(unwired)?;
            state_report::come_back(&mpi.pt2pt);
            Ok(())
        }
        None => join(mpi),
    }
}

/// Reads the tunables. After the engine has started, the program cannot change them any more.
pub fn tunables() -> Outcome<Tunables> {
    Tunables::read(cvar::chosen).map_err(|invalid| wrong_variable(invalid.to_string()))
}

/// Returns the error of a variable, of the environment or of the tool interface, that has a wrong
/// value.
fn wrong_variable(why: String) -> Box<Error> {
    Error::new(abi::MPI_ERR_ARG, why)
        .advise("correct or unset the variable; nemesis(7) describes it")
}

/// The line that the launcher reads when a signal has ended this process.
static LAST_LINE: OnceLock<&'static Status> = OnceLock::new();

/// Tells the launcher where the program is that a signal ends.
fn last_words(module: &[u8], offset: usize) -> bool {
    let line = LAST_LINE.get();
    line.inspect(|line| line.die(module, offset as u64)).is_some()
}

/// Connects to the launcher and joins the job, when the engine starts for the first time.
fn join(engine: &mut Engine) -> Outcome {
    let tunables = tunables()?;
    tuning::check()?;
    cvar::fix_values();
    crate::coll::operations::fix(cvar::chosen_algorithms).map_err(wrong_variable)?;
    let provided = PROVIDED.lock().unwrap_or_else(PoisonError::into_inner).take();
    let mut wireup = provided.map_or_else(Wireup::connect, Ok).map_err(unwired)?;
    process::introduce(wireup.rank());
    agreement::publish(&mut wireup);
    let mut endpoint = Endpoint::join(&mut wireup, &tunables).map_err(unwired)?;
    agreement::compare(&wireup)?;
    engine.memory = endpoint.take_memory();
    if endpoint.is_tolerant() {
        peer_failure::be_tolerant();
    }
    if tunables.check {
        nemesis_mpi_check::turn_on(wireup.rank(), wireup.size(), wireup.reporter());
    }
    if virtual_process::current().is_none() {
        if wireup.launcher() == Launcher::Nemesis {
            // A process that starts MPI again keeps its line.
            let _ = LAST_LINE.set(endpoint.status());
        }
        crash::report(process::who(), noted::over, last_words);
    }
    if wireup.rank() == 0 {
        other_libraries::warn();
        // A spawned job has the environment of the one that has spawned it.
        if !wireup.is_spawned() && virtual_process::current().is_none() {
            unknown_variables::warn(tunables.verbose);
        }
    }
    if wireup.parts_at_exit() && !nemesis_sys::process::at_exit(part) {
        return Err(Error::new(
            abi::MPI_ERR_NO_MEM,
            "the C library cannot register a function that runs when the process exits",
        ));
    }
    // Functions run in the reverse order: this one tells the launcher before `part` leaves it.
    if tunables.check && !nemesis_sys::process::at_exit(tell_leftovers) {
        nemesis_sys::message::tell(format_args!(
            "nemesis: check: what is left at the exit cannot be told: out of memory"
        ));
    }
    engine.lanes.max = endpoint.lanes();
    engine.lanes.in_turn = tunables.lanes.min(engine.lanes.max);
    engine.pt2pt.endpoint = Some(endpoint);
    engine.wireup = Some(wireup);
    engine.pt2pt.done_request =
        engine.pt2pt.new_request(Request::new(abi::MPI_COMM_SELF, Activity::Done))?;
    engine.register(&HOOKS);
    engine.verbose = tunables.verbose;
    nemesis_gpu::begin(tunables.gpu, tunables.gpu_direct_min_bytes);
    engine.pt2pt.packet_max_bytes = tunables.packet_max_bytes;
    engine.pt2pt.limit_eager(tunables.eager_max_bytes);
    engine.life.least_thread_level = level(tunables.thread_level);
    engine.pt2pt.core.non_temporal_min_bytes =
        crate::pt2pt::non_temporal_min_bytes(engine.pt2pt.endpoint.as_ref());
    engine.pt2pt.core.unexpected_max_bytes = tunables.unexpected_max_bytes;
    engine.pt2pt.packing = vec![0; nemesis::PACKET_MAX_BYTES];
    Ok(())
}

fn level(least: ThreadLevel) -> i32 {
    match least {
        ThreadLevel::Single => abi::MPI_THREAD_SINGLE,
        ThreadLevel::Funneled => abi::MPI_THREAD_FUNNELED,
        ThreadLevel::Serialized => abi::MPI_THREAD_SERIALIZED,
        ThreadLevel::Multiple => abi::MPI_THREAD_MULTIPLE,
    }
}

/// Removes a user of the engine. The last user waits until everything that peers need from this
/// process has been sent.
pub fn end(mpi: &mut Mpi) -> Outcome {
    if mpi.life.users == 1 {
        crate::buffered::flush_all(mpi);
        mpi.close_lanes();
        mpi.drain();
        nemesis_gpu::end();
    }
    mpi.life.users -= 1;
    if mpi.life.users == 0 {
        crate::rma::dismiss(mpi);
    }
    if mpi.life.users > 0 {
        return Ok(());
    }
    let engine = &mut **mpi;
    if let Some(endpoint) = &mut engine.pt2pt.endpoint {
        endpoint.deliver_all(&mut engine.pt2pt.core);
    }
    state_report::take_leave(&mut engine.pt2pt, network_packets_of_others());
    mpi.life.stage = Stage::Finalized;
    mpi.set_open(false);
    let rested = mpi.wireup.as_mut().map_or(Ok(()), |wireup| wireup.rest().map_err(unwired));
    // This comes last: another thread that starts a session meanwhile has to know that a thread is
    // inside.
    *opener() = None;
    rested
}

/// Tells the development checks what the program has not freed when the process exits, if every
/// user of the engine has been finalized. What `MPI_Finalize` has told is not told again.
extern "C" fn tell_leftovers() {
    if !process::is_leaving()
        && let Ok(mpi) = enter_any()
        && mpi.life.users == 0
    {
        leftovers::tell_objects(&mpi);
    }
}

/// Finalizes the connection to the launcher when the process exits, if every user of the engine has
/// been finalized.
extern "C" fn part() {
    if !process::is_leaving()
        && let Ok(mut mpi) = enter_any()
        && mpi.life.users == 0
        && let Some(wireup) = &mut mpi.wireup
    {
        // If the launcher cannot be reached, it has ended.
        let _ = wireup.finalize();
    }
}

#[cold]
pub fn unwired(error: WireupError) -> Box<Error> {
    Error::new(abi::MPI_ERR_OTHER, format!("{}: {}", error.what, error.why)).advise(error.advice)
}
