//! Errors of wire-up.

use std::fmt;

/// What failed, why, and what to try: sentence fragments without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WireupError {
    /// What failed.
    pub what: String,
    /// Why it failed.
    pub why: String,
    /// What the user can try.
    pub advice: String,
}

impl WireupError {
    /// Makes an error of its three parts.
    pub fn new(
        what: impl Into<String>,
        why: impl fmt::Display,
        advice: impl Into<String>,
    ) -> WireupError {
        WireupError { what: what.into(), why: why.to_string(), advice: advice.into() }
    }
}

impl fmt::Display for WireupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; try: {}", self.what, self.why, self.advice)
    }
}

impl std::error::Error for WireupError {}
