//! The monitor under the model checker: whoever is inside is alone, and sees all that the last one did, however the threads come in.
//!
//! The value is one of loom's cells, which complains when two accesses are not ordered. A heavy barrier is a SeqCst fence, and so is the light one: loom
//! has no processors to stop.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_sync::monitor::{Guard, Means, Monitor};
use nemesis_sync::{Ordering, fence, weaken};
use std::sync::Arc;

type Counter = Monitor<UnsafeCell<u32>>;

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
    let monitor = Arc::new(Monitor::new(UnsafeCell::new(0)));
    monitor.enter().expect("nobody is inside").set_open(true);
    monitor
}

fn shared() -> Arc<Counter> {
    let monitor = Arc::new(Monitor::new(UnsafeCell::new(0)));
    monitor.share(heavy_barrier).set_open(true);
    monitor
}

/// One that threads may share, in which whoever comes twice is favoured.
fn regular() -> Arc<Counter> {
    let monitor = shared();
    monitor.enter().expect("nobody is inside").favour_regulars(Means { barrier: heavy_barrier, clock: || 0 });
    monitor
}

/// One that threads may share, of which the caller has been the only one so far.
fn favoured() -> Arc<Counter> {
    let monitor = regular();
    monitor.enter().expect("nobody is inside").favour();
    monitor
}

fn count(guard: &mut Guard<'_, UnsafeCell<u32>>) {
    // SAFETY: the guard is exclusive; that it is, the model checks.
    guard.with_mut(|value| unsafe { *value += 1 });
}

fn counted(monitor: &Counter) -> u32 {
    // SAFETY: as above.
    monitor.enter().expect("nobody is inside").with(|value| unsafe { *value })
}

/// Enters as the hot calls do, and counts.
fn count_shortly(monitor: &Counter) {
    match monitor.enter_open().or_else(|| monitor.enter_favoured()).or_else(|| monitor.enter_shared_open()) {
        // SAFETY: the guard is exclusive; that it is, the model checks.
        Some(guard) => guard.with_mut(|value| unsafe { *value += 1 }),
        None => count(&mut monitor.enter().expect("threads may come at any time")),
    }
}

fn whoever_is_inside_is_alone() {
    explore(|| {
        let monitor = shared();
        let other = monitor.clone();
        let thread = thread::spawn(move || count(&mut other.enter().expect("threads may come at any time")));
        count(&mut monitor.enter().expect("threads may come at any time"));
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 2);
    });
}

fn the_short_way_in_is_a_way_like_the_other() {
    explore(|| {
        let monitor = shared();
        let other = monitor.clone();
        let thread = thread::spawn(move || count_shortly(&other));
        count_shortly(&monitor);
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 2);
    });
}

fn who_lets_go_finds_what_others_did_meanwhile() {
    explore(|| {
        let monitor = shared();
        let other = monitor.clone();
        let thread = thread::spawn(move || count(&mut other.enter().expect("threads may come at any time")));
        let mut guard = monitor.enter().expect("threads may come at any time");
        count(&mut guard);
        guard.unlocked(thread::yield_now);
        count(&mut guard);
        drop(guard);
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 3);
    });
}

fn one_who_comes_and_goes_the_short_way_is_joined() {
    explore(|| {
        let monitor = alone();
        let other = monitor.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        for _ in 0..2 {
            count_shortly(&monitor);
        }
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 3);
    });
}

fn one_who_comes_and_goes_the_long_way_is_joined() {
    explore(|| {
        let monitor = alone();
        let other = monitor.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        count(&mut monitor.enter().expect("nobody broke a promise"));
        count_shortly(&monitor);
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 3);
    });
}

fn one_who_waits_inside_is_joined() {
    explore(|| {
        let monitor = alone();
        let other = monitor.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        let mut guard = monitor.enter().expect("nobody broke a promise");
        count(&mut guard);
        guard.relax();
        count(&mut guard);
        drop(guard);
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 3);
    });
}

fn one_who_lets_others_come_and_sends_them_away_is_joined() {
    explore(|| {
        let monitor = alone();
        let other = monitor.clone();
        let thread = thread::spawn(move || count(&mut other.share(heavy_barrier)));
        let mut guard = monitor.enter().expect("nobody broke a promise");
        guard.set_shared(true);
        count(&mut guard);
        guard.set_shared(false);
        count(&mut guard);
        drop(guard);
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 3);
    });
}

fn a_favourite_is_joined_by_the_long_way() {
    explore(|| {
        let monitor = favoured();
        let other = monitor.clone();
        let thread = thread::spawn(move || count(&mut other.enter().expect("threads may come at any time")));
        for _ in 0..2 {
            count_shortly(&monitor);
        }
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 3);
    });
}

fn a_favourite_is_joined_by_short_ways() {
    explore(|| {
        let monitor = favoured();
        let other = monitor.clone();
        let thread = thread::spawn(move || (0..2).for_each(|_| count_shortly(&other)));
        count_shortly(&monitor);
        count(&mut monitor.enter().expect("threads may come at any time"));
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 4);
    });
}

fn favour_comes_back() {
    explore(|| {
        let monitor = regular();
        let other = monitor.clone();
        let thread = thread::spawn(move || (0..3).for_each(|_| count_shortly(&other)));
        count_shortly(&monitor);
        count(&mut monitor.enter().expect("threads may come at any time"));
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 5);
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
    weaken::every_ordering_is_needed("src/monitor.rs", include_str!("../src/monitor.rs"), &MODELS);
}
