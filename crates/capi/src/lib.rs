//! What stands between C and the engine: the bodies of the MPI functions, written once for both ABIs and for the plain and the
//! large-count form; the failure path; and the macros of which the generated fronts consist.
//!
//! A body is an `unsafe fn` with the C function's parameters in the C function's order (see `docs/design/architecture.md`); it checks,
//! turns pointers into safe values, and calls the engine.

#![allow(unsafe_code)]
// What a body asks of its caller is what the MPI function asks of its caller, and the standard says how many arguments it has.
#![allow(clippy::missing_safety_doc, clippy::too_many_arguments)]

pub mod bodies;
pub mod errors;
pub mod front;
pub mod show;
pub mod types;

pub use nemesis_mpi::error::Outcome;
