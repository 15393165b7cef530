//! A network without hardware, for tests: all processes of a job are in one process.
//!
//! It behaves like the worst network that fulfils the guarantees. Every ordered pair of processes
//! has pipes of bytes: one for ordered packets, and two for unordered ones, which overtake and are
//! overtaken. A write may be accepted in part, data arrive after a delay and in pieces of
//! any size, and pipes are not ordered among each other. All random choices follow from a seed, so
//! that failures are reproducible.
//!
//! ```text
//!   module 0 --write--> [ pipe 0 -> 1: chunks, each with its arrival time ] --read--> module 1
//! ```
//!
//! | file | contents |
//! |---|---|
//! | `wires` | the pipes and their faults |
//! | `module` | the five functions |
//! | `outgoing` | the send queue |
//! | `incoming` | turns bytes into packets |
//! | `remote` | remote memory access |
//! | `registered` | the memory that it may access |
//!
//! The bytes of a packet are: length of the bulk payload (8 bytes, little endian), header (24),
//! payload, bulk payload.

#![warn(missing_docs)]

mod incoming;
mod module;
mod outgoing;
pub mod registered;
mod remote;
mod wires;

pub use module::Loopback;
pub use wires::{Network, Trouble};
