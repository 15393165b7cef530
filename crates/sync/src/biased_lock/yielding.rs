//! How a thread that waits for the lock yields its processor.

use std::sync::OnceLock;

/// Lets the other threads of a simulation run, and returns whether the caller is in one.
static SIMULATED: OnceLock<fn() -> bool> = OnceLock::new();

/// Lets threads that wait yield by `simulated`, which returns false outside of simulations. The
/// threads of a simulation are coroutines of one thread of the system, which yields for nobody.
pub fn yield_by(simulated: fn() -> bool) {
    let _ = SIMULATED.set(simulated);
}

/// Yields in a simulation. Returns false outside of one.
pub fn yield_in_simulation() -> bool {
    SIMULATED.get().is_some_and(|simulated| simulated())
}

/// Yields the processor, or lets the other threads of a simulation run.
pub(super) fn yield_now() {
    if !yield_in_simulation() {
        std::thread::yield_now();
    }
}
