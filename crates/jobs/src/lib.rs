//! Tests of whole jobs: what is started, what is taken away, what the user must see.
//!
//! A [suite](suite::Suite) is a list of cases, each a function with a name. A case starts
//! [jobs](job::Job) in a [scene](scene::Scene), which is a folder with the library and compiled
//! programs, on this machine or on [simulated hosts](hosts::Hosts). It takes something away, such
//! as a process or a cable, waits with a limit, and says what must have been printed, how the job
//! must have ended, and that [nothing is left](traces). A case that fails panics.
//!
//! The cases need the libraries of `cargo build --release`. `cargo xtask check NAME` runs a suite
//! as a stage of all checks, `cargo xtask jobs NAME CASE` one of its cases.

pub mod folder;
pub mod hosts;
pub mod job;
pub mod launcher;
pub mod places;
pub mod processes;
pub mod scene;
pub mod slurm;
pub mod stacks;
pub mod suite;
pub mod suites;
pub mod text;
pub mod traces;

/// Prints a line, which nobody may read any more.
#[macro_export]
macro_rules! say {
    ($($words:tt)*) => { $crate::print_line(format_args!($($words)*)) };
}

/// Prints a line; what [`say`] does.
pub fn print_line(line: std::fmt::Arguments) {
    use std::io::Write;
    let _ = writeln!(std::io::stdout(), "{line}");
}

/// Ends the case that calls it: it cannot run here.
pub fn skip(why: impl Into<String>) -> ! {
    std::panic::panic_any(suite::Skipped(why.into()))
}

/// Waits until `holds`. Panics with `what` after `seconds`.
#[track_caller]
pub fn wait_until(what: &str, seconds: u64, mut holds: impl FnMut() -> bool) {
    if !holds_within(seconds as f64, &mut holds) {
        panic!("not within {seconds} s: {what}");
    }
}

/// Waits until `holds`, or for `seconds`. Returns whether it holds.
pub fn holds_within(seconds: f64, mut holds: impl FnMut() -> bool) -> bool {
    let until = std::time::Instant::now() + std::time::Duration::from_secs_f64(seconds);
    loop {
        if holds() {
            return true;
        }
        if std::time::Instant::now() >= until {
            return false;
        }
        pause(0.02);
    }
}

/// Sleeps for `seconds`.
pub fn pause(seconds: f64) {
    std::thread::sleep(std::time::Duration::from_secs_f64(seconds));
}

/// Returns `text` with four spaces before each line, and no more than its first and last lines.
pub fn indented(text: &str) -> String {
    const FIRST: usize = 40;
    const LAST: usize = 40;
    let lines: Vec<&str> = text.lines().collect();
    let mut shown = String::new();
    for (number, line) in lines.iter().enumerate() {
        if number < FIRST || number + LAST >= lines.len() {
            shown += &format!("    {line}\n");
        } else if number == FIRST {
            shown += &format!("    ({} lines)\n", lines.len() - FIRST - LAST);
        }
    }
    shown
}
