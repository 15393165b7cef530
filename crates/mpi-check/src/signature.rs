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

/// `MPI_PACKED` and `MPI_BYTE` in the standard ABI.
const MPI_PACKED: usize = 0x207;
const MPI_BYTE: usize = 0x247;

/// The type signature of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signature(pub u32);

impl Signature {
    /// Returns the signature of the first `bytes` bytes of a buffer.
    pub fn of(buffer: &Buffer, bytes: u64) -> Signature {
        Signature::of_elements(buffer.datatype(), bytes)
    }

    /// Returns the signature of the first `bytes` bytes of consecutive elements.
    pub fn of_elements(datatype: &Datatype, bytes: u64) -> Signature {
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

    /// Returns whether the sender has told it.
    #[inline(always)]
    pub fn is_known(self) -> bool {
        self.0 != 0
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

/// Tells a finding of the present call if `bytes` bytes of the types of both sides of a transfer
/// differ. `text` describes them, given the names of the types.
#[cold]
pub fn compare_sides(
    [sent, received]: [&Datatype; 2],
    bytes: u64,
    text: impl FnOnce(&str, &str) -> String,
) {
    let [sent, received] = [sent, received].map(|side| Signature::of_elements(side, bytes));
    if !sent.matches(received) {
        let text = text(sent.name(), received.name());
        crate::found(&crate::kinds::SIGNATURE, crate::sites::here(), 1, text);
    }
}

/// Returns the names of the first two basic types in which `bytes` bytes of consecutive elements of
/// `datatype` differ from consecutive elements of `etype` (MPI 5.0 §14.3, §14.6.6). Returns `None`
/// if they do not differ. An etype of `MPI_BYTE` or `MPI_PACKED` fits any data, and `MPI_PACKED`
/// any etype. Runs beyond [`RUNS_MAX`] are not compared.
pub fn unlike_etype(
    datatype: &Datatype,
    bytes: u64,
    etype: &Datatype,
) -> Option<[&'static str; 2]> {
    let basic = |datatype: &Datatype| {
        datatype.single_basic().and_then(Datatype::predefined_handle).unwrap_or(0)
    };
    if matches!(basic(etype), MPI_BYTE | MPI_PACKED) || basic(datatype) == MPI_PACKED {
        return None;
    }
    if basic(datatype) != 0 && representation(basic(datatype)) == representation(basic(etype)) {
        return None;
    }
    let (mut data, mut etypes) = (Repeated::new(datatype), Repeated::new(etype));
    let mut rest = bytes;
    for _ in 0..RUNS_MAX {
        let ((given, given_count), (wanted, wanted_count)) = (data.run()?, etypes.run()?);
        if rest == 0 {
            return None;
        }
        if given.representation() != wanted.representation() {
            let name = |basic: &Datatype| basic.predefined_name().unwrap_or("another type");
            return Some([name(given), name(wanted)]);
        }
        let count = given_count.min(wanted_count);
        data.left -= count;
        etypes.left -= count;
        rest = rest.saturating_sub((count as u64).saturating_mul(given.size() as u64));
    }
    None
}

/// The type signature of consecutive elements without end.
struct Repeated<'a> {
    datatype: &'a Datatype,
    signature: nemesis_datatype::Signature<'a>,
    basic: Option<&'static Datatype>,
    /// Entries of the present run that are left.
    left: i64,
}

impl Repeated<'_> {
    fn new(datatype: &Datatype) -> Repeated<'_> {
        Repeated { datatype, signature: datatype.signature(), basic: None, left: 0 }
    }

    /// Returns the present run: its basic type, and the number of its entries.
    fn run(&mut self) -> Option<(&'static Datatype, i64)> {
        if self.left == 0 {
            let next = self.signature.next().or_else(|| {
                self.signature = self.datatype.signature();
                self.signature.next()
            })?;
            (self.basic, self.left) = (Datatype::predefined(next.handle), next.count);
        }
        Some((self.basic?, self.left))
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
    fn data_are_compared_with_etypes() {
        let [int, double, byte] = [INT, DOUBLE, MPI_BYTE].map(named);
        let unlike = |datatype: &Datatype, etype: &Datatype| {
            unlike_etype(datatype, datatype.size() as u64, etype)
        };
        assert_eq!(unlike(int, int), None);
        assert_eq!(unlike(double, byte), None, "bytes hold anything");
        assert_eq!(unlike(byte, int), Some(["MPI_BYTE", "MPI_INT"]));
        assert_eq!(unlike(double, int), Some(["MPI_DOUBLE", "MPI_INT"]));
        assert_eq!(unlike(named(MPI_PACKED), int), None);
        let types = [int.clone(), double.clone()];
        let pair = Datatype::structure(&[1, 1], &[0, 8], &types).unwrap();
        let swapped =
            Datatype::structure(&[1, 1], &[0, 8], &[double.clone(), int.clone()]).unwrap();
        let column = Datatype::vector(3, 1, 7, int).unwrap();
        assert_eq!(unlike(&column, int), None);
        assert_eq!(unlike(&Datatype::vector(3, 2, 5, &pair).unwrap(), &pair), None);
        assert_eq!(unlike(&swapped, &pair), Some(["MPI_DOUBLE", "MPI_INT"]));
        assert_eq!(unlike(int, &pair), None, "the first bytes of an etype");
        assert_eq!(unlike_etype(int, 12, &pair), Some(["MPI_INT", "MPI_DOUBLE"]));
        assert_eq!(unlike_etype(&pair, 48, &pair), None);
        assert_eq!(unlike_etype(int, 0, double), None, "no data");
        let fixed = (0x200..0x2ff)
            .filter_map(Datatype::predefined)
            .find(|other| other.predefined_name() == Some("MPI_INT32_T"));
        assert_eq!(unlike(&column, fixed.unwrap()), None);
        assert_eq!(unlike_etype(int, 1 << 40, &column), None, "any count is one run or few");
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
