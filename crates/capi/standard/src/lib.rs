//! `libmpi_abi.so.1`: the MPI 5.0 standard ABI (MPI 5.0, chapter 20).
//!
//! The implementations take this ABI's types, so its bindings convert nothing. `binding/` is
//! generated. [`callback`] calls the program's functions, [`fortran`] is for
//! `libmpifort_abi.so.1`, and [`prelude`] has the names that the bindings use.

#![allow(unsafe_code, non_snake_case)]
// Generated bindings widen counts that may be wide already, and have the standard's arguments.
#![allow(clippy::unnecessary_cast, clippy::too_many_arguments)]

mod binding;
mod callback;
mod fortran;
mod prelude;
mod profile;
