//! A copy that two processes carry out together.
//!
//! The owner wants bytes from another process's memory and can read them by itself. If the other
//! process has time, it helps by writing some of them, so that two processors copy at once. The
//! bytes are divided into chunks. A process that is free claims the next chunk by a word that both
//! share:
//!
//! ```text
//!   owner   begin ── claim, read, claim, read … ── none left
//!   helper              claim, write, claim, write … ── none left, tells the owner how much it
//!   wrote
//! ```
//!
//! The word serves one copy after the other. Each copy has a *generation*, by which a helper that
//! comes late finds that nothing is left to do. A packet from the owner to the helper says what is
//! copied where. The word decides which process copies which chunk, and orders nothing.
//!
//! If both processes copy by loads and stores, the owner may be the one that writes, and the helper
//! counts the bytes that it has copied in a second word. Ordering edge: E1 *the helper's writes →
//! Release add to `helped` → Acquire load by the owner*, the next packet of which publishes them.

use nemesis_sync::{AtomicU64, Ordering};
use std::ops::Range;

/// Shortest chunk: a system call is worth its cost from about this length on.
const CHUNK_MIN_BYTES: u64 = 16 * 1024;
/// Longest chunk that is a quarter of its copy, so that each process gets some chunks. Measured
/// best for copies that the second-level cache holds.
const CHUNK_CACHED_BYTES: u64 = 128 * 1024;
/// Longest chunk that is a sixteenth of a longer copy: the process that ends first does not wait
/// long for the other.
const CHUNK_MAX_BYTES: u64 = 512 * 1024;

/// The words that both processes share, in a line of the owner's slot.
///
/// # Examples
/// ```
/// use nemesis_shm::cooperative::CooperativeCopy;
///
/// let cooperative = CooperativeCopy::default();
/// let copy = cooperative.begin(1 << 20);
/// let copied = || -> u64 {
///     let chunks = std::iter::from_fn(|| cooperative.claim(&copy));
///     chunks.map(|chunk| chunk.end - chunk.start).sum()
/// };
/// let both = std::thread::scope(|scope| {
///     let helper = scope.spawn(copied);
///     copied() + helper.join().unwrap()
/// });
/// assert_eq!(both, 1 << 20);
/// assert!(cooperative.is_closed(&copy));
/// ```
#[repr(C, align(64))]
#[derive(Debug, Default)]
pub struct CooperativeCopy {
    /// The generation (upper half) and the number of the next chunk (lower half).
    turn: AtomicU64,
    /// Bytes that the helper of this copy has copied by loads and stores.
    helped: AtomicU64,
}

/// One copy by a [`CooperativeCopy`], as both processes know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Number of the copy, modulo 2^32.
    pub generation: u32,
    /// Length of the copy, in bytes.
    pub bytes: u64,
}

impl CooperativeCopy {
    /// Begins a copy of `bytes` bytes. Only the owner may call this, when nothing of its last copy
    /// is left.
    pub fn begin(&self, bytes: u64) -> Copy {
        // Relaxed, as all accesses to this word: it orders nothing. Only the owner changes the
        // generation.
        let generation = ((self.turn.load(Ordering::Relaxed) >> 32) as u32).wrapping_add(1);
        // Relaxed: the last copy's helper has added all of its bytes, and a packet announces this
        // copy.
        self.helped.store(0, Ordering::Relaxed);
        self.turn.store(u64::from(generation) << 32, Ordering::Relaxed);
        Copy { generation, bytes }
    }

    /// Whether a chunk of a copy that is divided into chunks of `chunk_bytes` can still be claimed.
    pub fn is_open(&self, copy: &Copy, chunk_bytes: u64) -> bool {
        let turn = self.turn.load(Ordering::Relaxed);
        turn >> 32 == u64::from(copy.generation)
            && (turn & u64::from(u32::MAX)) * chunk_bytes < copy.bytes
    }

    /// Adds `bytes` to the bytes that the helper has copied.
    pub fn add_helped(&self, bytes: u64) {
        // Release (E1): pairs with the Acquire in `helped`.
        self.helped.fetch_add(bytes, Ordering::Release);
    }

    /// Returns the bytes that the helper of the owner's last copy has copied.
    pub fn helped(&self) -> u64 {
        // Acquire (E1): pairs with the Release in `add_helped`.
        self.helped.load(Ordering::Acquire)
    }

    /// Claims the next chunk of a copy and returns its range of bytes, which the caller has to
    /// copy; `None` if no chunk is left.
    pub fn claim(&self, copy: &Copy) -> Option<Range<u64>> {
        self.claim_chunk(copy, copy.chunk_bytes())
    }

    /// Claims the next chunk as [`claim`](Self::claim) does, of a copy that is divided into chunks
    /// of `chunk_bytes`.
    pub fn claim_chunk(&self, copy: &Copy, chunk_bytes: u64) -> Option<Range<u64>> {
        let mut turn = self.turn.load(Ordering::Relaxed);
        loop {
            let begin = (turn & u64::from(u32::MAX)) * chunk_bytes;
            if turn >> 32 != u64::from(copy.generation) || begin >= copy.bytes {
                return None;
            }
            match self.turn.compare_exchange(turn, turn + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(begin..copy.bytes.min(begin + chunk_bytes)),
                Err(now) => turn = now,
            }
        }
    }

    /// Claims all that is left of a copy and returns the offset at which it begins; `None` if
    /// nothing is left.
    pub fn claim_rest(&self, copy: &Copy) -> Option<u64> {
        let chunk_bytes = copy.chunk_bytes();
        let all = u64::from(copy.generation) << 32 | copy.bytes.div_ceil(chunk_bytes);
        let mut turn = self.turn.load(Ordering::Relaxed);
        while turn >> 32 == u64::from(copy.generation) && turn < all {
            match self.turn.compare_exchange(turn, all, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some((turn & u64::from(u32::MAX)) * chunk_bytes),
                Err(now) => turn = now,
            }
        }
        None
    }

    /// Whether nothing of a copy can be claimed any more.
    pub fn is_closed(&self, copy: &Copy) -> bool {
        !self.is_open(copy, copy.chunk_bytes())
    }
}

impl Copy {
    /// Returns the length of the copy's chunks.
    fn chunk_bytes(&self) -> u64 {
        let cached = (self.bytes / 4).next_power_of_two().min(CHUNK_CACHED_BYTES);
        let long = (self.bytes / 16).next_power_of_two().min(CHUNK_MAX_BYTES);
        // However long the copy is, half a word can count its chunks.
        let countable = (self.bytes >> 31).next_power_of_two();
        cached.max(long).max(countable).max(CHUNK_MIN_BYTES)
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_a_copy_once() {
        let cooperative = CooperativeCopy::default();
        for bytes in [0, 1, CHUNK_MIN_BYTES, 1 << 20, (1 << 20) + 1, 3 << 30] {
            let copy = cooperative.begin(bytes);
            let mut end = 0;
            while let Some(chunk) = cooperative.claim(&copy) {
                assert_eq!(chunk.start, end);
                end = chunk.end;
            }
            assert_eq!(end, bytes);
        }
    }

    #[test]
    fn two_threads_share_a_copy() {
        let cooperative = CooperativeCopy::default();
        for _ in 0..200 {
            let copy = cooperative.begin(64 * CHUNK_MAX_BYTES + 5);
            let mine = || {
                std::iter::from_fn(|| cooperative.claim(&copy))
                    .map(|chunk| chunk.end - chunk.start)
                    .sum::<u64>()
            };
            let both = std::thread::scope(|scope| {
                let other = scope.spawn(mine);
                mine() + other.join().unwrap()
            });
            assert_eq!(both, copy.bytes);
        }
    }

    #[test]
    fn remaining_chunks_and_helped_bytes_are_known() {
        let cooperative = CooperativeCopy::default();
        let first = cooperative.begin(100);
        assert!(
            cooperative.is_open(&first, 60) && cooperative.claim_chunk(&first, 60) == Some(0..60)
        );
        assert!(
            cooperative.is_open(&first, 60) && cooperative.claim_chunk(&first, 60) == Some(60..100)
        );
        cooperative.add_helped(40);
        assert!(!cooperative.is_open(&first, 60) && cooperative.helped() == 40);
        let second = cooperative.begin(100);
        assert!(
            !cooperative.is_open(&first, 60)
                && cooperative.is_open(&second, 60)
                && cooperative.helped() == 0
        );
    }

    #[test]
    fn late_helpers_get_nothing_and_the_rest_is_claimed_once() {
        let cooperative = CooperativeCopy::default();
        let first = cooperative.begin(1 << 20);
        assert!(cooperative.claim(&first).is_some());
        assert!(!cooperative.is_closed(&first));
        assert_eq!(cooperative.claim_rest(&first), Some(CHUNK_CACHED_BYTES));
        assert!(
            cooperative.is_closed(&first)
                && cooperative.claim(&first).is_none()
                && cooperative.claim_rest(&first).is_none()
        );
        let second = cooperative.begin(1 << 20);
        assert!(
            cooperative.claim(&first).is_none()
                && cooperative.claim_rest(&first).is_none()
                && cooperative.is_closed(&first)
        );
        assert!(cooperative.claim(&second).is_some());
    }

    #[test]
    fn the_longest_copy_can_be_counted() {
        for bytes in [u64::MAX >> 1, 1 << 50] {
            assert!(
                bytes.div_ceil(Copy { generation: 0, bytes }.chunk_bytes()) <= u64::from(u32::MAX)
            );
        }
    }
}
