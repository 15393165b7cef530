//! `libmpi_abi.so.1`: the MPI 5.0 standard ABI (MPI 5.0, chapter 20).
//!
//! The bodies speak this ABI's types, so its fronts only name them. `front/` is generated; by hand are [`callback`], which calls the
//! program's functions, and [`prelude`], what the fronts see.

#![allow(unsafe_code, non_snake_case)]
// Generated fronts widen counts that may be wide already, and have as many arguments as the standard gives them.
#![allow(clippy::unnecessary_cast, clippy::too_many_arguments)]

mod callback;
mod front;
mod prelude;
