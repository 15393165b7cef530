//! The lock-free queue: many enqueuers, one dequeuer.
//!
//! This is Figure 3 of "Design and Evaluation of Nemesis" (Buntinas, Mercier, Gropp 2006) with the
//! shadow head of its §3.1. The elements are cells. A cell is named by a non-zero number (in
//! production its offset in the segment) and contains the link to its successor.
//!
//! ```text
//!   line shared by all          the consumer's own           cells
//!   +------+------+             +--------+
//!   | head | tail |             | shadow |          c1 -> c2 -> c3 -> 0
//!   +------+------+             +--------+
//!      |      +---------------------------------------------------^
//!      +-> first cell enqueued on the empty queue; the consumer moves it to its shadow
//! ```
//!
//! To enqueue, a producer swaps the tail. If the queue was empty, its cell becomes the head, else
//! the next of its predecessor. To dequeue, the consumer follows the shadow head; for the last
//! cell, a compare-and-swap of the tail detects a producer that is adding another. Enqueuing on an
//! empty queue and dequeuing the last cell each touch one shared line.
//!
//! A producer that stops between its swap and its store leaves the queue *incomplete*: the consumer
//! finds nothing and polls again later; it never waits inside `pop`.
//!
//! Ordering edges:
//! * E1 *payload*: the producer's writes to a cell → Release store of `head` or `next` → Acquire
//!   load in `pop`.
//! * E2 *predecessor*: producer A initialises its cell's `next` → Release swap of the tail →
//!   Acquire swap by producer B, which then stores into that `next`. Without it, A's initial zero
//!   could overwrite B's link.
//! * E3 *emptying*: the consumer zeroes `head` → Release compare-and-swap of the tail → Acquire
//!   swap by the next producer, which then stores `head`. Without it, the consumer's zero could
//!   overwrite that new head.

use nemesis_sync::{AtomicU64, Ordering};

/// The number that names no cell.
pub const NONE: u64 = 0;

/// The head and the tail, which producers and the consumer share. All zero is an empty queue, so
/// fresh memory needs no initialisation.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Ends {
    head: AtomicU64,
    tail: AtomicU64,
}

#[cfg(not(loom))]
const _: () = assert!(size_of::<Ends>() == 64);

impl Ends {
    /// Makes the ends of an empty queue.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Ends {
        Ends { head: AtomicU64::new(NONE), tail: AtomicU64::new(NONE) }
    }
}

/// The memory in which the links of the cells lie.
pub trait Links {
    /// Returns the link word of `cell`, a number that a producer wrote.
    fn next(&self, cell: u64) -> &AtomicU64;
}

/// Enqueues `cell`, the payload of which is complete. Any thread of any process may call it; the
/// cell belongs to the queue afterwards.
#[inline(always)]
pub fn push(ends: &Ends, links: &impl Links, cell: u64) {
    let predecessor = swap_tail(ends, links, cell);
    link(ends, links, predecessor, cell);
}

/// The first half of [`push`]: makes `cell` the last one, and returns the one before it, or `NONE`.
/// A process that dies before the second half leaves the queue incomplete.
#[inline(always)]
pub fn swap_tail(ends: &Ends, links: &impl Links, cell: u64) -> u64 {
    // Relaxed: published by the swap below (E2).
    links.next(cell).store(NONE, Ordering::Relaxed);
    // AcqRel: releases our `next` (E2), acquires the predecessor's (E2) or the consumer's zeroed
    // head (E3).
    ends.tail.swap(cell, Ordering::AcqRel)
}

/// The second half of [`push`]: lets `predecessor` lead to `cell`.
#[inline(always)]
fn link(ends: &Ends, links: &impl Links, predecessor: u64, cell: u64) {
    if predecessor == NONE {
        // Release (E1): publishes the payload; pairs with the Acquire of `head` in `pop`.
        ends.head.store(cell, Ordering::Release);
    } else {
        // Release (E1): publishes the payload; pairs with the Acquire of `next` in `pop`.
        links.next(predecessor).store(cell, Ordering::Release);
    }
}

/// The consuming end; a queue has one. The shadow head lies in the consumer's private memory.
///
/// # Examples
/// ```
/// use nemesis_shm::queue::{Consumer, Ends, Links, push};
/// use nemesis_sync::AtomicU64;
///
/// /// Three cells, numbered from 1.
/// struct Cells([AtomicU64; 3]);
///
/// impl Links for Cells {
///     fn next(&self, cell: u64) -> &AtomicU64 {
///         &self.0[cell as usize - 1]
///     }
/// }
///
/// let (ends, cells) = (Ends::new(), Cells(Default::default()));
/// std::thread::scope(|scope| {
///     scope.spawn(|| [3, 1, 2].map(|cell| push(&ends, &cells, cell)));
/// });
/// let mut consumer = Consumer::default();
/// let popped: Vec<u64> = std::iter::from_fn(|| consumer.pop(&ends, &cells)).collect();
/// assert_eq!(popped, [3, 1, 2]);
/// ```
#[derive(Debug, Default)]
pub struct Consumer {
    shadow: u64,
}

impl Consumer {
    /// Whether the queue seems empty, by one load: a hint for a consumer that is about to sleep.
    #[inline(always)]
    pub fn is_empty(&self, ends: &Ends) -> bool {
        // Relaxed: only a hint; `pop` orders what it finds.
        self.shadow == NONE && ends.head.load(Ordering::Relaxed) == NONE
    }

    /// Dequeues the oldest cell; `None` if there is none, or none that its producer has linked yet.
    #[inline(always)]
    pub fn pop(&mut self, ends: &Ends, links: &impl Links) -> Option<u64> {
        if self.shadow == NONE {
            // Acquire (E1): pairs with the Release of `head` in `push`.
            self.shadow = ends.head.load(Ordering::Acquire);
            if self.shadow == NONE {
                return None;
            }
            // Relaxed: ordered before the tail becomes empty by the Release below (E3).
            ends.head.store(NONE, Ordering::Relaxed);
        }
        let cell = self.shadow;
        // Acquire (E1): pairs with the Release of `next` in `push`.
        let next = links.next(cell).load(Ordering::Acquire);
        if next != NONE {
            self.shadow = next;
            return Some(cell);
        }
        self.pop_last(ends, links, cell)
    }

    /// Returns whether a producer has swapped the tail, and has not linked its cell, to which the
    /// oldest cell that is left is to lead.
    ///
    /// This and the next two are for a queue to which a process has appended that has died. The
    /// caller knows, by something that orders memory, that it is dead, and that no living one is in
    /// the midst of an append: so all that they have done is visible, and nobody else writes.
    pub fn is_incomplete(&self, ends: &Ends, links: &impl Links) -> bool {
        // Relaxed: see above.
        let tail = ends.tail.load(Ordering::Relaxed);
        match self.shadow {
            NONE => ends.head.load(Ordering::Relaxed) == NONE && tail != NONE,
            oldest => links.next(oldest).load(Ordering::Relaxed) == NONE && tail != oldest,
        }
    }

    /// Returns whether `cell`, whose producer zeroed its link before it told that it appends the
    /// cell, has come into the queue: it is the last one, or another one follows it.
    pub fn has_come(ends: &Ends, links: &impl Links, cell: u64) -> bool {
        // Relaxed: as in `is_incomplete`.
        ends.tail.load(Ordering::Relaxed) == cell
            || links.next(cell).load(Ordering::Relaxed) != NONE
    }

    /// Links `cell` on behalf of its producer, which has died in the midst. The queue must be
    /// incomplete because of that.
    pub fn complete(&mut self, ends: &Ends, links: &impl Links, cell: u64) {
        match self.shadow {
            // Relaxed: this thread alone reads it.
            NONE => ends.head.store(cell, Ordering::Relaxed),
            oldest => links.next(oldest).store(cell, Ordering::Relaxed),
        }
    }

    #[inline(always)]
    fn pop_last(&mut self, ends: &Ends, links: &impl Links, cell: u64) -> Option<u64> {
        // Release on success (E3): the zeroed head comes before the empty tail. Relaxed on failure:
        // `next` is read again with Acquire.
        if ends.tail.compare_exchange(cell, NONE, Ordering::Release, Ordering::Relaxed).is_ok() {
            self.shadow = NONE;
            return Some(cell);
        }
        // Acquire (E1): pairs with the Release of `next` in `push`. A producer has swapped the tail
        // and may not have linked its cell yet.
        let next = links.next(cell).load(Ordering::Acquire);
        if next == NONE {
            return None;
        }
        self.shadow = next;
        Some(cell)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    struct Heap(Vec<AtomicU64>);

    impl Links for Heap {
        fn next(&self, cell: u64) -> &AtomicU64 {
            &self.0[cell as usize]
        }
    }

    fn heap(cells: usize) -> Heap {
        Heap((0..=cells).map(|_| AtomicU64::new(NONE)).collect())
    }

    #[test]
    fn cells_are_dequeued_in_fifo_order() {
        let (ends, links) = (Ends::new(), heap(8));
        let mut consumer = Consumer::default();
        assert_eq!(consumer.pop(&ends, &links), None);
        for round in 0..3 {
            for cell in 1..=8 {
                push(&ends, &links, cell);
                if round == 1 && cell == 4 {
                    assert_eq!(consumer.pop(&ends, &links), Some(1));
                    push(&ends, &links, 1);
                }
            }
            let popped: Vec<u64> = std::iter::from_fn(|| consumer.pop(&ends, &links)).collect();
            match round {
                1 => assert_eq!(popped, [2, 3, 4, 1, 5, 6, 7, 8]),
                _ => assert_eq!(popped, [1, 2, 3, 4, 5, 6, 7, 8]),
            }
            assert!(consumer.is_empty(&ends));
        }
    }

    #[test]
    fn a_queue_whose_producer_has_died_in_the_midst_is_completed() {
        for before in [false, true] {
            for after in [false, true] {
                let (ends, links) = (Ends::new(), heap(3));
                let mut consumer = Consumer::default();
                if before {
                    push(&ends, &links, 1);
                }
                assert!(!consumer.is_incomplete(&ends, &links));
                assert!(!Consumer::has_come(&ends, &links, 2));
                swap_tail(&ends, &links, 2);
                if after {
                    push(&ends, &links, 3);
                }
                assert_eq!(consumer.pop(&ends, &links), None);
                assert!(consumer.is_incomplete(&ends, &links));
                assert!(Consumer::has_come(&ends, &links, 2));
                consumer.complete(&ends, &links, 2);
                let popped: Vec<u64> = std::iter::from_fn(|| consumer.pop(&ends, &links)).collect();
                let wanted = [1, 2, 3].into_iter().filter(|&cell| match cell {
                    1 => before,
                    2 => true,
                    _ => after,
                });
                assert!(popped.iter().copied().eq(wanted), "{popped:?}");
                assert!(!consumer.is_incomplete(&ends, &links));
            }
        }
    }

    #[test]
    fn concurrent_producers_lose_and_duplicate_nothing() {
        const PER_PRODUCER: u64 = if cfg!(miri) { 50 } else { 20_000 };
        let (ends, links) = (Ends::new(), heap(4 * PER_PRODUCER as usize));
        std::thread::scope(|scope| {
            for producer in 0..4 {
                let (ends, links) = (&ends, &links);
                scope.spawn(move || {
                    (1..=PER_PRODUCER).for_each(|i| push(ends, links, producer * PER_PRODUCER + i))
                });
            }
            let mut consumer = Consumer::default();
            let mut last = [0; 4];
            for _ in 0..4 * PER_PRODUCER {
                let cell = loop {
                    match consumer.pop(&ends, &links) {
                        Some(cell) => break cell - 1,
                        None => std::thread::yield_now(),
                    }
                };
                let (producer, index) = ((cell / PER_PRODUCER) as usize, cell % PER_PRODUCER + 1);
                assert_eq!(index, last[producer] + 1, "each producer's cells stay in order");
                last[producer] = index;
            }
        });
    }
}
