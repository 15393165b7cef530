//! What is said when something fails.

use nemesis_wireup::WireupError;
use std::fmt;

/// What failed, why, and what to try; sentence fragments without a full stop.
#[derive(Debug)]
pub struct Complaint {
    what: String,
    why: String,
    advice: String,
}

impl Complaint {
    pub fn new(what: impl Into<String>, why: impl fmt::Display, advice: impl Into<String>) -> Complaint {
        Complaint { what: what.into(), why: why.to_string(), advice: advice.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; try: {}", self.what, self.why, self.advice)
    }
}

impl From<WireupError> for Complaint {
    fn from(error: WireupError) -> Complaint {
        Complaint::new(error.what, error.why, error.advice)
    }
}
