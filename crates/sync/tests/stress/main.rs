//! Stress tests of the biased lock: no two threads are inside at once, whatever the way in, and no
//! change of the value is lost.

#![cfg(not(loom))]
#![allow(unsafe_code)]

#[allow(dead_code)]
mod harness;

use harness::{Clock, Random, Worker, duration, stress, stress_for};
use nemesis_sync::biased_lock::{BiasedLock, RevocationHooks};
use nemesis_sync::{AtomicU64, AtomicUsize, Ordering};
use nemesis_sys::membarrier;
use std::time::{Duration, Instant};

/// The value of a lock, which tells when a second thread changes it.
#[derive(Default)]
struct Value {
    /// The thread that is inside; 0: none.
    inside: u64,
    entries: u64,
}

impl Value {
    /// What thread number `me`, from 1 on, does inside: a few memory accesses.
    fn enter(&mut self, me: u64, work: u64) {
        let entries = self.read_entries();
        self.write_inside(0, me);
        for _ in 0..work {
            assert_eq!(self.read_inside(), me, "another thread is inside");
        }
        self.write_entries(entries);
        self.write_inside(me, 0);
    }

    fn write_inside(&mut self, from: u64, to: u64) {
        assert_eq!(self.read_inside(), from, "another thread is inside");
        // SAFETY: a reference; volatile, because another thread may change the value if the lock
        // has a fault.
        unsafe { std::ptr::from_mut(&mut self.inside).write_volatile(to) };
    }

    fn read_inside(&self) -> u64 {
        // SAFETY: as in `write_inside`.
        unsafe { std::ptr::from_ref(&self.inside).read_volatile() }
    }

    fn read_entries(&self) -> u64 {
        // SAFETY: as in `write_inside`.
        unsafe { std::ptr::from_ref(&self.entries).read_volatile() }
    }

    /// Counts one entry more than there were.
    fn write_entries(&mut self, before: u64) {
        // SAFETY: as in `write_inside`.
        unsafe { std::ptr::from_mut(&mut self.entries).write_volatile(before + 1) };
    }
}

/// Counts calls. As the clock of a lock it makes biases worth their revocation, so that the lock
/// stays ready to become biased again.
static CALLS: AtomicU64 = AtomicU64::new(0);

fn hooks() -> RevocationHooks {
    // Relaxed: a number.
    let clock = || CALLS.load(Ordering::Relaxed);
    RevocationHooks { barrier: membarrier::own_threads_only, clock }
}

/// Enters once as MPI calls do, in one of the ways in.
fn call(lock: &BiasedLock<Value>, me: u64, random: &mut Random) {
    // Some calls last longer than a revocation, so that its end finds the owner inside.
    let work = if random.once_in(4) { random.below(4000) } else { random.below(20) };
    // Relaxed: a number.
    CALLS.fetch_add(1, Ordering::Relaxed);
    match random.below(64) {
        0 => {
            let mut guard = lock.enter().expect("threads may come at any time");
            guard.enter(me, work);
            guard.relax();
            guard.enter(me, work);
        }
        1 => {
            let mut guard = lock.enter().expect("threads may come at any time");
            guard.enter(me, work);
            guard.unlocked(|| {
                lock.enter().expect("threads may come at any time").enter(me, work);
            });
        }
        2..5 => {
            let mut guard = lock.enter().expect("threads may come at any time");
            guard.enter(me, work);
            guard.enter(me, work);
        }
        _ => {
            for _ in 0..2 {
                match lock.enter_open().or_else(|| lock.enter_biased()) {
                    Some(mut guard) => guard.enter(me, work),
                    None => lock
                        .enter_shared_open()
                        .or_else(|| lock.await_shared_open())
                        .expect("the value is open")
                        .enter(me, work),
                }
            }
        }
    }
}

/// Threads take turns in runs of calls, so that the bias moves from one to the other.
#[test]
fn the_bias_moves_between_threads() {
    let lock = BiasedLock::new(Value::default());
    let mut guard = lock.share(membarrier::own_threads);
    guard.set_open(true);
    guard.enable_rebias(hooks());
    drop(guard);
    let calls = AtomicU64::new(0);
    let work = |me: u64| {
        let (lock, calls) = (&lock, &calls);
        Worker::new(move |clock| {
            let (mut random, mut own) = (Random::new(me), 0);
            while clock.goes_on() {
                for _ in 0..20 + random.below(100) {
                    call(lock, me, &mut random);
                    own += 2;
                }
                if random.once_in(4) {
                    std::thread::sleep(Duration::from_micros(random.below(200)));
                }
            }
            // Relaxed: read when all threads have ended.
            calls.fetch_add(own, Ordering::Relaxed);
        })
    };
    stress((1..=3).map(work).collect());
    let entries = lock.enter().expect("no thread is inside").entries;
    assert_eq!(entries, calls.into_inner(), "no entry is lost");
}

/// Threads that call all the time keep the lock for turns, and each gets its part.
#[test]
fn threads_that_call_all_the_time_take_turns() {
    let lock = BiasedLock::new((0_u64, 0_u64));
    let mut guard = lock.share(membarrier::own_threads);
    guard.set_open(true);
    drop(guard);
    let calls = [const { AtomicU64::new(0) }; 2];
    let work = |me: usize| {
        let (lock, calls) = (&lock, &calls[me]);
        Worker::new(move |clock| {
            let mut own = 0;
            while clock.goes_on() {
                let guard = lock.enter_shared_open().or_else(|| lock.await_shared_open());
                let mut guard = guard.expect("the value is open");
                let (last, changes) = *guard;
                *guard = (me as u64, changes + u64::from(last != me as u64));
                own += 1;
            }
            // Relaxed: read when both threads have ended.
            calls.store(own, Ordering::Relaxed);
        })
    };
    stress((0..2).map(work).collect());
    let (_, changes) = *lock.enter().expect("no thread is inside");
    let [one, two] = calls.map(AtomicU64::into_inner);
    assert!(changes * 4 < one + two, "{changes} changes of the thread in {one} + {two} calls");
    assert!(one.min(two) * 50 > one.max(two), "a thread starves: {one} and {two} calls");
}

/// A thread that is alone calls while another one shares the lock, for a series of locks.
#[test]
fn sharing_interrupts_a_thread_that_is_alone() {
    const LOCKS: usize = 2000;
    let end = Instant::now() + duration();
    while Instant::now() < end {
        let locks: Vec<_> = (0..LOCKS).map(|_| BiasedLock::new(Value::default())).collect();
        let (reached, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let alone = |clock: &Clock| {
            let mut random = Random::new(1);
            for (index, lock) in locks.iter().enumerate().take_while(|_| clock.goes_on()) {
                lock.enter().expect("no thread is inside").set_open(true);
                // Release: the other thread may use the lock.
                reached.store(index + 1, Ordering::Release);
                let (mut calls, mut more) = (0, random.below(40));
                // Acquire: pairs with the Release of the other thread.
                while done.load(Ordering::Acquire) <= index || more > 0 {
                    clock.check();
                    more = more.saturating_sub(1);
                    match lock.enter_open() {
                        Some(mut guard) => guard.enter(1, 3),
                        None => lock.enter().expect("the other thread shares").enter(1, 3),
                    }
                    calls += 1;
                }
                let entries = lock.enter().expect("no thread is inside").entries;
                assert_eq!(entries, calls + 3, "no entry is lost");
            }
            // Release: as above.
            reached.store(LOCKS + 1, Ordering::Release);
        };
        let shares = |clock: &Clock| {
            let mut random = Random::new(2);
            for (index, lock) in locks.iter().enumerate() {
                // Acquire: pairs with the Release of the thread that is alone.
                clock.wait_for("the next lock", || reached.load(Ordering::Acquire) > index);
                if reached.load(Ordering::Acquire) > LOCKS {
                    break;
                }
                (0..random.below(300)).for_each(|_| std::hint::spin_loop());
                let mut guard = lock.share(membarrier::own_threads);
                guard.enable_rebias(hooks());
                guard.enter(2, 3);
                drop(guard);
                (0..2).for_each(|_| lock.enter().expect("the lock is shared").enter(2, 3));
                // Release: as above.
                done.store(index + 1, Ordering::Release);
            }
        };
        stress_for(
            end.saturating_duration_since(Instant::now()),
            vec![Worker::new(alone), Worker::new(shares)],
        );
    }
}
