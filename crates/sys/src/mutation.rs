//! Mutations: deliberate defects of the engine, which a simulation must find.
//!
//! A test that finds no defect may be blind. So the code has a few places where it can do the wrong
//! thing on purpose: `if mutation::strikes(Mutation::LostWakeUp) { return false; }`. A simulation
//! turns one mutation on, and a random program must fail.
//!
//! A release build has none of them: there [`strikes`] is a constant. In a build with debug
//! assertions it asks the simulation ([`Host::strikes`](crate::virtual_process::Host::strikes)), so
//! that a process outside a simulation, and a simulation without a mutation, never meets one. The
//! condition is the profile's, and no feature of a crate, because cargo unites the features of all
//! crates that one command builds
//! ([decision](../../../docs/decisions/0071-mutations-by-debug-assertions.md)).

pub use crate::mutations::Mutation;
use crate::virtual_process;

/// Whether this build has mutations.
pub const EXIST: bool = cfg!(debug_assertions);

/// Returns whether the code shall do the wrong thing now. Always false outside a simulation.
#[inline(always)]
pub fn strikes(mutation: Mutation) -> bool {
    EXIST && virtual_process::mutation_strikes(mutation)
}
