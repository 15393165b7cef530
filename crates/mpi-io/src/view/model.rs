//! Views against a list of the offsets of their bytes, written down one by one.

use super::*;
use crate::domains::{Domains, Part};
use proptest::prelude::*;

const INT_BYTES: u64 = 4;

/// A filetype as blocks of ints: the gap before each and its length, and the gap behind the last.
#[derive(Clone, Debug)]
struct Tile {
    blocks: Vec<(u64, u64)>,
    behind: u64,
}

prop_compose! {
    fn tile()(
        blocks in prop::collection::vec((0..4_u64, 1..4_u64), 1..5),
        behind in 0..4_u64,
    ) -> Tile {
        Tile { blocks, behind }
    }
}

impl Tile {
    /// Ints from the beginning of a tile to the next one.
    fn extent(&self) -> u64 {
        self.blocks.iter().map(|(gap, length)| gap + length).sum::<u64>() + self.behind
    }

    /// The offset of every byte of the stream, up to `bytes` bytes.
    fn offsets(&self, disp: u64, bytes: u64) -> Vec<u64> {
        let mut offsets = Vec::new();
        let mut at = disp;
        while (offsets.len() as u64) < bytes {
            for (gap, length) in &self.blocks {
                at += gap * INT_BYTES;
                offsets.extend(at..at + length * INT_BYTES);
                at += length * INT_BYTES;
            }
            at += self.behind * INT_BYTES;
        }
        offsets.truncate(bytes as usize);
        offsets
    }

    fn view(&self, disp: u64) -> View {
        let int = Datatype::predefined(0x209).expect("MPI_INT");
        let (mut lengths, mut places, mut at) = (Vec::new(), Vec::new(), 0);
        for (gap, length) in &self.blocks {
            lengths.push(*length as i64);
            places.push((at + gap) as i64);
            at += gap + length;
        }
        let blocks = Datatype::indexed(&lengths, &places, int).expect("ascending blocks");
        let extent = (self.extent() * INT_BYTES) as i64;
        let tile = Datatype::resized(&blocks, 0, extent).expect("a tile");
        tile.commit();
        let layouts = (int.clone(), tile.clone());
        View::new(disp as i64, (int, &tile), layouts, Datarep::Native, true).expect("a view")
    }
}

/// Bytes of the stream that are written down.
const LISTED: u64 = 400;

proptest! {
    #[test]
    fn a_visit_finds_the_bytes_of_the_stream_in_order(
        tile in tile(), disp in 0..30_u64, from in 0..200_u64, bytes in 0..200_u64,
    ) {
        let (view, offsets) = (tile.view(disp), tile.offsets(disp, LISTED));
        let mut found = Vec::new();
        view.visit(from, bytes, |run| {
            found.extend(run.offset..run.offset + run.bytes);
            true
        });
        prop_assert_eq!(&found[..], &offsets[from as usize..(from + bytes) as usize]);
    }

    #[test]
    fn a_visit_ends_when_it_is_told_to(tile in tile(), runs in 1..4_usize) {
        let (view, mut seen) = (tile.view(0), 0);
        view.visit(0, LISTED, |_| {
            seen += 1;
            seen < runs
        });
        prop_assert!(seen <= runs);
    }

    #[test]
    fn a_position_is_located_with_what_follows_without_a_hole(
        tile in tile(), disp in 0..30_u64, position in 0..200_u64,
    ) {
        let (view, offsets) = (tile.view(disp), tile.offsets(disp, LISTED));
        let run = view.locate(position);
        prop_assert_eq!(run.offset, offsets[position as usize]);
        prop_assert_eq!(view.offset_of(position).ok(), Some(run.offset as i64));
        let listed = run.bytes.min(LISTED - position);
        let expected: Vec<u64> = (run.offset..run.offset + listed).collect();
        prop_assert_eq!(&offsets[position as usize..(position + listed) as usize], &expected[..]);
    }

    #[test]
    fn bytes_before_an_offset_are_counted(tile in tile(), disp in 0..30_u64, size in 0..300_u64) {
        let (view, offsets) = (tile.view(disp), tile.offsets(disp, LISTED));
        let before = offsets.iter().filter(|offset| **offset < size).count() as u64;
        prop_assert_eq!(view.bytes_before(size), before);
        prop_assert_eq!(view.etypes_in(size), before.div_ceil(INT_BYTES) as i64);
    }

    #[test]
    fn a_view_has_holes_if_its_bytes_do_not_follow_each_other(tile in tile(), disp in 0..30_u64) {
        let offsets = tile.offsets(disp, LISTED);
        let follow = offsets.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        prop_assert_eq!(tile.view(disp).has_holes(), !follow);
    }

    #[test]
    fn an_image_of_the_file_gives_and_takes_the_bytes_of_the_stream(
        tile in tile(), disp in 0..30_u64, from in 0..150_u64, bytes in 1..150_u64,
    ) {
        let (view, offsets) = (tile.view(disp), tile.offsets(disp, LISTED));
        let part = &offsets[from as usize..(from + bytes) as usize];
        let (origin, end) = (part[0], part[part.len() - 1] + 1);
        let mut memory: Vec<u8> = (origin..end).map(|offset| offset as u8).collect();
        let image = MemoryRegion::owned(memory.len(), 8).expect("memory");
        image.put_bytes(0, &memory);
        let mut packed = vec![0; bytes as usize];
        prop_assert!(view.pack_image(&image, origin, from..from + bytes, &mut packed));
        let expected: Vec<u8> = part.iter().map(|offset| *offset as u8).collect();
        prop_assert_eq!(&packed, &expected);
        let fresh: Vec<u8> = (0..bytes).map(|at| 200 - at as u8).collect();
        prop_assert!(view.unpack_image(&image, origin, from..from + bytes, &fresh));
        for (offset, byte) in part.iter().zip(&fresh) {
            memory[(offset - origin) as usize] = *byte;
        }
        let mut after = vec![0; memory.len()];
        prop_assert!(image.get_bytes(0, &mut after));
        prop_assert_eq!(after, memory, "holes stay as they are");
    }

    #[test]
    fn what_lies_outside_an_image_is_not_moved(tile in tile(), from in 0..100_u64) {
        let (view, offsets) = (tile.view(0), tile.offsets(0, LISTED));
        let (first, last) = (offsets[from as usize], offsets[from as usize + 30]);
        let image = MemoryRegion::owned((last - first) as usize, 8).expect("memory");
        let mut bytes = [0; 31];
        prop_assert!(!view.pack_image(&image, first, from..from + 31, &mut bytes));
        prop_assert!(!view.unpack_image(&image, first, from..from + 31, &bytes));
    }

    #[test]
    fn a_description_tells_another_process_the_stream(tile in tile(), disp in 0..30_u64) {
        let view = tile.view(disp);
        let copy = View::from_description(&view.describe()).expect("a description");
        for position in 0..100 {
            prop_assert_eq!(copy.locate(position), view.locate(position));
        }
    }

    #[test]
    fn bytes_that_are_no_description_make_no_view(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        if let Ok(view) = View::from_description(&bytes) {
            // Whatever the bytes say, asking for its runs ends.
            let _ = view.check(0, 1).map(|()| view.locate(0));
        }
    }

    #[test]
    fn parts_of_domains_are_the_stream_once(
        tile in tile(), disp in 0..30_000_u64, from in 0..4000_u64, bytes in 1..9000_u64,
        aggregators in 1..5_u64,
    ) {
        let view = tile.view(disp);
        let part = Part { position: from, bytes };
        let (first, last) = (view.locate(from).offset, view.locate(from + bytes - 1).offset);
        let domains = Domains::new(first..last + 1, aggregators, 4096, 4096);
        let mut next = from;
        for aggregator in 0..aggregators {
            for round in 0..domains.rounds() {
                let positions = part.within(&view, &domains.window(aggregator, round));
                if !positions.is_empty() {
                    prop_assert_eq!(positions.start, next, "the stream goes on where it ended");
                    next = positions.end;
                }
            }
        }
        prop_assert_eq!(next, from + bytes);
    }

    #[test]
    fn a_part_ends_with_the_file(
        tile in tile(), disp in 0..30_u64, from in 0..100_u64, bytes in 0..200_u64,
        size in 0..300_u64,
    ) {
        let (view, offsets) = (tile.view(disp), tile.offsets(disp, LISTED));
        let wanted = &offsets[from as usize..(from + bytes) as usize];
        let there = wanted.iter().filter(|offset| **offset < size).count() as u64;
        let part = Part { position: from, bytes };
        prop_assert_eq!(part.existing(&view, Some(size)).bytes, there);
        prop_assert_eq!(part.existing(&view, None).bytes, bytes);
    }
}

#[test]
fn a_new_file_is_a_stream_of_bytes() {
    let view = View::bytes();
    assert_eq!(view.locate(12).offset, 12);
    assert!(!view.has_holes() && view.ascends(0, u64::MAX));
    assert_eq!((view.etypes_in(77), view.position(5).ok()), (77, Some(5)));
}

#[test]
fn what_ends_beyond_63_bits_is_refused() {
    let tile = Tile { blocks: vec![(0, 1)], behind: 1 };
    let view = tile.view(0);
    let last = i64::MAX as u64 / 8;
    assert!(view.check((last - 1) * 4, 4).is_ok());
    assert!(view.check(last * 4, 8).is_err());
    assert_eq!(view.position(-1).unwrap_err().class, abi::MPI_ERR_ARG);
    assert!(view.offset_of(u64::MAX / 2).is_err());
}
