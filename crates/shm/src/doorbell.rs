//! The doorbell: a receiver sleeps and is woken without a fence on the sender's side.
//!
//! A receiver that has polled long enough raises its flag, executes a barrier for all processes,
//! polls once more, and sleeps on the flag. A sender that has published a packet reads the flag,
//! which is nearly always down; then the sender has nothing else to do.
//!
//! ```text
//!   sender                          receiver
//!   S1  publish packet              R1  flag := 1
//!   S2  read flag                   R2  membarrier (full barrier on both sides)
//!       1 -> flag := 0, wake        R3  look for packets; found -> flag := 0, go on
//!                                   R4  sleep while flag = 1
//! ```
//!
//! Ordering edge E1, *store then load on both sides*: if S2 reads 0 although R1 has happened, then
//! S2 came before the barrier R2, so S1 did too and R3 sees the packet. If R3 does not see S1, then
//! S2 comes after the barrier and reads 1. The kernel executes the sender's side of the barrier on
//! the sender's processor (`membarrier(GLOBAL_EXPEDITED)`), so the sender's code is a plain load
//! that only the compiler must not move before S1. The loom model has a SeqCst fence on each side
//! instead.
//!
//! A process that returns space to a sender rings too, but only if the sender sleeps for want of
//! space (R1 raises its flag to 2). A process that sleeps until a packet arrives is not woken
//! whenever one of its own packets has been read. For E1, the returned space is the packet.
//!
//! Where the kernel refuses membarrier, a sleep lasts at most [`UNORDERED_SLEEP`], which bounds the
//! cost of a lost wake-up.

#![allow(unsafe_code)]

#[cfg(not(loom))]
use nemesis_sync::AtomicU64;
use nemesis_sync::{AtomicU32, Ordering, light_barrier};
use nemesis_sys::mutation::{self, Mutation};
#[cfg(not(loom))]
use nemesis_sys::virtual_process;
use std::time::Duration;

/// Longest sleep if no barrier orders the sleeper and its senders.
pub const UNORDERED_SLEEP: Duration = Duration::from_millis(1);

const AWAKE: u32 = 0;
const ASLEEP: u32 = 1;
/// Asleep, and to be woken also when space for a packet is returned.
const ASLEEP_FOR_SPACE: u32 = 2;

/// The doorbell of a process in its slot: the flag, and what wakes the process besides.
#[cfg(not(loom))]
#[derive(Debug)]
#[repr(C)]
pub struct Doorbell {
    /// The flag of the functions of this module.
    pub flag: AtomicU32,
    /// Number of the bell (`nemesis_sys::bell`) that wakes the owner if it sleeps on descriptors; 0
    /// if it has none.
    pub bell: AtomicU64,
}

#[cfg(not(loom))]
impl Doorbell {
    /// Returns the doorbell of a process that never sleeps.
    pub const fn never_asleep() -> Doorbell {
        Doorbell { flag: AtomicU32::new(AWAKE), bell: AtomicU64::new(0) }
    }
}

/// The sender's side, called after a packet is published. If it returns true, the receiver sleeps
/// and the caller must wake it.
#[inline(always)]
pub fn must_wake(flag: &AtomicU32) -> bool {
    // Light (E1): the packet's publication stays before the load of the flag; pairs with the
    // sleeper's full barrier in `sleep_by`.
    light_barrier();
    // Relaxed: ordered after the packet by the two barriers.
    flag.load(Ordering::Relaxed) != AWAKE && !mutation::strikes(Mutation::LostWakeUp) && lower(flag)
}

/// The side of a process that has returned space to a sender, which owns `flag`. If it returns
/// true, the sender sleeps for want of space and the caller must wake it.
#[inline(always)]
pub fn must_wake_for_space(flag: &AtomicU32) -> bool {
    // Light (E1): as in `must_wake`.
    light_barrier();
    // Relaxed: as in `must_wake`.
    flag.load(Ordering::Relaxed) == ASLEEP_FOR_SPACE
        && !mutation::strikes(Mutation::SpaceUntold)
        && lower(flag)
}

/// Whether the owner of `flag` sleeps. Wakes nobody.
#[inline]
pub fn is_asleep(flag: &AtomicU32) -> bool {
    // Relaxed: a hint.
    flag.load(Ordering::Relaxed) != AWAKE
}

/// Whether the owner of `flag` sleeps and is woken also when space is returned.
#[inline]
pub fn is_woken_for_space(flag: &AtomicU32) -> bool {
    // Relaxed: a hint; the sleeper's own process reads it.
    flag.load(Ordering::Relaxed) == ASLEEP_FOR_SPACE
}

#[cold]
fn lower(flag: &AtomicU32) -> bool {
    // Relaxed: one of several senders wins and wakes the receiver; the packet is published
    // elsewhere.
    flag.swap(AWAKE, Ordering::Relaxed) != AWAKE
}

/// The receiver's side: sleeps until woken, at most for `timeout`, unless `found` sees a packet
/// after the flag is raised.
#[cfg(not(loom))]
pub fn sleep(flag: &AtomicU32, found: impl FnOnce() -> bool, timeout: Duration) {
    let wait = |expected, ordered: bool| {
        let timeout = if ordered { timeout } else { timeout.min(UNORDERED_SLEEP) };
        // SAFETY: the reference names an aligned, mapped word and lives during the call.
        unsafe { nemesis_sys::futex::wait(flag.as_ptr(), expected, timeout) };
    };
    sleep_by(flag, false, nemesis_sys::membarrier::global, found, wait);
}

/// A sleep in three steps, for a receiver with other threads that work in between:
/// [`raise`](Raised::raise), poll for packets, then [`sleep`](Raised::sleep). One thread of the
/// process at a time uses it. Dropping it takes the flag down.
#[cfg(not(loom))]
#[derive(Debug)]
pub struct Raised {
    flag: &'static AtomicU32,
    raised: u32,
    ordered: bool,
}

#[cfg(not(loom))]
impl Raised {
    /// Steps R1 and R2. `orderable` says that every sender has registered for the barrier.
    pub fn raise(flag: &'static AtomicU32, needs_space: bool, orderable: bool) -> Raised {
        let raised = raised(needs_space);
        // Relaxed: as in `sleep_by`.
        flag.swap(raised, Ordering::Relaxed);
        // Full barrier (E1): as in `sleep_by`.
        Raised { flag, raised, ordered: nemesis_sys::membarrier::global() && orderable }
    }

    /// Returns `timeout`, shortened where a wake-up may be lost. For a caller that sleeps on
    /// something else than the flag and is woken by that, too.
    pub fn limit(&self, timeout: Duration) -> Duration {
        if self.ordered { timeout } else { timeout.min(UNORDERED_SLEEP) }
    }

    /// Returns whether a sender has lowered the flag.
    pub fn is_lowered(&self) -> bool {
        // Relaxed: a hint; what was sent is found by polling.
        self.flag.load(Ordering::Relaxed) != self.raised
    }

    /// Step R4; returns when woken, at the latest after `timeout`.
    pub fn sleep(&self, timeout: Duration) {
        let timeout = self.limit(timeout);
        if virtual_process::wait(|| self.is_lowered(), timeout) {
            return;
        }
        // SAFETY: the reference names an aligned, mapped word and lives during the call.
        unsafe { nemesis_sys::futex::wait(self.flag.as_ptr(), self.raised, timeout) };
    }

    /// Step R4 for several flags; returns when one is lowered and its owner woken, at the latest
    /// after `timeout`, which the caller has [limited](Self::limit). Returns false at once where
    /// the kernel knows no such sleep.
    pub fn sleep_on_any<'a>(
        all: impl Iterator<Item = &'a Raised> + Clone,
        timeout: Duration,
    ) -> bool {
        if virtual_process::wait(|| all.clone().any(Raised::is_lowered), timeout) {
            return true;
        }
        let word =
            |raised: &Raised| nemesis_sys::futex::Word::new(raised.flag.as_ptr(), raised.raised);
        let words: Vec<_> = all.map(word).collect();
        // SAFETY: as in `sleep`.
        unsafe { nemesis_sys::futex::wait_any(&words, timeout) }
    }
}

#[cfg(not(loom))]
impl Drop for Raised {
    fn drop(&mut self) {
        // Relaxed: as in `sleep_by`.
        self.flag.store(AWAKE, Ordering::Relaxed);
    }
}

fn raised(needs_space: bool) -> u32 {
    if needs_space { ASLEEP_FOR_SPACE } else { ASLEEP }
}

/// Steps R1 to R4 with the kernel's part as arguments: `order` executes the full barrier on all
/// processors and returns whether it worked; `wait` sleeps while the flag has the given value.
pub fn sleep_by(
    flag: &AtomicU32,
    needs_space: bool,
    order: impl FnOnce() -> bool,
    found: impl FnOnce() -> bool,
    wait: impl FnOnce(u32, bool),
) {
    let raised = raised(needs_space);
    // Relaxed: the barrier that follows orders it before the polling. A store would do; it is a
    // swap because the model checker does not know that a sender's late swap is atomic with the
    // value that it read. On this side the swap costs nothing.
    flag.swap(raised, Ordering::Relaxed);
    // Full barrier (E1): pairs with the light ones in `must_wake` and `must_wake_for_space`.
    let ordered = order();
    if !found() {
        wait(raised, ordered);
    }
    // Relaxed: a sender that still sees it raised wakes a process that is awake, which is harmless.
    // A swap for the model checker, as above.
    flag.swap(AWAKE, Ordering::Relaxed);
}

/// Wakes the process that sleeps on `flag`.
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
    fn a_doorbell_ends_the_sleep() {
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
            assert!(start.elapsed() < Duration::from_secs(20), "the doorbell was not missed");
        });
    }

    #[test]
    fn a_packet_found_after_raising_prevents_the_sleep() {
        let flag = AtomicU32::new(AWAKE);
        let start = Instant::now();
        sleep(&flag, || true, Duration::from_secs(30));
        assert!(start.elapsed() < Duration::from_secs(10));
        assert!(!must_wake(&flag));
    }

    #[test]
    fn a_doorbell_ends_a_sleep_at_several() {
        static FLAGS: [AtomicU32; 3] = [const { AtomicU32::new(AWAKE) }; 3];
        let raised = FLAGS.each_ref().map(|flag| Raised::raise(flag, false, true));
        let start = Instant::now();
        if !Raised::sleep_on_any(raised.iter(), Duration::from_millis(1)) {
            return; // The kernel knows no such sleep.
        }
        assert!(start.elapsed() >= Duration::from_millis(1) && !raised[2].is_lowered());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(5));
                assert!(must_wake(&FLAGS[2]));
                wake(&FLAGS[2]);
            });
            while !raised[2].is_lowered() {
                assert!(Raised::sleep_on_any(raised.iter(), Duration::from_secs(60)));
            }
        });
        // A flag that is down already ends the sleep at once.
        assert!(Raised::sleep_on_any(raised.iter(), Duration::from_secs(60)));
        assert!(start.elapsed() < Duration::from_secs(60));
    }

    #[test]
    fn reading_the_flag_wakes_nobody() {
        let flag = AtomicU32::new(ASLEEP);
        assert!(is_asleep(&flag) && must_wake(&flag) && !is_asleep(&flag));
    }

    #[test]
    fn returned_space_wakes_only_a_sender_that_needs_it() {
        let flag = AtomicU32::new(ASLEEP);
        assert!(!is_woken_for_space(&flag) && !must_wake_for_space(&flag) && is_asleep(&flag));
        let flag = AtomicU32::new(ASLEEP_FOR_SPACE);
        assert!(
            is_woken_for_space(&flag)
                && must_wake_for_space(&flag)
                && !is_asleep(&flag)
                && !must_wake_for_space(&flag)
        );
        flag.store(ASLEEP_FOR_SPACE, Ordering::Relaxed);
        assert!(must_wake(&flag) && !is_asleep(&flag));
    }
}
