//! Which bytes of a window of a file the ranks have written to.

use std::ops::Range;

/// Which bytes of a window have been written to: a bit for each.
pub(crate) struct Coverage {
    words: Vec<u64>,
}

impl Coverage {
    pub fn new(bytes: usize) -> Coverage {
        Coverage { words: vec![0; bytes / 64 + 1] }
    }

    /// Notes that `bytes` bytes from `at` on have been written to.
    pub fn add(&mut self, at: usize, bytes: usize) {
        let Some(end) = (at + bytes).checked_sub(1).filter(|_| bytes > 0) else { return };
        let (first, last) = (at / 64, end / 64);
        let (head, tail) = (u64::MAX << (at % 64), u64::MAX >> (63 - end % 64));
        if first == last {
            self.words[first] |= head & tail;
            return;
        }
        self.words[first] |= head;
        self.words[first + 1..last].fill(u64::MAX);
        self.words[last] |= tail;
    }

    /// Returns the first byte from `at` on that is covered, or not; the number of bytes if there is
    /// none.
    fn next(&self, mut at: usize, covered: bool) -> usize {
        while at / 64 < self.words.len() {
            let word = if covered { self.words[at / 64] } else { !self.words[at / 64] };
            match word >> (at % 64) {
                0 => at = (at / 64 + 1) * 64,
                rest => return at + rest.trailing_zeros() as usize,
            }
        }
        at
    }

    /// Returns the ranges that have been written to.
    pub fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = self.next(at, true);
            if start >= self.words.len() * 64 {
                return None;
            }
            at = self.next(start, false);
            Some(start..at)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn coverage_is_that_of_a_flag_for_each_byte(
            writes in prop::collection::vec((0..400_usize, 0..100_usize), 0..12),
        ) {
            let (mut coverage, mut flags) = (Coverage::new(500), [false; 500]);
            for (at, bytes) in writes {
                coverage.add(at, bytes);
                flags[at..at + bytes].fill(true);
            }
            let ranges: Vec<Range<usize>> = coverage.ranges().collect();
            let mut found = [false; 500];
            ranges.iter().for_each(|range| found[range.clone()].fill(true));
            prop_assert_eq!(found, flags);
            prop_assert!(ranges.windows(2).all(|pair| pair[0].end < pair[1].start));
        }
    }

    #[test]
    fn coverage_joins_and_keeps_holes() {
        let mut coverage = Coverage::new(300);
        for (at, bytes) in [(0, 3), (60, 10), (3, 1), (128, 64), (299, 1), (192, 64), (90, 0)] {
            coverage.add(at, bytes);
        }
        assert_eq!(coverage.ranges().collect::<Vec<_>>(), [0..4, 60..70, 128..256, 299..300]);
        let mut coverage = Coverage::new(600);
        for (at, bytes) in [(0, 0), (63, 2), (100, 500)] {
            coverage.add(at, bytes);
        }
        assert_eq!(coverage.ranges().collect::<Vec<_>>(), [63..65, 100..600]);
        assert_eq!(Coverage::new(64).ranges().count(), 0);
    }
}
