//! The monitor under the model checker: whoever is inside is alone, and sees all that the last one did, however the threads come in.
//!
//! The value is one of loom's cells, which complains when two accesses are not ordered.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_sync::monitor::{Guard, Monitor};
use std::sync::Arc;

type Counter = Monitor<UnsafeCell<u32>>;

fn shared() -> Arc<Counter> {
    let monitor = Arc::new(Monitor::new(UnsafeCell::new(0)));
    monitor.set_shared(true);
    monitor.enter().expect("nobody is inside").set_open(true);
    monitor
}

fn count(guard: &mut Guard<'_, UnsafeCell<u32>>) {
    // SAFETY: the guard is exclusive; that it is, the model checks.
    guard.with_mut(|value| unsafe { *value += 1 });
}

fn counted(monitor: &Counter) -> u32 {
    // SAFETY: as above.
    monitor.enter().expect("threads may come at any time").with(|value| unsafe { *value })
}

#[test]
fn whoever_is_inside_is_alone() {
    loom::model(|| {
        let monitor = shared();
        let other = monitor.clone();
        let thread = thread::spawn(move || count(&mut other.enter().expect("threads may come at any time")));
        count(&mut monitor.enter().expect("threads may come at any time"));
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 2);
    });
}

#[test]
fn the_short_way_in_is_a_way_like_the_other() {
    loom::model(|| {
        let monitor = shared();
        let other = monitor.clone();
        let enter = |monitor: &Counter| match monitor.enter_shared_open() {
            Some(mut guard) => count(&mut guard),
            None => count(&mut monitor.enter().expect("threads may come at any time")),
        };
        let thread = thread::spawn(move || enter(&other));
        enter(&monitor);
        thread.join().unwrap();
        assert_eq!(counted(&monitor), 2);
    });
}

#[test]
fn who_lets_go_finds_what_others_did_meanwhile() {
    loom::model(|| {
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
