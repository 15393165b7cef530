//! Errors of wire-up.

use nemesis_sys::descriptors;
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
    /// Makes an error of its three parts. If the reason is that no descriptor is free, adds the
    /// limit, and advises to raise it.
    pub fn new(
        what: impl Into<String>,
        why: impl fmt::Display,
        advice: impl Into<String>,
    ) -> WireupError {
        let (what, why) = (what.into(), why.to_string());
        match descriptors::explained(&why) {
            Some(why) => WireupError { what, why, advice: descriptors::ADVICE.to_owned() },
            None => WireupError { what, why, advice: advice.into() },
        }
    }
}

impl fmt::Display for WireupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; try: {}", self.what, self.why, self.advice)
    }
}

impl std::error::Error for WireupError {}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn an_error_for_want_of_descriptors_names_their_limit() {
        let error = WireupError::new("making the segment", Errno::MFILE, "less memory");
        assert!(
            error.why.contains("`ulimit -n`") && error.advice == descriptors::ADVICE,
            "{error}"
        );
        let error = WireupError::new("making the segment", Errno::NOMEM, "less memory");
        assert_eq!(error.advice, "less memory");
    }
}
