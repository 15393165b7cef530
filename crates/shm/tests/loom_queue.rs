//! The queue under the model checker: all interleavings of two producers and a consumer, and all
//! values that weak memory lets them read.
//!
//! The cells carry a payload that loom watches: an access that is not ordered after the last one of
//! another thread fails the model. One line thus checks both that the payload arrived and that this
//! thread owns the cell again.
//!
//! A producer that stops between its swap and its store keeps its predecessor in the queue: the
//! consumer does not take the last cell it can reach while the tail names another one, so the
//! predecessor is not used again before the store. The consumer alone removes cells, so a tail that
//! equals its last cell is that cell's own. Rounds of other producers change nothing of this.

#![cfg(loom)]
#![allow(unsafe_code)]

use loom::cell::UnsafeCell;
use loom::thread;
use nemesis_shm::queue::{Consumer, Ends, Links, NONE, push, swap_tail};
use nemesis_sync::{AtomicU64, weaken};
use std::sync::Arc;

/// Cells on the heap: a link and a payload each, numbered from 1.
struct Cells(Vec<(AtomicU64, UnsafeCell<u64>)>);

// SAFETY: the payloads are what is tested; loom reports two threads that access one at once.
unsafe impl Sync for Cells {}

impl Cells {
    fn new(count: usize) -> Cells {
        Cells((0..count).map(|_| (AtomicU64::new(NONE), UnsafeCell::new(0))).collect())
    }

    fn write(&self, cell: u64, value: u64) {
        // SAFETY: loom checks that no other thread accesses the payload.
        self.0[cell as usize - 1].1.with_mut(|payload| unsafe { *payload = value });
    }

    fn read(&self, cell: u64) -> u64 {
        // SAFETY: as in `write`.
        self.0[cell as usize - 1].1.with(|payload| unsafe { *payload })
    }
}

impl Links for Cells {
    fn next(&self, cell: u64) -> &AtomicU64 {
        &self.0[cell as usize - 1].0
    }
}

/// Pops until a cell arrives.
fn wait(consumer: &mut Consumer, ends: &Ends, cells: &Cells) -> u64 {
    loop {
        match consumer.pop(ends, cells) {
            Some(cell) => return cell,
            None => thread::yield_now(),
        }
    }
}

fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(3);
    builder.check(model);
}

/// Two producers and a consumer at once: the consumer finds the queue empty, with one cell, and
/// with a link that is still missing.
fn two_producers_and_a_consumer() {
    check(|| {
        let shared = Arc::new((Ends::new(), Cells::new(2)));
        let producers: Vec<_> = (1..=2)
            .map(|cell| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || {
                    shared.1.write(cell, 10 * cell);
                    push(&shared.0, &shared.1, cell);
                })
            })
            .collect();
        let (ends, cells) = &*shared;
        let mut consumer = Consumer::default();
        let mut seen = 0;
        for _ in 0..2 {
            let cell = wait(&mut consumer, ends, cells);
            assert_eq!(cells.read(cell), 10 * cell);
            seen |= 1 << cell;
        }
        assert_eq!(seen, 0b110, "each cell came once");
        assert_eq!(consumer.pop(ends, cells), None);
        producers.into_iter().for_each(|producer| producer.join().unwrap());
    });
}

/// One producer fills the queue, the consumer empties it, the producer fills it again: the
/// consumer's zero must not overwrite the new head.
fn the_queue_is_emptied_and_filled_again() {
    check(|| {
        let shared = Arc::new((Ends::new(), Cells::new(3)));
        let producer = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                for cell in 1..=3 {
                    shared.1.write(cell, 10 * cell);
                    push(&shared.0, &shared.1, cell);
                }
            })
        };
        let (ends, cells) = &*shared;
        let mut consumer = Consumer::default();
        for expected in 1..=3 {
            let cell = wait(&mut consumer, ends, cells);
            assert_eq!(
                (cell, cells.read(cell)),
                (expected, 10 * expected),
                "one producer's cells stay in order"
            );
        }
        producer.join().unwrap();
        assert!(consumer.is_empty(ends));
    });
}

/// The consumer pops after both producers have ended. Then everything they did is visible, and each
/// pop must succeed at once.
fn finished_pushes_are_found_without_waiting() {
    check(|| {
        let shared = Arc::new((Ends::new(), Cells::new(3)));
        let mut consumer = Consumer::default();
        push(&shared.0, &shared.1, 3);
        let producers: Vec<_> = (1..=2)
            .map(|cell| {
                let shared = Arc::clone(&shared);
                thread::spawn(move || push(&shared.0, &shared.1, cell))
            })
            .collect();
        assert_eq!(consumer.pop(&shared.0, &shared.1).unwrap_or(3), 3);
        producers.into_iter().for_each(|producer| producer.join().unwrap());
        let rest: Vec<u64> = std::iter::from_fn(|| consumer.pop(&shared.0, &shared.1)).collect();
        assert!(rest.ends_with(&[1, 2]) || rest.ends_with(&[2, 1]), "found {rest:?}");
    });
}

/// Cells move to the receiver and return through the sender's free queue, to be written again:
/// three messages in two cells.
fn cells_return_and_are_used_again() {
    check(|| {
        let shared = Arc::new((Ends::new(), Ends::new(), Cells::new(2)));
        let sender = {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (receive, free, cells) = &*shared;
                let mut returned = Consumer::default();
                for value in 1..=3 {
                    let cell = if value <= 2 { value } else { wait(&mut returned, free, cells) };
                    cells.write(cell, value);
                    push(receive, cells, cell);
                }
            })
        };
        let (receive, free, cells) = &*shared;
        let mut consumer = Consumer::default();
        for value in 1..=3 {
            let cell = wait(&mut consumer, receive, cells);
            assert_eq!(cells.read(cell), value);
            push(free, cells, cell);
        }
        sender.join().unwrap();
    });
}

/// A producer dies between the halves of its append, while another one appends and the consumer
/// pops. When both are known to have ended, the consumer completes the queue and finds all cells.
fn a_producer_dies_in_the_midst() {
    check(|| {
        let shared = Arc::new((Ends::new(), Cells::new(3)));
        let (ends, cells) = &*shared;
        cells.write(1, 10);
        push(ends, cells, 1);
        let append = |cell: u64, dies: bool| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let (ends, cells) = &*shared;
                cells.write(cell, 10 * cell);
                match dies {
                    true => _ = swap_tail(ends, cells, cell),
                    false => push(ends, cells, cell),
                }
            })
        };
        let producers = [append(2, true), append(3, false)];
        let mut consumer = Consumer::default();
        let mut seen = Vec::new();
        let mut take = |consumer: &mut Consumer| {
            while let Some(cell) = consumer.pop(ends, cells) {
                assert_eq!(cells.read(cell), 10 * cell);
                seen.push(cell);
            }
        };
        take(&mut consumer);
        producers.into_iter().for_each(|producer| producer.join().unwrap());
        take(&mut consumer);
        assert!(consumer.is_incomplete(ends, cells) && Consumer::has_come(ends, cells, 2));
        consumer.complete(ends, cells, 2);
        take(&mut consumer);
        assert!(!consumer.is_incomplete(ends, cells));
        assert!(seen == [1, 2, 3] || seen == [1, 3, 2], "{seen:?}");
    });
}

#[test]
fn a_dead_producer() {
    a_producer_dies_in_the_midst();
}

#[test]
fn producers_and_consumer() {
    two_producers_and_a_consumer();
}

#[test]
fn empty_and_full_again() {
    the_queue_is_emptied_and_filled_again();
}

#[test]
fn no_cell_is_lost() {
    finished_pushes_are_found_without_waiting();
}

#[test]
fn round_trip() {
    cells_return_and_are_used_again();
}

#[test]
fn every_ordering_is_needed() {
    weaken::every_ordering_is_needed(
        "src/queue.rs",
        include_str!("../src/queue.rs"),
        &[
            finished_pushes_are_found_without_waiting,
            the_queue_is_emptied_and_filled_again,
            two_producers_and_a_consumer,
            cells_return_and_are_used_again,
        ],
    );
}
