//! What is running, and how much is left: on a terminal a line that changes, elsewhere (a log) a line for each step.
//!
//! It changes between two runs only: a bar that moves by itself would take its time from what is measured.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// The bar's units in one expected second.
const UNITS: f64 = 10.0;

pub struct Progress {
    bar: ProgressBar,
    is_log: bool,
    /// Expected seconds of all that is to be done, and of what is done.
    expected: f64,
    done: f64,
    begun: Instant,
    step: String,
}

impl Progress {
    pub fn new() -> Progress {
        let style =
            ProgressStyle::with_template("{bar:24} {msg}").expect("the template is well-formed");
        let bar = ProgressBar::new(1).with_style(style);
        Progress {
            bar,
            is_log: !stderr().is_terminal(),
            expected: 0.0,
            done: 0.0,
            begun: Instant::now(),
            step: String::new(),
        }
    }

    /// Something that takes time, before or after the steps.
    pub fn say(&self, news: &str) {
        self.bar.set_message(news.to_owned());
        if self.is_log {
            eprintln!("nemesis: {news}");
        }
    }

    /// The steps begin, and will take about so many seconds.
    pub fn begin(&mut self, expected: f64) {
        self.expected = expected;
        self.begun = Instant::now();
        self.bar.set_length((UNITS * expected) as u64);
        if self.is_log {
            eprintln!("nemesis: measuring, {}", about(expected));
        }
    }

    pub fn enter(&mut self, step: &str) {
        self.step = step.to_owned();
        if self.is_log {
            eprintln!("nemesis: {step}{}", self.left());
        }
    }

    pub fn with(&self, library: &str) {
        self.bar.set_message(format!("{} ({library}){}", self.step, self.left()));
    }

    /// So many expected seconds of work are done.
    pub fn advance(&mut self, seconds: f64) {
        self.done += seconds;
        self.bar.set_position((UNITS * self.done) as u64);
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// What is left, by what the work so far has taken.
    fn left(&self) -> String {
        remaining(self.begun.elapsed(), self.done, self.expected)
            .map_or(String::new(), |left| format!(", {} left", about(left)))
    }
}

/// Seconds that are left; `None` as long as too little is done to tell.
fn remaining(elapsed: Duration, done: f64, expected: f64) -> Option<f64> {
    (done > 0.05 * expected).then(|| elapsed.as_secs_f64() * (expected - done).max(0.0) / done)
}

fn about(seconds: f64) -> String {
    if seconds < 90.0 {
        format!("about {:.0} s", seconds.max(1.0))
    } else {
        format!("about {:.0} min", seconds / 60.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_what_was_done() {
        let ten = Duration::from_secs(10);
        assert_eq!(remaining(ten, 1.0, 100.0), None);
        assert_eq!(remaining(ten, 20.0, 100.0), Some(40.0));
        assert_eq!(remaining(ten, 120.0, 100.0), Some(0.0));
        assert_eq!(
            [about(0.2), about(61.0), about(600.0)],
            ["about 1 s", "about 61 s", "about 10 min"]
        );
    }
}
