//! How long a thread that finds the lock taken leaves it to the others.
//!
//! Each thread has a clock of its own, which says when it may insist the next time. Insisting sets
//! the clock forward by one turn for each thread that waits, so that all get turns of equal length.
//! A clock that lies far behind is a thread that calls seldom: it may insist several times in
//! succession, because a call of the program mostly comes with some others.

#[cfg(not(loom))]
pub(super) use timed::{end, leave};

/// A turn has no effect but time, which the model checker does not have.
#[cfg(loom)]
pub(super) fn leave(_: u32) {}
#[cfg(loom)]
pub(super) fn end() {}

#[cfg(not(loom))]
mod timed {
    use crate::cache_padded::CachePadded;
    use crate::{AtomicU32, Ordering, spin_hint};
    use std::cell::Cell;
    use std::time::{Duration, Instant};

    /// How long a thread keeps the lock while another one waits. Moving the value's cache lines
    /// takes about a microsecond.
    const TURN: Duration = Duration::from_micros(8);
    /// Turns that a thread has to spare at most.
    const SPARE: u32 = 8;
    /// Checks of whether a turn has ended between two readings of the clock.
    const SPINS_PER_READING: u32 = 8;
    /// Such readings between two yields: about two microseconds.
    const READINGS_PER_YIELD: u32 = 8;

    /// Number of turns that were ended early, of all locks of the process: a lock that is not the
    /// caller's ends its wait early, which costs little. The threads that wait read this line only,
    /// so that they do not slow down those that use the lock.
    static ENDED: CachePadded<AtomicU32> = CachePadded(AtomicU32::new(0));

    thread_local! {
        /// When this thread may insist; `None` before it has insisted.
        static NEXT: Cell<Option<Instant>> = const { Cell::new(None) };
    }

    /// Waits until the calling thread may insist, or a turn is ended. `waiting` threads wait for
    /// the lock, the caller among them.
    pub fn leave(waiting: u32) {
        if super::super::yield_in_simulation() {
            return;
        }
        // Relaxed: a hint, on which nothing else depends.
        let ended = ENDED.load(Ordering::Relaxed);
        let now = Instant::now();
        let earliest = now.checked_sub(TURN * SPARE);
        let next = NEXT.get().max(earliest).unwrap_or(now);
        let mut readings = 0_u32;
        while Instant::now() < next {
            for _ in 0..SPINS_PER_READING {
                spin_hint();
            }
            // Relaxed: as above.
            if ENDED.load(Ordering::Relaxed) != ended {
                return;
            }
            readings += 1;
            if readings.is_multiple_of(READINGS_PER_YIELD) {
                // The thread that has the lock may need this processor.
                std::thread::yield_now();
            }
        }
        NEXT.set(Some(next + TURN * waiting));
    }

    /// Ends the caller's turn.
    pub fn end() {
        // Relaxed: a hint; one of two threads that end their turns at once suffices.
        let ended = ENDED.load(Ordering::Relaxed);
        ENDED.store(ended.wrapping_add(1), Ordering::Relaxed);
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn a_thread_that_calls_often_leaves_turns_to_the_others() {
            let begun = Instant::now();
            for _ in 0..SPARE + 20 {
                leave(3);
            }
            assert!(begun.elapsed() >= TURN * 3 * 17, "{:?}", begun.elapsed());
        }

        #[test]
        fn a_turn_that_is_ended_is_not_waited_for() {
            const LONG: u32 = 1_000_000;
            let begun = Instant::now();
            std::thread::scope(|scope| {
                let waits = scope.spawn(|| {
                    leave(LONG);
                    leave(1);
                });
                while !waits.is_finished() {
                    end();
                    std::thread::yield_now();
                }
            });
            assert!(begun.elapsed() < TURN * LONG);
        }
    }
}
