//! Memory of `MPI_Alloc_mem` that the program has not freed.

use crate::{CallSite, STATE, locked, sites};
use std::collections::BTreeMap;

/// The length in bytes and the call of each allocation, by its address.
pub(crate) type Allocations = BTreeMap<usize, (usize, Option<CallSite>)>;

/// Notes that the present call allocates memory for the program.
#[cold]
pub fn allocated(address: usize, bytes: usize) {
    let Some(state) = STATE.get() else { return };
    let site = sites::here();
    locked(&state.memory).insert(address, (bytes, site));
}

/// Notes that the program has freed the memory at an address.
#[cold]
pub fn freed(address: usize) {
    if let Some(state) = STATE.get() {
        locked(&state.memory).remove(&address);
    }
}

/// Returns the length in bytes and the call of each allocation that the program has not freed.
pub fn left() -> Vec<(usize, Option<CallSite>)> {
    let Some(state) = STATE.get() else { return Vec::new() };
    locked(&state.memory).values().copied().collect()
}
