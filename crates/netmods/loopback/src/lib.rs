//! A network without hardware: all processes of a job in one, for tests.
//!
//! It behaves like the worst network that still keeps its promises: every ordered pair of processes has a pipe of bytes; what is written may be
//! taken in part only, arrives after a delay and in pieces of any size, and pipes overtake each other. All of it follows from a seed, so a
//! failure comes back.
//!
//! ```text
//!   module 0 --write--> [ pipe 0 -> 1: chunks, each with the time when it may be read ] --read--> module 1
//! ```
//!
//! | file | what |
//! |---|---|
//! | `wires` | the pipes, and the trouble they make |
//! | `module` | the five functions |
//! | `outgoing` | packets that wait to be written |
//! | `incoming` | bytes that become packets again |
//! | `remote` | memory of others, put into and got from without them |
//!
//! The bytes of a packet are: length of the body (8 bytes, little endian), header (24), payload, body.

mod incoming;
mod module;
mod outgoing;
mod remote;
mod wires;

pub use module::Loopback;
pub use wires::{Network, Trouble};
