//! `libnemesis_profiler.so`: counts the calls of a program for `mpiexec -profile`.
//!
//! The launcher has the dynamic linker load this library before all others (`LD_PRELOAD`). It
//! defines the functions of MPI that are counted. Each calls the function of the MPI library, or of
//! a tool that is loaded between the two, and counts. A program without a profile does not load it,
//! so the functions of the MPI library have no instruction for it.
//!
//! It serves all ABIs: arguments pass through as words, and a handle is a name. What the words
//! mean is in [`data`].
//!
//! | module | subject |
//! |---|---|
//! | `wrappers` | the functions (generated) |
//! | `wrap` | what every function does: the macro `wrapped!`, times, counters |
//! | `caller` | the place in the program that has called a function |
//! | `data` | which arguments describe the data of a call |
//! | `library` | the functions of the MPI library |
//! | `slot` | the memory in which the process counts |
//! | `peers` | the processes that ranks of communicators name |
//! | `started` | persistent sends, which count when they start |
//! | `gather` | the profile of a job whose launcher collects none |
//! | `sessions` | the same of a program that opens sessions only |

#![allow(unsafe_code, non_snake_case)]

mod caller;
mod data;
mod gather;
mod library;
mod peers;
mod sessions;
mod slot;
mod started;
mod wrap;
mod wrappers;
