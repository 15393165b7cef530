//! What the operations say about a message: its destination or source, its match information, and
//! when its send is complete.

use crate::abi;
use crate::error::Error;
use crate::handle;
use crate::matching::Pattern;
use nemesis::wire::Header;

/// Condition for completion of a send (MPI 5.0 §3.4). Ready mode is a standard send; buffered
/// sends copy first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Standard,
    Synchronous,
}

/// Destination and match information of a message.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    pub comm: handle::Comm,
    /// Index of the process.
    pub to: u32,
    pub header: Header,
}

/// Match information of a receive.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub comm: handle::Comm,
    pub pattern: Pattern,
    /// The process that sends the message, if only one can.
    pub from: Option<u32>,
}

/// Returns the error of a negative tag.
#[cold]
pub fn bad_tag(tag: i32) -> Box<Error> {
    Error::new(abi::MPI_ERR_TAG, format!("tag {tag} is negative; tags go from 0 to {}", i32::MAX))
}
