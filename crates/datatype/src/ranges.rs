//! Sets of address ranges, and whether they cover the data of an access.

use crate::datatype::Datatype;
use crate::remote::RemoteTarget;

/// Address ranges, sorted by address; adjacent ranges count as one.
#[derive(Debug, Clone, Default)]
pub struct Ranges {
    /// Start and end of each range.
    list: Vec<(usize, usize)>,
}

impl FromIterator<(usize, usize)> for Ranges {
    /// Collects ranges from the start and the length of each, in any order.
    fn from_iter<T: IntoIterator<Item = (usize, usize)>>(ranges: T) -> Ranges {
        let mut all: Vec<_> =
            ranges.into_iter().map(|(start, bytes)| (start, start.saturating_add(bytes))).collect();
        all.sort_unstable();
        let mut list: Vec<(usize, usize)> = Vec::with_capacity(all.len());
        for (start, end) in all {
            match list.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => list.push((start, end)),
            }
        }
        Ranges { list }
    }
}

impl Ranges {
    /// Iterates over start and length of each range.
    pub fn iter(&self) -> impl Iterator<Item = (usize, usize)> {
        self.list.iter().map(|&(start, end)| (start, end - start))
    }

    /// Returns true if one range covers all bytes from `start` to `end`.
    fn has(&self, start: usize, end: usize) -> bool {
        let behind = self.list.partition_point(|range| range.0 <= start);
        behind > 0 && end <= self.list[behind - 1].1
    }

    /// Returns true if every byte of data of `count` elements at `address` lies in a range. The
    /// elements may be spread over several ranges and may have holes outside all of them.
    pub fn cover(&self, address: i64, count: i64, datatype: &Datatype) -> bool {
        let Ok((low, high)) = datatype.span(count) else { return false };
        if low == high {
            return true;
        }
        let at = |offset: i64| {
            address.checked_add(offset).and_then(|address| usize::try_from(address).ok())
        };
        let Some((start, end)) = at(low).zip(at(high)) else { return false };
        // Elements that overlap have more data than memory. A walk through them would take too
        // long.
        let data = count.checked_mul(datatype.size()).and_then(|data| usize::try_from(data).ok());
        let memory = self.iter().fold(0_usize, |memory, (_, bytes)| memory.saturating_add(bytes));
        self.has(start, end)
            || data.is_some_and(|data| data <= memory)
                && RemoteTarget::new(address as u64, count, datatype).runs(0).all(|run| {
                    run.address.checked_add(run.len).is_some_and(|end| self.has(run.address, end))
                })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges() -> Ranges {
        [(300, 50), (100, 100), (200, 64), (1000, 8)].into_iter().collect()
    }

    fn int() -> &'static Datatype {
        Datatype::predefined(0x209).expect("MPI_INT")
    }

    #[test]
    fn neighbours_count_as_one() {
        let ranges = ranges();
        assert_eq!(ranges.iter().collect::<Vec<_>>(), [(100, 164), (300, 50), (1000, 8)]);
        assert!(
            ranges.cover(100, 41, int())
                && ranges.cover(198, 1, int())
                && ranges.cover(1004, 1, int())
        );
        for (address, count) in [
            (100, 42),
            (96, 1),
            (262, 1),
            (264, 1),
            (1005, 1),
            (-4, 1),
            (i64::MAX, 1),
            (100, i64::MAX),
        ] {
            assert!(!ranges.cover(address, count, int()), "{count} at {address}");
        }
        assert!(
            ranges.cover(0, 0, int()) && Ranges::default().cover(-1, 0, int()),
            "no elements touch nothing"
        );
        assert!(!Ranges::default().cover(0, 1, int()));
    }

    #[test]
    fn elements_may_be_spread_over_several() {
        let ranges = ranges();
        let spread = |displacements: &[i64]| {
            Datatype::hindexed(&vec![1; displacements.len()], displacements, int()).unwrap()
        };
        assert!(
            ranges.cover(0, 1, &spread(&[1000, 100, 346]))
                && !ranges.cover(0, 1, &spread(&[1000, 100, 347]))
        );
        // Overlapping elements with a hole that lies in no range: too many for a walk through them.
        let heap = Datatype::resized(&spread(&[100, 300]), 0, 0).unwrap();
        assert!(ranges.cover(0, 10, &heap) && !ranges.cover(0, 1 << 50, &heap));
    }
}
