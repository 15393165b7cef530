//! A biased lock: exclusive access to one value, for the state of a library.
//!
//! A C library is entered from threads that it does not know. [`BiasedLock`] gives exclusive access
//! to its value in two modes:
//!
//! * *alone*: the application promised that one thread at a time calls (below MPI_THREAD_MULTIPLE).
//!   Entering is a store, a load and a test, leaving is a store. [`BiasedLock::enter`] also sets a
//!   flag (`BUSY`), so that a broken promise is reported instead of corrupting memory.
//! * *shared*: any thread may call at any time. Entering takes a lock that spins and yields: the
//!   critical sections are short, and a blocking call releases the lock between two polls
//!   ([`Guard::relax`]).
//!
//! The lock can change from *alone* to *shared* at any time ([`BiasedLock::share`]), even while the
//! thread that is alone is inside and knows nothing of the change:
//!
//! ```text
//!     thread that is alone                   thread that shares
//!   A1  alone := 1                         S1  shared := yes, gate := shut
//!   A2  light barrier                      S2  heavy barrier (on every processor of the process)
//!   A3  gate open, not shared? in          S3  waits until alone = 0
//! ```
//!
//! Either A1 comes before the heavy barrier, and S3 sees it; or A3 comes after the barrier, sees
//! S1, and the thread takes the lock like all others. The thread that was alone may reopen the gate
//! when it leaves, so S1 to S3 are executed twice: the second time no thread is inside that could.
//!
//! In *shared* mode the lock can be biased towards one thread, its owner ([`Guard::bias`]), because
//! programs that ask for MPI_THREAD_MULTIPLE often call from one thread only. While no other thread
//! enters, the owner's short calls enter by a store and a few loads instead of an atomic exchange.
//! Another thread that takes the lock first revokes the bias in the same way:
//!
//! ```text
//!   owner                                  thread that has taken the lock
//!   F0  mark of the owner; the owner?      G1  owner := none
//!   F1  mark := 1                          G2  heavy barrier
//!   F2  light barrier                      G3  waits until the mark of the former owner = 0
//!   F3  still the owner? in
//! ```
//!
//! A thread can stop between F0 and F1 for as long as it likes, while its bias is revoked and other
//! threads become the owner one after the other. When it continues, it sets its mark, finds in F3
//! that it is not the owner, and clears its mark. Each owner therefore has a mark of its own: with
//! one mark for all, the late thread would clear that of an owner that is inside, and the next
//! thread to revoke would enter beside it. A mark is never given to another living thread, nor
//! freed while the lock exists, because a thread may be late with it.
//!
//! The lock is biased only while the value is open to short calls, so an owner need not look.
//!
//! **Rebiasing.** A thread that acquires the lock a number of times in succession becomes the owner
//! (`RebiasPolicy`). An owner that makes way for other threads gives the bias up itself, which
//! costs nothing. Revoking costs a barrier that interrupts other processors, hundreds of times the
//! cost of an exchange. If a bias lasted less than 4 times as long as its revocation, the number of
//! acquisitions for the next one doubles, up to a limit; otherwise it halves. Revocation therefore
//! takes at most a fifth of the time. While the lock is unbiased, a run of acquisitions that would
//! have been worth a revocation also halves the number.
//!
//! **Turns.** What an entry costs while several threads call is not the lock, but the value's cache
//! lines, which move to the processor of the thread that enters: some 100 ns each, many times the
//! cost of a short call. So a thread that finds the lock taken leaves the others a *turn* before it
//! *insists*, that is, takes the lock the next time that it is free, while short calls of others
//! wait behind it. Until then it spins on a word that is not on the lock's line (`turns`). A thread
//! that calls seldom has turns to spare and insists at once. A thread that only polls has no use
//! for its turn: it ends it when it makes way ([`Guard::relax`], [`Guard::end_turn`]), and so does
//! one that leaves the lock to sleep or to call the program ([`Guard::unlocked`]).
//!
//! Entering again from inside (a user's callback that calls the library) would alias the value, so
//! the caller of a callback releases the lock first ([`Guard::unlocked`]).
//!
//! Ordering edges:
//! * E1 *release of the lock → next entry*: Release store in `leave`, Acquire exchange in `lock`.
//! * E2 *last leave of the thread that was alone → the thread that shares*: Release store in
//!   `leave`, Acquire load in `share`.
//! * E3 *sharing → next entry of the thread that was alone*: covered by E1, because `share` returns
//!   with the lock held.
//! * E4 *the owner's last short call → the thread that revoked the bias*: Release store on drop of
//!   a `ShortGuard`, Acquire load in `revoke_bias`. The opposite direction is covered by E1,
//!   because the former owner takes the lock from then on.
//! * E5 *becoming the owner → the next thread that takes the lock*: covered by E1, because the
//!   owner is written and read with the lock held.
//! * E6 *revoking a thread's bias → that thread, when it finds a later owner's mark*: Release store
//!   in `rebias`, Acquire load in F0. The thread then does not find itself to be the owner. Without
//!   it, the thread could take the later owner's mark for its own.

#![allow(unsafe_code)]

use crate::{
    AtomicPtr, AtomicU8, AtomicU32, AtomicUsize, Ordering, is_this_thread, light_barrier,
    spin_hint, this_thread,
};
use std::cell::UnsafeCell;

mod rebias;
mod turns;
#[cfg(not(loom))]
mod yielding;
use rebias::RebiasPolicy;
pub use rebias::RevocationHooks;
#[cfg(not(loom))]
use yielding::yield_now;
#[cfg(not(loom))]
pub use yielding::{yield_by, yield_in_simulation};

/// The gate's value while one thread at a time calls and the value is open to short calls: see
/// [`BiasedLock::enter_open`].
const OPEN: u8 = 2;
/// The gate's bit while the thread that is alone is inside by [`BiasedLock::enter`].
const BUSY: u8 = 1;

/// Any thread may call at any time. With [`OPEN`] short calls may enter: see
/// [`BiasedLock::enter_shared_open`].
const SHARED: u8 = 1;
/// Sharing is permanent: a thread has called [`BiasedLock::share`].
const FOR_GOOD: u8 = 4;

/// Polls of a busy lock between two yields: about two microseconds, longer than most calls hold it.
const SPINS_BEFORE_YIELD: u32 = 100;
/// Smallest number of successive acquisitions after which the lock is biased towards a thread.
const REBIAS_ACQUISITIONS: u32 = if cfg!(loom) { 1 } else { 1 << 4 };
/// Largest number of such acquisitions. They take milliseconds.
const REBIAS_ACQUISITIONS_MAX: u32 = if cfg!(loom) { 1 } else { 1 << 16 };
/// A bias was worth its revocation if it lasted this many times as long.
const REVOCATION_COST_FACTOR: u64 = 4;
/// Ticks of the clock between two acquisitions, in the best case.
const ACQUISITION_TICKS: u64 = 64;
/// Yields of a thread that makes way, after which it returns although others still wait: each of
/// them has had several chances by then.
const YIELDS_TO_MAKE_WAY: u32 = 16;

/// Exclusive access to a value, for one calling thread or several.
///
/// # Examples
/// ```
/// use nemesis_sync::biased_lock::BiasedLock;
///
/// static LOCK: BiasedLock<u32> = BiasedLock::new(0);
/// *LOCK.enter().expect("one thread calls") += 1;
///
/// drop(LOCK.share(|| { /* membarrier */ }));
/// std::thread::spawn(|| *LOCK.enter().expect("several threads may call") += 1).join().unwrap();
/// assert_eq!(*LOCK.enter().unwrap(), 2);
/// ```
pub struct BiasedLock<T> {
    /// Written by the thread that is alone, and shut by a thread that shares.
    gate: AtomicU8,
    /// The thread that is alone is inside, or checks whether it may enter.
    alone: AtomicU8,
    shared: AtomicU8,
    lock: AtomicU8,
    /// Number of threads that found the lock taken.
    waiting: AtomicU32,
    /// Number of those whose turn has come.
    insisting: AtomicU32,
    /// The thread towards which the lock is biased; 0: none.
    bias_owner: AtomicUsize,
    /// The mark of the owner, or of the last one: 1 while the thread is inside without the lock, or
    /// checks whether it may enter. Null before the first owner.
    owner_mark: AtomicPtr<AtomicU8>,
    /// Accessed with the lock held only.
    rebias_policy: UnsafeCell<RebiasPolicy>,
    value: UnsafeCell<T>,
}

// SAFETY: a `Guard` or `ShortGuard` is the only way to the value, and one exists at a time, so the
// value moves between threads but is never shared.
unsafe impl<T: Send> Sync for BiasedLock<T> {}

/// Exclusive access to a [`BiasedLock`]'s value, released when dropped.
pub struct Guard<'a, T> {
    biased_lock: &'a BiasedLock<T>,
    entry: Entry,
}

/// How the holder of a guard entered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Entry {
    Alone,
    Lock,
}

/// Exclusive access for a short call, which neither releases the lock meanwhile nor changes its
/// mode.
pub struct ShortGuard<'a, T> {
    biased_lock: &'a BiasedLock<T>,
    /// The word that is set to zero when the guard is dropped; `None`: the mark of the owner, which
    /// the lock still names then. The owner's fastest calls do not keep its address.
    entry_word: Option<&'a AtomicU8>,
}

/// An unlocked lock of a value.
macro_rules! unlocked {
    ($value:expr) => {
        BiasedLock {
            gate: AtomicU8::new(0),
            alone: AtomicU8::new(0),
            shared: AtomicU8::new(0),
            lock: AtomicU8::new(0),
            waiting: AtomicU32::new(0),
            insisting: AtomicU32::new(0),
            bias_owner: AtomicUsize::new(0),
            owner_mark: AtomicPtr::new(std::ptr::null_mut()),
            rebias_policy: UnsafeCell::new(RebiasPolicy::NONE),
            value: UnsafeCell::new($value),
        }
    };
}

impl<T> BiasedLock<T> {
    /// Makes an unlocked lock in mode *alone*, the value of which is not open to short calls.
    #[cfg(not(loom))]
    pub const fn new(value: T) -> Self {
        unlocked!(value)
    }

    /// Makes an unlocked lock. The model checker's atomics are not made at compile time.
    #[cfg(loom)]
    pub fn new(value: T) -> Self {
        unlocked!(value)
    }

    /// Returns the address of the value, which only a guard may access. It tells where a token in
    /// the value lies (`guarded`).
    pub const fn as_ptr(&self) -> *mut T {
        self.value.get()
    }

    /// Switches to *shared* for good and enters. Another thread may be inside and rely on being
    /// alone: waits until it leaves or makes way ([`Guard::relax`]). `barrier` executes a full
    /// memory barrier on every running thread of the process. One thread at a time may call this.
    pub fn share(&self, mut barrier: impl FnMut()) -> Guard<'_, T> {
        // S1.
        if self.mark(SHARED | FOR_GOOD, 0) & SHARED == 0 {
            // Relaxed: a count for `relax`, on which nothing else depends.
            self.waiting.fetch_add(1, Ordering::Relaxed);
            for _ in 0..2 {
                // Relaxed (S1): ordered by the barrier.
                self.gate.store(0, Ordering::Relaxed);
                barrier();
                // Acquire (E2, S3): sees everything that the thread that was alone did to the
                // value.
                while self.alone.load(Ordering::Acquire) != 0 {
                    yield_now();
                }
            }
            // Relaxed: as above.
            self.waiting.fetch_sub(1, Ordering::Relaxed);
        }
        self.lock();
        Guard { biased_lock: self, entry: Entry::Lock }
    }

    /// Sets and clears bits of `shared` and returns the previous value.
    fn mark(&self, set: u8, clear: u8) -> u8 {
        // Relaxed: ordered by the barriers; whether the value is open is a hint, see
        // `enter_shared_open`.
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

    /// Switches back to *alone* unless sharing is permanent. On success returns the bit [`OPEN`] if
    /// the value was open, else 0.
    fn try_unshare(&self) -> Option<u8> {
        // Relaxed: as in `mark`; while the caller holds the lock, only `share` changes it.
        let before = self.shared.load(Ordering::Relaxed);
        let undone = before & FOR_GOOD == 0
            && self
                .shared
                .compare_exchange(before, 0, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok();
        undone.then_some(before & OPEN)
    }

    /// Whether the lock is in mode *shared*.
    pub fn is_shared(&self) -> bool {
        // Relaxed: `share` waits for a thread that is alone when this changes; the application
        // tells the other threads that they may call.
        self.shared.load(Ordering::Relaxed) != 0
    }

    /// Enters if one thread at a time calls, none is inside and the value was declared open
    /// ([`Guard::set_open`]), by one comparison: for calls whose instructions count. `None` gives
    /// no reason; the caller continues with [`enter`](Self::enter).
    #[inline(always)]
    pub fn enter_open(&self) -> Option<ShortGuard<'_, T>> {
        // Relaxed (A1): ordered by the barrier.
        self.alone.store(1, Ordering::Relaxed);
        light_barrier();
        // Relaxed (A3): with one caller at a time nothing else races.
        if self.gate.load(Ordering::Relaxed) == OPEN {
            return Some(ShortGuard { biased_lock: self, entry_word: Some(&self.alone) });
        }
        // Relaxed: nothing was done inside; the barriers order what earlier calls did.
        self.alone.store(0, Ordering::Relaxed);
        None
    }

    /// Enters in *shared* mode if the value was declared open, no thread insists on the lock and
    /// none is inside; the owner of the bias enters without the lock.
    #[inline(always)]
    pub fn enter_shared_open(&self) -> Option<ShortGuard<'_, T>> {
        // Relaxed: a hint; a thread that enters just before the value is closed could have done so
        // a moment earlier.
        if self.shared.load(Ordering::Relaxed) & OPEN == 0 {
            return None;
        }
        let (bias_owner, mark) = self.owner();
        if is_this_thread(bias_owner) {
            let entry_word = Some(self.enter_as_owner(mark)?);
            return Some(ShortGuard { biased_lock: self, entry_word });
        }
        // Relaxed: a hint, as above.
        if self.insisting.load(Ordering::Relaxed) > 0 {
            return None;
        }
        // Acquire (E1): as in `lock`.
        if self.lock.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return None;
        }
        self.note_acquisition();
        Some(ShortGuard { biased_lock: self, entry_word: Some(&self.lock) })
    }

    /// Enters like [`enter_shared_open`](Self::enter_shared_open), but only for the owner of the
    /// bias.
    #[inline(always)]
    pub fn enter_biased(&self) -> Option<ShortGuard<'_, T>> {
        let (bias_owner, mark) = self.owner();
        if !is_this_thread(bias_owner) {
            return None;
        }
        self.enter_as_owner(mark)?;
        Some(ShortGuard { biased_lock: self, entry_word: None })
    }

    /// F0: returns the owner and its mark. If the owner is the calling thread, the mark is, too.
    #[inline(always)]
    fn owner(&self) -> (usize, *mut AtomicU8) {
        // Acquire (E6): a thread that reads a later owner's mark reads below that it is not the
        // owner.
        let mark = self.owner_mark.load(Ordering::Acquire);
        // Relaxed: only the owner finds its own number here, and only the owner wrote it.
        (self.bias_owner.load(Ordering::Relaxed), mark)
    }

    /// The owner enters without the lock, unless its bias was revoked or it holds the lock. Returns
    /// its mark. The caller is the owner according to [`owner`](Self::owner), which has returned
    /// `mark`.
    #[inline(always)]
    fn enter_as_owner(&self, mark: *mut AtomicU8) -> Option<&AtomicU8> {
        // SAFETY: the mark of a thread that has been the owner (F0), kept as long as the lock.
        let mark = unsafe { &*mark };
        // Relaxed (F1): ordered by the barrier.
        mark.store(1, Ordering::Relaxed);
        light_barrier();
        // Relaxed (F3): a thread that revokes the bias either comes before F1 and is seen, or waits
        // in G3. While the lock is biased, only the owner or a thread about to revoke can hold it.
        if is_this_thread(self.bias_owner.load(Ordering::Relaxed))
            && self.lock.load(Ordering::Relaxed) == 0
        {
            return Some(mark);
        }
        // Relaxed: as in `enter_open`. The mark is the caller's own, and no other thread relies on
        // it.
        mark.store(0, Ordering::Relaxed);
        None
    }

    /// Enters like [`enter_shared_open`](Self::enter_shared_open), but waits for a thread that is
    /// inside.
    #[inline(never)]
    pub fn await_shared_open(&self) -> Option<ShortGuard<'_, T>> {
        // Relaxed: as in `enter_shared_open`.
        if self.shared.load(Ordering::Relaxed) & OPEN == 0 {
            return None;
        }
        self.lock();
        Some(ShortGuard { biased_lock: self, entry_word: Some(&self.lock) })
    }

    /// Enters; `None` if the promise of being alone is broken, or if a callback entered while its
    /// caller still holds the guard.
    #[inline]
    pub fn enter(&self) -> Option<Guard<'_, T>> {
        // Relaxed: this detects misuse, it is no lock.
        if !self.is_shared() && self.gate.load(Ordering::Relaxed) & BUSY != 0 {
            return None;
        }
        Some(Guard { biased_lock: self, entry: self.enter_any_mode() })
    }

    /// Enters in *shared* mode in passing, for a thread that seldom has anything to do here: it is
    /// none towards which the lock could be biased. `None` if a thread is inside, if one waits, or
    /// if the lock is biased towards another thread and the caller does not `insist`.
    pub fn enter_in_passing(&self, insist: bool) -> Option<Guard<'_, T>> {
        // Relaxed: as in `note_acquisition`, hints before the lock is taken.
        let of_another = || {
            let bias_owner = self.bias_owner.load(Ordering::Relaxed);
            bias_owner != 0 && !is_this_thread(bias_owner)
        };
        // Relaxed: as above.
        let is_busy =
            self.waiting.load(Ordering::Relaxed) > 0 || self.lock.load(Ordering::Relaxed) != 0;
        if !self.is_shared() || is_busy || of_another() && !insist {
            return None;
        }
        // Acquire (E1): as in `lock`.
        if self.lock.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            return None;
        }
        if of_another() {
            self.revoke_bias();
        }
        Some(Guard { biased_lock: self, entry: Entry::Lock })
    }

    #[inline]
    fn enter_any_mode(&self) -> Entry {
        if !self.is_shared() {
            // Relaxed (A1): ordered by the barrier.
            self.alone.store(1, Ordering::Relaxed);
            light_barrier();
            // A3.
            if !self.is_shared() {
                // Relaxed: written by the caller only; if other threads share, they shut the gate
                // again.
                let gate = self.gate.load(Ordering::Relaxed);
                self.gate.store(gate | BUSY, Ordering::Relaxed);
                return Entry::Alone;
            }
            // Relaxed: as in `enter_open`.
            self.alone.store(0, Ordering::Relaxed);
        }
        self.lock();
        Entry::Lock
    }

    #[inline]
    fn lock(&self) {
        // Acquire (E1): sees everything that the last holder did to the value.
        if self.lock.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            self.lock_busy();
        }
        self.note_acquisition();
    }

    /// Called by a thread that has just taken the lock: revokes another thread's bias, or counts
    /// the acquisition.
    #[inline(always)]
    fn note_acquisition(&self) {
        // Relaxed (E5): written with the lock held only.
        let bias_owner = self.bias_owner.load(Ordering::Relaxed);
        if bias_owner != 0 {
            if !is_this_thread(bias_owner) {
                self.revoke_bias();
            }
            return;
        }
        // SAFETY: accessed with the lock held only, and the caller holds it.
        let rebias_policy = unsafe { &mut *self.rebias_policy.get() };
        if rebias_policy.thread != this_thread() {
            if rebias_policy.acquisitions_needed.saturating_sub(rebias_policy.acquisitions_left)
                > rebias_policy.worth_acquisitions
            {
                rebias_policy.acquisitions_needed =
                    (rebias_policy.acquisitions_needed / 2).max(REBIAS_ACQUISITIONS);
            }
            (rebias_policy.thread, rebias_policy.acquisitions_left) =
                (this_thread(), rebias_policy.acquisitions_needed);
            return;
        }
        rebias_policy.acquisitions_left = rebias_policy.acquisitions_left.wrapping_sub(1);
        if rebias_policy.acquisitions_left == 0 {
            self.rebias();
        }
    }

    /// Biases the lock towards the thread of the policy, which is the caller and holds the lock. If
    /// the value is closed, tries again at the caller's next acquisition.
    #[cold]
    fn rebias(&self) {
        // SAFETY: as in `note_acquisition`.
        let rebias_policy = unsafe { &mut *self.rebias_policy.get() };
        // Relaxed: while the value is open to short calls changes with the lock held only.
        if self.shared.load(Ordering::Relaxed) & OPEN == 0 {
            rebias_policy.acquisitions_left = 1;
        } else if rebias_policy.acquisitions_needed > 0 {
            // Release (E6): publishes that the last owner's bias was revoked.
            self.owner_mark.store(rebias_policy.mark(), Ordering::Release);
            // Relaxed: read by this thread, and by others with the lock held.
            self.bias_owner.store(rebias_policy.thread, Ordering::Relaxed);
            (rebias_policy.thread, rebias_policy.acquisitions_left, rebias_policy.since) =
                (0, rebias_policy.acquisitions_needed, (rebias_policy.hooks.clock)());
        }
    }

    /// The caller, which holds the lock, gives up its bias if it has it. Returns whether it had it.
    fn give_bias_up(&self) -> bool {
        // Relaxed: written with the lock held only; the owner is in no short call now.
        let had_it = is_this_thread(self.bias_owner.load(Ordering::Relaxed));
        if had_it {
            self.bias_owner.store(0, Ordering::Relaxed);
        }
        had_it
    }

    /// The caller, which holds the lock and has closed the value, gives up its bias until it takes
    /// the lock and the value is open again.
    fn suspend_bias(&self) {
        if self.give_bias_up() {
            // SAFETY: as in `note_acquisition`.
            let rebias_policy = unsafe { &mut *self.rebias_policy.get() };
            (rebias_policy.thread, rebias_policy.acquisitions_left) = (this_thread(), 1);
        }
    }

    /// The caller has taken the lock of another thread's bias: from now on no thread enters without
    /// the lock.
    #[cold]
    fn revoke_bias(&self) {
        // SAFETY: as in `note_acquisition`.
        let rebias_policy = unsafe { &mut *self.rebias_policy.get() };
        let RevocationHooks { barrier, clock } = rebias_policy.hooks;
        let end = clock();
        // Relaxed (G1): ordered by the barrier.
        self.bias_owner.store(0, Ordering::Relaxed);
        barrier();
        let min_bias_ticks = REVOCATION_COST_FACTOR * clock().wrapping_sub(end);
        let acquisitions_needed = if end.wrapping_sub(rebias_policy.since) > min_bias_ticks {
            rebias_policy.acquisitions_needed / 2
        } else {
            rebias_policy.acquisitions_needed * 2
        };
        rebias_policy.acquisitions_needed =
            acquisitions_needed.clamp(REBIAS_ACQUISITIONS, REBIAS_ACQUISITIONS_MAX);
        rebias_policy.acquisitions_left = rebias_policy.acquisitions_needed;
        rebias_policy.worth_acquisitions = if min_bias_ticks == 0 {
            u32::MAX
        } else {
            u32::try_from(min_bias_ticks / ACQUISITION_TICKS).unwrap_or(u32::MAX)
        };
        // Relaxed: written with the lock held only.
        // SAFETY: there has been an owner, the marks of which are kept as long as the lock.
        let mark = unsafe { &*self.owner_mark.load(Ordering::Relaxed) };
        // Acquire (E4, G3): sees everything that the owner did to the value.
        while mark.load(Ordering::Acquire) != 0 {
            yield_now();
        }
    }

    #[cold]
    fn lock_busy(&self) {
        // Relaxed: a count for `relax`, on which nothing else depends.
        self.waiting.fetch_add(1, Ordering::Relaxed);
        // Relaxed: as above.
        turns::leave(self.waiting.load(Ordering::Relaxed));
        self.insisting.fetch_add(1, Ordering::Relaxed);
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
        self.insisting.fetch_sub(1, Ordering::Relaxed);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
    }

    #[inline]
    fn leave(&self, entry: Entry) {
        if entry == Entry::Lock {
            // Release (E1): publishes this thread's changes to the next holder.
            return self.lock.store(0, Ordering::Release);
        }
        // Relaxed: as in `enter_any_mode`; E2 orders it before what follows.
        let gate = self.gate.load(Ordering::Relaxed);
        self.gate.store(gate & !BUSY, Ordering::Relaxed);
        // Release (E2): publishes this thread's changes to a thread that shares.
        self.alone.store(0, Ordering::Release);
    }
}

#[cfg(loom)]
use loom::thread::yield_now;

impl<T> Guard<'_, T> {
    /// Makes way for threads that wait for the lock, if any. No part of the value is borrowed
    /// meanwhile, as `&mut self` shows. Without this, a blocking call that releases and retakes the
    /// lock in a loop would retake it before a waiting thread notices.
    #[inline]
    pub fn relax(&mut self) {
        // Relaxed: a thread that is missed now is seen the next time.
        if self.biased_lock.is_shared() && self.biased_lock.waiting.load(Ordering::Relaxed) > 0 {
            self.make_way();
        }
    }

    /// Ends the caller's turn: threads that wait for the lock may take it as soon as the caller
    /// leaves. For calls that have found nothing to do.
    #[inline]
    pub fn end_turn(&self) {
        // Relaxed: as in `relax`.
        if self.biased_lock.is_shared() && self.biased_lock.waiting.load(Ordering::Relaxed) > 0 {
            turns::end();
        }
    }

    #[cold]
    fn make_way(&mut self) {
        if self.entry == Entry::Lock {
            self.biased_lock.give_bias_up();
        }
        self.biased_lock.leave(self.entry);
        turns::end();
        for _ in 0..YIELDS_TO_MAKE_WAY {
            yield_now();
            // Relaxed: as in `relax`.
            if self.biased_lock.waiting.load(Ordering::Relaxed) == 0 {
                break;
            }
        }
        self.entry = self.biased_lock.enter_any_mode();
    }

    /// Runs `f` with the lock released, so that `f` may enter again (user callbacks), or may sleep.
    pub fn unlocked<R>(&mut self, f: impl FnOnce() -> R) -> R {
        self.end_turn();
        self.biased_lock.leave(self.entry);
        let result = f();
        self.entry = self.biased_lock.enter_any_mode();
        result
    }

    /// Switches to *shared* (`true`) or back to *alone* (`false`). The caller must be the only
    /// thread that calls, and threads that it starts later see what it did before. After
    /// [`BiasedLock::share`] the mode stays *shared*.
    pub fn set_shared(&mut self, shared: bool) {
        let biased_lock = self.biased_lock;
        match (self.entry, shared) {
            (Entry::Alone, true) => {
                biased_lock.lock();
                // Relaxed: written by the caller only, as in `enter_any_mode`.
                let open = biased_lock.gate.load(Ordering::Relaxed) & OPEN;
                biased_lock.gate.store(BUSY, Ordering::Relaxed);
                biased_lock.mark(SHARED | open, 0);
                biased_lock.leave(Entry::Alone);
                self.entry = Entry::Lock;
            }
            (Entry::Lock, false) => {
                // Relaxed (A1): ordered by the barrier.
                biased_lock.alone.store(1, Ordering::Relaxed);
                light_barrier();
                biased_lock.suspend_bias();
                if let Some(open) = biased_lock.try_unshare() {
                    // Relaxed: as above.
                    biased_lock.gate.store(open | BUSY, Ordering::Relaxed);
                    biased_lock.lock.store(0, Ordering::Relaxed);
                    self.entry = Entry::Alone;
                } else {
                    // Relaxed: as in `enter_open`.
                    biased_lock.alone.store(0, Ordering::Relaxed);
                }
            }
            _ => {}
        }
    }

    /// Enables biasing in *shared* mode: a thread that acquires the lock several times in
    /// succession needs no lock for short calls until another thread enters.
    pub fn enable_rebias(&mut self, hooks: RevocationHooks) {
        if self.entry == Entry::Lock {
            // SAFETY: accessed with the lock held only, and this guard holds it.
            let rebias_policy = unsafe { &mut *self.biased_lock.rebias_policy.get() };
            // The caller, which holds the lock, may be the first owner.
            (
                rebias_policy.hooks,
                rebias_policy.acquisitions_needed,
                rebias_policy.acquisitions_left,
            ) = (hooks, REBIAS_ACQUISITIONS, REBIAS_ACQUISITIONS);
        }
    }

    /// Biases the lock towards the caller at once. Has no effect before
    /// [`enable_rebias`](Self::enable_rebias).
    pub fn bias(&mut self) {
        if self.entry == Entry::Lock {
            // SAFETY: as in `enable_rebias`.
            unsafe { (*self.biased_lock.rebias_policy.get()).thread = this_thread() };
            self.biased_lock.rebias();
        }
    }

    /// Whether any thread may call at any time.
    pub fn is_shared(&self) -> bool {
        self.biased_lock.is_shared()
    }

    /// Declares whether the value is in the state that callers of [`BiasedLock::enter_open`] and
    /// [`BiasedLock::enter_shared_open`] expect.
    pub fn set_open(&mut self, open: bool) {
        let open = if open { OPEN } else { 0 };
        if self.entry == Entry::Lock {
            self.biased_lock.mark(open, OPEN & !open);
            if open == 0 {
                self.biased_lock.suspend_bias();
            }
        } else {
            // Relaxed: written by the caller only, as in `enter_any_mode`.
            self.biased_lock.gate.store(open | BUSY, Ordering::Relaxed);
        }
    }
}

impl<T> std::ops::Deref for Guard<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: this guard is inside, so no other guard exists (in *alone* mode by the
        // application's promise).
        unsafe { &*self.biased_lock.value.get() }
    }
}

impl<T> std::ops::DerefMut for Guard<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: as in `deref`, and `&mut self` makes this the only reference made through this
        // guard.
        unsafe { &mut *self.biased_lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.biased_lock.leave(self.entry);
    }
}

impl<T> ShortGuard<'_, T> {
    /// Whether one thread at a time calls, so that the holder may stay inside for a while.
    #[inline(always)]
    pub fn is_alone(&self) -> bool {
        self.entry_word.is_some_and(|word| std::ptr::eq(word, &self.biased_lock.alone))
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
        let word = self.entry_word.unwrap_or_else(|| {
            // Relaxed: the mark by which this thread entered. A thread that revokes the bias leaves
            // it there, and waits, so no other thread becomes the owner.
            // SAFETY: as in `enter_as_owner`.
            unsafe { &*self.biased_lock.owner_mark.load(Ordering::Relaxed) }
        });
        // Release (E1, E2, E4): publishes this thread's changes to the next holder, or to a thread
        // that shares.
        word.store(0, Ordering::Release);
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
