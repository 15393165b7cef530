//! Atomics, cells and spin hints behind one seam.
//!
//! No other room names `std::sync::atomic` (clippy keeps it so): compiled with `--cfg loom` the same names are loom's, and every
//! lock-free algorithm of the house runs under its model checker unchanged.
//!
//! | name | std | loom |
//! |---|---|---|
//! | atomics, `Ordering`, `fence` | `std::sync::atomic` | `loom::sync::atomic` |
//! | `spin_hint` | the processor's pause | a yield, so that the model moves on |

mod cache_padded;
pub mod monitor;

pub use cache_padded::CachePadded;

#[cfg(not(loom))]
#[allow(clippy::disallowed_types)]
mod seam {
    pub use std::hint::spin_loop as spin_hint;
    pub use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
}

#[cfg(loom)]
mod seam {
    pub use loom::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};
    pub use loom::thread::yield_now as spin_hint;
}

pub use seam::*;
