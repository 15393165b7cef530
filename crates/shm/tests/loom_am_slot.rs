//! AM slots under the model checker: each access is carried out once, the origin sees what the
//! target has done, and learns that the target has left an access to it.
//!
//! The accessed memory is a cell that loom watches. Here a queue carries the packet, in the segment
//! a fastbox does; either publishes what precedes it.
//!
//! A target may stop between a packet and its claim while the origin carries out any number of
//! accesses. Its claim then fails, because numbers of 64 bits do not come again. The origin sends
//! no further packet meanwhile.

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
    slot: AmSlot,
    packets: Ends,
    link: Link,
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

/// The origin sends the first of two accesses, and the target finds the packet in time, or late.
/// The origin carries out the second access itself.
fn accesses_are_carried_out_once() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(|| {
        let shared = Arc::new(Shared {
            slot: AmSlot::default(),
            packets: Ends::new(),
            link: Link(AtomicU64::new(NONE)),
            memory: UnsafeCell::new(0),
        });
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut consumer = Consumer::default();
                while consumer.pop(&shared.packets, &shared.link).is_none() {
                    thread::yield_now();
                }
                let taken = shared.slot.claim(1);
                if taken {
                    shared.access();
                    shared.slot.done(1);
                } else {
                    shared.slot.leave(OTHER);
                }
                taken
            })
        };
        push(&shared.packets, &shared.link, 1);
        if shared.slot.claim(1) {
            shared.access();
        } else {
            while !shared.slot.is_done(1) {
                thread::yield_now();
            }
        }
        assert!(shared.slot.claim(2));
        shared.access();
        let taken = other.join().unwrap();
        assert!(
            taken != shared.slot.has_left_odd(OTHER),
            "the target has left the access and the origin does not know, or the reverse"
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
