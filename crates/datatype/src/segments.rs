//! The segments of a type: the runs of bytes of one element, in the order of the packed stream.
//!
//! A segment is found by its number, and the number of whole segments by a length of the packed
//! stream, without visiting those before it: every node of a plan tells how many it has. Two
//! segments that touch are one only where the plan has merged them.

use std::collections::HashMap;

use crate::datatype::Datatype;
use crate::plan::{Kind, Plan};
use crate::walk::Copies;

/// Numbers of segments of shared nodes, by address: a type may name a component many times.
type Known = HashMap<*const Plan, usize>;

impl Datatype {
    /// Returns how many whole segments the first `bytes` bytes of the packed stream have, and how
    /// many bytes these segments have.
    ///
    /// # Examples
    /// ```
    /// use nemesis_datatype::Datatype;
    ///
    /// let int = Datatype::predefined(0x209).unwrap();
    /// let pairs = Datatype::vector(3, 2, 4, int)?;
    /// assert_eq!(pairs.segments_within(pairs.size()), (3, 24));
    /// assert_eq!(pairs.segments_within(20), (2, 16), "the third is cut");
    /// # Ok::<(), nemesis_datatype::TypeError>(())
    /// ```
    pub fn segments_within(&self, bytes: i64) -> (i64, i64) {
        let (plan, mut known) = (self.plan(), Known::new());
        let bytes = usize::try_from(bytes).unwrap_or(0);
        let whole = ended_by(plan, bytes, &mut known);
        let size = if bytes >= plan.size { plan.size } else { start_of(plan, whole, &mut known) };
        (whole as i64, size as i64)
    }

    /// Iterates over the segments from number `first` on: displacement and length, in bytes.
    ///
    /// # Examples
    /// ```
    /// use nemesis_datatype::Datatype;
    ///
    /// let int = Datatype::predefined(0x209).unwrap();
    /// let pairs = Datatype::vector(3, 2, 4, int)?;
    /// assert_eq!(pairs.segments_from(1).collect::<Vec<_>>(), [(16, 8), (32, 8)]);
    /// # Ok::<(), nemesis_datatype::TypeError>(())
    /// ```
    pub fn segments_from(&self, first: i64) -> Segments<'_> {
        let (plan, mut known) = (self.plan(), Known::new());
        let all = number(plan, &mut known);
        let first = usize::try_from(first).unwrap_or(0).min(all);
        let position = if first == all { plan.size } else { start_of(plan, first, &mut known) };
        Segments { plan, position, left: all - first }
    }
}

/// Iterator over the segments of a type; see [`Datatype::segments_from`].
#[derive(Debug)]
pub struct Segments<'a> {
    plan: &'a Plan,
    /// Where the next segment begins in the packed stream.
    position: usize,
    left: usize,
}

impl Iterator for Segments<'_> {
    type Item = (i64, i64);

    fn next(&mut self) -> Option<(i64, i64)> {
        self.left = self.left.checked_sub(1)?;
        let one = Copies { each: self.plan, count: 1, stride: 0 };
        let (displacement, len) = one.locate(0, self.position);
        self.position += len;
        Some((displacement as i64, len as i64))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Segments<'_> {}

/// Returns the number of segments of a node. It is not larger than the node's size, because no
/// segment is empty.
fn number(plan: &Plan, known: &mut Known) -> usize {
    match &plan.kind {
        Kind::Run => usize::from(plan.size > 0),
        Kind::Strided { count, .. } => *count,
        Kind::Blocks(blocks) => blocks.len(),
        Kind::Repeat { count, each, .. } => count * number(each, known),
        Kind::Sequence(parts) => {
            let node = std::ptr::from_ref(plan);
            if let Some(&number) = known.get(&node) {
                return number;
            }
            let all = parts.iter().map(|part| number(&part.plan, known)).sum();
            known.insert(node, all);
            all
        }
    }
}

/// Returns how many segments end within the first `bytes` bytes of a node.
fn ended_by(plan: &Plan, bytes: usize, known: &mut Known) -> usize {
    if bytes >= plan.size {
        return number(plan, known);
    }
    match &plan.kind {
        Kind::Run => 0,
        Kind::Strided { block, .. } => bytes / block,
        Kind::Blocks(blocks) => blocks.partition_point(|block| block.end <= bytes),
        Kind::Repeat { each, .. } => {
            let copies = bytes / each.size * number(each, known);
            copies + ended_by(each, bytes % each.size, known)
        }
        Kind::Sequence(parts) => {
            let whole = parts.partition_point(|part| part.end <= bytes);
            let start = whole.checked_sub(1).map_or(0, |before| parts[before].end);
            let before: usize = parts[..whole].iter().map(|part| number(&part.plan, known)).sum();
            before + ended_by(&parts[whole].plan, bytes - start, known)
        }
    }
}

/// Returns where a segment, which the node has, begins in the packed stream of the node.
fn start_of(plan: &Plan, segment: usize, known: &mut Known) -> usize {
    match &plan.kind {
        Kind::Run => 0,
        Kind::Strided { block, .. } => segment * block,
        Kind::Blocks(blocks) => segment.checked_sub(1).map_or(0, |before| blocks[before].end),
        Kind::Repeat { each, .. } => {
            let each_has = number(each, known);
            segment / each_has * each.size + start_of(each, segment % each_has, known)
        }
        Kind::Sequence(parts) => {
            let (mut start, mut left) = (0, segment);
            for part in parts.iter() {
                let here = number(&part.plan, known);
                if left < here {
                    return start + start_of(&part.plan, left, known);
                }
                left -= here;
                start = part.end;
            }
            start
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Block;
    use crate::walk::Sink;

    fn int() -> &'static Datatype {
        Datatype::predefined(0x209).expect("MPI_INT")
    }

    /// Types of every kind of plan, and nests of them.
    fn types() -> Vec<Datatype> {
        let char = Datatype::predefined(0x243).expect("MPI_CHAR");
        let vector = Datatype::hvector(4, 3, 20, int()).expect("valid");
        let list = Datatype::indexed(&[2, 1, 3], &[9, 0, 3], int()).expect("valid");
        let mixed = Datatype::structure(
            &[1, 2, 1, 3],
            &[0, 100, 400, 1000],
            &[char.clone(), vector.clone(), int().clone(), list.clone()],
        )
        .expect("valid");
        let spread = Datatype::resized(&mixed, -8, 2000).expect("valid");
        vec![
            int().clone(),
            Datatype::contiguous(0, int()).expect("valid"),
            Datatype::contiguous(7, int()).expect("valid"),
            Datatype::contiguous(3, &list).expect("valid"),
            Datatype::vector(3, 2, 50, &mixed).expect("valid"),
            Datatype::hindexed(&[1, 2], &[0, -5000], &spread).expect("valid"),
            vector,
            list,
            mixed,
            spread,
        ]
    }

    /// The displacement of each byte, in packed order, as pack and unpack find it.
    struct Bytes(Vec<i64>);

    impl Sink for Bytes {
        fn run(&mut self, address: usize, len: usize) {
            self.0.extend((0..len).map(|byte| address.wrapping_add(byte) as i64));
        }

        fn strided(&mut self, address: usize, block: usize, stride: isize, count: usize) {
            (0..count as isize)
                .for_each(|copy| self.run(address.wrapping_add_signed(copy * stride), block));
        }

        fn structs(&mut self, at: usize, blocks: &[Block], _: usize, stride: isize, count: usize) {
            for copy in 0..count as isize {
                let mut start = 0;
                for block in blocks {
                    let address = at.wrapping_add_signed(copy * stride + block.at);
                    self.run(address, block.end - start);
                    start = block.end;
                }
            }
        }
    }

    #[test]
    fn segments_are_the_bytes_of_an_element_from_any_of_them_on() {
        for datatype in types() {
            let mut bytes = Bytes(Vec::new());
            let one = Copies { each: datatype.plan(), count: 1, stride: 0 };
            one.visit(0, 0, datatype.plan().size, &mut bytes);
            let all: Vec<(i64, i64)> = datatype.segments_from(0).collect();
            let of_segments: Vec<i64> = all
                .iter()
                .flat_map(|&(displacement, len)| displacement..displacement + len)
                .collect();
            assert_eq!(of_segments, bytes.0);
            for first in 0..=all.len() {
                let segments = datatype.segments_from(first as i64);
                assert_eq!(segments.len(), all.len() - first);
                assert_eq!(segments.collect::<Vec<_>>(), all[first..]);
            }
            assert_eq!(datatype.segments_from(all.len() as i64 + 5).next(), None);
        }
    }

    #[test]
    fn only_whole_segments_lie_within_a_length() {
        for datatype in types() {
            let mut expected = (0, 0);
            let mut segments = datatype.segments_from(0).peekable();
            for bytes in 0..=datatype.size() {
                while let Some((_, len)) = segments.next_if(|(_, len)| expected.1 + len <= bytes) {
                    expected = (expected.0 + 1, expected.1 + len);
                }
                assert_eq!(datatype.segments_within(bytes), expected);
            }
            assert_eq!(expected.1, datatype.size());
            assert_eq!(datatype.segments_within(i64::MAX), expected);
        }
    }

    #[test]
    fn a_segment_is_found_among_more_than_can_be_visited() {
        let column = Datatype::vector(1_000_000_000, 1, 2, int()).expect("valid");
        let columns = Datatype::hvector(1_000_000, 1, 8_000_000_008, &column).expect("fits");
        let (all, bytes) = columns.segments_within(columns.size());
        assert_eq!((all, bytes), (1_000_000_000_000_000, 4_000_000_000_000_000));
        let mut last = columns.segments_from(all - 1);
        let place = 999_999 * 8_000_000_008 + 999_999_999 * 8;
        assert_eq!((last.next(), last.next()), (Some((place, 4)), None));
        let twice = |part: &Datatype| {
            let next = part.true_extent() + 8;
            Datatype::structure(&[1, 1], &[0, next], &[part.clone(), part.clone()]).expect("fits")
        };
        let start = Datatype::indexed(&[1, 2], &[0, 3], int()).expect("valid");
        let nested = (0..40).fold(start, |part, _| twice(&part));
        assert_eq!(nested.segments_within(nested.size()).0, 2 << 40);
        assert_eq!(nested.segments_within(nested.size() - 1).0, (2 << 40) - 1);
    }
}
