//! Tests of the biased lock, on the machine.

use super::*;
use crate::AtomicU64;

/// A barrier on all processors, for tests with one thread.
fn no_barrier() {}

#[test]
fn a_second_entry_alone_is_noticed() {
    let biased_lock = BiasedLock::new(1);
    let guard = biased_lock.enter().unwrap();
    assert!(biased_lock.enter().is_none());
    drop(guard);
    assert!(biased_lock.enter().is_some());
}

#[test]
fn short_calls_enter_only_an_open_lock() {
    let biased_lock = BiasedLock::new(1);
    assert!(biased_lock.enter_open().is_none());
    biased_lock.enter().unwrap().set_open(true);
    assert!(biased_lock.enter_open().is_some());
    let guard = biased_lock.enter().unwrap();
    assert!(biased_lock.enter_open().is_none() && biased_lock.enter().is_none(), "a guard exists");
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
fn short_calls_enter_a_shared_lock_when_it_is_open() {
    let biased_lock = BiasedLock::new(1);
    biased_lock.enter().unwrap().set_open(true);
    drop(biased_lock.share(no_barrier));
    assert!(biased_lock.enter_shared_open().is_none() && biased_lock.enter_open().is_none());
    biased_lock.enter().unwrap().set_open(true);
    assert!(biased_lock.enter_open().is_none(), "without the lock only one thread may come");
    *biased_lock.enter_shared_open().unwrap() = 2;
    biased_lock.enter().unwrap().set_open(false);
    assert!(biased_lock.enter_shared_open().is_none());
    assert_eq!(*biased_lock.enter().unwrap(), 2);
}

#[test]
fn a_short_call_does_not_enter_a_held_lock() {
    let biased_lock = BiasedLock::new(1);
    biased_lock.enter().unwrap().set_open(true);
    drop(biased_lock.share(no_barrier));
    biased_lock.enter().unwrap().set_open(true);
    let inside = biased_lock.enter_shared_open();
    assert!(
        inside.is_some()
            && biased_lock.enter_shared_open().is_none()
            && biased_lock.enter_shared_open().is_none()
    );
    drop(inside);
    assert!(biased_lock.await_shared_open().is_some() && biased_lock.enter_shared_open().is_some());
}

#[test]
#[cfg_attr(miri, ignore)]
fn successive_acquisitions_bias_the_lock() {
    static TIME: AtomicU64 = AtomicU64::new(0);
    fn passes(time: u64) {
        // Relaxed: a number, here and in the clock below.
        TIME.fetch_add(time, Ordering::Relaxed);
    }
    let biased_lock = BiasedLock::new(1);
    biased_lock.share(no_barrier).set_open(true);
    let acquisitions_until_biased = || {
        let enough = 4 * REBIAS_ACQUISITIONS_MAX;
        (0..enough)
            .find(|_| {
                biased_lock.enter_biased().is_some() || biased_lock.enter_shared_open().is_none()
            })
            .unwrap_or(enough)
    };
    assert_eq!(
        acquisitions_until_biased(),
        4 * REBIAS_ACQUISITIONS_MAX,
        "no bias unless it is enabled"
    );
    biased_lock.enter().unwrap().enable_rebias(RevocationHooks {
        barrier: || passes(10),
        clock: || TIME.load(Ordering::Relaxed),
    });
    let biased_towards = |time| {
        let acquisitions_needed =
            std::thread::scope(|scope| scope.spawn(acquisitions_until_biased).join().unwrap());
        passes(time);
        assert!(
            biased_lock.enter_biased().is_none() && biased_lock.enter_shared_open().is_some(),
            "the bias was revoked"
        );
        acquisitions_needed - 1
    };
    assert_eq!(biased_towards(40), REBIAS_ACQUISITIONS);
    assert_eq!(
        biased_towards(41),
        2 * REBIAS_ACQUISITIONS,
        "the last bias was not worth its revocation"
    );
    assert_eq!([biased_towards(41), biased_towards(0)], [REBIAS_ACQUISITIONS; 2]);
    let most = (0..20).map(|_| biased_towards(0)).max();
    assert_eq!([most, Some(biased_towards(0))], [Some(REBIAS_ACQUISITIONS_MAX); 2]);
    // A revocation takes 10 ticks; 4 times that is less than one acquisition takes.
    let acquisitions_of_another = |acquisitions_needed| {
        std::thread::scope(|scope| {
            drop(
                scope
                    .spawn(|| (0..acquisitions_needed).for_each(|_| drop(biased_lock.enter())))
                    .join(),
            )
        })
    };
    for acquisitions_needed in [0, 1, 1] {
        acquisitions_of_another(acquisitions_needed + 1);
        drop(biased_lock.enter());
    }
    assert_eq!(biased_towards(0), REBIAS_ACQUISITIONS_MAX / 4);
}

#[test]
fn making_way_gives_the_bias_up() {
    let biased_lock = BiasedLock::new(0);
    let mut guard = biased_lock.share(no_barrier);
    guard.set_open(true);
    guard.enable_rebias(RevocationHooks {
        barrier: || panic!("there is no bias to revoke"),
        clock: || 0,
    });
    guard.bias();
    assert!(biased_lock.bias_owner.load(Ordering::Relaxed) != 0);
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
fn a_closed_lock_has_no_owner_until_it_is_opened() {
    let biased_lock = BiasedLock::new(0);
    let mut guard = biased_lock.share(no_barrier);
    guard.enable_rebias(RevocationHooks { barrier: no_barrier, clock: || 0 });
    guard.bias();
    drop(guard);
    assert!(biased_lock.enter_biased().is_none(), "the value is closed");
    for _ in 0..2 {
        biased_lock.enter().unwrap().set_open(true);
        assert!(biased_lock.enter_biased().is_none());
        drop(biased_lock.enter());
        assert!(biased_lock.enter_biased().is_some(), "the first acquisition since then");
        biased_lock.enter().unwrap().set_open(false);
        assert!(biased_lock.enter_biased().is_none());
    }
    biased_lock.enter().unwrap().set_open(true);
    std::thread::scope(|scope| scope.spawn(|| drop(biased_lock.enter())).join().unwrap());
    drop(biased_lock.enter());
    assert!(biased_lock.enter_biased().is_none(), "another thread came between");
}

#[test]
fn each_owner_has_a_mark_of_its_own() {
    let biased_lock = BiasedLock::new(0);
    let mut guard = biased_lock.share(no_barrier);
    guard.set_open(true);
    guard.enable_rebias(RevocationHooks { barrier: no_barrier, clock: || 0 });
    drop(guard);
    let mark_of_caller = || {
        biased_lock.enter().unwrap().bias();
        assert!(biased_lock.enter_biased().is_some());
        biased_lock.owner_mark.load(Ordering::Relaxed).addr()
    };
    let own = mark_of_caller();
    let other = std::thread::scope(|scope| scope.spawn(mark_of_caller).join().unwrap());
    assert!(own != other && own == mark_of_caller());
}

#[test]
fn a_guard_switches_between_the_modes() {
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
fn sharing_waits_for_the_thread_that_was_alone() {
    let biased_lock = BiasedLock::new(0);
    std::thread::scope(|scope| {
        let mut guard = biased_lock.enter().unwrap();
        let other = scope.spawn(|| *biased_lock.share(no_barrier) = 1);
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
    drop(biased_lock.share(no_barrier));
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

#[test]
fn the_thread_that_enables_biasing_may_become_the_owner() {
    let biased_lock = BiasedLock::new(0);
    let mut guard = biased_lock.share(no_barrier);
    guard.set_open(true);
    guard.enable_rebias(RevocationHooks { barrier: no_barrier, clock: || 0 });
    drop(guard);
    (1..REBIAS_ACQUISITIONS).for_each(|_| drop(biased_lock.enter()));
    assert!(biased_lock.enter_biased().is_none());
    drop(biased_lock.enter());
    assert!(biased_lock.enter_biased().is_some());
}
