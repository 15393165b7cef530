//! Profiles of jobs (`mpiexec -profile`, `nemesis top`).
//!
//! Every rank counts its calls of MPI in memory that its launcher has made. This crate knows the
//! layout of that memory, and makes a table, a page and a trace of what it holds.
//!
//! ```text
//!   rank     libnemesis_profiler.so ──counts──▶ slot (layout)
//!   mpiexec  ◀──────────────reads (figures)───┘  at the end ──▶ job ──▶ table, page, json, trace
//!   nemesis top ◀───────────reads─────────────┘  while it runs
//! ```
//!
//! | module | subject |
//! |---|---|
//! | `calls`, `call` | the calls that are counted (generated), and what is known of each |
//! | `layout` | the memory: a slot of words for each rank |
//! | `figures` | what a slot holds, read from its words |
//! | `job` | the figures of all ranks, and sums of them |
//! | `files` | the files of a profile |
//! | `table` | the table that `mpiexec` prints |
//! | `page`, `svg` | the page, with its pictures |
//! | `json` | the figures for programs |
//! | `trace` | the calls in the order of time, as Chrome and Perfetto read them |
//! | `units` | bytes, times and shares in words |

#![warn(missing_docs)]

pub mod call;
mod calls;
pub mod figures;
pub mod files;
pub mod job;
mod json;
pub mod layout;
mod page;
mod svg;
mod table;
mod trace;
pub mod units;

pub use calls::CALLS;
pub use table::table;
