//! The cost of moving cache lines between two processors.
//!
//! Two threads, each on its own core, write and read the same lines in turn:
//!
//! ```text
//!   writer   write all ─────┐            ┌── write all ──────┐             ┌── write all …
//!   reader                  └─ read all ─┘                   └─ claim all ─┘
//! ```
//!
//! Each times its own part. The lines are several times as long as the first-level cache and a
//! part of the second level, as those of long packets are.

use super::{Turn, on_processors, ranked};
use nemesis_sync::{AtomicU64, Ordering};
use nemesis_sys::host_model::HostModel;
use nemesis_wire::CACHE_LINE_BYTES;
use std::sync::Arc;
use std::time::Instant;

/// Number of lines: an eighth of a processor's own cache, and many times the lines that it has
/// under way.
const LINES: usize = 2048;
/// Rounds of each kind that count, at most.
const ROUNDS: u32 = 40;
/// Rounds of each kind without which there is no result.
const LEAST_ROUNDS: usize = 12;
/// Rank of the times that counts. Other work makes some rounds longer; both processors on one core,
/// where the host of a virtual machine may put them for a while, make some shorter.
const RANK: f64 = 0.25;
/// Rounds before any counts.
const ROUNDS_TO_WARM_UP: u32 = 4;

#[repr(C, align(64))]
struct Line {
    word: AtomicU64,
}

const _: () = assert!(size_of::<Line>() == CACHE_LINE_BYTES);

/// The memory of both threads.
struct Shared {
    turn: Turn,
    lines: Vec<Line>,
    until: Instant,
}

/// Nanoseconds per line in each round, after or during a read, and after or during a claim.
type Times = [Vec<f64>; 2];

impl Shared {
    /// Writes the lines in each round. Returns the times.
    fn write(&self) -> Times {
        let mut times = [const { Vec::new() }; 2];
        for round in 0..ROUNDS_TO_WARM_UP + 2 * ROUNDS {
            if !self.turn.poll(2 * round, self.until) {
                break;
            }
            let each = self.timed(|line| {
                // Relaxed: no thread uses the value.
                line.word.store(u64::from(round), Ordering::Relaxed);
            });
            self.turn.pass_on(2 * round);
            if round >= ROUNDS_TO_WARM_UP {
                times[usize::from(claims(round - 1))].push(each);
            }
        }
        times
    }

    /// Reads or claims the lines in each round. Returns the times.
    fn read(&self) -> Times {
        let mut times = [const { Vec::new() }; 2];
        for round in 0..ROUNDS_TO_WARM_UP + 2 * ROUNDS {
            if !self.turn.poll(2 * round + 1, self.until) {
                break;
            }
            let each = self.timed(|line| {
                // Relaxed: only the position of the line counts.
                let word = line.word.load(Ordering::Relaxed);
                if claims(round) {
                    // Relaxed: as above.
                    line.word.store(word, Ordering::Relaxed);
                } else {
                    std::hint::black_box(word);
                }
            });
            self.turn.pass_on(2 * round + 1);
            if round >= ROUNDS_TO_WARM_UP {
                times[usize::from(claims(round))].push(each);
            }
        }
        times
    }

    fn timed(&self, each: impl Fn(&Line)) -> f64 {
        let begun = Instant::now();
        self.lines.iter().for_each(each);
        begun.elapsed().as_nanos() as f64 / LINES as f64
    }
}

/// Whether the reader claims the lines in a round.
fn claims(round: u32) -> bool {
    round % 2 == 1
}

/// Measures the costs of lines between two cores.
pub fn measure(cores: [usize; 2], until: Instant, model: &mut HostModel) {
    let lines = (0..LINES).map(|_| Line { word: AtomicU64::new(0) }).collect();
    let shared = Arc::new(Shared { turn: Turn::default(), lines, until });
    let reader = Arc::clone(&shared);
    let Some((written, read)) = on_processors(cores, move || shared.write(), move || reader.read())
    else {
        return;
    };
    let typical = |times: Times| times.map(|times| ranked(times, LEAST_ROUNDS, RANK));
    if let ([Some(rewrite_read), Some(rewrite_claimed)], [Some(read), Some(claim)]) =
        (typical(written), typical(read))
    {
        model.line_read_ns = read;
        model.line_claim_ns = claim;
        model.line_rewrite_read_ns = rewrite_read;
        model.line_rewrite_claimed_ns = rewrite_claimed;
    }
}
