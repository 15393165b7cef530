//! Network modules in C: presents `include/nemesis_netmod.h` as [`Driver`](crate::Driver) and
//! [`Module`](crate::Module).
//!
//! | file | contents |
//! |---|---|
//! | `table` | the structures of the header in Rust |
//! | `library` | [`CDriver`]: finds, opens and checks a library |
//! | `module` | [`Module`](crate::Module) for a table's five functions |
//! | `rma` | remote memory access, if the module has that table |
//! | `edge` | the host's functions for C: checks every argument, stops every panic |
//!
//! The interface checks the module where a check is cheap: cells and tokens come back once, and
//! only those that were given out; sizes stay within their cells; processes exist; return codes
//! have a meaning. A module that breaks a rule gets an error from the host's function, and its
//! caller gets a [`Fault::Broken`](crate::Fault::Broken). Stray writes cannot be detected, because
//! the module is code of this process.

#![allow(unsafe_code)]

mod edge;
mod library;
mod module;
mod rma;
mod table;

pub use library::{CDriver, LoadError};
