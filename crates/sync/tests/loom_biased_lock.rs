//! The biased lock under the model checker: the thread that is inside is the only one, and sees all
//! that the previous one did, in whichever way the threads enter.
//!
//! The value is a cell of loom, which reports two accesses that are not ordered. A heavy barrier is
//! a SeqCst fence, and so is the light one: loom has no processors to interrupt.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_sync::biased_lock::{BiasedLock, Guard, RevocationHooks};
use nemesis_sync::{Ordering, fence, weaken};
use std::sync::Arc;

type Counter = BiasedLock<UnsafeCell<u32>>;

/// Explores the interleavings of a model, with at most three preemptions each.
fn explore(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

fn heavy_barrier() {
    fence(Ordering::SeqCst);
}

/// Returns a lock in mode *alone*, which one thread at a time uses.
fn alone() -> Arc<Counter> {
    let biased_lock = Arc::new(BiasedLock::new(UnsafeCell::new(0)));
    biased_lock.enter().expect("no thread is inside").set_open(true);
    biased_lock
}

/// Returns a lock in mode *shared*.
fn shared() -> Arc<Counter> {
    let biased_lock = Arc::new(BiasedLock::new(UnsafeCell::new(0)));
    biased_lock.share(heavy_barrier).set_open(true);
    biased_lock
}

/// Returns a shared lock that is biased towards a thread that acquires it twice in succession.
fn rebiasing() -> Arc<Counter> {
    let biased_lock = shared();
    biased_lock
        .enter()
        .expect("no thread is inside")
        .enable_rebias(RevocationHooks { barrier: heavy_barrier, clock: || 0 });
    biased_lock
}

/// Returns a shared lock that is biased towards the caller.
fn biased() -> Arc<Counter> {
    let biased_lock = rebiasing();
    biased_lock.enter().expect("no thread is inside").bias();
    biased_lock
}

/// Counts up the value.
fn count(guard: &mut Guard<'_, UnsafeCell<u32>>) {
    // SAFETY: the guard is exclusive, which the model checks.
    guard.with_mut(|value| unsafe { *value += 1 });
}

/// Returns the value.
fn counted(biased_lock: &Counter) -> u32 {
    // SAFETY: as above.
    biased_lock.enter().expect("no thread is inside").with(|value| unsafe { *value })
}

/// Enters as short calls do, or else as other calls do, and counts.
fn count_in_a_short_call(biased_lock: &Counter) {
    match biased_lock
        .enter_open()
        .or_else(|| biased_lock.enter_biased())
        .or_else(|| biased_lock.enter_shared_open())
    {
        // SAFETY: the guard is exclusive, which the model checks.
        Some(guard) => guard.with_mut(|value| unsafe { *value += 1 }),
        None => count(&mut biased_lock.enter().expect("threads may come at any time")),
    }
}

fn threads_exclude_each_other() {
    explore(|| {
        let biased_lock = shared();
        let other = biased_lock.clone();
        let thread =
            thread::spawn(move || count(&mut other.enter().expect("threads may come at any time")));
        count(&mut biased_lock.enter().expect("threads may come at any time"));
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 2);
    });
}

fn short_calls_exclude_each_other() {
    explore(|| {
        let biased_lock = shared();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count_in_a_short_call(&other));
        count_in_a_short_call(&biased_lock);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 2);
    });
}

fn a_thread_that_unlocks_sees_what_others_did_meanwhile() {
    explore(|| {
        let biased_lock = shared();
        let other = biased_lock.clone();
        let thread =
            thread::spawn(move || count(&mut other.enter().expect("threads may come at any time")));
        let mut guard = biased_lock.enter().expect("threads may come at any time");
        count(&mut guard);
        guard.unlocked(thread::yield_now);
        count(&mut guard);
        drop(guard);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn sharing_waits_for_short_calls() {
    explore(|| {
        let biased_lock = alone();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        for _ in 0..2 {
            count_in_a_short_call(&biased_lock);
        }
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn sharing_waits_for_long_calls() {
    explore(|| {
        let biased_lock = alone();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        count(&mut biased_lock.enter().expect("no promise was broken"));
        count_in_a_short_call(&biased_lock);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn sharing_succeeds_while_a_call_waits_inside() {
    explore(|| {
        let biased_lock = alone();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        let mut guard = biased_lock.enter().expect("no promise was broken");
        count(&mut guard);
        guard.relax();
        count(&mut guard);
        drop(guard);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn sharing_succeeds_while_the_mode_changes() {
    explore(|| {
        let biased_lock = alone();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        let mut guard = biased_lock.enter().expect("no promise was broken");
        guard.set_shared(true);
        count(&mut guard);
        guard.set_shared(false);
        count(&mut guard);
        drop(guard);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn a_long_call_revokes_the_bias() {
    explore(|| {
        let biased_lock = biased();
        let other = biased_lock.clone();
        let thread =
            thread::spawn(move || count(&mut other.enter().expect("threads may come at any time")));
        for _ in 0..2 {
            count_in_a_short_call(&biased_lock);
        }
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn short_calls_revoke_the_bias() {
    explore(|| {
        let biased_lock = biased();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || (0..2).for_each(|_| count_in_a_short_call(&other)));
        count_in_a_short_call(&biased_lock);
        count(&mut biased_lock.enter().expect("threads may come at any time"));
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 4);
    });
}

fn the_lock_is_biased_again() {
    explore(|| {
        let biased_lock = rebiasing();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || (0..3).for_each(|_| count_in_a_short_call(&other)));
        count_in_a_short_call(&biased_lock);
        count(&mut biased_lock.enter().expect("threads may come at any time"));
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 5);
    });
}

/// The former owner stops between finding itself the owner and setting its mark, while another
/// thread revokes its bias, and a third one becomes the owner and is inside. Those two come one
/// after the other.
fn a_late_owner_disturbs_no_later_owner() {
    explore(|| {
        let biased_lock = biased();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || {
            count(&mut other.enter().expect("threads may come at any time"));
            let later_owner = thread::spawn(move || {
                for _ in 0..2 {
                    count(&mut other.enter().expect("threads may come at any time"));
                }
                count_in_a_short_call(&other);
            });
            later_owner.join().unwrap();
        });
        count_in_a_short_call(&biased_lock);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 5);
    });
}

/// A thread in passing enters beside short calls, or not at all.
fn one_in_passing(make: fn() -> Arc<Counter>, insist: bool) {
    explore(move || {
        let biased_lock = make();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || match other.enter_in_passing(insist) {
            Some(mut guard) => {
                count(&mut guard);
                1
            }
            None => 0,
        });
        (0..2).for_each(|_| count_in_a_short_call(&biased_lock));
        let passed = thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 2 + passed);
    });
}

fn a_thread_in_passing_excludes_others() {
    one_in_passing(shared, false);
}

fn a_thread_in_passing_revokes_the_bias_if_it_insists() {
    one_in_passing(biased, false);
    one_in_passing(biased, true);
}

/// The model that fails most often comes first.
const MODELS: [weaken::Model; 13] = [
    threads_exclude_each_other,
    a_long_call_revokes_the_bias,
    short_calls_revoke_the_bias,
    the_lock_is_biased_again,
    a_late_owner_disturbs_no_later_owner,
    sharing_waits_for_short_calls,
    sharing_waits_for_long_calls,
    sharing_succeeds_while_a_call_waits_inside,
    short_calls_exclude_each_other,
    a_thread_in_passing_excludes_others,
    a_thread_in_passing_revokes_the_bias_if_it_insists,
    a_thread_that_unlocks_sees_what_others_did_meanwhile,
    sharing_succeeds_while_the_mode_changes,
];

#[test]
fn threads_exclude_each_other_and_see_the_last_value() {
    MODELS.iter().for_each(|model| model());
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/biased_lock.rs",
        include_str!("../src/biased_lock.rs"),
        &MODELS,
    );
}

#[test]
fn every_mutation_is_noticed() {
    weaken::every_mutation_is_noticed(&["one mark for all threads"], &MODELS);
}
