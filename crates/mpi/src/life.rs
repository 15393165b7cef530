//! The engine's life (MPI 5.0 §11.1): it comes up with whoever needs MPI first, the world model or a session, and rests when the last has gone.
//!
//! ```text
//!   Before ──begin──> Running ──end──> Finalized ──begin──> Running …
//! ```
//!
//! At rest the process keeps its place in the job, the segment and the numbers of its packets, so that it finds its way back. Our own launcher is told
//! of each rest and return; of others, who know one farewell only, the process takes leave when it ends.
//!
//! Each of those who need MPI has asked for a thread level; the engine has the highest. Threads that begin a session while another thread has
//! begun before may all be inside at any time, whatever level each has asked for.

use crate::abi;
use crate::abort::abort;
use crate::engine::upper::Hooks;
use crate::engine::{Engine, Mpi, Stage, admit_all_threads, enter_any};
use crate::error::{Error, Outcome};
use crate::process;
use crate::request::{Activity, Request};
use crate::state_report;
use crate::tool::{cvar, event};
use nemesis::tunables::ThreadLevel;
use nemesis::{Endpoint, Tunables};
use nemesis_wireup::{Wireup, WireupError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// The layers above the engine: one-sided communication, and tools.
static HOOKS: Hooks = Hooks { deliver_events: event::deliver, ..nemesis_mpi_rma::HOOKS };

/// Threads may begin sessions side by side, before the engine knows that there are several.
static BEGINNING: Mutex<()> = Mutex::new(());

/// The thread of the first who needs the engine, until the last has gone. Not in the engine: another thread asks before it enters.
static OPENER: Mutex<Option<ThreadId>> = Mutex::new(None);

fn opener() -> MutexGuard<'static, Option<ThreadId>> {
    OPENER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One more needs the engine; the thread level that is granted. Whoever requires none gets the level that the process has, if it has one.
pub fn begin(required: Option<i32>) -> Outcome<i32> {
    let _alone = BEGINNING.lock().unwrap_or_else(PoisonError::into_inner);
    let from_another = opener().is_some_and(|opener| opener != thread::current().id());
    if from_another {
        // The opener may be inside, and have been granted to be alone.
        admit_all_threads(false);
    }
    let mut mpi = enter_any()?;
    let is_first = mpi.users == 0 && !from_another;
    if mpi.users == 0 {
        come_up(&mut mpi)?;
        *opener() = Some(thread::current().id());
        mpi.thread_level = abi::MPI_THREAD_SINGLE;
    }
    let own = if from_another { abi::MPI_THREAD_MULTIPLE } else { mpi.thread_level };
    let granted = required.unwrap_or(own).clamp(mpi.least_thread_level, abi::MPI_THREAD_MULTIPLE);
    mpi.users += 1;
    mpi.stage = Stage::Running;
    mpi.thread_level =
        if from_another { abi::MPI_THREAD_MULTIPLE } else { mpi.thread_level.max(granted) };
    if mpi.thread_level == abi::MPI_THREAD_MULTIPLE {
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
        Some(wireup) => wireup.resume().map_err(unwired),
        None => join(mpi),
    }
}

/// The first time: finds the launcher and the others.
fn join(engine: &mut Engine) -> Outcome {
    let tunables = Tunables::read(cvar::chosen)
        .map_err(|senseless| Error::new(abi::MPI_ERR_ARG, senseless.to_string()))?;
    cvar::settle();
    let mut wireup = Wireup::connect().map_err(unwired)?;
    let mut endpoint = Endpoint::join(&mut wireup, &tunables).map_err(unwired)?;
    engine.memory = endpoint.take_memory();
    process::introduce(wireup.rank(), abort);
    if wireup.parts_at_exit() && !nemesis_sys::process::at_exit(part) {
        return Err(Error::new(
            abi::MPI_ERR_NO_MEM,
            "the C library has no room for a function to call at the end of the process",
        ));
    }
    engine.endpoint = Some(endpoint);
    engine.wireup = Some(wireup);
    engine.done_request = engine.new_request(Request::new(abi::MPI_COMM_SELF, Activity::Done))?;
    engine.core.upper.hooks = &HOOKS;
    engine.verbose = tunables.verbose;
    engine.packet_max_bytes = tunables.packet_max_bytes;
    engine.limit_eager(tunables.eager_max_bytes);
    engine.least_thread_level = level(tunables.thread_level);
    engine.core.non_temporal_min_bytes =
        crate::rendezvous::non_temporal_min_bytes(engine.endpoint.as_ref());
    engine.core.unexpected_max_bytes = tunables.unexpected_max_bytes;
    engine.packing = vec![0; nemesis::PACKET_MAX_BYTES];
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

/// One fewer needs the engine. The last one waits until all that others have to hear from us is on its way.
pub fn end(mpi: &mut Mpi) -> Outcome {
    if mpi.users == 1 {
        crate::buffered::flush_all(mpi);
        // Rendezvous whose DONE is still on its way to a peer, messages left to be got, packets that found no room: peers wait for them.
        mpi.wait_until(None, |mpi| {
            mpi.outgoing_packets == 0 && mpi.core.streams.is_empty() && mpi.core.tasks.is_empty()
        });
    }
    mpi.users -= 1;
    if mpi.users == 0 {
        crate::rma::dismiss(mpi);
    }
    if mpi.users > 0 {
        return Ok(());
    }
    let engine = &mut **mpi;
    if let Some(endpoint) = &mut engine.endpoint {
        endpoint.settle(&mut engine.core);
    }
    state_report::take_leave(engine);
    mpi.stage = Stage::Finalized;
    mpi.set_open(false);
    let rested = mpi.wireup.as_mut().map_or(Ok(()), |wireup| wireup.rest().map_err(unwired));
    // The last of all: another thread that begins a session meanwhile has to know that somebody is inside.
    *opener() = None;
    rested
}

/// At the end of the process, where the launcher has not been told yet that all is well: nobody who needs MPI has left without its finalization.
extern "C" fn part() {
    if let Ok(mut mpi) = enter_any()
        && mpi.users == 0
        && let Some(wireup) = &mut mpi.wireup
    {
        // A launcher that cannot be told has gone.
        let _ = wireup.finalize();
    }
}

#[cold]
fn unwired(error: WireupError) -> Box<Error> {
    Error::new(abi::MPI_ERR_OTHER, format!("{}: {}", error.what, error.why)).advise(error.advice)
}
