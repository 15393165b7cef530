//! Failures of calls, with their numbers and texts.

use nemesis_wireup::WireupError;
use std::ffi::c_int;

/// Why a call failed. Its number is one of `nemesis.h`.
#[derive(Debug)]
pub enum Failure {
    State(&'static str),
    Argument(String),
    Join(WireupError),
    Launcher(String),
    Lost(String),
    Memory(String),
}

impl Failure {
    pub fn code(&self) -> c_int {
        match self {
            Failure::State(_) => -1,
            Failure::Argument(_) => -2,
            Failure::Join(_) => -3,
            Failure::Launcher(_) => -4,
            Failure::Lost(_) => -5,
            Failure::Memory(_) => -6,
        }
    }

    /// Returns the text of the failure.
    pub fn words(&self) -> String {
        match self {
            Failure::State(why) => (*why).to_owned(),
            Failure::Argument(why)
            | Failure::Launcher(why)
            | Failure::Lost(why)
            | Failure::Memory(why) => why.clone(),
            Failure::Join(error) => error.to_string(),
        }
    }
}

/// Returns the failure of an invalid argument.
pub fn argument(why: impl Into<String>) -> Failure {
    Failure::Argument(why.into())
}
