//! An access to a process's memory that either of two processes may carry out.
//!
//! The *origin* of a one-sided access can copy by a system call, which needs nobody and takes one
//! or two microseconds. The *target* can carry the access out in a fraction of that, if it polls
//! for packets at the moment. So the origin sends an active message (AM), waits about as long as
//! the system call takes, and then carries the access out itself if the target has not begun it.
//!
//! Accesses of an origin are numbered. `claimed` is the number of the last access that a process
//! has claimed. A process claims access `n` by a compare-and-swap from `n - 1` to `n`, so exactly
//! one process carries it out:
//!
//! ```text
//!   origin   sends n ── polls ── polls ── n is done
//!   target       claims n ── carries it out ── done := n
//!
//!   origin   sends n ── polls … polls ── claims n, carries it out
//!   target                                        polls at last, cannot claim n ── flips its bit
//! ```
//!
//! An origin has one access under way at a time. A packet that the target finds late names a number
//! that is claimed, and has no effect. Between claim and `done` lie a few loads and stores, so the
//! origin may wait for `done` without a limit. A target that finds a packet and leaves the access
//! to the origin flips its bit in `left`; there is one bit for all processes with the same number
//! modulo 64. The origin counts the accesses that it carried out after sending, and sends nothing
//! to a process that has not found the last packet yet.
//!
//! ```text
//!   0                       64
//!   | claimed               | done, left, answer …
//! ```
//!
//! The origin polls the second line only, so the first line stays in the target's cache while the
//! target carries out what it is sent.
//!
//! Ordering edge: E1 *the target's accesses and its answer → Release of done → Acquire by the
//! origin*. The packet orders everything that precedes the claim.

#![allow(unsafe_code)]

use std::cell::UnsafeCell;

use nemesis_sync::{AtomicU64, Ordering};

use crate::copy;

/// Bits of `left`. Processes with numbers that are equal modulo this share a bit.
pub const BITS: usize = 64;

/// Longest access, in bytes. A longer one is not faster by AM: where the two processors share no
/// cache, 8 KiB take nine tenths of the system call's time; where they do, a third to a half.
pub const ACCESS_MAX_BYTES: usize = 8 << 10;

/// The words of one origin, in its slot of the segment.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub struct AmSlot {
    claimed: Line<AtomicU64>,
    outcome: Line<Outcome>,
}

/// A value in cache lines of its own.
#[repr(C, align(64))]
#[derive(Debug, Default)]
struct Line<T>(T);

/// What the origin polls and reads.
#[repr(C)]
#[derive(Debug)]
struct Outcome {
    done: AtomicU64,
    left: AtomicU64,
    answer: UnsafeCell<[u8; ACCESS_MAX_BYTES]>,
}

// SAFETY: only the answer is not atomic. The process that has claimed an access writes the answer
// before `done` (E1); the origin reads it after that, and sends no other access before.
unsafe impl Sync for Outcome {}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome {
            done: AtomicU64::new(0),
            left: AtomicU64::new(0),
            answer: UnsafeCell::new([0; ACCESS_MAX_BYTES]),
        }
    }
}

/// Bytes of an [`AmSlot`].
pub const AM_SLOT_BYTES: usize = 64 + (16 + ACCESS_MAX_BYTES).next_multiple_of(64);

#[cfg(not(loom))]
const _: () = assert!(size_of::<AmSlot>() == AM_SLOT_BYTES);

/// Returns the bit of `left` for a process.
fn bit(process: u32) -> u64 {
    1 << (process as usize % BITS)
}

impl AmSlot {
    /// Claims access `number` and returns whether the caller has to carry it out. Between this and
    /// the end of the access the caller must do nothing that can fail or wait.
    #[inline]
    pub fn claim(&self, number: u64) -> bool {
        // Relaxed: a failed claim has no effect, and the packet orders what precedes the claim.
        self.claimed
            .0
            .compare_exchange(number.wrapping_sub(1), number, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }
}

/// The origin's side.
impl AmSlot {
    /// Whether the target has carried out access `number`.
    #[inline]
    pub fn is_done(&self, number: u64) -> bool {
        // Acquire (E1): pairs with the Release in `done`.
        self.outcome.0.done.load(Ordering::Acquire) == number
    }

    /// Whether the processes that share the bit of `process` have left an odd number of accesses to
    /// the origin.
    #[inline]
    pub fn has_left_odd(&self, process: u32) -> bool {
        // Relaxed: a hint; a stale value costs time only.
        self.outcome.0.left.load(Ordering::Relaxed) & bit(process) != 0
    }

    /// Copies the answer of an access that is done.
    ///
    /// # Panics
    /// If `into` is longer than [`ACCESS_MAX_BYTES`].
    pub fn copy_answer(&self, into: &mut [u8]) {
        // SAFETY: nobody writes the answer of an access that is done.
        let answer = unsafe { &*self.outcome.0.answer.get() };
        copy::slice(into, &answer[..into.len()]);
    }
}

/// The target's side.
impl AmSlot {
    /// Lets `read` write an answer of `bytes` bytes. Only the process that has claimed the access
    /// may call this, before [`done`](AmSlot::done).
    ///
    /// # Panics
    /// If `bytes` is more than [`ACCESS_MAX_BYTES`].
    pub fn answer(&self, bytes: usize, read: impl FnOnce(&mut [u8])) {
        // SAFETY: the caller has claimed the access, so nobody else reads or writes the answer.
        let answer = unsafe { &mut *self.outcome.0.answer.get() };
        read(&mut answer[..bytes]);
    }

    /// Publishes that access `number` is carried out. Only the process that has claimed it may call
    /// this.
    #[inline]
    pub fn done(&self, number: u64) {
        // Release (E1): pairs with the Acquire in `is_done`.
        self.outcome.0.done.store(number, Ordering::Release);
    }

    /// Leaves an access to its origin. The target `process` calls this once for each packet whose
    /// access it does not carry out.
    #[cold]
    pub fn leave(&self, process: u32) {
        // Relaxed: a hint; a stale value costs time only.
        self.outcome.0.left.fetch_xor(bit(process), Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn one_of_both_processes_carries_out_an_access() {
        let slot = AmSlot::default();
        assert!(slot.claim(1) && !slot.is_done(1) && !slot.claim(1));
        slot.answer(11, |into| into.copy_from_slice(b"eleven byte"));
        slot.done(1);
        let mut answer = [0; 11];
        slot.copy_answer(&mut answer);
        assert!(slot.is_done(1) && &answer == b"eleven byte" && !slot.has_left_odd(3));
        assert!(slot.claim(2) && !slot.claim(2));
        slot.leave(3);
        assert!(!slot.is_done(2) && slot.has_left_odd(3) && !slot.has_left_odd(4));
        slot.leave(67);
        assert!(!slot.has_left_odd(3));
    }

    #[test]
    fn numbers_that_are_over_or_impossible_are_not_claimed() {
        let slot = AmSlot::default();
        assert!((1..=3).all(|number| slot.claim(number)));
        for number in [0, 1, 3, 5, 1 << 63, u64::MAX] {
            assert!(!slot.claim(number), "{number:#x}");
        }
    }
}
