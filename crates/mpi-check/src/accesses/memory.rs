//! Copies of the memory that a process exposes: what has changed between two synchronizations.

use crate::checksum::Sum;
use crate::ranges::Ranges;
use nemesis_datatype::ByteRange;
use std::collections::HashMap;

/// Bytes of a window's memory in this process that are copied at most. Stores into more are not
/// found.
pub(super) const COPIED_MAX_BYTES: usize = 64 << 20;

/// Changed ranges of the exposure epochs since the last exchange that are kept at most. Random data
/// put over other data leave one byte of 256 as it was, so that a mebibyte has 4096 ranges.
const CHANGED_MAX: usize = 1 << 18;

/// Copies of this process's memory of a window.
#[derive(Debug, Default)]
pub(super) struct Copies {
    /// At the last two fences, the later one second.
    before: Option<Vec<u8>>,
    now: Option<Vec<u8>>,
    /// At the last `MPI_Win_post`, while its epoch is open.
    posted: Option<Vec<u8>>,
    /// What has changed in exposure epochs since the last exchange.
    changed: HashMap<u64, Ranges>,
    /// Whether changes of exposure epochs are left out.
    pub is_cut: bool,
}

impl Copies {
    /// Takes a copy at a fence.
    pub fn fenced(&mut self, copy: Vec<u8>) {
        self.before = self.now.replace(copy);
    }

    /// Takes a copy when an exposure epoch begins.
    pub fn posted(&mut self, copy: Vec<u8>) {
        self.posted = Some(copy);
    }

    /// Compares the memory at the end of the exposure epoch `number` with the copy of its
    /// beginning.
    pub fn waited(&mut self, number: u64, memory: &[u8]) {
        let Some(before) = self.posted.take() else { return };
        let kept: usize = self.changed.values().map(Ranges::len).sum();
        let mut ranges = Ranges::default();
        let mut from = 0;
        while let Some(range) = first_change(&before, memory, from, memory.len()) {
            if kept + ranges.len() >= CHANGED_MAX {
                self.is_cut = true;
                break;
            }
            ranges.add(range);
            from = range.address + range.len;
        }
        self.changed.insert(number, ranges);
    }

    /// Forgets the copies at fences.
    pub fn forget_fences(&mut self) {
        (self.before, self.now) = (None, None);
    }

    /// Begins anew after an exchange.
    pub fn exchanged(&mut self) {
        self.changed.clear();
        self.is_cut = false;
    }

    /// Returns the first bytes of `range` that have changed in an exposure epoch, or between the
    /// last two fences.
    pub fn changed(&self, exposure: Option<u64>, range: ByteRange) -> Option<ByteRange> {
        match exposure {
            Some(number) => self.changed.get(&number)?.common(range),
            None => {
                let end = range.address.saturating_add(range.len);
                first_change(self.before.as_ref()?, self.now.as_ref()?, range.address, end)
            }
        }
    }

    /// Returns the memory at the last fence, if the epoch before it is known from its beginning.
    pub fn now(&self) -> Option<&[u8]> {
        self.before.as_ref()?;
        self.now.as_deref()
    }
}

/// Returns the first bytes from `from` to `end` that differ.
fn first_change(before: &[u8], now: &[u8], from: usize, end: usize) -> Option<ByteRange> {
    /// Bytes that are compared at once.
    const STEP: usize = 256;
    let end = end.min(before.len()).min(now.len());
    let mut start = from;
    while start + STEP <= end && before[start..start + STEP] == now[start..start + STEP] {
        start += STEP;
    }
    while start < end && before[start] == now[start] {
        start += 1;
        if start + STEP <= end && before[start..start + STEP] == now[start..start + STEP] {
            start += STEP;
        }
    }
    let len = (start..end).take_while(|&index| before[index] != now[index]).count();
    (len > 0).then_some(ByteRange { address: start, len })
}

/// Returns the checksum of data.
#[cfg(test)]
pub(super) fn checksum_of(data: &[u8]) -> u64 {
    let mut sum = Sum::new();
    sum.add(data);
    sum.finish()
}

/// Returns the checksum of the bytes of some ranges of `memory`; `None` if it has not all of them.
pub(super) fn checksum_at(memory: &[u8], ranges: &[ByteRange]) -> Option<u64> {
    let mut sum = Sum::new();
    for range in ranges {
        sum.add(memory.get(range.address..range.address.checked_add(range.len)?)?);
    }
    Some(sum.finish())
}

#[cfg(test)]
impl Copies {
    /// Returns the copies of two fences.
    pub fn between(before: &[u8], now: &[u8]) -> Copies {
        let mut copies = Copies::default();
        copies.fenced(before.to_vec());
        let mut whole = vec![0; before.len()];
        whole[..now.len()].copy_from_slice(now);
        copies.fenced(whole);
        copies
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_found_wherever_they_are() {
        let before = vec![0; 3000];
        for place in [0, 1, 255, 256, 257, 1023, 2999] {
            let mut now = before.clone();
            now[place] = 1;
            let found = first_change(&before, &now, 0, 5000);
            assert_eq!(found, Some(ByteRange { address: place, len: 1 }), "{place}");
            assert_eq!(first_change(&before, &now, place + 1, 3000), None);
            assert_eq!(first_change(&before, &now, 0, place), None);
        }
        assert_eq!(first_change(&before, &before, 0, 3000), None);
    }

    #[test]
    fn checksums_do_not_depend_on_the_pieces() {
        let memory: Vec<u8> = (0..100).collect();
        let at = |ranges: &[(usize, usize)]| {
            let ranges: Vec<_> =
                ranges.iter().map(|&(address, len)| ByteRange { address, len }).collect();
            checksum_at(&memory, &ranges)
        };
        assert_eq!(at(&[(0, 30)]), Some(checksum_of(&memory[..30])));
        assert_eq!(at(&[(0, 7), (7, 1), (8, 22)]), at(&[(0, 30)]));
        assert_ne!(at(&[(0, 29)]), at(&[(0, 30)]));
        assert_eq!(at(&[(90, 11)]), None);
    }

    #[test]
    fn an_exposure_epoch_is_compared_with_its_beginning() {
        let mut copies = Copies::default();
        let all = ByteRange { address: 0, len: 8 };
        copies.posted(vec![0; 8]);
        copies.waited(3, &[0, 0, 1, 1, 0, 0, 1, 0]);
        copies.waited(4, &[1; 8]);
        assert_eq!(copies.changed(Some(3), all), Some(ByteRange { address: 2, len: 2 }));
        assert_eq!((copies.changed(Some(4), all), copies.changed(None, all)), (None, None));
        copies.posted(vec![0; 3 * CHANGED_MAX]);
        let every_second: Vec<u8> = (0..3 * CHANGED_MAX).map(|index| index as u8 & 1).collect();
        copies.waited(5, &every_second);
        assert!(copies.is_cut);
    }
}
