//! Accesses that the target carries out: to processes of other hosts, and to neighbours whose memory the kernel does not let us reach.
//!
//! ```text
//!   origin                                              target
//!   ASK (window, key, place, type) data … DATA … ───>   checked against the window, then done
//!                              <─── RESULT … RESULT     what a get, a fetch, a swap, a lock brings
//!                              <─── DONE (number)       everything up to this request is done here
//!                              <─── REFUSED (class)     this one is not, and why
//! ```
//!
//! | file | what |
//! |---|---|
//! | `packet` | the packets |
//! | `origin` | requests to others: sent in order, as there is room; what they bring; waiting for them |
//! | `target` | requests of others: checked and done (`target/offer`: what they may touch; `incoming`: one that comes; `reply`: what goes back) |
//! | `progress_thread` | the thread that serves while the program computes |
//!
//! Requests of a pair are sent, and done, in their order: one confirmation serves many, and accumulates are ordered as they were called. The target's
//! process does them on its own memory under the same rules as its neighbours (`accumulate`), so elements are combined atomically whoever comes from where.

pub mod origin;
mod packet;
pub mod progress_thread;
pub mod target;

pub use origin::{AmRequest, Origin};
pub use packet::{Arrived, Verb};
pub use progress_thread::ProgressService;
pub use target::{Part, Served};
