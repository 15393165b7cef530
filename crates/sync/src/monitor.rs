//! One value, one user at a time: the guard around a library's state.
//!
//! A C library is entered from threads it does not know. [`Monitor`] hands out exclusive access to its value in two modes:
//!
//! * *alone*: the application promised that one thread at a time calls (below MPI_THREAD_MULTIPLE). Entering is a load, a test and a store;
//!   the flag costs nothing worth saving and tells a broken promise instead of corrupting memory.
//! * *shared*: any thread may come at any time. Entering takes a lock, a spinning one with yield: the sections are short, and a blocking call
//!   lets go between two polls ([`Guard::relax`]).
//!
//! Entering again from inside (a user's callback that calls the library) would alias the value, so whoever calls the user lets go first
//! ([`Guard::unlocked`]).
//!
//! Ordering edges: E1 *release of the lock → next entry*: Release store in `leave`, Acquire exchange in `enter`.

#![allow(unsafe_code)]

use crate::{AtomicU8, Ordering, spin_hint};
use std::cell::UnsafeCell;

const FREE: u8 = 0;
const BUSY: u8 = 1;

/// Polls of a busy lock before the processor is given away: about two microseconds, longer than most calls keep it.
const SPINS_BEFORE_YIELD: u32 = 100;

pub struct Monitor<T> {
    state: AtomicU8,
    shared: AtomicU8,
    value: UnsafeCell<T>,
}

// SAFETY: `Guard` is the only way to the value and `state` admits one at a time, so the value moves between threads but is never shared.
unsafe impl<T: Send> Sync for Monitor<T> {}

/// Exclusive access to a [`Monitor`]'s value, let go when dropped.
pub struct Guard<'a, T> {
    monitor: &'a Monitor<T>,
}

impl<T> Monitor<T> {
    #[cfg(not(loom))]
    pub const fn new(value: T) -> Self {
        Monitor { state: AtomicU8::new(FREE), shared: AtomicU8::new(0), value: UnsafeCell::new(value) }
    }

    /// From now on threads may come at any time (`true`) or promise to come one at a time (`false`).
    pub fn set_shared(&self, shared: bool) {
        // Relaxed: set before the library tells the application that more threads may come; that telling orders it.
        self.shared.store(u8::from(shared), Ordering::Relaxed);
    }

    pub fn is_shared(&self) -> bool {
        // Relaxed: see `set_shared`.
        self.shared.load(Ordering::Relaxed) != 0
    }

    /// Enters; `None` when a promise to be alone is broken (or a callback entered without the guard having been let go).
    #[inline(always)]
    pub fn enter(&self) -> Option<Guard<'_, T>> {
        if self.is_shared() {
            self.lock();
        } else {
            // Relaxed, and no exchange: with one caller at a time nothing races; the flag is a tripwire, not a lock.
            if self.state.load(Ordering::Relaxed) != FREE {
                return None;
            }
            self.state.store(BUSY, Ordering::Relaxed);
        }
        Some(Guard { monitor: self })
    }

    #[inline]
    fn lock(&self) {
        let mut spins = 0;
        // Acquire (E1): sees all that the last holder did to the value.
        while self.state.compare_exchange_weak(FREE, BUSY, Ordering::Acquire, Ordering::Relaxed).is_err() {
            spins += 1;
            if spins % SPINS_BEFORE_YIELD == 0 {
                std::thread::yield_now();
            } else {
                spin_hint();
            }
        }
    }

    #[inline(always)]
    fn leave(&self) {
        // Release (E1): publishes our changes to the next holder; a plain store on x86.
        self.state.store(FREE, Ordering::Release);
    }
}

impl<T> Guard<'_, T> {
    /// Lets other threads in for a moment; nothing of the value is borrowed meanwhile, as `&mut self` shows.
    #[inline]
    pub fn relax(&mut self) {
        if self.monitor.is_shared() {
            self.monitor.leave();
            std::thread::yield_now();
            self.monitor.lock();
        }
    }

    /// Runs `f` with the monitor let go, so that it may enter again (user callbacks).
    pub fn unlocked<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.monitor.leave();
        let result = f();
        if self.monitor.is_shared() {
            self.monitor.lock();
        } else {
            // Relaxed: one caller at a time, as in `enter`.
            self.monitor.state.store(BUSY, Ordering::Relaxed);
        }
        result
    }
}

impl<T> std::ops::Deref for Guard<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: `state` is BUSY on our behalf, so no other guard exists (in alone mode by the application's promise).
        unsafe { &*self.monitor.value.get() }
    }
}

impl<T> std::ops::DerefMut for Guard<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and `&mut self` keeps this the only reference made through this guard.
        unsafe { &mut *self.monitor.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.monitor.leave();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_second_entry_alone_is_noticed() {
        let monitor = Monitor::new(1);
        let guard = monitor.enter().unwrap();
        assert!(monitor.enter().is_none());
        drop(guard);
        assert!(monitor.enter().is_some());
    }

    #[test]
    fn a_callback_may_enter_again() {
        let monitor = Monitor::new(1);
        let mut guard = monitor.enter().unwrap();
        guard.unlocked(|| *monitor.enter().unwrap() = 2);
        assert_eq!(*guard, 2);
    }

    #[test]
    fn threads_take_turns_when_shared() {
        let monitor = Monitor::new(0u64);
        monitor.set_shared(true);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let mut guard = monitor.enter().unwrap();
                        *guard += 1;
                        if (*guard).is_multiple_of(100) {
                            guard.relax();
                        }
                    }
                });
            }
        });
        assert_eq!(*monitor.enter().unwrap(), 40_000);
    }
}
