//! An allocator of ranges of numbers: heaps allocate the segment with it, arenas their blocks.

use std::collections::BTreeMap;
use std::ops::Range;

/// The free ranges, start to end. Adjacent free ranges are merged.
///
/// # Examples
/// ```
/// use nemesis_shm::free::Free;
///
/// let mut free = Free::new(100..200);
/// let first = free.find(10, 0, 64).expect("there is space");
/// assert_eq!(first, 128);
/// free.take(first..first + 10);
/// assert_eq!(free.find(80, 0, 1), None);
/// free.give_back(first..first + 10);
/// assert_eq!(free.find(100, 0, 1), Some(100));
/// ```
#[derive(Debug)]
pub struct Free {
    ranges: BTreeMap<usize, usize>,
}

impl Free {
    /// Makes an allocator, of which all numbers in `all` are free.
    pub fn new(all: Range<usize>) -> Free {
        Free { ranges: BTreeMap::from([(all.start, all.end)]) }
    }

    /// Returns the first `n` at which `bytes` numbers are free and `base + n` is a multiple of
    /// `alignment`, a power of two. The numbers stay free.
    pub fn find(&self, bytes: usize, base: usize, alignment: usize) -> Option<usize> {
        self.ranges.iter().find_map(|(&start, &end)| {
            let first = base.checked_add(start)?.checked_next_multiple_of(alignment)? - base;
            (first.checked_add(bytes)? <= end).then_some(first)
        })
    }

    /// Allocates a range.
    ///
    /// # Panics
    /// If a part of it is not free.
    pub fn take(&mut self, taken: Range<usize>) {
        let (&start, &end) =
            self.ranges.range(..=taken.start).next_back().expect("the range is free");
        assert!(taken.end <= end, "the range is free");
        self.ranges.remove(&start);
        for (start, end) in [(start, taken.start), (taken.end, end)] {
            if start < end {
                self.ranges.insert(start, end);
            }
        }
    }

    /// Frees a range that was allocated.
    pub fn give_back(&mut self, Range { mut start, mut end }: Range<usize>) {
        if let Some((&before, &its_end)) = self.ranges.range(..start).next_back()
            && its_end == start
        {
            self.ranges.remove(&before);
            start = before;
        }
        if let Some(its_end) = self.ranges.remove(&end) {
            end = its_end;
        }
        self.ranges.insert(start, end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn freed_ranges_merge() {
        let mut free = Free::new(100..200);
        assert_eq!(free.find(101, 0, 1), None);
        assert_eq!(free.find(10, 4, 64), Some(124), "4 + 124 is a multiple of 64");
        free.take(124..134);
        free.take(140..150);
        assert_eq!(free.find(30, 0, 1), Some(150));
        free.give_back(140..150);
        free.give_back(124..134);
        assert_eq!(free.find(100, 0, 1), Some(100));
    }
}
