//! The monitor under the model checker: whoever is inside is alone, and sees all that the last one did, however the threads come in.
//!
//! The value is one of loom's cells, which complains when two accesses are not ordered. A heavy barrier is a SeqCst fence, and so is the light one: loom
//! has no processors to stop.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_sync::biased_lock::{BiasedLock, Guard, RevocationHooks};
use nemesis_sync::{Ordering, fence, weaken};
use std::sync::Arc;

type Counter = BiasedLock<UnsafeCell<u32>>;

/// Explores a model's interleavings, with so many unforced switches of threads at most.
fn explore(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

fn heavy_barrier() {
    fence(Ordering::SeqCst);
}

/// One that a single thread uses so far.
fn alone() -> Arc<Counter> {
    let biased_lock = Arc::new(BiasedLock::new(UnsafeCell::new(0)));
    biased_lock.enter().expect("nobody is inside").set_open(true);
    biased_lock
}

fn shared() -> Arc<Counter> {
    let biased_lock = Arc::new(BiasedLock::new(UnsafeCell::new(0)));
    biased_lock.share(heavy_barrier).set_open(true);
    biased_lock
}

/// One that threads may share, in which whoever comes twice is favoured.
fn regular() -> Arc<Counter> {
    let biased_lock = shared();
    biased_lock
        .enter()
        .expect("nobody is inside")
        .enable_rebias(RevocationHooks { barrier: heavy_barrier, clock: || 0 });
    biased_lock
}

/// One that threads may share, of which the caller has been the only one so far.
fn biased() -> Arc<Counter> {
    let biased_lock = regular();
    biased_lock.enter().expect("nobody is inside").bias();
    biased_lock
}

fn count(guard: &mut Guard<'_, UnsafeCell<u32>>) {
    // SAFETY: the guard is exclusive; that it is, the model checks.
    guard.with_mut(|value| unsafe { *value += 1 });
}

fn counted(biased_lock: &Counter) -> u32 {
    // SAFETY: as above.
    biased_lock.enter().expect("nobody is inside").with(|value| unsafe { *value })
}

/// Enters as the hot calls do, and counts.
fn count_shortly(biased_lock: &Counter) {
    match biased_lock
        .enter_open()
        .or_else(|| biased_lock.enter_biased())
        .or_else(|| biased_lock.enter_shared_open())
    {
        // SAFETY: the guard is exclusive; that it is, the model checks.
        Some(guard) => guard.with_mut(|value| unsafe { *value += 1 }),
        None => count(&mut biased_lock.enter().expect("threads may come at any time")),
    }
}

fn whoever_is_inside_is_alone() {
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

fn the_short_way_in_is_a_way_like_the_other() {
    explore(|| {
        let biased_lock = shared();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count_shortly(&other));
        count_shortly(&biased_lock);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 2);
    });
}

fn who_lets_go_finds_what_others_did_meanwhile() {
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

fn one_who_comes_and_goes_the_short_way_is_joined() {
    explore(|| {
        let biased_lock = alone();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        for _ in 0..2 {
            count_shortly(&biased_lock);
        }
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn one_who_comes_and_goes_the_long_way_is_joined() {
    explore(|| {
        let biased_lock = alone();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        count(&mut biased_lock.enter().expect("nobody broke a promise"));
        count_shortly(&biased_lock);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn one_who_waits_inside_is_joined() {
    explore(|| {
        let biased_lock = alone();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        let mut guard = biased_lock.enter().expect("nobody broke a promise");
        count(&mut guard);
        guard.relax();
        count(&mut guard);
        drop(guard);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn one_who_lets_others_come_and_sends_them_away_is_joined() {
    explore(|| {
        let biased_lock = alone();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        let mut guard = biased_lock.enter().expect("nobody broke a promise");
        guard.set_shared(true);
        count(&mut guard);
        guard.set_shared(false);
        count(&mut guard);
        drop(guard);
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn a_favourite_is_joined_by_the_long_way() {
    explore(|| {
        let biased_lock = biased();
        let other = biased_lock.clone();
        let thread =
            thread::spawn(move || count(&mut other.enter().expect("threads may come at any time")));
        for _ in 0..2 {
            count_shortly(&biased_lock);
        }
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 3);
    });
}

fn a_favourite_is_joined_by_short_ways() {
    explore(|| {
        let biased_lock = biased();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || (0..2).for_each(|_| count_shortly(&other)));
        count_shortly(&biased_lock);
        count(&mut biased_lock.enter().expect("threads may come at any time"));
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 4);
    });
}

fn favour_comes_back() {
    explore(|| {
        let biased_lock = regular();
        let other = biased_lock.clone();
        let thread = thread::spawn(move || (0..3).for_each(|_| count_shortly(&other)));
        count_shortly(&biased_lock);
        count(&mut biased_lock.enter().expect("threads may come at any time"));
        thread.join().unwrap();
        assert_eq!(counted(&biased_lock), 5);
    });
}

/// The likeliest to notice first.
const MODELS: [weaken::Model; 10] = [
    whoever_is_inside_is_alone,
    a_favourite_is_joined_by_the_long_way,
    a_favourite_is_joined_by_short_ways,
    favour_comes_back,
    one_who_comes_and_goes_the_short_way_is_joined,
    one_who_comes_and_goes_the_long_way_is_joined,
    one_who_waits_inside_is_joined,
    the_short_way_in_is_a_way_like_the_other,
    who_lets_go_finds_what_others_did_meanwhile,
    one_who_lets_others_come_and_sends_them_away_is_joined,
];

#[test]
fn whoever_is_inside_is_alone_and_sees_what_the_last_one_did() {
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
