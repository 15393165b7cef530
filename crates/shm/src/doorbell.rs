//! The doorbell: how a receiver sleeps without making senders pay.
//!
//! A receiver that has polled long enough raises its flag, orders the world, looks once more, and sleeps on the flag. A sender that has
//! published a packet reads the flag; almost always it is down and that is all.
//!
//! ```text
//!   sender                          receiver
//!   S1  publish packet              R1  flag := 1
//!   S2  read flag                   R2  membarrier (full barrier on both sides)
//!       1 -> flag := 0, wake        R3  look for packets; found -> flag := 0, go on
//!                                   R4  sleep while flag = 1
//! ```
//!
//! The two-sided race: if S2 reads 0 although R1 happened, then S2 came before the barrier R2, so S1 did too and R3 sees the packet; if S1 is not
//! seen by R3, then S2 comes after the barrier and reads 1. The sender's side of the barrier is executed by the kernel on the sender's processor
//! (`membarrier(GLOBAL_EXPEDITED)`), so the sender's own code has a plain load. The loom model uses a SeqCst fence on both sides in its place.
//!
//! Where membarrier is refused, a sleep lasts at most [`UNORDERED_SLEEP`]: a lost wake-up then costs that much and no more.

#![cfg_attr(loom, allow(dead_code))]
#![allow(unsafe_code)]

use nemesis_sync::{AtomicU32, Ordering};
use std::time::Duration;

/// Longest sleep when sleeper and sender cannot be ordered.
pub const UNORDERED_SLEEP: Duration = Duration::from_millis(1);

const AWAKE: u32 = 0;
const ASLEEP: u32 = 1;

/// The sender's side: after a packet is published. True when a sleeper must be woken, which is then the caller's to do.
#[inline(always)]
pub fn must_wake(flag: &AtomicU32) -> bool {
    // Relaxed: ordered after the packet by the sleeper's barrier, see the race above.
    flag.load(Ordering::Relaxed) != AWAKE && take_down(flag)
}

#[cold]
fn take_down(flag: &AtomicU32) -> bool {
    // Relaxed: of several senders one wins and wakes; the packet itself is published elsewhere.
    flag.swap(AWAKE, Ordering::Relaxed) == ASLEEP
}

/// R1: raises the flag. The caller then orders the world and looks for packets once more.
pub fn raise(flag: &AtomicU32) {
    // Relaxed: ordered by the barrier that follows.
    flag.store(ASLEEP, Ordering::Relaxed);
}

/// Takes the flag down again, after a late find or a sleep.
pub fn lower(flag: &AtomicU32) {
    // Relaxed: a sender that still reads 1 wakes somebody who is awake, which is harmless.
    flag.store(AWAKE, Ordering::Relaxed);
}

/// The whole of the receiver's side: sleeps until rung, at most for `timeout`, unless `found` sees a packet after the flag is up.
#[cfg(not(loom))]
pub fn sleep(flag: &AtomicU32, found: impl FnOnce() -> bool, timeout: Duration) {
    raise(flag);
    let ordered = nemesis_sys::membarrier::global();
    if !found() {
        let timeout = if ordered { timeout } else { timeout.min(UNORDERED_SLEEP) };
        // SAFETY: a reference is an aligned, mapped word, and it lives during the call.
        unsafe { nemesis_sys::futex::wait(flag.as_ptr(), ASLEEP, timeout) };
    }
    lower(flag);
}

/// Wakes the sleeper of `flag`.
#[cfg(not(loom))]
#[cold]
pub fn wake(flag: &AtomicU32) {
    // SAFETY: as in `sleep`.
    unsafe { nemesis_sys::futex::wake_one(flag.as_ptr()) };
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::time::Instant;

    #[test]
    fn a_ring_ends_the_sleep() {
        let flag = AtomicU32::new(AWAKE);
        nemesis_sys::membarrier::register();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !must_wake(&flag) {
                    std::thread::yield_now();
                }
                wake(&flag);
            });
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(20) {
                sleep(&flag, || false, Duration::from_secs(30));
                if start.elapsed() < Duration::from_secs(20) {
                    break;
                }
            }
            assert!(start.elapsed() < Duration::from_secs(20), "the ring came through");
        });
    }

    #[test]
    fn a_late_find_prevents_the_sleep() {
        let flag = AtomicU32::new(AWAKE);
        let start = Instant::now();
        sleep(&flag, || true, Duration::from_secs(30));
        assert!(start.elapsed() < Duration::from_secs(10));
        assert!(!must_wake(&flag));
    }
}
