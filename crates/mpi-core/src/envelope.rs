//! What the operations say about a message: its destination or source, its match information, and
//! when its send is complete.

use crate::abi;
use crate::context::Context;
use crate::error::Error;
use crate::handle;
use crate::matching::Pattern;
use nemesis::wire::Header;
use nemesis_datatype::{Buffer, Datatype};
use std::fmt;

/// Condition for completion of a send (MPI 5.0 §3.4). Ready mode is a standard send; buffered
/// sends copy first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Standard,
    /// A standard send that waits for its receive, because the program is checked.
    Held,
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
        let is_held =
            mode == Mode::Standard && nemesis_mpi_check::is_on() && is_of_program(&self.header);
        if is_held { Mode::Held } else { mode }
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

/// What the receive or probe in progress waits for, for the state report.
#[derive(Clone, Copy, Debug)]
pub struct Awaited {
    pub wanted: Wanted,
    /// What the receive has room for; `None` for a probe.
    pub room: Option<Room>,
}

/// What a receive has room for.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    bytes: usize,
    /// The basic type of all elements, if there is one, and it is not `MPI_BYTE`: receives of the
    /// fast path know their bytes only.
    basic: Option<&'static Datatype>,
}

impl Room {
    /// Returns the room of `bytes` bytes.
    #[inline(always)]
    pub fn of_bytes(bytes: usize) -> Room {
        Room { bytes, basic: None }
    }

    /// Returns the room of a buffer.
    pub fn of(buffer: &Buffer) -> Room {
        let is_byte = |basic: &Datatype| basic.predefined_handle() == Some(abi::MPI_BYTE.0);
        let basic = buffer.datatype().single_basic().filter(|basic| !is_byte(basic));
        Room { bytes: buffer.bytes(), basic }
    }
}

impl fmt::Display for Room {
    /// Writes a count and a basic type if there is one, as in `10 MPI_INT`, else the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.basic.and_then(|basic| Some((basic.predefined_name()?, basic.size())));
        match named {
            Some((name, size)) if size > 0 => write!(f, "{} {name}", self.bytes as i64 / size),
            _ => write!(f, "{} bytes", self.bytes),
        }
    }
}

/// Returns the error of a negative tag.
#[cold]
pub fn bad_tag(tag: i32) -> Box<Error> {
    Error::new(abi::MPI_ERR_TAG, format!("tag {tag} is negative; tags go from 0 to {}", i32::MAX))
}
