//! Type signatures in one number of 32 bits, which travels with the announcement of a message.
//!
//! ```text
//!   31 30 | 29 .. 0
//!     0   | 0            unknown: the sender does not check, or the message is empty
//!     1   | handle       all elements have this basic type
//!     2   | hash         of the runs of equal basic types
//!     3   | 0            packed data, which match every type (MPI 5.0 §3.3.1)
//! ```
//!
//! Basic types that represent values alike on every machine of the job, such as `MPI_INT`,
//! `MPI_INT32_T` and `MPI_INTEGER`, count as one type. The standard tells them apart, but programs
//! that mix them work.

use nemesis_datatype::{Buffer, Datatype};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Runs that are hashed at most: sender and receiver stop at the same run.
const RUNS_MAX: usize = 1 << 16;

const FORM_SHIFT: u32 = 30;
const UNIFORM: u32 = 1 << FORM_SHIFT;
const MIXED: u32 = 2 << FORM_SHIFT;
const PACKED: u32 = 3 << FORM_SHIFT;
const PAYLOAD: u32 = (1 << FORM_SHIFT) - 1;

/// `MPI_PACKED` in the standard ABI.
const MPI_PACKED: usize = 0x207;

/// The type signature of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signature(pub u32);

impl Signature {
    /// Returns the signature of the first `bytes` bytes of a buffer.
    pub fn of(buffer: &Buffer, bytes: u64) -> Signature {
        let datatype = buffer.datatype();
        if bytes == 0 || datatype.size() == 0 {
            return Signature::default();
        }
        if let Some(basic) = datatype.single_basic().and_then(Datatype::predefined_handle) {
            return Signature(if basic == MPI_PACKED { PACKED } else { UNIFORM | basic as u32 });
        }
        let mut rest = bytes;
        let mut runs = Runs::default();
        'all: loop {
            for run in datatype.signature() {
                let Some(basic) = Datatype::predefined(run.handle) else { break 'all };
                let size = (basic.size() as u64).max(1);
                let count = (run.count as u64).min(rest / size);
                runs.add(run.handle, count);
                rest -= count * size;
                if count < run.count as u64 || rest == 0 || runs.number >= RUNS_MAX {
                    break 'all;
                }
            }
        }
        runs.signature()
    }

    /// Returns whether a message of signature `self` may be received as `other`.
    pub fn matches(self, other: Signature) -> bool {
        let form = |signature: Signature| signature.0 & !PAYLOAD;
        match (form(self), form(other)) {
            (0 | PACKED, _) | (_, 0 | PACKED) => true,
            (UNIFORM, UNIFORM) => {
                representation((self.0 & PAYLOAD) as usize)
                    == representation((other.0 & PAYLOAD) as usize)
            }
            _ => self == other,
        }
    }

    /// Returns the basic type in words.
    pub fn name(self) -> &'static str {
        if self.0 & !PAYLOAD == UNIFORM {
            let handle = (self.0 & PAYLOAD) as usize;
            Datatype::predefined(handle).and_then(Datatype::predefined_name).unwrap_or("a type")
        } else {
            "a sequence of several types"
        }
    }
}

/// Runs of equal basic types.
#[derive(Default)]
struct Runs {
    hasher: DefaultHasher,
    number: usize,
    /// The last run, which may continue.
    last: Option<(usize, u64)>,
}

impl Runs {
    fn add(&mut self, handle: usize, count: u64) {
        match &mut self.last {
            _ if count == 0 => {}
            Some((last, counted)) if representation(*last) == representation(handle) => {
                *counted += count;
            }
            _ => {
                self.hash_last();
                self.last = Some((handle, count));
                self.number += 1;
            }
        }
    }

    fn hash_last(&mut self) {
        if let Some((handle, count)) = self.last.take() {
            (representation(handle), count).hash(&mut self.hasher);
        }
    }

    fn signature(mut self) -> Signature {
        match (self.number, self.last) {
            (0, _) => Signature::default(),
            (1, Some((handle, _))) => Signature(UNIFORM | handle as u32),
            _ => {
                self.hash_last();
                Signature(MIXED | self.hasher.finish() as u32 & PAYLOAD)
            }
        }
    }
}

/// Returns a number that basic types of equal representation share.
fn representation(handle: usize) -> usize {
    Datatype::predefined(handle).map_or(handle, Datatype::representation)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INT: usize = 0x209;
    const DOUBLE: usize = 0x214;

    fn named(handle: usize) -> &'static Datatype {
        Datatype::predefined(handle).expect("in the table")
    }

    fn of(count: i64, datatype: &Datatype) -> Signature {
        datatype.commit();
        let buffer = Buffer::scratch(count, datatype).unwrap();
        Signature::of(&buffer, buffer.bytes() as u64)
    }

    #[test]
    fn equal_representations_match() {
        let int = of(3, named(INT));
        let fixed = (0x200..0x2ff)
            .filter_map(Datatype::predefined)
            .find(|other| other.predefined_name() == Some("MPI_INT32_T"));
        assert!(int.matches(of(3, fixed.unwrap())));
        assert!(!int.matches(of(3, named(DOUBLE))) && !int.matches(of(12, named(0x247))));
        assert!(int.matches(of(3, named(MPI_PACKED))) && int.matches(Signature::default()));
        assert_eq!((int.name(), of(0, named(INT))), ("MPI_INT", Signature::default()));
    }

    #[test]
    fn layouts_do_not_matter() {
        let pair = |gap| {
            Datatype::structure(&[1, 1], &[0, gap], &[named(INT).clone(), named(DOUBLE).clone()])
                .unwrap()
        };
        assert_eq!(of(4, &pair(8)), of(4, &pair(64)));
        assert_ne!(of(4, &pair(8)), of(5, &pair(8)));
        let column = Datatype::vector(3, 1, 7, named(INT)).unwrap();
        assert_eq!(of(2, &column), of(6, named(INT)));
        // The first element of a longer receive.
        let long = Buffer::scratch(9, &pair(8)).unwrap();
        assert_eq!(Signature::of(&long, 48), of(4, &pair(8)));
        assert_eq!(Signature::of(&long, 4), of(1, named(INT)));
    }
}
