//! Numbers and types of basic elements: `MPI_Get_elements`, type signatures (MPI 5.0 §5.1.11).
//!
//! A message may end anywhere. The number of basic elements that arrived follows from the number of
//! bytes and from the type alone. The functions find it by division and binary search on the way
//! down the typed map, without listing the map. A pair type counts as its two members, as its type
//! map says.

use crate::datatype::basic::{Group, Named, ROWS, by_handle};
use crate::datatype::{Datatype, Map};

/// Consecutive entries of one basic type in a type signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignatureRun {
    /// Handle value of the basic type in the standard ABI.
    pub handle: usize,
    /// Number of entries.
    pub count: i64,
}

impl Datatype {
    /// Returns the number of whole elements in `bytes` bytes; `None` (`MPI_UNDEFINED`) if the bytes
    /// end inside an element.
    pub fn get_count(&self, bytes: i64) -> Option<i64> {
        match self.facts().size {
            0 => (bytes == 0).then_some(0),
            size => (bytes % size == 0).then_some(bytes / size),
        }
    }

    /// Returns the number of basic elements in `bytes` bytes of consecutive elements; `None`
    /// (`MPI_UNDEFINED`) if the bytes end inside a basic element.
    pub fn get_elements(&self, bytes: i64) -> Option<i64> {
        if bytes == 0 {
            return Some(0);
        }
        let size = self.facts().size;
        if size == 0 || bytes < 0 {
            return None;
        }
        let whole = (bytes / size).checked_mul(self.facts().elements)?;
        self.elements_within(bytes % size).map(|rest| whole + rest)
    }

    /// Returns the bytes of the first `count` basic elements of consecutive elements, from which
    /// [`Datatype::get_elements`] computes `count`. Returns `None` if a type without basic elements
    /// should have some, or if the number exceeds 64 bits.
    pub fn bytes_of_elements(&self, count: i64) -> Option<i64> {
        let facts = self.facts();
        if count == 0 {
            return Some(0);
        }
        let (whole, mut rest) = (count.checked_div(facts.elements)?, count % facts.elements);
        let mut bytes = whole.checked_mul(facts.size)?;
        let mut here = self;
        while rest > 0 {
            here = match here.map() {
                // Less than a whole pair is its value.
                None => {
                    return bytes
                        .checked_add(here.row()?.pair.map(|(value, _)| i64::from(value.bytes()))?);
                }
                Some(Map::Vector { each, .. } | Map::Blocks { each, .. }) => each,
                Some(Map::Struct(fields)) => {
                    let mut field = fields.iter();
                    loop {
                        let next = field.next()?;
                        let elements = next.length * next.each.facts().elements;
                        if rest < elements {
                            break &next.each;
                        }
                        rest -= elements;
                        bytes = bytes.checked_add(next.length * next.each.facts().size)?;
                        if rest == 0 {
                            return Some(bytes);
                        }
                    }
                }
            };
            let facts = here.facts();
            bytes = bytes.checked_add(rest / facts.elements * facts.size)?;
            rest %= facts.elements;
        }
        Some(bytes)
    }

    /// Returns the number of basic elements in the first `bytes` bytes of one element, which is
    /// longer.
    fn elements_within(&self, mut bytes: i64) -> Option<i64> {
        let mut here = self;
        let mut counted = 0;
        while bytes > 0 {
            let (each, inside, before) = match here.map() {
                None => {
                    let value = here.row()?.pair.map(|(value, _)| i64::from(value.bytes()))?;
                    return (bytes == value).then_some(counted + 1);
                }
                Some(Map::Vector { each, .. } | Map::Blocks { each, .. }) => (each, bytes, 0),
                Some(Map::Struct(fields)) => {
                    let index = fields.partition_point(|field| field.end <= bytes);
                    let start = index.checked_sub(1).map_or(0, |last| fields[last].end);
                    let before = fields[..index]
                        .iter()
                        .map(|field| field.length * field.each.facts().elements)
                        .sum();
                    (&fields[index].each, bytes - start, before)
                }
            };
            let facts = each.facts();
            counted += before;
            if facts.size > 0 {
                counted += inside / facts.size * facts.elements;
                bytes = inside % facts.size;
            } else {
                bytes = inside;
            }
            here = each;
        }
        Some(counted)
    }

    /// Returns the type signature of one element: its basic types in order, with equal neighbours
    /// counted.
    pub fn signature(&self) -> Signature<'_> {
        Signature { datatype: self, position: 0 }
    }

    /// Returns the basic type of all entries of the type map, if there is exactly one. The
    /// accumulate functions require such a type.
    pub fn single_basic(&self) -> Option<&'static Self> {
        let row = self.as_basic().or(self.facts().uniform)?;
        by_handle(usize::from(row.handle))
    }

    /// Returns a number that the basic types share whose values have one representation, such as
    /// `MPI_INT`, `MPI_INT32_T` and `MPI_INTEGER`. Packed data, pairs and derived types share it
    /// with no basic type.
    pub fn representation(&self) -> usize {
        let Some(row) = self.as_basic() else { return self.predefined_handle().unwrap_or(0) };
        let alike = |other: &&Named| {
            other.pair.is_none()
                && other.number == row.number
                && (other.group == Group::Text) == (row.group == Group::Text)
        };
        ROWS.iter().find(alike).map_or(0, |first| usize::from(first.handle))
    }

    /// Returns the basic type at byte `from` of the packed stream, and the bytes up to the next
    /// place where another type may follow.
    fn basic_at(&self, from: i64) -> (&'static Named, i64) {
        let (mut here, mut from) = (self, from);
        loop {
            if let Some(row) = here.as_basic().or(here.facts().uniform) {
                return (row, here.facts().size - from);
            }
            match here.map() {
                None => return pair_member(here.row().expect("no map, so a row"), from),
                Some(Map::Vector { each, .. } | Map::Blocks { each, .. }) => {
                    from %= each.facts().size;
                    here = each;
                }
                Some(Map::Struct(fields)) => {
                    let index = fields.partition_point(|field| field.end <= from);
                    let start = index.checked_sub(1).map_or(0, |last| fields[last].end);
                    let field = &fields[index];
                    if let Some(row) = field.each.as_basic().or(field.each.facts().uniform) {
                        return (row, field.end - from);
                    }
                    from = (from - start) % field.each.facts().size;
                    here = &field.each;
                }
            }
        }
    }
}

/// Returns the member of a pair type at byte `from`, and its bytes from there on.
fn pair_member(pair: &'static Named, from: i64) -> (&'static Named, i64) {
    let row = |handle| {
        by_handle(handle).and_then(Datatype::row).expect("a member's handle is in the table")
    };
    let (value, index) = match pair.handle {
        0x228 => (0x210, 0x209),
        0x229 => (0x214, 0x209),
        0x22a => (0x20a, 0x209),
        0x22b => (0x209, 0x209),
        0x22c => (0x208, 0x209),
        0x22d => (0x220, 0x209),
        0x230 => (0x21a, 0x21a),
        0x231 => (0x21c, 0x21c),
        _ => (0x219, 0x219),
    };
    let (value, index) = (row(value), row(index));
    if from < value.facts.size {
        (value, value.facts.size - from)
    } else {
        (index, pair.facts.size - from)
    }
}

/// Returns value and index of a pair type.
pub(crate) fn members(pair: &'static Named) -> (&'static Named, &'static Named) {
    (pair_member(pair, 0).0, pair_member(pair, pair.facts.size - 1).0)
}

/// Iterator over the type signature of a datatype; see [`Datatype::signature`].
#[derive(Debug)]
pub struct Signature<'a> {
    datatype: &'a Datatype,
    position: i64,
}

impl Iterator for Signature<'_> {
    type Item = SignatureRun;

    fn next(&mut self) -> Option<SignatureRun> {
        let size = self.datatype.facts().size;
        if self.position >= size {
            return None;
        }
        let (row, mut bytes) = self.datatype.basic_at(self.position);
        while self.position + bytes < size {
            let (next, more) = self.datatype.basic_at(self.position + bytes);
            if next.handle != row.handle {
                break;
            }
            bytes += more;
        }
        self.position += bytes;
        Some(SignatureRun { handle: usize::from(row.handle), count: bytes / row.facts.size })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(handle: usize) -> Datatype {
        Datatype::predefined(handle).expect("in the table").clone()
    }

    #[test]
    fn a_pair_counts_as_its_two_members() {
        let double_int = named(0x229);
        assert_eq!(double_int.get_elements(8), Some(1));
        assert_eq!(double_int.get_elements(12), Some(2));
        assert_eq!(double_int.get_elements(20), Some(3));
        assert_eq!(double_int.get_elements(10), None);
        assert_eq!(double_int.get_count(20), None);
    }

    #[test]
    fn bytes_and_elements_are_each_others_inverse() {
        let (int, double, double_int) = (named(0x209), named(0x214), named(0x229));
        let inner = Datatype::structure(
            &[2, 1, 0, 3],
            &[0, 8, 16, 16],
            &[int.clone(), double_int, double.clone(), double],
        )
        .expect("valid");
        let outer = Datatype::vector(3, 2, 5, &inner).expect("valid");
        let scattered = Datatype::hindexed(&[1, 0, 2], &[0, 200, 400], &outer).expect("valid");
        for datatype in [named(0x22c), int, inner, outer, scattered] {
            for count in (0..3 * datatype.elements() + 1).chain([1 << 20]) {
                let bytes = datatype.bytes_of_elements(count).expect("fits");
                assert_eq!(datatype.get_elements(bytes), Some(count), "{datatype:?}");
            }
            assert_eq!(datatype.bytes_of_elements(i64::MAX), None);
        }
        let nothing = Datatype::contiguous(0, &named(0x209)).expect("valid");
        assert_eq!((nothing.bytes_of_elements(0), nothing.bytes_of_elements(1)), (Some(0), None));
    }

    #[test]
    fn elements_of_a_partial_struct() {
        let inner =
            Datatype::structure(&[2, 1], &[0, 8], &[named(0x209), named(0x214)]).expect("valid");
        let outer = Datatype::vector(3, 2, 5, &inner).expect("valid");
        assert_eq!(outer.elements(), 18);
        assert_eq!(outer.get_elements(16 + 4), Some(4));
        assert_eq!(outer.get_elements(16 + 8), Some(5));
        assert_eq!(outer.get_elements(16 + 10), None);
        assert_eq!(outer.get_elements(96 + 16), Some(21));
        assert_eq!(outer.get_count(192), Some(2));
    }

    #[test]
    fn a_signature_joins_equal_neighbours() {
        let ints = Datatype::vector(1 << 40, 2, 3, &named(0x209)).expect("valid");
        assert_eq!(
            ints.signature().collect::<Vec<_>>(),
            [SignatureRun { handle: 0x209, count: 1 << 41 }]
        );
        let mixed = Datatype::structure(
            &[2, 1, 1],
            &[0, 8, 16],
            &[named(0x209), named(0x22c), named(0x214)],
        )
        .expect("valid");
        let handles: Vec<_> =
            mixed.signature().map(|stretch| (stretch.handle, stretch.count)).collect();
        assert_eq!(handles, [(0x209, 2), (0x208, 1), (0x209, 1), (0x214, 1)]);
        assert!(mixed.single_basic().is_none());
        assert_eq!(ints.single_basic().and_then(Datatype::predefined_handle), Some(0x209));
    }
}
