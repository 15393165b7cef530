//! Network modules in C: `include/nemesis_netmod.h` made to look like [`Driver`](crate::Driver) and [`Module`](crate::Module).
//!
//! | file | what |
//! |---|---|
//! | `table` | the header's structures, as Rust sees them |
//! | `library` | [`CDriver`]: finding, opening and checking a library |
//! | `module` | a module behind its table |
//! | `rma` | its remote memory access, if it has that table |
//! | `edge` | the host's functions, as C sees them: every argument checked, no panic let through |
//!
//! What a module may break is checked where it costs little: cells and tokens come back once and only those that were given, sizes stay within
//! their cells, processes exist, return codes mean something. A module that breaks a rule gets an error from the host's function and its caller a
//! [`Fault::Broken`](crate::Fault::Broken). That it writes only where it may cannot be checked; it is code of this process.

#![allow(unsafe_code)]

mod edge;
mod library;
mod module;
mod rma;
mod table;

pub use library::{CDriver, LoadError};
