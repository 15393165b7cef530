//! Stress tests of the lock-free structures in the segment: threads stand for processes and are
//! stopped at random moments. Each test knows what must arrive, and notices what is lost, doubled,
//! out of order or torn.

#![cfg(not(loom))]
#![allow(unsafe_code)]

mod agreement;
mod collective;
#[path = "../../../sync/tests/stress/harness.rs"]
mod harness;
mod messages;
mod sharing;
mod sleeping;

use nemesis_shm::segment::Segment;
use nemesis_sync::{AtomicU64, Ordering};
use nemesis_sys::memfd;

/// Makes a segment for that many processes.
fn segment(processes: usize) -> Segment {
    let memory = memfd::sparse(1 << 36, 1 << 36).unwrap();
    Segment::open(&memory.descriptor, 1 << 36, processes).unwrap()
}

/// Fills memory with bytes that belong to `number`.
fn fill(number: u64, bytes: &mut [u8]) {
    bytes.iter_mut().zip(number.wrapping_mul(17)..).for_each(|(byte, value)| *byte = value as u8);
}

/// Panics unless the memory holds the bytes of `number`.
fn check(number: u64, bytes: &[u8]) {
    let wrong =
        bytes.iter().zip(number.wrapping_mul(17)..).position(|(&byte, value)| byte != value as u8);
    assert_eq!(wrong, None, "torn or old data in {} bytes of {number}", bytes.len());
}

/// A place for one announcement at a time, from one thread to another.
#[derive(Default)]
struct Mailbox {
    words: [AtomicU64; 3],
    /// Number of the announcement that lies here; 0: none.
    number: AtomicU64,
}

impl Mailbox {
    /// Whether the last announcement was taken.
    fn is_empty(&self) -> bool {
        // Acquire: pairs with the Release in `take`.
        self.number.load(Ordering::Acquire) == 0
    }

    fn put(&self, number: u64, words: [u64; 3]) {
        // Relaxed: published by the number.
        self.words.iter().zip(words).for_each(|(word, value)| word.store(value, Ordering::Relaxed));
        // Release: pairs with the Acquire in `take`.
        self.number.store(number, Ordering::Release);
    }

    fn take(&self) -> Option<(u64, [u64; 3])> {
        // Acquire: pairs with the Release in `put`.
        let number = self.number.load(Ordering::Acquire);
        (number != 0).then(|| {
            // Relaxed: ordered by the number.
            let words = std::array::from_fn(|index| self.words[index].load(Ordering::Relaxed));
            // Release: pairs with the Acquire in `is_empty`.
            self.number.store(0, Ordering::Release);
            (number, words)
        })
    }
}
