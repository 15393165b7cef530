//! Which operations of a row are open.

use std::collections::VecDeque;

/// The operations that began one after the other, and may end in any order: which of them are open.
/// Each step takes a constant time on average; memory is that of the operations from the first open
/// one on.
///
/// # Examples
///
/// ```
/// use nemesis_netmod::OpenOperations;
///
/// let mut open = OpenOperations::new();
/// let (first, second) = (open.begin(), open.begin());
/// let before_third = open.next();
/// open.end(second);
/// assert!(!open.have_ended(before_third), "the first is open");
/// open.begin();
/// open.end(first);
/// assert!(open.have_ended(before_third) && open.len() == 1);
/// ```
#[derive(Debug, Default)]
pub struct OpenOperations {
    /// Number of the first operation in `open`.
    first: u64,
    /// For each operation from the first open one on, whether it is open.
    open: VecDeque<bool>,
}

impl OpenOperations {
    /// Makes a row without operations.
    pub const fn new() -> OpenOperations {
        OpenOperations { first: 0, open: VecDeque::new() }
    }

    /// Returns the number of the next operation: one more than that of the last.
    pub fn next(&self) -> u64 {
        self.first + self.open.len() as u64
    }

    /// Begins an operation, and returns its number.
    pub fn begin(&mut self) -> u64 {
        let number = self.next();
        self.open.push_back(true);
        number
    }

    /// Ends an operation. Does nothing if it has ended.
    pub fn end(&mut self, number: u64) {
        let index = number.checked_sub(self.first).and_then(|index| usize::try_from(index).ok());
        if let Some(open) = index.and_then(|index| self.open.get_mut(index)) {
            *open = false;
        }
        while self.open.front() == Some(&false) {
            self.open.pop_front();
            self.first += 1;
        }
    }

    /// Returns whether all operations with numbers below `limit` have ended.
    pub fn have_ended(&self, limit: u64) -> bool {
        self.open.is_empty() || self.first >= limit
    }

    /// Returns the number of operations from the first open one on.
    pub fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether no operation is open.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Ends all operations.
    pub fn clear(&mut self) {
        self.first = self.next();
        self.open.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn open_operations_are_those_of_a_set(
            steps in prop::collection::vec((0..10_u8, any::<prop::sample::Index>()), 0..300),
        ) {
            let (mut open, mut set) = (OpenOperations::new(), BTreeSet::new());
            for (step, index) in steps {
                match step {
                    0..=4 => prop_assert!(set.insert(open.begin())),
                    5..=8 if open.next() > 0 => {
                        let number = index.index(open.next() as usize) as u64;
                        set.remove(&number);
                        open.end(number);
                    }
                    9 if index.index(8) == 0 => {
                        set.clear();
                        open.clear();
                    }
                    _ => open.end(open.next() + 3),
                }
                prop_assert_eq!(open.is_empty(), set.is_empty());
                let first = set.first().copied().unwrap_or(open.next());
                prop_assert_eq!(open.len() as u64, open.next() - first);
                for limit in [0, first, first + 1, open.next(), u64::MAX] {
                    let have_ended = set.first().is_none_or(|&first| first >= limit);
                    prop_assert_eq!(open.have_ended(limit), have_ended, "limit {}", limit);
                }
            }
        }
    }
}
