//! The plan: which programs run, on how many ranks, how long and how often.

use super::handover::Repeats;
use super::library::PROGRAMS;
use std::time::Duration;

/// How long the measurements take.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Length of a batch. The mean of a batch is one sample.
    batch_ms: u32,
    /// Length of a batch of collectives, of which there are many.
    short_batch_ms: u32,
    batches: u32,
    /// Number of starts of each program.
    rounds: u32,
    largest_bytes: u64,
    /// Measurements of the raw hand-over.
    pub repeats: Repeats,
    pub copies: usize,
    pub counts_instructions: bool,
}

/// Thoroughness that shows that everything works, and approximate figures.
pub const QUICK: Effort = Effort {
    batch_ms: 2,
    short_batch_ms: 1,
    batches: 3,
    rounds: 1,
    largest_bytes: 4 << 20,
    repeats: Repeats { number: 8, pause: Duration::from_millis(200) },
    copies: 9,
    counts_instructions: false,
};
/// Thoroughness for figures to keep.
pub const THOROUGH: Effort = Effort {
    batch_ms: 10,
    short_batch_ms: 4,
    batches: 5,
    rounds: 5,
    largest_bytes: 64 << 20,
    repeats: Repeats { number: 20, pause: Duration::from_millis(500) },
    copies: 51,
    counts_instructions: true,
};

/// Longest message of data with gaps, and longest one-sided access.
const STRIDED_LARGEST_BYTES: u64 = 4 << 20;

/// Numbers of ranks on which all collectives are measured, and larger numbers on which only the
/// shortest are.
pub const COLLECTIVE_RANKS: [u32; 3] = [2, 4, 8];
pub const OVERSUBSCRIBED_RANKS: [u32; 2] = [16, 64];
/// Numbers of ranks of the jobs whose start is timed.
pub const START_RANKS: [u32; 2] = [2, 64];
/// Number of ranks of the job whose memory is measured.
pub const MEMORY_RANKS: u32 = 64;

/// One program on a number of ranks, for several rounds.
#[derive(Debug)]
pub struct Step {
    pub program: &'static str,
    pub ranks: u32,
    /// How batches are taken; `None` if a run gives one sample.
    pub batches: Option<Batches>,
    /// Arguments of the program, or of several programs that take turns.
    pub arguments: Vec<Vec<String>>,
    pub rounds: u32,
    /// Approximate seconds of one run of one library, for the progress that is shown.
    pub weight: f64,
}

/// Number of batches of a figure, and the length of each.
#[derive(Clone, Copy, Debug)]
pub struct Batches {
    pub number: u32,
    pub milliseconds: u32,
}

impl Step {
    pub fn name(&self) -> String {
        format!(
            "{} on {} {}",
            self.program,
            self.ranks,
            if self.ranks == 1 { "rank" } else { "ranks" }
        )
    }

    /// Returns whether the programs of all libraries run at the same time and take turns. Programs
    /// whose ranks share processors do not: a rank that has slept between two batches wakes up on
    /// any processor, and the kernel takes longer than a batch to spread the ranks evenly.
    pub fn turns(&self) -> Option<Batches> {
        self.batches.filter(|_| self.ranks as usize <= nemesis_sys::host::usable_cores())
    }
}

/// Returns the programs of all steps.
pub fn programs() -> Vec<&'static str> {
    let mut programs: Vec<&str> = QUICK.steps(|_| true).iter().map(|step| step.program).collect();
    programs.dedup();
    programs
}

impl Batches {
    /// Returns the batches as arguments of a program.
    fn arguments(self) -> Vec<String> {
        vec![self.milliseconds.to_string(), self.number.to_string()]
    }
}

impl Effort {
    /// Returns the steps of the programs that are wanted.
    pub fn steps(&self, wanted: impl Fn(&str) -> bool) -> Vec<Step> {
        let [
            pingpong,
            both,
            strided,
            onesided,
            rate,
            usual,
            wildcard,
            threads,
            barrier,
            collectives,
            init,
            memory,
            _,
        ] = PROGRAMS;
        let batches = Batches { number: self.batches, milliseconds: self.batch_ms };
        let short = Batches { number: self.batches, milliseconds: self.short_batch_ms };
        let with = |more: &str| vec![vec![more.to_owned()]];
        let sizes = with(&self.largest_bytes.to_string());
        let gaps = with(&STRIDED_LARGEST_BYTES.to_string());
        let nothing = vec![vec![]];
        // The start takes its time however short the batches are. For 64 ranks it is most of the
        // step.
        let thoroughness = f64::from(self.batch_ms * self.batches) / 50.0;
        let starting = |ranks: u32| if ranks == 1 { 0.4 } else { 0.5 + 0.11 * f64::from(ranks) };
        let step = |program,
                    ranks,
                    batches: Option<Batches>,
                    more: &[Vec<String>],
                    rounds,
                    measuring: f64| Step {
            program,
            ranks,
            batches,
            arguments: more
                .iter()
                .map(|more| [batches.map_or(Vec::new(), Batches::arguments), more.clone()].concat())
                .collect(),
            rounds,
            weight: starting(ranks) + measuring * thoroughness,
        };
        let levels = ["single".to_owned(), "multiple".to_owned()].map(|level| vec![level]);
        let mut steps = vec![
            step(pingpong, 2, Some(batches), &sizes, self.rounds, 3.0),
            step(both, 2, Some(batches), &sizes, self.rounds, 1.5),
            step(strided, 2, Some(batches), &gaps, self.rounds, 1.0),
            step(onesided, 2, Some(batches), &gaps, self.rounds, 2.0),
            step(rate, 2, Some(batches), &nothing, self.rounds, 0.3),
            step(usual, 2, Some(short), &nothing, self.rounds.min(3), 2.0),
            step(wildcard, 2, Some(batches), &nothing, self.rounds.min(3), 0.5),
            step(threads, 2, Some(batches), &levels, self.rounds, 1.2),
        ];
        // Some libraries take seconds for one barrier with more processes than processors.
        for (ranks, rounds, weight) in [(2, 3, 2.5), (4, 3, 5.0), (8, 3, 11.0)] {
            steps.push(step(
                collectives,
                ranks,
                Some(short),
                &nothing,
                self.rounds.min(rounds),
                weight,
            ));
        }
        for (ranks, rounds, weight) in [(16, 3, 0.5), (64, 2, 4.0)] {
            steps.push(step(
                barrier,
                ranks,
                Some(short),
                &nothing,
                self.rounds.min(rounds),
                weight,
            ));
        }
        // A run gives one sample.
        steps.push(step(init, 1, None, &nothing, self.rounds + 2, 0.0));
        for (ranks, rounds) in [(2, self.rounds + 2), (64, self.rounds.min(3))] {
            steps.push(step(init, ranks, None, &nothing, rounds, 0.0));
        }
        steps.push(step(memory, MEMORY_RANKS, None, &nothing, 1, 0.0));
        steps.retain(|step| wanted(step.program));
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_all_budgets_are_measured() {
        let steps = THOROUGH.steps(|_| true);
        let has = |program: &str, ranks: &[u32]| {
            ranks.iter().all(|&ranks| {
                steps
                    .iter()
                    .any(|step| step.program == program && step.ranks == ranks && step.rounds > 0)
            })
        };
        assert!(
            has("collectives", &COLLECTIVE_RANKS)
                && has("barrier", &OVERSUBSCRIBED_RANKS)
                && has("init", &START_RANKS)
                && has("memory", &[MEMORY_RANKS])
        );
        assert!(steps.iter().all(|step| step.weight > 0.0));
    }
}
