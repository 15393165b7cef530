//! Accesses that one of two processes carries out, under the model checker: each is carried out once, its owner sees what the other has done, and whoever is
//! back is known to be.
//!
//! The memory is a cell that loom watches. The access is told of through a queue here, in the segment through a fastbox: either publishes what comes before it.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_shm::am_slot::AmSlot;
use nemesis_shm::queue::{Consumer, Ends, Links, NONE, push};
use nemesis_sync::{AtomicU64, weaken};
use std::sync::Arc;

const OTHER: u32 = 1;

struct Link(AtomicU64);

impl Links for Link {
    fn next(&self, _cell: u64) -> &AtomicU64 {
        &self.0
    }
}

struct Shared {
    line: AmSlot,
    told: Ends,
    link: Link,
    memory: UnsafeCell<u32>,
}

// SAFETY: the memory is what is being tested; loom reports two threads that meet there.
unsafe impl Sync for Shared {}

impl Shared {
    fn access(&self) {
        // SAFETY: loom checks that nobody else is there.
        self.memory.with_mut(|memory| unsafe { *memory += 1 });
    }
}

/// The other is told of the first of two accesses and comes in time, or late; the second the owner carries out itself.
fn accesses_are_carried_out_once() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(|| {
        let shared = Arc::new(Shared {
            line: AmSlot::default(),
            told: Ends::new(),
            link: Link(AtomicU64::new(NONE)),
            memory: UnsafeCell::new(0),
        });
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut consumer = Consumer::default();
                while consumer.pop(&shared.told, &shared.link).is_none() {
                    thread::yield_now();
                }
                let taken = shared.line.take(1);
                if taken {
                    shared.access();
                    shared.line.done(1);
                } else {
                    shared.line.leave(OTHER);
                }
                taken
            })
        };
        push(&shared.told, &shared.link, 1);
        if shared.line.take(1) {
            shared.access();
        } else {
            while !shared.line.is_done(1) {
                thread::yield_now();
            }
        }
        assert!(shared.line.take(2));
        shared.access();
        let taken = other.join().unwrap();
        assert!(
            taken != shared.line.has_left_odd(OTHER),
            "it has left the access, and nobody knows, or the other way round"
        );
        // SAFETY: as above.
        assert_eq!(shared.memory.with(|memory| unsafe { *memory }), 2);
    });
}

#[test]
fn accesses() {
    accesses_are_carried_out_once();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/am_slot.rs",
        include_str!("../src/am_slot.rs"),
        &[accesses_are_carried_out_once],
    );
}
