//! Forced algorithms: by the environment, for all communicators, fixed when MPI starts; and by info
//! keys, for one communicator, fixed by its first blocking operation.

pub use nemesis::forced::{Forced, parse};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::OnceLock;

/// The number of operations that choose among algorithms.
pub const OPERATIONS: usize = 10;

/// The forced algorithms of all operations.
pub type ForcedTable = [Vec<Forced>; OPERATIONS];

static FORCED: OnceLock<ForcedTable> = OnceLock::new();

/// Fixes the forced algorithms of all operations. Later calls have no effect.
pub fn fix(forced: ForcedTable) {
    FORCED.get_or_init(|| forced);
}

/// Returns the forced algorithms of an operation.
pub fn of(index: usize) -> &'static [Forced] {
    FORCED.get().map_or(&[], |all| &all[index])
}

/// Returns whether any algorithm is forced.
pub fn are_any() -> bool {
    FORCED.get().is_some_and(|all| all.iter().any(|forced| !forced.is_empty()))
}

/// Returns a number that tells whether two processes force equal algorithms: for all communicators,
/// and by the info of one. Different choices have one number only by an improbable accident.
pub fn digest(of_comm: Option<&ForcedTable>) -> u64 {
    let mut hasher = DefaultHasher::new();
    FORCED.get().hash(&mut hasher);
    of_comm.hash(&mut hasher);
    hasher.finish()
}
