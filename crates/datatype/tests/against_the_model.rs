//! Random types against the naive model: bounds, counts, signatures, contents, and all functions
//! that copy data.
#![allow(unsafe_code)]

mod model;

use model::Model;
use model::tree::{rebuilt, trees};
use nemesis_datatype::{Buffer, Copied, Datatype, copy};
use proptest::prelude::*;
use std::iter::repeat_n;

/// Longer maps test nothing new.
const ENTRIES_MAX: usize = 2000;

/// Memory around a buffer, in which neighbouring bytes differ.
struct Memory {
    bytes: Vec<u8>,
    low: i64,
}

impl Memory {
    fn around(datatype: &Datatype, count: i64, seed: u8) -> Self {
        let (low, high) = datatype.span(count).expect("small");
        let byte = |index: usize| (index as u8).wrapping_mul(167).wrapping_add(seed);
        Self { bytes: (0..(high - low) as usize).map(byte).collect(), low }
    }

    fn buffer(&mut self, datatype: &Datatype, count: i64) -> Buffer {
        let address = self.bytes.as_mut_ptr().wrapping_offset(-self.low as isize);
        // SAFETY: B1: the bytes span (count, datatype); B2: one buffer at a time is in use.
        unsafe { Buffer::new(address.cast(), count, datatype) }
    }

    fn stream(&self, model: &Model, count: i64) -> Vec<u8> {
        model.stream(count).into_iter().map(|at| self.bytes[(at - self.low) as usize]).collect()
    }
}

/// Cuts `total` bytes into pieces of these lengths, in turn.
fn cut(total: usize, lengths: &[usize]) -> Vec<std::ops::Range<usize>> {
    let mut start = 0;
    let mut pieces = Vec::new();
    for &length in lengths.iter().cycle() {
        if start == total {
            break;
        }
        let end = total.min(start + length);
        pieces.push(start..end);
        start = end;
    }
    pieces
}

/// Returns true if a byte occurs twice, which MPI allows for sending only.
fn overlaps(model: &Model, count: i64) -> bool {
    let mut offsets = model.stream(count);
    offsets.sort_unstable();
    offsets.windows(2).any(|pair| pair[0] == pair[1])
}

fn lengths() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(1..40_usize, 1..5)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn bounds_counts_and_signatures(tree in trees()) {
        let model = tree.model();
        prop_assume!(model.0.len() <= ENTRIES_MAX);
        let datatype = tree.build().expect("small numbers");
        let (low, high) = model.true_bounds();
        prop_assert_eq!(datatype.size(), model.size());
        prop_assert_eq!((datatype.lb(), datatype.extent()), (model.lb(), model.extent()));
        prop_assert_eq!((datatype.true_lb(), datatype.true_extent()), (low, high - low));
        prop_assert_eq!(datatype.elements(), model.data().count() as i64);
        for bytes in 0..=2 * model.size().min(100) {
            let (found, expected) = (datatype.get_elements(bytes), model.get_elements(bytes));
            prop_assert_eq!(found, expected, "{} bytes", bytes);
        }
        let signature: Vec<usize> =
            datatype.signature().flat_map(|run| repeat_n(run.handle, run.count as usize)).collect();
        prop_assert_eq!(signature, model.data().map(|entry| entry.0).collect::<Vec<_>>());
    }

    #[test]
    fn packed_in_some_pieces_unpacked_in_others(
        tree in trees(),
        count in 0..4_i64,
        pack_lengths in lengths(),
        unpack_lengths in lengths(),
    ) {
        let model = tree.model();
        prop_assume!(model.0.len() <= ENTRIES_MAX);
        let datatype = tree.build().expect("small numbers");
        datatype.commit();
        let mut source = Memory::around(&datatype, count, 1);
        let expected = source.stream(&model, count);
        let buffer = source.buffer(&datatype, count);
        prop_assert_eq!(buffer.bytes(), expected.len());
        let mut packed = vec![0; expected.len()];
        for piece in cut(expected.len(), &pack_lengths) {
            let length = piece.len();
            prop_assert_eq!(buffer.pack_at(piece.start, &mut packed[piece]), length);
        }
        prop_assert_eq!(buffer.pack_at(expected.len(), &mut [0; 1]), 0);
        prop_assert_eq!(&packed, &expected);

        prop_assume!(!overlaps(&model, count));
        let mut target = Memory::around(&datatype, count, 99);
        let mut filled = target.bytes.clone();
        for (at, &byte) in model.stream(count).into_iter().zip(&packed) {
            filled[(at - target.low) as usize] = byte;
        }
        let buffer = target.buffer(&datatype, count);
        for piece in cut(packed.len(), &unpack_lengths) {
            let length = piece.len();
            prop_assert_eq!(buffer.unpack_at(piece.start, &packed[piece]), length);
        }
        prop_assert_eq!(buffer.unpack_at(packed.len(), &[0; 1]), 0);
        prop_assert_eq!(target.bytes, filled);
    }

    #[test]
    fn runs_visit_the_bytes_of_the_model(tree in trees(), count in 0..4_i64, skip in 0..100_usize) {
        let model = tree.model();
        prop_assume!(model.0.len() <= ENTRIES_MAX);
        let datatype = tree.build().expect("small numbers");
        let mut memory = Memory::around(&datatype, count, 1);
        let buffer = memory.buffer(&datatype, count);
        let base = buffer.address();
        let offsets: Vec<i64> = buffer
            .runs(skip)
            .flat_map(|run| run.address..run.address + run.len)
            .map(|address| address.wrapping_sub(base) as i64)
            .collect();
        prop_assert_eq!(offsets, model.stream(count).into_iter().skip(skip).collect::<Vec<_>>());
        if let Some(range) = buffer.contiguous() {
            prop_assert!(model.stream(count).windows(2).all(|pair| pair[1] == pair[0] + 1));
            prop_assert_eq!(range.len, buffer.bytes());
        }
    }

    #[test]
    fn copies_between_any_two_layouts(
        source_tree in trees(),
        target_tree in trees(),
        count in 0..4_i64,
        more in 0..4_i64,
    ) {
        let (from, to) = (source_tree.model(), target_tree.model());
        prop_assume!(from.0.len() <= ENTRIES_MAX && to.0.len() <= ENTRIES_MAX);
        prop_assume!(!overlaps(&to, more));
        let source_type = source_tree.build().expect("small numbers");
        let target_type = target_tree.build().expect("small numbers");
        let mut source = Memory::around(&source_type, count, 1);
        let mut target = Memory::around(&target_type, more, 99);
        let stream = source.stream(&from, count);
        let mut filled = target.bytes.clone();
        for (at, &byte) in to.stream(more).into_iter().zip(&stream) {
            filled[(at - target.low) as usize] = byte;
        }
        let capacity = to.stream(more).len();
        let copied = copy(&source.buffer(&source_type, count), &target.buffer(&target_type, more));
        let (bytes, truncated) = (stream.len().min(capacity), stream.len() > capacity);
        prop_assert_eq!(copied, Copied { bytes, truncated });
        prop_assert_eq!(target.bytes, filled);
    }

    #[test]
    fn a_type_is_rebuilt_from_its_contents(tree in trees()) {
        prop_assume!(tree.model().0.len() <= ENTRIES_MAX);
        let datatype = tree.build().expect("small numbers");
        let again = rebuilt(&datatype).expect("it was valid the first time");
        prop_assert_eq!(&again, &datatype);
        prop_assert_eq!((again.lb(), again.extent()), (datatype.lb(), datatype.extent()));
        prop_assert_eq!(again.size(), datatype.size());
    }
}
