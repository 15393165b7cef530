//! `libmpifort_abi.so.1`: the Fortran procedures of MPI 5.0 (chapter 19) on the standard ABI.
//!
//! One library serves gfortran and LLVM flang. Both pass arguments by reference, the lengths of
//! CHARACTER arguments by value at the end, and descriptors whose address, element length, rank and
//! dimensions have equal places. No symbol lies in a module of Fortran, so the library needs no
//! Fortran compiler; the modules are sources that each compiler compiles (`include/fortran`).
//!
//! `binding/` is generated: each procedure converts its arguments and calls `PMPI_…` of
//! `libmpi_abi.so.1`. A procedure has several names ([`exports!`]):
//!
//! | names | for |
//! |---|---|
//! | `mpi_send_`, and for other compilers `mpi_send`, `mpi_send__`, `MPI_SEND` | `mpif.h`, `mpi` |
//! | `mpi_comm_rank_f08_` | `mpi_f08`, without choice buffers |
//! | `mpi_send_f08ts_` | `mpi_f08`, with descriptors of choice buffers |
//! | `mpi_send_f08_` | `mpi_f08` of Open MPI, without descriptors |
//! | `pmpi_…` and `pmpir_…` | their profiling names |
//!
//! Modules: [`types`] converts handles, [`places`] knows the constants that are addresses,
//! [`text`] CHARACTER arguments, [`section`] choice buffers with descriptors ([`descriptor`]),
//! [`modules`] what the sources of the modules need beside procedures of MPI, [`functions`] the
//! program's functions, [`attributes`] attributes, [`spawn`] the arguments of new processes,
//! [`removed`] the procedures that MPI 3.0 removed, [`facts`] what the library knows of the
//! program's compiler.
//!
//! Every procedure is unsafe in the way of the C functions: its caller promises what the MPI
//! standard asks of each argument.

#![allow(unsafe_code, non_snake_case, clippy::too_many_arguments, clippy::missing_safety_doc)]

mod abi;
mod attributes;
mod beside_mpi;
mod binding;
mod blocks;
mod c;
mod constants;
mod descriptor;
mod dimension;
mod error;
mod facts;
mod functions;
mod kind;
mod known_objects;
mod macros;
mod modules;
mod others;
mod places;
mod prelude;
mod removed;
mod section;
mod spawn;
mod start;
mod text;
mod topology;
mod types;
