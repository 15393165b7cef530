//! A libibverbs and librdmacm without hardware, for tests: the functions and operation tables that
//! the verbs module uses.
//!
//! Every process has one device port, the *node*; its state lies in a memory file that the other
//! processes of the host open. A request is carried out by the process that posts it or polls: it
//! checks the registrations of both sides, copies with `process_vm_readv` and `process_vm_writev`,
//! and appends completions to the queues of both. No thread runs, and nothing is left behind when a
//! process ends. Processes must see each other's `/proc`, and share a network namespace or name a
//! folder for their sockets (`net`).
//!
//! The devices of `options` differ in the trouble that they make.
//!
//! | file | contents |
//! |---|---|
//! | `options` | the devices |
//! | `node` | the state that other processes access |
//! | `net` | names of processes and channels |
//! | `hardware` | how requests are carried out |
//! | `process` | the device of the process |
//! | `entries` | the functions of libibverbs |
//! | `manager` | the functions of librdmacm, for the iWARP device |

#![allow(unsafe_code)]

mod entries;
mod hardware;
mod manager;
mod net;
mod node;
mod options;
mod process;
