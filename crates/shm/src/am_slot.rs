//! An access to a process's memory that the process itself may carry out.
//!
//! The owner of these lines wants something done to another process's memory. It can do so by itself, by a system call; the other, if it is looking for
//! packets just now, does it in a fraction of the time. So a packet tells the other of it, and the owner waits for about as long as the system call takes.
//! Then it does itself what nobody has begun. Accesses are numbered, and *taken* is the number of the last that somebody carries out, or has; whoever moves it
//! on from the number before carries the access out, and nobody else does:
//!
//! ```text
//!   owner    tells of n ── looks ── looks ── n is done
//!   other        takes n ── carries it out ── done := n
//!
//!   owner    tells of n ── looks … looks ── takes n, carries it out
//!   other                                                  comes back, cannot take n ── changes its bit
//! ```
//!
//! One access of an owner is under way at a time. A packet that is found late, however late, names a number that is taken and does nothing. Between take and
//! done are a few loads and stores, so the owner may wait for the end. Where the other is not looking for packets, the next one would lie behind the last: so
//! whoever finds one and leaves it to its owner changes a bit in *left*, one for each process modulo 64. The owner knows how often it has carried out what it
//! had told of, and tells nobody of anything before the last has been found.
//!
//! ```text
//!   0                       64
//!   | taken                 | done, left, answer: what the other has read …
//! ```
//!
//! The owner looks at the second line only. So the first stays with the other, as long as that carries out what it is told of, and one line each way changes
//! hands: the packet's and the second one.
//!
//! Ordering edge: E1 *the other's accesses and its answer → Release of done → Acquire by the owner*. The packet orders what was before.

use nemesis_sync::{AtomicU64, Ordering};

/// Processes of which two may have a bit in common.
pub const BITS: usize = 64;
const ANSWER_WORDS: usize = 32;
/// The longest answer: where lines change hands slowly, twice as long a one takes longer than the system call.
pub const ANSWER_MAX_BYTES: usize = ANSWER_WORDS * 8;

/// The lines, in their owner's slot.
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub struct AmSlot {
    taken: Line<AtomicU64>,
    outcome: Line<Outcome>,
}

#[repr(C, align(64))]
#[derive(Debug, Default)]
struct Line<T>(T);

#[repr(C)]
#[derive(Debug)]
struct Outcome {
    done: AtomicU64,
    left: AtomicU64,
    answer: [AtomicU64; ANSWER_WORDS],
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome {
            done: AtomicU64::new(0),
            left: AtomicU64::new(0),
            answer: std::array::from_fn(|_| AtomicU64::new(0)),
        }
    }
}

/// Bytes of the lines.
pub const AM_SLOT_BYTES: usize = 64 + (16 + ANSWER_MAX_BYTES).next_multiple_of(64);

#[cfg(not(loom))]
const _: () = assert!(size_of::<AmSlot>() == AM_SLOT_BYTES);

fn bit(process: u32) -> u64 {
    1 << (process as usize % BITS)
}

impl AmSlot {
    /// Takes access `number`: whether it is the caller's to carry out. Nothing that may fail or wait comes before its end.
    #[inline]
    pub fn take(&self, number: u64) -> bool {
        // Relaxed: who takes it in vain does nothing, and the packet orders what was before.
        self.taken
            .0
            .compare_exchange(number.wrapping_sub(1), number, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok()
    }
}

/// What the owner does.
impl AmSlot {
    /// Whether the other has carried an access out.
    #[inline]
    pub fn is_done(&self, number: u64) -> bool {
        // Acquire (E1): pairs with the Release in `done`.
        self.outcome.0.done.load(Ordering::Acquire) == number
    }

    /// Whether the processes with the bit of `process` have left an odd number of accesses to the owner.
    #[inline]
    pub fn has_left_odd(&self, process: u32) -> bool {
        // Relaxed: advice.
        self.outcome.0.left.load(Ordering::Relaxed) & bit(process) != 0
    }

    /// Copies what was read, when the access is done. No more than the longest answer.
    pub fn copy_answer(&self, into: &mut [u8]) {
        for (word, part) in self.outcome.0.answer.iter().zip(into.chunks_mut(8)) {
            // Relaxed: ordered by `is_done`.
            part.copy_from_slice(&word.load(Ordering::Relaxed).to_ne_bytes()[..part.len()]);
        }
    }
}

/// What the other does, which has been told of an access.
impl AmSlot {
    /// What is read: `read` copies the bytes from the one told on. No more than the longest answer. Only who has taken the access.
    pub fn answer(&self, bytes: usize, mut read: impl FnMut(usize, &mut [u8])) {
        for (words, begin) in self.outcome.0.answer.chunks(8).zip((0..bytes).step_by(64)) {
            let mut values = [[0; 8]; 8];
            let part = (bytes - begin).min(64);
            read(begin, &mut values.as_flattened_mut()[..part]);
            for (word, value) in words.iter().zip(&values[..part.div_ceil(8)]) {
                // Relaxed: published by `done`.
                word.store(u64::from_ne_bytes(*value), Ordering::Relaxed);
            }
        }
    }

    /// The access is carried out. Only who has taken it.
    #[inline]
    pub fn done(&self, number: u64) {
        // Release (E1): pairs with the Acquire in `is_done`.
        self.outcome.0.done.store(number, Ordering::Release);
    }

    /// Leaves to the owner what could not be taken, or is not to be: once for each access that is not carried out.
    #[cold]
    pub fn leave(&self, process: u32) {
        // Relaxed: advice.
        self.outcome.0.left.fetch_xor(bit(process), Ordering::Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn an_access_is_carried_out_by_one_of_both() {
        let line = AmSlot::default();
        assert!(line.take(1) && !line.is_done(1) && !line.take(1));
        line.answer(11, |begin, into| {
            into.copy_from_slice(&b"eleven byte"[begin..begin + into.len()])
        });
        line.done(1);
        let mut answer = [0; 11];
        line.copy_answer(&mut answer);
        assert!(line.is_done(1) && &answer == b"eleven byte" && !line.has_left_odd(3));
        assert!(line.take(2) && !line.take(2));
        line.leave(3);
        assert!(!line.is_done(2) && line.has_left_odd(3) && !line.has_left_odd(4));
        line.leave(67);
        assert!(!line.has_left_odd(3));
    }

    #[test]
    fn what_is_over_or_senseless_is_not_taken() {
        let line = AmSlot::default();
        assert!((1..=3).all(|number| line.take(number)));
        for number in [0, 1, 3, 5, 1 << 63, u64::MAX] {
            assert!(!line.take(number), "{number:#x}");
        }
    }
}
