//! What the operations say about a message: its destination or source, its match information, and
//! when its send is complete.

use crate::abi;
use crate::context::Context;
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

impl Envelope {
    /// Returns the mode in which a send of mode `mode` is carried out: while programs are checked,
    /// their sends do not rely on buffers of the library.
    pub fn mode(&self, mode: Mode) -> Mode {
        if nemesis_mpi_check::is_on() && is_of_program(&self.header) {
            Mode::Synchronous
        } else {
            mode
        }
    }
}

/// Returns whether a point-to-point call of the program sends the message of `header`.
pub fn is_of_program(header: &Header) -> bool {
    Context(header.context).knows_wildcards()
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
