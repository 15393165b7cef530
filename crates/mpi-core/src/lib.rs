//! The engine of MPI in this process, and the operations that it carries out.
//!
//! A module uses only modules of its own row and of lower rows.
//!
//! | module | subject |
//! |---|---|
//! | `send`, `receive`, `inline_receive` | blocking and non-blocking operations; fast paths |
//! | `persistent`, `compound`, `partitioned`, `buffered`, `probe` | other kinds of point-to-point |
//! | `cancel` | cancelling operations, and freeing requests |
//! | `completion`, `inquiry`, `generalized` | waiting for operations, and testing them |
//! | `engine` | the state of MPI in this process, its lock, progress |
//! | `engine::upper` | hooks for the layers above: collectives, one-sided communication, tools |
//! | `leftovers` | what the program has left at the end |
//! | `state_report` | what a waiting process tells its launcher |
//! | `pt2pt` | the endpoint, the sending half of the protocol, requests |
//! | `protocol` | the receiving half: what arriving packets change |
//! | `communicators`, `comm_cache` | communicators by their handles |
//! | `request` | an operation under way, and its state |
//! | `comm`, `session`, `topology` | communicators, sessions, process topologies |
//! | `packet`, `envelope`, `matching` | packets, and which receive takes which message |
//! | `attached_buffers`, `peer_failure` | buffers of the buffered mode; lost processes |
//! | `device_buffers` | copies of memory of devices that do not have the data yet |
//! | `agreements`, `agreement` | agreements of processes that may die |
//! | `lifecycle`, `waiting`, `waiters` | start and end; what sleeping threads know of each other |
//! | `fast` | the result of fast paths |
//! | `recovery` | going on after processes have died: revoking, agreeing, shrinking |
//! | `scratch` | temporary memory, and words in it |
//! | `event` | events recorded for tools |
//!
//! The objects of `nemesis-mpi-objects` are exported under their names, too.

// The engine is a static, so its parts are made by `const fn new`. A `Default` beside it would be a
// second way to make them.
#![allow(clippy::new_without_default)]

pub mod agreement;
mod agreements;
mod attached_buffers;
pub mod buffered;
pub mod cancel;
pub mod comm;
mod comm_cache;
mod communicators;
pub mod completion;
pub mod compound;
mod device_buffers;
pub mod engine;
pub mod envelope;
pub mod event;
pub mod fast;
pub mod generalized;
mod going_on;
mod inline_receive;
pub mod inquiry;
mod kept_decisions;
pub mod leftovers;
mod lifecycle;
pub mod matching;
pub mod packet;
pub mod partitioned;
pub mod peer_failure;
pub mod persistent;
pub mod probe;
pub mod protocol;
pub mod pt2pt;
pub mod receive;
pub mod recovery;
pub mod request;
pub mod scratch;
pub mod send;
pub mod session;
pub mod state_report;
pub mod topology;
pub mod waiters;
pub mod waiting;

pub use engine::{Mpi, enter, enter_any};
pub use fast::Fast;
pub use nemesis_mpi_objects::{
    abi, advice, attr, callback, context, errhandler, error, error_codes, group, handle,
    handle_table, info, noted, op, process, types,
};
