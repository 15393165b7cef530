//! `libmpi.so.40`: the ABI of Open MPI 4 and 5, for programs that were compiled with its headers.
//!
//! The implementations take the standard ABI's types. The bindings of this crate convert every
//! argument that differs, and convert results back. `binding/`, [`tables`] and [`objects`] are
//! generated. Written by hand are what a handle is ([`handle`], [`object`]), the conversions of
//! single values ([`convert::to`], [`convert::from`]), the calls of the program's functions
//! ([`callback`]), the status ([`status`]), and the symbols of this ABI that are no functions of
//! the standard ([`extras`]).
//!
//! All handles are pointers. A predefined one is the address of an object, which programs may have
//! copied into their own memory (R_X86_64_COPY), so every address here is taken through the dynamic
//! linker. The handle of an object that the program has made is our number.

#![allow(unsafe_code, non_snake_case, non_upper_case_globals)]
// Generated bindings widen counts that may be wide already, and have the standard's arguments.
#![allow(clippy::unnecessary_cast, clippy::too_many_arguments)]

mod binding;
mod callback;
mod convert;
mod extensions;
mod extras;
mod fortran;
mod handle;
mod object;
mod objects;
mod prelude;
mod profile;
pub mod show;
mod status;
mod tables;
