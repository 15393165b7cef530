//! The control block of a window: words that its processes on one node share. It lies in the heap of the lowest rank there, and the others map
//! it. It has a place for every rank of the window, wherever that is, so that nobody has a second number.
//!
//! ```text
//!   0                  64                 128
//!   | rank 0: lock,    | rank 0: turn,    | rank 1: lock, | …
//!   |         busy     |         bulk     |         busy  |
//! ```
//!
//! *lock* is that of `MPI_Win_lock`: `EXCLUSIVE`, or how many share it. *turn* is held while somebody accumulates into memory of that rank by
//! reading, computing and writing.
//!
//! *busy* and *bulk* keep atomic instructions and long accumulates apart. A process that combines words by atomic instructions notes before in
//! its own *busy* whose they are, and looks at that rank's *bulk*; almost always it is down and that is all: a store, a load, a store. Whoever
//! combines many elements at once, as fast as the processor can, has the turn, raises *bulk*, orders all processes, and waits until nobody is
//! busy there. Whoever finds *bulk* raised takes the turn instead.
//!
//! *bulk* stays raised, since who combines many mostly does so again, and the barrier takes longer than combining some hundred elements. It is lowered by
//! whoever has the turn when *few* says that so many in a row have combined a few.
//!
//! ```text
//!   words                                    many
//!   W1  busy := rank                         M1  take the turn; bulk is 1: on to M4. bulk := 1
//!   W2  bulk? 1 -> busy := 0, take the turn  M2  membarrier (full barrier on both sides)
//!   W3  atomic instructions                  M3  wait until no busy = rank
//!   W4  busy := 0, or give the turn back     M4  combine, few := 0, give the turn back
//!       with the turn: few += 1, perhaps bulk := 0 before
//! ```
//!
//! Ordering edges: E2 *store then load on both sides*: if W2 reads 0 although M1 happened, W2 came before the barrier M2, so W1 did too and M3
//! sees it. As long as *bulk* stays raised, no W2 behind that barrier reads 0. E3 *W4 → M3* and *bulk := 0 → W2*: Release and Acquire, so that each sees what
//! the other combined. E1 *release of a lock or turn → its next acquisition*: what was accessed under it before is seen by who has it next.
//!
//! The words are written by every process of the window. Nothing that is read here becomes an address: offsets go through `Memory::map`, which
//! checks.

use nemesis::Shared;
use nemesis_sync::{AtomicU64, Ordering, light_barrier, spin_hint};
use std::sync::Arc;

const LINE: usize = 64;
/// The lock's value while one process has it alone.
const EXCLUSIVE: u64 = 1 << 63;
/// Looks at a turn before the processor is given away: a turn takes about a microsecond, unless its holder has lost its processor.
const SPINS_BEFORE_YIELD: u32 = 200;
/// So many accesses of a few elements in a row, each dearer by the turn, cost more than to raise the flag again.
const FEW_BEFORE_LOWERED: u64 = 256;

#[derive(Debug, Clone)]
pub struct Control {
    shared: Arc<Shared>,
}

/// Permission to combine words of a rank's memory by atomic instructions, until dropped.
pub enum Pass<'a> {
    Busy(&'a AtomicU64),
    /// Somebody combines many, or has done so lately.
    Few(Few<'a>),
    Turn {
        _turn: Turn<'a>,
    },
}

/// The turn of one who combines a few elements although *bulk* is raised.
pub struct Few<'a> {
    bulk: &'a AtomicU64,
    few: &'a AtomicU64,
    _turn: Turn<'a>,
}

/// Permission to combine a rank's memory in any way, until dropped.
pub struct Bulk<'a> {
    _turn: Turn<'a>,
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

    fn busy_word(&self, rank: u32) -> &AtomicU64 {
        self.shared.word(2 * LINE * rank as usize + 8)
    }

    fn bulk_word(&self, rank: u32) -> &AtomicU64 {
        self.shared.word(2 * LINE * rank as usize + LINE + 40)
    }

    fn few_word(&self, rank: u32) -> &AtomicU64 {
        self.shared.word(2 * LINE * rank as usize + LINE + 48)
    }

    /// Lets the process with rank `own` combine words of `rank` by atomic instructions.
    #[inline]
    pub fn pass(&self, own: u32, rank: u32) -> Pass<'_> {
        let busy = self.busy_word(own);
        // Relaxed: ordered before the look at `bulk` by the barrier, here light, there full (E2).
        busy.store(u64::from(rank) + 1, Ordering::Relaxed);
        light_barrier();
        // Acquire (E3): what was combined by many.
        if self.bulk_word(rank).load(Ordering::Acquire) == 0 {
            return Pass::Busy(busy);
        }
        // Relaxed: nothing was done.
        busy.store(0, Ordering::Relaxed);
        self.pass_with_turn(rank)
    }

    #[inline(never)]
    fn pass_with_turn(&self, rank: u32) -> Pass<'_> {
        let turn = self.take_turn(rank);
        Pass::Few(Few { bulk: self.bulk_word(rank), few: self.few_word(rank), _turn: turn })
    }

    /// Lets nobody else combine memory of `rank`; `order_all` is the full barrier on all processes. `None` where there is no such barrier.
    pub fn take_bulk(
        &self,
        rank: u32,
        ranks: u32,
        order_all: impl FnOnce() -> bool,
    ) -> Option<Bulk<'_>> {
        let (bulk, word) = (Bulk { _turn: self.take_turn(rank) }, self.bulk_word(rank));
        // Relaxed: changed under the turn only.
        self.few_word(rank).store(0, Ordering::Relaxed);
        if word.load(Ordering::Relaxed) != 0 {
            return Some(bulk);
        }
        // Relaxed: ordered before the looks at `busy` by the barrier (E2).
        word.store(1, Ordering::Relaxed);
        if !order_all() {
            // Relaxed: nothing was done.
            word.store(0, Ordering::Relaxed);
            return None;
        }
        for other in 0..ranks {
            let mut spins = 0u32;
            // Acquire (E3): what was combined by words.
            while self.busy_word(other).load(Ordering::Acquire) == u64::from(rank) + 1 {
                spins = spins.wrapping_add(1);
                if spins.is_multiple_of(SPINS_BEFORE_YIELD) {
                    std::thread::yield_now();
                } else {
                    spin_hint();
                }
            }
        }
        Some(bulk)
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

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if let Pass::Busy(word) = self {
            // Release (E3): publishes what was combined.
            word.store(0, Ordering::Release);
        }
    }
}

impl Drop for Few<'_> {
    fn drop(&mut self) {
        // Relaxed: changed under the turn only.
        let few = self.few.load(Ordering::Relaxed) + 1;
        self.few.store(few, Ordering::Relaxed);
        if few >= FEW_BEFORE_LOWERED {
            // Release (E3): publishes what was combined, by us and by whoever had the turn before.
            self.bulk.store(0, Ordering::Release);
        }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        // Release (E1): publishes what was accumulated.
        self.word.store(0, Ordering::Release);
    }
}
