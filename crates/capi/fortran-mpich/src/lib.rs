//! `libmpifort.so.12`, also called `libmpichfort.so.12`: the Fortran procedures of `mpif.h`, `mpi`
//! and `mpi_f08` on MPICH's ABI, for programs that were built with MPICH.
//!
//! The procedures are those of `libmpifort_abi.so.1`, with the handles, statuses and constants of
//! MPICH ([`abi`], [`constants`]).
//!
//! MPICH's `mpi_f08` passes choice buffers by gfortran's own descriptors ([`descriptor`]). Some of
//! its procedures and variables lie in modules, under gfortran's names ([`module_symbols`],
//! [`modules`]); another compiler has other names and descriptors, and a program that it has
//! compiled with MPICH's `mpi_f08` needs MPICH's library for that compiler.

#![allow(unsafe_code, non_snake_case, clippy::too_many_arguments, clippy::missing_safety_doc)]

mod abi;
#[path = "../../fortran/src/attributes.rs"]
mod attributes;
#[path = "../../fortran/src/binding/mod.rs"]
#[allow(dead_code)]
mod binding;
#[path = "../../fortran/src/blocks.rs"]
mod blocks;
#[path = "../../fortran/src/c.rs"]
mod c;
mod constants;
mod descriptor;
#[path = "../../fortran/src/dimension.rs"]
mod dimension;
#[path = "../../fortran/src/error.rs"]
#[allow(dead_code)]
mod error;
#[path = "../../fortran/src/facts.rs"]
mod facts;
mod file_errhandlers;
#[path = "../../fortran/src/functions.rs"]
#[allow(dead_code)]
mod functions;
#[path = "../../fortran/src/kind.rs"]
mod kind;
#[path = "../../fortran/src/known_objects.rs"]
mod known_objects;
#[path = "../../fortran/src/macros.rs"]
#[allow(unused_macros)]
mod macros;
mod module_symbols;
mod modules;
#[path = "../../fortran/src/others.rs"]
#[allow(dead_code)]
mod others;
#[path = "../../fortran/src/places.rs"]
mod places;
#[path = "../../fortran/src/prelude.rs"]
mod prelude;
#[path = "../../fortran/src/removed.rs"]
mod removed;
#[path = "../../fortran/src/section/mod.rs"]
#[allow(dead_code)]
mod section;
mod sizeof;
#[path = "../../fortran/src/spawn.rs"]
mod spawn;
#[path = "../../fortran/src/start.rs"]
mod start;
#[path = "../../fortran/src/text.rs"]
mod text;
#[path = "../../fortran/src/topology.rs"]
mod topology;
#[path = "../../fortran/src/types.rs"]
mod types;
