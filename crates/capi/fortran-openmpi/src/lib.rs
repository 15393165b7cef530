//! `libmpi_mpifh.so.40`, also called `libmpi_usempif08.so.40` and `libmpi_usempi_ignore_tkr.so.40`:
//! the Fortran procedures of `mpif.h`, `mpi` and `mpi_f08` on Open MPI's ABI, for programs that
//! were built with Open MPI 4 and 5.
//!
//! The procedures are those of `libmpifort_abi.so.1`. What differs ([`abi`]): handles are numbers
//! that count from zero in each kind, each constant that is known by its address has a COMMON block
//! of its own, and the procedures of `mpi_f08` take the addresses of choice buffers as those of
//! `mpif.h` do. Some symbols of `mpi_f08` lie in modules, under gfortran's names
//! ([`module_symbols`], [`modules`]).

#![allow(unsafe_code, non_snake_case, non_upper_case_globals)]
#![allow(clippy::too_many_arguments, clippy::missing_safety_doc)]

mod abi;
#[path = "../../fortran/src/attributes.rs"]
mod attributes;
#[path = "../../fortran/src/beside_mpi.rs"]
mod beside_mpi;
#[path = "../../fortran/src/binding/mod.rs"]
#[allow(dead_code)]
mod binding;
mod blocks;
#[path = "../../fortran/src/c.rs"]
mod c;
mod constants;
#[path = "../../fortran/src/facts.rs"]
mod facts;
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
mod others;
#[path = "../../fortran/src/places.rs"]
mod places;
mod prelude;
#[path = "../../fortran/src/removed.rs"]
mod removed;
#[path = "../../fortran-mpich/src/sizeof.rs"]
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
