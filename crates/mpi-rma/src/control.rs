//! The control block of a window: words that its processes on one node share. It lies in the shared
//! heap of the lowest rank of the node, and the other processes map it. It has an entry for every
//! rank of the window, also for ranks on other nodes, so that the rank is the index.
//!
//! ```text
//!   0                  64                 128               behind those of all ranks
//!   | rank 0: lock,    | rank 0: acc,     | rank 1: lock, … | notices to the node's first rank,
//!   |         busy     |         bulk     |         busy    | from each rank of the node | …
//! ```
//!
//! *lock* is the window lock of `MPI_Win_lock`: `EXCLUSIVE`, or the number of processes that share
//! it. *acc* is the accumulate lock: a process holds it while it accumulates into memory of that
//! rank by reading, computing and writing.
//!
//! *busy* and *bulk* keep atomic instructions and bulk accumulates apart. Before a process combines
//! words by atomic instructions, it stores in its own *busy* whose words they are, and reads that
//! rank's *bulk*. In the common case *bulk* is 0, and the cost is a store, a load and a store. A
//! process that combines many elements at once, as fast as the processor can, takes the accumulate
//! lock, sets *bulk*, executes a barrier on all processes, and waits until no *busy* names the
//! rank. A process that finds *bulk* set takes the accumulate lock instead.
//!
//! *bulk* stays set, because a process that makes a bulk accumulate usually makes another one, and
//! the barrier takes longer than combining some hundred elements. The holder of the accumulate lock
//! clears *bulk* when *small_count* counts `FEW_BEFORE_CLEARED` consecutive small accumulates.
//!
//! ```text
//!   small accumulate                         bulk accumulate
//!   W1  busy := rank                         M1  lock acc; bulk is 1: on to M4. bulk := 1
//!   W2  bulk? 1 -> busy := 0, lock acc       M2  membarrier (full barrier on both sides)
//!   W3  atomic instructions                  M3  wait until no busy = rank
//!   W4  busy := 0, or unlock acc             M4  combine, small_count := 0, unlock acc
//!       under acc: small_count += 1, and bulk := 0 if small_count is at its limit
//! ```
//!
//! Ordering edges. E2, *store then load on both sides*: if W2 reads 0 although M1 happened, W2 came
//! before the barrier M2, so W1 did too, and M3 sees W1. While *bulk* stays set, no W2 after that
//! barrier reads 0. E3, *W4 → M3* and *bulk := 0 → W2*: Release and Acquire, so that each side sees
//! what the other combined. E1, *release of a window lock or accumulate lock → its next
//! acquisition*: the next holder sees what was accessed under the lock before.
//!
//! Every process of the window writes these words. No value that is read here becomes an address:
//! offsets go through `Memory::map`, which checks them.

use nemesis::wire::CACHE_LINE_BYTES;
use nemesis::{Shared, WordWait};
use nemesis_sync::{AtomicU64, Ordering, light_barrier, spin_hint};
use nemesis_sys::mutation::{self, Mutation};
use std::sync::Arc;

/// Value of the window lock while one process holds it exclusively.
const EXCLUSIVE: u64 = 1 << 63;
/// Polls of an accumulate lock before the waiting thread yields. The lock is held for about a
/// microsecond, unless its holder has been descheduled.
const SPINS_BEFORE_YIELD: u32 = 200;
/// Consecutive small accumulates under the lock after which *bulk* is cleared: together, their
/// extra cost exceeds the cost of setting it again.
const FEW_BEFORE_CLEARED: u64 = 256;

/// The control block of a window on this node.
#[derive(Debug, Clone)]
pub struct Control {
    shared: Arc<Shared>,
    /// Where the notices begin, and the bytes of those to one rank.
    notices: usize,
    of_one: usize,
}

/// Permission to combine words of a rank's memory by atomic instructions, until dropped.
pub enum AtomicPermit<'a> {
    /// This process's *busy* word names the rank.
    Busy(&'a AtomicU64),
    /// *bulk* is set, so the permit holds the accumulate lock and counts small accumulates.
    SmallLocked {
        _lock: SmallLocked<'a>,
    },
    Locked {
        _lock: AccumulateLock<'a>,
    },
}

/// The accumulate lock as taken for a small accumulate while *bulk* is set.
pub struct SmallLocked<'a> {
    bulk: &'a AtomicU64,
    small_count: &'a AtomicU64,
    _lock: AccumulateLock<'a>,
}

/// Permission to combine a rank's memory in any way, until dropped.
pub struct BulkPermit<'a> {
    _lock: AccumulateLock<'a>,
}

/// The lock at a rank's memory, given back when dropped.
pub struct AccumulateLock<'a> {
    word: &'a AtomicU64,
}

/// Returns the bytes of notices to one of `beside` ranks. A receiver shares no line with others.
fn notices_bytes(beside: usize) -> usize {
    (beside * size_of::<AtomicU64>()).next_multiple_of(CACHE_LINE_BYTES)
}

impl Control {
    /// Returns the bytes that a window of `ranks` ranks needs, of which `beside` are on this node.
    pub fn bytes(ranks: usize, beside: usize) -> usize {
        2 * CACHE_LINE_BYTES * ranks.max(1) + beside * notices_bytes(beside)
    }

    /// Wraps a block, which must have [`Control::bytes`] bytes.
    pub fn new(shared: Arc<Shared>, ranks: usize, beside: usize) -> Control {
        let notices = 2 * CACHE_LINE_BYTES * ranks.max(1);
        Control { shared, notices, of_one: notices_bytes(beside) }
    }

    /// Returns the word of notices from a rank of this node to another one, by their indices among
    /// those.
    #[inline]
    pub fn notices(&self, from: usize, to: usize) -> &AtomicU64 {
        self.shared.word(self.notices + to * self.of_one + from * size_of::<AtomicU64>())
    }

    fn lock_word(&self, rank: u32) -> &AtomicU64 {
        self.shared.word(2 * CACHE_LINE_BYTES * rank as usize)
    }

    /// Takes the window lock of `rank` if it is free; returns whether it did.
    pub fn try_lock(&self, rank: u32, exclusive: bool) -> bool {
        let word = self.lock_word(rank);
        // Relaxed: an estimate, which the exchange corrects.
        let mut seen = if exclusive { 0 } else { word.load(Ordering::Relaxed) };
        loop {
            if seen & EXCLUSIVE != 0 {
                return exclusive && mutation::strikes(Mutation::LockShared);
            }
            let wanted = if exclusive { EXCLUSIVE } else { seen + 1 };
            // Acquire (E1): sees what was done under the lock before.
            match word.compare_exchange_weak(seen, wanted, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return true,
                Err(found) if exclusive && found != 0 => {
                    return mutation::strikes(Mutation::LockShared);
                }
                Err(found) => seen = found,
            }
        }
    }

    /// Releases the window lock of `rank`.
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
        self.shared.word(2 * CACHE_LINE_BYTES * rank as usize + 8)
    }

    fn bulk_word(&self, rank: u32) -> &AtomicU64 {
        self.shared.word(2 * CACHE_LINE_BYTES * rank as usize + CACHE_LINE_BYTES + 40)
    }

    fn small_count_word(&self, rank: u32) -> &AtomicU64 {
        self.shared.word(2 * CACHE_LINE_BYTES * rank as usize + CACHE_LINE_BYTES + 48)
    }

    /// Permits the process of rank `own` to combine words of `rank` by atomic instructions.
    #[inline]
    pub fn begin_atomic(&self, own: u32, rank: u32) -> AtomicPermit<'_> {
        let busy = self.busy_word(own);
        // Relaxed: ordered before the load of `bulk` by the barrier, here light, there full (E2).
        busy.store(u64::from(rank) + 1, Ordering::Relaxed);
        light_barrier();
        // Acquire (E3): sees what bulk accumulates combined.
        if self.bulk_word(rank).load(Ordering::Acquire) == 0 {
            return AtomicPermit::Busy(busy);
        }
        // Relaxed: nothing was done.
        busy.store(0, Ordering::Relaxed);
        self.begin_small_locked(rank)
    }

    #[inline(never)]
    fn begin_small_locked(&self, rank: u32) -> AtomicPermit<'_> {
        let lock = self.lock_accumulates(rank);
        let bulk = self.bulk_word(rank);
        let small_count = self.small_count_word(rank);
        AtomicPermit::SmallLocked { _lock: SmallLocked { bulk, small_count, _lock: lock } }
    }

    /// Excludes all other accumulates from memory of `rank`. `order_all` executes the full barrier
    /// on all processes. Returns `None` if there is no such barrier.
    pub fn begin_bulk(
        &self,
        rank: u32,
        ranks: u32,
        order_all: impl FnOnce() -> bool,
    ) -> Option<BulkPermit<'_>> {
        let (bulk, word) =
            (BulkPermit { _lock: self.lock_accumulates(rank) }, self.bulk_word(rank));
        // Relaxed: changed under the lock only.
        self.small_count_word(rank).store(0, Ordering::Relaxed);
        if word.load(Ordering::Relaxed) != 0 {
            return Some(bulk);
        }
        // Relaxed: ordered before the loads of `busy` by the barrier (E2).
        word.store(1, Ordering::Relaxed);
        if !order_all() {
            // Relaxed: nothing was done.
            word.store(0, Ordering::Relaxed);
            return None;
        }
        for other in 0..ranks {
            // Acquire (E3): sees what small accumulates combined.
            let is_idle = || self.busy_word(other).load(Ordering::Acquire) != u64::from(rank) + 1;
            if !is_idle() {
                wait_until("an accumulate of another rank", is_idle);
            }
        }
        Some(bulk)
    }

    /// Takes the accumulate lock of `rank`, spinning. Its holder never waits for another lock.
    pub fn lock_accumulates(&self, rank: u32) -> AccumulateLock<'_> {
        let word = self.shared.word(2 * CACHE_LINE_BYTES * rank as usize + CACHE_LINE_BYTES);
        // Acquire (E1): sees what was accumulated before.
        let takes =
            || word.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_ok();
        if !takes() {
            wait_until("the lock of accumulates", takes);
        }
        AccumulateLock { word }
    }
}

/// Spins until `done`, which waits for `what`. Answers a launcher that asks meanwhile.
#[cold]
fn wait_until(what: &'static str, done: impl Fn() -> bool) {
    let (mut spins, mut wait) = (0u32, WordWait::new(what));
    while !done() {
        spins = spins.wrapping_add(1);
        if spins.is_multiple_of(SPINS_BEFORE_YIELD) {
            wait.pause();
            if wait.is_hopeless() {
                // Its holder has died. It held it for the time of one operation.
                return;
            }
        } else {
            spin_hint();
        }
    }
}

impl Drop for AtomicPermit<'_> {
    fn drop(&mut self) {
        if let AtomicPermit::Busy(word) = self {
            // Release (E3): publishes what was combined.
            word.store(0, Ordering::Release);
        }
    }
}

impl Drop for SmallLocked<'_> {
    fn drop(&mut self) {
        // Relaxed: changed under the lock only.
        let small_count = self.small_count.load(Ordering::Relaxed) + 1;
        self.small_count.store(small_count, Ordering::Relaxed);
        if small_count >= FEW_BEFORE_CLEARED {
            // Release (E3): publishes what this process and earlier holders of the lock combined.
            self.bulk.store(0, Ordering::Release);
        }
    }
}

impl Drop for AccumulateLock<'_> {
    fn drop(&mut self) {
        // Release (E1): publishes what was accumulated.
        self.word.store(0, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_shm::{heap::Heap, layout::Layout};
    use nemesis_sync::AtomicBool;
    use nemesis_sys::{membarrier, memfd};
    use std::time::{Duration, Instant};

    const RANKS: u32 = 4;
    /// The rank whose words and lock are used.
    const TARGET: u32 = 2;

    fn control() -> Control {
        let memory = memfd::sparse(1 << 36, 1 << 36).unwrap();
        let layout = Layout::new(1 << 36, 1).unwrap();
        let mut heap = Heap::new(memory.descriptor, memory.backing, layout, 0);
        let ranks = RANKS as usize;
        let block = heap.allocate(Control::bytes(ranks, ranks), 1).unwrap();
        Control::new(block.shared, ranks, ranks)
    }

    /// Runs `act` in a thread for each rank for `STRESS_SECONDS`, by default for a second.
    /// It gets the rank and the number of the round.
    fn stress(act: impl Fn(u32, u64) + Sync) {
        let seconds = std::env::var("STRESS_SECONDS")
            .map_or(1.0, |text| text.parse().expect("STRESS_SECONDS: a number"));
        let end = Instant::now() + Duration::from_secs_f64(seconds);
        std::thread::scope(|scope| {
            for rank in 0..RANKS {
                let act = &act;
                scope.spawn(move || {
                    (0..).take_while(|_| Instant::now() < end).for_each(|round| act(rank, round));
                });
            }
        });
    }

    /// Stops for a while that differs from round to round, at times until others have run.
    fn dawdle(rank: u32, round: u64) {
        match (round * 7 + u64::from(rank)) % 64 {
            0 => std::thread::sleep(Duration::from_micros(round % 200)),
            1..8 => std::thread::yield_now(),
            spins => (0..spins).for_each(|_| spin_hint()),
        }
    }

    /// No process combines by atomic instructions while another one combines in bulk.
    #[test]
    fn bulk_accumulates_exclude_all_others() {
        assert!(membarrier::register(), "the kernel has membarrier");
        let (control, small, bulk) = (control(), AtomicU64::new(0), AtomicBool::new(false));
        // Relaxed: the control block orders what is done with its permits, which is tested here.
        let relaxed = Ordering::Relaxed;
        stress(|rank, round| {
            if round % 600 < u64::from(rank) * 2 {
                let permit = control.begin_bulk(TARGET, RANKS, membarrier::global);
                let permit = permit.expect("the kernel has membarrier");
                assert!(!bulk.swap(true, relaxed) && small.load(relaxed) == 0, "another is inside");
                dawdle(rank, round);
                assert!(bulk.swap(false, relaxed) && small.load(relaxed) == 0, "another has come");
                drop(permit);
            } else {
                let permit = control.begin_atomic(rank, TARGET);
                small.fetch_add(1, relaxed);
                assert!(!bulk.load(relaxed), "a bulk accumulate is under way");
                dawdle(rank, round);
                assert!(!bulk.load(relaxed), "a bulk accumulate has begun");
                small.fetch_sub(1, relaxed);
                drop(permit);
            }
        });
    }

    /// The window lock is held by one process, or shared.
    #[test]
    fn an_exclusive_window_lock_excludes_all_others() {
        let (control, holders, is_exclusive) =
            (control(), AtomicU64::new(0), AtomicBool::new(false));
        // Relaxed: as above.
        let relaxed = Ordering::Relaxed;
        stress(|rank, round| {
            let exclusive = round.is_multiple_of(3);
            if !control.try_lock(TARGET, exclusive) {
                return std::thread::yield_now();
            }
            assert!(!is_exclusive.swap(exclusive, relaxed), "it was held exclusively");
            let before = holders.fetch_add(1, relaxed);
            assert!(!exclusive || before == 0, "{before} processes held it");
            dawdle(rank, round);
            holders.fetch_sub(1, relaxed);
            is_exclusive.fetch_and(!exclusive, relaxed);
            control.unlock(TARGET, exclusive);
        });
    }
}
