//! AM requests: accesses that the target's process carries out. They serve processes of other
//! nodes, and processes of this node whose memory the kernel does not copy.
//!
//! ```text
//!   origin                                             target
//!   ASK (window, key, place, type) data … DATA … ──>   checked against the window, carried out
//!                             <─── RESULT … RESULT     results of a get, fetch, swap or lock
//!                             <─── DONE (number)       all requests up to this one are done
//!                             <─── REFUSED (class)     this request is refused, and why
//! ```
//!
//! | module | contents |
//! |---|---|
//! | `packet` | the packets |
//! | `origin` | requests to other processes, sent in order; results |
//! | `target` | requests of other processes, checked and carried out |
//! | `target/offer` | the memory that requests may access |
//! | `target/incoming` | a request that is arriving |
//! | `target/reply` | results and refusals |
//!
//! Requests of a pair of processes are sent and carried out in order. So one confirmation covers
//! several requests, and accumulates are ordered as they were called. The target's process accesses
//! its own memory under the rules that its node's processes obey (`elements`), so elements are
//! combined atomically for all origins.

pub mod origin;
mod packet;
pub mod target;

pub use origin::{AmRequest, Origin};
pub use packet::{Arrived, Verb};
pub use target::{Part, Served};
