//! The cost of moving cache lines between processors, measured on this machine.
//!
//! One ratio decides between the data paths of long packets and of chunks
//! (docs/design/shm-messages.md): the time to write lines that another processor has read, divided
//! by the time to write lines that it has claimed, that is, read and stored back as they were. Two
//! threads of this process, each on its own processor, measure both within some milliseconds:
//!
//! ```text
//!   writer   write all, timed ───┐              ┌── write all, timed …
//!   reader                       └─ read all ───┘                       claim all …
//! ```
//!
//! The median of the rounds counts: other work of the processors makes some rounds longer, and the
//! host of a virtual machine may make some shorter. Between processors without a common cache both
//! times are longer, and the ratio stays.

use nemesis_sync::{AtomicU64, Ordering, spin_hint};
use nemesis_sys::processor::LineTransfer;
use nemesis_sys::{hardware, host, process};
use nemesis_wire::CACHE_LINE_BYTES;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Number of lines: an eighth of a processor's own cache, and many times the lines that it has
/// under way.
const LINES: usize = 2048;
/// Rounds of each kind that count.
const ROUNDS: u64 = 12;
/// Rounds before any counts.
const ROUNDS_TO_WARM_UP: u64 = 4;
/// Longest measurement. It takes a tenth of this where two processors are free.
const TIMEOUT: Duration = Duration::from_millis(40);

#[repr(C, align(64))]
struct Line {
    word: AtomicU64,
}

const _: () = assert!(size_of::<Line>() == CACHE_LINE_BYTES);

/// The memory of both threads.
struct Measurement {
    /// Counts up. The writer runs at even numbers, the reader at odd ones.
    turn: AtomicU64,
    lines: Vec<Line>,
    until: Instant,
}

impl Measurement {
    /// Waits for a turn; false if that takes too long.
    fn wait(&self, turn: u64) -> bool {
        // Acquire: the other thread's accesses to the lines come before; pairs with the Release in
        // `yield_turn`.
        while self.turn.load(Ordering::Acquire) != turn {
            if Instant::now() >= self.until {
                return false;
            }
            spin_hint();
        }
        true
    }

    /// Lets the other thread run.
    fn yield_turn(&self, turn: u64) {
        // Release: as in `wait`.
        self.turn.store(turn + 1, Ordering::Release);
    }

    /// Writes the lines in each round and returns the nanoseconds for a line after reads, and after
    /// claims. Returns `None` if the measurement takes too long.
    fn write(&self) -> Option<[f64; 2]> {
        let mut rounds = [const { Vec::new() }; 2];
        for round in 0..ROUNDS_TO_WARM_UP + 2 * ROUNDS {
            if !self.wait(2 * round) {
                return None;
            }
            let begun = Instant::now();
            for line in &self.lines {
                // Relaxed: no thread uses the value.
                line.word.store(round, Ordering::Relaxed);
            }
            let each = begun.elapsed().as_nanos() as f64 / LINES as f64;
            self.yield_turn(2 * round);
            if round >= ROUNDS_TO_WARM_UP {
                rounds[usize::from(claims(round - 1))].push(each);
            }
        }
        Some(rounds.map(median))
    }

    /// Reads or claims the lines in each round.
    fn read(&self) {
        for round in 0..ROUNDS_TO_WARM_UP + 2 * ROUNDS {
            if !self.wait(2 * round + 1) {
                return;
            }
            for line in &self.lines {
                // Relaxed: only the position of the line counts.
                let word = line.word.load(Ordering::Relaxed);
                if claims(round) {
                    // Relaxed: as above.
                    line.word.store(word, Ordering::Relaxed);
                } else {
                    std::hint::black_box(word);
                }
            }
            self.yield_turn(2 * round + 1);
        }
    }
}

/// Returns the median of the rounds' times.
fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

/// Whether the reader claims the lines in a round.
fn claims(round: u64) -> bool {
    round % 2 == 1
}

/// Measures within 40 ms; `None` if the process may not use two cores, or if other work needs them.
pub fn measure() -> Option<LineTransfer> {
    let [one, other] = hardware::two_cores(&process::allowed_processors().ok()?)?;
    let lines = (0..LINES).map(|_| Line { word: AtomicU64::new(0) }).collect();
    let measurement =
        Arc::new(Measurement { turn: AtomicU64::new(0), lines, until: Instant::now() + TIMEOUT });
    let reader = process::spawn_without_signals("nemesis reader", {
        let measurement = Arc::clone(&measurement);
        move || {
            if host::bind_to(other) {
                measurement.read();
            }
        }
    });
    let (tell, told) = std::sync::mpsc::channel();
    let writer = process::spawn_without_signals("nemesis writer", move || {
        let found = if host::bind_to(one) { measurement.write() } else { None };
        // The caller waits for the result.
        let _ = tell.send(found);
    });
    let found = told.recv().ok().flatten();
    for thread in [reader, writer].into_iter().flatten() {
        let _ = thread.join();
    }
    found.map(|[read, claimed]| LineTransfer { read, claimed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_ends_soon_and_has_figures() {
        let begun = Instant::now();
        if let Some(LineTransfer { read, claimed }) = measure() {
            assert!(read > 0.0 && claimed > 0.0 && read < 1e6 && claimed < 1e6, "{read} {claimed}");
        }
        assert!(begun.elapsed() < TIMEOUT + Duration::from_secs(5), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_thread_without_the_other_gives_up() {
        let lines = (0..LINES).map(|_| Line { word: AtomicU64::new(0) }).collect();
        let measurement = Measurement {
            turn: AtomicU64::new(0),
            lines,
            until: Instant::now() + Duration::from_millis(5),
        };
        assert_eq!(measurement.write(), None);
    }
}
