//! MPI semantics in safe Rust: the parts of MPI together, as the C layer uses them.
//!
//! | module | subject |
//! |---|---|
//! | `life`, `world`, `session`, `abort` | start and end: the engine, the world model, sessions |
//! | `tool` | the tool information interface |
//! | `rma` | one-sided communication (`nemesis-mpi-rma`) |
//! | the others | the engine (`nemesis-mpi-core`), objects (`nemesis-mpi-objects`) |

pub mod abort;
pub mod life;
pub mod session;
pub mod tool;
pub mod world;

pub use nemesis_mpi_core::{
    Mpi, abi, attr, buffered, callback, cancel, coll, comm, completion, compound, context, engine,
    enter, enter_any, errhandler, error, error_codes, generalized, group, handle, handle_table,
    info, inquiry, matching, op, partitioned, peer_failure, persistent, probe, process, protocol,
    receive, rendezvous, request, send, state_report, topology, types, waiters,
};
pub use nemesis_mpi_rma as rma;
