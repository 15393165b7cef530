//! `libmpi.so.12`: the ABI of MPICH, which Intel MPI and others share.
//!
//! The implementations take the standard ABI's types. The bindings of this crate convert every
//! argument that differs, and convert results back. `binding/` and [`tables`] are generated.
//! Written by hand are the conversions of single values ([`convert::to`], [`convert::from`]), the
//! calls of the program's functions ([`callback`]), what Fortran libraries need beside MPI
//! ([`fortran`]), and the symbols of this ABI that are no functions of the standard ([`extras`]).

#![allow(unsafe_code, non_snake_case, non_upper_case_globals)]
// Generated bindings widen counts that may be wide already, and have the standard's arguments.
#![allow(clippy::unnecessary_cast, clippy::too_many_arguments)]

mod binding;
mod callback;
mod convert;
mod extras;
mod fortran;
mod prelude;
mod profile;
pub mod show;
mod status;
mod tables;
