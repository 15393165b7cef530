//! Error messages.

use nemesis_wireup::WireupError;
use std::fmt;

/// An error message: what failed, why, and what to try, as parts of a sentence without a full stop,
/// and lines that follow the sentence.
#[derive(Debug)]
pub struct Diagnostic {
    what: String,
    why: String,
    advice: String,
    lines: Vec<String>,
}

impl Diagnostic {
    pub fn new(
        what: impl Into<String>,
        why: impl fmt::Display,
        advice: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic {
            what: what.into(),
            why: why.to_string(),
            advice: advice.into(),
            lines: Vec::new(),
        }
    }

    /// Adds lines that follow the sentence.
    pub fn with_lines(self, lines: impl IntoIterator<Item = String>) -> Diagnostic {
        Diagnostic { lines: lines.into_iter().collect(), ..self }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; try: {}", self.what, self.why, self.advice)?;
        self.lines.iter().try_for_each(|line| write!(f, "\n  {line}"))
    }
}

impl From<WireupError> for Diagnostic {
    fn from(error: WireupError) -> Diagnostic {
        Diagnostic::new(error.what, error.why, error.advice)
    }
}
