//! How lines pass between processors, measured on this machine.
//!
//! What decides between the ways of long packets and of pieces (design memo 0003) is one ratio: how long it takes to write lines that another processor has
//! read, and lines that it has read and stored back as they were. Two threads of this process, each on a processor of its own, find it within some
//! milliseconds:
//!
//! ```text
//!   writer   write all, by the clock ───┐              ┌── write all, by the clock …
//!   reader                              └─ read all ───┘                              take all …
//! ```
//!
//! The median of the rounds counts: what else processors do makes some longer, and the host of a virtual machine may make some shorter. Without a cache in
//! common both kinds take longer, and the ratio stays.

use nemesis_sync::{AtomicU64, Ordering, spin_hint};
use nemesis_sys::processor::LineTransfer;
use nemesis_sys::{hardware, host, process};
use nemesis_wire::CACHE_LINE_BYTES;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An eighth of a processor's own cache, and many times what it has under way.
const LINES: usize = 2048;
/// Rounds of each kind, and before any counts.
const ROUNDS: u64 = 12;
const ROUNDS_TO_WARM_UP: u64 = 4;
/// It takes a tenth of this where two processors are free.
const TIMEOUT: Duration = Duration::from_millis(40);

#[repr(C, align(64))]
struct Line {
    word: AtomicU64,
}

const _: () = assert!(size_of::<Line>() == CACHE_LINE_BYTES);

/// Where the two meet.
struct Meeting {
    /// Counts up; even numbers are the writer's turn.
    turn: AtomicU64,
    lines: Vec<Line>,
    until: Instant,
}

impl Meeting {
    /// Waits for a turn; false when that takes too long.
    fn wait(&self, turn: u64) -> bool {
        // Acquire: the other's accesses to the lines come first; pairs with the Release in `pass`.
        while self.turn.load(Ordering::Acquire) != turn {
            if Instant::now() >= self.until {
                return false;
            }
            spin_hint();
        }
        true
    }

    fn pass(&self, turn: u64) {
        // Release: as in `wait`.
        self.turn.store(turn + 1, Ordering::Release);
    }

    /// Nanoseconds for a line, by what the reader did before.
    fn write(&self) -> Option<[f64; 2]> {
        let mut rounds = [const { Vec::new() }; 2];
        for round in 0..ROUNDS_TO_WARM_UP + 2 * ROUNDS {
            if !self.wait(2 * round) {
                return None;
            }
            let begun = Instant::now();
            for line in &self.lines {
                // Relaxed: nobody looks at what is written.
                line.word.store(round, Ordering::Relaxed);
            }
            let each = begun.elapsed().as_nanos() as f64 / LINES as f64;
            self.pass(2 * round);
            if round >= ROUNDS_TO_WARM_UP {
                rounds[usize::from(takes(round - 1))].push(each);
            }
        }
        Some(rounds.map(median))
    }

    fn read(&self) {
        for round in 0..ROUNDS_TO_WARM_UP + 2 * ROUNDS {
            if !self.wait(2 * round + 1) {
                return;
            }
            for line in &self.lines {
                // Relaxed: only where the line is counts.
                let word = line.word.load(Ordering::Relaxed);
                if takes(round) {
                    // Relaxed: as above.
                    line.word.store(word, Ordering::Relaxed);
                } else {
                    std::hint::black_box(word);
                }
            }
            self.pass(2 * round + 1);
        }
    }
}

fn median(mut rounds: Vec<f64>) -> f64 {
    rounds.sort_by(f64::total_cmp);
    rounds[rounds.len() / 2]
}

/// Whether the reader takes the lines in a round.
fn takes(round: u64) -> bool {
    round % 2 == 1
}

/// Measures, within 40 ms at most; `None` where there are no two processors of different cores, or others need them.
pub fn measure() -> Option<LineTransfer> {
    let [one, other] = hardware::two_cores(&process::allowed_processors().ok()?)?;
    let lines = (0..LINES).map(|_| Line { word: AtomicU64::new(0) }).collect();
    let meeting =
        Arc::new(Meeting { turn: AtomicU64::new(0), lines, until: Instant::now() + TIMEOUT });
    let reader = process::spawn_quietly("nemesis reader", {
        let meeting = Arc::clone(&meeting);
        move || {
            if host::stay_on(other) {
                meeting.read();
            }
        }
    });
    let (tell, told) = std::sync::mpsc::channel();
    let writer = process::spawn_quietly("nemesis writer", move || {
        let found = if host::stay_on(one) { meeting.write() } else { None };
        // Whoever has asked waits.
        let _ = tell.send(found);
    });
    let found = told.recv().ok().flatten();
    for thread in [reader, writer].into_iter().flatten() {
        let _ = thread.join();
    }
    found.map(|[read, taken]| LineTransfer { read, taken })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measurement_ends_soon_and_has_figures() {
        let begun = Instant::now();
        if let Some(LineTransfer { read, taken }) = measure() {
            assert!(read > 0.0 && taken > 0.0 && read < 1e6 && taken < 1e6, "{read} {taken}");
        }
        assert!(begun.elapsed() < TIMEOUT + Duration::from_secs(5), "{:?}", begun.elapsed());
    }

    #[test]
    fn one_alone_gives_up() {
        let lines = (0..LINES).map(|_| Line { word: AtomicU64::new(0) }).collect();
        let meeting = Meeting {
            turn: AtomicU64::new(0),
            lines,
            until: Instant::now() + Duration::from_millis(5),
        };
        assert_eq!(meeting.write(), None);
    }
}
