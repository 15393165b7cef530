//! Errors of the launcher itself: command lines that it does not understand, and what keeps it from
//! starting a job.

use nemesis_sys::limits;
use nemesis_wireup::WireupError;
use std::fmt;
use std::io;

/// What to try where the system has refused something that every job needs.
const HOST_IS_SHORT: &str = "`nemesis doctor`, which tells what this host permits";

/// An error of the launcher: what is wrong and why, and what to try. Every one has both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LaunchError {
    /// What is wrong, and why: a sentence without a full stop.
    pub what: String,
    /// What to try: words that follow "try:".
    pub advice: String,
}

impl LaunchError {
    /// Makes an error of what is wrong and what to try.
    pub fn new(what: impl Into<String>, advice: impl Into<String>) -> LaunchError {
        LaunchError { what: what.into(), advice: advice.into() }
    }

    /// Makes an error of what the launcher was doing and the error of the system. It names the
    /// limit that has been reached, with its value, if it is one.
    pub fn of_system(what: impl fmt::Display, why: &io::Error) -> LaunchError {
        if let Some(reached) = limits::behind(why) {
            return LaunchError::new(
                reached.added_to(format_args!("{what}: {why}")),
                reached.advice,
            );
        }
        LaunchError::new(format!("{what}: {why}"), HOST_IS_SHORT)
    }
}

impl From<WireupError> for LaunchError {
    fn from(error: WireupError) -> LaunchError {
        LaunchError::new(format!("{}: {}", error.what, error.why), error.advice)
    }
}

impl fmt::Display for LaunchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; try: {}", self.what, self.advice)
    }
}
