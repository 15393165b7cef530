//! Development checks (`mpiexec -check`, `NEMESIS_CHECK=on`): what they watch in this process, and
//! what they have found.
//!
//! ```text
//!   engine ──note───────────▶ sites       where the program made each object and request
//!                                         (scripts: the line of a program in Python)
//!          ──stored─────────▶ variables   which variable has got which request
//!          ──begin, end─────▶ buffers     memory of incomplete operations
//!          ──check, window──▶ bounds      which memory buffers and windows begin in
//!          ──access, learn──▶ accesses    accesses to windows, and what may order them
//!          ──run────────────▶ callbacks   functions of the program that MPI calls
//!          ──allocated──────▶ memory      memory of MPI_Alloc_mem
//!          ──Signature──────▶ signature   basic types of a message, sent with it
//!          ──found──────────▶ findings ──▶ mpiexec, which merges those of all ranks
//! ```
//!
//! The engine calls this crate from its slow paths only. While the checks are on, the fast paths
//! are closed. While they are off, each call of this crate is one test of [`is_on`].

#![warn(missing_docs)]

pub mod accesses;
pub mod bounds;
pub mod buffers;
pub mod callbacks;
mod checksum;
mod exchange;
pub mod findings;
pub mod memory;
mod ranges;
mod scripts;
mod signature;
pub mod sites;
pub mod variables;

pub use findings::{call_of, found, found_with, suspect};
pub use nemesis_sys::calls::CallSite;
pub use nemesis_wireup::finding as kinds;
pub use nemesis_wireup::finding::Call;
pub use signature::{Signature, compare_sides, unlike_etype};

use accesses::Accesses;
use bounds::Examined;
use buffers::Buffers;
use findings::Found;
use memory::Allocations;
use nemesis_wireup::Reporter;
use scripts::Scripts;
use sites::Sites;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use variables::Variables;

/// The state of the checks. It exists once they are on.
struct State {
    rank: u32,
    /// The number of processes of the job.
    size: u32,
    reporter: Option<Reporter>,
    accesses: Mutex<Accesses>,
    sites: Mutex<Sites>,
    buffers: Mutex<Buffers>,
    variables: Mutex<Variables>,
    memory: Mutex<Allocations>,
    bounds: Mutex<Examined>,
    scripts: Mutex<Scripts>,
    found: Mutex<Found>,
}

static STATE: OnceLock<State> = OnceLock::new();

/// Returns whether the checks are on.
#[inline(always)]
pub fn is_on() -> bool {
    STATE.get().is_some()
}

/// Turns the checks on for the process of rank `rank` of a job of `size` processes. `reporter`
/// tells findings to the launcher.
pub fn turn_on(rank: u32, size: u32, reporter: Option<Reporter>) {
    // A second start of the engine in one process changes nothing.
    let _ = STATE.set(State {
        rank,
        size,
        reporter,
        accesses: Mutex::default(),
        sites: Mutex::default(),
        buffers: Mutex::default(),
        variables: Mutex::default(),
        memory: Mutex::default(),
        bounds: Mutex::default(),
        scripts: Mutex::default(),
        found: Mutex::default(),
    });
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Every change is complete before anything can panic.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
