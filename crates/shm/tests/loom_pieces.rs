//! A long packet under the model checker: the receiver reads every piece after it was written, and the next packet is written into the same memory
//! after the last look at the one before: by its sender when the receiver has given the place back, or, in a shuttle, by the receiver itself.
//!
//! The pieces are cells that loom watches. The announcement goes through a queue here, in the segment through a fastbox: either publishes what comes
//! before it.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_shm::pieces::Progress;
use nemesis_shm::queue::{Consumer, Ends, Links, NONE, push};
use nemesis_sync::{AtomicU64, weaken};
use std::sync::Arc;

const PIECES: u32 = 2;

/// The two announcements.
const FORTH: u64 = 1;
const BACK: u64 = 2;

struct Cell {
    link: AtomicU64,
    /// That of the announcement which comes back.
    link_back: AtomicU64,
    /// From where the word counts, as either announcement tells.
    bases: [UnsafeCell<u32>; 2],
    progress: Progress,
    pieces: [UnsafeCell<u64>; PIECES as usize],
}

// SAFETY: the pieces are what is being tested; loom reports two threads that meet there.
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
        let pieces = std::array::from_fn(|_| UnsafeCell::new(0));
        let cell = Cell {
            link: AtomicU64::new(NONE),
            link_back: AtomicU64::new(NONE),
            bases: std::array::from_fn(|_| UnsafeCell::new(0)),
            progress: Progress::default(),
            pieces,
        };
        Arc::new(Shared { cell, announced: Ends::new(), announced_back: Ends::new() })
    }

    fn send(&self, value: u64) {
        self.cell.progress.reset();
        push(&self.announced, &self.cell, FORTH);
        for (piece, written) in self.cell.pieces.iter().zip(1..) {
            // SAFETY: loom checks that nobody else is there.
            piece.with_mut(|piece| unsafe { *piece = value });
            self.cell.progress.advance(written);
        }
    }

    fn receive(&self, consumer: &mut Consumer, value: u64) {
        wait(consumer, &self.announced, &self.cell);
        for (piece, seen) in self.cell.pieces.iter().zip(0..) {
            while self.cell.progress.written() <= seen {
                thread::yield_now();
            }
            // SAFETY: as in `send`.
            assert_eq!(piece.with(|piece| unsafe { *piece }), value);
        }
        self.cell.progress.give_back();
    }

    /// Sends through the same memory, which is a shuttle on this side.
    fn handoff_buffer(&self, way: u64, value: u64) {
        let base = self.cell.progress.count();
        // SAFETY: as in `send`.
        self.cell.bases[way as usize - 1].with_mut(|told| unsafe { *told = base });
        push(if way == FORTH { &self.announced } else { &self.announced_back }, &self.cell, way);
        for (piece, written) in self.cell.pieces.iter().zip(1..) {
            // SAFETY: as in `send`.
            piece.with_mut(|piece| unsafe { *piece = value });
            self.cell.progress.advance(base.wrapping_add(written));
        }
    }

    /// Receives what came so; the shuttle is on this side then.
    fn welcome(&self, consumer: &mut Consumer, way: u64, value: u64) {
        wait(
            consumer,
            if way == FORTH { &self.announced } else { &self.announced_back },
            &self.cell,
        );
        // SAFETY: as in `send`.
        let base = self.cell.bases[way as usize - 1].with(|told| unsafe { *told });
        for (piece, seen) in self.cell.pieces.iter().zip(0..) {
            while self.cell.progress.written().wrapping_sub(base) <= seen {
                thread::yield_now();
            }
            // SAFETY: as in `send`.
            assert_eq!(piece.with(|piece| unsafe { *piece }), value);
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

/// Two packets through the same memory.
fn pieces_are_read_as_they_come() {
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

/// A packet and its answer through a shuttle: nobody says that it is free.
fn a_shuttle_goes_to_and_fro() {
    check(|| {
        let shared = Shared::new();
        let other = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                shared.handoff_buffer(FORTH, 5);
                shared.welcome(&mut Consumer::default(), BACK, 6);
            })
        };
        shared.welcome(&mut Consumer::default(), FORTH, 5);
        shared.handoff_buffer(BACK, 6);
        other.join().unwrap();
    });
}

#[test]
fn pieces() {
    pieces_are_read_as_they_come();
    a_shuttle_goes_to_and_fro();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/pieces.rs",
        include_str!("../src/pieces.rs"),
        &[pieces_are_read_as_they_come, a_shuttle_goes_to_and_fro],
    );
}
