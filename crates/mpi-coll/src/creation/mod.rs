//! The creation of communicators (MPI 5.0 §7.4, §7.6, chapter 8).
//!
//! | module | subject |
//! |---|---|
//! | `duplicate` | dup, idup |
//! | `divide` | split, create, create_group |
//! | `resources` | split by shared resources |
//! | `bridge` | intercommunicators: create, merge |
//! | `acquaint` | processes of an intercommunicator whose jobs have not met |
//! | `bootstrap` | communicators from a group and a string |
//! | `alike` | arguments that must be the same at all processes |
//! | `topology` | communicators with a topology |
//!
//! Creation draws the new context at one member, the first of the new group, and sends it to the
//! others in an exchange over the parent: see `context`. A split needs one allgather of (colour,
//! key, drawn context), a dup one broadcast.

pub mod acquaint;
mod alike;
mod bootstrap;
mod bridge;
mod divide;
mod duplicate;
pub mod resources;
pub mod topology;

pub use alike::Arguments;
pub use bootstrap::{create_from_group, intercomm_create_from_groups};
pub use bridge::{intercomm_create, merge};
pub use divide::{create, create_group, split};
pub use duplicate::{duplicate, iduplicate};
