//! The engine of MPI in this process, and the operations that it carries out.
//!
//! | module | subject |
//! |---|---|
//! | `engine`, `waiters` | the state of MPI in this process, its lock, progress |
//! | `engine::upper` | hooks for the layers above: collectives, one-sided communication, tools |
//! | `comm`, `comm_cache`, `session` | communicators, and the objects of sessions |
//! | `topology` | process topologies |
//! | `packet`, `envelope`, `request`, `attached_buffers` | the data of point-to-point operations |
//! | `matching`, `protocol` | the receiving half: what arriving packets change |
//! | `send`, `receive`, `rendezvous`, `eager_bulk`, `bulk` | the sending half, and the operations |
//! | `inline_receive` | completing receives without a request object |
//! | `peer_failure` | lost processes |
//! | `completion`, `inquiry`, `cancel` | operations under way |
//! | `persistent`, `compound`, `partitioned`, `buffered`, `probe` | other kinds of point-to-point |
//! | `fast` | the result of fast paths |
//! | `generalized` | generalized requests |
//! | `scratch` | temporary memory, and words in it |
//! | `event` | events recorded for tools |
//! | `state_report` | what a waiting process tells its launcher |
//!
//! The objects of `nemesis-mpi-objects` are exported under their names, too.

// The engine is a static, so its parts are made by `const fn new`. A `Default` beside it would be a
// second way to make them.
#![allow(clippy::new_without_default)]

mod attached_buffers;
pub mod buffered;
mod bulk;
pub mod cancel;
pub mod comm;
mod comm_cache;
pub mod completion;
pub mod compound;
mod eager_bulk;
pub mod engine;
pub mod envelope;
pub mod event;
pub mod fast;
pub mod generalized;
mod inline_receive;
pub mod inquiry;
pub mod matching;
pub mod packet;
pub mod partitioned;
pub mod peer_failure;
pub mod persistent;
pub mod probe;
pub mod protocol;
pub mod receive;
pub mod rendezvous;
pub mod request;
pub mod scratch;
pub mod send;
pub mod session;
pub mod state_report;
pub mod topology;
pub mod waiters;

pub use engine::{Mpi, enter, enter_any};
pub use fast::Fast;
pub use nemesis_mpi_objects::{
    abi, attr, callback, context, errhandler, error, error_codes, group, handle, handle_table,
    info, op, process, types,
};
