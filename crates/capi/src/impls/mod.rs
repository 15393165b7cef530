//! The implementations of the MPI functions, by area of the standard.
//!
//! `cargo xtask signature MPI_NAME` prints the signature of an implementation. Rules for all of
//! them:
//!
//! - One implementation serves the int form, the large-count form and deprecated aliases, for both
//!   ABIs.
//! - It checks the arguments in the order communicator, count, datatype, buffer, rank, tag. Invalid
//!   ones are errors, never panics.
//! - Arrays of handles end with the call, because the bindings of MPICH's ABI pass converted
//!   copies. What must last longer is copied.
//! - Out parameters are written if the call succeeds. Statuses and arrays of requests are also
//!   written if it fails in the middle.
//! - It contains no `unsafe`: parameters have the types of [`crate::params`].

mod abi;
mod arguments;
mod attr;
mod buffered;
mod coll;
mod comm;
mod completion;
mod constants;
mod datatype;
mod datatype_make;
mod dynamic;
mod environment;
mod exchange;
mod extensions;
mod file;
mod file_access;
mod generalized;
mod group;
mod info;
mod inquiry;
mod intercomm;
mod memory;
mod op;
mod pack;
mod partitioned;
mod pt2pt;
mod recovery;
mod session;
mod shape;
mod status;
mod tool;
mod topology;
mod window;
mod window_access;
mod window_objects;
mod window_sync;
mod world;

pub use abi::*;
pub use arguments::{request_converted, request_left};
pub use attr::*;
pub use buffered::*;
pub use coll::*;
pub use comm::*;
pub use completion::*;
pub use constants::*;
pub use datatype::*;
pub use datatype_make::*;
pub use dynamic::*;
pub use environment::*;
pub use exchange::*;
pub use extensions::*;
pub use file::*;
pub use file_access::*;
pub use generalized::*;
pub use group::*;
pub use info::*;
pub use inquiry::*;
pub use intercomm::*;
pub use memory::*;
pub use op::*;
pub use pack::*;
pub use partitioned::*;
pub use pt2pt::*;
pub use recovery::*;
pub use session::*;
pub use shape::*;
pub use status::*;
pub use tool::*;
pub use topology::*;
pub use window::*;
pub use window_access::*;
pub use window_objects::*;
pub use window_sync::*;
pub use world::*;

use nemesis_mpi::abi::MPI_ERR_UNSUPPORTED_OPERATION;
use nemesis_mpi::error::{Error, Outcome};

/// The result of a function that is not implemented, with the reason and what to try.
#[cold]
pub fn missing(reason: &'static str, advice: &'static str) -> Outcome {
    Err(Error::new(MPI_ERR_UNSUPPORTED_OPERATION, reason).advise(advice))
}
