//! Failures of a network module, as values.

use std::fmt;

/// Kind of a failure, by which the host decides what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No connection to the process is possible: it has no card of this module, or nothing answers
    /// at its address.
    Unreachable,
    /// A connection existed and is gone: the process died or left, or the network broke.
    Lost,
    /// The peer sent data that violates the protocol.
    Malformed,
    /// The system refuses memory, descriptors or another resource.
    Resources,
    /// An argument of the call is wrong: a payload beyond the limits, an unknown process.
    Invalid,
    /// The module violated its contract.
    Broken,
    /// This host lacks the network: it has no device, or no library for it.
    Unavailable,
}

/// A failure, the process it concerns, and its cause in words for the user's error message.
///
/// # Examples
/// ```
/// use nemesis_netmod::{Failure, Fault};
///
/// let failure = Failure::new(Fault::Lost, "its host does not respond").about(3);
/// assert_eq!(failure.to_string(), "process 3: its host does not respond");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The kind of the failure.
    pub fault: Fault,
    /// The peer, if the failure concerns one.
    pub process: Option<u32>,
    /// The cause, in words.
    pub why: String,
}

impl Failure {
    /// Makes a failure that concerns no process in particular.
    pub fn new(fault: Fault, why: impl Into<String>) -> Failure {
        Failure { fault, process: None, why: why.into() }
    }

    /// Returns this failure with `process` as the process that it concerns.
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
