//! What can go wrong in a network module, as a value.

use std::fmt;

/// The kind of a failure: what the host decides by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No way to the process: it has no card of this module, or nobody answers at its address.
    Unreachable,
    /// There was a way, and it is gone: the process died, left, or the network broke.
    Lost,
    /// The other end said something that makes no sense.
    Malformed,
    /// The system refuses memory, descriptors or the like.
    Resources,
    /// The call itself is wrong: a payload beyond the limits, an unknown process.
    Invalid,
    /// The module did something that its contract forbids.
    Broken,
}

/// A failure: whom it concerns, and why, in words that go into the user's error message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub fault: Fault,
    /// The other process, when the failure is about one.
    pub process: Option<u32>,
    pub why: String,
}

impl Failure {
    pub fn new(fault: Fault, why: impl Into<String>) -> Failure {
        Failure { fault, process: None, why: why.into() }
    }

    /// The same failure, about `process`.
    pub fn about(self, process: u32) -> Failure {
        Failure { process: Some(process), ..self }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(process) = self.process {
            write!(f, "process {process}: ")?;
        }
        f.write_str(&self.why)
    }
}

impl std::error::Error for Failure {}
