//! Where the program made its objects: the function of MPI, and the instruction that called it.

use crate::{CallSite, STATE, locked, scripts};
use nemesis_sys::calls;
use std::collections::HashMap;

/// The call that made each object, by the number of its handle. The number of an object that has
/// been freed stays until another object gets it.
pub(crate) type Sites = HashMap<usize, CallSite>;

/// Notes that the present call makes the object or request with the handle `handle`.
#[cold]
pub fn note(handle: usize) {
    let Some(state) = STATE.get() else { return };
    match here() {
        Some(site) => locked(&state.sites).insert(handle, site),
        None => locked(&state.sites).remove(&handle),
    };
}

/// Returns the call that made an object.
pub fn of(handle: usize) -> Option<CallSite> {
    locked(&STATE.get()?.sites).get(&handle).copied()
}

/// Returns the call of MPI that this thread is in.
pub fn here() -> Option<CallSite> {
    let site = calls::mpi_call_site()?;
    Some(CallSite { script: scripts::here(), ..site })
}
