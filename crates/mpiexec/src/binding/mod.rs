//! The processors that each rank may use.
//!
//! *Bind to* says what a rank gets: a number of objects of one kind. *Map by* says in which order
//! objects are given out: one after the other, or from each socket (or memory node) in its turn.
//! Only processors that this process may use are given out. If there are more ranks than objects,
//! objects are given out again from the first one.
//!
//! ```text
//!   (default)                  each rank a share of the cores, where that does no harm: `cpusets`
//!   -bind-to core              rank 0: core 0      rank 1: core 1      …
//!   -bind-to core:2            rank 0: cores 0, 1  rank 1: cores 2, 3  …
//!   -bind-to core -map-by socket
//!                              rank 0: first core of socket 0   rank 1: first core of socket 1
//!                              rank 2: second core of socket 0  …
//! ```

mod claim;
mod cpusets;
mod objects;

pub use cpusets::{Cpusets, shown};
pub use objects::{Binding, Kind, Object, SlotSet, chosen, object, objects_here};
