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
//! Ordering edge, E1, *store then load on both sides*. If S2 reads 0 although R1 happened, then S2 came before the barrier R2, so S1 did too and
//! R3 sees the packet; if S1 is not seen by R3, then S2 comes after the barrier and reads 1. The sender's side of the barrier is executed by the
//! kernel on the sender's processor (`membarrier(GLOBAL_EXPEDITED)`), so the sender's own code has a plain load and must only keep the compiler
//! from moving it before S1. The loom model has a SeqCst fence on both sides in its place.
//!
//! Who gives room back rings, too, but only for a sleeper that has found none (R1 raises the flag to 2): one that waits for a packet is not to be woken by
//! each of its own that somebody has read. For E1 the room that is given back is the packet.
//!
//! Where membarrier is refused, a sleep lasts at most [`UNORDERED_SLEEP`]: a lost wake-up then costs that much and no more.

#![allow(unsafe_code)]

use nemesis_sync::{AtomicU32, Ordering, light_barrier};
use std::time::Duration;

/// Longest sleep when sleeper and sender cannot be ordered.
pub const UNORDERED_SLEEP: Duration = Duration::from_millis(1);

const AWAKE: u32 = 0;
const ASLEEP: u32 = 1;
/// Asleep, and room for a packet is worth a ring.
const SHORT_OF_ROOM: u32 = 2;

/// The sender's side: after a packet is published. True when a sleeper must be woken, which is then the caller's to do.
#[inline(always)]
pub fn must_wake(flag: &AtomicU32) -> bool {
    // Light (E1): the packet's publication stays before the look at the flag; pairs with the sleeper's full barrier in `sleep_by`.
    light_barrier();
    // Relaxed: ordered after the packet by the two barriers.
    flag.load(Ordering::Relaxed) != AWAKE && take_down(flag)
}

/// The same for who has given back room for packets of the sleeper's.
#[inline(always)]
pub fn must_wake_for_room(flag: &AtomicU32) -> bool {
    // Light (E1): as in `must_wake`.
    light_barrier();
    // Relaxed: as in `must_wake`.
    flag.load(Ordering::Relaxed) == SHORT_OF_ROOM && take_down(flag)
}

/// Whether somebody sleeps there, for who would rather not wake it.
#[inline]
pub fn is_asleep(flag: &AtomicU32) -> bool {
    // Relaxed: advice.
    flag.load(Ordering::Relaxed) != AWAKE
}

/// Whether whoever sleeps there is woken by room, too.
#[inline]
pub fn is_rung_for_room(flag: &AtomicU32) -> bool {
    // Relaxed: advice; the sleeper's own process asks.
    flag.load(Ordering::Relaxed) == SHORT_OF_ROOM
}

#[cold]
fn take_down(flag: &AtomicU32) -> bool {
    // Relaxed: of several senders one wins and wakes; the packet itself is published elsewhere.
    flag.swap(AWAKE, Ordering::Relaxed) != AWAKE
}

/// The receiver's side: sleeps until rung, at most for `timeout`, unless `found` sees a packet after the flag is up.
#[cfg(not(loom))]
pub fn sleep(flag: &AtomicU32, found: impl FnOnce() -> bool, timeout: Duration) {
    let wait = |expected, ordered: bool| {
        let timeout = if ordered { timeout } else { timeout.min(UNORDERED_SLEEP) };
        // SAFETY: a reference is an aligned, mapped word, and it lives during the call.
        unsafe { nemesis_sys::futex::wait(flag.as_ptr(), expected, timeout) };
    };
    sleep_by(flag, false, nemesis_sys::membarrier::global, found, wait);
}

/// A sleep in two halves, for a receiver whose other threads work on in between: [`raise`](Raised::raise), look for packets, and only then
/// [`sleep`](Raised::sleep). One thread of the process at a time.
#[cfg(not(loom))]
#[derive(Debug)]
pub struct Raised {
    flag: &'static AtomicU32,
    raised: u32,
    ordered: bool,
}

#[cfg(not(loom))]
impl Raised {
    /// R1 and R2. `orderable` says that every sender has registered for the barrier.
    pub fn raise(flag: &'static AtomicU32, short_of_room: bool, orderable: bool) -> Raised {
        let raised = raised(short_of_room);
        // Relaxed: as in `sleep_by`.
        flag.swap(raised, Ordering::Relaxed);
        // Full barrier (E1): as in `sleep_by`.
        Raised { flag, raised, ordered: nemesis_sys::membarrier::global() && orderable }
    }

    /// How long the sleep may last that was to last `timeout`: shorter where a ring may be missed. For those who sleep on something else than the
    /// flag, by which they are rung as well.
    pub fn limit(&self, timeout: Duration) -> Duration {
        if self.ordered { timeout } else { timeout.min(UNORDERED_SLEEP) }
    }

    /// R4; returns when rung, at the latest after `timeout`.
    pub fn sleep(&self, timeout: Duration) {
        let timeout = self.limit(timeout);
        // SAFETY: a reference is an aligned, mapped word, and it lives during the call.
        unsafe { nemesis_sys::futex::wait(self.flag.as_ptr(), self.raised, timeout) };
    }
}

#[cfg(not(loom))]
impl Drop for Raised {
    fn drop(&mut self) {
        // Relaxed: as in `sleep_by`.
        self.flag.store(AWAKE, Ordering::Relaxed);
    }
}

fn raised(short_of_room: bool) -> u32 {
    if short_of_room { SHORT_OF_ROOM } else { ASLEEP }
}

/// R1 to R4 with the kernel's parts given: `order` is the full barrier on all sides and says whether it worked, `wait` sleeps while the flag
/// has the value that it is told.
pub fn sleep_by(
    flag: &AtomicU32,
    short_of_room: bool,
    order: impl FnOnce() -> bool,
    found: impl FnOnce() -> bool,
    wait: impl FnOnce(u32, bool),
) {
    let raised = raised(short_of_room);
    // Relaxed: ordered before the look for packets by the barrier that follows. A swap, where a store would do, because the model checker does
    // not know that nothing comes between a sender's late swap and the value that it read; on this side it costs nothing.
    flag.swap(raised, Ordering::Relaxed);
    // Full barrier (E1): pairs with the light ones in `must_wake` and `must_wake_for_room`.
    let ordered = order();
    if !found() {
        wait(raised, ordered);
    }
    // Relaxed: a sender that still sees it raised wakes somebody who is awake, which is harmless.
    flag.store(AWAKE, Ordering::Relaxed);
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

    #[test]
    fn a_look_wakes_nobody() {
        let flag = AtomicU32::new(ASLEEP);
        assert!(is_asleep(&flag) && must_wake(&flag) && !is_asleep(&flag));
    }

    #[test]
    fn room_wakes_who_is_short_of_it() {
        let flag = AtomicU32::new(ASLEEP);
        assert!(!is_rung_for_room(&flag) && !must_wake_for_room(&flag) && is_asleep(&flag));
        let flag = AtomicU32::new(SHORT_OF_ROOM);
        assert!(
            is_rung_for_room(&flag)
                && must_wake_for_room(&flag)
                && !is_asleep(&flag)
                && !must_wake_for_room(&flag)
        );
        flag.store(SHORT_OF_ROOM, Ordering::Relaxed);
        assert!(must_wake(&flag) && !is_asleep(&flag));
    }
}
