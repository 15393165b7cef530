//! The progress: what runs, and how much is left. On a terminal it is a line that changes,
//! otherwise (a log) a line for each step.
//!
//! It changes between two runs only. A bar that moves by itself would use a processor during the
//! measurement.

use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Units of the bar per expected second.
const UNITS: f64 = 10.0;

pub struct Progress {
    bar: ProgressBar,
    is_log: bool,
    /// Expected seconds of the whole work, and of the work done.
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

    /// Prints what takes time before or after the steps.
    pub fn say(&self, news: &str) {
        self.bar.set_message(news.to_owned());
        if self.is_log {
            eprintln!("nemesis: {news}");
        }
    }

    /// Begins the steps, which are expected to take this number of seconds.
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

    /// Notes that work of this number of expected seconds is done.
    pub fn advance(&mut self, seconds: f64) {
        self.done += seconds;
        self.bar.set_position((UNITS * self.done) as u64);
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Returns the time left, as the work so far predicts it.
    fn left(&self) -> String {
        remaining(self.begun.elapsed(), self.done, self.expected)
            .map_or(String::new(), |left| format!(", {} left", about(left)))
    }
}

/// Returns the seconds left; `None` while too little is done to tell.
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
    fn the_time_left_is_predicted_from_the_work_done() {
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
