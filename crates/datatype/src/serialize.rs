//! Serialization of datatypes, for one-sided accesses that another process carries out.
//!
//! Only the origin of an access knows the datatype of the target elements, so it sends the
//! structure of the type, each component once:
//!
//! ```text
//!   entries | entry | entry | …                    words of eight bytes, little endian
//!
//!   NAMED   handle
//!   VECTOR  count, length, stride, component       component: number of an entry before this one
//!   BLOCKS  component, n, n times (displacement, length)
//!   STRUCT  n, n times (displacement, length, component)
//!   PAIR    value, index                           of MPI_Type_get_value_index
//!   RESIZED lower bound, extent, component
//! ```
//!
//! The last entry is the type. The reader trusts nothing: it makes each entry by the constructor
//! that a program would call, with its checks, and an entry may refer to earlier entries only.
//! Envelope and contents of the original type are not transmitted.

use std::collections::HashMap;

use crate::datatype::contents::Combiner;
use crate::datatype::{Datatype, Map};
use crate::error::{TypeError, TypeErrorKind};

const NAMED: i64 = 1;
const VECTOR: i64 = 2;
const BLOCKS: i64 = 3;
const STRUCT: i64 = 4;
const PAIR: i64 = 5;
const RESIZED: i64 = 6;

/// Maximum nesting depth of components that the reader accepts, because the functions that walk a
/// type recurse.
const DEPTH_MAX: u32 = 200;

/// Collects the entries of a type.
#[derive(Default)]
struct Writer {
    words: Vec<i64>,
    entries: i64,
    /// Entry numbers of derived types that have one, by address; the type being written keeps them
    /// alive.
    known: HashMap<usize, i64>,
}

impl Writer {
    fn entry(&mut self, words: &[i64]) -> i64 {
        self.words.extend_from_slice(words);
        self.entries += 1;
        self.entries - 1
    }

    fn write(&mut self, datatype: &Datatype) -> i64 {
        let Some(map) = datatype.map() else {
            let handle = datatype.predefined_handle().map_or(0, |handle| handle as i64);
            return self.entry(&[NAMED, handle]);
        };
        let address = std::ptr::from_ref(map).addr();
        if let Some(&entry) = self.known.get(&address) {
            return entry;
        }
        let entry = self.write_derived(datatype, map);
        self.known.insert(address, entry);
        entry
    }

    fn write_derived(&mut self, datatype: &Datatype, map: &Map) -> i64 {
        if datatype.combiner() == Combiner::ValueIndex
            && let Some([value, index]) =
                datatype.contents().and_then(|contents| contents.datatypes.first_chunk())
        {
            let members = [self.write(value), self.write(index)];
            return self.entry(&[PAIR, members[0], members[1]]);
        }
        let entry = match map {
            Map::Vector { count, length, stride, each } => {
                let each = self.write(each);
                self.entry(&[VECTOR, *count, *length, *stride, each])
            }
            Map::Blocks { list, each } => {
                let each = self.write(each);
                self.words.extend([BLOCKS, each, list.len() as i64]);
                self.words.extend(list.iter().flat_map(|placed| [placed.at, placed.length]));
                self.entry(&[])
            }
            Map::Struct(fields) => {
                let parts: Vec<i64> = fields.iter().map(|field| self.write(&field.each)).collect();
                self.words.extend([STRUCT, fields.len() as i64]);
                self.words.extend(
                    fields
                        .iter()
                        .zip(parts)
                        .flat_map(|(field, part)| [field.at, field.length, part]),
                );
                self.entry(&[])
            }
        };
        // This entry keeps the bounds that markers have set, and the padding of structs.
        self.entry(&[RESIZED, datatype.lb(), datatype.extent(), entry])
    }
}

struct Reader<'a> {
    words: std::slice::Iter<'a, [u8; 8]>,
    entries: Vec<(Datatype, u32)>,
}

fn malformed(why: &'static str) -> TypeError {
    TypeError::new(
        TypeErrorKind::Type,
        format!("the description of a datatype is malformed: {why}"),
    )
}

impl Reader<'_> {
    fn word(&mut self) -> Result<i64, TypeError> {
        let bytes = self.words.next().ok_or_else(|| malformed("it is too short"))?;
        Ok(i64::from_le_bytes(*bytes))
    }

    fn component(&mut self) -> Result<(Datatype, u32), TypeError> {
        let number = self.word()?;
        let known = usize::try_from(number).ok().and_then(|number| self.entries.get(number));
        known.cloned().ok_or_else(|| malformed("it refers to a component that it does not contain"))
    }

    /// Reads a number of items, for which `words` words each must follow.
    fn items(&mut self, words: usize) -> Result<usize, TypeError> {
        let count = self.word()?;
        let fits = usize::try_from(count)
            .ok()
            .filter(|count| count.checked_mul(words).is_some_and(|all| all <= self.words.len()));
        fits.ok_or_else(|| malformed("it announces more components than it contains"))
    }

    fn entry(&mut self) -> Result<(Datatype, u32), TypeError> {
        Ok(match self.word()? {
            NAMED => {
                let handle = self.word()?;
                let named = usize::try_from(handle).ok().and_then(Datatype::predefined);
                (
                    named
                        .ok_or_else(|| {
                            malformed("it contains a handle that is no predefined type")
                        })?
                        .clone(),
                    0,
                )
            }
            VECTOR => {
                let (count, length, stride) = (self.word()?, self.word()?, self.word()?);
                let (each, depth) = self.component()?;
                (Datatype::hvector(count, length, stride, &each)?, depth)
            }
            BLOCKS => {
                let (each, depth) = self.component()?;
                let count = self.items(2)?;
                let (mut displacements, mut lengths) =
                    (Vec::with_capacity(count), Vec::with_capacity(count));
                for _ in 0..count {
                    displacements.push(self.word()?);
                    lengths.push(self.word()?);
                }
                (Datatype::hindexed(&lengths, &displacements, &each)?, depth)
            }
            STRUCT => {
                let count = self.items(3)?;
                let (mut displacements, mut lengths, mut parts) =
                    (Vec::new(), Vec::new(), Vec::new());
                let mut deepest = 0;
                for _ in 0..count {
                    displacements.push(self.word()?);
                    lengths.push(self.word()?);
                    let (part, depth) = self.component()?;
                    deepest = deepest.max(depth);
                    parts.push(part);
                }
                (Datatype::structure(&lengths, &displacements, &parts)?, deepest)
            }
            PAIR => {
                let ((value, _), (index, _)) = (self.component()?, self.component()?);
                (
                    Datatype::value_index(&value, &index)?.ok_or_else(|| {
                        malformed("it has a pair of types that do not form a pair")
                    })?,
                    0,
                )
            }
            RESIZED => {
                let (lb, extent) = (self.word()?, self.word()?);
                let (old, depth) = self.component()?;
                let same = (lb, extent) == (old.lb(), old.extent());
                (if same { old } else { Datatype::resized(&old, lb, extent)? }, depth)
            }
            _ => return Err(malformed("it has an entry of an unknown kind")),
        })
    }
}

impl Datatype {
    /// Returns the description of the type for another process, which
    /// [`deserialize`](Datatype::deserialize) reads.
    ///
    /// # Examples
    /// ```
    /// use nemesis_datatype::Datatype;
    ///
    /// let int = Datatype::predefined(0x209).unwrap();
    /// let column = Datatype::vector(4, 1, 5, int)?;
    /// let copy = Datatype::deserialize(&column.serialize())?;
    /// assert_eq!((copy.size(), copy.extent()), (column.size(), column.extent()));
    /// assert!(copy.is_committed());
    /// # Ok::<(), nemesis_datatype::TypeError>(())
    /// ```
    pub fn serialize(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        writer.write(self);
        std::iter::once(writer.entries).chain(writer.words).flat_map(i64::to_le_bytes).collect()
    }

    /// Makes the type that [`serialize`](Datatype::serialize) has described in another process, and
    /// commits it.
    ///
    /// # Errors
    /// If the description is malformed, or describes a type that no constructor makes.
    pub fn deserialize(bytes: &[u8]) -> Result<Datatype, TypeError> {
        let mut reader = Reader { words: bytes.as_chunks().0.iter(), entries: Vec::new() };
        let entries = reader.word()?;
        // Each entry has at least two words.
        if entries < 1 || entries as usize > reader.words.len() {
            return Err(malformed("it announces more entries than it contains"));
        }
        for _ in 0..entries {
            let (datatype, depth) = reader.entry()?;
            if depth > DEPTH_MAX {
                return Err(malformed("its components are nested too deeply"));
            }
            reader.entries.push((datatype, depth + 1));
        }
        let (datatype, _) = reader.entries.pop().ok_or_else(|| malformed("it is empty"))?;
        datatype.commit();
        Ok(datatype)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::buffer::Buffer;

    const INT: usize = 0x209;
    const DOUBLE: usize = 0x214;
    const SHORT_INT: usize = 0x22c;

    fn named(handle: usize) -> &'static Datatype {
        Datatype::predefined(handle).expect("a predefined type")
    }

    /// Checks that a type keeps its bytes, their order and its bounds.
    fn check_round_trip(datatype: &Datatype) {
        let copy =
            Datatype::deserialize(&datatype.serialize()).expect("a description that we have made");
        assert_eq!(
            (copy.size(), copy.lb(), copy.extent()),
            (datatype.size(), datatype.lb(), datatype.extent()),
            "{datatype:?}"
        );
        assert_eq!(
            (copy.true_lb(), copy.true_extent()),
            (datatype.true_lb(), datatype.true_extent()),
            "{datatype:?}"
        );
        assert_eq!(
            copy.element().map(|element| element.size()),
            datatype.element().map(|element| element.size()),
            "{datatype:?}"
        );
        assert!(copy.is_committed());
        let (restored, original) =
            (Buffer::scratch(3, &copy).unwrap(), Buffer::scratch(3, datatype).unwrap());
        let offsets = |buffer: &Buffer| {
            buffer
                .runs(0)
                .map(|run| (run.address.wrapping_sub(buffer.address()), run.len))
                .collect::<Vec<_>>()
        };
        assert_eq!(offsets(&restored), offsets(&original), "{datatype:?}");
    }

    #[test]
    fn types_of_every_kind_are_restored() {
        let int = named(INT);
        let column = Datatype::vector(4, 1, 5, int).unwrap();
        let scattered = Datatype::indexed(&[2, 0, 1], &[7, 1, -3], &column).unwrap();
        let mixed = Datatype::structure(
            &[1, 2, 1],
            &[40, 0, 24],
            &[named(DOUBLE).clone(), int.clone(), named(SHORT_INT).clone()],
        )
        .unwrap();
        let resized = Datatype::resized(&mixed, -8, 128).unwrap();
        let pair = Datatype::value_index(named(DOUBLE), named(0x20a)).unwrap().unwrap();
        let sub =
            Datatype::subarray(&[4, 6], &[2, 3], &[1, 2], crate::array::Order::C, named(DOUBLE))
                .unwrap();
        let nested = Datatype::structure(
            &[1, 1],
            &[0, 1000],
            &[resized.clone(), Datatype::contiguous(3, &scattered).unwrap()],
        )
        .unwrap();
        let real = Datatype::f90_real(15, 307).unwrap();
        for datatype in [
            int,
            named(SHORT_INT),
            &column,
            &scattered,
            &mixed,
            &resized,
            &pair,
            &sub,
            &nested,
            &real,
        ] {
            check_round_trip(datatype);
        }
        assert_eq!(Datatype::deserialize(&pair.serialize()).unwrap().element(), Some(pair));
    }

    #[test]
    fn shared_components_are_written_once() {
        let mut datatype = named(INT).clone();
        for _ in 0..40 {
            datatype =
                Datatype::structure(&[1, 1], &[0, 0], &[datatype.clone(), datatype]).unwrap();
        }
        let description = datatype.serialize();
        assert!(description.len() < 10_000);
        assert_eq!(Datatype::deserialize(&description).unwrap().size(), datatype.size());
    }

    #[test]
    fn malformed_descriptions_are_refused() {
        let good =
            Datatype::structure(&[1, 2], &[0, 8], &[named(DOUBLE).clone(), named(INT).clone()])
                .unwrap()
                .serialize();
        assert!(Datatype::deserialize(&[]).is_err());
        for end in 0..good.len() {
            assert!(Datatype::deserialize(&good[..end]).is_err(), "cut at {end}");
        }
        for place in 0..good.len() {
            for bit in 0..8 {
                let mut bad = good.clone();
                bad[place] ^= 1 << bit;
                // A changed description may still be valid; its type has consistent bounds.
                if let Ok(datatype) = Datatype::deserialize(&bad) {
                    assert!(datatype.true_extent() >= 0);
                }
            }
        }
        let mut deep = named(INT).clone();
        for _ in 0..300 {
            deep = Datatype::resized(&Datatype::hvector(1, 1, 8, &deep).unwrap(), 0, 8).unwrap();
        }
        assert!(Datatype::deserialize(&deep.serialize()).is_err());
    }
}
