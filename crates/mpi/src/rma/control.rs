//! The control block of a window: words that all its processes share. It lies in the heap of the window's rank 0, and each process maps it.
//!
//! ```text
//!   0                  64                 128
//!   | rank 0: lock     | rank 0: turn,    | rank 1: lock  | …
//!   |                  | regions          |
//! ```
//!
//! *lock* is that of `MPI_Win_lock`: `EXCLUSIVE`, or how many share it. *turn* is held while somebody accumulates into memory of that rank by reading,
//! computing and writing. *regions* tells where the list of memory attached to a dynamic window lies (`dynamic`).
//!
//! Ordering edges: E1 *release of a lock or turn → its next acquisition*: what was accessed under it before is seen by who has it next.
//!
//! The words are written by every process of the window. Nothing that is read here becomes an address: offsets go through `Memory::map`, which checks.

use nemesis::Shared;
use nemesis_sync::{AtomicU64, Ordering, spin_hint};
use std::sync::Arc;

const LINE: usize = 64;
/// The lock's value while one process has it alone.
const EXCLUSIVE: u64 = 1 << 63;
/// Looks at a turn before the processor is given away: a turn takes about a microsecond, unless its holder has lost its processor.
const SPINS_BEFORE_YIELD: u32 = 200;

#[derive(Debug, Clone)]
pub struct Control {
    shared: Arc<Shared>,
}

/// The turn at a rank's memory, given back when dropped.
pub struct Turn<'a> {
    word: &'a AtomicU64,
}

impl Control {
    /// Bytes that `ranks` ranks need.
    pub fn bytes(ranks: usize) -> usize {
        2 * LINE * ranks.max(1)
    }

    /// The block, which has the bytes.
    pub fn new(shared: Arc<Shared>) -> Control {
        Control { shared }
    }

    fn lock_word(&self, rank: u32) -> &AtomicU64 {
        self.shared.word(2 * LINE * rank as usize)
    }

    /// The words that tell where the regions attached by `rank` are listed.
    pub fn regions(&self, rank: u32) -> [&AtomicU64; 4] {
        let line = 2 * LINE * rank as usize + LINE;
        [8, 16, 24, 32].map(|at| self.shared.word(line + at))
    }

    /// Takes the lock of `rank` if it is free.
    pub fn try_lock(&self, rank: u32, exclusive: bool) -> bool {
        let word = self.lock_word(rank);
        // Relaxed: a guess, which the exchange corrects.
        let mut seen = if exclusive { 0 } else { word.load(Ordering::Relaxed) };
        loop {
            if seen & EXCLUSIVE != 0 {
                return false;
            }
            let wanted = if exclusive { EXCLUSIVE } else { seen + 1 };
            // Acquire (E1): sees what was done under the lock before.
            match word.compare_exchange_weak(seen, wanted, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(found) if exclusive && found != 0 => return false,
                Err(found) => seen = found,
            }
        }
    }

    /// Gives the lock of `rank` back.
    pub fn unlock(&self, rank: u32, exclusive: bool) {
        let word = self.lock_word(rank);
        // Release (E1): publishes what was done under the lock.
        if exclusive {
            word.store(0, Ordering::Release);
        } else {
            word.fetch_sub(1, Ordering::Release);
        }
    }

    /// Waits for the turn at the memory of `rank`. Its holder waits for nobody.
    pub fn take_turn(&self, rank: u32) -> Turn<'_> {
        let word = self.shared.word(2 * LINE * rank as usize + LINE);
        let mut spins = 0u32;
        // Acquire (E1): sees what was accumulated before.
        while word.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            spins = spins.wrapping_add(1);
            if spins.is_multiple_of(SPINS_BEFORE_YIELD) {
                std::thread::yield_now();
            } else {
                spin_hint();
            }
        }
        Turn { word }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // Release (E1): publishes what was accumulated.
        self.word.store(0, Ordering::Release);
    }
}
