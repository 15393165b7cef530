//! A long packet under the model checker: the receiver reads every chunk after it was written. The
//! next packet is written into the buffer after the last read of the one before: by its sender when
//! the receiver has given the buffer back, or, in a handoff buffer, by the receiver itself.
//!
//! The chunks are cells that loom watches. Here a queue carries the announcement, in the segment a
//! fastbox does; either publishes what comes before it.
//!
//! A side that stops cannot miss a round: the word has one writer at a time, and the next packet
//! begins after the other side has given the buffer back, or has become its owner.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_shm::long_packet::Progress;
use nemesis_shm::queue::{Consumer, Ends, Links, NONE, push};
use nemesis_sync::{AtomicU64, weaken};
use std::sync::Arc;

const CHUNKS: u32 = 2;

/// The announcements in the two directions.
const FORTH: u64 = 1;
const BACK: u64 = 2;

struct Cell {
    link: AtomicU64,
    /// Link of the announcement in the direction `BACK`.
    link_back: AtomicU64,
    /// Value from which the progress word counts, as the announcement in each direction says.
    bases: [UnsafeCell<u32>; 2],
    progress: Progress,
    chunks: [UnsafeCell<u64>; CHUNKS as usize],
}

// SAFETY: the chunks are what is tested; loom reports two threads that access one at once.
unsafe impl Sync for Cell {}

struct Shared {
    cell: Cell,
    announced: Ends,
    announced_back: Ends,
}

impl Links for Cell {
    fn next(&self, cell: u64) -> &AtomicU64 {
        if cell == FORTH { &self.link } else { &self.link_back }
    }
}

impl Shared {
    fn new() -> Arc<Shared> {
        let chunks = std::array::from_fn(|_| UnsafeCell::new(0));
        let cell = Cell {
            link: AtomicU64::new(NONE),
            link_back: AtomicU64::new(NONE),
            bases: std::array::from_fn(|_| UnsafeCell::new(0)),
            progress: Progress::default(),
            chunks,
        };
        Arc::new(Shared { cell, announced: Ends::new(), announced_back: Ends::new() })
    }

    fn send(&self, value: u64) {
        self.cell.progress.reset();
        push(&self.announced, &self.cell, FORTH);
        for (chunk, written) in self.cell.chunks.iter().zip(1..) {
            // SAFETY: loom checks that no other thread accesses the chunk.
            chunk.with_mut(|chunk| unsafe { *chunk = value });
            self.cell.progress.advance(written);
        }
    }

    fn receive(&self, consumer: &mut Consumer, value: u64) {
        wait(consumer, &self.announced, &self.cell);
        for (chunk, seen) in self.cell.chunks.iter().zip(0..) {
            while self.cell.progress.written() <= seen {
                thread::yield_now();
            }
            // SAFETY: as in `send`.
            assert_eq!(chunk.with(|chunk| unsafe { *chunk }), value);
        }
        self.cell.progress.give_back();
    }

    /// Sends through the buffer as a handoff buffer, which this side owns.
    fn send_handoff(&self, direction: u64, value: u64) {
        let base = self.cell.progress.count();
        // SAFETY: as in `send`.
        self.cell.bases[direction as usize - 1].with_mut(|told| unsafe { *told = base });
        push(
            if direction == FORTH { &self.announced } else { &self.announced_back },
            &self.cell,
            direction,
        );
        for (chunk, written) in self.cell.chunks.iter().zip(1..) {
            // SAFETY: as in `send`.
            chunk.with_mut(|chunk| unsafe { *chunk = value });
            self.cell.progress.advance(base.wrapping_add(written));
        }
    }

    /// Receives a packet through the handoff buffer, which this side owns afterwards.
    fn receive_handoff(&self, consumer: &mut Consumer, direction: u64, value: u64) {
        wait(
            consumer,
            if direction == FORTH { &self.announced } else { &self.announced_back },
            &self.cell,
        );
        // SAFETY: as in `send`.
        let base = self.cell.bases[direction as usize - 1].with(|told| unsafe { *told });
        for (chunk, seen) in self.cell.chunks.iter().zip(0..) {
            while self.cell.progress.written().wrapping_sub(base) <= seen {
                thread::yield_now();
            }
            // SAFETY: as in `send`.
            assert_eq!(chunk.with(|chunk| unsafe { *chunk }), value);
        }
    }
}

fn wait(consumer: &mut Consumer, ends: &Ends, links: &Cell) {
    while consumer.pop(ends, links).is_none() {
        thread::yield_now();
    }
}

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

/// Two packets through one buffer.
fn chunks_are_read_as_they_arrive() {
    check(|| {
        let shared = Shared::new();
        let sender = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.send(5);
                while !shared.cell.progress.is_free() {
                    thread::yield_now();
                }
                shared.send(6);
            })
        };
        let mut consumer = Consumer::default();
        shared.receive(&mut consumer, 5);
        shared.receive(&mut consumer, 6);
        sender.join().unwrap();
    });
}

/// A packet and its answer through a handoff buffer: no process gives it back.
fn a_handoff_buffer_alternates() {
    check(|| {
        let shared = Shared::new();
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.send_handoff(FORTH, 5);
                shared.receive_handoff(&mut Consumer::default(), BACK, 6);
            })
        };
        shared.receive_handoff(&mut Consumer::default(), FORTH, 5);
        shared.send_handoff(BACK, 6);
        other.join().unwrap();
    });
}

#[test]
fn chunks() {
    chunks_are_read_as_they_arrive();
    a_handoff_buffer_alternates();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/long_packet.rs",
        include_str!("../src/long_packet.rs"),
        &[chunks_are_read_as_they_arrive, a_handoff_buffer_alternates],
    );
}
