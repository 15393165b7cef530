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

use crate::{AtomicU8, AtomicU32, Ordering, spin_hint};
use std::cell::UnsafeCell;

/// Somebody is inside.
const BUSY: u8 = 1;
/// One thread at a time comes, and the value is in the state that most calls need: see [`Monitor::enter_open`].
const OPEN: u8 = 2;

/// Threads come at any time.
const SHARED: u8 = 1;
/// They do, and the value is open: see [`Monitor::enter_shared_open`].
const SHARED_OPEN: u8 = SHARED | OPEN;

/// Polls of a busy lock before the processor is given away: about two microseconds, longer than most calls keep it.
const SPINS_BEFORE_YIELD: u32 = 100;
/// How often one who makes way yields before it comes back although others still wait: each of them has had several turns.
const YIELDS_TO_MAKE_WAY: u32 = 16;

pub struct Monitor<T> {
    state: AtomicU8,
    shared: AtomicU8,
    /// Threads that found the lock taken.
    waiting: AtomicU32,
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
        Monitor { state: AtomicU8::new(0), shared: AtomicU8::new(0), waiting: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }

    #[cfg(loom)]
    pub fn new(value: T) -> Self {
        Monitor { state: AtomicU8::new(0), shared: AtomicU8::new(0), waiting: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }

    /// From now on threads may come at any time (`true`) or promise to come one at a time (`false`).
    pub fn set_shared(&self, shared: bool) {
        // Relaxed: set before the library tells the application that more threads may come; that telling orders it.
        self.shared.store(if shared { SHARED } else { 0 }, Ordering::Relaxed);
    }

    pub fn is_shared(&self) -> bool {
        // Relaxed: see `set_shared`.
        self.shared.load(Ordering::Relaxed) != 0
    }

    /// Enters if one thread at a time comes, nobody is inside and the value was declared open ([`Guard::set_open`]): all in one comparison, for
    /// calls that count instructions. `None` says nothing about the reason; [`enter`](Self::enter) finds it out.
    #[inline(always)]
    pub fn enter_open(&self) -> Option<Guard<'_, T>> {
        // Relaxed, and no exchange: as in `enter`.
        if self.state.load(Ordering::Relaxed) != OPEN {
            return None;
        }
        self.state.store(OPEN | BUSY, Ordering::Relaxed);
        Some(Guard { monitor: self })
    }

    /// The same where threads come at any time: takes the lock if the value was declared open and nobody waits for it. Then the caller, who may look
    /// at one place for a while, holds up nobody who came before.
    #[inline(always)]
    pub fn enter_shared_open(&self) -> Option<Guard<'_, T>> {
        // Relaxed: see `set_shared`. Whether the value is open changes while it is brought up and when it is put to rest, and nobody may call then.
        if self.shared.load(Ordering::Relaxed) != SHARED_OPEN || self.waiting.load(Ordering::Relaxed) > 0 {
            return None;
        }
        self.lock();
        Some(Guard { monitor: self })
    }

    /// Enters; `None` when a promise to be alone is broken (or a callback entered without the guard having been let go).
    #[inline]
    pub fn enter(&self) -> Option<Guard<'_, T>> {
        if self.is_shared() {
            self.lock();
        } else {
            // Relaxed, and no exchange: with one caller at a time nothing races; the flag is a tripwire, not a lock.
            let state = self.state.load(Ordering::Relaxed);
            if state & BUSY != 0 {
                return None;
            }
            self.state.store(state | BUSY, Ordering::Relaxed);
        }
        Some(Guard { monitor: self })
    }

    #[inline]
    fn lock(&self) {
        // Acquire (E1): sees all that the last holder did to the value.
        if self.state.compare_exchange(0, BUSY, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.lock_busy();
        }
    }

    #[cold]
    fn lock_busy(&self) {
        // Relaxed: a count for `relax`, which nothing else hangs on.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let mut spins = 0;
        // Acquire (E1): as in `lock`.
        while self.state.compare_exchange_weak(0, BUSY, Ordering::Acquire, Ordering::Relaxed).is_err() {
            spins += 1;
            if spins % SPINS_BEFORE_YIELD == 0 {
                std::thread::yield_now();
            } else {
                spin_hint();
            }
        }
        // Relaxed: as above.
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    #[inline(always)]
    fn leave(&self) {
        // Relaxed: we are inside, nobody else changes it.
        let state = self.state.load(Ordering::Relaxed);
        // Release (E1): publishes our changes to the next holder; a plain store on x86.
        self.state.store(state & !BUSY, Ordering::Release);
    }
}

impl<T> Guard<'_, T> {
    /// Lets the threads that wait at the door in, if there are any; nothing of the value is borrowed meanwhile, as `&mut self` shows. Whoever comes
    /// again and again, as a waiting call does, would otherwise be in before they notice that it was out.
    #[inline]
    pub fn relax(&mut self) {
        // Relaxed: whoever is missed now is seen the next time.
        if self.monitor.is_shared() && self.monitor.waiting.load(Ordering::Relaxed) > 0 {
            self.make_way();
        }
    }

    #[cold]
    fn make_way(&mut self) {
        self.monitor.leave();
        for _ in 0..YIELDS_TO_MAKE_WAY {
            std::thread::yield_now();
            // Relaxed: as in `relax`.
            if self.monitor.waiting.load(Ordering::Relaxed) == 0 {
                break;
            }
        }
        self.monitor.lock();
    }

    /// Runs `f` with the monitor let go, so that it may enter again (user callbacks).
    pub fn unlocked<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.monitor.leave();
        let result = f();
        if self.monitor.is_shared() {
            self.monitor.lock();
        } else {
            // Relaxed: one caller at a time, as in `enter`.
            let state = self.monitor.state.load(Ordering::Relaxed);
            self.monitor.state.store(state | BUSY, Ordering::Relaxed);
        }
        result
    }

    /// From now on threads may come at any time (`true`), or one at a time comes (`false`). Nobody else is about to come: the caller is the only thread that
    /// calls, and what it starts later sees what it did before.
    pub fn set_shared(&mut self, shared: bool) {
        // Relaxed: as in `Monitor::set_shared`, and we are inside.
        let open = if self.monitor.is_shared() {
            self.monitor.shared.load(Ordering::Relaxed) == SHARED_OPEN
        } else {
            self.monitor.state.load(Ordering::Relaxed) & OPEN != 0
        };
        self.monitor.shared.store(if shared { SHARED } else { 0 }, Ordering::Relaxed);
        self.monitor.state.store(BUSY, Ordering::Relaxed);
        self.set_open(open);
    }

    /// Whether threads may come at any time.
    pub fn is_shared(&self) -> bool {
        self.monitor.is_shared()
    }

    /// Declares that the value is in the state that callers of [`Monitor::enter_open`] and [`Monitor::enter_shared_open`] expect, or no longer.
    pub fn set_open(&mut self, open: bool) {
        if self.monitor.is_shared() {
            // Relaxed: as in `set_shared`.
            self.monitor.shared.store(if open { SHARED_OPEN } else { SHARED }, Ordering::Relaxed);
        } else {
            // Relaxed: one caller at a time, as in `enter`.
            self.monitor.state.store(if open { OPEN | BUSY } else { BUSY }, Ordering::Relaxed);
        }
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
    fn only_an_open_monitor_is_entered_the_short_way() {
        let monitor = Monitor::new(1);
        assert!(monitor.enter_open().is_none());
        monitor.enter().unwrap().set_open(true);
        let guard = monitor.enter_open().unwrap();
        assert!(monitor.enter_open().is_none() && monitor.enter().is_none(), "somebody is inside");
        drop(guard);
        monitor.enter().unwrap().unlocked(|| assert!(monitor.enter_open().is_some()));
        monitor.enter().unwrap().set_open(false);
        assert!(monitor.enter_open().is_none());
    }

    #[test]
    fn a_callback_may_enter_again() {
        let monitor = Monitor::new(1);
        let mut guard = monitor.enter().unwrap();
        guard.unlocked(|| *monitor.enter().unwrap() = 2);
        assert_eq!(*guard, 2);
    }

    #[test]
    fn a_shared_monitor_is_entered_the_short_way_when_it_is_open() {
        let monitor = Monitor::new(1);
        monitor.set_shared(true);
        assert!(monitor.enter_shared_open().is_none() && monitor.enter_open().is_none());
        monitor.enter().unwrap().set_open(true);
        assert!(monitor.enter_open().is_none(), "without the lock only one thread may come");
        *monitor.enter_shared_open().unwrap() = 2;
        monitor.enter().unwrap().set_open(false);
        assert!(monitor.enter_shared_open().is_none());
        assert_eq!(*monitor.enter().unwrap(), 2);
    }

    #[test]
    fn who_is_inside_may_let_others_come_and_send_them_away() {
        let monitor = Monitor::new(1);
        let mut guard = monitor.enter().unwrap();
        guard.set_open(true);
        guard.set_shared(true);
        drop(guard);
        assert!(monitor.enter_open().is_none() && monitor.enter_shared_open().is_some());
        let mut guard = monitor.enter().unwrap();
        guard.set_shared(false);
        assert!(monitor.enter().is_none());
        drop(guard);
        assert!(monitor.enter_shared_open().is_none() && monitor.enter_open().is_some());
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
