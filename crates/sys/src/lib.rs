//! System calls: the only crate that calls the kernel.
//!
//! Each module is one subject. Nothing here knows of messages or of MPI. If the kernel refuses, the
//! functions return that as a value, and the caller chooses another mechanism.

pub mod allocations;
pub mod bell;
pub mod calendar;
pub mod calls;
pub mod choice;
pub mod clock;
pub mod cma;
pub mod crash;
pub mod descriptors;
pub mod elf;
pub mod file;
pub mod foreign;
pub mod futex;
pub mod hardware;
pub mod host;
pub mod host_model;
pub mod interfaces;
pub mod libraries;
pub mod limits;
pub mod mapping;
pub mod membarrier;
pub mod memfd;
pub mod memory_kills;
pub mod message;
pub mod mutation;
mod mutations;
pub mod panics;
pub mod pmix;
pub mod process;
pub mod process_state;
pub mod processor;
pub mod python;
pub mod sanitizer;
pub mod share;
pub mod source_place;
pub mod spelling;
pub mod tcp;
pub mod threads;
pub mod time_slice;
pub mod unix_socket;
pub mod virtual_process;
