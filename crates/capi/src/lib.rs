//! The implementations of the MPI functions, written once for all ABIs and for the int and the
//! large-count form; the types of their parameters; the error path; the macros of which the
//! generated bindings consist; and what ABIs other than the standard's share ([`foreign`],
//! [`places`]).
//!
//! An implementation is a safe function with the C function's parameters in the C function's order
//! (see `docs/design/architecture.md`). It checks the arguments and calls the engine. The binding
//! turns the pointers of C into the types of [`params`], which alone use them.

// The standard says how many arguments a function has.
#![allow(clippy::too_many_arguments)]

pub mod binding;
pub mod callback;
pub mod copies;
pub mod errors;
pub mod foreign;
pub mod fortran;
pub mod impls;
pub mod params;
pub mod places;
pub mod profile;
pub mod show;
pub mod staging;
pub mod types;

pub use nemesis_mpi::Fast;
pub use nemesis_mpi::error::Outcome;
pub use nemesis_params::{c_functions, c_objects, function_at};
