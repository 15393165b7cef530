//! MPI semantics in safe Rust.
//!
//! | file | what |
//! |---|---|
//! | `engine`, `waiters` | the state of MPI in this process, the guard, progress |
//! | `life`, `world`, `session`, `process` | coming and going: the engine, the world model, sessions; who we are |
//! | `handle`, `error`, `error_codes` | handles and their tables; errors and their codes |
//! | `comm`, `context`, `group` | communicators |
//! | `topology` | grids and graphs of processes |
//! | `send`, `receive`, `protocol`, `fetch`, `matching` | point-to-point: the two ends, what packets mean, getting large messages, who gets which one |
//! | `arrivals`, `body`, `loss` | over networks: messages whose bytes follow them, long ones without copies, and processes that are gone |
//! | `request`, `completion`, `inquiry`, `cancel` | operations under way: waiting for them, asking about them, letting them go |
//! | `inline_receive` | receives that need no request |
//! | `persistent`, `compound`, `partitioned`, `buffered`, `probe` | special kinds of point-to-point operations |
//! | `generalized` | operations of the program's own |
//! | `coll` | collective operations as schedules |
//! | `rma` | windows: one-sided communication |
//! | `types`, `attr`, `info`, `errhandler`, `op`, `callback` | the other objects, and functions of the user's |
//! | `tool` | what the tool information interface shows |
//! | `state_report` | what a process that waits tells its launcher |
//! | `handle_table` | tables of objects that take no part in progress |
//! | `abi` | constants, with the values of the standard ABI |

// The engine's parts are made by `const fn new`, since the engine is a static; a `Default` beside it would be a second way.
#![allow(clippy::new_without_default)]

pub mod abi;
mod arrivals;
pub mod attr;
mod body;
pub mod buffered;
pub mod callback;
pub mod cancel;
pub mod coll;
pub mod comm;
mod comm_cache;
pub mod completion;
pub mod compound;
pub mod context;
pub mod engine;
pub mod errhandler;
pub mod error;
pub mod error_codes;
pub mod generalized;
pub mod group;
pub mod handle;
pub mod handle_table;
pub mod info;
mod inline_receive;
pub mod inquiry;
pub mod life;
pub mod matching;
pub mod op;
pub mod partitioned;
pub mod peer_failure;
pub mod persistent;
pub mod probe;
pub mod process;
pub mod protocol;
pub mod receive;
pub mod rendezvous;
pub mod request;
pub mod rma;
pub mod send;
pub mod session;
pub mod state_report;
pub mod tool;
pub mod topology;
pub mod types;
pub mod waiters;
pub mod world;

pub use engine::{Mpi, enter, enter_any};
