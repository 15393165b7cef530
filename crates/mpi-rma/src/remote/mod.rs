//! AM requests: accesses that the target's process carries out. They serve processes of other
//! nodes, and processes of this node whose memory the kernel does not copy.
//!
//! `nemesis::am` numbers, sends and confirms them.
//!
//! | module | contents |
//! |---|---|
//! | `packet` | what a request asks |
//! | `origin` | requests to other processes; where results go |
//! | `target` | requests of other processes, checked and carried out |
//! | `target/offer` | the memory that requests may access |
//! | `target/incoming` | a request that is arriving |
//! | `target/reply` | results |
//!
//! Requests of a pair of processes are sent and carried out in order. So one confirmation covers
//! several requests, and accumulates are ordered as they were called. The target's process accesses
//! its own memory under the rules that its node's processes obey (`elements`), so elements are
//! combined atomically for all origins.

pub mod origin;
mod packet;
pub mod target;

pub use origin::{AmRequest, Origin};
pub use packet::Verb;
pub use target::{Part, Served};
