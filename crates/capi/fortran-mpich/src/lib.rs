//! `libmpifort.so.12`, also called `libmpichfort.so.12`: the Fortran procedures of `mpif.h` and of
//! the module `mpi` on MPICH's ABI, for programs that were built with MPICH.
//!
//! The procedures are those of `libmpifort_abi.so.1`, with the handles, statuses and constants of
//! MPICH ([`abi`], [`constants`]), and the functions that MPI has removed ([`removed`]). Programs
//! that use MPICH's `mpi_f08` need MPICH's own library: its symbols lie in modules.

#![allow(unsafe_code, non_snake_case, clippy::too_many_arguments, clippy::missing_safety_doc)]

mod abi;
#[path = "../../fortran/src/attributes.rs"]
mod attributes;
#[path = "../../fortran/src/binding/mod.rs"]
#[allow(dead_code)]
mod binding;
#[path = "../../fortran/src/c.rs"]
mod c;
mod constants;
#[path = "../../fortran/src/error.rs"]
#[allow(dead_code)]
mod error;
#[path = "../../fortran/src/facts.rs"]
mod facts;
#[path = "../../fortran/src/functions.rs"]
#[allow(dead_code)]
mod functions;
#[path = "../../fortran/src/macros.rs"]
#[allow(unused_macros)]
mod macros;
#[path = "../../fortran/src/others.rs"]
#[allow(dead_code)]
mod others;
#[path = "../../fortran/src/places.rs"]
mod places;
#[path = "../../fortran/src/prelude.rs"]
mod prelude;
mod removed;
#[path = "../../fortran/src/section/mod.rs"]
#[allow(dead_code)]
mod section;
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
