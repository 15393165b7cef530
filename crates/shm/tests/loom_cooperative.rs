//! A copy by loads and stores under the model checker: the owner sees what the helper has copied
//! when it has read the helper's count, and each chunk is copied once.
//!
//! The chunks are cells that loom watches. Here a queue announces the copy, in the segment a
//! fastbox does; either publishes what precedes it.
//!
//! A helper may stop between its load of the word and its exchange while the owner begins any
//! number of copies. The exchange then fails, because the word holds the copy's generation, unless
//! exactly a multiple of 2^32 copies, each of several microseconds, came between: hours. A helper
//! that has claimed a chunk may stop, too; its copy does not end before, and the next does not
//! begin.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_shm::cooperative::{CooperativeCopy, Copy};
use nemesis_shm::queue::{Consumer, Ends, Links, NONE, push};
use nemesis_sync::{AtomicU64, weaken};
use std::sync::Arc;

const CHUNKS: u64 = 2;

struct Link(AtomicU64);

impl Links for Link {
    fn next(&self, _cell: u64) -> &AtomicU64 {
        &self.0
    }
}

struct Shared {
    cooperative: CooperativeCopy,
    packets: Ends,
    link: Link,
    chunks: [UnsafeCell<u32>; CHUNKS as usize],
}

// SAFETY: the chunks are what is tested; loom reports two threads that access one at once.
unsafe impl Sync for Shared {}

impl Shared {
    /// Copies the chunks that can be claimed and returns their number.
    fn copy(&self, copy: &Copy) -> u64 {
        let mut copied = 0;
        while let Some(part) = self.cooperative.claim_chunk(copy, 1) {
            // SAFETY: loom checks that no other thread accesses the chunk.
            self.chunks[part.start as usize].with_mut(|chunk| unsafe { *chunk += 1 });
            copied += part.end - part.start;
        }
        copied
    }
}

/// The helper copies a part of the first of two copies, or nothing, and comes too late for the
/// second.
fn chunks_are_copied_once() {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(|| {
        let chunks = std::array::from_fn(|_| UnsafeCell::new(0));
        let shared = Arc::new(Shared {
            cooperative: CooperativeCopy::default(),
            packets: Ends::new(),
            link: Link(AtomicU64::new(NONE)),
            chunks,
        });
        let helper = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let mut consumer = Consumer::default();
                while consumer.pop(&shared.packets, &shared.link).is_none() {
                    thread::yield_now();
                }
                let copied = shared.copy(&Copy { generation: 1, bytes: CHUNKS });
                if copied > 0 {
                    shared.cooperative.add_helped(copied);
                }
            })
        };
        for copies in 1..=2 {
            let copy = shared.cooperative.begin(CHUNKS);
            if copies == 1 {
                push(&shared.packets, &shared.link, 1);
            }
            let left = CHUNKS - shared.copy(&copy);
            while shared.cooperative.helped() < left {
                thread::yield_now();
            }
            for chunk in &shared.chunks {
                // SAFETY: as above.
                assert_eq!(chunk.with(|chunk| unsafe { *chunk }), copies);
            }
        }
        helper.join().unwrap();
    });
}

#[test]
fn chunks() {
    chunks_are_copied_once();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/cooperative.rs",
        include_str!("../src/cooperative.rs"),
        &[chunks_are_copied_once],
    );
}
