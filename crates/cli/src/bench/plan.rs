//! What runs, on how many ranks, how long and how often.

use super::library::PROGRAMS;

/// How much time the measurements take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Length of a batch, whose mean is one sample.
    batch_ms: u32,
    batches: u32,
    /// Times that every program is started; between two of one library all others have their turn.
    rounds: u32,
    largest_bytes: u64,
    pub handover_batches: usize,
    pub counts_instructions: bool,
}

/// A few seconds in all: enough to see that everything works, and how fast about.
pub const QUICK: Effort =
    Effort { batch_ms: 2, batches: 3, rounds: 1, largest_bytes: 4 << 20, handover_batches: 9, counts_instructions: false };
/// Figures to keep: half a minute for each library.
pub const THOROUGH: Effort =
    Effort { batch_ms: 10, batches: 5, rounds: 5, largest_bytes: 64 << 20, handover_batches: 51, counts_instructions: true };

/// The largest message of data with gaps, and the largest one-sided access.
const STRIDED_LARGEST_BYTES: u64 = 4 << 20;

/// One program on so many ranks, some rounds.
#[derive(Debug)]
pub struct Step {
    pub program: &'static str,
    pub ranks: u32,
    pub arguments: Vec<String>,
    pub rounds: u32,
}

impl Effort {
    pub fn steps(&self) -> Vec<Step> {
        let [pingpong, both, strided, onesided, rate, barrier, collectives, init, _] = PROGRAMS;
        let batches = vec![self.batch_ms.to_string(), self.batches.to_string()];
        let mut sizes = batches.clone();
        sizes.push(self.largest_bytes.to_string());
        let mut gaps = batches.clone();
        gaps.push(STRIDED_LARGEST_BYTES.to_string());
        let step = |program, ranks, arguments: &[String], rounds| Step { program, ranks, arguments: arguments.to_vec(), rounds };
        vec![
            step(pingpong, 2, &sizes, self.rounds),
            step(both, 2, &sizes, self.rounds),
            step(strided, 2, &gaps, self.rounds),
            step(onesided, 2, &gaps, self.rounds),
            step(rate, 2, &batches, self.rounds),
            step(barrier, 2, &batches, self.rounds),
            step(barrier, 4, &batches, self.rounds),
            step(barrier, 16, &batches, self.rounds),
            step(collectives, 2, &batches, self.rounds.min(3)),
            // Some libraries take seconds for one, with more processes than processors.
            step(collectives, 4, &batches, self.rounds.min(2)),
            // A run gives one sample.
            step(init, 1, &[], self.rounds + 2),
            step(init, 2, &[], self.rounds + 2),
        ]
    }
}
