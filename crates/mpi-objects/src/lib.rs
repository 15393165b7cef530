//! Objects of MPI that take no part in communication.
//!
//! | module | subject |
//! |---|---|
//! | `abi` | constants, with the values of the standard ABI |
//! | `handle`, `handle_table` | handles; tables of objects that are independent of the engine |
//! | `error`, `error_codes`, `errhandler` | errors, their codes, and the handlers for them |
//! | `context`, `group` | context ids, process groups |
//! | `attr`, `info`, `op`, `types` | attributes, hints, reduction operations, datatype handles |
//! | `callback` | the program's functions |
//! | `noted` | the buffers of the last calls, for messages about faults |
//! | `process` | the identity of this process in messages to the user |
//!
//! Nothing here depends on the engine: these objects can be used before `MPI_Init` and after
//! `MPI_Finalize`, or are parts of the engine's state.

// The engine is a static, so its parts are made by `const fn new`. A `Default` beside it would be a
// second way to make them.
#![allow(clippy::new_without_default)]

pub mod abi;
pub mod advice;
pub mod attr;
pub mod attr_value;
pub mod callback;
pub mod context;
pub mod errhandler;
pub mod error;
mod error_class;
pub mod error_codes;
pub mod group;
pub mod handle;
pub mod handle_table;
pub mod info;
pub mod noted;
pub mod op;
pub mod process;
pub mod types;
