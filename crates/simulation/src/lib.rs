//! Whole jobs in one process, run from a seed.
//!
//! The ranks of a job are virtual processes (`nemesis_sys::virtual_process`), each with an engine
//! of its own. They call MPI by the bindings of the standard ABI, exchange packets by the real
//! shared memory on their node and by a simulated network between nodes, and never wait in the
//! kernel. One of them runs at a time, as a coroutine; the seed decides which, and how long packets
//! take. The same seed gives the same run.
//!
//! ```text
//!   job        coroutines, time, the launcher
//!   network    packets between nodes, as a network module of five functions, and remote memory
//!   mpi        the calls of MPI that programs make
//!   program    a random program, and what its results must be
//! ```

#![warn(missing_docs)]

pub mod clock;
pub mod job;
pub mod mpi;
pub mod network;
pub mod program;
