//! One-sided communication (MPI 5.0 chapter 12).
//!
//! On one node an access is usually complete when its call returns, and the target takes no part in
//! it. Memory that the library allocated is mapped by the origin. Other memory is copied by the
//! kernel, several accesses at once where they come in rows, or by a target that is inside an MPI
//! call anyway. What remains is synchronisation: a few
//! words that all processes of the window share, and notices in packets for waits that may be long.
//! Memory of other nodes is accessed by the network, if it reaches memory, and else by the target's
//! process.
//!
//! | module | contents |
//! |---|---|
//! | `window` | the window object: targets, epoch, attributes; how a target's memory is reached |
//! | `create` | the four flavours of windows, and their end |
//! | `control` | the words that the processes share: window locks, accumulate locks |
//! | `device` | memory of devices in windows |
//! | `epoch` | which synchronisation calls are allowed in which state |
//! | `sync` | fence, post-start-complete-wait, locks, flushes |
//! | `access` | put and get |
//! | `accumulate` | accumulate, get-accumulate, fetch-and-op, compare-and-swap |
//! | `elements` | elements of accumulates, and how they are combined atomically |
//! | `target` | the memory that an access names |
//! | `resolve` | checks of accesses; the memory that they name, or the process that serves them |
//! | `dynamic`, `attach` | attached memory of dynamic windows; attach and detach |
//! | `am_origin`, `am_target` | short accesses by an intra-node target inside an MPI call |
//! | `am_scatter` | puts of many short runs by such a target |
//! | `gathered`, `gathering` | rows of short accesses that one kernel call carries out |
//! | `kernel_copy` | access to a local process's private memory by the kernel's copy |
//! | `network` | accesses that the network itself carries out, not complete yet |
//! | `network_access` | begins and awaits such accesses |
//! | `remote` | accesses that the target carries out: inter-node, or if the kernel refuses |
//! | `am_requests` | starts and awaits such accesses |
//! | `progress_thread` | the thread that carries out such accesses while the program computes |
//! | `check` | what the development checks learn of windows |
//! | `hints` | info keys |
//! | `notice` | packets of the synchronisation |
//! | `packet_kind` | the kinds of all packets |
//! | `state` | the state of all windows |
//! | `hooks` | the hooks for the engine's progress |

mod access;
mod accumulate;
mod am_origin;
mod am_requests;
mod am_scatter;
mod am_target;
mod attach;
mod check;
mod control;
mod create;
mod device;
mod dynamic;
mod elements;
mod epoch;
mod gathered;
mod gathering;
mod hints;
mod hooks;
mod kernel_copy;
mod network;
mod network_access;
mod notice;
mod packet_kind;
mod progress_thread;
mod remote;
mod resolve;
mod state;
mod sync;
mod target;
mod window;

pub use access::{get, get_contiguous, put, put_contiguous};
pub use accumulate::{
    Accumulation, accumulate, accumulate_contiguous, accumulate_row, compare_and_swap,
    swap_contiguous,
};
pub use attach::{attach, detach};
pub use check::open_epochs;
pub use create::{
    Shape, allocate, allocate_at_rank_zero, allocate_shared, await_accesses, create,
    create_dynamic, free, release,
};
pub use device::{DeviceMemory, Offered, Run};
pub use hints::{effective_hints, set_hints};
pub use hooks::HOOKS;
pub use progress_thread::{dismiss, start_for_program, stop_for_program};
pub use resolve::shared_query;
pub use state::{Windows, open_windows, refused_accesses, window_over};
pub use sync::{
    complete, fence, flush, flush_all, flush_alone, flush_shortly, lock, lock_all, post, start,
    sync, test, unlock, unlock_all, wait,
};
pub use target::Target;
pub use window::{Attributes, Window};

use nemesis_mpi_coll as coll;
use nemesis_mpi_core::{
    abi, callback, completion, context, engine, errhandler, error, group, handle, info, op,
    peer_failure, protocol, pt2pt, recovery, request, types, waiting,
};
