//! Datatypes as a file holds them (MPI 5.0 §14.5.1).
//!
//! In a representation other than native, basic types have other sizes. A type made by counts of
//! its component (contiguous, vector, indexed, subarray, darray) scales with the component.
//! Displacements in bytes (hvector, hindexed, struct, resized) are the program's, which gives those
//! of the file.

use crate::error::Outcome;
use crate::types::refused;
use nemesis_datatype::{Combiner, Contents, Darray, Datatype, Distribution, Order, TypeError};
use std::collections::HashMap;

/// Returns the bytes of a predefined type in a representation.
pub type Extents<'a> = dyn FnMut(&Datatype) -> Outcome<i64> + 'a;

/// Returns the layout of `datatype` in a file whose representation gives predefined types these
/// extents. Its data are bytes.
pub fn in_file(datatype: &Datatype, extents: &mut Extents<'_>) -> Outcome<Datatype> {
    let layout = Scaling { extents, known: HashMap::new() }.scale(datatype)?;
    layout.commit();
    Ok(layout)
}

struct Scaling<'a, 'b> {
    extents: &'a mut Extents<'b>,
    /// Layouts of derived components, by the address of their contents.
    known: HashMap<*const Contents, Datatype>,
}

/// The arguments of a constructor, in the form of the `int` functions.
fn numbers(contents: &Contents) -> Vec<i64> {
    let (integers, large) = (&contents.integers, &contents.large_counts);
    match contents.combiner {
        _ if large.is_empty() => [&integers[..], &contents.addresses].concat(),
        Combiner::Subarray => [&integers[..1], large, &integers[1..]].concat(),
        Combiner::Darray => [&integers[..3], large, &integers[3..]].concat(),
        _ => large.to_vec(),
    }
}

impl Scaling<'_, '_> {
    fn scale(&mut self, datatype: &Datatype) -> Outcome<Datatype> {
        let contents = match datatype.contents() {
            Some(contents) if !datatype.is_predefined() => contents,
            _ => return self.basic(datatype),
        };
        let address = std::ptr::from_ref(contents);
        if let Some(known) = self.known.get(&address) {
            return Ok(known.clone());
        }
        let parts = contents
            .datatypes
            .iter()
            .map(|part| self.scale(part))
            .collect::<Outcome<Vec<Datatype>>>()?;
        let made = rebuild(contents.combiner, &numbers(contents), &parts).map_err(refused)?;
        self.known.insert(address, made.clone());
        Ok(made)
    }

    fn basic(&mut self, datatype: &Datatype) -> Outcome<Datatype> {
        let bytes = (self.extents)(datatype)?;
        Datatype::contiguous(bytes, byte()).map_err(refused)
    }
}

/// Returns `MPI_BYTE`.
pub fn byte() -> &'static Datatype {
    Datatype::predefined(crate::abi::MPI_BYTE.0).expect("MPI_BYTE is predefined")
}

/// Calls the constructor with other components.
fn rebuild(combiner: Combiner, numbers: &[i64], parts: &[Datatype]) -> Result<Datatype, TypeError> {
    let old = parts.first().unwrap_or_else(|| byte());
    let count = numbers.first().map_or(0, |&count| count.max(0) as usize);
    // The arrays of a constructor follow its count.
    let array = |index: usize| &numbers[1 + index * count..1 + (index + 1) * count];
    match combiner {
        Combiner::Contiguous => Datatype::contiguous(numbers[0], old),
        Combiner::Vector => Datatype::vector(numbers[0], numbers[1], numbers[2], old),
        Combiner::Hvector => Datatype::hvector(numbers[0], numbers[1], numbers[2], old),
        Combiner::Indexed => Datatype::indexed(array(0), array(1), old),
        Combiner::Hindexed => Datatype::hindexed(array(0), array(1), old),
        Combiner::IndexedBlock => Datatype::indexed_block(numbers[1], &numbers[2..], old),
        Combiner::HindexedBlock => Datatype::hindexed_block(numbers[1], &numbers[2..], old),
        Combiner::Struct => Datatype::structure(array(0), array(1), parts),
        Combiner::Subarray => {
            let order = order(numbers);
            Datatype::subarray(array(0), array(1), array(2), order, old)
        }
        Combiner::Darray => darray(numbers, old),
        Combiner::Resized => Datatype::resized(old, numbers[0], numbers[1]),
        _ => Datatype::dup(old),
    }
}

fn order(numbers: &[i64]) -> Order {
    numbers.last().and_then(|&value| Order::from_value(value)).unwrap_or(Order::C)
}

/// Calls the constructor of darray: size, rank, ndims, then four arrays and the order.
fn darray(numbers: &[i64], old: &Datatype) -> Result<Datatype, TypeError> {
    let ndims = numbers[2] as usize;
    let array = |index: usize| &numbers[3 + index * ndims..3 + (index + 1) * ndims];
    let distributions: Vec<Distribution> = array(1)
        .iter()
        .map(|&value| Distribution::from_value(value).unwrap_or(Distribution::None))
        .collect();
    let array = Darray {
        size: numbers[0],
        rank: numbers[1],
        gsizes: array(0),
        distributions: &distributions,
        args: array(2),
        psizes: array(3),
        order: order(numbers),
    };
    Datatype::darray(&array, old)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nemesis_datatype::external32_size;

    fn named(handle: usize) -> &'static Datatype {
        Datatype::predefined(handle).expect("in the table")
    }

    fn external(datatype: &Datatype) -> Datatype {
        let mut extents = |basic: &Datatype| external32_size(1, basic).map_err(refused);
        in_file(datatype, &mut extents).expect("valid")
    }

    #[test]
    fn counts_scale_and_bytes_do_not() {
        let long = named(0x20a);
        let vector = Datatype::vector(3, 2, 5, long).unwrap();
        let scaled = external(&vector);
        assert_eq!((scaled.size(), scaled.extent()), (24, (2 * 5 + 2) * 4));
        let fixed = Datatype::hvector(3, 1, 100, long).unwrap();
        assert_eq!((external(&fixed).size(), external(&fixed).extent()), (12, 204));
        let part = Datatype::subarray(&[4, 6], &[2, 3], &[1, 2], Order::C, long).unwrap();
        assert_eq!((external(&part).true_lb(), external(&part).extent()), ((6 + 2) * 4, 96));
    }

    /// Offsets of the bytes of one element.
    fn offsets(datatype: &Datatype) -> Vec<u64> {
        let target = nemesis_datatype::RemoteTarget::new(1 << 20, 1, datatype);
        target.runs(0).flat_map(|run| run.address as u64..(run.address + run.len) as u64).collect()
    }

    proptest::proptest! {
        #[test]
        fn a_layout_of_sizes_that_do_not_change_is_the_type(
            lengths in proptest::collection::vec(0..4_i64, 1..5),
            gaps in proptest::collection::vec(0..4_i64, 5),
            (count, stride) in (1..4_i64, 0..5_i64),
        ) {
            let long = named(0x20a);
            let mut places = Vec::new();
            let mut at = 0;
            for (length, gap) in lengths.iter().zip(gaps) {
                places.push(at + gap);
                at += gap + length;
            }
            let blocks = Datatype::indexed(&lengths, &places, long).unwrap();
            let rows = Datatype::vector(count, 1, 1 + stride, &blocks).unwrap();
            let wide = Datatype::resized(&rows, 0, rows.extent() + 8).unwrap();
            for datatype in [blocks, rows, wide, Datatype::dup(long).unwrap()] {
                datatype.commit();
                let same = in_file(&datatype, &mut |basic| Ok(basic.size())).unwrap();
                proptest::prop_assert_eq!(offsets(&same), offsets(&datatype));
                proptest::prop_assert_eq!(same.extent(), datatype.extent());
            }
        }

        #[test]
        fn counts_of_wider_elements_scale_with_them(
            (count, block, gap) in (1..5_i64, 1..4_i64, 0..4_i64), width in 1..4_i64,
        ) {
            let int = named(0x209);
            let vector = Datatype::vector(count, block, block + gap, int).unwrap();
            let wide = in_file(&vector, &mut |basic| Ok(basic.size() * width)).unwrap();
            let expected: Vec<u64> = (0..count)
                .flat_map(|row| {
                    let start = (row * (block + gap) * 4 * width) as u64;
                    start..start + (block * 4 * width) as u64
                })
                .map(|offset| offset + (1 << 20))
                .collect();
            proptest::prop_assert_eq!(offsets(&wide), expected);
        }
    }

    #[test]
    fn an_extent_that_is_unknown_is_an_error() {
        let int = named(0x209);
        let refuse = &mut |_: &Datatype| {
            Err(crate::error::Error::new(crate::abi::MPI_ERR_CONVERSION, "unknown"))
        };
        let pair = Datatype::contiguous(2, int).unwrap();
        assert_eq!(in_file(&pair, refuse).unwrap_err().class, crate::abi::MPI_ERR_CONVERSION);
    }

    #[test]
    fn both_forms_of_contents_are_read() {
        let int = named(0x209);
        let array = Darray {
            size: 4,
            rank: 2,
            gsizes: &[8, 6],
            distributions: &[Distribution::Cyclic, Distribution::Block],
            args: &[2, nemesis_datatype::DISTRIBUTE_DFLT_DARG],
            psizes: &[2, 2],
            order: Order::C,
        };
        for datatype in [
            Datatype::darray(&array, int).unwrap(),
            Datatype::subarray(&[4, 6], &[2, 3], &[1, 2], Order::Fortran, int).unwrap(),
            Datatype::indexed(&[1, 2], &[3, 7], int).unwrap(),
            Datatype::hindexed_block(2, &[0, 64], int).unwrap(),
        ] {
            let plain = external(&datatype);
            let large = external(&datatype.clone().into_large_count_form());
            assert_eq!((plain.size(), plain.extent()), (datatype.size(), datatype.extent()));
            assert_eq!((large.true_lb(), large.extent()), (plain.true_lb(), plain.extent()));
        }
    }
}
