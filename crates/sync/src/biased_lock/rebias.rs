//! When the lock is biased towards a thread, its mark, and what revoking the bias needs.

use crate::AtomicU8;
use std::sync::Arc;

/// Decides when the lock is biased towards a thread.
pub(super) struct RebiasPolicy {
    /// The thread that has acquired the lock last.
    pub(super) thread: usize,
    /// Acquisitions in succession after which the lock is biased towards `thread`. It never reaches
    /// zero unless biasing is enabled.
    pub(super) acquisitions_left: u32,
    /// Acquisitions in succession that the next owner needs; 0: biasing is not enabled.
    pub(super) acquisitions_needed: u32,
    /// Acquisitions that a bias has to save to be worth a revocation, as the last one measured.
    pub(super) worth_acquisitions: u32,
    /// The clock's value when the current bias began.
    pub(super) since: u64,
    /// The functions that revoking the bias needs.
    pub(super) hooks: RevocationHooks,
    /// All threads that have ever been the owner, by number, and the mark of each. A later thread
    /// with the number of one that has ended takes its mark over.
    marks: Vec<(usize, Arc<AtomicU8>)>,
}

impl RebiasPolicy {
    /// Biasing is not enabled.
    pub(super) const NONE: RebiasPolicy = RebiasPolicy {
        thread: 0,
        acquisitions_left: 0,
        acquisitions_needed: 0,
        worth_acquisitions: u32::MAX,
        since: 0,
        hooks: RevocationHooks { barrier: || {}, clock: || 0 },
        marks: Vec::new(),
    };

    /// Returns the mark of the policy's thread, which exists as long as this policy.
    pub(super) fn mark(&mut self) -> *mut AtomicU8 {
        let is_own = |&(thread, _): &(usize, _)| thread == self.thread;
        #[cfg(loom)]
        let is_own = |mark: &(usize, _)| {
            is_own(mark) || crate::weaken::is_mutated("one mark for all threads")
        };
        let index = self.marks.iter().position(is_own).unwrap_or_else(|| {
            self.marks.push((self.thread, Arc::default()));
            self.marks.len() - 1
        });
        Arc::as_ptr(&self.marks[index].1).cast_mut()
    }
}

/// The functions that revoking a bias needs.
#[derive(Clone, Copy)]
pub struct RevocationHooks {
    /// G2: executes a full memory barrier on every running thread of the process.
    pub barrier: fn(),
    /// Reads the processor's tick counter. With a clock that stands still no bias is worth its
    /// revocation.
    pub clock: fn() -> u64,
}
