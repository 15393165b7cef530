//! One value, one user at a time: the guard around a library's state.
//!
//! A C library is entered from threads it does not know. [`BiasedLock`] hands out exclusive access to its value in two modes:
//!
//! * *alone*: the application promised that one thread at a time calls (below MPI_THREAD_MULTIPLE). Entering is a store, a load and a test, leaving a store;
//!   who enters the long way shuts the gate behind him, which tells a broken promise instead of corrupting memory.
//! * *shared*: any thread may come at any time. Entering takes a lock, a spinning one with yield: the sections are short, and a blocking call
//!   lets go between two polls ([`Guard::relax`]).
//!
//! From *alone* to *shared* it goes at any time ([`BiasedLock::share`]), even while the one who was alone is inside and knows nothing of it:
//!
//! ```text
//!   who is alone                           who wants to share
//!   A1  alone := 1                         S1  shared := yes, gate := shut
//!   A2  light barrier                      S2  heavy barrier (stops every processor of the process)
//!   A3  gate open, not shared? in          S3  waits until alone = 0
//! ```
//!
//! Either A1 comes before the heavy barrier, and S3 sees it; or A3 comes after it, sees S1, and takes the lock like everybody. The one who was alone has
//! opened the gate behind himself perhaps, as he left, so S1 to S3 are done twice: the second time nobody is inside who would.
//!
//! In *shared* mode one thread may be favoured ([`Guard::bias`]), since programs that ask for all threads mostly come from one: as long as nobody else
//! comes, its short calls enter by a store and two loads instead of an exchange. Whoever else takes the lock ends that first, in the same manner:
//!
//! ```text
//!   favourite                              who has taken the lock
//!   F1  visit := 1                         G1  favourite := nobody
//!   F2  light barrier                      G2  heavy barrier
//!   F3  still the favourite? in            G3  waits until visit = 0
//! ```
//!
//! Then whoever comes several times behind each other is the next ([`RebiasPolicy`]);
//! one that lets others in gives the favour up by itself, which costs nothing. A
//! barrier that has to interrupt another processor takes as long as hundreds of exchanges. So a favour that lasted too short for what its end cost makes the
//! next one ask for twice as many visits, up to a limit, and one that was worth it for half as many: ending them soon takes no more than a fifth of the time.
//! Visits behind each other that would have been worth it tell the same where nobody is favoured any more.
//!
//! Entering again from inside (a user's callback that calls the library) would alias the value, so whoever calls the user lets go first
//! ([`Guard::unlocked`]).
//!
//! Ordering edges: E1 *release of the lock → next entry*: Release store in `leave`, Acquire exchange in `lock`. E2 *the last leave of the one who was alone
//! → whoever shares*: Release store in `leave`, Acquire load in `share`. E3 *sharing → the next entry by the lock of the one who was alone* goes over
//! E1, since `share` ends inside. E4 *the favourite's last visit → who has ended that*: Release store in `leave`, Acquire load in `revoke_bias`; the other way
//! round it goes over E1, since the favourite takes the lock from then on. E5 *becoming the favourite → who takes the lock next* goes over E1, too: it is done
//! with the lock, and looked for behind it.

#![allow(unsafe_code)]

use crate::{AtomicU8, AtomicU32, AtomicUsize, Ordering, light_barrier, spin_hint, this_thread};
use std::cell::UnsafeCell;

/// One thread at a time comes, and the value is in the state that most calls need: see [`BiasedLock::enter_open`].
const OPEN: u8 = 2;
/// The one who is alone is inside, by the long way.
const BUSY: u8 = 1;

/// Threads come at any time. With [`OPEN`] the value is open to them: see [`BiasedLock::enter_shared_open`].
const SHARED: u8 = 1;
/// They do for good: one has come without asking who is inside.
const FOR_GOOD: u8 = 4;

/// Polls of a busy lock before the processor is given away: about two microseconds, longer than most calls keep it.
const SPINS_BEFORE_YIELD: u32 = 100;
/// Visits of one thread behind each other that make it the favourite, at least and at most. The latter take milliseconds.
const REBIAS_ACQUISITIONS: u32 = if cfg!(loom) { 1 } else { 1 << 4 };
const REBIAS_ACQUISITIONS_MAX: u32 = if cfg!(loom) { 1 } else { 1 << 16 };
/// A favour has been worth its end if it lasted so many times as long.
const TIMES_AS_LONG: u64 = 4;
/// Ticks of the clock in which a visit by the lock ends, and the next begins, at best.
const ACQUISITION_TICKS: u64 = 64;
/// How often one who makes way yields before it comes back although others still wait: each of them has had several turns.
const YIELDS_TO_MAKE_WAY: u32 = 16;

pub struct BiasedLock<T> {
    /// Written by the one who is alone, and shut by whoever shares.
    gate: AtomicU8,
    /// The one who is alone is inside, or looks whether he may be.
    alone: AtomicU8,
    shared: AtomicU8,
    lock: AtomicU8,
    /// Threads that found the lock taken.
    waiting: AtomicU32,
    /// The thread that enters without the lock until another comes; 0: none.
    bias_owner: AtomicUsize,
    /// It is inside that way, or looks whether it may be.
    visit: AtomicU8,
    /// Touched with the lock only.
    regular: UnsafeCell<RebiasPolicy>,
    value: UnsafeCell<T>,
}

// SAFETY: `Guard` is the only way to the value, and there is one at a time, so the value moves between threads but is never shared.
unsafe impl<T: Send> Sync for BiasedLock<T> {}

/// Who has taken the lock last, and becomes the favourite if nobody else comes.
struct RebiasPolicy {
    thread: usize,
    /// How often it comes yet before it does. Unless threads may be favoured, no visit brings it to zero.
    acquisitions_left: u32,
    /// How often the next one has to come; 0: nobody is favoured.
    visits: u32,
    /// How many a favour would have to save to be worth its end, as the last one ended.
    worth: u32,
    /// When it became the favourite.
    since: u64,
    means: RevocationHooks,
}

impl RebiasPolicy {
    const NOBODY: RebiasPolicy = RebiasPolicy {
        thread: 0,
        acquisitions_left: 0,
        visits: 0,
        worth: u32::MAX,
        since: 0,
        means: RevocationHooks { barrier: || {}, clock: || 0 },
    };
}

/// What ending a favour needs.
#[derive(Clone, Copy)]
pub struct RevocationHooks {
    /// G2: a full memory barrier on every running thread of the process.
    pub barrier: fn(),
    /// Of the processor's ticks. With one that stands still no favour is worth its end.
    pub clock: fn() -> u64,
}

/// Exclusive access to a [`BiasedLock`]'s value, let go when dropped.
pub struct Guard<'a, T> {
    biased_lock: &'a BiasedLock<T>,
    way: Way,
}

/// How a guard's holder came in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Alone,
    Lock,
}

/// The same for calls that count instructions, who neither let go nor change anything of the monitor.
pub struct ShortGuard<'a, T> {
    biased_lock: &'a BiasedLock<T>,
    /// What the holder has to put back to zero.
    door: &'a AtomicU8,
}

impl<T> BiasedLock<T> {
    #[cfg(not(loom))]
    pub const fn new(value: T) -> Self {
        let (gate, alone, shared, lock) =
            (AtomicU8::new(0), AtomicU8::new(0), AtomicU8::new(0), AtomicU8::new(0));
        let (waiting, bias_owner, visit) =
            (AtomicU32::new(0), AtomicUsize::new(0), AtomicU8::new(0));
        let regular = UnsafeCell::new(RebiasPolicy::NOBODY);
        BiasedLock {
            gate,
            alone,
            shared,
            lock,
            waiting,
            bias_owner,
            visit,
            regular,
            value: UnsafeCell::new(value),
        }
    }

    #[cfg(loom)]
    pub fn new(value: T) -> Self {
        let (gate, alone, shared, lock) =
            (AtomicU8::new(0), AtomicU8::new(0), AtomicU8::new(0), AtomicU8::new(0));
        let (waiting, bias_owner, visit) =
            (AtomicU32::new(0), AtomicUsize::new(0), AtomicU8::new(0));
        let regular = UnsafeCell::new(RebiasPolicy::NOBODY);
        BiasedLock {
            gate,
            alone,
            shared,
            lock,
            waiting,
            bias_owner,
            visit,
            regular,
            value: UnsafeCell::new(value),
        }
    }

    /// From now on threads may come at any time; the first of them is the caller, who is not inside yet. Another thread may be, in good faith that it is
    /// alone: this waits until it leaves, or lets others in ([`Guard::relax`]). `barrier` is a full memory barrier on every running thread of the
    /// process. One thread at a time calls this.
    pub fn share(&self, mut barrier: impl FnMut()) -> Guard<'_, T> {
        // S1.
        if self.mark(SHARED | FOR_GOOD, 0) & SHARED == 0 {
            // Relaxed: a count for `relax`, which nothing else hangs on.
            self.waiting.fetch_add(1, Ordering::Relaxed);
            for _ in 0..2 {
                // Relaxed (S1): ordered by the barrier.
                self.gate.store(0, Ordering::Relaxed);
                barrier();
                // Acquire (E2, S3): sees all that the one who was alone did to the value.
                while self.alone.load(Ordering::Acquire) != 0 {
                    yield_now();
                }
            }
            // Relaxed: as above.
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        self.lock();
        Guard { biased_lock: self, way: Way::Lock }
    }

    /// Sets and clears bits of `shared`; the answer is what it was.
    fn mark(&self, set: u8, clear: u8) -> u8 {
        // Relaxed: ordered by the barriers; whether the value is open is advice, see `enter_shared_open`.
        let mut before = self.shared.load(Ordering::Relaxed);
        loop {
            // Relaxed: as above.
            match self.shared.compare_exchange(
                before,
                before & !clear | set,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return before,
                Err(now) => before = now,
            }
        }
    }

    /// Back to one thread at a time, unless it is for good; whether the value was open, as a bit.
    fn try_unshare(&self) -> Option<u8> {
        // Relaxed: as in `mark`; while the lock is the caller's, only `share` changes it.
        let before = self.shared.load(Ordering::Relaxed);
        let undone = before & FOR_GOOD == 0
            && self
                .shared
                .compare_exchange(before, 0, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        undone.then_some(before & OPEN)
    }

    pub fn is_shared(&self) -> bool {
        // Relaxed: whoever is alone when this changes is waited for, see `share`; to the others the application tells that they may come.
        self.shared.load(Ordering::Relaxed) != 0
    }

    /// Enters if one thread at a time comes, nobody is inside and the value was declared open ([`Guard::set_open`]): all in one comparison, for
    /// calls that count instructions. `None` says nothing about the reason; [`enter`](Self::enter) finds it out.
    #[inline(always)]
    pub fn enter_open(&self) -> Option<ShortGuard<'_, T>> {
        // Relaxed (A1): ordered by the barrier.
        self.alone.store(1, Ordering::Relaxed);
        light_barrier();
        // Relaxed (A3): with one caller at a time nothing else races.
        if self.gate.load(Ordering::Relaxed) == OPEN {
            return Some(ShortGuard { biased_lock: self, door: &self.alone });
        }
        // Relaxed: nothing was done inside; what earlier visits did is ordered by the barriers.
        self.alone.store(0, Ordering::Relaxed);
        None
    }

    /// The same where threads come at any time: takes the lock if the value was declared open, nobody waits for it and nobody is inside. Then the caller,
    /// who may look at one place for a while, holds up nobody who came before. The favourite enters without it.
    #[inline(always)]
    pub fn enter_shared_open(&self) -> Option<ShortGuard<'_, T>> {
        // Relaxed: advice; whoever goes the short way just before it is shut does what he could have done a moment earlier.
        if self.shared.load(Ordering::Relaxed) & OPEN == 0 {
            return None;
        }
        // Relaxed: only the favourite itself finds its own number, and only it made that so.
        let bias_owner = self.bias_owner.load(Ordering::Relaxed);
        if bias_owner == this_thread() {
            return self.visit(bias_owner);
        }
        // Relaxed: as above.
        if self.waiting.load(Ordering::Relaxed) > 0 {
            return None;
        }
        // Acquire (E1): as in `lock`.
        if self.lock.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return None;
        }
        self.note_acquisition();
        Some(ShortGuard { biased_lock: self, door: &self.lock })
    }

    /// As [`enter_shared_open`](Self::enter_shared_open) for the favourite only.
    #[inline(always)]
    pub fn enter_biased(&self) -> Option<ShortGuard<'_, T>> {
        // Relaxed: as in `enter_shared_open`.
        let bias_owner = self.bias_owner.load(Ordering::Relaxed);
        let is_open = self.shared.load(Ordering::Relaxed) & OPEN != 0;
        if is_open && bias_owner == this_thread() { self.visit(bias_owner) } else { None }
    }

    /// The favourite enters, unless it is not one any more or is inside by the lock.
    #[inline(always)]
    fn visit(&self, bias_owner: usize) -> Option<ShortGuard<'_, T>> {
        // Relaxed (F1): ordered by the barrier.
        self.visit.store(1, Ordering::Relaxed);
        light_barrier();
        // Relaxed (F3): who ends it comes before, and is seen, or waits; a lock that others hold is none of the favourite's, or they have ended that.
        if self.bias_owner.load(Ordering::Relaxed) == bias_owner
            && self.lock.load(Ordering::Relaxed) == 0
        {
            return Some(ShortGuard { biased_lock: self, door: &self.visit });
        }
        // Relaxed: as in `enter_open`.
        self.visit.store(0, Ordering::Relaxed);
        None
    }

    /// The same, and waits for whoever is inside.
    #[inline(never)]
    pub fn await_shared_open(&self) -> Option<ShortGuard<'_, T>> {
        // Relaxed: as in `enter_shared_open`.
        if self.shared.load(Ordering::Relaxed) & OPEN == 0 {
            return None;
        }
        self.lock();
        Some(ShortGuard { biased_lock: self, door: &self.lock })
    }

    /// Enters; `None` when a promise to be alone is broken (or a callback entered without the guard having been let go).
    #[inline]
    pub fn enter(&self) -> Option<Guard<'_, T>> {
        // Relaxed: a tripwire, not a lock.
        if !self.is_shared() && self.gate.load(Ordering::Relaxed) & BUSY != 0 {
            return None;
        }
        Some(Guard { biased_lock: self, way: self.enter_somehow() })
    }

    #[inline]
    fn enter_somehow(&self) -> Way {
        if !self.is_shared() {
            // Relaxed (A1): ordered by the barrier.
            self.alone.store(1, Ordering::Relaxed);
            light_barrier();
            // A3.
            if !self.is_shared() {
                // Relaxed: the caller's own, and if others come, they shut it again.
                let gate = self.gate.load(Ordering::Relaxed);
                self.gate.store(gate | BUSY, Ordering::Relaxed);
                return Way::Alone;
            }
            // Relaxed: as in `enter_open`.
            self.alone.store(0, Ordering::Relaxed);
        }
        self.lock();
        Way::Lock
    }

    #[inline]
    fn lock(&self) {
        // Acquire (E1): sees all that the last holder did to the value.
        if self.lock.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.lock_busy();
        }
        self.note_acquisition();
    }

    /// The caller has just taken the lock: no other thread is the favourite any more, or it has come once more.
    #[inline(always)]
    fn note_acquisition(&self) {
        // Relaxed (E5): written with the lock only.
        let bias_owner = self.bias_owner.load(Ordering::Relaxed);
        if bias_owner != 0 {
            if bias_owner != this_thread() {
                self.revoke_bias();
            }
            return;
        }
        // SAFETY: touched with the lock only, which the caller has.
        let regular = unsafe { &mut *self.regular.get() };
        if regular.thread != this_thread() {
            if regular.visits.saturating_sub(regular.acquisitions_left) > regular.worth {
                regular.visits = (regular.visits / 2).max(REBIAS_ACQUISITIONS);
            }
            (regular.thread, regular.acquisitions_left) = (this_thread(), regular.visits);
            return;
        }
        regular.acquisitions_left = regular.acquisitions_left.wrapping_sub(1);
        if regular.acquisitions_left == 0 {
            self.rebias();
        }
    }

    /// The caller, who has the lock, has come often enough.
    #[cold]
    fn rebias(&self) {
        // SAFETY: as in `note_acquisition`.
        let regular = unsafe { &mut *self.regular.get() };
        if regular.visits > 0 {
            // Relaxed: read by this thread, and by others with the lock.
            self.bias_owner.store(regular.thread, Ordering::Relaxed);
            (regular.thread, regular.acquisitions_left, regular.since) =
                (0, regular.visits, (regular.means.clock)());
        }
    }

    /// The caller, who has the lock, is no favourite any more.
    fn give_bias_up(&self) {
        // Relaxed: written with the lock only; the favourite does not visit now.
        if self.bias_owner.load(Ordering::Relaxed) == this_thread() {
            self.bias_owner.store(0, Ordering::Relaxed);
        }
    }

    /// Another thread than the favourite has the lock: from now on nobody enters without.
    #[cold]
    fn revoke_bias(&self) {
        // SAFETY: as in `note_acquisition`.
        let regular = unsafe { &mut *self.regular.get() };
        let RevocationHooks { barrier, clock } = regular.means;
        let end = clock();
        // Relaxed (G1): ordered by the barrier.
        self.bias_owner.store(0, Ordering::Relaxed);
        barrier();
        let least = TIMES_AS_LONG * clock().wrapping_sub(end);
        let visits = if end.wrapping_sub(regular.since) > least {
            regular.visits / 2
        } else {
            regular.visits * 2
        };
        regular.visits = visits.clamp(REBIAS_ACQUISITIONS, REBIAS_ACQUISITIONS_MAX);
        regular.acquisitions_left = regular.visits;
        regular.worth = if least == 0 {
            u32::MAX
        } else {
            u32::try_from(least / ACQUISITION_TICKS).unwrap_or(u32::MAX)
        };
        // Acquire (E4, G3): sees all that the favourite did to the value.
        while self.visit.load(Ordering::Acquire) != 0 {
            yield_now();
        }
    }

    #[cold]
    fn lock_busy(&self) {
        // Relaxed: a count for `relax`, which nothing else hangs on.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let mut spins = 0;
        // Acquire (E1): as in `lock`.
        while self.lock.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            spins += 1;
            if spins % SPINS_BEFORE_YIELD == 0 {
                yield_now();
            } else {
                spin_hint();
            }
        }
        // Relaxed: as above.
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    #[inline]
    fn leave(&self, way: Way) {
        if way == Way::Lock {
            // Release (E1): publishes our changes to the next holder.
            return self.lock.store(0, Ordering::Release);
        }
        // Relaxed: as in `enter_somehow`; ordered before what comes after by E2.
        let gate = self.gate.load(Ordering::Relaxed);
        self.gate.store(gate & !BUSY, Ordering::Relaxed);
        // Release (E2): publishes our changes to whoever shares.
        self.alone.store(0, Ordering::Release);
    }
}

#[cfg(not(loom))]
use std::thread::yield_now;

#[cfg(loom)]
use loom::thread::yield_now;

impl<T> Guard<'_, T> {
    /// Lets the threads that wait at the door in, if there are any; nothing of the value is borrowed meanwhile, as `&mut self` shows. Whoever comes
    /// again and again, as a waiting call does, would otherwise be in before they notice that it was out.
    #[inline]
    pub fn relax(&mut self) {
        // Relaxed: whoever is missed now is seen the next time.
        if self.biased_lock.is_shared() && self.biased_lock.waiting.load(Ordering::Relaxed) > 0 {
            self.make_way();
        }
    }

    #[cold]
    fn make_way(&mut self) {
        if self.way == Way::Lock {
            self.biased_lock.give_bias_up();
        }
        self.biased_lock.leave(self.way);
        for _ in 0..YIELDS_TO_MAKE_WAY {
            yield_now();
            // Relaxed: as in `relax`.
            if self.biased_lock.waiting.load(Ordering::Relaxed) == 0 {
                break;
            }
        }
        self.way = self.biased_lock.enter_somehow();
    }

    /// Runs `f` with the monitor let go, so that it may enter again (user callbacks).
    pub fn unlocked<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.biased_lock.leave(self.way);
        let result = f();
        self.way = self.biased_lock.enter_somehow();
        result
    }

    /// From now on threads may come at any time (`true`), or one at a time comes (`false`). Nobody else is about to come: the caller is the only thread that
    /// calls, and what it starts later sees what it did before. Once somebody has come by [`BiasedLock::share`], it stays as it is.
    pub fn set_shared(&mut self, shared: bool) {
        let biased_lock = self.biased_lock;
        match (self.way, shared) {
            (Way::Alone, true) => {
                biased_lock.lock();
                // Relaxed: the caller's own, as in `enter_somehow`.
                let open = biased_lock.gate.load(Ordering::Relaxed) & OPEN;
                biased_lock.gate.store(BUSY, Ordering::Relaxed);
                biased_lock.mark(SHARED | open, 0);
                biased_lock.leave(Way::Alone);
                self.way = Way::Lock;
            }
            (Way::Lock, false) => {
                // Relaxed (A1): ordered by the barrier.
                biased_lock.alone.store(1, Ordering::Relaxed);
                light_barrier();
                if let Some(open) = biased_lock.try_unshare() {
                    // Relaxed: as above.
                    biased_lock.gate.store(open | BUSY, Ordering::Relaxed);
                    biased_lock.lock.store(0, Ordering::Relaxed);
                    self.way = Way::Alone;
                } else {
                    // Relaxed: as in `enter_open`.
                    biased_lock.alone.store(0, Ordering::Relaxed);
                }
            }
            _ => {}
        }
    }

    /// Where threads come at any time: one that comes several times behind each other needs no lock for short calls until another comes.
    pub fn enable_rebias(&mut self, means: RevocationHooks) {
        if self.way == Way::Lock {
            // SAFETY: touched with the lock only, which is ours.
            let regular = unsafe { &mut *self.biased_lock.regular.get() };
            (regular.means, regular.visits) = (means, REBIAS_ACQUISITIONS);
        }
    }

    /// After [`enable_rebias`](Self::favour_regulars): the caller needs none from now on.
    pub fn bias(&mut self) {
        if self.way == Way::Lock {
            // SAFETY: as in `enable_rebias`.
            unsafe { (*self.biased_lock.regular.get()).thread = this_thread() };
            self.biased_lock.rebias();
        }
    }

    /// Whether threads may come at any time.
    pub fn is_shared(&self) -> bool {
        self.biased_lock.is_shared()
    }

    /// Declares that the value is in the state that callers of [`BiasedLock::enter_open`] and [`BiasedLock::enter_shared_open`] expect, or no longer.
    pub fn set_open(&mut self, open: bool) {
        let open = if open { OPEN } else { 0 };
        if self.way == Way::Lock {
            self.biased_lock.mark(open, OPEN & !open);
        } else {
            // Relaxed: the caller's own, as in `enter_somehow`.
            self.biased_lock.gate.store(open | BUSY, Ordering::Relaxed);
        }
    }
}

impl<T> std::ops::Deref for Guard<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: we are inside, so no other guard exists (in alone mode by the application's promise).
        unsafe { &*self.biased_lock.value.get() }
    }
}

impl<T> std::ops::DerefMut for Guard<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and `&mut self` keeps this the only reference made through this guard.
        unsafe { &mut *self.biased_lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.biased_lock.leave(self.way);
    }
}

impl<T> ShortGuard<'_, T> {
    /// Whether one thread at a time comes, so that the holder may stay a while.
    #[inline(always)]
    pub fn is_alone(&self) -> bool {
        std::ptr::eq(self.door, &self.biased_lock.alone)
    }
}

impl<T> std::ops::Deref for ShortGuard<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: as in `Guard::deref`.
        unsafe { &*self.biased_lock.value.get() }
    }
}

impl<T> std::ops::DerefMut for ShortGuard<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `Guard::deref_mut`.
        unsafe { &mut *self.biased_lock.value.get() }
    }
}

impl<T> Drop for ShortGuard<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        // Release (E1, E2, E4): publishes our changes to the next holder, or to whoever shares.
        self.door.store(0, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::AtomicU64;

    /// What stops all processors, where the test has one thread only.
    fn nobody_else() {}

    #[test]
    fn a_second_entry_alone_is_noticed() {
        let biased_lock = BiasedLock::new(1);
        let guard = biased_lock.enter().unwrap();
        assert!(biased_lock.enter().is_none());
        drop(guard);
        assert!(biased_lock.enter().is_some());
    }

    #[test]
    fn only_an_open_monitor_is_entered_the_short_way() {
        let biased_lock = BiasedLock::new(1);
        assert!(biased_lock.enter_open().is_none());
        biased_lock.enter().unwrap().set_open(true);
        assert!(biased_lock.enter_open().is_some());
        let guard = biased_lock.enter().unwrap();
        assert!(
            biased_lock.enter_open().is_none() && biased_lock.enter().is_none(),
            "somebody is inside"
        );
        drop(guard);
        biased_lock.enter().unwrap().unlocked(|| assert!(biased_lock.enter_open().is_some()));
        biased_lock.enter().unwrap().set_open(false);
        assert!(biased_lock.enter_open().is_none());
    }

    #[test]
    fn a_callback_may_enter_again() {
        let biased_lock = BiasedLock::new(1);
        let mut guard = biased_lock.enter().unwrap();
        guard.unlocked(|| *biased_lock.enter().unwrap() = 2);
        assert_eq!(*guard, 2);
    }

    #[test]
    fn a_shared_monitor_is_entered_the_short_way_when_it_is_open() {
        let biased_lock = BiasedLock::new(1);
        biased_lock.enter().unwrap().set_open(true);
        drop(biased_lock.share(nobody_else));
        assert!(biased_lock.enter_shared_open().is_none() && biased_lock.enter_open().is_none());
        biased_lock.enter().unwrap().set_open(true);
        assert!(biased_lock.enter_open().is_none(), "without the lock only one thread may come");
        *biased_lock.enter_shared_open().unwrap() = 2;
        biased_lock.enter().unwrap().set_open(false);
        assert!(biased_lock.enter_shared_open().is_none());
        assert_eq!(*biased_lock.enter().unwrap(), 2);
    }

    #[test]
    fn a_short_call_leaves_the_lock_of_another_alone() {
        let biased_lock = BiasedLock::new(1);
        biased_lock.enter().unwrap().set_open(true);
        drop(biased_lock.share(nobody_else));
        biased_lock.enter().unwrap().set_open(true);
        let inside = biased_lock.enter_shared_open();
        assert!(
            inside.is_some()
                && biased_lock.enter_shared_open().is_none()
                && biased_lock.enter_shared_open().is_none()
        );
        drop(inside);
        assert!(
            biased_lock.await_shared_open().is_some() && biased_lock.enter_shared_open().is_some()
        );
    }

    #[test]
    fn who_comes_several_times_is_favoured() {
        static TIME: AtomicU64 = AtomicU64::new(0);
        fn passes(time: u64) {
            // Relaxed: a number, here and in the clock below.
            TIME.fetch_add(time, Ordering::Relaxed);
        }
        let biased_lock = BiasedLock::new(1);
        biased_lock.share(nobody_else).set_open(true);
        let acquisitions_until_biased = || {
            let enough = 4 * REBIAS_ACQUISITIONS_MAX;
            (0..enough)
                .find(|_| {
                    biased_lock.enter_biased().is_some()
                        || biased_lock.enter_shared_open().is_none()
                })
                .unwrap_or(enough)
        };
        assert_eq!(
            acquisitions_until_biased(),
            4 * REBIAS_ACQUISITIONS_MAX,
            "nobody is favoured unless that is asked for"
        );
        biased_lock.enter().unwrap().enable_rebias(RevocationHooks {
            barrier: || passes(10),
            clock: || TIME.load(Ordering::Relaxed),
        });
        let biased_towards = |time| {
            let visits =
                std::thread::scope(|scope| scope.spawn(acquisitions_until_biased).join().unwrap());
            passes(time);
            assert!(
                biased_lock.enter_biased().is_none() && biased_lock.enter_shared_open().is_some(),
                "it has come back"
            );
            visits - 1
        };
        assert_eq!(biased_towards(40), REBIAS_ACQUISITIONS);
        assert_eq!(
            biased_towards(41),
            2 * REBIAS_ACQUISITIONS,
            "the one before was not worth its end"
        );
        assert_eq!([biased_towards(41), biased_towards(0)], [REBIAS_ACQUISITIONS; 2]);
        let most = (0..20).map(|_| biased_towards(0)).max();
        assert_eq!([most, Some(biased_towards(0))], [Some(REBIAS_ACQUISITIONS_MAX); 2]);
        // An end takes 10 ticks, and 40 are no visit.
        let acquisitions_of_another = |visits| {
            std::thread::scope(|scope| {
                drop(scope.spawn(|| (0..visits).for_each(|_| drop(biased_lock.enter()))).join())
            })
        };
        for visits in [0, 1, 1] {
            acquisitions_of_another(visits + 1);
            drop(biased_lock.enter());
        }
        assert_eq!(biased_towards(0), REBIAS_ACQUISITIONS_MAX / 4);
    }

    #[test]
    fn who_lets_others_in_gives_the_favour_up() {
        let biased_lock = BiasedLock::new(0);
        let mut guard = biased_lock.share(nobody_else);
        guard.enable_rebias(RevocationHooks {
            barrier: || panic!("nobody has to end it"),
            clock: || 0,
        });
        guard.bias();
        std::thread::scope(|scope| {
            let other = scope.spawn(|| *biased_lock.enter().unwrap() = 1);
            while *guard == 0 {
                guard.relax();
            }
            drop(guard);
            other.join().unwrap();
        });
    }

    #[test]
    fn who_is_inside_may_let_others_come_and_send_them_away() {
        let biased_lock = BiasedLock::new(1);
        let mut guard = biased_lock.enter().unwrap();
        guard.set_open(true);
        guard.set_shared(true);
        drop(guard);
        assert!(biased_lock.enter_open().is_none() && biased_lock.enter_shared_open().is_some());
        let mut guard = biased_lock.enter().unwrap();
        guard.set_shared(false);
        assert!(biased_lock.enter().is_none());
        drop(guard);
        assert!(biased_lock.enter_shared_open().is_none() && biased_lock.enter_open().is_some());
    }

    #[test]
    fn who_shares_waits_for_the_one_who_was_alone() {
        let biased_lock = BiasedLock::new(0);
        std::thread::scope(|scope| {
            let mut guard = biased_lock.enter().unwrap();
            let other = scope.spawn(|| *biased_lock.share(nobody_else) = 1);
            while *guard == 0 {
                guard.relax();
            }
            drop(guard);
            other.join().unwrap();
        });
        assert_eq!(*biased_lock.enter().unwrap(), 1);
    }

    #[test]
    fn threads_take_turns_when_shared() {
        let biased_lock = BiasedLock::new(0u64);
        drop(biased_lock.share(nobody_else));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..10_000 {
                        let mut guard = biased_lock.enter().unwrap();
                        *guard += 1;
                        if (*guard).is_multiple_of(100) {
                            guard.relax();
                        }
                    }
                });
            }
        });
        assert_eq!(*biased_lock.enter().unwrap(), 40_000);
    }
}
