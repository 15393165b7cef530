//! One-sided communication (MPI 5.0 chapter 12).
//!
//! On one node an access is usually complete when its call returns, and the target takes no part in
//! it. Memory that the library allocated is mapped by the origin. Other memory is copied by the
//! kernel, or by a target that is inside an MPI call anyway. What remains is synchronisation: a few
//! words that all processes of the window share, and notices in packets for waits that may be long.
//!
//! | module | contents |
//! |---|---|
//! | `window` | the window object: targets, epoch, attributes; how a target's memory is reached |
//! | `create` | the four flavours of windows, and their end |
//! | `control` | the words that the processes share: window locks, accumulate locks |
//! | `epoch` | which synchronisation calls are allowed in which state |
//! | `sync` | fence, post-start-complete-wait, locks, flushes |
//! | `access` | put and get |
//! | `accumulate` | accumulate, get-accumulate, fetch-and-op, compare-and-swap |
//! | `dynamic` | attached memory of dynamic windows |
//! | `am_origin`, `am_target` | short accesses by an intra-node target inside an MPI call |
//! | `remote` | accesses that the target carries out: inter-node, or if the kernel refuses |
//! | `hints` | info keys |
//! | `notice` | packets of the synchronisation |

mod access;
mod accumulate;
mod am_origin;
mod am_target;
mod control;
mod create;
mod dynamic;
mod epoch;
mod hints;
mod notice;
mod remote;
mod sync;
mod window;

pub use access::{get, get_dense, put, put_dense};
pub use accumulate::{Accumulation, accumulate, accumulate_dense, compare_and_swap, swap_dense};
pub use am_origin::ProbeBackoffs;
pub use am_target::AmTargets;
pub use create::{Shape, allocate, allocate_shared, create, create_dynamic, free};
pub use dynamic::{attach, detach};
pub use hints::{effective_hints, set_hints};
pub use notice::{Notice, Notices};
pub use remote::progress_thread::dismiss;
pub use remote::{Arrived, Origin, ProgressService, Served};
pub use sync::{
    complete, fence, flush, flush_all, flush_shortly, lock, lock_all, post, start, sync, test,
    unlock, unlock_all, wait,
};
pub use window::{Attributes, Target, Window, shared_query};

use crate::abi;
use crate::engine::Engine;
use crate::error::{Error, Outcome};
use crate::handle;

impl Engine {
    /// Returns the window that a handle names.
    #[inline]
    pub fn window(&self, win: handle::Win) -> Outcome<&Window> {
        self.windows.get(win).map_err(|dead| Error::dead(abi::MPI_ERR_WIN, dead))
    }

    /// Returns the window that a handle names, to change it.
    #[inline]
    pub fn window_mut(&mut self, win: handle::Win) -> Outcome<&mut Window> {
        self.windows.get_mut(win).map_err(|dead| Error::dead(abi::MPI_ERR_WIN, dead))
    }
}
