//! Sets of bytes, as ranges.

use nemesis_datatype::ByteRange;
use std::collections::BTreeMap;

/// A set of bytes. Ranges that touch are one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranges(
    /// The end of each range, by its start.
    BTreeMap<usize, usize>,
);

impl Ranges {
    /// Adds the bytes of a range.
    pub fn add(&mut self, range: ByteRange) {
        let (mut start, mut end) = (range.address, end_of(range));
        if start == end {
            return;
        }
        if let Some((&before, &its_end)) = self.0.range(..=start).next_back()
            && its_end >= start
        {
            (start, end) = (before, end.max(its_end));
        }
        while let Some((&next, &its_end)) = self.0.range(start..=end).next() {
            end = end.max(its_end);
            self.0.remove(&next);
        }
        self.0.insert(start, end);
    }

    /// Returns the number of ranges.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the ranges in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = ByteRange> {
        self.0.iter().map(|(&start, &end)| ByteRange { address: start, len: end - start })
    }

    /// Returns the first bytes of `range` that belong to the set.
    pub fn common(&self, range: ByteRange) -> Option<ByteRange> {
        let (start, end) = (range.address, end_of(range));
        let before = self.0.range(..=start).next_back().filter(|(_, its_end)| **its_end > start);
        let (&first, &its_end) = before.or_else(|| self.0.range(start..end).next())?;
        between(first.max(start), its_end.min(end))
    }

    /// Returns the first bytes that belong to both sets, and how many ranges it has looked up.
    pub fn common_with(&self, other: &Ranges) -> (Option<ByteRange>, usize) {
        let (few, many) = if self.len() < other.len() { (self, other) } else { (other, self) };
        let mut steps = 0;
        let found = few.iter().find_map(|range| {
            steps += 1;
            many.common(range)
        });
        (found, steps)
    }

    /// Returns the parts of `range` that do not belong to the set.
    pub fn gaps(&self, range: ByteRange) -> Vec<ByteRange> {
        let end = end_of(range);
        let mut gaps = Vec::new();
        let mut from = range.address;
        while let Some(taken) = between(from, end).and_then(|rest| self.common(rest)) {
            gaps.extend(between(from, taken.address));
            from = end_of(taken);
        }
        gaps.extend(between(from, end));
        gaps
    }
}

impl FromIterator<ByteRange> for Ranges {
    fn from_iter<I: IntoIterator<Item = ByteRange>>(ranges: I) -> Ranges {
        let mut all = Ranges::default();
        ranges.into_iter().for_each(|range| all.add(range));
        all
    }
}

/// Returns the address behind a range.
pub(crate) fn end_of(range: ByteRange) -> usize {
    range.address.saturating_add(range.len)
}

fn between(start: usize, end: usize) -> Option<ByteRange> {
    (start < end).then(|| ByteRange { address: start, len: end - start })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ranges: &[(usize, usize)]) -> Ranges {
        ranges.iter().map(|&(address, len)| ByteRange { address, len }).collect()
    }

    fn pair(range: ByteRange) -> (usize, usize) {
        (range.address, range.len)
    }

    fn all(ranges: &Ranges) -> Vec<(usize, usize)> {
        ranges.iter().map(pair).collect()
    }

    #[test]
    fn ranges_that_touch_are_one() {
        assert_eq!(all(&of(&[(8, 4), (0, 4), (4, 4)])), [(0, 12)]);
        assert_eq!(all(&of(&[(0, 4), (8, 4), (3, 1)])), [(0, 4), (8, 4)]);
        assert_eq!(all(&of(&[(10, 2), (20, 2), (30, 2), (5, 40)])), [(5, 40)]);
        assert_eq!(all(&of(&[(5, 40), (10, 2), (45, 0)])), [(5, 40)]);
        assert_eq!(all(&of(&[(0, 2), (10, 10), (1, 12)])), [(0, 20)]);
    }

    #[test]
    fn the_first_common_bytes_are_found() {
        let common = |one: &[(usize, usize)], other: &[(usize, usize)]| {
            let (found, _) = of(one).common_with(&of(other));
            assert_eq!(found, of(other).common_with(&of(one)).0);
            found.map(pair)
        };
        let columns = [(0, 8), (16, 8), (32, 8)];
        assert_eq!(common(&columns, &[(8, 8), (24, 8), (40, 8)]), None);
        assert_eq!(common(&columns, &[(8, 8), (24, 10), (34, 8)]), Some((32, 8)));
        assert_eq!(common(&columns, &[(38, 8)]), Some((38, 2)));
        assert_eq!(common(&[(0, 100)], &[(50, 1)]), Some((50, 1)));
        assert_eq!(of(&columns).common_with(&of(&[(39, 1)])).1, 1, "one range is looked up");
    }

    #[test]
    fn gaps_are_what_is_missing() {
        let gaps = |start, len| -> Vec<_> {
            let all = of(&[(10, 10), (30, 10)]);
            all.gaps(ByteRange { address: start, len }).into_iter().map(pair).collect()
        };
        assert_eq!(gaps(0, 50), [(0, 10), (20, 10), (40, 10)]);
        assert_eq!(gaps(12, 20), [(20, 10)]);
        assert_eq!(gaps(12, 8), []);
        assert_eq!(gaps(20, 10), [(20, 10)]);
    }
}
