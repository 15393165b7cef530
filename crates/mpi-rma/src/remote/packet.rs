//! What an AM request ([`nemesis::am`]) for a window asks.
//!
//! ```text
//!   header   context: the window's    rank: the origin's    flags: verb    tag: operation
//!   front    key | displacement | count | bytes | datatype
//!   stream   the description of the datatype, unless that is a predefined one, then the data
//!   REFUSED  the window's context | error class, then the reason
//! ```
//!
//! *datatype* is the handle of a predefined type or, with the highest bit set, the length of the
//! description.

use nemesis::wire::{Header, word, words};

/// Bytes of the front.
pub const FRONT_BYTES: usize = 5 * 8;
/// Maximum length of a datatype's description that a target accepts: some millions of blocks.
pub const DESCRIPTION_MAX_BYTES: usize = 256 << 20;

const DESCRIBED: u64 = 1 << 63;

/// What a request asks the target to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Put,
    Get,
    Accumulate,
    /// Accumulates, and returns the previous values.
    Fetch,
    /// Compares and swaps one element.
    Swap,
    LockShared,
    LockExclusive,
    Unlock,
}

impl Verb {
    const ALL: [Verb; 8] = [
        Verb::Put,
        Verb::Get,
        Verb::Accumulate,
        Verb::Fetch,
        Verb::Swap,
        Verb::LockShared,
        Verb::LockExclusive,
        Verb::Unlock,
    ];

    /// Returns the verb's number in packets.
    fn number(self) -> u8 {
        Verb::ALL.iter().position(|&verb| verb == self).map_or(u8::MAX, |index| index as u8)
    }

    /// Returns the MPI call that makes such requests, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Verb::Put => "MPI_Put",
            Verb::Get => "MPI_Get",
            Verb::Accumulate => "MPI_Accumulate",
            Verb::Fetch => "MPI_Get_accumulate",
            Verb::Swap => "MPI_Compare_and_swap",
            Verb::LockShared | Verb::LockExclusive => "MPI_Win_lock",
            Verb::Unlock => "MPI_Win_unlock",
        }
    }
}

/// How a request names the type of the target's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// The handle of a predefined type.
    Predefined(usize),
    /// The length in bytes of the description in the stream.
    Described(usize),
}

/// A request, as its first packet carries it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    pub context: u64,
    pub key: u64,
    /// The origin's rank in the window.
    pub rank: u32,
    pub verb: Verb,
    /// Handle of the operation.
    pub op: i32,
    pub disp: i64,
    pub count: i64,
    /// Bytes of data on either side.
    pub bytes: u64,
    pub datatype: TypeName,
}

impl Ask {
    /// Returns the header's fields.
    pub fn header(&self) -> Header {
        Header {
            flags: self.verb.number(),
            context: self.context,
            tag: self.op,
            rank: self.rank,
            ..Header::default()
        }
    }

    /// Returns the front.
    pub fn front(&self) -> [u8; FRONT_BYTES] {
        let datatype = match self.datatype {
            TypeName::Predefined(handle) => handle as u64,
            TypeName::Described(bytes) => DESCRIBED | bytes as u64,
        };
        let words = words([self.key, self.disp as u64, self.count as u64, self.bytes, datatype]);
        let mut bytes = [0; FRONT_BYTES];
        bytes.copy_from_slice(words.as_bytes());
        bytes
    }

    /// Reads header and front; returns `None` if they are malformed.
    pub fn read(header: &Header, front: &[u8]) -> Option<Ask> {
        let at = |index| word(front, index);
        let datatype = at(4)?;
        Some(Ask {
            context: header.context,
            key: at(0)?,
            rank: header.rank,
            verb: *Verb::ALL.get(usize::from(header.flags))?,
            op: header.tag,
            disp: at(1)? as i64,
            count: at(2)? as i64,
            bytes: at(3)?,
            datatype: match datatype & DESCRIBED {
                0 => TypeName::Predefined(usize::try_from(datatype).ok()?),
                _ => TypeName::Described(
                    usize::try_from(datatype & !DESCRIBED)
                        .ok()
                        .filter(|&bytes| bytes <= DESCRIPTION_MAX_BYTES)?,
                ),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_as_it_was_written() {
        for datatype in [TypeName::Predefined(0x209), TypeName::Described(4096)] {
            for verb in Verb::ALL {
                let ask = Ask {
                    context: 9,
                    key: u64::MAX,
                    rank: 3,
                    verb,
                    op: 0x24,
                    disp: -8,
                    count: 5,
                    bytes: 20,
                    datatype,
                };
                assert_eq!(Ask::read(&ask.header(), &ask.front()), Some(ask));
                assert_eq!(Ask::read(&ask.header(), &ask.front()[..32]), None);
                assert_eq!(Ask::read(&Header { flags: 77, ..ask.header() }, &ask.front()), None);
            }
        }
        let huge = Ask {
            datatype: TypeName::Described(DESCRIPTION_MAX_BYTES + 1),
            ..Ask::read(&Header::default(), &[0; FRONT_BYTES]).unwrap()
        };
        assert_eq!(Ask::read(&huge.header(), &huge.front()), None);
    }
}
