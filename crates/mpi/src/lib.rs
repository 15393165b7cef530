//! MPI semantics in safe Rust: the parts of MPI together, as the C layer uses them.
//!
//! | module | subject |
//! |---|---|
//! | `life`, `world`, `session`, `abort` | start and end: the engine, the world model, sessions |
//! | `dynamic` | jobs that become connected while they run |
//! | `lanes` | calls about requests, which may be in several lanes |
//! | `leftovers` | what the program has left unfinished at the end (`mpiexec -check`) |
//! | `other_libraries` | other MPI libraries in this process |
//! | `attempts` | point-to-point calls: the attempts of each, from the fastest on |
//! | `profile` | what `mpiexec -profile` needs to know of the engine |
//! | `tool` | the tool information interface |
//! | `unknown_variables` | variables of the environment that have no effect |
//! | `rma` | one-sided communication (`nemesis-mpi-rma`) |
//! | `io` | files (`nemesis-mpi-io`) |
//! | `coll` | collective operations (`nemesis-mpi-coll`) |
//! | `comm`, `topology` | communicators and topologies, and their creation, from two crates |
//! | the others | the engine (`nemesis-mpi-core`), objects (`nemesis-mpi-objects`) |

pub mod abort;
mod agreement;
pub mod attempts;
pub mod dynamic;
pub mod lanes;
mod leftovers;
pub mod life;
pub mod other_libraries;
pub mod profile;
pub mod session;
pub mod tool;
mod unknown_variables;
pub mod world;

pub use nemesis_mpi_coll as coll;
pub use nemesis_mpi_core::{
    Fast, Mpi, abi, advice, attr, buffered, callback, cancel, completion, compound, context,
    engine, enter, enter_any, errhandler, error, error_codes, generalized, group, handle,
    handle_table, info, inquiry, matching, noted, op, partitioned, peer_failure, persistent, probe,
    process, protocol, pt2pt, receive, recovery, request, scratch, send, state_report, types,
    waiters,
};
pub use nemesis_mpi_io as io;
pub use nemesis_mpi_rma as rma;

/// Communicators (MPI 5.0 chapter 7).
pub mod comm {
    pub use nemesis_mpi_coll::creation::{
        create, create_from_group, create_group, duplicate, iduplicate, intercomm_create,
        intercomm_create_from_groups, merge, resources, split,
    };
    pub use nemesis_mpi_core::comm::{Comm, attributes, hints};
}

/// Process topologies (MPI 5.0 chapter 8).
pub mod topology {
    pub use nemesis_mpi_coll::creation::topology as create;
    pub use nemesis_mpi_core::topology::{
        Cart, Dimension, DistGraph, Graph, Neighbourhood, Shape, Topology, cart, dims, dist_graph,
        graph, neighbourhood,
    };
}
