//! Notices under the model checker: whoever takes a notice sees what its sender did before, and
//! each notice is taken once.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_shm::notices::{Kind, Taken, tell};
use nemesis_sync::{AtomicU64, weaken};
use std::sync::Arc;

#[derive(Default)]
struct Shared {
    /// What the target tells the origin, and the origin the target.
    opened: AtomicU64,
    ended: AtomicU64,
    memory: UnsafeCell<u32>,
}

// SAFETY: the memory is what is tested; loom reports two threads that access it at once.
unsafe impl Sync for Shared {}

impl Shared {
    fn access(&self) {
        // SAFETY: loom checks that no other thread accesses the memory.
        self.memory.with_mut(|memory| unsafe { *memory += 1 });
    }
}

fn await_notice(taken: &mut Taken, word: &AtomicU64, kind: Kind) {
    while !taken.has_come(word, kind) {
        thread::yield_now();
    }
    taken.take(kind);
}

/// In two epochs, a target writes its memory, opens it to an origin, and reads it when the origin
/// has ended its accesses.
fn epochs_alternate() {
    loom::model(|| {
        let shared = Arc::new(Shared::default());
        let origin = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut taken = Taken::default();
                for _ in 0..2 {
                    await_notice(&mut taken, &shared.opened, Kind::First);
                    shared.access();
                    tell(&shared.ended, Kind::Second);
                }
                assert!(!taken.has_come(&shared.opened, Kind::First));
            })
        };
        let mut taken = Taken::default();
        for _ in 0..2 {
            shared.access();
            tell(&shared.opened, Kind::First);
            await_notice(&mut taken, &shared.ended, Kind::Second);
            shared.access();
        }
        origin.join().unwrap();
        assert!(!taken.has_come(&shared.ended, Kind::Second));
        // SAFETY: as above.
        assert_eq!(shared.memory.with(|memory| unsafe { *memory }), 6);
    });
}

#[test]
fn epochs() {
    epochs_alternate();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/notices.rs",
        include_str!("../src/notices.rs"),
        &[epochs_alternate],
    );
}
